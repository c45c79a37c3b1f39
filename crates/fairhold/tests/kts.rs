//! Kripke structures: what is declared enabled, ends without executions, and impartiality, in linear and in branching time.

use fairhold::{
    CheckOptions, CheckResult, Ends, Language, LoadOptions, Silent, Verdict, load_text, parse_fairness,
};
use fairhold_testkit::{Rng, cases};

/// The results of a property of a text under some constraints.
fn check(
    text: &str,
    language: Language,
    property: &str,
    fairness: &str,
    ends: Option<Ends>,
) -> Vec<CheckResult> {
    let options = LoadOptions {
        properties: vec![property.to_owned()],
        fairness: parse_fairness(fairness).expect("constraints"),
        ..LoadOptions::default()
    };
    let loaded = load_text("m", text, language, &options);
    let model = loaded
        .model
        .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    let options = CheckOptions {
        ends,
        ..CheckOptions::default()
    };
    let tasks = model.tasks(&[]);
    let results = model.check(tasks[0], &options, &Silent);
    for result in &results {
        assert_eq!(result.bug, None, "{property}\n{text}");
        assert_ne!(
            result.verdict,
            Verdict::Unknown,
            "{:?} {property}\n{text}",
            result.reason
        );
    }
    results
}

fn verdicts(text: &str, property: &str, fairness: &str) -> String {
    let results = check(text, Language::Kts, property, fairness, None);
    let words: Vec<&str> = results.iter().map(|r| r.verdict.word()).collect();
    words.join(" ")
}

#[test]
fn who_counts_as_enabled_is_owed() {
    let graph = |enabled: &str| {
        format!(
            "init s; state s, t {{p}} {enabled}; s -> t by a, process 1; t -> s by b, process 1; s -> s by c, process 2;"
        )
    };
    let plain = graph("");
    // c is enabled in s only, process 2 too.
    for property in ["|= []<> c", "|= []<> !p"] {
        let expected = match property {
            "|= []<> c" => "fails fails fails holds holds",
            _ => "holds holds holds holds holds",
        };
        assert_eq!(
            verdicts(&plain, property, "none,pwf,ewf,psf,esf"),
            expected,
            "{property}"
        );
    }
    let process = graph("enabled {process 2}");
    assert_eq!(
        verdicts(&process, "|= []<> c", "none,pwf,ewf,psf,esf"),
        "fails holds fails holds holds"
    );
    let event = graph("enabled {c}");
    assert_eq!(
        verdicts(&event, "|= []<> c", "none,pwf,ewf,psf,esf"),
        "fails fails holds holds holds"
    );
    assert_eq!(
        verdicts(&event, "|= []<> c", "FG enabled(c) -> GF engaged(c)"),
        "holds"
    );
    assert_eq!(
        verdicts(&plain, "|= []<> c", "FG enabled(c) -> GF engaged(c)"),
        "fails"
    );
    assert_eq!(verdicts(&event, "|= AG enabled(c)", "none"), "holds");
    assert_eq!(verdicts(&plain, "|= AG enabled(c)", "none"), "fails");
}

#[test]
fn what_can_never_be_engaged_makes_a_notion_infeasible() {
    let text = "init s; state s enabled {process 2}; s -> s by process 1;";
    for property in ["|= <> false", "|= AF false"] {
        let results = check(text, Language::Kts, property, "none,pwf,psf,ewf", None);
        let seen: Vec<_> = results.iter().map(|r| (r.verdict, r.feasible)).collect();
        let vacuous = (Verdict::Holds, Some(false));
        let fails = (Verdict::Fails, Some(true));
        assert_eq!(seen, [fails, vacuous, vacuous, fails], "{property}");
        assert_eq!(results[1].unmet, ["pwf"], "{property}");
    }
}

/// Random arcs between a few states, caused by a few processes and events; with `declared`, whoever has an arc is declared enabled
/// as well, which says nothing new.
fn random(rng: &mut Rng, declared: bool) -> String {
    let states = 2 + rng.below(4);
    let mut arcs = Vec::new();
    for _ in 0..states + rng.below(6) {
        arcs.push((
            rng.below(states),
            rng.below(3),
            1 + rng.below(2),
            rng.below(states),
        ));
    }
    let mut text = String::from("propositions p;\ninit s0;\n");
    for s in 0..states {
        let holds = if rng.chance(1, 2) { "p" } else { "" };
        text.push_str(&format!("state s{s} {{{holds}}}"));
        let own = arcs.iter().filter(|(from, ..)| *from == s);
        let causes: Vec<String> = own.map(|(_, e, p, _)| format!("e{e}, process {p}")).collect();
        if declared && !causes.is_empty() {
            text.push_str(&format!(" enabled {{{}}}", causes.join(", ")));
        }
        text.push_str(";\n");
    }
    for (from, event, process, to) in arcs {
        text.push_str(&format!("s{from} -> s{to} by e{event}, process {process};\n"));
    }
    text
}

#[test]
fn declaring_what_is_so_anyway_changes_nothing() {
    let properties = ["|= []<> p", "|= <>[] p", "|= AG AF p", "|= EG p", "|= AG EF p"];
    let (mut holds, mut fails) = (0, 0);
    for seed in 0..cases(100) as u64 {
        let plain = random(&mut Rng::new(seed), false);
        let declared = random(&mut Rng::new(seed), true);
        for property in properties {
            for ends in [Ends::Idle, Ends::None] {
                let answers = |text: &str| -> Vec<(Verdict, Option<bool>)> {
                    let results = check(text, Language::Kts, property, "all,impartial", Some(ends));
                    results.iter().map(|r| (r.verdict, r.feasible)).collect()
                };
                // Two graphs of which only one has declarations take different ways through the search.
                let (one, other) = (answers(&plain), answers(&declared));
                assert_eq!(one, other, "{property} {ends:?}\n{declared}");
                holds += one.iter().filter(|(v, _)| *v == Verdict::Holds).count();
                fails += one.iter().filter(|(v, _)| *v == Verdict::Fails).count();
            }
        }
    }
    println!("{holds} hold, {fails} fail");
    assert!(holds.min(fails) * 6 > holds + fails, "{holds} hold, {fails} fail");
}

#[test]
fn linear_and_branching_time_agree_with_and_without_ends() {
    let pairs = [
        ("|= [] p", "|= AG p"),
        ("|= <> p", "|= AF p"),
        ("|= []<> p", "|= AG AF p"),
        ("|= p U !p", "|= A[p U !p]"),
        ("|= X p", "|= AX p"),
    ];
    for seed in 0..cases(100) as u64 {
        let text = random(&mut Rng::new(seed), seed % 3 == 0);
        for (linear, branching) in pairs {
            for ends in [Ends::Idle, Ends::None] {
                let answers = |property: &str| -> Vec<Verdict> {
                    let results = check(&text, Language::Kts, property, "all,impartial", Some(ends));
                    results.iter().map(|r| r.verdict).collect()
                };
                assert_eq!(answers(linear), answers(branching), "{linear} {ends:?}\n{text}");
            }
        }
    }
}

#[test]
fn ends_count_or_do_not() {
    let text = "init s; state s, t {p}; s -> s by a; s -> t by b;";
    let asked =
        |property: &str, ends: Ends| check(text, Language::Kts, property, "none", Some(ends))[0].verdict;
    // An execution that comes to t goes on there only by idling.
    assert_eq!(asked("|= [] !p", Ends::Idle), Verdict::Fails);
    assert_eq!(asked("|= [] !p", Ends::None), Verdict::Holds);
    assert_eq!(asked("|= EF p", Ends::Idle), Verdict::Holds);
    assert_eq!(asked("|= EF p", Ends::None), Verdict::Fails);
    assert_eq!(asked("|= EF AX false", Ends::Idle), Verdict::Fails);
    // t itself has no execution, and `EF` looks for one.
    assert_eq!(asked("|= EF AX false", Ends::None), Verdict::Fails);
    assert_eq!(asked("|= !AX !p", Ends::Idle), Verdict::Holds);
    assert_eq!(asked("|= !AX !p", Ends::None), Verdict::Fails);
    // Models idle, structures do not.
    assert_eq!(verdicts(text, "|= [] !p", "none"), "holds");
    let model = "var x = 0; P = a -> P [] b{x = 1} -> Stop;";
    let results = check(model, Language::Csp, "P |= [] x == 0", "none", None);
    assert_eq!(results[0].verdict, Verdict::Fails);
    let results = check(model, Language::Csp, "P |= [] x == 0", "none", Some(Ends::None));
    assert_eq!(results[0].verdict, Verdict::Holds);
}

#[test]
fn without_any_execution_all_is_vacuous() {
    let text = "init s; state s, t; s -> t;";
    for property in ["|= <> false", "|= AF false"] {
        for result in check(text, Language::Kts, property, "none,psf,sgf", None) {
            assert_eq!(
                (result.verdict, result.feasible),
                (Verdict::Holds, Some(false)),
                "{property}"
            );
        }
    }
}

#[test]
fn impartiality_counts_the_processes_of_each_assertion() {
    let text = "
        P = a -> P; Q = b -> Q; R = c -> R;
        Two = P ||| Q; Three = P ||| Q ||| R;
        #assert Two |= []<> b;   //@ fairness: impartial
        #assert Three |= []<> c; //@ expect: none fails, impartial holds
        #assert Three |= []<> b && []<> c; //@ fairness: \"impartial && GF a\"
    ";
    let loaded = load_text("m", text, Language::Csp, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mut seen = Vec::new();
    for tasks in model.tasks(&[]) {
        for result in model.check(tasks, &CheckOptions::default(), &Silent) {
            seen.push(format!(
                "{} {}",
                result.fairness.unwrap_or_default(),
                result.verdict.word()
            ));
        }
    }
    assert_eq!(
        seen,
        [
            "impartial holds",
            "none fails",
            "impartial holds",
            "impartial && GF a holds"
        ]
    );
}
