//! Expressions and their types.
//!
//! A type is known where it follows from the text; a parameter or a message may be anything. What is certain to go
//! wrong at run time is a warning only, for it matters only if it is reached; what has no meaning at all (indexing a
//! scalar, assigning to a constant) is an error. An expression that was reported has the type [`Ty::Wrong`], about
//! which nothing more is said.

use super::Resolver;
use super::names::{Found, Meaning};
use super::scope::Entry;
use super::size::measure;
use super::tree;
use crate::expr::Empty;
use crate::model::{At, Base, BinaryOp, Expr, Type, UnaryOp, Value, VarId};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use fairhold_source::{Diagnostic, Span};

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// An integer or a truth value.
    Scalar(Type),
    /// An array with so many dimensions.
    Array(Type, usize),
    /// Known at run time only.
    Any,
    /// Reported already.
    Wrong,
}

impl Ty {
    pub(super) const INT: Ty = Ty::Scalar(Type::Int);
    pub(super) const BOOL: Ty = Ty::Scalar(Type::Bool);

    fn word(self) -> &'static str {
        match self {
            Ty::Scalar(ty) => ty.word(),
            Ty::Array(..) => "an array",
            Ty::Any | Ty::Wrong => "a value",
        }
    }
}

/// An expression with its type and measures.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: Ty,
    pub(super) depth: u32,
    pub(super) size: usize,
}

impl Typed {
    /// A leaf.
    pub(super) fn leaf(expr: Expr, ty: Ty) -> Typed {
        Typed {
            expr,
            ty,
            depth: 1,
            size: 1,
        }
    }

    /// A known value.
    pub(super) fn value(value: Value) -> Typed {
        let ty = match &value {
            Value::Int(_) => Ty::INT,
            Value::Bool(_) => Ty::BOOL,
            Value::Array(values) => Ty::Array(
                values
                    .first()
                    .and_then(Value::word)
                    .map_or(Type::Int, |(ty, _)| ty),
                1,
            ),
            Value::Collection(collection) => Ty::Scalar(Type::Collection(collection.ty)),
        };
        Typed::leaf(Expr::Const(value), ty)
    }

    /// In place of what was reported.
    pub(super) fn wrong() -> Typed {
        Typed::leaf(Expr::Const(Value::Int(0)), Ty::Wrong)
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.ty == Ty::Wrong
    }
}

impl Resolver {
    /// The place of a node.
    pub(super) fn span(&self, node: &SyntaxNode) -> Span {
        self.origin.span(node)
    }

    /// The place of a node, for messages at run time.
    pub(super) fn at(&self, node: &SyntaxNode) -> At {
        At(self.span(node))
    }

    /// An expression.
    pub(super) fn expr(&mut self, node: &SyntaxNode) -> Typed {
        if !self.descend(node) {
            return Typed::wrong();
        }
        let typed = match node.kind() {
            K::Literal => literal(node),
            K::NameRef => tree::ident(node).map_or_else(Typed::wrong, |name| self.name(&name)),
            K::ElementRef => self.element(node),
            K::Unary => self.unary(node),
            K::Postfix => self.postfix(node),
            K::Binary => self.binary(node),
            K::ParenExpr => self.inner(node),
            K::CallExpr => self.call_expr(node),
            K::Quantified => self.quantified(node),
            K::Assign => self.assign(node),
            K::Record => self.array(node),
            K::NewExpr => self.new_collection(node),
            K::MethodCall => self.method_call(node),
            _ => Typed::wrong(),
        };
        self.ascend();
        typed
    }

    /// The expression below a node; nothing is said if it is missing, for the parser has spoken.
    pub(super) fn inner(&mut self, node: &SyntaxNode) -> Typed {
        tree::expr(node).map_or_else(Typed::wrong, |e| self.expr(&e))
    }

    /// An expression that must be a truth value.
    pub(super) fn condition(&mut self, node: &SyntaxNode) -> Typed {
        let typed = self.expr(node);
        self.want(node, typed.ty, Type::Bool);
        typed
    }

    /// The condition below a node.
    pub(super) fn inner_condition(&mut self, node: &SyntaxNode) -> Expr {
        tree::expr(node)
            .map_or_else(Typed::wrong, |e| self.condition(&e))
            .expr
    }

    /// Warns if a value is certainly not of the type that its place needs.
    pub(super) fn want(&mut self, node: &SyntaxNode, ty: Ty, wanted: Type) {
        let fits = match ty {
            // The parser has warned of `if (x = 1)`.
            _ if wanted == Type::Bool && node.kind() == K::Assign => true,
            Ty::Scalar(ty) => ty == wanted,
            Ty::Array(..) => false,
            Ty::Any | Ty::Wrong => true,
        };
        if !fits {
            let message = format!("this is {}, but {} is needed here", ty.word(), wanted.word());
            self.mismatch(node, message);
        }
    }

    /// Warns of a type that does not fit, once for each name it concerns.
    pub(super) fn mismatch(&mut self, node: &SyntaxNode, message: String) {
        let subject = subject(node);
        let warning = Diagnostic::warning("type-mismatch", self.span(node), message)
            .help("if this is reached, the run ends with an error");
        self.report.once(&subject, warning);
    }

    /// A name used as a value.
    pub(super) fn name(&mut self, token: &SyntaxToken) -> Typed {
        let (name, span) = (token.text(), self.origin.token(token));
        if let Some(entry) = self.scope.find(name).cloned() {
            return match entry {
                Entry::Bound(b) => Typed::leaf(Expr::Bound(b), Ty::Any),
                Entry::Local(l, ty) => Typed::leaf(Expr::Local(l), ty),
                Entry::Is(typed) => {
                    if self.spend(typed.size) {
                        return typed;
                    }
                    self.too_long(span);
                    Typed::wrong()
                }
            };
        }
        match self.names.find(name) {
            Found::Meaning(Meaning::Constant(value)) => value.map_or_else(Typed::wrong, Typed::value),
            Found::Meaning(Meaning::Variable(Some(id))) => self.variable(id, name, span),
            Found::Meaning(Meaning::Variable(None)) | Found::Doubtful => Typed::wrong(),
            Found::Meaning(Meaning::Macro(id)) => self.expand_expr(id, Vec::new(), span),
            Found::Meaning(other) => {
                self.unfit(name, &other, span, "a value");
                Typed::wrong()
            }
            Found::Nothing => {
                self.unknown(name, span, "variable or constant", |m| {
                    !matches!(m, Meaning::Channel(_) | Meaning::Process(_))
                });
                Typed::wrong()
            }
        }
    }

    /// A global variable used as a value. In an initial value, the variables declared before have known values.
    fn variable(&mut self, id: VarId, name: &str, span: Span) -> Typed {
        let Some(variable) = self.variables.get(id.0 as usize) else {
            let message = format!("the value of `{name}` is not known here");
            self.report
                .once(name, Diagnostic::error("not-constant", span, message));
            return Typed::wrong();
        };
        if variable.dims.is_empty() {
            if self.initialising {
                return Typed::value(self.collections.value(variable.ty, variable.init[0]));
            }
            Typed::leaf(Expr::Var(id, At(span)), Ty::Scalar(variable.ty))
        } else {
            Typed::leaf(
                Expr::Var(id, At(span)),
                Ty::Array(variable.ty, variable.dims.len()),
            )
        }
    }

    /// `a[i][j]`
    fn element(&mut self, node: &SyntaxNode) -> Typed {
        let Some(token) = tree::ident(node) else {
            return Typed::wrong();
        };
        if let Some(Meaning::Channel(_)) = self.names.symbols.get(token.text()).map(|s| &s.meaning)
            && self.scope.find(token.text()).is_none()
        {
            self.unfit(
                token.text(),
                &Meaning::Channel(None),
                self.origin.token(&token),
                "a value",
            );
            return Typed::wrong();
        }
        let array = self.name(&token);
        let mut below = Vec::new();
        let mut indices = Vec::new();
        for index in tree::exprs(node) {
            let typed = self.expr(&index);
            self.want(&index, typed.ty, Type::Int);
            below.push((typed.depth, typed.size));
            indices.push(typed.expr);
        }
        let span = self.span(node);
        let ty = match array.ty {
            Ty::Wrong => return Typed::wrong(),
            Ty::Any => Ty::Any,
            Ty::Array(ty, dims) if dims == indices.len() => Ty::Scalar(ty),
            Ty::Array(_, dims) => {
                let message = format!(
                    "`{}` has {}, but {} given",
                    token.text(),
                    count(dims, "dimension"),
                    given(indices.len(), "index", "indices"),
                );
                self.report
                    .once(token.text(), Diagnostic::error("wrong-indices", span, message));
                return Typed::wrong();
            }
            Ty::Scalar(_) => {
                let message = format!("`{}` is no array and has no elements", token.text());
                self.report
                    .once(token.text(), Diagnostic::error("wrong-indices", span, message));
                return Typed::wrong();
            }
        };
        let base = match array.expr {
            Expr::Var(v, _) => Base::Var(v),
            Expr::Bound(b) => Base::Bound(b),
            Expr::Local(l) => Base::Local(l),
            Expr::Const(Value::Array(values)) => Base::Const(values),
            _ => {
                let message = format!("`{}` stands for an expression that has no elements", token.text());
                self.report
                    .once(token.text(), Diagnostic::error("wrong-indices", span, message));
                return Typed::wrong();
            }
        };
        if indices.len() > 1 && !matches!(base, Base::Var(_)) {
            let message = format!("`{}` takes one index here", token.text());
            let help = "an array that is passed on has one dimension: its elements row after row";
            let error = Diagnostic::error("wrong-indices", span, message).help(help);
            self.report.once(token.text(), error);
            return Typed::wrong();
        }
        self.built(span, Expr::Element(base, indices, At(span)), ty, &below)
    }

    fn unary(&mut self, node: &SyntaxNode) -> Typed {
        let Some(operand) = tree::expr(node) else {
            return Typed::wrong();
        };
        let typed = self.expr(&operand);
        let (op, ty) = if tree::token(node, K::Bang).is_some() {
            (Some(UnaryOp::Not), Type::Bool)
        } else {
            (tree::token(node, K::Minus).map(|_| UnaryOp::Neg), Type::Int)
        };
        self.want(&operand, typed.ty, ty);
        let (Some(op), false) = (op, typed.is_wrong()) else {
            return typed;
        };
        let below = [(typed.depth, typed.size)];
        let at = self.span(node);
        self.built(
            at,
            Expr::Unary(op, Box::new(typed.expr), At(at)),
            Ty::Scalar(ty),
            &below,
        )
    }

    /// A chain of operators of one level, left-associative.
    fn binary(&mut self, node: &SyntaxNode) -> Typed {
        let operands = tree::exprs(node);
        let ops: Vec<BinaryOp> = tree::own_tokens(node)
            .filter_map(|t| binary_op(t.kind()))
            .collect();
        let Some(first) = operands.first() else {
            return Typed::wrong();
        };
        let mut left = self.expr(first);
        for (i, (op, operand)) in ops.iter().zip(&operands[1..]).enumerate() {
            let right = self.expr(operand);
            // The first operand alone is a node of its own to point at; later left sides are the chain so far.
            let whole = if i == 0 { first } else { node };
            left = self.operation(node, *op, (whole, left), (operand, right));
        }
        left
    }

    /// One operation; its operands come with the nodes to point at.
    pub(super) fn operation(
        &mut self,
        node: &SyntaxNode,
        op: BinaryOp,
        (left_node, left): (&SyntaxNode, Typed),
        (right_node, right): (&SyntaxNode, Typed),
    ) -> Typed {
        let result = match op.result(Type::Int).is_some() == op.result(Type::Bool).is_some() {
            // Takes two integers or two truth values.
            true => {
                if let (Ty::Scalar(a), Ty::Scalar(b)) = (left.ty, right.ty)
                    && a != b
                {
                    let equal = op.tells_apart(a, b);
                    let message = match equal {
                        true => format!("{} and {} are never equal", a.word(), b.word()),
                        false => format!("`{}` does not take {} and {}", op.symbol(), a.word(), b.word()),
                    };
                    let named = if subject_is_name(left_node) {
                        left_node
                    } else {
                        right_node
                    };
                    if equal {
                        let warning = Diagnostic::warning("type-mismatch", self.span(node), message);
                        let help = format!("`{}` is the same whatever they are", op.symbol());
                        self.report.once(&subject(named), warning.help(help));
                    } else {
                        self.mismatch(named, message);
                    }
                }
                match (op, left.ty, right.ty) {
                    (BinaryOp::Eq | BinaryOp::Ne, ..) => Ty::BOOL,
                    (_, Ty::Scalar(ty), _) | (_, _, Ty::Scalar(ty)) => Ty::Scalar(ty),
                    _ => Ty::Any,
                }
            }
            false => {
                let wanted = if op.result(Type::Int).is_some() {
                    Type::Int
                } else {
                    Type::Bool
                };
                self.want(left_node, left.ty, wanted);
                self.want(right_node, right.ty, wanted);
                op.result(wanted).map_or(Ty::Any, Ty::Scalar)
            }
        };
        if left.is_wrong() || right.is_wrong() {
            return Typed::wrong();
        }
        let span = self.span(left_node).to(self.span(right_node));
        let below = [(left.depth, left.size), (right.depth, right.size)];
        let expr = Expr::Binary(op, Box::new(left.expr), Box::new(right.expr), At(span));
        self.built(self.span(node), expr, result, &below)
    }

    /// `&& i:{0..N} @ e`
    fn quantified(&mut self, node: &SyntaxNode) -> Typed {
        let mark = self.scope.mark();
        let bindings = tree::child(node, K::Bindings).and_then(|b| self.bindings(&b, Empty::Fault));
        let body = tree::expr(node).map_or_else(Typed::wrong, |e| self.condition(&e));
        self.scope.leave(mark);
        let op = tree::own_tokens(node).find_map(|t| binary_op(t.kind()));
        let (Some(op), Some(bindings), false) = (op, bindings, body.is_wrong()) else {
            return Typed::wrong();
        };
        let expr = Expr::Quantified(op, bindings, Box::new(body.expr));
        let below = [measure(&expr)];
        self.built(self.span(node), expr, Ty::BOOL, &below)
    }
}

/// A number or truth value; the lexer has refused numbers that are too large.
fn literal(node: &SyntaxNode) -> Typed {
    let value = tree::own_tokens(node).find_map(|t| match t.kind() {
        K::TrueKw => Some(Value::Bool(true)),
        K::FalseKw => Some(Value::Bool(false)),
        K::Int => t.text().parse().ok().map(Value::Int),
        _ => None,
    });
    value.map_or_else(Typed::wrong, Typed::value)
}

/// What a message about an expression is about: its name, if it is one, else its text.
pub(super) fn subject(node: &SyntaxNode) -> String {
    match node.kind() {
        K::NameRef | K::ElementRef | K::CallExpr => {
            tree::ident(node).map_or_else(String::new, |t| t.text().to_owned())
        }
        K::ParenExpr | K::Unary => tree::expr(node).map_or_else(String::new, |e| subject(&e)),
        _ => tree::text(node),
    }
}

pub(super) fn subject_is_name(node: &SyntaxNode) -> bool {
    matches!(node.kind(), K::NameRef | K::ElementRef | K::CallExpr)
}

/// `1 dimension`, `2 dimensions`
pub(super) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// `1 index is`, `2 indices are`
pub(super) fn given(n: usize, one: &str, many: &str) -> String {
    if n == 1 {
        format!("1 {one} is")
    } else {
        format!("{n} {many} are")
    }
}

fn binary_op(kind: K) -> Option<BinaryOp> {
    Some(match kind {
        K::Plus => BinaryOp::Add,
        K::Minus => BinaryOp::Sub,
        K::Star => BinaryOp::Mul,
        K::Slash => BinaryOp::Div,
        K::Percent => BinaryOp::Mod,
        K::Amp => BinaryOp::BitAnd,
        K::Bar => BinaryOp::BitOr,
        K::Caret => BinaryOp::BitXor,
        K::Eq2 => BinaryOp::Eq,
        K::Neq => BinaryOp::Ne,
        K::Lt => BinaryOp::Lt,
        K::Gt => BinaryOp::Gt,
        K::Le => BinaryOp::Le,
        K::Ge => BinaryOp::Ge,
        K::Amp2 => BinaryOp::And,
        K::Bar2 => BinaryOp::Or,
        K::XorKw => BinaryOp::Xor,
        _ => return None,
    })
}
