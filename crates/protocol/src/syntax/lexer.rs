//! The words of a protocol.

use fairhold_source::{Diagnostic, Span};
use fairhold_system::DIRECTIVE;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// Digits.
    Number,
    /// An event in quotes, without them.
    Quoted,
    /// An operator or a bracket.
    Sign,
}

/// A word with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    /// Whether nothing but blanks and comments is before it on its line. Only recovery and hints look at this.
    pub(crate) first: bool,
}

/// The words of a text, the places of its comments that are directives, and what is wrong.
#[derive(Debug, Default)]
pub(crate) struct Lexed<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) directives: Vec<Span>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Longest first.
const SIGNS: [&str; 34] = [
    "<->", "|=", "->", "..", "[]", "<>", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "=", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", ".", "#", "+", "-", "*", "/", "%", "&", "|",
];

/// The words of a text that stands at `place`.
pub(crate) fn tokens(place: Span, text: &str) -> Lexed<'_> {
    let mut lexed = Lexed::default();
    let span = |start: usize, len: usize| Span {
        file: place.file,
        start: place.start + start as u32,
        end: place.start + (start + len) as u32,
    };
    let mut first = true;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        // A byte order mark, which some editors put first, is a blank here.
        if c.is_whitespace() || c == '\u{feff}' {
            first |= c == '\n';
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            if rest.starts_with(DIRECTIVE) {
                lexed.directives.push(span(at, rest[..len].trim_end().len()));
            }
            at += len;
            continue;
        }
        if let Some(inside) = rest.strip_prefix("/*") {
            let Some(len) = inside.find("*/") else {
                let message = "the comment is not closed";
                lexed.diagnostics.push(wrong(span(at, 2), message.to_owned()));
                break;
            };
            first |= inside[..len].contains('\n');
            at += len + 4;
            continue;
        }
        let (kind, len) = if c == '"' {
            let line = rest.find('\n').unwrap_or(rest.len());
            match rest[1..line].find('"') {
                Some(inside) => (Kind::Quoted, inside + 2),
                None => {
                    let message = "the quote is not closed";
                    lexed.diagnostics.push(wrong(span(at, line), message.to_owned()));
                    at += line;
                    continue;
                }
            }
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit());
            (Kind::Number, len.unwrap_or(rest.len()))
        } else if is_word(c) {
            let len = rest.find(|c| !is_word(c));
            (Kind::Word, len.unwrap_or(rest.len()))
        } else if let Some(sign) = SIGNS.into_iter().find(|s| rest.starts_with(s)) {
            (Kind::Sign, sign.len())
        } else {
            let message = format!("`{}` means nothing here", c.escape_debug());
            lexed.diagnostics.push(wrong(span(at, c.len_utf8()), message));
            at += c.len_utf8();
            continue;
        };
        let word = match kind {
            Kind::Quoted => &rest[1..len - 1],
            _ => &rest[..len],
        };
        lexed.tokens.push(Token {
            kind,
            text: word,
            span: span(at, len),
            first: std::mem::take(&mut first),
        });
        at += len;
    }
    lexed
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn wrong(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("pp-syntax", span, message)
}
