//! Words and signs of HOA, and a cursor over them.

use super::{Result, error};
use fairhold_source::{FileId, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name followed by a colon.
    Header(String),
    Name(String),
    /// `@name`
    Alias(String),
    Number(u32),
    Text(String),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// `--BODY--`, `--END--`, `--ABORT--`.
    Marker(&'static str),
}

const MARKERS: [&str; 3] = ["--BODY--", "--END--", "--ABORT--"];

pub(super) fn tokens(file: FileId, text: &str) -> Result<Vec<(Token, Span)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let span = |len: usize| Span {
            file,
            start: at as u32,
            end: (at + len) as u32,
        };
        let marker = MARKERS.iter().find(|m| rest.starts_with(**m));
        let (token, len) = if c.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if at == 0 && c == '\u{feff}' {
            // A byte order mark is no part of the text.
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("/*") {
            at += comment(rest).ok_or_else(|| error(span(2), "the comment is not closed"))?;
            continue;
        } else if let Some(marker) = marker {
            (Token::Marker(marker), marker.len())
        } else if c == '"' {
            quoted(rest).ok_or_else(|| error(span(1), "the quote is not closed"))?
        } else if c == '@' {
            let len = name_length(&rest[1..]);
            if len == 0 {
                return Err(error(span(1), "an alias needs a name after `@`"));
            }
            (Token::Alias(rest[1..=len].to_owned()), len + 1)
        } else if c.is_ascii_digit() {
            let len = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..len].parse();
            let number = number.map_err(|_| error(span(len), "the number is too large"))?;
            (Token::Number(number), len)
        } else if "!&|()[]{}".contains(c) {
            (Token::Sign(c), 1)
        } else {
            let len = name_length(rest);
            if len == 0 {
                return Err(error(span(c.len_utf8()), format!("`{c}` means nothing here")));
            }
            let name = rest[..len].to_owned();
            if rest[len..].starts_with(':') {
                (Token::Header(name), len + 1)
            } else {
                (Token::Name(name), len)
            }
        };
        tokens.push((token, span(len)));
        at += len;
    }
    Ok(tokens)
}

fn name_length(text: &str) -> usize {
    let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-';
    match text.as_bytes().first() {
        Some(first) if first.is_ascii_alphanumeric() || *first == b'_' => {
            text.bytes().take_while(part).count()
        }
        _ => 0,
    }
}

/// The length of the comment at the start; comments nest.
fn comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0, 0);
    loop {
        match bytes.get(at..at + 2)? {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// The string at the start, and its length with the quotes. A backslash stands before any character.
fn quoted(text: &str) -> Option<(Token, usize)> {
    let mut inside = String::new();
    let mut characters = text.char_indices().skip(1);
    loop {
        match characters.next()? {
            (at, '"') => return Some((Token::Text(inside), at + 1)),
            (_, '\\') => inside.push(characters.next()?.1),
            (_, c) => inside.push(c),
        }
    }
}

/// A place in the list of tokens.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    tokens: &'a [(Token, Span)],
    end: Span,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [(Token, Span)], file: FileId, text: &str) -> Cursor<'a> {
        let end = text.trim_end().len() as u32;
        Cursor {
            tokens,
            end: Span {
                file,
                start: end,
                end,
            },
        }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.first().map(|(token, _)| token)
    }

    /// The place of the next token, or of the end.
    pub(super) fn span(&self) -> Span {
        self.tokens.first().map_or(self.end, |(_, span)| *span)
    }

    pub(super) fn next(&mut self) -> Option<&'a Token> {
        let ((token, _), rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(token)
    }

    /// Takes the sign if it is next.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<()> {
        let span = self.span();
        if self.take(sign) {
            Ok(())
        } else {
            Err(error(span, format!("expected `{sign}`")))
        }
    }

    pub(super) fn take_number(&mut self) -> Option<u32> {
        match self.peek() {
            Some(&Token::Number(n)) => {
                self.next();
                Some(n)
            }
            _ => None,
        }
    }

    pub(super) fn number(&mut self, what: &str) -> Result<u32> {
        let span = self.span();
        self.take_number()
            .ok_or_else(|| error(span, format!("expected {what}")))
    }

    /// Fails if anything is left.
    pub(super) fn end(&self) -> Result<()> {
        if self.tokens.is_empty() {
            Ok(())
        } else {
            Err(error(self.span(), "expected the end"))
        }
    }
}
