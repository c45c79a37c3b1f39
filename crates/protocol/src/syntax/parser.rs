//! From words to declarations. One that is wrong is reported and skipped, up to where the next seems to begin.
//!
//! Line ends mean nothing: every declaration begins with a word of its own, or with a name and a colon, and no expression can be
//! followed by such a word. Only recovery looks at lines.

use super::lexer::{Kind, Token};
use super::tree::{Assertion, Constant, Items, Name, Named, Tree};
use super::words::{DECLARATIONS, is_declaration, is_keyword};
use fairhold_source::{Diagnostic, Span, nearest};

/// After so many errors the rest is left unsaid: one cause often spoils every line.
const MOST_ERRORS: usize = 20;

/// An error, boxed since it is large and rare.
pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads the declarations of a text that ends at `end`.
pub(super) fn items<'t>(tokens: &[Token<'t>], end: Span, diagnostics: &mut Vec<Diagnostic>) -> Items<'t> {
    let start = tokens.first().map_or(end, |t| t.span);
    let mut parser = Parser::new(tokens, end);
    parser.items.start = start;
    while parser.at < tokens.len() && diagnostics.len() < MOST_ERRORS {
        let from = parser.at;
        if let Err(diagnostic) = parser.item() {
            diagnostics.push(*diagnostic);
            parser.recover(from);
        }
    }
    parser.items
}

/// A reader of words.
pub(super) struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    /// Where the text ends.
    end: Span,
    /// Whether operators of time may stand here, and `->`.
    pub(super) formula: bool,
    pub(super) items: Items<'t>,
}

impl<'p, 't> Parser<'p, 't> {
    pub(super) fn new(tokens: &'p [Token<'t>], end: Span) -> Self {
        Parser {
            tokens,
            at: 0,
            end,
            formula: false,
            items: Items::default(),
        }
    }

    pub(super) fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn token(&self, ahead: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + ahead).copied()
    }

    /// Whether the `ahead`th word from here is this sign or word.
    pub(super) fn is(&self, ahead: usize, text: &str) -> bool {
        self.token(ahead)
            .is_some_and(|t| t.text == text && matches!(t.kind, Kind::Sign | Kind::Word))
    }

    pub(super) fn at(&self, text: &str) -> bool {
        self.is(0, text)
    }

    /// The next sign or word; nothing for others and at the end.
    pub(super) fn sign(&self) -> &'t str {
        let token = self.peek().filter(|t| matches!(t.kind, Kind::Sign | Kind::Word));
        token.map_or("", |t| t.text)
    }

    pub(super) fn here(&self) -> Span {
        self.peek().map_or(self.end, |t| t.span)
    }

    /// Where the last word that was taken stands.
    pub(super) fn last(&self) -> Span {
        self.at
            .checked_sub(1)
            .map_or(self.here(), |before| self.tokens[before].span)
    }

    pub(super) fn skip(&mut self) -> Span {
        let span = self.here();
        self.at += 1;
        span
    }

    /// Takes this sign or word if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        self.at += usize::from(found);
        found
    }

    pub(super) fn wrong(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("pp-syntax", span, message))
    }

    /// What was expected and what was found instead.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            Some(t) if t.kind == Kind::Quoted => format!("`\"{}\"`", t.text),
            Some(t) => format!("`{}`", t.text),
            None => "the end of the text".to_owned(),
        };
        self.wrong(self.here(), format!("expected {what}, found {found}"))
    }

    pub(super) fn expect(&mut self, sign: &str, what: &str) -> Result<Span> {
        match self.at(sign) {
            true => Ok(self.skip()),
            false => Err(self.expected(what)),
        }
    }

    /// Takes the bracket that closes one.
    pub(super) fn close(&mut self, sign: &str, opened: Span) -> Result<Span> {
        match self.at(sign) {
            true => Ok(self.skip()),
            false => {
                let missing = *self.expected(&format!("`{sign}`"));
                Err(Box::new(missing.also(opened, "opened here")))
            }
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name<'t>> {
        match self.peek() {
            Some(token) if token.kind == Kind::Word && !is_keyword(token.text) => {
                self.at += 1;
                Ok((token.text, token.span))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Whether a rule seems to begin here: a name and a colon, the name first on its line.
    pub(super) fn at_rule(&self) -> bool {
        self.is(1, ":")
            && self
                .peek()
                .is_some_and(|t| t.kind == Kind::Word && t.first && !is_declaration(t.text))
    }

    /// Goes on where a declaration seems to begin, or behind the next `;`. What was skipped began at `from`.
    fn recover(&mut self, from: usize) {
        if self.at <= from {
            self.at = from + 1;
        }
        while let Some(token) = self.peek() {
            if (token.kind == Kind::Word && is_declaration(token.text)) || self.at_rule() {
                break;
            }
            self.at += 1;
            if token.kind == Kind::Sign && token.text == ";" {
                break;
            }
        }
        let skipped = &self.tokens[from..self.at];
        let words = skipped.iter().filter(|t| t.kind == Kind::Word);
        self.items.broken.extend(words.map(|t| t.text));
        if let [first, .., last] = skipped
            && first.text == "assert"
        {
            self.items.failed_assertions.push(first.span.to(last.span));
        }
    }

    fn item(&mut self) -> Result<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        if self.eat(";") {
            return Ok(());
        }
        let word = match token.kind {
            Kind::Word => token.text,
            _ => return Err(self.unknown_item()),
        };
        if !is_declaration(word) {
            return match self.is(1, ":") {
                true => {
                    let rule = self.rule()?;
                    self.items.rules.push(rule);
                    self.finish()
                }
                false => Err(self.unknown_item()),
            };
        }
        self.at += 1;
        match word {
            "size" => self.size()?,
            "const" => {
                let name = self.name("the name of the constant")?;
                let value = self.defined("its value")?;
                let size = false;
                self.items.constants.push(Constant { name, value, size });
            }
            "topology" => {
                let topology = self.topology(token.span)?;
                let first = self.items.topology.as_ref().map(|t| t.span);
                once("topology", first, topology.span)?;
                self.items.topology = Some(topology);
            }
            "field" | "input" => self.fields(word == "input")?,
            "detector" => {
                let name = self.name("the name of the detector")?;
                let first = self.items.detector.as_ref().map(|d| d.name.1);
                let value = self.defined("what it tells")?;
                once("detector", first, name.1)?;
                self.items.detector = Some(Named { name, value });
            }
            "predicate" => {
                let name = self.name("the name of the predicate")?;
                let value = self.defined("its meaning")?;
                self.items.predicates.push(Named { name, value });
            }
            "schedule" => {
                let cyclic = match self.sign() {
                    "cyclic" => true,
                    "free" => false,
                    _ => return Err(self.expected("`cyclic` or `free`")),
                };
                let span = token.span.to(self.skip());
                once("schedule", self.items.schedule.map(|s| s.1), span)?;
                self.items.schedule = Some((cyclic, span));
            }
            "initial" => {
                let initial = self.initial(token.span)?;
                let first = self.items.initial.as_ref().map(|i| i.span);
                once("initial", first, initial.span)?;
                self.items.initial = Some(initial);
            }
            _ => {
                let assertion = self.assertion()?;
                self.items.assertions.push(assertion);
            }
        }
        self.finish()
    }

    /// A declaration is over: another begins, or the text ends.
    fn finish(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) if self.eat(";") => Ok(()),
            Some(t) if t.kind == Kind::Word && (is_declaration(t.text) || self.is(1, ":")) => Ok(()),
            // What begins a line begins a declaration, if a wrong one.
            Some(t) if t.first => Ok(()),
            Some(_) if matches!(self.sign(), "->" | "<->" | "xor" | "U" | "R" | "V" | "W") => {
                let message = format!("`{}` can stand in the formula of an assertion only", self.sign());
                let help = "in a condition, `p -> q` is `!p || q`";
                Err(Box::new(self.wrong(self.here(), message).help(help)))
            }
            Some(_) => Err(self.expected("the next declaration")),
        }
    }

    fn unknown_item(&self) -> Box<Diagnostic> {
        let sign = self.sign();
        let meant = nearest(sign, DECLARATIONS);
        let help = match meant {
            Some(word) => format!("did you mean `{word}`?"),
            None if sign == "#" && self.is(1, "assert") => "write `assert`, without `#`".to_owned(),
            None if sign == "#" => "write `const K = 3`, without `#`".to_owned(),
            None => "a declaration is `size N = 4`, `topology ring`, `field f: bool`, a rule \
                     `name: (f=0), (f=1) -> (f=1), *`, `predicate p = #f == 1`, `assert <>[] p`, or one with const, input, detector, \
                     schedule or initial"
                .to_owned(),
        };
        Box::new(self.expected("a declaration").help(help))
    }

    /// `= value`
    pub(super) fn defined(&mut self, what: &str) -> Result<Tree<'t>> {
        if !self.eat("=") && !self.eat("==") {
            return Err(self.expected(&format!("`=` and {what}")));
        }
        self.expression()
    }

    /// An assertion alone in its text, with or without its first word.
    pub(super) fn lone_assertion(&mut self) -> Result<Assertion<'t>> {
        self.eat("assert");
        let assertion = self.assertion()?;
        self.eat(";");
        self.end_of("the assertion")?;
        Ok(assertion)
    }

    /// Nothing may follow.
    pub(super) fn end_of(&self, what: &str) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected(&format!("the end of {what}"))),
        }
    }
}

/// What to say of a declaration of which there can be only one.
pub(super) fn once(what: &str, first: Option<Span>, second: Span) -> Result<()> {
    let Some(first) = first else { return Ok(()) };
    let message = format!("a second `{what}`");
    let twice = Diagnostic::error("repeated-declaration", second, message);
    Err(Box::new(
        twice
            .help(format!("there is one `{what}` in a protocol"))
            .also(first, "the first"),
    ))
}
