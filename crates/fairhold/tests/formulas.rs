//! A notion of fairness, written out as a formula, gives the same verdict; however it is written.

use fairhold::{CheckOptions, Fairness, Language, LoadOptions, Silent, Verdict, load_text, parse_fairness};

/// A model, its events and how many processes it has, and formulas that tell notions apart.
struct Case {
    text: &'static str,
    events: &'static [&'static str],
    processes: usize,
    properties: &'static [&'static str],
}

const CASES: [Case; 5] = [
    Case {
        text: "W = a -> W [] b -> W;",
        events: &["a", "b"],
        processes: 1,
        properties: &["W |= []<> a", "W |= []<> (a && X b)"],
    },
    Case {
        text: "var x; P = a{x=1} -> b{x=0} -> P; Q = [x==1] c -> Q; S = P ||| Q;",
        events: &["a", "b", "c"],
        processes: 2,
        properties: &["S |= []<> c", "S |= []<> a", "S |= <>[] x == 0"],
    },
    Case {
        text: "P = a -> P [] b -> c -> P; Q = c -> d -> Q; S = P || Q;",
        events: &["a", "b", "c", "d"],
        processes: 2,
        properties: &["S |= []<> d", "S |= [](b -> <> c)", "S |= []<> a"],
    },
    Case {
        text: "#define N 2; Phil(i) = get.i.i -> get.i.((i+1)%N) -> eat.i -> put.i.i -> put.i.((i+1)%N) -> Phil(i);
               Fork(j) = [] i:{0..N-1} @ (get.i.j -> put.i.j -> Fork(j)); S = || i:{0..N-1} @ (Phil(i) || Fork(i));",
        events: &[
            "get.0.0", "get.0.1", "get.1.0", "get.1.1", "eat.0", "eat.1", "put.0.0", "put.0.1", "put.1.0",
            "put.1.1",
        ],
        processes: 4,
        properties: &["S |= []<> eat.0", "S |= <> eat.0", "S |= [](get.0.0 -> <> put.0.0)"],
    },
    Case {
        text: "channel c 1; P = c!0 -> P [] stop -> Stop; Q = c?x -> got -> Q; S = P ||| Q;",
        events: &["c!0", "c?0", "stop", "got"],
        processes: 2,
        properties: &["S |= []<> got", "S |= <> stop", "S |= [](c!0 -> <> c?0)"],
    },
];

/// The same notion in several ways: as annotations would say it, and in two ways that must become marks.
fn written(notion: &str, case: &Case) -> Vec<String> {
    let often = if notion.ends_with("sf") { "GF" } else { "FG" };
    let seldom = if notion.ends_with("sf") { "FG" } else { "GF" };
    let names: Vec<String> = match notion.starts_with('e') {
        true => case.events.iter().map(|e| (*e).to_owned()).collect(),
        false => (0..case.processes).map(|p| format!("process {p}")).collect(),
    };
    let all = |one: &dyn Fn(&String) -> String| {
        let parts: Vec<String> = names.iter().map(one).collect();
        parts.join(" && ")
    };
    vec![
        all(&|n| format!("({often} enabled({n}) -> GF engaged({n}))")),
        all(&|n| format!("({seldom} !enabled({n}) || GF engaged({n}))")),
        format!("!({})", {
            let parts: Vec<String> = names
                .iter()
                .map(|n| format!("({often} enabled({n}) && FG !engaged({n}))"))
                .collect();
            parts.join(" || ")
        }),
    ]
}

#[test]
fn notions_are_formulas() {
    let (mut compared, mut holding) = (0, 0);
    for case in &CASES {
        for notion in ["ewf", "esf", "pwf", "psf"] {
            let mut fairness = parse_fairness(notion).expect("a notion");
            fairness.extend(written(notion, case).into_iter().map(Fairness::Formula));
            let options = LoadOptions {
                properties: case.properties.iter().map(|p| (*p).to_owned()).collect(),
                fairness,
                ..LoadOptions::default()
            };
            let loaded = load_text("model.csp", case.text, Language::Csp, &options);
            let model = loaded
                .model
                .unwrap_or_else(|| panic!("{}: {:?}", case.text, loaded.diagnostics));
            for tasks in model.tasks(&[]) {
                let results = model.check(tasks, &CheckOptions::default(), &Silent);
                for result in &results {
                    assert_eq!(result.bug, None);
                    let about = (&result.assertion, &result.fairness, &result.reason);
                    assert_eq!(result.verdict, results[0].verdict, "{notion}: {about:?}");
                    assert_eq!(result.feasible, Some(true), "{notion}: {about:?}");
                    compared += 1;
                }
                holding += usize::from(results[0].verdict == Verdict::Holds);
            }
        }
    }
    println!("{compared} verdicts compared; {holding} notions hold a property");
    assert!(
        holding >= 15 && compared - 4 * holding >= 60,
        "both verdicts occur"
    );
}
