//! Breadth-first search with parents.
//!
//! Ids are dense in the order of meeting, so the queue is the table itself: what is waiting is the ids from `next` on. One word
//! a state names its parent, the state from which it was met first; the chain of parents is a shortest path. Where memory is dear there is no such word: the parent
//! is the first state of the level before that has a step to the state, and is found by stepping that level again.
//!
//! The loop belongs to the caller, who looks at whatever its question needs on the way:
//!
//! ```text
//! loop {
//!     match search.next()? {
//!         Next::Initial => {}
//!         Next::State(state) => look at the state and its steps
//!         Next::Nothing => break
//!     }
//!     for i in 0..search.step_count() {
//!         if let Some(new) = search.admit(i)? { look at the new state }
//!     }
//! }
//! ```
//!
//! Time: each state stepped once, each step one table access. Memory: the table and 4 bytes a state. Paths cost no memory: labels
//! are found by stepping along the path once more.

use crate::column::Column;
use crate::path;
use crate::visited::{Halt, Visited};
use fairhold_store::StateId;
use fairhold_system::{Limits, Observer, Path, Stepper, Steps, System, Word};

const NO_PARENT: u32 = u32::MAX;

/// Whose targets wait to be admitted.
pub(crate) enum Next {
    /// Some of the initial states.
    Initial,
    /// Those of the steps of this state.
    State(StateId),
    /// Everything is explored.
    Nothing,
}

pub(crate) struct Breadth<'a, S: System> {
    pub(crate) visited: Visited<'a, S>,
    /// None if parents are to be searched for.
    parents: Option<Column<u32>>,
    /// The first state of each level that is expanded or being expanded.
    levels: Vec<u32>,
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
            parents: (!limits.compact).then(Column::new),
            levels: Vec::new(),
            current: None,
            next: 0,
            level_end: 0,
            depth: 0,
        }
    }

    /// How many steps wait to be admitted.
    pub(crate) fn step_count(&self) -> usize {
        self.visited.steps.len()
    }

    /// Adds the target of step `i`, and names it if it is new.
    #[inline]
    pub(crate) fn admit(&mut self, i: usize) -> Result<Option<StateId>, Halt> {
        // Room for the parent comes first, so that no state is ever without.
        if let Some(parents) = &mut self.parents {
            parents.reserve(&mut self.visited.budget)?;
        }
        let inserted = self.visited.admit(i)?;
        if !inserted.new {
            return Ok(None);
        }
        if let Some(parents) = &mut self.parents {
            let parent = self.current.map_or(NO_PARENT, |parent| parent.0);
            parents.push(&mut self.visited.budget, parent)?;
        }
        self.visited.statistics.depth = self.depth;
        Ok(Some(inserted.id))
    }

    /// Computes what is to be admitted next.
    pub(crate) fn next(&mut self) -> Result<Next, Halt> {
        if self.current.is_none() && self.visited.initial()? {
            return Ok(Next::Initial);
        }
        let met = self.visited.table.len() as u32;
        if self.next == met {
            return Ok(Next::Nothing);
        }
        if self.next == self.level_end {
            self.visited.budget.reserve(&mut self.levels, 1)?;
            self.levels.push(self.next);
            self.level_end = met;
            self.depth += 1;
        }
        let id = StateId(self.next);
        let next = StateId(self.next + 1);
        self.visited.expand(id, (next.0 < met).then_some(next))?;
        self.next += 1;
        self.current = Some(id);
        Ok(Next::State(id))
    }

    /// A state, by id.
    pub(crate) fn state(&self, id: StateId) -> Vec<Word> {
        self.visited.table.get(id)
    }

    /// The states on a shortest path to this one.
    pub(crate) fn trail(&mut self, id: StateId) -> Vec<StateId> {
        let mut trail = vec![id];
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            trail.push(parent);
            at = parent;
        }
        trail.reverse();
        trail
    }

    fn parent(&mut self, id: StateId) -> Option<StateId> {
        match &self.parents {
            Some(parents) => {
                let parent = parents.at(id.index());
                (parent != NO_PARENT).then_some(StateId(parent))
            }
            None => self.search_parent(id),
        }
    }

    /// Steps the level before this state's again, until a step leads there.
    fn search_parent(&mut self, id: StateId) -> Option<StateId> {
        let before = self.levels.partition_point(|&start| start <= id.0);
        // A state that was met but not reached yet is in the level after those expanded.
        let level = before - usize::from(id.0 < self.level_end);
        let first = *self.levels.get(level.checked_sub(1)?)?;
        let key = self.visited.system.key_width();
        let wanted = self.visited.table.get(id);
        let mut steps = Steps::new(self.visited.system.width());
        (first..id.0).map(StateId).find(|&from| {
            steps.clear();
            let stepped = self
                .visited
                .stepper
                .steps(&self.visited.table.get(from), &mut steps);
            stepped.expect("a state that was stepped without a fault steps the same again");
            steps.iter().any(|(_, target)| target[..key] == wanted[..key])
        })
    }

    /// A shortest path to this state.
    pub(crate) fn path_to(&mut self, id: StateId) -> Path {
        let trail = self.trail(id);
        path::along(&mut self.visited, &trail, None)
    }

    /// Bytes kept beside the table.
    pub(crate) fn parent_bytes(&self) -> u64 {
        let levels = self.levels.capacity() * size_of::<u32>();
        self.parents.as_ref().map_or(0, Column::bytes) + levels as u64
    }
}
