//! Expressions of protocols in CSP#.
//!
//! In a protocol a condition is a number, 0 or 1, and may be counted and added up; in CSP# truth values and numbers are apart.
//! So an expression is written in one of two ways, as what stands around it asks: as a *truth* or as a *number*. The number of a
//! comparison is arithmetic: for integers, `1 / (1 + d * d)` is 1 if `d` is 0 and else 0, and with `-m <= d <= m`,
//! `(d + m) / (m + 1)` is 1 if `d` is positive and else 0.
//!
//! Differs from a protocol: both operands of a connective that is written as a number are evaluated.

use super::names::Names;
use crate::model::{Expr, FieldId, Operator, Place, Protocol};
use fairhold_source::Span;
use std::cell::Cell;
use std::collections::HashMap;

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Or,
    And,
    Equal,
    Order,
    Sum,
    Product,
    Primary,
}

/// A written expression.
#[derive(Clone, Debug)]
pub(super) struct Text(String, Level);

impl Text {
    fn primary(text: impl Into<String>) -> Text {
        Text(text.into(), Level::Primary)
    }

    /// The text, in parentheses if it binds less tightly than its place asks for.
    fn at(self, level: Level) -> String {
        if self.1 < level {
            format!("({})", self.0)
        } else {
            self.0
        }
    }

    /// The text as it is.
    pub(super) fn plain(self) -> String {
        self.0
    }

    /// The text, in parentheses unless it is a single name or number.
    pub(super) fn closed(self) -> String {
        self.at(Level::Primary)
    }
}

/// Whom an expression speaks of.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    /// The names, or numbers, of the nodes of a rule.
    initiator: String,
    responder: String,
    /// The node that is counted.
    each: String,
    /// Fields that are not yet in the state, but chosen under these names.
    pub(super) chosen: HashMap<(FieldId, u32), String>,
    /// How many counts this stands in.
    depth: usize,
}

impl Scope {
    /// Inside a rule.
    pub(super) fn of_rule(initiator: &str, responder: &str) -> Scope {
        Scope {
            initiator: initiator.to_owned(),
            responder: responder.to_owned(),
            ..Scope::default()
        }
    }

    /// The same inside a count, for this node.
    fn counting(&self, each: &str) -> Scope {
        Scope {
            each: each.to_owned(),
            depth: self.depth + 1,
            ..self.clone()
        }
    }
}

/// Writes expressions of a protocol.
pub(super) struct Writer<'p> {
    pub(super) protocol: &'p Protocol,
    pub(super) names: &'p Names,
    /// The place of something that cannot be written, and why, if there was some.
    refused: Cell<Option<(Option<Span>, &'static str)>>,
}

impl<'p> Writer<'p> {
    pub(super) fn new(protocol: &'p Protocol, names: &'p Names) -> Writer<'p> {
        Writer {
            protocol,
            names,
            refused: Cell::new(None),
        }
    }

    /// What could not be written so far.
    pub(super) fn refused(&self) -> Option<(Option<Span>, &'static str)> {
        self.refused.get()
    }

    fn refuse(&self, place: Option<Span>, why: &'static str) -> Text {
        self.refused.set(Some((place, why)));
        Text::primary("0")
    }

    /// The expression as a condition.
    pub(super) fn truth(&self, expr: &Expr, scope: &Scope) -> Text {
        match expr {
            Expr::Const(value) => Text::primary(if *value == 0 { "false" } else { "true" }),
            Expr::Detector => Text::primary(&self.names.detector),
            Expr::Count(condition) => self.over_all("||", condition, scope, false),
            Expr::Not(inner) => self.untruth(inner, scope),
            Expr::Minus(inner) => self.truth(inner, scope),
            Expr::Binary(op, a, b, span) => match op {
                Operator::Or => {
                    let (a, b) = (self.truth(a, scope), self.truth(b, scope));
                    Text(format!("{} || {}", a.at(Level::Or), b.at(Level::Or)), Level::Or)
                }
                Operator::And => {
                    let (a, b) = (self.truth(a, scope), self.truth(b, scope));
                    Text(
                        format!("{} && {}", a.at(Level::And), b.at(Level::And)),
                        Level::And,
                    )
                }
                _ if is_comparison(*op) => self.comparison(*op, a, b, scope),
                _ => self.compare("!=", self.binary(*op, a, b, *span, scope), Text::primary("0")),
            },
            // One bit: `== 1` reads better.
            _ if self.is_bit(expr) => self.compare("==", self.number(expr, scope), Text::primary("1")),
            _ => self.compare("!=", self.number(expr, scope), Text::primary("0")),
        }
    }

    /// The negation of the expression, as a condition.
    fn untruth(&self, expr: &Expr, scope: &Scope) -> Text {
        match expr {
            Expr::Const(value) => Text::primary(if *value == 0 { "true" } else { "false" }),
            Expr::Not(inner) => self.truth(inner, scope),
            Expr::Field(..) | Expr::Correct | Expr::Node(_) => {
                self.compare("==", self.number(expr, scope), Text::primary("0"))
            }
            Expr::Binary(op, a, b, _) if is_comparison(*op) => {
                let opposite = match op {
                    Operator::Equal => Operator::Unequal,
                    Operator::Unequal => Operator::Equal,
                    Operator::Less => Operator::AtLeast,
                    Operator::AtMost => Operator::Greater,
                    Operator::Greater => Operator::AtMost,
                    _ => Operator::Less,
                };
                self.comparison(opposite, a, b, scope)
            }
            _ => Text::primary(format!("!({})", self.truth(expr, scope).plain())),
        }
    }

    /// A comparison as a condition.
    fn comparison(&self, op: Operator, a: &Expr, b: &Expr, scope: &Scope) -> Text {
        if let (Expr::Count(condition), Expr::Const(number)) = (a, b) {
            let all = i64::from(*number) == i64::from(self.protocol.nodes);
            match (op, *number) {
                (Operator::Equal | Operator::AtLeast, _) if all => {
                    return self.over_all("&&", condition, scope, false);
                }
                (Operator::Unequal | Operator::Less, _) if all => {
                    return self.over_all("||", condition, scope, true);
                }
                (Operator::Equal | Operator::AtMost, 0) | (Operator::Less, 1) => {
                    return self.over_all("&&", condition, scope, true);
                }
                (Operator::Unequal | Operator::Greater, 0) | (Operator::AtLeast, 1) => {
                    return self.over_all("||", condition, scope, false);
                }
                _ => {}
            }
        }
        let sign = match op {
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            _ => ">=",
        };
        let equality = matches!(op, Operator::Equal | Operator::Unequal);
        if equality && (is_condition(a) || is_condition(b)) && self.is_bit(a) && self.is_bit(b) {
            let side = |e: &Expr| Text::primary(format!("({})", self.truth(e, scope).plain()));
            return self.compare(sign, side(a), side(b));
        }
        self.compare(sign, self.number(a, scope), self.number(b, scope))
    }

    fn compare(&self, sign: &str, a: Text, b: Text) -> Text {
        let level = if matches!(sign, "==" | "!=") {
            Level::Equal
        } else {
            Level::Order
        };
        Text(format!("{} {sign} {}", a.at(Level::Sum), b.at(Level::Sum)), level)
    }

    /// A condition, or its negation, of all nodes (`&&`) or of some (`||`).
    fn over_all(&self, sign: &str, condition: &Expr, scope: &Scope, negated: bool) -> Text {
        if !scope.chosen.is_empty() {
            // What is chosen has no index: a name for every node.
            let one = |node: u32| {
                let inner = scope.counting(&node.to_string());
                let text = if negated {
                    self.untruth(condition, &inner)
                } else {
                    self.truth(condition, &inner)
                };
                text.at(Level::Equal)
            };
            let parts: Vec<String> = (0..self.protocol.nodes).map(one).collect();
            return Text::primary(format!("({})", parts.join(&format!(" {sign} "))));
        }
        let Some(each) = self.names.nodes.get(scope.depth) else {
            return self.refuse(
                None,
                "counts within counts, more than four deep, cannot be written in CSP#",
            );
        };
        let inner = scope.counting(each);
        let text = if negated {
            self.untruth(condition, &inner)
        } else {
            self.truth(condition, &inner)
        };
        let last = self.protocol.nodes - 1;
        Text::primary(format!(
            "({sign} {each}:{{0..{last}}} @ {})",
            text.at(Level::Equal)
        ))
    }

    /// The expression as a number.
    pub(super) fn number(&self, expr: &Expr, scope: &Scope) -> Text {
        match expr {
            Expr::Const(value) if *value < 0 => Text(format!("0 - {}", i64::from(*value).abs()), Level::Sum),
            Expr::Const(value) => Text::primary(value.to_string()),
            Expr::Field(place, field) => self.field(place, *field, scope),
            Expr::Node(place) => match place {
                Place::At(index) => self.number(index, scope),
                _ => Text::primary(self.node(place, scope)),
            },
            Expr::Detector => {
                let detector = self.protocol.detector.as_ref();
                let truth = &detector.expect("only a protocol with a detector asks it").truth;
                let (right, guess) = (&self.names.right, &self.names.guess);
                let truth = self.bit(truth, scope).at(Level::Product);
                Text(format!("(1 - {right}) * {guess} + {right} * {truth}"), Level::Sum)
            }
            Expr::Correct => Text::primary(&self.names.right),
            Expr::Count(condition) => {
                let one = |node: u32| {
                    let inner = scope.counting(&node.to_string());
                    self.bit(condition, &inner).at(Level::Product)
                };
                let parts: Vec<String> = (0..self.protocol.nodes).map(one).collect();
                Text(parts.join(" + "), Level::Sum)
            }
            Expr::Not(inner) => {
                let bit = self.bit(inner, scope).at(Level::Product);
                Text(format!("1 - {bit}"), Level::Sum)
            }
            Expr::Minus(inner) => {
                let inner = self.number(inner, scope).at(Level::Product);
                Text(format!("0 - {inner}"), Level::Sum)
            }
            Expr::Binary(op, a, b, span) => self.binary(*op, a, b, *span, scope),
        }
    }

    /// The expression as a number, 1 if it is true and else 0.
    fn bit(&self, expr: &Expr, scope: &Scope) -> Text {
        let number = self.number(expr, scope);
        if self.is_bit(expr) {
            return number;
        }
        let (low, high) = self.range(expr);
        if low.abs().max(high.abs()) > 40_000 {
            return self.refuse(None, "numbers as large as this cannot be counted in CSP#");
        }
        let number = number.at(Level::Primary);
        Text(format!("1 - 1 / (1 + {number} * {number})"), Level::Sum)
    }

    fn binary(&self, op: Operator, a: &Expr, b: &Expr, span: Span, scope: &Scope) -> Text {
        let arithmetic = |sign: &str, level: Level, right: Level| {
            let (a, b) = (self.number(a, scope), self.number(b, scope));
            Text(format!("{} {sign} {}", a.at(level), b.at(right)), level)
        };
        let opposite = |text: Text| Text(format!("1 - {}", text.at(Level::Product)), Level::Sum);
        match op {
            Operator::Add => arithmetic("+", Level::Sum, Level::Sum),
            Operator::Subtract => arithmetic("-", Level::Sum, Level::Product),
            Operator::Multiply => arithmetic("*", Level::Product, Level::Primary),
            Operator::Divide => arithmetic("/", Level::Product, Level::Primary),
            Operator::Modulo => arithmetic("%", Level::Product, Level::Primary),
            Operator::And => {
                let (a, b) = (self.bit(a, scope), self.bit(b, scope));
                Text(
                    format!("{} * {}", a.at(Level::Product), b.at(Level::Primary)),
                    Level::Product,
                )
            }
            Operator::Or => {
                let (a, b) = (opposite(self.bit(a, scope)), opposite(self.bit(b, scope)));
                opposite(Text(
                    format!("{} * {}", a.at(Level::Product), b.at(Level::Primary)),
                    Level::Product,
                ))
            }
            Operator::Equal => self.equal(a, b, span, scope),
            Operator::Unequal => opposite(self.equal(a, b, span, scope)),
            Operator::Less => self.less(a, b, span, scope),
            Operator::Greater => self.less(b, a, span, scope),
            Operator::AtMost => opposite(self.less(b, a, span, scope)),
            Operator::AtLeast => opposite(self.less(a, b, span, scope)),
        }
    }

    /// 1 if the two are equal, else 0.
    fn equal(&self, a: &Expr, b: &Expr, span: Span, scope: &Scope) -> Text {
        match (a, b) {
            (a, Expr::Const(1)) if self.is_bit(a) => return self.number(a, scope),
            (a, Expr::Const(0)) if self.is_bit(a) => {
                return Text(
                    format!("1 - {}", self.number(a, scope).at(Level::Product)),
                    Level::Sum,
                );
            }
            _ => {}
        }
        if self.spread(a, b) > 40_000 {
            return self.refuse(Some(span), "numbers as large as these cannot be counted in CSP#");
        }
        let (a, b) = (self.number(a, scope), self.number(b, scope));
        let difference = match b.0.as_str() {
            "0" => a.at(Level::Primary),
            _ => format!("({} - {})", a.at(Level::Sum), b.at(Level::Product)),
        };
        Text(format!("1 / (1 + {difference} * {difference})"), Level::Product)
    }

    /// 1 if the first is less than the second, else 0.
    fn less(&self, a: &Expr, b: &Expr, span: Span, scope: &Scope) -> Text {
        let most = self.spread(a, b);
        if most > 1 << 30 {
            return self.refuse(Some(span), "numbers as large as these cannot be counted in CSP#");
        }
        let (a, b) = (self.number(a, scope), self.number(b, scope));
        let difference = match (a.0.as_str(), b.0.as_str()) {
            ("0", _) => b.at(Level::Sum),
            (_, "0") => format!("0 - {}", a.at(Level::Product)),
            _ => format!("{} - {}", b.at(Level::Sum), a.at(Level::Product)),
        };
        Text(format!("({difference} + {most}) / {}", most + 1), Level::Product)
    }

    /// The farthest that two expressions can be apart.
    fn spread(&self, a: &Expr, b: &Expr) -> i64 {
        let ((low, high), (least, greatest)) = (self.range(a), self.range(b));
        (high - least).abs().max((greatest - low).abs())
    }

    fn field(&self, place: &Place, field: FieldId, scope: &Scope) -> Text {
        let name = &self.names.fields[field.index()];
        if !scope.chosen.is_empty() {
            let node = match place {
                Place::At(index) => constant(index, scope.each.parse().ok()),
                _ => self.node(place, scope).parse().ok(),
            };
            match node.and_then(|n: i64| u32::try_from(n).ok()) {
                None => {
                    let why =
                        "a node by a number that is known at run time only cannot be written in a start";
                    return self.refuse(None, why);
                }
                Some(node) => {
                    if let Some(chosen) = scope.chosen.get(&(field, node)) {
                        return Text::primary(chosen);
                    }
                }
            }
        }
        let index = match place {
            Place::At(index) => self.number(index, scope).plain(),
            _ => self.node(place, scope).to_owned(),
        };
        Text::primary(format!("{name}[{index}]"))
    }

    fn node<'s>(&self, place: &Place, scope: &'s Scope) -> &'s str {
        match place {
            Place::Initiator => &scope.initiator,
            Place::Responder => &scope.responder,
            Place::Each => &scope.each,
            Place::At(_) => unreachable!("a node by its number has no name"),
        }
    }

    /// Whether it can only be 0 or 1.
    fn is_bit(&self, expr: &Expr) -> bool {
        let (low, high) = self.range(expr);
        low >= 0 && high <= 1
    }

    /// The least and the greatest value it can have, roughly.
    fn range(&self, expr: &Expr) -> (i64, i64) {
        let nodes = i64::from(self.protocol.nodes);
        match expr {
            Expr::Const(value) => (i64::from(*value), i64::from(*value)),
            Expr::Field(_, field) => {
                let field = &self.protocol.fields[field.index()];
                (i64::from(field.low), i64::from(field.high))
            }
            Expr::Node(_) => (0, nodes - 1),
            Expr::Count(_) => (0, nodes),
            Expr::Detector | Expr::Correct | Expr::Not(_) => (0, 1),
            Expr::Minus(inner) => {
                let (low, high) = self.range(inner);
                (-high, -low)
            }
            Expr::Binary(op, a, b, _) => {
                let ((low, high), (least, greatest)) = (self.range(a), self.range(b));
                let products = [low * least, low * greatest, high * least, high * greatest];
                let furthest = low.abs().max(high.abs());
                let range = match op {
                    Operator::Add => (low + least, high + greatest),
                    Operator::Subtract => (low - greatest, high - least),
                    Operator::Multiply => (
                        products.into_iter().min().unwrap_or(0),
                        products.into_iter().max().unwrap_or(0),
                    ),
                    Operator::Divide => (-furthest, furthest),
                    Operator::Modulo => (0, least.abs().max(greatest.abs()).max(1) - 1),
                    _ => (0, 1),
                };
                let bound = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
                (bound(range.0), bound(range.1))
            }
        }
    }
}

fn is_comparison(op: Operator) -> bool {
    matches!(
        op,
        Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
    )
}

/// Whether it is written more simply as a truth than as a number.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Detector | Expr::Not(_) => true,
        Expr::Binary(op, ..) => is_comparison(*op) || matches!(op, Operator::And | Operator::Or),
        _ => false,
    }
}

/// The value of an expression that reads at most the number of a node.
pub(super) fn constant(expr: &Expr, each: Option<u32>) -> Option<i64> {
    match expr {
        Expr::Const(value) => Some(i64::from(*value)),
        Expr::Node(Place::Each) => each.map(i64::from),
        Expr::Node(Place::At(index)) => constant(index, each),
        Expr::Minus(inner) => constant(inner, each)?.checked_neg(),
        Expr::Not(inner) => Some(i64::from(constant(inner, each)? == 0)),
        Expr::Binary(op, a, b, _) => {
            let (a, b) = (constant(a, each)?, constant(b, each)?);
            match op {
                Operator::Add => a.checked_add(b),
                Operator::Subtract => a.checked_sub(b),
                Operator::Multiply => a.checked_mul(b),
                Operator::Divide => a.checked_div(b),
                Operator::Modulo => a.checked_rem_euclid(b),
                Operator::Or => Some(i64::from(a != 0 || b != 0)),
                Operator::And => Some(i64::from(a != 0 && b != 0)),
                Operator::Equal => Some(i64::from(a == b)),
                Operator::Unequal => Some(i64::from(a != b)),
                Operator::Less => Some(i64::from(a < b)),
                Operator::AtMost => Some(i64::from(a <= b)),
                Operator::Greater => Some(i64::from(a > b)),
                Operator::AtLeast => Some(i64::from(a >= b)),
            }
        }
        _ => None,
    }
}
