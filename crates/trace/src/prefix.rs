//! What a formula of linear temporal logic still asks of an execution that has begun with some run.
//!
//! The formula is *progressed* position by position [BacchusKabanza-AI'00]: `progress(p U q)` at a position is
//! `progress(q) || progress(p) && (p U q)`, a part without time is its value there, and `X p` is `p`. An execution that begins with the run
//! satisfies the formula if and only if what comes after satisfies what is left. So a run is a bad prefix if what is left
//! cannot be satisfied.
//!
//! Cost: every atom of the formula at every position, and what is left of the formula at each; that grows only where
//! different parts are left open at the same time.

use crate::judge::Judge;
use crate::matching::Matching;
use crate::property::AtomHolds;
use crate::replay::{Invalid, Replay, went_wrong};
use crate::run::Run;
use fairhold_logic::Ltl;
use fairhold_system::Fault;

/// An execution that matches a run, by its states, and what it leaves of a formula.
pub type Progressed<State> = (Vec<State>, Ltl);

/// A place of a run with what is left of the formula there, and where in the list of the position before it comes from.
struct Left {
    place: usize,
    formula: Ltl,
    before: usize,
}

impl<J: Judge> Replay<'_, J> {
    /// What executions that match a finite run leave of the formula, each different rest at each end with one execution that leaves it.
    pub fn progress(
        &self,
        formula: &Ltl,
        run: &Run,
        holds: &AtomHolds<'_, J::State>,
    ) -> Result<Vec<Progressed<J::State>>, Invalid> {
        let matching = Matching::new(self, run)?;
        let bundle = matching.bundles().next().expect("some execution matches");
        let events = run.prefix.iter().map(|step| Some(step.event.as_str()));
        let mut positions: Vec<Vec<Left>> = Vec::with_capacity(matching.len());
        for (position, event) in std::iter::once(None).chain(events).enumerate() {
            let mut here: Vec<Left> = Vec::new();
            let mut come = |place: usize, formula: &Ltl, before: usize| -> Result<(), Invalid> {
                let state = matching.at(position, place);
                let formula = after(formula, &|atom| holds(atom, event, state));
                let formula = formula.map_err(|fault| went_wrong(position, &fault))?;
                if !here
                    .iter()
                    .any(|left| left.place == place && left.formula == formula)
                {
                    here.push(Left {
                        place,
                        formula,
                        before,
                    });
                }
                Ok(())
            };
            match positions.last() {
                None => bundle.places(0).try_for_each(|place| come(place, formula, 0))?,
                Some(last) => {
                    for (before, left) in last.iter().enumerate() {
                        for &place in matching.next(position - 1, left.place) {
                            if bundle.contains(position, place) {
                                come(place, &left.formula, before)?;
                            }
                        }
                    }
                }
            }
            positions.push(here);
        }
        let trail = |end: usize| {
            let mut at = end;
            let mut states = Vec::with_capacity(positions.len());
            for (position, lefts) in positions.iter().enumerate().rev() {
                states.push(matching.at(position, lefts[at].place).clone());
                at = lefts[at].before;
            }
            states.reverse();
            states
        };
        let last = positions.last().map_or(&[][..], Vec::as_slice);
        Ok(last
            .iter()
            .enumerate()
            .map(|(end, left)| (trail(end), left.formula.clone()))
            .collect())
    }
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
    use crate::{trail, unguided};
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
        let replay = Replay {
            judge: &Counter,
            guide: &unguided,
        };
        let (states, left) = replay.progress(&formula, &run, &holds).unwrap().remove(0);
        assert_eq!(states, trail(&Counter, &run).unwrap());
        left
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
