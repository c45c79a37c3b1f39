//! Breadth-first search with parents.
//!
//! The states met are the queue, level by level ([`Levels`]). One word
//! a state names its parent, the state from which it was met first; the chain of parents is a shortest path. Where memory is dear, or a path is only asked for if the model goes wrong, there is no
//! such word: the parent is the first state of the level before that has a step to the state, and is found by stepping that level again.
//!
//! The search tells a [`Look`] of every state and of every state met. Levels with many states are expanded by several workers (`level`).
//!
//! Time: each state stepped once, each step one table access. Memory: the table and 4 bytes a state. Paths cost no memory: labels
//! are found by stepping along the path once more.

use crate::column::Column;
use crate::level::{Member, Outcome, Round, Seen, slack};
use crate::levels::Levels;
use crate::path;
use crate::shares::{List, take_first};
use crate::visited::{Halt, Visited};
use crate::window::Window;
use fairhold_store::{Growth, Inserted, StateId};
use fairhold_system::{Fault, Limits, Observer, Path, Stepper, Steps, StopReason, System, Word};

const NO_PARENT: u32 = u32::MAX;

/// What is left of a level is worth sharing from this many states on.
const WORTH_SHARING: usize = 4096;
/// States of a level that are expanded before room is made for more, and before what the look holds is booked. Where a system starts everywhere, one level has all states.
const AT_ONCE: usize = if cfg!(test) { 1000 } else { 1 << 20 };

/// Who looks at states. Each worker has a look of its own; they are joined after every level.
pub(crate) trait Look<S: System>: Clone + Send {
    /// What ends the search.
    type Found: Send;

    /// Looks at a state and its steps, which are in the window, before their targets are admitted.
    fn state(
        &mut self,
        system: &S,
        window: &Window<'_, S>,
        id: StateId,
    ) -> Result<Option<Self::Found>, Fault>;

    /// Looks at a new state, the target of step `i` in the window.
    fn target(
        &mut self,
        window: &mut Window<'_, S>,
        i: usize,
        id: StateId,
    ) -> Result<Option<Self::Found>, Fault>;

    /// Tells of the target of the next step, new or not.
    #[inline]
    fn admitted(&mut self, _id: StateId) {}

    /// All targets of this state's steps were told of. If one of them finds no room, this is not said, and the state comes again.
    #[inline]
    fn expanded(&mut self, _window: &mut Window<'_, S>, _id: StateId) -> Result<(), Fault> {
        Ok(())
    }

    /// So many states were met when a level begins.
    #[inline]
    fn level(&mut self, _states: usize) -> Option<Self::Found> {
        None
    }

    /// Takes over what another worker has seen.
    fn join(&mut self, other: Self);

    /// Bytes held.
    fn bytes(&self) -> u64 {
        0
    }
}

/// What has come of a level that was shared.
enum Shared<F> {
    Nothing,
    Found(F),
    /// Something went wrong, or the bound on states was passed. What comes first in order, that or something else, is for a single worker to say.
    Unclear,
}

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
    levels: Levels,
    /// The state whose steps are in the buffer; none while these are the initial states.
    current: Option<StateId>,
    /// Steps from an initial state to the states that are met now.
    depth: u64,
    /// What the other workers see, once there are some.
    windows: Vec<Window<'a, S>>,
    /// Bytes booked for the look.
    look_bytes: u64,
}

impl<'a, S: System> Breadth<'a, S> {
    pub(crate) fn new(system: &'a S, limits: &Limits, observer: &'a dyn Observer) -> Breadth<'a, S> {
        Breadth {
            visited: Visited::new(system, limits, observer),
            parents: (!limits.compact).then(Column::new),
            levels: Levels::default(),
            current: None,
            depth: 0,
            windows: Vec::new(),
            look_bytes: 0,
        }
    }

    /// A search that searches for parents when it is asked for a path.
    pub(crate) fn without_parents(
        system: &'a S,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> Breadth<'a, S> {
        Breadth {
            parents: None,
            ..Breadth::new(system, limits, observer)
        }
    }

    /// Searches until something is found; goes on from there if called again.
    pub(crate) fn run<L: Look<S>>(&mut self, look: &mut L) -> Result<Option<L::Found>, Halt> {
        let at_fault = |id| move |fault| Halt::Fault { fault, at: Some(id) };
        let system = self.visited.system;
        let fresh = look.clone();
        loop {
            if self.levels.is_through() {
                self.book_look(look.bytes())?;
                if let Some(found) = look.level(self.visited.table.len()) {
                    return Ok(Some(found));
                }
            }
            if self.is_worth_sharing() {
                match self.share(look)? {
                    Shared::Nothing => continue,
                    Shared::Found(found) => return Ok(Some(found)),
                    Shared::Unclear => {
                        let limits = Limits {
                            threads: 1,
                            ..self.visited.limits
                        };
                        *self = Breadth {
                            parents: self.parents.as_ref().map(|_| Column::new()),
                            ..Breadth::new(system, &limits, self.visited.observer)
                        };
                        *look = fresh.clone();
                    }
                }
            }
            let mut from = None;
            match self.next()? {
                Next::Nothing => return Ok(None),
                Next::Initial => {}
                Next::State(id) => {
                    let found = look.state(system, &self.visited.window, id);
                    if let Some(found) = found.map_err(at_fault(id))? {
                        return Ok(Some(found));
                    }
                    from = Some(id);
                }
            }
            for i in 0..self.step_count() {
                let inserted = self.admit(i)?;
                look.admitted(inserted.id);
                if inserted.new {
                    let found = look.target(&mut self.visited.window, i, inserted.id);
                    if let Some(found) = found.map_err(at_fault(inserted.id))? {
                        return Ok(Some(found));
                    }
                }
            }
            if let Some(id) = from {
                let done = look.expanded(&mut self.visited.window, id);
                done.map_err(at_fault(id))?;
            }
        }
    }

    /// Books what a look has come to hold, a level or a round late.
    fn book_look(&mut self, bytes: u64) -> Result<(), Halt> {
        let taken = bytes.saturating_sub(self.look_bytes);
        self.look_bytes += taken;
        self.visited.budget.grow(Growth { taken, freed: 0 })
    }

    /// Whether several workers should expand what is left of the level. States with words that tell none apart are for one only: which of them is kept would be
    /// a matter of chance.
    fn is_worth_sharing(&self) -> bool {
        let Limits { threads, compact, .. } = self.visited.limits;
        let waiting = self.levels.waiting();
        let system = self.visited.system;
        threads > 1
            && waiting >= WORTH_SHARING
            && self.current.is_some()
            && !compact
            && system.key_width() == system.width()
            && self.visited.limits.states.is_none_or(|most| {
                // Where a bound is near, the last states are counted one by one.
                (self.visited.table.len() + slack(threads) + 8 * waiting) as u64 <= most
            })
    }

    /// Expands what is left of the level with several workers.
    fn share<L: Look<S>>(&mut self, look: &mut L) -> Result<Shared<L::Found>, Halt> {
        // Who has the observer may be kept from asking it within a level.
        self.visited.poll()?;
        self.begin_level()?;
        self.visited.window.forget_ahead();
        let workers = self.visited.limits.threads;
        if self.windows.is_empty() {
            self.windows = Window::apart(self.visited.system, workers - 1);
        }
        self.visited.statistics.workers = workers;
        let mut todo = self.levels.take_rest();
        let last = todo.back().map(|range| StateId(range.end - 1));
        let met = self.visited.table.len();
        let (mut found, mut failed) = (None, false);
        while !todo.is_empty() {
            let part = take_first(&mut todo, AT_ONCE);
            let states: usize = part.iter().map(ExactSizeIterator::len).sum();
            self.make_room(states + slack(workers))?;
            let (rest, outcome) = self.round(look, part)?;
            rest.into_iter().rev().for_each(|range| todo.push_front(range));
            self.book_look(look.bytes())?;
            found = found.or(outcome.found);
            failed |= outcome.failed;
            if let Some(reason) = outcome.stop {
                return Err(Halt::Stop(reason));
            }
            if let Some(id) = outcome.unfit {
                self.widen_for(id)?;
            }
        }
        self.current = last;
        if self.visited.table.len() > met {
            self.visited.statistics.depth = self.depth;
        }
        self.visited.find_room();
        let bound = self.visited.limits.states.unwrap_or(u64::MAX);
        if failed || self.visited.table.len() as u64 > bound {
            return Ok(Shared::Unclear);
        }
        Ok(found.map_or(Shared::Nothing, Shared::Found))
    }

    /// Makes room for so many states, and for the parents of those that are there.
    fn make_room(&mut self, more: usize) -> Result<(), Halt> {
        let table = &mut self.visited.table;
        self.visited.budget.grow(table.room_growth(more))?;
        let made = table.make_room(more, self.visited.limits.threads);
        made.map_err(|_| Halt::Stop(StopReason::Memory))
    }

    /// Packs the table anew so that the targets of this state fit.
    fn widen_for(&mut self, id: StateId) -> Result<(), Halt> {
        let visited = &mut self.visited;
        let loaded = visited.window.load(&mut visited.table, id);
        loaded.map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
        if !visited.window.now.fits {
            visited.widen()?;
        }
        visited.window.forget_ahead();
        self.windows.iter_mut().for_each(Window::forget_ahead);
        Ok(())
    }

    /// All workers work until nothing is left, or the table must grow. What is left comes back.
    fn round<L: Look<S>>(&mut self, look: &mut L, todo: List) -> Result<(List, Outcome<L::Found>), Halt> {
        let before = self.visited.progress();
        let visited = &mut self.visited;
        let (system, observer) = (visited.system, visited.observer);
        let mut members: Vec<Member<'_, 'a, S, L>> = std::iter::once(&mut visited.window)
            .chain(&mut self.windows)
            .enumerate()
            .map(|(worker, window)| Member {
                worker,
                window,
                look: look.clone(),
                lease: visited.table.lease(),
                seen: Seen::default(),
                born: self.parents.as_ref().map(|_| Vec::new()),
            })
            .collect();
        let round = Round::new(&visited.table, members.len(), todo);
        let (first, others) = members.split_at_mut(1);
        std::thread::scope(|scope| {
            for member in others {
                scope.spawn(|| member.work(system, &round, None));
            }
            first[0].work(system, &round, Some((observer, before)));
        });
        let ended = round.end();
        let (mut all_born, mut met) = (Vec::new(), Vec::new());
        for member in members {
            let Seen {
                expanded,
                steps,
                deadlocks,
                terminated,
            } = member.seen;
            visited.expanded += expanded;
            visited.statistics.steps += steps;
            visited.statistics.deadlocks += deadlocks;
            visited.statistics.terminated += terminated;
            look.join(member.look);
            all_born.extend(member.born);
            met.extend(visited.table.give_back(member.lease));
        }
        for ids in met {
            self.levels.meet_all(&mut visited.budget, ids)?;
        }
        if let Some(parents) = &mut self.parents {
            parents.extend_to(&mut visited.budget, visited.table.bound(), NO_PARENT)?;
            for (id, parent) in all_born.into_iter().flatten() {
                parents.set(id.index(), parent.0);
            }
        }
        Ok(ended)
    }

    /// How many steps wait to be admitted.
    pub(crate) fn step_count(&self) -> usize {
        self.visited.window.now.steps.len()
    }

    /// Adds the target of step `i`.
    #[inline]
    pub(crate) fn admit(&mut self, i: usize) -> Result<Inserted, Halt> {
        // Room for the parent comes first, so that no state is ever without.
        if let Some(parents) = &mut self.parents {
            parents.reserve(&mut self.visited.budget)?;
        }
        let inserted = self.visited.admit(i)?;
        if !inserted.new {
            return Ok(inserted);
        }
        self.levels.meet(&mut self.visited.budget, inserted.id)?;
        if let Some(parents) = &mut self.parents {
            let parent = self.current.map_or(NO_PARENT, |parent| parent.0);
            parents.push(&mut self.visited.budget, parent)?;
        }
        self.visited.statistics.depth = self.depth;
        Ok(inserted)
    }

    /// Computes what is to be admitted next.
    pub(crate) fn next(&mut self) -> Result<Next, Halt> {
        if self.current.is_none() && self.visited.initial()? {
            return Ok(Next::Initial);
        }
        if self.levels.waiting() == 0 {
            return Ok(Next::Nothing);
        }
        self.begin_level()?;
        let id = self.levels.take().expect("a level that begins has states");
        self.visited.expand(id, self.levels.ahead())?;
        self.current = Some(id);
        Ok(Next::State(id))
    }

    /// Begins the next level, if this one is through.
    fn begin_level(&mut self) -> Result<(), Halt> {
        if self.levels.begin(&mut self.visited.budget)? {
            self.depth += 1;
        }
        Ok(())
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
        let key = self.visited.system.key_width();
        let wanted = self.visited.table.get(id);
        let mut steps = Steps::new(self.visited.system.width());
        self.levels.before(id).find(|&from| {
            steps.clear();
            let stepped = self
                .visited
                .window
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
    pub(crate) fn kept_bytes(&self) -> u64 {
        self.parents.as_ref().map_or(0, Column::bytes) + self.levels.bytes() + self.look_bytes
    }
}
