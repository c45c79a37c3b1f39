//! Every definition of fairness, read off a set of steps taken forever.

use crate::notion;
use crate::small::{Small, takes_part};
use fairhold_logic::{Acceptance, Automaton, MarkId};
use fairhold_search::{Fairness, Obligations, StepPredicate, Strength, When, Whose};
use fairhold_system::{EventId, Label};
use std::collections::BTreeSet;

/// A step of the system: from, label, to.
pub(crate) type Step = (usize, Label, usize);

/// Products with more moves than this are passed over, since all their sets are tried; smaller ones say too little.
const MOVES: std::ops::RangeInclusive<usize> = 5..=13;

struct Move {
    from: usize,
    to: usize,
    step: Step,
    marks: u64,
}

/// Whether an execution with these steps and these nodes of the product met forever is fair.
type Judgement<'a> = dyn Fn(&[Step], &[(usize, usize)]) -> bool + 'a;

/// A small product, written out.
pub(crate) struct Product {
    /// System state and automaton state.
    nodes: Vec<(usize, usize)>,
    moves: Vec<Move>,
}

impl Product {
    /// The reachable product; none if it is not of the right size.
    pub(crate) fn new(system: &Small, automaton: &Automaton) -> Option<Product> {
        let mut product = Product {
            nodes: Vec::new(),
            moves: Vec::new(),
        };
        let letter = |event: Option<EventId>, state: usize| {
            system.letters[state] | if event == Some(EventId(2)) { 4 } else { 0 }
        };
        for &state in &system.initial {
            for q in &automaton.initial {
                for edge in automaton.successors(*q, letter(None, state)) {
                    product.node((state, edge.target.index()));
                }
            }
        }
        let mut next = 0;
        while next < product.nodes.len() {
            let (state, q) = product.nodes[next];
            for (label, target) in system.all_steps(state) {
                for edge in &automaton.states[q].edges {
                    if edge.guard.holds(letter(Some(label.event), target)) {
                        let to = product.node((target, edge.target.index()));
                        let step = (state, label, target);
                        product.moves.push(Move {
                            from: next,
                            to,
                            step,
                            marks: edge.marks.0,
                        });
                    }
                }
            }
            next += 1;
        }
        MOVES.contains(&product.moves.len()).then_some(product)
    }

    fn node(&mut self, node: (usize, usize)) -> usize {
        self.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// Whether some fair execution is accepted.
    pub(crate) fn has_fair_execution(
        &self,
        system: &Small,
        acceptance: &Acceptance,
        fairness: &Fairness,
    ) -> bool {
        self.has_fair_execution_by(acceptance, &|steps, _| fair(system, fairness, steps))
    }

    /// The same with fairness given by a predicate on the steps taken forever and the nodes met forever.
    pub(crate) fn has_fair_execution_by(&self, acceptance: &Acceptance, fair: &Judgement<'_>) -> bool {
        (1..1usize << self.moves.len()).any(|set| {
            let moves: Vec<&Move> = self
                .moves
                .iter()
                .enumerate()
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, m)| m)
                .collect();
            let seen = moves.iter().fold(0, |all, m| all | m.marks);
            if !acceptance.accepts(&|MarkId(m)| seen >> m & 1 == 1) || !connected(&moves) {
                return false;
            }
            let steps: Vec<Step> = moves.iter().map(|m| m.step).collect();
            let nodes: BTreeSet<usize> = moves.iter().map(|m| m.from).collect();
            let nodes: Vec<(usize, usize)> = nodes.into_iter().map(|n| self.nodes[n]).collect();
            fair(&steps, &nodes)
        })
    }
}

/// Whether every node of these moves can be reached from every other by them.
fn connected(moves: &[&Move]) -> bool {
    let nodes: BTreeSet<usize> = moves.iter().flat_map(|m| [m.from, m.to]).collect();
    nodes.iter().all(|&start| {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(node) = waiting.pop() {
            for m in moves.iter().filter(|m| m.from == node) {
                if reached.insert(m.to) {
                    waiting.push(m.to);
                }
            }
        }
        reached == nodes
    })
}

/// Whether an execution that takes exactly these steps infinitely often is fair.
pub(crate) fn fair(system: &Small, fairness: &Fairness, steps: &[Step]) -> bool {
    let states: BTreeSet<usize> = steps.iter().map(|(from, ..)| *from).collect();
    let met = |o: &Obligations| obligations_met(system, o, steps, &states);
    let global = !fairness.global
        || states.iter().all(|&s| {
            let possible = system.all_steps(s);
            possible
                .iter()
                .all(|(label, to)| steps.contains(&(s, *label, *to)))
        });
    let seen = |MarkId(m): MarkId| {
        let predicate = &fairness.marks[m as usize];
        steps.iter().any(|step| holds(system, predicate, step))
    };
    fairness.obligations.iter().all(met) && global && fairness.formula.accepts(&seen)
}

fn obligations_met(system: &Small, o: &Obligations, steps: &[Step], states: &BTreeSet<usize>) -> bool {
    let often = |there: &dyn Fn(usize) -> bool| match o.strength {
        Strength::Weak => states.iter().all(|&s| there(s)),
        Strength::Strong => states.iter().any(|&s| there(s)),
    };
    match &o.whose {
        Whose::AllProcesses => (0..2).all(|p| {
            let engaged = steps.iter().any(|(_, label, _)| takes_part(*label, p));
            engaged || !often(&|s| system.is_process_enabled(s, p))
        }),
        whose => (1..4).map(EventId).all(|e| {
            let owed = match whose {
                Whose::Events(events) => events.contains(&e),
                _ => true,
            };
            let engaged = steps.iter().any(|(_, label, _)| label.event == e);
            let there = |s: usize| match o.when {
                When::Enabled => system.is_enabled(s, e),
                When::Ready => system.is_ready(s, e),
            };
            !owed || engaged || !often(&there)
        }),
    }
}

fn holds(system: &Small, predicate: &StepPredicate, step: &Step) -> bool {
    let (_, label, to) = *step;
    match predicate {
        StepPredicate::Const(b) => *b,
        StepPredicate::State(p) => system.letters[to] >> p.0 & 1 == 1,
        StepPredicate::Enabled(e) => system.is_enabled(to, *e),
        StepPredicate::Ready(e) => e.0 > 0 && system.is_ready(to, *e),
        StepPredicate::EnabledProcess(p) => system.is_process_enabled(to, *p),
        StepPredicate::Engaged(e) => label.event == *e,
        StepPredicate::EngagedProcess(p) => takes_part(label, *p),
        StepPredicate::Not(p) => !holds(system, p, step),
        StepPredicate::And(all) => all.iter().all(|p| holds(system, p, step)),
        StepPredicate::Or(any) => any.iter().any(|p| holds(system, p, step)),
    }
}

/// A wrong reading of fairness: on the steps taken forever and the nodes of the product met forever.
type Wrong = fn(&Small, &[Step], &[(usize, usize)]) -> bool;

/// Rules that are wrong as published or easily got wrong, with the right constraint each stands for.
pub(crate) fn wrong_rules() -> Vec<(&'static str, Fairness, Wrong)> {
    let global = || Fairness {
        global: true,
        ..Fairness::none()
    };
    vec![
        (
            "global: every node must take every step",
            global(),
            |system, steps, nodes| {
                // All pairs (s, b), not only the states: too strong with a nondeterministic automaton.
                let states: BTreeSet<usize> = nodes.iter().map(|n| n.0).collect();
                nodes.len() == states.len()
                    && fair(
                        system,
                        &Fairness {
                            global: true,
                            ..Fairness::none()
                        },
                        steps,
                    )
            },
        ),
        (
            "global: only the target must be met",
            global(),
            |system, steps, nodes| {
                let states: BTreeSet<usize> = nodes.iter().map(|n| n.0).collect();
                states
                    .iter()
                    .all(|&s| system.all_steps(s).iter().all(|(_, to)| states.contains(to)))
                    && !steps.is_empty()
            },
        ),
        (
            "strong read as weak",
            notion(Strength::Strong, Whose::AllEvents),
            |system, steps, _| fair(system, &notion(Strength::Weak, Whose::AllEvents), steps),
        ),
        (
            "weak read as strong",
            notion(Strength::Weak, Whose::AllEvents),
            |system, steps, _| fair(system, &notion(Strength::Strong, Whose::AllEvents), steps),
        ),
        (
            "tau is an obligation",
            notion(Strength::Weak, Whose::AllEvents),
            |system, steps, nodes| {
                let tau = nodes.iter().all(|n| system.is_enabled(n.0, EventId::TAU));
                fair(system, &notion(Strength::Weak, Whose::AllEvents), steps)
                    && (!tau || steps.iter().any(|(_, label, _)| label.event == EventId::TAU))
            },
        ),
    ]
}
