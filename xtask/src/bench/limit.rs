//! How far it is to the limit: the graph of the dining philosophers, explored by a program that knows nothing else.
//!
//! A general checker reads a model, interprets it and keeps labels apart. What would be left of its time if all of that
//! were free? Here the stepping is written by hand for this one system, and so is the table of visited states. The counts
//! must be those of `fairhold explore examples/dining_philosophers.csp`; the time is what its time can be measured by.
//!
//! A philosopher is in one of five phases: 0 wants the left fork, 1 the right one, 2 eats, 3 returns the left fork, 4 the
//! right one. What forks do follows from that. A state is three planes of N bits, one for each bit of the phases, in one
//! word: all philosophers are looked at with a few operations, and a successor is one exclusive or away.
//!
//! Time: one access of the table a step. Memory: a list of states that doubles, 8 to 16 bytes a state, and a table of
//! 8 bytes a slot that is a quarter to a half full, 16 to 32.

use crate::table::grouped;
use std::time::Instant;

/// The philosophers of the entry `dining_philosophers` of the suite.
const PHILOSOPHERS: u32 = 12;

/// What there is to find, see `docs/counts.md`.
const EXPECTED: Counts = Counts {
    states: 1_684_801,
    steps: 12_912_480,
    deadlocks: 1,
};

/// What an exploration counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    states: u64,
    steps: u64,
    deadlocks: u64,
}

/// Explores so many times and describes the fastest.
pub(super) fn run(runs: u32) -> anyhow::Result<String> {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        let counts = explore(PHILOSOPHERS);
        best = best.min(start.elapsed().as_secs_f64());
        anyhow::ensure!(
            counts == EXPECTED,
            "the graph is not the philosophers': {counts:?}"
        );
    }
    Ok(format!(
        "{PHILOSOPHERS} philosophers by hand: {} states, {} steps, {best:.3} s, {:.1} million steps a second\n",
        grouped(EXPECTED.states),
        grouped(EXPECTED.steps),
        EXPECTED.steps as f64 / best / 1e6
    ))
}

/// The whole graph for `n` philosophers, breadth first.
fn explore(n: u32) -> Counts {
    let table = Table::new(n);
    let mut visited = Visited::default();
    let mut counts = Counts {
        states: 0,
        steps: 0,
        deadlocks: 0,
    };
    visited.insert_all(&[0]);
    let mut successors = Vec::new();
    let mut next = 0;
    while next < visited.states.len() {
        // Successors of several states go to the table together, so that its misses overlap.
        successors.clear();
        let end = visited.states.len().min(next + BATCH);
        for &state in &visited.states[next..end] {
            let before = successors.len();
            table.successors(state, &mut successors);
            counts.deadlocks += u64::from(successors.len() == before);
        }
        next = end;
        counts.steps += successors.len() as u64;
        visited.insert_all(&successors);
    }
    counts.states = visited.states.len() as u64;
    counts
}

/// States stepped before the table is asked.
const BATCH: usize = 8;

/// A round table: the masks for its number of seats.
struct Table {
    n: u32,
    /// One bit a seat.
    seats: u64,
}

impl Table {
    fn new(n: u32) -> Table {
        assert!(
            (2..=21).contains(&n),
            "three planes of {n} bits do not fit a word"
        );
        Table {
            n,
            seats: (1 << n) - 1,
        }
    }

    fn successors(&self, state: u64, out: &mut Vec<u64>) {
        let n = self.n;
        let (low, middle, high) = (state & self.seats, state >> n & self.seats, state >> (2 * n));
        // Phases 1, 2, 3 hold the left fork, which is the next one's right fork; phases 2, 3, 4 hold the right fork.
        let (left, right) = (low | middle, middle | high);
        let taken = right | ((left << 1 | left >> (n - 1)) & self.seats);
        let next_taken = taken >> 1 | (taken & 1) << (n - 1);
        let wants_left = !(low | middle | high) & !next_taken & self.seats;
        let wants_right = low & !middle & !taken;
        let eats = middle & !low;
        // To count a phase on is to flip these planes: 0 to 1 and 2 to 3, 1 to 2, 3 to 4, 4 to 0.
        let (all, low_middle) = (1 | 1 << n | 1 << (2 * n), 1 | 1 << n);
        flip(state, wants_left | eats, 1, out);
        flip(state, wants_right, low_middle, out);
        flip(state, low & middle, all, out);
        flip(state, high, 1 << (2 * n), out);
    }
}

/// A successor for every seat in `who`: the state with `planes` flipped at that seat.
fn flip(state: u64, mut who: u64, planes: u64, out: &mut Vec<u64>) {
    while who != 0 {
        out.push(state ^ planes << who.trailing_zeros());
        who &= who - 1;
    }
}

/// No state: the planes of 21 seats take 63 bits.
const EMPTY: u64 = u64::MAX;

/// The visited states: in the order of discovery, and by open addressing with linear probing.
struct Visited {
    states: Vec<u64>,
    slots: Vec<u64>,
    /// The slots that successors of a batch hash to, and what was seen there.
    seen: Vec<(usize, u64)>,
}

impl Default for Visited {
    fn default() -> Visited {
        Visited {
            states: Vec::new(),
            slots: vec![EMPTY; 1 << 12],
            seen: Vec::new(),
        }
    }
}

impl Visited {
    /// Looks at the slots of all states before it inserts the first: independent loads wait for memory together.
    fn insert_all(&mut self, states: &[u64]) {
        if (self.states.len() + states.len()) * 2 > self.slots.len() {
            self.grow();
        }
        let (slots, shift) = (&self.slots, shift(&self.slots));
        self.seen.clear();
        self.seen.extend(states.iter().map(|&state| {
            let slot = home(state, shift);
            (slot, slots[slot])
        }));
        for (&state, &(slot, seen)) in states.iter().zip(&self.seen) {
            if seen != state && claim(&mut self.slots, slot, state) {
                self.states.push(state);
            }
        }
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; self.slots.len() * 2];
        let shift = shift(&self.slots);
        for &state in &self.states {
            claim(&mut self.slots, home(state, shift), state);
        }
    }
}

/// How far a hash is shifted to give a slot.
fn shift(slots: &[u64]) -> u32 {
    64 - slots.len().trailing_zeros()
}

/// The slot where the search for a state begins: multiplication by the golden ratio, high bits.
fn home(state: u64, shift: u32) -> usize {
    (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

/// Puts a state into the first free slot from `slot` on, unless it comes first.
fn claim(slots: &mut [u64], mut slot: usize, state: u64) -> bool {
    let mask = slots.len() - 1;
    loop {
        if slots[slot] == EMPTY {
            slots[slot] = state;
            return true;
        }
        if slots[slot] == state {
            return false;
        }
        slot = (slot + 1) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_the_checker_counts() {
        let counted = [
            (2, 10, 12),
            (3, 35, 66),
            (5, 392, 1_250),
            (8, 14_158, 72_336),
            (10, 154_450, 986_430),
        ];
        for (n, states, steps) in counted {
            let expected = Counts {
                states,
                steps,
                deadlocks: 1,
            };
            assert_eq!(explore(n), expected, "{n} philosophers");
        }
    }

    #[test]
    fn the_measured_graph_is_the_right_one() {
        assert!(
            run(1)
                .unwrap()
                .starts_with("12 philosophers by hand: 1,684,801 states")
        );
    }
}
