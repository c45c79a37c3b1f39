//! What a run of the suite has seen: it must not pass because its cases are tame.

use fairhold_testkit::{describe, percent};
use std::collections::BTreeMap;

/// From this many cases on, shares say something.
const ENOUGH: usize = 1_000;

/// Counts over all cases so far.
#[derive(Default)]
pub(crate) struct Spread {
    cases: usize,
    states: Vec<usize>,
    steps: Vec<usize>,
    largest_component: Vec<usize>,
    /// By constraint: how often a formula fails, and how often it holds.
    verdicts: BTreeMap<&'static str, [usize; 2]>,
    /// By operator: in how many states it fails, and in how many it holds.
    operators: BTreeMap<String, [usize; 2]>,
    /// In how many cases something occurred.
    occurred: BTreeMap<&'static str, usize>,
    /// Structures that were passed over.
    pub(crate) passed_over: usize,
}

impl Spread {
    /// A case of so many states and steps, with components of these sizes, if they are known.
    pub(crate) fn case(&mut self, states: usize, steps: usize, components: &[usize]) {
        self.cases += 1;
        self.states.push(states);
        self.steps.push(steps);
        let largest = components.iter().copied().max();
        self.largest_component.extend(largest);
    }

    /// A verdict under a constraint of this name.
    pub(crate) fn verdict(&mut self, name: &'static str, holds: bool) {
        self.verdicts.entry(name).or_default()[usize::from(holds)] += 1;
    }

    /// So many of so many states satisfy a formula with this operator.
    pub(crate) fn operator(&mut self, letters: String, holds: usize, states: usize) {
        let counts = self.operators.entry(letters).or_default();
        counts[0] += states - holds;
        counts[1] += holds;
    }

    /// Things that occurred in the last case, or did not.
    pub(crate) fn occurrences(&mut self, things: &[(&'static str, bool)]) {
        for (name, happened) in things {
            *self.occurred.entry(name).or_default() += usize::from(*happened);
        }
    }

    /// Prints everything, and fails if the cases were tame: half the structures must have this many states at least.
    pub(crate) fn conclude(&mut self, least_median: usize) {
        println!(
            "{} cases, {} structures passed over",
            self.cases, self.passed_over
        );
        let median = describe("states", &mut self.states);
        describe("steps", &mut self.steps);
        if !self.largest_component.is_empty() {
            describe("steps of the largest component", &mut self.largest_component);
        }
        for (name, [fails, holds]) in &self.verdicts {
            println!(
                "{name:12} holds {holds:7}  fails {fails:7}  {:5.1} %",
                percent(*fails, holds + fails)
            );
        }
        for (letters, [fails, holds]) in &self.operators {
            println!(
                "{letters:5} in {:5.1} % of {} states",
                percent(*holds, holds + fails),
                holds + fails
            );
        }
        for (name, &count) in &self.occurred {
            println!("{:5.1} %  {name}", percent(count, self.cases));
        }
        if self.cases < ENOUGH {
            return;
        }
        assert!(median >= least_median, "the structures are too small");
        let operators = self
            .operators
            .iter()
            .map(|(name, counts)| (name.as_str(), counts));
        for (name, [fails, holds]) in self.verdicts.iter().map(|(n, c)| (*n, c)).chain(operators) {
            let share = percent(*holds.min(fails), holds + fails);
            assert!(share >= 15.0, "{name}: both verdicts must be common");
        }
        for (name, &count) in &self.occurred {
            assert!(percent(count, self.cases) >= 2.0, "too few cases with {name}");
        }
    }
}
