//! Complements against the definition, on random automata, formulas and words: of an automaton and its complement exactly one accepts a word.

mod common;

use common::{random_formula, random_word};
use fairhold_logic::{
    Acceptance, Automaton, Cube, Edge, Ltl, MarkId, MarkSet, State, StateIndex, TooLarge, Word, complement,
    parse, read_hoa, translate,
};
use fairhold_source::FileId;
use fairhold_testkit::{Rng, cases};

const ATOMS: u32 = 2;
const WORDS: usize = 40;

/// A judge that tries every set of marks a loop may avoid is too slow for more of them.
const MANY_MARKS: u32 = 24;

fn random_condition(rng: &mut Rng, marks: u32, depth: usize) -> Acceptance {
    if depth == 0 || rng.chance(1, 4) {
        let mark = MarkId(rng.below(marks as usize) as u32);
        return match rng.below(9) {
            0 => Acceptance::True,
            1..5 => Acceptance::Inf(mark),
            _ => Acceptance::Fin(mark),
        };
    }
    let parts = [0; 2].map(|_| random_condition(rng, marks, depth - 1));
    match rng.below(2) {
        0 => Acceptance::and(parts),
        _ => Acceptance::or(parts),
    }
}

/// A random automaton of few states with `density` edges a state on average.
fn random_automaton(
    rng: &mut Rng,
    states: usize,
    density: usize,
    acceptance: Acceptance,
    marks: u32,
) -> Automaton {
    let edge = |rng: &mut Rng| {
        let mut guard = Cube::TRUE;
        for atom in 0..ATOMS {
            if rng.chance(1, 2) {
                guard = guard
                    .and(Cube::literal(atom, rng.chance(1, 2)))
                    .expect("each atom once");
            }
        }
        Edge {
            guard: guard.into(),
            marks: MarkSet(rng.next_u64() & rng.next_u64()).intersection(MarkSet::all(marks)),
            target: StateIndex(rng.below(states) as u32),
        }
    };
    let state = |rng: &mut Rng| State {
        edges: (0..rng.below(2 * density + 1)).map(|_| edge(rng)).collect(),
    };
    Automaton {
        states: (0..states).map(|_| state(rng)).collect(),
        initial: (0..1 + rng.below(2))
            .map(|_| StateIndex(rng.below(states) as u32))
            .collect(),
        acceptance,
        marks,
        ..Automaton::empty((0..ATOMS).map(|a| format!("p{a}")).collect())
    }
}

/// Sizes of complements, and how often words were accepted.
#[derive(Default)]
struct Tally {
    sizes: Vec<(usize, usize)>,
    accepted: usize,
    words: usize,
    refused: usize,
}

impl Tally {
    /// Has random words read by an automaton and its complement.
    fn compare(&mut self, rng: &mut Rng, automaton: &Automaton) {
        let opposite = match complement(automaton) {
            Ok(opposite) if opposite.marks <= MANY_MARKS => opposite,
            Ok(_) | Err(TooLarge::Size(_) | TooLarge::Marks(_)) => {
                self.refused += 1;
                return;
            }
            Err(why @ TooLarge::Atoms(_)) => panic!("{why}"),
        };
        assert!(opposite.is_well_formed() && opposite.is_deterministic());
        for _ in 0..WORDS {
            let word = random_word(rng, automaton.atoms.len() as u32);
            let accepted = word.is_accepted(automaton);
            assert_ne!(
                accepted,
                word.is_accepted(&opposite),
                "{word:?}\n{}\n{}",
                automaton.to_hoa(None),
                opposite.to_hoa(None)
            );
            self.accepted += usize::from(accepted);
            self.words += 1;
        }
        self.sizes.push((automaton.states.len(), opposite.states.len()));
    }

    fn print(mut self, what: &str) {
        self.sizes.sort_by_key(|s| s.1);
        let at = |share: usize| self.sizes[(self.sizes.len() - 1) * share / 100];
        println!(
            "{what}: {} complements, {} refused, {} of {} words accepted; states (before, after): median {:?}, 90 % {:?}, largest {:?}",
            self.sizes.len(),
            self.refused,
            self.accepted,
            self.words,
            at(50),
            at(90),
            at(100)
        );
        assert!(self.refused * 10 <= self.sizes.len(), "too many were refused");
        assert!(self.accepted * 20 > self.words && self.accepted * 20 < 19 * self.words);
    }
}

#[test]
fn random_buchi_automata() {
    let mut rng = Rng::new(40);
    let mut tally = Tally::default();
    for _ in 0..cases(400) {
        let (states, marks) = (1 + rng.below(6), rng.below(3) as u32);
        let density = 2 + rng.below(3);
        let condition = Acceptance::generalized_buchi(marks);
        let automaton = random_automaton(&mut rng, states, density, condition, marks);
        tally.compare(&mut rng, &automaton);
    }
    tally.print("generalised Büchi");
}

#[test]
fn random_conditions() {
    let mut rng = Rng::new(41);
    let mut tally = Tally::default();
    for _ in 0..cases(300) {
        let (states, marks) = (1 + rng.below(3), 1 + rng.below(3) as u32);
        let condition = random_condition(&mut rng, marks, 2);
        let automaton = random_automaton(&mut rng, states, 2, condition, marks);
        tally.compare(&mut rng, &automaton);
    }
    tally.print("Emerson-Lei");
}

#[test]
fn random_deterministic_automata() {
    let mut rng = Rng::new(42);
    let mut tally = Tally::default();
    for _ in 0..cases(300) {
        let (states, marks) = (1 + rng.below(4), 1 + rng.below(4) as u32);
        let condition = random_condition(&mut rng, marks, 3);
        let mut automaton = random_automaton(&mut rng, states, 1, condition, marks);
        // One edge for each letter, some of them missing.
        automaton.initial.truncate(1);
        for state in &mut automaton.states {
            let mut edges = Vec::new();
            for letter in 0..1u64 << ATOMS {
                if rng.chance(5, 6) {
                    let guard = Cube {
                        positive: letter,
                        negative: !letter & ((1 << ATOMS) - 1),
                    };
                    edges.push(Edge {
                        guard: guard.into(),
                        marks: MarkSet(rng.next_u64()).intersection(MarkSet::all(marks)),
                        target: StateIndex(rng.below(states) as u32),
                    });
                }
            }
            state.edges = edges;
        }
        assert!(automaton.is_deterministic());
        tally.compare(&mut rng, &automaton);
    }
    tally.print("deterministic");
}

#[test]
fn complements_of_formulas_are_their_negations() {
    let mut rng = Rng::new(43);
    let name = |atom: fairhold_logic::AtomId| atom.0.to_string();
    let (mut tally, mut negations) = (Tally::default(), Vec::new());
    for _ in 0..cases(300) {
        let depth = 1 + rng.below(4);
        let formula = random_formula(&mut rng, 3, depth);
        let negation = Ltl::Not(Box::new(formula.clone()));
        let (Ok(yes), Ok(no)) = (translate(&formula, &name), translate(&negation, &name)) else {
            continue;
        };
        tally.compare(&mut rng, &yes.automaton);
        negations.push(no.automaton.states.len());
        let Ok(opposite) = complement(&yes.automaton) else {
            continue;
        };
        for _ in 0..WORDS {
            let word = random_word(&mut rng, 3);
            let seen_by = |atoms: &[fairhold_logic::AtomId]| {
                let letter = |l: &u64| (0..).zip(atoms).fold(0, |all, (i, a)| all | (l >> a.0 & 1) << i);
                Word {
                    prefix: word.prefix.iter().map(letter).collect(),
                    cycle: word.cycle.iter().map(letter).collect(),
                }
            };
            if opposite.marks <= MANY_MARKS {
                let read = seen_by(&yes.atoms).is_accepted(&opposite);
                assert_eq!(
                    read,
                    seen_by(&no.atoms).is_accepted(&no.automaton),
                    "{formula:?} {word:?}"
                );
            }
        }
    }
    negations.sort_unstable();
    println!(
        "translated negations: median {} states",
        negations[negations.len() / 2]
    );
    tally.print("formulas");
}

#[test]
fn known_complements() {
    let name = |atom: fairhold_logic::AtomId| ["p", "q", "r"][atom.0 as usize].to_owned();
    let sizes = [
        "[]<>p",
        "<>[]p",
        "<>[]p || []<>q",
        "[](p -> <>q)",
        "p U q",
        "[]p && <>!p",
        "true",
    ]
    .map(|text| {
        let formula = parse(FileId(0), text).formula.expect("a formula");
        let automaton = translate(&formula, &name).expect("small").automaton;
        let opposite = complement(&automaton).expect("small");
        println!(
            "{text}: {} states, {}",
            opposite.states.len(),
            opposite.acceptance
        );
        opposite.states.len()
    });
    assert_eq!(sizes, [1, 3, 9, 2, 2, 1, 0]);
}

#[test]
fn what_is_too_large_is_refused() {
    let mut rng = Rng::new(44);
    let automaton = random_automaton(&mut rng, 40, 4, Acceptance::generalized_buchi(1), 1);
    let refused = complement(&automaton).expect_err("a large random automaton has too large a complement");
    println!("{refused}");
    let empty = read_hoa(
        FileId(0),
        "HOA: v1\nStates: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\n--END--\n",
    );
    let all = complement(&empty.expect("an automaton")).expect("small");
    let word = Word {
        prefix: Vec::new(),
        cycle: vec![0],
    };
    assert!(word.is_accepted(&all));
}
