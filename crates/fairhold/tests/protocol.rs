//! Protocols through the façade: which notions are run, what decides the exit status, and what is refused.

use fairhold::{
    CheckOptions, CheckResult, Convergence, Fairness, Language, LoadOptions, Report, Silent, Status, Verdict,
    load_text, parse_fairness,
};

/// Everyone may lead, and whoever meets a leader may follow it.
const LEADERS: &str = "
    size N = 3
    topology complete
    field leader: bool
    meet: (leader=1), (leader=1) -> *, (leader=0)
    rise: (leader=0), (leader=0) -> (leader=1), *
";

fn options(fairness: &str, properties: &[&str]) -> LoadOptions {
    let fairness = match fairness {
        "" => Vec::new(),
        list => parse_fairness(list).expect("notions"),
    };
    LoadOptions {
        properties: properties.iter().map(|&p| p.to_owned()).collect(),
        fairness,
        ..LoadOptions::default()
    }
}

fn check(text: &str, options: &LoadOptions) -> Vec<CheckResult> {
    let loaded = load_text("p.pp", text, Language::Pp, options);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let tasks = model.tasks(&[]).into_iter();
    tasks
        .flat_map(|tasks| model.check(tasks, &CheckOptions::default(), &Silent))
        .collect()
}

fn refused(text: &str, options: &LoadOptions) -> &'static str {
    let loaded = load_text("p.pp", text, Language::Pp, options);
    assert!(loaded.model.is_none());
    loaded.diagnostics[0].code
}

fn verdicts(results: &[CheckResult]) -> Vec<(&str, Verdict)> {
    let named = |r: &CheckResult| r.fairness.clone().unwrap_or_default();
    let words = ["none", "pwf", "ewf", "psf", "esf", "sgf", ""];
    let word = |r: &CheckResult| words.into_iter().find(|w| *w == named(r)).expect("a notion");
    results.iter().map(|r| (word(r), r.verdict)).collect()
}

fn status(results: Vec<CheckResult>) -> Status {
    Report {
        results,
        ..Report::default()
    }
    .status()
}

/// There are one and two leaders in turn, forever.
#[test]
fn without_fairness_all_notions_are_run_and_one_suffices() {
    use Verdict::{Fails, Holds};
    let holds = check(LEADERS, &options("", &["[] #leader <= 3"]));
    assert_eq!(
        verdicts(&holds),
        [("none", Holds), ("ewf", Holds), ("esf", Holds), ("sgf", Holds)]
    );
    assert_eq!(status(holds), Status::Passed);
    let fails = check(LEADERS, &options("", &["[]<> #leader == 0"]));
    assert!(fails.iter().all(|r| r.verdict == Fails && !r.excused));
    assert_eq!(status(fails), Status::Failed);

    // Without fairness, the detector may never become correct.
    let text = fairhold::example("protocols/leader_complete")
        .expect("it ships")
        .text;
    let some = check(text, &options("", &["stable oneLeader"]));
    assert_eq!(
        verdicts(&some),
        [("none", Fails), ("ewf", Holds), ("esf", Holds), ("sgf", Holds)]
    );
    assert!(some[0].excused && some[0].passes());
    assert_eq!(status(some), Status::Passed);
    // What is chosen is meant.
    let chosen = check(text, &options("none", &["stable oneLeader"]));
    assert_eq!(status(chosen), Status::Failed);
}

#[test]
fn notions_have_other_names_and_some_make_no_sense() {
    let two = check(LEADERS, &options("weak, global", &["[] #leader <= 3"]));
    assert_eq!(verdicts(&two).len(), 2);
    assert_eq!(
        (two[0].fairness.as_deref(), two[1].fairness.as_deref()),
        (Some("ewf"), Some("sgf"))
    );
    let all = check(LEADERS, &options("all", &["[] #leader <= 3"]));
    assert_eq!(all.len(), 4);
    for fairness in ["pwf", "psf", "ewf, psf", "impartial"] {
        assert_eq!(
            refused(LEADERS, &options(fairness, &["deadlockfree"])),
            "no-processes"
        );
    }
    let formula = "GF enabled(meet.0.1) -> GF engaged(meet.0.1)";
    let options = LoadOptions {
        fairness: vec![Fairness::Formula(formula.to_owned())],
        ..options("", &["[]<> leader[0]"])
    };
    assert_eq!(check(LEADERS, &options)[0].verdict, Verdict::Fails);
}

#[test]
fn directives_say_what_is_run() {
    let text = format!(
        "{LEADERS}
        assert [] #leader <= 3      //@ fairness: local
        assert []<> #leader == 0    //@ expect: weak fails, global fails
        assert deadlockfree         //@ expect: holds
        "
    );
    let results = check(&text, &LoadOptions::default());
    assert_eq!(
        verdicts(&results),
        [
            ("esf", Verdict::Holds),
            ("ewf", Verdict::Fails),
            ("sgf", Verdict::Fails),
            ("", Verdict::Holds)
        ]
    );
    assert_eq!(status(results), Status::Passed);
    let text = format!("{LEADERS}\nassert [] true //@ fairness: psf\n");
    assert_eq!(refused(&text, &LoadOptions::default()), "no-processes");
}

/// With the detector: 8 * 3 configurations; safe are those with one leader and a correct detector; two must follow and it must become correct.
#[test]
fn the_way_to_safety_is_measured() {
    let text = fairhold::example("protocols/leader_complete")
        .expect("it ships")
        .text;
    let results = check(text, &options("", &["stable oneLeader"]));
    let found = Convergence {
        configurations: 24,
        safe: 3,
        steps: Some(3),
    };
    assert_eq!(results[0].convergence, None);
    assert!(results[1..].iter().all(|r| r.convergence == Some(found)));
    // Three multisets of nodes for each of the two guesses, four with a correct detector: 12 in all, one of them safe.
    let counted = check(text, &options("sgf", &["stable oneLeader"]));
    let found = Convergence {
        configurations: 12,
        safe: 1,
        steps: Some(3),
    };
    assert_eq!(counted[0].convergence, Some(found));
    assert_eq!(counted[0].reductions, ["counting"]);
}

#[test]
fn an_automaton_is_a_property_of_a_protocol() {
    let hoa = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"#leader <= 3\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n--END--\n";
    let options = LoadOptions {
        automata: vec![("few.hoa".into(), hoa.into())],
        ..options("sgf", &[])
    };
    let results = check(LEADERS, &options);
    assert_eq!(verdicts(&results), [("sgf", Verdict::Holds)]);
    assert!(results[0].reductions.is_empty());
}

#[test]
fn a_fault_of_the_model_is_an_error_with_a_run() {
    let text = "
        size N = 2
        topology complete
        field c: 0..2
        initial c = 0
        up: (c=x), * -> (c=x+1), *
        assert deadlockfree
        assert [] #{c=2} < 2
    ";
    for result in check(text, &options("none", &[])) {
        assert_eq!(result.verdict, Verdict::Error, "{:?}", result.reason);
        assert!(result.bug.is_none(), "{:?}", result.bug);
        let reason = result.reason.as_deref().unwrap_or_default();
        assert!(reason.contains("3 is outside c: 0..2"), "{reason}");
        assert_eq!(result.counterexample.as_ref().map(fairhold::Run::len), Some(2));
    }
}
