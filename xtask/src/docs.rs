//! `cargo xtask docs`: writes `docs/src/commands.md`, the page of the book on commands and options.
//!
//! The text is what `fairhold man --to markdown` prints, so it says what `--help` says. That it is up to date is an
//! ordinary test of the command line.

use crate::command::{cargo, output, root};
use anyhow::{Context, Result};

/// Writes the page.
pub(crate) fn run() -> Result<()> {
    let page = output(&mut cargo([
        "run",
        "--quiet",
        "--package",
        "fairhold-cli",
        "--",
        "man",
        "--to",
        "markdown",
    ]))?;
    std::fs::write(root().join("docs/src/commands.md"), page + "\n").context("docs/src/commands.md")
}
