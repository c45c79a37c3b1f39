//! An [`Lts`] as the judge of runs: it looks through all steps, one by one, and trusts no index.

use crate::lts::Lts;
use fairhold_system::{Fault, Fields, Value};
use fairhold_trace::{Judge, JudgedStep};
use std::sync::Arc;

/// Judges runs of a graph. A step costs a look at every step of the graph.
#[derive(Clone, Debug)]
pub struct LtsJudge(pub Arc<Lts>);

impl Judge for LtsJudge {
    type State = u32;

    fn initial(&self) -> Result<Vec<u32>, Fault> {
        Ok(vec![self.0.initial().0])
    }

    fn steps(&self, state: &u32) -> Result<Vec<JudgedStep<u32>>, Fault> {
        let own = self.0.steps().iter().filter(|step| step.from.0 == *state);
        let judged = own.map(|step| {
            let name = self.0.events()[step.event.0 as usize].clone();
            (name, vec![0], step.to.0)
        });
        Ok(judged.collect())
    }

    fn fields(&self, state: &u32) -> Fields {
        vec![("state".into(), Value::Int(i64::from(*state)))]
    }
}
