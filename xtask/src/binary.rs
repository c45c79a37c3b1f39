//! The release build of `fairhold`, and what `explore` and `check` say.

use crate::command::{cargo, output, root, step};
use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The built binary.
pub(crate) struct Binary(PathBuf);

/// One result of `fairhold explore --format json`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Exploration {
    /// Distinct states.
    pub(crate) states: u64,
    /// Distinct steps.
    pub(crate) steps: u64,
    /// Steps from an initial state to the farthest.
    pub(crate) depth: u64,
    /// States without steps, other than ended ones.
    pub(crate) deadlocks: u64,
    /// Bytes held for a state, all told.
    pub(crate) bytes_per_state: f64,
    /// Bytes of the packed state alone, where reported.
    pub(crate) state_bytes: Option<f64>,
    /// Wall time.
    pub(crate) seconds: f64,
    /// The most memory the process held.
    pub(crate) peak_mb: f64,
    /// Worker threads.
    pub(crate) threads: u64,
}

/// One result of `fairhold check --format json`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Check {
    /// `holds`, `fails`, `unknown` or `error`.
    pub(crate) verdict: String,
    /// Distinct system states visited.
    pub(crate) states: u64,
    /// Distinct steps of visited states.
    pub(crate) steps: u64,
    /// Wall time from opening the file to the verdict.
    pub(crate) seconds: f64,
    /// The most memory the process held.
    pub(crate) peak_mb: f64,
    /// Worker threads.
    pub(crate) threads: u64,
}

#[derive(Deserialize)]
struct Envelope<R> {
    results: Vec<R>,
}

impl Binary {
    /// Builds it.
    pub(crate) fn build() -> Result<Binary> {
        let build = [
            "build",
            "--release",
            "--package",
            "fairhold-cli",
            "--bin",
            "fairhold",
        ];
        step("build", &mut cargo(build))?;
        // The second, now idle, build says where the file is, wherever the target folder may be.
        let messages = output(cargo(build).arg("--message-format=json"))?;
        let path = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .find_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)))
            .context("cargo names no executable")?;
        Ok(Binary(path))
    }

    /// A program that was built before.
    pub(crate) fn at(path: &Path) -> Result<Binary> {
        // Absolute, because it runs in the root of the repository.
        let path = path
            .canonicalize()
            .with_context(|| format!("no program {}", path.display()))?;
        Ok(Binary(path))
    }

    /// Explores a model given by its path from the root and further arguments.
    pub(crate) fn explore(&self, model: &str, arguments: &[String]) -> Result<Exploration> {
        self.ask("explore", model, arguments)
    }

    /// Checks one property of a model, which holds.
    pub(crate) fn check(&self, model: &str, arguments: &[String]) -> Result<Check> {
        self.ask("check", model, arguments)
    }

    fn ask<R: DeserializeOwned>(&self, command: &str, model: &str, arguments: &[String]) -> Result<R> {
        let mut run = Command::new(&self.0);
        run.current_dir(root())
            .args([command, model])
            .args(arguments)
            .args(["--format", "json"]);
        let text = output(&mut run)?;
        parse(&text)
            .with_context(|| format!("unexpected output of {command} {model} {}", arguments.join(" ")))
    }
}

fn parse<R: DeserializeOwned>(text: &str) -> Result<R> {
    let envelope: Envelope<R> = serde_json::from_str(text)?;
    envelope.results.into_iter().next().context("there is no result")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_result() {
        let text = r#"{ "schema": 1, "results": [ { "states": 7, "steps": 9, "depth": 3, "deadlocks": 1, "terminated": 0,
            "bytes_per_state": 12.5, "seconds": 0.1, "peak_mb": 2.0, "threads": 1 } ] }"#;
        let result: Exploration = parse(text).unwrap();
        assert_eq!((result.states, result.steps, result.state_bytes), (7, 9, None));
        assert!(parse::<Exploration>(r#"{ "results": [] }"#).is_err());
        assert!(parse::<Exploration>("").is_err());
        let text = r#"{ "results": [ { "verdict": "holds", "states": 7, "steps": 9, "seconds": 0.1, "peak_mb": 2.0,
            "threads": 1, "reductions": [] } ] }"#;
        let result: Check = parse(text).unwrap();
        assert_eq!((result.verdict.as_str(), result.steps), ("holds", 9));
    }
}
