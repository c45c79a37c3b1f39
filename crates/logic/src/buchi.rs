//! Any automaton as a Büchi automaton.
//!
//! [`generalised`] takes the `Fin`s out of a condition. The condition is written as a disjunction; a run that satisfies one of its terms meets
//! the marks which that term forbids finitely often, so from some position on it stays in a copy of the automaton that lacks their edges. The run guesses the term and the position.
//! [`degeneralised`] then counts several marks one after the other: a round is over when each has been met [GastinOddoux-CAV'01].
//!
//! Cost: a copy of the automaton for each term, of which there may be exponentially many in the condition, and one for each mark.

use crate::acceptance::Acceptance;
use crate::{Automaton, Edge, MarkId, MarkSet, State, StateIndex, TooLarge};
use std::collections::HashMap;

/// The most edges of an automaton on the way to a complement.
pub(crate) const EDGE_LIMIT: usize = 100_000;

/// The most terms of a condition.
const TERM_LIMIT: usize = 1000;

/// A conjunction: all of `inf` infinitely often, none of `fin`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Term {
    inf: MarkSet,
    fin: MarkSet,
}

/// An automaton with the same language whose condition is a conjunction of `Inf`s of all its marks.
pub(crate) fn generalised(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    let terms = terms(&automaton.acceptance)?;
    let most = terms.iter().map(|t| t.inf.0.count_ones()).max().unwrap_or(0);
    let guessing = !matches!(terms[..], [term] if term.fin.is_empty());
    // A run that never guesses needs a mark to do without.
    let marks = most.max(u32::from(guessing));
    let copies = terms.len() + usize::from(guessing);
    let edges = automaton
        .edge_count()
        .saturating_mul(copies + terms.len() * usize::from(guessing));
    if edges > EDGE_LIMIT {
        return Err(TooLarge::Size(EDGE_LIMIT));
    }
    let n = automaton.states.len() as u32;
    let in_copy = |state: StateIndex, copy: usize| StateIndex(state.0 + copy as u32 * n);
    let mut states = Vec::with_capacity(copies * automaton.states.len());
    for term in &terms {
        for state in &automaton.states {
            let copy = states.len() / n as usize;
            let allowed = state
                .edges
                .iter()
                .filter(|e| e.marks.intersection(term.fin).is_empty());
            let edges = allowed.map(|e| Edge {
                guard: e.guard.clone(),
                marks: numbered(e.marks, term.inf, marks),
                target: in_copy(e.target, copy),
            });
            states.push(State {
                edges: edges.collect(),
            });
        }
    }
    if guessing {
        for state in &automaton.states {
            let to = |copy: usize| {
                state.edges.iter().map(move |e| Edge {
                    guard: e.guard.clone(),
                    marks: MarkSet::EMPTY,
                    target: in_copy(e.target, copy),
                })
            };
            states.push(State {
                edges: (0..copies).flat_map(to).collect(),
            });
        }
    }
    let initial = (0..copies).flat_map(|copy| automaton.initial.iter().map(move |&s| in_copy(s, copy)));
    Ok(Automaton {
        initial: initial.collect(),
        states,
        acceptance: Acceptance::generalized_buchi(marks),
        marks,
        ..Automaton::empty(automaton.atoms.clone())
    })
}

/// The marks of `wanted` that are among these, numbered by their place there; all numbers below `marks` without a place are added.
fn numbered(these: MarkSet, wanted: MarkSet, marks: u32) -> MarkSet {
    let places = (0..).map(MarkId).zip(wanted.iter());
    let met = places
        .filter(|(_, mark)| these.contains(*mark))
        .map(|(place, _)| place);
    met.chain((wanted.0.count_ones()..marks).map(MarkId)).collect()
}

/// The condition as a disjunction, without terms that contradict themselves or say more than another one.
fn terms(acceptance: &Acceptance) -> Result<Vec<Term>, TooLarge> {
    let anything = Term {
        inf: MarkSet::EMPTY,
        fin: MarkSet::EMPTY,
    };
    let one = |mark: &MarkId| std::iter::once(*mark).collect();
    Ok(match acceptance {
        Acceptance::True => vec![anything],
        Acceptance::False => Vec::new(),
        Acceptance::Inf(m) => vec![Term {
            inf: one(m),
            ..anything
        }],
        Acceptance::Fin(m) => vec![Term {
            fin: one(m),
            ..anything
        }],
        Acceptance::Or(operands) => {
            let mut all = Vec::new();
            for operand in operands {
                all.extend(terms(operand)?);
            }
            distinct(all)?
        }
        Acceptance::And(operands) => {
            let mut all = vec![anything];
            for operand in operands {
                let right = terms(operand)?;
                let pairs = all.iter().flat_map(|p| {
                    right.iter().map(|q| Term {
                        inf: p.inf.union(q.inf),
                        fin: p.fin.union(q.fin),
                    })
                });
                let sound = pairs.filter(|t| t.inf.intersection(t.fin).is_empty());
                all = distinct(sound.collect())?;
            }
            all
        }
    })
}

/// The terms that say no more than any other.
fn distinct(terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
    let mut kept: Vec<Term> = Vec::new();
    let weaker = |a: &Term, b: &Term| a.inf.is_subset(b.inf) && a.fin.is_subset(b.fin);
    for term in terms {
        if kept.iter().any(|k| weaker(k, &term)) {
            continue;
        }
        kept.retain(|k| !weaker(&term, k));
        kept.push(term);
        if kept.len() > TERM_LIMIT {
            return Err(TooLarge::Size(TERM_LIMIT));
        }
    }
    Ok(kept)
}

/// An automaton with the same language and the condition `Inf(0)`, from one whose condition is a conjunction of `Inf`s of all its marks.
pub(crate) fn degeneralised(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    let mut nodes: Vec<(StateIndex, u32)> = Vec::new();
    let mut numbers: HashMap<(StateIndex, u32), StateIndex> = HashMap::new();
    let mut number = |node, nodes: &mut Vec<(StateIndex, u32)>| {
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            StateIndex(nodes.len() as u32 - 1)
        })
    };
    let initial = automaton
        .initial
        .iter()
        .map(|&s| number((s, 0), &mut nodes))
        .collect();
    let mut states: Vec<State> = Vec::new();
    let mut edges = 0;
    while let Some(&(state, level)) = nodes.get(states.len()) {
        let mut next = State::default();
        for edge in automaton.edges(state) {
            // The next mark to be met; several at once count.
            let waiting = (level..automaton.marks).find(|&m| !edge.marks.contains(MarkId(m)));
            let round: MarkSet = waiting.is_none().then_some(MarkId(0)).into_iter().collect();
            next.edges.push(Edge {
                guard: edge.guard.clone(),
                marks: round,
                target: number((edge.target, waiting.unwrap_or(0)), &mut nodes),
            });
        }
        edges += next.edges.len();
        if edges > EDGE_LIMIT {
            return Err(TooLarge::Size(EDGE_LIMIT));
        }
        states.push(next);
    }
    Ok(Automaton {
        initial,
        states,
        acceptance: Acceptance::generalized_buchi(1),
        marks: 1,
        ..Automaton::empty(automaton.atoms.clone())
    })
}
