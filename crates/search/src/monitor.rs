//! Is a safety property violated? By looking for a bad prefix, breadth first.
//!
//! The property comes as an automaton for its violations, of which every accepting run enters a universal state ([`bad_prefixes`]). So no
//! loop is looked for: the search ends when a position lets the automaton enter such a state, and a shortest path to it is shown.
//!
//! | automaton | what is searched |
//! |---|---|
//! | stays in one state, and reads conditions on states only (`[] !p`) | the system, as it is |
//! | any other | the system with the automaton's state as one more word in front |
//!
//! Either way this is the search of [`safety`](crate::safety), with its several workers and its dives. Under every named notion of
//! fairness each finite path goes on as a fair execution, so that a bad prefix is all it takes; under other constraints it is not, and a
//! caller has more to ask.
//!
//! Time and memory: as for reachability, times the states of the automaton that a state of the system is met with.

use crate::breadth::{Breadth, Look};
use crate::letters::{Atom, Letters, StateAtom, letter_of_state};
use crate::product::waiting_state;
use crate::question::{Answer, as_one_worker_shows};
use crate::safety::{blank, finish, halted};
use crate::window::Window;
use fairhold_logic::{Automaton, Guard, StateIndex};
use fairhold_store::StateId;
use fairhold_system::{
    Changed, EventId, Fault, Fields, Label, Limits, ObjectiveId, Observer, PredicateId, ProcessesId, Stepper,
    Steps, System, Verdict, Word,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The step of a state that has none.
const IDLING: Label = Label {
    event: EventId::IDLE,
    processes: ProcessesId::NONE,
};

/// What one part of a condition that does not hold counts, where distances are guessed.
const UNMET: u32 = 1 << 12;

/// Looks for a path that has a bad prefix: `Fails` with a path, or `Holds`. `universal` tells which states of the automaton accept everything.
///
/// # Panics
/// If there are more than [`MAX_ATOMS`](crate::MAX_ATOMS) different atoms: callers check.
pub fn check_safety<S: System>(
    system: &S,
    automaton: &Automaton,
    universal: &[bool],
    atoms: &[Atom],
    limits: &Limits,
    observer: &dyn Observer,
) -> Answer {
    as_one_worker_shows(limits, |limits| {
        let letters = Letters::new(atoms, &[]);
        let reader = letters.reader(automaton, atoms);
        let conditions = letters.conditions();
        match invariant(&reader, universal, atoms) {
            Some(bad) => {
                let look = Invariant {
                    conditions: &conditions,
                    bad: &bad,
                };
                run(system, look, limits, observer)
            }
            None => {
                let monitored = Monitored::new(system, reader, universal, letters, conditions);
                let look = Entered {
                    monitored: &monitored,
                    states: 0,
                    steps: 0,
                };
                run(&monitored, look, limits, observer)
            }
        }
    })
}

/// The letters that are bad wherever they come, if there are no other bad prefixes.
fn invariant(automaton: &Automaton, universal: &[bool], atoms: &[Atom]) -> Option<Guard> {
    let alone = alone(automaton, universal)?;
    let bad = automaton
        .edges(alone)
        .iter()
        .filter(|edge| universal[edge.target.index()]);
    atoms
        .iter()
        .all(|atom| atom.events().is_none())
        .then(|| bad.fold(Guard::falsum(), |all, edge| all.or(&edge.guard)))
}

/// The one state of the automaton that is not universal, if it goes on from there whatever it reads.
fn alone(automaton: &Automaton, universal: &[bool]) -> Option<StateIndex> {
    let mut others = automaton.indices().filter(|q| !universal[q.index()]);
    let alone = others.next().filter(|alone| automaton.initial == [*alone])?;
    let edges = automaton.edges(alone).iter();
    let complete = edges
        .fold(Guard::falsum(), |all, edge| all.or(&edge.guard))
        .is_true();
    (others.next().is_none() && complete).then_some(alone)
}

/// Searches, and fills in the answer.
fn run<S: System, L: Monitor<S>>(
    system: &S,
    mut look: L,
    limits: &Limits,
    observer: &dyn Observer,
) -> Answer {
    let mut search = Breadth::diving(system, limits, observer);
    let found = match search.run(&mut look) {
        Ok(found) => found,
        Err(halt) => {
            let mut answer = halted(search, halt);
            look.settle(&mut answer);
            return answer;
        }
    };
    let mut answer = blank(if found.is_some() {
        Verdict::Fails
    } else {
        Verdict::Holds
    });
    answer.path = found.map(|id| search.path_to(id));
    let mut answer = finish(&search, answer);
    look.settle(&mut answer);
    answer
}

/// A look that puts an answer about what it looks at into the words of the system asked about.
trait Monitor<S: System>: Look<S, Found = StateId> {
    fn settle(&self, _answer: &mut Answer) {}
}

/// Looks for a bad letter.
#[derive(Clone)]
struct Invariant<'q> {
    conditions: &'q [StateAtom],
    bad: &'q Guard,
}

impl<S: System> Look<S> for Invariant<'_> {
    type Found = StateId;

    fn state(&mut self, _: &S, _: &Window<'_, S>, _: StateId) -> Result<Option<StateId>, Fault> {
        Ok(None)
    }

    #[inline]
    fn target(
        &mut self,
        window: &mut Window<'_, S>,
        i: usize,
        id: StateId,
    ) -> Result<Option<StateId>, Fault> {
        let target = window.now.steps.target(i);
        let letter = letter_of_state(self.conditions, &mut window.stepper, target)?;
        Ok(self.bad.holds(letter).then_some(id))
    }

    fn distance(&mut self, window: &mut Window<'_, S>, state: &[Word]) -> Option<u32> {
        // Of the one condition that most invariants are.
        let ([(condition, bit)], stepper) = (self.conditions, &mut window.stepper) else {
            return None;
        };
        let wanted = self.bad.holds(*bit);
        let mut cost = |predicate: &PredicateId, value: bool| {
            let holds = stepper.holds(*predicate, state).unwrap_or(false);
            match value == wanted {
                true if holds => 0,
                true => stepper.distance(*predicate, state).unwrap_or(UNMET),
                false => u32::from(holds) * UNMET,
            }
        };
        match wanted {
            true => Some(condition.distance(cost)),
            false => Some(condition.distance(|predicate, value| cost(predicate, !value))),
        }
    }

    fn join(&mut self, _: Self) {}
}

impl<S: System> Monitor<S> for Invariant<'_> {}

/// A system beside an automaton that reads its executions: a state is a state of the automaton that has read the letter of the position, and the system's.
struct Monitored<'s, S> {
    system: &'s S,
    automaton: Automaton,
    letters: Letters,
    conditions: Vec<StateAtom>,
    universal: &'s [bool],
    /// A state of the automaton that it can always be in: with it, every state of the system is met once.
    waiting: Option<StateIndex>,
    /// Initial states of the system that were looked at: their letters alone may tell that no bad prefix begins there.
    started: AtomicU64,
}

impl<'s, S: System> Monitored<'s, S> {
    fn new(
        system: &'s S,
        automaton: Automaton,
        universal: &'s [bool],
        letters: Letters,
        conditions: Vec<StateAtom>,
    ) -> Monitored<'s, S> {
        Monitored {
            system,
            waiting: waiting_state(&automaton).or_else(|| alone(&automaton, universal)),
            started: AtomicU64::new(0),
            automaton,
            letters,
            conditions,
            universal,
        }
    }

    /// Tells of the states that the automaton can enter from one by a letter, each once; of one only, if it is universal.
    fn each_entered(&self, q: StateIndex, letter: u64, each: &mut impl FnMut(StateIndex)) {
        let entered = || self.automaton.successors(q, letter).map(|edge| edge.target);
        if let Some(bad) = entered().find(|q| self.universal[q.index()]) {
            return each(bad);
        }
        for (i, q) in entered().enumerate() {
            if !entered().take(i).any(|before| before == q) {
                each(q);
            }
        }
    }
}

impl<S: System> System for Monitored<'_, S> {
    type Stepper<'a>
        = MonitoredStepper<'a, S>
    where
        Self: 'a;

    fn width(&self) -> usize {
        self.system.width() + 1
    }

    fn key_width(&self) -> usize {
        self.system.key_width() + 1
    }

    fn stepper(&self) -> MonitoredStepper<'_, S> {
        MonitoredStepper {
            monitored: self,
            stepper: self.system.stepper(),
            steps: Steps::new(self.system.width()),
        }
    }

    fn event_name(&self, event: EventId) -> String {
        self.system.event_name(event)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        self.system.processes(set)
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.system.is_ended(&state[1..])
    }

    fn fields(&self, state: &[Word]) -> Fields {
        self.system.fields(&state[1..])
    }
}

/// Steps of a [`Monitored`] system.
struct MonitoredStepper<'a, S: System + 'a> {
    monitored: &'a Monitored<'a, S>,
    stepper: S::Stepper<'a>,
    /// The system's steps from the state at hand.
    steps: Steps,
}

impl<S: System> MonitoredStepper<'_, S> {
    /// Appends, for each of the system's steps, one for every state that the automaton can enter.
    fn append(&mut self, from: &[StateIndex], initial: bool, out: &mut Steps) -> Result<(), Fault> {
        let MonitoredStepper {
            monitored,
            stepper,
            steps,
        } = self;
        for (i, (label, target)) in steps.iter().enumerate() {
            let mut letter = letter_of_state(&monitored.conditions, stepper, target)?;
            if !initial {
                letter |= monitored.letters.event(label.event);
            }
            // The system's words come one later here.
            let changed = steps.changed(i).one_later() | Changed::word(0);
            for &q in from {
                monitored.each_entered(q, letter, &mut |entered| {
                    out.push_after(label, entered.0, target, changed);
                });
            }
        }
        Ok(())
    }
}

impl<S: System> Stepper for MonitoredStepper<'_, S> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let mut cursor = Some(0);
        while let Some(from) = cursor {
            cursor = self.initial_from(from, out)?;
        }
        Ok(())
    }

    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        self.steps.clear();
        let next = self.stepper.initial_from(cursor, &mut self.steps)?;
        let monitored = self.monitored;
        // A search that begins anew asks from the first one on again. Relaxed: it is read when the search is over.
        let before = if cursor == 0 {
            0
        } else {
            monitored.started.load(Relaxed)
        };
        monitored.started.store(before + self.steps.len() as u64, Relaxed);
        self.append(&monitored.automaton.initial, true, out)?;
        Ok(next)
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        self.steps.clear();
        self.stepper.steps(&state[1..], &mut self.steps)?;
        if self.steps.is_empty() {
            // Executions idle where there are no steps, and the automaton reads on.
            self.steps.push(IDLING, &state[1..]);
        }
        self.append(&[StateIndex(state[0])], false, out)
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        self.stepper.holds(predicate, &state[1..])
    }

    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        self.stepper.measure(objective, &state[1..])
    }

    fn bytes(&self) -> u64 {
        self.stepper.bytes()
    }
}

/// Looks for a universal state of the automaton.
struct Entered<'m, 's, S> {
    monitored: &'m Monitored<'s, S>,
    /// States of the system met with the waiting automaton, and steps between them.
    states: u64,
    steps: u64,
}

/// A clone has counted nothing yet: it is for a round, and joined after it.
impl<S> Clone for Entered<'_, '_, S> {
    fn clone(&self) -> Self {
        Entered {
            monitored: self.monitored,
            states: 0,
            steps: 0,
        }
    }
}

impl<'s, S: System> Look<Monitored<'s, S>> for Entered<'_, 's, S> {
    type Found = StateId;

    fn state(
        &mut self,
        _: &Monitored<'s, S>,
        _: &Window<'_, Monitored<'s, S>>,
        _: StateId,
    ) -> Result<Option<StateId>, Fault> {
        Ok(None)
    }

    fn target(
        &mut self,
        window: &mut Window<'_, Monitored<'s, S>>,
        i: usize,
        id: StateId,
    ) -> Result<Option<StateId>, Fault> {
        let q = StateIndex(window.now.steps.target(i)[0]);
        self.states += u64::from(self.monitored.waiting == Some(q));
        Ok(self.monitored.universal[q.index()].then_some(id))
    }

    fn expanded(&mut self, window: &mut Window<'_, Monitored<'s, S>>, _: StateId) -> Result<(), Fault> {
        let now = &window.now;
        let waiting = self.monitored.waiting.map(|q| q.0);
        let counts = |target: &[Word]| waiting.is_none_or(|q| q == now.state[0] && q == target[0]);
        let steps = now.steps.iter();
        let counted = steps.filter(|(label, target)| *label != IDLING && counts(target));
        self.steps += counted.count() as u64;
        Ok(())
    }

    fn join(&mut self, other: Self) {
        self.states += other.states;
        self.steps += other.steps;
    }
}

impl<'s, S: System> Monitor<Monitored<'s, S>> for Entered<'_, 's, S> {
    fn settle(&self, answer: &mut Answer) {
        if self.monitored.waiting.is_some() {
            answer.statistics.states = self.states;
        }
        answer.statistics.steps = self.steps;
        let started = self.monitored.started.load(Relaxed);
        answer.statistics.states = answer.statistics.states.max(started);
        let strip = |states: &mut Vec<Vec<Word>>| {
            states.iter_mut().for_each(|state| drop(state.drain(..1)));
        };
        if let Some(path) = &mut answer.path {
            strip(&mut path.states);
            // Who idles once idles for good: that is a loop.
            if let Some(idle) = path.labels.iter().position(|label| *label == IDLING) {
                path.labels.truncate(idle + 1);
                path.states.truncate(idle + 2);
                path.loop_from = Some(idle);
            }
        }
        strip(&mut answer.samples);
    }
}
