//! Dives: slices of depth-first search and of random plunges between the levels of a breadth-first one.
//!
//! Breadth first, a puzzle that is solved in forty moves is solved when all that can be done in thirty-nine has been seen. So once a
//! search is large, workers dive for a while every now and then, from states that wait to be expanded: what a dive meets goes into the
//! one table and waits in the next level like any other state, and what a dive has expanded is *claimed* and not
//! expanded again. Nothing is visited twice, so a search that has to see everything takes as long as before.
//!
//! | order | the next state is |
//! |---|---|
//! | `Nearest` | the one that seems nearest to what is looked for, the last met of these [Edelkamp-STTT'04]; if there is nothing to guess by, as `Shuffled` |
//! | `Shuffled` | depth first, the steps of a state in random order |
//! | `Fresh` | the same, from elsewhere again and again, after [Luby-IPL'93]'s numbers of states |
//! | `Plunge` | one of those met last, at random; where nothing new is met, another one that waits |
//! | `Deep` | the first one met last: depth first, in the order of the steps |
//!
//! Different workers dive in different orders, and each goes on where it was in the dive before. No order is best: which one finds the answer
//! to a puzzle, and how soon, is mostly chance, so there are several.
//!
//! Differs from swarm verification [Holzmann-TSE'11], whose searches share nothing: here the orders share one table.
//!
//! Memory: 4 to 8 bytes a state that waits in the list of an order, a bit a state.

use fairhold_store::StateId;
use fairhold_system::{Random, Word};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Which states have been expanded, by number. A worker claims a state before it expands it.
#[derive(Default)]
pub(crate) struct Claims(Vec<AtomicU64>);

impl Claims {
    /// Makes room for numbers below `bound`. Those that are new are not claimed.
    pub(crate) fn extend_to(&mut self, bound: usize) {
        let words = bound.div_ceil(64);
        if words > self.0.len() {
            // Room for twice as many, or each round would copy all.
            self.0
                .resize_with(words.max(2 * self.0.len()), AtomicU64::default);
        }
    }

    /// Claims a state. False if it was claimed before.
    #[inline]
    pub(crate) fn claim(&self, id: StateId) -> bool {
        // A plain load first: a failed `fetch_or` would still take the cache line from the other workers.
        // Relaxed: a claim publishes nothing; rows are published by the index.
        let (word, bit) = (&self.0[id.index() / 64], 1 << (id.index() % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Gives a claim back.
    pub(crate) fn release(&self, id: StateId) {
        self.0[id.index() / 64].fetch_and(!(1 << (id.index() % 64)), Relaxed);
    }

    /// Whether a state is claimed.
    #[inline]
    pub(crate) fn has(&self, id: StateId) -> bool {
        self.0[id.index() / 64].load(Relaxed) >> (id.index() % 64) & 1 == 1
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<AtomicU64>()) as u64
    }
}

/// In which order a dive goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Nearest,
    Shuffled,
    Fresh,
    Plunge,
    Deep,
}

/// After so many states, and multiples of that, a fresh start is made.
const SOON: usize = 256;

/// How many orders there are.
pub(crate) const ORDERS: usize = 5;

/// One way to dive, kept from slice to slice.
pub(crate) struct Dive {
    order: Order,
    /// States met and not expanded yet by this dive, the next one last.
    waiting: Vec<StateId>,
    /// Those with a distance, by that; the next one last among the nearest.
    by_distance: BTreeMap<u32, Vec<StateId>>,
    /// How many these are.
    measured: usize,
    /// The words of a state whose distance is asked for.
    words: Vec<Word>,
    /// For `Fresh`: states until it starts elsewhere, and where it is in the sequence that gives their number.
    until_fresh: usize,
    luby: (usize, usize),
    random: Random,
    /// States that may still be expanded in this slice.
    pub(crate) left: usize,
}

impl Dive {
    /// The dive with this number, over states of so many words: orders take turns, and no two dives make the same choices.
    pub(crate) fn new(number: usize, width: usize) -> Dive {
        let orders = [
            Order::Nearest,
            Order::Shuffled,
            Order::Plunge,
            Order::Fresh,
            Order::Deep,
        ];
        Dive {
            order: orders[number % ORDERS],
            waiting: Vec::new(),
            by_distance: BTreeMap::new(),
            measured: 0,
            words: vec![0; width],
            until_fresh: SOON,
            luby: (1, 1),
            random: Random::new(number as u64),
            left: 0,
        }
    }

    /// The next state to try; none if this dive has come to its end.
    pub(crate) fn next(&mut self) -> Option<StateId> {
        if self.order == Order::Fresh {
            self.until_fresh -= 1;
            if self.until_fresh == 0 {
                // What is dropped waits in the levels, too.
                self.waiting.clear();
                let (all, next) = self.luby;
                self.luby = match all & all.wrapping_neg() == next {
                    true => (all + 1, 1),
                    false => (all, 2 * next),
                };
                self.until_fresh = SOON * self.luby.1;
            }
        }
        if let Some(mut nearest) = self.by_distance.first_entry() {
            let next = nearest.get_mut().pop();
            if nearest.get().is_empty() {
                nearest.remove();
            }
            self.measured -= 1;
            return next;
        }
        self.waiting.pop()
    }

    /// Takes up another state that waits.
    pub(crate) fn start_at(&mut self, id: StateId) {
        self.waiting.push(id);
    }

    /// A number below `bound`.
    pub(crate) fn choose(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// Takes note of the states that were met when one was expanded, in the order of its steps.
    pub(crate) fn meet(
        &mut self,
        met: impl ExactSizeIterator<Item = StateId>,
        mut distance: impl FnMut(StateId, &mut [Word]) -> Option<u32>,
    ) {
        let start = self.waiting.len();
        match self.order {
            Order::Nearest => {
                for id in met {
                    match distance(id, &mut self.words) {
                        Some(distance) => {
                            self.by_distance.entry(distance).or_default().push(id);
                            self.measured += 1;
                        }
                        None => self.waiting.push(id),
                    }
                }
                self.shuffle(start);
            }
            Order::Deep => {
                self.waiting.extend(met);
                self.waiting[start..].reverse();
            }
            Order::Shuffled | Order::Fresh => {
                self.waiting.extend(met);
                self.shuffle(start);
            }
            Order::Plunge => {
                self.waiting.clear();
                if met.len() > 0 {
                    let chosen = self.random.below(met.len());
                    let mut met = met;
                    self.waiting.extend(met.nth(chosen));
                }
            }
        }
    }

    /// Puts those waiting from `start` on in random order.
    fn shuffle(&mut self, start: usize) {
        for last in (start + 1..self.waiting.len()).rev() {
            self.waiting
                .swap(last, start + self.random.below(last - start + 1));
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        // The lists by distance are half full at least.
        ((self.waiting.capacity() + 2 * self.measured) * size_of::<StateId>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_claimed_once() {
        let mut claims = Claims::default();
        claims.extend_to(130);
        assert!(claims.claim(StateId(64)) && !claims.claim(StateId(64)) && claims.claim(StateId(129)));
        claims.extend_to(1000);
        assert!(claims.has(StateId(129)) && !claims.has(StateId(128)) && !claims.has(StateId(999)));
        claims.release(StateId(64));
        assert!(claims.claim(StateId(64)));
    }

    #[test]
    fn orders_keep_what_they_met() {
        let ids = |list: &[u32]| list.iter().map(|&id| StateId(id)).collect::<Vec<_>>();
        for number in 0..ORDERS {
            let mut dive = Dive::new(number, 1);
            let distance = |id: StateId, _: &mut [Word]| Some(10 - id.0 / 2);
            dive.meet(ids(&[1, 2, 3]).into_iter(), distance);
            dive.meet(ids(&[4, 5]).into_iter(), distance);
            let mut met: Vec<StateId> = std::iter::from_fn(|| dive.next()).collect();
            match dive.order {
                Order::Deep => assert_eq!(met, ids(&[4, 5, 1, 2, 3])),
                Order::Nearest => assert_eq!(met, ids(&[5, 4, 3, 2, 1])),
                _ => {}
            }
            met.sort_unstable();
            match dive.order {
                Order::Plunge => assert!(met.len() == 1 && met[0].0 >= 4),
                _ => assert_eq!(met, ids(&[1, 2, 3, 4, 5])),
            }
        }
    }
}
