//! A report as SARIF 2.1.0, which code hosts show beside the source: diagnostics, and assertions that do not pass.

use crate::json::severity;
use crate::report::{CheckResult, Message, Place, Report};
use fairhold_system::Verdict;
use serde_json::{Value as Json, json};

/// The report as one SARIF log.
pub fn report_to_sarif(report: &Report) -> Json {
    let messages = report.messages.iter().map(message);
    let results: Vec<Json> = messages.chain(report.results.iter().map(result)).collect();
    let mut rules: Vec<&str> = results.iter().filter_map(|r| r["ruleId"].as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Json> = rules.iter().map(|id| json!({ "id": id })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "fairhold",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn message(message: &Message) -> Json {
    let mut text = message.message.clone();
    if !message.help.is_empty() {
        text.push_str("; ");
        text.push_str(&message.help);
    }
    let mut json = json!({
        "ruleId": message.code,
        "level": severity(message.severity),
        "message": { "text": text },
    });
    if let Some(file) = &message.file {
        json["locations"] = locations(file, message.place);
    }
    json
}

fn result(result: &CheckResult) -> Json {
    let passes = result.passes();
    let (kind, level) = match result.verdict {
        _ if passes => ("pass", "none"),
        Verdict::Unknown => ("fail", "warning"),
        Verdict::Holds | Verdict::Fails | Verdict::Error => ("fail", "error"),
    };
    let mut text = format!("{}: {}", result.assertion, result.verdict.word());
    if let Some(fairness) = &result.fairness {
        text.push_str(&format!(" under {fairness}"));
    }
    if let Some(expected) = result.expected.filter(|_| !passes) {
        text.push_str(&format!(", expected {}", expected.word()));
    }
    if let Some(reason) = &result.reason {
        text.push_str(&format!(" ({reason})"));
    }
    json!({
        "ruleId": format!("assertion-{}", result.verdict.word()),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": locations(&result.file, result.place),
    })
}

fn locations(file: &str, place: Option<Place>) -> Json {
    let uri: String = file.chars().map(|c| if c == '\\' { '/' } else { c }).collect();
    let mut physical = json!({ "artifactLocation": { "uri": encode(&uri) } });
    if let Some(place) = place {
        physical["region"] = json!({
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        });
    }
    json!([{ "physicalLocation": physical }])
}

/// A path as a relative or absolute URI reference: what may not stand in one is percent-encoded.
fn encode(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes()
        .map(|b| {
            if plain(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_results_with_rules() {
        let report = Report {
            messages: vec![Message {
                file: Some("my dp.csp".into()),
                place: Some(Place {
                    line: 3,
                    column: 9,
                    end_line: 3,
                    end_column: 14,
                }),
                help: "did you mean get?".into(),
                ..Message::usage("unknown-name", "nothing is called gte")
            }],
            ..Report::default()
        };
        let sarif = report_to_sarif(&report);
        assert_eq!(sarif["version"], "2.1.0");
        let run = &sarif["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"], json!([{ "id": "unknown-name" }]));
        let result = &run["results"][0];
        assert_eq!(
            result["message"]["text"],
            "nothing is called gte; did you mean get?"
        );
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "my%20dp.csp");
        assert_eq!(physical["region"]["startLine"], 3);
    }
}
