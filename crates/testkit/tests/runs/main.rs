//! No run is rejected: whatever a check finds is confirmed, saved, and accepted when it is replayed.
//!
//! A case is a random model with random questions under all notions of fairness. For each result with a run:
//!
//! - the check reports no fault of Fairhold's own, which is what it says when its judge rejects the run of its search;
//! - the saved run is accepted by `replay`, as it is, without its states (so that it stands for more executions), with
//!   its loop taken twice, and with its loop started one step later;
//! - the saved run with something else in one place ([`corrupt`]) is rejected, or true all the same: then the verdict that it claims
//!   is that of the search, and a walk over sets of states that shares no code with the judge ([`walk`]) finds it a run of the model.
//!
//! Three kinds of models: texts of all forms of CSP# ([`fairhold_testkit::generate`]); small models whose states look alike
//! ([`alike`]), because what tells them apart is beyond the end of a long process text, or because one event leads to
//! several states; and structures in which often no fair path starts ([`structures`]).

mod alike;
mod corrupt;
mod formulas;
mod spread;
mod structures;
#[path = "../verdict/mod.rs"]
#[expect(dead_code, reason = "the verdict on an example is a matter of other suites")]
mod verdict;
mod walk;

use corrupt::Expected;
use fairhold::{
    Bounds, CheckOptions, CheckResult, Ends, Fairness, Language, LoadOptions, Model, SavedTrace, Silent,
    Verdict, load_text, parse_fairness, saved_trace,
};
use fairhold_testkit::generate::{Options, model};
use fairhold_testkit::{Rng, cases};
use serde_json::Value as Json;
use spread::Spread;
use verdict::on_a_large_stack;

/// States explored for each question: a run that is found within so many is as good as any.
const STATES: u64 = 3_000;
/// Runs with more steps than this are replayed as they are and not corrupted: each replay takes its time, most of all that of
/// a run without states, which may be in all states at once.
const LONG: usize = 150;
/// Corrupted versions tried of each run.
const CORRUPTIONS: usize = 6;

/// A model and what is asked of it.
struct Case {
    /// For messages.
    name: String,
    text: String,
    language: Language,
    properties: Vec<String>,
    fairness: Vec<String>,
    ends: Option<Ends>,
}

impl Case {
    fn load(&self, options: &LoadOptions) -> Option<Model> {
        load_text(&self.name, &self.text, self.language, options).model
    }

    fn show(&self, result: &CheckResult) -> String {
        format!(
            "{}\n{}\n{} under {:?} is {}: {:?}",
            self.name,
            self.text,
            result.assertion,
            result.fairness,
            result.verdict.word(),
            result.reason
        )
    }

    /// All results, each without a fault of Fairhold's own; none if the text is not valid.
    fn results(&self, rng: &mut Rng) -> Option<(Model, Vec<CheckResult>)> {
        let model = self.load(&LoadOptions {
            properties: self.properties.clone(),
            fairness: self.fairness.iter().flat_map(|text| constraints(text)).collect(),
            ..LoadOptions::default()
        })?;
        let threads = 1 + rng.below(2);
        let options = CheckOptions {
            bounds: Bounds {
                states: Some(STATES),
                threads,
                reproducible: rng.chance(1, 2),
                ..Bounds::default()
            },
            ends: self.ends,
            ..CheckOptions::default()
        };
        let mut results = Vec::new();
        for tasks in model.tasks(&[]) {
            results.extend(model.check(tasks, &options, &Silent));
        }
        for result in &results {
            assert_eq!(result.bug, None, "-j {threads}\n{}", self.show(result));
        }
        Some((model, results))
    }

    /// What `replay` says against a saved run.
    fn refused(&self, json: &Json) -> Option<String> {
        let trace = match SavedTrace::parse("run.json", &json.to_string()) {
            Ok(trace) => trace,
            Err(diagnostic) => return Some(diagnostic.message),
        };
        let Some(model) = self.load(&trace.load_options()) else {
            return Some("the model cannot be loaded for it".to_owned());
        };
        model.replay(&trace).refused.map(|why| why.to_string())
    }

    fn check(&self, rng: &mut Rng, spread: &mut Spread) {
        let Some((model, results)) = self.results(rng) else {
            spread.invalid += 1;
            return;
        };
        spread.models += 1;
        for result in &results {
            spread.verdict(result);
            let Some((_, run)) = result.run() else {
                continue;
            };
            spread.run(run);
            let json = saved_trace(result, &model.sha256);
            let same = corrupt::same(&json, run.len() <= LONG, run.branches.is_empty());
            for (what, json) in same {
                let refused = self.refused(&json);
                assert_eq!(refused, None, "{what}: {}\n{json}", self.show(result));
            }
            if run.len() > LONG {
                continue;
            }
            for _ in 0..CORRUPTIONS {
                let Some((what, json)) = corrupt::corrupted(rng, &json) else {
                    continue;
                };
                let refused = self.refused(&json);
                spread.corrupted(what, refused.is_none());
                if refused.is_none() {
                    self.must_be_true(what, &json, &results, result);
                }
            }
        }
    }

    /// Whether a corrupted run that was accepted is true all the same.
    fn must_be_true(&self, what: &str, json: &Json, results: &[CheckResult], result: &CheckResult) {
        let expected = Expected::of(json);
        let others = results.iter().filter(|r| r.assertion == expected.assertion);
        let mut others = others.filter(|r| expected.fairness.is_none() || r.fairness == expected.fairness);
        let is_right = |r: &CheckResult| r.verdict == expected.verdict || r.verdict == Verdict::Unknown;
        let about = || format!("{what} is accepted: {}\n{json}", self.show(result));
        let trace = SavedTrace::parse("run.json", &json.to_string()).expect("it was read before");
        // Whether all paths are as is claimed, or go on fairly, no run of a formula with path quantifiers can show.
        let quantifiers = expected.assertion.matches(['A', 'E']).count();
        let is_shown = quantifiers == 0 || quantifiers == 1 && !trace.run.loop_.is_empty();
        // A run to where the model goes wrong is one under every constraint; a search may come to a fair loop first.
        if is_shown && expected.verdict != Verdict::Error {
            assert!(others.all(is_right), "{}", about());
        }
        if self.language == Language::Csp {
            assert!(walk::is_run(&self.text, &trace.run), "{}", about());
        }
    }
}

fn constraints(text: &str) -> Vec<Fairness> {
    parse_fairness(text).expect("notions, or a formula")
}

fn run(all: usize, case: impl Fn(&mut Rng, u64) -> Case + Send + 'static) -> Spread {
    on_a_large_stack(move || {
        let mut spread = Spread::default();
        for seed in 0..all as u64 {
            let mut rng = Rng::new(seed);
            case(&mut rng, seed).check(&mut rng, &mut spread);
        }
        spread.print();
        spread
    })
}

#[test]
fn runs_of_generated_models() {
    let spread = run(cases(60), |rng, seed| {
        let options = Options {
            faulty: 30,
            ..Options::default()
        };
        let generated = model(rng, &options);
        let mut properties = formulas::plain();
        // Formulas speak of events that are somewhere in the model.
        let is_there = |event: &&str| {
            let own = [format!("({event} -> "), format!(" {event} -> ")];
            own.iter().any(|text| generated.text.contains(text))
        };
        let events: Vec<&str> = ["a", "b", "c"].into_iter().filter(is_there).collect();
        properties.extend(formulas::temporal(rng, "System()", &["here", "there"], &events));
        Case {
            name: format!("generated {seed}"),
            text: format!(
                "{}\n#define here {};\n#define there x0 == 1;\n",
                generated.text, generated.source.goal
            ),
            language: Language::Csp,
            properties,
            fairness: formulas::fairness(rng, &["here"]),
            ends: None,
        }
    });
    assert!(
        spread.is_varied(&["holds", "fails", "error"]),
        "the models are too tame"
    );
}

#[test]
fn runs_through_states_that_look_alike() {
    let spread = run(cases(120), |rng, seed| {
        let text = alike::model(rng);
        let mut properties = formulas::plain();
        properties.extend(formulas::temporal(
            rng,
            "System()",
            &["here", "there"],
            &["a", "b"],
        ));
        Case {
            name: format!("alike {seed}"),
            text,
            language: Language::Csp,
            properties,
            fairness: formulas::fairness(rng, &["here"]),
            ends: None,
        }
    });
    assert!(spread.is_varied(&["holds", "fails"]), "the models are too tame");
    assert!(
        spread.long_texts * 5 >= spread.runs,
        "too few runs through processes whose text is cut"
    );
}

#[test]
fn runs_of_structures_without_fair_paths() {
    let spread = run(cases(300), |rng, seed| {
        let text = structures::structure(rng);
        let ends = *rng.pick(&[None, Some(Ends::Idle), Some(Ends::None)]);
        Case {
            name: format!("structure {seed}"),
            text,
            language: Language::Kts,
            properties: formulas::temporal(rng, "", &["p", "q"], &[]),
            fairness: formulas::fairness(rng, &["p"]),
            ends,
        }
    });
    assert!(
        spread.is_varied(&["holds", "fails"]),
        "the structures are too tame"
    );
    assert!(
        spread.infeasible * 20 >= spread.results,
        "too few structures have no fair path"
    );
}
