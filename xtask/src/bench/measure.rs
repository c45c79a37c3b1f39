//! The runs of an entry and of its peer, by turns.

use super::suite::{Entry, Peer, Suite, Task, Twin};
use crate::binary::Binary;
use crate::command::root;
use anyhow::{Context, Result, ensure};
use fairhold_testkit::spin::Pan;
use std::path::PathBuf;

/// What one run took.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// Distinct system states.
    pub(super) states: u64,
    /// Distinct system steps.
    pub(super) steps: u64,
    /// Wall time: ours by our own account, from opening the file to the verdict; SPIN's of the whole verifier, its
    /// generation and compilation not included.
    pub(super) seconds: f64,
    /// The most memory held.
    pub(super) peak_mb: f64,
    /// Worker threads.
    pub(super) threads: u64,
    /// Bytes for a state, all told, and of the packed state alone, where reported.
    pub(super) bytes: Option<(f64, Option<f64>)>,
}

/// The best run of an entry, and of its peer.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) ours: Figures,
    pub(super) peer: Option<Figures>,
}

impl Measured {
    /// How many times as fast as the peer.
    pub(super) fn times(&self) -> Option<f64> {
        Some(self.peer.as_ref()?.seconds / self.ours.seconds.max(1e-9))
    }

    /// System steps a second.
    pub(super) fn rate(&self) -> u64 {
        (self.ours.steps as f64 / self.ours.seconds.max(1e-9)) as u64
    }
}

/// Whoever runs beside an entry.
enum Runner<'a> {
    Spin(Pan, &'a Twin),
    Ours(&'a Entry),
}

/// Measures an entry, by turns with its peer.
pub(super) fn entry(binary: &Binary, suite: &Suite, entry: &Entry, runs: u32) -> Result<Measured> {
    let peer = entry
        .peer
        .as_ref()
        .map(|peer| prepare(suite, &entry.name, peer))
        .transpose()?;
    let mut ours: Option<Figures> = None;
    let mut theirs: Option<Figures> = None;
    for _ in 0..runs {
        keep_best(&mut ours, run_ours(binary, entry)?, &entry.name)?;
        if let Some(peer) = &peer {
            keep_best(&mut theirs, run_peer(binary, peer)?, &entry.name)?;
        }
    }
    let ours = ours.context("there was at least one run")?;
    Ok(Measured { ours, peer: theirs })
}

fn prepare<'a>(suite: &'a Suite, name: &str, peer: &'a Peer) -> Result<Runner<'a>> {
    match peer {
        Peer::Entry { entry } => Ok(Runner::Ours(suite.find(entry).context("the suite was checked")?)),
        Peer::Spin(twin) => {
            let mut compiler = vec!["-O3".to_owned()];
            compiler.extend_from_slice(&twin.compiler);
            let pan = Pan::build(&root().join(&twin.twin), &twin.defines, &compiler, &folder(name))
                .with_context(|| format!("the peer of {name}"))?;
            Ok(Runner::Spin(pan, twin))
        }
    }
}

/// Where the verifier of an entry is built: beside this program, in the target folder.
fn folder(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_else(|_| std::env::temp_dir().join("xtask"));
    program.with_file_name("bench-spin").join(name)
}

fn run_peer(binary: &Binary, peer: &Runner<'_>) -> Result<Figures> {
    let (pan, twin) = match peer {
        Runner::Ours(entry) => return run_ours(binary, entry),
        Runner::Spin(pan, twin) => (pan, twin),
    };
    let run = pan.run(&twin.options)?;
    ensure!(!run.violated, "SPIN finds an error in {}", twin.twin);
    Ok(Figures {
        states: run.states,
        steps: run.transitions,
        seconds: run.seconds,
        peak_mb: run.peak_mb,
        threads: 1,
        bytes: None,
    })
}

fn run_ours(binary: &Binary, entry: &Entry) -> Result<Figures> {
    match entry.command {
        Task::Explore => {
            let run = binary.explore(&entry.model, &entry.arguments)?;
            Ok(Figures {
                states: run.states,
                steps: run.steps,
                seconds: run.seconds,
                peak_mb: run.peak_mb,
                threads: run.threads,
                bytes: Some((run.bytes_per_state, run.state_bytes)),
            })
        }
        Task::Check => {
            let run = binary.check(&entry.model, &entry.arguments)?;
            ensure!(
                run.verdict == "holds",
                "{}: the verdict is `{}`",
                entry.name,
                run.verdict
            );
            Ok(Figures {
                states: run.states,
                steps: run.steps,
                seconds: run.seconds,
                peak_mb: run.peak_mb,
                threads: run.threads,
                bytes: None,
            })
        }
    }
}

/// Keeps the faster of two runs, which must agree on what there is.
fn keep_best(best: &mut Option<Figures>, run: Figures, name: &str) -> Result<()> {
    if let Some(best) = best {
        ensure!(
            (run.states, run.steps) == (best.states, best.steps),
            "two runs of {name} differ: {} and {} states",
            best.states,
            run.states
        );
    }
    if best.as_ref().is_none_or(|best| run.seconds < best.seconds) {
        *best = Some(run);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(states: u64, seconds: f64) -> Figures {
        Figures {
            states,
            steps: 20,
            seconds,
            peak_mb: 1.0,
            threads: 1,
            bytes: None,
        }
    }

    #[test]
    fn the_fastest_of_equal_runs_counts() {
        let mut best = None;
        for seconds in [3.0, 2.0, 4.0] {
            keep_best(&mut best, figures(10, seconds), "m").unwrap();
        }
        let ours = best.clone().unwrap();
        assert_eq!(ours.seconds, 2.0);
        assert!(keep_best(&mut best, figures(11, 1.0), "m").is_err());
        let measured = Measured {
            ours,
            peer: Some(figures(10, 5.0)),
        };
        assert_eq!((measured.times(), measured.rate()), (Some(2.5), 10));
    }
}
