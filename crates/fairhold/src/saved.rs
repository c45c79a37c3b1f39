//! Saved runs: the files that `--save-trace` and a walk write, and that `replay` reads.
//!
//! A saved trace is one object: a result of `check` with its run in full, or a walk, which has a `process` in place of
//! an assertion and a verdict. Both carry the constants in force and the hash of the source, so that the model can be
//! made again and a change of it noticed.

use crate::automata;
use crate::fairness::parse_fairness;
use crate::json::{defines_to_json, result_to_json};
use crate::load::LoadOptions;
use crate::report::CheckResult;
use crate::temporal::Ends;
use fairhold_source::Diagnostic;
use fairhold_system::Verdict;
use fairhold_trace::{Detail, Run, run_from_json, run_to_json};
use serde_json::{Value as Json, json};

/// The fields that may hold the run.
const RUNS: [&str; 3] = ["counterexample", "witness", "walk"];

/// A run with what is needed to judge it.
#[derive(Clone, Debug)]
pub struct SavedTrace {
    /// The model's file, as it was named then.
    pub file: String,
    /// What the run is a run of.
    pub origin: Origin,
    /// Integer constants in force.
    pub defines: Vec<(String, i32)>,
    /// `counterexample`, `witness` or `walk`.
    pub title: &'static str,
    /// The run.
    pub run: Run,
    /// The SHA-256 of the model's main text, in hexadecimal, if it was noted.
    pub source_sha256: Option<String>,
}

/// Where a run comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It shows the verdict on an assertion.
    Assertion {
        /// The assertion as written.
        text: String,
        /// The verdict.
        verdict: Verdict,
        /// The fairness constraint it was found under, for a formula.
        fairness: Option<String>,
        /// The automaton that the assertion is about, if it is about one, in HOA.
        automaton: Option<String>,
        /// What becomes of executions where there are no steps; none: as the language has it.
        ends: Option<Ends>,
    },
    /// It is a walk through a process, as written; without a name, through the model.
    Walk(Option<String>),
}

impl SavedTrace {
    /// Reads a saved trace. `name` stands for it in messages.
    pub fn parse(name: &str, text: &str) -> Result<SavedTrace, Diagnostic> {
        let wrong = |message: String| Diagnostic::bare("bad-trace", format!("{name}: {message}"));
        let json: Json = serde_json::from_str(text)
            .map_err(|e| wrong(format!("not JSON: {e}")).help("give a file that --save-trace wrote"))?;
        if !json.is_object() {
            return Err(wrong("a saved trace is one JSON object".into()));
        }
        let found = RUNS.into_iter().find(|field| !json[field].is_null());
        let title = found.ok_or_else(|| {
            let help = if json["results"].is_array() {
                "this is a whole report; --save-trace DIR writes one file for each run"
            } else {
                "only counterexamples, witnesses and walks can be replayed"
            };
            wrong("there is no run in it".into()).help(help)
        })?;
        let run = run_from_json(&json[title]).map_err(|malformed| {
            let at = if malformed.at.is_empty() { "" } else { "." };
            wrong(format!(
                "{title}{at}{} must be {}",
                malformed.at, malformed.expected
            ))
        })?;
        let text = |field: &str| json[field].as_str().map(str::to_owned);
        let missing = |field: &str| wrong(format!("{field} must be a text"));
        let origin = match text("assertion") {
            Some(assertion) if title != "walk" => Origin::Assertion {
                text: assertion,
                verdict: text("verdict")
                    .and_then(|word| Verdict::from_word(&word))
                    .ok_or_else(|| wrong("verdict must be `holds`, `fails`, `unknown` or `error`".into()))?,
                fairness: text("fairness"),
                automaton: text("automaton"),
                ends: match json["ends"].as_str() {
                    Some("idle") => Some(Ends::Idle),
                    Some("none") => Some(Ends::None),
                    Some(_) => return Err(wrong("ends must be `idle` or `none`".into())),
                    None => None,
                },
            },
            None if title != "walk" => return Err(missing("assertion")),
            _ => Origin::Walk(text("process")),
        };
        Ok(SavedTrace {
            file: text("file").ok_or_else(|| missing("file"))?,
            origin,
            defines: defines(&json["defines"])
                .ok_or_else(|| wrong("defines must be an object of 32-bit integers".into()))?,
            title,
            run,
            source_sha256: text("source_sha256"),
        })
    }

    /// How to load the model that the run belongs to.
    pub fn load_options(&self) -> LoadOptions {
        let mut options = LoadOptions {
            defines: self.defines.clone(),
            ..LoadOptions::default()
        };
        match &self.origin {
            Origin::Assertion {
                text,
                fairness,
                automaton,
                ..
            } => {
                match (automaton, automata::parts(text)) {
                    (Some(automaton), Some((process, name))) => {
                        options.process = process.map(str::to_owned);
                        options.automata.push((name.to_owned(), automaton.clone()));
                    }
                    _ => options.properties.push(text.clone()),
                }
                // One that cannot be read is refused by the judge.
                let fairness = fairness.as_deref().map(parse_fairness);
                options.fairness = fairness.and_then(Result::ok).unwrap_or_default();
            }
            Origin::Walk(process) => options.process.clone_from(process),
        }
        options
    }
}

/// A counterexample or witness on its own: one result, its run in full, and the hash of the source it belongs to.
pub fn saved_trace(result: &CheckResult, source_sha256: &str) -> Json {
    let mut json = result_to_json(result, Detail::Full);
    json["source_sha256"] = json!(source_sha256);
    if let Some(automaton) = &result.automaton {
        json["automaton"] = json!(automaton);
    }
    if let Some(ends) = result.ends {
        json["ends"] = json!(match ends {
            Ends::Idle => "idle",
            Ends::None => "none",
        });
    }
    json
}

/// A walk through a process, in the same form.
pub(crate) fn saved_walk(
    file: &str,
    process: Option<&str>,
    defines: &[(String, i32)],
    run: &Run,
    source_sha256: &str,
) -> Json {
    json!({
        "file": file,
        "process": process,
        "defines": defines_to_json(defines),
        "walk": run_to_json(run, true),
        "source_sha256": source_sha256,
    })
}

fn defines(json: &Json) -> Option<Vec<(String, i32)>> {
    if json.is_null() {
        return Some(Vec::new());
    }
    let value = |json: &Json| i32::try_from(json.as_i64()?).ok();
    let define = |(name, json): (&String, &Json)| Some((name.clone(), value(json)?));
    json.as_object()?.iter().map(define).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALK: &str = r#"{ "file": "m.csp", "process": "P(1)", "defines": {"N": -3}, "source_sha256": "ab",
        "walk": { "initial": {"x": 0}, "prefix": [{"event": "up", "processes": [0]}], "loop": [] } }"#;

    #[test]
    fn a_walk_is_read() {
        let trace = SavedTrace::parse("w.json", WALK).unwrap();
        assert_eq!(trace.title, "walk");
        assert_eq!(trace.run.prefix[0].event, "up");
        let options = trace.load_options();
        assert_eq!(options.defines, [("N".to_owned(), -3)]);
        assert_eq!(options.process.as_deref(), Some("P(1)"));
        let again = saved_walk("m.csp", Some("P(1)"), &trace.defines, &trace.run, "ab").to_string();
        assert_eq!(SavedTrace::parse("w.json", &again).unwrap().run, trace.run);
    }

    #[test]
    fn a_counterexample_names_its_assertion() {
        let text = WALK
            .replace("walk", "counterexample")
            .replace("process\":", "assertion\":");
        let message = SavedTrace::parse("t.json", &text).unwrap_err().message;
        assert_eq!(
            message,
            "t.json: verdict must be `holds`, `fails`, `unknown` or `error`"
        );
        let text = text.replacen('{', r#"{ "verdict": "fails", "#, 1);
        let trace = SavedTrace::parse("t.json", &text).unwrap();
        assert_eq!(trace.load_options().properties, ["P(1)"]);
    }

    #[test]
    fn faults_are_named() {
        for (text, message) in [
            ("x", "t.json: not JSON: expected value at line 1 column 1"),
            ("[]", "t.json: a saved trace is one JSON object"),
            (r#"{"results": []}"#, "t.json: there is no run in it"),
            (
                r#"{"walk": 3}"#,
                "t.json: walk must be an object with `initial`, `prefix` and `loop`",
            ),
            (
                r#"{"walk": {"initial": {}, "prefix": [3]}}"#,
                "t.json: walk.prefix[0] must be a step: an object with `event` and `processes`",
            ),
            (
                r#"{"walk": {"initial": {}, "prefix": []}}"#,
                "t.json: file must be a text",
            ),
        ] {
            assert_eq!(SavedTrace::parse("t.json", text).unwrap_err().message, message);
        }
    }
}
