//! Bounds on expressions.
//!
//! Macros can make huge expressions of small texts, and deep ones of flat texts. So the nodes that macros make are
//! counted, the levels of every expression are bounded, and so are the levels of the walk that makes it: whoever walks
//! an expression or a program may recurse.

use super::Resolver;
use super::expression::{Ty, Typed};
use crate::model::{Expr, Stmt, Target, Values};
use crate::syntax::SyntaxNode;
use fairhold_source::{Diagnostic, Span};

/// Levels an expression may have.
const MAX_DEPTH: u32 = 1000;
/// Levels of nested expressions and statements, macros expanded; a chain of operators is one level.
const MAX_LEVEL: u32 = 500;
/// Nodes that an expression may have, and that the macros of a model may make.
const MAX_SIZE: usize = 1_000_000;

impl Resolver {
    /// Enters an expression or a statement; reports one that is nested too deep. Every yes is matched by an `ascend`.
    pub(super) fn descend(&mut self, node: &SyntaxNode) -> bool {
        if self.level >= MAX_LEVEL {
            self.too_long(self.span(node));
            return false;
        }
        self.level += 1;
        true
    }

    /// Leaves an expression or a statement.
    pub(super) fn ascend(&mut self) {
        self.level -= 1;
    }

    /// A node made of others, unless it is too big.
    pub(super) fn built(&mut self, at: Span, expr: Expr, ty: Ty, below: &[(u32, usize)]) -> Typed {
        let depth = 1 + below.iter().map(|b| b.0).max().unwrap_or(0);
        let size = 1 + below.iter().map(|b| b.1).sum::<usize>();
        if depth > MAX_DEPTH || size > MAX_SIZE || !self.spend(1) {
            self.too_long(at);
            return Typed::wrong();
        }
        Typed {
            expr,
            ty,
            depth,
            size,
        }
    }

    /// Counts nodes that a macro makes; false if there are too many.
    pub(super) fn spend(&mut self, nodes: usize) -> bool {
        if !self.expanding.is_empty() {
            self.expanded = self.expanded.saturating_add(nodes);
        }
        self.expanded <= MAX_SIZE
    }

    /// Reports an expression that is too long.
    pub(super) fn too_long(&mut self, at: Span) {
        let message = "this expression is too long";
        let help = format!("at most {MAX_DEPTH} levels of operators; split it with `#define`s or a program");
        self.report
            .once("", Diagnostic::error("too-long", at, message).help(help));
    }
}

/// Levels and nodes of statements.
fn measure_all(body: &[Stmt]) -> (u32, usize) {
    let join = |a: (u32, usize), b: (u32, usize)| (a.0.max(b.0), a.1.saturating_add(b.1));
    let one = |stmt: &Stmt| match stmt {
        Stmt::Expr(e) | Stmt::Local(_, e) => measure(e),
        Stmt::LocalArray(_, values) => values.iter().map(measure).fold((0, 0), join),
        Stmt::If(condition, then, otherwise) => {
            let branches = std::iter::once(then).chain(otherwise);
            let branches = branches.map(|b| measure_all(std::slice::from_ref(b)));
            branches.fold(measure(condition), join)
        }
        Stmt::While(condition, body, _) => join(measure(condition), measure_all(std::slice::from_ref(body))),
        Stmt::Block(body) => measure_all(body),
    };
    let below = body.iter().map(one).fold((0, 0), join);
    (below.0 + 1, below.1.saturating_add(1))
}

/// Levels and nodes of an expression, for the rare ones whose parts are not all measured when they are built.
pub(super) fn measure(expr: &Expr) -> (u32, usize) {
    fn all<'a>(parts: impl IntoIterator<Item = &'a Expr>) -> (u32, usize) {
        let join = |a: (u32, usize), b: (u32, usize)| (a.0.max(b.0), a.1.saturating_add(b.1));
        parts.into_iter().map(measure).fold((0, 0), join)
    }
    let below = match expr {
        Expr::Const(_) | Expr::Bound(_) | Expr::Local(_) | Expr::Var(..) | Expr::Fault(_) => (0, 0),
        Expr::Element(_, indices, _) => all(indices),
        Expr::Unary(_, e, _) => measure(e),
        Expr::Binary(_, a, b, _) => all([&**a, &**b]),
        Expr::Channel(_, channel) => all(channel.index.as_deref()),
        Expr::Ask(_, operands, _)
        | Expr::Call(_, operands, _)
        | Expr::Array(operands, _)
        | Expr::Change(_, _, operands, _) => all(operands),
        Expr::Program(body, _) => measure_all(body),
        Expr::Assign(target, e, _) => match target {
            Target::Var(_) | Target::Local(_) => measure(e),
            Target::Element(_, indices) => all(indices.iter().chain([&**e])),
            Target::LocalElement(_, index) => all([&**index, &**e]),
        },
        Expr::Quantified(_, bindings, body) => {
            let values = bindings.iter().flat_map(|b| match &b.values {
                Values::List(list) => list.iter().collect::<Vec<_>>(),
                Values::Range(lower, upper) => vec![&**lower, &**upper],
            });
            all(values.chain([&**body]))
        }
    };
    (below.0 + 1, below.1.saturating_add(1))
}
