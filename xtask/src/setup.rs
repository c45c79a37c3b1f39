//! `cargo xtask setup`: installs the programs, other than Rust, that tests and benchmarks use.
//!
//! The table [`NEEDS`] says which and why. A program that is there already is left alone, so a second run does
//! nothing; a program that no test uses has no row.

use crate::command::step;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// A program that some test uses.
pub(crate) struct Need {
    /// What must be found on the search path.
    pub(crate) program: &'static str,
    /// The Debian package that brings it.
    pub(crate) package: &'static str,
    /// The test that uses it.
    pub(crate) reason: &'static str,
}

/// All of them.
pub(crate) const NEEDS: &[Need] = &[
    Need {
        program: "spin",
        package: "spin",
        reason: "comparing verdicts and times with SPIN",
    },
    Need {
        program: "gcc",
        package: "gcc",
        reason: "compiling the verifiers that SPIN writes",
    },
    Need {
        program: "valgrind",
        package: "valgrind",
        reason: "watching what workers share in the store",
    },
];

/// Installs what is missing.
pub(crate) fn run(needs: &[Need]) -> Result<()> {
    let missing = missing(needs);
    if missing.is_empty() {
        eprintln!("== setup: nothing to install");
        return Ok(());
    }
    for need in &missing {
        eprintln!(
            "== setup: {} is missing, needed for {}",
            need.program, need.reason
        );
    }
    if !found("apt-get") {
        let packages: Vec<&str> = missing.iter().map(|n| n.package).collect();
        bail!(
            "there is no apt-get here: install {} by hand",
            packages.join(", ")
        );
    }
    step("package lists", &mut as_root(&["update", "--quiet"]))?;
    let mut arguments = vec!["install", "--yes", "--quiet", "--no-install-recommends"];
    arguments.extend(missing.iter().map(|n| n.package));
    step("packages", &mut as_root(&arguments))
}

fn missing(needs: &[Need]) -> Vec<&Need> {
    needs.iter().filter(|need| !found(need.program)).collect()
}

/// `apt-get` with the right to install: directly in a container, by `sudo` elsewhere.
fn as_root(arguments: &[&str]) -> Command {
    let mut command = if found("sudo") {
        let mut command = Command::new("sudo");
        command.arg("apt-get");
        command
    } else {
        Command::new("apt-get")
    };
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Whether a program is on the search path.
fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_installed() {
        let needs = [
            Need {
                program: "cargo",
                package: "cargo",
                reason: "everything",
            },
            Need {
                program: "no-such-program-here",
                package: "none",
                reason: "this test",
            },
        ];
        let missing: Vec<&str> = missing(&needs).iter().map(|n| n.program).collect();
        assert_eq!(missing, ["no-such-program-here"]);
        assert!(run(&needs[..1]).is_ok());
    }
}
