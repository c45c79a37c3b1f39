//! Which terms are one state, and what recursion without an event does: counted on the reference semantics.

use fairhold_csp::model::Model;
use fairhold_csp::reference::Reference;
use fairhold_csp::resolve::{self, Options};
use fairhold_csp::state::State;
use fairhold_system::Fault;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

fn load(text: &str) -> Arc<Model> {
    let no_includes = |_: &str, path: &str| Err(format!("{path} is not there"));
    let options = Options {
        defines: &[],
        read: &no_includes,
    };
    let loaded = resolve::load("model.csp", text, &options);
    let errors = fairhold_source::render_all(&loaded.map, &loaded.diagnostics, false);
    Arc::new(loaded.model.unwrap_or_else(|| panic!("{text}\n{errors}")))
}

fn reference(text: &str, process: &str) -> Reference {
    let model = load(text);
    let process = model.definition(process).expect("the process is defined");
    Reference::new(Arc::clone(&model), process, &[]).expect("the process starts")
}

/// The states of a process and the events of their steps, or how one of them goes wrong.
fn explore(text: &str, process: &str) -> Result<(usize, Vec<String>), Fault> {
    let reference = reference(text, process);
    let mut seen: HashSet<State> = HashSet::from([reference.initial_state()]);
    let mut waiting = vec![reference.initial_state()];
    let mut events = Vec::new();
    while let Some(state) = waiting.pop() {
        for step in reference.steps_from(&state)? {
            events.push(step.event);
            if seen.insert(step.target.clone()) {
                waiting.push(step.target);
            }
        }
    }
    events.sort();
    Ok((seen.len(), events))
}

fn states(text: &str, process: &str) -> usize {
    explore(text, process).expect("nothing goes wrong").0
}

fn first_events(text: &str) -> BTreeSet<String> {
    let reference = reference(text, "System");
    reference
        .enabled(&reference.initial_state())
        .expect("nothing goes wrong")
}

#[test]
fn a_definition_in_between_adds_no_state() {
    let text = "P() = a -> b -> P(); Q() = R(); R() = P(); System() = Q();";
    assert_eq!(states(text, "P"), 2);
    assert_eq!(states(text, "System"), 2);
    let cut = "P() = a -> Q(1); Q(i) = b.i -> P(); System() = P() ||| Q(1);";
    assert_eq!(states(cut, "System"), 4);
}

#[test]
fn an_argument_that_is_a_variable_is_evaluated_when_its_turn_comes() {
    let text = "var x = 1; P(i) = a.i -> Stop; System() = go -> P(x) ||| b{x = 2} -> Stop;";
    let (_, events) = explore(text, "System").expect("nothing goes wrong");
    assert!(events.contains(&"a.1".to_owned()) && events.contains(&"a.2".to_owned()));
}

#[test]
fn a_choice_is_a_set() {
    let text = "A = a -> Stop; B = b -> Stop;
        P = c -> (A [] B); Q = c -> (Stop [] (A [] (B [] A)) [] Stop); System = P [] Q;";
    assert_eq!(states(text, "System"), 3);
}

#[test]
fn what_has_stopped_does_not_go_on() {
    assert_eq!(
        states("Q = Stop; System = a -> (Q; b -> Skip) [] c -> Stop;", "System"),
        2
    );
}

#[test]
fn jumps_between_rounds_have_one_local_state() {
    let text = "var at[5];
        Jump(i) = [at[i] == 0] jump.i{at[i] = 1} -> Skip;
        Game = ([] i:{0..4} @ Jump(i)); Game;
        System = Game;";
    assert_eq!(states(text, "System"), 32);
}

#[test]
fn a_called_end_keeps_its_step_before_a_sequel() {
    for (process, count) in [
        ("Q(); b -> Stop", 1),
        ("(Q() ||| a -> Skip); b -> Stop", 1),
        ("(Q() ||| Skip); b -> Stop", 1),
        ("(Skip ||| a -> Skip); b -> Stop", 0),
        ("((Q() ||| a -> Skip) [*] c -> Skip); b -> Stop", 1),
        ("(Stop [] Skip); b -> Stop", 1),
        ("atomic{Q()}; b -> Stop", 1),
        ("Q(); Q(); b -> Stop", 2),
        ("(a -> Q()); b -> Stop", 1),
        ("(Stop ||| Q()); b -> Stop", 0),
    ] {
        let text = format!("Q() = Skip; System = {process};");
        let (_, events) = explore(&text, "System").expect("nothing goes wrong");
        let taus = events.iter().filter(|e| *e == "tau").count();
        assert_eq!(taus, count, "{process}");
    }
}

#[test]
fn a_call_that_goes_wrong_does_so_when_its_steps_are_asked_for() {
    let text = "P(i:{0..2}) = a -> P(i); System = go -> (P(7) ||| b -> Stop);";
    let reference = reference(text, "System");
    let steps = reference.steps_from(&reference.initial_state());
    let target = &steps.expect("the first step goes well")[0].target;
    assert!(reference.steps_from(target).is_err());
}

#[test]
fn a_call_met_again_contributes_nothing() {
    for (definitions, expected) in [
        ("System = [x == 0] System [] a -> Stop;", "a"),
        (
            "P = [x == 0] Q [] a -> P; Q = [x == 0] P [] b -> Q; System = P;",
            "a b",
        ),
        ("System = ifa (x == 0) {System} else {a -> Stop};", ""),
        ("System = [x == 0] (System ||| a -> Skip) [] b -> Stop;", "a b"),
        ("System = [x == 0] (System \\ {b}) [] b -> Stop;", "b tau"),
        ("System = (a -> Skip [] Skip); System;", "a tau"),
        (
            "P(i) = [x == 0] P(1 - i) [] a.i -> Stop; System = P(0);",
            "a.0 a.1",
        ),
    ] {
        let events = first_events(&format!("var x = 0; {definitions}"));
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(events, expected, "{definitions}");
    }
}

#[test]
fn calls_that_go_on_with_new_arguments_are_a_fault() {
    let text = "var x = 0; P(i) = [x == 0] P(i + 1); System = P(0);";
    let fault = explore(text, "System").expect_err("it never comes to an event");
    assert!(
        fault.message.contains("without an event in between"),
        "{}",
        fault.message
    );
}

#[test]
fn a_hundred_thousand_operands_are_normalised_at_once() {
    // All operands are one term, which is unfolded once; by itself, each would be interned anew.
    let text = "P() = |||{100000} @ Q(); Q() = R(); R() = a -> Q();";
    let started = reference(text, "P").initial_state();
    assert_eq!(started, reference(text, "P").initial_state());
}

/// A call that stands beside the term at hand is not around it: whichever is put into normal form first, there is one form.
#[test]
fn a_call_met_beside_a_composition_is_unfolded_inside_it_too() {
    let text = "H = a -> Stop; P = (H ||| b -> Stop) [] c -> Stop; X = H [] (H ||| b -> Stop) [] c -> Stop;
        U = go -> (H [] P) [] stay -> X; V = go -> X [] stay -> X;";
    let states = |process| explore(text, process).expect("nothing goes wrong").0;
    assert_eq!(states("U"), states("V"));
}
