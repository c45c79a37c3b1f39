//! `cargo xtask bench`: how fast and how lean, on the models of `bench/suite.toml`, next to a peer where there is one.
//!
//! Every entry runs several times, one process a run, by turns with its peer; the fastest run of each counts, because
//! whatever disturbs a measurement makes it slower. With `--save` every entry adds a row, with commit and date, to
//! `bench/results/<name>.csv`. With `--limit` one of the models is explored by a program written for it alone.

mod limit;
mod measure;
mod results;
mod suite;

use crate::binary::Binary;
use crate::command::root;
use anyhow::{Context, Result, ensure};
use measure::Measured;
use suite::{Entry, Suite};

/// Arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Add the figures to bench/results
    #[arg(long)]
    save: bool,
    /// Runs of each entry and of its peer; the fastest counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The long entries too, without naming them
    #[arg(long)]
    all: bool,
    /// Instead, explore the dining philosophers by a program written for them alone
    #[arg(long, conflicts_with_all = ["save", "all", "names"])]
    limit: bool,
    /// Only entries whose name contains one of these
    names: Vec<String>,
}

/// Measures, prints, and saves if asked to.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.limit {
        print!("{}", limit::run(arguments.runs)?);
        return Ok(());
    }
    let text = std::fs::read_to_string(root().join("bench/suite.toml")).context("bench/suite.toml")?;
    let suite = Suite::parse(&text)?;
    let chosen = |entry: &&Entry| {
        let named = arguments.names.iter().any(|name| entry.name.contains(name));
        named || (arguments.names.is_empty() && (arguments.all || !entry.long))
    };
    let entries: Vec<&Entry> = suite.entries().filter(chosen).collect();
    ensure!(
        !entries.is_empty(),
        "no entry of bench/suite.toml has a name like {}",
        arguments.names.join(" or ")
    );
    let binary = Binary::build()?;
    let mut measured: Vec<(&Entry, Measured)> = Vec::new();
    for entry in entries {
        eprintln!("== {}", entry.name);
        let figures = measure::entry(&binary, &suite, entry, arguments.runs)?;
        if arguments.save {
            results::save(entry, &figures)?;
        }
        measured.push((entry, figures));
    }
    print!("{}", results::table(&measured));
    Ok(())
}
