//! Formulas with path quantifiers on the examples: they agree with formulas of linear time where they must, and what shows their verdicts can be replayed.

use fairhold::{
    CheckOptions, CheckResult, Fairness, LoadOptions, Model, NOTIONS, SavedTrace, Silent, Verdict, load_file,
    saved_trace,
};
use serde_json::json;

/// An example, a process in it, and two conditions on its states.
const MODELS: [(&str, &str, &str, &str); 12] = [
    ("alternating_bit", "Protocol", "pending == 0", "pending == 1"),
    ("bakery", "Bakery", "inside == 0", "inside == 1"),
    ("bounded_buffer", "System", "full", "!full"),
    ("bridge", "Plan", "time <= 15", "across"),
    ("leader_complete", "Election", "lost", "one_leader"),
    ("leader_ring", "Election", "right == 1", "one_leader"),
    ("lift", "Lift", "lit[Top] == 1", "floor == Top"),
    ("peterson", "Peterson", "climbs", "inside == 1"),
    ("peterson_shared", "Peterson", "climbs", "inside == 1"),
    ("producer_consumer", "Hasty", "open > 0", "all_handled"),
    ("readers_writers", "ReadersWriters", "!wrong", "wrong"),
    ("two_phase_commit", "Fragile", "decided", "all_committed"),
];

/// Formulas that say the same, of all paths and with quantifiers.
const SAME: [(&str, &str); 8] = [
    ("[]P", "AG P"),
    ("<>P", "AF P"),
    ("<>Q", "AF Q"),
    ("[]<>P", "AG AF P"),
    ("[]<>Q", "AG AF Q"),
    ("[](P -> <>Q)", "AG (P -> AF Q)"),
    ("[](Q -> <>P)", "AG (Q -> AF P)"),
    ("P U Q", "A[P U Q]"),
];

/// With every step that is possible again and again taken again and again, these say the same as those with no fairness at all.
const GLOBAL: [(&str, &str); 4] = [
    ("[]<>P", "AG EF P"),
    ("[]<>Q", "AG EF Q"),
    ("<>[]P", "AG EF AG P"),
    ("<>[]Q", "AG EF AG Q"),
];

fn load(model: &(&str, &str, &str, &str), formulas: &[&str], notions: &[&'static str]) -> Model {
    let (file, process, p, q) = model;
    let property = |formula: &&str| {
        let formula = formula
            .replace('P', &format!("({p})"))
            .replace('Q', &format!("({q})"));
        format!("{process} |= {formula}")
    };
    let options = LoadOptions {
        properties: formulas.iter().map(property).collect(),
        fairness: notions.iter().map(|n| Fairness::Notion(n)).collect(),
        ..LoadOptions::default()
    };
    let file = format!("{}/../../examples/{file}.csp", env!("CARGO_MANIFEST_DIR"));
    let loaded = load_file(&file, None, &options);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// The results of all formulas, one after the other.
fn check(model: &Model) -> Vec<CheckResult> {
    let tasks = model.tasks(&[]);
    let check = |tasks: &&[_]| model.check(tasks, &CheckOptions::default(), &Silent);
    tasks.iter().flat_map(check).collect()
}

#[test]
fn linear_and_branching_time_agree() {
    let (mut holds, mut fails) = (0, 0);
    for model in &MODELS {
        let linear = check(&load(model, &SAME.map(|s| s.0), &NOTIONS));
        let branching = check(&load(model, &SAME.map(|s| s.1), &NOTIONS));
        for (l, b) in linear.iter().zip(&branching) {
            assert!(l.bug.is_none() && b.bug.is_none(), "{:?} {:?}", l.bug, b.bug);
            let what = format!(
                "{}: {} and {} under {:?}",
                l.file, l.assertion, b.assertion, l.fairness
            );
            assert_eq!((l.verdict, l.feasible), (b.verdict, b.feasible), "{what}");
            holds += usize::from(l.verdict == Verdict::Holds);
            fails += usize::from(l.verdict == Verdict::Fails);
        }
    }
    println!("{holds} hold, {fails} fail");
    assert_eq!(holds + fails, MODELS.len() * SAME.len() * NOTIONS.len());
    assert!(holds > 100 && fails > 100);
}

#[test]
fn strong_global_fairness_is_what_can_always_still_happen() {
    let (mut holds, mut fails) = (0, 0);
    for model in &MODELS {
        let linear = check(&load(model, &GLOBAL.map(|s| s.0), &["sgf"]));
        let branching = check(&load(model, &GLOBAL.map(|s| s.1), &["none"]));
        for (l, b) in linear.iter().zip(&branching) {
            assert_eq!(
                l.verdict, b.verdict,
                "{}: {} and {}",
                l.file, l.assertion, b.assertion
            );
            holds += usize::from(l.verdict == Verdict::Holds);
            fails += usize::from(l.verdict == Verdict::Fails);
        }
    }
    println!("{holds} hold, {fails} fail");
    assert_eq!(holds + fails, MODELS.len() * GLOBAL.len());
    assert!(holds > 10 && fails > 10);
}

/// Formulas of several quantifiers.
const NESTED: [&str; 6] = [
    "AG EF P",
    "EG EF Q",
    "AG (P -> EX !P)",
    "E[!Q U AG !P]",
    "!EF AG (P || Q)",
    "AG EF P && EF Q",
];

#[test]
fn what_shows_a_verdict_can_be_replayed() {
    let (mut replayed, mut refused) = (0, 0);
    for model in &MODELS[..8] {
        for result in check(&load(model, &NESTED, &["none", "ewf", "psf"])) {
            assert!(result.bug.is_none(), "{:?}", result.bug);
            if result.run().is_none() {
                continue;
            }
            let mut json = saved_trace(&result, "");
            let again = |json: &serde_json::Value| {
                let trace = SavedTrace::parse("t.json", &json.to_string()).expect("what was saved is read");
                let loaded = load_file(&result.file, None, &trace.load_options());
                loaded.model.expect("it was loaded before").replay(&trace)
            };
            let replay = again(&json);
            assert!(replay.valid(), "{}: {:?}", result.assertion, replay.refused);
            replayed += 1;
            // The opposite claim about a state on the run is refused, where the run says enough.
            let title = if result.counterexample.is_some() {
                "counterexample"
            } else {
                "witness"
            };
            if let Some(holds) = json.pointer_mut(&format!("/{title}/branches/0/holds")) {
                *holds = json!(!holds.as_bool().expect("a truth value"));
                refused += usize::from(!again(&json).valid());
            }
        }
    }
    println!("{replayed} replayed, {refused} refused after a change");
    assert!(replayed > 60 && refused > 30);
}
