//! Judges paths from the graph and the definitions alone.

use crate::graph::{FIRST_EVENT, Graph, P, PROCESSES, Q, number};
use crate::properties::Property;
use fairhold_search::{Fairness, Strength, Whose};
use fairhold_system::{EventId, Label, Path, PredicateId, ProcessesId};
use std::collections::BTreeSet;

/// The numbers of the states on a path; each step is an arc, or idling where there is none.
pub(crate) fn walk(graph: &Graph, path: &Path) -> Vec<u32> {
    assert_eq!(path.states.len(), path.labels.len() + 1);
    let numbers: Vec<u32> = path.states.iter().map(|state| number(state)).collect();
    assert!(graph.initial.contains(&numbers[0]), "no initial state");
    for (ends, label) in numbers.windows(2).zip(&path.labels) {
        let is_step = steps(graph, ends[0]).contains(&(*label, ends[1]));
        assert!(is_step, "{label:?} from {ends:?} is no step");
    }
    numbers
}

/// The steps from a state, idling included.
fn steps(graph: &Graph, state: u32) -> Vec<(Label, u32)> {
    let arcs = graph.arcs(state);
    if arcs.is_empty() {
        let idle = Label {
            event: EventId::IDLE,
            processes: ProcessesId::NONE,
        };
        return vec![(idle, state)];
    }
    let step = |&(event, processes, target)| (crate::graph::label(event, processes), target);
    arcs.iter().map(step).collect()
}

/// Demands that a lasso is an execution, is fair, and violates the property.
pub(crate) fn judge(graph: &Graph, property: Property, constraint: &Fairness, path: &Path) {
    let numbers = walk(graph, path);
    let start = path.loop_from.expect("executions go on forever");
    let last = path.labels.len();
    assert!(start < last && numbers[start] == numbers[last], "no loop");
    let taken: BTreeSet<(u32, Label, u32)> = (start..last)
        .map(|i| (numbers[i], path.labels[i], numbers[i + 1]))
        .collect();
    is_fair(graph, constraint, &taken);
    is_violated(graph, property, path, &numbers, start);
}

/// Whether an event or a process that has an obligation is engaged by a label.
type Who = Box<dyn Fn(&Label) -> bool>;

fn is_fair(graph: &Graph, constraint: &Fairness, taken: &BTreeSet<(u32, Label, u32)>) {
    let met: BTreeSet<u32> = taken.iter().map(|t| t.0).collect();
    if constraint.global {
        for &state in &met {
            for (label, target) in steps(graph, state) {
                assert!(taken.contains(&(state, label, target)), "a step is never taken");
            }
        }
    }
    for obligations in &constraint.obligations {
        // Who is meant, as a question to a label.
        let everyone: Vec<Who> = match &obligations.whose {
            Whose::AllProcesses => (0..PROCESSES)
                .map(|p| -> Who { Box::new(move |l| l.processes.0 >> p & 1 == 1) })
                .collect(),
            Whose::AllEvents => {
                let events = met.iter().flat_map(|&s| steps(graph, s)).map(|s| s.0.event);
                let events: BTreeSet<EventId> = events.filter(|&e| e != EventId::TAU).collect();
                events.into_iter().map(of_event).collect()
            }
            Whose::Events(events) => events.iter().copied().map(of_event).collect(),
        };
        for who in &everyone {
            let enabled = |&state: &u32| steps(graph, state).iter().any(|s| who(&s.0));
            let owed = match obligations.strength {
                Strength::Weak => met.iter().all(enabled),
                Strength::Strong => met.iter().any(enabled),
            };
            let engaged = taken.iter().any(|t| who(&t.1));
            assert!(!owed || engaged, "not fair: {obligations:?}");
        }
    }
}

fn of_event(event: EventId) -> Who {
    Box::new(move |label| label.event == event)
}

fn is_violated(graph: &Graph, property: Property, path: &Path, numbers: &[u32], start: usize) {
    let has = |i: usize, predicate: PredicateId| graph.has(numbers[i], predicate);
    // Position i is the state, and the step into it. What the loop repeats starts behind its first state.
    let mut forever = start + 1..numbers.len();
    let event = |i: usize| i > 0 && path.labels[i - 1].event.0 == FIRST_EVENT;
    let unanswered = |answer: &dyn Fn(usize) -> bool| {
        let last = (0..numbers.len()).rev().find(|&i| answer(i));
        let after = last.map_or(0, |i| i + 1);
        // In the loop there is none at all, so positions behind it are as those in it.
        !forever.clone().any(answer) && (after..numbers.len()).any(|i| has(i, P))
    };
    let violated = match property {
        Property::Everything => true,
        Property::Recurrence => !forever.any(|i| has(i, P)),
        Property::Persistence => forever.any(|i| !has(i, P)),
        Property::Response => unanswered(&|i| has(i, Q)),
        Property::Answer => unanswered(&event),
    };
    assert!(violated, "{property:?} is not violated");
}

mod tests {
    use super::*;
    use crate::liveness::workers;
    use crate::properties::constraints;
    use crate::shapes::{Drawn, Shape};
    use fairhold_search::{FairQuestion, check_fair};
    use fairhold_system::Silent;
    use fairhold_testkit::Rng;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A judge that passes everything would find no difference either.
    #[test]
    fn the_judge_notices_broken_lassos() {
        let mut rng = Rng::new(0x70d6e);
        let (mut noticed, mut unfair, mut kept) = (0, 0, 0);
        for round in 0..24 {
            let drawn = Drawn::new(&mut rng, Shape::ALL[round % 4], 300);
            let all = constraints(&mut rng, drawn.count);
            let property = *rng.pick(&Property::ALL);
            let (automaton, atoms) = property.violations();
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &all,
                recurrent: false,
            };
            let answers = check_fair(&drawn.graph, &question, &workers(1), &Silent);
            let passes = |property: Property, constraint: &Fairness, path: &Path| {
                let judged = AssertUnwindSafe(|| judge(&drawn.graph, property, constraint, path));
                catch_unwind(judged).is_ok()
            };
            for (constraint, answer) in all.iter().zip(&answers) {
                let Some(path) = &answer.path else { continue };
                assert!(passes(property, constraint, path));
                let mut broken = vec![path.clone(), path.clone(), path.clone()];
                broken[0].loop_from = None;
                broken[1].labels[0].event.0 = 77;
                broken[2].states.pop();
                for wrong in &broken {
                    assert!(!passes(property, constraint, wrong));
                    noticed += 1;
                }
                // A run that is fair in one sense need not be in another.
                for other in &all {
                    if passes(property, other, path) {
                        kept += 1;
                    } else {
                        unfair += 1;
                    }
                }
            }
        }
        println!("{noticed} broken lassos noticed; under other constraints {unfair} unfair, {kept} fair");
        assert!(noticed > 100 && unfair > 50 && kept > 100);
    }
}
