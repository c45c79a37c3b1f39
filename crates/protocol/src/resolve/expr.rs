//! Expressions: names looked up, letters and predicates put in, `forall` written out, constants worked out.

use super::fold::{apply, binary, joined, not, truth};
use super::names::{Meaning, Names, Report};
use crate::model::{Expr, FieldId, Operator, Place};
use crate::syntax::lexer::Token;
use crate::syntax::tree::{Every, Name, Node, Tally, Tree};
use fairhold_logic::Join;
use fairhold_source::{Diagnostic, Span};

/// What an expression may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Constants.
    Constant,
    /// Constants and the node's number.
    Node,
    /// A configuration.
    Configuration,
    /// A configuration and the nodes of a rule, two or one.
    Rule { pair: bool },
}

/// A letter: of a pattern, or of `forall`.
#[derive(Clone, Debug)]
pub(super) struct Letter<'t> {
    pub(super) name: &'t str,
    pub(super) expr: Expr,
    /// The field whose value it is.
    pub(super) domain: Option<FieldId>,
}

/// An expression and, if it is the value of a field, which.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) domain: Option<FieldId>,
}

/// A reader of expressions. Whatever goes wrong is reported and gives none.
pub(super) struct Resolver<'a, 't> {
    pub(super) names: &'a Names,
    pub(super) report: &'a mut Report,
    pub(super) tokens: &'a [Token<'t>],
    pub(super) scope: Scope,
    pub(super) letters: Vec<Letter<'t>>,
    /// Letters that would be bound if their patterns were not wrong.
    pub(super) lost: Vec<&'t str>,
    /// Whether this is the condition of a count, where fields are those of the node that is looked at.
    pub(super) each: bool,
    /// Whether this is never looked at, such as `q` in `false && q`: nodes need not exist there.
    pub(super) dead: bool,
}

impl<'a, 't> Resolver<'a, 't> {
    pub(super) fn new(
        names: &'a Names,
        report: &'a mut Report,
        tokens: &'a [Token<'t>],
        scope: Scope,
    ) -> Self {
        Resolver {
            names,
            report,
            tokens,
            scope,
            letters: Vec::new(),
            lost: Vec::new(),
            each: false,
            dead: false,
        }
    }

    /// The meaning of an expression.
    pub(super) fn expr(&mut self, tree: &Tree<'t>) -> Option<Expr> {
        self.typed(tree, None).map(|t| t.expr)
    }

    /// The meaning of an expression that is compared with, or given to, the field `expected`.
    pub(super) fn typed(&mut self, tree: &Tree<'t>, expected: Option<FieldId>) -> Option<Typed> {
        self.report.grow(1, tree.span)?;
        let expr = match &tree.node {
            Node::Number(value) => Expr::Const(*value),
            Node::Name(name) => return self.name((name, tree.span), expected),
            Node::Dotted(name, parts) => return self.dotted(*name, parts, tree.span),
            Node::At(field, index) => return self.at(*field, index),
            Node::CountField(field) => {
                self.configuration("a count", tree.span)?;
                let id = self.field(*field)?;
                self.boolean(
                    id,
                    field.1,
                    "only nodes where a boolean field is 1 are counted so",
                )?;
                Expr::Count(Box::new(Expr::Field(Place::Each, id)))
            }
            Node::Count(tally, condition) => {
                self.configuration("a count", tree.span)?;
                let outer = std::mem::replace(&mut self.each, true);
                let condition = self.expr(condition);
                self.each = outer;
                let count = Expr::Count(Box::new(condition?));
                match tally {
                    Tally::Number => count,
                    Tally::All => {
                        let nodes = Expr::Const(self.names.nodes as i32);
                        binary(Operator::Equal, count, nodes, tree.span)
                    }
                    Tally::Some => binary(Operator::Greater, count, Expr::Const(0), tree.span),
                }
            }
            Node::Not(inner) => {
                let expr = self.expr(inner)?;
                not(expr)
            }
            Node::Minus(inner) => match self.expr(inner)? {
                Expr::Const(value) => Expr::Const(self.counted(value.checked_neg(), tree.span)?),
                expr => Expr::Minus(Box::new(expr)),
            },
            Node::Binary(operator @ (Operator::And | Operator::Or), a, b, at) => {
                self.lazily(*operator, a, b, *at, false)?
            }
            Node::Binary(operator, a, b, at) => self.binary(*operator, a, b, *at)?,
            Node::Join(Join::Implies, a, b) => self.lazily(Operator::Or, a, b, tree.span, true)?,
            Node::Join(join, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let operator = match join {
                    Join::And => Operator::And,
                    Join::Or => Operator::Or,
                    Join::Xor => Operator::Unequal,
                    _ => Operator::Equal,
                };
                let (a, b) = (truth(a?, tree.span), truth(b?, tree.span));
                self.folded(operator, a, b, tree.span)?
            }
            Node::Quantified(every, letter, inner) => {
                let parts = self.for_each_node(*letter, |r| r.expr(inner))?;
                let operator = match every {
                    Every::All => Operator::And,
                    Every::Some => Operator::Or,
                };
                joined(operator, parts, tree.span)
            }
            Node::Quoted(_) => return self.event_here(tree.span),
            Node::Call((name, at), _) => {
                let message = format!("`{name}(..)` is no condition on a configuration");
                return self
                    .report
                    .error(Diagnostic::error("not-a-condition", *at, message));
            }
            Node::Temporal(.., at) | Node::Often(.., at) | Node::Until(.., at) => {
                let message = "an operator of time in a condition on one configuration";
                return self
                    .report
                    .error(Diagnostic::error("not-a-condition", *at, message));
            }
        };
        Some(Typed { expr, domain: None })
    }

    /// Reads something once for every node, with the letter for its number.
    pub(super) fn for_each_node<T>(
        &mut self,
        letter: Name<'t>,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (name, span) = letter;
        let in_rule = matches!(self.scope, Scope::Rule { .. });
        let free = matches!(name, "i" | "r") && !in_rule;
        if crate::syntax::words::is_reserved(name, false) && !free {
            let message = format!("`{name}` means something else already");
            let help = "take another letter";
            return self
                .report
                .error(Diagnostic::error("reserved-name", span, message).help(help));
        }
        let known = self.letters.iter().any(|l| l.name == name) || self.names.meaning(name).is_some();
        if known {
            let message = format!("`{name}` means something else already");
            let help = "take another letter";
            return self
                .report
                .error(Diagnostic::error("duplicate-name", span, message).help(help));
        }
        let mut parts = Vec::new();
        for node in 0..self.names.nodes {
            self.letters.push(Letter {
                name,
                expr: Expr::Const(node as i32),
                domain: None,
            });
            let part = read(self);
            self.letters.pop();
            // What is wrong for one node is most likely wrong for all.
            parts.push(part?);
        }
        Some(parts)
    }

    /// `i.leader`
    fn dotted(&mut self, (name, span): Name<'t>, parts: &[Tree<'t>], whole: Span) -> Option<Typed> {
        if !matches!(name, "i" | "r") {
            return self.event_here(whole);
        }
        let place = self.rule_node(name, span)?;
        let [
            Tree {
                node: Node::Name(field),
                span,
            },
        ] = parts
        else {
            let message = format!("after `{name}.` comes a field");
            return self
                .report
                .error(Diagnostic::error("unknown-field", whole, message));
        };
        let id = self.field((field, *span))?;
        let (expr, domain) = (Expr::Field(place, id), Some(id));
        Some(Typed { expr, domain })
    }

    /// `leader[0]`
    fn at(&mut self, field: Name<'t>, index: &Tree<'t>) -> Option<Typed> {
        let id = self.field(field);
        let place = index.span;
        // The node is chosen in terms of the one that is looked at, if any.
        let index = self.expr(index);
        let id = id?;
        self.configuration("a field", field.1)?;
        let index = index?;
        if let Expr::Const(node) = index
            && !self.dead
        {
            self.node(node, place)?;
        }
        let expr = Expr::Field(Place::At(Box::new(index)), id);
        Some(Typed {
            expr,
            domain: Some(id),
        })
    }

    /// `a && b`, `a || b`, and `a -> b` as `!a || b`: the second is not looked at if the first decides.
    fn lazily(
        &mut self,
        operator: Operator,
        a: &Tree<'t>,
        b: &Tree<'t>,
        at: Span,
        negated: bool,
    ) -> Option<Expr> {
        let a = self.expr(a).map(|a| if negated { not(a) } else { a });
        let decides = |value: i32| (value != 0) == (operator == Operator::Or);
        let decided = matches!(a, Some(Expr::Const(value)) if decides(value));
        let before = self.dead;
        self.dead |= decided;
        let b = self.expr(b);
        self.dead = before;
        let (a, b) = (a?, b?);
        Some(match a {
            Expr::Const(_) if decided => Expr::Const(i32::from(operator == Operator::Or)),
            Expr::Const(_) => truth(b, at),
            // The second is neutral; if it decides, the first is looked at all the same, for it may go wrong.
            a if matches!(b, Expr::Const(value) if !decides(value)) => truth(a, at),
            a => binary(operator, a, b, at),
        })
    }

    fn binary(&mut self, operator: Operator, a: &Tree<'t>, b: &Tree<'t>, at: Span) -> Option<Expr> {
        let arithmetic = matches!(
            operator,
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Modulo
        );
        if arithmetic {
            let (a, b) = (self.expr(a), self.expr(b));
            return self.folded(operator, a?, b?, at);
        }
        // The name of a value means what the other side makes of it.
        let (a, b) = match (self.is_value(a), self.is_value(b)) {
            (true, false) => {
                let b = self.typed(b, None);
                let expected = b.as_ref().and_then(|b| b.domain);
                (self.typed(a, expected), b)
            }
            (false, true) => {
                let a = self.typed(a, None);
                let expected = a.as_ref().and_then(|a| a.domain);
                (a, self.typed(b, expected))
            }
            _ => (self.typed(a, None), self.typed(b, None)),
        };
        let (a, b) = (a?, b?);
        if matches!(operator, Operator::Equal | Operator::Unequal) {
            self.possible(&a, &b, at);
            self.possible(&b, &a, at);
        }
        self.folded(operator, a.expr, b.expr, at)
    }

    fn is_value(&self, tree: &Tree<'t>) -> bool {
        let Node::Name(name) = tree.node else {
            return false;
        };
        matches!(self.names.meaning(name), Some(Meaning::Value(_)))
            && !self.letters.iter().any(|l| l.name == name)
    }

    /// Warns if a field is compared with what it never is.
    fn possible(&mut self, field: &Typed, other: &Typed, at: Span) {
        let (Expr::Field(..), Some(id), Expr::Const(value)) = (&field.expr, field.domain, &other.expr) else {
            return;
        };
        let field = self.names.field(id);
        if self.dead || (field.low..=field.high).contains(value) {
            return;
        }
        let message = format!("`{}` is never {value}", field.name);
        let warning = Diagnostic::warning("never-equal", at, message).help(values(field));
        self.report.diagnostics.push(warning);
    }

    /// An operation, worked out if both sides are known.
    fn folded(&mut self, operator: Operator, a: Expr, b: Expr, at: Span) -> Option<Expr> {
        match (&a, &b) {
            (Expr::Const(a), Expr::Const(b)) => {
                let value = apply(operator, *a, *b);
                Some(Expr::Const(self.counted(value, at)?))
            }
            _ => Some(binary(operator, a, b, at)),
        }
    }

    /// The value of a constant expression, if it has one.
    fn counted(&mut self, value: Option<i32>, span: Span) -> Option<i32> {
        if value.is_none() && self.dead {
            return Some(0);
        }
        if value.is_none() {
            let message = "this has no value: it divides by zero, or leaves the 32-bit numbers";
            return self
                .report
                .error(Diagnostic::error("constant-error", span, message));
        }
        value
    }

    /// A part of the text as written, blanks collapsed and letters for nodes replaced by their numbers.
    pub(super) fn written(&self, span: Span) -> String {
        let from = self.tokens.partition_point(|t| t.span.start < span.start);
        let to = self.tokens.partition_point(|t| t.span.start < span.end);
        let letter = |word: &str| self.letters.iter().find(|l| l.name == word).map(|l| &l.expr);
        text_of(&self.tokens[from..to], &letter)
    }
}

/// Words as a text: with one blank wherever there were some.
pub(super) fn text_of<'e>(tokens: &[Token<'_>], letter: &dyn Fn(&str) -> Option<&'e Expr>) -> String {
    use crate::syntax::lexer::Kind;
    let mut text = String::new();
    let mut end = tokens.first().map_or(0, |t| t.span.start);
    for token in tokens {
        if token.span.start > end {
            text.push(' ');
        }
        end = token.span.end;
        match (token.kind, letter(token.text)) {
            (Kind::Quoted, _) => {
                text.push('"');
                text.push_str(token.text);
                text.push('"');
            }
            (Kind::Word, Some(Expr::Const(node))) => text.push_str(&node.to_string()),
            _ => text.push_str(token.text),
        }
    }
    text
}

/// The values of a field, in words.
pub(super) fn values(field: &crate::model::Field) -> String {
    match field.names.as_slice() {
        [] => format!("its values are {}..{}", field.low, field.high),
        names => format!("its values are {}", names.join(", ")),
    }
}

/// A value of a field as people write it.
pub(super) fn value_name(field: &crate::model::Field, value: i32) -> String {
    let at = usize::try_from(i64::from(value) - i64::from(field.low)).ok();
    at.and_then(|at| field.names.get(at))
        .map_or_else(|| value.to_string(), Clone::clone)
}
