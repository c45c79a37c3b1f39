//! States about to be looked up together.
//!
//! A [`StateTable`](crate::StateTable) prepares all targets of a state's steps at once: it packs and hashes them into a batch and asks for the
//! parts of the index where they would be found, later for the rows there; then they are looked up one by one. Each worker has its own batch and reuses its
//! memory.

use crate::StateId;
use crate::lanes::units_of;

/// Stands for no candidate.
const NONE: u32 = u32::MAX;

/// Packed rows, their hashes, and for each the state that it probably is.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    units: usize,
    /// The rows.
    lanes: Vec<u64>,
    hashes: Vec<u64>,
    /// Of no use yet unless approached.
    candidates: Vec<u32>,
    /// Whether the candidates have been looked for.
    pub(crate) approached: bool,
}

impl Batch {
    /// An empty batch. Allocates nothing.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.lanes) + size_of_val(&*self.hashes) + size_of_val(&*self.candidates)) as u64
    }

    /// Begins anew with `len` rows whose content is of no use yet.
    #[inline]
    pub(crate) fn start(&mut self, units: usize, len: usize) {
        self.units = units;
        self.lanes.resize(units.div_ceil(2) * len, 0);
        self.hashes.resize(len, 0);
        self.candidates.resize(len, NONE);
        self.approached = false;
    }

    #[inline]
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    #[inline]
    pub(crate) fn row(&self, i: usize) -> &[u32] {
        let lanes = self.units.div_ceil(2);
        &units_of(&self.lanes[i * lanes..][..lanes])[..self.units]
    }

    #[inline]
    pub(crate) fn hash(&self, i: usize) -> u64 {
        self.hashes[i]
    }

    /// The states that prepared ones probably are.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = StateId> {
        let looked_for: &[u32] = if self.approached { &self.candidates } else { &[] };
        let known = looked_for.iter().filter(|&&id| id != NONE);
        known.map(|&id| StateId(id))
    }

    /// An id whose row is worth comparing first.
    #[inline]
    pub(crate) fn candidate(&self, i: usize) -> Option<u32> {
        let candidate = self.candidates[i];
        (self.approached && candidate != NONE).then_some(candidate)
    }

    /// Looks for a candidate for every hash.
    #[inline]
    pub(crate) fn approach(&mut self, candidate: impl Fn(u64) -> Option<u32>) {
        self.approached = true;
        for (to, &hash) in self.candidates.iter_mut().zip(&self.hashes) {
            *to = candidate(hash).unwrap_or(NONE);
        }
    }

    /// All rows, of so many lanes, and their hashes.
    #[inline]
    pub(crate) fn lanes_mut<const LANES: usize>(
        &mut self,
    ) -> impl Iterator<Item = (&mut [u64; LANES], &mut u64)> {
        debug_assert_eq!(LANES, self.units.div_ceil(2));
        let (rows, _) = self.lanes.as_chunks_mut();
        rows.iter_mut().zip(&mut self.hashes)
    }

    /// The lanes of row `i`.
    #[inline]
    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [u64] {
        let lanes = self.units.div_ceil(2);
        &mut self.lanes[i * lanes..][..lanes]
    }

    #[inline]
    pub(crate) fn set_hash(&mut self, i: usize, hash: u64) {
        self.hashes[i] = hash;
    }
}
