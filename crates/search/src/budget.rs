//! Bytes a search holds, and the bound on them.
//!
//! Every container of a search asks here before it grows. While a vector grows, old and new memory are held together: that
//! moment counts for the bound and for the peak, so that a bound is never passed, not even briefly.

use crate::visited::Halt;
use fairhold_store::Growth;
use fairhold_system::StopReason;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: u64,
    held: u64,
    peak: u64,
}

impl Budget {
    pub(crate) fn new(limit: Option<u64>) -> Budget {
        Budget {
            limit: limit.unwrap_or(u64::MAX),
            held: 0,
            peak: 0,
        }
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Sets another limit, and gives the old one.
    pub(crate) fn limited(&mut self, limit: u64) -> u64 {
        std::mem::replace(&mut self.limit, limit)
    }

    /// Books a growth, or refuses it; a refused one must not be made.
    pub(crate) fn grow(&mut self, growth: Growth) -> Result<(), Halt> {
        let during = self.held + growth.taken;
        if during > self.limit {
            return Err(Halt::Stop(StopReason::Memory));
        }
        self.peak = self.peak.max(during);
        self.held = during - growth.freed;
        Ok(())
    }

    /// Books memory given back.
    pub(crate) fn release(&mut self, bytes: u64) {
        debug_assert!(bytes <= self.held, "only what was booked is released");
        self.held -= bytes;
    }

    /// Makes room for `more` items in a vector, at least doubling it if it must grow.
    #[inline]
    pub(crate) fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Halt> {
        let needed = items.len() + more;
        if needed <= items.capacity() {
            return Ok(());
        }
        let capacity = needed.max(2 * items.capacity()).max(16);
        self.grow(Growth {
            taken: (capacity * size_of::<T>()) as u64,
            freed: (items.capacity() * size_of::<T>()) as u64,
        })?;
        items.reserve_exact(capacity - items.len());
        Ok(())
    }

    /// Books a vector that is about to be dropped.
    pub(crate) fn release_vec<T>(&mut self, items: &Vec<T>) {
        self.release((items.capacity() * size_of::<T>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growth_counts_old_and_new_together() {
        let mut budget = Budget::new(Some(64 + 128));
        let mut items: Vec<u32> = Vec::new();
        budget.reserve(&mut items, 1).expect("64 bytes fit");
        items.extend([0; 16]);
        assert_eq!((budget.held(), budget.peak()), (64, 64));
        budget.reserve(&mut items, 1).expect("192 bytes fit");
        assert_eq!((budget.held(), budget.peak()), (128, 192));
        items.extend([0; 16]);
        assert!(budget.reserve(&mut items, 1).is_err());
        assert_eq!(items.capacity(), 32);
        budget.release_vec(&items);
        assert_eq!((budget.held(), budget.peak()), (0, 192));
    }
}
