//! A naive decider by components, and wrong versions of it.
//!
//! It does what a search for fair components must do, without any of its economy: try every set of marks to avoid, compute components by transitive closure, discard what
//! fails a weak obligation or strong global fairness, drop the nodes that fail a strong one and split again. Each [`Slip`] breaks one of its rules. The right version
//! must agree with the oracle on all cases, and every slip must not: then the cases are such that a search with that mistake would be found out.

use crate::constraint::Fair;
use fairhold_logic::{Acceptance, MarkId};
use fairhold_testkit::fair::{
    Constraint, Graph, IDLE, Move, Party, Product, Set, Strength, TAU, TERMINATE, When, members,
};

/// A rule broken on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Slip {
    /// Global: every node of the component must take every step of its state, as in Lemma 4 of [Si-FCS'14]. Too strong where the automaton has a choice.
    GlobalByNode,
    /// Global: only the state that a step enters must be in the component, not the step, as `prune` there has it. Too weak.
    GlobalByTarget,
    /// Weak: the running intersection of what is enabled starts afresh when it has become empty.
    WeakRestarts,
    /// Strong: the nodes that fail are dropped, and the rest is taken for one component without being split.
    StrongUnsplit,
    /// Strong: a component that fails is discarded whole.
    StrongGivesUp,
    /// What self-loops of the product carry (marks, events, processes) is not collected.
    SelfLoopsLost,
    /// Of several moves between the same two nodes only the first one's marks, events and processes are collected.
    ParallelLost,
    /// For a mark to be avoided, the nodes entered with it are dropped instead of the moves.
    NodesForMoves,
    /// A state without steps is no loop.
    NoIdling,
    /// Strong obligations are read as weak ones.
    StrongAsWeak,
    /// Weak obligations are read as strong ones.
    WeakAsStrong,
    /// `tau` is an obligation wherever events are.
    TauOwed,
}

impl Slip {
    pub(crate) const ALL: [Slip; 12] = [
        Slip::GlobalByNode,
        Slip::GlobalByTarget,
        Slip::WeakRestarts,
        Slip::StrongUnsplit,
        Slip::StrongGivesUp,
        Slip::SelfLoopsLost,
        Slip::ParallelLost,
        Slip::NodesForMoves,
        Slip::NoIdling,
        Slip::StrongAsWeak,
        Slip::WeakAsStrong,
        Slip::TauOwed,
    ];
}

/// Which rules a decision took.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Used {
    /// A component was discarded for a weak obligation.
    pub(crate) weak: bool,
    /// Nodes were dropped for a strong obligation.
    pub(crate) dropped: bool,
    /// What was left then fell into several components, or a fair one was among it.
    pub(crate) split: bool,
    /// A component was discarded for strong global fairness.
    pub(crate) global: bool,
    /// A fair component exists only where some mark is avoided.
    pub(crate) avoided: bool,
}

impl Used {
    /// The rules that either took.
    pub(crate) fn or(self, other: Used) -> Used {
        Used {
            weak: self.weak || other.weak,
            dropped: self.dropped || other.dropped,
            split: self.split || other.split,
            global: self.global || other.global,
            avoided: self.avoided || other.avoided,
        }
    }

    /// The rules by name.
    pub(crate) fn named(self) -> [(&'static str, bool); 5] {
        [
            ("a component that fails a weak obligation", self.weak),
            ("nodes dropped for a strong obligation", self.dropped),
            ("a component split for a strong obligation", self.split),
            ("a component that is not globally fair", self.global),
            ("a mark that must be avoided", self.avoided),
        ]
    }
}

/// An obligation, with the nodes where its party is there.
#[derive(Clone, Copy)]
struct Owed {
    strength: Strength,
    party: Party,
    there: Set,
}

/// What is to be decided.
pub(crate) struct Decision<'a> {
    graph: &'a Graph,
    product: &'a Product,
    acceptance: Acceptance,
    /// By move: the automaton's marks, then the formula's.
    marks: Vec<u64>,
    owed: Vec<Owed>,
    global: bool,
    slip: Option<Slip>,
}

impl<'a> Decision<'a> {
    /// The decision under a constraint, for an automaton with this condition over this many marks.
    pub(crate) fn new(
        graph: &'a Graph,
        product: &'a Product,
        (acceptance, marks): (&Acceptance, u32),
        fair: &Fair,
        slip: Option<Slip>,
    ) -> Decision<'a> {
        let formula = fair.search.formula.renumbered(&|MarkId(m)| MarkId(m + marks));
        let holding = |m: &Move| {
            let step = &graph.steps[m.step];
            let holds = fair
                .marks
                .iter()
                .enumerate()
                .filter(|(_, a)| a.holds(graph, step));
            holds.fold(m.marks, |all, (i, _)| all | 1 << (marks + i as u32))
        };
        let mut decision = Decision {
            graph,
            product,
            acceptance: Acceptance::and([acceptance.clone(), formula]),
            marks: product.moves.iter().map(holding).collect(),
            owed: Vec::new(),
            global: false,
            slip,
        };
        decision.require(&fair.definition);
        decision
    }

    fn require(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::All(parts) => parts.iter().for_each(|c| self.require(c)),
            Constraint::Global => self.global = true,
            // It is part of the condition already.
            Constraint::Formula(_) => {}
            Constraint::Obligation {
                strength,
                when,
                party,
            } => {
                let strength = match self.slip {
                    Some(Slip::StrongAsWeak) => Strength::Weak,
                    Some(Slip::WeakAsStrong) => Strength::Strong,
                    _ => *strength,
                };
                self.owe(strength, *when, *party);
                if self.slip == Some(Slip::TauOwed) && *party == Party::Event(TERMINATE) {
                    self.owe(strength, *when, Party::Event(TAU));
                }
            }
        }
    }

    fn owe(&mut self, strength: Strength, when: When, party: Party) {
        let states = match (when, party) {
            (When::Ready, Party::Event(e)) => {
                let offered = |&s: &usize| self.graph.offered[s] >> e & 1 == 1;
                let offers = (0..self.graph.offered.len()).filter(offered);
                offers.fold(party.enabled(self.graph), |all, s| all | 1 << s)
            }
            _ => party.enabled(self.graph),
        };
        let nodes = self.product.nodes.iter().enumerate();
        let there = nodes.filter(|(_, (state, _))| states >> state & 1 == 1);
        self.owed.push(Owed {
            strength,
            party,
            there: there.fold(0, |all, (n, _)| all | 1 << n),
        });
    }

    /// Whether there is a fair accepted execution, and how that was found out.
    pub(crate) fn decide(&self) -> (bool, Used) {
        let mut used = Used::default();
        let fins = fins(&self.acceptance);
        // All subsets of the marks that may have to be avoided, none of them first.
        let mut avoided = 0u64;
        loop {
            if self.decide_without(avoided, &mut used) {
                used.avoided = avoided != 0;
                return (true, used);
            }
            avoided = avoided.wrapping_sub(fins) & fins;
            if avoided == 0 {
                return (false, used);
            }
        }
    }

    /// The same among executions that meet none of these marks infinitely often.
    fn decide_without(&self, avoided: u64, used: &mut Used) -> bool {
        let mut waiting = self.components(Set::MAX, avoided);
        let mut split_off: Set = 0;
        while let Some(nodes) = waiting.pop() {
            let inside: Vec<usize> = self.moves_in(nodes, avoided).collect();
            if inside.is_empty() {
                continue;
            }
            let collected = self.collected(&inside);
            if !self.weak_met(nodes, &collected) {
                used.weak = true;
                continue;
            }
            if self.global && !self.is_closed(nodes, &inside) {
                used.global = true;
                continue;
            }
            let bad = self.strong_failing(nodes, &collected);
            if bad != 0 {
                used.dropped = true;
                match self.slip {
                    Some(Slip::StrongGivesUp) => {}
                    Some(Slip::StrongUnsplit) => waiting.push(nodes & !bad),
                    _ => {
                        let parts = self.components(nodes & !bad, avoided);
                        used.split |= parts.len() > 1;
                        split_off = parts.iter().fold(split_off, |all, c| all | c);
                        waiting.extend(parts);
                    }
                }
                continue;
            }
            let seen = collected.iter().fold(0, |all, &i| all | self.marks[i]);
            if self.acceptance.accepts(&|MarkId(m)| seen >> m & 1 == 1) {
                used.split |= nodes & split_off != 0;
                return true;
            }
        }
        false
    }

    /// The moves between these nodes without the marks to be avoided.
    fn moves_in(&self, nodes: Set, avoided: u64) -> impl Iterator<Item = usize> {
        (0..self.product.moves.len()).filter(move |&i| self.is_move_in(i, nodes, avoided))
    }

    fn is_move_in(&self, i: usize, nodes: Set, avoided: u64) -> bool {
        let m = &self.product.moves[i];
        let idle = self.graph.steps[m.step].event == IDLE;
        nodes >> m.from & 1 == 1
            && nodes >> m.to & 1 == 1
            && self.marks[i] & avoided == 0
            && !(idle && self.slip == Some(Slip::NoIdling))
    }

    fn components(&self, nodes: Set, avoided: u64) -> Vec<Set> {
        let mut nodes = nodes;
        if self.slip == Some(Slip::NodesForMoves) {
            let marked = (0..self.marks.len()).filter(|&i| self.marks[i] & avoided != 0);
            nodes = marked.fold(nodes, |rest, i| rest & !(1 << self.product.moves[i].to));
        }
        self.product.components(|i| self.is_move_in(i, nodes, avoided))
    }

    /// The moves whose marks, events and processes count.
    fn collected(&self, inside: &[usize]) -> Vec<usize> {
        let ends = |i: usize| (self.product.moves[i].from, self.product.moves[i].to);
        let counts = |&i: &usize| match self.slip {
            Some(Slip::SelfLoopsLost) => ends(i).0 != ends(i).1,
            Some(Slip::ParallelLost) => inside.iter().find(|&&j| ends(j) == ends(i)) == Some(&i),
            _ => true,
        };
        inside.iter().copied().filter(counts).collect()
    }

    fn is_engaged(&self, party: Party, collected: &[usize]) -> bool {
        let mut steps = collected
            .iter()
            .map(|&i| &self.graph.steps[self.product.moves[i].step]);
        steps.any(|step| party.takes(step))
    }

    fn weak_met(&self, nodes: Set, collected: &[usize]) -> bool {
        let weak: Vec<&Owed> = self
            .owed
            .iter()
            .filter(|o| o.strength == Strength::Weak)
            .collect();
        let always: Vec<bool> = if self.slip == Some(Slip::WeakRestarts) {
            let here = |node: usize| {
                weak.iter()
                    .map(|o| o.there >> node & 1 == 1)
                    .collect::<Vec<bool>>()
            };
            let mut running = vec![false; weak.len()];
            for node in members(nodes) {
                let start = !running.contains(&true);
                let here = here(node);
                running = running
                    .iter()
                    .zip(here)
                    .map(|(r, h)| (start || *r) && h)
                    .collect();
            }
            running
        } else {
            weak.iter().map(|o| nodes & !o.there == 0).collect()
        };
        let mut owed = weak.iter().zip(always).filter(|(_, always)| *always);
        owed.all(|(o, _)| self.is_engaged(o.party, collected))
    }

    /// Nodes in which someone is there who has a strong obligation that fails.
    fn strong_failing(&self, nodes: Set, collected: &[usize]) -> Set {
        let strong = self.owed.iter().filter(|o| o.strength == Strength::Strong);
        let failing = strong.filter(|o| !self.is_engaged(o.party, collected));
        failing.fold(0, |bad, o| bad | o.there & nodes)
    }

    /// Whether every step from a state of the component is taken inside.
    fn is_closed(&self, nodes: Set, inside: &[usize]) -> bool {
        let state = |node: usize| self.product.nodes[node].0;
        let taken = |step: usize, from: &dyn Fn(usize) -> bool| {
            let mut moves = inside.iter().map(|&i| &self.product.moves[i]);
            moves.any(|m| m.step == step && from(m.from))
        };
        members(nodes).all(|node| {
            let steps = self.graph.steps_where(|s| s.from == state(node));
            members(steps).all(|step| match self.slip {
                Some(Slip::GlobalByNode) => taken(step, &|from| from == node),
                Some(Slip::GlobalByTarget) => members(nodes).any(|n| state(n) == self.graph.steps[step].to),
                _ => taken(step, &|_| true),
            })
        })
    }
}

/// The marks that a condition may ask to be avoided.
fn fins(acceptance: &Acceptance) -> u64 {
    match acceptance {
        Acceptance::Fin(MarkId(m)) => 1 << m,
        Acceptance::And(parts) | Acceptance::Or(parts) => parts.iter().fold(0, |all, a| all | fins(a)),
        Acceptance::True | Acceptance::False | Acceptance::Inf(_) => 0,
    }
}
