//! A system given by its graph.
//!
//! A state has three words: two that make up its number, and one that is a function of it and grows with it, so that a table
//! is packed anew several times while large numbers are met.

use fairhold_system::{
    EventId, Fault, FaultKind, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System,
    Word,
};

/// The first event that is neither `tau` nor termination.
pub(crate) const FIRST_EVENT: u32 = 2;
/// Processes are numbered below this; a set of them is its bits.
pub(crate) const PROCESSES: u32 = 4;
/// The predicates.
pub(crate) const P: PredicateId = PredicateId(0);
pub(crate) const Q: PredicateId = PredicateId(1);
/// One that few states have.
pub(crate) const RARE: PredicateId = PredicateId(2);

/// An arc: its event, its processes as bits, its target.
pub(crate) type Arc = (u32, u32, u32);

/// What is wrong with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// Stepping from it goes wrong.
    Step(FaultKind),
    /// Asking predicates there goes wrong.
    Predicate(FaultKind),
    /// Stepping from it panics.
    StepPanic,
    /// Asking predicates there panics.
    PredicatePanic,
}

/// The words of the panics.
pub(crate) const PANIC: &str = "a stepper that panics on purpose";

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) initial: Vec<u32>,
    /// The arcs of all states, and where those of each begin; one more than there are states.
    pub(crate) arcs: Vec<Arc>,
    pub(crate) starts: Vec<u32>,
    /// By state: predicates that hold, a bit each.
    pub(crate) predicates: Vec<u8>,
    pub(crate) troubles: Vec<(u32, Trouble)>,
    /// Whether initial states come one by one.
    pub(crate) hesitant: bool,
}

impl Graph {
    /// The graph with these arcs from each state, without repeated ones.
    pub(crate) fn new(initial: Vec<u32>, lists: Vec<Vec<Arc>>, predicates: Vec<u8>) -> Graph {
        let mut graph = Graph {
            initial,
            starts: vec![0],
            predicates,
            ..Graph::default()
        };
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            graph.arcs.append(&mut list);
            graph.starts.push(graph.arcs.len() as u32);
        }
        graph
    }

    pub(crate) fn len(&self) -> usize {
        self.predicates.len()
    }

    pub(crate) fn arcs(&self, state: u32) -> &[Arc] {
        let state = state as usize;
        &self.arcs[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    pub(crate) fn has(&self, state: u32, predicate: PredicateId) -> bool {
        self.predicates[state as usize] >> predicate.0 & 1 == 1
    }

    fn is_ended(&self, state: u32) -> bool {
        state.is_multiple_of(3) && self.arcs(state).is_empty()
    }

    fn trouble(&self, state: u32) -> Option<Trouble> {
        let mut all = self.troubles.iter();
        all.find(|(number, _)| *number == state).map(|t| t.1)
    }
}

pub(crate) fn row(number: u32) -> [Word; 3] {
    let mixed = number.wrapping_mul(0x9e37_79b1);
    let growing = mixed >> number.max(1).leading_zeros();
    [number & 0xff, number >> 8, growing]
}

pub(crate) fn number(state: &[Word]) -> u32 {
    let number = state[0] | state[1] << 8;
    assert_eq!(state, row(number), "words that belong to no state");
    number
}

pub(crate) fn label(event: u32, processes: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId(processes),
    }
}

fn fault(kind: FaultKind) -> Fault {
    Fault {
        kind,
        message: "on purpose".to_owned(),
        span: None,
    }
}

impl System for Graph {
    type Stepper<'a> = &'a Graph;

    fn width(&self) -> usize {
        3
    }

    fn stepper(&self) -> &Graph {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        (0..PROCESSES).filter(|p| set.0 >> p & 1 == 1).collect()
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        Graph::is_ended(self, number(state))
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for &Graph {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        for &state in &self.initial {
            out.push(label(0, 0), &row(state));
        }
        Ok(())
    }

    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        if !self.hesitant {
            self.initial(out)?;
            return Ok(None);
        }
        let at = cursor as usize;
        out.push(label(0, 0), &row(self.initial[at]));
        Ok((at + 1 < self.initial.len()).then_some(cursor + 1))
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let state = number(state);
        match self.trouble(state) {
            Some(Trouble::Step(kind)) => return Err(fault(kind)),
            Some(Trouble::StepPanic) => panic!("{PANIC}"),
            _ => {}
        }
        for &(event, processes, target) in self.arcs(state) {
            out.push(label(event, processes), &row(target));
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let state = number(state);
        match self.trouble(state) {
            Some(Trouble::Predicate(kind)) => Err(fault(kind)),
            Some(Trouble::PredicatePanic) => panic!("{PANIC}"),
            _ => Ok(self.has(state, predicate)),
        }
    }

    fn measure(&mut self, _: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        Ok(i64::from(number(state) % 1009))
    }
}
