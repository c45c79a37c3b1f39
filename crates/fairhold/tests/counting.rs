//! Counting nodes changes no verdict, and what it shows is judged.

use fairhold::{
    CheckOptions, CheckResult, LoadOptions, Reduction, SavedTrace, Silent, Verdict, load_file,
    parse_fairness, saved_trace,
};

/// The protocols on complete networks, each with the largest size to look at.
const COMPLETE: [(&str, i32); 6] = [
    ("leader_complete", 8),
    ("majority3", 5),
    ("majority4", 8),
    ("parity", 5),
    ("flock_of_birds", 5),
    ("consensus_crash", 5),
];

fn load(name: &str, nodes: i32, properties: &[&str]) -> fairhold::Model {
    let file = format!(
        "{}/../../examples/protocols/{name}.pp",
        env!("CARGO_MANIFEST_DIR")
    );
    let options = LoadOptions {
        defines: vec![("N".into(), nodes)],
        properties: properties.iter().map(|&p| p.to_owned()).collect(),
        fairness: parse_fairness("sgf").expect("a notion"),
        ..LoadOptions::default()
    };
    let loaded = load_file(&file, None, &options);
    loaded
        .model
        .unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics))
}

fn check(model: &fairhold::Model, reduction: Reduction) -> Vec<CheckResult> {
    let options = CheckOptions {
        reduction,
        ..CheckOptions::default()
    };
    let tasks = model.tasks(&[]).into_iter();
    tasks
        .flat_map(|tasks| model.check(tasks, &options, &Silent))
        .collect()
}

fn is_counted(result: &CheckResult) -> bool {
    result.reductions == ["counting"]
}

#[test]
fn verdicts_are_those_of_the_full_graph() {
    let mut counted = 0;
    for (name, largest) in COMPLETE {
        for nodes in 3..=largest {
            let model = load(name, nodes, &[]);
            let reduced = check(&model, Reduction::Auto);
            let full = check(&model, Reduction::None);
            assert_eq!(reduced.len(), full.len());
            for (reduced, full) in reduced.iter().zip(&full) {
                let what = format!("{name} {nodes}: {}", full.assertion);
                assert_eq!(reduced.verdict, full.verdict, "{what}");
                assert!(reduced.bug.is_none() && full.reductions.is_empty(), "{what}");
                assert_eq!(reduced.run().is_some(), full.run().is_some(), "{what}");
                counted += usize::from(is_counted(reduced));
                // Those who look for a decisive state may meet more multisets than configurations before it.
                if is_counted(reduced) && full.run().is_none() {
                    assert!(reduced.states <= full.states, "{what}");
                }
            }
        }
    }
    assert!(counted > 30, "{counted}");
}

/// Some failing questions: a run that ends, a loop that says it all, and one that must take more steps than can be shown.
#[test]
fn counted_runs_can_be_replayed() {
    let questions = [
        "stable #leader == 0",
        "stable #leader == 2",
        "reaches #leader == 7",
        "[]<> #leader == 3",
    ];
    for nodes in [4, 30] {
        for question in questions {
            let model = load("leader_complete", nodes, &[question]);
            let result = &check(&model, Reduction::Auto)[0];
            assert!(is_counted(result), "{question}: {}", result.reduction_note);
            let holds = question.starts_with("reaches") && nodes == 30;
            let expected = if holds { Verdict::Holds } else { Verdict::Fails };
            assert_eq!(result.verdict, expected, "{question}: {:?}", result.reason);
            if result.run().is_none() {
                continue;
            }
            let saved = saved_trace(result, &model.sha256);
            let trace = SavedTrace::parse("trace.json", &saved.to_string()).expect("a saved trace");
            let replayed = model.replay(&trace);
            assert!(replayed.valid(), "{question}: {:?}", replayed.refused);
        }
    }
}

#[test]
fn what_is_not_proven_is_explored_in_full() {
    for (question, why) in [
        ("forall k: []<> leader[k] = 0", "by their numbers"),
        ("[] #leader < 9", "combinations"),
        ("<>[] X #leader == 1", "combinations"),
        ("[]<> rule1.0.1", "combinations"),
        ("AG EF #leader == 1", "path quantifiers"),
    ] {
        let result = &check(&load("leader_complete", 3, &[question]), Reduction::Auto)[0];
        assert!(result.reductions.is_empty(), "{question}");
        assert!(
            result.reduction_note.contains(why),
            "{question}: {}",
            result.reduction_note
        );
    }
    let result = &check(&load("token_ring", 3, &["deadlockfree"]), Reduction::Auto)[0];
    assert!(
        result.reduction_note.contains("not complete"),
        "{}",
        result.reduction_note
    );
}
