//! What a run of the suite has seen: it must not pass because its models are tame.

use fairhold_testkit::generate::Use;
use fairhold_testkit::generate::tree::Kind;
use std::collections::BTreeMap;

use crate::lockstep::Walk;

/// Sizes and uses of all models so far.
#[derive(Default)]
pub(crate) struct Spread {
    states: Vec<usize>,
    faulty: usize,
    uses: BTreeMap<Use, usize>,
}

impl Spread {
    pub(crate) fn add(&mut self, walk: &Walk, uses: impl IntoIterator<Item = Use>) {
        self.states.push(walk.states);
        self.faulty += usize::from(walk.faults > 0);
        for u in uses {
            *self.uses.entry(u).or_default() += 1;
        }
    }

    /// The share of models with more than so many states.
    pub(crate) fn share_over(&self, states: usize) -> f64 {
        let over = self.states.iter().filter(|&&s| s > states).count();
        over as f64 / self.states.len() as f64
    }

    /// The share of models in which something went wrong at run time.
    pub(crate) fn share_faulty(&self) -> f64 {
        self.faulty as f64 / self.states.len() as f64
    }

    /// The operators that no model had.
    pub(crate) fn operators_missing(&self) -> Vec<Kind> {
        Kind::ALL
            .into_iter()
            .filter(|&k| !self.uses.contains_key(&Use::Operator(k)))
            .collect()
    }

    /// All pairs, and those no model had.
    pub(crate) fn pairs_missing(&self) -> (usize, Vec<(Kind, Kind)>) {
        let all: Vec<(Kind, Kind)> = Kind::BRANCHES
            .iter()
            .flat_map(|&outer| Kind::ALL.map(|inner| (outer, inner)))
            .collect();
        let missing = all
            .iter()
            .filter(|(o, i)| !self.uses.contains_key(&Use::Pair(*o, *i)))
            .copied()
            .collect();
        (all.len(), missing)
    }

    /// How many models had a feature.
    pub(crate) fn feature(&self, name: &'static str) -> usize {
        self.uses.get(&Use::Feature(name)).copied().unwrap_or(0)
    }

    pub(crate) fn print(&self) {
        let mut states = self.states.clone();
        states.sort_unstable();
        let quantiles: Vec<usize> = (0..=10).map(|i| states[i * (states.len() - 1) / 10]).collect();
        println!("models {}, states by tenths {quantiles:?}", states.len());
        println!("over 50 states: {:.0} %", 100.0 * self.share_over(50));
        println!("with a fault: {:.0} %", 100.0 * self.share_faulty());
        let (all, missing) = self.pairs_missing();
        println!("pairs seen: {} of {all}", all - missing.len());
        for (outer, inner) in missing {
            println!("  not {outer} / {inner}");
        }
        for (u, count) in &self.uses {
            match u {
                Use::Operator(kind) => println!("{count:6}  {kind}"),
                Use::Feature(name) => println!("{count:6}  {name}"),
                Use::Pair(..) => {}
            }
        }
    }
}
