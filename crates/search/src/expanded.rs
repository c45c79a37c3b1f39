//! The system's graph as far as it was needed, kept: steps of every expanded state, and the letters of every state.
//!
//! A search for fair loops looks at a component's steps more than once (who is enabled, who is engaged, again after every split), and one exploration serves
//! several notions of fairness. So steps are kept, 6 bytes each as long as there are not too many labels, and a state is stepped once.
//!
//! A state without steps is extended by idling forever: it gets the one step [`EventId::IDLE`] to itself, which belongs to no process and is counted as no
//! step of the system.

use crate::budget::Budget;
use crate::column::Column;
use crate::letters::{StateAtom, StateLetters, letter_of_state};
use crate::lists::{Item, Lists, Span};
use crate::numbering::Numbering;
use crate::visited::{Halt, Visited};
use crate::window::{AHEAD, Next};
use fairhold_store::StateId;
use fairhold_system::{EventId, Label, Limits, Observer, ProcessesId, Stepper, System, Word};

/// A step of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Its event and participants.
    pub(crate) label: Label,
    /// The state it enters.
    pub(crate) target: StateId,
}

/// A step as it was kept, with the number of its label.
#[inline]
fn step(kept: Item, labels: &Numbering<Label>) -> Step {
    Step {
        label: labels.at(kept.number),
        target: kept.target,
    }
}

/// The graph.
pub(crate) struct Expanded<'a, S: System> {
    pub(crate) visited: Visited<'a, S>,
    /// Initial states found so far.
    pub(crate) initial: Vec<StateId>,
    /// Why finding them, or describing a state that was met, broke off, if it did: something is missing then.
    broken: Option<Halt>,
    spans: Column<Span>,
    steps: Lists,
    /// The labels of steps.
    labels: Numbering<Label>,
    /// The steps of the state being expanded.
    scratch: Vec<Item>,
    /// Which state atoms hold.
    letters: StateLetters,
    atoms: Vec<StateAtom>,
    /// Ready events by state, if anyone asks for them.
    ready: Vec<Option<Box<[EventId]>>>,
    needs_ready: bool,
    /// The members of the sets of processes met so far, by their numbers.
    process_sets: Vec<Option<Box<[u32]>>>,
}

impl<'a, S: System> Expanded<'a, S> {
    /// A graph with its initial states. `atoms` are the conditions that make up letters, with their bits.
    pub(crate) fn new(
        system: &'a S,
        atoms: Vec<StateAtom>,
        needs_ready: bool,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> Expanded<'a, S> {
        Expanded {
            visited: Visited::new(system, limits, observer),
            initial: Vec::new(),
            broken: None,
            spans: Column::new(),
            steps: Lists::new(),
            labels: Numbering::new(),
            scratch: Vec::new(),
            letters: StateLetters::new(&atoms),
            atoms,
            ready: Vec::new(),
            needs_ready,
            process_sets: Vec::new(),
        }
    }

    /// Finds some more initial states. False if there are no more.
    pub(crate) fn start(&mut self) -> Result<bool, Halt> {
        if let Some(halt) = &self.broken {
            return Err(halt.clone());
        }
        let started = self.start_batch();
        self.broken = started.clone().err();
        started
    }

    fn start_batch(&mut self) -> Result<bool, Halt> {
        if !self.visited.initial()? {
            return Ok(false);
        }
        let first = self.spans.len() == 0;
        for i in 0..self.visited.window.now.steps.len() {
            let known = self.spans.len();
            let state = self.admit(i)?;
            // States that come at once may come twice; those of later batches may have been met otherwise.
            if state.index() == known || !first {
                self.visited.budget.reserve(&mut self.initial, 1)?;
                self.initial.push(state);
            }
        }
        Ok(true)
    }

    /// Takes in a state that is known to be reachable.
    pub(crate) fn meet(&mut self, state: &[Word]) -> Result<StateId, Halt> {
        self.visited.offer(state);
        self.admit(0)
    }

    fn admit(&mut self, i: usize) -> Result<StateId, Halt> {
        let inserted = self.visited.admit(i)?;
        if inserted.new
            && let Err(halt) = self.describe(i, inserted.id)
        {
            // The table has a state that the columns lack.
            self.broken = Some(halt.clone());
            return Err(halt);
        }
        Ok(inserted.id)
    }

    /// Begins the columns of a new state, the target of step `i`.
    #[inline]
    fn describe(&mut self, i: usize, id: StateId) -> Result<(), Halt> {
        let budget = &mut self.visited.budget;
        self.spans.push(budget, Span::UNKNOWN)?;
        let window = &mut self.visited.window;
        let letter = letter_of_state(&self.atoms, &mut window.stepper, window.now.steps.target(i));
        let at = Some(id);
        let letter = letter.map_err(|fault| Halt::Fault { fault, at })?;
        self.letters.push(budget, letter)?;
        if self.needs_ready {
            self.ready.push(None);
        }
        Ok(())
    }

    /// Computes a state's steps, once.
    pub(crate) fn expand(&mut self, state: StateId) -> Result<(), Halt> {
        self.expand_before(state, [None; AHEAD])
    }

    /// Computes a state's steps, once. `next` are the states to be expanded after this one, if that is known.
    pub(crate) fn expand_before(&mut self, state: StateId, next: Next) -> Result<(), Halt> {
        if self.is_expanded(state) {
            return Ok(());
        }
        if let Some(halt) = &self.broken {
            return Err(halt.clone());
        }
        let next = next.map(|next| next.filter(|&next| next != state && !self.is_expanded(next)));
        let before = (self.visited.statistics, self.visited.expanded);
        self.visited.expand(state, next)?;
        if let Err(halt) = self.keep_steps(state) {
            // A state whose expansion broke off has not been counted.
            (self.visited.statistics, self.visited.expanded) = before;
            return Err(halt);
        }
        if self.needs_ready {
            let mut events = Vec::new();
            let found = self
                .visited
                .window
                .stepper
                .ready(&self.visited.window.now.state, &mut events);
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

    /// Keeps the steps that were just computed.
    fn keep_steps(&mut self, state: StateId) -> Result<(), Halt> {
        let count = self.visited.window.now.steps.len();
        let system = self.visited.system;
        let may_repeat = system.key_width() < system.width();
        self.visited.budget.reserve(&mut self.scratch, count.max(1))?;
        self.scratch.clear();
        for i in 0..count {
            let label = self.visited.window.now.steps.label(i);
            let target = self.admit(i)?;
            let number = self.label_number(label);
            let step = Item { target, number };
            // Words that tell no states apart may make two steps one.
            if !(may_repeat && self.scratch.contains(&step)) {
                self.scratch.push(step);
            }
        }
        if count == 0 {
            let label = Label {
                event: EventId::IDLE,
                processes: ProcessesId::NONE,
            };
            let number = self.label_number(label);
            let target = state;
            self.scratch.push(Item { target, number });
        }
        let span = self.steps.push(&mut self.visited.budget, &self.scratch)?;
        self.spans.set(state.index(), span);
        Ok(())
    }

    /// The number of a label, whose processes are known from now on.
    #[inline]
    fn label_number(&mut self, label: Label) -> u32 {
        let known = self.labels.len();
        let number = self.labels.number(label);
        if self.labels.len() > known {
            self.learn(label.processes);
        }
        number
    }

    fn learn(&mut self, set: ProcessesId) {
        let i = set.0 as usize;
        if self.process_sets.len() <= i {
            self.process_sets.resize(i + 1, None);
        }
        if self.process_sets[i].is_none() {
            self.process_sets[i] = Some(self.visited.system.processes(set).into());
        }
    }

    /// The members of a set of processes that takes part in a kept step.
    pub(crate) fn processes(&self, set: ProcessesId) -> &[u32] {
        self.process_sets[set.0 as usize]
            .as_deref()
            .expect("learnt when the step was kept")
    }

    /// How many states were met.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The range of an expanded state's steps in [`Expanded::step`].
    pub(crate) fn span(&self, state: StateId) -> std::ops::Range<usize> {
        self.spans.at(state.index()).range()
    }

    /// A step by its number.
    pub(crate) fn step(&self, number: usize) -> Step {
        step(self.steps.item(number), &self.labels)
    }

    /// All numbers of steps are below this.
    pub(crate) fn step_numbers(&self) -> usize {
        self.steps.places()
    }

    /// The steps of an expanded state.
    #[inline]
    pub(crate) fn steps(&self, state: StateId) -> impl ExactSizeIterator<Item = Step> + DoubleEndedIterator {
        let kept = self.steps.get(self.spans.at(state.index())).iter();
        kept.map(|kept| step(kept, &self.labels))
    }

    /// Where the steps of an expanded state lead.
    #[inline]
    pub(crate) fn targets(&self, state: StateId) -> impl ExactSizeIterator<Item = StateId> {
        self.steps.get(self.spans.at(state.index())).targets()
    }

    /// Asks for the memory of a state's letter.
    #[inline]
    pub(crate) fn approach_letter(&self, state: StateId) {
        self.letters.approach(state);
    }

    /// The steps of an expanded state, each with the state atoms that hold where it leads; and who counts the bytes.
    pub(crate) fn steps_and_budget(
        &mut self,
        state: StateId,
    ) -> (impl Iterator<Item = (Step, u64)>, &mut Budget) {
        let (letters, labels) = (&self.letters, &self.labels);
        let letter = |kept: Item| (step(kept, labels), letters.at(kept.target));
        let steps = self.steps.get(self.spans.at(state.index())).iter();
        (steps.map(letter), &mut self.visited.budget)
    }

    /// The state atoms that hold.
    #[inline]
    pub(crate) fn letter(&self, state: StateId) -> u64 {
        self.letters.at(state)
    }

    /// The events ready in an expanded state, ascending.
    pub(crate) fn ready(&self, state: StateId) -> &[EventId] {
        self.ready[state.index()]
            .as_deref()
            .expect("ready events are kept where a constraint speaks of them")
    }

    /// Whether a state's steps are known.
    pub(crate) fn is_expanded(&self, state: StateId) -> bool {
        self.spans.at(state.index()).is_known()
    }
}
