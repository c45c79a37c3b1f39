//! What an automaton with a generalised Büchi condition can do without, seen from its components.
//!
//! [`trim`] drops the states that no run reaches or from which no run is accepting. [`saturate`] gives marks a canonical place:
//! a transition that an accepting run takes only finitely often has none, and a transition gets every mark that a loop through
//! it meets anyway; so that states which differ only by chance become equal. [`compact`] renames the marks within each
//! component so that few are left. None changes the language; each is linear in the automaton times its marks.
//!
//! Marks matter inside an accepting component only (a maximal SCC whose transitions bear all marks): a run that stays elsewhere
//! is rejected whatever it meets [Couvreur-FM'99].

use crate::components::components;
use crate::{Acceptance, Automaton, Edge, MarkSet, StateIndex};

/// The maximal SCCs of an automaton, and which of them are accepting.
pub(crate) struct Components {
    of: Vec<usize>,
    /// Whether a component has a transition inside.
    loops: Vec<bool>,
    accepting: Vec<bool>,
}

impl Components {
    /// The components of an automaton whose condition is a conjunction of `Inf`s of all marks.
    pub(crate) fn of(automaton: &Automaton) -> Components {
        let of = components(&successors(automaton, |_| true));
        let count = of.iter().max().map_or(0, |&c| c + 1);
        let mut loops = vec![false; count];
        let mut marks = vec![MarkSet::EMPTY; count];
        for (from, edge) in edges(automaton) {
            if of[from] == of[edge.target.index()] {
                loops[of[from]] = true;
                marks[of[from]] = marks[of[from]].union(edge.marks);
            }
        }
        let all = MarkSet::all(automaton.marks);
        let accepting = (0..count).map(|c| loops[c] && marks[c] == all).collect();
        Components { of, loops, accepting }
    }

    /// Whether the edge stays inside an accepting component.
    fn counts(&self, from: usize, edge: &Edge) -> bool {
        self.of[from] == self.of[edge.target.index()] && self.accepting[self.of[from]]
    }

    /// Whether no loop passes through the state.
    pub(crate) fn is_transient(&self, state: usize) -> bool {
        !self.loops[self.of[state]]
    }
}

pub(crate) fn edges(automaton: &Automaton) -> impl Iterator<Item = (usize, &Edge)> {
    let states = automaton.states.iter().enumerate();
    states.flat_map(|(from, state)| state.edges.iter().map(move |e| (from, e)))
}

pub(crate) fn successors(automaton: &Automaton, keep: impl Fn(&Edge) -> bool) -> Vec<Vec<usize>> {
    let targets = |edges: &[Edge]| {
        edges
            .iter()
            .filter(|e| keep(e))
            .map(|e| e.target.index())
            .collect()
    };
    automaton.states.iter().map(|s| targets(&s.edges)).collect()
}

/// Drops useless states and numbers the others in breadth-first order.
pub(crate) fn trim(automaton: &mut Automaton) {
    let parts = Components::of(automaton);
    let n = automaton.states.len();
    // Successors have smaller or equal component numbers: one pass in that order finds what reaches an accepting one.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&s| parts.of[s]);
    let mut useful = parts.accepting.clone();
    for &s in &order {
        useful[parts.of[s]] |= automaton.states[s]
            .edges
            .iter()
            .any(|e| useful[parts.of[e.target.index()]]);
    }
    for state in &mut automaton.states {
        state.edges.retain(|e| useful[parts.of[e.target.index()]]);
    }
    automaton.initial.retain(|s| useful[parts.of[s.index()]]);
    renumber(automaton);
}

/// Keeps the reachable states only, in breadth-first order.
pub(crate) fn renumber(automaton: &mut Automaton) {
    let mut number = vec![None; automaton.states.len()];
    let mut order: Vec<usize> = Vec::new();
    let mut visit = |s: &mut StateIndex, order: &mut Vec<usize>| {
        let new = *number[s.index()].get_or_insert_with(|| {
            order.push(s.index());
            StateIndex(order.len() as u32 - 1)
        });
        *s = new;
    };
    for s in &mut automaton.initial {
        visit(s, &mut order);
    }
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    let mut states = Vec::new();
    while let Some(&old) = order.get(states.len()) {
        let mut state = std::mem::take(&mut automaton.states[old]);
        for edge in &mut state.edges {
            visit(&mut edge.target, &mut order);
        }
        states.push(state);
    }
    automaton.states = states;
}

/// Puts marks where they must or may be, and nowhere else.
pub(crate) fn saturate(automaton: &mut Automaton) {
    let parts = Components::of(automaton);
    for (from, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            if !parts.counts(from, edge) {
                edge.marks = MarkSet::EMPTY;
            }
        }
    }
    for mark in MarkSet::all(automaton.marks).iter() {
        // Without the edges that have the mark: a loop that remains does without it, all other edges meet it.
        let without = components(&successors(automaton, |e| !e.marks.contains(mark)));
        for (from, state) in automaton.states.iter_mut().enumerate() {
            for edge in &mut state.edges {
                if parts.counts(from, edge) && without[from] != without[edge.target.index()] {
                    edge.marks.insert(mark);
                }
            }
        }
    }
}

/// Renames marks, component by component, so that as few as possible are left. The automaton must be saturated.
pub(crate) fn compact(automaton: &mut Automaton) {
    let parts = Components::of(automaton);
    let count = parts.loops.len();
    let needed: Vec<Vec<u32>> = (0..count).map(|c| needed_marks(automaton, &parts, c)).collect();
    let rejecting = (0..count).any(|c| parts.loops[c] && !parts.accepting[c]);
    let most = needed.iter().map(Vec::len).max().unwrap_or(0);
    // A loop that must be rejected needs a mark to do without.
    let marks = most.max(usize::from(rejecting)) as u32;
    for (from, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            if !parts.counts(from, edge) {
                continue;
            }
            let names = &needed[parts.of[from]];
            let missing = names
                .iter()
                .enumerate()
                .filter(|&(_, &old)| edge.marks.0 >> old & 1 == 0);
            let missing = missing.fold(0, |all, (new, _)| all | 1u64 << new);
            edge.marks = MarkSet(MarkSet::all(marks).0 & !missing);
        }
    }
    automaton.marks = marks;
    automaton.acceptance = Acceptance::generalized_buchi(marks);
}

/// The marks of a component that no other mark makes superfluous.
fn needed_marks(automaton: &Automaton, parts: &Components, component: usize) -> Vec<u32> {
    let inside = edges(automaton).filter(|(from, e)| parts.of[*from] == component && parts.counts(*from, e));
    let sets: Vec<u64> = inside.map(|(_, e)| e.marks.0).collect();
    let mut needed: Vec<u32> = (0..automaton.marks)
        .filter(|&m| sets.iter().any(|s| s >> m & 1 == 0))
        .collect();
    // Where each edge with mark k has mark m, meeting k infinitely often is meeting m infinitely often.
    let mut i = 0;
    while i < needed.len() {
        let m = needed[i];
        let follows = |&k: &u32| k != m && sets.iter().all(|s| s >> k & 1 == 0 || s >> m & 1 == 1);
        if needed.iter().any(follows) {
            needed.remove(i);
        } else {
            i += 1;
        }
    }
    needed
}
