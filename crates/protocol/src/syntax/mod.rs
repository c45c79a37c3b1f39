//! The syntax of protocols (`.pp`): from text to [`tree::Items`].
//!
//! ```text
//! file        = { declaration [ ";" ] }
//! declaration = "size" [ name "=" ] expr | "const" name "=" expr
//!             | "topology" [ "directed" | "undirected" ] shape
//!             | "field" names ":" domain | "input" names ":" domain [ "=" expr ]
//!             | "detector" name "=" expr | "predicate" name "=" expr
//!             | name ":" side [ "," side ] [ "when" expr ] "->" right { "|" right }
//!             | "schedule" ( "cyclic" | "free" )
//!             | "initial" ( "all" | name "=" expr { "," name "=" expr } ) [ "where" expr ] | "initial" "where" expr
//!             | "assert" question
//! shape       = "complete" | "ring" | "line" | "star" | "tree" | "grid" expr | "graph" "{" { edge [ "," ] } "}"
//! edge        = node ( "->" | "--" ) node
//! domain      = "bool" | expr ".." expr | "{" names "}"
//! side        = "*" | "(" [ item { "," item } ] ")"        right = side [ "," side ]
//! item        = "*" | [ "!" ] name | name ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) expr
//! question    = "deadlockfree" | ( "reaches" | "never" | "always" ) expr | "stable" expr | "self-stabilising" "to" expr
//!             | "computes" expr "by" name | [ "|=" ] formula
//! ```
//!
//! Expressions and formulas are described in `term`. Time and memory are linear in the text.

mod declaration;
pub(crate) mod lexer;
mod parser;
mod rule;
mod term;
pub(crate) mod tree;
pub(crate) mod words;

use fairhold_source::{Diagnostic, Span};
use lexer::{Lexed, Token};
use parser::Parser;
use tree::{Assertion, Items, Tree};

/// The declarations of a text.
pub(crate) fn items<'t>(lexed: &Lexed<'t>, place: Span, diagnostics: &mut Vec<Diagnostic>) -> Items<'t> {
    parser::items(&lexed.tokens, end(&lexed.tokens, place), diagnostics)
}

/// An assertion alone in its text, with or without its first word.
pub(crate) fn assertion<'t>(tokens: &[Token<'t>], place: Span) -> Result<Assertion<'t>, Box<Diagnostic>> {
    Parser::new(tokens, end(tokens, place)).lone_assertion()
}

/// A formula alone in its text.
pub(crate) fn formula<'t>(tokens: &[Token<'t>], place: Span) -> Result<Tree<'t>, Box<Diagnostic>> {
    let mut parser = Parser::new(tokens, end(tokens, place));
    let formula = parser.whole_formula()?;
    parser.end_of("the formula")?;
    Ok(formula)
}

/// Where the last word ends.
fn end(tokens: &[Token<'_>], place: Span) -> Span {
    let at = tokens.last().map_or(place.start, |t| t.span.end);
    Span {
        file: place.file,
        start: at,
        end: at,
    }
}
