//! What people run on this repository: `cargo xtask NAME`. One file a subcommand.
//!
//! Everything is an ordinary call of `cargo` or of the built binary, printed before it runs, so that each can be
//! repeated by hand.

mod bench;
mod binary;
mod command;
mod counts;
mod docs;
mod long;
mod setup;
mod table;
mod test;
mod valgrind;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tests, benchmarks and generated pages of Fairhold.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests that need only Rust: formatting, lints, tests, documentation
    Test(test::Arguments),
    /// Install what `test --all` and `bench` need beyond Rust
    Setup,
    /// Measure the models of bench/suite.toml with a release build
    Bench(bench::Arguments),
    /// Run the random tests at full size
    Long(long::Arguments),
    /// Write docs/counts.md anew: states and steps of the models in docs/counts.toml
    Counts(counts::Arguments),
    /// Write docs/src/commands.md anew: the commands and options, as --help has them
    Docs,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Test(arguments) => test::run(&arguments),
        Task::Setup => setup::run(setup::NEEDS),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Long(arguments) => long::run(&arguments),
        Task::Counts(arguments) => counts::run(&arguments),
        Task::Docs => docs::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
