//! Small random graphs, by what can still happen and by the search for loops.

use super::*;
use fairhold_logic::{Ltl, parse, translate};
use fairhold_source::FileId;
use fairhold_system::{Fields, ObjectiveId, Silent, Steps, Word};
use fairhold_testkit::Rng;

/// A graph that is written down.
struct Drawn {
    /// Events and targets.
    steps: Vec<Vec<(u32, u32)>>,
    /// A bit for each predicate.
    holds: Vec<u32>,
    initial: u32,
}

impl Drawn {
    /// Sparse, with ways that lead on rather than back, so that there are several terminal components.
    fn random(rng: &mut Rng) -> Drawn {
        let states = 1 + rng.below(40) as u32;
        let near = 2 + rng.below(12) as u32;
        let step = |rng: &mut Rng, from: u32| {
            let reach = near.min(states);
            let to = match rng.below(10) {
                0 => rng.below(states as usize) as u32,
                1..5 => from - from % reach,
                _ => (from + rng.below(reach as usize) as u32).min(states - 1),
            };
            (2 + rng.below(4) as u32, to)
        };
        let (fan, end) = (1 + rng.below(4), 2 + rng.below(60));
        let drawn = (0..states).map(|from| {
            let count = if rng.below(end) == 0 {
                0
            } else {
                1 + rng.below(fan)
            };
            (0..count).map(|_| step(rng, from)).collect()
        });
        let steps: Vec<Vec<(u32, u32)>> = drawn.collect();
        let holds = (0..states).map(|_| rng.below(4) as u32).collect();
        Drawn {
            steps,
            holds,
            initial: 1 + rng.below(3) as u32,
        }
    }
}

impl System for Drawn {
    type Stepper<'a> = &'a Drawn;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &Drawn {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        event.0.to_string()
    }

    fn processes(&self, _: ProcessesId) -> Vec<u32> {
        Vec::new()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for &Drawn {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let last = self.steps.len() as u32 - 1;
        (0..self.initial).for_each(|state| {
            out.push(label(0), &[state.min(last)]);
        });
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for &(event, target) in &self.steps[state[0] as usize] {
            out.push(label(event), &[target]);
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.holds[state[0] as usize] & 1 << predicate.0 != 0)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

fn label(event: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId::NONE,
    }
}

/// A formula about what happens infinitely often, over two atoms.
fn formula(rng: &mut Rng) -> Ltl {
    let timeless = ["p", "q", "!p", "p && q", "p || q", "p -> q", "!p && !q"];
    let mut part = || {
        let inner = timeless[rng.below(timeless.len())];
        let outer = ["[]<>", "<>[]"][rng.below(2)];
        format!("{outer}({inner})")
    };
    let (one, other) = (part(), part());
    let text = match rng.below(4) {
        0 => format!("{one} && {other}"),
        1 => format!("{one} -> {other}"),
        2 => format!("{one} || {other}"),
        _ => one,
    };
    let parsed = parse(FileId(0), &text);
    let formula = parsed.formula.expect("a formula");
    assert!(formula.is_recurrence());
    formula
}

/// Whether a path is a run of the system that ends in a loop which takes every step of its states.
fn is_fair_run(system: &Drawn, path: &Path) -> bool {
    let from = path.loop_from.expect("a lasso");
    let state = |i: usize| path.states[i][0];
    let steps: Vec<(u32, u32, u32)> = path
        .labels
        .iter()
        .enumerate()
        .map(|(i, label)| (state(i), label.event.0, state(i + 1)))
        .collect();
    let possible = |&(from, event, to): &(u32, u32, u32)| match &system.steps[from as usize][..] {
        [] => event == EventId::IDLE.0 && from == to,
        listed => listed.contains(&(event, to)),
    };
    let round = &steps[from..];
    let all_taken = round.iter().all(|&(at, ..)| {
        let mut listed = system.steps[at as usize].iter();
        listed.all(|&(event, to)| round.contains(&(at, event, to)))
    });
    state(0) < system.initial
        && steps.iter().all(possible)
        && state(path.labels.len()) == state(from)
        && all_taken
}

#[test]
fn what_can_still_happen_decides_as_fair_loops_do() {
    let global = Fairness {
        global: true,
        ..Fairness::none()
    };
    let mut rng = Rng::new(7);
    let (mut fails, mut ends, mut large, mut states) = (0, 0, 0, 0);
    const CASES: usize = 4_000;
    for case in 0..CASES {
        let system = Drawn::random(&mut rng);
        let formula = formula(&mut rng);
        let wanted = translate(&Ltl::Not(Box::new(formula)), &|atom| format!("{atom:?}"));
        let wanted = wanted.expect("a small formula");
        let by_events = rng.below(2) == 0;
        let atoms: Vec<Atom> = (0..wanted.atoms.len() as u32)
            .map(|i| match by_events {
                true => Atom::Event(EventId(2 + i)),
                false => Atom::State(PredicateId(i)),
            })
            .collect();
        let question = FairQuestion {
            automaton: &wanted.automaton,
            atoms: &atoms,
            constraints: std::slice::from_ref(&global),
            recurrent: true,
        };
        let loops = check_alone(&system, &question, &Limits::default(), &Silent);
        for threads in [1, 3] {
            let limits = Limits {
                threads,
                ..Limits::default()
            };
            let answer = check_recurrence(&system, &question, &limits, &Silent);
            let answer = answer.expect("there are few letters");
            assert_eq!(answer.verdict, loops.verdict, "case {case}");
            match &answer.path {
                Some(path) => assert!(is_fair_run(&system, path), "case {case}: {path:?}"),
                None => assert!(answer.statistics.states >= loops.statistics.states, "case {case}"),
            }
        }
        states += system.steps.len();
        fails += usize::from(loops.verdict == Verdict::Fails);
        ends += usize::from(system.steps.iter().any(Vec::is_empty));
        large += usize::from(loops.statistics.states > 10);
    }
    println!(
        "{CASES} cases, {} states on average, {fails} fail, {ends} with an end, {large} with more than 10 states searched",
        states / CASES
    );
    assert!(fails > CASES / 5 && fails < 4 * CASES / 5 && large > CASES / 20);
}

#[test]
fn more_letters_than_a_set_has_room_for_are_left_to_others() {
    let states = 20;
    let system = Drawn {
        steps: (0..states).map(|s| vec![(2 + s, (s + 1) % states)]).collect(),
        holds: vec![0; states as usize],
        initial: 1,
    };
    let global = Fairness {
        global: true,
        ..Fairness::none()
    };
    let formula = (0..16).map(|i| format!("[]<> e{i}")).collect::<Vec<_>>();
    for (atoms, decided) in [(14, true), (16, false)] {
        let parsed = parse(FileId(0), &format!("!({})", formula[..atoms].join(" && ")));
        let wanted = translate(&parsed.formula.expect("a formula"), &|atom| format!("{atom:?}"));
        let wanted = wanted.expect("one mark an atom");
        let atoms: Vec<Atom> = (0..wanted.atoms.len() as u32)
            .map(|i| Atom::Event(EventId(2 + i)))
            .collect();
        let question = FairQuestion {
            automaton: &wanted.automaton,
            atoms: &atoms,
            constraints: std::slice::from_ref(&global),
            recurrent: true,
        };
        let answer = check_recurrence(&system, &question, &Limits::default(), &Silent);
        assert_eq!(answer.is_some(), decided);
        assert!(answer.is_none_or(|answer| answer.verdict == Verdict::Holds));
    }
}
