//! States met so far, and the bounds on meeting more: what all searches share.
//!
//! A search takes a state, lets [`Visited::expand`] compute its steps into one reusable buffer, and hands the targets back
//! one by one to [`Visited::admit`]. Limits cost the common case one comparison: `room` is the number of states up to which
//! neither the table grows nor the bound on states is reached. At `room` the target is looked up first, so
//! that a search that needs no more room is not stopped for the lack of it.

use crate::budget::Budget;
use crate::question::Statistics;
use fairhold_store::{Growth, Inserted, StateId, StateTable};
use fairhold_system::{
    Control, Fault, Label, Limits, Observer, Progress, Stepper, Steps, StopReason, System, Word,
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

/// The states met, the stepper they are stepped with, and the bounds.
pub(crate) struct Visited<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) stepper: S::Stepper<'a>,
    /// The steps of the state stepped last.
    pub(crate) steps: Steps,
    pub(crate) table: StateTable,
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
    /// Bytes booked for the stepper and the system's tables.
    stepper_bytes: u64,
}

impl<'a, S: System> Visited<'a, S> {
    pub(crate) fn new(system: &'a S, limits: &Limits, observer: &'a dyn Observer) -> Visited<'a, S> {
        Visited {
            system,
            stepper: system.stepper(),
            steps: Steps::new(system.width()),
            table: StateTable::new(system.width(), system.key_width()),
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

    /// Computes the initial states into `steps`.
    pub(crate) fn initial(&mut self) -> Result<(), Halt> {
        self.poll()?;
        self.steps.clear();
        self.stepper
            .initial(&mut self.steps)
            .map_err(|fault| Halt::Fault { fault, at: None })?;
        self.book_buffer()
    }

    /// Computes the steps of a state for the first time, and counts them.
    pub(crate) fn expand(&mut self, id: StateId) -> Result<(), Halt> {
        self.step(id)?;
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
        } else if self.system.is_ended(self.table.get(id)) {
            statistics.terminated += 1;
        } else {
            statistics.deadlocks += 1;
        }
        Ok(())
    }

    /// Computes the steps of a state into `steps`.
    pub(crate) fn step(&mut self, id: StateId) -> Result<(), Halt> {
        if self.stepped.is_multiple_of(POLL_EVERY) {
            self.book_stepper()?;
            self.poll()?;
        }
        self.stepped += 1;
        self.steps.clear();
        self.stepper
            .steps(self.table.get(id), &mut self.steps)
            .map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
        self.book_buffer()
    }

    /// Adds the target of step `i` to the table, within the limits.
    #[inline]
    pub(crate) fn admit(&mut self, i: usize) -> Result<Inserted, Halt> {
        if self.table.len() >= self.room {
            return self.admit_at_bound(i);
        }
        let inserted = self.table.insert(self.steps.target(i));
        Ok(inserted.expect("there is room, so the table is not full"))
    }

    #[cold]
    fn admit_at_bound(&mut self, i: usize) -> Result<Inserted, Halt> {
        if let Some(id) = self.table.find(self.steps.target(i)) {
            return Ok(Inserted { id, new: false });
        }
        let bound = self.limits.states.unwrap_or(u64::MAX);
        if self.table.len() as u64 >= bound {
            return Err(Halt::Stop(StopReason::States));
        }
        self.poll()?;
        self.budget.grow(self.table.growth())?;
        // A table without ids left is out of what memory it can address.
        let inserted = self.table.insert(self.steps.target(i));
        let inserted = inserted.map_err(|_| Halt::Stop(StopReason::Memory))?;
        self.room = usize::try_from(bound)
            .unwrap_or(usize::MAX)
            .min(self.table.room());
        Ok(inserted)
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

    /// Books what the stepper has come to hold. It grew by itself, so this comes up to [`POLL_EVERY`] states late.
    fn book_stepper(&mut self) -> Result<(), Halt> {
        let bytes = self.stepper.bytes();
        if bytes > self.stepper_bytes {
            self.budget.grow(Growth {
                taken: bytes - self.stepper_bytes,
                freed: 0,
            })?;
            self.stepper_bytes = bytes;
        }
        Ok(())
    }

    /// Books the buffer of steps at its largest filling. It grew inside the stepper, so this comes a moment late.
    fn book_buffer(&mut self) -> Result<(), Halt> {
        let step = size_of::<Label>() + self.system.width() * size_of::<Word>();
        let bytes = (self.steps.len() * step) as u64;
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
            .map(|id| self.table.get(StateId(id as u32)).to_vec())
            .collect()
    }
}

/// How many steps repeat an earlier one, but for words that tell no states apart.
fn repeats(steps: &Steps, key: usize) -> usize {
    let same = |i, j| steps.label(i) == steps.label(j) && steps.target(i)[..key] == steps.target(j)[..key];
    (0..steps.len()).filter(|&i| (0..i).any(|j| same(i, j))).count()
}
