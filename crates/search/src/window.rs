//! What a worker sees of the graph at a time: a state, its steps, and their targets ready to be looked up.
//!
//! A search that knows which states come next says so, one or two of them. These are then stepped and their targets are prepared *ahead*, before those of the
//! state at hand are admitted, so that the memory they are looked up in comes while there is other work. Nobody notices but
//! by the time it takes: states are stepped and admitted in the same order, and a fault waits for its turn.

use crate::survey;
use fairhold_store::{Batch, Full, StateId, StateTable, Unfit, Widening};
use fairhold_system::{Changed, EventId, Fault, Label, ProcessesId, Stepper, Steps, System, Word};

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

impl Ahead {
    fn new(width: usize) -> Ahead {
        Ahead {
            id: None,
            state: vec![0; width],
            steps: Steps::new(width),
            batch: Batch::new(),
            fits: true,
            fault: None,
        }
    }
}

/// The states that come after the one at hand, as far as they are known.
pub(crate) type Next = [Option<StateId>; 2];

/// Those after `id` where states come in the order of their ids, up to `end`.
#[inline]
pub(crate) fn in_order(id: StateId, end: u32) -> Next {
    [1, 2].map(|i| Some(StateId(id.0 + i)).filter(|next| next.0 < end))
}

/// The state at hand, and those after it.
pub(crate) struct Window<'a, S: System + 'a> {
    pub(crate) stepper: S::Stepper<'a>,
    /// The state at hand.
    pub(crate) state: Vec<Word>,
    /// Its steps.
    pub(crate) steps: Steps,
    /// Their targets, ready to be looked up if they fit.
    pub(crate) batch: Batch,
    /// Whether they fit the table.
    pub(crate) fits: bool,
    /// Whose they are; none if these are initial states.
    from: Option<StateId>,
    ahead: [Ahead; 2],
}

impl<'a, S: System + 'a> Window<'a, S> {
    pub(crate) fn new(system: &'a S) -> Window<'a, S> {
        let width = system.width();
        Window {
            stepper: system.stepper(),
            state: vec![0; width],
            steps: Steps::new(width),
            batch: Batch::new(),
            fits: true,
            from: None,
            ahead: std::array::from_fn(|_| Ahead::new(width)),
        }
    }

    /// Computes initial states from a cursor on, and gives the next cursor.
    pub(crate) fn initial(&mut self, table: &mut impl Prepare, cursor: u64) -> Result<Option<u64>, Fault> {
        self.steps.clear();
        let cursor = self.stepper.initial_from(cursor, &mut self.steps)?;
        self.prepare(table, None);
        Ok(cursor)
    }

    /// Takes a state that does not come from another, as if it were initial.
    pub(crate) fn offer(&mut self, table: &mut impl Prepare, state: &[Word]) {
        self.steps.clear();
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        self.steps.push(label, state);
        self.prepare(table, None);
    }

    /// Computes the steps of a state, and nothing else.
    pub(crate) fn step(&mut self, table: &StateTable, id: StateId) -> Result<(), Fault> {
        self.steps.clear();
        table.read(id, &mut self.state);
        self.stepper.steps(&self.state, &mut self.steps)
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

    /// Where a state is that was stepped ahead.
    #[inline]
    fn slot_of(&self, id: StateId) -> Option<usize> {
        self.ahead.iter().position(|ahead| ahead.id == Some(id))
    }

    /// Takes over a state that was stepped ahead.
    fn turn(&mut self, slot: usize) -> Result<(), Fault> {
        let ahead = &mut self.ahead[slot];
        std::mem::swap(&mut ahead.state, &mut self.state);
        std::mem::swap(&mut ahead.steps, &mut self.steps);
        std::mem::swap(&mut ahead.batch, &mut self.batch);
        self.from = ahead.id.take();
        self.fits = ahead.fits;
        ahead.fault.take().map_or(Ok(()), Err)
    }

    /// Steps the states that come next, before their turn, and prepares their targets. If there are two, the first one's targets can be approached now: their
    /// memory was asked for before the second was stepped.
    #[inline]
    pub(crate) fn load_ahead(&mut self, table: &mut impl Prepare, next: Next) {
        let [Some(first), second] = next else {
            return;
        };
        self.step_ahead(table, first, second);
        if let Some(second) = second {
            self.step_ahead(table, second, Some(first));
            if let Some(slot) = self.slot_of(first)
                && self.ahead[slot].fits
            {
                table.table().approach(&mut self.ahead[slot].batch);
            }
        }
    }

    /// Steps a state before its turn, unless that is done, in the place of any but one.
    fn step_ahead(&mut self, table: &mut impl Prepare, id: StateId, kept: Option<StateId>) {
        if self.slot_of(id).is_some() {
            return;
        }
        let slot = usize::from(kept.is_some() && self.ahead[0].id == kept);
        let ahead = &mut self.ahead[slot];
        ahead.id = Some(id);
        // That of another state, whose turn came elsewhere.
        ahead.fault = None;
        ahead.steps.clear();
        table.table().read(id, &mut ahead.state);
        match self.stepper.steps(&ahead.state, &mut ahead.steps) {
            Ok(()) => {
                let prepared = table.prepare(Some(id), &ahead.steps, &mut ahead.batch);
                ahead.fits = prepared.is_ok();
            }
            Err(fault) => {
                ahead.fault = Some(fault);
                ahead.fits = false;
            }
        }
    }

    /// Packs and hashes the targets.
    #[inline]
    fn prepare(&mut self, table: &mut impl Prepare, from: Option<StateId>) {
        self.from = from;
        self.fits = table.prepare(from, &self.steps, &mut self.batch).is_ok();
    }

    /// Prepares again what was prepared before the table was widened.
    pub(crate) fn prepare_again(&mut self, table: &mut impl Prepare) {
        self.prepare(table, self.from);
        for ahead in &mut self.ahead {
            if ahead.id.is_some() && ahead.fault.is_none() {
                let prepared = table.prepare(ahead.id, &ahead.steps, &mut ahead.batch);
                ahead.fits = prepared.is_ok();
            }
        }
    }

    /// What a table needs so that the targets fit; if it is large, so do others that may come soon.
    pub(crate) fn widening(&mut self, table: &mut StateTable) -> Result<Widening, Full> {
        let mut soon = Vec::new();
        if !table.is_small() && !self.steps.is_empty() {
            soon = survey::walk(&mut self.stepper, self.steps.target(0));
        }
        let targets = self.steps.iter().map(|(_, target)| target);
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
        let step = size_of::<Label>() + size_of::<Changed>() + self.state.len() * size_of::<Word>();
        // Of each, for the state at hand and those ahead.
        3 * ((self.steps.len() * step) as u64 + self.batch.bytes())
    }
}
