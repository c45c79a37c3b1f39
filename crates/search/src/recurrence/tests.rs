//! Small random graphs, by what can still happen and by the search for loops.

use super::*;
use crate::drawn::Drawn;
use fairhold_logic::{Ltl, parse, translate};
use fairhold_source::FileId;
use fairhold_system::{PredicateId, Silent};
use fairhold_testkit::Rng;

/// Sparse, with ways that lead on rather than back, so that there are several terminal components.
fn graph(rng: &mut Rng) -> Drawn {
    let states = 1 + rng.below(40) as u32;
    let near = 2 + rng.below(12) as u32;
    let step = |rng: &mut Rng, from: u32| {
        let reach = near.min(states);
        let to = match rng.below(10) {
            0 => rng.below(states as usize) as u32,
            1..5 => from - from % reach,
            _ => (from + rng.below(reach as usize) as u32).min(states - 1),
        };
        (2 + rng.below(4) as u32, 0, to)
    };
    let (fan, end) = (1 + rng.below(4), 2 + rng.below(60));
    let drawn = (0..states).map(|from| {
        let count = if rng.below(end) == 0 {
            0
        } else {
            1 + rng.below(fan)
        };
        (rng.below(4) as u32, (0..count).map(|_| step(rng, from)).collect())
    });
    let listed = drawn.collect();
    Drawn {
        states: listed,
        initial: (0..states.min(1 + rng.below(3) as u32)).collect(),
    }
}

fn global() -> Fairness {
    Fairness {
        global: true,
        ..Fairness::none()
    }
}

/// Makes a question of a formula, whose atoms have these meanings by number, and asks it.
fn ask<R>(formula: &Ltl, atom: fn(u32) -> Atom, with: impl FnOnce(&FairQuestion<'_>) -> R) -> R {
    let wanted = translate(&Ltl::Not(Box::new(formula.clone())), &|atom| format!("{atom:?}"));
    let wanted = wanted.expect("a small formula");
    let atoms: Vec<Atom> = (0..wanted.atoms.len() as u32).map(atom).collect();
    with(&FairQuestion {
        automaton: &wanted.automaton,
        atoms: &atoms,
        constraints: &[global()],
        recurrent: true,
    })
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
    parsed(&text)
}

fn parsed(text: &str) -> Ltl {
    let formula = parse(FileId(0), text).formula.expect("a formula");
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
    let possible = |&(from, event, to): &(u32, u32, u32)| match &system.states[from as usize].1[..] {
        [] => event == EventId::IDLE.0 && from == to,
        listed => listed.contains(&(event, 0, to)),
    };
    let round = &steps[from..];
    let all_taken = round.iter().all(|&(at, ..)| {
        let mut listed = system.states[at as usize].1.iter();
        listed.all(|&(event, _, to)| round.contains(&(at, event, to)))
    });
    system.initial.contains(&state(0))
        && steps.iter().all(possible)
        && state(path.labels.len()) == state(from)
        && all_taken
}

#[test]
fn what_can_still_happen_decides_as_fair_loops_do() {
    let mut rng = Rng::new(7);
    let (mut fails, mut ends, mut large, mut states) = (0, 0, 0, 0);
    const CASES: usize = 4_000;
    for case in 0..CASES {
        let system = graph(&mut rng);
        let formula = formula(&mut rng);
        let atom: fn(u32) -> Atom = match rng.below(2) {
            0 => |i| Atom::Event(EventId(2 + i)),
            _ => |i| Atom::State(PredicateId(i)),
        };
        let loops = ask(&formula, atom, |question| {
            check_alone(&system, question, &Limits::default(), &Silent)
        });
        for threads in [1, 3] {
            let limits = Limits {
                threads,
                ..Limits::default()
            };
            let answer = ask(&formula, atom, |question| {
                check_recurrence(&system, question, &limits, &Silent)
            });
            let answer = answer.expect("there are few letters");
            assert_eq!(answer.verdict, loops.verdict, "case {case}");
            match &answer.path {
                Some(path) => assert!(is_fair_run(&system, path), "case {case}: {path:?}"),
                None => assert!(answer.statistics.states >= loops.statistics.states, "case {case}"),
            }
        }
        states += system.states.len();
        fails += usize::from(loops.verdict == Verdict::Fails);
        ends += usize::from(system.states.iter().any(|(_, steps)| steps.is_empty()));
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
        states: (0..states)
            .map(|s| (0, vec![(2 + s, 0, (s + 1) % states)]))
            .collect(),
        initial: vec![0],
    };
    let often = (0..16).map(|i| format!("[]<> e{i}")).collect::<Vec<_>>();
    for (atoms, decided) in [(14, true), (16, false)] {
        let formula = parsed(&often[..atoms].join(" && "));
        let answer = ask(
            &formula,
            |i| Atom::Event(EventId(2 + i)),
            |question| check_recurrence(&system, question, &Limits::default(), &Silent),
        );
        assert_eq!(answer.is_some(), decided);
        assert!(answer.is_none_or(|answer| answer.verdict == Verdict::Holds));
    }
}
