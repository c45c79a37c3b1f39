//! Automata in HOA, as other tools write them and as we do, and faults in them.

use crate::{Acceptance, Automaton, Word, read_hoa};
use fairhold_source::FileId;

fn read(text: &str) -> Automaton {
    read_hoa(FileId(0), text).unwrap_or_else(|e| panic!("{e:?}"))
}

fn complaint(text: &str) -> (String, u32) {
    let error = read_hoa(FileId(0), text).expect_err("a fault");
    (error.message.clone(), error.span.expect("a place").start)
}

/// `G F a` as a Büchi automaton with acceptance on states, an alias and odd layout.
const STATE_BASED: &str = r#"
HOA: v1 tool: "hand" "1.0" name: "GFa"
States: 2 Start: 0 AP: 1 "a\"b"
Alias: @a 0  Alias: @not !(@a)
acc-name: Buchi Acceptance: 1 Inf(0)
properties: state-acc explicit-labels /* a /* nested */ comment */
--BODY--
State: 0 "waiting" [@not] 0 [@a] 1
State: 1 "done" {0} [@not] 0 [@a] 1
--END--
"#;

#[test]
fn acceptance_on_states_moves_to_transitions() {
    let automaton = read(STATE_BASED);
    assert_eq!(automaton.atoms, ["a\"b"]);
    let word = |cycle: &[u64]| Word {
        prefix: vec![0],
        cycle: cycle.to_vec(),
    };
    assert!(word(&[0, 1]).is_accepted(&automaton));
    assert!(!word(&[0]).is_accepted(&automaton));
    assert!(automaton.is_deterministic());
}

#[test]
fn what_is_printed_is_read_again() {
    let automaton = read(STATE_BASED);
    let text = automaton.to_hoa(Some("a \"quoted\" \\ name"));
    assert_eq!(read(&text), automaton, "{text}");
    let empty = Automaton::empty(Vec::new());
    assert_eq!(read(&empty.to_hoa(None)), empty);
}

#[test]
fn implicit_labels_count_letters() {
    let text =
        "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 0 t --BODY--\nState: 0 0 0 0 0 --END--";
    let automaton = read(text);
    let letters: Vec<bool> = (0..4)
        .map(|v| automaton.states[0].edges[2].guard.holds(v))
        .collect();
    assert_eq!(letters, [false, false, true, false]);
    let few = text.replace("0 0 0 0 --END", "0 0 --END");
    assert_eq!(
        complaint(&few).0,
        "a state without labels has one transition per letter: 4 here, not 2"
    );
}

#[test]
fn labels_on_states() {
    let automaton =
        read("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: [!0] 0 1 0 State: 1 --END--");
    assert_eq!(automaton.states.len(), 2);
    assert!(
        automaton.states[0]
            .edges
            .iter()
            .all(|e| e.guard.holds(0) && !e.guard.holds(1))
    );
}

#[test]
fn complemented_sets_become_marks() {
    let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(!0)&Fin(0) --BODY--
State: 0 [0] 0 {0} [!0] 0 --END--";
    let automaton = read(text);
    assert_eq!(
        (automaton.marks, automaton.acceptance.to_string()),
        (2, "Inf(1)&Fin(0)".to_owned())
    );
    let marks: Vec<u64> = automaton.states[0].edges.iter().map(|e| e.marks.0).collect();
    assert_eq!(marks, [1, 2]);
}

#[test]
fn a_rabin_automaton() {
    let text = "HOA: v1
States: 2
Start: 0
AP: 2 \"a\" \"b\"
acc-name: Rabin 1
Acceptance: 2 Fin(0)&Inf(1)
--BODY--
State: 0
[0&!1] 0 {1}
[!0|1] 1 {0}
State: 1
[t] 0
--END--
";
    let automaton = read(text);
    assert_eq!(
        automaton.acceptance,
        Acceptance::named("Rabin", &[1]).expect("a name")
    );
    assert!(automaton.to_hoa(None).contains("acc-name: Rabin 1\n"));
    assert_eq!(read(&automaton.to_hoa(None)), automaton);
}

#[test]
fn conditions_alone() {
    let condition: Acceptance = "Inf(0)&(Fin(1)|Inf(2))".parse().expect("a condition");
    assert_eq!(condition.to_string(), "Inf(0)&(Fin(1)|Inf(2))");
    assert_eq!("t".parse::<Acceptance>().expect("a condition"), Acceptance::True);
    assert!("Inf(!0)".parse::<Acceptance>().is_err());
    assert!("Inf(0) Inf(1)".parse::<Acceptance>().is_err());
    assert!("!Inf(0)".parse::<Acceptance>().is_err());
}

#[test]
fn faults_have_places() {
    let cases = [
        ("", "an automaton starts with `HOA: v1`", 0),
        ("HOA: v2", "an automaton starts with `HOA: v1`", 0),
        ("HOA: v1 --BODY--", "`Acceptance:` is missing before this", 8),
        ("HOA: v1 Fancy: 3", "`Fancy:` is not known", 8),
        ("HOA: v1 Start: 0&1", "alternating automata are not supported", 16),
        ("HOA: v1 AP: 2 \"a\"", "`AP:` announces 2 atoms and names 1", 12),
        (
            "HOA: v1 Acceptance: 1 Inf(1)",
            "there is no set 1, `Acceptance:` announces 1",
            26,
        ),
        (
            "HOA: v1 States: 4000000000",
            "at most 1048576 states are possible",
            16,
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [0] 0",
            "there is no atom 0, `AP:` names 0",
            43,
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] }",
            "expected the target's number",
            46,
        ),
        (
            "HOA: v1 States: 1 Acceptance: 0 t --BODY-- State: 1",
            "there is no state 1, `States:` announces 1",
            50,
        ),
        ("HOA: v1 /* no end", "the comment is not closed", 8),
        ("HOA: v1 \u{e9}", "`\u{e9}` means nothing here", 8),
    ];
    for (text, message, at) in cases {
        assert_eq!(complaint(text), (message.to_owned(), at), "{text}");
    }
    let deep = format!("HOA: v1 Acceptance: 0 {}", "(".repeat(10_000));
    assert_eq!(complaint(&deep).0, "parentheses are nested more than 200 deep");
}
