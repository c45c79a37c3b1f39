//! Computation tree logic: what is true of a state, by way of the paths that start there.
//!
//! Atoms speak of states only. An event belongs to a step, so it stands in `EX{e}` and `AX{e}`, which speak of steps: in [`Ctl::Next`] its
//! id is one of the front end's atoms like any other.

use crate::{AtomId, Ltl};
use std::collections::BTreeSet;
use std::fmt;

/// Over all, or over some, fair paths from a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `A`
    All,
    /// `E`
    Exists,
}

impl Quantifier {
    /// As written.
    pub fn letter(self) -> char {
        match self {
            Quantifier::All => 'A',
            Quantifier::Exists => 'E',
        }
    }
}

/// A formula of computation tree logic; every path quantifier ranges over fair paths.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ctl {
    /// Always true.
    True,
    /// Always false.
    False,
    /// A state proposition.
    Atom(AtomId),
    /// `! p`
    Not(Box<Ctl>),
    /// `p && q`
    And(Box<Ctl>, Box<Ctl>),
    /// `p || q`
    Or(Box<Ctl>, Box<Ctl>),
    /// `p -> q`
    Implies(Box<Ctl>, Box<Ctl>),
    /// `p <-> q`
    Iff(Box<Ctl>, Box<Ctl>),
    /// `AX p`, `EX p`; with events, only steps of these count: `EX{e} p`, some `e` leads to `p`, and `AX{e} p`, every `e` does.
    Next(Quantifier, Option<Vec<AtomId>>, Box<Ctl>),
    /// `AF p`, `EF p`
    Finally(Quantifier, Box<Ctl>),
    /// `AG p`, `EG p`
    Globally(Quantifier, Box<Ctl>),
    /// `A[p U q]`, `E[p U q]`
    Until(Quantifier, Box<Ctl>, Box<Ctl>),
    /// `A[p R q]`, `E[p R q]`
    Release(Quantifier, Box<Ctl>, Box<Ctl>),
    /// `A[p W q]`, `E[p W q]`
    WeakUntil(Quantifier, Box<Ctl>, Box<Ctl>),
}

impl Ctl {
    /// The atoms it mentions, events of `EX{e}` aside, ascending, each once.
    pub fn atoms(&self) -> Vec<AtomId> {
        let mut atoms = BTreeSet::new();
        self.visit(&mut |part| {
            if let Ctl::Atom(atom) = part {
                atoms.insert(*atom);
            }
        });
        atoms.into_iter().collect()
    }

    /// The events of its `EX{e}` and `AX{e}`, ascending, each once.
    pub fn events(&self) -> Vec<AtomId> {
        let mut events = BTreeSet::new();
        self.visit(&mut |part| {
            if let Ctl::Next(_, Some(list), _) = part {
                events.extend(list.iter().copied());
            }
        });
        events.into_iter().collect()
    }

    /// The formulas it is directly made of, from the left.
    pub fn operands(&self) -> impl Iterator<Item = &Ctl> {
        let (p, q) = match self {
            Ctl::True | Ctl::False | Ctl::Atom(_) => (None, None),
            Ctl::Not(p) | Ctl::Next(_, _, p) | Ctl::Finally(_, p) | Ctl::Globally(_, p) => (Some(p), None),
            Ctl::And(p, q)
            | Ctl::Or(p, q)
            | Ctl::Implies(p, q)
            | Ctl::Iff(p, q)
            | Ctl::Until(_, p, q)
            | Ctl::Release(_, p, q)
            | Ctl::WeakUntil(_, p, q) => (Some(p), Some(q)),
        };
        p.into_iter().chain(q).map(|part| &**part)
    }

    /// Calls `f` with the formula and all its parts, each before its own parts.
    pub fn visit<'f>(&'f self, f: &mut dyn FnMut(&'f Ctl)) {
        let mut waiting = vec![self];
        while let Some(part) = waiting.pop() {
            f(part);
            let operands: Vec<&Ctl> = part.operands().collect();
            waiting.extend(operands.into_iter().rev());
        }
    }

    /// Whether it has no path quantifier: a condition on one state.
    pub fn is_state_condition(&self) -> bool {
        let mut plain = true;
        self.visit(&mut |part| {
            plain &= !matches!(
                part,
                Ctl::Next(..)
                    | Ctl::Finally(..)
                    | Ctl::Globally(..)
                    | Ctl::Until(..)
                    | Ctl::Release(..)
                    | Ctl::WeakUntil(..)
            );
        });
        plain
    }

    /// The same condition on one state as a formula of linear time; none if it has path quantifiers.
    pub fn as_condition(&self) -> Option<Ltl> {
        let part = |p: &Ctl| p.as_condition().map(Box::new);
        Some(match self {
            Ctl::True => Ltl::True,
            Ctl::False => Ltl::False,
            Ctl::Atom(atom) => Ltl::Atom(*atom),
            Ctl::Not(p) => Ltl::Not(part(p)?),
            Ctl::And(p, q) => Ltl::And(part(p)?, part(q)?),
            Ctl::Or(p, q) => Ltl::Or(part(p)?, part(q)?),
            Ctl::Implies(p, q) => Ltl::Implies(part(p)?, part(q)?),
            Ctl::Iff(p, q) => Ltl::Iff(part(p)?, part(q)?),
            _ => return None,
        })
    }

    /// The formula that is a condition on one state; none for a formula with temporal operators.
    pub fn of_condition(condition: &Ltl) -> Option<Ctl> {
        let part = |p: &Ltl| Ctl::of_condition(p).map(Box::new);
        Some(match condition {
            Ltl::True => Ctl::True,
            Ltl::False => Ctl::False,
            Ltl::Atom(atom) => Ctl::Atom(*atom),
            Ltl::Not(p) => Ctl::Not(part(p)?),
            Ltl::And(p, q) => Ctl::And(part(p)?, part(q)?),
            Ltl::Or(p, q) => Ctl::Or(part(p)?, part(q)?),
            Ltl::Implies(p, q) => Ctl::Implies(part(p)?, part(q)?),
            Ltl::Iff(p, q) => Ctl::Iff(part(p)?, part(q)?),
            _ => return None,
        })
    }

    /// Writes the formula as it could be typed, with parentheses around operands of two parts; atoms by `name`.
    pub fn display<'a>(&'a self, name: &'a dyn Fn(AtomId) -> String) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| self.write(f, name))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &dyn Fn(AtomId) -> String) -> fmt::Result {
        let operand = |f: &mut fmt::Formatter<'_>, p: &Ctl| p.write_operand(f, name);
        let join = |f: &mut fmt::Formatter<'_>, p: &Ctl, op: &str, q: &Ctl| {
            operand(f, p)?;
            write!(f, " {op} ")?;
            operand(f, q)
        };
        let path = |f: &mut fmt::Formatter<'_>, quantifier: &Quantifier, p: &Ctl, op: &str, q: &Ctl| {
            write!(f, "{}[", quantifier.letter())?;
            join(f, p, op, q)?;
            f.write_str("]")
        };
        match self {
            Ctl::True => f.write_str("true"),
            Ctl::False => f.write_str("false"),
            Ctl::Atom(atom) => f.write_str(&name(*atom)),
            Ctl::Not(p) => {
                f.write_str("!")?;
                operand(f, p)
            }
            Ctl::And(p, q) => join(f, p, "&&", q),
            Ctl::Or(p, q) => join(f, p, "||", q),
            Ctl::Implies(p, q) => join(f, p, "->", q),
            Ctl::Iff(p, q) => join(f, p, "<->", q),
            Ctl::Next(quantifier, events, p) => {
                write!(f, "{}X", quantifier.letter())?;
                if let Some(events) = events {
                    let names: Vec<String> = events.iter().map(|e| name(*e)).collect();
                    write!(f, "{{{}}}", names.join(", "))?;
                }
                f.write_str(" ")?;
                operand(f, p)
            }
            Ctl::Finally(quantifier, p) => {
                write!(f, "{}F ", quantifier.letter())?;
                operand(f, p)
            }
            Ctl::Globally(quantifier, p) => {
                write!(f, "{}G ", quantifier.letter())?;
                operand(f, p)
            }
            Ctl::Until(quantifier, p, q) => path(f, quantifier, p, "U", q),
            Ctl::Release(quantifier, p, q) => path(f, quantifier, p, "R", q),
            Ctl::WeakUntil(quantifier, p, q) => path(f, quantifier, p, "W", q),
        }
    }

    fn write_operand(&self, f: &mut fmt::Formatter<'_>, name: &dyn Fn(AtomId) -> String) -> fmt::Result {
        let loose = match self {
            Ctl::And(..) | Ctl::Or(..) | Ctl::Implies(..) | Ctl::Iff(..) => true,
            // A condition on the state may have operators of its own.
            Ctl::Atom(atom) => has_operators(&name(*atom)),
            _ => false,
        };
        if loose {
            f.write_str("(")?;
        }
        self.write(f, name)?;
        if loose {
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// Whether an atom as written falls into several words, those in parentheses aside.
fn has_operators(written: &str) -> bool {
    let mut depth = 0;
    written.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ' ' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(k: u32) -> Box<Ctl> {
        Box::new(Ctl::Atom(AtomId(k)))
    }

    fn shown(formula: &Ctl) -> String {
        let names = ["p", "q", "x > 0", "get.0", "put.1"];
        formula.display(&|a| names[a.0 as usize].to_owned()).to_string()
    }

    #[test]
    fn formulas_are_shown_as_typed() {
        use Quantifier::{All, Exists};
        let eventually = Ctl::Finally(All, Box::new(Ctl::Not(atom(1))));
        let response = Ctl::Globally(All, Box::new(Ctl::Implies(atom(0), Box::new(eventually))));
        assert_eq!(shown(&response), "AG (p -> AF !q)");
        let until = Ctl::Until(Exists, Box::new(Ctl::And(atom(0), atom(1))), atom(2));
        assert_eq!(shown(&Ctl::Not(Box::new(until))), "!E[(p && q) U (x > 0)]");
        let next = Ctl::Next(Exists, Some(vec![AtomId(3), AtomId(4)]), Box::new(Ctl::True));
        assert_eq!(shown(&next), "EX{get.0, put.1} true");
        assert_eq!(
            (next.atoms(), next.events()),
            (vec![], vec![AtomId(3), AtomId(4)])
        );
        assert!(!next.is_state_condition() && Ctl::Or(atom(0), atom(2)).is_state_condition());
    }

    #[test]
    fn parts_come_outermost_first_and_from_the_left() {
        let formula = Ctl::Or(Box::new(Ctl::Not(atom(1))), atom(0));
        let mut parts = Vec::new();
        formula.visit(&mut |part| parts.push(shown(part)));
        assert_eq!(parts, ["!q || p", "!q", "q", "p"]);
        assert_eq!(formula.atoms(), [AtomId(0), AtomId(1)]);
    }
}
