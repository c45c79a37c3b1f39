//! A structure of the oracle as a system that a search can step through.

use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};
use fairhold_testkit::fair::{Graph, IDLE, PROCESSES, Step, TERMINATE};

/// A structure, its steps by their sources: it may be larger than the sets of the oracle. Process sets are numbers whose bits are the members.
pub(crate) struct Structure {
    initial: Vec<usize>,
    predicates: Vec<u64>,
    /// By state: the events ready there, ascending.
    ready: Vec<Vec<EventId>>,
    steps: Vec<Vec<Step>>,
    ended: Vec<bool>,
}

impl Structure {
    pub(crate) fn new(graph: &Graph) -> Structure {
        let states = graph.predicates.len();
        let mut structure = Structure {
            initial: graph.initial.clone(),
            predicates: graph.predicates.clone(),
            ready: Vec::new(),
            steps: vec![Vec::new(); states],
            ended: vec![false; states],
        };
        for step in graph.steps.iter().filter(|s| s.event != IDLE) {
            structure.steps[step.from].push(*step);
            structure.ended[step.to] |= step.event == TERMINATE;
        }
        for state in 0..states {
            let enabled = structure.steps[state].iter().map(|s| s.event);
            let offered = (0..u64::BITS).filter(|&e| graph.offered[state] >> e & 1 == 1);
            let mut ready: Vec<u32> = enabled.chain(offered).filter(|&e| e > TERMINATE).collect();
            ready.sort_unstable();
            ready.dedup();
            structure.ready.push(ready.into_iter().map(EventId).collect());
        }
        structure
    }
}

/// The label of a step.
pub(crate) fn label(step: &Step) -> Label {
    Label {
        event: EventId(step.event),
        processes: ProcessesId(step.processes),
    }
}

/// Steps through a structure.
pub(crate) struct Walker<'s>(&'s Structure);

impl System for Structure {
    type Stepper<'a> = Walker<'a>;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> Walker<'_> {
        Walker(self)
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        (0..PROCESSES).filter(|p| set.0 >> p & 1 == 1).collect()
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.ended[state[0] as usize]
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        for &state in &self.0.initial {
            out.push(label, &[state as Word]);
        }
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for step in &self.0.steps[state[0] as usize] {
            out.push(label(step), &[step.to as Word]);
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        out.extend(&self.0.ready[state[0] as usize]);
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.0.predicates[state[0] as usize] >> predicate.0 & 1 == 1)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}
