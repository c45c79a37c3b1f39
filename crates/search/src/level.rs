//! A level of a breadth-first search, expanded by several workers.
//!
//! Each worker has a share of the level ([`Shares`]), takes a few states at a time, steps them, and adds the targets to the one table; who adds a state is its parent. When the level is through, everyone is done, so a path by parents is still a shortest one. Levels with few states are not worth
//! waking anybody, and are left to the search itself.
//!
//! The table grows only while nobody works on it. A worker that sees too little room, or a target that does not fit, gives back what it has not expanded; the round
//! ends, the table grows, the next round goes on. So there is nothing to lock but the lists of what is to be done.
//!
//! What was found waits for the end of the level. Where something went wrong, a single worker may have found something before, or another thing wrong; that order is not known
//! here, so the search is left to one.

use crate::breadth::Look;
use crate::dive::{Claims, Dive};
use crate::shares::{List, Shares};
use crate::visited::POLL_EVERY;
use crate::window::{Window, in_order};
use fairhold_store::{Apart, Lease, StateId, StateTable};
use fairhold_system::{Control, Observer, Progress, StopReason, System};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Relaxed, SeqCst},
};

/// States a worker may add before it looks for room again.
const AT_ONCE: usize = 1024;
/// States that a stranded dive tries to start from before it gives up.
const TRIES: usize = 64;

/// Room that `workers` workers need to go on.
pub(crate) fn slack(workers: usize) -> usize {
    StateTable::slack(workers, AT_ONCE)
}

/// A worker, with what it has seen in a round. On cache lines of its own.
#[repr(align(128))]
pub(crate) struct Member<'w, 'a, S: System, L> {
    /// Which one.
    pub(crate) worker: usize,
    pub(crate) window: &'w mut Window<'a, S>,
    pub(crate) look: L,
    pub(crate) lease: Lease,
    pub(crate) seen: Seen,
    /// New states, and from where they were met.
    pub(crate) born: Option<Vec<(StateId, StateId)>>,
    /// Whether it is on a dive: then what was found first ends the round.
    pub(crate) diving: bool,
}

/// Numbers of a round.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) expanded: u64,
    pub(crate) steps: u64,
    pub(crate) deadlocks: u64,
    pub(crate) terminated: u64,
}

/// What all workers of a round share.
pub(crate) struct Round<'r, F> {
    pub(crate) table: &'r StateTable,
    /// Room without which nobody goes on.
    slack: usize,
    /// States still to be expanded.
    todo: Shares,
    /// States that a dive may start from, no range empty.
    pool: &'r [Range<u32>],
    /// Dives add no states beyond so many.
    most: usize,
    /// Who expands a state claims it, once there are dives.
    claims: Option<&'r Claims>,
    /// Steps of those that are, or nearly so, for who watches.
    steps: Apart<AtomicU64>,
    /// Whether everyone is to come to an end.
    pausing: AtomicBool,
    outcome: Mutex<Outcome<F>>,
}

/// Why a round ended before the level did, and what it has found.
pub(crate) struct Outcome<F> {
    pub(crate) found: Option<F>,
    /// Whether the model went wrong.
    pub(crate) failed: bool,
    pub(crate) stop: Option<StopReason>,
    /// A state with a target that does not fit.
    pub(crate) unfit: Option<StateId>,
}

impl<F> Outcome<F> {
    pub(crate) fn nothing() -> Outcome<F> {
        Outcome {
            found: None,
            failed: false,
            stop: None,
            unfit: None,
        }
    }
}

/// Makes everyone leave the round if a worker panics; the panic goes on where the workers are joined.
pub(crate) struct PauseOnPanic<'r>(pub(crate) &'r AtomicBool);

impl Drop for PauseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, SeqCst);
        }
    }
}

impl<'r, F: Send> Round<'r, F> {
    pub(crate) fn new(
        table: &'r StateTable,
        workers: usize,
        todo: List,
        claims: Option<&'r Claims>,
        pool: &'r [Range<u32>],
        most: Option<u64>,
    ) -> Round<'r, F> {
        Round {
            table,
            slack: slack(workers),
            todo: Shares::split(todo, workers),
            pool,
            most: most.map_or(usize::MAX, |most| most as usize),
            claims,
            steps: Apart::default(),
            pausing: AtomicBool::new(false),
            outcome: Mutex::new(Outcome::nothing()),
        }
    }

    /// What is left, and what has come out.
    pub(crate) fn end(self) -> (List, Outcome<F>) {
        let outcome = self.outcome.into_inner();
        (
            self.todo.into_rest().collect(),
            outcome.expect("a panic of a worker goes on in the search"),
        )
    }

    fn note(&self, what: impl FnOnce(&mut Outcome<F>)) {
        if let Ok(mut outcome) = self.outcome.lock() {
            what(&mut outcome);
        }
    }

    /// Claims a state for who is to expand it. False if it has been expanded.
    #[inline]
    fn claim(&self, id: StateId) -> bool {
        self.claims.is_none_or(|claims| claims.claim(id))
    }

    fn release(&self, id: StateId) {
        if let Some(claims) = self.claims {
            claims.release(id);
        }
    }

    /// Takes note of what was found; on a dive, that ends the round.
    fn found(&self, found: F, diving: bool) {
        self.note(|outcome| outcome.found = Some(found));
        if diving {
            self.pause();
        }
    }

    /// A state that waits to be expanded, chosen at random; none if none is found soon.
    fn somewhere(&self, dive: &mut Dive) -> Option<StateId> {
        let claims = self.claims?;
        (0..TRIES).find_map(|_| {
            let range = &self.pool[dive.choose(self.pool.len())];
            let id = StateId(range.start + dive.choose(range.len()) as u32);
            (!claims.has(id)).then_some(id)
        })
    }

    fn pause(&self) {
        self.pausing.store(true, Relaxed);
    }
}

impl<'a, S: System, L: Look<S>> Member<'_, 'a, S, L> {
    /// Works until nothing is left or a pause is due. One of the workers has the observer.
    pub(crate) fn work(
        &mut self,
        system: &S,
        round: &Round<'_, L::Found>,
        watch: Option<(&dyn Observer, Progress)>,
    ) {
        let _guard = PauseOnPanic(&round.pausing);
        while let Some(range) = round.todo.take(self.worker) {
            let counted = self.seen.steps;
            for id in range.clone().map(StateId) {
                if round.pausing.load(Relaxed) {
                    round.todo.give_back(self.worker, id.0..range.end);
                    return;
                }
                if !round.claim(id) {
                    continue;
                }
                if !self.expand(system, round, id, range.end) {
                    round.release(id);
                    round.todo.give_back(self.worker, id.0..range.end);
                    round.pause();
                    return;
                }
                self.seen.expanded += 1;
                self.poll(round, watch);
            }
            round.steps.0.fetch_add(self.seen.steps - counted, Relaxed);
        }
    }

    /// Dives until the slice is through, there is nothing to go on with, or a pause is due.
    pub(crate) fn plunge(
        &mut self,
        system: &S,
        round: &Round<'_, L::Found>,
        dive: &mut Dive,
        watch: Option<(&dyn Observer, Progress)>,
    ) {
        let _guard = PauseOnPanic(&round.pausing);
        while dive.left > 0 && !round.pausing.load(Relaxed) {
            let Some(id) = dive.next() else {
                match round.somewhere(dive) {
                    Some(id) => dive.start_at(id),
                    None => return,
                }
                continue;
            };
            if !round.claim(id) {
                continue;
            }
            // A fault waits until the state's turn breadth first: then what comes before it has been seen.
            let mut table = round.table;
            if self.window.load(&mut table, id).is_err() {
                round.release(id);
                continue;
            }
            if table.bound() + self.window.now.steps.len() + round.slack > round.most {
                round.release(id);
                return;
            }
            let met = self.born.as_ref().map_or(0, Vec::len);
            if !self.admit_all(system, round, id, id.0 + 1) {
                round.release(id);
                dive.start_at(id);
                round.pause();
                return;
            }
            let born = self.born.as_deref().unwrap_or_default();
            let (window, look) = (&mut *self.window, &mut self.look);
            let born = born[met..].iter().map(|&(id, _)| id);
            dive.meet(born, |id, words| {
                round.table.read(id, words);
                look.distance(window, words)
            });
            dive.left -= 1;
            self.seen.expanded += 1;
            self.poll(round, watch);
        }
    }

    /// Tells the observer how far the search has come now and then, and ends the round if it says so.
    #[inline]
    fn poll(&self, round: &Round<'_, L::Found>, watch: Option<(&dyn Observer, Progress)>) {
        if let Some((observer, before)) = watch
            && self.seen.expanded.is_multiple_of(POLL_EVERY)
        {
            let progress = Progress {
                states: round.table.len() as u64,
                steps: before.steps + round.steps.0.load(Relaxed),
                ..before
            };
            if let Control::Stop(reason) = observer.progress(&progress) {
                round.note(|outcome| outcome.stop = Some(reason));
                round.pause();
            }
        }
    }

    /// Expands a state. False if that was not possible without the table growing; then nothing was counted.
    #[inline]
    fn expand(&mut self, system: &S, round: &Round<'_, L::Found>, id: StateId, end: u32) -> bool {
        let mut table = round.table;
        if self.window.load(&mut table, id).is_err() {
            round.note(|outcome| outcome.failed = true);
            return true;
        }
        self.admit_all(system, round, id, end)
    }

    /// Looks at the state in the window and adds the targets of its steps. False if that was not possible without the table growing.
    #[inline]
    fn admit_all(&mut self, system: &S, round: &Round<'_, L::Found>, id: StateId, end: u32) -> bool {
        let mut table = round.table;
        let window = &mut *self.window;
        if !window.now.fits {
            round.note(|outcome| outcome.unfit = Some(id));
            return false;
        }
        table.approach(&mut window.now.batch);
        window.load_ahead(&mut table, in_order(id, end));
        match self.look.state(system, window, id) {
            Ok(None) => {}
            Ok(Some(found)) => round.found(found, self.diving),
            Err(_) => round.note(|outcome| outcome.failed = true),
        }
        let count = window.now.steps.len();
        for i in 0..count {
            if i.is_multiple_of(AT_ONCE) && !table.has_room(&self.lease, AT_ONCE.min(count - i), round.slack)
            {
                return false;
            }
            let inserted = table.insert_shared(&window.now.batch, i, &mut self.lease);
            self.look.admitted(inserted.id);
            if inserted.new {
                if let Some(born) = &mut self.born {
                    born.push((inserted.id, id));
                }
                match self.look.target(window, i, inserted.id) {
                    Ok(None) => {}
                    Ok(Some(found)) => round.found(found, self.diving),
                    Err(_) => round.note(|outcome| outcome.failed = true),
                }
            }
        }
        if self.look.expanded(window, id).is_err() {
            round.note(|outcome| outcome.failed = true);
        }
        if !window.now.steps.is_empty() {
            self.seen.steps += window.now.steps.len() as u64;
        } else if system.is_ended(&window.now.state) {
            self.seen.terminated += 1;
        } else {
            self.seen.deadlocks += 1;
        }
        true
    }
}
