//! The runs of an entry and of its peers, by turns.

use super::suite::{Entry, Suite, Task, Twin};
use crate::binary::Binary;
use crate::command::root;
use anyhow::{Context, Result, ensure};
use fairhold_testkit::spin::Pan;
use fairhold_testkit::undisturbed;
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
    /// The share of one processor that others had meanwhile.
    pub(super) others: f64,
}

/// The best run of an entry, and of its peers.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) ours: Figures,
    /// The exploration of the same graph.
    pub(super) explore: Option<Figures>,
    pub(super) spin: Option<Figures>,
}

impl Measured {
    /// How many times as fast as a peer.
    pub(super) fn times(&self, peer: &Figures) -> f64 {
        peer.seconds / self.ours.seconds.max(1e-9)
    }

    /// The most that others had of a processor in one of the runs that count.
    pub(super) fn others(&self) -> f64 {
        let peers = [&self.explore, &self.spin].into_iter().flatten();
        peers.fold(self.ours.others, |most, peer| most.max(peer.others))
    }

    /// System steps a second.
    pub(super) fn rate(&self) -> u64 {
        (self.ours.steps as f64 / self.ours.seconds.max(1e-9)) as u64
    }
}

/// Measures an entry, by turns with its peers if they are wanted.
pub(super) fn entry(
    binary: &Binary,
    suite: &Suite,
    entry: &Entry,
    runs: u32,
    peers: bool,
) -> Result<Measured> {
    let base = entry.explore.as_ref().filter(|_| peers).map(|base| {
        suite
            .find(&base.entry)
            .context("the suite was checked: the peer is there")
    });
    let base = base.transpose()?;
    let twin = entry.spin.as_ref().filter(|_| peers);
    let twin = twin.map(|twin| Ok::<_, anyhow::Error>((verifier(&entry.name, twin)?, twin)));
    let twin = twin.transpose()?;
    let (mut ours, mut explore, mut spin) = (None, None, None);
    for _ in 0..runs {
        keep_best(&mut ours, calm(|| run_ours(binary, entry))?, &entry.name)?;
        if let Some(base) = base {
            keep_best(&mut explore, calm(|| run_ours(binary, base))?, &base.name)?;
        }
        if let Some((pan, twin)) = &twin {
            keep_best(&mut spin, calm(|| run_spin(pan, twin))?, &twin.twin)?;
        }
    }
    let measured = Measured {
        ours: ours.context("there was at least one run")?,
        explore,
        spin,
    };
    same_graph(entry, &measured)?;
    Ok(measured)
}

/// A comparison of different graphs says nothing about pace. With a claim SPIN counts states of a product instead.
fn same_graph(entry: &Entry, measured: &Measured) -> Result<()> {
    let ours = &measured.ours;
    let differ = |peer: &Figures| {
        format!(
            "{} has {} states and {} steps, its peer {} and {}",
            entry.name, ours.states, ours.steps, peer.states, peer.steps
        )
    };
    if let Some(peer) = &measured.explore {
        let same = (ours.states, ours.steps) == (peer.states, peer.steps);
        ensure!(same, differ(peer));
    }
    if let (Some(twin), Some(peer)) = (&entry.spin, &measured.spin) {
        let same = as_printed(ours.states, peer.states) && as_printed(ours.steps, peer.steps);
        ensure!(twin.has_claim() || same, differ(peer));
    }
    Ok(())
}

/// Whether a count of SPIN's is this one: from 10^8 on it prints eight digits only.
fn as_printed(exact: u64, printed: u64) -> bool {
    let rounding = if exact < 100_000_000 {
        0
    } else {
        exact / 20_000_000
    };
    exact.abs_diff(printed) <= rounding
}

fn verifier(name: &str, twin: &Twin) -> Result<Pan> {
    let mut compiler = vec!["-O3".to_owned()];
    compiler.extend_from_slice(&twin.compiler);
    Pan::build(&root().join(&twin.twin), &twin.defines, &compiler, &folder(name))
        .with_context(|| format!("the peer of {name}"))
}

/// Where the verifier of an entry is built: beside this program, in the target folder.
fn folder(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_else(|_| std::env::temp_dir().join("xtask"));
    program.with_file_name("bench-spin").join(name)
}

/// A run during which others left the machine alone, if there is one.
fn calm(run: impl FnMut() -> Result<Figures>) -> Result<Figures> {
    let (figures, others) = undisturbed(run)?;
    Ok(Figures { others, ..figures })
}

fn run_spin(pan: &Pan, twin: &Twin) -> Result<Figures> {
    let run = pan.run(&twin.options)?;
    ensure!(!run.violated, "SPIN finds an error in {}", twin.twin);
    Ok(Figures {
        states: run.states,
        // SPIN counts the start as a transition.
        steps: run.transitions.saturating_sub(1),
        seconds: run.seconds,
        peak_mb: run.peak_mb,
        threads: 1,
        bytes: None,
        others: 0.0,
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
                others: 0.0,
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
                others: 0.0,
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
            others: 0.0,
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
            explore: Some(figures(10, 5.0)),
            spin: None,
        };
        let times = measured.explore.as_ref().map(|peer| measured.times(peer));
        assert_eq!((times, measured.rate()), (Some(2.5), 10));
    }

    fn entry(lines: &str) -> Entry {
        let text = format!("name = \"m\"\ncommand = \"explore\"\nmodel = \"x\"\narguments = []\n{lines}");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn peers_must_see_the_same_graph() {
        let measured = |explore, spin| Measured {
            ours: figures(10, 1.0),
            explore: Some(figures(explore, 1.0)),
            spin: Some(figures(spin, 1.0)),
        };
        let twin = |options| {
            format!("spin = {{ twin = \"t\", defines = [], compiler = [], options = [{options}] }}")
        };
        let (safety, claim) = (entry(&twin("")), entry(&twin("\"-a\", \"-N\", \"c\"")));
        assert!(same_graph(&safety, &measured(10, 10)).is_ok());
        assert!(same_graph(&safety, &measured(11, 10)).is_err());
        assert!(same_graph(&safety, &measured(10, 11)).is_err());
        assert!(same_graph(&claim, &measured(10, 11)).is_ok());
        assert!(as_printed(174_214_145, 174_214_150) && !as_printed(174_214_145, 174_214_160));
        assert!(!as_printed(99_999_999, 100_000_000));
    }
}
