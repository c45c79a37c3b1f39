//! `cargo xtask test`: all that must pass before a change goes in.
//!
//! Without flags it needs only Rust and what the lock file names. With `--all` it first installs the other programs
//! that tests use ([`crate::setup`]), and then runs also the tests that need them, which a feature leaves out otherwise,
//! and the models of code that several workers share, under `loom`.
//!
//! Tests run in the development profile, which optimises lightly (`opt-level = 1`): the models of the examples and
//! the random tests take seconds that way, and every debug assertion is checked.

use crate::command::{cargo, step};
use crate::setup;
use anyhow::Result;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `test`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// First install what tests need beyond Rust, then run those tests too
    #[arg(long)]
    all: bool,
}

/// Runs the steps in order; the first that fails ends it.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    if arguments.all {
        setup::run(setup::NEEDS)?;
    }
    step("format", &mut cargo(["fmt", "--all", "--check"]))?;
    step(
        "lints",
        &mut cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    step("tests", &mut cargo(["test", "--workspace"]))?;
    if arguments.all {
        step(
            "tests with SPIN",
            &mut cargo([
                "test",
                "--package",
                "fairhold-testkit",
                "--features",
                "spin",
                "--test",
                "spin",
            ]),
        )?;
        // The flag is one for every crate: in the usual folder all of them would be built anew, now and next time.
        let usual = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        step(
            "models of shared code",
            cargo([
                "test",
                "--package",
                "fairhold-store",
                "--release",
                "--test",
                "loom",
            ])
            .arg("--target-dir")
            .arg(usual.join("loom"))
            .env("RUSTFLAGS", "--cfg loom"),
        )?;
    }
    step(
        "documentation",
        cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    eprintln!("== all passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
