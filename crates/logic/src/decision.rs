//! A boolean combination of atoms as a list of tests, to be evaluated in many states.
//!
//! Each test asks for one atom and says where to go on for either answer, so a condition is a decision graph whose order of tests is that of the text: `p && q`
//! asks for `q` only where `p` holds, as a guard of a model does. Evaluation follows one way through the list: no recursion, no value is kept.
//!
//! Invariant 1: a test leads to tests before it in the list, so every way ends.
//!
//! Size: one test for every atom that is written, and at most two where it is written under `<->`; making the list takes time linear in that. A constant decides nothing that was
//! not asked before it: `p && false` asks for `p`, which may go wrong.

use crate::Ltl;
use std::collections::HashMap;

/// Where a test leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Way {
    /// The condition has this value.
    Value(bool),
    /// The test with this number is next.
    Test(u32),
}

/// A test of one atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Test<A> {
    atom: A,
    yes: Way,
    no: Way,
}

/// A boolean combination of atoms; equal ones were written with the same atoms in the same order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decision<A> {
    tests: Vec<Test<A>>,
    start: Way,
}

impl<A> Decision<A> {
    /// The condition that is one atom.
    pub fn atom(atom: A) -> Decision<A> {
        let (yes, no) = (Way::Value(true), Way::Value(false));
        Decision {
            tests: vec![Test { atom, yes, no }],
            start: Way::Test(0),
        }
    }

    /// The least that it costs to make it true, where `cost` says what it costs that an atom has a value.
    pub fn distance(&self, mut cost: impl FnMut(&A, bool) -> u32) -> u32 {
        // By test; those that one leads to come before it.
        let mut least: Vec<u32> = Vec::with_capacity(self.tests.len());
        let of = |way: Way, least: &[u32]| match way {
            Way::Value(value) => {
                if value {
                    0
                } else {
                    u32::MAX
                }
            }
            Way::Test(test) => least[test as usize],
        };
        for test in &self.tests {
            let yes = of(test.yes, &least).saturating_add(cost(&test.atom, true));
            let no = of(test.no, &least).saturating_add(cost(&test.atom, false));
            least.push(yes.min(no));
        }
        of(self.start, &least)
    }

    /// Its value, if it asks for no atom.
    pub fn constant(&self) -> Option<bool> {
        match self.start {
            Way::Value(value) => Some(value),
            Way::Test(_) => None,
        }
    }

    /// The atom that it asks for and the value that it wants of it, if there is no other.
    pub fn literal(&self) -> Option<(&A, bool)> {
        match (self.tests.as_slice(), self.start) {
            ([test], Way::Test(0)) => match (test.yes, test.no) {
                (Way::Value(yes), Way::Value(no)) if yes != no => Some((&test.atom, yes)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it holds where the atoms have these values. Asks for no more of them than it takes; the first error ends it.
    #[inline]
    pub fn holds<E>(&self, mut atom: impl FnMut(&A) -> Result<bool, E>) -> Result<bool, E> {
        let mut way = self.start;
        loop {
            match way {
                Way::Value(value) => return Ok(value),
                Way::Test(number) => {
                    let test = &self.tests[number as usize];
                    way = if atom(&test.atom)? { test.yes } else { test.no };
                }
            }
        }
    }

    /// The same condition about other atoms.
    pub fn map<B>(&self, mut atom: impl FnMut(&A) -> B) -> Decision<B> {
        let test = |test: &Test<A>| Test {
            atom: atom(&test.atom),
            yes: test.yes,
            no: test.no,
        };
        Decision {
            tests: self.tests.iter().map(test).collect(),
            start: self.start,
        }
    }

    /// The condition that holds where this one does not.
    #[must_use]
    pub fn negation(&self) -> Decision<A>
    where
        A: Clone,
    {
        let turned = |way: Way| match way {
            Way::Value(value) => Way::Value(!value),
            test @ Way::Test(_) => test,
        };
        let test = |test: &Test<A>| Test {
            atom: test.atom.clone(),
            yes: turned(test.yes),
            no: turned(test.no),
        };
        Decision {
            tests: self.tests.iter().map(test).collect(),
            start: turned(self.start),
        }
    }
}

impl Decision<crate::AtomId> {
    /// A formula without temporal operators.
    ///
    /// # Panics
    /// If it has some.
    pub fn of(formula: &Ltl) -> Decision<crate::AtomId> {
        let mut maker = Maker::default();
        let start = maker.way(formula, Way::Value(true), Way::Value(false));
        maker.finish(start)
    }
}

/// Makes tests from the last to the first.
#[derive(Default)]
struct Maker {
    tests: Vec<Test<crate::AtomId>>,
    /// Ways through parts that are already made, by the part's address: what stands under several `<->` is met more than once.
    known: HashMap<(usize, Way, Way), Way>,
}

impl Maker {
    /// The way that leads to `yes` where the formula holds and to `no` where it does not.
    fn way(&mut self, formula: &Ltl, yes: Way, no: Way) -> Way {
        let key = (std::ptr::from_ref(formula).addr(), yes, no);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let way = match formula {
            Ltl::True => yes,
            Ltl::False => no,
            Ltl::Atom(atom) => {
                let number = self.tests.len() as u32;
                self.tests.push(Test { atom: *atom, yes, no });
                Way::Test(number)
            }
            Ltl::Not(p) => self.way(p, no, yes),
            Ltl::And(p, q) => {
                let then = self.way(q, yes, no);
                self.way(p, then, no)
            }
            Ltl::Or(p, q) => {
                let otherwise = self.way(q, yes, no);
                self.way(p, yes, otherwise)
            }
            Ltl::Implies(p, q) => {
                let then = self.way(q, yes, no);
                self.way(p, then, yes)
            }
            Ltl::Iff(p, q) => {
                let (then, otherwise) = (self.way(q, yes, no), self.way(q, no, yes));
                self.way(p, then, otherwise)
            }
            _ => unreachable!("callers give formulas without temporal operators"),
        };
        self.known.insert(key, way);
        way
    }

    /// The condition that starts here, without the tests that no way comes by: those behind a constant.
    fn finish(self, start: Way) -> Decision<crate::AtomId> {
        let mut met = vec![false; self.tests.len()];
        let mut places = vec![0; self.tests.len()];
        let mut kept = 0;
        let mut waiting = vec![start];
        while let Some(way) = waiting.pop() {
            if let Way::Test(number) = way
                && !std::mem::replace(&mut met[number as usize], true)
            {
                let test = &self.tests[number as usize];
                waiting.extend([test.yes, test.no]);
            }
        }
        for (place, _) in places.iter_mut().zip(&met).filter(|(_, met)| **met) {
            *place = kept;
            kept += 1;
        }
        let moved = |way: Way| match way {
            Way::Test(number) => Way::Test(places[number as usize]),
            value @ Way::Value(_) => value,
        };
        let tests = self.tests.into_iter().zip(met).filter(|(_, met)| *met);
        Decision {
            tests: tests
                .map(|(test, _)| Test {
                    atom: test.atom,
                    yes: moved(test.yes),
                    no: moved(test.no),
                })
                .collect(),
            start: moved(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomId;
    use crate::common::{random_word, timeless_formula};
    use fairhold_testkit::Rng;

    fn atom(k: u32) -> Box<Ltl> {
        Box::new(Ltl::Atom(AtomId(k)))
    }

    /// The value where the bits of `letter` say which atoms hold, and how many were asked for.
    fn value(condition: &Decision<AtomId>, letter: u64) -> (bool, usize) {
        let mut asked = 0;
        let value = condition.holds(|atom| {
            asked += 1;
            Ok::<bool, ()>(letter >> atom.0 & 1 == 1)
        });
        (value.expect("no atom goes wrong"), asked)
    }

    #[test]
    fn no_more_is_asked_than_it_takes() {
        let both = Decision::of(&Ltl::And(atom(0), atom(1)));
        assert_eq!(value(&both, 0b00), (false, 1));
        assert_eq!(value(&both, 0b11), (true, 2));
        let implication = Decision::of(&Ltl::Implies(atom(0), atom(1)));
        assert_eq!(value(&implication, 0b00), (true, 1));
        assert_eq!(value(&implication, 0b01), (false, 2));
        assert_eq!(
            Decision::of(&Ltl::Not(Box::new(Ltl::True))).constant(),
            Some(false)
        );
        let decided = Decision::of(&Ltl::And(atom(0), Box::new(Ltl::False)));
        assert_eq!((decided.constant(), value(&decided, 1)), (None, (false, 1)));
    }

    #[test]
    fn equivalences_within_each_other_stay_small() {
        let mut formula = Ltl::Atom(AtomId(0));
        for k in 1..200 {
            formula = Ltl::Iff(atom(k % 60), Box::new(formula));
        }
        assert!(Decision::of(&formula).tests.len() <= 400);
    }

    #[test]
    fn random_formulas_have_the_value_that_the_operators_give() {
        let mut rng = Rng::new(11);
        for _ in 0..2_000 {
            let formula = timeless_formula(&mut rng, 4, 5);
            let condition = Decision::of(&formula);
            for _ in 0..8 {
                let word = random_word(&mut rng, 4);
                let letter = word.prefix.first().or(word.cycle.first()).copied().unwrap_or(0);
                let expected = word.satisfies(&formula);
                assert_eq!(value(&condition, letter).0, expected, "{formula:?}");
                assert_eq!(value(&condition.negation(), letter).0, !expected, "{formula:?}");
            }
        }
    }
}
