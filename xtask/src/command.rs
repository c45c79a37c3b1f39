//! Commands with a name and a time.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the repository")
        .to_owned()
}

/// `cargo` with arguments, in the root of the repository.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    // Cargo tells its children which cargo they were called by.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command as a named step: prints it before and its time after. An error if it fails.
pub(crate) fn step(name: &str, command: &mut Command) -> Result<()> {
    eprintln!("== {name}: {}", shown(command));
    let start = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", shown(command)))?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        bail!("{name} failed after {seconds:.1} s: {}", shown(command));
    }
    eprintln!("== {name}: passed in {seconds:.1} s");
    Ok(())
}

/// What a command prints on standard output, without the final line break. An error if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {}", shown(command)))?;
    if !output.status.success() {
        bail!(
            "{} failed:\n{}",
            shown(command),
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    let text =
        String::from_utf8(output.stdout).with_context(|| format!("{} printed no text", shown(command)))?;
    Ok(text.trim_end().to_owned())
}

/// The command as one would type it: the variables it sets, the program by its short name, the arguments.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(|(name, value)| format!("{}='{}'", name.to_string_lossy(), value.to_string_lossy()))
        .collect();
    words.push(program.to_string_lossy().into_owned());
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_what_one_would_type() {
        let mut command = Command::new("/usr/bin/true");
        command.args(["a", "b"]).env("X", "1");
        assert_eq!(shown(&command), "X='1' true a b");
    }

    #[test]
    fn a_step_that_fails_is_an_error() {
        assert!(step("right", &mut Command::new("true")).is_ok());
        assert!(step("wrong", &mut Command::new("false")).is_err());
        assert!(step("absent", &mut Command::new("no-such-program-here")).is_err());
    }

    #[test]
    fn output_is_what_was_printed() {
        assert_eq!(output(Command::new("echo").arg("x")).unwrap(), "x");
        assert!(output(&mut Command::new("false")).is_err());
    }
}
