//! Small random systems and automata.

use fairhold_logic::{Acceptance, Automaton, Cube, Edge, Guard, MarkId, MarkSet, State, StateIndex};
use fairhold_search::Atom;
use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, Path, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};
use fairhold_testkit::Rng;

/// A system given by its graph. Process sets are numbers whose bits are the members.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub(crate) initial: Vec<usize>,
    /// By state: label and target.
    pub(crate) steps: Vec<Vec<(Label, usize)>>,
    /// By state: which of two predicates hold, a bit each.
    pub(crate) letters: Vec<u64>,
    /// By state: events ready beside the enabled ones.
    pub(crate) ready: Vec<Vec<EventId>>,
}

/// The automaton's atoms: two predicates and an event.
pub(crate) fn atoms() -> Vec<Atom> {
    vec![
        Atom::State(PredicateId(0)),
        Atom::State(PredicateId(1)),
        Atom::Event(EventId(2)),
    ]
}

impl Small {
    /// The steps of a state, with idling where there are none.
    pub(crate) fn all_steps(&self, state: usize) -> Vec<(Label, usize)> {
        let idle = Label {
            event: EventId::IDLE,
            processes: ProcessesId::NONE,
        };
        match self.steps[state].as_slice() {
            [] => vec![(idle, state)],
            steps => steps.to_vec(),
        }
    }

    pub(crate) fn has_step(&self, from: usize, label: Label, to: usize) -> bool {
        self.all_steps(from).contains(&(label, to))
    }

    pub(crate) fn is_ready(&self, state: usize, event: EventId) -> bool {
        self.ready[state].contains(&event) || self.is_enabled(state, event)
    }

    pub(crate) fn is_enabled(&self, state: usize, event: EventId) -> bool {
        self.steps[state].iter().any(|(label, _)| label.event == event)
    }

    pub(crate) fn is_process_enabled(&self, state: usize, process: u32) -> bool {
        self.steps[state]
            .iter()
            .any(|(label, _)| takes_part(*label, process))
    }
}

pub(crate) fn takes_part(label: Label, process: u32) -> bool {
    label.processes.0 >> process & 1 == 1
}

impl System for Small {
    type Stepper<'a> = &'a Small;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &Small {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        (0..2).filter(|p| set.0 >> p & 1 == 1).collect()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for &Small {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        for &state in &self.initial {
            out.push(label, &[state as Word]);
        }
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for (label, target) in &self.steps[state[0] as usize] {
            out.push(*label, &[*target as Word]);
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        let state = state[0] as usize;
        out.extend((1..4).map(EventId).filter(|&e| self.is_ready(state, e)));
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.letters[state[0] as usize] >> predicate.0 & 1 == 1)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

/// Up to five states, up to nine steps, four events (0 is `tau`), two processes.
pub(crate) fn random_system(rng: &mut Rng) -> Small {
    let states = 2 + rng.below(4);
    let mut system = Small {
        initial: vec![rng.below(states)],
        steps: vec![Vec::new(); states],
        letters: (0..states).map(|_| rng.below(4) as u64).collect(),
        ready: (0..states)
            .map(|_| (1..4).filter(|_| rng.chance(1, 5)).map(EventId).collect())
            .collect(),
    };
    for _ in 0..states + rng.below(states) {
        let event = match rng.below(4) {
            // 1 is `terminate`, an ordinary event for fairness.
            0 => EventId::TAU,
            n => EventId(n as u32),
        };
        let label = Label {
            event,
            processes: ProcessesId(1 + rng.below(3) as u32),
        };
        let step = (label, rng.below(states));
        let from = rng.below(states);
        if !system.steps[from].contains(&step) {
            system.steps[from].push(step);
        }
    }
    system
}

pub(crate) fn random_acceptance(rng: &mut Rng, marks: u32, depth: usize) -> Acceptance {
    if depth == 0 || rng.chance(1, 3) {
        let mark = MarkId(rng.below(marks as usize) as u32);
        return if rng.chance(1, 2) {
            Acceptance::Inf(mark)
        } else {
            Acceptance::Fin(mark)
        };
    }
    let parts: Vec<_> = (0..2).map(|_| random_acceptance(rng, marks, depth - 1)).collect();
    if rng.chance(1, 2) {
        Acceptance::and(parts)
    } else {
        Acceptance::or(parts)
    }
}

/// Up to three states over three atoms, up to two marks, any acceptance.
pub(crate) fn random_automaton(rng: &mut Rng) -> Automaton {
    let states = 1 + rng.below(3);
    let mut automaton = Automaton {
        atoms: vec!["p".into(), "q".into(), "e".into()],
        states: vec![State { edges: Vec::new() }; states],
        initial: vec![StateIndex(0)],
        acceptance: random_acceptance(rng, 2, 2),
        marks: 2,
    };
    for from in 0..states {
        for _ in 0..1 + rng.below(2) {
            let mut cube = Cube::TRUE;
            for atom in 0..3 {
                if rng.chance(1, 8) {
                    cube = cube
                        .and(Cube::literal(atom, rng.chance(1, 2)))
                        .expect("each atom once");
                }
            }
            let marks = MarkSet(rng.below(4) as u64);
            let target = StateIndex(rng.below(states) as u32);
            let guard = Guard::from(cube);
            automaton.states[from].edges.push(Edge { guard, marks, target });
        }
    }
    automaton
}

/// A system whose one execution is a lasso of another.
pub(crate) fn lasso_of(system: &Small, path: &Path) -> Small {
    let start = path.loop_from.expect("a lasso");
    let last = path.labels.len();
    let number = |i: usize| path.states[i][0] as usize;
    let next = |i: usize| if i + 1 == last { start } else { i + 1 };
    Small {
        initial: vec![0],
        steps: (0..last).map(|i| vec![(path.labels[i], next(i))]).collect(),
        letters: (0..last).map(|i| system.letters[number(i)]).collect(),
        ready: vec![Vec::new(); last],
    }
}
