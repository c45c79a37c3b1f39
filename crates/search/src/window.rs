//! What a worker sees of the graph at a time: a state, its steps, and their targets ready to be looked up.
//!
//! A search that knows which states come next says so, one or two of them. These are then stepped and their targets are prepared *ahead*, before those of the
//! state at hand are admitted, so that the memory they are looked up in comes while there is other work. Nobody notices but
//! by the time it takes: states are stepped and admitted in the same order, and a fault waits for its turn.

use crate::survey;
use fairhold_store::{Batch, Full, StateId, StateTable, Unfit, Widening};
use fairhold_system::{Changed, EventId, Fault, Label, ProcessesId, Stepper, Steps, System, Word};
use std::sync::{Mutex, mpsc};

/// A table in which targets are prepared: one's own, or one that others work on as well.
pub(crate) trait Prepare {
    fn table(&self) -> &StateTable;

    fn prepare(&mut self, from: Option<StateId>, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit>;
}

impl Prepare for StateTable {
    fn table(&self) -> &StateTable {
        self
    }

    #[inline]
    fn prepare(&mut self, from: Option<StateId>, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit> {
        StateTable::prepare(self, from, steps, batch)
    }
}

impl Prepare for &StateTable {
    fn table(&self) -> &StateTable {
        self
    }

    #[inline]
    fn prepare(&mut self, from: Option<StateId>, steps: &Steps, batch: &mut Batch) -> Result<(), Unfit> {
        self.prepare_shared(from, steps, batch)
    }
}

/// A state, its steps, and what came of preparing their targets. On cache lines of its own, as other workers change others.
#[repr(align(128))]
pub(crate) struct Loaded {
    /// Which state; none if these are initial states, or there is none.
    id: Option<StateId>,
    pub(crate) state: Vec<Word>,
    /// Its steps.
    pub(crate) steps: Steps,
    /// Their targets, ready to be looked up if they fit.
    pub(crate) batch: Batch,
    /// Whether they fit the table.
    pub(crate) fits: bool,
    /// What went wrong in stepping it before its turn.
    fault: Option<Fault>,
}

impl Loaded {
    fn new(width: usize) -> Box<Loaded> {
        Box::new(Loaded {
            id: None,
            state: vec![0; width],
            steps: Steps::new(width),
            batch: Batch::new(),
            fits: true,
            fault: None,
        })
    }

    /// Packs and hashes the targets.
    #[inline]
    fn prepare(&mut self, table: &mut impl Prepare) {
        self.fits = table.prepare(self.id, &self.steps, &mut self.batch).is_ok();
    }
}

/// How many states are stepped before their turn, where they are known.
pub(crate) const AHEAD: usize = 2;

/// The states that come after the one at hand, as far as they are known.
pub(crate) type Next = [Option<StateId>; AHEAD];

/// Those after `id` where states come in the order of their ids, up to `end`.
#[inline]
pub(crate) fn in_order(id: StateId, end: u32) -> Next {
    std::array::from_fn(|i| Some(StateId(id.0 + 1 + i as u32)).filter(|next| next.0 < end))
}

/// The state at hand, and those after it.
pub(crate) struct Window<'a, S: System + 'a> {
    pub(crate) stepper: S::Stepper<'a>,
    /// The state at hand.
    pub(crate) now: Box<Loaded>,
    /// States that were stepped before their turn.
    ahead: [Box<Loaded>; AHEAD],
}

impl<'a, S: System + 'a> Window<'a, S> {
    pub(crate) fn new(system: &'a S) -> Window<'a, S> {
        let width = system.width();
        Window {
            stepper: system.stepper(),
            now: Loaded::new(width),
            ahead: std::array::from_fn(|_| Loaded::new(width)),
        }
    }

    /// Those of so many workers. On memory that two workers write side by side, each waits for the other. So each window, down to the caches of the stepper, is allocated by
    /// a thread of its own, and all these threads are there until the last is done: what a thread leaves behind when it ends, the next one goes on filling.
    pub(crate) fn apart(system: &'a S, workers: usize) -> Vec<Window<'a, S>> {
        let stay = Mutex::new(());
        let held = stay.lock();
        std::thread::scope(|scope| {
            let (sender, made) = mpsc::channel();
            for _ in 0..workers {
                let (sender, stay) = (sender.clone(), &stay);
                scope.spawn(move || {
                    // Nobody waits for it but the caller.
                    let _ = sender.send(Window::new(system));
                    drop(sender);
                    let _until_all_are_made = stay.lock();
                });
            }
            drop(sender);
            let windows = made.iter().collect();
            drop(held);
            windows
        })
    }

    /// Computes initial states from a cursor on, and gives the next cursor.
    pub(crate) fn initial(&mut self, table: &mut impl Prepare, cursor: u64) -> Result<Option<u64>, Fault> {
        self.now.steps.clear();
        let cursor = self.stepper.initial_from(cursor, &mut self.now.steps)?;
        self.prepare(table, None);
        Ok(cursor)
    }

    /// Takes a state that does not come from another, as if it were initial.
    pub(crate) fn offer(&mut self, table: &mut impl Prepare, state: &[Word]) {
        self.now.steps.clear();
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        self.now.steps.push(label, state);
        self.prepare(table, None);
    }

    /// Computes the steps of a state, and nothing else.
    pub(crate) fn step(&mut self, table: &StateTable, id: StateId) -> Result<(), Fault> {
        let now = &mut *self.now;
        now.steps.clear();
        table.read(id, &mut now.state);
        self.stepper.steps(&now.state, &mut now.steps)
    }

    /// Computes the steps of a state and prepares their targets.
    #[inline]
    pub(crate) fn load(&mut self, table: &mut impl Prepare, id: StateId) -> Result<(), Fault> {
        if let Some(slot) = self.slot_of(id) {
            return self.turn(slot);
        }
        self.step(table.table(), id)?;
        self.prepare(table, Some(id));
        Ok(())
    }

    /// Where a state is that was stepped ahead. States that come one after the other mostly have ids in a row, so each finds a place of its own; if one does not, it is stepped again.
    #[inline]
    fn slot_of(&self, id: StateId) -> Option<usize> {
        let slot = id.index() % AHEAD;
        (self.ahead[slot].id == Some(id)).then_some(slot)
    }

    /// Takes over a state that was stepped ahead.
    #[inline]
    fn turn(&mut self, slot: usize) -> Result<(), Fault> {
        std::mem::swap(&mut self.now, &mut self.ahead[slot]);
        self.ahead[slot].id = None;
        self.now.fault.take().map_or(Ok(()), Err)
    }

    /// Steps the states that come next, before their turn, and prepares their targets. If there are two, the first one's targets can be approached now: their
    /// memory was asked for before the second was stepped.
    #[inline]
    pub(crate) fn load_ahead(&mut self, table: &mut impl Prepare, next: Next) {
        for id in next.into_iter().flatten() {
            if self.slot_of(id).is_none() {
                self.step_ahead(table, id);
            }
        }
        if let [Some(first), Some(_)] = next {
            self.approach_ahead(table.table(), first);
        }
    }

    /// Approaches the targets of a state that was stepped ahead, if it was.
    #[inline]
    pub(crate) fn approach_ahead(&mut self, table: &StateTable, id: StateId) {
        if let Some(slot) = self.slot_of(id)
            && self.ahead[slot].fits
        {
            table.approach(&mut self.ahead[slot].batch);
        }
    }

    /// Steps a state before its turn.
    fn step_ahead(&mut self, table: &mut impl Prepare, id: StateId) {
        let slot = id.index() % AHEAD;
        let ahead = &mut *self.ahead[slot];
        ahead.id = Some(id);
        // That of another state, whose turn came elsewhere.
        ahead.fault = None;
        ahead.steps.clear();
        table.table().read(id, &mut ahead.state);
        match self.stepper.steps(&ahead.state, &mut ahead.steps) {
            Ok(()) => ahead.prepare(table),
            Err(fault) => {
                ahead.fault = Some(fault);
                ahead.fits = false;
            }
        }
    }

    /// Packs and hashes the targets.
    #[inline]
    fn prepare(&mut self, table: &mut impl Prepare, from: Option<StateId>) {
        self.now.id = from;
        self.now.prepare(table);
    }

    /// Prepares again what was prepared before the table was widened.
    pub(crate) fn prepare_again(&mut self, table: &mut impl Prepare) {
        self.now.prepare(table);
        for ahead in &mut self.ahead {
            if ahead.id.is_some() && ahead.fault.is_none() {
                ahead.prepare(table);
            }
        }
    }

    /// What a table needs so that the targets fit; if it is large, so do others that may come soon.
    pub(crate) fn widening(&mut self, table: &mut StateTable) -> Result<Widening, Full> {
        let mut soon = Vec::new();
        if !table.is_small() && !self.now.steps.is_empty() {
            soon = survey::walk(&mut self.stepper, self.now.steps.target(0));
        }
        let targets = self.now.steps.iter().map(|(_, target)| target);
        table.widening(targets.chain(soon.iter().map(|state| &state[..])))
    }

    /// Forgets the states that were stepped ahead.
    pub(crate) fn forget_ahead(&mut self) {
        for ahead in &mut self.ahead {
            ahead.id = None;
            ahead.fault = None;
        }
    }

    /// Bytes of the buffers at their present filling.
    pub(crate) fn bytes(&self) -> u64 {
        let step = size_of::<Label>() + size_of::<Changed>() + self.now.state.len() * size_of::<Word>();
        // Of each, for the state at hand and those ahead.
        (1 + AHEAD) as u64 * ((self.now.steps.len() * step) as u64 + self.now.batch.bytes())
    }
}
