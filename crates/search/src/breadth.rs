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
use crate::dive::{Claims, Dive, ORDERS};
use crate::level::{Member, Outcome, Round, Seen, slack};
use crate::levels::Levels;
use crate::path;
use crate::shares::{List, take_first};
use crate::visited::{Halt, POLL_EVERY, Visited};
use crate::window::Window;
use fairhold_store::{Growth, Inserted, StateId};
use fairhold_system::{Fault, Limits, Observer, Path, Stepper, Steps, StopReason, System, Word};
use std::collections::VecDeque;
use std::ops::Range;

const NO_PARENT: u32 = u32::MAX;
/// No way to this state was found yet.
const UNSEEN: u32 = u32::MAX - 1;

/// What is left of a level is worth sharing from this many states on.
const WORTH_SHARING: usize = 4096;
/// States of a level that are expanded before room is made for more, and before what the look holds is booked. Where a system starts everywhere, one level has all states.
const AT_ONCE: usize = if cfg!(test) { 1000 } else { 1 << 20 };

/// With so many states and no answer, a search begins to dive; and whenever so many more were met.
const FIRST_DIVE: usize = if cfg!(test) { 50 } else { 200_000 };
const NEXT_DIVE: usize = if cfg!(test) { 20 } else { 1 << 16 };
/// States that room is made for before a round of dives.
const DIVE_ROOM: usize = 1 << 16;

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

    /// A guess at how far a state is from being what the look is for.
    fn distance(&mut self, _window: &mut Window<'_, S>, _state: &[Word]) -> Option<u32> {
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
    dives: Option<Dives>,
}

/// What a search that may dive keeps for that.
#[derive(Default)]
struct Dives {
    /// Who expanded what, since the first dive.
    claims: Claims,
    all: Vec<Dive>,
    /// How many states there must be for the next one.
    due: usize,
    /// Bytes booked for all this.
    bytes: u64,
}

impl Dives {
    fn have_begun(&self) -> bool {
        !self.all.is_empty()
    }
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
            dives: None,
        }
    }

    /// A search that, once it is large, looks into the depth now and then. For questions that one state settles. Where a shortest path is asked for, or chance would
    /// decide which words a state carries along, or no parents are kept, it does not.
    pub(crate) fn diving(system: &'a S, limits: &Limits, observer: &'a dyn Observer) -> Breadth<'a, S> {
        let mut search = Breadth::new(system, limits, observer);
        if !limits.shortest && !limits.compact && system.key_width() == system.width() {
            search.dives = Some(Dives {
                due: FIRST_DIVE,
                ..Dives::default()
            });
        }
        search
    }

    /// Whether paths may be longer than need be.
    pub(crate) fn has_dived(&self) -> bool {
        self.dives.as_ref().is_some_and(Dives::have_begun)
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
            let shared = if self.is_worth_diving() {
                Some(self.dive(look)?)
            } else if self.is_worth_sharing() {
                Some(self.share(look)?)
            } else {
                None
            };
            if let Some(shared) = shared {
                match shared {
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
        // Under a bound on states, what is found must not depend on how many workers there are.
        let alone = self.dives.is_some() && self.visited.limits.states.is_some();
        threads > 1
            && !alone
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
        // Where a level is large, the time for a dive may come in the middle of it.
        let at_once = if self.dives.is_some() { NEXT_DIVE } else { AT_ONCE };
        while !todo.is_empty() {
            if self.is_worth_diving() || found.is_some() && self.has_dived() {
                break;
            }
            let part = take_first(&mut todo, at_once);
            let states: usize = part.iter().map(ExactSizeIterator::len).sum();
            self.make_room(states + slack(workers))?;
            let (rest, outcome) = self.round(look, part, &mut [])?;
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
        self.levels.put_back(todo);
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

    fn is_worth_diving(&self) -> bool {
        let len = self.visited.table.len();
        self.dives.as_ref().is_some_and(|dives| len >= dives.due)
            && self.current.is_some()
            && self.levels.waiting() > 0
            // Where a bound is near, the last states are counted one by one.
            && self.visited.limits.states.is_none_or(|most| (len + 4 * NEXT_DIVE) as u64 <= most)
    }

    /// Lets every dive go on for a while.
    fn dive<L: Look<S>>(&mut self, look: &mut L) -> Result<Shared<L::Found>, Halt> {
        self.visited.poll()?;
        self.visited.window.forget_ahead();
        let alone = self.visited.limits.states.is_some();
        let workers = if alone {
            1
        } else {
            self.visited.limits.threads.max(1)
        };
        if self.windows.len() + 1 < workers {
            self.windows = Window::apart(self.visited.system, workers - 1);
        }
        self.windows.iter_mut().for_each(Window::forget_ahead);
        let mut dives = self.dives.take().expect("only a search that may dive does");
        if !dives.have_begun() {
            // As many of each order as there are workers at most, so that all workers have something to do.
            let count = ORDERS.div_ceil(workers) * workers;
            let width = self.visited.system.width();
            dives.all = (0..count).map(|number| Dive::new(number, width)).collect();
            self.claim_expanded(&mut dives.claims);
        }
        let slice = (NEXT_DIVE.max(self.visited.table.len() / 16) / dives.all.len()).max(1);
        dives.all.iter_mut().for_each(|dive| dive.left = slice);
        let mut all = std::mem::take(&mut dives.all);
        self.dives = Some(dives);
        let done = all
            .chunks_mut(workers)
            .try_for_each(|some| match self.dive_together(look, some) {
                Ok(Shared::Nothing) => Ok(()),
                ended => Err(ended),
            });
        let dives = self.dives.as_mut().expect("it was put back");
        dives.all = all;
        dives.due = self.visited.table.len() + NEXT_DIVE.max(self.visited.table.len() / 16);
        let bytes = dives.claims.bytes() + dives.all.iter().map(Dive::bytes).sum::<u64>();
        let taken = bytes.saturating_sub(dives.bytes);
        dives.bytes += taken;
        self.visited.budget.grow(Growth { taken, freed: 0 })?;
        self.visited.find_room();
        done.map_or_else(|ended| ended, |()| Ok(Shared::Nothing))
    }

    /// Claims all states but those that wait to be expanded.
    fn claim_expanded(&self, claims: &mut Claims) {
        claims.extend_to(self.visited.table.bound());
        for id in self.visited.table.used().flatten() {
            claims.claim(StateId(id));
        }
        for id in self.levels.all_waiting().flatten() {
            claims.release(StateId(id));
        }
    }

    /// Lets each worker go on with one dive until the slice is through.
    fn dive_together<L: Look<S>>(
        &mut self,
        look: &mut L,
        dives: &mut [Dive],
    ) -> Result<Shared<L::Found>, Halt> {
        loop {
            let before: usize = dives.iter().map(|dive| dive.left).sum();
            self.make_room(DIVE_ROOM + slack(dives.len()))?;
            let (_, outcome) = self.round(look, List::new(), dives)?;
            self.book_look(look.bytes())?;
            if let Some(reason) = outcome.stop {
                return Err(Halt::Stop(reason));
            }
            if outcome.failed {
                return Ok(Shared::Unclear);
            }
            if let Some(found) = outcome.found {
                return Ok(Shared::Found(found));
            }
            match outcome.unfit {
                Some(id) => self.widen_for(id)?,
                // Stranded, all of them.
                None if dives.iter().map(|dive| dive.left).sum::<usize>() == before => {
                    return Ok(Shared::Nothing);
                }
                None if dives.iter().all(|dive| dive.left == 0) => return Ok(Shared::Nothing),
                None => {}
            }
        }
    }

    /// All workers work until nothing is left, or the table must grow. What is left comes back. With dives, each worker goes on with one.
    fn round<L: Look<S>>(
        &mut self,
        look: &mut L,
        todo: List,
        dives: &mut [Dive],
    ) -> Result<(List, Outcome<L::Found>), Halt> {
        let pool: Vec<Range<u32>> = match dives {
            [] => Vec::new(),
            // Of the level at hand, if some are left: where a dive went wrong early, only an early start helps.
            _ if self.levels.is_through() => self.levels.all_waiting().collect(),
            _ => self.levels.waiting_now().collect(),
        };
        if !dives.is_empty() && pool.is_empty() {
            return Ok((todo, Outcome::nothing()));
        }
        let claims = match &mut self.dives {
            // Claims begin with the first dive.
            Some(Dives { claims, .. }) if claims.bytes() > 0 => {
                claims.extend_to(self.visited.table.id_room());
                Some(&*claims)
            }
            _ => None,
        };
        let before = self.visited.progress();
        let visited = &mut self.visited;
        let (system, observer) = (visited.system, visited.observer);
        let workers = if dives.is_empty() { usize::MAX } else { dives.len() };
        let mut members: Vec<Member<'_, 'a, S, L>> = std::iter::once(&mut visited.window)
            .chain(&mut self.windows)
            .take(workers)
            .enumerate()
            .map(|(worker, window)| Member {
                worker,
                window,
                look: look.clone(),
                lease: visited.table.lease(),
                seen: Seen::default(),
                born: self.parents.as_ref().map(|_| Vec::new()),
                diving: !dives.is_empty(),
            })
            .collect();
        let round = Round::new(
            &visited.table,
            members.len(),
            todo,
            claims,
            &pool,
            visited.limits.states,
        );
        let (first, others) = members.split_at_mut(1);
        let mut dives = dives.iter_mut();
        let own = dives.next();
        let work = |member: &mut Member<'_, 'a, S, L>, dive: Option<&mut Dive>, watch| match dive {
            Some(dive) => member.plunge(system, &round, dive, watch),
            None => member.work(system, &round, watch),
        };
        std::thread::scope(|scope| {
            for member in others {
                let (work, dive) = (&work, dives.next());
                scope.spawn(move || work(member, dive, None));
            }
            work(&mut first[0], own, Some((observer, before)));
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
        let id = loop {
            if self.levels.waiting() == 0 {
                return Ok(Next::Nothing);
            }
            self.begin_level()?;
            let id = self.levels.take().expect("a level that begins has states");
            if self.claim(id) {
                break id;
            }
        };
        self.visited.expand(id, self.levels.ahead())?;
        self.current = Some(id);
        Ok(Next::State(id))
    }

    /// Claims a state that is to be expanded. False if a dive has expanded it.
    #[inline]
    fn claim(&mut self, id: StateId) -> bool {
        match &mut self.dives {
            Some(dives) if dives.have_begun() => {
                dives.claims.extend_to(id.index() + 1);
                dives.claims.claim(id)
            }
            _ => true,
        }
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

    /// A path to this state: a shortest one; where the search has dived, the shortest through what was expanded.
    pub(crate) fn path_to(&mut self, id: StateId) -> Path {
        let within = if self.has_dived() {
            self.shortest_within(id)
        } else {
            None
        };
        let trail = within.unwrap_or_else(|| self.trail(id));
        path::along(&mut self.visited, &trail, None)
    }

    /// The states on a shortest path to this one over states that are expanded: these are stepped once more, breadth first. None if a limit does not allow for it, as the way by
    /// parents is a path, too, and what was found stands.
    fn shortest_within(&mut self, goal: StateId) -> Option<Vec<StateId>> {
        let Breadth {
            visited,
            parents,
            dives,
            ..
        } = self;
        let (parents, claims) = (parents.as_ref()?, &dives.as_ref()?.claims);
        let bound = visited.table.bound();
        let bytes = (bound * size_of::<u32>()) as u64;
        visited
            .budget
            .grow(Growth {
                taken: bytes,
                freed: 0,
            })
            .ok()?;
        let mut from = vec![UNSEEN; bound];
        let mut queue = VecDeque::new();
        for id in visited.table.used().flatten().map(StateId) {
            if parents.at(id.index()) == NO_PARENT {
                from[id.index()] = NO_PARENT;
                queue.push_back(id);
            }
        }
        let mut steps = Steps::new(visited.system.width());
        let mut stepped = 0_u64;
        while from[goal.index()] == UNSEEN {
            // A state whose expansion ran out of room halfway is not claimed: then only the way by parents is left.
            let Some(id) = queue.pop_front() else {
                visited.budget.release(bytes);
                return None;
            };
            if !claims.has(id) {
                continue;
            }
            stepped += 1;
            if stepped.is_multiple_of(POLL_EVERY) && visited.poll().is_err() {
                visited.budget.release(bytes);
                return None;
            }
            steps.clear();
            let done = visited.window.stepper.steps(&visited.table.get(id), &mut steps);
            done.expect("a state that was stepped without a fault steps the same again");
            for (_, target) in steps.iter() {
                // Where the search was cut short in the middle of a state, some of its targets were never met.
                if let Some(target) = visited.table.find(target)
                    && from[target.index()] == UNSEEN
                {
                    from[target.index()] = id.0;
                    queue.push_back(target);
                }
            }
        }
        visited.budget.release(bytes);
        let mut trail = vec![goal];
        let mut at = goal;
        while from[at.index()] != NO_PARENT {
            at = StateId(from[at.index()]);
            trail.push(at);
        }
        trail.reverse();
        Some(trail)
    }

    /// Bytes kept beside the table.
    pub(crate) fn kept_bytes(&self) -> u64 {
        self.parents.as_ref().map_or(0, Column::bytes) + self.levels.bytes() + self.look_bytes
    }
}
