//! Replay: is this run an execution of the model?
//!
//! The run is walked step by step on a [`Judge`], which shares no code with the search that found it. Where a step
//! can lead to several states, all of them are followed ([`Matching`]); so the
//! replay accepts a run exactly if some execution matches it. The loop must come back to the very state it started
//! in, and `(idle)` is a step exactly of a state without steps. What a step gives, its state and its changes, must be
//! so; what it leaves open may be anything.

use crate::judge::Judge;
use crate::matching::{Guide, Matching, unguided};
use crate::run::Run;
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

impl Invalid {
    /// A complaint about a step in which no single field is to blame.
    pub fn new(step: usize, message: impl Into<String>) -> Invalid {
        Invalid {
            step,
            field: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.message)
    }
}

/// What runs are walked on.
pub struct Replay<'a, J: Judge> {
    /// The semantics.
    pub judge: &'a J,
    /// Which state is meant where several match.
    pub guide: &'a Guide<'a, J::State>,
}

impl<'a, J: Judge> Replay<'a, J> {
    /// The states that the run may end in: at least one; for a lasso, where its loop starts.
    pub fn ends(&self, run: &Run) -> Result<Vec<J::State>, Invalid> {
        let matching = Matching::new(self, run)?;
        let position = run.prefix.len();
        let bundles = matching.bundles();
        let places: Vec<usize> = bundles
            .flat_map(|bundle| bundle.places(position).collect::<Vec<_>>())
            .collect();
        Ok(places
            .into_iter()
            .map(|place| matching.at(position, place).clone())
            .collect())
    }

    /// The states of one execution that matches the run: the initial one, then one for each step of the prefix and of
    /// one round of the loop.
    pub fn trail(&self, run: &Run) -> Result<Vec<J::State>, Invalid> {
        let matching = Matching::new(self, run)?;
        let bundle = matching.bundles().next();
        Ok(matching.trail(&bundle.expect("some execution matches")))
    }

    /// The same for runs of which only pictures are known.
    #[must_use]
    pub fn without_guide(&self) -> Replay<'a, J> {
        Replay {
            judge: self.judge,
            guide: &unguided,
        }
    }
}

/// Walks the run on the judge. Returns the states it may end in: at least one; for a lasso, where its loop starts.
pub fn replay<J: Judge>(judge: &J, run: &Run) -> Result<Vec<J::State>, Invalid> {
    let guide = &unguided;
    Replay { judge, guide }.ends(run)
}

/// The states of one execution that matches the run: the initial one, then one for each step of the prefix and of
/// one round of the loop.
pub fn trail<J: Judge>(judge: &J, run: &Run) -> Result<Vec<J::State>, Invalid> {
    let guide = &unguided;
    Replay { judge, guide }.trail(run)
}

/// The complaint about a run on which the model itself goes wrong.
pub(crate) fn went_wrong(step: usize, fault: &Fault) -> Invalid {
    Invalid::new(step, format!("the model goes wrong: {}", fault.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use crate::{IDLE, RunStep};
    use fairhold_system::Value;

    fn complaint(run: &Run) -> String {
        replay(&Counter, run).unwrap_err().to_string()
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
        assert_eq!(replay(&Counter, &lasso()), Ok(vec![(1, 0)]));
        let mut finite = lasso();
        finite.loop_.clear();
        assert_eq!(replay(&Counter, &finite), Ok(vec![(1, 0)]));
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
        let invalid = replay(&Counter, &run).unwrap_err();
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
    fn what_a_state_is_tells_whether_a_loop_closes() {
        let mut run = lasso();
        run.loop_.pop();
        // Not how it looks: here the run gives no state.
        run.loop_[0].state.clear();
        run.loop_[0].changes.clear();
        let message = replay(&Counter, &run).unwrap_err().message;
        assert_eq!(message, "the loop does not come back to the state it started in");
    }

    #[test]
    fn all_matching_states_are_kept() {
        // `flip` may or may not raise the flag; only a later step or state tells.
        let three = [("flip", 1), ("inc", 0), ("inc", 0), ("inc", 0)];
        let mut run = bare(&three);
        assert_eq!(replay(&Counter, &run), Ok(vec![(3, 1), (3, 0)]));
        run.prefix[3].state = Judge::fields(&Counter, &(3, 0));
        assert_eq!(replay(&Counter, &run), Ok(vec![(3, 0)]));
        let run = bare(&[&three[..], &[("dec", 0)]].concat());
        assert_eq!(replay(&Counter, &run), Ok(vec![(2, 0)]));
    }

    #[test]
    fn a_trail_is_one_execution() {
        assert_eq!(
            trail(&Counter, &lasso()),
            Ok(vec![(0, 0), (1, 0), (2, 0), (1, 0)])
        );
        // Only the flag that stays down leads to a `dec` at 3.
        let run = bare(&[("flip", 1), ("inc", 0), ("inc", 0), ("inc", 0), ("dec", 0)]);
        assert_eq!(
            trail(&Counter, &run),
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
        assert_eq!(replay(&Counter, &run), Ok(vec![(3, 1)]));
        run.prefix.pop();
        assert!(complaint(&run).starts_with("step 4: the state has steps (inc, dec, set, flip)"));
    }
}
