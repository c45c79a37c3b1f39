//! How a state's words lie in a packed row.
//!
//! Every word has a range of values `base .. base + 2^bits`, learned from the states met, and a field of `bits` bits in one 32-bit
//! unit of the row, which holds the value less the base. A word that never changes costs no bits; a process with five
//! places costs three. Packing is exact: a state either fits all ranges and is told apart by its row, or does not
//! fit, and is then certainly new.
//!
//! Nobody knows the ranges beforehand: the places of a process are numbered as they are met. So a range grows when a value falls
//! outside, by at least one bit, at most 32 times; whoever holds rows packs them anew.
//!
//! Key words and carried words never share a unit, so that rows can be compared and hashed by their first
//! [`Packing::key_units`].
//!
//! Cost: packing a whole state takes about a nanosecond a word, half of the time of stepping. So targets of steps are packed
//! only where they [`Changed`], on top of the row of the state stepped.

use crate::lanes::{lanes, units_of_mut};
use crate::rows::Unit;
use fairhold_system::Changed;

/// Bits of a unit.
const UNIT: u32 = u32::BITS;
/// Bits of a lane.
const LANE: u32 = u64::BITS;

/// The values a word may have, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    base: i32,
    bits: u32,
}

impl Range {
    fn last(self) -> i64 {
        i64::from(self.base) + (1 << self.bits) - 1
    }

    fn contains(self, value: i32) -> bool {
        (i64::from(self.base)..=self.last()).contains(&i64::from(value))
    }

    /// The least range with this one and `value`, and `spare` bits more. What is left over lies on the side of the
    /// value, for a counter goes on as it came; but a range that can start at 0 does.
    fn with(self, value: i32, spare: u32) -> Range {
        let value = i64::from(value);
        let (low, high) = (i64::from(self.base).min(value), self.last().max(value));
        let bits = (64 - (high - low).leading_zeros() + spare).min(UNIT);
        let room = 1_i64 << bits;
        let base = if low >= 0 && high < room && bits < UNIT {
            0
        } else if value == low {
            (high - room + 1).max(i64::from(i32::MIN))
        } else {
            low.min(i64::from(i32::MAX) - room + 1)
        };
        Range {
            base: i32::try_from(base).expect("a range of at most 2^32 signed values starts at one"),
            bits,
        }
    }
}

/// Where a word lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Field {
    word: u32,
    /// What is taken off the word.
    base: u32,
    /// The bits of the difference that are kept; 0 for a word that is always `base`.
    mask: u32,
    /// Its first bit in the row.
    bit: u32,
}

impl Field {
    #[inline]
    fn unit(self) -> usize {
        (self.bit / UNIT) as usize
    }

    /// Where it begins in its unit.
    #[inline]
    fn shift(self) -> u32 {
        self.bit % UNIT
    }

    /// What is kept of a value; bits outside the mask say that it does not fit.
    #[inline]
    fn pack(self, state: &[u32]) -> u32 {
        state[self.word as usize].wrapping_sub(self.base)
    }
}

/// Some value does not fit its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// Whether one of the key: no row has this key then.
    pub(crate) key: bool,
}

impl Misfit {
    /// From the bits that key and carried words have outside their ranges.
    #[inline]
    fn of(key: u32, carried: u32) -> Result<(), Misfit> {
        if key | carried == 0 {
            Ok(())
        } else {
            Err(Misfit { key: key != 0 })
        }
    }
}

/// Units in the making.
#[derive(Default)]
struct Units {
    count: u32,
    /// Units by the number of bits that are free.
    free: [Vec<u32>; UNIT as usize],
}

impl Units {
    /// Finds room for fields: the widest first, each in the fullest unit that has room for it. No unit holds fields of two calls.
    fn place(&mut self, fields: &mut [Field], ranges: &[Range]) {
        self.free.iter_mut().for_each(Vec::clear);
        let mut order: Vec<usize> = (0..fields.len()).filter(|&i| ranges[i].bits > 0).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(ranges[i].bits));
        for i in order {
            let bits = ranges[i].bits;
            let (room, unit) = (bits..UNIT)
                .find_map(|room| Some((room, self.free[room as usize].pop()?)))
                .unwrap_or_else(|| {
                    self.count += 1;
                    (UNIT, self.count - 1)
                });
            fields[i].mask = u32::MAX >> (UNIT - bits);
            fields[i].bit = unit * UNIT + UNIT - room;
            if room > bits {
                self.free[(room - bits) as usize].push(unit);
            }
        }
    }
}

/// A packing of states of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Packing {
    key_width: usize,
    ranges: Vec<Range>,
    /// By word.
    fields: Vec<Field>,
    /// Fields by unit; then those without bits.
    by_unit: Vec<Field>,
    /// Where each unit's fields start in `by_unit`, and where the last one's end.
    starts: Vec<u32>,
    key_units: usize,
    /// Words of the key without bits.
    key_constants: usize,
}

impl Packing {
    /// The packing into which this state fits, and no other.
    pub(crate) fn around(state: &[u32], key_width: usize) -> Packing {
        let ranges = state.iter().map(|&word| Range {
            base: word as i32,
            bits: 0,
        });
        Packing::of(ranges.collect(), key_width)
    }

    /// The packing into which this state fits as well. Ranges that grow get `spare` bits more than they need.
    pub(crate) fn with(&self, state: &[u32], spare: u32) -> Packing {
        let widen = |(&range, &word): (&Range, &u32)| {
            let value = word as i32;
            if range.contains(value) {
                range
            } else {
                range.with(value, spare)
            }
        };
        Packing::of(self.ranges.iter().zip(state).map(widen).collect(), self.key_width)
    }

    fn of(ranges: Vec<Range>, key_width: usize) -> Packing {
        let field = |(word, range): (usize, &Range)| Field {
            word: word as u32,
            base: range.base as u32,
            ..Field::default()
        };
        let mut fields: Vec<Field> = ranges.iter().enumerate().map(field).collect();
        let mut units = Units::default();
        let (key, carried) = fields.split_at_mut(key_width);
        units.place(key, &ranges[..key_width]);
        let key_units = units.count;
        units.place(carried, &ranges[key_width..]);
        let mut by_unit: Vec<Field> = fields.iter().copied().filter(|f| f.mask != 0).collect();
        by_unit.sort_by_key(|f| f.bit);
        let starts = (0..=units.count as usize)
            .map(|unit| by_unit.partition_point(|f| f.unit() < unit) as u32)
            .collect();
        by_unit.extend(fields.iter().filter(|f| f.mask == 0));
        let key_constants = fields[..key_width].iter().filter(|f| f.mask == 0).count();
        Packing {
            key_width,
            ranges,
            fields,
            by_unit,
            starts,
            key_units: key_units as usize,
            key_constants,
        }
    }

    /// Words a state.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.fields.len()
    }

    /// Words of the key.
    pub(crate) fn key_width(&self) -> usize {
        self.key_width
    }

    /// Units a row.
    #[inline]
    pub(crate) fn units(&self) -> usize {
        self.starts.len() - 1
    }

    /// Leading units that hold the key.
    #[inline]
    pub(crate) fn key_units(&self) -> usize {
        self.key_units
    }

    /// Packs a state into a row. If only carried words do not fit, the row's key units are right all the same.
    pub(crate) fn pack(&self, state: &[u32], row: &mut [u32]) -> Result<(), Misfit> {
        debug_assert_eq!((state.len(), row.len()), (self.width(), self.units()));
        let (key_row, carried_row) = row.split_at_mut(self.key_units);
        let (key_starts, carried_starts) = (&self.starts, &self.starts[self.key_units..]);
        let constants = &self.by_unit[self.starts[self.units()] as usize..];
        let (key_constants, carried_constants) = constants.split_at(self.key_constants);
        let pack = |row: &mut [u32], starts: &[u32], constants: &[Field]| {
            let mut outside = 0;
            for (unit, starts) in row.iter_mut().zip(starts.windows(2)) {
                let mut bits = 0;
                for field in &self.by_unit[starts[0] as usize..starts[1] as usize] {
                    let value = field.pack(state);
                    outside |= value & !field.mask;
                    bits |= value << field.shift();
                }
                *unit = bits;
            }
            for field in constants {
                outside |= field.pack(state);
            }
            outside
        };
        let key = pack(key_row, key_starts, key_constants);
        let carried = pack(carried_row, carried_starts, carried_constants);
        Misfit::of(key, carried)
    }

    /// Packs a state of two words into the one lane that it takes at most, if it fits.
    #[inline]
    pub(crate) fn pack_pair(&self, state: [u32; 2]) -> Option<u64> {
        let mut outside = 0;
        let mut lane = 0;
        for &field in &self.fields {
            let value = field.pack(&state);
            outside |= value & !field.mask;
            lane |= u64::from(value) << field.bit;
        }
        (outside == 0).then_some(lane)
    }

    /// Packs the changed words of a state into the lanes of a row, of two units each, that holds the packed state from which it came; says whether they fit.
    #[inline]
    pub(crate) fn repack(&self, state: &[u32], changed: Changed, lanes: &mut [u64]) -> bool {
        if changed.is_anything() {
            let units = &mut units_of_mut(lanes)[..self.units()];
            return self.pack(state, units).is_ok();
        }
        let mut outside = 0;
        changed.for_each(self.width(), |word| {
            let field = self.fields[word];
            let value = field.pack(state);
            outside |= value & !field.mask;
            // A word without bits leaves the first unit as it is, if there is one.
            if let Some(lane) = lanes.get_mut((field.bit / LANE) as usize) {
                let shift = field.bit % LANE;
                *lane = *lane & !(u64::from(field.mask) << shift) | u64::from(value) << shift;
            }
        });
        outside == 0
    }

    /// Reads the state back from a row.
    #[inline]
    pub(crate) fn unpack(&self, row: &[impl Unit], state: &mut [u32]) {
        debug_assert_eq!((state.len(), row.len()), (self.width(), self.units()));
        // Of rows of a few units, so many that the compiler knows.
        match row.len() {
            0..=2 => self.unpack_lanes(lanes::<1>(row), state),
            3 | 4 => self.unpack_lanes(lanes::<2>(row), state),
            5..=8 => self.unpack_lanes(lanes::<4>(row), state),
            _ => {
                for (word, field) in state.iter_mut().zip(&self.fields) {
                    *word = field
                        .base
                        .wrapping_add(row[field.unit()].get() >> field.shift() & field.mask);
                }
            }
        }
    }

    /// Reads the state back from a row of so many lanes, a power of two.
    #[inline]
    fn unpack_lanes<const LANES: usize>(&self, row: [u64; LANES], state: &mut [u32]) {
        for (word, field) in state.iter_mut().zip(&self.fields) {
            // Every field lies in the row. The remainder says so to the compiler.
            let lane = row[(field.bit / LANE) as usize % LANES];
            *word = field
                .base
                .wrapping_add((lane >> (field.bit % LANE)) as u32 & field.mask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(packing: &Packing, state: &[u32]) -> Vec<u32> {
        let mut row = vec![7; packing.units()];
        packing.pack(state, &mut row).expect("the state fits");
        let mut back = vec![9; state.len()];
        packing.unpack(&row, &mut back);
        assert_eq!(back, state);
        row
    }

    #[test]
    fn constant_words_cost_nothing_and_small_ones_little() {
        let mut packing = Packing::around(&[u32::MAX, 0, 7, 0], 4);
        assert_eq!(packing.units(), 0);
        assert_eq!(
            packing.pack(&[u32::MAX, 0, 8, 0], &mut []),
            Err(Misfit { key: true })
        );
        for i in 0..5 {
            packing = packing.with(&[u32::MAX, i, 7, 5 - i], 0);
        }
        let bits: Vec<u32> = packing.ranges.iter().map(|r| r.bits).collect();
        assert_eq!((packing.units(), bits), (1, vec![0, 3, 0, 3]));
        round_trip(&packing, &[u32::MAX, 4, 7, 5]);
    }

    #[test]
    fn ranges_grow_the_way_the_values_go() {
        let grown = |values: &[i32]| {
            let mut range = Range {
                base: values[0],
                bits: 0,
            };
            let mut growths = 0;
            for &value in values {
                if !range.contains(value) {
                    range = range.with(value, 0);
                    growths += 1;
                }
                assert!(range.contains(value));
            }
            (range.base, range.bits, growths)
        };
        assert_eq!(grown(&[0, 1, 2, 3, 4, 5]), (0, 3, 3));
        assert_eq!(grown(&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]), (0, 4, 4));
        assert_eq!(grown(&[-1, 0, 1, 2]), (-1, 2, 2));
        assert_eq!(grown(&[0, -1, -2, -3]), (-3, 2, 2));
        assert_eq!(grown(&[i32::MAX, i32::MIN]), (i32::MIN, 32, 1));
        assert_eq!(grown(&[i32::MAX - 1, i32::MAX - 3]), (i32::MAX - 4, 2, 1));
        assert_eq!(grown(&[i32::MIN, i32::MIN + 2]), (i32::MIN, 2, 1));
        assert_eq!(grown(&[i32::MAX, i32::MAX - 2, 0]), (0, 31, 2));
    }

    proptest! {
        #[test]
        fn states_come_back_and_changes_agree_with_the_whole(
            states in (1_usize..150).prop_flat_map(|width| {
                let word = prop_oneof![4 => 0_u32..9, 2 => Just(5), 1 => any::<u32>(), 1 => 0_u32..2000];
                proptest::collection::vec(proptest::collection::vec(word, width), 1..12)
            }),
            carried in 0_usize..5,
            spare in 0_u32..3,
        ) {
            let width = states[0].len();
            let key_width = width.saturating_sub(carried);
            let mut packing = Packing::around(&states[0], key_width);
            for state in &states {
                let fits = packing.pack(state, &mut vec![0; packing.units()]).is_ok();
                let inside = packing.ranges.iter().zip(state).all(|(r, &w)| r.contains(w as i32));
                prop_assert_eq!(fits, inside);
                packing = packing.with(state, spare);
            }
            let rows: Vec<Vec<u32>> = states.iter().map(|s| round_trip(&packing, s)).collect();
            for (state, row) in states.iter().zip(&rows) {
                for (other, other_row) in states.iter().zip(&rows) {
                    let key = packing.key_units();
                    prop_assert_eq!(state[..key_width] == other[..key_width], row[..key] == other_row[..key]);
                    let differing: Changed =
                        (0..width).filter(|&w| state[w] != other[w]).map(Changed::word).collect();
                    let mut lanes = vec![0; row.len().div_ceil(2)];
                    units_of_mut(&mut lanes)[..row.len()].copy_from_slice(row);
                    prop_assert!(packing.repack(other, differing, &mut lanes));
                    prop_assert_eq!(&units_of_mut(&mut lanes)[..row.len()], other_row);
                }
            }
        }
    }
}
