//! `cargo xtask bench`: how fast and how lean, on the models of `bench/suite.toml`, next to peers where there are any.
//!
//! Every entry runs several times, one process a run, by turns with its peers; the fastest run of each counts, because
//! whatever disturbs a measurement makes it slower; a run during which other programs, or the host of a virtual machine,
//! took the processor is made again, and what they took of the best runs is printed. With `--save` every entry adds a row, with commit and date, to
//! `bench/results/<name>.csv`. With `--binary` another build is measured, such as that of an older commit, and
//! `--compare` shows the rows of two commits side by side. With `--limit` one of the models is explored by a program
//! written for it alone, with `--ctl` generated structures are labelled, with `--parallel` one thread is compared with several.

mod compare;
mod ctl;
mod limit;
mod measure;
mod parallel;
mod results;
mod suite;

use crate::binary::Binary;
use crate::command::root;
use anyhow::{Context, Result, ensure};
use measure::Measured;
use std::path::PathBuf;
use suite::{Entry, Suite};

/// Arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Add the figures to bench/results
    #[arg(long)]
    save: bool,
    /// Runs of each entry and of its peers; the fastest counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The long entries too, without naming them
    #[arg(long)]
    all: bool,
    /// Without the peers
    #[arg(long)]
    alone: bool,
    /// Measure this program instead of a fresh build
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// The commit that --save writes down; without it, that of the repository
    #[arg(long, value_name = "NAME")]
    commit: Option<String>,
    /// Instead, show the saved figures of two commits side by side
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], conflicts_with_all = ["save", "binary", "commit"])]
    compare: Option<Vec<String>>,
    /// Instead, explore the dining philosophers by a program written for them alone
    #[arg(long, conflicts_with_all = ["save", "all", "alone", "binary", "commit", "compare", "names"])]
    limit: bool,
    /// Instead, label generated structures with a formula of CTL, up to 16 million states
    #[arg(long, conflicts_with_all = ["save", "all", "alone", "binary", "commit", "compare", "limit", "names"])]
    ctl: bool,
    /// Instead, compare one thread with several: generated systems, and the entries
    #[arg(long, conflicts_with_all = ["alone", "compare", "limit", "ctl"])]
    parallel: bool,
    /// With --parallel: generated systems so small that they show only that everything works
    #[arg(long, requires = "parallel", conflicts_with = "save")]
    tiny: bool,
    /// Only entries whose name contains one of these
    names: Vec<String>,
}

/// Measures, prints, and saves if asked to.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.limit {
        print!("{}", limit::run(arguments.runs)?);
        return Ok(());
    }
    if arguments.ctl {
        print!("{}", ctl::run()?);
        return Ok(());
    }
    let text = std::fs::read_to_string(root().join("bench/suite.toml")).context("bench/suite.toml")?;
    let suite = Suite::parse(&text)?;
    let chosen = |entry: &&Entry| {
        let named = arguments.names.iter().any(|name| entry.name.contains(name));
        named || (arguments.names.is_empty() && (arguments.all || !entry.long))
    };
    let entries: Vec<&Entry> = suite.entries().filter(chosen).collect();
    if arguments.parallel {
        return run_parallel(arguments, &suite, &entries);
    }
    ensure!(
        !entries.is_empty(),
        "no entry of bench/suite.toml has a name like {}",
        arguments.names.join(" or ")
    );
    if let Some([from, to]) = arguments.compare.as_deref() {
        print!("{}", compare::table(entries.into_iter(), from, to));
        return Ok(());
    }
    ensure!(
        !arguments.save || arguments.binary.is_some() == arguments.commit.is_some(),
        "--save with --binary needs --commit, and without it none: whose figures are these?"
    );
    let binary = match &arguments.binary {
        Some(path) => Binary::at(path)?,
        None => Binary::build()?,
    };
    // Whose figures they are is settled before the first row: a row is a change to the repository.
    let commit = match (arguments.save, &arguments.commit) {
        (true, None) => Some(results::commit()?),
        (true, Some(name)) => Some(name.clone()),
        (false, _) => None,
    };
    let mut measured: Vec<(&Entry, Measured)> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for entry in entries {
        eprintln!("== {}", entry.name);
        // One entry that cannot be measured must not cost the figures of all others.
        match measure::entry(&binary, &suite, entry, arguments.runs, !arguments.alone) {
            Ok(figures) => {
                if let Some(commit) = &commit {
                    results::save(entry, &figures, commit)?;
                }
                measured.push((entry, figures));
            }
            Err(error) => {
                eprintln!("{error:#}");
                failed.push(&entry.name);
            }
        }
    }
    print!("{}", results::table(&measured));
    ensure!(failed.is_empty(), "not measured: {}", failed.join(", "));
    Ok(())
}

fn run_parallel(arguments: &Arguments, suite: &Suite, entries: &[&Entry]) -> Result<()> {
    let plan = parallel::Plan {
        runs: arguments.runs,
        tiny: arguments.tiny,
        commit: parallel::commit(arguments.save, arguments.commit.as_ref())?,
        names: &arguments.names,
    };
    let binary = match &arguments.binary {
        Some(path) => Binary::at(path)?,
        None => Binary::build()?,
    };
    parallel::run(&plan, suite, entries, &binary)
}
