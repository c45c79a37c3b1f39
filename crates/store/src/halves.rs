//! States by their halves: what makes a table compact.
//!
//! The parts of a system are far fewer than their combinations. So each half of a state's key is kept once, in a table of its own, and a state is the pair of their
//! ids (one level of the tree of [Laarman-SPIN'11]). The pairs are packed as any state is: a few bits each.

use crate::StateId;
use crate::table::{Full, StateTable};
use fairhold_system::Changed;

/// The halves of the keys met so far.
#[derive(Debug)]
pub(crate) struct Halves {
    /// Words of the first half.
    split: usize,
    sides: [StateTable; 2],
    /// The words of each.
    words: [Changed; 2],
}

impl Halves {
    pub(crate) fn new(key_width: usize) -> Halves {
        let split = key_width / 2;
        Halves {
            split,
            sides: [split, key_width - split].map(|width| StateTable::new(width, width)),
            words: [0..split, split..key_width].map(Changed::words),
        }
    }

    /// The ids of a key's halves.
    pub(crate) fn insert(&mut self, key: &[u32]) -> Result<[u32; 2], Full> {
        let (first, second) = key.split_at(self.split);
        Ok([
            self.sides[0].insert(first)?.id.0,
            self.sides[1].insert(second)?.id.0,
        ])
    }

    /// The ids of the halves of a key that came by changing one whose halves have the ids `before`.
    #[inline]
    pub(crate) fn insert_changed(
        &mut self,
        key: &[u32],
        before: [u32; 2],
        changed: Changed,
    ) -> Result<[u32; 2], Full> {
        let (first, second) = key.split_at(self.split);
        let [left, right] = &mut self.sides;
        let mut pair = before;
        if changed.meets(self.words[0]) {
            pair[0] = left.insert_changed(first, StateId(before[0]), changed)?.id.0;
        }
        if changed.meets(self.words[1]) {
            let changed = changed.counted_from(self.split);
            pair[1] = right.insert_changed(second, StateId(before[1]), changed)?.id.0;
        }
        Ok(pair)
    }

    /// The ids of a key's halves, if both are known.
    pub(crate) fn find(&self, key: &[u32]) -> Option<[u32; 2]> {
        let (first, second) = key.split_at(self.split);
        Some([self.sides[0].find(first)?.0, self.sides[1].find(second)?.0])
    }

    /// Writes a key.
    #[inline]
    pub(crate) fn read(&self, pair: [u32; 2], key: &mut [u32]) {
        let (first, second) = key.split_at_mut(self.split);
        self.sides[0].read(StateId(pair[0]), first);
        self.sides[1].read(StateId(pair[1]), second);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.sides.iter().map(StateTable::bytes).sum()
    }
}
