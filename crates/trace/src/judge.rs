//! The semantics a run is judged by.

use fairhold_system::{Fault, Fields};

/// A step as the judge sees it: event name, processes in ascending order, target.
pub type JudgedStep<State> = (String, Vec<u32>, State);

/// The slow, obvious semantics a run is judged by. Shares no code with the search.
pub trait Judge {
    /// A state, compared by value.
    type State: Clone + Eq;

    /// The initial states.
    fn initial(&self) -> Result<Vec<Self::State>, Fault>;

    /// The steps from `state`.
    fn steps(&self, state: &Self::State) -> Result<Vec<JudgedStep<Self::State>>, Fault>;

    /// The state by names.
    fn fields(&self, state: &Self::State) -> Fields;
}
