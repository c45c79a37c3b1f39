//! Macros: `#define` with a proposition, an expression or a program.
//!
//! The body is resolved anew at each use, seeing global names and its parameters only; parameters stand for the
//! arguments, which were resolved where the macro is used. Channel questions (`call(ccount, c)`) share the syntax
//! and are resolved here too.

use super::Resolver;
use super::expression::{Ty, Typed, count, given};
use super::names::{Found, MacroId, Meaning};
use super::size::measure;
use super::tree;
use crate::library::Function;
use crate::model::{At, ChannelRef, Expr, Query, Stmt, Type};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use fairhold_source::{Diagnostic, Span};

/// Macros may use macros so many levels deep.
const MAX_NESTING: usize = 64;
/// What an expansion costs, in nodes.
const EXPANSION: usize = 10;

impl Resolver {
    /// A macro used as a value.
    pub(super) fn expand_expr(&mut self, id: MacroId, args: Vec<Typed>, at: Span) -> Typed {
        let result = self.expand(id, args, at, |this, body| match tree::is_expr(body.kind()) {
            true => this.expr(body),
            false => this.program_as_value(body, at),
        });
        result.unwrap_or_else(Typed::wrong)
    }

    /// A macro that is a program, where a value is needed: the value of the last expression it evaluates.
    fn program_as_value(&mut self, body: &SyntaxNode, at: Span) -> Typed {
        let mut stmts = self.statement(body);
        while let [Stmt::Block(inner)] = stmts.as_mut_slice() {
            stmts = std::mem::take(inner);
        }
        let expr = match stmts.as_slice() {
            [Stmt::Expr(e)] => e.clone(),
            _ => Expr::Program(stmts, At(at)),
        };
        let (depth, size) = measure(&expr);
        Typed {
            expr,
            ty: Ty::Any,
            depth,
            size,
        }
    }

    /// A macro used as a statement.
    pub(super) fn expand_stmt(&mut self, id: MacroId, args: Vec<Typed>, at: Span) -> Option<Stmt> {
        self.expand(id, args, at, |this, body| {
            if tree::is_expr(body.kind()) {
                Stmt::Expr(this.expr(body).expr)
            } else {
                let mut stmts = this.statement(body);
                if stmts.len() == 1 {
                    stmts.remove(0)
                } else {
                    Stmt::Block(stmts)
                }
            }
        })
    }

    /// Runs `f` on a macro's body in the macro's scope; nothing if that cannot be.
    fn expand<T>(
        &mut self,
        id: MacroId,
        args: Vec<Typed>,
        at: Span,
        f: impl FnOnce(&mut Resolver, &SyntaxNode) -> T,
    ) -> Option<T> {
        let definition = self.names.macros[id.0 as usize].clone();
        let name = &definition.name;
        if self.expanding.contains(&id) {
            let message = format!("`{name}` is defined by itself");
            self.report
                .once(name, Diagnostic::error("define-cycle", definition.span, message));
            return None;
        }
        if self.expanding.len() >= MAX_NESTING || !self.spend(EXPANSION) {
            self.too_long(at);
            return None;
        }
        if definition.params.len() != args.len() {
            let message = format!(
                "`{name}` has {}, but {} given",
                count(definition.params.len(), "parameter"),
                given(args.len(), "argument", "arguments"),
            );
            let mut error =
                Diagnostic::error("wrong-arguments", at, message).also(definition.span, "defined here");
            if args.is_empty() {
                error = error.help(format!("write `call({name}, {})`", definition.params.join(", ")));
            }
            self.report.once(name, error);
            return None;
        }
        let mark = self.scope.mark();
        let origin = std::mem::replace(&mut self.origin, definition.origin);
        self.scope.hide_all();
        for (param, arg) in definition.params.iter().zip(args) {
            self.scope.substitute(param, arg);
        }
        self.expanding.push(id);
        let result = f(self, &SyntaxNode::new_root(definition.body));
        self.expanding.pop();
        self.scope.leave(mark);
        self.origin = origin;
        Some(result)
    }

    /// Resolves every macro once by itself, so that mistakes show in those that are never used.
    pub(super) fn check_macros(&mut self) {
        for i in 0..self.names.macros.len() {
            let definition = &self.names.macros[i];
            let span = definition.span;
            let args = definition.params.iter().map(|_| Typed::wrong()).collect();
            self.scope.in_program = true;
            self.expand_stmt(MacroId(i as u32), args, span);
            self.scope.in_program = false;
        }
        self.scope.locals = 0;
    }

    /// `call(name, ...)` as a value.
    pub(super) fn call_expr(&mut self, node: &SyntaxNode) -> Typed {
        let Some(name) = tree::ident(node) else {
            return Typed::wrong();
        };
        if let Some(query) = query(name.text()) {
            return self.question(node, query);
        }
        let span = self.span(node);
        if let Some(function) = Function::by_name(name.text())
            && matches!(self.names.find(name.text()), Found::Nothing)
        {
            return self.function(node, function);
        }
        match self.callee(&name) {
            Some(id) => {
                let args = self.macro_args(node);
                self.expand_expr(id, args, span)
            }
            None => Typed::wrong(),
        }
    }

    /// The macro that `call(name, ...)` calls.
    pub(super) fn callee(&mut self, name: &SyntaxToken) -> Option<MacroId> {
        let span = self.origin.token(name);
        match self.names.find(name.text()) {
            Found::Meaning(Meaning::Macro(id)) => return Some(id),
            Found::Meaning(other) => self.unfit(name.text(), &other, span, "a macro"),
            Found::Doubtful => {}
            Found::Nothing => self.unknown(name.text(), span, "macro", |m| matches!(m, Meaning::Macro(_))),
        }
        None
    }

    /// The arguments of `call(name, ...)`, resolved where they stand.
    pub(super) fn macro_args(&mut self, node: &SyntaxNode) -> Vec<Typed> {
        node.children()
            .filter(|n| tree::is_expr(n.kind()) || n.kind() == K::Record)
            .map(|n| self.argument(&n))
            .collect()
    }

    /// `call(ccount, c)` ...
    fn question(&mut self, node: &SyntaxNode, query: Query) -> Typed {
        let args = tree::exprs(node);
        let span = self.span(node);
        let [channel] = args.as_slice() else {
            let message = format!(
                "this asks about one channel, but {} given",
                given(args.len(), "argument", "arguments")
            );
            self.report
                .push(Diagnostic::error("wrong-arguments", span, message));
            return Typed::wrong();
        };
        let Some(channel) = self.channel_value(channel) else {
            return Typed::wrong();
        };
        let ty = match query {
            Query::Full | Query::Empty => Ty::Scalar(Type::Bool),
            Query::Count | Query::Size => Ty::Scalar(Type::Int),
            Query::Peek => Ty::Any,
        };
        let expr = Expr::Channel(query, channel);
        let below = [measure(&expr)];
        self.built(span, expr, ty, &below)
    }

    /// A channel written as an expression: `c` or `c[i]`.
    fn channel_value(&mut self, node: &SyntaxNode) -> Option<ChannelRef> {
        if !matches!(node.kind(), K::NameRef | K::ElementRef) {
            let message = "a channel is needed here";
            self.report
                .push(Diagnostic::error("wrong-kind-of-name", self.span(node), message));
            return None;
        }
        let name = tree::ident(node)?;
        let at = At(self.span(node));
        let index = tree::exprs(node);
        self.channel_ref(&name, index.first(), at)
    }
}

/// The question with this name.
fn query(name: &str) -> Option<Query> {
    Some(match name {
        "cfull" => Query::Full,
        "cempty" => Query::Empty,
        "ccount" => Query::Count,
        "csize" => Query::Size,
        "cpeek" => Query::Peek,
        _ => return None,
    })
}
