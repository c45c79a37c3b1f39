//! States by their halves: what makes a table compact.
//!
//! The parts of a system are far fewer than their combinations. So each half of a state's key is kept once, in a table of its own, and a state is the pair of their
//! ids (one level of the tree of [Laarman-SPIN'11]). The pairs are packed as any state is: a few bits each.
//!
//! A half is met again and again. So each side remembers the ids of short rows, in places by their hash where the last one stays: one cache line, where its table takes two and more
//! work.

use crate::StateId;
use crate::table::{Full, StateTable};
use fairhold_system::Changed;
use std::ops::Range;

/// The halves of the keys met so far.
#[derive(Debug)]
pub(crate) struct Halves {
    /// Words of the first half.
    split: usize,
    sides: [Side; 2],
}

/// One half of all keys.
#[derive(Debug)]
struct Side {
    /// Where it begins in a key.
    start: usize,
    /// Its words in a key.
    words: Changed,
    table: StateTable,
    /// The half that is being changed.
    from: u32,
    /// Its row, if that is short.
    from_row: Option<u64>,
    /// Rows and their ids plus one; 0 where there is none.
    places: Vec<(u64, u32)>,
}

/// A power of two: so many fit a near cache.
const PLACES: usize = if cfg!(test) { 8 } else { 1 << 14 };

impl Side {
    fn new(words: Range<usize>) -> Side {
        Side {
            start: words.start,
            table: StateTable::new(words.len(), words.len()),
            words: Changed::words(words),
            from: 0,
            from_row: None,
            places: vec![(0, 0); PLACES],
        }
    }

    fn start_from(&mut self, from: u32) {
        self.from = from;
        self.from_row = self.table.short_row(StateId(from));
    }

    /// The id of a half.
    #[cold]
    fn insert(&mut self, half: &[u32]) -> Result<u32, Full> {
        let widened = self.table.widenings();
        let id = self.table.insert(half)?.id.0;
        if self.table.widenings() > widened {
            self.places.fill((0, 0));
            self.start_from(self.from);
        }
        Ok(id)
    }

    /// The id of a half that came by changing the one started from.
    #[inline]
    fn insert_changed(&mut self, half: &[u32], changed: Changed) -> Result<u32, Full> {
        if !changed.meets(self.words) {
            return Ok(self.from);
        }
        let changed = changed.counted_from(self.start);
        let row = self
            .from_row
            .and_then(|from| self.table.changed_row(from, half, changed));
        let Some(row) = row else {
            return self.insert(half);
        };
        let place = Side::place(row);
        match self.places[place] {
            (known, id) if known == row && id > 0 => Ok(id - 1),
            _ => {
                let id = self.insert(half)?;
                self.places[place] = (row, id + 1);
                Ok(id)
            }
        }
    }

    #[inline]
    fn place(row: u64) -> usize {
        (row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % PLACES
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + size_of_val(&*self.places) as u64
    }
}

impl Halves {
    pub(crate) fn new(key_width: usize) -> Halves {
        let split = key_width / 2;
        Halves {
            split,
            sides: [0..split, split..key_width].map(Side::new),
        }
    }

    /// The ids of a key's halves.
    pub(crate) fn insert(&mut self, key: &[u32]) -> Result<[u32; 2], Full> {
        let (first, second) = key.split_at(self.split);
        let [left, right] = &mut self.sides;
        Ok([left.insert(first)?, right.insert(second)?])
    }

    /// Says which halves the keys to come differ from.
    #[inline]
    pub(crate) fn start_from(&mut self, pair: [u32; 2]) {
        let sides = self.sides.iter_mut().zip(pair);
        sides.for_each(|(side, from)| side.start_from(from));
    }

    /// The ids of the halves of a key that differs from what was started from only where it is changed.
    #[inline]
    pub(crate) fn insert_changed(&mut self, key: &[u32], changed: Changed) -> Result<[u32; 2], Full> {
        let (first, second) = key.split_at(self.split);
        let [left, right] = &mut self.sides;
        Ok([
            left.insert_changed(first, changed)?,
            right.insert_changed(second, changed)?,
        ])
    }

    /// The ids of a key's halves, if both are known.
    pub(crate) fn find(&self, key: &[u32]) -> Option<[u32; 2]> {
        let (first, second) = key.split_at(self.split);
        let [left, right] = &self.sides;
        Some([left.table.find(first)?.0, right.table.find(second)?.0])
    }

    /// Writes a key.
    #[inline]
    pub(crate) fn read(&self, pair: [u32; 2], key: &mut [u32]) {
        let (first, second) = key.split_at_mut(self.split);
        let [left, right] = &self.sides;
        left.table.read(StateId(pair[0]), first);
        right.table.read(StateId(pair[1]), second);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.sides.iter().map(Side::bytes).sum()
    }
}
