//! An [`Lts`] as the judge of runs: it looks through all steps, one by one, and trusts no index.

use crate::lts::{Lts, Owner};
use fairhold_store::StateId;
use fairhold_system::{Fault, Fields};
use fairhold_trace::{Enabled, Judge, JudgedStep};
use std::sync::Arc;

/// Judges runs of a graph. A step costs a look at every step of the graph.
#[derive(Clone, Debug)]
pub struct LtsJudge(pub Arc<Lts>);

impl LtsJudge {
    /// Whether the state has no steps and is not the end of a successful termination.
    pub fn is_deadlock(&self, state: u32) -> bool {
        !self.is_ended(state) && self.0.steps().iter().all(|step| step.from.0 != state)
    }

    /// Whether the state is the end of a successful termination: without steps, and entered by `terminate`.
    pub fn is_ended(&self, state: u32) -> bool {
        let terminates = |label| self.event(label) == "terminate";
        let mut steps = self.0.steps().iter();
        steps.all(|step| step.from.0 != state)
            && self
                .0
                .steps()
                .iter()
                .any(|step| step.to.0 == state && terminates(step.label))
    }

    fn event(&self, label: crate::LabelId) -> &str {
        let alphabet = self.0.alphabet();
        &alphabet.events()[alphabet.get(label).event.0 as usize]
    }
}

impl Judge for LtsJudge {
    type State = u32;

    fn initial(&self) -> Result<Vec<u32>, Fault> {
        Ok(self.0.initial().iter().map(|state| state.0).collect())
    }

    fn steps(&self, state: &u32) -> Result<Vec<JudgedStep<u32>>, Fault> {
        let own = self.0.steps().iter().filter(|step| step.from.0 == *state);
        let alphabet = self.0.alphabet();
        let judged = own.map(|step| {
            let processes = alphabet.members(alphabet.get(step.label).processes);
            (self.event(step.label).to_owned(), processes.to_vec(), step.to.0)
        });
        Ok(judged.collect())
    }

    fn enabled(&self, state: &u32, steps: &[JudgedStep<u32>]) -> Enabled {
        let mut enabled = Enabled::by_steps(steps);
        for owner in self.0.owners() {
            if self.0.is_also_enabled(owner, StateId(*state)) {
                match owner {
                    Owner::Event(event) => {
                        enabled.events.insert(self.0.events()[event.0 as usize].clone());
                    }
                    Owner::Process(process) => {
                        enabled.processes.insert(process);
                    }
                }
            }
        }
        enabled
    }

    fn ready(&self, state: &u32) -> Result<std::collections::BTreeSet<String>, Fault> {
        let mut events = self.enabled(state, &self.steps(state)?).events;
        events.retain(|e| e != "tau" && e != "terminate");
        Ok(events)
    }

    fn fields(&self, state: &u32) -> Fields {
        self.0.fields(StateId(*state))
    }
}
