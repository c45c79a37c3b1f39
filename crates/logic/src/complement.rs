//! The complement of an automaton: it accepts exactly the words that the automaton does not.
//!
//! A deterministic automaton has one run on each word, so it is enough to say the opposite of its condition, once every word has a run: letters that cannot be read
//! lead to a sink, which is accepting afterwards. Emerson-Lei conditions are closed under negation, so nothing grows. Any other automaton is made
//! deterministic first (`buchi.rs`, `determinise.rs`); that is where the price is paid.
//!
//! The result is pruned where that is cheap: components in which no loop can be accepting lead nowhere, and states with the same edges are one.

use crate::buchi::{degeneralised, generalised};
use crate::components::components;
use crate::determinise::determinise;
use crate::reduce::{merge_bisimilar, reduce};
use crate::trim::{edges, renumber, successors};
use crate::{Acceptance, Automaton, Edge, Guard, MAX_MARKS, MarkId, MarkSet, State, StateIndex, TooLarge};

/// An automaton over the same atoms that accepts exactly the words that this one does not.
pub fn complement(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    let mut result = deterministic(automaton)?;
    result.acceptance = result.acceptance.negated();
    add_sink(&mut result)?;
    prune(&mut result);
    drop_unused_marks(&mut result);
    merge_bisimilar(&mut result);
    renumber(&mut result);
    debug_assert!(result.is_well_formed());
    Ok(result)
}

fn deterministic(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    if automaton.is_deterministic() {
        return Ok(automaton.clone());
    }
    let general = reduce(generalised(automaton)?);
    if general.is_deterministic() {
        return Ok(general);
    }
    determinise(&reduce(degeneralised(&general)?))
}

/// Leads every letter that a state cannot read to a sink, where all runs are accepting.
fn add_sink(automaton: &mut Automaton) -> Result<(), TooLarge> {
    let sink = StateIndex(automaton.states.len() as u32);
    let mut needed = automaton.initial.is_empty();
    for state in &mut automaton.states {
        let cubes = state.edges.iter().flat_map(|e| e.guard.cubes()).copied();
        let unread = Guard::new(cubes.collect()).negated();
        if !unread.is_false() {
            needed = true;
            state.edges.push(Edge {
                guard: unread,
                marks: MarkSet::EMPTY,
                target: sink,
            });
        }
    }
    if !needed {
        return Ok(());
    }
    if automaton.initial.is_empty() {
        automaton.initial.push(sink);
    }
    let all = MarkSet::all(automaton.marks);
    let enough = [MarkSet::EMPTY, all]
        .into_iter()
        .find(|marks| automaton.accepts(*marks));
    let marks = match enough {
        Some(marks) => marks,
        None if automaton.marks < MAX_MARKS => {
            let own = MarkId(automaton.marks);
            let condition = std::mem::replace(&mut automaton.acceptance, Acceptance::True);
            automaton.acceptance = Acceptance::or([condition, Acceptance::Inf(own)]);
            automaton.marks += 1;
            std::iter::once(own).collect()
        }
        None => return Err(TooLarge::Marks(automaton.marks as usize + 1)),
    };
    let around = Edge {
        guard: Guard::verum(),
        marks,
        target: sink,
    };
    automaton.states.push(State { edges: vec![around] });
    Ok(())
}

/// Drops edges to where no run can be accepting, and marks that are met once at most.
///
/// A component is given up if its condition is false once it is known which marks all of its edges have, and which none. That leaves
/// some that are hopeless for deeper reasons; a search finds nothing there.
fn prune(automaton: &mut Automaton) {
    let of = components(&successors(automaton, |_| true));
    let count = of.iter().max().map_or(0, |&c| c + 1);
    let mut seen: Vec<Option<(MarkSet, MarkSet)>> = vec![None; count];
    for (from, edge) in edges(automaton) {
        if of[from] == of[edge.target.index()] {
            let (some, every) = seen[of[from]].unwrap_or((edge.marks, edge.marks));
            seen[of[from]] = Some((some.union(edge.marks), every.intersection(edge.marks)));
        }
    }
    let possible = |(some, every): (MarkSet, MarkSet)| {
        let known = |m: MarkId, open: fn(MarkId) -> Acceptance, met: Acceptance| match (
            some.contains(m),
            every.contains(m),
        ) {
            (false, _) => met.negated(),
            (_, true) => met,
            _ => open(m),
        };
        let inf = |m| known(m, Acceptance::Inf, Acceptance::True);
        let fin = |m| known(m, Acceptance::Fin, Acceptance::False);
        automaton.acceptance.map(&inf, &fin) != Acceptance::False
    };
    let mut useful: Vec<bool> = seen.iter().map(|marks| marks.is_some_and(possible)).collect();
    // Edges lead to components of the same or a smaller number.
    let mut order: Vec<usize> = (0..of.len()).collect();
    order.sort_by_key(|&state| of[state]);
    for state in order {
        let mut targets = automaton.states[state].edges.iter().map(|e| of[e.target.index()]);
        useful[of[state]] |= targets.any(|target| useful[target]);
    }
    for (from, state) in automaton.states.iter_mut().enumerate() {
        state.edges.retain(|e| useful[of[e.target.index()]]);
        for edge in &mut state.edges {
            if of[edge.target.index()] != of[from] {
                edge.marks = MarkSet::EMPTY;
            }
        }
    }
    automaton.initial.retain(|s| useful[of[s.index()]]);
    renumber(automaton);
}

/// Numbers the marks that are on some edge without gaps, and leaves the others out of the condition.
fn drop_unused_marks(automaton: &mut Automaton) {
    let used = edges(automaton).fold(MarkSet::EMPTY, |all, (_, edge)| all.union(edge.marks));
    let below = |m: MarkId| MarkId(used.intersection(MarkSet::all(m.0)).0.count_ones());
    let inf = |m| {
        if used.contains(m) {
            Acceptance::Inf(below(m))
        } else {
            Acceptance::False
        }
    };
    let fin = |m| {
        if used.contains(m) {
            Acceptance::Fin(below(m))
        } else {
            Acceptance::True
        }
    };
    automaton.acceptance = automaton.acceptance.map(&inf, &fin);
    automaton.marks = used.0.count_ones();
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        edge.marks = edge.marks.iter().map(below).collect();
    }
}
