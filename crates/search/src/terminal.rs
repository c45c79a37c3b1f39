//! Strong global fairness by terminal components, for systems that start almost everywhere.
//!
//! A fair execution ends up in a terminal component of the system, and takes every step there again and again. If only what happens infinitely often matters, then where it
//! came from does not, and it is enough to look at executions that start there: the question is asked of a system that starts in one state of each terminal component.
//!
//! Finding these takes a depth-first search that keeps no steps: a few bytes a state where the search for fair loops takes a hundred. The price is that the terminal components are searched twice. Of
//! a self-stabilising protocol, which starts in every configuration, they are a small part.

use crate::explore::Unfolding;
use crate::question::Statistics;
use crate::tarjan::{Graph, Tarjan, Visitor};
use crate::visited::{Halt, Visited};
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Fault, Fields, Label, Limits, ObjectiveId, Observer, PredicateId, ProcessesId, Stepper, Steps,
    System, Word,
};

/// A system that starts elsewhere.
pub(crate) struct From<'s, S> {
    system: &'s S,
    states: Vec<Vec<Word>>,
}

impl<'s, S: System> From<'s, S> {
    pub(crate) fn new(system: &'s S, state: Vec<Word>) -> From<'s, S> {
        From {
            system,
            states: vec![state],
        }
    }
}

/// A state of every terminal component of a system, and what was seen on the way.
pub(crate) fn terminal<'s, S: System>(
    system: &'s S,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<(From<'s, S>, Statistics), Halt> {
    let mut visited = Visited::new(system, limits, observer);
    let mut tarjan = Tarjan::new();
    let mut found = Terminal(Vec::new());
    while visited.initial()? {
        let known = visited.table.len() as u32;
        for i in 0..visited.window.now.steps.len() {
            visited.admit(i)?;
        }
        let met = visited.table.len() as u32;
        let mut graph = Unfolding(&mut visited);
        for root in known..met {
            tarjan.search(&mut graph, StateId(root), &mut found)?;
        }
    }
    let states = found.0.iter().map(|&state| visited.table.get(state)).collect();
    let mut statistics = visited.statistics(tarjan.order_bytes());
    statistics.sccs = Some(tarjan.components);
    Ok((From { system, states }, statistics))
}

/// A state of each terminal component.
struct Terminal(Vec<StateId>);

impl<G: Graph> Visitor<G> for &mut Terminal {
    fn component(&mut self, _: &mut G, _: &[StateId], _: bool) -> Result<bool, Halt> {
        Ok(false)
    }

    fn terminal(&mut self, graph: &mut G, members: &[StateId]) -> Result<(), Halt> {
        graph.budget().reserve(&mut self.0, 1)?;
        self.0.push(members[0]);
        Ok(())
    }
}

/// A stepper that starts elsewhere.
pub(crate) struct Elsewhere<'s, T> {
    stepper: T,
    states: &'s [Vec<Word>],
}

impl<S: System> System for From<'_, S> {
    type Stepper<'a>
        = Elsewhere<'a, S::Stepper<'a>>
    where
        Self: 'a;

    fn width(&self) -> usize {
        self.system.width()
    }

    fn key_width(&self) -> usize {
        self.system.key_width()
    }

    fn stepper(&self) -> Elsewhere<'_, S::Stepper<'_>> {
        Elsewhere {
            stepper: self.system.stepper(),
            states: &self.states,
        }
    }

    fn event_name(&self, event: EventId) -> String {
        self.system.event_name(event)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        self.system.processes(set)
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.system.is_ended(state)
    }

    fn fields(&self, state: &[Word]) -> Fields {
        self.system.fields(state)
    }
}

impl<T: Stepper> Stepper for Elsewhere<'_, T> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        for state in self.states {
            out.push(label, state);
        }
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        self.stepper.steps(state, out)
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        self.stepper.ready(state, out)
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        self.stepper.holds(predicate, state)
    }

    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        self.stepper.measure(objective, state)
    }

    fn bytes(&self) -> u64 {
        self.stepper.bytes()
    }
}
