//! The parser: what it accepts, what it says, and that nothing upsets it.

use fairhold_csp::syntax::{self, Parse, SyntaxNode};
use fairhold_source::{FileId, SourceMap, render_all};

mod grammar;
mod messages;
mod models;
mod robustness;

/// Parses and checks what holds of every text: the tree is lossless and every span lies in the text.
fn parse(text: &str) -> Parse {
    let parse = syntax::parse(FileId(0), text);
    assert!(
        parse.root().text() == text,
        "the tree has another text than {text:?}"
    );
    for diagnostic in &parse.diagnostics {
        let span = diagnostic.span.expect("syntax errors have a place");
        assert!(
            span.start <= span.end && span.end as usize <= text.len(),
            "{diagnostic:?}"
        );
    }
    parse
}

fn rendered(text: &str, parse: &Parse) -> String {
    let mut map = SourceMap::new();
    map.add("model.csp", text);
    render_all(&map, &parse.diagnostics, false)
}

/// Parses a text that has no fault.
fn accept(text: &str) -> SyntaxNode {
    let parse = parse(text);
    assert!(parse.diagnostics.is_empty(), "{}", rendered(text, &parse));
    parse.root()
}

/// The tree as nested lists of node names and tokens, without blanks.
fn shape(node: &SyntaxNode) -> String {
    let mut out = format!("({:?}", node.kind());
    for child in node.children_with_tokens() {
        match child {
            rowan::NodeOrToken::Node(child) => out += &format!(" {}", shape(&child)),
            rowan::NodeOrToken::Token(token) if token.kind().is_trivia() => {}
            rowan::NodeOrToken::Token(token) => out += &format!(" {}", token.text()),
        }
    }
    out + ")"
}
