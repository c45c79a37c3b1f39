//! Figures as a table for the reader, and as rows of `bench/results`.

use super::measure::{Figures, Measured};
use super::suite::Entry;
use crate::command::{output, root};
use crate::table::{Table, grouped};
use anyhow::Result;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

/// The table of all figures.
pub(super) fn table(measured: &[(&Entry, Measured)]) -> String {
    let mut table = Table::new(&[
        "entry",
        "states",
        "steps",
        "seconds",
        "steps/s",
        "bytes/state",
        "overhead",
        "peak MB",
        "peer s",
        "peer MB",
        "times",
        "bar",
    ]);
    for (entry, figures) in measured {
        let ours = &figures.ours;
        let peer = |show: fn(&Figures) -> String| figures.peer.as_ref().map_or_else(none, show);
        table.row(vec![
            entry.name.clone(),
            grouped(ours.states),
            grouped(ours.steps),
            format!("{:.3}", ours.seconds),
            grouped(figures.rate()),
            ours.bytes.map_or_else(none, |(all, _)| format!("{all:.1}")),
            overhead(ours).unwrap_or_else(none),
            format!("{:.1}", ours.peak_mb),
            peer(|p| format!("{:.3}", p.seconds)),
            peer(|p| format!("{:.1}", p.peak_mb)),
            figures.times().map_or_else(none, |times| format!("{times:.2}")),
            bars(entry, figures),
        ]);
    }
    table.text()
}

fn none() -> String {
    "-".to_owned()
}

/// Bytes per state beyond the packed state itself.
fn overhead(run: &Figures) -> Option<String> {
    let (all, packed) = run.bytes?;
    Some(format!("{:.1}", all - packed?))
}

/// What an entry has to reach, and whether it does.
fn bars(entry: &Entry, figures: &Measured) -> String {
    let word = |met: bool| if met { "met" } else { "missed" };
    let times = entry.times.map(|bar| {
        let met = figures.times().is_some_and(|times| times >= bar);
        format!("{bar}x {}", word(met))
    });
    let rate = entry
        .rate
        .map(|bar| format!("{}/s {}", grouped(bar), word(figures.rate() >= bar)));
    let bars: Vec<String> = times.into_iter().chain(rate).collect();
    if bars.is_empty() { none() } else { bars.join(", ") }
}

const COLUMNS: &str = "date,commit,model,states,steps,seconds,steps_per_second,bytes_per_state,overhead_bytes,peak_mb,\
                       threads,peer_seconds,peer_mb,times_peer";

/// Adds a row to the entry's file of results.
pub(super) fn save(entry: &Entry, measured: &Measured) -> Result<()> {
    let folder = root().join("bench/results");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.csv", entry.name));
    let new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    if new {
        writeln!(file, "{COLUMNS}")?;
    }
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    writeln!(file, "{}", row(&date, &commit()?, entry, measured))?;
    Ok(())
}

/// A row; a cell without a figure is empty.
fn row(date: &str, commit: &str, entry: &Entry, measured: &Measured) -> String {
    let ours = &measured.ours;
    let peer = measured.peer.as_ref();
    let cells = [
        date.to_owned(),
        commit.to_owned(),
        format!("{} {}", entry.name, entry.arguments.join(" ")),
        ours.states.to_string(),
        ours.steps.to_string(),
        format!("{:.4}", ours.seconds),
        measured.rate().to_string(),
        ours.bytes
            .map_or_else(String::new, |(all, _)| format!("{all:.2}")),
        overhead(ours).unwrap_or_default(),
        format!("{:.1}", ours.peak_mb),
        ours.threads.to_string(),
        peer.map_or_else(String::new, |p| format!("{:.4}", p.seconds)),
        peer.map_or_else(String::new, |p| format!("{:.1}", p.peak_mb)),
        measured
            .times()
            .map_or_else(String::new, |times| format!("{times:.2}")),
    ];
    // The only cell that is not ours to choose is the entry's text.
    cells.map(|cell| cell.replace(',', ";")).join(",")
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
    use crate::bench::suite::Task;

    fn example() -> (Entry, Measured) {
        let entry = Entry {
            name: "dp".into(),
            command: Task::Explore,
            model: "dp.csp".into(),
            arguments: vec!["-D".into(), "N=3".into()],
            long: false,
            peer: None,
            times: Some(2.0),
            rate: Some(11),
        };
        let ours = Figures {
            states: 10,
            steps: 20,
            seconds: 2.0,
            peak_mb: 1.5,
            threads: 1,
            bytes: Some((12.0, Some(8.0))),
        };
        let peer = Figures {
            seconds: 5.0,
            bytes: None,
            ..ours.clone()
        };
        (
            entry,
            Measured {
                ours,
                peer: Some(peer),
            },
        )
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let (entry, mut measured) = example();
        let text = row("2026-01-01", "abc", &entry, &measured);
        assert_eq!(
            text,
            "2026-01-01,abc,dp -D N=3,10,20,2.0000,10,12.00,4.0,1.5,1,5.0000,1.5,2.50"
        );
        assert_eq!(text.split(',').count(), COLUMNS.split(',').count());
        measured.peer = None;
        let text = row("2026-01-01", "abc", &entry, &measured);
        assert_eq!(text.split(',').count(), COLUMNS.split(',').count());
    }

    #[test]
    fn bars_are_met_or_missed() {
        let (entry, measured) = example();
        assert_eq!(bars(&entry, &measured), "2x met, 11/s missed");
        assert!(table(&[(&entry, measured)]).contains("2.50"));
    }

    #[test]
    fn saved_results_have_the_columns_of_today() {
        for file in std::fs::read_dir(root().join("bench/results")).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(
                text.lines()
                    .all(|l| l.split(',').count() == COLUMNS.split(',').count())
            );
        }
    }
}
