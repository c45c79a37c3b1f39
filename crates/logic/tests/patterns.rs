//! Automata of the formulas that people write: how many states, how fast.
//!
//! The 55 formulas of the property specification patterns [DwyerAvruninCorbett-ICSE'99], eleven patterns in the five scopes
//! globally, before r, after q, between q and r, after q until r; and the twelve of [EtessamiHolzmann-CONCUR'00]. A model checker
//! translates the negation, so that is what is measured.

use fairhold_logic::{AtomId, Ltl, Translation, parse, translate};
use fairhold_source::FileId;
use std::time::{Duration, Instant};

const PATTERNS: [(&str, [&str; 5]); 11] = [
    (
        "absence: p is false",
        [
            "[]!p",
            "<>r -> (!p U r)",
            "[](q -> []!p)",
            "[]((q && !r && <>r) -> (!p U r))",
            "[]((q && !r) -> (!p W r))",
        ],
    ),
    (
        "existence: p becomes true",
        [
            "<>p",
            "!r W (p && !r)",
            "[]!q || <>(q && <>p)",
            "[]((q && !r) -> (!r W (p && !r)))",
            "[]((q && !r) -> (!r U (p && !r)))",
        ],
    ),
    (
        "bounded existence: p at most twice",
        [
            "!p W (p W (!p W (p W []!p)))",
            "<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
            "<>q -> (!q U (q && (!p W (p W (!p W (p W []!p))))))",
            "[]((q && <>r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U \
             (r || (!p U r))))))))))",
            "[](q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U \
             (r || (!p W r) || []p)))))))))",
        ],
    ),
    (
        "universality: p is true",
        [
            "[]p",
            "<>r -> (p U r)",
            "[](q -> []p)",
            "[]((q && !r && <>r) -> (p U r))",
            "[]((q && !r) -> (p W r))",
        ],
    ),
    (
        "precedence: s precedes p",
        [
            "!p W s",
            "<>r -> (!p U (s || r))",
            "[]!q || <>(q && (!p W s))",
            "[]((q && !r && <>r) -> (!p U (s || r)))",
            "[]((q && !r) -> (!p W (s || r)))",
        ],
    ),
    (
        "response: s responds to p",
        [
            "[](p -> <>s)",
            "<>r -> ((p -> (!r U (s && !r))) U r)",
            "[](q -> [](p -> <>s))",
            "[]((q && !r && <>r) -> ((p -> (!r U (s && !r))) U r))",
            "[]((q && !r) -> ((p -> (!r U (s && !r))) W r))",
        ],
    ),
    (
        "precedence chain: s, t precede p",
        [
            "<>p -> (!p U (s && !p && X(!p U t)))",
            "<>r -> (!p U (r || (s && !p && X(!p U t))))",
            "[]!q || (!q U ((q && <>p) -> (!p U (s && !p && X(!p U t)))))",
            "[]((q && <>r) -> (!p U (r || (s && !p && X(!p U t)))))",
            "[](q -> (<>p -> (!p U (r || (s && !p && X(!p U t))))))",
        ],
    ),
    (
        "precedence chain: p precedes s, t",
        [
            "<>(s && X<>t) -> (!s U p)",
            "<>r -> (!(s && !r && X(!r U (t && !r))) U (r || p))",
            "[]!q || (!q U (q && (<>(s && X<>t) -> (!s U p))))",
            "[]((q && <>r) -> (!(s && !r && X(!r U (t && !r))) U (r || p)))",
            "[](q -> ((!(s && !r && X(!r U (t && !r))) U (r || p)) || []!(s && X<>t)))",
        ],
    ),
    (
        "response chain: p responds to s, t",
        [
            "[]((s && X<>t) -> X<>(t && <>p))",
            "<>r -> (((s && X(!r U t)) -> X(!r U (t && <>p))) U r)",
            "[](q -> []((s && X<>t) -> X(!t U (t && <>p))))",
            "[]((q && <>r) -> (((s && X(!r U t)) -> X(!r U (t && <>p))) U r))",
            "[](q -> (((s && X(!r U t)) -> X(!r U (t && <>p))) U (r || []((s && X(!r U t)) -> X(!r U (t && <>p))))))",
        ],
    ),
    (
        "response chain: s, t respond to p",
        [
            "[](p -> <>(s && X<>t))",
            "<>r -> ((p -> (!r U (s && !r && X(!r U t)))) U r)",
            "[](q -> [](p -> (s && X<>t)))",
            "[]((q && <>r) -> ((p -> (!r U (s && !r && X(!r U t)))) U r))",
            "[](q -> ((p -> (!r U (s && !r && X(!r U t)))) U (r || [](p -> (s && X<>t)))))",
        ],
    ),
    (
        "constrained chain: s, t without z respond to p",
        [
            "[](p -> <>(s && !z && X(!z U t)))",
            "<>r -> ((p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r)",
            "[](q -> [](p -> (s && !z && X(!z U t))))",
            "[]((q && <>r) -> ((p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U r))",
            "[](q -> ((p -> (!r U (s && !r && !z && X((!r && !z) U t)))) U (r || [](p -> (s && !z && X(!z U t))))))",
        ],
    ),
];

const ETESSAMI_HOLZMANN: [&str; 12] = [
    "p U (q && []r)",
    "p U (q && X(r U s))",
    "p U (q && X(r && <>(s && X<>(t && X<>(u && X<>v)))))",
    "<>(p && X[]q)",
    "<>(p && X(q && X<>r))",
    "<>(p && X(q U r))",
    "<>[]p || []<>q",
    "[](p -> (q U r))",
    "[](p && X<>(q && X<>(r && X<>s)))",
    "[]<>p && []<>q && []<>r && []<>s && []<>t",
    "(p U (q U r)) || (q U (r U p)) || (r U (p U q))",
    "[](p -> (q U ([]r || []s)))",
];

/// The automaton of the negation, and how long it took.
fn negated(text: &str) -> (Translation, Duration) {
    let parsed = parse(FileId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    let formula = Ltl::Not(Box::new(parsed.formula.expect("a formula without errors")));
    let name = |a: AtomId| parsed.atoms[a.0 as usize].clone();
    let start = Instant::now();
    let translation = translate(&formula, &name).expect("formulas of this suite are small");
    (translation, start.elapsed())
}

#[test]
fn negated_patterns_have_few_states() {
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for (pattern, scopes) in &PATTERNS {
        rows.extend(scopes.iter().map(|formula| (*pattern, *formula)));
    }
    rows.extend(
        ETESSAMI_HOLZMANN
            .iter()
            .map(|formula| ("Etessami, Holzmann", *formula)),
    );
    assert_eq!(rows.len(), 67);
    println!("states edges marks det  ms  formula");
    let mut total = 0;
    for (pattern, formula) in &rows {
        let (translation, time) = negated(formula);
        let automaton = &translation.automaton;
        total += automaton.states.len();
        println!(
            "{:6} {:5} {:5} {:3} {:3}  {pattern}: {formula}",
            automaton.states.len(),
            automaton.edge_count(),
            automaton.marks,
            if automaton.is_deterministic() { "yes" } else { "no" },
            time.as_millis(),
        );
        assert!(time < Duration::from_secs(1), "{formula} took {time:?}");
    }
    let mean = total as f64 / rows.len() as f64;
    println!("mean: {mean:.2} states");
    assert!(mean <= 5.0, "{mean:.2} states on average");
}
