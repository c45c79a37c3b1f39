//! Random graphs, by the shape of their components.
//!
//! States are numbered block by block; a block of more than one state is a ring through all of its states in random order, with chords. Other arcs lead to later blocks. Every block
//! is entered from an earlier one, so all is reachable from state 0.

use crate::graph::{Arc, FIRST_EVENT, Graph};
use fairhold_testkit::Rng;

/// Sizes of components.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Shape {
    /// One component of nearly everything.
    Giant,
    /// A few large ones.
    Large,
    /// Many small ones.
    Small,
    /// Hardly a loop.
    Trivial,
}

impl Shape {
    pub(crate) const ALL: [Shape; 4] = [Shape::Giant, Shape::Large, Shape::Small, Shape::Trivial];

    /// The sizes of blocks, in order.
    fn blocks(self, rng: &mut Rng, states: usize) -> Vec<usize> {
        let mut blocks = Vec::new();
        let mut left = states;
        let large = states / (2 + rng.below(4));
        while left > 0 {
            let size = match self {
                Shape::Giant if left == states => states - rng.below(100),
                Shape::Giant | Shape::Trivial => 1,
                Shape::Large => large + rng.below(50),
                Shape::Small => 1 + rng.below(30),
            };
            blocks.push(size.min(left));
            left -= size.min(left);
        }
        // Something small before and after the large ones.
        if self == Shape::Large {
            blocks.splice(0..0, [1, 5, 1]);
            blocks.extend([7, 1, 1]);
        }
        blocks
    }
}

/// Who decides what event an arc has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Events {
    /// Nobody: any event anywhere.
    Mixed,
    /// Arcs to states with the first predicate have an event of their own.
    Telling,
    /// States are of as many kinds as there are events. From each an event of its kind leads to a state of the kind below, from the lowest to the first predicate: what
    /// avoids that loses one kind after the other.
    Cascade,
}

/// What loops have to do with *gates*, a few states of each block. Arcs to gates have an event and a process of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Temper {
    /// Nothing: there are no gates.
    Wild,
    /// Every loop leads through a gate.
    Gated,
    /// From every state of a loop a step leads to a gate: weak fairness makes it be taken.
    Calling,
    /// From some state of every loop a step leads to a gate: it takes strong fairness.
    Waiting,
}

/// A random graph.
pub(crate) struct Drawn {
    pub(crate) graph: Graph,
    pub(crate) shape: Shape,
    pub(crate) events: Events,
    pub(crate) temper: Temper,
    /// How many events there are.
    pub(crate) count: u32,
}

impl Drawn {
    pub(crate) fn new(rng: &mut Rng, shape: Shape, states: usize) -> Drawn {
        let chords = rng.below(4);
        Drawn::with(rng, shape, states, chords)
    }

    /// One in which half as many chords lead from each state as is said, on average.
    pub(crate) fn with(rng: &mut Rng, shape: Shape, states: usize, chords: usize) -> Drawn {
        let temper = *rng.pick(&[Temper::Wild, Temper::Gated, Temper::Calling, Temper::Waiting]);
        Drawn::tempered(rng, (shape, temper), states, chords, false)
    }

    /// One with large components without the first predicate that only fairness can rule out; in some of them it cannot, for no step to a gate leads from a large *calm* part.
    pub(crate) fn hard(rng: &mut Rng, shape: Shape, states: usize) -> Drawn {
        let temper = *rng.pick(&[Temper::Calling, Temper::Waiting, Temper::Waiting]);
        let chords = 4 + rng.below(6);
        Drawn::tempered(rng, (shape, temper), states, chords, true)
    }

    fn tempered(
        rng: &mut Rng,
        (shape, temper): (Shape, Temper),
        states: usize,
        chords: usize,
        hard: bool,
    ) -> Drawn {
        let events = *rng.pick(&[Events::Mixed, Events::Telling, Events::Cascade]);
        let count = 2 + rng.below(6) as u32;
        let blocks = shape.blocks(rng, states);
        let all = blocks.iter().sum();
        let mut draft = Draft {
            rng,
            events,
            temper,
            count,
            lists: vec![Vec::new(); all],
            predicates: Vec::new(),
            gates: vec![false; all],
            hard,
        };
        draft.random_predicates();
        draft.arcs(&blocks, chords);
        draft.ends();
        draft.tame_predicates();
        let Draft {
            rng,
            lists,
            predicates,
            ..
        } = draft;
        let mut initial = vec![0];
        if rng.chance(1, 3) {
            initial.extend((0..rng.below(200)).map(|_| rng.below(all) as u32));
            initial.sort_unstable();
            initial.dedup();
        }
        let mut graph = Graph::new(initial, lists, predicates);
        graph.hesitant = rng.chance(1, 2);
        Drawn {
            graph,
            shape,
            events,
            temper,
            count,
        }
    }
}

struct Draft<'r> {
    rng: &'r mut Rng,
    events: Events,
    temper: Temper,
    count: u32,
    lists: Vec<Vec<Arc>>,
    predicates: Vec<u8>,
    gates: Vec<bool>,
    hard: bool,
}

impl Draft<'_> {
    fn random_predicates(&mut self) {
        let rng = &mut *self.rng;
        // From a few states in all to every other one.
        let one_in = |rng: &mut Rng| *rng.pick(&[2, 10, 60, 1000]);
        let (p, q, negated) = (one_in(rng), one_in(rng), rng.chance(1, 4));
        let states = self.lists.len();
        for _ in 0..states {
            let p = rng.chance(1, p) != negated;
            let q = rng.chance(1, q);
            let rare = rng.chance(1, states);
            self.predicates
                .push(u8::from(p) | u8::from(q) << 1 | u8::from(rare) << 2);
        }
    }

    /// Where there are gates, they and the ends have a predicate or both; or all that loops can lead through has the first.
    fn tame_predicates(&mut self) {
        if self.temper == Temper::Wild {
            return;
        }
        let bits = if self.hard { 1 } else { *self.rng.pick(&[1, 2, 3]) };
        let persistent = !self.hard && self.rng.chance(1, 4);
        for state in 0..self.lists.len() {
            let tame = self.gates[state] || self.lists[state].is_empty();
            let had = self.predicates[state] & !bits;
            self.predicates[state] = if tame { had | bits } else { had };
            if persistent {
                let backward = self.lists[state].iter().any(|arc| arc.2 as usize <= state);
                let looping = tame || backward || self.temper == Temper::Calling;
                self.predicates[state] = had | u8::from(looping);
            }
        }
    }

    fn arcs(&mut self, blocks: &[usize], chords: usize) {
        let all = self.lists.len();
        // Near arcs make deep graphs, far ones wide levels.
        let reach = *self.rng.pick(&[50, all, all]);
        let mut first = 0;
        for &size in blocks {
            if size > 1 {
                self.block(first, size, chords);
            } else if self.rng.chance(1, 200) {
                self.gates[first] = self.temper != Temper::Wild;
                self.arc(first, first);
            }
            if first > 0 {
                let from = first - 1 - self.rng.below(first.min(reach));
                let to = first + self.rng.below(size);
                self.arc(from, to);
            }
            for _ in 0..size / 4 {
                let (from, to) = (first + self.rng.below(size), first + size + self.rng.below(reach));
                if to < all {
                    self.arc(from, to);
                }
            }
            first += size;
        }
    }

    /// Where there are gates, ends may be some too, with a loop of their own.
    fn ends(&mut self) {
        if self.temper == Temper::Wild || self.rng.chance(1, 2) {
            return;
        }
        for state in 0..self.lists.len() {
            if self.lists[state].is_empty() {
                self.gates[state] = true;
                self.arc(state, state);
            }
        }
    }

    /// A ring and chords through the states of a block, in random order.
    fn block(&mut self, first: usize, size: usize, chords: usize) {
        let mut order: Vec<usize> = (first..first + size).collect();
        (1..size).for_each(|i| order.swap(i, self.rng.below(i + 1)));
        let gates = 1 + size / 64;
        if self.temper != Temper::Wild {
            order[..gates].iter().for_each(|&gate| self.gates[gate] = true);
        }
        let ring = (0..size).map(|i| (i, (i + 1) % size));
        let mut pairs: Vec<(usize, usize)> = ring.collect();
        for _ in 0..size * chords / 2 {
            pairs.push((self.rng.below(size), self.rng.below(size)));
        }
        let calm = self.calm(gates, size);
        for (from, to) in pairs {
            let gate = order[self.rng.below(gates)];
            let backward = to <= from;
            if calm.contains(&from) {
                let to = if backward {
                    calm.start + self.rng.below(calm.len())
                } else {
                    to
                };
                self.arc(order[from], order[to]);
                continue;
            }
            match self.temper {
                Temper::Gated if backward => self.arc(order[from], gate),
                Temper::Waiting if backward => {
                    self.arc(order[from], order[to]);
                    self.arc(order[from], gate);
                }
                Temper::Calling => {
                    self.arc(order[from], order[to]);
                    self.arc(order[from], gate);
                }
                _ => self.arc(order[from], order[to]),
            }
        }
    }

    /// The places of a block from which no step leads to a gate.
    fn calm(&mut self, gates: usize, size: usize) -> std::ops::Range<usize> {
        if !self.hard || size <= 2 * gates || self.rng.chance(1, 2) {
            return 0..0;
        }
        let start = gates + self.rng.below(size - gates);
        start..start + 1 + self.rng.below(size - start)
    }

    fn arc(&mut self, from: usize, to: usize) {
        let wild = self.temper == Temper::Wild;
        let telling = if wild {
            self.predicates[to] & 1 == 1
        } else {
            self.gates[to]
        };
        let any = FIRST_EVENT + self.rng.below(self.count as usize) as u32;
        let event = match self.events {
            _ if telling && !wild => FIRST_EVENT,
            Events::Mixed if self.rng.chance(1, 10) => 0,
            Events::Mixed if wild => any,
            Events::Telling | Events::Cascade if telling => FIRST_EVENT,
            Events::Mixed | Events::Telling => any.max(FIRST_EVENT + 1),
            Events::Cascade => {
                let kind = |state: usize| state as u32 % self.count;
                let falls = kind(from) > 0 && kind(to) == kind(from) - 1;
                if falls { FIRST_EVENT + kind(from) } else { 0 }
            }
        };
        let mut process = || 1 << self.rng.below(if wild { 4 } else { 3 });
        let processes = match (wild, telling) {
            (true, _) => process() | process(),
            (false, true) => 1 << 3,
            (false, false) => process() | process(),
        };
        self.lists[from].push((event, processes, to as u32));
    }
}
