//! Saved runs of the shipped models are valid, and stop being so when any part of them is changed.

use fairhold::{
    CheckOptions, Detail, LoadOptions, Model, Replayed, SavedTrace, Silent, load_file, replay_to_json,
    saved_trace,
};
use fairhold_testkit::examples;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// A saved run, and the file of its model.
struct Saved {
    model: PathBuf,
    json: Json,
}

impl Saved {
    /// The name of the field with the run.
    fn title(&self) -> &'static str {
        match self.json["witness"].is_null() {
            true => "counterexample",
            false => "witness",
        }
    }

    fn steps(&self) -> usize {
        self.json[self.title()]["prefix"].as_array().unwrap().len()
    }

    /// The run with one step changed.
    fn with_step(&self, step: usize, change: impl FnOnce(&mut Json)) -> Json {
        let mut json = self.json.clone();
        change(&mut json[self.title()]["prefix"][step]);
        json
    }

    /// The state before a step.
    fn before(&self, step: usize) -> &Json {
        let run = &self.json[self.title()];
        match step {
            0 => &run["initial"],
            _ => &run["prefix"][step - 1]["state"],
        }
    }
}

fn load(path: &Path, options: &LoadOptions) -> Model {
    let loaded = load_file(&path.display().to_string(), None, options);
    loaded
        .model
        .unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics))
}

/// One run of every kind of answer that every model has.
fn saved() -> Vec<Saved> {
    let mut all = Vec::new();
    for path in examples() {
        let model = load(&path, &LoadOptions::default());
        let results = model.tasks(&[]).into_iter();
        for result in results.flat_map(|tasks| model.check(tasks, &CheckOptions::default(), &Silent)) {
            if result.run().is_some() {
                let json = saved_trace(&result, &model.sha256);
                all.push(Saved {
                    model: path.clone(),
                    json,
                });
            }
        }
    }
    let mut models: Vec<&PathBuf> = all.iter().map(|saved| &saved.model).collect();
    models.dedup();
    assert!(models.len() >= 10, "only {} models have runs", models.len());
    all
}

fn replay(saved: &Saved, json: &Json) -> Replayed {
    let trace = SavedTrace::parse("t.json", &json.to_string()).expect("the trace is well-formed");
    let model = load(&saved.model, &trace.load_options());
    let replayed = model.replay(&trace);
    assert_eq!(replayed.same_source, Some(true));
    replayed
}

/// The step and the message of a refusal.
fn refused(saved: &Saved, json: &Json, what: &str) -> (usize, String, Option<String>) {
    let replayed = replay(saved, json);
    let why = replayed
        .refused
        .unwrap_or_else(|| panic!("{}: {what} is accepted: {json}", saved.model.display()));
    (why.step, why.message, why.field)
}

#[test]
fn every_run_is_valid() {
    for saved in saved() {
        let replayed = replay(&saved, &saved.json);
        assert!(replayed.valid(), "{}: {replayed:?}", saved.model.display());
        let word = saved.json["verdict"].as_str().unwrap();
        assert!(replayed.shows.ends_with(word), "{}", replayed.shows);
        // Without states there is less to compare, and it is a run all the same.
        let mut short = saved.json.clone();
        for step in short[saved.title()]["prefix"].as_array_mut().unwrap() {
            step.as_object_mut().unwrap().remove("state");
        }
        assert!(replay(&saved, &short).valid());
    }
}

#[test]
fn a_changed_event_is_refused() {
    for saved in saved() {
        for step in 0..saved.steps() {
            let json = saved.with_step(step, |s| {
                s["event"] = json!(format!("{}x", s["event"].as_str().unwrap()));
            });
            let (at, message, _) = refused(&saved, &json, "another event");
            assert_eq!(at, step + 1);
            let event = json[saved.title()]["prefix"][step]["event"].as_str().unwrap();
            assert!(
                message.starts_with(&format!("{event} is not possible here, only ")),
                "{message}"
            );
        }
    }
}

#[test]
fn a_wrong_process_is_refused() {
    for saved in saved() {
        for step in 0..saved.steps() {
            let json = saved.with_step(step, |s| s["processes"] = json!([77]));
            let (at, message, _) = refused(&saved, &json, "another process");
            assert_eq!(at, step + 1);
            assert!(message.ends_with("not with process 77"), "{message}");
        }
    }
}

#[test]
fn a_changed_state_is_refused() {
    for saved in saved() {
        for step in 0..saved.steps() {
            for part in ["state", "changes"] {
                let fields = saved.json[saved.title()]["prefix"][step][part]
                    .as_object()
                    .unwrap();
                for (name, old) in fields {
                    let new = match old {
                        Json::Number(n) => json!(n.as_i64().unwrap() + 1),
                        Json::Bool(b) => json!(!b),
                        Json::String(s) => json!(format!("{s}x")),
                        _ => json!([[99]]),
                    };
                    let json = saved.with_step(step, |s| s[part][name] = new);
                    let (at, message, field) = refused(&saved, &json, "another state");
                    assert_eq!(at, step + 1);
                    let field = field.unwrap_or_else(|| panic!("no field is named: {message}"));
                    assert!(field.starts_with(name.as_str()), "{field} for {name}");
                    assert!(
                        message.contains("does not lead to the state the run gives"),
                        "{message}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_dropped_step_is_refused() {
    for saved in saved() {
        let steps = saved.steps();
        for step in 0..steps {
            let mut json = saved.json.clone();
            let dropped = json[saved.title()]["prefix"].as_array_mut().unwrap().remove(step);
            // A step that changes nothing may as well not be taken, and an optimum may be met on the way.
            let optimum = saved.json["assertion"].as_str().unwrap().contains(" with ");
            if dropped["state"] == *saved.before(step) || (optimum && step + 1 == steps) {
                continue;
            }
            let (at, message, _) = refused(&saved, &json, "a run without one step");
            let all = steps + saved.json[saved.title()]["loop"].as_array().unwrap().len();
            assert!(
                at >= step.min(steps - 1) && at < all.max(1),
                "step {at}: {message}"
            );
        }
    }
}

#[test]
fn a_false_claim_is_refused() {
    for saved in saved() {
        let mut json = saved.json.clone();
        let verdict = if json["verdict"] == "holds" {
            "fails"
        } else {
            "holds"
        };
        json["verdict"] = json!(verdict);
        let (_, message, _) = refused(&saved, &json, "another verdict");
        assert!(message.starts_with("no run can show that"), "{message}");
        // An objective is not judged, so it may be what went wrong.
        if json["assertion"].as_str().unwrap().contains(" with ") {
            continue;
        }
        json["verdict"] = json!("error");
        let (_, message, _) = refused(&saved, &json, "an error");
        assert!(
            message.ends_with("go wrong where the run ends") || message.ends_with("goes wrong"),
            "{message}"
        );
    }
}

#[test]
fn a_refusal_names_its_place_in_json() {
    let saved = saved().into_iter().next().expect("there are runs");
    let json = saved.with_step(0, |s| s["event"] = json!("nothing"));
    let trace = SavedTrace::parse("t.json", &json.to_string()).unwrap();
    let replayed = replay(&saved, &json);
    let report = replay_to_json(&[], Some((&trace, &replayed)), Detail::None);
    let result = &report["results"][0];
    assert_eq!(result["valid"], false);
    assert_eq!(result["step"], 1);
    assert_eq!(result["event"], "nothing");
    assert!(
        result["reason"]
            .as_str()
            .unwrap()
            .starts_with("nothing is not possible here")
    );
}
