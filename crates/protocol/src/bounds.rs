//! What an expression reads, and between which bounds its value lies.
//!
//! Both decide where a part of a rule may be evaluated: before the run, for every pair of node states, or in a
//! configuration. Moving an evaluation must not hide a fault of the model, nor make one.

use crate::model::{Expr, Operator, Place, Protocol};

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reads {
    /// Fields of the rule's own nodes.
    pub(crate) ends: bool,
    /// The numbers of the rule's own nodes.
    pub(crate) numbers: bool,
    /// The node that is counted: its fields.
    pub(crate) each: bool,
    /// The node that is counted: its number.
    pub(crate) each_number: bool,
    /// The configuration as a whole: counts, other nodes, the detector.
    pub(crate) configuration: bool,
}

impl Reads {
    /// What this expression reads.
    pub(crate) fn of(expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        reads.add(expr);
        reads
    }

    /// Whether the states of the rule's own nodes are all that matters.
    pub(crate) fn is_local(self) -> bool {
        !self.numbers && !self.each && !self.each_number && !self.configuration
    }

    /// Whether the value is the same for every edge and node.
    pub(crate) fn is_global(self) -> bool {
        !self.ends && !self.numbers && !self.each && !self.each_number
    }

    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Field(place, _) => self.place(place, false),
            Expr::Node(place) => self.place(place, true),
            Expr::Detector | Expr::Correct => self.configuration = true,
            Expr::Count(condition) => {
                let inner = Reads::of(condition);
                self.ends |= inner.ends;
                self.numbers |= inner.numbers;
                self.configuration = true;
            }
            Expr::Not(e) | Expr::Minus(e) => self.add(e),
            Expr::Binary(_, a, b, _) => {
                self.add(a);
                self.add(b);
            }
        }
    }

    fn place(&mut self, place: &Place, number: bool) {
        match (place, number) {
            (Place::Initiator | Place::Responder, false) => self.ends = true,
            (Place::Initiator | Place::Responder, true) => self.numbers = true,
            (Place::Each, false) => self.each = true,
            (Place::Each, true) => self.each_number = true,
            (Place::At(e), _) => {
                self.configuration = true;
                self.add(e);
            }
        }
    }
}

/// The least and the greatest value that an expression can have; none if evaluating it may be a fault.
pub(crate) fn bounds(protocol: &Protocol, expr: &Expr) -> Option<(i64, i64)> {
    let last = i64::from(protocol.nodes) - 1;
    let inside = |place: &Place| match place {
        Place::At(e) => bounds(protocol, e).is_some_and(|(low, high)| low >= 0 && high <= last),
        _ => true,
    };
    match expr {
        Expr::Const(n) => Some((i64::from(*n), i64::from(*n))),
        Expr::Field(place, field) => {
            let field = &protocol.fields[field.index()];
            inside(place).then_some((i64::from(field.low), i64::from(field.high)))
        }
        Expr::Node(place) => inside(place).then_some((0, last)),
        Expr::Detector => {
            let detector = protocol.detector.as_ref()?;
            bounds(protocol, &detector.truth).map(|_| (0, 1))
        }
        Expr::Correct => Some((0, 1)),
        Expr::Count(condition) => bounds(protocol, condition).map(|_| (0, last + 1)),
        Expr::Not(e) => bounds(protocol, e).map(|_| (0, 1)),
        Expr::Minus(e) => {
            let (low, high) = bounds(protocol, e)?;
            fitting(-high, -low)
        }
        Expr::Binary(operator, a, b, _) => {
            let (a, b) = (bounds(protocol, a)?, bounds(protocol, b)?);
            match operator {
                Operator::Add => fitting(a.0 + b.0, a.1 + b.1),
                Operator::Subtract => fitting(a.0 - b.1, a.1 - b.0),
                Operator::Multiply => {
                    let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                    let least = corners.into_iter().min().expect("there are four");
                    let greatest = corners.into_iter().max().expect("there are four");
                    fitting(least, greatest)
                }
                Operator::Divide | Operator::Modulo if b.0 <= 0 && b.1 >= 0 => None,
                Operator::Divide => {
                    let most = a.0.abs().max(a.1.abs());
                    fitting(-most, most)
                }
                Operator::Modulo => Some((0, b.0.abs().max(b.1.abs()) - 1)),
                _ => Some((0, 1)),
            }
        }
    }
}

/// These bounds, if they lie in 32 bits.
fn fitting(low: i64, high: i64) -> Option<(i64, i64)> {
    (low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX)).then_some((low, high))
}
