//! `cargo xtask long --valgrind`: the store's tests with several workers, watched by valgrind.
//!
//! `memcheck` looks for accesses to memory that is not there or was never written. `drd` looks for conflicting accesses that nothing orders. It knows the locks of C but not what atomic words order, so
//! it reports every pair of accesses to one of those; what workers share in the store is nothing but atomic words, so that is what it *should* report: a conflict counts if the stack leads through the
//! store and the access itself is none of an atomic word. Conflicts within the standard library, whose locks it does not know, are no business of ours.

use crate::command::{cargo, output, step};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Where code of the store lies, and that of atomic words.
const STORE: &str = "crates/store/src/";
const ATOMIC: &str = "core/src/sync/atomic.rs";
/// Cases of each test: valgrind is slow, and runs one thread at a time.
const CASES: &str = "60";

/// Runs both.
pub(crate) fn run() -> Result<()> {
    let build = [
        "test",
        "--package",
        "fairhold-store",
        "--test",
        "shared",
        "--no-run",
    ];
    step("build", &mut cargo(build))?;
    let messages = output(cargo(build).arg("--message-format=json"))?;
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)))
        .context("cargo names no executable")?;
    let valgrind = |options: &[&str]| {
        let mut command = Command::new("valgrind");
        command.args(options).arg(&program).args(["--test-threads", "1"]);
        command.env("FAIRHOLD_CASES", CASES);
        command
    };
    step(
        "memcheck",
        &mut valgrind(&["--tool=memcheck", "--quiet", "--error-exitcode=9"]),
    )?;
    let log = program.with_extension("drd.log");
    let to_log = format!("--log-file={}", log.display());
    // All conflicts, with whole paths.
    step(
        "drd",
        &mut valgrind(&["--tool=drd", "--error-limit=no", "--fullpath-after=", &to_log]),
    )?;
    let text = std::fs::read_to_string(&log).with_context(|| log.display().to_string())?;
    let (atomic, plain) = conflicts(&text);
    eprintln!("== drd: {atomic} places where atomic words of the store are shared");
    ensure!(
        plain.is_empty(),
        "drd: unordered accesses in the store, see {}:\n{}",
        log.display(),
        plain.join("\n")
    );
    ensure!(atomic > 0, "drd has seen nothing shared: is it looking?");
    Ok(())
}

/// Conflicting accesses in the store: how many of atomic words, and the others by their innermost frames.
fn conflicts(log: &str) -> (usize, Vec<String>) {
    // `==123== text`, by every process.
    let text = |line: &'_ str| line.splitn(3, "==").nth(2).unwrap_or_default().to_owned();
    let (mut atomic, mut plain) = (0, Vec::new());
    let mut frames: Option<Vec<String>> = None;
    for line in log.lines().map(text).chain([String::new()]) {
        let frame = line
            .trim_start()
            .split_once(": ")
            .filter(|(at, _)| at.starts_with("at 0x") || at.starts_with("by 0x"));
        if let (Some((_, name)), Some(frames)) = (frame, &mut frames) {
            frames.push(name.to_owned());
            continue;
        }
        if let Some(stack) = frames.take()
            && stack.iter().any(|frame| frame.contains(STORE))
        {
            if stack[0].contains(ATOMIC) {
                atomic += 1;
            } else {
                plain.push(stack[0].clone());
            }
        }
        if line.trim_start().starts_with("Conflicting ") {
            frames = Some(Vec::new());
        }
    }
    (atomic, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
==7== Thread 4:
==7== Conflicting load by thread 4 at 0x04a8927a size 4
==7==    at 0x11: atomic_load<u32> (/rustc/1/library/core/src/sync/atomic.rs:3891)
==7==    by 0x12: get (/somewhere/crates/store/src/rows.rs:30)
==7== Address 0x04a8927a is at offset 10 from 0x04a89270. Allocation context:
==7==    at 0x13: malloc (in vgpreload.so)
==7== Conflicting store by thread 4 at 0x04a89280 size 8
==7==    at 0x14: write<usize> (/rustc/1/library/core/src/mem/maybe_uninit.rs:564)
==7==    by 0x15: send (/rustc/1/library/std/src/sync/mpmc/list.rs:1)
==7== Allocation context: unknown.
";

    #[test]
    fn only_plain_accesses_of_the_store_count() {
        assert_eq!(conflicts(LOG), (1, vec![]));
        let broken = LOG.replace("core/src/sync/atomic.rs:3891", "core/src/ptr/mod.rs:1717");
        let (atomic, plain) = conflicts(&broken);
        assert_eq!((atomic, plain.len()), (0, 1));
        assert!(plain[0].contains("ptr/mod.rs"));
        assert_eq!(conflicts(""), (0, vec![]));
    }
}
