//! An [`Lts`] as a system to search: one word a state, its number.
//!
//! Stepping is a slice of the table.

use crate::lts::{Lts, Owner};
use crate::property::Condition;
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};
use std::sync::Arc;

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
        self.lts.alphabet().members(set).to_vec()
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.lts.is_ended(StateId(state[0]))
    }

    fn fields(&self, state: &[Word]) -> Fields {
        self.lts.fields(StateId(state[0]))
    }
}

impl Stepper for &LtsSystem {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        for state in self.lts.initial() {
            out.push(label, &[state.0]);
        }
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for step in self.lts.steps_from(StateId(state[0])) {
            out.push(self.lts.alphabet().get(step.label), &[step.to.0]);
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        let state = StateId(state[0]);
        let steps = self.lts.steps_from(state).iter();
        let stepping = steps.map(|step| self.lts.alphabet().get(step.label).event);
        let declared = self.lts.description().into_iter().flat_map(|d| &d.also_enabled);
        let declared = declared.filter_map(|(owner, set)| match owner {
            Owner::Event(event) if set.contains(state.index()) => Some(*event),
            _ => None,
        });
        let named = |event: &EventId| *event != EventId::TAU && *event != EventId::TERMINATE;
        out.extend(stepping.chain(declared).filter(named));
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.predicates[predicate.0 as usize].holds(StateId(state[0])))
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        unreachable!("no property of a graph has an objective")
    }
}
