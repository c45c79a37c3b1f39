//! Properties as text: questions, formulas of both logics, constraints with a name, and mistakes.

use super::*;
use crate::aut::read_aut;
use fairhold_logic::AtomId;
use fairhold_store::StateId;

fn read(text: &str) -> Result<Question, (&'static str, u32)> {
    let graph = "des (0, 3, 3)\n(0, coin, 1)\n(1, \"cup !small\", 2)\n(2, c!3, 0)\n";
    let lts = read_aut(FileId(0), graph).0.expect("the graph has no errors");
    let property = read_property(&lts, FileId(1), text);
    property
        .map(|p| p.question)
        .map_err(|d| (d.code, d.span.map_or(0, |s| s.start)))
}

fn formula(text: &str) -> String {
    match read(text) {
        Ok(Question::Ltl(formula, atoms)) => {
            let name = |id: AtomId| match &atoms[id.0 as usize] {
                Atom::Event(e) => format!("e{}", e.0),
                Atom::State(Condition::Compare(Comparison::Equal, n)) => format!("s{n}"),
                other => format!("{other:?}"),
            };
            formula.display(&name).to_string()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn questions_without_a_formula() {
    assert_eq!(read("deadlockfree"), Ok(Question::DeadlockFree));
    assert_eq!(read(" nonterminating "), Ok(Question::NonTerminating));
    assert_eq!(read("divergencefree"), Ok(Question::DivergenceFree));
    assert_eq!(read("deterministic"), Ok(Question::Deterministic));
}

#[test]
fn conditions_are_evaluated() {
    let Ok(Question::Reaches(c)) = read("reaches !(state <= 1) && state != 7 && (state < 9 || false)") else {
        panic!("a condition")
    };
    let holding: Vec<u32> = (0..10).filter(|&s| c.holds(StateId(s))).collect();
    assert_eq!(holding, [2, 3, 4, 5, 6, 8]);
    let Ok(Question::Reaches(c)) = read("reaches state > -1") else {
        panic!("a condition")
    };
    assert!(c.holds(StateId(0)));
    let Ok(Question::Never(c)) = read("never state == 3") else {
        panic!("a condition")
    };
    assert!(c.holds(StateId(3)) && !c.holds(StateId(2)));
    // What is kept is what must not be.
    let Ok(Question::Always(c)) = read("always state == 3") else {
        panic!("a condition")
    };
    assert!(!c.holds(StateId(3)) && c.holds(StateId(2)));
}

#[test]
fn formulas_with_labels_and_conditions() {
    assert_eq!(formula("|= [](coin -> <> \"cup !small\")"), "[](e2 -> <>e3)");
    assert_eq!(formula("|= G F c!3"), "[]<>e4");
    assert_eq!(
        formula("|= !coin U (state == 2 && X true)"),
        "(!e2 U (s2 && X true))"
    );
    assert_eq!(formula("|= coin && coin && tau"), "((e2 && e2) && e0)");
}

fn branching(text: &str) -> String {
    match read(text) {
        Ok(Question::Ctl(formula, atoms)) => {
            let name = |id: AtomId| match &atoms[id.0 as usize] {
                Atom::Event(e) => format!("e{}", e.0),
                Atom::Enabled(e) => format!("enabled({})", e.0),
                Atom::EnabledProcess(p) => format!("enabled(p{p})"),
                Atom::State(Condition::Compare(Comparison::Equal, n)) => format!("s{n}"),
                other => format!("{other:?}"),
            };
            formula.display(&name).to_string()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn path_quantifiers_make_ctl() {
    assert_eq!(
        branching("|= AG (state == 1 -> EF !state == 2)"),
        "AG (s1 -> EF !s2)"
    );
    assert_eq!(
        branching("|= A[state == 1 U E(true W deadlock)]"),
        "A[s1 U E[true W Deadlock]]"
    );
    assert_eq!(
        branching("|= E[state == 1 R terminated] xor A[G true]"),
        "!(E[s1 R Terminated] <-> AG true)"
    );
    assert_eq!(
        branching("|= EX{coin, \"cup !small\"} AX{c!3} AX false"),
        "EX{e2, e3} AX{e4} AX false"
    );
    assert_eq!(
        branching("|= EF (enabled(coin) && enabled(process 0))"),
        "EF (enabled(2) && enabled(p0))"
    );
}

fn fairness(text: &str) -> String {
    let graph = "des (0, 2, 2)\n(0, coin, 1)\n(1, cup, 0)\n";
    let lts = read_aut(FileId(0), graph).0.expect("the graph has no errors");
    let place = Span::default();
    match read_fairness(&lts, place, text) {
        Ok((formula, atoms)) => {
            let name = |id: AtomId| match &atoms[id.0 as usize] {
                Atom::Event(e) => lts.events()[e.0 as usize].clone(),
                Atom::EngagedProcess(p) => format!("engaged({p})"),
                other => format!("{other:?}"),
            };
            formula.display(&name).to_string()
        }
        Err(wrong) => format!("{}..: {}", wrong.span.expect("a place").start, wrong.message),
    }
}

#[test]
fn constraints_that_have_a_name() {
    assert_eq!(fairness("impartial"), "[]<>engaged(0)");
    assert_eq!(fairness("buchi(coin && !cup)"), "[]<>(coin && !cup)");
    assert_eq!(
        fairness("streett(coin, cup; cup, coin) && buchi(coin)"),
        "((([]<>coin -> []<>cup) && ([]<>cup -> []<>coin)) && []<>coin)"
    );
    assert_eq!(
        fairness("rabin(coin, cup; cup, coin)"),
        "((<>[]!coin && []<>cup) || (<>[]!cup && []<>coin))"
    );
    assert_eq!(
        fairness("rabin(coin)"),
        "10..: `rabin` takes pairs: red, green; red, green; ..."
    );
    assert_eq!(fairness("buchi(coin"), "10..: a `)` is missing");
    assert_eq!(
        fairness("GF coin && AG cup"),
        "11..: a fairness formula speaks of one execution, so it has no path quantifiers"
    );
}

#[test]
fn mistakes_have_places() {
    for (text, code, at) in [
        ("", "property-syntax", 0),
        ("deadlock", "property-syntax", 0),
        ("deadlockfree now", "property-syntax", 13),
        ("reaches coin", "property-syntax", 8),
        ("reaches [] state == 1", "property-syntax", 8),
        ("reaches state", "property-syntax", 8),
        ("reaches state == x", "property-syntax", 17),
        ("|= [] tea", "unknown-label", 6),
        ("|= (coin", "property-syntax", 8),
        ("|= coin)", "property-syntax", 7),
        ("|= \"coin", "property-syntax", 3),
        ("|= coin & tau", "property-syntax", 8),
        ("|= coin && tau || tau", "property-ambiguous", 15),
        ("|= coin -> tau -> tau", "property-ambiguous", 15),
        ("|= AG coin", "event-in-ctl", 6),
        ("|= AG <> state == 1", "mixed-logics", 6),
        ("|= [] EF state == 1", "mixed-logics", 3),
        ("|= A[state == 1]", "mixed-logics", 4),
        ("|= A[state == 1 U true", "property-syntax", 22),
        ("|= EX{} true", "property-syntax", 6),
        ("|= EX{coin true", "property-syntax", 11),
        ("|= EX{tea} true", "unknown-label", 6),
        ("|= AG ready(coin)", "step-atom", 6),
        ("|= AG engaged(coin)", "step-atom", 6),
        ("|= [] enabled(coin)", "step-atom", 6),
        ("|= AG enabled(process 1)", "unknown-process", 14),
        ("|= impartial", "step-atom", 3),
    ] {
        assert_eq!(read(text), Err((code, at)), "{text}");
    }
    let deep = format!("|= {}true{}", "(".repeat(600), ")".repeat(600));
    assert!(read(&deep).is_err());
    assert!(read(&format!("|= {}true", "!".repeat(600))).is_err());
}
