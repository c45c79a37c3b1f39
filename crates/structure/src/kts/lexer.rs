//! The words of a `.kts` file.

use fairhold_source::{Diagnostic, FileId, Span};
use fairhold_system::DIRECTIVE;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A name or a number.
    Word,
    /// A text in quotes, without them.
    Quoted,
    /// `->`, `,`, `;`, `{`, `}`; and `-`, which means nothing, for a better message
    Sign,
    /// `#assert` and all that follows up to its `;`, which is not part of it.
    Assertion,
}

/// A word with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// The keyword of assertions.
pub(super) const ASSERT: &str = "#assert";

const SIGNS: [&str; 6] = ["->", "-", ",", ";", "{", "}"];

/// The words of a text, the places of its comments that are directives, and what is wrong.
pub(super) fn tokens(file: FileId, text: &str) -> (Vec<Token<'_>>, Vec<Span>, Vec<Diagnostic>) {
    let (mut tokens, mut directives, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    let span = |start: usize, len: usize| Span {
        file,
        start: start as u32,
        end: (start + len) as u32,
    };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        // A byte order mark, which some editors put first, is a blank here.
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            if rest.starts_with(DIRECTIVE) {
                directives.push(span(at, rest[..len].trim_end().len()));
            }
            at += len;
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let Some(len) = inside.find("*/") else {
                let message = "the comment is not closed";
                diagnostics.push(Diagnostic::error("kts-syntax", span(at, 2), message));
                break;
            };
            at += len + 4;
        } else if rest.starts_with(ASSERT) {
            let len = assertion_length(rest);
            tokens.push(Token {
                kind: Kind::Assertion,
                text: &rest[..len],
                span: span(at, len),
            });
            at += len;
        } else if c == '#' {
            // What follows belongs to it: nothing more is said about that.
            let word = rest[1..].find(|c| !is_word(c)).map_or(rest.len(), |i| i + 1);
            let message = format!("`{}` means nothing here", &rest[..word]);
            let help = "only `#assert` starts with `#`";
            diagnostics.push(Diagnostic::error("kts-syntax", span(at, word), message).help(help));
            at += rest.find([';', '\n']).map_or(rest.len(), |i| i + 1);
        } else if c == '"' {
            let line = rest.find('\n').unwrap_or(rest.len());
            let Some(inside) = rest[1..line].find('"') else {
                let message = "the quote is not closed";
                diagnostics.push(Diagnostic::error("kts-syntax", span(at, line), message));
                at += line;
                continue;
            };
            tokens.push(Token {
                kind: Kind::Quoted,
                text: &rest[1..=inside],
                span: span(at, inside + 2),
            });
            at += inside + 2;
        } else if is_word(c) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token {
                kind: Kind::Word,
                text: &rest[..len],
                span: span(at, len),
            });
            at += len;
        } else if let Some(sign) = SIGNS.into_iter().find(|s| rest.starts_with(s)) {
            tokens.push(Token {
                kind: Kind::Sign,
                text: sign,
                span: span(at, sign.len()),
            });
            at += sign.len();
        } else {
            let message = format!("`{c}` means nothing here");
            diagnostics.push(Diagnostic::error("kts-syntax", span(at, c.len_utf8()), message));
            at += c.len_utf8();
        }
    }
    (tokens, directives, diagnostics)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// How far an assertion goes: to its `;`, those in quotes aside, or to the end.
fn assertion_length(text: &str) -> usize {
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    end.unwrap_or(text.len())
}
