//! An [`Lts`] as a system to search: one word a state, its number.
//!
//! Stepping is a slice of the table. Process 0 takes part in every step: a graph does not say who does what.

use crate::lts::Lts;
use crate::property::Condition;
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Value, Word,
};
use std::sync::Arc;

/// The set with process 0 in it.
const PROCESS_0: ProcessesId = ProcessesId(1);

/// A system with the predicates that are asked of it.
#[derive(Clone, Debug)]
pub struct LtsSystem {
    lts: Arc<Lts>,
    predicates: Vec<Condition>,
}

impl LtsSystem {
    /// The system; [`PredicateId`] is an index into `predicates`.
    pub fn new(lts: Arc<Lts>, predicates: Vec<Condition>) -> LtsSystem {
        LtsSystem { lts, predicates }
    }

    /// How many predicates there are.
    pub fn predicates(&self) -> usize {
        self.predicates.len()
    }
}

impl System for LtsSystem {
    type Stepper<'a> = &'a LtsSystem;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &LtsSystem {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        self.lts.events()[event.0 as usize].clone()
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        if set == PROCESS_0 { vec![0] } else { Vec::new() }
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.lts.is_ended(StateId(state[0]))
    }

    fn fields(&self, state: &[Word]) -> Fields {
        vec![("state".into(), Value::Int(i64::from(state[0])))]
    }
}

impl Stepper for &LtsSystem {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        out.push(label, &[self.lts.initial().0]);
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for step in self.lts.steps_from(StateId(state[0])) {
            let label = Label {
                event: step.event,
                processes: PROCESS_0,
            };
            out.push(label, &[step.to.0]);
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.predicates[predicate.0 as usize].holds(StateId(state[0])))
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        unreachable!("no property of a graph has an objective")
    }
}
