//! The table against a hash map, through growths and widenings.

use super::*;
use fairhold_system::{Changed, EventId, Label, ProcessesId};
use proptest::prelude::*;
use std::collections::HashMap;

const LABEL: Label = Label {
    event: EventId::TAU,
    processes: ProcessesId::NONE,
};

/// A table and what it should hold: ids and states by key.
struct Pair {
    table: StateTable,
    oracle: HashMap<Vec<u32>, (u32, Vec<u32>)>,
}

impl Pair {
    fn new(width: usize, key_width: usize, compact: bool) -> Pair {
        let make = if compact {
            StateTable::compact
        } else {
            StateTable::new
        };
        Pair {
            table: make(width, key_width),
            oracle: HashMap::new(),
        }
    }

    /// Bytes whose growth is foretold.
    fn bytes(&self) -> u64 {
        self.table.bytes() - self.table.side_bytes()
    }

    fn known(&self, row: &[u32]) -> Option<StateId> {
        let known = self.oracle.get(&row[..self.table.key_width]);
        known.map(|&(id, _)| StateId(id))
    }

    /// Widens the table for these states, and holds it to the cost it foretold.
    fn widen<'s>(&mut self, states: impl IntoIterator<Item = &'s [u32]>) {
        let widening = self.table.widening(states).expect("far from full");
        let (before, growth) = (self.bytes(), widening.growth());
        self.table.widen(widening);
        assert_eq!(self.bytes() + growth.freed, before + growth.taken);
    }

    /// Notes an outcome and compares it with the hash map's.
    fn note(&mut self, row: &[u32], inserted: Inserted) {
        let known = self.known(row);
        assert_eq!(inserted.new, known.is_none());
        if inserted.new {
            assert_eq!(inserted.id.index(), self.oracle.len());
            let key = row[..self.table.key_width].to_vec();
            self.oracle.insert(key, (inserted.id.0, row.to_vec()));
        } else {
            assert_eq!(Some(inserted.id), known);
        }
    }

    fn insert(&mut self, row: &[u32]) {
        let known = self.known(row);
        assert_eq!(self.table.find(row), known);
        let mut packed = vec![0; self.table.packing.units()];
        let words = self.table.fold(row).expect("far from full");
        if self.table.packing.pack(&words, &mut packed).is_err() {
            // A carried word may be out of range although the key is known.
            self.widen([row]);
            assert_eq!(self.table.find(row), known);
        }
        let (before, growth) = (self.bytes(), self.table.growth());
        let grows = self.table.len() == self.table.room();
        assert_eq!(grows, growth != Growth::default());
        let inserted = self.table.insert(row).expect("far from full");
        let growth = if inserted.new { growth } else { Growth::default() };
        assert_eq!(self.bytes() + growth.freed, before + growth.taken);
        self.note(row, inserted);
    }

    fn finish(self) -> StateTable {
        assert_eq!(self.table.len(), self.oracle.len());
        for (id, row) in self.oracle.values() {
            assert_eq!(self.table.get(StateId(*id)), *row);
            assert_eq!(self.table.find(row), Some(StateId(*id)));
        }
        self.table
    }
}

/// Inserts all rows and compares every outcome with a hash map's.
fn compare(width: usize, key_width: usize, rows: &[Vec<u32>]) -> StateTable {
    let [plain, _] = [false, true].map(|compact| {
        let mut pair = Pair::new(width, key_width, compact);
        rows.iter().for_each(|row| pair.insert(row));
        pair.finish()
    });
    plain
}

/// A seeded generator (xorshift).
fn random(seed: u64) -> impl FnMut() -> u32 {
    let mut x = seed | 1;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 16) as u32
    }
}

proptest! {
    #[test]
    fn agrees_with_a_hash_map(
        width in 0_usize..6,
        carried in 0_usize..3,
        values in 1_u32..9,
        wild in prop_oneof![Just(1), Just(40)],
        seed: u64,
        count in 0_usize..600,
    ) {
        let mut next = random(seed);
        let key_width = width.saturating_sub(carried);
        // Now and then a word far out, so that the table is widened again and again.
        let mut word = || if next() % 100 < wild - 1 { next() >> (next() % 32) } else { next() % values };
        let rows: Vec<Vec<u32>> = (0..count)
            .map(|_| (0..width).map(|_| word()).collect())
            .collect();
        compare(width, key_width, &rows);
    }

    /// Walks at random, from known states, by batches.
    #[test]
    fn batches_agree_with_a_hash_map(
        width in 1_usize..80,
        carried in 0_usize..3,
        values in 1_u32..5,
        seed: u64,
        rounds in 0_usize..150,
        compact: bool,
    ) {
        let mut next = random(seed);
        let mut pair = Pair::new(width, width.saturating_sub(carried), compact);
        let (mut steps, mut batch) = (Steps::new(width), Batch::new());
        steps.push(LABEL, &vec![3; width]);
        let mut from = None;
        for _ in 0..rounds {
            if pair.table.prepare(from, &steps, &mut batch).is_err() {
                pair.widen(steps.iter().map(|(_, target)| target));
                prop_assert_eq!(pair.table.prepare(from, &steps, &mut batch), Ok(()));
            }
            if next().is_multiple_of(2) {
                pair.table.approach(&mut batch);
            }
            for (i, (_, target)) in steps.iter().enumerate() {
                prop_assert_eq!(pair.table.find_prepared(&batch, i), pair.known(target));
                let inserted = pair.table.insert_prepared(&batch, i).expect("far from full");
                pair.note(target, inserted);
            }
            let id = StateId(next() % pair.table.len() as u32);
            let state = pair.table.get(id);
            from = Some(id);
            steps.clear();
            for _ in 0..next() % 5 {
                let writes: Vec<usize> = (0..next() % 4).map(|_| next() as usize % width).collect();
                let changed: Changed = writes.iter().map(|&w| Changed::word(w)).collect();
                let target = match next() % 4 {
                    0 => steps.push(LABEL, &state),
                    _ => steps.push_changing(LABEL, &state, changed),
                };
                for w in writes {
                    target[w] = if next().is_multiple_of(20) { next() >> (next() % 32) } else { next() % values };
                }
            }
        }
        pair.finish();
    }
}

#[test]
fn agrees_through_many_growths() {
    let mut next = random(7);
    let rows: Vec<Vec<u32>> = (0..300_000)
        .map(|_| vec![next() % 64, next() % 64, next() % 64])
        .collect();
    let table = compare(3, 3, &rows);
    assert!(table.len() > 150_000 && table.len() < rows.len());
    assert_eq!(table.row_bytes(), 4);
}

#[test]
fn a_large_table_is_widened_seldom() {
    let mut table = StateTable::new(8, 8);
    let mut widenings = 0;
    for i in 0..200_000_u32 {
        // Every thousand states another word gets its next bit.
        let mut state = [0; 8];
        state[0] = i;
        let (word, bit) = (1 + i / 1000 % 7, i / 7000);
        state[word as usize] = 1 << bit.min(31);
        let mut row = vec![0; table.packing.units()];
        widenings += usize::from(table.packing.pack(&state, &mut row).is_err());
        table.insert(&state).expect("far from full");
    }
    assert!(widenings < 80, "{widenings}");
}

#[test]
fn one_crowded_home_spills_over() {
    let mut next = random(13);
    let hashed = |row: &[u32]| xxhash_rust::xxh3::xxh3_64(bytemuck::cast_slice(row));
    // Words of 32 bits are packed as they are, less the base; these have base 0.
    let mut rows = vec![vec![0], vec![u32::MAX], vec![i32::MIN as u32]];
    rows.extend(
        std::iter::repeat_with(|| vec![next()])
            .filter(|row| hashed(&[row[0].wrapping_sub(i32::MIN as u32)]) >> 52 == 0xfff)
            .take(500),
    );
    let table = compare(1, 1, &rows);
    assert_eq!(table.row_bytes(), 4);
}

#[test]
fn empty_states_and_empty_keys_are_one_state() {
    let table = compare(0, 0, &[vec![], vec![]]);
    assert_eq!((table.len(), table.get(StateId(0))), (1, vec![]));
    let table = compare(2, 0, &[vec![5, 6], vec![7, 8]]);
    assert_eq!((table.len(), table.get(StateId(0))), (1, vec![5, 6]));
}

#[test]
fn a_compact_table_takes_less_where_parts_are_few() {
    // Eight parts of ten places each, met in a shuffled order.
    let mut next = random(11);
    let [plain, compact] = [StateTable::new(8, 8), StateTable::compact(8, 8)].map(|mut table| {
        for _ in 0..400_000 {
            let state: [u32; 8] = std::array::from_fn(|i| if i % 4 < 2 { next() % 10 } else { next() % 3 });
            table.insert(&state).expect("far from full");
        }
        table.bytes() as f64 / table.len() as f64
    });
    assert!(compact < plain, "{compact:.1} against {plain:.1}");
}

#[test]
fn an_index_filled_by_several_workers_finds_everything_once() {
    for workers in [2, 3, 8] {
        let mut table = StateTable::new(3, 3);
        let mut next = random(5);
        let mut states = Vec::new();
        while states.len() < 5000 {
            let state = [next() % 40, next() % 40, next() % 40];
            if table.insert(&state).expect("far from full").new {
                states.push(state);
            }
            if states.len() % 500 == 0 {
                table.make_room(1 + table.room(), workers).expect("far from full");
            }
        }
        for (id, state) in (0..).zip(&states) {
            assert_eq!(table.find(state), Some(StateId(id)));
        }
        assert_eq!(table.find(&[41, 0, 0]), None);
        assert_eq!(table.len(), states.len());
    }
}

#[test]
fn overhead_stays_under_12_bytes_a_state() {
    let mut table = StateTable::new(5, 5);
    assert_eq!(table.bytes(), 0);
    let mut worst = 0.0_f64;
    for i in 0..1_000_000_u32 {
        table.insert(&[i, i >> 8, 1, 2, 3]).expect("far from full");
        if table.len() > 100_000 {
            let overhead = table.bytes() as f64 / table.len() as f64 - table.row_bytes() as f64;
            worst = worst.max(overhead);
        }
    }
    assert_eq!(table.row_bytes(), 4);
    assert!(worst < 12.0, "{worst:.2} bytes a state");
}
