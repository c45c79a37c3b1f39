//! A labelled transition system as a table: states are numbers, steps are sorted by their source.
//!
//! A graph in the Aldebaran format is no more than that. A Kripke structure says more about its states ([`Description`]): their names,
//! what is true in them, and what counts as enabled there.

use crate::alphabet::{Alphabet, LabelId};
use fairhold_store::StateId;
use fairhold_system::{EventId, Fields, Value};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A step of an [`Lts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtsStep {
    /// Where it starts.
    pub from: StateId,
    /// Its event and who takes part.
    pub label: LabelId,
    /// Where it leads.
    pub to: StateId,
}

/// A set of states.
pub type StateSet = Arc<FixedBitSet>;

/// What is known of the states of a Kripke structure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Description {
    /// Their names, each once.
    pub names: Vec<String>,
    /// What is true where, by name, in the order in which propositions were declared.
    pub propositions: Vec<(String, StateSet)>,
    /// Who counts as enabled in states where it has no step; empty if nothing of the kind was said.
    pub also_enabled: BTreeMap<Owner, FixedBitSet>,
}

/// An event or a process: whoever can be enabled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// The event.
    Event(EventId),
    /// The process.
    Process(u32),
}

/// An explicit labelled transition system.
///
/// A state without steps that some `terminate` step leads to is `Ended`; any other state without steps is a deadlock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    initial: Vec<StateId>,
    states: u32,
    steps: Vec<LtsStep>,
    /// `first[s]..first[s + 1]` are the steps of state `s`.
    first: Vec<u32>,
    alphabet: Alphabet,
    ended: Vec<bool>,
    description: Option<Description>,
}

impl Lts {
    /// The system with these steps, in their order for each source; repeated ones are dropped.
    ///
    /// # Panics
    /// If there is no initial state, or a step or an initial state is outside `0..states`, or a label is not in the alphabet: whoever
    /// builds a system checks that first.
    pub fn new(initial: Vec<StateId>, states: u32, mut steps: Vec<LtsStep>, alphabet: Alphabet) -> Lts {
        assert!(!initial.is_empty(), "a system starts somewhere");
        assert!(
            initial.iter().all(|state| state.0 < states),
            "an initial state is a state"
        );
        // Stable, so that a graph that was written breadth first is numbered the same when it is explored again.
        steps.sort_by_key(|step| step.from);
        let mut met = FxHashSet::default();
        let mut source = None;
        steps.retain(|step| {
            if source.replace(step.from) != Some(step.from) {
                met.clear();
            }
            met.insert((step.label, step.to))
        });
        let mut first = vec![0; states as usize + 1];
        for step in &steps {
            assert!(
                step.from.0 < states && step.to.0 < states,
                "a step joins two states"
            );
            first[step.from.index() + 1] += 1;
        }
        for s in 0..states as usize {
            first[s + 1] += first[s];
        }
        let mut ended = vec![false; states as usize];
        for step in &steps {
            if alphabet.get(step.label).event == EventId::TERMINATE {
                let to = step.to.index();
                ended[to] = first[to] == first[to + 1];
            }
        }
        Lts {
            initial,
            states,
            steps,
            first,
            alphabet,
            ended,
            description: None,
        }
    }

    /// The same with what is known of its states.
    ///
    /// # Panics
    /// If not every state has a name.
    #[must_use]
    pub fn described(mut self, description: Description) -> Lts {
        assert_eq!(
            description.names.len(),
            self.states as usize,
            "every state has a name"
        );
        self.description = Some(description);
        self
    }

    /// Where it starts.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// How many states there are, reachable or not.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// All steps, by source.
    pub fn steps(&self) -> &[LtsStep] {
        &self.steps
    }

    /// The steps from one state.
    pub fn steps_from(&self, state: StateId) -> &[LtsStep] {
        let (start, end) = (self.first[state.index()], self.first[state.index() + 1]);
        &self.steps[start as usize..end as usize]
    }

    /// What its steps are called.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The names of the events; [`EventId`] is an index.
    pub fn events(&self) -> &[String] {
        self.alphabet.events()
    }

    /// Whether the state is the end of a successful termination.
    pub fn is_ended(&self, state: StateId) -> bool {
        self.ended[state.index()]
    }

    /// What is known of its states, if it is a Kripke structure.
    pub fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    /// The state as a person sees it: its number; or its name and what is true in it.
    pub fn fields(&self, state: StateId) -> Fields {
        let Some(description) = &self.description else {
            return vec![("state".into(), Value::Int(i64::from(state.0)))];
        };
        let name = description.names[state.index()].clone();
        let mut fields = vec![("state".into(), Value::Text(name))];
        if !description.propositions.is_empty() {
            let true_here = description
                .propositions
                .iter()
                .filter(|(_, set)| set.contains(state.index()))
                .map(|(name, _)| Value::Text(name.clone()));
            fields.push(("holds".into(), Value::List(true_here.collect())));
        }
        fields
    }

    /// Whether more counts as enabled than what has a step.
    pub fn declares_enabled(&self) -> bool {
        self.description
            .as_ref()
            .is_some_and(|d| !d.also_enabled.is_empty())
    }

    /// Whether someone counts as enabled in a state without having a step there.
    pub fn is_also_enabled(&self, owner: Owner, state: StateId) -> bool {
        let declared = self.description.as_ref().and_then(|d| d.also_enabled.get(&owner));
        declared.is_some_and(|set| set.contains(state.index()))
    }

    /// Where someone is enabled: has a step, or counts as enabled.
    pub fn enabled(&self, owner: Owner) -> FixedBitSet {
        let declared = self.description.as_ref().and_then(|d| d.also_enabled.get(&owner));
        let mut set = declared.cloned().unwrap_or_default();
        set.grow(self.states as usize);
        for step in &self.steps {
            let label = self.alphabet.get(step.label);
            let has_step = match owner {
                Owner::Event(event) => label.event == event,
                Owner::Process(process) => self.alphabet.members(label.processes).contains(&process),
            };
            if has_step {
                set.insert(step.from.index());
            }
        }
        set
    }

    /// Everyone who can be enabled: all events but `tau`, and all processes.
    pub fn owners(&self) -> Vec<Owner> {
        let events = (0..self.events().len() as u32).map(EventId);
        let events = events.filter(|e| *e != EventId::TAU).map(Owner::Event);
        let processes = self.alphabet.all_processes().into_iter().map(Owner::Process);
        events.chain(processes).collect()
    }
}
