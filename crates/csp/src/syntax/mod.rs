//! The text of a CSP# model as a lossless tree.
//!
//! [`parse`] never fails: it returns a tree that holds every byte of the text, and a list of diagnostics. The
//! formatter and the language server read the same tree as the resolver does. [`kind`] gives the shape of every node.
//!
//! The parser is a hand-written recursive descent (`parser`) over tokens ([`lexer`]) whose brackets are matched
//! beforehand (`layout`), so that every lookahead and every recovery is a table look-up and the whole is linear in
//! the length of the text. Nesting is bounded, so the stack is too, here and in whoever walks the tree.

use fairhold_source::{Diagnostic, FileId, Span};
use rowan::GreenNode;

pub mod kind;
mod layout;
pub mod lexer;
mod parser;

pub use kind::SyntaxKind;

/// The language tag of CSP# trees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Csp {}

impl rowan::Language for Csp {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::from_raw(raw.0)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of a CSP# tree.
pub type SyntaxNode = rowan::SyntaxNode<Csp>;
/// A token of a CSP# tree.
pub type SyntaxToken = rowan::SyntaxToken<Csp>;
/// A node or token of a CSP# tree.
pub type SyntaxElement = rowan::SyntaxElement<Csp>;

/// Texts above this size are not looked at.
const LARGEST_TEXT: usize = 16 << 20;

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Parse {
    green: GreenNode,
    /// What is wrong with it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// The root of the tree.
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The tree itself, to be kept or sent to another thread.
    pub fn green(&self) -> &GreenNode {
        &self.green
    }

    /// Whether the text cannot be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a model: the root is a `SourceFile`.
pub fn parse(file: FileId, text: &str) -> Parse {
    run(file, text, SyntaxKind::SourceFile)
}

/// Parses what follows `#assert`, with or without the final `;`: the root is an `Assertion`.
pub fn parse_assertion(file: FileId, text: &str) -> Parse {
    run(file, text, SyntaxKind::Assertion)
}

/// Parses the call of a process, as in `P(3)`: the root is a `Call`.
pub fn parse_call(file: FileId, text: &str) -> Parse {
    run(file, text, SyntaxKind::Call)
}

/// Parses a formula on its own: the root is a `Formula`.
pub fn parse_formula(file: FileId, text: &str) -> Parse {
    run(file, text, SyntaxKind::Formula)
}

fn run(file: FileId, text: &str, root: SyntaxKind) -> Parse {
    if text.len() > LARGEST_TEXT {
        let at = Span {
            file,
            start: 0,
            end: 0,
        };
        let diagnostic = Diagnostic::error("file-too-large", at, "this file is larger than 16 MiB")
            .help("a model is written by hand; split it, or write it with indexed operators such as `||| i:{0..9} @ P(i)`");
        let mut builder = rowan::GreenNodeBuilder::new();
        builder.start_node(<Csp as rowan::Language>::kind_to_raw(root));
        builder.finish_node();
        return Parse {
            green: builder.finish(),
            diagnostics: vec![diagnostic],
        };
    }
    let (tokens, mut diagnostics) = lexer::lex(file, text);
    let mut parser = parser::Parser::new(file, text, &tokens);
    parser.open_root(root);
    match root {
        SyntaxKind::Assertion => parser.assertion_alone(),
        SyntaxKind::Call => parser.call_alone(),
        SyntaxKind::Formula => parser.formula_alone(),
        _ => parser.source_file(),
    }
    let (green, more) = parser.finish();
    diagnostics.extend(more);
    diagnostics.sort_by_key(|d| d.span);
    Parse { green, diagnostics }
}
