//! What a formula of linear temporal logic still asks of an execution that has begun with some run.
//!
//! The formula is *progressed* position by position [BacchusKabanza-AI'00]: `progress(p U q)` at a position is
//! `progress(q) || progress(p) && (p U q)`, a part without time is its value there, and `X p` is `p`. An execution that begins with the run
//! satisfies the formula if and only if what comes after satisfies what is left. So a run is a bad prefix if what is left
//! cannot be satisfied.
//!
//! Cost: every atom of the formula at every position, and what is left of the formula at each; that grows only where
//! different parts are left open at the same time.

use crate::property::AtomHolds;
use crate::run::Run;
use fairhold_logic::Ltl;
use fairhold_system::Fault;

/// What is left of the formula after a finite run, whose states are `trail`.
pub fn progress<State>(
    formula: &Ltl,
    run: &Run,
    trail: &[State],
    holds: &AtomHolds<'_, State>,
) -> Result<Ltl, Fault> {
    let events = run.prefix.iter().map(|step| Some(step.event.as_str()));
    let mut left = formula.clone();
    for (event, state) in std::iter::once(None).chain(events).zip(trail) {
        if matches!(left, Ltl::True | Ltl::False) {
            break;
        }
        left = after(&left, &|atom| holds(atom, event, state))?;
    }
    Ok(left)
}

/// Whether an atom is true at the position at hand.
type Here<'h> = dyn Fn(fairhold_logic::AtomId) -> Result<bool, Fault> + 'h;

/// What is left of a formula after one position.
fn after(formula: &Ltl, here: &Here<'_>) -> Result<Ltl, Fault> {
    Ok(match formula {
        Ltl::True => Ltl::True,
        Ltl::False => Ltl::False,
        Ltl::Atom(atom) => value(here(*atom)?),
        Ltl::Not(p) => not(after(p, here)?),
        Ltl::And(p, q) => and(after(p, here)?, after(q, here)?),
        Ltl::Or(p, q) => or(after(p, here)?, after(q, here)?),
        Ltl::Implies(p, q) => or(not(after(p, here)?), after(q, here)?),
        Ltl::Iff(p, q) => {
            let (p, q) = (after(p, here)?, after(q, here)?);
            or(and(p.clone(), q.clone()), and(not(p), not(q)))
        }
        Ltl::Next(p) => (**p).clone(),
        Ltl::Finally(p) => or(after(p, here)?, formula.clone()),
        Ltl::Globally(p) => and(after(p, here)?, formula.clone()),
        Ltl::Until(p, q) | Ltl::WeakUntil(p, q) => or(after(q, here)?, and(after(p, here)?, formula.clone())),
        Ltl::Release(p, q) => and(after(q, here)?, or(after(p, here)?, formula.clone())),
    })
}

fn value(holds: bool) -> Ltl {
    if holds { Ltl::True } else { Ltl::False }
}

fn not(p: Ltl) -> Ltl {
    match p {
        Ltl::True => Ltl::False,
        Ltl::False => Ltl::True,
        Ltl::Not(p) => *p,
        p => Ltl::Not(Box::new(p)),
    }
}

fn and(p: Ltl, q: Ltl) -> Ltl {
    match (p, q) {
        (Ltl::False, _) | (_, Ltl::False) => Ltl::False,
        (Ltl::True, p) | (p, Ltl::True) => p,
        // What is asked for already is not asked for twice, or what is left would grow with the run.
        (p, q) if asks_for(&q, &p) => q,
        (p, q) if asks_for(&p, &q) => p,
        (p, q) => Ltl::And(Box::new(p), Box::new(q)),
    }
}

fn or(p: Ltl, q: Ltl) -> Ltl {
    not(and(not(p), not(q)))
}

/// Whether a formula is a part of a conjunction.
fn asks_for(all: &Ltl, part: &Ltl) -> bool {
    all == part || matches!(all, Ltl::And(p, q) if asks_for(p, part) || asks_for(q, part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use crate::trail;
    use fairhold_logic::{AtomId, parse};
    use fairhold_source::FileId;

    /// After the steps of the lasso, `x` being 0, 1, 2, 1: atoms are `x == 0`, `x == 1`, `x == 2`, in the order in which the text names them.
    fn left(text: &str) -> Ltl {
        let mut run = lasso();
        run.prefix.append(&mut run.loop_);
        let parsed = parse(FileId(0), text);
        let holds = |AtomId(atom): AtomId, _: Option<&str>, &(x, _): &(i64, i64)| {
            Ok(format!("x{x}") == parsed.atoms[atom as usize])
        };
        let formula = parsed.formula.expect("it is a formula");
        progress(&formula, &run, &trail(&Counter, &run).unwrap(), &holds).unwrap()
    }

    #[test]
    fn what_is_left() {
        for bad in ["[] !x2", "x1", "!x2 U x3", "[] (x0 -> !x2 W x3)", "x0 && !X X x2"] {
            assert_eq!(left(bad), Ltl::False, "{bad}");
        }
        for good in ["<> x2", "x0 U x1", "X x1", "x2 R (x0 || x1 || x2)"] {
            assert_eq!(left(good), Ltl::True, "{good}");
        }
        assert!(matches!(left("[] !x3"), Ltl::Globally(_)));
        assert!(matches!(left("[] (x2 -> <> x3)"), Ltl::And(..)));
    }
}
