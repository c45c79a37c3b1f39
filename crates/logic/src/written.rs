//! A formula as it was written: of linear time, of branching time, or a mixture that is neither.
//!
//! Every front end reads formulas into this one tree and turns it into [`Ltl`] or [`Ctl`] afterwards, so that operators mean the same
//! in every language, and a formula that mixes the two logics is explained in one place.
//!
//! It also knows the fairness constraints that have a name in the literature [EmersonLei-TR'84], as formulas.

use crate::{AtomId, Ctl, Ltl, Quantifier};
use fairhold_source::{Diagnostic, Span};

/// The kind of a formula, which decides what its atoms may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Logic {
    /// LTL: conditions on the state, and the event that led there.
    #[default]
    Linear,
    /// CTL: conditions on the state, what is enabled there, `deadlock` and `terminated`. No events: these belong to steps.
    Branching,
    /// A fairness formula: conditions on the state, and what is enabled, ready and engaged.
    Fairness,
}

/// A formula of either logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// `true`, `false`
    Const(bool),
    /// An atom.
    Atom(AtomId),
    /// `! p`
    Not(Box<Written>),
    /// `p && q` and its like.
    Join(Join, Box<Written>, Box<Written>),
    /// `[] p`, or `AG p` if there is a quantifier; `EX{e} p` if there are events. The place is that of the operator.
    Unary(Option<Quantifier>, Unary, Option<Vec<AtomId>>, Box<Written>, Span),
    /// `p U q`, or `A[p U q]` if there is a quantifier.
    Binary(Option<Quantifier>, Binary, Box<Written>, Box<Written>, Span),
}

/// An operator of propositional logic with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Join {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `xor`
    Xor,
}

/// A temporal operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// `X`
    Next,
    /// `<>`, `F`
    Finally,
    /// `[]`, `G`
    Globally,
}

/// A temporal operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `U`
    Until,
    /// `R`, `V`
    Release,
    /// `W`
    WeakUntil,
}

/// A chain of more operands than this is no tree from the left any more, where that makes no difference.
pub(crate) const LONG_CHAIN: usize = 64;

/// Joins parts, neighbours first, so that a tree of little depth comes out; none of no parts.
pub(crate) fn balanced<T>(mut parts: Vec<T>, join: &mut dyn FnMut(T, T) -> T) -> Option<T> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(p) = rest.next() {
            next.push(match rest.next() {
                Some(q) => join(p, q),
                None => p,
            });
        }
        parts = next;
    }
    parts.pop()
}

impl Quantifier {
    /// The path quantifier and the operator of `AG`, `EF` and so on.
    pub fn of_word(word: &str) -> Option<(Quantifier, Unary)> {
        let quantifier = match word.get(..1)? {
            "A" => Quantifier::All,
            "E" => Quantifier::Exists,
            _ => return None,
        };
        let unary = match word.get(1..)? {
            "X" => Unary::Next,
            "F" => Unary::Finally,
            "G" => Unary::Globally,
            _ => return None,
        };
        Some((quantifier, unary))
    }
}

/// What the two logics are, for those who mixed them.
const DIFFERENCE: &str = "LTL speaks of one execution at a time: `[] p`, `<> p`, `p U q`, without quantifiers. CTL speaks of states, and says of every operator whether all executions from there (`AG p`, `AF p`, `A[p U q]`) or some (`EG p`, `EF p`, `E[p U q]`) are meant. Write the formula in one of them";

impl Written {
    /// `p op q`
    #[must_use]
    pub fn join(self, op: Join, q: Written) -> Written {
        Written::Join(op, Box::new(self), Box::new(q))
    }

    /// All of these; `true` for none. The tree is of little depth.
    pub fn all(parts: Vec<Written>) -> Written {
        Written::balanced(Join::And, parts).unwrap_or(Written::Const(true))
    }

    /// Joins operands by an associative operator in a tree of little depth.
    pub fn balanced(op: Join, parts: Vec<Written>) -> Option<Written> {
        balanced(parts, &mut |p, q| p.join(op, q))
    }

    /// A chain of operands, read from the left: `operators` stand between them. What one `&&` or `||` joins is a tree of little depth if it is long, since whoever walks a formula may
    /// recurse. None of no operands.
    pub fn chain(operands: Vec<Written>, operators: &[Join]) -> Option<Written> {
        let mut operands = operands.into_iter();
        let mut left = operands.next()?;
        for run in operators.chunk_by(|one, next| one == next) {
            let (op, parts) = (run[0], operands.by_ref().take(run.len()));
            left = match op {
                Join::And | Join::Or if run.len() >= LONG_CHAIN => {
                    Written::balanced(op, std::iter::once(left).chain(parts).collect())?
                }
                _ => parts.fold(left, |p, q| p.join(op, q)),
            };
        }
        Some(left)
    }

    /// The most operands of a chain that are joined by an operator one after the other, and not in a tree of little depth: those of long runs of one `&&` or `||` are.
    pub fn depth_of_chain(operators: &[Join]) -> usize {
        let runs = operators.chunk_by(|one, next| one == next);
        runs.map(|run| match run[0] {
            Join::And | Join::Or if run.len() >= LONG_CHAIN => run.len().ilog2() as usize + 1,
            _ => run.len(),
        })
        .sum()
    }

    /// `GF p`: infinitely often.
    #[must_use]
    pub fn infinitely_often(self, at: Span) -> Written {
        let finally = Written::Unary(None, Unary::Finally, None, Box::new(self), at);
        Written::Unary(None, Unary::Globally, None, Box::new(finally), at)
    }

    /// `FG p`: from some point on always.
    #[must_use]
    pub fn eventually_always(self, at: Span) -> Written {
        let globally = Written::Unary(None, Unary::Globally, None, Box::new(self), at);
        Written::Unary(None, Unary::Finally, None, Box::new(globally), at)
    }

    /// The pairs condition of Rabin: for some pair (red, green), red is met finitely often and green infinitely often.
    pub fn rabin(pairs: Vec<(Written, Written)>, at: Span) -> Written {
        let pair = |(red, green): (Written, Written)| {
            let never = Written::Not(Box::new(red)).eventually_always(at);
            never.join(Join::And, green.infinitely_often(at))
        };
        let pairs = pairs.into_iter().map(pair).collect();
        Written::balanced(Join::Or, pairs).unwrap_or(Written::Const(false))
    }

    /// The complemented pairs of Streett: for every pair (red, green), if red is met infinitely often, so is green.
    pub fn streett(pairs: Vec<(Written, Written)>, at: Span) -> Written {
        let pair = |(red, green): (Written, Written)| {
            red.infinitely_often(at)
                .join(Join::Implies, green.infinitely_often(at))
        };
        Written::all(pairs.into_iter().map(pair).collect())
    }

    /// Where the first path quantifier stands.
    pub fn first_quantifier(&self) -> Option<Span> {
        match self {
            Written::Const(_) | Written::Atom(_) => None,
            Written::Unary(Some(_), .., at) | Written::Binary(Some(_), .., at) => Some(*at),
            Written::Not(p) | Written::Unary(None, _, _, p, _) => p.first_quantifier(),
            Written::Join(_, p, q) | Written::Binary(None, _, p, q, _) => {
                p.first_quantifier().or_else(|| q.first_quantifier())
            }
        }
    }

    /// The formula of linear time; an error that explains the difference if it has path quantifiers.
    pub fn into_ltl(self) -> Result<Ltl, Box<Diagnostic>> {
        let both = |p: Box<Written>, q: Box<Written>| -> Result<_, Box<Diagnostic>> {
            Ok((Box::new(p.into_ltl()?), Box::new(q.into_ltl()?)))
        };
        Ok(match self {
            Written::Const(true) => Ltl::True,
            Written::Const(false) => Ltl::False,
            Written::Atom(id) => Ltl::Atom(id),
            Written::Not(p) => Ltl::Not(Box::new(p.into_ltl()?)),
            Written::Join(op, p, q) => {
                let (p, q) = both(p, q)?;
                match op {
                    Join::And => Ltl::And(p, q),
                    Join::Or => Ltl::Or(p, q),
                    Join::Implies => Ltl::Implies(p, q),
                    Join::Iff => Ltl::Iff(p, q),
                    Join::Xor => Ltl::Not(Box::new(Ltl::Iff(p, q))),
                }
            }
            Written::Unary(None, op, _, p, _) => {
                let p = Box::new(p.into_ltl()?);
                match op {
                    Unary::Next => Ltl::Next(p),
                    Unary::Finally => Ltl::Finally(p),
                    Unary::Globally => Ltl::Globally(p),
                }
            }
            Written::Binary(None, op, p, q, _) => {
                let (p, q) = both(p, q)?;
                match op {
                    Binary::Until => Ltl::Until(p, q),
                    Binary::Release => Ltl::Release(p, q),
                    Binary::WeakUntil => Ltl::WeakUntil(p, q),
                }
            }
            Written::Unary(Some(_), .., at) | Written::Binary(Some(_), .., at) => {
                return Err(mixed(at, "a path quantifier, in a formula of linear time"));
            }
        })
    }

    /// The formula of branching time; an error that explains the difference if a temporal operator has no path quantifier.
    pub fn into_ctl(self) -> Result<Ctl, Box<Diagnostic>> {
        let both = |p: Box<Written>, q: Box<Written>| -> Result<_, Box<Diagnostic>> {
            Ok((Box::new(p.into_ctl()?), Box::new(q.into_ctl()?)))
        };
        Ok(match self {
            Written::Const(true) => Ctl::True,
            Written::Const(false) => Ctl::False,
            Written::Atom(id) => Ctl::Atom(id),
            Written::Not(p) => Ctl::Not(Box::new(p.into_ctl()?)),
            Written::Join(op, p, q) => {
                let (p, q) = both(p, q)?;
                match op {
                    Join::And => Ctl::And(p, q),
                    Join::Or => Ctl::Or(p, q),
                    Join::Implies => Ctl::Implies(p, q),
                    Join::Iff => Ctl::Iff(p, q),
                    Join::Xor => Ctl::Not(Box::new(Ctl::Iff(p, q))),
                }
            }
            Written::Unary(Some(quantifier), op, events, p, _) => {
                let p = Box::new(p.into_ctl()?);
                match op {
                    Unary::Next => Ctl::Next(quantifier, events, p),
                    Unary::Finally => Ctl::Finally(quantifier, p),
                    Unary::Globally => Ctl::Globally(quantifier, p),
                }
            }
            Written::Binary(Some(quantifier), op, p, q, _) => {
                let (p, q) = both(p, q)?;
                match op {
                    Binary::Until => Ctl::Until(quantifier, p, q),
                    Binary::Release => Ctl::Release(quantifier, p, q),
                    Binary::WeakUntil => Ctl::WeakUntil(quantifier, p, q),
                }
            }
            Written::Unary(None, .., at) | Written::Binary(None, .., at) => {
                let message = "a temporal operator without a path quantifier, in a formula that has some";
                return Err(mixed(at, message));
            }
        })
    }
}

/// What to say of an event that stands as an atom in a formula of branching time; `written` is the event as it is written in braces.
pub fn event_in_ctl(at: Span, event: &str, written: &str) -> Diagnostic {
    let message = format!("`{event}` is an event, and a formula with path quantifiers speaks of states");
    let help = format!(
        "`EX{{{written}}} p`: some `{event}` from here leads to p; `AX{{{written}}} p`: every one does; `enabled({event})`: there is one"
    );
    Diagnostic::error("event-in-ctl", at, message).help(help)
}

fn mixed(at: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("mixed-logics", at, message).help(DIFFERENCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(k: u32) -> Written {
        Written::Atom(AtomId(k))
    }

    fn shown(formula: Written) -> String {
        let ltl = formula.into_ltl().expect("no path quantifiers");
        ltl.display(&|a| ["red", "green", "p"][a.0 as usize].to_owned())
            .to_string()
    }

    #[test]
    fn conditions_of_automata_are_formulas() {
        let at = Span::default();
        let pair = || (atom(0), atom(1));
        assert_eq!(shown(Written::rabin(vec![pair()], at)), "(<>[]!red && []<>green)");
        let two = vec![pair(), (atom(2), atom(1))];
        assert_eq!(
            shown(Written::streett(two, at)),
            "(([]<>red -> []<>green) && ([]<>p -> []<>green))"
        );
        assert_eq!(shown(Written::rabin(Vec::new(), at)), "false");
        assert_eq!(shown(Written::streett(Vec::new(), at)), "true");
    }

    #[test]
    fn long_chains_are_of_little_depth() {
        let (many, few) = (10_000, 3);
        let operators = [vec![Join::Or; many], vec![Join::Implies; few]].concat();
        assert_eq!(Written::depth_of_chain(&operators), 14 + few);
        let chain = Written::chain(vec![atom(2); many + few + 1], &operators).expect("operands");
        let Written::Join(Join::Implies, mut left, _) = chain else {
            panic!("read from the left")
        };
        let mut depth = 1;
        while let Written::Join(_, p, _) = *left {
            (left, depth) = (p, depth + 1);
        }
        assert_eq!(depth, 14 + few);
        let short = Written::chain(vec![atom(0), atom(1), atom(2)], &[Join::And; 2]);
        assert_eq!(shown(short.expect("operands")), "((red && green) && p)");
    }

    #[test]
    fn the_logics_are_not_mixed() {
        let at = Span {
            start: 3,
            end: 5,
            ..Span::default()
        };
        let finally = Written::Unary(None, Unary::Finally, None, Box::new(atom(0)), at);
        let (all, next) = Quantifier::of_word("AX").expect("an operator");
        let both = Written::Unary(Some(all), next, None, Box::new(finally), Span::default());
        assert_eq!(both.clone().into_ctl().unwrap_err().span, Some(at));
        assert_eq!(both.first_quantifier(), Some(Span::default()));
        assert_eq!(both.into_ltl().unwrap_err().code, "mixed-logics");
    }
}
