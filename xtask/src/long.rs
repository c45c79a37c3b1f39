//! `cargo xtask long`: the random tests at full size.
//!
//! The ordinary test binaries, told by `FAIRHOLD_CASES` to run many more cases and by `FAIRHOLD_MINUTES` to go on for so long where a
//! test goes on until its time is up, in the profile `long`: optimised, with every debug assertion and overflow check left in.
//! With `--valgrind` instead those of the store with several workers, watched by [`crate::valgrind`].

use crate::command::{cargo, step};
use anyhow::Result;

/// Arguments of `long`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Cases for each random test
    #[arg(long, default_value_t = 10_000)]
    cases: usize,
    /// Minutes for each test that goes on until its time is up
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// Instead, run the store's tests with several workers under valgrind
    #[arg(long, conflicts_with_all = ["cases", "minutes", "package", "filter"])]
    valgrind: bool,
    /// Only the tests of this package
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Only tests whose name contains this
    filter: Option<String>,
}

/// Runs them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.valgrind {
        return crate::valgrind::run();
    }
    let mut command = cargo(["test", "--profile", "long"]);
    match &arguments.package {
        Some(package) => command.args(["--package", package]),
        None => command.arg("--workspace"),
    };
    command
        .args(&arguments.filter)
        // Random suites print their spread.
        .args(["--", "--nocapture"])
        .env("FAIRHOLD_CASES", arguments.cases.to_string())
        .env("FAIRHOLD_MINUTES", arguments.minutes.to_string());
    step("long tests", &mut command)
}
