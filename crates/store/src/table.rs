//! An exact set of states with dense ids.
//!
//! The states lie in [`Rows`], in order of first insertion. Beside them is an index with open addressing and linear
//! probing, whose entries are 8 bytes: 32 bits of the hash and the id plus one (0 is empty). The hash bits serve
//! twice: a row is read only if all 32 agree, and the slot is their leading bits, so that the index doubles by
//! walking its entries in order without a look at the rows, and writes the new one nearly in order too. The
//! separation of a compact index from the state data is that of [Laarman-FMCAD'10].
//!
//! Cost: `insert` hashes once, allocates nothing, and touches about two cache lines of the index and one row. The index doubles
//! at 3/4 load: 10.7 to 21.3 bytes a state, 32 while a doubling lasts.
//!
//! Invariants:
//! 1. the index length is 0 or a power of two, and at most 3/4 of the slots are taken;
//! 2. the entries of ids `0..len`, and no others, are in the index, each in or cyclically after its home slot with no
//!    empty slot between.
//!
//! The hash is xxh3. Folded multiplication of our own was tried on keys of 1 to 100 words: 2 to 25 ns both, xxh3 ahead from
//! 2 to 16 words (2.0 against 3.4 ns at 3), behind by up to a fifth at 20. So the one with the proven distribution stays.

use crate::{Growth, Rows, StateId};
use xxhash_rust::xxh3::xxh3_64;

const FIRST_SLOTS: usize = 16;
/// Slots are numbered by 32 bits of the hash.
const MOST_SLOTS: u64 = 1 << 32;

/// The outcome of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The state's id, new or old.
    pub id: StateId,
    /// Whether it was not there before.
    pub new: bool,
}

/// The table has no ids left: it holds 3 * 2^30 states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// An exact set of states of `width` words, told apart by their first `key_width` words.
///
/// The words after the key are kept as they came with the first insertion.
#[derive(Clone, Debug)]
pub struct StateTable {
    key_width: usize,
    rows: Rows,
    index: Box<[u64]>,
}

impl StateTable {
    /// An empty table. Allocates nothing.
    ///
    /// # Panics
    /// If the key is wider than the state.
    pub fn new(width: usize, key_width: usize) -> StateTable {
        assert!(key_width <= width, "the key is part of the state");
        StateTable {
            key_width,
            rows: Rows::new(width),
            index: Box::default(),
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

    /// The state with this id.
    ///
    /// # Panics
    /// If the id is not from this table.
    #[inline]
    pub fn get(&self, id: StateId) -> &[u32] {
        self.rows.get(id.index())
    }

    /// The id of a state with this key, if there is one.
    #[inline]
    pub fn find(&self, state: &[u32]) -> Option<StateId> {
        let key = &state[..self.key_width];
        self.probe(hash(key), key).ok()
    }

    /// Adds a state unless one with its key is there.
    #[inline]
    pub fn insert(&mut self, state: &[u32]) -> Result<Inserted, Full> {
        debug_assert_eq!(state.len(), self.rows.width());
        let key = &state[..self.key_width];
        let hash = hash(key);
        let mut slot = match self.probe(hash, key) {
            Ok(id) => return Ok(Inserted { id, new: false }),
            Err(slot) => slot,
        };
        if self.len() == self.index_room() {
            self.double_index()?;
            slot = vacant(&self.index, hash);
        }
        // Invariant 1 keeps the number of states, hence the id plus one, below 2^32.
        let id = self.rows.len() as u32;
        self.index[slot] = u64::from(hash) << 32 | u64::from(id + 1);
        self.rows.push(state);
        Ok(Inserted {
            id: StateId(id),
            new: true,
        })
    }

    /// The state's id, or the slot where it would go.
    #[inline]
    fn probe(&self, hash: u32, key: &[u32]) -> Result<StateId, usize> {
        if self.index.is_empty() {
            return Err(0);
        }
        let mask = self.index.len() - 1;
        let mut slot = home(hash, self.index.len());
        loop {
            let entry = self.index[slot];
            if entry == 0 {
                return Err(slot);
            }
            if (entry >> 32) as u32 == hash {
                let id = StateId(entry as u32 - 1);
                if self.get(id)[..self.key_width] == *key {
                    return Ok(id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn double_index(&mut self) -> Result<(), Full> {
        let slots = (2 * self.index.len()).max(FIRST_SLOTS);
        if slots as u64 > MOST_SLOTS {
            return Err(Full);
        }
        let mut index = vec![0; slots].into_boxed_slice();
        for &entry in self.index.iter().filter(|&&entry| entry != 0) {
            index[vacant(&index, (entry >> 32) as u32)] = entry;
        }
        self.index = index;
        Ok(())
    }

    fn index_room(&self) -> usize {
        self.index.len() / 4 * 3
    }

    /// How many states fit before the next growth.
    #[inline]
    pub fn room(&self) -> usize {
        self.index_room().min(self.rows.room())
    }

    /// What inserting one more new state costs; nothing as long as there is room.
    pub fn growth(&self) -> Growth {
        let mut growth = Growth::default();
        if self.len() == self.rows.room() {
            growth = growth + self.rows.growth();
        }
        if self.len() == self.index_room() {
            let slots = (2 * self.index.len()).max(FIRST_SLOTS);
            growth = growth
                + Growth {
                    taken: 8 * slots as u64,
                    freed: 8 * self.index.len() as u64,
                };
        }
        growth
    }

    /// Bytes held, slack included.
    pub fn bytes(&self) -> u64 {
        self.rows.bytes() + 8 * self.index.len() as u64
    }
}

#[inline]
fn hash(key: &[u32]) -> u32 {
    (xxh3_64(bytemuck::cast_slice(key)) >> 32) as u32
}

/// The slot where the search for a hash starts: its leading bits.
#[inline]
fn home(hash: u32, slots: usize) -> usize {
    ((u64::from(hash) * slots as u64) >> 32) as usize
}

/// The first empty slot for a hash.
#[inline]
fn vacant(index: &[u64], hash: u32) -> usize {
    let mask = index.len() - 1;
    let mut slot = home(hash, index.len());
    while index[slot] != 0 {
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Inserts all rows and compares every outcome with a hash map's.
    fn compare(width: usize, key_width: usize, rows: &[Vec<u32>]) -> StateTable {
        let mut table = StateTable::new(width, key_width);
        let mut oracle: HashMap<Vec<u32>, (u32, Vec<u32>)> = HashMap::new();
        for row in rows {
            let key = row[..key_width].to_vec();
            let known = oracle.get(&key).map(|&(id, _)| StateId(id));
            assert_eq!(table.find(row), known);
            let (before, growth) = (table.bytes(), table.growth());
            let grows = table.len() == table.room();
            assert_eq!(grows, growth != Growth::default());
            let inserted = table.insert(row).expect("far from full");
            assert_eq!(inserted.new, known.is_none());
            if inserted.new {
                assert_eq!(inserted.id.index(), oracle.len());
                assert_eq!(table.bytes(), before + growth.taken - growth.freed);
                oracle.insert(key, (inserted.id.0, row.clone()));
            } else {
                assert_eq!(Some(inserted.id), known);
                assert_eq!(table.bytes(), before);
            }
        }
        assert_eq!(table.len(), oracle.len());
        for (id, row) in oracle.values() {
            assert_eq!(table.get(StateId(*id)), row);
        }
        table
    }

    /// A seeded generator (xorshift).
    fn random(seed: u64) -> impl FnMut() -> u32 {
        let mut x = seed | 1;
        move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 16) as u32
        }
    }

    proptest! {
        #[test]
        fn agrees_with_a_hash_map(
            width in 0_usize..6,
            carried in 0_usize..3,
            values in 1_u32..9,
            seed: u64,
            count in 0_usize..600,
        ) {
            let mut next = random(seed);
            let key_width = width.saturating_sub(carried);
            let rows: Vec<Vec<u32>> = (0..count)
                .map(|_| (0..width).map(|_| next() % values).collect())
                .collect();
            compare(width, key_width, &rows);
        }
    }

    #[test]
    fn agrees_through_many_growths() {
        let mut next = random(7);
        let rows: Vec<Vec<u32>> = (0..300_000)
            .map(|_| vec![next() % 64, next() % 64, next() % 64])
            .collect();
        let table = compare(3, 3, &rows);
        assert!(table.len() > 150_000 && table.len() < rows.len());
    }

    #[test]
    fn equal_hashes_are_told_apart() {
        let mut next = random(11);
        let mut by_hash: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut pairs = Vec::new();
        for _ in 0..400_000 {
            let row = vec![next(), next()];
            if let Some(other) = by_hash.insert(hash(&row), row.clone())
                && other != row
            {
                pairs.extend([other, row]);
            }
        }
        assert!(pairs.len() >= 4, "the birthday bound promises collisions");
        let table = compare(2, 2, &pairs);
        assert_eq!(table.len(), pairs.len());
    }

    #[test]
    fn one_crowded_home_slot_wraps_around() {
        let mut next = random(13);
        let rows: Vec<Vec<u32>> = std::iter::repeat_with(|| vec![next()])
            .filter(|row| hash(row) >> 20 == 0xfff)
            .take(500)
            .collect();
        compare(1, 1, &rows);
    }

    #[test]
    fn empty_states_and_empty_keys_are_one_state() {
        let table = compare(0, 0, &[vec![], vec![]]);
        assert_eq!((table.len(), table.get(StateId(0))), (1, &[][..]));
        let table = compare(2, 0, &[vec![5, 6], vec![7, 8]]);
        assert_eq!((table.len(), table.get(StateId(0))), (1, &[5, 6][..]));
    }

    #[test]
    fn overhead_stays_under_24_bytes_a_state() {
        let mut table = StateTable::new(5, 5);
        assert_eq!(table.bytes(), 0);
        let mut worst = 0.0_f64;
        for i in 0..1_000_000_u32 {
            table.insert(&[i, i >> 8, 1, 2, 3]).expect("far from full");
            if table.len() > 20_000 {
                let overhead = table.bytes() as f64 / table.len() as f64 - 20.0;
                worst = worst.max(overhead);
            }
        }
        println!("worst overhead {worst:.2} bytes a state");
        assert!(worst < 24.0);
    }
}
