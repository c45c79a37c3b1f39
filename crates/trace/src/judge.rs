//! The semantics a run is judged by.

use fairhold_system::{Fault, Fields};
use std::collections::BTreeSet;
use std::hash::Hash;

/// A step as the judge sees it: event name, processes in ascending order, target.
pub type JudgedStep<State> = (String, Vec<u32>, State);

/// The slow, obvious semantics a run is judged by. Shares no code with the search.
pub trait Judge {
    /// A state, compared by value.
    type State: Clone + Eq + Hash;

    /// The initial states.
    fn initial(&self) -> Result<Vec<Self::State>, Fault>;

    /// The steps from `state`.
    fn steps(&self, state: &Self::State) -> Result<Vec<JudgedStep<Self::State>>, Fault>;

    /// The events ready in `state`: as enabled, but a synchronised event as soon as one participant offers it; never
    /// `tau` or `terminate`. Where nothing synchronises, what is enabled is ready.
    fn ready(&self, state: &Self::State) -> Result<BTreeSet<String>, Fault> {
        let events = self.steps(state)?.into_iter().map(|(event, ..)| event);
        Ok(events.filter(|e| e != "tau" && e != "terminate").collect())
    }

    /// The state by names.
    fn fields(&self, state: &Self::State) -> Fields;

    /// What tells the state apart from others: the state itself, with whatever is no part of its identity (CSP#'s
    /// `hvar`) set to a fixed value.
    fn identity(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}
