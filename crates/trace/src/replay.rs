//! Replay: is this run an execution of the model?
//!
//! The run is walked step by step on a [`Judge`], which shares no code with the search that found it. Where a step
//! can lead to several states, all of them are kept until a later step or a given state tells them apart; so the
//! replay accepts a run exactly if some execution matches it. The loop must come back to the very state it started
//! in, and `(idle)` is a step exactly of a state without steps. What a step gives, its state and its changes, must be
//! so; what it leaves open may be anything.
//!
//! Variables that are no part of a state's identity (CSP#'s `hvar`) may be left out of the comparison: a search
//! carries for each state the values it met first, so a loop may close with others.
//!
//! Cost: the steps of every matching state of every position, once for the prefix and once for each state the
//! loop may start in.

use crate::differ::{Difference, differences};
use crate::judge::Judge;
use crate::run::{IDLE, Run, RunStep};
use fairhold_system::Fault;
use std::fmt;

/// Where a run stops being an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The step that cannot be taken, from 1; 0 for the initial state.
    pub step: usize,
    /// The field that is not as the run gives it, where that is what is wrong.
    pub field: Option<String>,
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
    let Matching { prefix, loops } = matching(judge, run, hidden)?;
    let ends = prefix.into_iter().next_back().unwrap_or_default();
    if loops.is_empty() {
        return Ok(ends.into_iter().map(|(state, _)| state).collect());
    }
    let starts = loops.iter().map(|(start, ..)| ends[*start].0.clone());
    Ok(starts.collect())
}

/// The states of one execution that matches the run: the initial one, then one for each step of the prefix and of
/// one round of the loop.
pub fn trail<J: Judge>(judge: &J, run: &Run, hidden: &[String]) -> Result<Vec<J::State>, Invalid> {
    let Matching { prefix, loops } = matching(judge, run, hidden)?;
    let Some((start, layers, end)) = loops.first() else {
        return Ok(chain(&prefix, 0));
    };
    let mut states = chain(&prefix, *start);
    states.extend(chain(layers, *end).into_iter().skip(1));
    Ok(states)
}

/// The states that match at one position, each with the number of a state of the position before that leads to it.
type Layer<State> = Vec<(State, usize)>;

/// All executions that match a run.
struct Matching<State> {
    /// One layer a position, none of them empty.
    prefix: Vec<Layer<State>>,
    /// For every state in the last layer of the prefix from which the loop closes: its number, the layers of the
    /// loop from it on, and the number in the last of them of the state where it closes.
    loops: Vec<(usize, Vec<Layer<State>>, usize)>,
}

fn matching<J: Judge>(judge: &J, run: &Run, hidden: &[String]) -> Result<Matching<J::State>, Invalid> {
    let initial = judge.initial_like(&run.initial).map_err(|f| fault(0, &f))?;
    let mut states: Layer<J::State> = Vec::new();
    let mut nearest = Nearest::default();
    for state in initial {
        let differences = differences(&judge.fields(&state), &run.initial, &[], hidden);
        if !differences.is_empty() {
            nearest.offer(differences);
        } else if !states.iter().any(|(s, _)| *s == state) {
            states.push((state, 0));
        }
    }
    if states.is_empty() {
        let (field, why) = nearest.place();
        return Err(Invalid {
            step: 0,
            field,
            message: format!("no initial state of the model is the run's{why}"),
        });
    }
    let prefix = walk(judge, states, &run.prefix, 1, hidden)?;
    if run.loop_.is_empty() {
        return Ok(Matching {
            prefix,
            loops: Vec::new(),
        });
    }

    let mut last = None;
    let mut loops = Vec::new();
    let starts = prefix.last().expect("the layer of the initial state is there");
    for (number, (start, _)) in starts.iter().enumerate() {
        let first = run.prefix.len() + 1;
        match walk(judge, vec![(start.clone(), 0)], &run.loop_, first, hidden) {
            Ok(layers) => {
                let ends = layers.last().expect("the layer of the loop's start is there");
                match ends.iter().position(|(end, _)| same(judge, end, start, hidden)) {
                    Some(end) => loops.push((number, layers, end)),
                    None => {
                        last = Some(Invalid {
                            step: run.len(),
                            field: None,
                            message: "the loop does not come back to the state it started in".into(),
                        });
                    }
                }
            }
            Err(invalid) => last = Some(invalid),
        }
    }
    match last {
        Some(invalid) if loops.is_empty() => Err(invalid),
        _ => Ok(Matching { prefix, loops }),
    }
}

/// The states that lead, layer by layer, to the one with this number in the last.
fn chain<State: Clone>(layers: &[Layer<State>], mut number: usize) -> Vec<State> {
    let mut states = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        let (state, before) = &layer[number];
        states.push(state.clone());
        number = *before;
    }
    states.reverse();
    states
}

/// The states given, then for each step all states it may lead to; `first` is the number of the first step.
fn walk<J: Judge>(
    judge: &J,
    states: Layer<J::State>,
    steps: &[RunStep],
    first: usize,
    hidden: &[String],
) -> Result<Vec<Layer<J::State>>, Invalid> {
    let mut layers = vec![states];
    for (number, step) in (first..).zip(steps) {
        let mut targets: Layer<J::State> = Vec::new();
        let mut offers = Offers::default();
        let states = layers.last().expect("there is a layer from the start on");
        for (before, (state, _)) in states.iter().enumerate() {
            let possible = judge.steps(state).map_err(|f| fault(number, &f))?;
            if step.event == IDLE && possible.is_empty() {
                let differences = differences(&judge.fields(state), &step.state, &step.changes, hidden);
                if differences.is_empty() {
                    targets.push((state.clone(), before));
                } else {
                    offers.nearest.offer(differences);
                }
            }
            for (event, processes, target) in possible {
                if event != step.event {
                    offers.event(event);
                    continue;
                }
                if processes != step.processes {
                    offers.processes(processes);
                    continue;
                }
                let differences = differences(&judge.fields(&target), &step.state, &step.changes, hidden);
                if !differences.is_empty() {
                    offers.nearest.offer(differences);
                } else if !targets.iter().any(|(t, _)| *t == target) {
                    targets.push((target, before));
                }
            }
        }
        if targets.is_empty() {
            return Err(offers.complaint(number, step));
        }
        layers.push(targets);
    }
    Ok(layers)
}

/// Of the states that were refused, how the one that is most like the run's differs.
#[derive(Default)]
struct Nearest(Option<Vec<Difference>>);

impl Nearest {
    fn offer(&mut self, differences: Vec<Difference>) {
        if self.0.as_ref().is_none_or(|old| differences.len() < old.len()) {
            self.0 = Some(differences);
        }
    }

    /// The field to look at, and what is wrong with it as the end of a sentence.
    fn place(self) -> (Option<String>, String) {
        let first = self.0.and_then(|differences| differences.into_iter().next());
        match first {
            Some(Difference { field, message }) => (Some(field), format!(": {message}")),
            None => (None, String::new()),
        }
    }
}

/// What the judge offered in place of the step looked for.
#[derive(Default)]
struct Offers {
    nearest: Nearest,
    processes: Vec<Vec<u32>>,
    events: Vec<String>,
}

impl Offers {
    fn event(&mut self, event: String) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    fn processes(&mut self, processes: Vec<u32>) {
        if !self.processes.contains(&processes) {
            self.processes.push(processes);
        }
    }

    fn complaint(self, number: usize, step: &RunStep) -> Invalid {
        let event = &step.event;
        let mut field = None;
        let message = if self.nearest.0.is_some() {
            let (place, why) = self.nearest.place();
            field = place;
            format!("{event} does not lead to the state the run gives{why}")
        } else if event == IDLE {
            format!(
                "the state has steps ({}), so it does not idle",
                listed(&self.events)
            )
        } else if !self.processes.is_empty() {
            let possible: Vec<String> = self.processes.iter().map(|p| participants(p)).collect();
            let claimed = participants(&step.processes);
            format!(
                "{event} is possible with {}, not with {claimed}",
                possible.join(" or with ")
            )
        } else if self.events.is_empty() {
            format!("{event} is not possible: the state has no steps")
        } else {
            format!("{event} is not possible here, only {}", listed(&self.events))
        };
        Invalid {
            step: number,
            field,
            message,
        }
    }
}

fn listed(events: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = events[..events.len().min(SHOWN)].join(", ");
    if events.len() > SHOWN {
        text.push_str(", ...");
    }
    text
}

/// `process 0`, `processes 0, 1`
pub(crate) fn participants(processes: &[u32]) -> String {
    let numbers: Vec<String> = processes.iter().map(u32::to_string).collect();
    match processes {
        [] => "no process".to_owned(),
        [one] => format!("process {one}"),
        _ => format!("processes {}", numbers.join(", ")),
    }
}

/// Whether two states are one but for the hidden fields.
fn same<J: Judge>(judge: &J, a: &J::State, b: &J::State, hidden: &[String]) -> bool {
    let differ = || differences(&judge.fields(a), &judge.fields(b), &[], hidden);
    a == b || (!hidden.is_empty() && differ().is_empty())
}

fn fault(step: usize, fault: &Fault) -> Invalid {
    Invalid {
        step,
        field: None,
        message: format!("the model goes wrong: {}", fault.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use fairhold_system::Value;

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
            "step 0: no initial state of the model is the run's: x is 0, not 7"
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
            "step 2: inc does not lead to the state the run gives: x is 2, not 3"
        );
    }

    #[test]
    fn a_wrong_change_is_rejected() {
        let mut run = lasso();
        run.loop_[1].changes[0].1 = Value::Int(5);
        run.loop_[1].state.clear();
        let invalid = replay(&Counter, &run, &[]).unwrap_err();
        assert_eq!(invalid.field.as_deref(), Some("x"));
        assert_eq!(
            invalid.to_string(),
            "step 3: dec does not lead to the state the run gives: x is 1, not 5"
        );
    }

    #[test]
    fn a_dropped_step_is_rejected() {
        let mut run = lasso();
        run.prefix.remove(0);
        assert_eq!(
            complaint(&run),
            "step 1: inc does not lead to the state the run gives: x is 1, not 2"
        );
    }

    #[test]
    fn a_wrong_process_is_rejected() {
        let mut run = lasso();
        run.prefix[0].processes = vec![1];
        assert_eq!(
            complaint(&run),
            "step 1: inc is possible with process 0, not with process 1"
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
    fn a_trail_is_one_execution() {
        assert_eq!(
            trail(&Counter, &lasso(), &[]),
            Ok(vec![(0, 0), (1, 0), (2, 0), (1, 0)])
        );
        // Only the flag that stays down leads to a `dec` at 3.
        let run = bare(&[("flip", 1), ("inc", 0), ("inc", 0), ("inc", 0), ("dec", 0)]);
        assert_eq!(
            trail(&Counter, &run, &[]),
            Ok(vec![(0, 0), (0, 0), (1, 0), (2, 0), (3, 0), (2, 0)])
        );
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
