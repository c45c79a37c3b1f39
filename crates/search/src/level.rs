//! A level of a breadth-first search, expanded by several workers.
//!
//! Each worker has a share of the level, mostly states that it met itself, takes a few at a time, steps them, and adds the targets to the one table; who
//! adds a state is its parent. Who is through with its share goes on with those of others. States met one after the other lead to the same ones: if several workers took them, by turns from one
//! list, each would look up what another has just written, and wait until that comes from the other's cache. When the level is through, everyone is done, so a path by parents is still a shortest one. Levels with few states are not worth
//! waking anybody, and are left to the search itself.
//!
//! The table grows only while nobody works on it. A worker that sees too little room, or a target that does not fit, gives back what it has not expanded; the round
//! ends, the table grows, the next round goes on. So there is nothing to lock but the list of what is to be done.
//!
//! What was found waits for the end of the level. Where something went wrong, a single worker may have found something before, or another thing wrong; that order is not known
//! here, so the search is left to one.

use crate::breadth::Look;
use crate::visited::POLL_EVERY;
use crate::window::{Window, in_order};
use fairhold_store::{Apart, Lease, StateId, StateTable};
use fairhold_system::{Control, Observer, Progress, StopReason, System};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
};

/// States taken at a time.
const TAKEN: u32 = 64;
/// States a worker may add before it looks for room again.
const AT_ONCE: usize = 1024;

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
    /// By worker.
    shares: Vec<Apart<Mutex<Share>>>,
    /// Whether everyone is to come to an end.
    pausing: AtomicBool,
    outcome: Mutex<Outcome<F>>,
}

/// States to be expanded; the ranges come last first.
pub(crate) type Todo = Vec<Range<u32>>;

/// A worker's part of a level.
#[derive(Default)]
struct Share {
    /// What is still to be expanded, by whomever.
    todo: Todo,
    /// The steps of what the worker has expanded, or nearly so, for who watches.
    steps: u64,
}

impl Share {
    /// Takes some states.
    fn take(&mut self) -> Option<Range<u32>> {
        let range = self.todo.last_mut()?;
        let taken = range.start..range.end.min(range.start + TAKEN);
        range.start = taken.end;
        if range.start == range.end {
            self.todo.pop();
        }
        Some(taken)
    }
}

/// Shares of about the same size, in the order of the states.
fn shares(mut todo: Todo, workers: usize) -> Vec<Share> {
    let all: usize = todo.iter().map(ExactSizeIterator::len).sum();
    let most = all.div_ceil(workers);
    let mut shares: Vec<Share> = (0..workers).map(|_| Share::default()).collect();
    for share in &mut shares {
        let mut room = most;
        while room > 0
            && let Some(Range { start, end }) = todo.pop()
        {
            let cut = start + room.min((end - start) as usize) as u32;
            share.todo.push(start..cut);
            room -= (cut - start) as usize;
            if cut < end {
                todo.push(cut..end);
            }
        }
        share.todo.reverse();
    }
    shares
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
    pub(crate) fn new(table: &'r StateTable, workers: usize, todo: Todo) -> Round<'r, F> {
        Round {
            table,
            slack: slack(workers),
            shares: shares(todo, workers)
                .into_iter()
                .map(|share| Apart(Mutex::new(share)))
                .collect(),
            pausing: AtomicBool::new(false),
            outcome: Mutex::new(Outcome {
                found: None,
                failed: false,
                stop: None,
                unfit: None,
            }),
        }
    }

    /// What is left, and what has come out.
    pub(crate) fn end(self) -> (Todo, Outcome<F>) {
        let unpoisoned = "a panic of a worker goes on in the search";
        let shares = self.shares.into_iter().rev();
        let rest = shares.flat_map(|share| share.0.into_inner().expect(unpoisoned).todo);
        (rest.collect(), self.outcome.into_inner().expect(unpoisoned))
    }

    /// Takes some states for a worker, after so many more steps.
    fn take(&self, worker: usize, steps: u64) -> Option<Range<u32>> {
        let mut own = self.shares[worker].0.lock().ok()?;
        own.steps += steps;
        if let Some(taken) = own.take() {
            return Some(taken);
        }
        drop(own);
        let mut others = self.shares[worker + 1..].iter().chain(&self.shares[..worker]);
        others.find_map(|share| share.0.lock().ok()?.take())
    }

    /// Gives back what a worker has taken.
    fn give_back(&self, worker: usize, range: Range<u32>) {
        if let Ok(mut own) = self.shares[worker].0.lock() {
            own.todo.push(range);
        }
    }

    /// Steps of what is expanded, or nearly so.
    fn steps(&self) -> u64 {
        let shares = self.shares.iter();
        shares
            .map(|share| share.0.lock().map_or(0, |share| share.steps))
            .sum()
    }

    fn note(&self, what: impl FnOnce(&mut Outcome<F>)) {
        if let Ok(mut outcome) = self.outcome.lock() {
            what(&mut outcome);
        }
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
        let mut counted = 0;
        while let Some(range) = round.take(self.worker, self.seen.steps - counted) {
            counted = self.seen.steps;
            for id in range.clone().map(StateId) {
                if round.pausing.load(Relaxed) || !self.expand(system, round, id, range.end) {
                    round.give_back(self.worker, id.0..range.end);
                    round.pause();
                    return;
                }
                self.seen.expanded += 1;
                if let Some((observer, before)) = watch
                    && self.seen.expanded.is_multiple_of(POLL_EVERY)
                {
                    let states = round.table.len() as u64;
                    let progress = Progress {
                        states,
                        steps: before.steps + round.steps(),
                        ..before
                    };
                    if let Control::Stop(reason) = observer.progress(&progress) {
                        round.note(|outcome| outcome.stop = Some(reason));
                        round.pause();
                    }
                }
            }
        }
    }

    /// Expands a state. False if that was not possible without the table growing; then nothing was counted.
    #[inline]
    fn expand(&mut self, system: &S, round: &Round<'_, L::Found>, id: StateId, end: u32) -> bool {
        let mut table = round.table;
        let window = &mut *self.window;
        if window.load(&mut table, id).is_err() {
            round.note(|outcome| outcome.failed = true);
            return true;
        }
        if !window.now.fits {
            round.note(|outcome| outcome.unfit = Some(id));
            return false;
        }
        table.approach(&mut window.now.batch);
        window.load_ahead(&mut table, in_order(id, end));
        match self.look.state(system, window, id) {
            Ok(None) => {}
            Ok(Some(found)) => round.note(|outcome| outcome.found = Some(found)),
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
                    Ok(Some(found)) => round.note(|outcome| outcome.found = Some(found)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_nothing_is_lost() {
        // Last first: the states are 0..5, 8..11, 20..21.
        let todo = vec![20..21, 8..11, 0..5];
        let by = |workers| {
            let shares = shares(todo.clone(), workers);
            let states = shares.into_iter().map(|share| share.todo.into_iter().rev());
            states
                .map(|ranges| ranges.flatten().collect())
                .collect::<Vec<Vec<u32>>>()
        };
        let even: [Vec<Vec<u32>>; 3] = [
            vec![vec![0, 1, 2, 3, 4], vec![8, 9, 10, 20]],
            vec![vec![0, 1, 2], vec![3, 4, 8], vec![9, 10, 20]],
            vec![vec![0, 1, 2], vec![3, 4, 8], vec![9, 10, 20], vec![]],
        ];
        assert_eq!([2, 3, 4].map(by), even);
    }

    #[test]
    fn who_is_through_goes_on_with_what_others_have() {
        let table = StateTable::new(1, 1);
        let round: Round<'_, ()> = Round::new(&table, 2, vec![100..300, 0..2]);
        // Each has half of them.
        assert_eq!(round.take(0, 5), Some(0..2));
        round.give_back(0, 1..2);
        let taken = [1, 0, 0, 1, 1, 0].map(|worker| round.take(worker, 1));
        let expected = [199..263, 1..2, 100..164, 263..300, 164..199];
        assert!(taken.iter().flatten().eq(&expected));
        assert_eq!((taken[5].clone(), round.steps()), (None, 11));
        round.give_back(1, 299..300);
        round.give_back(0, 110..164);
        assert_eq!(round.end().0, [299..300, 110..164]);
    }
}
