//! SPIN as a peer [Holzmann-TSE'97]: from a Promela model to a verifier, and what the verifier says.
//!
//! `spin -a` writes the verifier as C, `gcc` compiles it, and every run of `pan` answers one question. A run that had
//! to give up (too small a stack, too little memory, too many processes for the counters of fairness) is an error here
//! and never an answer. The states and transitions are SPIN's own counts; it counts the initial state as one transition
//! more than there are steps.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// A compiled verifier and the folder it lives in.
#[derive(Debug)]
pub struct Pan {
    folder: PathBuf,
}

/// What one run of a verifier says.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Whether the claim is violated (without a claim: whether there is any error).
    pub violated: bool,
    /// States stored; with a claim, those of the product.
    pub states: u64,
    /// Transitions taken, recomputed ones included.
    pub transitions: u64,
    /// The most memory held, by SPIN's own account.
    pub peak_mb: f64,
    /// Wall time of the run alone.
    pub seconds: f64,
}

impl Pan {
    /// Builds the verifier of `model` in `folder`, which is created: `defines` (such as `N=4`) go to the model,
    /// `compiler` to `gcc`.
    pub fn build(model: &Path, defines: &[String], compiler: &[String], folder: &Path) -> Result<Pan> {
        std::fs::create_dir_all(folder)?;
        // Spin exits with 0 even after some errors, and then writes no verifier: an old one must not pass for it.
        let source = folder.join("pan.c");
        if source.exists() {
            std::fs::remove_file(&source)?;
        }
        // Absolute, because spin works in the folder it writes to.
        let model = model.canonicalize()?;
        let mut spin = Command::new("spin");
        spin.arg("-a").args(defines.iter().map(|d| format!("-D{d}")));
        let output = spin
            .arg(&model)
            .current_dir(folder)
            .output()
            .map_err(named("spin"))?;
        if !source.exists() || !output.status.success() {
            return Err(failed("spin -a", &output));
        }
        let mut gcc = Command::new("gcc");
        gcc.args(compiler)
            .args(["-w", "-o", "pan", "pan.c"])
            .current_dir(folder);
        let output = gcc.output().map_err(named("gcc"))?;
        if !output.status.success() {
            return Err(failed("gcc", &output));
        }
        Ok(Pan {
            folder: folder.to_owned(),
        })
    }

    /// Runs the verifier. What it was built for decides which options make sense.
    pub fn run<S: AsRef<std::ffi::OsStr>>(&self, options: &[S]) -> Result<Run> {
        let mut pan = Command::new(self.folder.join("pan"));
        pan.args(options).current_dir(&self.folder);
        let start = Instant::now();
        let output = pan.output().map_err(named("pan"))?;
        let seconds = start.elapsed().as_secs_f64();
        parse(&String::from_utf8_lossy(&output.stdout), seconds).ok_or_else(|| failed("pan", &output))
    }
}

fn named(program: &'static str) -> impl Fn(Error) -> Error {
    move |error| {
        Error::new(
            error.kind(),
            format!("cannot run {program} (cargo xtask setup installs it): {error}"),
        )
    }
}

fn failed(program: &str, output: &Output) -> Error {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    Error::other(format!(
        "{program} gives no answer:\n{}",
        String::from_utf8_lossy(&text)
    ))
}

/// The numbers in the output of `pan`; `None` if the search was not finished and found nothing.
fn parse(text: &str, seconds: f64) -> Option<Run> {
    let before = |marker: &str| -> Option<f64> {
        let line = text.lines().find(|line| line.contains(marker))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let errors = text.split("errors: ").nth(1)?.split_whitespace().next()?;
    let violated = errors.parse::<u64>().ok()? > 0;
    // A violation ends the search, and is one whatever else was left unexplored.
    let gave_up = [
        "max search depth too small",
        "out of memory",
        "Search not completed",
        "too many processes",
    ];
    if !violated && gave_up.iter().any(|words| text.contains(words)) {
        return None;
    }
    Some(Run {
        violated,
        states: before("states, stored")? as u64,
        transitions: before("transitions (=")? as u64,
        peak_mb: before("total actual memory usage").unwrap_or(0.0),
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: &str = "
State-vector 36 byte, depth reached 136, errors: 0
      288 states, stored
      364 states, matched
      652 transitions (= stored+matched)
        0 atomic steps
  128.730	total actual memory usage
";

    #[test]
    fn reads_a_finished_run() {
        let run = parse(DONE, 0.5).unwrap();
        assert_eq!((run.violated, run.states, run.transitions), (false, 288, 652));
        assert_eq!((run.peak_mb, run.seconds), (128.73, 0.5));
    }

    #[test]
    fn a_violation_is_an_answer_though_the_search_stops_there() {
        let text = format!(
            "Warning: Search not completed\n{}",
            DONE.replace("errors: 0", "errors: 1")
        );
        assert!(parse(&text, 0.0).unwrap().violated);
    }

    #[test]
    fn giving_up_is_no_answer() {
        assert_eq!(
            parse(&format!("error: max search depth too small\n{DONE}"), 0.0),
            None
        );
        assert_eq!(
            parse(&format!("Warning: Search not completed\n{DONE}"), 0.0),
            None
        );
        assert_eq!(parse("pan: error: too many processes", 0.0), None);
        assert_eq!(parse("", 0.0), None);
    }
}
