//! Formulas and what becomes of them, by hand and against the definition of the operators on random words.

use super::*;
use crate::common::{random_formula, random_word};
use crate::{Quantifier, Word, parse};
use fairhold_source::FileId;
use fairhold_testkit::Rng;

/// The abstraction of a formula whose atoms are events if they begin with `e`; fresh atoms are shown by their parts in brackets.
fn shown(text: &str) -> String {
    let parsed = parse(FileId(0), text);
    let formula = parsed.formula.expect("a formula");
    let is_state = |atom: AtomId| !parsed.atoms[atom.0 as usize].starts_with('e');
    let mut letters = FreshAtoms::new(&formula.atoms(), &is_state);
    let abstracted = letters.ltl(&formula);
    let own = |atom: AtomId| parsed.atoms[atom.0 as usize].clone();
    let name = |atom: AtomId| match letters.part(atom) {
        Some(part) => format!("[{}]", part.display(&own)),
        None => own(atom),
    };
    abstracted.display(&name).to_string()
}

#[test]
fn maximal_parts_about_the_state_are_letters() {
    assert_eq!(shown("[](p && !q && (r -> p))"), "[][((p && !q) && (r -> p))]");
    assert_eq!(
        shown("[]((p && q) -> <>(!p || q))"),
        "[]([(p && q)] -> <>[(!p || q)])"
    );
    assert_eq!(shown("[]!p && X(p && true)"), "([]!p && X p)");
    // Equal parts are one letter, and so are a part and its negation.
    assert_eq!(shown("(p && q) U (!p || !q)"), "([(p && q)] U ![(p && q)])");
    assert_eq!(shown("X(p && (true || q))"), "X p");
}

#[test]
fn events_stay_apart_from_states() {
    assert_eq!(shown("[](p && e && q)"), "[]([(p && q)] && e)");
    assert_eq!(shown("[](e || p || <>q || r)"), "[](([(p || r)] || e) || <>q)");
    assert_eq!(shown("<>(e1 || e2)"), "<>[(e1 || e2)]");
    // Where there is no event, none of them: the letter is false there.
    assert_eq!(shown("[](!e1 && !e2)"), "[]![!(!e1 && !e2)]");
    assert_eq!(shown("[]p && <>q && [](r && e)"), "([]([(p && r)] && e) && <>q)");
    assert_eq!(shown("<>p || []q || <>r"), "(<>[(p || r)] || []q)");
    // A position has one event.
    assert_eq!(shown("[](!e1 || (e1 && e2))"), "[]!e1");
    assert_eq!(shown("<>(e1 && e2 && p)"), "<>(p && false)");
}

/// The word over letters: fresh atoms get bits of their own.
fn read(word: &Word, letters: &FreshAtoms) -> Word {
    let first = letters.is_state.len() as u32;
    let fresh = first..letters.next().0;
    let letter = |bits: &u64| {
        let value = |atom: AtomId| Ok::<bool, ()>(bits >> atom.0 & 1 == 1);
        let held = fresh
            .clone()
            .filter(|&k| letters.holds(AtomId(k), value) == Ok(true));
        held.fold(bits & ((1 << first) - 1), |bits, k| bits | 1 << k)
    };
    Word {
        prefix: word.prefix.iter().map(letter).collect(),
        cycle: word.cycle.iter().map(letter).collect(),
    }
}

#[test]
fn the_abstraction_is_true_of_the_same_words() {
    let mut rng = Rng::new(7);
    // Atoms 3 and 4 are events: no letter has both.
    let is_state = |atom: AtomId| atom.0 < 3;
    let possible = |bits: &u64| bits >> 3 & 0b11 != 0b11;
    for _ in 0..3_000 {
        let formula = random_formula(&mut rng, 5, 5);
        let mut letters = FreshAtoms::new(&formula.atoms(), &is_state);
        let abstracted = letters.ltl(&formula);
        assert!(letters.list.len() < 50, "bits of a letter");
        for _ in 0..5 {
            let word = random_word(&mut rng, 5);
            if word.prefix.iter().chain(&word.cycle).all(possible) {
                let expected = word.satisfies(&formula);
                assert_eq!(
                    read(&word, &letters).satisfies(&abstracted),
                    expected,
                    "{formula:?}"
                );
            }
        }
    }
}

#[test]
fn conditions_of_branching_time_are_letters_as_written() {
    let atom = |k| Box::new(Ctl::Atom(AtomId(k)));
    let both = || Box::new(Ctl::And(atom(0), Box::new(Ctl::Not(atom(1)))));
    let formula = Ctl::Globally(
        Quantifier::All,
        Box::new(Ctl::Implies(
            both(),
            Box::new(Ctl::Finally(Quantifier::Exists, both())),
        )),
    );
    let is_state = |_| true;
    let mut letters = FreshAtoms::new(&formula.atoms(), &is_state);
    let abstracted = letters.ctl(&formula);
    let own = |atom: AtomId| ["p", "q"][atom.0 as usize].to_owned();
    let short = |atom: AtomId| format!("l{}", atom.0);
    assert_eq!(abstracted.display(&short).to_string(), "AG (l2 -> EF l2)");
    let whole = |atom: AtomId| match letters.part(atom) {
        Some(part) => Ctl::of_condition(part)
            .expect("a condition")
            .display(&own)
            .to_string(),
        None => own(atom),
    };
    assert_eq!(
        abstracted.display(&whole).to_string(),
        formula.display(&own).to_string()
    );
}
