//! The words of a property.

use fairhold_source::{Diagnostic, Span};

/// A word, a quoted label or a sign.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// As written; of a quoted label, what the quotes hold.
    pub(super) text: String,
    pub(super) quoted: bool,
    pub(super) span: Span,
}

/// Operators, longest first.
const OPERATORS: [&str; 23] = [
    "<->", "|=", "->", "[]", "<>", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")", "[", "]",
    "{", "}", ",", ";", "-",
];

/// The words of a text that stands at `place`.
pub(super) fn tokens(place: Span, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let span = |len: usize| Span {
            file: place.file,
            start: place.start + at as u32,
            end: place.start + (at + len) as u32,
        };
        let word = |c: char| c.is_alphanumeric() || "_.?".contains(c);
        let operator = OPERATORS.into_iter().find(|o| rest.starts_with(o));
        let (token, len) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c == '"' {
            let Some(inside) = rest[1..].find('"') else {
                return Err(Diagnostic::error(
                    "property-syntax",
                    span(rest.len()),
                    "the quote is not closed",
                ));
            };
            (rest[1..=inside].to_owned(), inside + 2)
        } else if word(c) {
            // `c!3` is one word, `c != 3` is not.
            let mut len = 0;
            for (i, c) in rest.char_indices() {
                let sent = c == '!' && !rest[i + 1..].starts_with('=');
                if !word(c) && !sent {
                    break;
                }
                len = i + c.len_utf8();
            }
            (rest[..len].to_owned(), len)
        } else if let Some(operator) = operator {
            (operator.to_owned(), operator.len())
        } else {
            let message = format!("`{c}` means nothing here");
            return Err(Diagnostic::error("property-syntax", span(c.len_utf8()), message));
        };
        tokens.push(Token {
            text: token,
            quoted: c == '"',
            span: span(len),
        });
        at += len;
    }
    Ok(tokens)
}
