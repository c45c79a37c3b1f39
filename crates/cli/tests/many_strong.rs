//! Two hundred strong obligations, and a component that takes seventy rounds of splitting: see the model for why.

mod command;

use command::Folder;
use serde_json::Value as Json;

const MODEL: &str = include_str!("../../../bench/models/many_strong.csp");

/// The one result of an assertion of the model.
fn ask(assertion: &str) -> Json {
    let folder = Folder::with("many_strong.csp", MODEL);
    let ran = folder.run(&["check", "many_strong.csp", "-a", assertion, "--format", "json"]);
    assert_eq!(ran.status(), 0, "{ran:?}");
    ran.json()["results"][0].take()
}

#[test]
fn nothing_fair_is_left() {
    let result = ask("0");
    assert_eq!(result["verdict"], "holds");
    assert_eq!(result["feasible"], true);
    assert_eq!(result["product_states"], 101_520);
}

#[test]
fn one_floor_is_left() {
    let result = ask("1");
    assert_eq!(result["verdict"], "fails");
    let steps = |part: &str| {
        result["counterexample"][part]
            .as_array()
            .expect("a lasso")
            .clone()
    };
    let (prefix, round) = (steps("prefix"), steps("loop"));
    let climbs = prefix
        .iter()
        .filter(|s| s["event"] == "up" || s["event"] == "enter.0" || s["event"] == "enter.1");
    assert_eq!(climbs.count(), 70, "he is on a top floor");
    assert_eq!(round.len(), 720);
    assert!(round.iter().all(|s| s["event"] == "turn"));
}
