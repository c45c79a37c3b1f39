//! The Hanoi Omega-Automata format, version 1 [Babiak-CAV'15]: how automata travel between tools.
//!
//! [`Automaton::to_hoa`] writes transition-based acceptance and explicit labels. [`read_hoa`] reads one automaton with labels
//! or acceptance on states or transitions, aliases, implicit labels, and any Emerson-Lei condition; what lies on a state moves to
//! the transitions that leave it. Alternation (`1&2` as a target or a start) is refused.

mod expression;
mod lexer;
mod print;
mod read;

pub use read::{atom_places, read_hoa};

use crate::Acceptance;
use fairhold_source::{Diagnostic, FileId, Span};
use std::str::FromStr;

/// A fault in a text, boxed since it is large and rare.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("hoa-syntax", span, message))
}

impl FromStr for Acceptance {
    type Err = Box<Diagnostic>;

    /// Reads a condition as HOA writes it: `Inf(0)&(Fin(1)|Inf(2))`. Complemented sets (`Inf(!0)`) need an automaton and are
    /// refused here.
    fn from_str(text: &str) -> Result<Acceptance> {
        let tokens = lexer::tokens(FileId(0), text)?;
        let mut cursor = lexer::Cursor::new(&tokens, FileId(0), text);
        let condition = expression::acceptance(&mut cursor, u32::MAX)?;
        cursor.end()?;
        if let Some(span) = condition.complemented() {
            return Err(error(
                span,
                "the complement of a set means nothing without an automaton",
            ));
        }
        Ok(condition.acceptance(&|mark| mark))
    }
}

#[cfg(test)]
mod tests;
