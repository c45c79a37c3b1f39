//! Does every fair execution satisfy a property? By looking for one that does not.
//!
//! The property comes as an automaton for its negation. Nodes of the product in which the automaton can only wait are passed through breadth first; what they lead to
//! is searched depth first for strongly connected components. Each is handed to
//! [`Fair`] when it is complete, and while it is still open as soon as the last look is paid for: a look at `k` nodes waits until `k` nodes were met since the one before.
//! So a violation in the part already seen ends the search [Couvreur-FM'99]. What was explored is kept, so that one exploration serves several constraints and several
//! automata; constraints that read the same marks share one search for components as well.
//!
//! Early on, whatever the search is at, the states near the start are looked at as well, breadth first ([`Near`]): a loop there is found though the search may be on its way through one endless branch.
//!
//! The first fair loop decides, but it may be a long one. So the search goes on for a moment, and the shortest loop that it comes to is shown.
//!
//! Cost: the product once, plus what [`Fair`] takes for each component; looks at open components add at most as much again.

use crate::expanded::Expanded;
use crate::fair::{Fair, FairPart};
use crate::fairness::Fairness;
use crate::lasso;
use crate::letters::{Atom, Letters};
use crate::near::Near;
use crate::parallel::{self, Team};
use crate::product::Product;
use crate::question::Statistics;
use crate::recurrence::{by_terminal_components, check_recurrence};
use crate::tarjan::{Tarjan, Visitor};
use crate::terminal::terminal;
use crate::visited::Halt;
use fairhold_logic::Automaton;
use fairhold_store::StateId;
use fairhold_system::{Fault, FaultKind, Limits, Observer, Path, StopReason, System, Verdict, Word};

/// What is known about one constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct FairAnswer {
    /// `Fails` if a fair execution is accepted by the automaton, `Holds` if none is.
    pub verdict: Verdict,
    /// Why the search gave up, if it did.
    pub stop: Option<StopReason>,
    /// What went wrong in the model, if something did.
    pub fault: Option<Fault>,
    /// What was seen so far.
    pub statistics: Statistics,
    /// Nodes of the product so far.
    pub product_states: u64,
    /// The fair execution, as a lasso; or the way to the fault.
    pub path: Option<Path>,
    /// States of an unfinished search, first to last.
    pub samples: Vec<Vec<Word>>,
}

/// An automaton, what its atoms mean, and the constraints to check it under.
#[derive(Clone, Debug)]
pub struct FairQuestion<'q> {
    /// Accepts the executions looked for: for a property, its negation; for feasibility, everything.
    pub automaton: &'q Automaton,
    /// What the automaton's atoms mean, in its order.
    pub atoms: &'q [Atom],
    /// The constraints.
    pub constraints: &'q [Fairness],
    /// Whether what the automaton accepts depends on what happens infinitely often only, and not on how an execution begins.
    pub recurrent: bool,
}

/// Looks for a fair accepted execution under each constraint, from one exploration.
///
/// # Panics
/// If there are more than [`MAX_ATOMS`](crate::MAX_ATOMS) different atoms and predicates of constraints: callers check.
pub fn check_fair<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Vec<FairAnswer> {
    let mut search = FairSearch::new(system, question.atoms, question.constraints, limits, observer);
    let mut answers: Vec<Option<FairAnswer>> = vec![None; question.constraints.len()];
    search.check(question, &mut |i, answer| answers[i] = Some(answer));
    let all = answers.into_iter().collect::<Option<_>>();
    all.expect("every constraint is answered")
}

/// As [`check_fair`] for the first constraint, by one worker and the search for loops.
pub(crate) fn check_alone<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> FairAnswer {
    let mut search = FairSearch::new(system, question.atoms, question.constraints, limits, observer);
    let automaton = search.letters.reader(question.automaton, question.atoms);
    let mut answer = None;
    search.check_alone(question, &automaton, vec![0], &mut |_, told| answer = Some(told));
    answer.expect("the constraint is answered")
}

/// One exploration of a system, to answer several questions.
pub struct FairSearch<'a, S: System> {
    graph: Expanded<'a, S>,
    letters: Letters,
    limits: Limits,
    /// Those who search together, once that is worth it.
    team: Option<Team<'a, S>>,
    /// If answers are to be those of one worker: earlier questions, by automaton and constraints, that it was spared.
    skipped: Vec<(Automaton, Vec<Fairness>)>,
}

/// A search of more steps than this, which take one worker a moment, is worth sharing.
const WORTH_SHARING: u64 = 200_000;

impl<'a, S: System> FairSearch<'a, S> {
    /// Nothing is explored yet. `atoms` and `constraints` are all that questions may speak of.
    ///
    /// # Panics
    /// If there are more than [`MAX_ATOMS`](crate::MAX_ATOMS) different atoms and predicates of constraints: callers check.
    pub fn new(
        system: &'a S,
        atoms: &[Atom],
        constraints: &[Fairness],
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> FairSearch<'a, S> {
        let letters = Letters::new(atoms, constraints);
        let needs_ready = constraints.iter().any(Fairness::needs_ready);
        FairSearch {
            graph: Expanded::new(system, letters.conditions(), needs_ready, limits, observer),
            letters,
            limits: *limits,
            team: None,
            skipped: Vec::new(),
        }
    }

    /// Looks for an execution that the automaton accepts, fair under each constraint in turn. Tells each answer with the constraint's number as soon as it is
    /// known.
    pub fn check(&mut self, question: &FairQuestion<'_>, answered: &mut dyn FnMut(usize, FairAnswer)) {
        let automaton = self.letters.reader(question.automaton, question.atoms);
        if let Some(answer) = self.check_terminal(question, &automaton) {
            answered(0, answer);
            return;
        }
        let all: Vec<usize> = (0..question.constraints.len()).collect();
        let system = self.graph.visited.system;
        let suits = self.limits.threads > 1 && parallel::suits(system, question.constraints, &self.limits);
        if suits
            && self.limits.reproducible
            && let Some(answers) = self.check_together(question, &automaton, &all)
        {
            self.skipped.push((automaton, question.constraints.to_vec()));
            answers.into_iter().enumerate().for_each(|(i, a)| answered(i, a));
            return;
        }
        if !suits || self.limits.reproducible {
            // What one worker finds depends on what it has explored before.
            for (automaton, constraints) in std::mem::take(&mut self.skipped) {
                let question = FairQuestion {
                    constraints: &constraints,
                    ..*question
                };
                let all = (0..constraints.len()).collect();
                self.check_alone(&question, &automaton, all, &mut |_, _| ());
            }
            self.check_alone(question, &automaton, all, answered);
            return;
        }
        // Alone as far as it takes a moment, then together.
        self.graph.visited.most_steps = WORTH_SHARING;
        let mut left = Vec::new();
        self.check_alone(question, &automaton, all, &mut |i, answer| match answer.stop {
            Some(StopReason::States) => left.push(i),
            _ => answered(i, answer),
        });
        self.graph.visited.most_steps = u64::MAX;
        if left.is_empty() {
            return;
        }
        match self.check_together(question, &automaton, &left) {
            Some(answers) => left
                .into_iter()
                .zip(answers)
                .for_each(|(i, answer)| answered(i, answer)),
            None => self.check_alone(question, &automaton, left, answered),
        }
    }

    /// Answers under strong global fairness by what terminal components have to offer, unless that takes but a moment anyway. None if this does not suit.
    fn check_terminal(&mut self, question: &FairQuestion<'_>, automaton: &Automaton) -> Option<FairAnswer> {
        if !by_terminal_components(question, &self.limits) {
            return None;
        }
        self.graph.visited.most_steps = WORTH_SHARING;
        let mut soon = None;
        self.check_alone(question, automaton, vec![0], &mut |_, answer| soon = Some(answer));
        self.graph.visited.most_steps = u64::MAX;
        let soon = soon.expect("the constraint is answered");
        if soon.stop != Some(StopReason::States) {
            return Some(soon);
        }
        let visited = &self.graph.visited;
        if !visited.has_more_initial() {
            return check_recurrence(visited.system, question, &self.limits, visited.observer);
        }
        // From so many, one worker does not keep their steps, nor do several if that is too much.
        let mut tried = 0;
        if self.limits.threads > 1 && parallel::suits(visited.system, question.constraints, &self.limits) {
            let limits = Limits {
                // What is given up may be slow to come back.
                bytes: self.limits.bytes.map(|bytes| bytes / 2),
                reproducible: false,
                ..self.limits
            };
            let answer = check_recurrence(visited.system, question, &limits, visited.observer);
            if let Some(answer) = answer {
                if answer.stop != Some(StopReason::Memory) {
                    // One worker finds another run.
                    return (answer.path.is_none() || !self.limits.reproducible).then_some(answer);
                }
                tried = answer.statistics.peak_bytes;
            }
        }
        let limits = Limits {
            threads: 1,
            ..self.limits
        };
        let (from, statistics) = match terminal(visited.system, &limits, visited.observer) {
            Ok(found) => found,
            Err(Halt::Stop(reason)) => {
                return Some(FairAnswer {
                    stop: Some(reason),
                    ..soon
                });
            }
            // It comes in its order elsewhere.
            Err(Halt::Fault { .. }) => return None,
        };
        let answer = check_alone(&from, question, &limits, visited.observer);
        if answer.verdict != Verdict::Holds {
            return None;
        }
        Some(FairAnswer {
            product_states: answer.product_states + statistics.states,
            statistics: Statistics {
                peak_bytes: statistics.peak_bytes.max(answer.statistics.peak_bytes).max(tried),
                ..statistics
            },
            ..answer
        })
    }

    /// Answers some of the constraints by several workers. None if that is for one to do after all.
    fn check_together(
        &mut self,
        question: &FairQuestion<'_>,
        automaton: &Automaton,
        numbers: &[usize],
    ) -> Option<Vec<FairAnswer>> {
        let visited = &self.graph.visited;
        let team = self
            .team
            .get_or_insert_with(|| Team::new(visited.system, &self.letters, &self.limits, visited.observer));
        let constraints: Vec<Fairness> = numbers.iter().map(|&i| question.constraints[i].clone()).collect();
        let question = FairQuestion {
            constraints: &constraints,
            ..*question
        };
        let answers = team.check(&question, automaton)?;
        let shown = answers.iter().any(|answer| answer.path.is_some());
        (!(shown && self.limits.reproducible)).then_some(answers)
    }

    /// Answers some of the constraints by one worker.
    fn check_alone(
        &mut self,
        question: &FairQuestion<'_>,
        automaton: &Automaton,
        mut waiting: Vec<usize>,
        answered: &mut dyn FnMut(usize, FairAnswer),
    ) {
        let mut product = Product::new(&mut self.graph, automaton, &self.letters);
        while let Some(&first) = waiting.first() {
            // One search for all that read the same marks.
            let marks = &question.constraints[first].marks;
            let (now, later) = waiting
                .into_iter()
                .partition(|&i| question.constraints[i].marks == *marks);
            waiting = later;
            let mut watch = Watch::new(&mut product, question.constraints, now, answered);
            let done = watch.search(&mut product);
            watch.conclude(&mut product, &done);
        }
        product.release();
    }
}

/// Open parts smaller than this are not looked at before they are complete.
const FIRST_LOOK: usize = 16;

/// Hands components, and open parts now and then, to the decisions.
struct Watch<'w> {
    seekers: Vec<Seeker<'w>>,
    /// How many nodes there were at the last look at an open part.
    looked: usize,
    /// How many nodes there must be before an open part is measured again.
    measure_at: usize,
    /// How many before someone is answered who has a run to show.
    tell_at: usize,
    answered: &'w mut dyn FnMut(usize, FairAnswer),
    constraints: &'w [Fairness],
    /// Looks at what lies near the start; none if this is such a look.
    near: Option<Near>,
}

/// One constraint that is not answered yet.
struct Seeker<'w> {
    number: usize,
    fairness: &'w Fairness,
    fair: Fair<'w>,
    found: Option<Found>,
}

/// What is told unless something shorter comes along soon.
struct Found {
    answer: FairAnswer,
    /// Steps of the loop, and on the way there.
    length: (usize, usize),
    /// When there are so many nodes, this is told.
    until: usize,
    /// After so many more fair parts, too.
    tries: u32,
}

impl Found {
    fn new(answer: FairAnswer, until: usize) -> Found {
        let length = answer.path.as_ref().map_or((0, 0), length);
        Found {
            answer,
            length,
            until,
            tries: TRIES,
        }
    }

    /// Takes another run if it is shorter. What was seen stays what it was when the verdict was clear.
    fn offer(&mut self, path: Path) {
        self.tries -= 1;
        if length(&path) < self.length {
            self.length = length(&path);
            self.answer.path = Some(path);
        }
    }
}

/// Steps of the loop of a lasso, and on the way there.
fn length(path: &Path) -> (usize, usize) {
    let way = path.loop_from.unwrap_or(path.labels.len());
    (path.labels.len() - way, way)
}

/// So many nodes more are searched for a shorter loop.
const A_MOMENT: usize = 10_000;
/// So many fair parts more are looked at for one.
const TRIES: u32 = 8;

impl<'w> Watch<'w> {
    fn new<S: System>(
        product: &mut Product<'_, '_, S>,
        constraints: &'w [Fairness],
        numbers: Vec<usize>,
        answered: &'w mut dyn FnMut(usize, FairAnswer),
    ) -> Watch<'w> {
        let seeker = |number: usize| Seeker {
            number,
            fairness: &constraints[number],
            fair: Fair::new(&constraints[number], product.constrain(&constraints[number])),
            found: None,
        };
        Watch {
            seekers: numbers.into_iter().map(seeker).collect(),
            looked: 0,
            measure_at: 0,
            tell_at: usize::MAX,
            answered,
            constraints,
            near: (!product.is_part()).then(Near::new),
        }
    }

    /// Looks at what lies near the start, if that is due: whoever has a run there is answered. True if nobody is left.
    fn look_near<S: System>(&mut self, product: &mut Product<'_, '_, S>) -> Result<bool, Halt> {
        let Some(near) = &mut self.near else {
            return Ok(false);
        };
        near.extend(product.graph)?;
        let waiting = self.seekers.iter().filter(|seeker| seeker.found.is_none());
        let numbers: Vec<usize> = waiting.map(|seeker| seeker.number).collect();
        let mut found = Vec::new();
        let mut tell = |number, answer: FairAnswer| {
            if answer.verdict == Verdict::Fails {
                found.push((number, answer));
            }
        };
        let mut part = product.of_expanded();
        let mut watch = Watch::new(&mut part, self.constraints, numbers, &mut tell);
        let done = watch.search(&mut part);
        watch.conclude(&mut part, &done);
        part.release();
        match done {
            // The search goes on without what the look would have taken.
            Ok(()) | Err(Halt::Stop(StopReason::Memory) | Halt::Fault { .. }) => {}
            Err(stop) => return Err(stop),
        }
        for (number, answer) in found {
            self.seekers.retain(|seeker| seeker.number != number);
            (self.answered)(number, answer);
        }
        Ok(self.seekers.is_empty())
    }

    /// Whether a look at what lies near the start is due.
    #[inline]
    fn is_near_due<S: System>(&self, product: &Product<'_, '_, S>) -> bool {
        let met = product.len().max(product.graph.len());
        self.near.as_ref().is_some_and(|near| near.is_due(met))
    }

    /// Searches until all is answered or nothing is left.
    fn search<S: System>(&mut self, product: &mut Product<'_, '_, S>) -> Result<(), Halt> {
        let mut tarjan = Tarjan::new();
        let mut node = StateId(0);
        // Where an earlier question has left states to wait in, what they lead to is reachable only from initial nodes.
        if product.len() == 0 {
            product.start()?;
        }
        // Nodes and states are numbered as they are met, so this comes to all of them.
        'search: loop {
            while node.index() < product.len() {
                if product.len() >= self.tell_at && self.tell(product.len()) {
                    break 'search;
                }
                if self.is_near_due(product) && self.look_near(product)? {
                    break 'search;
                }
                if product.is_passing(node) {
                    product.pass(node)?;
                } else {
                    let stopped = tarjan.search(product, node, &mut *self);
                    product.graph.visited.statistics.sccs = Some(tarjan.components);
                    if stopped? {
                        break 'search;
                    }
                }
                node.0 += 1;
            }
            if self.is_near_due(product) && self.look_near(product)? {
                break;
            }
            if !product.wait()? && !product.start()? {
                break;
            }
        }
        tarjan.release(&mut product.graph.visited.budget);
        Ok(())
    }

    /// Looks at some nodes for everyone who is not answered yet. True if nobody is left.
    fn look<S: System>(
        &mut self,
        product: &mut Product<'_, '_, S>,
        nodes: &[StateId],
        connected: bool,
    ) -> Result<bool, Halt> {
        let mut i = 0;
        while i < self.seekers.len() {
            let seeker = &mut self.seekers[i];
            if let Some(part) = seeker.fair.find(product, nodes, connected)? {
                match &mut seeker.found {
                    None => {
                        let until = product.len() + A_MOMENT;
                        let answer = found(product, seeker.fairness, &part);
                        seeker.found = answer.map(|answer| Found::new(answer, until));
                    }
                    Some(found) => {
                        if let Some(path) = lasso::build(product, seeker.fairness, &part) {
                            found.offer(path);
                        }
                    }
                }
            }
            i += 1;
        }
        Ok(self.tell(product.len()))
    }

    /// Answers those who have a run to show and have looked for a shorter one long enough, when there are so many nodes. True if nobody is left.
    fn tell(&mut self, nodes: usize) -> bool {
        let mut i = 0;
        while i < self.seekers.len() {
            let found = &mut self.seekers[i].found;
            match found.take_if(|found| found.tries == 0 || nodes >= found.until) {
                Some(found) => (self.answered)(self.seekers.remove(i).number, found.answer),
                None => i += 1,
            }
        }
        let untils = self.seekers.iter().filter_map(|seeker| seeker.found.as_ref());
        self.tell_at = untils.map(|found| found.until).min().unwrap_or(usize::MAX);
        self.seekers.is_empty()
    }

    /// Answers whoever is left.
    fn conclude<S: System>(&mut self, product: &mut Product<'_, '_, S>, done: &Result<(), Halt>) {
        for seeker in self.seekers.drain(..) {
            let answer = match seeker.found {
                Some(found) => found.answer,
                None => without(product, done),
            };
            (self.answered)(seeker.number, answer);
        }
    }
}

impl<S: System> Visitor<Product<'_, '_, S>> for &mut Watch<'_> {
    fn component(
        &mut self,
        product: &mut Product<'_, '_, S>,
        members: &[StateId],
        looping: bool,
    ) -> Result<bool, Halt> {
        if looping {
            self.look(product, members, true)
        } else {
            Ok(product.len() >= self.tell_at && self.tell(product.len()))
        }
    }

    #[inline]
    fn entering(&mut self, product: &mut Product<'_, '_, S>) -> Result<bool, Halt> {
        Ok(self.is_near_due(product) && self.look_near(product)?)
    }

    fn wants_closing(&self, product: &Product<'_, '_, S>, open: usize) -> bool {
        product.len() >= self.tell_at || open >= FIRST_LOOK && product.len() >= self.measure_at
    }

    fn closing(&mut self, product: &mut Product<'_, '_, S>, open: &[StateId]) -> Result<bool, Halt> {
        if product.len() >= self.tell_at && self.tell(product.len()) {
            return Ok(true);
        }
        let since = product.len() - self.looked;
        if open.len() < FIRST_LOOK {
            return Ok(false);
        }
        if open.len() > since {
            // Finding out how large the part is takes time as well, so this is not asked at every step.
            self.measure_at = product.len() + (open.len() - since).min(since).max(FIRST_LOOK);
            return Ok(false);
        }
        self.looked = product.len();
        // Of the open nodes only those on the path and behind it are expanded; all of these are.
        self.look(product, open, false)
    }
}

/// What is known so far, undecided.
fn blank<S: System>(product: &Product<'_, '_, S>) -> FairAnswer {
    FairAnswer {
        verdict: Verdict::Unknown,
        stop: None,
        fault: None,
        statistics: product.graph.visited.statistics(0),
        product_states: product.met() as u64,
        path: None,
        samples: Vec::new(),
    }
}

/// The answer where a fair part was found.
fn found<S: System>(
    product: &mut Product<'_, '_, S>,
    constraint: &Fairness,
    part: &FairPart,
) -> Option<FairAnswer> {
    // What is explored for a short run is no part of the search.
    let seen = blank(product);
    let path = lasso::build(product, constraint, part)?;
    Some(FairAnswer {
        verdict: Verdict::Fails,
        path: Some(path),
        ..seen
    })
}

/// The answer where none was found.
fn without<S: System>(product: &Product<'_, '_, S>, done: &Result<(), Halt>) -> FairAnswer {
    let mut answer = blank(product);
    match done {
        Ok(()) => answer.verdict = Verdict::Holds,
        Err(Halt::Stop(reason)) => {
            answer.stop = Some(*reason);
            answer.samples = product.graph.visited.table.samples();
        }
        Err(Halt::Fault { fault, at }) => {
            if fault.kind == FaultKind::Error {
                answer.verdict = Verdict::Error;
                answer.path = at.and_then(|state| lasso::way_to_state(product.graph, state));
            } else {
                answer.samples = at
                    .map(|s| product.graph.visited.table.get(s))
                    .into_iter()
                    .collect();
            }
            answer.fault = Some(fault.clone());
        }
    }
    answer
}
