//! The system's graph as far as it was needed, kept: steps of every expanded state, and the letters of every state.
//!
//! A search for fair loops looks at a component's steps more than once (who is enabled, who is engaged, again after every split), and one exploration serves
//! several notions of fairness. So steps are kept, 12 bytes each, and a state is stepped once.
//!
//! A state without steps is extended by idling forever: it gets the one step [`EventId::IDLE`] to itself, which belongs to no process and is counted as no
//! step of the system.

use crate::visited::{Halt, Visited};
use fairhold_store::StateId;
use fairhold_system::{EventId, Label, Limits, Observer, PredicateId, ProcessesId, Stepper, System};

/// A step of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Its event and participants.
    pub(crate) label: Label,
    /// The state it enters.
    pub(crate) target: StateId,
}

/// Where a state's part of a list lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    /// Of something not computed yet.
    pub(crate) const UNKNOWN: Span = Span {
        start: u32::MAX,
        len: 0,
    };

    pub(crate) fn new(start: usize, end: usize) -> Span {
        let start32 = u32::try_from(start).expect("fewer than 2^32 steps are kept");
        Span {
            start: start32,
            len: (end - start) as u32,
        }
    }

    pub(crate) fn is_known(self) -> bool {
        self.start != u32::MAX
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        debug_assert!(self.is_known(), "only what was computed is asked for");
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// The graph.
pub(crate) struct Expanded<'a, S: System> {
    pub(crate) visited: Visited<'a, S>,
    /// Initial states.
    pub(crate) initial: Vec<StateId>,
    spans: Vec<Span>,
    steps: Vec<Step>,
    /// Which state atoms hold, a bit each.
    letters: Vec<u64>,
    atoms: Vec<(PredicateId, u64)>,
    /// Ready events by state, if anyone asks for them.
    ready: Vec<Option<Box<[EventId]>>>,
    needs_ready: bool,
}

impl<'a, S: System> Expanded<'a, S> {
    /// A graph with its initial states. `atoms` are the predicates that make up letters, with their bits.
    pub(crate) fn new(
        system: &'a S,
        atoms: Vec<(PredicateId, u64)>,
        needs_ready: bool,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> Expanded<'a, S> {
        Expanded {
            visited: Visited::new(system, limits, observer),
            initial: Vec::new(),
            spans: Vec::new(),
            steps: Vec::new(),
            letters: Vec::new(),
            atoms,
            ready: Vec::new(),
            needs_ready,
        }
    }

    /// Finds the initial states.
    pub(crate) fn start(&mut self) -> Result<(), Halt> {
        self.visited.initial()?;
        for i in 0..self.visited.steps.len() {
            let state = self.admit(i)?;
            if !self.initial.contains(&state) {
                self.initial.push(state);
            }
        }
        Ok(())
    }

    fn admit(&mut self, i: usize) -> Result<StateId, Halt> {
        let inserted = self.visited.admit(i)?;
        if inserted.new {
            let budget = &mut self.visited.budget;
            budget.reserve(&mut self.spans, 1)?;
            budget.reserve(&mut self.letters, 1)?;
            self.spans.push(Span::UNKNOWN);
            let mut letter = 0;
            for &(predicate, bit) in &self.atoms {
                let holds = self
                    .visited
                    .stepper
                    .holds(predicate, self.visited.table.get(inserted.id));
                let at = Some(inserted.id);
                if holds.map_err(|fault| Halt::Fault { fault, at })? {
                    letter |= bit;
                }
            }
            self.letters.push(letter);
            if self.needs_ready {
                self.ready.push(None);
            }
        }
        Ok(inserted.id)
    }

    /// Computes a state's steps, once.
    pub(crate) fn expand(&mut self, state: StateId) -> Result<(), Halt> {
        if self.spans[state.index()].is_known() {
            return Ok(());
        }
        self.visited.expand(state)?;
        let count = self.visited.steps.len();
        self.visited.budget.reserve(&mut self.steps, count.max(1))?;
        let start = self.steps.len();
        for i in 0..count {
            let label = self.visited.steps.label(i);
            let step = Step {
                label,
                target: self.admit(i)?,
            };
            // Words that tell no states apart may make two steps one.
            if !self.steps[start..].contains(&step) {
                self.steps.push(step);
            }
        }
        if count == 0 {
            let label = Label {
                event: EventId::IDLE,
                processes: ProcessesId::NONE,
            };
            self.steps.push(Step { label, target: state });
        }
        self.spans[state.index()] = Span::new(start, self.steps.len());
        if self.needs_ready {
            let mut events = Vec::new();
            let words = self.visited.table.get(state);
            let found = self.visited.stepper.ready(words, &mut events);
            found.map_err(|fault| Halt::Fault {
                fault,
                at: Some(state),
            })?;
            events.sort_unstable();
            events.dedup();
            self.ready[state.index()] = Some(events.into());
        }
        Ok(())
    }

    /// The range of an expanded state's steps in [`Expanded::step`].
    pub(crate) fn span(&self, state: StateId) -> std::ops::Range<usize> {
        self.spans[state.index()].range()
    }

    /// A step by its number.
    pub(crate) fn step(&self, number: usize) -> Step {
        self.steps[number]
    }

    /// How many steps are kept.
    pub(crate) fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The steps of an expanded state.
    pub(crate) fn steps(&self, state: StateId) -> &[Step] {
        &self.steps[self.span(state)]
    }

    /// The state atoms that hold.
    pub(crate) fn letter(&self, state: StateId) -> u64 {
        self.letters[state.index()]
    }

    /// The events ready in an expanded state, ascending.
    pub(crate) fn ready(&self, state: StateId) -> &[EventId] {
        self.ready[state.index()]
            .as_deref()
            .expect("ready events are kept where a constraint speaks of them")
    }

    /// Whether a state's steps are known.
    pub(crate) fn is_expanded(&self, state: StateId) -> bool {
        self.spans[state.index()].is_known()
    }
}
