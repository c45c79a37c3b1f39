//! Linear temporal logic.

use crate::AtomId;
use std::collections::BTreeSet;
use std::fmt;

/// A formula of linear temporal logic over positions (the event that led to a state, the state).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ltl {
    /// Always true.
    True,
    /// Always false.
    False,
    /// A state or event proposition.
    Atom(AtomId),
    /// `! p`
    Not(Box<Ltl>),
    /// `p && q`
    And(Box<Ltl>, Box<Ltl>),
    /// `p || q`
    Or(Box<Ltl>, Box<Ltl>),
    /// `p -> q`
    Implies(Box<Ltl>, Box<Ltl>),
    /// `p <-> q`
    Iff(Box<Ltl>, Box<Ltl>),
    /// `X p`
    Next(Box<Ltl>),
    /// `<> p`
    Finally(Box<Ltl>),
    /// `[] p`
    Globally(Box<Ltl>),
    /// `p U q`
    Until(Box<Ltl>, Box<Ltl>),
    /// `p R q`
    Release(Box<Ltl>, Box<Ltl>),
    /// `p W q`
    WeakUntil(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// Whether it joins `[]<> a` and `<>[] a` of formulas without time: then only what happens infinitely often matters.
    pub fn is_recurrence(&self) -> bool {
        match self {
            Ltl::True | Ltl::False => true,
            Ltl::Not(p) => p.is_recurrence(),
            Ltl::And(p, q) | Ltl::Or(p, q) | Ltl::Implies(p, q) | Ltl::Iff(p, q) => {
                p.is_recurrence() && q.is_recurrence()
            }
            Ltl::Globally(p) => matches!(&**p, Ltl::Finally(a) if a.is_timeless()),
            Ltl::Finally(p) => matches!(&**p, Ltl::Globally(a) if a.is_timeless()),
            Ltl::Atom(_) | Ltl::Next(_) | Ltl::Until(..) | Ltl::Release(..) | Ltl::WeakUntil(..) => false,
        }
    }

    /// Whether it is without time.
    fn is_timeless(&self) -> bool {
        match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) => true,
            Ltl::Not(p) => p.is_timeless(),
            Ltl::And(p, q) | Ltl::Or(p, q) | Ltl::Implies(p, q) | Ltl::Iff(p, q) => {
                p.is_timeless() && q.is_timeless()
            }
            _ => false,
        }
    }

    /// The atoms it mentions, ascending, each once.
    pub fn atoms(&self) -> Vec<AtomId> {
        let mut atoms = BTreeSet::new();
        self.visit(&mut |part| {
            if let Ltl::Atom(atom) = part {
                atoms.insert(*atom);
            }
        });
        atoms.into_iter().collect()
    }

    /// How many operators, atoms and constants it has.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.visit(&mut |_| size += 1);
        size
    }

    /// Calls `f` with the formula and all its parts.
    fn visit<'f>(&'f self, f: &mut dyn FnMut(&'f Ltl)) {
        let mut waiting = vec![self];
        while let Some(formula) = waiting.pop() {
            f(formula);
            match formula {
                Ltl::True | Ltl::False | Ltl::Atom(_) => {}
                Ltl::Not(p) | Ltl::Next(p) | Ltl::Finally(p) | Ltl::Globally(p) => waiting.push(p),
                Ltl::And(p, q)
                | Ltl::Or(p, q)
                | Ltl::Implies(p, q)
                | Ltl::Iff(p, q)
                | Ltl::Until(p, q)
                | Ltl::Release(p, q)
                | Ltl::WeakUntil(p, q) => waiting.extend([&**p, &**q]),
            }
        }
    }

    /// Writes the formula fully parenthesised, atoms by `name`.
    pub fn display<'a>(&'a self, name: &'a dyn Fn(AtomId) -> String) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| self.write(f, name))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &dyn Fn(AtomId) -> String) -> fmt::Result {
        let binary = |f: &mut fmt::Formatter<'_>, p: &Ltl, op: &str, q: &Ltl| {
            f.write_str("(")?;
            p.write(f, name)?;
            write!(f, " {op} ")?;
            q.write(f, name)?;
            f.write_str(")")
        };
        let unary = |f: &mut fmt::Formatter<'_>, op: &str, p: &Ltl| {
            f.write_str(op)?;
            p.write(f, name)
        };
        match self {
            Ltl::True => f.write_str("true"),
            Ltl::False => f.write_str("false"),
            Ltl::Atom(a) => f.write_str(&name(*a)),
            Ltl::Not(p) => unary(f, "!", p),
            Ltl::Next(p) => unary(f, "X ", p),
            Ltl::Finally(p) => unary(f, "<>", p),
            Ltl::Globally(p) => unary(f, "[]", p),
            Ltl::And(p, q) => binary(f, p, "&&", q),
            Ltl::Or(p, q) => binary(f, p, "||", q),
            Ltl::Implies(p, q) => binary(f, p, "->", q),
            Ltl::Iff(p, q) => binary(f, p, "<->", q),
            Ltl::Until(p, q) => binary(f, p, "U", q),
            Ltl::Release(p, q) => binary(f, p, "R", q),
            Ltl::WeakUntil(p, q) => binary(f, p, "W", q),
        }
    }
}
