//! One worker's search for components, over sets that all share [Bloemen-PPoPP'16].
//!
//! A worker goes depth first and claims what it comes to. A set it finds itself in already closes a loop: the sets on its way are united. Workers that meet in a set share what is left of it: the list of its
//! nodes that are not done drives them. Who takes the last node from the list has completed a component, and looks whether it has a fair loop.
//!
//! A worker that cannot go on because something must grow leaves its stack as it is and goes on in the next round.

use super::LARGE;
use super::graph::{Explorer, Pause, Unpack, World};
use super::reader::Reader;
use crate::budget::Budget;
use crate::fair::{Ahead, Fair, FairPart, Part, Terrain};
use crate::level::PauseOnPanic;
use crate::product::Move;
use crate::shares::{Shares, lock};
use crate::visited::POLL_EVERY;
use fairhold_logic::MarkSet;
use fairhold_store::{Apart, Claim, StateId, UnionFind};
use fairhold_system::{Control, EventId, Label, Observer, ProcessesId, Progress, StopReason, System};
use fixedbitset::FixedBitSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use std::time::Duration;

/// Roots taken at a time.
const TAKEN: usize = 64;
/// How long a worker without work sleeps before it looks for some again.
const NAP: Duration = Duration::from_micros(50);
/// Sets on the way that are looked through for one that others have united with the last.
const NEAR: usize = 64;
/// Stands for no node.
const NONE: u32 = u32::MAX;
/// Turns of a worker between two calls of the observer, at most.
const TURNS: u32 = 64;
/// How often a worker does what another may be at before it gives its core away.
const REPEATED: u32 = 16;
/// Moves between two looks at what the others want.
const BURST: usize = 256;

/// What is searched in a round.
pub(super) enum Job<'j> {
    /// The product, from these nodes, and from all states where the automaton waits.
    Product(&'j [u32]),
    /// The rest of a part, under one constraint.
    Part {
        part: &'j Part,
        here: &'j FixedBitSet,
        seeker: usize,
    },
}

impl Job<'_> {
    fn roots(&self) -> usize {
        match self {
            Job::Product(roots) => roots.len(),
            Job::Part { part, .. } => part.nodes.len(),
        }
    }

    fn root(&self, i: usize) -> u32 {
        match self {
            Job::Product(roots) => roots[i],
            Job::Part { part, .. } => part.nodes[i].0,
        }
    }

    #[inline]
    fn has(&self, target: u32, marks: MarkSet) -> bool {
        match self {
            Job::Product(_) => true,
            Job::Part { part, here, .. } => {
                here.contains(target as usize) && marks.intersection(part.banned).is_empty()
            }
        }
    }
}

/// What workers of a search tell each other. Outlives the rounds.
pub(super) struct Board {
    /// The next root to take, of a job.
    pub(super) next_root: AtomicUsize,
    /// States from which the automaton has not stopped waiting yet, in the order they were met.
    pub(super) waiting: Shares,
    /// By worker: the node its way begins with, if it is on one. Who has nothing to do starts there too, and goes other ways.
    entries: Vec<Apart<AtomicU32>>,
    /// Workers without work.
    pub(super) idle: AtomicUsize,
    /// Whether everyone is to leave the round.
    pub(super) pausing: AtomicBool,
    /// Why.
    pub(super) reasons: Mutex<Vec<Pause>>,
    /// Whether the user or a limit wants an end.
    pub(super) stop: Mutex<Option<StopReason>>,
    /// By constraint: whether it is answered, and the fair part.
    pub(super) answered: Vec<AtomicBool>,
    pub(super) found: Mutex<Vec<(usize, FairPart)>>,
    /// Components with so many nodes that all workers are to gather them: a node of each.
    pub(super) vast: Mutex<Vec<u32>>,
    /// Components to be looked at together, each for one constraint.
    pub(super) large: Mutex<Vec<(usize, Part)>>,
    /// Steps counted in earlier rounds, and the bound on bytes, for who watches.
    pub(super) limit: Option<u64>,
}

impl Board {
    pub(super) fn new(workers: usize, seekers: usize, limit: Option<u64>) -> Board {
        Board {
            next_root: AtomicUsize::new(0),
            waiting: Shares::new(workers),
            entries: (0..workers).map(|_| Apart(AtomicU32::new(NONE))).collect(),
            idle: AtomicUsize::new(0),
            pausing: AtomicBool::new(false),
            reasons: Mutex::default(),
            stop: Mutex::default(),
            answered: (0..seekers).map(|_| AtomicBool::new(false)).collect(),
            found: Mutex::default(),
            vast: Mutex::default(),
            large: Mutex::default(),
            limit,
        }
    }

    pub(super) fn is_answered(&self, seeker: usize) -> bool {
        self.answered[seeker].load(Relaxed)
    }

    pub(super) fn all_answered(&self) -> bool {
        (0..self.answered.len()).all(|seeker| self.is_answered(seeker))
    }

    pub(super) fn answer(&self, seeker: usize, part: FairPart) {
        if !self.answered[seeker].swap(true, SeqCst) {
            lock(&self.found).push((seeker, part));
        }
        if self.all_answered() {
            self.pausing.store(true, SeqCst);
        }
    }

    fn pause(&self, why: Pause) {
        lock(&self.reasons).push(why);
        self.pausing.store(true, SeqCst);
    }
}

/// A node the worker came to, whose set it is in.
#[derive(Clone, Copy)]
struct Frame {
    entry: u32,
    /// The node of the set that is being expanded.
    picked: u32,
    /// How many moves on its next step are through.
    edge: u32,
    /// How many of its steps are through. A state has less than 2^16.
    step: u16,
    /// Whether one of them led to a set that only others are in, and was left for a second time.
    left: bool,
    /// Whether this is the second time.
    again: bool,
}

impl Frame {
    fn new(entry: u32) -> Frame {
        Frame {
            entry,
            picked: NONE,
            edge: 0,
            step: 0,
            left: false,
            again: false,
        }
    }
}

/// A worker. On cache lines of its own.
#[repr(align(128))]
pub(super) struct Worker<'a, 'p, S: System> {
    pub(super) number: u32,
    pub(super) explorer: Explorer<'a, S>,
    pub(super) reader: Reader<'p>,
    /// One for each constraint.
    pub(super) fairs: Vec<Fair<'p>>,
    frames: Vec<Frame>,
    /// Sets on the way, none of them united yet by this worker: the depth of the frame whose entry was the first of the set.
    way: Vec<u32>,
    /// Nodes to start from next.
    roots: Vec<u32>,
    /// Waiting states taken.
    waiting: Range<u32>,
    /// A node of the last loop that this worker has closed.
    pub(super) closed: Option<u32>,
    pub(super) components: u64,
    pub(super) nodes: u64,
    budget: Budget,
    polled: u64,
    /// How often it did what another may be at.
    repeated: u32,
}

impl<'a, 'p, S: System> Worker<'a, 'p, S> {
    pub(super) fn new(
        number: u32,
        explorer: Explorer<'a, S>,
        reader: Reader<'p>,
        fairs: Vec<Fair<'p>>,
    ) -> Worker<'a, 'p, S> {
        Worker {
            number,
            explorer,
            reader,
            fairs,
            frames: Vec::new(),
            way: Vec::new(),
            roots: Vec::new(),
            waiting: 0..0,
            closed: None,
            components: 0,
            nodes: 0,
            budget: Budget::new(None),
            polled: 0,
            repeated: 0,
        }
    }

    /// Works until everything is done or somebody wants a pause. One of the workers has the observer.
    pub(super) fn work(
        &mut self,
        world: &World<'a, S>,
        job: &Job<'_>,
        board: &Board,
        observer: Option<&dyn Observer>,
    ) {
        let _guard = PauseOnPanic(&board.pausing);
        let mut turns = 0_u32;
        while !board.pausing.load(Relaxed) {
            turns += 1;
            if self.explorer.lease.has_full() {
                let worker = self.number as usize;
                board.waiting.add(worker, self.explorer.lease.take_full());
            }
            // Also where all that this worker comes to was expanded by others.
            if let Some(observer) = observer
                && (self.explorer.expanded >= self.polled || turns >= TURNS)
            {
                turns = 0;
                self.polled = self.explorer.expanded + POLL_EVERY;
                self.poll(world, board, observer);
            }
            let went = if self.frames.is_empty() {
                self.start(world, job, board)
            } else {
                self.go(world, job, board).map(|()| true)
            };
            match went {
                Ok(true) => {}
                Ok(false) => {
                    if self.rest(world, job, board, observer) {
                        return;
                    }
                }
                Err(why) => {
                    board.pause(why);
                    return;
                }
            }
        }
    }

    /// Tells how far all have come, as far as one of them knows, and asks whether to go on.
    pub(super) fn poll(&self, world: &World<'a, S>, board: &Board, observer: &dyn Observer) {
        let bytes = world.bytes();
        let progress = Progress {
            states: world.table.len() as u64,
            steps: self.explorer.steps * world.workers as u64,
            waiting: (world.table.len() as u64).saturating_sub(self.explorer.expanded * world.workers as u64),
            depth: 0,
            bytes,
        };
        let mut reason = match observer.progress(&progress) {
            Control::Continue => None,
            Control::Stop(reason) => Some(reason),
        };
        if board.limit.is_some_and(|limit| bytes > limit) {
            reason = Some(StopReason::Memory);
        }
        if reason.is_some() {
            *lock(&board.stop) = reason;
            board.pausing.store(true, SeqCst);
        }
    }

    /// Waits for others to find work. True if there is none left for anyone.
    fn rest(
        &mut self,
        world: &World<'a, S>,
        job: &Job<'_>,
        board: &Board,
        observer: Option<&dyn Observer>,
    ) -> bool {
        board.idle.fetch_add(1, SeqCst);
        let mut turns = 0_u32;
        loop {
            let all = board.idle.load(SeqCst) == world.workers;
            let work = self.has_work(job, board);
            if board.pausing.load(SeqCst) || all && !work {
                return true;
            }
            if work || self.join(world, board) {
                board.idle.fetch_sub(1, SeqCst);
                return false;
            }
            turns += 1;
            if turns < 64 {
                std::thread::yield_now();
            } else {
                std::thread::sleep(NAP);
            }
            if turns.is_multiple_of(256)
                && let Some(observer) = observer
            {
                self.poll(world, board, observer);
            }
        }
    }

    fn has_work(&self, job: &Job<'_>, board: &Board) -> bool {
        let waits = matches!(job, Job::Product(_)) && self.reader.waits();
        board.next_root.load(SeqCst) < job.roots() || waits && !board.waiting.is_empty()
    }

    /// Starts from a node, if there is one to start from. False if there was none.
    fn start(&mut self, world: &World<'a, S>, job: &Job<'_>, board: &Board) -> Result<bool, Pause> {
        while let Some(root) = self.roots.pop() {
            if world.sets.claim(root, self.number) == Claim::Entered {
                self.enter(board, root);
                return Ok(true);
            }
        }
        // Who only reads it leaves it in everyone's cache.
        if board.next_root.load(Relaxed) < job.roots() {
            let first = board.next_root.fetch_add(TAKEN, SeqCst).min(job.roots());
            let last = job.roots().min(first + TAKEN);
            self.roots.extend((first..last).map(|i| job.root(i)));
            return Ok(true);
        }
        let waits = matches!(job, Job::Product(_)) && self.reader.waits();
        Ok(waits && self.stop_waiting(world, board)? || self.join(world, board))
    }

    /// Starts where somebody else has. False if that cannot be, or was done before.
    fn join(&mut self, world: &World<'a, S>, board: &Board) -> bool {
        for other in &board.entries {
            let entry = other.0.load(Relaxed);
            if entry != NONE && world.sets.claim(entry, self.number) == Claim::Entered {
                self.enter(board, entry);
                return true;
            }
        }
        false
    }

    /// Finds the nodes that the automaton comes to when it stops waiting in the next state.
    fn stop_waiting(&mut self, world: &World<'a, S>, board: &Board) -> Result<bool, Pause> {
        if self.waiting.is_empty() {
            let worker = self.number as usize;
            let taken = board.waiting.take_own(worker).or_else(|| {
                board.waiting.add(worker, self.explorer.lease.take_given());
                board.waiting.take(worker)
            });
            let Some(taken) = taken else {
                return Ok(false);
            };
            self.waiting = taken;
        }
        let state = StateId(self.waiting.start);
        let next = Some(StateId(state.0 + 1)).filter(|next| next.0 < self.waiting.end);
        let span = self.explorer.expand(world, state, next)?;
        self.waiting.start += 1;
        let width = self.reader.width();
        for step in world.steps(span) {
            self.learn(world, step.letter);
            for &(place, _) in self.reader.moves(width, step.letter) {
                let node = (step.target.index() * width + place as usize) as u32;
                world.sets.approach(node);
                self.roots.push(node);
            }
        }
        Ok(true)
    }

    /// Makes sure that the automaton's moves on a letter are known.
    #[inline]
    fn learn(&mut self, world: &World<'a, S>, letter: u32) {
        if letter as usize >= self.reader.learnt() {
            self.explorer.catch_up(world);
            self.reader.learn(&self.explorer.letters);
        }
    }

    fn enter(&mut self, board: &Board, node: u32) {
        if self.frames.is_empty() {
            board.entries[self.number as usize].0.store(node, Relaxed);
        }
        self.frames.push(Frame::new(node));
        self.way.push(self.frames.len() as u32 - 1);
    }

    /// Goes on for a while.
    fn go(&mut self, world: &World<'a, S>, job: &Job<'_>, board: &Board) -> Result<(), Pause> {
        let width = self.reader.width();
        for _ in 0..BURST {
            let Some(&Frame { entry, picked, .. }) = self.frames.last() else {
                return Ok(());
            };
            if picked == NONE {
                if self.way.last() != Some(&(self.frames.len() as u32 - 1)) {
                    // The set goes on below: what is left of it is done there, each node on from where it was left.
                    self.frames.pop();
                    self.approach_below(world);
                    continue;
                }
                match world.sets.pick(entry) {
                    // Others have made the set one with one that this worker came from.
                    Some(node) if node != entry && self.close_up(world) => {}
                    Some(node) => {
                        if node != entry && world.workers > 1 {
                            give_way(&mut self.repeated);
                        }
                        let top = self.frames.len() - 1;
                        self.frames[top] = Frame {
                            picked: node,
                            ..Frame::new(entry)
                        };
                    }
                    None => self.leave(world, job, board, entry),
                }
                continue;
            }
            let state = StateId(picked / width as u32);
            let span = self.explorer.expand(world, state, None)?;
            if !self.walk(world, job, board, picked, &span) {
                continue;
            }
            world.sets.done(picked);
            let top = self.frames.len() - 1;
            self.frames[top].picked = NONE;
        }
        Ok(())
    }

    /// Looks through the last sets on the way for one that others have united with the last one, and closes the loop if there is any.
    fn close_up(&mut self, world: &World<'a, S>) -> bool {
        let Some((&last, before)) = self.way.split_last() else {
            return false;
        };
        let last = self.frames[last as usize].entry;
        let near = before.len().saturating_sub(NEAR)..before.len();
        let Some(at) = self.position(world, last, near) else {
            return false;
        };
        close(&mut self.way, at, &self.frames, &world.sets);
        true
    }

    /// Where on the way the set of a node is, within a range.
    fn position(&self, world: &World<'a, S>, node: u32, mut within: Range<usize>) -> Option<usize> {
        let entry = |at: usize| self.frames[self.way[at] as usize].entry;
        within.rfind(|&at| world.sets.same_set(entry(at), node))
    }

    /// Follows the moves from the node on top, until one leads on (false) or all are through.
    fn walk(
        &mut self,
        world: &World<'a, S>,
        job: &Job<'_>,
        board: &Board,
        node: u32,
        span: &Range<usize>,
    ) -> bool {
        let width = self.reader.width();
        let place = node as usize % width;
        let top = self.frames.len() - 1;
        let mut frame = self.frames[top];
        if world.sets.is_done(node) {
            return true;
        }
        // It is going to be done; until then its record may come back from who looked at it.
        world.sets.approach_to_write(node);
        // Workers that come to the same node go different ways.
        let steps = world.packed_steps(span.clone());
        let turn =
            (node as usize + self.number as usize * (steps.len() / world.workers).max(1)) % steps.len();
        let nth = |step: usize| {
            let at = turn + step;
            steps[if at < steps.len() { at } else { at - steps.len() }].get()
        };
        for i in frame.step as usize..steps.len() {
            world.sets.approach((nth(i).target.index() * width) as u32);
        }
        let mut root = world.sets.find(node);
        loop {
            if frame.step as usize == steps.len() {
                if frame.again || !frame.left || world.sets.is_done(node) {
                    return true;
                }
                (frame.step, frame.again) = (0, true);
            }
            let taken = nth(frame.step as usize);
            self.learn(world, taken.letter);
            let moves = self.reader.moves(place, taken.letter);
            while let Some(&(to, marks)) = moves.get(frame.edge as usize) {
                frame.edge += 1;
                let target = (taken.target.index() * width + to as usize) as u32;
                if !job.has(target, marks) {
                    continue;
                }
                // Most moves stay in the set.
                if world.sets.find(target) == root {
                    continue;
                }
                // The second time they may be through with it. Or they wait for a core: who does their work again gives its own away now and then.
                if world.workers > 1 && world.sets.is_others(target, self.number) {
                    if !frame.again {
                        frame.left = true;
                        continue;
                    }
                    give_way(&mut self.repeated);
                }
                match world.sets.claim(target, self.number) {
                    Claim::Dead => {}
                    Claim::Found => {
                        let at = self.position(world, target, 0..self.way.len());
                        let at = at.expect("a set that the worker is in is on its way");
                        close(&mut self.way, at, &self.frames, &world.sets);
                        root = world.sets.find(node);
                        self.closed = Some(node);
                    }
                    Claim::Entered => {
                        self.frames[top] = frame;
                        self.enter(board, target);
                        return false;
                    }
                }
            }
            frame.edge = 0;
            frame.step += 1;
        }
    }

    /// Asks for the memory that going on below takes, of the frames that will be on top in a moment: where their steps lie, the steps, the nodes these lead to.
    fn approach_below(&self, world: &World<'a, S>) {
        let width = world.width as u32;
        let below = |depth: usize| {
            let frame = self.frames.len().checked_sub(depth).map(|i| &self.frames[i])?;
            (frame.picked != NONE).then(|| StateId(frame.picked / width))
        };
        if let Some(state) = below(4) {
            world.approach_span(state);
        }
        if let Some(state) = below(3) {
            world.approach_steps(state);
        }
        if let Some(span) = below(2).and_then(|state| world.span(state)) {
            for step in world.steps(span) {
                world.sets.approach(step.target.0 * width);
            }
        }
    }

    /// Leaves a node whose set has nothing left to do.
    fn leave(&mut self, world: &World<'a, S>, job: &Job<'_>, board: &Board, entry: u32) {
        if world.sets.kill(entry) {
            self.component(world, job, board, entry);
        }
        self.way.pop();
        self.frames.pop();
        if self.frames.is_empty() {
            board.entries[self.number as usize].0.store(NONE, Relaxed);
        }
    }

    /// Looks at a component that is complete, unless it takes all workers to gather it.
    fn component(&mut self, world: &World<'a, S>, job: &Job<'_>, board: &Board, entry: u32) {
        self.components += 1;
        if world.sets.is_alone(entry) && !self.has_loop(world, job, entry) {
            self.nodes += 1;
            return;
        }
        match world.members(entry) {
            Some(nodes) => self.look_at_all(world, job, board, nodes),
            None => lock(&board.vast).push(entry),
        }
    }

    /// Looks at the nodes of a component that is complete.
    pub(super) fn look_at_all(
        &mut self,
        world: &World<'a, S>,
        job: &Job<'_>,
        board: &Board,
        nodes: Vec<StateId>,
    ) {
        self.nodes += nodes.len() as u64;
        match job {
            Job::Product(_) => {
                for seeker in 0..self.fairs.len() {
                    if !board.is_answered(seeker) {
                        let part = self.fairs[seeker].whole(nodes.clone(), true);
                        self.look(world, board, seeker, part);
                    }
                }
            }
            Job::Part { part, seeker, .. } => {
                let part = Part {
                    nodes,
                    banned: part.banned,
                    acceptance: part.acceptance.clone(),
                    connected: true,
                };
                self.look(world, board, *seeker, part);
            }
        }
    }

    /// Looks at a part for one constraint, or leaves it to all workers.
    fn look(&mut self, world: &World<'a, S>, board: &Board, seeker: usize, part: Part) {
        if part.nodes.len() >= LARGE && world.workers > 1 {
            lock(&board.large).push((seeker, part));
            return;
        }
        let (fair, mut terrain) = self.view(world, seeker);
        let found = fair.find_in(&mut terrain, part);
        if let Some(found) = found.unwrap_or(None) {
            board.answer(seeker, found);
        }
    }

    /// Whether a node has a move to itself.
    fn has_loop(&mut self, world: &World<'a, S>, job: &Job<'_>, node: u32) -> bool {
        let (_, terrain) = self.view(world, 0);
        let mut moves = terrain.moves(StateId(node));
        moves.any(|m| m.target.0 == node && job.has(node, m.marks))
    }

    /// A constraint's decisions, which another takes the place of.
    pub(super) fn take_fair(&mut self, seeker: usize) -> Fair<'p> {
        let empty = self.fairs[seeker].another();
        std::mem::replace(&mut self.fairs[seeker], empty)
    }

    /// A constraint, and the world as this worker knows it.
    pub(super) fn view<'v>(
        &'v mut self,
        world: &'v World<'a, S>,
        seeker: usize,
    ) -> (&'v mut Fair<'p>, View<'v, 'a, 'p, S>) {
        self.explorer.catch_up(world);
        self.reader.learn(&self.explorer.letters);
        let view = View {
            world,
            explorer: &self.explorer,
            reader: &self.reader,
            budget: &mut self.budget,
        };
        (&mut self.fairs[seeker], view)
    }
}

/// Others are at what a worker is about to do, or wait for a core: now and then it gives them its own.
#[inline]
fn give_way(repeated: &mut u32) {
    *repeated = repeated.wrapping_add(1);
    if repeated.is_multiple_of(REPEATED) {
        std::thread::yield_now();
    }
}

/// Unites the sets on a way from one of them on.
fn close(way: &mut Vec<u32>, at: usize, frames: &[Frame], sets: &UnionFind) {
    // Each with the node that led to it, and from below: so what a node led to comes after it in the list, and is skipped as soon as it is done.
    for depth in way.drain(at + 1..) {
        let depth = depth as usize;
        sets.unite(frames[depth].entry, frames[depth - 1].picked);
    }
}

/// Nodes and moves as a worker sees them.
pub(super) struct View<'v, 'a, 'p, S: System> {
    world: &'v World<'a, S>,
    explorer: &'v Explorer<'a, S>,
    reader: &'v Reader<'p>,
    budget: &'v mut Budget,
}

impl<S: System> Terrain for View<'_, '_, '_, S> {
    fn node_numbers(&self) -> usize {
        self.world.table.id_room() * self.world.width
    }

    fn step_numbers(&self) -> usize {
        self.world.step_numbers()
    }

    #[inline]
    fn step_range(&self, node: StateId) -> Range<usize> {
        let state = StateId(node.0 / self.world.width as u32);
        let span = self.world.span(state);
        span.expect("the nodes of a part are expanded")
    }

    #[inline]
    fn labels(&self, node: StateId) -> impl Iterator<Item = Label> {
        let steps = self.world.steps(self.step_range(node));
        steps.map(|step| self.explorer.labels[step.label as usize])
    }

    #[inline]
    fn moves(&self, node: StateId) -> impl Iterator<Item = Move> {
        let width = self.world.width;
        let place = node.index() % width;
        let span = self.step_range(node);
        let numbered = self.world.steps(span.clone()).zip(span);
        numbered.flat_map(move |(step, number)| {
            let moves = self.reader.moves(place, step.letter).iter();
            moves.map(move |&(to, marks)| Move {
                step: number as u32,
                target: StateId((step.target.index() * width) as u32 + to),
                marks,
            })
        })
    }

    fn ready(&self, _: StateId) -> &[EventId] {
        unreachable!("constraints that speak of ready events are for one worker")
    }

    #[inline]
    fn approach_node(&self, node: StateId, ahead: Ahead) {
        let state = StateId(node.0 / self.world.width as u32);
        match ahead {
            Ahead::Far => self.world.approach_span(state),
            Ahead::Near => self.world.approach_steps(state),
        }
    }

    fn processes(&self, set: ProcessesId) -> &[u32] {
        self.explorer.processes(set)
    }

    fn budget(&mut self) -> &mut Budget {
        self.budget
    }
}
