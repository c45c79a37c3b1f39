//! What can be asked of a graph on the command line.
//!
//! ```text
//! deadlockfree   nonterminating   divergencefree   deterministic
//! reaches state == 3
//! |= [](coin -> <> "cup !small")
//! ```
//!
//! The syntax is that of assertions in CSP#, without a process in front. A condition compares `state` with a number;
//! an atom of a formula is a condition or a label, in quotes if it is not a plain word. Two different operators never
//! meet without parentheses: CSP# as PAT reads it and the textbooks disagree on which binds tighter, so neither is
//! guessed.

use crate::lts::Lts;
use fairhold_logic::{AtomId, Automaton, Ltl};
use fairhold_source::{Diagnostic, FileId, Span};
use fairhold_store::StateId;
use fairhold_system::EventId;
use std::fmt;

/// Formulas nested deeper than this are refused: they are walked by recursion.
const MAX_DEPTH: u32 = 500;

/// A property of a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// As written, blanks collapsed.
    pub text: String,
    /// What it asks.
    pub question: Question,
    /// Where it stands.
    pub span: Span,
}

/// What a property asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// `deadlockfree`
    DeadlockFree,
    /// `nonterminating`
    NonTerminating,
    /// `divergencefree`
    DivergenceFree,
    /// `deterministic`
    Deterministic,
    /// `reaches c`
    Reaches(Condition),
    /// `|= phi`
    Ltl(Ltl, Vec<Atom>),
    /// `|= automaton`: every execution is accepted. Atom `i` of the automaton is the `i`th of these.
    Automaton(Automaton, Vec<Atom>),
}

/// An atom of a formula; [`AtomId`] is its index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// A condition on the state.
    State(Condition),
    /// The event led here.
    Event(EventId),
    /// The event is enabled. Only in fairness formulas, as are those below.
    Enabled(EventId),
    /// The event is ready.
    Ready(EventId),
    /// The process takes part in an enabled step.
    EnabledProcess(u32),
    /// The process took part in the step that led here.
    EngagedProcess(u32),
}

/// A condition on a state's number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// True or false everywhere.
    Const(bool),
    /// `state == 3`
    Compare(Comparison, i64),
    /// `!c`
    Not(Box<Condition>),
    /// `c && d`
    And(Box<Condition>, Box<Condition>),
    /// `c || d`
    Or(Box<Condition>, Box<Condition>),
}

/// How a state's number is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Condition {
    /// Whether it holds in a state.
    pub fn holds(&self, state: StateId) -> bool {
        let number = i64::from(state.0);
        match self {
            Condition::Const(value) => *value,
            Condition::Compare(Comparison::Equal, n) => number == *n,
            Condition::Compare(Comparison::Different, n) => number != *n,
            Condition::Compare(Comparison::Less, n) => number < *n,
            Condition::Compare(Comparison::AtMost, n) => number <= *n,
            Condition::Compare(Comparison::Greater, n) => number > *n,
            Condition::Compare(Comparison::AtLeast, n) => number >= *n,
            Condition::Not(c) => !c.holds(state),
            Condition::And(c, d) => c.holds(state) && d.holds(state),
            Condition::Or(c, d) => c.holds(state) || d.holds(state),
        }
    }
}

/// As it could be written, fully parenthesised.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Const(value) => write!(f, "{value}"),
            Condition::Compare(comparison, number) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Different => "!=",
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Greater => ">",
                    Comparison::AtLeast => ">=",
                };
                write!(f, "state {sign} {number}")
            }
            Condition::Not(c) => write!(f, "!({c})"),
            Condition::And(c, d) => write!(f, "({c} && {d})"),
            Condition::Or(c, d) => write!(f, "({c} || {d})"),
        }
    }
}

/// Reads a property of `lts`; `file` is the text's place in the source map.
pub fn read_property(lts: &Lts, file: FileId, text: &str) -> Result<Property, Diagnostic> {
    read(lts, file, text, false, |parser| {
        Ok(Property {
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            question: parser.question()?,
            span: Span {
                file,
                start: 0,
                end: text.len() as u32,
            },
        })
    })
}

/// Reads a fairness formula about `lts`, with its atoms: a formula that may speak of what is enabled, ready and engaged. Its shape is not looked at here.
pub fn read_fairness(lts: &Lts, file: FileId, text: &str) -> Result<(Ltl, Vec<Atom>), Diagnostic> {
    read(lts, file, text, true, |parser| {
        let formula = parser.formula(0)?;
        Ok((formula, std::mem::take(&mut parser.atoms)))
    })
}

/// Reads a single atom of a formula about `lts`, which stands at `place`: a label, without quotes, or a comparison such as `state == 3`. A constant counts.
pub fn read_atom(lts: &Lts, place: Span, text: &str) -> Result<Atom, Diagnostic> {
    if let Some(event) = lts.events().iter().position(|e| e == text) {
        return Ok(Atom::Event(EventId(event as u32)));
    }
    let read = read(lts, place.file, text, false, |parser| {
        Ok((parser.formula(0)?, std::mem::take(&mut parser.atoms)))
    });
    let shifted = |mut diagnostic: Diagnostic| {
        let related = diagnostic.related.iter_mut().map(|(span, _)| span);
        for span in diagnostic.span.iter_mut().chain(related) {
            span.start += place.start;
            span.end += place.start;
        }
        diagnostic
    };
    match read.map_err(shifted)? {
        (Ltl::Atom(_), mut atoms) => Ok(atoms.remove(0)),
        (Ltl::True, _) => Ok(Atom::State(Condition::Const(true))),
        (Ltl::False, _) => Ok(Atom::State(Condition::Const(false))),
        _ => {
            let help = "an atom is a label or a comparison such as `state == 3`";
            let message = format!("`{text}` is no atom");
            Err(Diagnostic::error("not-an-atom", place, message).help(help))
        }
    }
}

/// Reads a whole text by one rule.
fn read<T>(
    lts: &Lts,
    file: FileId,
    text: &str,
    of_steps: bool,
    rule: impl FnOnce(&mut Parser<'_>) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let tokens = tokens(file, text)?;
    let end = Span {
        file,
        start: text.trim_end().len() as u32,
        end: text.trim_end().len() as u32,
    };
    let mut parser = Parser {
        lts,
        tokens: &tokens,
        end,
        atoms: Vec::new(),
        of_steps,
    };
    let found = rule(&mut parser)?;
    if let Some(token) = parser.tokens.first() {
        let message = format!("expected the end of the property, found `{}`", token.text);
        return Err(Diagnostic::error("property-syntax", token.span, message));
    }
    Ok(found)
}

#[derive(Clone, Debug)]
struct Token {
    /// As written; of a quoted label, what the quotes hold.
    text: String,
    quoted: bool,
    span: Span,
}

/// Operators, longest first.
const OPERATORS: [&str; 17] = [
    "<->", "|=", "->", "[]", "<>", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")", "-",
];

fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let span = |len: usize| Span {
            file,
            start: at as u32,
            end: (at + len) as u32,
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

struct Parser<'a> {
    lts: &'a Lts,
    tokens: &'a [Token],
    end: Span,
    atoms: Vec<Atom>,
    /// The formula is a fairness formula.
    of_steps: bool,
}

const QUESTIONS: &str =
    "ask deadlockfree, nonterminating, divergencefree, deterministic, `reaches state == 3` or `|= F`";

impl<'a> Parser<'a> {
    fn next(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn peek(&self) -> &'a str {
        let token = self.tokens.first().filter(|t| !t.quoted);
        token.map_or("", |t| &t.text)
    }

    fn question(&mut self) -> Result<Question, Diagnostic> {
        let first = self.next();
        let word = first.filter(|t| !t.quoted).map_or("", |t| &t.text);
        Ok(match word {
            "deadlockfree" => Question::DeadlockFree,
            "nonterminating" => Question::NonTerminating,
            "divergencefree" => Question::DivergenceFree,
            "deterministic" => Question::Deterministic,
            "reaches" => {
                let start = self.tokens.first().map_or(self.end, |t| t.span);
                let formula = self.formula(0)?;
                Question::Reaches(self.condition(&formula, start)?)
            }
            "|=" => {
                let formula = self.formula(0)?;
                Question::Ltl(formula, std::mem::take(&mut self.atoms))
            }
            _ => {
                let (span, found) = first.map_or((self.end, "nothing"), |t| (t.span, &t.text));
                let message = format!("expected a question, found `{found}`");
                return Err(Diagnostic::error("property-syntax", span, message).help(QUESTIONS));
            }
        })
    }

    /// `p op q op r`, all with the same operator.
    fn formula(&mut self, depth: u32) -> Result<Ltl, Diagnostic> {
        let mut left = self.unary(depth)?;
        let operator = self.peek();
        let join: fn(Box<Ltl>, Box<Ltl>) -> Ltl = match operator {
            "&&" => Ltl::And,
            "||" => Ltl::Or,
            "->" => Ltl::Implies,
            "<->" => Ltl::Iff,
            "U" => Ltl::Until,
            "R" => Ltl::Release,
            "W" => Ltl::WeakUntil,
            _ => return Ok(left),
        };
        let mut operands = 1;
        while self.peek() == operator {
            let span = self.next().map_or(self.end, |t| t.span);
            operands += 1;
            if operands > 2 && !matches!(operator, "&&" | "||") {
                return Err(ambiguous(span, operator, operator));
            }
            if operands > MAX_DEPTH {
                return Err(too_deep(span));
            }
            let right = self.unary(depth)?;
            left = join(Box::new(left), Box::new(right));
        }
        match self.tokens.first() {
            Some(t) if is_binary(self.peek()) => Err(ambiguous(t.span, operator, &t.text)),
            _ => Ok(left),
        }
    }

    fn unary(&mut self, depth: u32) -> Result<Ltl, Diagnostic> {
        let wrap: fn(Box<Ltl>) -> Ltl = match self.peek() {
            "!" => Ltl::Not,
            "[]" | "G" => Ltl::Globally,
            "<>" | "F" => Ltl::Finally,
            "X" => Ltl::Next,
            "GF" => |p| Ltl::Globally(Box::new(Ltl::Finally(p))),
            "FG" => |p| Ltl::Finally(Box::new(Ltl::Globally(p))),
            _ => return self.primary(depth),
        };
        let span = self.next().map_or(self.end, |t| t.span);
        if depth >= MAX_DEPTH {
            return Err(too_deep(span));
        }
        Ok(wrap(Box::new(self.unary(depth + 1)?)))
    }

    fn primary(&mut self, depth: u32) -> Result<Ltl, Diagnostic> {
        let word = self.peek();
        let Some(token) = self.next() else {
            return Err(
                Diagnostic::error("property-syntax", self.end, "the property ends too early").help(QUESTIONS),
            );
        };
        match word {
            "(" if depth >= MAX_DEPTH => Err(too_deep(token.span)),
            "(" => {
                let inner = self.formula(depth + 1)?;
                match self.next() {
                    Some(close) if close.text == ")" && !close.quoted => Ok(inner),
                    other => {
                        let span = other.map_or(self.end, |t| t.span);
                        Err(Diagnostic::error("property-syntax", span, "a `)` is missing")
                            .also(token.span, "opened here"))
                    }
                }
            }
            "true" => Ok(Ltl::True),
            "false" => Ok(Ltl::False),
            "state" => self.comparison(token.span),
            "enabled" | "ready" | "engaged" if self.of_steps => self.step_atom(token),
            "enabled" | "ready" | "engaged" if self.peek() == "(" => {
                let message = format!("`{word}(..)` can stand in a fairness formula only");
                let help = "give the formula with --fairness: 'GF enabled(a) -> GF engaged(a)'";
                Err(Diagnostic::error("step-atom", token.span, message).help(help))
            }
            _ => {
                let event = self.event(token)?;
                Ok(self.atom(Atom::Event(event)))
            }
        }
    }

    fn comparison(&mut self, start: Span) -> Result<Ltl, Diagnostic> {
        let comparison = match self.peek() {
            "==" => Comparison::Equal,
            "!=" => Comparison::Different,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            _ => {
                let message = "`state` must be compared with a number";
                return Err(Diagnostic::error("property-syntax", start, message)
                    .help("write `state == 3`; for a label `state`, write it in quotes"));
            }
        };
        self.next();
        let sign = if self.peek() == "-" {
            self.next();
            -1
        } else {
            1
        };
        let number = self.peek().parse::<u32>();
        let token = self.next();
        let Ok(number) = number else {
            let span = token.map_or(self.end, |t| t.span);
            return Err(Diagnostic::error(
                "property-syntax",
                span,
                "expected the number of a state",
            ));
        };
        Ok(self.atom(Atom::State(Condition::Compare(
            comparison,
            sign * i64::from(number),
        ))))
    }

    /// `enabled(a)`, `engaged(process 0)`
    fn step_atom(&mut self, word: &Token) -> Result<Ltl, Diagnostic> {
        let wrong = |span| {
            let message = format!(
                "after `{}` comes a label, or `process 0`, in parentheses",
                word.text
            );
            Diagnostic::error("property-syntax", span, message)
        };
        let opened = self.peek() == "(";
        let inside = self.next().filter(|_| opened).and_then(|_| self.next());
        let token = inside.ok_or_else(|| wrong(word.span))?;
        let atom = if !token.quoted && token.text == "process" && self.peek() != ")" {
            let number = self.next().and_then(|t| t.text.parse::<u32>().ok());
            match (number, word.text.as_str()) {
                (Some(process), "enabled" | "engaged") if process > 0 => {
                    let message = format!("there is no process {process}: a graph has process 0 only");
                    return Err(Diagnostic::error("unknown-process", token.span, message));
                }
                (Some(process), "enabled") => Atom::EnabledProcess(process),
                (Some(process), "engaged") => Atom::EngagedProcess(process),
                _ => return Err(wrong(token.span)),
            }
        } else {
            let event = self.event(token)?;
            match word.text.as_str() {
                "enabled" => Atom::Enabled(event),
                "ready" => Atom::Ready(event),
                _ => Atom::Event(event),
            }
        };
        match self.peek() {
            ")" => self.next(),
            _ => return Err(wrong(token.span)),
        };
        Ok(self.atom(atom))
    }

    fn event(&self, token: &Token) -> Result<EventId, Diagnostic> {
        let events = self.lts.events();
        if let Some(event) = events.iter().position(|e| *e == token.text) {
            return Ok(EventId(event as u32));
        }
        let message = format!("no step is labelled `{}`", token.text);
        let known: Vec<&str> = events.iter().skip(2).take(10).map(String::as_str).collect();
        let help = match known.is_empty() {
            true => "no step has a label but tau and terminate".to_owned(),
            false => {
                format!("the labels are {}", known.join(", ")) + if events.len() > 12 { ", ..." } else { "" }
            }
        };
        Err(Diagnostic::error("unknown-label", token.span, message).help(help))
    }

    fn atom(&mut self, atom: Atom) -> Ltl {
        let at = self.atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        Ltl::Atom(AtomId(at as u32))
    }

    /// A formula without time and events, as a condition.
    fn condition(&self, formula: &Ltl, start: Span) -> Result<Condition, Diagnostic> {
        let both = |p: &Ltl, q: &Ltl| -> Result<_, Diagnostic> {
            Ok((
                Box::new(self.condition(p, start)?),
                Box::new(self.condition(q, start)?),
            ))
        };
        Ok(match formula {
            Ltl::True => Condition::Const(true),
            Ltl::False => Condition::Const(false),
            Ltl::Not(p) => Condition::Not(Box::new(self.condition(p, start)?)),
            Ltl::And(p, q) => {
                let (p, q) = both(p, q)?;
                Condition::And(p, q)
            }
            Ltl::Or(p, q) => {
                let (p, q) = both(p, q)?;
                Condition::Or(p, q)
            }
            Ltl::Atom(id) => match &self.atoms[id.0 as usize] {
                Atom::State(condition) => condition.clone(),
                _ => return Err(no_condition(start)),
            },
            _ => return Err(no_condition(start)),
        })
    }
}

fn is_binary(operator: &str) -> bool {
    matches!(operator, "&&" | "||" | "->" | "<->" | "U" | "R" | "W")
}

fn ambiguous(span: Span, first: &str, second: &str) -> Diagnostic {
    let message = format!("`{first}` and then `{second}`: which binds tighter?");
    Diagnostic::error("property-ambiguous", span, message).help("put parentheses")
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        "property-syntax",
        span,
        format!("nested more than {MAX_DEPTH} levels deep"),
    )
}

fn no_condition(start: Span) -> Diagnostic {
    Diagnostic::error("property-syntax", start, "this is no condition on the state")
        .help("`reaches` takes comparisons such as `state == 3`, joined by ! && ||; for labels write `|= F`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aut::read_aut;

    fn read(text: &str) -> Result<Question, (&'static str, u32)> {
        let graph = "des (0, 3, 3)\n(0, coin, 1)\n(1, \"cup !small\", 2)\n(2, c!3, 0)\n";
        let lts = read_aut(FileId(0), graph).0.expect("the graph has no errors");
        let property = read_property(&lts, FileId(1), text);
        property
            .map(|p| p.question)
            .map_err(|d| (d.code, d.span.map_or(0, |s| s.start)))
    }

    fn formula(text: &str) -> String {
        match read(text) {
            Ok(Question::Ltl(formula, atoms)) => {
                let name = |id: AtomId| match &atoms[id.0 as usize] {
                    Atom::Event(e) => format!("e{}", e.0),
                    Atom::State(Condition::Compare(Comparison::Equal, n)) => format!("s{n}"),
                    other => format!("{other:?}"),
                };
                formula.display(&name).to_string()
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn questions_without_a_formula() {
        assert_eq!(read("deadlockfree"), Ok(Question::DeadlockFree));
        assert_eq!(read(" nonterminating "), Ok(Question::NonTerminating));
        assert_eq!(read("divergencefree"), Ok(Question::DivergenceFree));
        assert_eq!(read("deterministic"), Ok(Question::Deterministic));
    }

    #[test]
    fn conditions_are_evaluated() {
        let Ok(Question::Reaches(c)) = read("reaches !(state <= 1) && state != 7 && (state < 9 || false)")
        else {
            panic!("a condition")
        };
        let holding: Vec<u32> = (0..10).filter(|&s| c.holds(StateId(s))).collect();
        assert_eq!(holding, [2, 3, 4, 5, 6, 8]);
        let Ok(Question::Reaches(c)) = read("reaches state > -1") else {
            panic!("a condition")
        };
        assert!(c.holds(StateId(0)));
    }

    #[test]
    fn formulas_with_labels_and_conditions() {
        assert_eq!(formula("|= [](coin -> <> \"cup !small\")"), "[](e2 -> <>e3)");
        assert_eq!(formula("|= G F c!3"), "[]<>e4");
        assert_eq!(
            formula("|= !coin U (state == 2 && X true)"),
            "(!e2 U (s2 && X true))"
        );
        assert_eq!(formula("|= coin && coin && tau"), "((e2 && e2) && e0)");
    }

    #[test]
    fn mistakes_have_places() {
        for (text, code, at) in [
            ("", "property-syntax", 0),
            ("deadlock", "property-syntax", 0),
            ("deadlockfree now", "property-syntax", 13),
            ("reaches coin", "property-syntax", 8),
            ("reaches [] state == 1", "property-syntax", 8),
            ("reaches state", "property-syntax", 8),
            ("reaches state == x", "property-syntax", 17),
            ("|= [] tea", "unknown-label", 6),
            ("|= (coin", "property-syntax", 8),
            ("|= coin)", "property-syntax", 7),
            ("|= \"coin", "property-syntax", 3),
            ("|= coin & tau", "property-syntax", 8),
            ("|= coin && tau || tau", "property-ambiguous", 15),
            ("|= coin -> tau -> tau", "property-ambiguous", 15),
        ] {
            assert_eq!(read(text), Err((code, at)), "{text}");
        }
        let deep = format!("|= {}true{}", "(".repeat(600), ")".repeat(600));
        assert!(read(&deep).is_err());
        assert!(read(&format!("|= {}true", "!".repeat(600))).is_err());
    }
}
