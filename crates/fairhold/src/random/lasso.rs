//! Formulas of linear time, and automata, asked of random walks.
//!
//! A walk that comes back to a state has closed a loop. Along with the walk goes the set of states in which the
//! automaton of the violations may be, as in a subset construction: from that set on, the loop alone says whether going
//! round it forever violates the formula. So the steps before it can be cut short, as long as state and set stay the
//! same, and a loop is tried without a look at what came before.
//!
//! Two kinds of loops are tried. The loop that is closed by the last step is short, which is enough where nothing is
//! owed; as many are tried as the walk has steps to pay for, one for each step of a loop. Where the walk is twice as
//! long as at the last try, and at its end, the widest loop is tried: it owes least. Where a constraint is in force, a
//! loop that owes something under a named notion is left alone, and of the others the judge says whether they are fair; it
//! is asked a limited number of times a walk.
//!
//! Where there are no steps, the walk idles, and that is the only loop.

use super::Errand;
use super::hunt::{Halt, Hunter, Next, Tally, hunt};
use super::owed::Owed;
use super::trail::{Trail, shortest};
use crate::check::verdict_of;
use crate::constraint::{Conjunct, conjuncts};
use crate::front::FrontEnd;
use crate::live::{asked, endless, judge, keep, show};
use crate::load::Model;
use crate::reason;
use crate::report::CheckResult;
use crate::shorten::shorten;
use crate::simulate::wander::Wanderer;
use fairhold_logic::{Automaton, StateIndex, Word as Lasso};
use fairhold_search::Atom;
use fairhold_system::{EventId, Fault, Label, Path, ProcessesId, Steps, System, Verdict, Word};
use fairhold_trace::Run;
use std::collections::HashMap;

/// Longer loops are not tried: the judge would take longer than many walks.
const WIDEST: usize = 10_000;
/// How often the judge is asked in a walk whether a loop is fair.
const PATIENCE: u32 = 32;
/// What a try costs at least, in steps of a loop.
const LEAST_COST: usize = 16;

impl Model {
    /// Looks for violations of one formula, fair under the constraint of each task.
    pub(super) fn walk_for_lassos<F: FrontEnd>(
        &self,
        front: &F,
        errand: Errand<'_>,
        results: &mut [CheckResult],
    ) {
        let index = errand.index();
        let Some((system, annotated)) = self.prepare(front, index, keep(errand.tasks), results) else {
            return;
        };
        let endless = endless(self.ends(errand.options));
        let conjuncts: Vec<Vec<Conjunct>> = errand
            .tasks
            .iter()
            .map(|task| {
                let asked = conjuncts(front, index, asked(task), &annotated);
                asked.into_iter().chain(endless.clone()).collect()
            })
            .collect();
        let said = front.temporal(index);
        let violations = match said.violations(&|atom| front.atom_name(index, atom)) {
            Ok(violations) => violations,
            Err(why) => {
                results.iter_mut().for_each(|r| r.reason = Some(why.clone()));
                return;
            }
        };
        let atoms = violations.atoms.iter().map(|&a| front.atom(&system, index, a));
        let mut reading = Reading::new(violations.automaton, atoms.collect());
        let mut trail = Trail::default();
        let (halt, tally) = {
            let mut looking = Looking {
                front,
                system: &system,
                index,
                conjuncts: &conjuncts,
                open: (0..results.len()).collect(),
                results,
                reading: &mut reading,
                credit: 0,
                patience: PATIENCE,
            };
            hunt(front, &system, errand, &mut looking, &mut trail)
        };
        let open = results.iter_mut().zip(&conjuncts);
        for (result, conjuncts) in open {
            tally.fill(result);
            if result.verdict == Verdict::Unknown && result.bug.is_none() {
                self.leave_open(front, &system, errand, conjuncts, (&halt, &tally), &trail, result);
            }
        }
    }

    /// Says why a task is not decided; if the model has gone wrong, shows the way there.
    #[allow(clippy::too_many_arguments, reason = "all of what a walk was about")]
    fn leave_open<F: FrontEnd>(
        &self,
        front: &F,
        system: &F::System,
        errand: Errand<'_>,
        conjuncts: &[Conjunct],
        (halt, tally): (&Halt, &Tally),
        trail: &Trail,
        result: &mut CheckResult,
    ) {
        tally.undecided(&self.map, errand, halt, result);
        let Halt::Wrong(fault) = halt else { return };
        if verdict_of(fault) != Verdict::Error || trail.count() == 0 {
            return;
        }
        let path = system.lift(trail.path(shortest(trail.numbers(), trail.end())));
        let run = Run::new(system, &path);
        let guide = |words: &[Word]| front.judged_state(system, words);
        show(
            front,
            errand.index(),
            conjuncts,
            Verdict::Error,
            &run,
            &guide,
            result,
        );
        result.reason = result
            .reason
            .take()
            .or_else(|| Some(reason::fault(&self.map, fault)));
    }
}

/// The automaton of the violations along a walk.
struct Reading {
    automaton: Automaton,
    atoms: Vec<Atom>,
    /// The sets of states that were met, by number, and their numbers.
    sets: Vec<Vec<StateIndex>>,
    numbers: HashMap<Vec<StateIndex>, u32>,
    /// The set after another and a letter.
    after: HashMap<(u32, u64), u32>,
    /// By the number of a state in the trail: which predicates hold there.
    state_bits: Vec<u64>,
    /// By position: what is read there, the set after it, and the node, which is state and set.
    letters: Vec<u64>,
    set_at: Vec<u32>,
    nodes: Vec<u32>,
    node_numbers: HashMap<(u32, u32), u32>,
}

impl Reading {
    fn new(automaton: Automaton, atoms: Vec<Atom>) -> Reading {
        let mut reading = Reading {
            sets: Vec::new(),
            numbers: HashMap::new(),
            after: HashMap::new(),
            state_bits: Vec::new(),
            letters: Vec::new(),
            set_at: Vec::new(),
            nodes: Vec::new(),
            node_numbers: HashMap::new(),
            atoms,
            automaton,
        };
        let initial = reading.automaton.initial.clone();
        let first = reading.number(initial);
        debug_assert_eq!(first, 0, "set 0 is where the automaton starts");
        reading
    }

    fn number(&mut self, mut set: Vec<StateIndex>) -> u32 {
        set.sort_unstable();
        set.dedup();
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// Forgets the walk before.
    fn restart(&mut self) {
        self.state_bits.clear();
        self.letters.clear();
        self.set_at.clear();
        self.nodes.clear();
        self.node_numbers.clear();
    }

    /// Reads the position where the walk has arrived. Returns whether a violation is still possible.
    fn read<F: FrontEnd>(&mut self, walk: &mut Wanderer<'_, F>, trail: &Trail) -> Result<bool, Fault> {
        let at = trail.end();
        let state = trail.number(at);
        if state as usize == self.state_bits.len() {
            let mut bits = 0;
            for (i, atom) in self.atoms.iter().enumerate() {
                if let Atom::State(predicate) = atom {
                    bits |= u64::from(walk.holds(*predicate)?) << i;
                }
            }
            self.state_bits.push(bits);
        }
        let mut letter = self.state_bits[state as usize];
        if at > 0 {
            let event = trail.label(at - 1).event;
            for (i, atom) in self.atoms.iter().enumerate() {
                letter |= u64::from(*atom == Atom::Event(event)) << i;
            }
        }
        let before = self.set_at.last().copied().unwrap_or(0);
        let set = self.next(before, letter);
        let fresh = self.node_numbers.len() as u32;
        let node = *self.node_numbers.entry((state, set)).or_insert(fresh);
        self.letters.push(letter);
        self.set_at.push(set);
        self.nodes.push(node);
        Ok(!self.sets[set as usize].is_empty())
    }

    fn next(&mut self, set: u32, letter: u64) -> u32 {
        if let Some(&known) = self.after.get(&(set, letter)) {
            return known;
        }
        let from = &self.sets[set as usize];
        let edges = from.iter().flat_map(|&s| self.automaton.successors(s, letter));
        let targets: Vec<StateIndex> = edges.map(|edge| edge.target).collect();
        let next = self.number(targets);
        self.after.insert((set, letter), next);
        next
    }

    /// Whether it is a violation to read these letters forever after the position.
    fn violates(&mut self, at: usize, cycle: Vec<u64>) -> bool {
        let set = &self.sets[self.set_at[at] as usize];
        self.automaton.initial.clone_from(set);
        let prefix = Vec::new();
        Lasso { prefix, cycle }.is_accepted(&self.automaton)
    }
}

/// Looks for loops that violate the formula and are fair.
struct Looking<'a, F: FrontEnd> {
    front: &'a F,
    system: &'a F::System,
    index: usize,
    /// By task.
    conjuncts: &'a [Vec<Conjunct>],
    results: &'a mut [CheckResult],
    /// The tasks that are not decided.
    open: Vec<usize>,
    reading: &'a mut Reading,
    /// How many steps of loops may be looked at.
    credit: usize,
    /// How often the judge may still be asked in this walk.
    patience: u32,
}

impl<F: FrontEnd> Looking<'_, F> {
    /// Tries the loop between two positions with the same state.
    fn try_loop(&mut self, trail: &Trail, from: usize, to: usize) -> Next {
        let cycle = self.reading.letters[from + 1..=to].to_vec();
        if !self.reading.violates(from, cycle) {
            return Next::On;
        }
        // Before the way there is looked for, which takes as long as the walk is.
        let paying = self.paying(&trail.cycle(from, to));
        if paying.is_empty() {
            return Next::On;
        }
        let steps = shortest(&self.reading.nodes, from);
        let path = Path {
            loop_from: Some(steps.len()),
            ..trail.path(steps.into_iter().chain(from..to))
        };
        self.try_path(&path, &paying)
    }

    /// Tries to idle where there are no steps.
    fn try_idling(&mut self, trail: &Trail) -> Next {
        let end = trail.end();
        let idle = self.reading.state_bits[trail.number(end) as usize];
        if !self.reading.violates(end, vec![idle]) {
            return Next::On;
        }
        let mut path = trail.path(shortest(&self.reading.nodes, end));
        path.loop_from = Some(path.labels.len());
        path.labels.push(Label {
            event: EventId::IDLE,
            processes: ProcessesId::NONE,
        });
        path.states.extend(path.states.last().cloned());
        let paying = self.paying(&path);
        self.try_path(&path, &paying)
    }

    /// The open tasks under whose named notions the loop of a path owes nothing.
    fn paying(&self, path: &Path) -> Vec<usize> {
        // Where the model says itself who is enabled, having a step is something else.
        let owed = match self.front.enabledness() {
            None => Owed::of(self.system, path),
            Some(_) => None,
        };
        let pays = |conjunct: &Conjunct| match (conjunct, &owed) {
            (Conjunct::Notion(notion), Some(owed)) => owed.allows(*notion),
            _ => true,
        };
        let open = self.open.iter().copied();
        open.filter(|&task| self.conjuncts[task].iter().all(pays))
            .collect()
    }

    /// Of these open tasks, decides those under whose constraint a path is fair that violates the formula.
    fn try_path(&mut self, path: &Path, paying: &[usize]) -> Next {
        let (front, system, index) = (self.front, self.system, self.index);
        let guide = |words: &[Word]| front.judged_state(system, words);
        self.open.retain(|task| !paying.contains(task));
        for &task in paying {
            let conjuncts = &self.conjuncts[task];
            let good = |path: &Path| {
                let run = Run::new(system, &system.lift(path.clone()));
                judge(front, index, conjuncts, Verdict::Fails, &run, &guide).is_ok()
            };
            // Where nothing is owed every loop is fair, and a judge who disagrees has found a fault of ours: that is shown.
            if !conjuncts.is_empty() {
                let is_asked = self.patience > 0;
                self.patience = self.patience.saturating_sub(1);
                if !is_asked || !good(path) {
                    self.open.push(task);
                    continue;
                }
            }
            let run = Run::new(system, &system.lift(shorten(path.clone(), &good)));
            let result = &mut self.results[task];
            result.verdict = Verdict::Fails;
            show(front, index, conjuncts, Verdict::Fails, &run, &guide, result);
        }
        match self.open.is_empty() {
            true => Next::Done,
            false => Next::On,
        }
    }

    fn try_widest(&mut self, trail: &Trail) -> Next {
        match trail.widest(WIDEST) {
            Some((from, to)) => self.try_loop(trail, from, to),
            None => Next::On,
        }
    }
}

impl<F: FrontEnd> Hunter<F> for Looking<'_, F> {
    fn arrive(
        &mut self,
        walk: &mut Wanderer<'_, F>,
        trail: &Trail,
        before: Option<usize>,
    ) -> Result<Next, Fault> {
        let end = trail.end();
        if end == 0 {
            self.reading.restart();
            (self.credit, self.patience) = (0, PATIENCE);
        }
        if !self.reading.read(walk, trail)? {
            return Ok(Next::Leave);
        }
        self.credit += 1;
        if let Some(from) = before {
            let cost = LEAST_COST.max(end - from);
            if cost <= self.credit.min(WIDEST) {
                self.credit -= cost;
                if self.try_loop(trail, from, end) == Next::Done {
                    return Ok(Next::Done);
                }
            }
        }
        Ok(match end.is_power_of_two() {
            true => self.try_widest(trail),
            false => Next::On,
        })
    }

    fn look(&mut self, _: &F::System, steps: &Steps, _: &[Word], trail: &Trail) -> Next {
        match steps.is_empty() {
            true => self.try_idling(trail),
            false => Next::On,
        }
    }

    fn over(&mut self, trail: &Trail) -> Next {
        self.try_widest(trail)
    }
}
