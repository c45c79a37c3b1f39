//! The Aldebaran format: what is written is read again, and mistakes have places.

use crate::random::{cases, cut_graph, graph, lts};
use fairhold_source::{FileId, SourceMap};
use fairhold_store::StateId;
use fairhold_structure::{Lts, LtsStep, graph_to_aut, read_aut, write_aut};
use proptest::prelude::*;

fn read(text: &str) -> Lts {
    let (lts, diagnostics) = read_aut(FileId(0), text);
    lts.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn event_of<'a>(lts: &'a Lts, step: &LtsStep) -> &'a str {
    &lts.events()[lts.alphabet().get(step.label).event.0 as usize]
}

/// The steps by names.
fn steps(lts: &Lts) -> Vec<(u32, &str, u32)> {
    let named = |s: &LtsStep| (s.from.0, event_of(lts, s), s.to.0);
    let mut steps: Vec<_> = lts.steps().iter().map(named).collect();
    steps.sort_unstable();
    steps
}

#[test]
fn labels_with_and_without_quotes() {
    let text = "\
// made by hand
des(0,6,4)   \r
 ( 0 , \"coin\" , 1 )

(0, coin, 1)
# quoted or not, tau is tau; i is tau only without quotes
(1,i,2)
(1,\"tau\",2)
(1,\"i\",3)
(2, PUT(1, 2), 0)
";
    let lts = read(text);
    assert_eq!((lts.initial(), lts.states()), (&[StateId(0)][..], 4));
    assert_eq!(
        steps(&lts),
        [(0, "coin", 1), (1, "i", 3), (1, "tau", 2), (2, "PUT(1, 2)", 0)]
    );
}

#[test]
fn the_end_is_where_terminate_leads_to_nothing() {
    let lts = read("des (0, 4, 4)\n(0, a, 1)\n(0, terminate, 2)\n(0, \"terminate\", 3)\n(3, a, 3)\n");
    let ended: Vec<bool> = (0..4).map(|s| lts.is_ended(StateId(s))).collect();
    assert_eq!(ended, [false, false, true, false]);
}

#[test]
fn one_state_and_no_steps() {
    let lts = read("des (0, 0, 1)");
    assert_eq!((lts.states(), lts.steps().len()), (1, 0));
}

#[test]
fn mistakes_have_places() {
    for (text, expected) in [
        ("", "1:1 aut-header"),
        ("// nothing\n", "1:1 aut-header"),
        ("dse (0, 0, 1)", "1:1 aut-header"),
        ("(0, a, 1)", "1:1 aut-header"),
        ("des 0, 0, 1", "1:5 aut-syntax"),
        ("des (0, x, 1)", "1:9 aut-number"),
        ("des (0, -1, 1)", "1:9 aut-number"),
        ("des (0, 99999999999999999999, 1)", "1:9 aut-number"),
        ("des (0, 0, 0)", "1:12 aut-count"),
        ("des (0, 0, 4294967295)", "1:12 aut-count"),
        ("des (0, 0, 4000000000)", "1:12 aut-count"),
        ("des (2, 0, 2)", "1:6 aut-state"),
        ("des (0, 0, 1) x", "1:15 aut-syntax"),
        ("des (0, 2, 2)\n(0, a, 1)\n", "1:9 aut-count"),
        ("des (0, 0, 2)\n(0, a, 1)\n", "1:9 aut-count"),
        ("des (0, 1, 2)\n(0, a, 2)\n", "2:8 aut-state"),
        ("des (0, 1, 2)\n(7, a, 1)\n", "2:2 aut-state"),
        ("des (0, 1, 2)\n0, a, 1)\n", "2:1 aut-syntax"),
        ("des (0, 1, 2)\n(0, a, 1\n", "2:9 aut-syntax"),
        ("des (0, 1, 2)\n(0, a)\n", "2:5 aut-syntax"),
        ("des (0, 1, 2)\n(0, , 1)\n", "2:5 aut-syntax"),
        ("des (0, 1, 2)\n(0, \"a, 1)\n", "2:5 aut-syntax"),
        ("des (0, 1, 2)\n(0, \"a\" b, 1)\n", "2:9 aut-syntax"),
        ("des (0, 1, 2)\n(0, a, b)\n", "2:8 aut-number"),
        ("des (0, 1, 2)\n(0, a, 1) (1, a, 0)\n", "2:11 aut-syntax"),
    ] {
        let mut map = SourceMap::new();
        let file = map.add("g.aut", text);
        let (lts, diagnostics) = read_aut(file, text);
        assert!(lts.is_none(), "{text:?}");
        let first = &diagnostics[0];
        let at = map.file(file).position(first.span.expect("a place").start);
        let found = format!("{}:{} {}", at.line, at.column, first.code);
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn all_mistakes_are_reported_up_to_a_point() {
    let text = format!("des (0, 100, 2)\n{}", "(0, a, 5)\n".repeat(100));
    let (_, diagnostics) = read_aut(FileId(0), &text);
    assert_eq!(diagnostics.len(), 20);
    let (_, diagnostics) = read_aut(FileId(0), "des (0, 3, 2)\n(0, a, 5)\n(0, a, 1)\n(9, a, 1)\n");
    assert_eq!(diagnostics.len(), 2);
}

#[test]
fn cut_states_are_no_deadlocks() {
    let lts = read("des (0, 3, 4)\n(0, a, 1)\n(1, a, 2)\n(2, a, 3)\n");
    let text = graph_to_aut(&cut_graph(&lts, Some(2))).expect("one initial state");
    assert_eq!(text, "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"(cut)\", 1)\n");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn what_is_written_is_read_again(lts in lts(12)) {
        let listed = lts.steps().iter().map(|s| (s.from.0, event_of(&lts, s), s.to.0));
        let text = write_aut(lts.initial()[0].0, lts.states(), listed);
        let again = read(&text);
        prop_assert_eq!((again.initial(), again.states()), (lts.initial(), lts.states()));
        prop_assert_eq!(steps(&again), steps(&lts));
    }

    #[test]
    fn a_graph_survives_a_round_trip(lts in lts(12)) {
        // Ended is what a step leads to that may itself be out of reach, so reach comes first.
        let reached = graph(&lts);
        let before = graph(&read(&graph_to_aut(&reached).expect("one initial state")));
        prop_assert_eq!((before.nodes.len(), before.steps.len()), (reached.nodes.len(), reached.steps.len()));
        let after = graph(&read(&graph_to_aut(&before).expect("one initial state")));
        prop_assert_eq!(before.nodes.len(), after.nodes.len());
        prop_assert_eq!(before.steps.len(), after.steps.len());
        let marks = |g: &fairhold_structure::Graph| {
            let count = |is: fn(&fairhold_structure::Node) -> bool| g.nodes.iter().filter(|n| is(n)).count();
            (count(|n| n.deadlock), count(|n| n.ended), count(|n| n.component.looping))
        };
        prop_assert_eq!(marks(&before), marks(&after));
    }

    #[test]
    fn no_text_is_too_odd(text in "(des \\(0, ?[0-9]{1,2}, ?[0-9]{1,2}\\)\n)?([(,)\"\\\\a0-9 \n]|\\(0, ?\"?[ai]\"?, ?1\\)\n){0,30}") {
        let (lts, diagnostics) = read_aut(FileId(0), &text);
        prop_assert!(lts.is_some() || !diagnostics.is_empty());
        for diagnostic in diagnostics {
            let span = diagnostic.span.expect("a place");
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
        }
    }
}
