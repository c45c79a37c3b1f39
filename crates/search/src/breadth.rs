//! Breadth-first search with parents.
//!
//! Ids are dense in the order of meeting, so the queue is the table itself: what is waiting is the ids from `next` on. One word
//! a state names its parent, the state from which it was met first; the chain of parents is a shortest path.
//!
//! The loop belongs to the caller, who looks at whatever its question needs on the way:
//!
//! ```text
//! search.initial()?;
//! loop {
//!     for i in 0..search.step_count() {
//!         if let Some(new) = search.admit(i)? { look at the new state }
//!     }
//!     let Some(state) = search.expand()? else { break };
//!     look at the state and its steps
//! }
//! ```
//!
//! Time: each state stepped once, each step one table access. Memory: the table and 4 bytes a state. Paths cost no memory: labels
//! are found by stepping along the path once more.

use crate::path;
use crate::visited::{Halt, Visited};
use fairhold_store::{Rows, StateId};
use fairhold_system::{Limits, Observer, Path, System, Word};

const NO_PARENT: u32 = u32::MAX;

pub(crate) struct Breadth<'a, S: System> {
    pub(crate) visited: Visited<'a, S>,
    parents: Rows,
    /// The state whose steps are in the buffer; none while these are the initial states.
    current: Option<StateId>,
    /// The next state to expand.
    next: u32,
    /// The first state after those of the level being expanded.
    level_end: u32,
    /// Steps from an initial state to the states that are met now.
    depth: u64,
}

impl<'a, S: System> Breadth<'a, S> {
    pub(crate) fn new(system: &'a S, limits: &Limits, observer: &'a dyn Observer) -> Breadth<'a, S> {
        Breadth {
            visited: Visited::new(system, limits, observer),
            parents: Rows::new(1),
            current: None,
            next: 0,
            level_end: 0,
            depth: 0,
        }
    }

    /// Computes the initial states, to be admitted like the targets of steps.
    pub(crate) fn initial(&mut self) -> Result<(), Halt> {
        self.visited.initial()
    }

    /// How many steps wait to be admitted.
    pub(crate) fn step_count(&self) -> usize {
        self.visited.steps.len()
    }

    /// Adds the target of step `i`, and names it if it is new.
    #[inline]
    pub(crate) fn admit(&mut self, i: usize) -> Result<Option<StateId>, Halt> {
        // Room for the parent comes first, so that no state is ever without.
        self.visited.budget.reserve_row(&mut self.parents)?;
        let inserted = self.visited.admit(i)?;
        if !inserted.new {
            return Ok(None);
        }
        self.parents
            .push(&[self.current.map_or(NO_PARENT, |parent| parent.0)]);
        self.visited.statistics.depth = self.depth;
        Ok(Some(inserted.id))
    }

    /// Computes the steps of the next state, if one is waiting.
    pub(crate) fn expand(&mut self) -> Result<Option<StateId>, Halt> {
        let met = self.visited.table.len() as u32;
        if self.next == met {
            return Ok(None);
        }
        if self.next == self.level_end {
            self.level_end = met;
            self.depth += 1;
        }
        let id = StateId(self.next);
        let next = StateId(self.next + 1);
        self.visited.expand(id, (next.0 < met).then_some(next))?;
        self.next += 1;
        self.current = Some(id);
        Ok(Some(id))
    }

    /// A state, by id.
    pub(crate) fn state(&self, id: StateId) -> Vec<Word> {
        self.visited.table.get(id)
    }

    /// The states on a shortest path to this one.
    pub(crate) fn trail(&self, id: StateId) -> Vec<StateId> {
        let mut trail = vec![id];
        let mut at = id;
        loop {
            at = StateId(self.parents.get(at.index())[0]);
            if at.0 == NO_PARENT {
                trail.reverse();
                return trail;
            }
            trail.push(at);
        }
    }

    /// A shortest path to this state.
    pub(crate) fn path_to(&mut self, id: StateId) -> Path {
        let trail = self.trail(id);
        path::along(&mut self.visited, &trail, None)
    }

    /// Bytes kept beside the table.
    pub(crate) fn parent_bytes(&self) -> u64 {
        self.parents.bytes()
    }
}
