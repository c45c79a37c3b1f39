//! Standard output and standard error, colours included.
//!
//! A reader that goes away (`fairhold check ... | head -1`) ends the program quietly, with the status a shell gives
//! to a program ended by a broken pipe; nobody is left to compute for.

use crate::args::Color;
use fairhold::Diagnostic;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// 128 + SIGPIPE.
const BROKEN_PIPE: i32 = 141;
/// Standard output cannot be written: a fault of the world.
const CANNOT_WRITE: i32 = 2;

/// Which streams take colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colors {
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
}

impl Colors {
    pub(crate) fn choose(color: Color) -> Colors {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let on = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !refused,
        };
        Colors {
            stdout: on(io::stdout().is_terminal()),
            stderr: on(io::stderr().is_terminal()),
        }
    }
}

/// How a piece of text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Good,
    Bad,
    Unsure,
    Faint,
}

/// The text with escapes around it, if colours are on.
pub(crate) fn paint(text: &str, style: Style, color: bool) -> String {
    if !color {
        return text.to_owned();
    }
    let code = match style {
        Style::Good => "1;32",
        Style::Bad => "1;31",
        Style::Unsure => "1;33",
        Style::Faint => "2",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Writes to standard output at once.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(e) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        if e.kind() == ErrorKind::BrokenPipe {
            std::process::exit(BROKEN_PIPE);
        }
        complain(&format!("error: cannot write the output: {e}\n"));
        std::process::exit(CANNOT_WRITE);
    }
}

/// Writes to a file, or to standard output if none is named.
pub(crate) fn write_text(path: Option<&Path>, text: &str) -> Result<(), Diagnostic> {
    let Some(path) = path else {
        print(text);
        return Ok(());
    };
    std::fs::write(path, text)
        .map_err(|e| Diagnostic::bare("cannot-write", format!("cannot write {}: {e}", path.display())))
}

/// Writes to standard error; if that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
