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
use crate::{Automaton, Edge, Guard, StateIndex};
use std::collections::HashMap;

/// Automata with more edges are not reduced by simulation.
const MANY_EDGES: usize = 1500;

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
fn merge_bisimilar(automaton: &mut Automaton) {
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
fn signature(edges: &[Edge], class: &[u32]) -> Vec<(u32, u64, Guard)> {
    let mut guards: HashMap<(u32, u64), Guard> = HashMap::new();
    for edge in edges {
        let guard = guards
            .entry((class[edge.target.index()], edge.marks.0))
            .or_default();
        *guard = guard.or(&edge.guard);
    }
    let mut signature: Vec<_> = guards.into_iter().map(|((c, m), g)| (c, m, g)).collect();
    signature.sort_unstable();
    signature
}

/// Replaces a state on no loop by one with the same edges up to marks.
fn merge_transient(automaton: &mut Automaton) {
    let parts = Components::of(automaton);
    let n = automaton.states.len();
    let unmarked: Vec<Vec<(u32, Guard)>> = automaton.states.iter().map(|s| by_target(&s.edges)).collect();
    let twin = |s: usize| {
        let same = |&t: &usize| t != s && (!parts.is_transient(t) || t < s) && unmarked[s] == unmarked[t];
        if parts.is_transient(s) {
            (0..n).find(same)
        } else {
            None
        }
    };
    let twins: Vec<usize> = (0..n).map(|s| twin(s).unwrap_or(s)).collect();
    redirect(automaton, &|s| StateIndex(twins[s.index()] as u32));
}

/// What each target is reached by, whatever the marks.
fn by_target(edges: &[Edge]) -> Vec<(u32, Guard)> {
    let mut guards: Vec<(u32, Guard)> = Vec::new();
    for edge in edges {
        match guards.iter_mut().find(|(t, _)| *t == edge.target.0) {
            Some((_, guard)) => *guard = guard.or(&edge.guard),
            None => guards.push((edge.target.0, edge.guard.clone())),
        }
    }
    guards.sort_unstable();
    guards
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
