//! A system given by its graph, and a generator of random ones.
//!
//! A state has three words: its number, a function of it, and a word that tells no states apart and counts the steps
//! taken to the state.

use fairhold_system::{
    EventId, Fault, FaultKind, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System,
    Value, Word,
};

/// The event numbers used in drawings.
pub(crate) const TAU: u32 = 0;

/// An arc: event, processes, target.
pub(crate) type Arc = (u32, u32, usize);

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) arcs: Vec<Arc>,
    pub(crate) ended: bool,
    pub(crate) goal: bool,
    pub(crate) value: i64,
    /// Stepping from here goes wrong.
    pub(crate) step_fault: Option<FaultKind>,
    /// Asking the predicate here goes wrong.
    pub(crate) goal_fault: Option<FaultKind>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Explicit {
    pub(crate) initial: Vec<usize>,
    pub(crate) nodes: Vec<Node>,
    /// The initial states cannot be computed.
    pub(crate) initial_fault: Option<FaultKind>,
}

pub(crate) const WIDTH: usize = 3;
pub(crate) const KEY: usize = 2;

impl Explicit {
    /// A graph with these arcs, from state 0; states are as many as are mentioned.
    pub(crate) fn draw(arcs: &[(usize, u32, usize)]) -> Explicit {
        let states = arcs.iter().map(|&(from, _, to)| from.max(to) + 1).max();
        let mut graph = Explicit {
            initial: vec![0],
            nodes: vec![Node::default(); states.unwrap_or(1)],
            initial_fault: None,
        };
        for &(from, event, to) in arcs {
            graph.nodes[from].arcs.push((event, 0, to));
        }
        graph
    }

    pub(crate) fn row(number: usize, taken: u32) -> [Word; WIDTH] {
        [number as u32, (number as u32).wrapping_mul(77), taken]
    }

    pub(crate) fn number(state: &[Word]) -> usize {
        assert_eq!(state.len(), WIDTH);
        assert_eq!(state[1], state[0].wrapping_mul(77));
        state[0] as usize
    }
}

pub(crate) fn fault(kind: FaultKind, message: &str) -> Fault {
    Fault {
        kind,
        message: message.to_owned(),
        span: None,
    }
}

impl System for Explicit {
    type Stepper<'a> = &'a Explicit;

    fn width(&self) -> usize {
        WIDTH
    }

    fn key_width(&self) -> usize {
        KEY
    }

    fn stepper(&self) -> &Explicit {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        vec![set.0]
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.nodes[Explicit::number(state)].ended
    }

    fn fields(&self, state: &[Word]) -> Fields {
        vec![("state".to_owned(), Value::Int(i64::from(state[0])))]
    }
}

impl Stepper for &Explicit {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        for &number in &self.initial {
            out.push(label(7, 7), &Explicit::row(number, 0));
        }
        self.initial_fault
            .map_or(Ok(()), |kind| Err(fault(kind, "initial")))
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let node = &self.nodes[Explicit::number(state)];
        for (i, &(event, processes, target)) in node.arcs.iter().enumerate() {
            // A stepper that faults may have produced steps before it noticed.
            if i > 0 && node.step_fault.is_some() {
                break;
            }
            out.push(label(event, processes), &Explicit::row(target, state[2] + 1));
        }
        node.step_fault.map_or(Ok(()), |kind| Err(fault(kind, "step")))
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        assert_eq!(predicate, PredicateId(4));
        let node = &self.nodes[Explicit::number(state)];
        node.goal_fault
            .map_or(Ok(node.goal), |kind| Err(fault(kind, "goal")))
    }

    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        assert_eq!(objective, ObjectiveId(5));
        Ok(self.nodes[Explicit::number(state)].value)
    }
}

pub(crate) fn label(event: u32, processes: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId(processes),
    }
}

/// A seeded generator (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as usize % bound
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn kind(&mut self) -> FaultKind {
        if self.chance(2) {
            FaultKind::Error
        } else {
            FaultKind::Unbounded
        }
    }

    /// A random graph of up to 14 states, at times 60: few events, so that each verdict is common.
    pub(crate) fn graph(&mut self) -> Explicit {
        let states = if self.chance(8) {
            15 + self.below(46)
        } else {
            1 + self.below(14)
        };
        let events = 1 + self.below(9);
        let density = 1 + self.below(5);
        let faults = self.chance(4);
        let mut nodes = vec![Node::default(); states];
        for node in &mut nodes {
            let count = self.below(density + 1) + usize::from(self.chance(2));
            for _ in 0..count {
                let event = match self.below(events) as u32 {
                    1 => TAU,
                    event => event + 2 * u32::from(self.chance(6)),
                };
                let arc = (event, self.below(2) as u32, self.below(states));
                if !node.arcs.contains(&arc) {
                    node.arcs.push(arc);
                }
            }
            node.ended = node.arcs.is_empty() && self.chance(2);
            node.goal = self.chance(9);
            node.value = self.below(9) as i64 - 4;
            if faults && self.chance(states) {
                node.step_fault = Some(self.kind());
            }
            if faults && self.chance(2 * states) {
                node.goal_fault = Some(self.kind());
            }
        }
        let initial = (0..=self.below(3)).map(|_| self.below(states)).collect();
        let initial_fault = (faults && self.chance(40)).then(|| self.kind());
        Explicit {
            initial,
            nodes,
            initial_fault,
        }
    }
}
