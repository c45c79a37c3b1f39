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
//! A *compact* table keeps the two [`Halves`] of keys apart and packs the pairs of their numbers, and its index grows in smaller steps. That takes more time, and for systems
//! of many parts about half of the memory.
//!
//! With several workers on one table, reading, searching and inserting need no exclusive access to the packing, and
//! widening does: all must stop between two batches, as for a growth of the index.
//!
//! Cost beyond the packed rows: 6.1 to 10.2 bytes a state, and at most 128 KiB.
//!
//! Invariants:
//! 1. every row fits the packing, and no two agree in their key units;
//! 2. the ids in the index are the numbers that belong to states (`ids`).

use crate::batch::Batch;
use crate::halves::Halves;
use crate::hash::{FEW_UNITS, hash, hash_few, hash_lanes};
use crate::ids::{Ids, LEASED, Lease};
use crate::index::{Index, Vacancy};
use crate::lanes::{lane, lanes, units_of, units_of_mut};
use crate::packing::{Misfit, Packing};
use crate::prefetch::prefetch;
use crate::rows::{CHUNK_BYTES, Rows, Unit};
use crate::sync::AtomicU32;
use crate::words::{Folded, Words};
use crate::{Growth, StateId};
use fairhold_system::{Changed, Steps};
use std::ops::Range;

/// The index holds ids plus one in 32 bits.
const MOST_STATES: usize = u32::MAX as usize - 1;
/// Below this many states a widening is not worth avoiding.
const SMALL: usize = 4096;
/// Rows of a table whose index has fewer bytes are in a near cache anyway.
const CACHED: u64 = if cfg!(test) { 1 } else { 1 << 19 };
/// An index of this many states is worth filling by several workers.
const WORTH_SHARING: usize = if cfg!(test) { 100 } else { 1 << 16 };
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
#[derive(Debug)]
pub struct StateTable {
    width: usize,
    key_width: usize,
    /// If the table is compact: what is packed is not the key but the numbers of its halves.
    halves: Option<Box<Halves>>,
    packing: Packing,
    rows: Rows,
    index: Index,
    ids: Ids,
    /// How often it was widened.
    widenings: u32,
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
            width,
            key_width,
            halves: None,
            packing: Packing::around(&vec![0; width], key_width),
            rows: Rows::new(0),
            index: Index::default(),
            ids: Ids::default(),
            widenings: 0,
            widened_at: 0,
            spare: 0,
        }
    }

    /// An empty table that takes time rather than memory.
    ///
    /// # Panics
    /// If the key is wider than the state.
    pub fn compact(width: usize, key_width: usize) -> StateTable {
        StateTable {
            halves: Some(Box::new(Halves::new(key_width))),
            packing: Packing::around(&vec![0; 2 + width - key_width], 2),
            index: Index::tight(),
            ..StateTable::new(width, key_width)
        }
    }

    /// How many states there are. As long as one worker alone adds them, their ids are the numbers below. While [leases](StateTable::lease) are out, what is left of these counts too.
    #[inline]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// All ids are below this; but not all numbers below are ids where several workers have added states.
    #[inline]
    pub fn bound(&self) -> usize {
        self.ids.bound()
    }

    /// The ids of all states, those in a row together. No lease may be out.
    pub fn used(&self) -> impl Iterator<Item = Range<u32>> {
        let used = self.ids.used(0..self.bound());
        used.map(|ids| ids.start as u32..ids.end as u32)
    }

    /// Numbers for a worker that is to add states while others do. Before anything else is done with the table, it is given back.
    pub fn lease(&mut self) -> Lease {
        self.ids.lease()
    }

    /// Takes a lease back. The ids of states that nobody was told of come back.
    pub fn give_back(&mut self, lease: Lease) -> impl Iterator<Item = Range<u32>> {
        self.ids.give_back(lease)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        let mut state = vec![0; self.width];
        self.read(id, &mut state);
        state
    }

    /// The first, middle and last state, or about those. No lease may be out.
    pub fn samples(&self) -> Vec<Vec<u32>> {
        let last = self.bound().saturating_sub(1);
        let mut ids = vec![0, last / 2, last];
        ids.dedup();
        ids.retain(|&id| self.ids.is_used(id));
        ids.into_iter().map(|id| self.get(StateId(id as u32))).collect()
    }

    /// Writes the state with this id to `state`, which has its width.
    ///
    /// # Panics
    /// If the id is not from this table.
    #[inline]
    pub fn read(&self, id: StateId, state: &mut [u32]) {
        let row = self.rows.get(id.index());
        let Some(halves) = &self.halves else {
            return self.packing.unpack(row, state);
        };
        let mut words = Words::new(self.packing.width());
        self.packing.unpack(row, &mut words);
        let (key, carried) = state.split_at_mut(self.key_width);
        halves.read([words[0], words[1]], key);
        carried.copy_from_slice(&words[2..]);
    }

    /// The id of a state with this key, if there is one.
    pub fn find(&self, state: &[u32]) -> Option<StateId> {
        let Some(halves) = &self.halves else {
            return self.find_words(state);
        };
        let (key, carried) = state.split_at(self.key_width);
        self.find_words(&Words::joined(halves.find(key)?, carried))
    }

    fn find_words(&self, words: &[u32]) -> Option<StateId> {
        let mut row = Words::new(self.packing.units());
        match self.packing.pack(words, &mut row) {
            Err(Misfit { key: true }) => None,
            Ok(()) | Err(Misfit { key: false }) => self.search(self.hash(&row), &row).ok(),
        }
    }

    /// Adds a state unless one with its key is there. For many at a time, use a [`Batch`].
    pub fn insert(&mut self, state: &[u32]) -> Result<Inserted, Full> {
        let mut row = Words::new(self.packing.units());
        let words = self.fold(state)?;
        if self.packing.pack(&words, &mut row).is_err() {
            self.widen(self.widening_for(&[&words]));
            row = Words::new(self.packing.units());
            let packed = self.packing.pack(&words, &mut row);
            packed.expect("the table was widened for this state");
        }
        self.insert_row(self.hash(&row), &row)
    }

    /// How often it was widened: the rows of before are of no use after.
    pub(crate) fn widenings(&self) -> u32 {
        self.widenings
    }

    /// The row of a state, if it is of one lane at most.
    pub(crate) fn short_row(&self, id: StateId) -> Option<u64> {
        let row = self.rows.get(id.index());
        (row.len() <= 2).then(|| lane(row))
    }

    /// The row of a state that differs from the one with this row only where it is changed, if it fits.
    #[inline]
    pub(crate) fn changed_row(&self, from: u64, state: &[u32], changed: Changed) -> Option<u64> {
        let mut row = [from];
        self.packing.repack(state, changed, &mut row).then_some(row[0])
    }

    /// The words that are packed for a state.
    #[inline]
    fn fold<'s>(&mut self, state: &'s [u32]) -> Result<Folded<'s>, Full> {
        let Some(halves) = &mut self.halves else {
            return Ok(Folded::Same(state));
        };
        let (key, carried) = state.split_at(self.key_width);
        let pair = halves.insert(key)?;
        Ok(Folded::Pair(Words::joined(pair, carried)))
    }

    /// Packs and hashes the targets of all steps, and asks for the part of the index where they would be found. `from` is the state
    /// stepped; without it, the steps lead to initial states.
    ///
    /// The error is that a target does not fit: nothing is prepared, and the table must be [widened](StateTable::widening)
    /// first.
    #[inline]
    pub fn prepare(&mut self, from: Option<StateId>, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit> {
        if self.halves.is_some() {
            return self.prepare_halves(from, steps, batch);
        }
        self.prepare_shared(from, steps, batch)
    }

    /// As [`StateTable::prepare`], while others work on the table; it is not compact.
    #[inline]
    pub fn prepare_shared(
        &self,
        from: Option<StateId>,
        steps: &Steps,
        batch: &mut Batch,
    ) -> Result<(), Unfit> {
        debug_assert!(
            self.halves.is_none(),
            "only one worker takes the halves of states"
        );
        batch.start(self.packing.units(), steps.len());
        let Some(from) = from.map(|id| self.rows.get(id.index())) else {
            return self.prepare_whole(steps, batch);
        };
        // Of rows of a few units, so many that the compiler knows.
        match from.len() {
            1 | 2 => self.prepare_changed(lanes::<1>(from), steps, batch),
            3 | 4 => self.prepare_changed(lanes::<2>(from), steps, batch),
            5 | 6 => self.prepare_changed(lanes::<3>(from), steps, batch),
            _ => {
                for i in 0..steps.len() {
                    let row = batch.row_mut(i);
                    row.iter_mut()
                        .zip(from.chunks(2))
                        .for_each(|(to, from)| *to = lane(from));
                    if !self.packing.repack(steps.target(i), steps.changed(i), row) {
                        return Err(Unfit);
                    }
                    batch.set_hash(i, self.prepare_row(batch.row(i), steps.target(i)));
                }
                Ok(())
            }
        }
    }

    /// Prepares the targets of steps from a state that is packed like this.
    #[inline]
    fn prepare_changed<const LANES: usize>(
        &self,
        from: [u64; LANES],
        steps: &Steps,
        batch: &mut Batch,
    ) -> Result<(), Unfit> {
        let prepared = batch.lanes_mut::<LANES>();
        for ((to, hash), (target, changed)) in prepared.zip(steps.changes()) {
            *to = from;
            if !self.packing.repack(target, changed, to) {
                return Err(Unfit);
            }
            self.debug_packed(&units_of(to)[..self.packing.units()], target);
            *hash = if self.packing.key_units() == self.packing.units() {
                hash_lanes(to.iter().copied())
            } else {
                self.hash(&units_of(to)[..self.packing.units()])
            };
            self.index.prefetch(*hash);
        }
        Ok(())
    }

    /// Prepares targets that are not known to be like another state.
    fn prepare_whole(&self, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit> {
        for i in 0..steps.len() {
            let row = &mut units_of_mut(batch.row_mut(i))[..self.packing.units()];
            self.packing.pack(steps.target(i), row).map_err(|_| Unfit)?;
            batch.set_hash(i, self.prepare_row(batch.row(i), steps.target(i)));
        }
        Ok(())
    }

    /// A target differs from the state stepped only where its step says: packed as a whole it gives the same row.
    #[inline]
    fn debug_packed(&self, row: &[u32], target: &[u32]) {
        debug_assert!({
            let mut whole = vec![0; row.len()];
            self.packing.pack(target, &mut whole).is_ok() && whole == *row
        });
    }

    /// The hash of a packed target. Asks for the part of the index where it would be found.
    #[inline]
    fn prepare_row(&self, row: &[u32], target: &[u32]) -> u64 {
        self.debug_packed(row, target);
        let hash = self.hash(row);
        self.index.prefetch(hash);
        hash
    }

    fn prepare_halves(
        &mut self,
        from: Option<StateId>,
        steps: &Steps,
        batch: &mut Batch,
    ) -> Result<(), Unfit> {
        let units = self.packing.units();
        batch.start(units, steps.len());
        let mut words = Words::new(self.packing.width());
        let from = from.map(|id| self.rows.get(id.index()));
        let halves = self.halves.as_mut().expect("only compact tables come here");
        if let Some(row) = from {
            self.packing.unpack(row, &mut words);
            halves.start_from([words[0], words[1]]);
        }
        if from.is_some() && words.len() == 2 && units > 0 {
            // Most often nothing is carried.
            for ((to, hash), (key, changed)) in batch.lanes_mut::<1>().zip(steps.changes()) {
                let pair = halves.insert_changed(key, changed).map_err(|Full| Unfit)?;
                *to = [self.packing.pack_pair(pair).ok_or(Unfit)?];
                *hash = hash_few(&units_of(to)[..units]);
                self.index.prefetch(*hash);
            }
            return Ok(());
        }
        let every_word = Changed::words(0..words.len());
        for i in 0..steps.len() {
            let (key, carried) = steps.target(i).split_at(self.key_width);
            let pair = match from {
                Some(_) => halves.insert_changed(key, steps.changed(i)),
                None => halves.insert(key),
            };
            [words[0], words[1]] = pair.map_err(|Full| Unfit)?;
            words[2..].copy_from_slice(carried);
            let row = batch.row_mut(i);
            let fits = match from {
                Some(from) => {
                    row.iter_mut()
                        .zip(from.chunks(2))
                        .for_each(|(to, from)| *to = lane(from));
                    self.packing.repack(&words, every_word, row)
                }
                None => {
                    let row = &mut units_of_mut(row)[..units];
                    self.packing.pack(&words, row).is_ok()
                }
            };
            if !fits {
                return Err(Unfit);
            }
            let hash = hash(&batch.row(i)[..self.packing.key_units()]);
            batch.set_hash(i, hash);
            self.index.prefetch(hash);
        }
        Ok(())
    }

    /// Finds out which rows the prepared states will probably be compared with, and asks for these. To be called some time after the preparation, when the memory asked
    /// for then has come. Doing so again does nothing.
    #[inline]
    pub fn approach(&self, batch: &mut Batch) {
        if batch.approached || self.index.bytes() < CACHED {
            return;
        }
        batch.approach(|hash| {
            let id = self.index.candidate(hash)?;
            prefetch(self.rows.get(id as usize).first()?);
            Some(id)
        });
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
        let row = batch.row(i);
        match batch.candidate(i) {
            Some(id) if self.is(id, row) => Ok(Inserted {
                id: StateId(id),
                new: false,
            }),
            _ => self.insert_row(batch.hash(i), row),
        }
    }

    #[inline]
    fn hash(&self, row: &[u32]) -> u64 {
        let key = self.packing.key_units();
        // Mostly the whole row, whose length a caller may know.
        if key == row.len() {
            hash(row)
        } else {
            hash(&row[..key])
        }
    }

    /// The hash of a row that is in the table; `words` is only here to keep its memory.
    fn hash_stored(&self, row: &[AtomicU32], words: &mut Vec<u32>) -> u64 {
        let key = &row[..self.packing.key_units()];
        match key.len() {
            1 | 2 => hash_lanes(std::iter::once(lane(key))),
            3 | 4 => hash_lanes(lanes::<2>(key).into_iter()),
            0..=FEW_UNITS => hash_lanes(key.chunks(2).map(lane)),
            _ => {
                words.clear();
                words.extend(key.iter().map(Unit::get));
                hash(words)
            }
        }
    }

    /// Whether the state with this id has the key of this row.
    #[inline(always)]
    fn is(&self, id: u32, row: &[u32]) -> bool {
        let key = self.packing.key_units();
        let stored = &self.rows.get(id as usize)[..key];
        match (stored, &row[..key]) {
            // Mostly one lane.
            ([a], [b]) => a.get() == *b,
            ([a, c], [b, d]) => (a.get() ^ b) | (c.get() ^ d) == 0,
            // A loop beats a call.
            (stored, row) => stored.iter().zip(row).all(|(a, &b)| a.get() == b),
        }
    }

    #[inline]
    fn search(&self, hash: u64, row: &[u32]) -> Result<StateId, Vacancy> {
        self.index.search(hash, |id| self.is(id, row)).map(StateId)
    }

    /// Adds a row. Apart from its callers, which mostly know a candidate that is right, and then need next to nothing.
    #[inline(never)]
    fn insert_row(&mut self, hash: u64, row: &[u32]) -> Result<Inserted, Full> {
        let vacancy = match self.search(hash, row) {
            Ok(id) => return Ok(Inserted { id, new: false }),
            Err(vacancy) => vacancy,
        };
        let id = self.bound() as u32;
        if self.bound() < self.index.room() {
            self.index.put(vacancy, id);
        } else {
            if self.bound() == MOST_STATES {
                return Err(Full);
            }
            self.index.grow_empty();
            self.fill_index();
            self.index.put_new(hash, id);
        }
        if self.bound() == self.rows.room() {
            self.rows.grow();
        }
        self.rows.set(id as usize, row);
        self.ids.push();
        Ok(Inserted {
            id: StateId(id),
            new: true,
        })
    }

    /// Adds a prepared state unless one with its key is there, while others do the same. There must be [room](StateTable::has_room) for all that
    /// they may add at once.
    #[inline]
    pub fn insert_shared(&self, batch: &Batch, i: usize, lease: &mut Lease) -> Inserted {
        debug_assert_eq!(batch.units(), self.packing.units());
        let row = batch.row(i);
        let known = |id| Inserted {
            id: StateId(id),
            new: false,
        };
        if let Some(id) = batch.candidate(i)
            && self.is(id, row)
        {
            return known(id);
        }
        let is = |id| self.is(id, row);
        let found = self.index.search(batch.hash(i), is);
        match found.or_else(|vacancy| self.index.claim(vacancy, is)) {
            Ok(id) => known(id),
            Err(claimed) => {
                let id = self.ids.take(lease);
                if lease.is_fresh() {
                    self.rows.approach(id as usize, LEASED as usize);
                }
                self.rows.set(id as usize, row);
                self.index.publish(claimed, id);
                Inserted {
                    id: StateId(id),
                    new: true,
                }
            }
        }
    }

    /// Room that so many workers need to add so many states each, whatever is left of their leases.
    pub fn slack(workers: usize, states: usize) -> usize {
        workers * (states + LEASED as usize)
    }

    /// Whether who has this lease can add `count` states, where there must be as much [slack](StateTable::slack) for all.
    #[inline]
    pub fn has_room(&self, lease: &Lease, count: usize, slack: usize) -> bool {
        lease.left() >= count || self.bound() + slack <= self.id_room()
    }

    /// Makes room for at least `more` states, as long as their words fit, so that so many workers can add them.
    pub fn make_room(&mut self, more: usize, workers: usize) -> Result<(), Full> {
        let needed = self.bound() + more;
        if needed > MOST_STATES {
            return Err(Full);
        }
        if needed > self.index.room() {
            self.index.grow_empty_for(needed);
            if workers > 1 && self.len() >= WORTH_SHARING {
                self.fill_index_shared(workers);
            } else {
                self.fill_index();
            }
        }
        self.rows.reserve(self.index.room());
        Ok(())
    }

    /// What that costs.
    pub fn room_growth(&self, more: usize) -> Growth {
        let room = self.index.room_for(self.bound() + more);
        let mut growth = Growth::default();
        if room > self.index.room() {
            growth.taken += self.index.bytes_for(room);
            growth.freed += self.index.bytes();
        }
        if room > self.rows.room() {
            let rows = Rows::bytes_for(self.packing.units(), room);
            growth.taken += rows.saturating_sub(self.rows.bytes());
        }
        growth
    }

    /// Puts the ids of all rows into an empty index.
    #[cold]
    fn fill_index(&mut self) {
        let mut wide = Vec::new();
        let used: Vec<Range<usize>> = self.ids.used(0..self.bound()).collect();
        for ids in used {
            for first in ids.clone().step_by(AHEAD) {
                let hashes = self.hash_some(first..ids.end, &mut wide);
                for (id, &hash) in (first..ids.end).zip(&hashes) {
                    self.index.put_new(hash, id as u32);
                }
            }
        }
    }

    /// As [`StateTable::fill_index`], by so many workers.
    #[cold]
    fn fill_index_shared(&self, workers: usize) {
        let share = self.bound().div_ceil(workers);
        let fill = |share: Range<usize>| {
            let mut wide = Vec::new();
            for ids in self.ids.used(share) {
                for first in ids.clone().step_by(AHEAD) {
                    let hashes = self.hash_some(first..ids.end, &mut wide);
                    for (id, &hash) in (first..ids.end).zip(&hashes) {
                        self.index.put_new_shared(hash, id as u32);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for first in (share..self.bound()).step_by(share) {
                let ids = first..self.bound().min(first + share);
                scope.spawn(|| fill(ids));
            }
            fill(0..share);
        });
    }

    /// The hashes of the first of these rows. Asks for the parts of the index where they belong.
    #[inline]
    fn hash_some(&self, rows: Range<usize>, wide: &mut Vec<u32>) -> [u64; AHEAD] {
        let mut hashes = [0; AHEAD];
        for (hash, row) in hashes.iter_mut().zip(rows) {
            *hash = self.hash_stored(self.rows.get(row), wide);
            self.index.prefetch_to_write(*hash);
        }
        hashes
    }

    /// The packing into which these states fit as well.
    #[cold]
    pub fn widening<'s>(&mut self, states: impl IntoIterator<Item = &'s [u32]>) -> Result<Widening, Full> {
        let folded: Result<Vec<Folded<'_>>, Full> =
            states.into_iter().map(|state| self.fold(state)).collect();
        let folded = folded?;
        let words: Vec<&[u32]> = folded.iter().map(|words| &**words).collect();
        Ok(self.widening_for(&words))
    }

    fn widening_for(&self, words: &[&[u32]]) -> Widening {
        let spare = self.next_spare();
        let key_width = self.packing.key_width();
        let mut words = words.iter();
        let start = match words.next() {
            Some(first) if self.is_empty() => Packing::around(first, key_width),
            Some(first) => self.packing.with(first, spare),
            None => self.packing.clone(),
        };
        let packing = words.fold(start, |packing, words| packing.with(words, spare));
        let before = self.rows.bytes();
        let after = Rows::bytes_for(packing.units(), self.bound());
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

    /// Whether there are so few states that packing them anew costs nothing to speak of.
    pub fn is_small(&self) -> bool {
        self.len() < SMALL
    }

    fn next_spare(&self) -> u32 {
        if !self.is_small() && self.len() < 2 * self.widened_at {
            self.spare + 1
        } else {
            0
        }
    }

    /// Packs everything anew. Rows prepared before are of no use after.
    #[cold]
    pub fn widen(&mut self, widening: Widening) {
        self.spare = self.next_spare();
        self.widenings += 1;
        self.widened_at = self.len();
        let packing = widening.packing;
        let old_rows = std::mem::replace(&mut self.rows, Rows::new(packing.units()));
        let old = std::mem::replace(&mut self.packing, packing);
        let mut state = vec![0; old.width()];
        let mut row = vec![0; self.packing.units()];
        let mut id = 0;
        old_rows.drain(self.bound(), |old_row| {
            if id == self.rows.room() {
                self.rows.grow();
            }
            if self.ids.is_used(id) {
                old.unpack(old_row, &mut state);
                let packed = self.packing.pack(&state, &mut row);
                packed.expect("a wider packing takes what the narrower did");
                self.rows.set(id, &row);
            }
            id += 1;
        });
        self.index.clear();
        self.fill_index();
    }

    /// How many states fit before the next growth, as long as their words fit.
    #[inline]
    pub fn room(&self) -> usize {
        self.id_room() - self.ids.unused()
    }

    /// All ids stay below this until the next growth.
    #[inline]
    pub fn id_room(&self) -> usize {
        self.index.room().min(self.rows.room())
    }

    /// What inserting one more new state whose words fit costs; nothing as long as there is room.
    pub fn growth(&self) -> Growth {
        let mut growth = Growth::default();
        if self.bound() == self.rows.room() {
            growth = growth + self.rows.growth();
        }
        if self.bound() == self.index.room() {
            // The old index goes before the new one comes, but the allocator may take its time to give the memory back.
            growth.taken += self.index.next_bytes();
            growth.freed += self.index.bytes();
        }
        growth
    }

    /// Bytes held, slack included.
    pub fn bytes(&self) -> u64 {
        self.rows.bytes() + self.index.bytes() + self.side_bytes()
    }

    /// Those of them that come without being foretold by [`StateTable::growth`]: the halves of a compact table.
    pub fn side_bytes(&self) -> u64 {
        self.halves.as_ref().map_or(0, |halves| halves.bytes())
    }
}

#[cfg(test)]
mod tests;
