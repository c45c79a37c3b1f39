//! `cargo xtask counts`: writes `docs/counts.md`, the sizes of the shipped models.
//!
//! `docs/counts.toml` says which models at which sizes, and up to which size the compiled and the reference semantics
//! are compared state by state. `--check` compares instead of writing.

use crate::binary::Binary;
use crate::command::root;
use crate::table::{Table, grouped};
use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Arguments of `counts`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail if the page is not up to date
    #[arg(long)]
    check: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    model: Vec<Model>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    /// The model, from the root of the repository.
    file: String,
    /// The constant that is its size.
    constant: String,
    /// The sizes counted.
    sizes: Vec<u32>,
    /// Up to this size a test finds the same graph under both semantics.
    equal_up_to: u32,
}

const HEAD: &str = "\
# Sizes of the shipped models

Reachable states and steps, by `fairhold explore`. Written by `cargo xtask counts` from
[counts.toml](counts.toml); do not edit. The numbers are those of the compiled semantics; up to the size in the last
column a test explores the model with the reference semantics too and finds the same.
";

/// Counts and writes.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let plan = plan(&std::fs::read_to_string(root().join("docs/counts.toml")).context("docs/counts.toml")?)?;
    let binary = Binary::build()?;
    let mut page = HEAD.to_owned();
    for model in &plan.model {
        let mut table = Table::new(&[
            &model.constant,
            "states",
            "steps",
            "depth",
            "deadlocks",
            "equal under both semantics up to",
        ]);
        for size in &model.sizes {
            let defines = ["-D".to_owned(), format!("{}={size}", model.constant)];
            let result = binary.explore(&model.file, &defines)?;
            table.row(vec![
                size.to_string(),
                grouped(result.states),
                grouped(result.steps),
                grouped(result.depth),
                grouped(result.deadlocks),
                format!("{} = {}", model.constant, model.equal_up_to),
            ]);
        }
        page.push_str(&format!("\n## `{}`\n\n{}", model.file, table.markdown()));
    }
    let path = root().join("docs/counts.md");
    if !arguments.check {
        std::fs::write(&path, page).context("docs/counts.md")?;
    } else if std::fs::read_to_string(&path).context("docs/counts.md")? != page {
        bail!("docs/counts.md is not what the models give: run `cargo xtask counts` and read the difference");
    }
    Ok(())
}

fn plan(text: &str) -> Result<Plan> {
    toml::from_str(text).context("docs/counts.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_plan_can_be_read() {
        let plan = plan(include_str!("../../docs/counts.toml")).unwrap();
        assert!(plan.model.iter().all(|m| root().join(&m.file).exists()));
    }
}
