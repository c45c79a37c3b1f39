//! Programs: the blocks that events carry.

use super::Resolver;
use super::expression::{Ty, Typed};
use super::names::Meaning;
use super::tree;
use crate::model::{Expr, Program, Stmt, Type, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::Diagnostic;
use std::sync::Arc;

/// Elements a local array may have.
const MAX_LOCAL_ELEMENTS: usize = 10_000;

impl Resolver {
    /// The program of an event, from its block.
    pub(super) fn program(&mut self, block: &SyntaxNode) -> Arc<Program> {
        self.scope.in_program = true;
        self.scope.locals = 0;
        let body = self.block(block);
        let program = Program {
            locals: self.scope.locals,
            body,
            at: self.at(block),
        };
        self.scope.in_program = false;
        Arc::new(program)
    }

    fn block(&mut self, block: &SyntaxNode) -> Vec<Stmt> {
        let mark = self.scope.mark();
        let mut body = Vec::new();
        for stmt in block.children() {
            body.extend(self.statement(&stmt));
        }
        self.scope.leave(mark);
        body
    }

    /// A statement; `var x, y;` makes several and `;` makes none.
    pub(super) fn statement(&mut self, node: &SyntaxNode) -> Vec<Stmt> {
        if !self.descend(node) {
            return Vec::new();
        }
        let stmts = match node.kind() {
            K::Block => vec![Stmt::Block(self.block(node))],
            K::LocalVar => {
                let declarators: Vec<SyntaxNode> = tree::children_of(node, K::Declarator).collect();
                declarators.iter().filter_map(|d| self.local_var(d)).collect()
            }
            K::IfStmt => {
                let condition = self.inner_condition(node);
                let branches: Vec<SyntaxNode> = node.children().filter(|n| tree::is_stmt(n.kind())).collect();
                let then = self.branch(branches.first());
                let otherwise = branches.get(1).map(|b| self.branch(Some(b)));
                vec![Stmt::If(condition, then, otherwise)]
            }
            K::WhileStmt => {
                let condition = self.inner_condition(node);
                let body = node.children().find(|n| tree::is_stmt(n.kind()));
                let body = self.branch(body.as_ref());
                vec![Stmt::While(condition, body, self.at(node))]
            }
            K::ExprStmt => tree::expr(node)
                .and_then(|e| self.expr_stmt(&e))
                .into_iter()
                .collect(),
            kind if tree::is_expr(kind) => self.expr_stmt(node).into_iter().collect(),
            _ => Vec::new(),
        };
        self.ascend();
        stmts
    }

    /// The statement under `if`, `else` or `while`, with a scope of its own.
    fn branch(&mut self, node: Option<&SyntaxNode>) -> Box<Stmt> {
        let mark = self.scope.mark();
        let mut stmts = node.map_or_else(Vec::new, |n| self.statement(n));
        self.scope.leave(mark);
        Box::new(if stmts.len() == 1 {
            stmts.remove(0)
        } else {
            Stmt::Block(stmts)
        })
    }

    /// An expression as a statement; here a macro may be a whole program.
    fn expr_stmt(&mut self, node: &SyntaxNode) -> Option<Stmt> {
        let span = self.span(node);
        if let Some(name) = tree::ident(node)
            && matches!(node.kind(), K::NameRef | K::CallExpr)
            && self.scope.find(name.text()).is_none()
            && let Some(Meaning::Macro(id)) = self.names.symbols.get(name.text()).map(|s| s.meaning.clone())
        {
            let args = if node.kind() == K::CallExpr {
                self.macro_args(node)
            } else {
                Vec::new()
            };
            return self.expand_stmt(id, args, span);
        }
        let typed = self.expr(node);
        let acts = |n: SyntaxNode| matches!(n.kind(), K::Assign | K::Postfix | K::CallExpr | K::MethodCall);
        // What ends a macro may be its value.
        let may_be_value =
            !self.expanding.is_empty() && node.ancestors().take(2).any(|n| n.next_sibling().is_none());
        if !typed.is_wrong() && !may_be_value && !node.descendants().any(acts) {
            let message = "this statement changes nothing";
            let warning = Diagnostic::warning("no-effect", span, message).help("`=` assigns, `==` compares");
            self.report.push(warning);
        }
        Some(Stmt::Expr(typed.expr))
    }

    /// `var x = e;`, `var a[3];`, `var a = [1, 2];`
    fn local_var(&mut self, node: &SyntaxNode) -> Option<Stmt> {
        let name = tree::ident(node)?;
        let span = self.origin.token(&name);
        if tree::child(node, K::Range).is_some() {
            let message = "a local variable has no range";
            self.report
                .push(Diagnostic::error("not-supported", span, message));
        }
        let sizes: Vec<SyntaxNode> = tree::children_of(node, K::ArraySize).collect();
        let record = tree::child(node, K::Record);
        if sizes.is_empty() && record.is_none() {
            let value = tree::expr(node).map(|e| self.expr(&e));
            let value = value.unwrap_or_else(|| Typed::value(Value::Int(0)));
            let id = self.scope.local(name.text(), value.ty);
            return Some(Stmt::Local(id, value.expr));
        }
        let values = self.local_elements(&name, &sizes, record.as_ref());
        let Some((values, ty)) = values else {
            self.scope.local(name.text(), Ty::Wrong);
            return None;
        };
        let id = self.scope.local(name.text(), ty);
        Some(Stmt::LocalArray(id, values))
    }

    fn local_elements(
        &mut self,
        name: &crate::syntax::SyntaxToken,
        sizes: &[SyntaxNode],
        record: Option<&SyntaxNode>,
    ) -> Option<(Vec<Expr>, Ty)> {
        let span = self.origin.token(name);
        if sizes.len() > 1 {
            let message = "a local array has one dimension";
            self.report
                .push(Diagnostic::error("not-supported", span, message));
            return None;
        }
        let size = match sizes.first().map(tree::expr) {
            None => None,
            Some(size) => {
                let size = size?;
                let value = self.constant_int(&size)?;
                match usize::try_from(value) {
                    Ok(value) if (1..=MAX_LOCAL_ELEMENTS).contains(&value) => Some(value),
                    _ => {
                        let message =
                            format!("a local array has 1 to {MAX_LOCAL_ELEMENTS} elements, not {value}");
                        self.report
                            .push(Diagnostic::error("array-too-large", self.span(&size), message));
                        return None;
                    }
                }
            }
        };
        let (values, ty) = match record {
            None => (vec![Expr::Const(Value::Int(0)); size?], Type::Int),
            Some(record) => self.record_exprs(record)?,
        };
        if let Some(size) = size
            && size != values.len()
        {
            let message = format!(
                "`{}` has {}, but {} given",
                name.text(),
                super::expression::count(size, "element"),
                super::expression::given(values.len(), "initial value", "initial values"),
            );
            self.report
                .push(Diagnostic::error("wrong-initial-value", span, message));
            return None;
        }
        Some((values, Ty::Array(ty, 1)))
    }

    /// The elements of a record whose values need not be constant.
    pub(super) fn record_exprs(&mut self, node: &SyntaxNode) -> Option<(Vec<Expr>, Type)> {
        let mut out = Vec::new();
        let mut ty = None;
        for element in tree::children_of(node, K::RecordElement) {
            let values = tree::exprs(&element);
            if tree::token(&element, K::Dot2).is_some() {
                let [from, to] = values.as_slice() else {
                    return None;
                };
                let (from, to) = (self.constant_int(from)?, self.constant_int(to)?);
                if from.abs_diff(to) as usize + out.len() >= MAX_LOCAL_ELEMENTS {
                    self.too_many_local_elements(&element);
                    return None;
                }
                let run = from.min(to)..=from.max(to);
                let constant = |i| Expr::Const(Value::Int(i));
                if from <= to {
                    out.extend(run.map(constant));
                } else {
                    out.extend(run.rev().map(constant));
                }
                ty.get_or_insert(Type::Int);
                continue;
            }
            let Some(value) = values.first() else {
                let message = "an element of a local array is a single value";
                self.report
                    .push(Diagnostic::error("not-supported", self.span(&element), message));
                return None;
            };
            let typed = self.expr(value);
            if let Ty::Scalar(t) = typed.ty {
                ty.get_or_insert(t);
            }
            let times = match tree::child(&element, K::Repeat).map(|r| tree::expr(&r)) {
                None => 1,
                Some(times) => usize::try_from(self.constant_int(&times?)?).unwrap_or(0),
            };
            if times.saturating_mul(typed.size).saturating_add(out.len()) > MAX_LOCAL_ELEMENTS {
                self.too_many_local_elements(&element);
                return None;
            }
            out.extend(std::iter::repeat_n(typed.expr, times));
        }
        Some((out, ty.unwrap_or(Type::Int)))
    }

    fn too_many_local_elements(&mut self, node: &SyntaxNode) {
        let message = format!("a local array has at most {MAX_LOCAL_ELEMENTS} elements");
        self.report
            .push(Diagnostic::error("array-too-large", self.span(node), message));
    }

    /// An argument: a value, or an array of constants in brackets.
    pub(super) fn argument(&mut self, node: &SyntaxNode) -> Typed {
        let typed = self.value_or_array(node);
        let length = self.array_length(&typed.expr).unwrap_or(0);
        self.longest_passed = self.longest_passed.max(length);
        typed
    }

    fn value_or_array(&mut self, node: &SyntaxNode) -> Typed {
        if node.kind() != K::Record {
            return self.expr(node);
        }
        let Some((values, ty)) = self.record_exprs(node) else {
            return Typed::wrong();
        };
        let env = crate::expr::Env::default();
        let values: Option<Vec<Value>> = values.iter().map(|e| e.close(&env).value().cloned()).collect();
        let Some(values) = values else {
            let message = "an array that is passed on must be constant";
            let help = "keep it in a variable and pass the variable";
            self.report
                .push(Diagnostic::error("not-constant", self.span(node), message).help(help));
            return Typed::wrong();
        };
        Typed {
            ty: Ty::Array(ty, 1),
            ..Typed::value(Value::Array(values.into()))
        }
    }
}
