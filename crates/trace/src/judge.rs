//! The semantics a run is judged by.

use fairhold_system::{Fault, Fields};
use std::collections::BTreeSet;
use std::hash::Hash;

/// A step as the judge sees it: event name, processes in ascending order, target.
pub type JudgedStep<State> = (String, Vec<u32>, State);

/// Who is enabled in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enabled {
    /// The events, `tau` among them.
    pub events: BTreeSet<String>,
    /// The processes.
    pub processes: BTreeSet<u32>,
}

impl Enabled {
    /// Whoever takes part in one of these steps.
    pub fn by_steps<State>(steps: &[JudgedStep<State>]) -> Enabled {
        Enabled {
            events: steps.iter().map(|(event, ..)| event.clone()).collect(),
            processes: steps.iter().flat_map(|(_, p, _)| p.iter().copied()).collect(),
        }
    }
}

/// The slow, obvious semantics a run is judged by. Shares no code with the search.
pub trait Judge {
    /// A state, compared by value.
    type State: Clone + Eq + Hash;

    /// The initial states.
    fn initial(&self) -> Result<Vec<Self::State>, Fault>;

    /// The initial states among which a run that starts with these fields is looked for: all, unless they are too many to list and the
    /// fields tell which can be meant.
    fn initial_like(&self, fields: &Fields) -> Result<Vec<Self::State>, Fault> {
        let _ = fields;
        self.initial()
    }

    /// The steps from `state`.
    fn steps(&self, state: &Self::State) -> Result<Vec<JudgedStep<Self::State>>, Fault>;

    /// Who is enabled in `state`, of which these are the steps: whoever takes part in one, unless the model itself says that more count as
    /// enabled.
    fn enabled(&self, state: &Self::State, steps: &[JudgedStep<Self::State>]) -> Enabled {
        let _ = state;
        Enabled::by_steps(steps)
    }

    /// The events ready in `state`: as enabled, but a synchronised event as soon as one participant offers it; never
    /// `tau` or `terminate`. Where nothing synchronises, what is enabled is ready.
    fn ready(&self, state: &Self::State) -> Result<BTreeSet<String>, Fault> {
        let events = self.steps(state)?.into_iter().map(|(event, ..)| event);
        Ok(events.filter(|e| e != "tau" && e != "terminate").collect())
    }

    /// The state by names.
    fn fields(&self, state: &Self::State) -> Fields;
}
