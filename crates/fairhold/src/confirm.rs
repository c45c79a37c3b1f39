//! A second opinion on every run before it is reported.
//!
//! The run is replayed on the reference semantics, and what it is said to show is looked for in the state where it
//! ends: no steps, two steps of one event, a loop of `tau`, a fault. What is refused here is a fault of Fairhold's
//! own, in the search or in one of the two semantics; the verdict that rests on it is withdrawn.

use fairhold_trace::{Invalid, Judge, Replay, Run};

/// What a run is said to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// It ends in a deadlock.
    Deadlock,
    /// It ends where there are no steps.
    End,
    /// Its last step is one of two of the same event to different states.
    Conflict,
    /// It loops on `tau`.
    Divergence,
    /// It ends where the model goes wrong in making a step.
    Fault,
    /// Only that it is a run of the model.
    Run,
}

impl Claim {
    /// What a run fails to do if the claim is false.
    fn denied(self) -> &'static str {
        match self {
            Claim::Deadlock => "does not end in a deadlock",
            Claim::End => "does not end in a state without steps",
            Claim::Conflict => "does not end with one of two steps of the same event to different states",
            Claim::Divergence => "does not loop on tau",
            Claim::Fault => "does not end where the model goes wrong",
            Claim::Run => "is no run of the model",
        }
    }
}

/// Replays the run and looks for what it claims: some execution that matches it must show that. Returns the states it may end in.
pub(crate) fn confirm<J: Judge>(
    replay: &Replay<'_, J>,
    run: &Run,
    claim: Claim,
) -> Result<Vec<J::State>, Invalid> {
    let confirmed = confirm_by(replay, run, claim);
    match confirmed {
        // The guide may be mistaken about which of several states is meant.
        Err(_) if !run.words.is_empty() => confirm_by(&replay.without_guide(), run, claim),
        _ => confirmed,
    }
}

fn confirm_by<J: Judge>(replay: &Replay<'_, J>, run: &Run, claim: Claim) -> Result<Vec<J::State>, Invalid> {
    let judge = replay.judge;
    let ends = replay.ends(run)?;
    let ended = run.prefix.last().is_some_and(|s| s.event == "terminate");
    let no_steps = || ends.iter().any(|s| judge.steps(s).is_ok_and(|s| s.is_empty()));
    let shown = match claim {
        Claim::Run => true,
        Claim::Deadlock => !ended && no_steps(),
        Claim::End => no_steps(),
        Claim::Fault => ends.iter().any(|s| judge.steps(s).is_err()),
        Claim::Divergence => !run.loop_.is_empty() && run.loop_.iter().all(|s| s.event == "tau"),
        Claim::Conflict => conflicts(replay, run)?,
    };
    match shown {
        true => Ok(ends),
        false => Err(Invalid::new(run.len(), format!("the run {}", claim.denied()))),
    }
}

/// Whether the state before the last step has two steps of the last event to different states.
fn conflicts<J: Judge>(replay: &Replay<'_, J>, run: &Run) -> Result<bool, Invalid> {
    let mut before = run.clone();
    let Some(last) = before.prefix.pop() else {
        return Ok(false);
    };
    for state in &replay.ends(&before)? {
        let steps = replay.judge.steps(state).unwrap_or_default();
        let mut targets = steps
            .iter()
            .filter(|(event, ..)| *event == last.event)
            .map(|(_, _, target)| target);
        if let Some(first) = targets.next()
            && targets.any(|target| target != first)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_system::{Fault, FaultKind, Fields, Value};
    use fairhold_trace::{JudgedStep, RunStep, unguided};

    /// 0 -a-> 1, 0 -a-> 2, 1 -tau-> 1, 2 has no steps, 0 -b-> 3 where the model goes wrong, 0 -terminate-> 4.
    struct Graph;

    impl Judge for Graph {
        type State = i64;

        fn initial(&self) -> Result<Vec<i64>, Fault> {
            Ok(vec![0])
        }

        fn steps(&self, state: &i64) -> Result<Vec<JudgedStep<i64>>, Fault> {
            let step = |event: &str, to| (event.to_owned(), vec![0], to);
            match state {
                0 => Ok(vec![
                    step("a", 1),
                    step("a", 2),
                    step("b", 3),
                    step("terminate", 4),
                ]),
                1 => Ok(vec![step("tau", 1)]),
                3 => Err(Fault {
                    kind: FaultKind::Error,
                    message: "division by zero".into(),
                    span: None,
                }),
                _ => Ok(Vec::new()),
            }
        }

        fn fields(&self, state: &i64) -> Fields {
            vec![("s".into(), Value::Int(*state))]
        }
    }

    fn run(prefix: &[(&str, i64)], loop_: &[(&str, i64)]) -> Run {
        let steps = |steps: &[(&str, i64)]| {
            let step = |&(event, to): &(&str, i64)| RunStep {
                event: event.into(),
                processes: vec![0],
                changes: Vec::new(),
                state: Graph.fields(&to),
            };
            steps.iter().map(step).collect()
        };
        Run {
            initial: Graph.fields(&0),
            prefix: steps(prefix),
            loop_: steps(loop_),
            ..Run::default()
        }
    }

    fn confirmed(run: &Run, claim: Claim) -> Result<Vec<i64>, Invalid> {
        let replay = Replay {
            judge: &Graph,
            guide: &unguided,
        };
        confirm(&replay, run, claim)
    }

    #[test]
    fn true_claims_are_confirmed() {
        for (run, claim, end) in [
            (run(&[("a", 2)], &[]), Claim::Deadlock, 2),
            (run(&[("a", 2)], &[]), Claim::End, 2),
            (run(&[("terminate", 4)], &[]), Claim::End, 4),
            (run(&[("a", 1)], &[]), Claim::Conflict, 1),
            (run(&[("b", 3)], &[]), Claim::Fault, 3),
            (run(&[], &[]), Claim::Run, 0),
            (run(&[("a", 1)], &[("tau", 1)]), Claim::Divergence, 1),
        ] {
            assert_eq!(confirmed(&run, claim), Ok(vec![end]), "{claim:?}");
        }
    }

    #[test]
    fn false_claims_are_refused() {
        for (run, claim) in [
            (run(&[("terminate", 4)], &[]), Claim::Deadlock),
            (run(&[("a", 1)], &[]), Claim::Deadlock),
            (run(&[("a", 1)], &[]), Claim::End),
            (run(&[("b", 3)], &[]), Claim::Conflict),
            (run(&[], &[]), Claim::Conflict),
            (run(&[("a", 2)], &[]), Claim::Fault),
            (run(&[("a", 1)], &[]), Claim::Divergence),
            (run(&[("a", 3)], &[]), Claim::Run),
        ] {
            assert!(confirmed(&run, claim).is_err(), "{run:?} {claim:?}");
        }
    }
}
