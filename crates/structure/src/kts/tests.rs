//! Structures as text: what is read, and that every mistake has its place.

use super::*;
use crate::lts::Owner;
use crate::property::{Atom, Condition, Question};
use fairhold_store::StateId;
use fairhold_system::Verdict;

fn read(text: &str) -> (Option<Structure>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("m.kts", text);
    read_kts(&map, file)
}

fn structure(text: &str) -> Structure {
    let (structure, diagnostics) = read(text);
    structure.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// The errors by code and the text they are about.
fn errors(text: &str) -> Vec<(&'static str, &str)> {
    let (structure, diagnostics) = read(text);
    assert!(structure.is_none(), "{text}");
    let place = |d: &Diagnostic| {
        let span = d.span.expect("a place");
        (d.code, &text[span.start as usize..span.end as usize])
    };
    diagnostics.iter().map(place).collect()
}

/// The steps by names.
fn steps(lts: &Lts) -> Vec<String> {
    let names = &lts.description().expect("a structure").names;
    let alphabet = lts.alphabet();
    let step = |s: &crate::LtsStep| {
        let label = alphabet.get(s.label);
        let event = &lts.events()[label.event.0 as usize];
        let processes = alphabet.members(label.processes);
        format!(
            "{} {event}{processes:?} {}",
            names[s.from.index()],
            names[s.to.index()]
        )
    };
    lts.steps().iter().map(step).collect()
}

const LAMP: &str = "\
/* A lamp
   with two buttons. */
propositions lit, broken;
init off, 3;
state off, on {lit} enabled {process 1, wait}, 3 {};
off -> on, 3 by press, process 1;
on -> off by press, process 2, process 1;   // together
on -> on by process 2;
3 -> 3;
#assert |= AG EF lit;   //@ expect: none fails, psf holds
#assert reaches state != off && !broken;
//@ expect: holds
";

#[test]
fn states_arcs_and_assertions() {
    let Structure { lts, assertions } = structure(LAMP);
    assert_eq!(lts.initial(), [StateId(0), StateId(2)]);
    assert_eq!(
        steps(&lts),
        [
            "off press[1] on",
            "off press[1] 3",
            "on press[1, 2] off",
            "on tau[2] on",
            "3 tau[] 3"
        ]
    );
    let description = lts.description().expect("a structure");
    let propositions: Vec<_> = description
        .propositions
        .iter()
        .map(|(name, set)| (name.as_str(), set.ones().collect::<Vec<_>>()))
        .collect();
    assert_eq!(propositions, [("lit", vec![1]), ("broken", vec![])]);
    let wait = lts.alphabet().find_event("wait").expect("declared");
    assert_eq!(lts.enabled(Owner::Event(wait)).ones().collect::<Vec<_>>(), [1]);
    assert_eq!(lts.enabled(Owner::Process(1)).ones().collect::<Vec<_>>(), [0, 1]);
    assert!(lts.is_also_enabled(Owner::Process(1), StateId(1)) && lts.declares_enabled());
    let texts: Vec<&str> = assertions.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["|= AG EF lit", "reaches state != off && !broken"]);
    let Question::Ctl(_, atoms) = &assertions[0].question else {
        panic!("CTL")
    };
    assert!(matches!(&atoms[..], [Atom::State(Condition::Among(name, _))] if name == "lit"));
    let expected: Vec<_> = assertions[0]
        .remarks
        .expect
        .iter()
        .map(|e| (e.notion.as_deref(), e.verdict))
        .collect();
    assert_eq!(
        expected,
        [(Some("none"), Verdict::Fails), (Some("psf"), Verdict::Holds)]
    );
    let Question::Reaches(condition) = &assertions[1].question else {
        panic!("reaches")
    };
    let holding: Vec<u32> = (0..3).filter(|&s| condition.holds(StateId(s))).collect();
    assert_eq!(holding, [1, 2]);
    assert_eq!(assertions[1].remarks.expect.len(), 1);
}

#[test]
fn without_processes_process_0_does_everything() {
    let lts = structure("init s; state s, t; s -> t by a; s -> t;").lts;
    assert_eq!(steps(&lts), ["s a[0] t", "s tau[0] t"]);
    assert!(!lts.declares_enabled());
}

#[test]
fn ends_are_deadlocks_unless_terminated() {
    let lts = structure("init s; state s, t, u; s -> t by terminate; s -> u by a;").lts;
    assert!(lts.is_ended(StateId(1)) && !lts.is_ended(StateId(2)));
}

#[test]
fn every_mistake_has_a_place() {
    for (text, expected) in [
        ("", vec![("no-states", ""), ("no-initial-state", "")]),
        ("state s;", vec![("no-initial-state", "s")]),
        ("init s; state s; s -> t;", vec![("unknown-state", "t")]),
        (
            "init r; state s; q -> s;",
            vec![("unknown-state", "r"), ("unknown-state", "q")],
        ),
        ("init s; state s {p}, s;", vec![("duplicate-state", "s")]),
        (
            "propositions p; init s; state s {q};",
            vec![("unknown-proposition", "q")],
        ),
        (
            "propositions p, p; init s; state s;",
            vec![("duplicate-proposition", "p")],
        ),
        ("init s; state s {AG};", vec![("reserved-name", "AG")]),
        ("init s; state s {a}; s -> s by a;", vec![("name-clash", "a")]),
        ("init s; state s; s -> s by a, b;", vec![("two-events", "b")]),
        ("init s; state s; s -> s by process x;", vec![("kts-syntax", "x")]),
        (
            "init s; state s; s -> s by process 99999;",
            vec![("kts-syntax", "99999")],
        ),
        ("init s; state s enabled {tau};", vec![("kts-syntax", "tau")]),
        (
            "init s state s; s -> s",
            vec![("kts-syntax", "state"), ("kts-syntax", "")],
        ),
        (
            "init s; state s {p; t;",
            vec![("kts-syntax", ";"), ("kts-syntax", ";")],
        ),
        (
            "init s; state s; -> s; {",
            vec![("kts-syntax", "->"), ("kts-syntax", "{")],
        ),
        ("init s; state s; % s -> s;", vec![("kts-syntax", "%")]),
        ("init s; state s; /* s -> s;", vec![("kts-syntax", "/*")]),
        (
            "init s; state s; s -> \"t;\n",
            vec![("kts-syntax", "\"t;"), ("kts-syntax", "")],
        ),
        ("init s; state s; #assert |= AG q;", vec![("unknown-name", "q")]),
        ("init s; state s; #assert deadlockfree", vec![("kts-syntax", "")]),
        (
            "init s; state s; #assert |= [] state == r;",
            vec![("unknown-state", "r")],
        ),
        (
            "init s; state s; #assert |= [] state > s;",
            vec![("property-syntax", "state")],
        ),
        (
            "init s; state s; #assert deadlockfree; //@ expect: maybe",
            vec![("bad-directive", "expect: maybe")],
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn suggestions() {
    let help = |text: &str| read(text).1[0].help.clone();
    assert_eq!(help("init start; state strat;"), "did you mean `strat`?");
    assert_eq!(
        help("init s; state s; s -> elsewhere;"),
        "declare it: `state elsewhere;`"
    );
    assert_eq!(
        help("propositions busy; init s; state s {bsy};"),
        "did you mean `busy`?"
    );
    assert_eq!(
        help("init s; state s {busy}; #assert |= EF buzy;"),
        "did you mean `busy`?"
    );
    assert_eq!(help("init s; state s; s;"), "to declare a state: `state s;`");
    assert_eq!(
        help("#define x 1; init s; state s;"),
        "only `#assert` starts with `#`"
    );
}

#[test]
fn not_more_errors_than_anyone_reads() {
    let text = "-> ; ".repeat(1000);
    assert_eq!(read(&text).1.len(), 20);
}
