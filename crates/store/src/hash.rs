//! The hash of a packed key.

use xxhash_rust::xxh3::xxh3_64;

/// Keys of up to this many units have a hash of their own: for them a call costs more than the mixing.
pub(crate) const FEW_UNITS: usize = 8;

/// The hash of a key.
#[inline]
pub(crate) fn hash(key: &[u32]) -> u64 {
    if key.len() <= FEW_UNITS {
        hash_few(key)
    } else {
        xxh3_64(bytemuck::cast_slice(key))
    }
}

/// That of a few units.
#[inline]
pub(crate) fn hash_few(key: &[u32]) -> u64 {
    let (pairs, rest) = key.as_chunks::<2>();
    let pairs = pairs
        .iter()
        .map(|&[low, high]| u64::from(low) | u64::from(high) << 32);
    hash_lanes(pairs.chain(rest.first().map(|&last| u64::from(last))))
}

/// Two units at a time, multiplied into 128 bits and folded. The multiplier and the start are digits of the golden ratio and of pi.
#[inline]
pub(crate) fn hash_lanes(lanes: impl Iterator<Item = u64>) -> u64 {
    lanes.fold(0x243f_6a88_85a3_08d3, |hash, lane| {
        let product = u128::from(hash ^ lane) * 0x9e37_79b9_7f4a_7c15;
        (product as u64) ^ (product >> 64) as u64
    })
}
