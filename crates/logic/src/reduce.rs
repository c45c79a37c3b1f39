//! Smaller automata with the same language.
//!
//! [`reduce`] takes an automaton with a generalised Büchi condition through rounds of trimming (`trim.rs`), bisimulation,
//! simulation forwards and backwards (`simulation.rs`) and one rule of its own, until a round changes nothing in number:
//! a state on no loop is visited once at most, so its marks do not matter, and it is the same as any state that reads the
//! same letters to the same targets.
//!
//! Cost: simulation is quadratic in the transitions, and automata with more than [`MANY_EDGES`] of them get bisimulation
//! only [PaigeTarjan-SICOMP'87], by rounds of signatures.

use crate::simulation::{merge_parallel, reduce_backward, reduce_forward};
use crate::trim::{Components, compact, saturate, trim};
use crate::{Automaton, Edge, Guard, MarkSet, StateIndex};
use std::collections::HashMap;

/// Automata with more edges are not reduced by simulation.
const MANY_EDGES: usize = 1000;

/// An automaton with the same language and no more states. One whose condition is not a conjunction of `Inf`s of all its
/// marks is returned as it is.
pub fn reduce(mut automaton: Automaton) -> Automaton {
    let marks = automaton.acceptance.as_generalized_buchi();
    if marks.is_none_or(|m| m.len() != automaton.marks as usize) {
        return automaton;
    }
    let size = |a: &Automaton| (a.states.len(), a.edge_count(), a.initial.len());
    trim(&mut automaton);
    loop {
        let before = size(&automaton);
        saturate(&mut automaton);
        merge_bisimilar(&mut automaton);
        trim(&mut automaton);
        if automaton.edge_count() <= MANY_EDGES {
            reduce_forward(&mut automaton);
            trim(&mut automaton);
            reduce_backward(&mut automaton);
            trim(&mut automaton);
        }
        merge_transient(&mut automaton);
        trim(&mut automaton);
        if size(&automaton) >= before {
            break;
        }
    }
    saturate(&mut automaton);
    compact(&mut automaton);
    for state in &mut automaton.states {
        merge_parallel(state);
        state.edges.sort_unstable_by_key(|e| (e.target, e.marks));
    }
    automaton
}

/// Merges states that have the same edges up to merged states.
pub(crate) fn merge_bisimilar(automaton: &mut Automaton) {
    let n = automaton.states.len();
    let mut class = vec![0u32; n];
    let mut classes = usize::from(n > 0);
    loop {
        let mut numbers = HashMap::new();
        let next: Vec<u32> = (0..n)
            .map(|s| {
                let signature = (class[s], signature(&automaton.states[s].edges, &class));
                let fresh = numbers.len() as u32;
                *numbers.entry(signature).or_insert(fresh)
            })
            .collect();
        class = next;
        if numbers.len() == classes {
            break;
        }
        classes = numbers.len();
    }
    let first = |c: u32| {
        class
            .iter()
            .position(|&d| d == c)
            .expect("every class has a member")
    };
    let first: Vec<u32> = (0..classes as u32).map(|c| first(c) as u32).collect();
    redirect(automaton, &|s| StateIndex(first[class[s.index()] as usize]));
}

/// The edges with their targets' classes, in a fixed order.
fn signature(edges: &[Edge], class: &[u32]) -> Vec<(u32, MarkSet, Guard)> {
    let mut parts: Vec<(u32, MarkSet, &Guard)> = edges
        .iter()
        .map(|e| (class[e.target.index()], e.marks, &e.guard))
        .collect();
    parts.sort_unstable();
    let same = |a: &(u32, MarkSet, &Guard), b: &(u32, MarkSet, &Guard)| (a.0, a.1) == (b.0, b.1);
    parts
        .chunk_by(same)
        .map(|group| (group[0].0, group[0].1, union(group.iter().map(|g| g.2))))
        .collect()
}

/// What satisfies some of the guards.
fn union<'a>(mut guards: impl ExactSizeIterator<Item = &'a Guard>) -> Guard {
    match (guards.len(), guards.next()) {
        (1, Some(only)) => only.clone(),
        (_, first) => Guard::new(
            first
                .into_iter()
                .chain(guards)
                .flat_map(Guard::cubes)
                .copied()
                .collect(),
        ),
    }
}

/// Replaces a state on no loop by one with the same edges up to marks.
fn merge_transient(automaton: &mut Automaton) {
    let parts = Components::of(automaton);
    let n = automaton.states.len();
    let unmarked: Vec<Vec<(StateIndex, Guard)>> =
        automaton.states.iter().map(|s| by_target(&s.edges)).collect();
    // The first state with the same edges, those on loops before the others.
    let mut twins: HashMap<&[(StateIndex, Guard)], usize> = HashMap::new();
    let (transient, looping): (Vec<usize>, Vec<usize>) = (0..n).partition(|&s| parts.is_transient(s));
    for s in looping.into_iter().chain(transient) {
        twins.entry(&unmarked[s]).or_insert(s);
    }
    let twin = |s: usize| {
        if parts.is_transient(s) {
            twins[unmarked[s].as_slice()]
        } else {
            s
        }
    };
    let twins: Vec<usize> = (0..n).map(twin).collect();
    redirect(automaton, &|s| StateIndex(twins[s.index()] as u32));
}

/// What each target is reached by, whatever the marks.
fn by_target(edges: &[Edge]) -> Vec<(StateIndex, Guard)> {
    let mut parts: Vec<(StateIndex, &Guard)> = edges.iter().map(|e| (e.target, &e.guard)).collect();
    parts.sort_unstable();
    let groups = parts.chunk_by(|a, b| a.0 == b.0);
    groups
        .map(|group| (group[0].0, union(group.iter().map(|g| g.1))))
        .collect()
}

/// Replaces states by others everywhere.
fn redirect(automaton: &mut Automaton, to: &dyn Fn(StateIndex) -> StateIndex) {
    for state in &mut automaton.states {
        for edge in &mut state.edges {
            edge.target = to(edge.target);
        }
        merge_parallel(state);
    }
    automaton.initial.iter_mut().for_each(|s| *s = to(*s));
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
}
