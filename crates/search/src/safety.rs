//! Questions that one finite path settles.
//!
//! All are answered on one breadth-first search, which stops at the first state that settles the question; the path
//! to it is a shortest one. What a question looks at:
//!
//! | question | looks at | settles it |
//! |---|---|---|
//! | `DeadlockFree` | a state and its steps | no step, and not `Ended`: fails |
//! | `NonTerminating` | a state and its steps | no step: fails |
//! | `Deterministic` | a state and its steps | two steps, one event, different targets: fails |
//! | `Reaches` | a state when it is met | the predicate: holds |
//! | `Optimum` | a state when it is met | nothing; the best is known when all are met |
//!
//! A state is judged before its successors are admitted, so that a bound on states or bytes cannot hide what is already in
//! sight. The first thing met in breadth-first order decides: a fault met before a counterexample makes the
//! verdict `error`, one behind it is never seen.
//!
//! Time: the part of the graph up to the deciding state; each state is stepped once, and the path once more.

use crate::breadth::{Breadth, Look};
use crate::question::{Answer, Conflict, Direction, Question};
use crate::visited::Halt;
use crate::window::Window;
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Fault, FaultKind, Limits, Observer, Path, Stepper, Steps, System, Verdict, Word,
};
use rustc_hash::FxHashMap;

/// What a finished search has found.
enum Found {
    /// Nothing that settles the question.
    Nothing,
    /// This state does.
    State(StateId),
    /// This state has two steps of one event to different states.
    Conflict(StateId, Conflict),
    /// This state has the best value.
    Best(StateId, i64),
}

pub(crate) fn check<S: System>(
    system: &S,
    question: &Question,
    limits: &Limits,
    observer: &dyn Observer,
) -> Answer {
    let mut search = match question {
        // The best of all states is known when all have been seen.
        Question::Optimum { .. } => Breadth::new(system, limits, observer),
        _ => Breadth::diving(system, limits, observer),
    };
    let mut asking = Asking {
        question: *question,
        best: None,
        seen: FxHashMap::default(),
    };
    let found = match search.run(&mut asking) {
        Ok(Some(found)) => found,
        Ok(None) => asking
            .best
            .map_or(Found::Nothing, |(id, value)| Found::Best(id, value)),
        Err(halt) => return halted(search, halt),
    };
    let reaching = matches!(question, Question::Reaches(_) | Question::Optimum { .. });
    let holds = reaching != matches!(found, Found::Nothing);
    let mut answer = blank(if holds { Verdict::Holds } else { Verdict::Fails });
    match found {
        Found::Nothing => {}
        Found::State(id) => answer.path = Some(search.path_to(id)),
        Found::Best(id, value) => {
            answer.path = Some(search.path_to(id));
            answer.value = Some(value);
        }
        Found::Conflict(id, conflict) => {
            let mut path = search.path_to(id);
            path.labels.push(conflict.labels[0]);
            path.states.push(conflict.targets[0].clone());
            answer.path = Some(path);
            answer.conflict = Some(conflict);
        }
    }
    finish(&search, answer)
}

/// One worker's look at states, for a question.
#[derive(Clone)]
struct Asking {
    question: Question,
    /// The best so far.
    best: Option<(StateId, i64)>,
    /// Only here to keep its memory.
    seen: FxHashMap<EventId, usize>,
}

impl Asking {
    /// Only a strictly better value may replace that of a state which is as near or nearer.
    fn offer(&mut self, direction: Direction, id: StateId, value: i64) {
        if self.best.is_none_or(|(_, old)| direction.better(value, old)) {
            self.best = Some((id, value));
        }
    }
}

impl<S: System> Look<S> for Asking {
    type Found = Found;

    fn state(&mut self, system: &S, window: &Window<'_, S>, id: StateId) -> Result<Option<Found>, Fault> {
        let steps = &window.now.steps;
        Ok(match self.question {
            Question::DeadlockFree if steps.is_empty() && !system.is_ended(&window.now.state) => {
                Some(Found::State(id))
            }
            Question::NonTerminating if steps.is_empty() => Some(Found::State(id)),
            Question::Deterministic => {
                let conflict = conflict(steps, system.key_width(), &mut self.seen);
                conflict.map(|conflict| Found::Conflict(id, conflict))
            }
            _ => None,
        })
    }

    fn target(&mut self, window: &mut Window<'_, S>, i: usize, id: StateId) -> Result<Option<Found>, Fault> {
        let (stepper, target) = (&mut window.stepper, window.now.steps.target(i));
        match self.question {
            Question::Reaches(predicate) if stepper.holds(predicate, target)? => Ok(Some(Found::State(id))),
            Question::Optimum {
                condition,
                objective,
                direction,
            } if stepper.holds(condition, target)? => {
                let value = stepper.measure(objective, target)?;
                self.offer(direction, id, value);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn distance(&mut self, window: &mut Window<'_, S>, state: &[Word]) -> Option<u32> {
        match self.question {
            Question::Reaches(predicate) => window.stepper.distance(predicate, state),
            _ => None,
        }
    }

    fn join(&mut self, other: Asking) {
        if let (Question::Optimum { direction, .. }, Some((id, value))) = (self.question, other.best) {
            self.offer(direction, id, value);
        }
    }
}

/// The first step that disagrees with an earlier one of its event, and that earlier one.
///
/// If any two steps of an event disagree, one of them disagrees with the event's first, so one entry an event is
/// enough. `seen` is only here to keep its memory.
fn conflict(steps: &Steps, key: usize, seen: &mut FxHashMap<EventId, usize>) -> Option<Conflict> {
    seen.clear();
    for (i, (label, target)) in steps.iter().enumerate() {
        let first = *seen.entry(label.event).or_insert(i);
        if steps.target(first)[..key] != target[..key] {
            return Some(Conflict {
                event: label.event,
                labels: [steps.label(first), label],
                targets: [steps.target(first).to_vec(), target.to_vec()],
            });
        }
    }
    None
}

/// An answer that is nothing but its verdict.
pub(crate) fn blank(verdict: Verdict) -> Answer {
    Answer {
        verdict,
        stop: None,
        fault: None,
        statistics: crate::Statistics::default(),
        path: None,
        value: None,
        samples: Vec::new(),
        conflict: None,
    }
}

/// The answer of a search that ended before its time.
pub(crate) fn halted<S: System>(mut search: Breadth<'_, S>, halt: Halt) -> Answer {
    let mut answer = blank(Verdict::Unknown);
    match halt {
        Halt::Stop(reason) => {
            answer.stop = Some(reason);
            answer.samples = search.visited.table.samples();
        }
        Halt::Fault { fault, at } => {
            match fault.kind {
                FaultKind::Error => {
                    answer.verdict = Verdict::Error;
                    answer.path = at.map(|id| search.path_to(id));
                }
                FaultKind::Unbounded => {
                    answer.samples = at.map(|id| search.state(id)).into_iter().collect();
                }
            }
            answer.fault = Some(fault);
        }
    }
    finish(&search, answer)
}

/// Adds the numbers.
pub(crate) fn finish<S: System>(search: &Breadth<'_, S>, answer: Answer) -> Answer {
    let ends_well = |path: &Path| path.states.len() == path.labels.len() + 1;
    debug_assert!(
        answer.path.as_ref().is_none_or(ends_well),
        "a path has one more state than labels"
    );
    Answer {
        statistics: search.visited.statistics(search.kept_bytes()),
        ..answer
    }
}

#[cfg(test)]
mod tests;
