//! Automata against the definition of the operators, on random formulas and random words.

mod common;

use common::{random_formula, random_word};
use fairhold_logic::{Automaton, Ltl, Translation, Word, parse, read_hoa, translate};
use fairhold_source::FileId;
use fairhold_testkit::{Rng, cases};

const ATOMS: u32 = 4;
const WORDS: usize = 40;

fn name(atom: fairhold_logic::AtomId) -> String {
    format!("p{}", atom.0)
}

/// The word with the letters that the automaton reads.
fn read(word: &Word, translation: &Translation) -> Word {
    let letter = |l: &u64| {
        let atoms = translation.atoms.iter().enumerate();
        atoms.fold(0, |all, (i, atom)| all | (l >> atom.0 & 1) << i)
    };
    Word {
        prefix: word.prefix.iter().map(letter).collect(),
        cycle: word.cycle.iter().map(letter).collect(),
    }
}

fn size(formula: &Ltl) -> usize {
    match formula {
        Ltl::True | Ltl::False | Ltl::Atom(_) => 1,
        Ltl::Not(p) | Ltl::Next(p) | Ltl::Finally(p) | Ltl::Globally(p) => 1 + size(p),
        Ltl::And(p, q)
        | Ltl::Or(p, q)
        | Ltl::Implies(p, q)
        | Ltl::Iff(p, q)
        | Ltl::Until(p, q)
        | Ltl::Release(p, q)
        | Ltl::WeakUntil(p, q) => 1 + size(p) + size(q),
    }
}

/// How many numbers fall below 2, 4, 8, ...
fn spread(mut numbers: Vec<usize>) -> String {
    numbers.sort_unstable();
    let at = |share: usize| numbers.get(numbers.len() * share / 100).copied().unwrap_or(0);
    let max = numbers.last().copied().unwrap_or(0);
    format!(
        "median {}, 90 % {}, 99 % {}, largest {max}",
        at(50),
        at(90),
        at(99)
    )
}

#[test]
fn automata_agree_with_the_definition() {
    let cases = cases(400);
    let mut rng = Rng::new(20);
    let (mut formula_sizes, mut states, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let (mut satisfied, mut refused, mut varied) = (0, 0, 0);
    for case in 0..cases {
        let depth = 1 + rng.below(6);
        let formula = random_formula(&mut rng, 3 + case as u32 % 2, depth);
        let negation = Ltl::Not(Box::new(formula.clone()));
        let show = || formula.display(&name).to_string();
        let (Ok(yes), Ok(no)) = (translate(&formula, &name), translate(&negation, &name)) else {
            refused += 1;
            continue;
        };
        let mut seen = [false; 2];
        for _ in 0..WORDS {
            let word = random_word(&mut rng, ATOMS);
            let truth = word.satisfies(&formula);
            seen[usize::from(truth)] = true;
            satisfied += usize::from(truth);
            assert_eq!(
                read(&word, &yes).is_accepted(&yes.automaton),
                truth,
                "{} on {word:?}",
                show()
            );
            assert_eq!(
                read(&word, &no).is_accepted(&no.automaton),
                !truth,
                "not {} on {word:?}",
                show()
            );
        }
        varied += usize::from(seen[0] && seen[1]);
        formula_sizes.push(size(&formula));
        states.extend([yes.automaton.states.len(), no.automaton.states.len()]);
        edges.extend([&yes, &no].map(|t: &Translation| Automaton::edge_count(&t.automaton)));
    }
    let words = (cases - refused) * WORDS;
    println!("{cases} formulas, {refused} too large, {varied} both true and false on some word");
    println!("words: {satisfied} of {words} satisfy the formula");
    println!("operators: {}", spread(formula_sizes));
    println!("states: {}", spread(states));
    println!("edges: {}", spread(edges));
    assert!(refused * 50 <= cases, "too many formulas were refused");
}

#[test]
fn automata_survive_a_round_trip_through_hoa() {
    let mut rng = Rng::new(21);
    for _ in 0..cases(200) {
        let formula = random_formula(&mut rng, ATOMS, 4);
        let Ok(translation) = translate(&formula, &name) else {
            continue;
        };
        let text = translation.automaton.to_hoa(Some("random"));
        let again = read_hoa(FileId(0), &text).unwrap_or_else(|e| panic!("{e:?} in {text}"));
        assert_eq!(again, translation.automaton, "{text}");
    }
}

#[test]
fn broken_texts_are_reported_and_never_panic() {
    let hoa = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAlias: @x 0&!1\nAcceptance: 2 Fin(0)&Inf(!1)\n--BODY--\n\
               State: 0 {0}\n[@x|1] 1 {1}\nState: [t] 1\n0\n--END--\n";
    let ltl = "[](p -> (X q U \"r s\")) && get.0.1 W (true xor <>!p)";
    assert!(read_hoa(FileId(0), hoa).is_ok());
    assert!(parse(FileId(0), ltl).formula.is_some());
    let mut rng = Rng::new(22);
    let mut read = 0;
    let total = cases(4000);
    for _ in 0..total {
        for (text, is_hoa) in [(hoa, true), (ltl, false)] {
            let mut broken: Vec<char> = text.chars().collect();
            for _ in 0..1 + rng.below(3) {
                if broken.is_empty() {
                    break;
                }
                let at = rng.below(broken.len());
                match rng.below(4) {
                    0 => drop(broken.remove(at)),
                    1 => broken.insert(at, broken[rng.below(broken.len())]),
                    2 => broken[at] = *rng.pick(&['9', '"', '&', '(', '{', '\u{e9}', '-', ' ', '@', '!']),
                    _ => broken.truncate(at + 1),
                }
            }
            let broken: String = broken.into_iter().collect();
            if is_hoa {
                read += usize::from(read_hoa(FileId(0), &broken).is_ok());
            } else {
                let parsed = parse(FileId(0), &broken);
                let errors = parsed
                    .diagnostics
                    .iter()
                    .any(fairhold_source::Diagnostic::is_error);
                assert_eq!(parsed.formula.is_none(), errors, "{broken}");
            }
        }
    }
    println!("{read} of {total} changed automata were still automata");
}
