//! Figures as a table for the reader, and as rows of `bench/results`.

use super::measure::{Figures, Measured};
use super::suite::Entry;
use crate::command::{output, root};
use crate::table::{Table, grouped};
use anyhow::Result;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// The table of all figures, and which bars are missed.
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
        "explore s",
        "times",
        "SPIN s",
        "SPIN MB",
        "times",
        "others %",
        "bars",
    ]);
    let (mut all, mut missed) = (0, Vec::new());
    for (entry, figures) in measured {
        let ours = &figures.ours;
        let bars = bars(entry, figures);
        all += bars.len();
        let failed = bars.iter().filter(|bar| !bar.met);
        missed.extend(failed.map(|bar| format!("{} {}", entry.name, bar.text)));
        let times = |peer: &Figures| format!("{:.2}", figures.times(peer));
        let (explore, spin) = (figures.explore.as_ref(), figures.spin.as_ref());
        table.row(vec![
            entry.name.clone(),
            grouped(ours.states),
            grouped(ours.steps),
            format!("{:.3}", ours.seconds),
            grouped(figures.rate()),
            ours.bytes.map_or_else(none, |(all, _)| format!("{all:.1}")),
            overhead(ours).map_or_else(none, |bytes| format!("{bytes:.1}")),
            format!("{:.1}", ours.peak_mb),
            explore.map_or_else(none, |p| format!("{:.3}", p.seconds)),
            explore.map_or_else(none, times),
            spin.map_or_else(none, |p| format!("{:.3}", p.seconds)),
            spin.map_or_else(none, |p| format!("{:.1}", p.peak_mb)),
            spin.map_or_else(none, times),
            format!("{:.0}", 100.0 * figures.others()),
            shown(&bars),
        ]);
    }
    let met = all - missed.len();
    let mut text = format!("{}\n{met} of {all} bars are met\n", table.text());
    for bar in missed {
        text.push_str(&format!("  missed: {bar}\n"));
    }
    text
}

fn none() -> String {
    "-".to_owned()
}

/// Bytes per state beyond the packed state itself.
fn overhead(run: &Figures) -> Option<f64> {
    let (all, packed) = run.bytes?;
    Some(all - packed?)
}

/// Something an entry has to reach, and whether it does.
#[derive(PartialEq, Debug)]
struct Bar {
    text: String,
    met: bool,
}

/// The bars of an entry that this run can judge: those against peers only if the peers ran.
fn bars(entry: &Entry, figures: &Measured) -> Vec<Bar> {
    let times = |bar: Option<f64>, peer: Option<&Figures>, name: &str| {
        let (bar, peer) = bar.zip(peer)?;
        Some(Bar {
            text: format!("{bar}x {name}"),
            met: figures.times(peer) >= bar,
        })
    };
    let at_most = |bar: Option<f64>, bytes: Option<f64>, what: &str| {
        let (bar, bytes) = bar.zip(bytes)?;
        Some(Bar {
            text: format!("{bar} B {what}"),
            met: bytes <= bar,
        })
    };
    let explore = entry.explore.as_ref().and_then(|base| base.times);
    let spin = entry.spin.as_ref().and_then(|twin| twin.times);
    let all = figures.ours.bytes.map(|(all, _)| all);
    let bars = [
        entry.rate.map(|bar| Bar {
            text: format!("{}/s", grouped(bar)),
            met: figures.rate() >= bar,
        }),
        times(explore, figures.explore.as_ref(), "explore"),
        times(spin, figures.spin.as_ref(), "SPIN"),
        entry.seconds.map(|bar| Bar {
            text: format!("{bar} s"),
            met: figures.ours.seconds <= bar,
        }),
        entry.megabytes.map(|bar| Bar {
            text: format!("{bar} MB"),
            met: figures.ours.peak_mb <= bar,
        }),
        at_most(entry.bytes, all, "a state"),
        at_most(entry.overhead, overhead(&figures.ours), "overhead"),
    ];
    bars.into_iter().flatten().collect()
}

fn shown(bars: &[Bar]) -> String {
    if bars.is_empty() {
        return none();
    }
    let word = |met: bool| if met { "met" } else { "missed" };
    let bars: Vec<String> = bars
        .iter()
        .map(|bar| format!("{} {}", bar.text, word(bar.met)))
        .collect();
    bars.join(", ")
}

pub(super) const COLUMNS: &str = "date,commit,model,states,steps,seconds,steps_per_second,bytes_per_state,overhead_bytes,\
                                  peak_mb,threads,explore_seconds,explore_mb,times_explore,spin_seconds,spin_mb,times_spin,others_percent";

/// An entry's file of results.
pub(super) fn path(entry: &Entry) -> PathBuf {
    root().join("bench/results").join(format!("{}.csv", entry.name))
}

/// Adds a row to the entry's file of results.
pub(super) fn save(entry: &Entry, measured: &Measured, commit: &str) -> Result<()> {
    let path = path(entry);
    std::fs::create_dir_all(root().join("bench/results"))?;
    let new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    if new {
        writeln!(file, "{COLUMNS}")?;
    }
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    writeln!(file, "{}", row(&date, commit, entry, measured))?;
    Ok(())
}

/// A row; a cell without a figure is empty.
fn row(date: &str, commit: &str, entry: &Entry, measured: &Measured) -> String {
    let ours = &measured.ours;
    let mut cells = vec![
        date.to_owned(),
        commit.to_owned(),
        described(entry),
        ours.states.to_string(),
        ours.steps.to_string(),
        format!("{:.4}", ours.seconds),
        measured.rate().to_string(),
        ours.bytes
            .map_or_else(String::new, |(all, _)| format!("{all:.2}")),
        overhead(ours).map_or_else(String::new, |bytes| format!("{bytes:.1}")),
        format!("{:.1}", ours.peak_mb),
        ours.threads.to_string(),
    ];
    for peer in [&measured.explore, &measured.spin] {
        let cell = |show: &dyn Fn(&Figures) -> String| peer.as_ref().map_or_else(String::new, show);
        cells.extend([
            cell(&|p| format!("{:.4}", p.seconds)),
            cell(&|p| format!("{:.1}", p.peak_mb)),
            cell(&|p| format!("{:.2}", measured.times(p))),
        ]);
    }
    cells.push(format!("{:.0}", 100.0 * measured.others()));
    // The only cells that are not ours to choose are the entry's text and the name of a commit.
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace(',', ";")).collect();
    cells.join(",")
}

/// An entry as its rows name it.
pub(super) fn described(entry: &Entry) -> String {
    format!("{} {}", entry.name, entry.arguments.join(" ")).replace(',', ";")
}

/// The commit measured, with a mark if the files differ from it, saved results aside.
pub(super) fn commit() -> Result<String> {
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(root()).args(arguments));
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = !git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ".",
        ":!bench/results",
    ])?
    .is_empty();
    Ok(if changed {
        format!("{commit}+changes")
    } else {
        commit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::suite::{Base, Task, Twin};

    fn example() -> (Entry, Measured) {
        let entry = Entry {
            name: "dp".into(),
            command: Task::Explore,
            model: "dp.csp".into(),
            arguments: vec!["-D".into(), "N=3".into()],
            long: false,
            rate: Some(11),
            bytes: Some(12.0),
            overhead: Some(3.5),
            seconds: Some(2.5),
            megabytes: Some(1.0),
            explore: Some(Base {
                entry: "other".into(),
                times: Some(0.33),
            }),
            spin: Some(Twin {
                twin: "dp.pml".into(),
                defines: vec![],
                compiler: vec![],
                options: vec![],
                times: Some(4.0),
            }),
        };
        let ours = Figures {
            states: 10,
            steps: 20,
            seconds: 2.0,
            peak_mb: 1.5,
            threads: 1,
            bytes: Some((12.0, Some(8.0))),
            others: 0.03,
        };
        let peer = |seconds| {
            Some(Figures {
                seconds,
                bytes: None,
                ..ours.clone()
            })
        };
        let measured = Measured {
            explore: peer(1.0),
            spin: peer(5.0),
            ours: ours.clone(),
        };
        (entry, measured)
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let (entry, mut measured) = example();
        let text = row("2026-01-01", "abc", &entry, &measured);
        assert_eq!(
            text,
            "2026-01-01,abc,dp -D N=3,10,20,2.0000,10,12.00,4.0,1.5,1,1.0000,1.5,0.50,5.0000,1.5,2.50,3"
        );
        assert_eq!(text.split(',').count(), COLUMNS.split(',').count());
        (measured.explore, measured.spin) = (None, None);
        let text = row("2026-01-01", "abc", &entry, &measured);
        assert_eq!(text.split(',').count(), COLUMNS.split(',').count());
    }

    #[test]
    fn bars_are_met_or_missed() {
        let (entry, mut measured) = example();
        assert_eq!(
            shown(&bars(&entry, &measured)),
            "11/s missed, 0.33x explore met, 4x SPIN missed, 2.5 s met, 1 MB missed, 12 B a state met, 3.5 B overhead missed"
        );
        let text = table(&[(&entry, measured.clone())]);
        assert!(
            text.contains("3 of 7 bars are met\n  missed: dp 11/s\n"),
            "{text}"
        );
        // Nothing is said about peers that did not run.
        (measured.explore, measured.spin) = (None, None);
        assert_eq!(bars(&entry, &measured).len(), 5);
    }

    #[test]
    fn saved_results_have_the_columns_of_today() {
        for file in std::fs::read_dir(root().join("bench/results")).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert_eq!(text.lines().next(), Some(COLUMNS));
            assert!(
                text.lines()
                    .all(|l| l.split(',').count() == COLUMNS.split(',').count())
            );
        }
    }
}
