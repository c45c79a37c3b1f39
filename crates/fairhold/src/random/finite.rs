//! Questions that one finite path settles, or a loop of `tau`, asked of random walks.

use super::hunt::{Halt, Hunter, Next, hunt};
use super::trail::{Trail, shortest};
use super::{Errand, not_decided};
use crate::check::{confirmed, verdict_of};
use crate::front::{Asks, FrontEnd};
use crate::load::Model;
use crate::reason;
use crate::report::CheckResult;
use crate::simulate::wander::Wanderer;
use fairhold_search::{Answer, Conflict, Question, Statistics};
use fairhold_system::{EventId, Fault, Keep, Path, PredicateId, Steps, System, Verdict, Word};
use fairhold_trace::Run;
use std::collections::HashMap;

/// What settles a question, where the trail ends.
enum Found {
    /// The state there.
    State,
    /// Two of its steps.
    Conflict(Conflict),
    /// The loop from this position on.
    Loop(usize),
}

/// Looks for what settles a question.
struct Settling {
    question: Question,
    found: Option<Found>,
    /// Since which position the walk has taken `tau` steps only.
    quiet: usize,
}

impl Model {
    /// Decides a question that one path settles, if a random walk comes by such a path.
    pub(super) fn walk_for_end<F: FrontEnd>(&self, front: &F, errand: Errand<'_>, result: &mut CheckResult) {
        let index = errand.index();
        // A walk carries the values of hidden variables along, so there is nothing to merge. As in a search, whether
        // two steps lead to different states is a question about all that a state keeps.
        let keep = match errand.asks {
            Asks::Deterministic => Keep::Visible,
            _ => Keep::Needed,
        };
        let Some((system, _)) = self.prepare(front, index, keep, std::slice::from_mut(result)) else {
            return;
        };
        let question = front.ask(&system, index);
        if matches!(question, Question::Optimum { .. }) {
            result.reason = Some(not_decided("the least or the greatest value"));
            return;
        }
        let mut settling = Settling {
            question,
            found: None,
            quiet: 0,
        };
        let mut trail = Trail::default();
        let (halt, tally) = hunt(front, &system, errand, &mut settling, &mut trail);
        tally.fill(result);
        let verdict = match (&settling.found, &halt) {
            (Some(_), _) if errand.asks == Asks::Reaches => Verdict::Holds,
            (Some(_), _) => Verdict::Fails,
            (None, Halt::Wrong(fault)) => verdict_of(fault),
            (None, _) => Verdict::Unknown,
        };
        if verdict == Verdict::Unknown || trail.count() == 0 {
            tally.undecided(&self.map, errand, &halt, result);
            return;
        }
        let answer = answer(verdict, settling.found, halt, &trail, tally_of(result));
        let path = answer.path.clone().map(|path| system.lift(path));
        let run = path.map(|path| Run::new(&system, &path));
        let bounds = &errand.options.bounds;
        result.verdict = verdict;
        result.reason = reason::reason(&self.map, &system, errand.asks, &answer, run.as_ref(), bounds);
        let run = run.expect("the answer of a walk has a path");
        let guide = |words: &[Word]| front.judged_state(&system, words);
        match confirmed(front, index, errand.asks, verdict, &run, &guide) {
            Ok(()) if verdict == Verdict::Holds => result.witness = Some(run),
            Ok(()) => result.counterexample = Some(run),
            Err(why) => result.refuse(&why),
        }
    }
}

/// The numbers that a reason may name.
fn tally_of(result: &CheckResult) -> Statistics {
    Statistics {
        states: result.states,
        steps: result.steps,
        ..Statistics::default()
    }
}

/// What a search would have said that had come by the same path.
fn answer(
    verdict: Verdict,
    found: Option<Found>,
    halt: Halt,
    trail: &Trail,
    statistics: Statistics,
) -> Answer {
    let mut answer = Answer {
        verdict,
        stop: None,
        fault: match (halt, &found) {
            (Halt::Wrong(fault), None) => Some(fault),
            _ => None,
        },
        statistics,
        path: None,
        value: None,
        samples: Vec::new(),
        conflict: None,
    };
    let way = |end: usize| trail.path(shortest(trail.numbers(), end));
    answer.path = Some(match found {
        Some(Found::Conflict(conflict)) => {
            let mut path = way(trail.end());
            path.labels.push(conflict.labels[0]);
            path.states.push(conflict.targets[0].clone());
            answer.conflict = Some(conflict);
            path
        }
        Some(Found::Loop(from)) => {
            let steps = shortest(trail.numbers(), from);
            Path {
                loop_from: Some(steps.len()),
                ..trail.path(steps.into_iter().chain(from..trail.end()))
            }
        }
        Some(Found::State) | None => way(trail.end()),
    });
    answer
}

impl Settling {
    fn settled(&mut self, found: Found) -> Next {
        self.found = Some(found);
        Next::Done
    }

    /// The predicate that is sought.
    fn sought(&self) -> Option<PredicateId> {
        match self.question {
            Question::Reaches(predicate) => Some(predicate),
            _ => None,
        }
    }
}

impl<F: FrontEnd> Hunter<F> for Settling {
    fn arrive(
        &mut self,
        walk: &mut Wanderer<'_, F>,
        trail: &Trail,
        before: Option<usize>,
    ) -> Result<Next, Fault> {
        if let Some(predicate) = self.sought()
            && walk.holds(predicate)?
        {
            return Ok(self.settled(Found::State));
        }
        if self.question != Question::DivergenceFree {
            return Ok(Next::On);
        }
        let end = trail.end();
        if end == 0 || trail.label(end - 1).event != EventId::TAU {
            self.quiet = end;
        }
        Ok(match before {
            Some(from) if from >= self.quiet => self.settled(Found::Loop(from)),
            _ => Next::On,
        })
    }

    fn look(&mut self, system: &F::System, steps: &Steps, state: &[Word], _: &Trail) -> Next {
        match self.question {
            Question::DeadlockFree if steps.is_empty() && !system.is_ended(state) => {
                self.settled(Found::State)
            }
            Question::NonTerminating if steps.is_empty() => self.settled(Found::State),
            Question::Deterministic => match conflict(steps) {
                Some(conflict) => self.settled(Found::Conflict(conflict)),
                None => Next::On,
            },
            _ => Next::On,
        }
    }
}

/// Two steps of the same event to different states.
fn conflict(steps: &Steps) -> Option<Conflict> {
    let mut seen: HashMap<EventId, usize> = HashMap::new();
    for (i, (label, target)) in steps.iter().enumerate() {
        let first = *seen.entry(label.event).or_insert(i);
        if steps.target(first) != target {
            return Some(Conflict {
                event: label.event,
                labels: [steps.label(first), label],
                targets: [steps.target(first).to_vec(), target.to_vec()],
            });
        }
    }
    None
}
