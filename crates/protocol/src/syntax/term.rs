//! Expressions and formulas: one grammar, since `p && q` is either until its parts are known.
//!
//! From the loosest: `-> <-> xor U R V W`, `||`, `&&`, operators of time before their operand, comparisons, `+ -`, `* / %`, `!` and
//! `-` before their operand. Of the first group, no two meet without parentheses, nor does one meet `&&` or `||`: textbooks and tools
//! disagree on those, so nothing is guessed. Nor may a comparison meet another, or follow `!x`. Outside formulas, there are no operators of
//! time and no `->`.

use super::lexer::Kind;
use super::parser::{Parser, Result};
use super::tree::{Every, Node, Often, Tally, Tree};
use super::words::is_keyword;
use crate::model::Operator;
use fairhold_logic::{Binary, Join, Quantifier, Unary};
use fairhold_source::{Diagnostic, Span};

/// What is nested deeper than this is refused: it is walked by recursion.
const MAX_DEPTH: u32 = 200;

/// The connectives of the loosest kinds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    Operator(Operator),
    Join(Join),
    Until(Binary),
}

impl<'t> Parser<'_, 't> {
    /// An expression, without operators of time.
    pub(super) fn expression(&mut self) -> Result<Tree<'t>> {
        self.in_mode(false, |p| p.connected(0))
    }

    /// A formula.
    pub(super) fn whole_formula(&mut self) -> Result<Tree<'t>> {
        self.in_mode(true, |p| p.connected(0))
    }

    /// Terms joined by `+` and `-`.
    pub(super) fn sum(&mut self) -> Result<Tree<'t>> {
        self.in_mode(false, |p| p.sums(0))
    }

    fn in_mode<T>(&mut self, formula: bool, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.formula, formula);
        let result = read(self);
        self.formula = before;
        result
    }

    /// A node at the end of an edge, where `--` is not a sum.
    pub(super) fn edge_end(&mut self) -> Result<Tree<'t>> {
        self.in_mode(false, |p| {
            let mut left = p.primary(0)?;
            let mut depth = 0;
            while p.at("+") || (p.at("-") && !p.is(1, "-")) {
                depth += 1;
                let operator = if p.at("+") {
                    Operator::Add
                } else {
                    Operator::Subtract
                };
                let at = p.skip();
                deep_enough(depth, at)?;
                left = binary(operator, left, p.primary(0)?, at);
            }
            Ok(left)
        })
    }

    fn connective(&self) -> Option<Connective> {
        Some(match self.sign() {
            "&&" | "&" | "and" => Connective::Operator(Operator::And),
            "||" | "|" | "or" => Connective::Operator(Operator::Or),
            "->" if self.formula => Connective::Join(Join::Implies),
            "<->" if self.formula => Connective::Join(Join::Iff),
            "xor" if self.formula => Connective::Join(Join::Xor),
            "U" if self.formula => Connective::Until(Binary::Until),
            "R" | "V" if self.formula => Connective::Until(Binary::Release),
            "W" if self.formula => Connective::Until(Binary::WeakUntil),
            _ => return None,
        })
    }

    /// Operands and the connectives between them.
    fn connected(&mut self, depth: u32) -> Result<Tree<'t>> {
        let mut operands = vec![self.operand(depth)?];
        let mut connectives: Vec<(Connective, &'t str, Span)> = Vec::new();
        while let Some(connective) = self.connective() {
            // At the beginning of a line, before a colon, this is a rule with a bad name.
            if self.at_rule() {
                break;
            }
            let sign = self.sign();
            let at = self.skip();
            if let Some((first, written, _)) = connectives.first() {
                let plain = |c: Connective| matches!(c, Connective::Operator(_));
                if !plain(*first) || !plain(connective) {
                    return Err(ambiguous(at, written, sign));
                }
            }
            connectives.push((connective, sign, at));
            operands.push(self.operand(depth)?);
        }
        let Some(&(first, _, at)) = connectives.first() else {
            return Ok(operands.pop().expect("there is a first operand"));
        };
        if let Connective::Join(_) | Connective::Until(_) = first {
            let right = Box::new(operands.pop().expect("an operand follows a connective"));
            let left = Box::new(operands.pop().expect("there is a first operand"));
            let span = left.span.to(right.span);
            let node = match first {
                Connective::Until(op) => Node::Until(None, op, left, right, at),
                Connective::Join(op) => Node::Join(op, left, right),
                Connective::Operator(_) => unreachable!("looked at above"),
            };
            return Ok(Tree { node, span });
        }
        // `&&` binds tighter than `||`.
        let mut places = connectives.into_iter();
        let mut operands = operands.into_iter();
        let mut group = vec![(operands.next().expect("there is a first operand"), at)];
        let mut groups = Vec::new();
        for operand in operands {
            let (connective, _, at) = places.next().expect("a connective between two operands");
            if connective == Connective::Operator(Operator::Or) {
                let done = std::mem::take(&mut group);
                groups.push((balanced(Operator::And, done), at));
            }
            group.push((operand, at));
        }
        groups.push((balanced(Operator::And, group), at));
        // The place of an `||` is kept with the operand before it; `balanced` wants it with the one after.
        for k in (1..groups.len()).rev() {
            groups[k].1 = groups[k - 1].1;
        }
        Ok(balanced(Operator::Or, groups))
    }

    /// The operator of time that stands here.
    fn temporal(&self) -> Option<(Option<Quantifier>, Unary)> {
        if !self.formula {
            return None;
        }
        let sign = self.sign();
        Some(match sign {
            "[]" | "G" => (None, Unary::Globally),
            "<>" | "F" => (None, Unary::Finally),
            "X" => (None, Unary::Next),
            _ => {
                let (quantifier, unary) = Quantifier::of_word(sign)?;
                (Some(quantifier), unary)
            }
        })
    }

    fn at_time(&self) -> bool {
        self.temporal().is_some() || (self.formula && matches!(self.sign(), "GF" | "FG"))
    }

    /// An operand of a connective: a comparison, or an operator of time before one.
    fn operand(&mut self, depth: u32) -> Result<Tree<'t>> {
        deep_enough(depth, self.here())?;
        if self.formula && matches!(self.sign(), "GF" | "FG") {
            let often = if self.at("GF") {
                Often::Infinitely
            } else {
                Often::Finally
            };
            let at = self.skip();
            let operand = Box::new(self.operand(depth + 1)?);
            let span = at.to(operand.span);
            return Ok(Tree {
                node: Node::Often(often, operand, at),
                span,
            });
        }
        let Some((quantifier, unary)) = self.temporal() else {
            return self.comparison(depth);
        };
        let at = self.skip();
        let events = match (quantifier, unary) {
            (Some(_), Unary::Next) if self.at("{") => Some(self.events(depth)?),
            _ => None,
        };
        let operand = Box::new(self.operand(depth + 1)?);
        let span = at.to(operand.span);
        Ok(Tree {
            node: Node::Temporal(quantifier, unary, events, operand, at),
            span,
        })
    }

    /// The events of `EX{a, b}`.
    fn events(&mut self, depth: u32) -> Result<Vec<Tree<'t>>> {
        let opened = self.skip();
        let mut events = vec![self.primary(depth + 1)?];
        while self.eat(",") {
            events.push(self.primary(depth + 1)?);
        }
        self.close("}", opened)?;
        Ok(events)
    }

    fn comparator(&self) -> Option<Operator> {
        Some(match self.sign() {
            "==" | "=" => Operator::Equal,
            "!=" => Operator::Unequal,
            "<" => Operator::Less,
            "<=" => Operator::AtMost,
            ">" => Operator::Greater,
            ">=" => Operator::AtLeast,
            _ => return None,
        })
    }

    /// Takes an operator that compares, as in `leader = 1`.
    pub(super) fn take_comparator(&mut self) -> Option<(Operator, Span)> {
        let operator = self.comparator()?;
        Some((operator, self.skip()))
    }

    fn comparison(&mut self, depth: u32) -> Result<Tree<'t>> {
        let negated = self.at("!") || self.at("not");
        let left = self.sums(depth)?;
        let sign = self.sign();
        let Some((operator, at)) = self.take_comparator() else {
            return Ok(left);
        };
        if negated {
            return Err(ambiguous(at, "!", sign));
        }
        let right = self.sums(depth)?;
        if self.comparator().is_some() {
            return Err(ambiguous(self.here(), sign, self.sign()));
        }
        Ok(binary(operator, left, right, at))
    }

    fn sums(&mut self, depth: u32) -> Result<Tree<'t>> {
        let mut left = self.products(depth)?;
        let mut operands = depth;
        loop {
            let operator = match self.sign() {
                "+" => Operator::Add,
                "-" => Operator::Subtract,
                _ => return Ok(left),
            };
            let at = self.skip();
            operands += 1;
            deep_enough(operands, at)?;
            let right = self.products(depth)?;
            left = binary(operator, left, right, at);
        }
    }

    fn products(&mut self, depth: u32) -> Result<Tree<'t>> {
        let mut left = self.unary(depth)?;
        let mut operands = depth;
        loop {
            let operator = match self.sign() {
                "*" => Operator::Multiply,
                "/" => Operator::Divide,
                "%" => Operator::Modulo,
                _ => return Ok(left),
            };
            let at = self.skip();
            operands += 1;
            deep_enough(operands, at)?;
            let right = self.unary(depth)?;
            left = binary(operator, left, right, at);
        }
    }

    fn unary(&mut self, depth: u32) -> Result<Tree<'t>> {
        deep_enough(depth, self.here())?;
        let not = self.at("!") || self.at("not");
        if !not && !self.at("-") {
            return self.primary(depth);
        }
        let start = self.skip();
        let operand = match not && self.at_time() {
            true => self.operand(depth + 1)?,
            false => self.unary(depth + 1)?,
        };
        let span = start.to(operand.span);
        let operand = Box::new(operand);
        let node = if not {
            Node::Not(operand)
        } else {
            Node::Minus(operand)
        };
        Ok(Tree { node, span })
    }

    /// Whether an expression can begin with the next word.
    pub(super) fn starts_expression(&self) -> bool {
        match self.peek() {
            Some(t) => match t.kind {
                Kind::Word => !is_keyword(t.text) && !self.at_rule(),
                Kind::Number | Kind::Quoted => true,
                Kind::Sign => matches!(t.text, "(" | "#" | "-" | "!"),
            },
            None => false,
        }
    }

    fn primary(&mut self, depth: u32) -> Result<Tree<'t>> {
        deep_enough(depth, self.here())?;
        let what = if self.formula {
            "a formula"
        } else {
            "an expression"
        };
        let Some(token) = self.peek() else {
            return Err(self.expected(what));
        };
        let start = token.span;
        let node = match token.kind {
            Kind::Number => {
                self.skip();
                let Ok(number) = token.text.parse() else {
                    let message = format!("numbers end at {}", i32::MAX);
                    return Err(self.wrong(start, message));
                };
                Node::Number(number)
            }
            Kind::Quoted => {
                self.skip();
                Node::Quoted(token.text)
            }
            Kind::Word if is_keyword(token.text) || self.at_rule() => return Err(self.expected(what)),
            Kind::Word => return self.named(depth),
            Kind::Sign => match token.text {
                "(" => {
                    self.skip();
                    let mut inner = self.connected(depth + 1)?;
                    inner.span = start.to(self.close(")", start)?);
                    return Ok(inner);
                }
                "#" if self.is(1, "{") => {
                    self.skip();
                    Node::Count(Tally::Number, Box::new(self.braced(depth)?))
                }
                "#" => {
                    self.skip();
                    Node::CountField(self.name("a field, or `{` and a condition")?)
                }
                "[]" | "<>" => {
                    let message = format!("`{}` can stand in the formula of an assertion only", token.text);
                    return Err(self.wrong(start, message));
                }
                _ => return Err(self.expected(what)),
            },
        };
        let span = start.to(self.last());
        Ok(Tree { node, span })
    }

    /// `{condition}`
    fn braced(&mut self, depth: u32) -> Result<Tree<'t>> {
        let opened = self.expect("{", "`{` and a condition")?;
        let inner = self.in_mode(false, |p| p.connected(depth + 1))?;
        self.close("}", opened)?;
        Ok(inner)
    }

    /// Whatever begins with a word.
    fn named(&mut self, depth: u32) -> Result<Tree<'t>> {
        let start = self.here();
        let word = self.sign();
        let follows = |p: &Self, sign: &str| p.is(1, sign);
        let node = if matches!(word, "all" | "some") && follows(self, "{") {
            self.skip();
            let tally = if word == "all" { Tally::All } else { Tally::Some };
            Node::Count(tally, Box::new(self.braced(depth)?))
        } else if matches!(word, "forall" | "exists") {
            self.skip();
            let letter = self.name("a letter for the node")?;
            self.expect(":", "`:` and what is said of the node")?;
            let every = if word == "forall" { Every::All } else { Every::Some };
            Node::Quantified(every, letter, Box::new(self.connected(depth + 1)?))
        } else if self.formula && matches!(word, "A" | "E") && (follows(self, "[") || follows(self, "(")) {
            return self.path(depth);
        } else if follows(self, "[") {
            self.skip();
            let opened = self.skip();
            let index = self.in_mode(false, |p| p.connected(depth + 1))?;
            self.close("]", opened)?;
            Node::At((word, start), Box::new(index))
        } else if follows(self, "(") {
            self.skip();
            self.call((word, start), depth)?
        } else if follows(self, ".") {
            self.skip();
            let mut parts = Vec::new();
            while self.eat(".") {
                parts.push(self.dotted(depth)?);
            }
            Node::Dotted((word, start), parts)
        } else {
            self.skip();
            Node::Name(word)
        };
        let span = start.to(self.last());
        Ok(Tree { node, span })
    }

    /// What follows a dot: a number, a name, or an expression in parentheses.
    fn dotted(&mut self, depth: u32) -> Result<Tree<'t>> {
        match self.peek() {
            Some(t) if t.kind == Kind::Word && !is_keyword(t.text) => {
                let span = self.skip();
                Ok(Tree {
                    node: Node::Name(t.text),
                    span,
                })
            }
            Some(t) if t.kind == Kind::Number || t.text == "(" => {
                self.in_mode(false, |p| p.primary(depth + 1))
            }
            _ => Err(self.expected("a field or the number of a node")),
        }
    }

    /// `enabled(e)`, `rabin(p, q; r, s)`
    fn call(&mut self, name: (&'t str, Span), depth: u32) -> Result<Node<'t>> {
        let opened = self.skip();
        let mut groups = vec![Vec::new()];
        loop {
            let part = self.connected(depth + 1)?;
            groups.last_mut().expect("never empty").push(part);
            if self.eat(";") {
                groups.push(Vec::new());
            } else if !self.eat(",") {
                break;
            }
        }
        self.close(")", opened)?;
        Ok(Node::Call(name, groups))
    }

    /// `A[p U q]`, `E(G p)`
    fn path(&mut self, depth: u32) -> Result<Tree<'t>> {
        let letter = self.sign();
        let start = self.skip();
        let close = if self.at("[") { "]" } else { ")" };
        let opened = self.skip();
        let inner = self.connected(depth + 1)?;
        let span = start.to(self.close(close, opened)?);
        let quantifier = match letter {
            "A" => Quantifier::All,
            _ => Quantifier::Exists,
        };
        let node = match inner.node {
            Node::Temporal(None, op, events, p, at) => Node::Temporal(Some(quantifier), op, events, p, at),
            Node::Until(None, op, p, q, at) => Node::Until(Some(quantifier), op, p, q, at),
            _ => {
                let message = format!("`{letter}[..]` needs one temporal operator, as in `{letter}[p U q]`");
                return Err(Box::new(Diagnostic::error("mixed-logics", span, message)));
            }
        };
        Ok(Tree { node, span })
    }
}

fn binary<'t>(operator: Operator, left: Tree<'t>, right: Tree<'t>, at: Span) -> Tree<'t> {
    Tree {
        span: left.span.to(right.span),
        node: Node::Binary(operator, Box::new(left), Box::new(right), at),
    }
}

/// Joins operands by an associative operator in a tree of little depth. Each operand is with the place of the operator before it.
fn balanced<'t>(operator: Operator, mut parts: Vec<(Tree<'t>, Span)>) -> Tree<'t> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some((left, before)) = rest.next() {
            next.push(match rest.next() {
                Some((right, at)) => (binary(operator, left, right, at), before),
                None => (left, before),
            });
        }
        parts = next;
    }
    parts.pop().expect("there is an operand").0
}

fn ambiguous(span: Span, first: &str, second: &str) -> Box<Diagnostic> {
    let message = format!("`{first}` and then `{second}`: which binds tighter?");
    Box::new(Diagnostic::error("ambiguous-operators", span, message).help("put parentheses"))
}

fn deep_enough(depth: u32, span: Span) -> Result<()> {
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    let message = format!("nested more than {MAX_DEPTH} levels deep");
    Err(Box::new(Diagnostic::error("too-deep", span, message)))
}
