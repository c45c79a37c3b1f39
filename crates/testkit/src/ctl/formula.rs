//! Formulas of computation tree logic, as the oracle reads them.

use crate::fair::Party;

/// What is true or false of a state by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// A predicate.
    Predicate(u32),
    /// Some step from the state engages it.
    Enabled(Party),
    /// The state has no steps, and is not the one after termination.
    Deadlock,
    /// The state after termination.
    Terminated,
}

/// Over which fair paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// All.
    All,
    /// At least one.
    Exists,
}

/// A formula that is true or false of a state.
#[derive(Clone, PartialEq, Debug)]
pub enum StateFormula {
    /// A truth value.
    Const(bool),
    /// An atom.
    Atom(Atom),
    /// Not.
    Not(Box<StateFormula>),
    /// Both.
    And(Box<StateFormula>, Box<StateFormula>),
    /// Either.
    Or(Box<StateFormula>, Box<StateFormula>),
    /// If, then.
    Implies(Box<StateFormula>, Box<StateFormula>),
    /// Both or neither.
    Iff(Box<StateFormula>, Box<StateFormula>),
    /// Fair paths from the state satisfy the path formula.
    Paths(Quantifier, Box<PathFormula>),
}

/// A formula that is true or false of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum PathFormula {
    /// The second state satisfies it; with events, the first step also has one of these.
    Next(Option<Vec<u32>>, StateFormula),
    /// Some state satisfies it.
    Finally(StateFormula),
    /// All states satisfy it.
    Globally(StateFormula),
    /// Some state satisfies the second, and all before it the first.
    Until(StateFormula, StateFormula),
    /// All states satisfy the second, or all up to and including one that satisfies the first.
    Release(StateFormula, StateFormula),
    /// All states satisfy the first, or all before one that satisfies the second.
    WeakUntil(StateFormula, StateFormula),
}

impl StateFormula {
    /// A predicate.
    pub fn predicate(number: u32) -> StateFormula {
        StateFormula::Atom(Atom::Predicate(number))
    }

    /// `A` of a path formula.
    pub fn all(path: PathFormula) -> StateFormula {
        StateFormula::Paths(Quantifier::All, Box::new(path))
    }

    /// `E` of a path formula.
    pub fn exists(path: PathFormula) -> StateFormula {
        StateFormula::Paths(Quantifier::Exists, Box::new(path))
    }

    /// Its negation.
    #[must_use]
    pub fn negated(self) -> StateFormula {
        StateFormula::Not(Box::new(self))
    }

    /// Its conjunction with another.
    #[must_use]
    pub fn and(self, other: StateFormula) -> StateFormula {
        StateFormula::And(Box::new(self), Box::new(other))
    }

    /// Its disjunction with another.
    #[must_use]
    pub fn or(self, other: StateFormula) -> StateFormula {
        StateFormula::Or(Box::new(self), Box::new(other))
    }

    /// The implication of another by it.
    #[must_use]
    pub fn implies(self, other: StateFormula) -> StateFormula {
        StateFormula::Implies(Box::new(self), Box::new(other))
    }
}

impl PathFormula {
    /// The state formulas it is made of.
    pub fn parts(&self) -> Vec<&StateFormula> {
        match self {
            PathFormula::Next(_, p) | PathFormula::Finally(p) | PathFormula::Globally(p) => vec![p],
            PathFormula::Until(p, q) | PathFormula::Release(p, q) | PathFormula::WeakUntil(p, q) => {
                vec![p, q]
            }
        }
    }

    /// The letter of its operator; `X{}` with events.
    pub fn letter(&self) -> &'static str {
        match self {
            PathFormula::Next(None, _) => "X",
            PathFormula::Next(Some(_), _) => "X{}",
            PathFormula::Finally(_) => "F",
            PathFormula::Globally(_) => "G",
            PathFormula::Until(..) => "U",
            PathFormula::Release(..) => "R",
            PathFormula::WeakUntil(..) => "W",
        }
    }
}
