//! Does this lasso satisfy a formula of linear temporal logic, or what word is it to an automaton? By the meaning of the operators, on names.
//!
//! Position `i` of the execution is the pair of the event that led to its `i`th state, and that state. The state
//! where the loop starts is so two positions: the first time it is entered by the last step of the prefix, or is the
//! initial state, and every other time it is entered by the last step of the loop. So the word that the formula is
//! evaluated on has one letter more before its cycle than the run has steps before its loop.
//!
//! Of two operands of `&&`, `||` and `->` the second is looked at only where the first leaves it open, as in a guard of a model: an atom may go wrong where it does not matter.
//!
//! Cost: the size of the formula times the positions.

use crate::run::{IDLE, Run};
use fairhold_logic::{AtomId, Ltl, MAX_ATOMS, Word};
use fairhold_system::Fault;

/// Whether an atom is true at a position, of which the event that led there and the state are given.
pub type AtomHolds<'a, State> = dyn Fn(AtomId, Option<&str>, &State) -> Result<bool, Fault> + 'a;

/// Whether the lasso satisfies the formula; see [`word`] for positions and atoms.
///
/// # Panics
/// If the run has no loop, or if the trail is not of its length.
pub fn satisfies<State>(
    formula: &Ltl,
    run: &Run,
    trail: &[State],
    holds: &AtomHolds<'_, State>,
) -> Result<bool, Fault> {
    let lasso = Lasso {
        positions: positions(run, trail),
        again: run.prefix.len() + 1,
        holds,
    };
    let first: Vec<bool> = (0..lasso.positions.len()).map(|i| i == 0).collect();
    Ok(lasso.values(formula, &first)?[0])
}

/// The positions of a lasso: the event that led there, and the state.
fn positions<'r, State>(run: &'r Run, trail: &'r [State]) -> Vec<(Option<&'r str>, &'r State)> {
    assert!(!run.loop_.is_empty(), "an execution is infinite: it has a loop");
    assert_eq!(
        trail.len(),
        run.len() + 1,
        "a trail has one state more than steps"
    );
    let steps = run.prefix.iter().chain(&run.loop_);
    let events = steps.map(|s| Some(s.event.as_str()).filter(|e| *e != IDLE));
    std::iter::once(None).chain(events).zip(trail).collect()
}

/// A lasso that a formula is evaluated on.
struct Lasso<'l, 'r, State> {
    positions: Vec<(Option<&'r str>, &'r State)>,
    /// The position after the last one.
    again: usize,
    holds: &'l AtomHolds<'l, State>,
}

impl<State> Lasso<'_, '_, State> {
    fn after(&self, position: usize) -> usize {
        match position + 1 == self.positions.len() {
            true => self.again,
            false => position + 1,
        }
    }

    /// A value for each position, given its number.
    fn each(&self, value: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.positions.len()).map(value).collect()
    }

    /// The truth of the formula at each position where it is `asked` for; `false` elsewhere.
    fn values(&self, formula: &Ltl, asked: &[bool]) -> Result<Vec<bool>, Fault> {
        // A temporal operator looks at all positions further on, and at no others.
        let first = asked.iter().position(|&asked| asked);
        let onwards = self.each(|i| first.is_some_and(|first| i >= first.min(self.again)));
        let onwards = |p: &Ltl| self.values(p, &onwards);
        let until = |p: &[bool], q: &[bool]| {
            let mut until = vec![false; asked.len()];
            // From the end to the start, twice, so that what comes early in the loop is known at its end.
            for i in (0..asked.len()).rev().chain((0..asked.len()).rev()) {
                until[i] = q[i] || p[i] && until[self.after(i)];
            }
            until
        };
        let not = |p: Vec<bool>| p.into_iter().map(|value| !value).collect::<Vec<bool>>();
        let all = vec![true; asked.len()];
        let values = match formula {
            Ltl::True => all,
            Ltl::False => not(all),
            Ltl::Atom(atom) => self.atom(*atom, asked)?,
            Ltl::Not(p) => not(self.values(p, asked)?),
            Ltl::And(p, q) => {
                let p = self.values(p, asked)?;
                self.values(q, &p)?
            }
            Ltl::Or(p, q) => {
                let p = self.values(p, asked)?;
                let q = self.values(q, &self.each(|i| asked[i] && !p[i]))?;
                self.each(|i| p[i] || q[i])
            }
            Ltl::Implies(p, q) => {
                let p = self.values(p, asked)?;
                let q = self.values(q, &p)?;
                self.each(|i| !p[i] || q[i])
            }
            Ltl::Iff(p, q) => {
                let (p, q) = (self.values(p, asked)?, self.values(q, asked)?);
                self.each(|i| p[i] == q[i])
            }
            Ltl::Next(p) => {
                let mut next = vec![false; asked.len()];
                (0..asked.len())
                    .filter(|&i| asked[i])
                    .for_each(|i| next[self.after(i)] = true);
                let p = self.values(p, &next)?;
                self.each(|i| p[self.after(i)])
            }
            Ltl::Finally(p) => until(&all, &onwards(p)?),
            Ltl::Globally(p) => not(until(&all, &not(onwards(p)?))),
            Ltl::Until(p, q) => until(&onwards(p)?, &onwards(q)?),
            // p R q is !(!p U !q).
            Ltl::Release(p, q) => not(until(&not(onwards(p)?), &not(onwards(q)?))),
            // p W q is !(!q U !(p || q)).
            Ltl::WeakUntil(p, q) => {
                let (p, q) = (onwards(p)?, onwards(q)?);
                not(until(&self.each(|i| !q[i]), &self.each(|i| !p[i] && !q[i])))
            }
        };
        Ok(self.each(|i| asked[i] && values[i]))
    }

    fn atom(&self, atom: AtomId, asked: &[bool]) -> Result<Vec<bool>, Fault> {
        let positions = self.positions.iter().zip(asked);
        positions
            .map(|(&(event, state), &asked)| Ok(asked && (self.holds)(atom, event, state)?))
            .collect()
    }
}

/// The lasso as a word over these atoms: atom number `k` is bit `k` of a letter. Its states are `trail`, as [`trail`](crate::trail) gives them.
///
/// `holds` says whether an atom is true at a position: it is given the event that led there and the state. The
/// event is none where no event of the model did: at the initial state, and in a state that idles.
///
/// # Panics
/// If the run has no loop, if the trail is not of its length, or if there are more atoms than a letter has bits.
pub fn word<State>(
    atoms: &[AtomId],
    run: &Run,
    trail: &[State],
    holds: &AtomHolds<'_, State>,
) -> Result<Word, Fault> {
    assert!(
        atoms.iter().all(|a| (a.0 as usize) < MAX_ATOMS),
        "what an automaton was made for has at most {MAX_ATOMS} atoms"
    );
    let mut prefix = Vec::with_capacity(trail.len());
    for (event, state) in positions(run, trail) {
        let mut letter = 0;
        for &atom in atoms {
            letter |= u64::from(holds(atom, event, state)?) << atom.0;
        }
        prefix.push(letter);
    }
    let cycle = prefix.split_off(run.prefix.len() + 1);
    Ok(Word { prefix, cycle })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use crate::run::RunStep;
    use crate::trail;
    use fairhold_system::FaultKind;

    /// Atoms 0: the event is `inc`; 1: the event is `dec`; 2: `x == 0`; 3: `x == 1`; 4: some event led here.
    fn check(formula: &Ltl, run: &Run) -> bool {
        let states = trail(&Counter, run).unwrap();
        let holds = |atom: AtomId, event: Option<&str>, &(x, _): &(i64, i64)| {
            Ok(match atom.0 {
                0 => event == Some("inc"),
                1 => event == Some("dec"),
                2 => x == 0,
                3 => x == 1,
                _ => event.is_some(),
            })
        };
        satisfies(formula, run, &states, &holds).unwrap()
    }

    fn atom(k: u32) -> Box<Ltl> {
        Box::new(Ltl::Atom(AtomId(k)))
    }

    fn globally(p: Ltl) -> Ltl {
        Ltl::Globally(Box::new(p))
    }

    #[test]
    fn events_belong_to_the_state_they_lead_to() {
        // (init) 0, inc 1, then inc 2, dec 1 forever.
        let run = lasso();
        let [inc, dec, zero, one, some] = [0, 1, 2, 3, 4].map(atom);
        assert!(check(&zero, &run) && !check(&inc, &run) && !check(&some, &run));
        assert!(check(
            &Ltl::Next(Box::new(Ltl::And(inc.clone(), one.clone()))),
            &run
        ));
        assert!(check(&Ltl::Next(Box::new(globally(*some))), &run));
        // Every `dec` enters 1; not every entry of 1 is a `dec`: the first is by the prefix.
        assert!(check(&globally(Ltl::Implies(dec.clone(), one.clone())), &run));
        assert!(!check(&globally(Ltl::Implies(one.clone(), dec.clone())), &run));
        let later = Ltl::Next(Box::new(Ltl::Next(Box::new(globally(Ltl::Implies(
            one,
            dec.clone(),
        ))))));
        assert!(check(&later, &run));
        assert!(check(&globally(Ltl::Finally(dec.clone())), &run));
        assert!(!check(&Ltl::Finally(Box::new(globally(*inc.clone()))), &run));
        assert!(check(&Ltl::Until(Box::new(Ltl::Not(dec)), inc), &run));
    }

    #[test]
    fn a_loop_from_the_start_enters_its_first_state_twice() {
        let mut run = lasso();
        run.prefix.clear();
        run.loop_ = vec![lasso().loop_[0].clone(), lasso().loop_[1].clone()];
        run.loop_[0].state = lasso().prefix[0].state.clone();
        run.loop_[0].changes = lasso().prefix[0].changes.clone();
        run.loop_[1].state = run.initial.clone();
        run.loop_[1].changes = vec![run.initial[0].clone()];
        let dec_or_one = Ltl::Or(atom(1), atom(3));
        assert!(!check(&globally(dec_or_one.clone()), &run));
        assert!(check(&Ltl::Next(Box::new(globally(dec_or_one))), &run));
    }

    #[test]
    fn idling_is_no_event() {
        let step = |event: &str, process: Option<u32>| RunStep {
            event: event.into(),
            processes: process.into_iter().collect(),
            changes: Vec::new(),
            state: Vec::new(),
        };
        let mut run = lasso();
        run.prefix = vec![
            step("set", Some(1)),
            step("inc", Some(0)),
            step("inc", Some(0)),
            step("inc", Some(0)),
        ];
        run.loop_ = vec![step("(idle)", None)];
        let silent = Ltl::Finally(Box::new(globally(Ltl::Not(atom(4)))));
        assert!(check(&silent, &run));
        assert!(!check(&globally(Ltl::Finally(atom(0))), &run));
    }

    #[test]
    fn a_fault_of_an_atom_is_passed_on() {
        let fault = Fault {
            kind: FaultKind::Error,
            message: "division by zero".into(),
            span: None,
        };
        let run = lasso();
        let states = trail(&Counter, &run).unwrap();
        let found = satisfies(&atom(0), &run, &states, &|_, _, _| Err(fault.clone()));
        assert_eq!(found, Err(fault));
    }

    #[test]
    fn an_atom_that_goes_wrong_is_not_asked_where_it_does_not_matter() {
        let fault = Fault {
            kind: FaultKind::Error,
            message: "division by zero".into(),
            span: None,
        };
        let run = lasso();
        let states = trail(&Counter, &run).unwrap();
        // Atom 0: `x == 0`; atom 1 goes wrong where x is 0.
        let holds = |atom: AtomId, _: Option<&str>, &(x, _): &(i64, i64)| match (atom.0, x) {
            (0, _) => Ok(x == 0),
            (_, 0) => Err(fault.clone()),
            _ => Ok(true),
        };
        let found = |formula: &Ltl| satisfies(formula, &run, &states, &holds);
        assert_eq!(found(&globally(Ltl::Or(atom(0), atom(1)))), Ok(true));
        assert_eq!(
            found(&globally(Ltl::Implies(Box::new(Ltl::Not(atom(0))), atom(1)))),
            Ok(true)
        );
        assert_eq!(found(&globally(*atom(1))), Err(fault.clone()));
        assert_eq!(found(&Ltl::Next(atom(1))), Ok(true));
        assert_eq!(found(&globally(Ltl::Or(atom(1), atom(0)))), Err(fault.clone()));
        // From the second position on x is not 0.
        let onwards = Ltl::And(
            Box::new(globally(Ltl::Not(atom(0)))),
            Box::new(globally(*atom(1))),
        );
        assert_eq!(found(&Ltl::Next(Box::new(onwards.clone()))), Ok(true));
        assert_eq!(found(&onwards), Ok(false));
    }

    #[test]
    fn the_value_is_that_of_the_word() {
        let run = lasso();
        let states = trail(&Counter, &run).unwrap();
        let holds = |atom: AtomId, event: Option<&str>, &(x, _): &(i64, i64)| {
            Ok(match atom.0 {
                0 => event == Some("inc"),
                1 => x == 0,
                _ => x == 2,
            })
        };
        let word = word(&[0, 1, 2].map(AtomId), &run, &states, &holds).unwrap();
        let mut rng = fairhold_testkit::Rng::new(5);
        for _ in 0..2_000 {
            let formula = random(&mut rng, 4);
            let found = satisfies(&formula, &run, &states, &holds);
            assert_eq!(found, Ok(word.satisfies(&formula)), "{formula:?}");
        }
    }

    fn random(rng: &mut fairhold_testkit::Rng, depth: usize) -> Ltl {
        if depth == 0 || rng.chance(1, 6) {
            return *atom(rng.below(3) as u32);
        }
        let p = Box::new(random(rng, depth - 1));
        if rng.chance(1, 3) {
            let unary = [Ltl::Not, Ltl::Next, Ltl::Finally, Ltl::Globally];
            return unary[rng.below(4)](p);
        }
        let q = Box::new(random(rng, depth - 1));
        let binary = [
            Ltl::And,
            Ltl::Or,
            Ltl::Implies,
            Ltl::Iff,
            Ltl::Until,
            Ltl::Release,
            Ltl::WeakUntil,
        ];
        binary[rng.below(7)](p, q)
    }
}
