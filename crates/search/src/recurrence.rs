//! Strong global fairness by what can still happen, where only what happens infinitely often matters.
//!
//! A fair execution ends up in a terminal component of the system and takes every step there again and again. If the automaton accepts or not by what is read infinitely often, then the
//! letters of the terminal components decide; neither the product nor a loop is needed.
//!
//! Nor are the components. Let `M(s)` be the letters that can still be read from `s` on. A step never adds to it. In a terminal component it is the same everywhere: the letters of the component.
//! And where it is the same in all states that can be reached, each terminal component there has just these letters. So an execution that the automaton accepts can be
//! found if and only if it accepts the letters of a state from which no letter can be lost.
//!
//! The system is explored breadth first, by all workers, and the targets of its steps are kept. Then passes over the steps find `M`, until nothing changes; further ones rule out the states
//! from which a letter can be lost, among those whose letters the automaton accepts. Passes go forwards and backwards by turns. States that were not expanded yet count as a letter
//! that is never accepted, so the same finds what there is in a part: there is a look whenever the states have doubled, and when an end of a new kind was met.
//!
//! Time: that of an exploration, and a few passes, which read on only as long as there is something to learn; if there are too many of them, this gives up. Memory: 4 bytes a step and 10 a
//! state more than an exploration, and 2 a state for a moment.

use crate::breadth::{Breadth, Look};
use crate::budget::Budget;
use crate::fair::{Fair, Terrain};
use crate::fairness::Fairness;
use crate::letters::{Atom, Letters, StateAtom, letter_of_state};
use crate::liveness::{FairAnswer, FairQuestion, check_alone};
use crate::numbering::Numbers;
use crate::product::Move;
use crate::terminal::From;
use crate::visited::Halt;
use crate::window::Window;
use fairhold_logic::{Automaton, StateIndex};
use fairhold_store::{Growth, StateId};
use fairhold_system::{EventId, Fault, Label, Limits, Observer, Path, ProcessesId, System, Verdict};
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicU16, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};

/// A set of letters, by their numbers.
type Mask = u16;
/// Stands for all that is not known yet.
const OPEN: Mask = 1 << MOST_LETTERS;
/// More letters than this are for the search for loops.
const MOST_LETTERS: usize = 15;
/// A letter can be lost from here on. There is no state without a letter.
const LOSES: Mask = 0;
/// States that must be there before a part is looked at for the first time.
const FIRST_LOOK: usize = if cfg!(test) { 4 } else { 1 << 18 };
/// Targets of a block.
const BLOCK: usize = if cfg!(test) { 16 } else { 1 << 16 };
/// After so many passes there is no end in sight.
const PATIENCE: u32 = 64;
/// So many states are worth waking others for a pass.
const WORTH_SHARING: usize = if cfg!(test) { 2 } else { 1 << 16 };

/// As [`check_fair`](crate::check_fair) for one constraint, by this means however small the system. None if it does not suit.
pub fn check_recurrence<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Option<FairAnswer> {
    if !by_terminal_components(question, limits) || !is_of_one_kind(question.atoms) {
        return None;
    }
    let answer = check(system, question, limits, observer)?;
    if answer.path.is_none() || !limits.reproducible || limits.threads == 1 {
        return Some(answer);
    }
    // Which state is found depends on who came first.
    let limits = Limits {
        threads: 1,
        ..*limits
    };
    check(system, question, &limits, observer)
}

/// Whether terminal components decide.
pub(crate) fn by_terminal_components(question: &FairQuestion<'_>, limits: &Limits) -> bool {
    let only_global = |c: &Fairness| c.global && c.obligations.is_empty() && c.marks.is_empty();
    matches!(question.constraints, [constraint] if only_global(constraint))
        && question.recurrent
        && limits.states.is_none()
}

/// Whether letters are either of events or of predicates.
fn is_of_one_kind(atoms: &[Atom]) -> bool {
    let is_event = |atom: &Atom| atom.events().is_some();
    atoms.iter().all(is_event) || !atoms.iter().any(is_event)
}

fn check<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Option<FairAnswer> {
    let letters = Letters::new(question.atoms, question.constraints);
    let automaton = letters.reader(question.automaton, question.atoms);
    let reading = Reading {
        conditions: letters.conditions(),
        letters,
        alphabet: Numbers::new(MOST_LETTERS as u32 + 1),
        ends: AtomicU16::new(0),
        due: AtomicUsize::new(FIRST_LOOK),
    };
    let mut search = Breadth::new(system, limits, observer);
    let mut kept = Kept::new(&reading);
    let found = loop {
        let run = search.run(&mut kept);
        let complete = matches!(run, Ok(None));
        let looked = run.and_then(|_| {
            let mut alphabet = Vec::new();
            reading.alphabet.catch_up(&mut alphabet);
            if alphabet.len() > MOST_LETTERS {
                return Ok(Looked::Unclear);
            }
            let accepted = |mask| accepts(&automaton, &question.constraints[0], &alphabet, mask);
            look(&mut search, &kept, &accepted)
        });
        match looked {
            Ok(Looked::Unclear) => return None,
            Ok(Looked::Found(state)) => break Ok(Some(state)),
            Ok(Looked::Nothing) if complete => break Ok(None),
            Ok(Looked::Nothing) => {
                reading.due.store(2 * search.visited.table.len(), Relaxed);
            }
            Err(Halt::Stop(reason)) => break Err(reason),
            // It comes in its order elsewhere.
            Err(Halt::Fault { .. }) => return None,
        }
    };
    let statistics = search.visited.statistics(search.kept_bytes());
    let mut answer = FairAnswer {
        verdict: Verdict::Holds,
        stop: None,
        fault: None,
        product_states: statistics.states,
        statistics,
        path: None,
        samples: Vec::new(),
    };
    match found {
        Ok(None) => {}
        Ok(Some(state)) => {
            let start = search.state(state);
            let way = search.path_to(state);
            // What comes now needs room.
            drop((search, kept));
            let from = From::new(system, start);
            let rest = check_alone(&from, question, limits, observer);
            debug_assert_ne!(
                rest.verdict,
                Verdict::Holds,
                "a state that keeps its letters leads to a loop"
            );
            if !matches!(rest.verdict, Verdict::Fails | Verdict::Unknown) {
                return None;
            }
            answer.verdict = rest.verdict;
            answer.stop = rest.stop;
            answer.samples = rest.samples;
            answer.path = rest.path.map(|run| joined(way, run));
            answer.statistics.peak_bytes = statistics.peak_bytes.max(rest.statistics.peak_bytes);
        }
        Err(reason) => {
            answer.verdict = Verdict::Unknown;
            answer.stop = Some(reason);
            answer.samples = search.visited.table.samples();
        }
    }
    Some(answer)
}

/// A run that goes on where a path ends.
fn joined(mut way: Path, run: Path) -> Path {
    let before = way.labels.len();
    way.states.pop();
    way.states.extend(run.states);
    way.labels.extend(run.labels);
    Path {
        loop_from: run.loop_from.map(|start| before + start),
        ..way
    }
}

/// What is read, for all workers.
struct Reading {
    letters: Letters,
    conditions: Vec<StateAtom>,
    /// The letters met so far; one more than there is room for is too many.
    alphabet: Numbers<u64>,
    /// Letters of states without steps.
    ends: AtomicU16,
    /// How many states there must be before a part is looked at.
    due: AtomicUsize,
}

/// Expanded states with their letters and the targets of their steps. A clone has none.
struct Kept<'k> {
    reading: &'k Reading,
    /// The alphabet as far as this worker knows it.
    alphabet: Vec<u64>,
    blocks: Vec<Block>,
    /// Targets of the state being expanded.
    admitted: Vec<u32>,
}

/// Some of them.
struct Block {
    states: Vec<u32>,
    /// The letters of each.
    own: Vec<Mask>,
    /// Where each one's targets end.
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl Block {
    fn new() -> Block {
        Block {
            states: Vec::with_capacity(BLOCK / 4),
            own: Vec::with_capacity(BLOCK / 4),
            ends: Vec::with_capacity(BLOCK / 4),
            targets: Vec::with_capacity(BLOCK),
        }
    }

    fn has_room(&self, targets: usize) -> bool {
        self.states.len() < BLOCK / 4 && (self.states.is_empty() || self.targets.len() + targets <= BLOCK)
    }

    fn state(&self, i: usize) -> (u32, &[u32]) {
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        (self.states[i], &self.targets[start..self.ends[i] as usize])
    }

    fn bytes(&self) -> u64 {
        let states = self.states.capacity() * (2 * size_of::<u32>() + size_of::<Mask>());
        (states + self.targets.capacity() * size_of::<u32>()) as u64
    }
}

impl Clone for Kept<'_> {
    fn clone(&self) -> Self {
        Kept::new(self.reading)
    }
}

impl<'k> Kept<'k> {
    fn new(reading: &'k Reading) -> Kept<'k> {
        Kept {
            reading,
            alphabet: Vec::new(),
            blocks: Vec::new(),
            admitted: Vec::new(),
        }
    }

    /// The number of a letter, as a set. Where there are too many, this ends soon.
    #[inline]
    fn letter(&mut self, letter: u64) -> Mask {
        let number = match self.alphabet.iter().position(|&known| known == letter) {
            Some(number) => number,
            None => self.learn(letter),
        };
        1 << number
    }

    #[cold]
    fn learn(&mut self, letter: u64) -> usize {
        let number = self.reading.alphabet.number(letter);
        let number = number.map_or(MOST_LETTERS, |number| number as usize);
        if number == MOST_LETTERS {
            self.reading.due.store(0, Relaxed);
        }
        self.reading.alphabet.catch_up(&mut self.alphabet);
        number
    }

    /// Calls `each` with all expanded states and the targets of their steps, by several workers; true if one of the calls was.
    fn pass(&self, backwards: bool, workers: usize, each: impl Fn(u32, &[u32]) -> bool + Sync) -> bool {
        let next = AtomicUsize::new(0);
        let changed = AtomicBool::new(false);
        let work = || {
            let mut any = false;
            while let Some(mut i) = Some(next.fetch_add(1, Relaxed)).filter(|&i| i < self.blocks.len()) {
                if backwards {
                    i = self.blocks.len() - 1 - i;
                }
                let block = &self.blocks[i];
                let mut one = |i: usize| {
                    let (state, targets) = block.state(i);
                    any |= each(state, targets);
                };
                let all = 0..block.states.len();
                if backwards {
                    all.rev().for_each(&mut one);
                } else {
                    all.for_each(&mut one);
                }
            }
            if any {
                changed.store(true, SeqCst);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers.min(self.blocks.len()) {
                scope.spawn(work);
            }
            work();
        });
        changed.into_inner()
    }
}

impl<S: System> Look<S> for Kept<'_> {
    /// It is time to look.
    type Found = ();

    fn state(&mut self, _: &S, _: &Window<'_, S>, _: StateId) -> Result<Option<()>, Fault> {
        self.admitted.clear();
        Ok(None)
    }

    fn target(&mut self, _: &mut Window<'_, S>, _: usize, _: StateId) -> Result<Option<()>, Fault> {
        Ok(None)
    }

    #[inline]
    fn admitted(&mut self, id: StateId) {
        self.admitted.push(id.0);
    }

    fn expanded(&mut self, window: &mut Window<'_, S>, id: StateId) -> Result<(), Fault> {
        let reading = self.reading;
        let mut own = 0;
        if reading.conditions.is_empty() {
            for i in 0..window.now.steps.len() {
                own |= self.letter(reading.letters.event(window.now.steps.label(i).event));
            }
            if own == 0 {
                own = self.letter(reading.letters.event(EventId::IDLE));
            }
        } else {
            let letter = letter_of_state(&reading.conditions, &mut window.stepper, &window.now.state)?;
            own = self.letter(letter);
        }
        // Such a state is a terminal component by itself: the first of each letter is worth a look.
        if window.now.steps.is_empty() && reading.ends.fetch_or(own, Relaxed) & own == 0 {
            reading.due.store(0, Relaxed);
        }
        if !self
            .blocks
            .last()
            .is_some_and(|block| block.has_room(self.admitted.len()))
        {
            self.blocks.push(Block::new());
        }
        let block = self.blocks.last_mut().expect("there is one with room");
        block.states.push(id.0);
        block.own.push(own);
        block.targets.extend_from_slice(&self.admitted);
        block.ends.push(block.targets.len() as u32);
        Ok(())
    }

    fn level(&mut self, states: usize) -> Option<()> {
        (states >= self.reading.due.load(Relaxed)).then_some(())
    }

    fn join(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
    }

    fn bytes(&self) -> u64 {
        self.blocks.iter().map(Block::bytes).sum()
    }
}

/// What a look has come to.
enum Looked {
    Nothing,
    /// From this state on only accepted letters are read, and none is lost.
    Found(StateId),
    /// This takes too long.
    Unclear,
}

/// Looks at what is explored.
fn look<S: System>(
    search: &mut Breadth<'_, S>,
    kept: &Kept<'_>,
    accepts: &dyn Fn(Mask) -> bool,
) -> Result<Looked, Halt> {
    let states = search.visited.table.bound();
    let bytes = (states * size_of::<Mask>()) as u64;
    search.visited.budget.grow(Growth {
        taken: bytes,
        freed: 0,
    })?;
    let found = look_with(search, kept, accepts, states);
    search.visited.budget.release(bytes);
    found
}

fn look_with<S: System>(
    search: &Breadth<'_, S>,
    kept: &Kept<'_>,
    accepts: &dyn Fn(Mask) -> bool,
    states: usize,
) -> Result<Looked, Halt> {
    let visited = &search.visited;
    let workers = if states < WORTH_SHARING {
        1
    } else {
        visited.limits.threads
    };
    let masks: Vec<AtomicU16> = (0..states).map(|_| AtomicU16::new(OPEN)).collect();
    let mask = |state: u32| masks[state as usize].load(Relaxed);
    let mut all = 0;
    for block in &kept.blocks {
        for (&state, &own) in block.states.iter().zip(&block.own) {
            masks[state as usize].store(own, Relaxed);
            all |= own;
        }
    }
    if visited.expanded < visited.table.len() as u64 {
        all |= OPEN;
    }
    let passes = |each: &(dyn Fn(u32, &[u32]) -> bool + Sync)| {
        for number in 0..PATIENCE {
            visited.poll()?;
            if !kept.pass(number % 2 == 0, workers, each) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let settled = passes(&|state, targets| {
        let own = mask(state);
        let mut sum = own;
        for &target in targets {
            if sum == all {
                break;
            }
            sum |= mask(target);
        }
        masks[state as usize].store(sum, Relaxed);
        sum != own
    })?;
    if !settled {
        return Ok(Looked::Unclear);
    }
    // What is open would be lost in a state that was not expanded; there is no need to ask.
    let mut accepted = vec![None; 1 << Mask::BITS];
    for state in &masks {
        let mask = state.load(Relaxed);
        accepted[usize::from(mask)].get_or_insert_with(|| mask & OPEN == 0 && accepts(mask));
    }
    let is_accepted = |mask: Mask| accepted[usize::from(mask)] == Some(true);
    if !accepted.contains(&Some(true)) {
        return Ok(Looked::Nothing);
    }
    let settled = passes(&|state, targets| {
        let own = mask(state);
        let loses = is_accepted(own) && targets.iter().any(|&target| mask(target) != own);
        if loses {
            masks[state as usize].store(LOSES, Relaxed);
        }
        loses
    })?;
    if !settled {
        return Ok(Looked::Unclear);
    }
    let found = (0..states as u32).find(|&state| is_accepted(mask(state)));
    Ok(found.map_or(Looked::Nothing, |state| Looked::Found(StateId(state))))
}

/// Whether the automaton accepts what has just these letters infinitely often.
fn accepts(automaton: &Automaton, constraint: &Fairness, alphabet: &[u64], mask: Mask) -> bool {
    let has = |number: usize| mask & 1 << number != 0;
    let mut words = Words {
        automaton,
        letters: (0..alphabet.len())
            .filter(|&number| has(number))
            .map(|number| alphabet[number])
            .collect(),
        budget: Budget::new(None),
    };
    // What comes before does not matter, so it begins anew.
    let mut reached: Vec<StateId> = Vec::new();
    let mut waiting: Vec<StateId> = automaton.initial.iter().map(|q| StateId(q.0)).collect();
    while let Some(node) = waiting.pop() {
        if !reached.contains(&node) {
            reached.push(node);
            waiting.extend(words.moves(node).map(|m| m.target));
        }
    }
    let mut fair = Fair::new(constraint, automaton.acceptance.clone());
    let part = fair.whole(reached, false);
    let found = fair.find_in(&mut words, part);
    found.is_ok_and(|found| found.is_some())
}

/// All words over some letters, as an automaton reads them: a system of one state, with a step for each letter.
struct Words<'w> {
    automaton: &'w Automaton,
    letters: Vec<u64>,
    budget: Budget,
}

impl Terrain for Words<'_> {
    fn node_numbers(&self) -> usize {
        self.automaton.states.len()
    }

    fn step_numbers(&self) -> usize {
        self.letters.len()
    }

    fn step_range(&self, _: StateId) -> Range<usize> {
        0..self.letters.len()
    }

    fn labels(&self, _: StateId) -> impl Iterator<Item = Label> {
        std::iter::empty()
    }

    fn moves(&self, node: StateId) -> impl Iterator<Item = Move> {
        let q = StateIndex(node.0);
        self.letters.iter().enumerate().flat_map(move |(step, &letter)| {
            let edges = self.automaton.successors(q, letter);
            edges.map(move |edge| Move {
                step: step as u32,
                target: StateId(edge.target.0),
                marks: edge.marks,
            })
        })
    }

    fn ready(&self, _: StateId) -> &[EventId] {
        &[]
    }

    fn processes(&self, _: ProcessesId) -> &[u32] {
        &[]
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }
}

#[cfg(test)]
mod tests;
