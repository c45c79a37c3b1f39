//! Rows two units at a time.
//!
//! What is written together is read together: a processor that has to put together what was just written in parts waits. A row of an odd number of units ends in half a lane.

use crate::rows::Unit;

// The first unit of a lane is the low half, and comes first in memory.
const _: () = assert!(cfg!(target_endian = "little"));

/// The units in lanes.
#[inline]
pub(crate) fn units_of(lanes: &[u64]) -> &[u32] {
    bytemuck::cast_slice(lanes)
}

/// The units in lanes.
#[inline]
pub(crate) fn units_of_mut(lanes: &mut [u64]) -> &mut [u32] {
    bytemuck::cast_slice_mut(lanes)
}

/// The lanes of a short row.
#[inline]
pub(crate) fn lanes<const LANES: usize>(row: &[impl Unit]) -> [u64; LANES] {
    std::array::from_fn(|i| lane(&row[row.len().min(2 * i)..row.len().min(2 * i + 2)]))
}

/// One or two units.
#[inline]
pub(crate) fn lane(units: &[impl Unit]) -> u64 {
    let unit = |i: usize| units.get(i).map_or(0, |unit| u64::from(unit.get()));
    unit(0) | unit(1) << 32
}
