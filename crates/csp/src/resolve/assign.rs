//! Assignments: `x = e`, `a[i] += e`, `x++`. They are expressions; their value is the one assigned.

use super::Resolver;
use super::collection;
use super::expression::{Ty, Typed, subject, subject_is_name};
use super::tree;
use crate::model::{At, Base, BinaryOp, Expr, Target, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::Diagnostic;

impl Resolver {
    /// `x++`, `x--`
    pub(super) fn postfix(&mut self, node: &SyntaxNode) -> Typed {
        let op = if tree::token(node, K::Plus2).is_some() {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        let Some(place) = tree::expr(node) else {
            return Typed::wrong();
        };
        let one = Typed::value(Value::Int(1));
        self.update(node, &place, Some(op), (&place, one))
    }

    /// `x = e`, `x += e` ...
    pub(super) fn assign(&mut self, node: &SyntaxNode) -> Typed {
        let is_operand = |n: &SyntaxNode| tree::is_expr(n.kind()) || n.kind() == K::Record;
        let operands: Vec<SyntaxNode> = node.children().filter(is_operand).collect();
        let [place, value] = operands.as_slice() else {
            return Typed::wrong();
        };
        let op = tree::own_tokens(node).find_map(|t| match t.kind() {
            K::PlusEq => Some(BinaryOp::Add),
            K::MinusEq => Some(BinaryOp::Sub),
            K::StarEq => Some(BinaryOp::Mul),
            K::SlashEq => Some(BinaryOp::Div),
            K::PercentEq => Some(BinaryOp::Mod),
            _ => None,
        });
        let typed = self.expr(value);
        self.update(node, place, op, (value, typed))
    }

    /// Assigns `value`, or what `op` makes of the old value and `value`.
    fn update(
        &mut self,
        node: &SyntaxNode,
        place: &SyntaxNode,
        op: Option<BinaryOp>,
        (value_node, value): (&SyntaxNode, Typed),
    ) -> Typed {
        let span = self.span(node);
        if !self.scope.in_program {
            let message = "an assignment is not allowed here";
            let help = "only the program of an event changes variables: `e{x = 1} -> P`; `==` compares";
            self.report
                .push(Diagnostic::error("assignment-outside-program", span, message).help(help));
            return Typed::wrong();
        }
        let old = self.expr(place);
        let Some(target) = self.target(place, &old) else {
            return Typed::wrong();
        };
        let ty = old.ty;
        let place_size = (old.depth, old.size);
        let value = match op {
            Some(op) => self.operation(node, op, (place, old), (value_node, value)),
            None => collection::fitting(value, ty),
        };
        if value.is_wrong() {
            return value;
        }
        let named = if subject_is_name(place) { place } else { value_node };
        match (ty, value.ty) {
            (Ty::Scalar(a), Ty::Scalar(b)) if a != b => {
                let message = format!(
                    "{} is assigned to `{}`, which is {}",
                    b.word(),
                    tree::text(place),
                    a.word()
                );
                self.mismatch(named, message);
            }
            (Ty::Array(..), Ty::Scalar(_)) => {
                let message = format!("`{}` is a whole array", tree::text(place));
                let help = "assign to one of its elements, or an array of as many elements";
                let error = Diagnostic::error("cannot-assign", self.span(place), message).help(help);
                self.report.once(&subject(place), error);
                return Typed::wrong();
            }
            (Ty::Scalar(_), Ty::Array(..)) => {
                let message = format!(
                    "an array is assigned to `{}`, which is no array",
                    tree::text(place)
                );
                self.mismatch(named, message);
            }
            _ => {}
        }
        let below = [place_size, (value.depth, value.size)];
        self.built(
            span,
            Expr::Assign(target, Box::new(value.expr), At(span)),
            ty,
            &below,
        )
    }

    /// What an expression on the left of `=` assigns to.
    fn target(&mut self, node: &SyntaxNode, place: &Typed) -> Option<Target> {
        let why = match (&place.expr, place.ty) {
            (_, Ty::Wrong) => return None,
            (Expr::Var(v, _), _) => return Some(Target::Var(*v)),
            (Expr::Element(Base::Var(v), indices, _), _) => {
                return Some(Target::Element(*v, indices.clone()));
            }
            (Expr::Local(l), _) => return Some(Target::Local(*l)),
            (Expr::Element(Base::Local(l), indices, _), _) if indices.len() == 1 => {
                return Some(Target::LocalElement(*l, Box::new(indices[0].clone())));
            }
            (Expr::Bound(_) | Expr::Element(Base::Bound(_), ..), _) => {
                "it is a parameter, an index or an input: its value is fixed"
            }
            (Expr::Const(_) | Expr::Element(Base::Const(_), ..), _) => "it is a constant",
            _ => "it is no variable",
        };
        let name = tree::text(node);
        let message = format!("`{name}` cannot be assigned to");
        let error = Diagnostic::error("cannot-assign", self.span(node), message).help(why);
        self.report.once(&subject(node), error);
        None
    }
}
