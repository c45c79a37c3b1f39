//! Sixteen bytes at once.

#![allow(
    unsafe_code,
    reason = "the processor's instructions for many bytes at once have no safe form; this one is here and nowhere else"
)]

/// Which of sixteen bytes are equal to `byte`: a bit each, the lowest byte of the first word first.
#[inline]
pub(crate) fn equal(bytes: [u64; 2], byte: u8) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        // SAFETY: these need SSE2, which every x86-64 processor has; they touch no memory.
        unsafe {
            let bytes = _mm_set_epi64x(bytes[1] as i64, bytes[0] as i64);
            _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    (0..16).fold(0, |equal, i| {
        let other = (bytes[i / 8] >> (i % 8 * 8)) as u8;
        equal | u32::from(other == byte) << i
    })
}
