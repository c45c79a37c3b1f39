//! Random walks and searches agree, and so do `never`, `always` and `reaches`.
//!
//! A case is a random model ([`fairhold_testkit::generate`]) with random questions.
//!
//! - `never c` is `reaches c` turned round, and `always !c` is `never c`: the verdicts are opposite, the runs equally long.
//! - Random walks never say that something holds everywhere. What they do say, a search within bounds says as well, or it
//!   does not know; where the model goes wrong either may come first. The judge never refuses a run of theirs.
//! - The same seed takes the same walks.

#[path = "../runs/formulas.rs"]
mod formulas;
#[path = "../verdict/mod.rs"]
#[expect(dead_code, reason = "the verdict on an example is a matter of other suites")]
mod verdict;

use fairhold::{
    Bounds, CheckOptions, CheckResult, Language, LoadOptions, Model, RandomWalks, Silent, Verdict, load_text,
    parse_fairness,
};
use fairhold_testkit::generate::{Options, model};
use fairhold_testkit::{Rng, cases};
use verdict::on_a_large_stack;

/// States explored for each question.
const STATES: u64 = 3_000;

fn load(text: &str, properties: &[String], fairness: &[String]) -> Option<Model> {
    let options = LoadOptions {
        properties: properties.to_vec(),
        fairness: fairness
            .iter()
            .flat_map(|text| parse_fairness(text).expect("notions, or a formula"))
            .collect(),
        ..LoadOptions::default()
    };
    load_text("m.csp", text, Language::Csp, &options).model
}

fn check(model: &Model, random: Option<RandomWalks>) -> Vec<CheckResult> {
    let options = CheckOptions {
        bounds: Bounds {
            states: Some(STATES),
            ..Bounds::default()
        },
        random,
        ..CheckOptions::default()
    };
    let tasks = model.tasks(&[]);
    tasks
        .into_iter()
        .flat_map(|tasks| model.check(tasks, &options, &Silent))
        .collect()
}

fn show(text: &str, result: &CheckResult) -> String {
    format!(
        "{text}\n{} under {:?} is {}: {:?}",
        result.assertion,
        result.fairness,
        result.verdict.word(),
        result.reason
    )
}

fn steps(result: &CheckResult) -> Option<usize> {
    result.run().map(|(_, run)| run.len())
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Holds => Verdict::Fails,
        Verdict::Fails => Verdict::Holds,
        other => other,
    }
}

fn generated(rng: &mut Rng) -> String {
    let options = Options {
        faulty: 30,
        ..Options::default()
    };
    let generated = model(rng, &options);
    let goal = generated.source.goal;
    format!(
        "{}\n#define here {goal};\n#define there x0 == 1;\n",
        generated.text
    )
}

#[test]
fn never_is_reaches_turned_round() {
    on_a_large_stack(|| {
        let (mut decided, mut fails) = (0, 0);
        for seed in 0..cases(100) as u64 {
            let text = generated(&mut Rng::new(seed));
            for condition in ["here", "there"] {
                let asked =
                    ["reaches", "never", "always !"].map(|word| format!("System() {word} {condition}"));
                let Some(model) = load(&text, &asked, &[]) else {
                    continue;
                };
                let results = check(&model, None);
                let [reaches, never, always] = results.as_slice() else {
                    panic!("{} results\n{text}", results.len())
                };
                for other in [never, always] {
                    assert_eq!(other.bug, None, "{}", show(&text, other));
                    assert_eq!(other.verdict, opposite(reaches.verdict), "{}", show(&text, other));
                    assert_eq!(steps(other), steps(reaches), "{}", show(&text, other));
                    assert_eq!(other.fairness, None);
                }
                decided += usize::from(matches!(never.verdict, Verdict::Holds | Verdict::Fails));
                fails += usize::from(never.verdict == Verdict::Fails);
            }
        }
        assert!(
            fails > 0 && decided > fails,
            "{fails} of {decided} fail: some of both"
        );
    });
}

#[test]
fn walks_say_what_searches_say() {
    on_a_large_stack(|| {
        let (mut found, mut open) = (0, 0);
        for seed in 0..cases(60) as u64 {
            let mut rng = Rng::new(seed);
            let text = generated(&mut rng);
            let mut asked = formulas::plain();
            asked.extend(formulas::temporal(&mut rng, "System()", &["here", "there"], &[]));
            let fairness = formulas::fairness(&mut rng, &["here"]);
            let Some(model) = load(&text, &asked, &fairness) else {
                continue;
            };
            let searched = check(&model, None);
            let walks = RandomWalks { walks: 2, seed };
            let walked = check(&model, Some(walks));
            let again = check(&model, Some(walks));
            assert_eq!(walked.len(), searched.len());
            for ((walk, search), again) in walked.iter().zip(&searched).zip(&again) {
                let about = show(&text, walk);
                assert_eq!(walk.bug, None, "{about}");
                assert_eq!(
                    (walk.verdict, steps(walk)),
                    (again.verdict, steps(again)),
                    "{about}"
                );
                assert_eq!(walk.states, again.states, "{about}");
                if walk.verdict == Verdict::Holds {
                    assert!(
                        walk.assertion.contains(" reaches ") && walk.witness.is_some(),
                        "{about}"
                    );
                }
                match walk.verdict {
                    Verdict::Unknown => open += 1,
                    Verdict::Error => assert!(walk.counterexample.is_some(), "{about}"),
                    decided => {
                        found += 1;
                        assert!(walk.run().is_some(), "{about}");
                        let agrees = [decided, Verdict::Unknown, Verdict::Error].contains(&search.verdict);
                        assert!(agrees, "the search: {}\n{about}", search.verdict.word());
                    }
                }
            }
        }
        assert!(found > 0 && open > 0, "{found} found, {open} open: some of both");
    });
}
