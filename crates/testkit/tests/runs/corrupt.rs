//! Saved runs with something else in one place, and saved runs that say the same in other words.

use fairhold::Verdict;
use fairhold_testkit::Rng;
use serde_json::{Value as Json, json};

/// What a saved run claims.
pub(crate) struct Expected {
    pub(crate) assertion: String,
    pub(crate) fairness: Option<String>,
    pub(crate) verdict: Verdict,
}

impl Expected {
    pub(crate) fn of(json: &Json) -> Expected {
        let text = |field: &str| json[field].as_str().map(str::to_owned);
        Expected {
            assertion: text("assertion").expect("a result names its assertion"),
            fairness: text("fairness"),
            verdict: text("verdict")
                .and_then(|word| Verdict::from_word(&word))
                .expect("a verdict"),
        }
    }
}

/// The name of the field with the run.
fn title(json: &Json) -> &'static str {
    match json["witness"].is_null() {
        true => "counterexample",
        false => "witness",
    }
}

fn steps<'j>(json: &'j mut Json, part: &str) -> Option<&'j mut Vec<Json>> {
    let title = title(json);
    json[title][part].as_array_mut()
}

fn has_loop(json: &Json) -> bool {
    json[title(json)]["loop"]
        .as_array()
        .is_some_and(|l| !l.is_empty())
}

/// The same run, as it is and, if it is short, in other words. Its loop is told otherwise only if `by_loop`: branches name positions.
pub(crate) fn same(json: &Json, is_short: bool, by_loop: bool) -> Vec<(&'static str, Json)> {
    let mut all = vec![("untouched", json.clone())];
    if !is_short {
        return all;
    }
    let mut bare = json.clone();
    for part in ["prefix", "loop"] {
        for step in steps(&mut bare, part).into_iter().flatten() {
            let step = step.as_object_mut().expect("a step is an object");
            step.remove("state");
            step.remove("changes");
        }
    }
    all.push(("without states", bare));
    if by_loop && has_loop(json) {
        let mut twice = json.clone();
        let lap = steps(&mut twice, "loop").expect("there is a loop");
        lap.extend(lap.clone());
        all.push(("the loop twice", twice));
        let mut later = json.clone();
        let lap = steps(&mut later, "loop").expect("there is a loop");
        lap.rotate_left(1);
        let first = lap[lap.len() - 1].clone();
        steps(&mut later, "prefix")
            .expect("there is a prefix")
            .push(first);
        all.push(("the loop one step later", later));
    }
    all
}

/// Something changed in the run, and what; none where there is nothing to change.
pub(crate) fn corrupted(rng: &mut Rng, json: &Json) -> Option<(&'static str, Json)> {
    let changed = changed(rng, json.clone());
    changed.filter(|(_, changed)| changed != json)
}

fn changed(rng: &mut Rng, mut json: Json) -> Option<(&'static str, Json)> {
    let part = *rng.pick(&["prefix", "loop"]);
    let kind = rng.below(11);
    if kind >= 8 {
        return in_the_head(rng, kind, json);
    }
    let list = steps(&mut json, part)?;
    if list.is_empty() {
        return None;
    }
    let (at, last) = (rng.below(list.len()), list.len() - 1);
    let what = match kind {
        0 => {
            let other = list[rng.below(list.len())]["event"].clone();
            let other = if rng.chance(1, 3) { json!("tau") } else { other };
            list[at]["event"] = other;
            "another event"
        }
        1 => {
            list[at]["processes"] = json!([rng.below(3)]);
            "another process"
        }
        2 => {
            let state = list[at]["state"].as_object_mut()?;
            let name = rng.pick(&state.keys().cloned().collect::<Vec<_>>()).clone();
            state[&name] = other_value(&state[&name]);
            "another value"
        }
        3 => {
            list.remove(at);
            "a step left out"
        }
        4 => {
            let step = list[at].clone();
            list.insert(at, step);
            "a step twice"
        }
        5 if last > 0 => {
            list.swap(at.min(last - 1), at.min(last - 1) + 1);
            "two steps swapped"
        }
        6 => {
            let other = list[rng.below(list.len())].clone();
            list[at] = other;
            "a step from elsewhere"
        }
        _ => {
            let step = list.remove(0);
            let other = if part == "prefix" { "loop" } else { "prefix" };
            steps(&mut json, other)?.push(step);
            "a step moved between prefix and loop"
        }
    };
    Some((what, json))
}

/// Something changed in what the run is said to show.
fn in_the_head(rng: &mut Rng, kind: usize, mut json: Json) -> Option<(&'static str, Json)> {
    Some(match kind {
        8 => {
            let title = title(&json);
            let (verdict, other) = match json["verdict"].as_str()? {
                "holds" => ("fails", "counterexample"),
                _ => ("holds", "witness"),
            };
            let run = json[title].take();
            json[other] = run;
            json["verdict"] = json!(verdict);
            ("another verdict", json)
        }
        9 => {
            json["fairness"].as_str()?;
            json["fairness"] = json!(*rng.pick(&["none", "pwf", "ewf", "psf", "esf", "sgf"]));
            ("another fairness", json)
        }
        _ => {
            let title = title(&json);
            let initial = json[title]["initial"].as_object_mut()?;
            let names: Vec<String> = initial.keys().cloned().collect();
            if names.is_empty() {
                return None;
            }
            let name = rng.pick(&names).clone();
            initial[&name] = other_value(&initial[&name]);
            ("another initial state", json)
        }
    })
}

fn other_value(value: &Json) -> Json {
    match value {
        Json::Bool(b) => json!(!b),
        Json::Number(n) => json!(n.as_i64().unwrap_or(0) + 1),
        Json::String(text) => json!(format!("{text} ")),
        Json::Array(items) => {
            let mut items = items.clone();
            items.push(json!(0));
            json!(items)
        }
        other => other.clone(),
    }
}
