//! A counter with two processes and two flags, for the tests of this crate: as a system and as a judge.
//!
//! State `(x, flag)`: `inc` adds one to `x` while it is below 3 (process 0), `dec` takes one off while it is
//! positive (process 0), `set` raises the flag (process 1), and `flip` raises the flag or leaves it, both with
//! process 1. At `x == 3` with the flag raised nothing is possible.

use crate::judge::{Judge, JudgedStep};
use crate::run::{Run, RunStep};
use fairhold_system::{
    EventId, Fault, Fields, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Value, Word,
};

pub(crate) struct Counter;

fn fields(x: i64, flag: i64) -> Fields {
    vec![
        ("x".into(), Value::Int(x)),
        ("flags".into(), Value::List(vec![Value::Int(flag), Value::Int(0)])),
        ("process 0".into(), Value::Text("count".into())),
    ]
}

/// `inc`, then `inc dec` forever.
pub(crate) fn lasso() -> Run {
    let step = |event: &str, x: i64| RunStep {
        event: event.into(),
        processes: vec![0],
        changes: vec![("x".into(), Value::Int(x))],
        state: fields(x, 0),
    };
    Run {
        initial: fields(0, 0),
        prefix: vec![step("inc", 1)],
        loop_: vec![step("inc", 2), step("dec", 1)],
        ..Run::default()
    }
}

impl Judge for Counter {
    type State = (i64, i64);

    fn initial(&self) -> Result<Vec<(i64, i64)>, Fault> {
        Ok(vec![(0, 0)])
    }

    fn steps(&self, &(x, flag): &(i64, i64)) -> Result<Vec<JudgedStep<(i64, i64)>>, Fault> {
        let mut steps = Vec::new();
        if x == 3 && flag == 1 {
            return Ok(steps);
        }
        if x < 3 {
            steps.push(("inc".into(), vec![0], (x + 1, flag)));
        }
        if x > 0 {
            steps.push(("dec".into(), vec![0], (x - 1, flag)));
        }
        steps.push(("set".into(), vec![1], (x, 1)));
        steps.push(("flip".into(), vec![1], (x, 1)));
        steps.push(("flip".into(), vec![1], (x, 0)));
        Ok(steps)
    }

    fn fields(&self, &(x, flag): &(i64, i64)) -> Fields {
        fields(x, flag)
    }
}

/// Only names and fields: the tests bring their own paths.
impl System for Counter {
    type Stepper<'a> = Counter;

    fn width(&self) -> usize {
        2
    }

    fn stepper(&self) -> Counter {
        Counter
    }

    fn event_name(&self, event: EventId) -> String {
        ["tau", "terminate", "inc", "dec", "set", "flip"][event.0 as usize].into()
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        [vec![], vec![0], vec![1]][set.0 as usize].clone()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, state: &[Word]) -> Fields {
        fields(i64::from(state[0]), i64::from(state[1]))
    }
}

impl Stepper for Counter {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = fairhold_system::Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        out.push(label, &[0, 0]);
        Ok(())
    }

    fn steps(&mut self, _: &[Word], _: &mut Steps) -> Result<(), Fault> {
        Ok(())
    }

    fn holds(&mut self, _: PredicateId, _: &[Word]) -> Result<bool, Fault> {
        Ok(false)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}
