//! A report as JSON: the contract with scripts. Fields come in a fixed order; `docs/schema` describes them.

use crate::replay::{Replayed, replayed_to_json};
use crate::report::{CheckResult, ExploreResult, LabelledState, Labelling, Message, Report};
use crate::saved::SavedTrace;
use crate::simulate::{QUANTILES, Sample};
use crate::sizes::Sweep;
use fairhold_source::Severity;
use fairhold_system::Verdict;
use fairhold_trace::{Detail, Notion, Run, WhyNot, fields_to_json, run_to_json};
use serde_json::{Map, Value as Json, json};

/// The version of the contract.
const SCHEMA: u32 = 1;

/// The report of `check`. Of runs, `detail` says how much is written: none, steps with changes, or full states.
pub fn report_to_json(report: &Report, detail: Detail) -> Json {
    let results = report.results.iter().map(|r| result_to_json(r, detail));
    let mut json = envelope(&report.messages, results);
    if let Some(sweep) = &report.sweep {
        json["sizes"] = sweep_to_json(sweep, &report.results);
    }
    json
}

/// The verdicts by size: a row for every assertion and constraint.
fn sweep_to_json(sweep: &Sweep, results: &[CheckResult]) -> Json {
    let verdict = |(size, verdict): &(i32, Verdict)| json!({ "size": size, "verdict": verdict.word() });
    let mut rows = Vec::new();
    for swept in sweep.assertions(results) {
        for column in &swept.fairness {
            rows.push(json!({
                "index": swept.index,
                "assertion": swept.assertion,
                "fairness": column.fairness,
                "smallest_failing": column.smallest_failing(),
                "verdicts": column.verdicts.iter().map(verdict).collect::<Vec<_>>(),
            }));
        }
    }
    let left_out = |(size, reason): &(i32, String)| json!({ "size": size, "reason": reason });
    json!({
        "name": sweep.name,
        "from": sweep.range.first,
        "to": sweep.range.last,
        "left_out": sweep.left_out.iter().map(left_out).collect::<Vec<_>>(),
        "assertions": rows,
    })
}

/// The report of `explore`: messages, and a result unless the input cannot be run.
pub fn exploration_to_json(messages: &[Message], result: Option<&ExploreResult>, detail: Detail) -> Json {
    let results = result.iter().map(|r| explored(r, detail));
    envelope(messages, results)
}

/// The report of `replay`: messages, and a result unless the input cannot be replayed.
pub fn replay_to_json(
    messages: &[Message],
    result: Option<(&SavedTrace, &Replayed)>,
    detail: Detail,
) -> Json {
    let results = result
        .iter()
        .map(|(trace, replayed)| replayed_to_json(trace, replayed, detail));
    envelope(messages, results)
}

/// The report of `simulate --runs`.
pub fn sample_to_json(messages: &[Message], sample: &Sample) -> Json {
    let found = &sample.statistics;
    let quantile = |(share, steps): (&f64, &Option<u64>)| json!({ "share": share, "steps": steps });
    let result = json!({
        "file": sample.file,
        "defines": defines_to_json(&sample.defines),
        "until": sample.until,
        "hold": sample.options.hold,
        "max_steps": sample.options.most,
        "seed": sample.options.seed,
        "runs": found.runs,
        "converged": found.converged,
        "share": found.share(),
        "mean": found.mean,
        "deviation": found.deviation,
        "least": found.least,
        "median": found.median(),
        "greatest": found.greatest,
        "quantiles": QUANTILES.iter().zip(&found.quantiles).map(quantile).collect::<Vec<_>>(),
        "steps": sample.steps,
    });
    envelope(messages, std::iter::once(result))
}

/// Messages alone, for a command that came to no result.
pub fn messages_to_json(messages: &[Message]) -> Json {
    envelope(messages, std::iter::empty())
}

fn envelope(messages: &[Message], results: impl Iterator<Item = Json>) -> Json {
    json!({
        "schema": SCHEMA,
        "fairhold": env!("CARGO_PKG_VERSION"),
        "diagnostics": messages.iter().map(message).collect::<Vec<_>>(),
        "results": results.collect::<Vec<_>>(),
    })
}

fn message(message: &Message) -> Json {
    let place = message.place;
    json!({
        "severity": severity(message.severity),
        "code": message.code,
        "file": message.file,
        "line": place.map(|p| p.line),
        "column": place.map(|p| p.column),
        "end_line": place.map(|p| p.end_line),
        "end_column": place.map(|p| p.end_column),
        "message": message.message,
        "help": message.help,
    })
}

/// The word for a severity.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

pub(crate) fn result_to_json(result: &CheckResult, detail: Detail) -> Json {
    let mut json = json!({
        "file": result.file,
        "index": result.index,
        "assertion": result.assertion,
        "defines": defines_to_json(&result.defines),
        "fairness": result.fairness,
        "annotations": result.annotations,
        "verdict": result.verdict.word(),
        "expected": result.expected.map(Verdict::word),
        "reason": result.reason,
        "feasible": result.feasible,
        "unmet": result.unmet,
        "vacuous": result.vacuous,
        "value": result.value,
        "states": result.states,
        "steps": result.steps,
        "product_states": result.product_states,
        "sccs": result.sccs,
        "seconds": result.seconds,
        "peak_mb": result.peak_mb,
        "threads": result.threads,
        "reductions": result.reductions,
        "reduction_note": result.reduction_note,
        "counterexample": run(result.counterexample.as_ref(), detail),
        "witness": run(result.witness.as_ref(), detail),
        "why_not": result.why_not.as_ref().map(why_not),
    });
    if let Some(found) = &result.labels {
        json["labels"] = labels(found);
    }
    if result.excused {
        json["excused"] = json!(true);
    }
    if let Some(found) = &result.convergence {
        json["convergence"] = json!({
            "configurations": found.configurations,
            "safe": found.safe,
            "steps": found.steps,
        });
    }
    json
}

fn labels(labels: &Labelling) -> Json {
    let state = |labelled: &LabelledState| {
        json!({
            "state": fields_to_json(&labelled.state),
            "initial": labelled.initial,
            "satisfies": labelled.satisfies,
        })
    };
    json!({
        "formulas": labels.formulas,
        "counts": labels.counts,
        "states": labels.states.iter().map(state).collect::<Vec<_>>(),
        "total": labels.total,
    })
}

fn explored(result: &ExploreResult, detail: Detail) -> Json {
    json!({
        "file": result.file,
        "process": result.process,
        "defines": defines_to_json(&result.defines),
        "states": result.states,
        "steps": result.steps,
        "depth": result.depth,
        "deadlocks": result.deadlocks,
        "terminated": result.terminated,
        "sccs": result.sccs,
        "bytes_per_state": result.bytes_per_state,
        "state_bytes": result.state_bytes,
        "seconds": result.seconds,
        "peak_mb": result.peak_mb,
        "threads": result.threads,
        "complete": result.complete(),
        "verdict": result.verdict.word(),
        "reason": result.reason,
        "counterexample": run(result.counterexample.as_ref(), detail),
    })
}

/// What a loop starves, and which notions would rule it out.
fn why_not(why: &WhyNot) -> Json {
    let words = |notions: Vec<Notion>| notions.into_iter().map(Notion::word).collect::<Vec<_>>();
    let starved = why.starved.iter();
    json!({
        "starved": starved.map(|s| json!({ "name": s.name, "enabled": s.enabled, "states": s.states })).collect::<Vec<_>>(),
        "fair_under": words(why.allowing()),
        "ruled_out_by": words(why.ruling_out()),
        "weakest": words(why.weakest()),
    })
}

fn run(run: Option<&Run>, detail: Detail) -> Json {
    match (run, detail) {
        (None, _) | (_, Detail::None) => Json::Null,
        (Some(run), _) => run_to_json(run, detail == Detail::Full),
    }
}

/// Constants as an object.
pub(crate) fn defines_to_json(defines: &[(String, i32)]) -> Json {
    let object: Map<String, Json> = defines
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    Json::Object(object)
}
