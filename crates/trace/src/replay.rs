//! Replay: is this run an execution of the model?
//!
//! The run is walked step by step on a [`Judge`], which shares no code with the search that found it. Where a step
//! can lead to several states, all of them are kept until a later step or a given state tells them apart; so the
//! replay accepts a run exactly if some execution matches it. The loop must come back to the very state it started
//! in, and `(idle)` is a step exactly of a state without steps.
//!
//! Variables that are no part of a state's identity (CSP#'s `hvar`) may be left out of the comparison: a search
//! carries for each state the values it met first, so a loop may close with others.
//!
//! Cost: the steps of every matching state of every position, once for the prefix and once for each state the
//! loop may start in.

use crate::judge::Judge;
use crate::run::{IDLE, Run, RunStep};
use fairhold_system::{Fault, Fields, Value};
use std::fmt;

/// Where a run stops being an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The step that cannot be taken, from 1; 0 for the initial state.
    pub step: usize,
    /// What is wrong, as a sentence without a final full stop.
    pub message: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.message)
    }
}

/// Walks the run on the judge. Returns the states it may end in: at least one; for a lasso, where its loop starts.
/// Fields named in `hidden` are not compared.
pub fn replay<J: Judge>(judge: &J, run: &Run, hidden: &[String]) -> Result<Vec<J::State>, Invalid> {
    let initial = judge.initial().map_err(|f| fault(0, &f))?;
    let mut states: Vec<J::State> = Vec::new();
    for state in initial {
        if matches(&judge.fields(&state), &run.initial, hidden) && !states.contains(&state) {
            states.push(state);
        }
    }
    if states.is_empty() {
        return Err(Invalid {
            step: 0,
            message: "no initial state of the model is the run's".into(),
        });
    }
    states = walk(judge, states, &run.prefix, 1, hidden)?;
    if run.loop_.is_empty() {
        return Ok(states);
    }

    let mut last = None;
    let mut starts = Vec::new();
    for start in states {
        let ends = walk(
            judge,
            vec![start.clone()],
            &run.loop_,
            run.prefix.len() + 1,
            hidden,
        );
        match ends {
            Ok(ends) if ends.iter().any(|end| same(judge, end, &start, hidden)) => starts.push(start),
            Ok(_) => {
                last = Some(Invalid {
                    step: run.len(),
                    message: "the loop does not come back to the state it started in".into(),
                });
            }
            Err(invalid) => last = Some(invalid),
        }
    }
    match last {
        Some(invalid) if starts.is_empty() => Err(invalid),
        _ => Ok(starts),
    }
}

/// All states that `steps` may lead to from any of `states`; `first` is the number of the first step.
fn walk<J: Judge>(
    judge: &J,
    mut states: Vec<J::State>,
    steps: &[RunStep],
    first: usize,
    hidden: &[String],
) -> Result<Vec<J::State>, Invalid> {
    for (number, step) in (first..).zip(steps) {
        let mut targets: Vec<J::State> = Vec::new();
        let mut offers = Offers::default();
        for state in &states {
            let possible = judge.steps(state).map_err(|f| fault(number, &f))?;
            if step.event == IDLE {
                if possible.is_empty() && matches(&judge.fields(state), &step.state, hidden) {
                    targets.push(state.clone());
                }
                possible.into_iter().for_each(|(event, ..)| offers.other(event));
                continue;
            }
            for (event, processes, target) in possible {
                if event != step.event {
                    offers.other(event);
                } else if processes != step.processes {
                    offers.event = true;
                } else if !matches(&judge.fields(&target), &step.state, hidden) {
                    offers.event = true;
                    offers.processes = true;
                } else if !targets.contains(&target) {
                    targets.push(target);
                }
            }
        }
        if targets.is_empty() {
            return Err(Invalid {
                step: number,
                message: offers.complaint(step),
            });
        }
        states = targets;
    }
    Ok(states)
}

/// What the judge offered in place of the step looked for.
#[derive(Default)]
struct Offers {
    event: bool,
    processes: bool,
    others: Vec<String>,
}

impl Offers {
    fn other(&mut self, event: String) {
        if !self.others.contains(&event) {
            self.others.push(event);
        }
    }

    fn complaint(&self, step: &RunStep) -> String {
        let event = &step.event;
        if event == IDLE {
            return format!("the state has steps ({}), so it does not idle", self.listed());
        }
        if self.processes {
            return format!("{event} does not lead to the state the run gives");
        }
        if self.event {
            let processes = &step.processes;
            return format!("{event} is possible, but not with processes {processes:?}");
        }
        if self.others.is_empty() {
            return format!("{event} is not possible: the state has no steps");
        }
        format!("{event} is not possible here, only {}", self.listed())
    }

    fn listed(&self) -> String {
        const SHOWN: usize = 5;
        let mut text = self.others[..self.others.len().min(SHOWN)].join(", ");
        if self.others.len() > SHOWN {
            text.push_str(", ...");
        }
        text
    }
}

/// Whether a state is the one the run gives; a run that gives none matches all.
fn matches(state: &Fields, given: &Fields, hidden: &[String]) -> bool {
    fn shown<'a>(fields: &'a Fields, hidden: &'a [String]) -> impl Iterator<Item = &'a (String, Value)> {
        fields.iter().filter(|(name, _)| !hidden.contains(name))
    }
    given.is_empty() || shown(state, hidden).eq(shown(given, hidden))
}

/// Whether two states are one but for the hidden fields.
fn same<J: Judge>(judge: &J, a: &J::State, b: &J::State, hidden: &[String]) -> bool {
    a == b || (!hidden.is_empty() && matches(&judge.fields(a), &judge.fields(b), hidden))
}

fn fault(step: usize, fault: &Fault) -> Invalid {
    Invalid {
        step,
        message: format!("the model goes wrong: {}", fault.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};

    fn complaint(run: &Run) -> String {
        replay(&Counter, run, &[]).unwrap_err().to_string()
    }

    /// The steps named, by the first process that can, without states.
    fn bare(steps: &[(&str, u32)]) -> Run {
        let mut run = lasso();
        run.loop_.clear();
        run.prefix = steps
            .iter()
            .map(|&(event, process)| RunStep {
                event: event.into(),
                processes: vec![process],
                changes: Vec::new(),
                state: Vec::new(),
            })
            .collect();
        run
    }

    #[test]
    fn a_true_run_is_accepted() {
        assert_eq!(replay(&Counter, &lasso(), &[]), Ok(vec![(1, 0)]));
        let mut finite = lasso();
        finite.loop_.clear();
        assert_eq!(replay(&Counter, &finite, &[]), Ok(vec![(1, 0)]));
    }

    #[test]
    fn a_wrong_initial_state_is_rejected() {
        let mut run = lasso();
        run.initial[0].1 = Value::Int(7);
        assert_eq!(
            complaint(&run),
            "step 0: no initial state of the model is the run's"
        );
    }

    #[test]
    fn a_wrong_event_is_rejected() {
        let mut run = lasso();
        run.prefix[0].event = "dec".into();
        assert_eq!(
            complaint(&run),
            "step 1: dec is not possible here, only inc, set, flip"
        );
    }

    #[test]
    fn a_wrong_state_is_rejected() {
        let mut run = lasso();
        run.loop_[0].state[0].1 = Value::Int(3);
        assert_eq!(
            complaint(&run),
            "step 2: inc does not lead to the state the run gives"
        );
    }

    #[test]
    fn a_dropped_step_is_rejected() {
        let mut run = lasso();
        run.prefix.remove(0);
        assert_eq!(
            complaint(&run),
            "step 1: inc does not lead to the state the run gives"
        );
    }

    #[test]
    fn a_wrong_process_is_rejected() {
        let mut run = lasso();
        run.prefix[0].processes = vec![1];
        assert_eq!(
            complaint(&run),
            "step 1: inc is possible, but not with processes [1]"
        );
    }

    #[test]
    fn a_loop_that_does_not_close_is_rejected() {
        let mut run = lasso();
        run.loop_.pop();
        assert_eq!(
            complaint(&run),
            "step 2: the loop does not come back to the state it started in"
        );
    }

    #[test]
    fn hidden_fields_are_not_compared() {
        let mut run = lasso();
        run.loop_[0].state[0].1 = Value::Int(7);
        assert_eq!(replay(&Counter, &run, &["x".into()]), Ok(vec![(1, 0)]));
        run.loop_.pop();
        assert_eq!(replay(&Counter, &run, &["x".into()]), Ok(vec![(1, 0)]));
        assert!(replay(&Counter, &run, &["flags".into()]).is_err());
    }

    #[test]
    fn all_matching_states_are_kept() {
        // `flip` may or may not raise the flag; only a later step or state tells.
        let three = [("flip", 1), ("inc", 0), ("inc", 0), ("inc", 0)];
        let mut run = bare(&three);
        assert_eq!(replay(&Counter, &run, &[]), Ok(vec![(3, 1), (3, 0)]));
        run.prefix[3].state = Judge::fields(&Counter, &(3, 0));
        assert_eq!(replay(&Counter, &run, &[]), Ok(vec![(3, 0)]));
        let run = bare(&[&three[..], &[("dec", 0)]].concat());
        assert_eq!(replay(&Counter, &run, &[]), Ok(vec![(2, 0)]));
    }

    #[test]
    fn idling_needs_a_state_without_steps() {
        let idle = RunStep {
            event: IDLE.into(),
            processes: Vec::new(),
            changes: Vec::new(),
            state: Vec::new(),
        };
        let mut run = bare(&[("set", 1), ("inc", 0), ("inc", 0), ("inc", 0)]);
        run.loop_.push(idle.clone());
        assert_eq!(replay(&Counter, &run, &[]), Ok(vec![(3, 1)]));
        run.prefix.pop();
        assert!(complaint(&run).starts_with("step 4: the state has steps (inc, dec, set, flip)"));
    }
}
