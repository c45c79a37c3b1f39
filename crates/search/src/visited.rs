//! States met so far, and the bounds on meeting more: what all searches share.
//!
//! A search takes a state, lets [`Visited::expand`] compute its steps and prepare their targets for the table all at once ([`Window`]), and hands the
//! targets back one by one to [`Visited::admit`].
//!
//! Limits cost the common case one comparison: `room` is the number of states up to which neither the table grows nor
//! the bound on states is reached. At `room` the target is looked up first, so that a search that needs no more room
//! is not stopped for the lack of it.

use crate::budget::Budget;
use crate::question::Statistics;
use crate::window::{Next, Window};
use fairhold_store::{Growth, Inserted, StateId, StateTable};
use fairhold_system::{Control, Fault, Limits, Observer, Progress, Stepper, Steps, StopReason, System, Word};

/// How many states are stepped between two calls of the observer.
pub(crate) const POLL_EVERY: u64 = 1024;

/// Why a search ends before its time.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// A limit, or the observer.
    Stop(StopReason),
    /// The model went wrong in this state; in none if there is no initial state to speak of.
    Fault { fault: Fault, at: Option<StateId> },
}

/// The states met, the one at hand, and the bounds.
pub(crate) struct Visited<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) table: StateTable,
    pub(crate) window: Window<'a, S>,
    /// Where the initial states that were not asked for yet begin; none if there are no more.
    cursor: Option<u64>,
    pub(crate) budget: Budget,
    pub(crate) statistics: Statistics,
    pub(crate) limits: Limits,
    pub(crate) observer: &'a dyn Observer,
    /// Up to this many states nothing needs to be asked.
    room: usize,
    pub(crate) expanded: u64,
    /// No state is expanded once there are more steps: the search is to go on by other means.
    pub(crate) most_steps: u64,
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
            table: if limits.compact {
                StateTable::compact(system.width(), system.key_width())
            } else {
                StateTable::new(system.width(), system.key_width())
            },
            window: Window::new(system),
            cursor: Some(0),
            budget: Budget::new(limits.bytes),
            statistics: Statistics::default(),
            limits: *limits,
            observer,
            room: 0,
            expanded: 0,
            most_steps: u64::MAX,
            stepped: 0,
            buffer_bytes: 0,
            stepper_bytes: 0,
        }
    }

    /// Whether there may be initial states that were not asked for yet.
    pub(crate) fn has_more_initial(&self) -> bool {
        self.cursor.is_some()
    }

    /// Computes some more of the initial states into `steps`. False if there are no more.
    pub(crate) fn initial(&mut self) -> Result<bool, Halt> {
        let Some(cursor) = self.cursor else {
            return Ok(false);
        };
        self.poll()?;
        self.cursor = self
            .window
            .initial(&mut self.table, cursor)
            .map_err(|fault| Halt::Fault { fault, at: None })?;
        self.approach();
        self.book_buffer()?;
        Ok(true)
    }

    /// Computes the steps of a state for the first time, counts them, and makes their targets ready to be admitted.
    /// `next` are the states to be expanded after this one, if that is known.
    pub(crate) fn expand(&mut self, id: StateId, next: Next) -> Result<(), Halt> {
        self.count_step()?;
        self.window
            .load(&mut self.table, id)
            .map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
        self.book_buffer()?;
        self.approach();
        self.window.load_ahead(&mut self.table, next);
        self.expanded += 1;
        let statistics = &mut self.statistics;
        if !self.window.now.steps.is_empty() {
            let key = self.system.key_width();
            let repeats = if key < self.system.width() {
                repeats(&self.window.now.steps, key)
            } else {
                0
            };
            statistics.steps += (self.window.now.steps.len() - repeats) as u64;
        } else if self.system.is_ended(&self.window.now.state) {
            statistics.terminated += 1;
        } else {
            statistics.deadlocks += 1;
        }
        Ok(())
    }

    /// Steps a state that comes next, before its turn.
    pub(crate) fn load_ahead(&mut self, next: StateId) {
        self.window.load_ahead(&mut self.table, [Some(next), None]);
    }

    /// Asks for the rows that its targets will be compared with. To be called some time later.
    pub(crate) fn approach_ahead(&mut self, next: StateId) {
        self.window.approach_ahead(&self.table, next);
    }

    /// Makes a state ready to be admitted, alone.
    pub(crate) fn offer(&mut self, state: &[Word]) {
        self.window.offer(&mut self.table, state);
        self.approach();
    }

    /// Asks for the memory of the targets. If they do not fit, that waits until one of them is admitted, so that a refusal for lack of memory hides nothing that
    /// the steps themselves show.
    #[inline]
    fn approach(&mut self) {
        if self.window.now.fits {
            self.table.approach(&mut self.window.now.batch);
        } else {
            self.room = 0;
        }
    }

    /// Computes the steps of a state into `steps`.
    pub(crate) fn step(&mut self, id: StateId) -> Result<(), Halt> {
        self.count_step()?;
        self.window
            .step(&self.table, id)
            .map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
        self.book_buffer()
    }

    fn count_step(&mut self) -> Result<(), Halt> {
        if self.statistics.steps > self.most_steps {
            return Err(Halt::Stop(StopReason::States));
        }
        if self.stepped.is_multiple_of(POLL_EVERY) {
            self.book_stepper()?;
            self.poll()?;
        }
        self.stepped += 1;
        Ok(())
    }

    /// Packs the table anew, so that the targets of `steps` fit, and makes them ready.
    pub(crate) fn widen(&mut self) -> Result<(), Halt> {
        let widening = self.window.widening(&mut self.table);
        let widening = widening.map_err(|_| Halt::Stop(StopReason::Memory))?;
        self.budget.grow(widening.growth())?;
        self.table.widen(widening);
        self.window.prepare_again(&mut self.table);
        assert!(self.window.now.fits, "the table was widened for these targets");
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
        let inserted = self.table.insert_prepared(&self.window.now.batch, i);
        Ok(inserted.expect("there is room, so the table is not full"))
    }

    #[cold]
    fn admit_at_bound(&mut self, i: usize) -> Result<Inserted, Halt> {
        if !self.window.now.fits {
            self.widen()?;
        }
        if let Some(id) = self.table.find_prepared(&self.window.now.batch, i) {
            return Ok(Inserted { id, new: false });
        }
        let bound = self.limits.states.unwrap_or(u64::MAX);
        if self.table.len() as u64 >= bound {
            return Err(Halt::Stop(StopReason::States));
        }
        self.poll()?;
        self.budget.grow(self.table.growth())?;
        // A table without ids left is out of what memory it can address.
        let inserted = self.table.insert_prepared(&self.window.now.batch, i);
        let inserted = inserted.map_err(|_| Halt::Stop(StopReason::Memory))?;
        self.find_room();
        Ok(inserted)
    }

    pub(crate) fn find_room(&mut self) {
        let bound = self.limits.states.unwrap_or(u64::MAX);
        self.room = usize::try_from(bound)
            .unwrap_or(usize::MAX)
            .min(self.table.room());
    }

    /// How far the search has come.
    pub(crate) fn progress(&self) -> Progress {
        let states = self.table.len() as u64;
        Progress {
            states,
            steps: self.statistics.steps,
            waiting: states - self.expanded,
            depth: self.statistics.depth,
            bytes: self.budget.held(),
        }
    }

    /// Tells how far the search has come, and asks whether to go on.
    pub(crate) fn poll(&self) -> Result<(), Halt> {
        match self.observer.progress(&self.progress()) {
            Control::Continue => Ok(()),
            Control::Stop(reason) => Err(Halt::Stop(reason)),
        }
    }

    /// Books what the stepper, and the sides of the table, have come to hold. They grew by themselves, so this comes up to [`POLL_EVERY`] states late.
    fn book_stepper(&mut self) -> Result<(), Halt> {
        let bytes = self.window.stepper.bytes() + self.table.side_bytes();
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
        let bytes = self.window.bytes();
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
}

/// How many steps repeat an earlier one, but for words that tell no states apart.
fn repeats(steps: &Steps, key: usize) -> usize {
    let same = |i, j| steps.label(i) == steps.label(j) && steps.target(i)[..key] == steps.target(j)[..key];
    (0..steps.len()).filter(|&i| (0..i).any(|j| same(i, j))).count()
}
