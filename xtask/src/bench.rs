//! `cargo xtask bench`: how fast and how lean, on the models of `bench/suite.toml`.
//!
//! Each entry is explored in full, several times, one process a run; the fastest run counts, because whatever
//! disturbs a measurement makes it slower. With `--save` every entry adds a row, with commit and date, to
//! `bench/results/<name>.csv`.

use crate::binary::{Binary, Exploration};
use crate::command::{output, root};
use crate::table::{Table, grouped};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

/// Arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Add the figures to bench/results
    #[arg(long)]
    save: bool,
    /// Runs of each entry; the fastest counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only entries whose name contains this
    filter: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    entry: Vec<Entry>,
}

/// One measurement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The name of its file of results.
    name: String,
    /// The model, from the root of the repository.
    model: String,
    /// Further arguments of `fairhold explore`.
    arguments: Vec<String>,
}

const COLUMNS: &str =
    "date,commit,model,states,steps,seconds,steps_per_second,bytes_per_state,overhead_bytes,peak_mb,threads";

/// Measures, prints, and saves if asked to.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let suite =
        suite(&std::fs::read_to_string(root().join("bench/suite.toml")).context("bench/suite.toml")?)?;
    let filter = arguments.filter.as_deref().unwrap_or("");
    let entries: Vec<&Entry> = suite.entry.iter().filter(|e| e.name.contains(filter)).collect();
    if entries.is_empty() {
        bail!("no entry of bench/suite.toml matches `{filter}`");
    }
    let binary = Binary::build()?;
    let mut table = Table::new(&[
        "model",
        "states",
        "steps",
        "seconds",
        "steps/s",
        "bytes/state",
        "overhead",
        "peak MB",
    ]);
    for entry in entries {
        let best = best(&binary, entry, arguments.runs)?;
        table.row(vec![
            label(entry),
            grouped(best.states),
            grouped(best.steps),
            format!("{:.3}", best.seconds),
            grouped(rate(&best)),
            format!("{:.1}", best.bytes_per_state),
            overhead(&best),
            format!("{:.1}", best.peak_mb),
        ]);
        if arguments.save {
            save(entry, &best)?;
        }
    }
    print!("{}", table.text());
    Ok(())
}

fn suite(text: &str) -> Result<Suite> {
    let suite: Suite = toml::from_str(text).context("bench/suite.toml")?;
    for (i, entry) in suite.entry.iter().enumerate() {
        let again = suite.entry[..i].iter().any(|other| other.name == entry.name);
        ensure!(!again, "bench/suite.toml: two entries are named `{}`", entry.name);
    }
    Ok(suite)
}

fn best(binary: &Binary, entry: &Entry, runs: u32) -> Result<Exploration> {
    let mut best: Option<Exploration> = None;
    for _ in 0..runs {
        let run = binary.explore(&entry.model, &entry.arguments)?;
        if let Some(best) = &best {
            ensure!(
                (run.states, run.steps) == (best.states, best.steps),
                "two runs of {} differ: {} and {} states",
                entry.name,
                best.states,
                run.states
            );
        }
        if best.as_ref().is_none_or(|best| run.seconds < best.seconds) {
            best = Some(run);
        }
    }
    best.context("there was at least one run")
}

/// The model and its arguments, short.
fn label(entry: &Entry) -> String {
    format!("{} {}", entry.name, entry.arguments.join(" "))
}

fn rate(run: &Exploration) -> u64 {
    (run.steps as f64 / run.seconds.max(1e-9)) as u64
}

/// Bytes per state beyond the packed state itself.
fn overhead(run: &Exploration) -> String {
    run.state_bytes.map_or_else(
        || "-".to_owned(),
        |packed| format!("{:.1}", run.bytes_per_state - packed),
    )
}

fn save(entry: &Entry, run: &Exploration) -> Result<()> {
    let folder = root().join("bench/results");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.csv", entry.name));
    let new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    if new {
        writeln!(file, "{COLUMNS}")?;
    }
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    writeln!(file, "{}", csv(&date, &commit()?, entry, run))?;
    Ok(())
}

fn csv(date: &str, commit: &str, entry: &Entry, run: &Exploration) -> String {
    format!(
        "{date},{commit},{},{},{},{:.4},{},{:.2},{},{:.1},{}",
        label(entry),
        run.states,
        run.steps,
        run.seconds,
        rate(run),
        run.bytes_per_state,
        overhead(run),
        run.peak_mb,
        run.threads
    )
}

/// The commit measured, with a mark if the files differ from it.
fn commit() -> Result<String> {
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(root()).args(arguments));
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(if changed {
        format!("{commit}+changes")
    } else {
        commit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_suite_can_be_read() {
        let text = include_str!("../../bench/suite.toml");
        let suite = suite(text).unwrap();
        assert!(suite.entry.iter().all(|e| root().join(&e.model).exists()));
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let entry = Entry {
            name: "dp".into(),
            model: "dp.csp".into(),
            arguments: vec!["-D".into(), "N=3".into()],
        };
        let run = Exploration {
            states: 10,
            steps: 20,
            depth: 3,
            deadlocks: 0,
            bytes_per_state: 12.0,
            state_bytes: Some(8.0),
            seconds: 2.0,
            peak_mb: 1.5,
            threads: 1,
        };
        let row = csv("2026-01-01", "abc", &entry, &run);
        assert_eq!(row, "2026-01-01,abc,dp -D N=3,10,20,2.0000,10,12.00,4.0,1.5,1");
        assert_eq!(row.split(',').count(), COLUMNS.split(',').count());
    }

    #[test]
    fn two_entries_of_one_name_are_refused() {
        let entry = "[[entry]]\nname = \"a\"\nmodel = \"x\"\narguments = []\n";
        assert!(suite(entry).is_ok());
        assert!(suite(&format!("{entry}{entry}")).is_err());
    }
}
