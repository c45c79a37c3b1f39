//! Expressions whose value is known, and questions about the shape of expressions.

use crate::model::{Expr, Operator, Place};
use fairhold_source::Span;

/// What an operation gives; none if it goes wrong.
pub(super) fn apply(operator: Operator, a: i32, b: i32) -> Option<i32> {
    let truth = |t: bool| Some(i32::from(t));
    match operator {
        Operator::Or => truth(a != 0 || b != 0),
        Operator::And => truth(a != 0 && b != 0),
        Operator::Equal => truth(a == b),
        Operator::Unequal => truth(a != b),
        Operator::Less => truth(a < b),
        Operator::AtMost => truth(a <= b),
        Operator::Greater => truth(a > b),
        Operator::AtLeast => truth(a >= b),
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => a.checked_div(b),
        Operator::Modulo => a.checked_rem_euclid(b),
    }
}

/// The value of an expression, where `leaf` knows fields, nodes and the rest; none if it is not known or goes wrong.
pub(super) fn evaluate(expr: &Expr, leaf: &dyn Fn(&Expr) -> Option<i32>) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Field(..) | Expr::Node(_) | Expr::Detector | Expr::Correct | Expr::Count(_) => leaf(expr),
        Expr::Not(e) => evaluate(e, leaf).map(|v| i32::from(v == 0)),
        Expr::Minus(e) => evaluate(e, leaf)?.checked_neg(),
        Expr::Binary(operator, a, b, _) => {
            let a = evaluate(a, leaf)?;
            match operator {
                Operator::And if a == 0 => Some(0),
                Operator::Or if a != 0 => Some(1),
                _ => apply(*operator, a, evaluate(b, leaf)?),
            }
        }
    }
}

/// The value at a node of an expression over the node's number.
pub(super) fn value_at(expr: &Expr, node: u32) -> Option<i32> {
    evaluate(expr, &|leaf| match leaf {
        Expr::Node(Place::Each) => Some(node as i32),
        _ => None,
    })
}

/// Calls `f` with an expression and all its parts.
pub(super) fn visit(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
    let mut waiting = vec![expr];
    while let Some(part) = waiting.pop() {
        f(part);
        match part {
            Expr::Const(_) | Expr::Detector | Expr::Correct => {}
            Expr::Field(place, _) | Expr::Node(place) => {
                if let Place::At(index) = place {
                    waiting.push(index);
                }
            }
            Expr::Count(e) | Expr::Not(e) | Expr::Minus(e) => waiting.push(e),
            Expr::Binary(_, a, b, _) => waiting.extend([&**a, &**b]),
        }
    }
}

/// How many parts an expression has.
pub(super) fn parts(expr: &Expr) -> u32 {
    let mut parts = 0_u32;
    visit(expr, &mut |_| parts = parts.saturating_add(1));
    parts
}

/// How deeply an expression is nested.
pub(super) fn depth(expr: &Expr) -> u32 {
    1 + match expr {
        Expr::Const(_) | Expr::Detector | Expr::Correct => 0,
        Expr::Field(place, _) | Expr::Node(place) => match place {
            Place::At(index) => depth(index),
            _ => 0,
        },
        Expr::Count(e) | Expr::Not(e) | Expr::Minus(e) => depth(e),
        Expr::Binary(_, a, b, _) => depth(a).max(depth(b)),
    }
}

/// Whether an expression asks the detector, or about it.
pub(super) fn asks_detector(expr: &Expr) -> bool {
    let mut asks = false;
    visit(expr, &mut |part| {
        asks |= matches!(part, Expr::Detector | Expr::Correct);
    });
    asks
}

/// Whether an expression is 0 or 1 by its form.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Detector | Expr::Correct | Expr::Not(_) => true,
        Expr::Binary(operator, ..) => !matches!(
            operator,
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Modulo
        ),
        Expr::Field(..) | Expr::Node(_) | Expr::Count(_) | Expr::Minus(_) => false,
    }
}

/// 1 if the expression is not zero, else 0.
pub(super) fn truth(expr: Expr, at: Span) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value != 0)),
        expr if is_truth(&expr) => expr,
        expr => binary(Operator::Unequal, expr, Expr::Const(0), at),
    }
}

/// 1 if the expression is zero, else 0.
pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        expr => Expr::Not(Box::new(expr)),
    }
}

pub(super) fn binary(operator: Operator, a: Expr, b: Expr, at: Span) -> Expr {
    Expr::Binary(operator, Box::new(a), Box::new(b), at)
}

/// All of these (`And`) or one of these (`Or`), in a tree of little depth; constants are worked in.
pub(super) fn joined(operator: Operator, parts: Vec<Expr>, at: Span) -> Expr {
    let neutral = i32::from(operator == Operator::And);
    let mut open = Vec::new();
    for part in parts {
        match truth(part, at) {
            Expr::Const(value) if value == neutral => {}
            Expr::Const(value) => return Expr::Const(value),
            part => open.push(part),
        }
    }
    while open.len() > 1 {
        let mut next = Vec::with_capacity(open.len().div_ceil(2));
        let mut rest = open.into_iter();
        while let Some(a) = rest.next() {
            next.push(match rest.next() {
                Some(b) => binary(operator, a, b, at),
                None => a,
            });
        }
        open = next;
    }
    open.pop().unwrap_or(Expr::Const(neutral))
}
