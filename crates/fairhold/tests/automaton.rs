//! An automaton as a property: the automaton of a formula gives the verdicts of the formula, and its counterexamples can be replayed.

use fairhold::{
    AutomatonFormat, CheckOptions, CheckResult, Fairness, Language, LoadOptions, Model, NOTIONS, SavedTrace,
    Silent, Verdict, load_text, saved_trace, translate_formula,
};
use serde_json::json;

/// Two processes that compete, one that idles, a variable, and a channel.
const COMPETITION: &str = "\
var x = 0;
channel c 1;
#define on x == 1;
Left = take.0{x = 1} -> give.0{x = 0} -> Left;
Right = [x == 0] take.1 -> c!1 -> c?1 -> Right;
Both = Left ||| Right;
#assert Both deadlockfree;
";

/// Ends in a deadlock, in success, or never.
const ENDS: &str = "\
var n = 0;
P = [n < 3] step{n = n + 1} -> P [] [n == 1] stop -> Stop [] [n == 2] done -> Skip;
Q = wf(back) -> Q [] tick -> Q;
";

/// What every atom in [`FORMULAS`] is called in a model: `a`, `b`, and a condition on the state.
struct Names {
    a: &'static str,
    b: &'static str,
    state: &'static str,
}

/// Formulas whose automata are deterministic and not, with one mark, several, and none.
const FORMULAS: [&str; 14] = [
    "[]<> A",
    "<>[] S",
    "<>[] S || []<> B",
    "[](A -> <> B)",
    "[]<> A && []<> B",
    "<>[] !A || <>[] !B",
    "!A U B",
    "X X A",
    "[](A -> X (!A U B))",
    "<>(A && <>[] S)",
    "[](S -> (S U B)) || []<> A",
    "[]<>(S && X A)",
    "<> A -> <>[] !B",
    "true",
];

fn load(model: &str, language: Language, options: &LoadOptions) -> Model {
    let loaded = load_text("m", model, language, options);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn options() -> LoadOptions {
    LoadOptions {
        fairness: NOTIONS.map(Fairness::Notion).into(),
        ..LoadOptions::default()
    }
}

fn hoa(formula: &str) -> (String, String) {
    let text = translate_formula(formula, false, AutomatonFormat::Hoa).text;
    ("p.hoa".to_owned(), text.expect("a formula"))
}

fn check(model: &Model) -> Vec<CheckResult> {
    let tasks = model.tasks(&[]);
    let results = tasks
        .iter()
        .flat_map(|tasks| model.check(tasks, &CheckOptions::default(), &Silent));
    results
        .inspect(|r| assert_eq!(r.bug, None, "{}", r.assertion))
        .collect()
}

/// Checks all formulas both ways, under all notions. Returns how many verdicts were `holds` and `fails`.
fn compare(model: &str, language: Language, process: &str, names: &Names) -> [usize; 2] {
    let mut seen = [0; 2];
    for formula in FORMULAS {
        // By way of marks: names may hold the letters.
        let put = |quote: &dyn Fn(&str) -> String| {
            let marked = formula
                .replace('A', "\u{1}")
                .replace('B', "\u{2}")
                .replace('S', "\u{3}");
            let names = [("\u{1}", names.a), ("\u{2}", names.b), ("\u{3}", names.state)];
            names
                .iter()
                .fold(marked, |text, (mark, name)| text.replace(mark, &quote(name)))
        };
        let property = format!("{process} |= {}", put(&|name| format!("({name})")));
        let by_formula = LoadOptions {
            properties: vec![property.trim_start().to_owned()],
            ..options()
        };
        let by_automaton = LoadOptions {
            automata: vec![hoa(&put(&|name| format!("\"{name}\"")))],
            process: Some(process.to_owned()).filter(|p| !p.is_empty()),
            ..options()
        };
        let [one, other] = [&by_formula, &by_automaton].map(|options| check(&load(model, language, options)));
        assert_eq!(one.len(), NOTIONS.len());
        for (one, other) in one.iter().zip(&other) {
            let notion = one.fairness.as_deref();
            assert_eq!(
                one.verdict, other.verdict,
                "{property} under {notion:?}: {:?}",
                other.reason
            );
            assert_eq!(one.feasible, other.feasible, "{property} under {notion:?}");
            assert_eq!(
                other.assertion,
                format!("{process} |= automaton p.hoa").trim_start()
            );
            match one.verdict {
                Verdict::Holds => seen[0] += 1,
                Verdict::Fails => seen[1] += 1,
                Verdict::Unknown | Verdict::Error => panic!("{property}: {:?}", one.reason),
            }
            if let Some(run) = &other.counterexample {
                assert!(!run.loop_.is_empty());
                replay(model, language, other);
            }
        }
    }
    seen
}

/// Has a counterexample replayed from its file, with its own automaton and with one that accepts everything.
fn replay(model: &str, language: Language, result: &CheckResult) {
    let mut json = saved_trace(result, "");
    for (automaton, valid) in [(None, true), (Some(hoa("true").1), false)] {
        if let Some(automaton) = automaton {
            json["automaton"] = json!(automaton);
        }
        let trace = SavedTrace::parse("t.json", &json.to_string()).expect("a saved trace");
        let replayed = load(model, language, &trace.load_options()).replay(&trace);
        assert_eq!(replayed.valid(), valid, "{:?}", replayed.refused);
        if let Some(refused) = replayed.refused {
            assert_eq!(refused.message, "the automaton accepts it");
        }
    }
}

#[test]
fn verdicts_are_those_of_the_formula() {
    let mut seen = [0; 2];
    let models = [
        (COMPETITION, "Both", ["take.0", "take.1", "x == 1"]),
        (COMPETITION, "Both", ["c!1", "give.0", "on"]),
        (ENDS, "P", ["step", "stop", "n > 1"]),
        (ENDS, "Q", ["back", "tick", "n == 0"]),
    ];
    for (model, process, [a, b, state]) in models {
        let names = Names { a, b, state };
        let [holds, fails] = compare(model, Language::Csp, process, &names);
        println!("{process}: {holds} hold, {fails} fail");
        seen = [seen[0] + holds, seen[1] + fails];
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?} is one-sided");
}

#[test]
fn graphs_have_labels_and_states_as_atoms() {
    let graph = "des (0, 5, 4)\n(0, coin, 1)\n(1, cup, 0)\n(1, coin, 2)\n(2, cup, 2)\n(0, i, 3)\n";
    let names = Names {
        a: "coin",
        b: "cup",
        state: "state == 2",
    };
    let [holds, fails] = compare(graph, Language::Aut, "", &names);
    assert!(holds > 10 && fails > 10, "{holds} hold, {fails} fail");
}

#[test]
fn the_process_is_that_of_the_first_assertion() {
    let text = |model: &str, properties: &[&str]| -> Result<Vec<String>, &'static str> {
        let options = LoadOptions {
            automata: vec![hoa("[]<> a")],
            properties: properties.iter().map(|&p| p.to_owned()).collect(),
            ..LoadOptions::default()
        };
        let loaded = load_text("m", model, Language::Csp, &options);
        let model = loaded.model.ok_or_else(|| loaded.diagnostics[0].code)?;
        Ok(model.assertions().map(str::to_owned).collect())
    };
    let two = "P(n) = a -> P(n); Q = a -> Q; R = b -> R;";
    let asserting = format!("{two}\n#assert P(3) deadlockfree;\n#assert Q deadlockfree;");
    assert_eq!(
        text(&asserting, &[]),
        Ok(vec!["P(3) |= automaton p.hoa".to_owned()])
    );
    let given = ["R deadlockfree".to_owned(), "R |= automaton p.hoa".to_owned()];
    assert_eq!(text(two, &["R deadlockfree"]), Ok(given.to_vec()));
    assert_eq!(text(two, &[]), Err("no-process"));
    assert_eq!(
        text("P(n) = a -> P(n); Q = P(1);", &[]),
        Ok(vec!["Q |= automaton p.hoa".to_owned()])
    );
}

#[test]
fn a_complement_that_is_too_large_is_unknown() {
    // Somewhere `a` is followed by `b` at a distance: the complement remembers where `a` was.
    let options = LoadOptions {
        automata: vec![hoa(&format!("<>(a && {}b)", "X ".repeat(24)))],
        ..LoadOptions::default()
    };
    let model = load(
        "P = a -> P [] b -> P; #assert P deadlockfree;",
        Language::Csp,
        &options,
    );
    let result = check(&model).remove(0);
    assert_eq!(result.verdict, Verdict::Unknown);
    let reason = result.reason.expect("unknown has a reason");
    assert!(
        reason.starts_with("the complement of the automaton is too large: "),
        "{reason}"
    );
}
