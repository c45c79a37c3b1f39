//! Asking for memory before it is needed.
//!
//! A search knows all successors of a state before it looks up the first. Looked up one by one, each waits for its cache misses; asked
//! for together, the misses overlap.

#![allow(
    unsafe_code,
    reason = "the processor's prefetch has no safe form; it is here and nowhere else"
)]

/// Asks for the cache line where `place` starts. Elsewhere than on x86-64 it does nothing.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing but the caches, and the address comes from a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for it as one that will be written: other cores lose it.
#[inline]
pub fn prefetch_to_write<T>(place: &T) {
    // By hand: without a promise about the processor, the compiler asks for it to be read. One that does not know the instruction passes over it.
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above; it leaves registers, flags and memory as they are.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) std::ptr::from_ref(place), options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
