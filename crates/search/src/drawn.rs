//! Graphs that are written down, for tests.

use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};

/// A step: event, process, target. Process sets have one member.
type Arc = (u32, u32, u32);

/// A graph: by state, the propositions that hold, a bit each, and its steps.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) initial: Vec<u32>,
    pub(crate) states: Vec<(u32, Vec<Arc>)>,
}

impl System for Drawn {
    type Stepper<'a> = &'a Drawn;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &Drawn {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        event.0.to_string()
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        set.0.checked_sub(1).into_iter().collect()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for &Drawn {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = label(0, 0);
        self.initial.iter().for_each(|&s| {
            out.push(label, &[s]);
        });
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for &(event, process, target) in &self.states[state[0] as usize].1 {
            out.push(label(event, process), &[target]);
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.states[state[0] as usize].0 >> predicate.0 & 1 == 1)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

fn label(event: u32, process: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId(process + 1),
    }
}
