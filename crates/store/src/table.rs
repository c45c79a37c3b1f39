//! An exact set of states with dense ids.
//!
//! The states lie packed (`packing`) in [`Rows`], in order of first insertion; an `index` of tags and ids finds them. A row is read only
//! if the tag agrees, so a look-up costs about one cache line of the index and, where the state is known, one
//! row.
//!
//! A state whose key does not fit the packing is new; before it goes in, the table is *widened*: a packing with larger ranges, all rows
//! packed anew, the index filled anew. Ids stay. A range grows at most 32 times, and while the table is small that
//! costs nothing to speak of. Once it is large, a widening that comes before the table has doubled since the last one gives
//! the growing ranges one spare bit more than that one did. Rows go over chunk by chunk, so a widening takes little
//! more memory than the larger of the two.
//!
//! With several workers on one table, reading, searching and inserting need no exclusive access to the packing, and
//! widening does: all must stop between two batches, as for a growth of the index.
//!
//! Cost beyond the packed rows: 6.1 to 9.2 bytes a state, and at most 32 KiB.
//!
//! Invariants:
//! 1. every row fits the packing, and no two agree in their key units;
//! 2. the ids in the index are those below the number of rows.

use crate::batch::Batch;
use crate::index::{Index, Vacancy};
use crate::packing::{Misfit, Packing};
use crate::prefetch::prefetch;
use crate::rows::CHUNK_BYTES;
use crate::{Growth, Rows, StateId};
use fairhold_system::Steps;
use xxhash_rust::xxh3::xxh3_64;

/// The index holds ids plus one in 32 bits.
const MOST_STATES: usize = u32::MAX as usize - 1;
/// Below this many states a widening is not worth avoiding.
const SMALL: usize = 4096;
/// Rows of up to this many units need no allocation for a search.
const SHORT: usize = 32;
/// Rows of a table of fewer bytes are in a near cache anyway.
const CACHED: u64 = 1 << 20;
/// Rows hashed ahead while the index is filled.
const AHEAD: usize = 32;

/// The outcome of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The state's id, new or old.
    pub id: StateId,
    /// Whether it was not there before.
    pub new: bool,
}

/// The table has no ids left: it holds 2^32 - 2 states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A state does not fit the packing: the table must be widened for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfit;

/// A larger packing for a table, and what the change to it costs.
#[derive(Clone, Debug)]
pub struct Widening {
    packing: Packing,
    growth: Growth,
}

impl Widening {
    /// What [`StateTable::widen`] will cost.
    pub fn growth(&self) -> Growth {
        self.growth
    }
}

/// An exact set of states of `width` words, told apart by their first `key_width` words.
///
/// The words after the key are kept as they came with the first insertion.
#[derive(Clone, Debug)]
pub struct StateTable {
    key_width: usize,
    packing: Packing,
    rows: Rows,
    index: Index,
    /// How many states there were at the last widening.
    widened_at: usize,
    /// Spare bits given by the last widening.
    spare: u32,
}

impl StateTable {
    /// An empty table for states of `width` words.
    ///
    /// # Panics
    /// If the key is wider than the state.
    pub fn new(width: usize, key_width: usize) -> StateTable {
        assert!(key_width <= width, "the key is part of the state");
        StateTable {
            key_width,
            packing: Packing::around(&vec![0; width], key_width),
            rows: Rows::new(0),
            index: Index::default(),
            widened_at: 0,
            spare: 0,
        }
    }

    /// How many states there are; their ids are the numbers below.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Bytes of a packed state, at present.
    pub fn row_bytes(&self) -> usize {
        4 * self.packing.units()
    }

    /// The state with this id.
    ///
    /// # Panics
    /// If the id is not from this table.
    pub fn get(&self, id: StateId) -> Vec<u32> {
        let mut state = vec![0; self.packing.width()];
        self.read(id, &mut state);
        state
    }

    /// Writes the state with this id to `state`, which has its width.
    ///
    /// # Panics
    /// If the id is not from this table.
    #[inline]
    pub fn read(&self, id: StateId, state: &mut [u32]) {
        self.packing.unpack(self.rows.get(id.index()), state);
    }

    /// The id of a state with this key, if there is one.
    pub fn find(&self, state: &[u32]) -> Option<StateId> {
        let mut short = [0; SHORT];
        let mut long = Vec::new();
        let units = self.packing.units();
        let row = if units <= SHORT {
            &mut short[..units]
        } else {
            long.resize(units, 0);
            &mut long[..]
        };
        match self.packing.pack(state, row) {
            Err(Misfit { key: true }) => None,
            Ok(()) | Err(Misfit { key: false }) => self.search(self.hash(row), row).ok(),
        }
    }

    /// Adds a state unless one with its key is there. Allocates: for many, use a [`Batch`].
    pub fn insert(&mut self, state: &[u32]) -> Result<Inserted, Full> {
        let mut row = vec![0; self.packing.units()];
        if self.packing.pack(state, &mut row).is_err() {
            self.widen(self.widening([state]));
            row.resize(self.packing.units(), 0);
            let packed = self.packing.pack(state, &mut row);
            packed.expect("the table was widened for this state");
        }
        self.insert_row(self.hash(&row), &row)
    }

    /// Packs and hashes the targets of all steps, and asks for the part of the index where they would be found. `from` is the state
    /// stepped; without it, the steps lead to initial states.
    ///
    /// The error is that a target does not fit: nothing is prepared, and the table must be [widened](StateTable::widening)
    /// first.
    #[inline]
    pub fn prepare(&self, from: Option<StateId>, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit> {
        let packing = &self.packing;
        let from = from.map(|id| self.rows.get(id.index()));
        batch.start(packing.units(), steps.len());
        for i in 0..steps.len() {
            let row = batch.row_mut(i);
            let target = steps.target(i);
            let fits = match from {
                Some(from) => {
                    // A row is a few units: a loop beats a call.
                    row.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                    packing.repack(target, steps.changed(i), row)
                }
                None => packing.pack(target, row).is_ok(),
            };
            if !fits {
                return Err(Unfit);
            }
            debug_assert!(
                {
                    let mut whole = vec![0; packing.units()];
                    packing.pack(target, &mut whole).is_ok() && whole == *row
                },
                "a target differs from the state stepped only where its step says"
            );
            let hash = self.hash(row);
            batch.set_hash(i, hash);
            self.index.prefetch(hash);
        }
        Ok(())
    }

    /// Asks for the rows with which the prepared states will be compared. To be called some time after the preparation, when the memory asked
    /// for then has come.
    #[inline]
    pub fn approach(&self, batch: &Batch) {
        if self.bytes() < CACHED {
            return;
        }
        for i in 0..batch.len() {
            if let Some(id) = self.index.candidate(batch.hash(i))
                && let Some(unit) = self.rows.get(id as usize).first()
            {
                prefetch(unit);
            }
        }
    }

    /// The id of a prepared state, if it is there.
    #[inline]
    pub fn find_prepared(&self, batch: &Batch, i: usize) -> Option<StateId> {
        self.search(batch.hash(i), batch.row(i)).ok()
    }

    /// Adds a prepared state unless one with its key is there. The table must not have been widened since.
    #[inline]
    pub fn insert_prepared(&mut self, batch: &Batch, i: usize) -> Result<Inserted, Full> {
        debug_assert_eq!(batch.units(), self.packing.units());
        self.insert_row(batch.hash(i), batch.row(i))
    }

    #[inline]
    fn hash(&self, row: &[u32]) -> u64 {
        xxh3_64(bytemuck::cast_slice(&row[..self.packing.key_units()]))
    }

    #[inline]
    fn search(&self, hash: u64, row: &[u32]) -> Result<StateId, Vacancy> {
        let key = self.packing.key_units();
        let same = |id: u32| {
            let other = self.rows.get(id as usize);
            // Keys are a few units: a loop beats a call.
            other[..key].iter().zip(&row[..key]).all(|(a, b)| a == b)
        };
        self.index.search(hash, same).map(StateId)
    }

    #[inline]
    fn insert_row(&mut self, hash: u64, row: &[u32]) -> Result<Inserted, Full> {
        let vacancy = match self.search(hash, row) {
            Ok(id) => return Ok(Inserted { id, new: false }),
            Err(vacancy) => vacancy,
        };
        let id = self.len() as u32;
        if self.len() < self.index.room() {
            self.index.put(vacancy, id);
        } else {
            if self.len() == MOST_STATES {
                return Err(Full);
            }
            self.index.grow_empty();
            self.fill_index();
            self.index.put_new(hash, id);
        }
        self.rows.push(row);
        Ok(Inserted {
            id: StateId(id),
            new: true,
        })
    }

    /// Puts the ids of all rows into an empty index.
    #[cold]
    fn fill_index(&mut self) {
        let mut hashes = [0; AHEAD];
        for first in (0..self.len()).step_by(AHEAD) {
            let last = self.len().min(first + AHEAD);
            for id in first..last {
                hashes[id - first] = self.hash(self.rows.get(id));
                self.index.prefetch(hashes[id - first]);
            }
            for id in first..last {
                self.index.put_new(hashes[id - first], id as u32);
            }
        }
    }

    /// The packing into which these states fit as well.
    #[cold]
    pub fn widening<'s>(&self, states: impl IntoIterator<Item = &'s [u32]>) -> Widening {
        let mut states = states.into_iter();
        let spare = self.next_spare();
        let start = match states.next() {
            Some(first) if self.is_empty() => Packing::around(first, self.key_width),
            Some(first) => self.packing.with(first, spare),
            None => self.packing.clone(),
        };
        let packing = states.fold(start, |packing, state| packing.with(state, spare));
        let before = self.rows.bytes();
        let after = Rows::bytes_for(packing.units(), self.len());
        // While rows go over, one chunk of each kind may be held in full, and the list of new chunks beside the old.
        let headers = (after + before) / CHUNK_BYTES as u64 * 64;
        let taken = (after.saturating_sub(before) + 2 * CHUNK_BYTES as u64 + headers).min(after);
        Widening {
            packing,
            growth: Growth {
                taken,
                freed: before + taken - after,
            },
        }
    }

    fn next_spare(&self) -> u32 {
        if self.len() >= SMALL && self.len() < 2 * self.widened_at {
            self.spare + 1
        } else {
            0
        }
    }

    /// Packs everything anew. Rows prepared before are of no use after.
    #[cold]
    pub fn widen(&mut self, widening: Widening) {
        self.spare = self.next_spare();
        self.widened_at = self.len();
        let packing = widening.packing;
        let old_rows = std::mem::replace(&mut self.rows, Rows::new(packing.units()));
        let old = std::mem::replace(&mut self.packing, packing);
        let mut state = vec![0; old.width()];
        let mut row = vec![0; self.packing.units()];
        old_rows.drain(|old_row| {
            old.unpack(old_row, &mut state);
            let packed = self.packing.pack(&state, &mut row);
            packed.expect("a wider packing takes what the narrower did");
            self.rows.push(&row);
        });
        self.index.clear();
        self.fill_index();
    }

    /// How many states fit before the next growth, as long as their words fit.
    #[inline]
    pub fn room(&self) -> usize {
        self.index.room().min(self.rows.room())
    }

    /// What inserting one more new state whose words fit costs; nothing as long as there is room.
    pub fn growth(&self) -> Growth {
        let mut growth = Growth::default();
        if self.len() == self.rows.room() {
            growth = growth + self.rows.growth();
        }
        if self.len() == self.index.room() {
            // The old index goes before the new one comes, but the allocator may take its time to give the memory back.
            growth.taken += self.index.next_bytes();
            growth.freed += self.index.bytes();
        }
        growth
    }

    /// Bytes held by rows and index, slack included.
    pub fn bytes(&self) -> u64 {
        self.rows.bytes() + self.index.bytes()
    }
}

#[cfg(test)]
mod tests;
