//! Does every fair execution satisfy a property? Asked by several workers together.
//!
//! The same search as in [`liveness`](crate::liveness), for many hands: workers expand the system into one [`World`], and search its product with the automaton for components by shared sets
//! [Bloemen-PPoPP'16]. Small components are looked at by who completes them; large ones afterwards by all, each taking some of the nodes; a large part that has lost nodes is split by the same search
//! again, within the part. Whoever finds a fair part ends the search for that constraint.
//!
//! Work goes in *rounds*: within one nothing grows, between two nobody works. A worker that needs room ends the round and goes on in the next, its stack untouched.
//!
//! A fair part is turned into a run by the sequential search's own means: its states, and those on a way to it through what was explored, are told to a [`Product`] of their own.

mod graph;
mod reader;
mod way;
mod worker;

use crate::expanded::Expanded;
use crate::fair::{Fair, FairPart, Part, Refined, Survey, decide, mark, unmark};
use crate::fairness::{Fairness, When};
use crate::lasso;
use crate::letters::Letters;
use crate::liveness::{FairAnswer, FairQuestion};
use crate::product::{Product, waiting_state};
use crate::question::Statistics;
use crate::shares::lock;
use crate::visited::Halt;
use crate::window::Window;
use fairhold_logic::{Acceptance, Automaton, StateIndex};
use fairhold_store::{MAX_WORKERS, StateId};
use fairhold_system::{Limits, Observer, Path, Silent, StopReason, System, Verdict};
use fixedbitset::FixedBitSet;
use graph::{Explorer, Pause, World};
use reader::Reader;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use way::way;
use worker::{Board, Job, Worker};

/// Initial states taken before a round.
const STARTED_AT_ONCE: usize = 1 << 16;
/// Room made beyond what is asked for, at least.
const ROOM: usize = 1 << 16;
/// Components of so many nodes are looked at by all workers together.
const LARGE: usize = 4096;
/// States that must be there before open components are looked at for the first time.
const FIRST_LOOK: usize = 64;
/// Nodes of a large part that a worker takes at a time.
const SHARE: usize = 1 << 10;

/// Whether several workers can answer.
pub(crate) fn suits<S: System>(system: &S, constraints: &[Fairness], limits: &Limits) -> bool {
    limits.states.is_none()
        && !limits.compact
        && system.key_width() == system.width()
        && constraints.iter().all(|constraint| {
            // Formulas over the states that steps enter are for one.
            constraint.formula == Acceptance::True
                && constraint.obligations.iter().all(|o| o.when == When::Enabled)
        })
}

/// As [`check_fair`](crate::check_fair), by as many workers as `limits` says from the first state on, however small the system. None if this is for one worker
/// to do: the model goes wrong, a constraint has a formula or speaks of ready events, there is a bound on states, or some states differ only in words that tell none apart.
pub fn check_fair_together<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Option<Vec<FairAnswer>> {
    if !suits(system, question.constraints, limits) {
        return None;
    }
    let letters = Letters::new(question.atoms, question.constraints);
    let automaton = letters.reader(question.automaton, question.atoms);
    Team::new(system, &letters, limits, observer).check(question, &automaton)
}

/// What several workers have explored of a system, to answer several questions.
pub(crate) struct Team<'a, S: System> {
    world: World<'a, S>,
    explorers: Vec<Explorer<'a, S>>,
    initial: Vec<StateId>,
    /// Where initial states that were not asked for yet begin.
    cursor: Option<u64>,
    limits: Limits,
    observer: &'a dyn Observer,
    peak: u64,
}

/// Why the workers have no answer.
enum Failed {
    /// A limit, or the observer.
    Stop(StopReason),
    /// Something that is left to one worker.
    Sequential,
}

impl<'a, S: System> Team<'a, S> {
    pub(crate) fn new(
        system: &'a S,
        letters: &Letters,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> Team<'a, S> {
        let workers = limits.threads.clamp(1, MAX_WORKERS as usize);
        let windows = Window::apart(system, workers);
        Team {
            world: World::new(system, letters, workers),
            explorers: windows.into_iter().map(Explorer::new).collect(),
            initial: Vec::new(),
            cursor: Some(0),
            limits: *limits,
            observer,
            peak: 0,
        }
    }

    /// Looks for an execution that the automaton accepts, fair under each constraint. An answer for each; none if that is for one worker to find out: a fault comes in
    /// its order there, and there may be more labels, letters or steps than have numbers here.
    pub(crate) fn check(
        &mut self,
        question: &FairQuestion<'_>,
        automaton: &Automaton,
    ) -> Option<Vec<FairAnswer>> {
        let waiting = waiting_state(automaton);
        let reader = || Reader::new(automaton, waiting);
        let width = reader().width();
        let fair = |constraint| Fair::new(constraint, automaton.acceptance.clone());
        if width == 0 || self.world.table.id_room().max(1).saturating_mul(width) >= u32::MAX as usize {
            return None;
        }
        self.world.start_product(width);
        let explorers = std::mem::take(&mut self.explorers);
        let workers = explorers.into_iter().enumerate().map(|(number, explorer)| {
            let fairs = question.constraints.iter().map(fair);
            Worker::new(number as u32, explorer, reader(), fairs.collect())
        });
        let board = Board::new(self.world.workers, question.constraints.len(), self.limits.bytes);
        board.waiting.add_evenly(self.world.table.used().collect());
        let mut search = Search {
            workers: workers.collect(),
            board,
            roots: Vec::new(),
            here: FixedBitSet::new(),
            look_at: FIRST_LOOK,
            team: self,
        };
        let done = search.run();
        search.end_leases();
        let Search { workers, board, .. } = search;
        let components = workers.iter().map(|worker| worker.components).sum();
        let nodes: u64 = workers.iter().map(|worker| worker.nodes).sum();
        let places: Vec<_> = (0..width).map(|place| workers[0].reader.state(place)).collect();
        self.explorers = workers.into_iter().map(|worker| worker.explorer).collect();
        let stop = match done {
            Ok(()) => None,
            Err(Failed::Stop(reason)) => Some(reason),
            Err(Failed::Sequential) => return None,
        };
        let found = std::mem::take(&mut *lock(&board.found));
        let met = if waiting.is_some() {
            self.world.table.len() as u64
        } else {
            0
        };
        let blank = FairAnswer {
            verdict: if stop.is_some() {
                Verdict::Unknown
            } else {
                Verdict::Holds
            },
            stop,
            fault: None,
            statistics: self.statistics(components),
            product_states: nodes + met,
            path: None,
            samples: if stop.is_some() {
                self.world.table.samples()
            } else {
                Vec::new()
            },
        };
        let mut answers = vec![blank; question.constraints.len()];
        for (seeker, part) in found {
            let nodes = part.nodes.iter().map(|node| {
                let state = StateId(node.0 / width as u32);
                (state, places[node.index() % width])
            });
            let run = Run {
                nodes: nodes.collect(),
                part,
            };
            let constraint = &question.constraints[seeker];
            let answer = &mut answers[seeker];
            answer.samples.clear();
            answer.stop = None;
            match self.lasso(automaton, constraint, run) {
                Ok(path) => {
                    answer.verdict = Verdict::Fails;
                    answer.path = Some(path);
                }
                // More nodes than have numbers: one worker searches without.
                Err(Halt::Stop(_)) => return None,
                Err(Halt::Fault { .. }) => return None,
            }
        }
        Some(answers)
    }

    /// A run through a fair part, by the means of a single worker: of the system's graph it sees the part and a way to it. What was found is not taken back, so no limit counts for
    /// these few states.
    fn lasso(&self, automaton: &Automaton, constraint: &Fairness, run: Run) -> Result<Path, Halt> {
        let goals = run.nodes.iter().copied().collect();
        let way = way(&self.world, &self.initial, automaton, &goals).ok_or(Halt::Stop(StopReason::Memory))?;
        let limits = Limits {
            threads: 1,
            ..Limits::default()
        };
        let conditions = self.world.reader.conditions();
        let mut graph = Expanded::new(self.world.system, conditions, false, &limits, &Silent);
        let mut product = Product::new(&mut graph, automaton, &self.world.reader);
        product.constrain(constraint);
        let on_way = product.meet_all(&way)?;
        product.initial = vec![on_way[0]];
        let told = |&(state, q): &(StateId, StateIndex)| (self.world.table.get(state), q);
        let nodes = product.meet_all(&run.nodes.iter().map(told).collect::<Vec<_>>())?;
        let part = FairPart { nodes, ..run.part };
        Ok(lasso::build_within(&mut product, constraint, &part))
    }

    fn statistics(&self, components: u64) -> Statistics {
        let sum = |of: fn(&Explorer<'a, S>) -> u64| self.explorers.iter().map(of).sum();
        Statistics {
            states: self.world.table.len() as u64,
            steps: sum(|e| e.steps),
            depth: 0,
            deadlocks: sum(|e| e.deadlocks),
            terminated: sum(|e| e.terminated),
            sccs: Some(components),
            state_bytes: self.world.table.row_bytes() as u64,
            stored_bytes: self.world.table.bytes(),
            peak_bytes: self.peak.max(self.world.bytes()),
            workers: self.world.workers,
        }
    }
}

/// A fair part, with what its nodes are.
struct Run {
    nodes: Vec<(StateId, StateIndex)>,
    part: FairPart,
}

/// One question, on its way.
struct Search<'t, 'a, 'p, S: System> {
    team: &'t mut Team<'a, S>,
    workers: Vec<Worker<'a, 'p, S>>,
    board: Board,
    /// Nodes that executions start in and that were not searched from yet.
    roots: Vec<u32>,
    here: FixedBitSet,
    /// How many states there must be before open components are looked at.
    look_at: usize,
}

impl<'a, S: System> Search<'_, 'a, '_, S> {
    fn run(&mut self) -> Result<(), Failed> {
        for i in 0..self.team.initial.len() {
            self.start_from(self.team.initial[i]);
        }
        loop {
            let more = self.start()?;
            let roots = std::mem::take(&mut self.roots);
            self.rounds(&Job::Product(&roots))?;
            self.settle_large()?;
            if self.board.all_answered() || !more {
                return Ok(());
            }
        }
    }

    /// Finds more initial states. False if there are none left.
    fn start(&mut self) -> Result<bool, Failed> {
        while let Some(cursor) = self.team.cursor {
            if self.roots.len() >= STARTED_AT_ONCE {
                return Ok(true);
            }
            let team = &mut *self.team;
            let explorer = &mut self.workers[0].explorer;
            explorer.window.forget_ahead();
            let next = explorer.window.initial(&mut team.world.table, cursor);
            let next = next.map_err(|_| Failed::Sequential)?;
            let count = explorer.window.now.steps.len();
            if !explorer.window.now.fits {
                let widening = explorer.window.widening(&mut team.world.table);
                let widening = widening.map_err(|_| Failed::Stop(StopReason::Memory))?;
                team.world.table.widen(widening);
                explorer.window.prepare_again(&mut team.world.table);
            }
            self.make_room(count)?;
            self.begin_leases();
            for i in 0..count {
                let explorer = &mut self.workers[0].explorer;
                let admitted = explorer.admit(&self.team.world, i);
                let (state, _) = admitted.map_err(|_| Failed::Sequential)?;
                self.team.initial.push(state);
                self.start_from(state);
            }
            self.end_leases();
            // Only now: if there was no room for them, the next question has to find them again.
            self.team.cursor = next;
        }
        Ok(false)
    }

    /// Gives every worker numbers for states.
    fn begin_leases(&mut self) {
        for worker in &mut self.workers {
            worker.explorer.lease = self.team.world.table.lease();
        }
    }

    /// Takes what is left of them back. The automaton may still wait in the states that were numbered.
    fn end_leases(&mut self) {
        for worker in &mut self.workers {
            let lease = std::mem::take(&mut worker.explorer.lease);
            let met = self.team.world.table.give_back(lease);
            self.board.waiting.add(worker.number as usize, met);
        }
    }

    /// Notes the nodes that executions from an initial state start in.
    fn start_from(&mut self, state: StateId) {
        let world = &self.team.world;
        let letter = world.letter(world.letter_when_met(state));
        let places = self.workers[0].reader.initial(letter);
        let nodes = places.map(|place| (state.index() * world.width) as u32 + place);
        self.roots.extend(nodes);
    }

    /// Makes room for all workers to go on, and for so many states beyond.
    fn make_room(&mut self, more: usize) -> Result<(), Failed> {
        let world = &mut self.team.world;
        let more = more + ROOM.max(world.table.len() / 4) + world.workers * 4096;
        let during = world.bytes() + world.room_bytes(more);
        if self.team.limits.bytes.is_some_and(|limit| during > limit) {
            return Err(Failed::Stop(StopReason::Memory));
        }
        self.team.peak = self.team.peak.max(during);
        let full = world.make_room(more).is_err();
        if full || world.table.id_room() * world.width >= u32::MAX as usize {
            return Err(Failed::Stop(StopReason::Memory));
        }
        Ok(())
    }

    /// Lets everyone work on a job until it is done or all is answered.
    fn rounds(&mut self, job: &Job<'_>) -> Result<(), Failed> {
        self.board.next_root.store(0, SeqCst);
        loop {
            self.board.pausing.store(false, SeqCst);
            self.board.idle.store(0, SeqCst);
            // Who has the observer may be kept from asking it within a round.
            self.workers[0].poll(&self.team.world, &self.board, self.team.observer);
            if let Some(reason) = lock(&self.board.stop).take() {
                return Err(Failed::Stop(reason));
            }
            self.begin_leases();
            let (world, board, observer) = (&self.team.world, &self.board, self.team.observer);
            together(&mut self.workers, |worker, first| {
                worker.work(world, job, board, first.then_some(observer));
            });
            self.end_leases();
            if let Some(reason) = lock(&self.board.stop).take() {
                return Err(Failed::Stop(reason));
            }
            if self.board.all_answered() {
                return Ok(());
            }
            if !self.board.pausing.load(SeqCst) {
                self.gather_vast(job);
                return Ok(());
            }
            if matches!(job, Job::Product(_)) && self.team.world.table.len() >= self.look_at {
                self.look_at_open();
                if self.board.all_answered() {
                    return Ok(());
                }
            }
            let reasons = std::mem::take(&mut *lock(&self.board.reasons));
            let mut more = 0;
            for reason in reasons {
                match reason {
                    Pause::Room(states) => more = more.max(states),
                    Pause::Unfit(state) => self.widen_for(state)?,
                    Pause::Unsuited => return Err(Failed::Sequential),
                }
            }
            self.make_room(more)?;
        }
    }

    /// Packs the table anew so that the targets of this state fit.
    fn widen_for(&mut self, state: StateId) -> Result<(), Failed> {
        let table = &mut self.team.world.table;
        let window = &mut self.workers[0].explorer.window;
        window.forget_ahead();
        window.load(table, state).map_err(|_| Failed::Sequential)?;
        if !window.now.fits {
            let widening = window.widening(table);
            let widening = widening.map_err(|_| Failed::Stop(StopReason::Memory))?;
            table.widen(widening);
        }
        for worker in &mut self.workers {
            worker.explorer.window.forget_ahead();
        }
        Ok(())
    }

    /// Looks at the large components together, until none is left.
    fn settle_large(&mut self) -> Result<(), Failed> {
        loop {
            let next = lock(&self.board.large).pop();
            let Some((seeker, part)) = next else {
                return Ok(());
            };
            let (world, board) = (&self.team.world, &self.board);
            self.workers[0].poll(world, board, self.team.observer);
            if let Some(reason) = lock(&board.stop).take() {
                return Err(Failed::Stop(reason));
            }
            if !self.board.is_answered(seeker) {
                self.settle(seeker, part)?;
            }
        }
    }

    /// Looks at a large part for one constraint. What it falls into goes back on the list if it is large, and is looked at otherwise.
    fn settle(&mut self, seeker: usize, part: Part) -> Result<(), Failed> {
        let mut waiting = Vec::new();
        if let Some(part) = self.refine(seeker, part, &mut waiting) {
            self.split(seeker, &part)?;
        }
        lock(&self.board.large).extend(waiting.into_iter().map(|part| (seeker, part)));
        Ok(())
    }

    /// Looks at the components that are not complete yet and that workers have closed loops in last, between two rounds: then all sets are connected. A look costs as much as
    /// a component is large, so there is one whenever the states are four times as many.
    fn look_at_open(&mut self) {
        self.look_at = 4 * self.team.world.table.len();
        let mut seen = Vec::new();
        for i in 0..self.workers.len() {
            let Some(node) = self.workers[i].closed else {
                continue;
            };
            let set = self.team.world.sets.find(node);
            if seen.contains(&set) || self.team.world.sets.is_dead(node) {
                continue;
            }
            seen.push(set);
            // Each of them is on a loop, so all are expanded.
            let nodes = self.members(node, None);
            for seeker in 0..self.board.answered.len() {
                let mut waiting = vec![self.workers[0].fairs[seeker].whole(nodes.clone(), true)];
                while let Some(part) = waiting.pop()
                    && !self.board.is_answered(seeker)
                {
                    if let Some(part) = self.refine(seeker, part, &mut waiting) {
                        // Sets are not to be touched now, so this is for one worker.
                        self.find_alone(seeker, part);
                    }
                }
            }
        }
    }

    /// Looks at a part by one worker.
    fn find_alone(&mut self, seeker: usize, part: Part) {
        let (fair, mut view) = self.workers[0].view(&self.team.world, seeker);
        if let Ok(Some(found)) = fair.find_in(&mut view, part) {
            self.board.answer(seeker, found);
        }
    }

    /// Looks at a part for one constraint, by all workers if it is large. What it falls into is added to `waiting`; if it has to be split first, it comes back.
    fn refine(&mut self, seeker: usize, mut part: Part, waiting: &mut Vec<Part>) -> Option<Part> {
        if part.nodes.len() < LARGE {
            self.find_alone(seeker, part);
            return None;
        }
        if !part.connected && !self.workers[0].fairs[seeker].can_refine(&part) {
            return Some(part);
        }
        let survey = self.survey(seeker, &part);
        // Taken out for the moment, so that the others can read it.
        let (world, workers) = (&self.team.world, &mut self.workers);
        let mut fair = workers[0].take_fair(seeker);
        let refined = fair.refine(survey, &mut part, |fair, nodes| {
            *nodes = remaining(world, workers, seeker, fair, nodes);
        });
        workers[0].fairs[seeker] = fair;
        match refined {
            Refined::Hopeless => {}
            Refined::Smaller => waiting.push(part),
            Refined::Same(_) if !part.connected => return Some(part),
            Refined::Same(present) => {
                if let Some(found) = decide(part, present, waiting) {
                    self.board.answer(seeker, found);
                }
            }
        }
        None
    }

    /// Looks at the components that nobody has gathered yet.
    fn gather_vast(&mut self, job: &Job<'_>) {
        let vast = std::mem::take(&mut *lock(&self.board.vast));
        for node in vast {
            let among = match job {
                Job::Product(_) => None,
                Job::Part { part, .. } => Some(&part.nodes[..]),
            };
            let nodes = self.members(node, among);
            self.workers[0].look_at_all(&self.team.world, job, &self.board, nodes);
        }
    }

    /// The nodes of a node's set, in their order. Sets outside of the nodes that were searched are stale.
    fn members(&mut self, node: u32, among: Option<&[StateId]>) -> Vec<StateId> {
        let world = &self.team.world;
        if let Some(nodes) = world.members(node) {
            return nodes;
        }
        let set = world.sets.find(node);
        let all = among.map_or(world.sets.capacity(), <[StateId]>::len);
        let share = all.div_ceil(world.workers);
        let gathered = together(&mut self.workers, |worker, _| {
            let first = (worker.number as usize * share).min(all);
            let numbers = first..all.min(first + share);
            let node = |i: usize| among.map_or(StateId(i as u32), |nodes| nodes[i]);
            numbers
                .map(node)
                .filter(|node| world.sets.find(node.0) == set)
                .collect::<Vec<StateId>>()
        });
        gathered.concat()
    }

    /// What a part looks like. Everyone looks at some of its nodes.
    fn survey(&mut self, seeker: usize, part: &Part) -> Survey {
        let world = &self.team.world;
        let mut here = std::mem::take(&mut self.here);
        mark(&mut here, &self.workers[0].view(world, seeker).1, &part.nodes);
        let next = AtomicUsize::new(0);
        let surveys = together(&mut self.workers, |worker, _| {
            let (fair, view) = worker.view(world, seeker);
            fair.begin();
            let mut all = Survey {
                closed: true,
                ..Survey::default()
            };
            while let Some(range) = take(&next, &part.nodes, world.width) {
                let nodes = &part.nodes[range.clone()];
                fair.cover_nothing(&view, nodes);
                let some = fair.survey_some(&view, part, range, &here);
                all.moves |= some.moves;
                all.marks = all.marks.union(some.marks);
                all.closed &= fair.closed(&view, nodes);
            }
            all
        });
        unmark(&mut here, &part.nodes);
        self.here = here;
        let (first, others) = self.workers.split_at_mut(1);
        for other in others {
            first[0].fairs[seeker].join(&other.fairs[seeker]);
        }
        surveys.into_iter().fold(
            Survey {
                closed: true,
                ..Survey::default()
            },
            |all, some| Survey {
                moves: all.moves | some.moves,
                marks: all.marks.union(some.marks),
                closed: all.closed & some.closed,
            },
        )
    }

    /// Searches a part for its components.
    fn split(&mut self, seeker: usize, part: &Part) -> Result<(), Failed> {
        let world = &self.team.world;
        let mut here = std::mem::take(&mut self.here);
        mark(&mut here, &self.workers[0].view(world, seeker).1, &part.nodes);
        part.nodes.iter().for_each(|node| world.sets.reset(node.0));
        let counted: Vec<(u64, u64)> = self.workers.iter().map(|w| (w.components, w.nodes)).collect();
        let job = Job::Part {
            part,
            here: &here,
            seeker,
        };
        let done = self.rounds(&job);
        // Components of parts are none of the product's.
        for (worker, (components, nodes)) in self.workers.iter_mut().zip(counted) {
            worker.components = components;
            worker.nodes = nodes;
        }
        unmark(&mut here, &part.nodes);
        self.here = here;
        done
    }
}

/// The nodes at which no obligation fails.
fn remaining<'a, S: System>(
    world: &World<'a, S>,
    workers: &mut [Worker<'a, '_, S>],
    seeker: usize,
    fair: &Fair<'_>,
    nodes: &[StateId],
) -> Vec<StateId> {
    let next = AtomicUsize::new(0);
    let kept = together(workers, |worker, _| {
        let (_, view) = worker.view(world, seeker);
        let mut kept = Vec::new();
        while let Some(range) = take(&next, nodes, 1) {
            let mut some = nodes[range].to_vec();
            fair.drop_failing(&view, &mut some);
            kept.extend(some);
        }
        kept
    });
    let mut all: Vec<StateId> = kept.into_iter().flatten().collect();
    all.sort_unstable();
    all
}

/// The next share of a list of nodes. No state is in two shares.
fn take(next: &AtomicUsize, nodes: &[StateId], width: usize) -> Option<std::ops::Range<usize>> {
    let number = next.fetch_add(1, Relaxed);
    let bound = |share: usize| {
        let mut at = (share * SHARE).min(nodes.len());
        let state = |i: usize| nodes[i].index() / width;
        while at > 0 && at < nodes.len() && state(at) == state(at - 1) {
            at += 1;
        }
        at
    };
    let range = bound(number)..bound(number + 1);
    (number * SHARE < nodes.len()).then_some(range)
}

/// Lets all workers do the same, the first one on this thread. A panic of one of them goes on here.
fn together<W: Send, R: Send>(workers: &mut [W], work: impl Fn(&mut W, bool) -> R + Sync) -> Vec<R> {
    let (first, others) = workers.split_at_mut(1);
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = others
            .iter_mut()
            .map(|worker| scope.spawn(move || work(worker, false)))
            .collect();
        let mut results = vec![work(&mut first[0], true)];
        for handle in handles {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
