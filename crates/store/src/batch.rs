//! States about to be looked up together.
//!
//! A [`StateTable`](crate::StateTable) prepares all targets of a state's steps at once: it packs and hashes them into a batch and asks for the
//! parts of the index where they would be found, later for the rows there; then they are looked up one by one. Each worker has its own batch and reuses its
//! memory.

use crate::StateId;

/// Stands for no candidate.
const NONE: u32 = u32::MAX;

/// Packed rows, their hashes, and for each the state that it probably is.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    units: usize,
    rows: Vec<u32>,
    hashes: Vec<u64>,
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
        (size_of_val(&*self.rows) + size_of_val(&*self.hashes) + size_of_val(&*self.candidates)) as u64
    }

    /// Begins anew with `len` rows whose content is of no use yet.
    #[inline]
    pub(crate) fn start(&mut self, units: usize, len: usize) {
        self.units = units;
        self.rows.resize(units * len, 0);
        self.hashes.resize(len, 0);
        self.candidates.clear();
        self.candidates.resize(len, NONE);
        self.approached = false;
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    #[inline]
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    #[inline]
    pub(crate) fn row(&self, i: usize) -> &[u32] {
        &self.rows[i * self.units..][..self.units]
    }

    #[inline]
    pub(crate) fn hash(&self, i: usize) -> u64 {
        self.hashes[i]
    }

    /// The states that prepared ones probably are.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = StateId> {
        let known = self.candidates.iter().filter(|&&id| id != NONE);
        known.map(|&id| StateId(id))
    }

    /// An id whose row is worth comparing first.
    #[inline]
    pub(crate) fn candidate(&self, i: usize) -> Option<u32> {
        let candidate = self.candidates[i];
        (candidate != NONE).then_some(candidate)
    }

    #[inline]
    pub(crate) fn set_candidate(&mut self, i: usize, id: u32) {
        self.candidates[i] = id;
    }

    /// All rows, of so many units, and their hashes.
    #[inline]
    pub(crate) fn rows_mut<const UNITS: usize>(
        &mut self,
    ) -> impl Iterator<Item = (&mut [u32; UNITS], &mut u64)> {
        debug_assert_eq!(UNITS, self.units);
        let (rows, _) = self.rows.as_chunks_mut();
        rows.iter_mut().zip(&mut self.hashes)
    }

    /// Sets row `i` and its hash.
    #[inline]
    pub(crate) fn set(&mut self, i: usize, row: &[u32], hash: u64) {
        let units = &mut self.rows[i * row.len()..][..row.len()];
        // A row is a few units: a loop beats a call.
        units.iter_mut().zip(row).for_each(|(to, &from)| *to = from);
        self.hashes[i] = hash;
    }
}
