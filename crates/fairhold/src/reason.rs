//! Why, in plain words.

use crate::check::Bounds;
use crate::front::Asks;
use crate::growth;
use fairhold_search::Answer;
use fairhold_source::SourceMap;
use fairhold_system::{Fault, FaultKind, Fields, StopReason, System, Verdict, Word};
use fairhold_trace::{IDLE, Run};

/// The reason for an answer; none where the verdict says it all.
pub(crate) fn reason<S: System>(
    map: &SourceMap,
    system: &S,
    asks: Asks,
    answer: &Answer,
    run: Option<&Run>,
    bounds: &Bounds,
) -> Option<String> {
    if let Some(found) = &answer.fault {
        return Some(fault(map, found));
    }
    if let Some(why) = answer.stop {
        let states = answer.statistics.states;
        return Some(stopped(why, bounds, states, system, &answer.samples));
    }
    if answer.verdict != Verdict::Fails {
        return None;
    }
    let after = run.map_or(String::new(), after);
    Some(match asks {
        Asks::DeadlockFree => format!("deadlock {after}"),
        Asks::NonTerminating if run.is_some_and(terminates) => format!("terminates {after}"),
        Asks::NonTerminating => format!("deadlock {after}"),
        Asks::DivergenceFree => {
            let steps = run.map_or(0, |r| r.loop_.len());
            format!("a loop of {} {after}", count(steps as u64, "tau step"))
        }
        Asks::Deterministic => {
            let event = answer.conflict.as_ref().map(|c| system.event_name(c.event));
            let event = event.unwrap_or_else(|| "the last event".to_owned());
            format!(
                "nondeterministic on {event}: step {} can lead to different states",
                run.map_or(0, Run::len)
            )
        }
        Asks::Reaches => {
            let states = count(answer.statistics.states, "reachable state");
            format!("the condition is false in every one of {states}")
        }
        Asks::Never => format!("the condition is true {after}"),
        Asks::Always => format!("the condition is false {after}"),
        Asks::Ltl | Asks::Ctl | Asks::Refines => return None,
    })
}

/// What a run that violates a formula looks like.
pub(crate) fn violates(run: &Run) -> String {
    if run.loop_.is_empty() {
        return format!("violated {}, whatever comes next", after(run));
    }
    if run.loop_.iter().all(|step| step.event == IDLE) {
        return format!("nothing happens any more {}", after(run));
    }
    format!(
        "a loop of {} {}",
        count(run.loop_.len() as u64, "step"),
        after(run)
    )
}

/// Why an exploration or a search stopped early, and what grows.
pub(crate) fn stopped<S: System>(
    why: StopReason,
    bounds: &Bounds,
    states: u64,
    system: &S,
    samples: &[Vec<Word>],
) -> String {
    let mut text = match (why, bounds) {
        (StopReason::Interrupted, _) => return "interrupted".to_owned(),
        (StopReason::Time, Bounds { timeout: Some(t), .. }) => {
            format!("out of time ({} s)", t.as_secs_f64())
        }
        (StopReason::Time, _) => "out of time".to_owned(),
        (StopReason::Memory, _) => "out of memory".to_owned(),
        (StopReason::States, _) => "at the bound on states".to_owned(),
    };
    text.push_str(&format!(", {} explored", count(states, "state")));
    let fields: Vec<Fields> = samples.iter().map(|s| system.fields(s)).collect();
    if let Some(hint) = growth::hint(&fields) {
        text.push_str("; ");
        text.push_str(&hint);
    }
    text
}

/// A fault with its place: `division by zero (dp.csp:3:9)`.
pub(crate) fn fault(map: &SourceMap, fault: &Fault) -> String {
    let mut text = match fault.kind {
        FaultKind::Error => fault.message.clone(),
        FaultKind::Unbounded => format!("unbounded: {}", fault.message),
    };
    if let Some(span) = fault.span {
        let file = map.file(span.file);
        let at = file.position(span.start);
        text.push_str(&format!(" ({}:{}:{})", file.name(), at.line, at.column));
    }
    text
}

fn after(run: &Run) -> String {
    match run.prefix.len() {
        0 => "in the initial state".to_owned(),
        n => format!("after {}", count(n as u64, "step")),
    }
}

fn terminates(run: &Run) -> bool {
    run.prefix.last().is_some_and(|s| s.event == "terminate")
}

/// `1 step`, `2 steps`.
pub(crate) fn count(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}
