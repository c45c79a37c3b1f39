//! From words to items. An item that is wrong is reported and skipped, up to its `;`.

use super::lexer::{ASSERT, Kind, Token};
use fairhold_source::{Diagnostic, FileId, Span};

/// After so many errors the rest is left unsaid: one cause often spoils every line.
const MOST_ERRORS: usize = 20;
/// Process numbers are below this: tables have a row for every number.
const MOST_PROCESSES: u32 = 10_000;

/// A name and where it stands.
pub(super) type Name<'t> = (&'t str, Span);

/// Who causes an arc, or counts as enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause<'t> {
    Event(&'t str),
    Process(u32),
}

/// A declared state.
#[derive(Debug)]
pub(super) struct State<'t> {
    pub(super) name: Name<'t>,
    pub(super) propositions: Vec<Name<'t>>,
    pub(super) enabled: Vec<(Cause<'t>, Span)>,
}

/// `s -> t, u by a, process 1;`
#[derive(Debug)]
pub(super) struct Arc<'t> {
    pub(super) from: Name<'t>,
    pub(super) to: Vec<Name<'t>>,
    pub(super) causes: Vec<(Cause<'t>, Span)>,
}

/// `#assert property;`
#[derive(Debug)]
pub(super) struct Assertion {
    pub(super) whole: Span,
    pub(super) property: Span,
}

/// What a file says, each kind in its order.
#[derive(Debug, Default)]
pub(super) struct Items<'t> {
    /// Declared propositions; none if the file has no such line.
    pub(super) propositions: Option<Vec<Name<'t>>>,
    pub(super) initial: Vec<Name<'t>>,
    pub(super) states: Vec<State<'t>>,
    pub(super) arcs: Vec<Arc<'t>>,
    pub(super) assertions: Vec<Assertion>,
    /// A place for what concerns the file as a whole.
    pub(super) start: Span,
}

/// Reads the items of a file.
pub(super) fn items<'t>(
    file: FileId,
    text: &str,
    tokens: &[Token<'t>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Items<'t> {
    let span = |start: usize, len: usize| Span {
        file,
        start: start as u32,
        end: (start + len) as u32,
    };
    let mut parser = Parser {
        tokens,
        at: 0,
        end: span(text.trim_end().len(), 0),
        items: Items {
            start: span(0, text.len().min(1)),
            ..Items::default()
        },
    };
    while parser.at < tokens.len() && diagnostics.len() < MOST_ERRORS {
        if let Err(diagnostic) = parser.item() {
            diagnostics.push(*diagnostic);
            parser.recover();
        }
    }
    parser.items
}

/// An error, boxed since it is large and rare.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    end: Span,
    items: Items<'t>,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn at_sign(&self, sign: &str) -> bool {
        self.peek()
            .is_some_and(|t| t.kind == Kind::Sign && t.text == sign)
    }

    fn at_word(&self, word: &str) -> bool {
        self.peek()
            .is_some_and(|t| t.kind == Kind::Word && t.text == word)
    }

    /// What was expected and what was found instead.
    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let (span, found) = match self.peek() {
            Some(t) if t.kind == Kind::Assertion => (t.span, format!("`{ASSERT}`")),
            Some(t) => (t.span, format!("`{}`", t.text)),
            None => (self.end, "the end of the file".to_owned()),
        };
        let message = format!("expected {what}, found {found}");
        Box::new(Diagnostic::error("kts-syntax", span, message))
    }

    fn expect(&mut self, sign: &str, what: &str) -> Result<Span> {
        match self.peek() {
            Some(token) if self.at_sign(sign) => {
                self.at += 1;
                Ok(token.span)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn name(&mut self, what: &str) -> Result<Name<'t>> {
        match self.peek() {
            Some(token) if matches!(token.kind, Kind::Word | Kind::Quoted) => {
                self.at += 1;
                Ok((token.text, token.span))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// `a, b, c`
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut list = vec![one(self)?];
        while self.at_sign(",") {
            self.at += 1;
            list.push(one(self)?);
        }
        Ok(list)
    }

    /// Goes on behind the next `;`, or at the next assertion.
    fn recover(&mut self) {
        while let Some(token) = self.peek() {
            if token.kind == Kind::Assertion {
                return;
            }
            self.at += 1;
            if token.kind == Kind::Sign && token.text == ";" {
                return;
            }
        }
    }

    fn item(&mut self) -> Result<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        // A state may be called `init`: only what follows tells.
        let arc = self
            .tokens
            .get(self.at + 1)
            .is_some_and(|t| t.kind == Kind::Sign && t.text == "->");
        match (token.kind, token.text) {
            (Kind::Assertion, _) => return self.assertion(token),
            (Kind::Word, "propositions") if !arc => {
                self.at += 1;
                let names = self.list(|p| p.name("a proposition"))?;
                self.items.propositions.get_or_insert_default().extend(names);
            }
            (Kind::Word, "init") if !arc => {
                self.at += 1;
                let names = self.list(|p| p.name("the name of a state"))?;
                self.items.initial.extend(names);
            }
            (Kind::Word, "state") if !arc => {
                self.at += 1;
                let states = self.list(Parser::state)?;
                self.items.states.extend(states);
            }
            (Kind::Word | Kind::Quoted, _) => self.arc()?,
            (Kind::Sign, _) => return Err(self.unknown_item()),
        }
        self.expect(";", "`;`").map(|_| ())
    }

    fn unknown_item(&self) -> Box<Diagnostic> {
        let help =
            "a line is `state s {p};`, `init s;`, `s -> t by e;`, `propositions p;` or `#assert |= F;`";
        Box::new(self.expected("a state, an arc or an assertion").help(help))
    }

    fn assertion(&mut self, token: Token<'t>) -> Result<()> {
        self.at += 1;
        let semicolon = self.expect(";", "`;` after the assertion")?;
        let inside = &token.text[ASSERT.len()..];
        let start = token.span.start + (token.text.len() - inside.trim_start().len()) as u32;
        self.items.assertions.push(Assertion {
            whole: token.span.to(semicolon),
            property: Span {
                file: token.span.file,
                start,
                end: start + inside.trim().len() as u32,
            },
        });
        Ok(())
    }

    fn state(&mut self) -> Result<State<'t>> {
        let name = self.name("the name of a state")?;
        let mut propositions = Vec::new();
        if self.at_sign("{") {
            self.at += 1;
            if !self.at_sign("}") {
                propositions = self.list(|p| p.name("a proposition"))?;
            }
            self.expect("}", "`,` or `}`")?;
        }
        let mut enabled = Vec::new();
        if self.at_word("enabled") {
            self.at += 1;
            self.expect("{", "`{` and who is enabled")?;
            enabled = self.list(Parser::cause)?;
            self.expect("}", "`,` or `}`")?;
        }
        Ok(State {
            name,
            propositions,
            enabled,
        })
    }

    fn arc(&mut self) -> Result<()> {
        let from = self.name("the name of a state")?;
        if !self.at_sign("->") {
            let mut wrong = self.expected("`->` and the state that the arc leads to");
            if self.at_sign("{") || self.at_sign(";") {
                *wrong = wrong.help(format!("to declare a state: `state {};`", from.0));
            }
            return Err(wrong);
        }
        self.at += 1;
        let to = self.list(|p| p.name("the name of a state"))?;
        let mut causes = Vec::new();
        if self.at_word("by") {
            self.at += 1;
            causes = self.list(Parser::cause)?;
        } else if !self.at_sign(";") {
            return Err(self.expected("`,`, `by` or `;`"));
        }
        self.items.arcs.push(Arc { from, to, causes });
        Ok(())
    }

    /// An event, or `process 1`.
    fn cause(&mut self) -> Result<(Cause<'t>, Span)> {
        let process = self.at_word("process");
        let (name, span) = self.name("an event, or `process` and its number")?;
        if !process {
            return Ok((Cause::Event(name), span));
        }
        let Some(token) = self.peek().filter(|t| t.kind == Kind::Word) else {
            return Err(self.expected("the number of a process"));
        };
        let number = token.text.parse::<u32>().ok().filter(|n| *n < MOST_PROCESSES);
        let Some(number) = number else {
            let message = format!("`{}` is no number of a process", token.text);
            let help = format!("processes are numbered from 0 to {}", MOST_PROCESSES - 1);
            return Err(Box::new(
                Diagnostic::error("kts-syntax", token.span, message).help(help),
            ));
        };
        self.at += 1;
        Ok((Cause::Process(number), span.to(token.span)))
    }
}
