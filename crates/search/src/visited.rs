//! States met so far, and the bounds on meeting more: what all searches share.
//!
//! A search takes a state, lets [`Visited::expand`] compute its steps into one reusable buffer and prepare their targets for
//! the table all at once, and hands the targets back one by one to [`Visited::admit`].
//!
//! A search that knows which state comes next says so. That one is then stepped and its targets are prepared *ahead*, before those of the
//! state at hand are admitted, so that the memory they are looked up in comes while there is other work. Nobody notices but
//! by the time it takes: states are stepped and admitted in the same order, and a fault waits for its turn.
//!
//! Limits cost the common case one comparison: `room` is the number of states up to which neither the table grows nor
//! the bound on states is reached. At `room` the target is looked up first, so that a search that needs no more room
//! is not stopped for the lack of it.

use crate::budget::Budget;
use crate::question::Statistics;
use fairhold_store::{Batch, Growth, Inserted, StateId, StateTable};
use fairhold_system::{
    Changed, Control, Fault, Label, Limits, Observer, Progress, Stepper, Steps, StopReason, System, Word,
};

/// How many states are stepped between two calls of the observer.
const POLL_EVERY: u64 = 1024;

/// Why a search ends before its time.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// A limit, or the observer.
    Stop(StopReason),
    /// The model went wrong in this state; in none if there is no initial state to speak of.
    Fault { fault: Fault, at: Option<StateId> },
}

/// A state that was stepped before its turn.
struct Ahead {
    /// Which, if any.
    id: Option<StateId>,
    state: Vec<Word>,
    steps: Steps,
    batch: Batch,
    /// Whether the batch is ready.
    fits: bool,
    fault: Option<Fault>,
}

/// The states met, the stepper they are stepped with, and the bounds.
pub(crate) struct Visited<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) stepper: S::Stepper<'a>,
    pub(crate) table: StateTable,
    /// The state at hand.
    pub(crate) state: Vec<Word>,
    /// Its steps.
    pub(crate) steps: Steps,
    /// Their targets, ready to be looked up.
    batch: Batch,
    /// The state at hand, if the batch is not ready because a target does not fit the table.
    unfit: Option<Option<StateId>>,
    ahead: Ahead,
    /// Where the initial states that were not asked for yet begin; none if there are no more.
    cursor: Option<u64>,
    pub(crate) budget: Budget,
    pub(crate) statistics: Statistics,
    limits: Limits,
    observer: &'a dyn Observer,
    /// Up to this many states nothing needs to be asked.
    room: usize,
    expanded: u64,
    /// Calls of the stepper, repeated ones included.
    stepped: u64,
    /// Bytes booked for `steps`.
    buffer_bytes: u64,
    /// Bytes booked for the stepper and the system's tables, and for the sides of the table.
    stepper_bytes: u64,
}

impl<'a, S: System> Visited<'a, S> {
    pub(crate) fn new(system: &'a S, limits: &Limits, observer: &'a dyn Observer) -> Visited<'a, S> {
        Visited {
            system,
            stepper: system.stepper(),
            steps: Steps::new(system.width()),
            table: if limits.compact {
                StateTable::compact(system.width(), system.key_width())
            } else {
                StateTable::new(system.width(), system.key_width())
            },
            state: vec![0; system.width()],
            batch: Batch::new(),
            unfit: None,
            ahead: Ahead {
                id: None,
                state: vec![0; system.width()],
                steps: Steps::new(system.width()),
                batch: Batch::new(),
                fits: true,
                fault: None,
            },
            cursor: Some(0),
            budget: Budget::new(limits.bytes),
            statistics: Statistics::default(),
            limits: *limits,
            observer,
            room: 0,
            expanded: 0,
            stepped: 0,
            buffer_bytes: 0,
            stepper_bytes: 0,
        }
    }

    /// Computes some more of the initial states into `steps`. False if there are no more.
    pub(crate) fn initial(&mut self) -> Result<bool, Halt> {
        let Some(cursor) = self.cursor else {
            return Ok(false);
        };
        self.poll()?;
        self.steps.clear();
        self.cursor = self
            .stepper
            .initial_from(cursor, &mut self.steps)
            .map_err(|fault| Halt::Fault { fault, at: None })?;
        self.prepare(None);
        self.table.approach(&mut self.batch);
        self.book_buffer()?;
        Ok(true)
    }

    /// Computes the steps of a state for the first time, counts them, and makes their targets ready to be admitted.
    /// `next` is the state to be expanded after this one, if that is known.
    pub(crate) fn expand(&mut self, id: StateId, next: Option<StateId>) -> Result<(), Halt> {
        if self.ahead.id == Some(id) {
            self.turn(id)?;
        } else {
            self.step(id)?;
            self.prepare(Some(id));
        }
        self.table.approach(&mut self.batch);
        if let Some(next) = next {
            self.step_ahead(next);
        }
        self.expanded += 1;
        let statistics = &mut self.statistics;
        if !self.steps.is_empty() {
            let key = self.system.key_width();
            let repeats = if key < self.system.width() {
                repeats(&self.steps, key)
            } else {
                0
            };
            statistics.steps += (self.steps.len() - repeats) as u64;
        } else if self.system.is_ended(&self.state) {
            statistics.terminated += 1;
        } else {
            statistics.deadlocks += 1;
        }
        Ok(())
    }

    /// Takes over the state that was stepped ahead.
    fn turn(&mut self, id: StateId) -> Result<(), Halt> {
        self.count_step()?;
        let Visited {
            ahead,
            state,
            steps,
            batch,
            ..
        } = self;
        ahead.id = None;
        std::mem::swap(&mut ahead.state, state);
        std::mem::swap(&mut ahead.steps, steps);
        std::mem::swap(&mut ahead.batch, batch);
        if let Some(fault) = ahead.fault.take() {
            return Err(Halt::Fault { fault, at: Some(id) });
        }
        self.set_fits(Some(id), self.ahead.fits);
        self.book_buffer()
    }

    /// Steps a state before its turn, and prepares the targets.
    fn step_ahead(&mut self, id: StateId) {
        let ahead = &mut self.ahead;
        ahead.id = Some(id);
        ahead.steps.clear();
        self.table.read(id, &mut ahead.state);
        match self.stepper.steps(&ahead.state, &mut ahead.steps) {
            Ok(()) => {
                let prepared = self.table.prepare(Some(id), &ahead.steps, &mut ahead.batch);
                ahead.fits = prepared.is_ok();
            }
            Err(fault) => ahead.fault = Some(fault),
        }
    }

    /// Computes the steps of a state into `steps`.
    pub(crate) fn step(&mut self, id: StateId) -> Result<(), Halt> {
        self.count_step()?;
        self.steps.clear();
        self.table.read(id, &mut self.state);
        self.stepper
            .steps(&self.state, &mut self.steps)
            .map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
        self.book_buffer()
    }

    fn count_step(&mut self) -> Result<(), Halt> {
        if self.stepped.is_multiple_of(POLL_EVERY) {
            self.book_stepper()?;
            self.poll()?;
        }
        self.stepped += 1;
        Ok(())
    }

    /// Packs and hashes the targets of `steps`, which are those of the state `from`. If they do not fit, that waits until one of them
    /// is admitted, so that a refusal for lack of memory hides nothing that the steps themselves show.
    #[inline]
    fn prepare(&mut self, from: Option<StateId>) {
        let prepared = self.table.prepare(from, &self.steps, &mut self.batch);
        self.set_fits(from, prepared.is_ok());
    }

    #[inline]
    fn set_fits(&mut self, from: Option<StateId>, fits: bool) {
        self.unfit = None;
        if !fits {
            self.unfit = Some(from);
            self.room = 0;
        }
    }

    /// Packs the table anew, so that the targets of `steps` fit, and makes them ready.
    fn widen(&mut self, from: Option<StateId>) -> Result<(), Halt> {
        let widening = self.table.widening(self.steps.iter().map(|(_, target)| target));
        let widening = widening.map_err(|_| Halt::Stop(StopReason::Memory))?;
        self.budget.grow(widening.growth())?;
        self.table.widen(widening);
        let prepared = self.table.prepare(from, &self.steps, &mut self.batch);
        prepared.expect("the table was widened for these targets");
        self.unfit = None;
        let ahead = &mut self.ahead;
        if ahead.id.is_some() {
            let prepared = self.table.prepare(ahead.id, &ahead.steps, &mut ahead.batch);
            ahead.fits = prepared.is_ok();
        }
        self.find_room();
        Ok(())
    }

    /// Adds the target of step `i` to the table, within the limits. The steps must be those of the last
    /// [`Visited::initial`] or [`Visited::expand`].
    #[inline]
    pub(crate) fn admit(&mut self, i: usize) -> Result<Inserted, Halt> {
        if self.table.len() >= self.room {
            return self.admit_at_bound(i);
        }
        let inserted = self.table.insert_prepared(&self.batch, i);
        Ok(inserted.expect("there is room, so the table is not full"))
    }

    #[cold]
    fn admit_at_bound(&mut self, i: usize) -> Result<Inserted, Halt> {
        if let Some(from) = self.unfit {
            self.widen(from)?;
        }
        if let Some(id) = self.table.find_prepared(&self.batch, i) {
            return Ok(Inserted { id, new: false });
        }
        let bound = self.limits.states.unwrap_or(u64::MAX);
        if self.table.len() as u64 >= bound {
            return Err(Halt::Stop(StopReason::States));
        }
        self.poll()?;
        self.budget.grow(self.table.growth())?;
        // A table without ids left is out of what memory it can address.
        let inserted = self.table.insert_prepared(&self.batch, i);
        let inserted = inserted.map_err(|_| Halt::Stop(StopReason::Memory))?;
        self.find_room();
        Ok(inserted)
    }

    fn find_room(&mut self) {
        let bound = self.limits.states.unwrap_or(u64::MAX);
        self.room = usize::try_from(bound)
            .unwrap_or(usize::MAX)
            .min(self.table.room());
    }

    fn poll(&self) -> Result<(), Halt> {
        let states = self.table.len() as u64;
        let control = self.observer.progress(&Progress {
            states,
            steps: self.statistics.steps,
            waiting: states - self.expanded,
            depth: self.statistics.depth,
            bytes: self.budget.held(),
        });
        match control {
            Control::Continue => Ok(()),
            Control::Stop(reason) => Err(Halt::Stop(reason)),
        }
    }

    /// Books what the stepper, and the sides of the table, have come to hold. They grew by themselves, so this comes up to [`POLL_EVERY`] states late.
    fn book_stepper(&mut self) -> Result<(), Halt> {
        let bytes = self.stepper.bytes() + self.table.side_bytes();
        if bytes > self.stepper_bytes {
            self.budget.grow(Growth {
                taken: bytes - self.stepper_bytes,
                freed: 0,
            })?;
            self.stepper_bytes = bytes;
        }
        Ok(())
    }

    /// Books the buffer of steps and the batch at their largest filling. They grew inside stepper and table, so this comes a
    /// moment late.
    fn book_buffer(&mut self) -> Result<(), Halt> {
        let step = size_of::<Label>() + size_of::<Changed>() + self.system.width() * size_of::<Word>();
        // Two of each, for the state at hand and the one ahead.
        let bytes = 2 * ((self.steps.len() * step) as u64 + self.batch.bytes());
        if bytes > self.buffer_bytes {
            self.budget.grow(Growth {
                taken: bytes - self.buffer_bytes,
                freed: 0,
            })?;
            self.buffer_bytes = bytes;
        }
        Ok(())
    }

    /// What was seen, with `extra` bytes kept beside the table for its states.
    pub(crate) fn statistics(&self, extra: u64) -> Statistics {
        Statistics {
            states: self.table.len() as u64,
            state_bytes: self.table.row_bytes() as u64,
            stored_bytes: self.table.bytes() + extra,
            peak_bytes: self.budget.peak(),
            ..self.statistics
        }
    }

    /// The first, middle and last state met.
    pub(crate) fn samples(&self) -> Vec<Vec<Word>> {
        let last = self.table.len().wrapping_sub(1);
        let mut ids = match self.table.len() {
            0 => vec![],
            _ => vec![0, last / 2, last],
        };
        ids.dedup();
        ids.into_iter()
            .map(|id| self.table.get(StateId(id as u32)))
            .collect()
    }
}

/// How many steps repeat an earlier one, but for words that tell no states apart.
fn repeats(steps: &Steps, key: usize) -> usize {
    let same = |i, j| steps.label(i) == steps.label(j) && steps.target(i)[..key] == steps.target(j)[..key];
    (0..steps.len()).filter(|&i| (0..i).any(|j| same(i, j))).count()
}
