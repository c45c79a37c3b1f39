//! Computation tree logic.

use crate::AtomId;

/// Over all, or over some, fair paths from a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `A`
    All,
    /// `E`
    Exists,
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
    /// `AX p`, `EX p`; with events, only steps of these count (`EX{e} p`).
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
