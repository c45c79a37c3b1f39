//! Atomic words, as the standard library has them, or as `loom` has them when it tries all interleavings (`--cfg loom`).

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What one worker or another changes all the time, on cache lines of its own: what lies beside it would be fetched again after every change.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

/// Zeroed words, by an allocation that need not touch them.
#[cfg(not(loom))]
pub(crate) fn zeroed(len: usize) -> Box<[AtomicU32]> {
    bytemuck::allocation::zeroed_slice_box(len)
}

/// Zeroed words.
#[cfg(loom)]
pub(crate) fn zeroed(len: usize) -> Box<[AtomicU32]> {
    (0..len).map(|_| AtomicU32::new(0)).collect()
}

/// Spins before the processor is left to others.
#[cfg(not(loom))]
const SPINS: u32 = 64;

/// Waiting for another worker to do what takes it a moment: a few turns at once, then the processor is left to others, for that worker may be one of them.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    /// Waits a moment.
    #[inline]
    pub(crate) fn wait(&mut self) {
        self.0 += 1;
        #[cfg(loom)]
        loom::thread::yield_now();
        #[cfg(not(loom))]
        if self.0 < SPINS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
