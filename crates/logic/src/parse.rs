//! LTL as people write it.
//!
//! ```text
//! formula = wait { ("&&" | "||" | "->" | "<->" | "xor") wait }      one level, from the left
//! wait    = unary { ("U" | "R" | "V" | "W") unary }                 from the left
//! unary   = ("!" | "[]" | "G" | "<>" | "F" | "X") unary | "(" formula ")" | "true" | "false" | atom
//! atom    = a name, with dots if it is an event (`get.0.1`) | a quoted string
//! ```
//!
//! `/\` is `&&`, `\/` is `||`, `V` is `R`. The one level of `&&`, `||`, `->`, `<->` is PAT's, kept so that a formula means the
//! same here and in a model; where two different ones meet without parentheses a warning (`ltl-precedence`) shows how they are
//! read. The parser reports the first error it meets: a formula is a line, not a file.

use crate::written::{LONG_CHAIN, balanced};
use crate::{AtomId, Ltl};
use fairhold_source::{Diagnostic, FileId, Span};

/// Formulas of a greater height are refused: whatever walks over a formula may recurse.
const MAX_HEIGHT: usize = 500;

/// What is in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula, if the text is one.
    pub formula: Option<Ltl>,
    /// The names of its atoms; `AtomId` is an index here.
    pub atoms: Vec<String>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a formula; `file` is the text's place in the source map.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut parser = Parser {
        tokens: Vec::new(),
        at: 0,
        text,
        end: span(file, text.trim_end().len(), 0),
        atoms: Vec::new(),
        warnings: Vec::new(),
    };
    let result = tokens(file, text).and_then(|tokens| {
        parser.tokens = tokens;
        let part = parser.chain(0)?;
        parser.expect_end()?;
        Ok(part.formula)
    });
    let mut diagnostics = parser.warnings;
    let formula = result.map_err(|error| diagnostics.push(*error)).ok();
    Parsed {
        formula,
        atoms: parser.atoms,
        diagnostics,
    }
}

/// An error, boxed since it is large and rare.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("ltl-syntax", span, message))
}

fn span(file: FileId, start: usize, len: usize) -> Span {
    Span {
        file,
        start: start as u32,
        end: (start + len) as u32,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A sign or an operator word.
    Sign,
    Name,
    Quoted,
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    span: Span,
}

/// The signs, longest first where one begins another.
const SIGNS: [&str; 11] = ["<->", "->", "<>", "[]", "&&", "||", "/\\", "\\/", "!", "(", ")"];

/// Words that are operators or constants.
const WORDS: [&str; 10] = ["G", "F", "X", "U", "R", "V", "W", "xor", "true", "false"];

/// Words that would be path quantifiers.
const QUANTIFIERS: [&str; 8] = ["A", "E", "AX", "AF", "AG", "EX", "EF", "EG"];

fn tokens(file: FileId, text: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, len, skip) = if c == '"' {
            let inside = rest[1..]
                .find('"')
                .ok_or_else(|| error(span(file, at, rest.len()), "the quote is not closed"))?;
            (Kind::Quoted, inside, 1)
        } else if c.is_ascii_alphabetic() || c == '_' {
            let len = name_length(rest);
            let kind = if WORDS.contains(&&rest[..len]) {
                Kind::Sign
            } else {
                Kind::Name
            };
            (kind, len, 0)
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Sign, sign.len(), 0)
        } else {
            let message = format!("`{c}` means nothing in a formula");
            return Err(Box::new(
                error(span(file, at, c.len_utf8()), message).help(
                    "operators are `[] <> X U R W ! && || -> <-> xor`; put a name with other characters in quotes",
                ),
            ));
        };
        tokens.push(Token {
            kind,
            text: &rest[skip..skip + len],
            span: span(file, at, len + 2 * skip),
        });
        at += len + 2 * skip;
    }
    Ok(tokens)
}

/// How far a name goes: letters, digits, `_`, and dots that have such a character behind them.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let word = |i: usize| {
        bytes
            .get(i)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let mut len = 0;
    while word(len) || (bytes.get(len) == Some(&b'.') && word(len + 1)) {
        len += 1;
    }
    len
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    text: &'a str,
    end: Span,
    atoms: Vec<String>,
    warnings: Vec<Diagnostic>,
}

/// A formula with its place and height.
struct Part {
    formula: Ltl,
    span: Span,
    height: usize,
}

type Join = fn(Box<Ltl>, Box<Ltl>) -> Ltl;

/// `p xor q` is `!(p <-> q)`.
fn xor(p: Box<Ltl>, q: Box<Ltl>) -> Ltl {
    Ltl::Not(Box::new(Ltl::Iff(p, q)))
}

impl<'a> Parser<'a> {
    fn sign(&self) -> Option<&'a str> {
        let token = self.tokens.get(self.at)?;
        (token.kind == Kind::Sign).then_some(token.text)
    }

    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |t| t.span)
    }

    fn expect_end(&self) -> Result<()> {
        let Some(token) = self.tokens.get(self.at) else {
            return Ok(());
        };
        let message = format!("expected an operator or the end, found `{}`", token.text);
        let after_letters = self.at > 0 && is_letters(self.tokens[self.at - 1].text);
        let error = error(token.span, message);
        Err(if after_letters {
            Box::new(error.help("separate operator letters by spaces: `G F p`"))
        } else {
            error
        })
    }

    /// `p -> q && r`, from the left. What one `&&` or `||` joins without another operator in between is one run, as long as it may be.
    fn chain(&mut self, depth: usize) -> Result<Part> {
        let first = self.wait(depth)?;
        let mut signs: Vec<&str> = Vec::new();
        let mut spans = vec![first.span];
        let mut left = first;
        while let Some(sign) = self.sign().map(canonical) {
            let join: Join = match sign {
                "&&" => Ltl::And,
                "||" => Ltl::Or,
                "->" => Ltl::Implies,
                "<->" => Ltl::Iff,
                "xor" => xor,
                _ => break,
            };
            let mut run = vec![left];
            while self.sign().map(canonical) == Some(sign) {
                signs.push(self.tokens[self.at].text);
                self.at += 1;
                run.push(self.wait(depth)?);
                spans.extend(run.last().map(|part| part.span));
            }
            left = self.join_all(join, run, matches!(sign, "&&" | "||"))?;
        }
        self.warn_of_precedence(&signs, &spans, left.span);
        Ok(left)
    }

    /// Shows how operators of one level are read, where two different ones meet.
    fn warn_of_precedence(&mut self, signs: &[&str], spans: &[Span], whole: Span) {
        let Some(odd) = signs.iter().find(|s| canonical(s) != canonical(signs[0])) else {
            return;
        };
        let words = |s: &Span| &self.text[s.start as usize..s.end as usize];
        let mut reading = words(&spans[0]).to_owned();
        for (i, (sign, right)) in signs.iter().zip(&spans[1..]).enumerate() {
            if i > 0 {
                reading = format!("({reading})");
            }
            reading = format!("{reading} {sign} {}", words(right));
        }
        let message = format!(
            "`{}` and `{odd}` bind equally and are read from the left",
            signs[0]
        );
        let help = format!("this is read as `{reading}`; put parentheses to say which you mean");
        self.warnings
            .push(Diagnostic::warning("ltl-precedence", whole, message).help(help));
    }

    /// `p U q U r`, from the left.
    fn wait(&mut self, depth: usize) -> Result<Part> {
        let mut left = self.unary(depth)?;
        while let Some(sign) = self.sign() {
            let join: Join = match sign {
                "U" => Ltl::Until,
                "R" | "V" => Ltl::Release,
                "W" => Ltl::WeakUntil,
                _ => break,
            };
            self.at += 1;
            let right = self.unary(depth)?;
            left = self.join(join, left, right)?;
        }
        Ok(left)
    }

    /// Operands of one operator: from the left, or in a tree of little depth if that makes no difference and they are many.
    fn join_all(&self, join: Join, parts: Vec<Part>, associative: bool) -> Result<Part> {
        if associative && parts.len() > LONG_CHAIN {
            let parts = parts.into_iter().map(Ok).collect();
            let whole = balanced(parts, &mut |p: Result<Part>, q| self.join(join, p?, q?));
            return whole.expect("a chain has operands");
        }
        let mut parts = parts.into_iter();
        let first = parts.next().expect("a chain has operands");
        parts.try_fold(first, |left, right| self.join(join, left, right))
    }

    fn join(&self, join: Join, left: Part, right: Part) -> Result<Part> {
        let span = left.span.to(right.span);
        // One more for `xor`, which is two operators.
        let height = left.height.max(right.height) + 2;
        if height > MAX_HEIGHT {
            return Err(too_deep(span));
        }
        Ok(Part {
            formula: join(Box::new(left.formula), Box::new(right.formula)),
            span,
            height,
        })
    }

    fn unary(&mut self, depth: usize) -> Result<Part> {
        let start = self.here();
        if depth > MAX_HEIGHT {
            return Err(too_deep(start));
        }
        let wrap: fn(Box<Ltl>) -> Ltl = match self.sign() {
            Some("!") => Ltl::Not,
            Some("[]" | "G") => Ltl::Globally,
            Some("<>" | "F") => Ltl::Finally,
            Some("X") => Ltl::Next,
            _ => return self.primary(depth),
        };
        self.at += 1;
        let inner = self.unary(depth + 1)?;
        if inner.height >= MAX_HEIGHT {
            return Err(too_deep(start));
        }
        Ok(Part {
            formula: wrap(Box::new(inner.formula)),
            span: start.to(inner.span),
            height: inner.height + 1,
        })
    }

    fn primary(&mut self, depth: usize) -> Result<Part> {
        let Some(&token) = self.tokens.get(self.at) else {
            return Err(error(self.end, "expected a formula, found the end"));
        };
        self.at += 1;
        let formula = match (token.kind, token.text) {
            (Kind::Sign, "(") => {
                let inner = self.chain(depth + 1)?;
                let close = self.here();
                if self.sign() != Some(")") {
                    let missing = error(close, "expected an operator or `)`");
                    return Err(Box::new(missing.also(token.span, "opened here")));
                }
                self.at += 1;
                return Ok(Part {
                    span: token.span.to(close),
                    ..inner
                });
            }
            (Kind::Sign, "true") => Ltl::True,
            (Kind::Sign, "false") => Ltl::False,
            (Kind::Sign, sign) => {
                return Err(error(token.span, format!("expected a formula, found `{sign}`")));
            }
            (Kind::Name, word) if QUANTIFIERS.contains(&word) => {
                let message = format!("`{word}` is a path quantifier, and this is a formula about one path");
                return Err(Box::new(
                    error(token.span, message).help("put a name in quotes to mean an atom"),
                ));
            }
            (Kind::Name | Kind::Quoted, name) => self.atom(name),
        };
        Ok(Part {
            formula,
            span: token.span,
            height: 1,
        })
    }

    fn atom(&mut self, name: &str) -> Ltl {
        let known = self.atoms.iter().position(|n| n == name);
        let id = known.unwrap_or_else(|| {
            self.atoms.push(name.to_owned());
            self.atoms.len() - 1
        });
        Ltl::Atom(AtomId(id as u32))
    }
}

/// One spelling for each operator.
fn canonical(sign: &str) -> &str {
    match sign {
        "/\\" => "&&",
        "\\/" => "||",
        other => other,
    }
}

/// Whether a name looks like operators written together.
fn is_letters(name: &str) -> bool {
    name.len() > 1 && name.bytes().all(|b| b"GFX".contains(&b))
}

fn too_deep(span: Span) -> Box<Diagnostic> {
    error(span, format!("the formula is nested more than {MAX_HEIGHT} deep"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Parsed {
        parse(FileId(0), text)
    }

    fn shown(text: &str) -> String {
        let parsed = read(text);
        let formula = parsed
            .formula
            .unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
        formula
            .display(&|a| parsed.atoms[a.0 as usize].clone())
            .to_string()
    }

    fn complaint(text: &str) -> String {
        let parsed = read(text);
        assert_eq!(parsed.formula, None, "{text}");
        let error = parsed.diagnostics.last().expect("an error");
        let span = error.span.expect("a place");
        format!("{}..{}: {}", span.start, span.end, error.message)
    }

    #[test]
    fn unary_binds_tightest_then_until() {
        assert_eq!(shown("[]<>p && !q U r"), "([]<>p && (!q U r))");
        assert_eq!(shown("G F p"), "[]<>p");
        assert_eq!(shown("p U q R r W s V t"), "((((p U q) R r) W s) R t)");
        assert_eq!(shown("X p -> q"), "(X p -> q)");
        assert_eq!(shown("p xor q"), "!(p <-> q)");
    }

    #[test]
    fn one_level_from_the_left() {
        assert_eq!(shown("p -> q && r"), "((p -> q) && r)");
        assert_eq!(shown("p -> q -> r"), "((p -> q) -> r)");
        let parsed = read("p -> q && !r || s");
        let [warning] = parsed.diagnostics.as_slice() else {
            panic!("one warning: {:?}", parsed.diagnostics);
        };
        assert_eq!(warning.code, "ltl-precedence");
        assert_eq!(
            warning.message,
            "`->` and `&&` bind equally and are read from the left"
        );
        assert_eq!(
            warning.help,
            "this is read as `((p -> q) && !r) || s`; put parentheses to say which you mean"
        );
        assert!(read("p && q /\\ r").diagnostics.is_empty());
        assert!(read("p -> (q && r)").diagnostics.is_empty());
    }

    #[test]
    fn atoms() {
        let parsed = read("get.0.1 U \"c!3\" && get.0.1 || Globally");
        assert_eq!(parsed.atoms, ["get.0.1", "c!3", "Globally"]);
    }

    #[test]
    fn errors_have_places() {
        assert_eq!(complaint(""), "0..0: expected a formula, found the end");
        assert_eq!(complaint("p &&"), "4..4: expected a formula, found the end");
        assert_eq!(complaint("p & q"), "2..3: `&` means nothing in a formula");
        assert_eq!(complaint("(p"), "2..2: expected an operator or `)`");
        assert_eq!(
            complaint("p q"),
            "2..3: expected an operator or the end, found `q`"
        );
        assert_eq!(complaint("p U )"), "4..5: expected a formula, found `)`");
        assert_eq!(complaint("\"p"), "0..2: the quote is not closed");
        assert_eq!(
            complaint("AG p"),
            "0..2: `AG` is a path quantifier, and this is a formula about one path"
        );
        assert_eq!(
            read("GF p").diagnostics[0].help,
            "separate operator letters by spaces: `G F p`"
        );
    }

    #[test]
    fn deep_formulas_are_refused() {
        assert!(complaint(&"!".repeat(100_000)).ends_with("nested more than 500 deep"));
        assert!(complaint(&"(".repeat(100_000)).ends_with("nested more than 500 deep"));
        let long = vec!["p"; 10_000].join(" -> ");
        assert!(complaint(&long).ends_with("nested more than 500 deep"));
    }

    #[test]
    fn a_chain_of_one_operator_is_as_long_as_it_may_be() {
        for sign in ["&&", "||"] {
            let long = vec!["p"; 10_000].join(&format!(" {sign} "));
            assert_eq!(read(&format!("[]({long}) -> q")).diagnostics, []);
        }
        assert_eq!(shown("p && q && r || s || t"), "((((p && q) && r) || s) || t)");
    }
}
