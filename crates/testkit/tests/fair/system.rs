//! A graph of the oracle as a system that a search can step through, and runs of it.

use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, Path, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};
use fairhold_testkit::fair::{Forever, Graph, IDLE, PROCESSES, Party, Step, TERMINATE, set_of};

/// A graph as a system. Process sets are numbers whose bits are the members.
pub(crate) struct Drawn<'g>(pub(crate) &'g Graph);

/// Steps through a graph.
pub(crate) struct Walker<'g>(&'g Graph);

/// The label of a step.
fn label(step: &Step) -> Label {
    Label {
        event: EventId(step.event),
        processes: ProcessesId(step.processes),
    }
}

impl System for Drawn<'_> {
    type Stepper<'a>
        = Walker<'a>
    where
        Self: 'a;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> Walker<'_> {
        Walker(self.0)
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        (0..PROCESSES).filter(|p| set.0 >> p & 1 == 1).collect()
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        let mut steps = self.0.steps.iter();
        steps.any(|s| s.to == state[0] as usize && s.event == TERMINATE)
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
        let own = |s: &&Step| s.from == state[0] as usize && s.event != IDLE;
        for step in self.0.steps.iter().filter(own) {
            out.push(label(step), &[step.to as Word]);
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        let state = state[0] as usize;
        let offered = self.0.offered[state];
        let enabled = |e: u32| Party::Event(e).enabled(self.0) >> state & 1 == 1;
        out.extend(
            (2..u64::BITS)
                .filter(|&e| offered >> e & 1 == 1 || enabled(e))
                .map(EventId),
        );
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.0.predicates[state[0] as usize] >> predicate.0 & 1 == 1)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

/// A lasso that was found, once it is known to be an execution of the graph.
pub(crate) struct Lasso {
    /// The numbers of its steps.
    steps: Vec<usize>,
    /// Its first state.
    start: usize,
    /// How many steps come before the loop.
    loop_from: usize,
}

impl Lasso {
    /// # Panics
    /// If the path is no lasso of the graph.
    pub(crate) fn new(graph: &Graph, path: &Path) -> Lasso {
        let loop_from = path.loop_from.expect("a lasso");
        let state = |i: usize| path.states[i][0] as usize;
        assert_eq!(path.states.len(), path.labels.len() + 1, "{path:?}");
        assert!(loop_from < path.labels.len(), "the loop has a step: {path:?}");
        assert_eq!(
            state(loop_from),
            state(path.labels.len()),
            "the loop closes: {path:?}"
        );
        assert!(
            graph.initial.contains(&state(0)),
            "it starts at the start: {path:?}"
        );
        let step = |i: usize| {
            let here = |s: &Step| (s.from, label(s), s.to) == (state(i), path.labels[i], state(i + 1));
            let number = graph.steps.iter().position(here);
            number.unwrap_or_else(|| panic!("step {i} of {path:?} is none of {graph:?}"))
        };
        Lasso {
            steps: (0..path.labels.len()).map(step).collect(),
            start: state(0),
            loop_from,
        }
    }

    /// What it does infinitely often.
    pub(crate) fn forever(&self, graph: &Graph) -> Forever {
        Forever::of(graph, set_of(self.steps[self.loop_from..].iter().copied()))
    }

    /// Its letters: those before the letters of the loop come again and again, and these.
    pub(crate) fn word(
        &self,
        graph: &Graph,
        letter: impl Fn(Option<u32>, usize) -> u64,
    ) -> fairhold_logic::Word {
        let read = |&i: &usize| letter(Some(graph.steps[i].event), graph.steps[i].to);
        let (before, again) = self.steps.split_at(self.loop_from);
        let first = std::iter::once(letter(None, self.start));
        fairhold_logic::Word {
            prefix: first.chain(before.iter().map(read)).collect(),
            cycle: again.iter().map(read).collect(),
        }
    }
}
