//! What a run of the suite has seen: it must not pass because its cases are tame.

use crate::constraint::NAMES;
use fairhold_testkit::{describe, percent};
use std::collections::BTreeMap;

/// From this many cases on, shares say something.
const ENOUGH: usize = 1_000;

/// Counts over all cases so far.
#[derive(Default)]
pub(crate) struct Spread {
    cases: usize,
    /// By constraint: how often it holds, and how often it fails.
    verdicts: BTreeMap<&'static str, [usize; 2]>,
    nodes: Vec<usize>,
    largest_component: Vec<usize>,
    /// In how many cases something occurred.
    occurred: BTreeMap<&'static str, usize>,
    /// Products that were passed over.
    pub(crate) passed_over: usize,
}

impl Spread {
    /// A case with a product of so many nodes, and components of these sizes.
    pub(crate) fn case(&mut self, nodes: usize, components: &[usize]) {
        self.cases += 1;
        self.nodes.push(nodes);
        self.largest_component
            .push(components.iter().copied().max().unwrap_or(0));
    }

    pub(crate) fn verdict(&mut self, name: &'static str, fails: bool) {
        self.verdicts.entry(name).or_default()[usize::from(fails)] += 1;
    }

    /// Things that occurred in the last case, or did not.
    pub(crate) fn occurrences(&mut self, things: &[(&'static str, bool)]) {
        for (name, happened) in things {
            *self.occurred.entry(name).or_default() += usize::from(*happened);
        }
    }

    /// Prints everything, and fails if the cases were tame. Components were measured in `of_components`.
    pub(crate) fn conclude(&mut self, of_components: &str, least_median: usize) {
        println!("{} cases, {} products passed over", self.cases, self.passed_over);
        let median = describe("nodes of the product", &mut self.nodes);
        describe(
            &format!("{of_components} of the largest component"),
            &mut self.largest_component,
        );
        for name in NAMES {
            let [holds, fails] = self.verdicts[name];
            println!(
                "{name:12} holds {holds:6}  fails {fails:6}  {:5.1} %",
                percent(fails, holds + fails)
            );
        }
        for (name, &count) in &self.occurred {
            println!("{:5.1} %  {name}", percent(count, self.cases));
        }
        if self.cases < ENOUGH {
            return;
        }
        assert!(median >= least_median, "the products are too small");
        for (name, [holds, fails]) in &self.verdicts {
            let share = percent(*holds.min(fails), holds + fails);
            assert!(share >= 15.0, "{name}: both verdicts must be common");
        }
        for (name, &count) in &self.occurred {
            assert!(percent(count, self.cases) >= 2.0, "too few cases with {name}");
        }
    }
}
