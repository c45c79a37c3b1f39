//! The grammar of properties: recursive descent over the words, the first error ends it.

use super::lexer::Token;
use super::{Atom, Condition, Question};
use crate::lts::Lts;
use fairhold_logic::{AtomId, Binary, Join, Logic, Quantifier, Unary, Written};
use fairhold_source::{Diagnostic, Span};

/// Formulas nested deeper than this are refused: they are walked by recursion.
const MAX_DEPTH: u32 = 500;

const QUESTIONS: &str = "ask deadlockfree, nonterminating, divergencefree, deterministic, `reaches state == 3`, `never state == 3`, `always state != 3` or `|= F`";

/// Whether a formula has path quantifiers.
pub(super) fn is_branching(tokens: &[Token]) -> bool {
    let sign = |i: usize| {
        tokens
            .get(i)
            .filter(|t| !t.quoted)
            .map_or("", |t| t.text.as_str())
    };
    (0..tokens.len()).any(|i| {
        let bracketed = matches!(sign(i), "A" | "E") && matches!(sign(i + 1), "[" | "(");
        bracketed || Quantifier::of_word(sign(i)).is_some()
    })
}

pub(super) struct Parser<'a> {
    pub(super) lts: &'a Lts,
    tokens: &'a [Token],
    /// Where the text ends.
    pub(super) end: Span,
    pub(super) atoms: Vec<Atom>,
    pub(super) logic: Logic,
    /// The first event in a formula of branching time: wrong, unless the formula is not of branching time after all.
    pub(super) misplaced: Option<Diagnostic>,
}

impl<'a> Parser<'a> {
    /// A parser of these tokens of a text at `place`.
    pub(super) fn new(lts: &'a Lts, tokens: &'a [Token], place: Span, text: &str, logic: Logic) -> Self {
        let end = place.start + text.trim_end().len() as u32;
        let end = Span {
            file: place.file,
            start: end,
            end,
        };
        Parser {
            lts,
            tokens,
            end,
            atoms: Vec::new(),
            logic,
            misplaced: None,
        }
    }

    pub(super) fn next(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    /// The next word or sign; nothing for a quoted one and at the end.
    pub(super) fn peek(&self) -> &'a str {
        let token = self.tokens.first().filter(|t| !t.quoted);
        token.map_or("", |t| &t.text)
    }

    pub(super) fn here(&self) -> Span {
        self.tokens.first().map_or(self.end, |t| t.span)
    }

    /// Takes this sign.
    pub(super) fn expect(&mut self, sign: &str, opened: Span) -> Result<Span, Diagnostic> {
        let span = self.here();
        if self.peek() == sign {
            self.next();
            return Ok(span);
        }
        Err(
            Diagnostic::error("property-syntax", span, format!("a `{sign}` is missing"))
                .also(opened, "opened here"),
        )
    }

    /// Nothing may follow.
    pub(super) fn finish(&self) -> Result<(), Diagnostic> {
        let Some(token) = self.tokens.first() else {
            return Ok(());
        };
        let message = format!("expected the end of the property, found `{}`", token.text);
        Err(Diagnostic::error("property-syntax", token.span, message))
    }

    pub(super) fn question(&mut self) -> Result<Question, Diagnostic> {
        let first = self.next();
        let word = first.filter(|t| !t.quoted).map_or("", |t| &t.text);
        Ok(match word {
            "deadlockfree" => Question::DeadlockFree,
            "nonterminating" => Question::NonTerminating,
            "divergencefree" => Question::DivergenceFree,
            "deterministic" => Question::Deterministic,
            "reaches" => Question::Reaches(self.whole_condition()?),
            "never" => Question::Never(self.whole_condition()?),
            "always" => Question::Always(Condition::Not(Box::new(self.whole_condition()?))),
            "|=" => {
                let formula = self.formula(0)?;
                // What follows a whole formula is reported before what is wrong with it.
                self.finish()?;
                let atoms = std::mem::take(&mut self.atoms);
                match self.logic {
                    Logic::Branching => {
                        let formula = formula.into_ctl().map_err(|mixed| *mixed)?;
                        self.misplaced.take().map_or(Ok(()), Err)?;
                        Question::Ctl(formula, atoms)
                    }
                    _ => Question::Ltl(formula.into_ltl().map_err(|mixed| *mixed)?, atoms),
                }
            }
            _ => {
                let (span, found) = first.map_or((self.end, "nothing"), |t| (t.span, &t.text));
                let message = format!("expected a question, found `{found}`");
                return Err(Diagnostic::error("property-syntax", span, message).help(QUESTIONS));
            }
        })
    }

    /// The condition after `reaches`, `never` or `always`.
    fn whole_condition(&mut self) -> Result<Condition, Diagnostic> {
        let start = self.here();
        let formula = self.formula(0)?;
        self.condition(&formula, start)
    }

    /// `p op q op r`, all with the same operator.
    pub(super) fn formula(&mut self, depth: u32) -> Result<Written, Diagnostic> {
        let first = self.unary(depth)?;
        let operator = self.peek();
        if !is_binary(operator) {
            return Ok(first);
        }
        let (mut operands, mut at) = (vec![first], self.here());
        while self.peek() == operator {
            at = self.next().map_or(self.end, |t| t.span);
            if operands.len() > 1 && !matches!(operator, "&&" | "||") {
                return Err(ambiguous(at, operator, operator));
            }
            operands.push(self.unary(depth)?);
        }
        let left = joined(operator, operands, at);
        match self.tokens.first() {
            Some(t) if is_binary(self.peek()) => Err(ambiguous(t.span, operator, &t.text)),
            _ => Ok(left),
        }
    }

    fn unary(&mut self, depth: u32) -> Result<Written, Diagnostic> {
        let word = self.peek();
        let span = self.here();
        let (quantifier, unary) = match word {
            "!" | "GF" | "FG" => (None, Unary::Globally),
            "[]" | "G" => (None, Unary::Globally),
            "<>" | "F" => (None, Unary::Finally),
            "X" => (None, Unary::Next),
            _ => match Quantifier::of_word(word) {
                Some((quantifier, unary)) => (Some(quantifier), unary),
                None => return self.primary(depth),
            },
        };
        self.next();
        if depth >= MAX_DEPTH {
            return Err(too_deep(span));
        }
        let events = match (quantifier, unary, self.peek()) {
            (Some(_), Unary::Next, "{") => Some(self.events()?),
            _ => None,
        };
        let operand = self.unary(depth + 1)?;
        Ok(match word {
            "!" => Written::Not(Box::new(operand)),
            "GF" => operand.infinitely_often(span),
            "FG" => operand.eventually_always(span),
            _ => Written::Unary(quantifier, unary, events, Box::new(operand), span),
        })
    }

    fn primary(&mut self, depth: u32) -> Result<Written, Diagnostic> {
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
                self.expect(")", token.span)?;
                Ok(inner)
            }
            "A" | "E" if matches!(self.peek(), "[" | "(") => self.path(token, depth),
            "true" => Ok(Written::Const(true)),
            "false" => Ok(Written::Const(false)),
            _ => self.named(token, depth),
        }
    }

    /// `A[p U q]`, `E(G p)`
    fn path(&mut self, letter: &Token, depth: u32) -> Result<Written, Diagnostic> {
        let close = if self.peek() == "[" { "]" } else { ")" };
        let opened = self.here();
        self.next();
        if depth >= MAX_DEPTH {
            return Err(too_deep(opened));
        }
        let inner = self.formula(depth + 1)?;
        let end = self.expect(close, opened)?;
        let quantifier = match letter.text.as_str() {
            "A" => Quantifier::All,
            _ => Quantifier::Exists,
        };
        match inner {
            Written::Unary(None, op, events, p, at) => {
                Ok(Written::Unary(Some(quantifier), op, events, p, at))
            }
            Written::Binary(None, op, p, q, at) => Ok(Written::Binary(Some(quantifier), op, p, q, at)),
            _ => {
                let letter = &letter.text;
                let message = format!("`{letter}[..]` needs one temporal operator, as in `{letter}[p U q]`");
                Err(Diagnostic::error("mixed-logics", opened.to(end), message))
            }
        }
    }

    pub(super) fn atom(&mut self, atom: Atom) -> AtomId {
        let at = self.atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        AtomId(at as u32)
    }

    /// A formula without time and events, as a condition.
    fn condition(&self, formula: &Written, start: Span) -> Result<Condition, Diagnostic> {
        let part = |p: &Written| self.condition(p, start).map(Box::new);
        Ok(match formula {
            Written::Const(value) => Condition::Const(*value),
            Written::Not(p) => Condition::Not(part(p)?),
            Written::Join(Join::And, p, q) => Condition::And(part(p)?, part(q)?),
            Written::Join(Join::Or, p, q) => Condition::Or(part(p)?, part(q)?),
            Written::Atom(id) => match &self.atoms[id.0 as usize] {
                Atom::State(condition) => condition.clone(),
                _ => return Err(no_condition(start)),
            },
            _ => return Err(no_condition(start)),
        })
    }
}

fn is_binary(operator: &str) -> bool {
    matches!(
        operator,
        "&&" | "||" | "->" | "<->" | "xor" | "U" | "R" | "V" | "W"
    )
}

/// Operands with the same operator between them; the place is that of an operator of time, which has two.
fn joined(operator: &str, operands: Vec<Written>, at: Span) -> Written {
    let join = match operator {
        "&&" => Join::And,
        "||" => Join::Or,
        "->" => Join::Implies,
        "<->" => Join::Iff,
        "xor" => Join::Xor,
        _ => return wait(operator, operands, at),
    };
    let operators = vec![join; operands.len() - 1];
    Written::chain(operands, &operators).expect("there is a first operand")
}

/// `p U q` and its like.
fn wait(operator: &str, operands: Vec<Written>, at: Span) -> Written {
    let op = match operator {
        "U" => Binary::Until,
        "W" => Binary::WeakUntil,
        _ => Binary::Release,
    };
    let mut operands = operands.into_iter().map(Box::new);
    let mut next = || operands.next().expect("an operator of time has two operands");
    Written::Binary(None, op, next(), next(), at)
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
    Diagnostic::error("property-syntax", start, "this is no condition on the state").help(
        "`reaches`, `never` and `always` take propositions and comparisons such as `state == 3`, joined by ! && ||; for labels write `|= F`",
    )
}
