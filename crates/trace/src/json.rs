//! A run as JSON, the way the command line promises it.
//!
//! `{ "initial": {state}, "prefix": [step], "loop": [step], "ledger": [entry] }`, and `"branches"` where there are some. A state is an object in a fixed
//! order: variables, channels as lists of messages, then `process 0`, `process 1`, ...

use crate::branch::Branch;
use crate::run::{LedgerEntry, Run, RunStep};
use fairhold_system::{Fields, Value};
use serde_json::{Map, Value as Json, json};

/// The run as a JSON object; steps carry their full `state` if `full`.
pub fn run_to_json(run: &Run, full: bool) -> Json {
    let steps = |steps: &[RunStep]| -> Vec<Json> { steps.iter().map(|s| step(s, full)).collect() };
    let mut object = json!({
        "initial": fields_to_json(&run.initial),
        "prefix": steps(&run.prefix),
        "loop": steps(&run.loop_),
        "ledger": run.ledger.iter().map(entry).collect::<Vec<_>>(),
    });
    if !run.branches.is_empty() {
        object["branches"] = run.branches.iter().map(|b| branch(b, full)).collect();
    }
    object
}

/// A state, or a part of one, as a JSON object.
pub fn fields_to_json(fields: &Fields) -> Json {
    let object: Map<String, Json> = fields
        .iter()
        .map(|(name, value)| (name.clone(), value_to_json(value)))
        .collect();
    Json::Object(object)
}

fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Int(i) => json!(i),
        Value::Bool(b) => json!(b),
        Value::Text(t) => json!(t),
        Value::List(items) => items.iter().map(value_to_json).collect(),
    }
}

fn branch(branch: &Branch, full: bool) -> Json {
    json!({
        "formula": branch.formula,
        "holds": branch.holds,
        "at": branch.at,
        "run": run_to_json(&branch.run, full),
    })
}

fn step(step: &RunStep, full: bool) -> Json {
    let mut object = json!({
        "event": step.event,
        "processes": step.processes,
        "changes": fields_to_json(&step.changes),
    });
    if full {
        object["state"] = fields_to_json(&step.state);
    }
    object
}

fn entry(entry: &LedgerEntry) -> Json {
    let mut object = json!({
        "obligation": entry.obligation,
        "kind": entry.kind,
        "discharged": entry.discharged.word(),
    });
    if let Some(at) = entry.at {
        object["at"] = json!(at);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter;
    use crate::run::Discharged;

    #[test]
    fn a_lasso_as_json() {
        let mut run = counter::lasso();
        run.ledger.push(LedgerEntry {
            obligation: "inc".into(),
            kind: "esf".into(),
            discharged: Discharged::Engaged,
            at: Some(2),
        });
        let expected = r#"{"initial":{"x":0,"flags":[0,0],"process 0":"count"},"prefix":[{"event":"inc","processes":[0],"changes":{"x":1}}],"loop":[{"event":"inc","processes":[0],"changes":{"x":2}},{"event":"dec","processes":[0],"changes":{"x":1}}],"ledger":[{"obligation":"inc","kind":"esf","discharged":"engaged","at":2}]}"#;
        assert_eq!(run_to_json(&run, false).to_string(), expected);
    }

    #[test]
    fn full_runs_carry_states() {
        let json = run_to_json(&counter::lasso(), true);
        assert_eq!(
            json["loop"][1]["state"],
            json!({"x": 1, "flags": [0, 0], "process 0": "count"})
        );
    }
}
