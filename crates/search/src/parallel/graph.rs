//! The system's graph, explored and kept by several workers together.
//!
//! As [`Expanded`](crate::expanded::Expanded), for many hands. All is sized for the room of the table, and grows only between rounds, when nobody works on it. Within a round
//! every cell is written once and then read: a state's letter by who meets it, its steps by who expands it. Two workers may expand a state at once; the first to say so has done it.
//!
//! A step is one word: where it leads, the number of its label, and the number of the letter that an automaton reads on it. There are few of both, so a worker knows what the
//! automaton does on a letter by heart.

use super::LARGE;
use crate::letters::{Letters, StateAtom, letter_of_state};
use crate::numbering::Numbers;
use crate::window::Window;
use bytemuck::{Zeroable, allocation::zeroed_slice_box};
use fairhold_store::{Full, Inserted, Lease, StateId, StateTable, UnionFind, prefetch, prefetch_to_write};
use fairhold_system::{EventId, Label, ProcessesId, System};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// Cells of a block, as a power of two.
const SHIFT: u32 = 14;
/// Steps of a chunk, as a power of two. No state may have more.
const CHUNK_SHIFT: u32 = 16;
const CHUNK: usize = 1 << CHUNK_SHIFT;
/// Steps are numbered by 32 bits.
const MOST_CHUNKS: usize = 1 << (32 - CHUNK_SHIFT);
/// Bits of a step's word for the number of its letter; above them those for its label, then those for its target.
const LETTER_BITS: u32 = 12;
const LABEL_BITS: u32 = 20;
/// States a worker may add before it looks for room again.
const AT_ONCE: usize = 1024;

/// Cells, zero at first.
#[derive(Default)]
struct Cells<T> {
    blocks: Vec<Box<[T]>>,
}

impl<T: Zeroable> Cells<T> {
    fn grow(&mut self, len: usize) {
        while self.blocks.len() << SHIFT < len {
            self.blocks.push(zeroed_slice_box(1 << SHIFT));
        }
    }

    #[inline]
    fn at(&self, i: usize) -> &T {
        &self.blocks[i >> SHIFT][i & ((1 << SHIFT) - 1)]
    }

    fn bytes(&self) -> u64 {
        ((self.blocks.len() << SHIFT) * size_of::<T>()) as u64
    }
}

/// A step, unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) target: StateId,
    pub(super) label: u32,
    pub(super) letter: u32,
}

/// A step as it is kept.
pub(super) type PackedStep = AtomicU64;

/// Reading a step that is kept.
pub(super) trait Unpack {
    fn get(&self) -> Step;
}

impl Unpack for PackedStep {
    #[inline]
    fn get(&self) -> Step {
        Step::unpack(self.load(Relaxed))
    }
}

impl Step {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(self.target.0) << (LABEL_BITS + LETTER_BITS)
            | u64::from(self.label) << LETTER_BITS
            | u64::from(self.letter)
    }

    #[inline]
    fn unpack(word: u64) -> Step {
        Step {
            target: StateId((word >> (LABEL_BITS + LETTER_BITS)) as u32),
            label: (word >> LETTER_BITS) as u32 & ((1 << LABEL_BITS) - 1),
            letter: word as u32 & ((1 << LETTER_BITS) - 1),
        }
    }
}

/// What all workers share.
pub(super) struct World<'a, S: System> {
    pub(super) system: &'a S,
    pub(super) table: StateTable,
    pub(super) workers: usize,
    /// By state: the range of its steps as start and length; 0 if it is not expanded.
    spans: Cells<AtomicU64>,
    /// By state: the number of its letter, from 1; 0 if nobody has said yet.
    letters_of: Cells<AtomicU16>,
    /// Steps by number.
    chunks: Vec<OnceLock<Box<[AtomicU64]>>>,
    /// Chunks given out.
    used: AtomicU32,
    pub(super) sets: UnionFind,
    /// Nodes a state.
    pub(super) width: usize,
    labels: Numbers<Label>,
    letters: Numbers<u64>,
    atoms: Vec<StateAtom>,
    pub(super) reader: Letters,
}

/// Why a worker cannot go on.
#[derive(Debug)]
pub(super) enum Pause {
    /// The table, or another part of the world, is full; a state has so many steps.
    Room(usize),
    /// A target of this state does not fit the table.
    Unfit(StateId),
    /// The model went wrong, or there are more labels, letters or steps of a state than there are numbers for: this is for one worker to do.
    Unsuited,
}

impl<'a, S: System> World<'a, S> {
    pub(super) fn new(system: &'a S, reader: &Letters, workers: usize) -> World<'a, S> {
        World {
            system,
            table: StateTable::new(system.width(), system.key_width()),
            workers,
            spans: Cells::default(),
            letters_of: Cells::default(),
            chunks: Vec::new(),
            used: AtomicU32::new(0),
            sets: UnionFind::new(),
            width: 1,
            labels: Numbers::new(1 << LABEL_BITS),
            letters: Numbers::new(1 << LETTER_BITS),
            atoms: reader.conditions(),
            reader: reader.clone(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let used = self.used.load(Relaxed) as usize;
        self.table.bytes()
            + self.spans.bytes()
            + self.letters_of.bytes()
            + self.sets.bytes()
            + (used * CHUNK * 8) as u64
    }

    /// Makes room for `more` states at least, and for as many steps as there may be soon.
    pub(super) fn make_room(&mut self, more: usize) -> Result<(), Full> {
        self.table.make_room(more, self.workers)?;
        if self.used.load(Relaxed) as usize >= MOST_CHUNKS {
            return Err(Full);
        }
        let room = self.table.id_room();
        self.spans.grow(room);
        self.letters_of.grow(room);
        let used = self.used.load(Relaxed) as usize;
        let chunks = (used * 3 / 2 + 4 * self.workers).clamp(self.chunks.len(), MOST_CHUNKS);
        self.chunks.resize_with(chunks, OnceLock::new);
        self.grow_sets();
        Ok(())
    }

    /// Gives every state so many nodes, fresh ones.
    pub(super) fn start_product(&mut self, width: usize) {
        self.width = width;
        self.sets = UnionFind::new();
        self.grow_sets();
    }

    fn grow_sets(&mut self) {
        self.sets.grow(self.table.id_room() * self.width);
    }

    /// The nodes of a node's set, in the order in which they lie in memory; none if it is quicker to look at all nodes there are.
    pub(super) fn members(&self, node: u32) -> Option<Vec<StateId>> {
        let most = LARGE.max(self.sets.capacity() / 16);
        let mut nodes: Vec<StateId> = self.sets.members(node).take(most + 1).map(StateId).collect();
        nodes.sort_unstable();
        (nodes.len() <= most).then_some(nodes)
    }

    /// Bytes that [`World::make_room`] would take.
    pub(super) fn room_bytes(&self, more: usize) -> u64 {
        let table = self.table.room_growth(more);
        // A state takes two cells and its nodes.
        table.taken + (more * (10 + 16 * self.width)) as u64
    }

    /// Whether a worker can add so many states, or all that it may add at once.
    #[inline]
    fn has_room(&self, lease: &Lease, count: usize) -> bool {
        let slack = StateTable::slack(self.workers, AT_ONCE);
        self.table.has_room(lease, count.min(AT_ONCE), slack)
    }

    /// The range of a state's steps, if it is expanded.
    #[inline]
    pub(super) fn span(&self, state: StateId) -> Option<Range<usize>> {
        // Acquire: the steps themselves, and the states they lead to.
        let span = self.spans.at(state.index()).load(Acquire);
        let start = (span >> 32) as usize;
        (span != 0).then(|| start..start + (span as u32) as usize)
    }

    /// Asks for the memory that says where a state's steps lie.
    pub(super) fn approach_span(&self, state: StateId) {
        prefetch(self.spans.at(state.index()));
    }

    /// Asks for the memory of a state's steps, if it is expanded.
    #[inline]
    pub(super) fn approach_steps(&self, state: StateId) {
        if let Some(span) = self.span(state) {
            // So many are in a cache line.
            self.packed_steps(span).iter().step_by(8).for_each(prefetch);
        }
    }

    /// Steps by their numbers, which must be those of one state or of a part of it.
    #[inline]
    pub(super) fn steps(&self, numbers: Range<usize>) -> impl ExactSizeIterator<Item = Step> {
        self.packed_steps(numbers).iter().map(Unpack::get)
    }

    /// The same, packed.
    #[inline]
    pub(super) fn packed_steps(&self, numbers: Range<usize>) -> &[PackedStep] {
        let chunk = self.chunks[numbers.start >> CHUNK_SHIFT].get();
        let chunk = chunk.expect("steps lie in a chunk that is there");
        let start = numbers.start & (CHUNK - 1);
        &chunk[start..start + numbers.len()]
    }

    /// All numbers of steps are below this.
    pub(super) fn step_numbers(&self) -> usize {
        (self.used.load(Relaxed) as usize) << CHUNK_SHIFT
    }

    /// Waits until a state that was given a number has been written, and gives the number of its letter.
    pub(super) fn letter_when_met(&self, state: StateId) -> u32 {
        loop {
            // Acquire: the state's row.
            match self.letters_of.at(state.index()).load(Acquire) {
                0 => std::thread::yield_now(),
                letter => return u32::from(letter) - 1,
            }
        }
    }

    /// The letter with this number.
    pub(super) fn letter(&self, number: u32) -> u64 {
        self.letters.at(number)
    }
}

/// One worker's way to expand states.
pub(super) struct Explorer<'a, S: System> {
    pub(super) window: Window<'a, S>,
    /// Numbers for states.
    pub(super) lease: Lease,
    /// The chunk this worker writes to, and how many of its steps are written.
    chunk: Option<(usize, usize)>,
    scratch: Vec<u64>,
    /// Labels by number, and what is known by heart of their numbers: by event, the last one met.
    pub(super) labels: Vec<Label>,
    by_event: Vec<(ProcessesId, u32)>,
    by_label: FxHashMap<Label, u32>,
    /// Letters by number, and their numbers.
    pub(super) letters: Vec<u64>,
    by_letter: FxHashMap<u64, u32>,
    last_letter: (u64, u32),
    /// The members of sets of processes, by number.
    process_sets: Vec<Option<Box<[u32]>>>,
    /// States expanded, and their steps.
    pub(super) expanded: u64,
    pub(super) steps: u64,
    pub(super) deadlocks: u64,
    pub(super) terminated: u64,
}

const NOBODY: ProcessesId = ProcessesId(u32::MAX);

impl<'a, S: System> Explorer<'a, S> {
    pub(super) fn new(window: Window<'a, S>) -> Explorer<'a, S> {
        Explorer {
            window,
            lease: Lease::default(),
            chunk: None,
            scratch: Vec::new(),
            labels: Vec::new(),
            by_event: Vec::new(),
            by_label: FxHashMap::default(),
            letters: Vec::new(),
            by_letter: FxHashMap::default(),
            last_letter: (0, u32::MAX),
            process_sets: Vec::new(),
            expanded: 0,
            steps: 0,
            deadlocks: 0,
            terminated: 0,
        }
    }

    /// Learns all labels and letters that anyone has met.
    pub(super) fn catch_up(&mut self, world: &World<'a, S>) {
        world.letters.catch_up(&mut self.letters);
        if !world.labels.catch_up(&mut self.labels) {
            return;
        }
        let sets = self.labels.iter().map(|label| label.processes.0 as usize + 1);
        let sets = sets.max().unwrap_or(0);
        self.process_sets.resize(sets, None);
        for label in &self.labels {
            let members = &mut self.process_sets[label.processes.0 as usize];
            if members.is_none() {
                *members = Some(world.system.processes(label.processes).into());
            }
        }
    }

    /// The members of a set of processes of a label that was caught up with.
    pub(super) fn processes(&self, set: ProcessesId) -> &[u32] {
        let members = self.process_sets[set.0 as usize].as_deref();
        members.expect("learnt with the label")
    }

    fn label_number(&mut self, world: &World<'a, S>, label: Label) -> Result<u32, Pause> {
        let event = label.event.0 as usize;
        if let Some(&(processes, number)) = self.by_event.get(event)
            && processes == label.processes
        {
            return Ok(number);
        }
        let number = match self.by_label.get(&label) {
            Some(&number) => number,
            None => {
                let number = world.labels.number(label).ok_or(Pause::Unsuited)?;
                self.by_label.insert(label, number);
                number
            }
        };
        // Events are numbered as they are met, but for the one that stands for idling.
        if event < 1 << LABEL_BITS {
            let len = self.by_event.len().max(event + 1);
            self.by_event.resize(len, (NOBODY, 0));
            self.by_event[event] = (label.processes, number);
        }
        Ok(number)
    }

    #[inline]
    fn letter_number(&mut self, world: &World<'a, S>, letter: u64) -> Result<u32, Pause> {
        if self.last_letter.0 == letter && self.last_letter.1 != u32::MAX {
            return Ok(self.last_letter.1);
        }
        let number = match self.by_letter.get(&letter) {
            Some(&number) => number,
            None => {
                let number = world.letters.number(letter).ok_or(Pause::Unsuited)?;
                self.by_letter.insert(letter, number);
                number
            }
        };
        self.last_letter = (letter, number);
        Ok(number)
    }

    /// Takes in the target of step `i` in the window. Its state and the atoms that hold there.
    #[inline]
    pub(super) fn admit(&mut self, world: &World<'a, S>, i: usize) -> Result<(StateId, u64), Pause> {
        let Inserted { id, new } = world
            .table
            .insert_shared(&self.window.now.batch, i, &mut self.lease);
        if !new && world.atoms.is_empty() {
            return Ok((id, 0));
        }
        if new {
            world.sets.approach_to_write(id.0 * world.width as u32);
        }
        let cell = world.letters_of.at(id.index());
        let known = u32::from(cell.load(Relaxed));
        if known != 0 {
            let number = known - 1;
            if number as usize >= self.letters.len() {
                world.letters.catch_up(&mut self.letters);
            }
            return Ok((id, self.letters[number as usize]));
        }
        let window = &mut self.window;
        let letter = letter_of_state(&world.atoms, &mut window.stepper, window.now.steps.target(i));
        let letter = letter.map_err(|_| Pause::Unsuited)?;
        let number = self.letter_number(world, letter)?;
        // Release: the state's row, to who takes states by their numbers.
        cell.store(number as u16 + 1, Release);
        Ok((id, letter))
    }

    /// Computes a state's steps unless they are known. `next` is the state to be expanded after this one, if that is known.
    pub(super) fn expand(
        &mut self,
        world: &World<'a, S>,
        state: StateId,
        next: Option<StateId>,
    ) -> Result<Range<usize>, Pause> {
        if let Some(span) = world.span(state) {
            return Ok(span);
        }
        // It is going to be written; who has numbered the state may be another worker.
        prefetch_to_write(world.spans.at(state.index()));
        let mut table = &world.table;
        let loaded = self.window.load(&mut table, state);
        loaded.map_err(|_| Pause::Unsuited)?;
        let count = self.window.now.steps.len();
        if !world.has_room(&self.lease, count) {
            return Err(Pause::Room(0));
        }
        if !self.window.now.fits {
            return Err(Pause::Unfit(state));
        }
        if count >= CHUNK {
            return Err(Pause::Unsuited);
        }
        table.approach(&mut self.window.now.batch);
        for state in self.window.now.batch.candidates() {
            world.sets.approach(state.0 * world.width as u32);
            if !world.atoms.is_empty() {
                prefetch(world.letters_of.at(state.index()));
            }
        }
        if let Some(next) = next
            && world.span(next).is_none()
        {
            self.window.load_ahead(&mut table, [Some(next), None]);
        }
        self.scratch.clear();
        for i in 0..count {
            // Others may add as many at the same time, so no more is certain than what each looks for again and again.
            if i > 0 && i.is_multiple_of(AT_ONCE) && !world.has_room(&self.lease, count - i) {
                return Err(Pause::Room(count));
            }
            let label = self.window.now.steps.label(i);
            let (target, letter) = self.admit(world, i)?;
            let step = Step {
                target,
                label: self.label_number(world, label)?,
                letter: self.letter_number(world, letter | world.reader.event(label.event))?,
            };
            self.scratch.push(step.pack());
        }
        if count == 0 {
            let label = Label {
                event: EventId::IDLE,
                processes: ProcessesId::NONE,
            };
            let letter = world.letter(world.letter_when_met(state));
            let step = Step {
                target: state,
                label: self.label_number(world, label)?,
                letter: self.letter_number(world, letter)?,
            };
            self.scratch.push(step.pack());
        }
        self.keep(world, state, count)
    }

    /// Keeps the steps that were computed, if nobody else has.
    fn keep(&mut self, world: &World<'a, S>, state: StateId, count: usize) -> Result<Range<usize>, Pause> {
        let (chunk, written) = match self.chunk {
            Some((chunk, written)) if written + self.scratch.len() <= CHUNK => (chunk, written),
            _ => {
                let chunk = world.used.fetch_add(1, Relaxed) as usize;
                if chunk >= world.chunks.len() {
                    world.used.fetch_sub(1, Relaxed);
                    return Err(Pause::Room(0));
                }
                (chunk, 0)
            }
        };
        self.chunk = Some((chunk, written));
        let words = world.chunks[chunk].get_or_init(|| zeroed_slice_box(CHUNK));
        for (cell, &word) in words[written..].iter().zip(&self.scratch) {
            cell.store(word, Relaxed);
        }
        let start = chunk << CHUNK_SHIFT | written;
        let span = (start as u64) << 32 | self.scratch.len() as u64;
        let cell = world.spans.at(state.index());
        // Release: the steps. Acquire: those of who was faster.
        if cell.compare_exchange(0, span, Release, Acquire).is_err() {
            return Ok(world.span(state).expect("somebody has expanded it"));
        }
        self.chunk = Some((chunk, written + self.scratch.len()));
        self.expanded += 1;
        if count > 0 {
            self.steps += count as u64;
        } else if world.system.is_ended(&self.window.now.state) {
            self.terminated += 1;
        } else {
            self.deadlocks += 1;
        }
        Ok(start..start + self.scratch.len())
    }
}
