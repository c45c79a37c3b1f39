//! States about to be looked up together.
//!
//! A [`StateTable`](crate::StateTable) prepares all targets of a state's steps at once: it packs and hashes them into a batch and asks for the
//! parts of the index where they would be found, later for the rows there; then they are looked up one by one. Each worker has its own batch and reuses its
//! memory.

/// Stands for no candidate.
const NONE: u32 = u32::MAX;

/// Packed rows, their hashes, and for each the state that it probably is.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    units: usize,
    rows: Vec<u32>,
    hashes: Vec<u64>,
    candidates: Vec<u32>,
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
    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [u32] {
        &mut self.rows[i * self.units..][..self.units]
    }

    #[inline]
    pub(crate) fn hash(&self, i: usize) -> u64 {
        self.hashes[i]
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

    #[inline]
    pub(crate) fn set_hash(&mut self, i: usize, hash: u64) {
        self.hashes[i] = hash;
    }
}
