//! A labelled transition system as a table: states are numbers, steps are sorted by their source.

use fairhold_store::StateId;
use fairhold_system::EventId;
use rustc_hash::FxHashSet;

/// The name of the silent event.
pub(crate) const TAU: &str = "tau";
/// The name of successful termination.
pub(crate) const TERMINATE: &str = "terminate";

/// A step of an [`Lts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtsStep {
    /// Where it starts.
    pub from: StateId,
    /// Its event.
    pub event: EventId,
    /// Where it leads.
    pub to: StateId,
}

/// An explicit labelled transition system.
///
/// A state without steps that some `terminate` step leads to is `Ended`; any other state without steps is a deadlock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    initial: StateId,
    states: u32,
    steps: Vec<LtsStep>,
    /// `first[s]..first[s + 1]` are the steps of state `s`.
    first: Vec<u32>,
    events: Vec<String>,
    ended: Vec<bool>,
}

impl Lts {
    /// The system with these steps, in their order for each source; repeated ones are dropped. Events 0 and 1 are `tau` and `terminate`.
    ///
    /// # Panics
    /// If a step or the initial state is outside `0..states`, or an event has no name: whoever builds a system checks
    /// that first.
    pub fn new(initial: StateId, states: u32, mut steps: Vec<LtsStep>, events: Vec<String>) -> Lts {
        assert!(initial.0 < states, "the initial state is a state");
        assert!(
            events.len() >= 2 && events[0] == TAU && events[1] == TERMINATE,
            "the first two events are those of every system"
        );
        // Stable, so that a graph that was written breadth first is numbered the same when it is explored again.
        steps.sort_by_key(|step| step.from);
        let mut met = FxHashSet::default();
        let mut source = None;
        steps.retain(|step| {
            if source.replace(step.from) != Some(step.from) {
                met.clear();
            }
            met.insert((step.event, step.to))
        });
        let mut first = vec![0; states as usize + 1];
        for step in &steps {
            assert!(
                step.from.0 < states && step.to.0 < states,
                "a step joins two states"
            );
            assert!((step.event.0 as usize) < events.len(), "an event has a name");
            first[step.from.index() + 1] += 1;
        }
        for s in 0..states as usize {
            first[s + 1] += first[s];
        }
        let mut ended = vec![false; states as usize];
        for step in steps.iter().filter(|s| s.event == EventId::TERMINATE) {
            let to = step.to.index();
            ended[to] = first[to] == first[to + 1];
        }
        Lts {
            initial,
            states,
            steps,
            first,
            events,
            ended,
        }
    }

    /// Where it starts.
    pub fn initial(&self) -> StateId {
        self.initial
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

    /// The names of the events; [`EventId`] is an index.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// Whether the state is the end of a successful termination.
    pub fn is_ended(&self, state: StateId) -> bool {
        self.ended[state.index()]
    }
}
