//! Conditions on a state of a graph: its number, or a set that it is in.

use crate::lts::StateSet;
use fairhold_store::StateId;
use std::fmt;

/// A condition on a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// True or false everywhere.
    Const(bool),
    /// `state == 3`
    Compare(Comparison, i64),
    /// A proposition, or whatever else is true in these states, as written.
    Among(String, StateSet),
    /// `!c`
    Not(Box<Condition>),
    /// `c && d`
    And(Box<Condition>, Box<Condition>),
    /// `c || d`
    Or(Box<Condition>, Box<Condition>),
}

/// How a state's number is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// The comparison with this sign.
    pub(super) fn of_sign(sign: &str) -> Option<Comparison> {
        Some(match sign {
            "==" => Comparison::Equal,
            "!=" => Comparison::Different,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            _ => return None,
        })
    }
}

impl Condition {
    /// Whether it holds in a state.
    pub fn holds(&self, state: StateId) -> bool {
        let number = i64::from(state.0);
        match self {
            Condition::Const(value) => *value,
            Condition::Compare(Comparison::Equal, n) => number == *n,
            Condition::Compare(Comparison::Different, n) => number != *n,
            Condition::Compare(Comparison::Less, n) => number < *n,
            Condition::Compare(Comparison::AtMost, n) => number <= *n,
            Condition::Compare(Comparison::Greater, n) => number > *n,
            Condition::Compare(Comparison::AtLeast, n) => number >= *n,
            Condition::Among(_, set) => set.contains(state.index()),
            Condition::Not(c) => !c.holds(state),
            Condition::And(c, d) => c.holds(state) && d.holds(state),
            Condition::Or(c, d) => c.holds(state) || d.holds(state),
        }
    }
}

/// As it could be written, fully parenthesised.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Const(value) => write!(f, "{value}"),
            Condition::Compare(comparison, number) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Different => "!=",
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Greater => ">",
                    Comparison::AtLeast => ">=",
                };
                write!(f, "state {sign} {number}")
            }
            Condition::Among(written, _) => f.write_str(written),
            Condition::Not(c) => write!(f, "!({c})"),
            Condition::And(c, d) => write!(f, "({c} && {d})"),
            Condition::Or(c, d) => write!(f, "({c} || {d})"),
        }
    }
}
