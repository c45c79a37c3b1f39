//! A run from JSON: the other direction of [`run_to_json`](crate::run_to_json).
//!
//! The run may have been written by Fairhold, by hand, or by another program, so every part is looked at and a fault
//! names its place. What the format allows to be left out may be missing: states, changes, the loop, the ledger.

use crate::branch::Branch;
use crate::run::{Discharged, LedgerEntry, Run, RunStep};
use fairhold_system::{Fields, Value};
use serde_json::Value as Json;
use std::fmt;

/// Why a JSON value is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Where in the value: `prefix[3].event`; empty for the value as a whole.
    pub at: String,
    /// What should be there: `a text`.
    pub expected: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.is_empty() { "the run" } else { &self.at };
        write!(f, "{at} must be {}", self.expected)
    }
}

/// The run that a JSON value describes.
pub fn run_from_json(json: &Json) -> Result<Run, Malformed> {
    run(json, "")
}

/// The run at some place.
fn run(json: &Json, place: &str) -> Result<Run, Malformed> {
    if !json.is_object() {
        return Err(wrong(place, "an object with `initial`, `prefix` and `loop`"));
    }
    let at = |part: &str| match place {
        "" => part.to_owned(),
        _ => format!("{place}.{part}"),
    };
    Ok(Run {
        initial: fields(&json["initial"], &at("initial"))?,
        prefix: steps(&json["prefix"], &at("prefix"))?,
        loop_: optional(&json["loop"], &at("loop"), steps)?,
        ledger: optional(&json["ledger"], &at("ledger"), ledger)?,
        branches: optional(&json["branches"], &at("branches"), branches)?,
        words: Vec::new(),
    })
}

fn branches(json: &Json, at: &str) -> Result<Vec<Branch>, Malformed> {
    list(json, at, "a list of branches", branch)
}

fn branch(json: &Json, at: &str) -> Result<Branch, Malformed> {
    let at = |part: &str| format!("{at}.{part}");
    let holds = json["holds"].as_bool();
    let place = json["at"].as_u64().and_then(|n| usize::try_from(n).ok());
    Ok(Branch {
        formula: text(&json["formula"], &at("formula"))?,
        holds: holds.ok_or_else(|| wrong(&at("holds"), "a truth value"))?,
        at: place.ok_or_else(|| wrong(&at("at"), "a position on the run"))?,
        run: run(&json["run"], &at("run"))?,
    })
}

fn wrong(at: &str, expected: &'static str) -> Malformed {
    Malformed {
        at: at.to_owned(),
        expected,
    }
}

/// What is read there, or nothing if there is nothing.
fn optional<T: Default>(
    json: &Json,
    at: &str,
    read: fn(&Json, &str) -> Result<T, Malformed>,
) -> Result<T, Malformed> {
    if json.is_null() {
        return Ok(T::default());
    }
    read(json, at)
}

fn list<T>(
    json: &Json,
    at: &str,
    expected: &'static str,
    read: impl Fn(&Json, &str) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let items = json.as_array().ok_or_else(|| wrong(at, expected))?;
    let item = |(i, item)| read(item, &format!("{at}[{i}]"));
    items.iter().enumerate().map(item).collect()
}

fn text(json: &Json, at: &str) -> Result<String, Malformed> {
    json.as_str()
        .map(str::to_owned)
        .ok_or_else(|| wrong(at, "a text"))
}

fn steps(json: &Json, at: &str) -> Result<Vec<RunStep>, Malformed> {
    list(json, at, "a list of steps", step)
}

fn step(json: &Json, at: &str) -> Result<RunStep, Malformed> {
    if !json.is_object() {
        return Err(wrong(at, "a step: an object with `event` and `processes`"));
    }
    let number = |json: &Json, at: &str| {
        let number = json.as_u64().and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| wrong(at, "the number of a process"))
    };
    let at = |part: &str| format!("{at}.{part}");
    let mut processes = list(
        &json["processes"],
        &at("processes"),
        "a list of process numbers",
        number,
    )?;
    processes.sort_unstable();
    processes.dedup();
    Ok(RunStep {
        event: text(&json["event"], &at("event"))?,
        processes,
        changes: optional(&json["changes"], &at("changes"), fields)?,
        state: optional(&json["state"], &at("state"), fields)?,
    })
}

fn fields(json: &Json, at: &str) -> Result<Fields, Malformed> {
    let object = json
        .as_object()
        .ok_or_else(|| wrong(at, "a state: an object of names and values"))?;
    let field = |(name, json): (&String, &Json)| Ok((name.clone(), value(json, &format!("{at}.{name}"))?));
    object.iter().map(field).collect()
}

fn value(json: &Json, at: &str) -> Result<Value, Malformed> {
    const EXPECTED: &str = "an integer, a truth value, a text or a list of these";
    match json {
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::Number(n) => n.as_i64().map(Value::Int).ok_or_else(|| wrong(at, EXPECTED)),
        Json::String(s) => Ok(Value::Text(s.clone())),
        Json::Array(_) => list(json, at, EXPECTED, value).map(Value::List),
        Json::Null | Json::Object(_) => Err(wrong(at, EXPECTED)),
    }
}

fn ledger(json: &Json, at: &str) -> Result<Vec<LedgerEntry>, Malformed> {
    list(json, at, "a list of obligations", entry)
}

fn entry(json: &Json, at: &str) -> Result<LedgerEntry, Malformed> {
    let at = |part: &str| format!("{at}.{part}");
    let ways = [
        Discharged::Engaged,
        Discharged::Disabled,
        Discharged::NeverEnabled,
    ];
    let word = text(&json["discharged"], &at("discharged"))?;
    let discharged = ways.into_iter().find(|way| way.word() == word);
    Ok(LedgerEntry {
        obligation: text(&json["obligation"], &at("obligation"))?,
        kind: text(&json["kind"], &at("kind"))?,
        discharged: discharged
            .ok_or_else(|| wrong(&at("discharged"), "`engaged`, `disabled` or `never-enabled`"))?,
        at: optional(&json["at"], &at("at"), place)?,
    })
}

fn place(json: &Json, at: &str) -> Result<Option<usize>, Malformed> {
    let place = json.as_u64().and_then(|n| usize::try_from(n).ok());
    place.map(Some).ok_or_else(|| wrong(at, "a place in the loop"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{counter, run_to_json};
    use serde_json::json;

    #[test]
    fn what_was_written_is_read() {
        let mut run = counter::lasso();
        run.ledger.push(LedgerEntry {
            obligation: "inc".into(),
            kind: "esf".into(),
            discharged: Discharged::Disabled,
            at: Some(2),
        });
        assert_eq!(run_from_json(&run_to_json(&run, true)), Ok(run.clone()));
        let short = run_from_json(&run_to_json(&run, false)).unwrap();
        assert!(short.prefix[0].state.is_empty());
        assert_eq!(short.prefix[0].changes, run.prefix[0].changes);
    }

    #[test]
    fn a_fault_names_its_place() {
        let whole = run_to_json(&counter::lasso(), true);
        for (path, bad, message) in [
            (
                "/initial",
                json!(3),
                "initial must be a state: an object of names and values",
            ),
            ("/prefix", Json::Null, "prefix must be a list of steps"),
            (
                "/prefix/0",
                json!("inc"),
                "prefix[0] must be a step: an object with `event` and `processes`",
            ),
            ("/prefix/0/event", json!(1), "prefix[0].event must be a text"),
            (
                "/loop/1/processes",
                json!(0),
                "loop[1].processes must be a list of process numbers",
            ),
            (
                "/loop/1/processes",
                json!([-1]),
                "loop[1].processes[0] must be the number of a process",
            ),
            (
                "/loop/0/state/flags/1",
                json!(0.5),
                "loop[0].state.flags[1] must be an integer, a truth value, a text or a list of these",
            ),
        ] {
            let mut json = whole.clone();
            *json.pointer_mut(path).unwrap() = bad;
            assert_eq!(run_from_json(&json).unwrap_err().to_string(), message);
        }
        let mut json = whole;
        json["ledger"] = json!([{ "obligation": "inc", "kind": "esf", "discharged": "engaged", "at": "x" }]);
        assert_eq!(
            run_from_json(&json).unwrap_err().to_string(),
            "ledger[0].at must be a place in the loop"
        );
        let none = run_from_json(&Json::Null).unwrap_err().to_string();
        assert_eq!(
            none,
            "the run must be an object with `initial`, `prefix` and `loop`"
        );
    }
}
