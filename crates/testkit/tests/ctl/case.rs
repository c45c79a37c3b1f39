//! Random cases, with all that the oracle needs to know about them.

use crate::constraint::Fair;
use crate::forms::all_forms;
use fairhold_testkit::Rng;
use fairhold_testkit::ctl::{Ends, Paths, StateFormula, random_property, random_structure};
use fairhold_testkit::fair::{Graph, Product, Recurring, Set, Shape};

/// Several components of few steps.
const SMALL: Shape = Shape {
    passing: 6,
    clusters: 3,
    states: 5,
    chords: 2,
};

/// One component of as many steps as the oracle can bear.
const DEEP: Shape = Shape {
    passing: 2,
    clusters: 1,
    states: 9,
    chords: 2,
};

/// One or two components of many steps: too many for the oracle.
const LARGE: Shape = Shape {
    passing: 3,
    clusters: 2,
    states: 28,
    chords: 1,
};

/// Formulas asked about each structure.
const FORMULAS: usize = 3;

/// Structures with fewer states, or without a loop, say too little.
const LEAST_STATES: usize = 4;

/// A structure, formulas, and the constraints to check them under.
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) ends: Ends,
    /// All that paths can do infinitely often; none of large structures.
    pub(crate) recurring: Option<Recurring>,
    pub(crate) formulas: Vec<StateFormula>,
    pub(crate) constraints: Vec<Fair>,
}

impl Case {
    fn random(rng: &mut Rng, shape: Shape, ends: Ends) -> Option<Case> {
        let graph = random_structure(rng, shape, ends);
        let product = Product::new(&graph, &[0], |_, _, _| vec![(0, 0)])?;
        let recurring = if shape == LARGE {
            None
        } else {
            Some(Recurring::new(&graph, &product, |_| true)?)
        };
        let tame = product.nodes.len() < LEAST_STATES || product.components(|_| true).is_empty();
        (!tame).then(|| Case {
            graph,
            ends,
            recurring,
            formulas: (0..FORMULAS).map(|_| random_property(rng, 2)).collect(),
            constraints: all_forms(rng),
        })
    }

    /// Of small structures: the fair paths.
    pub(crate) fn paths(&self, fair: &Fair) -> Paths<'_> {
        let recurring = self.recurring.as_ref().expect("a small structure");
        Paths::new(&self.graph, recurring, &fair.definition)
    }

    /// Whether all initial states are among these.
    pub(crate) fn holds(&self, label: Set) -> bool {
        self.graph.initial.iter().all(|&s| label >> s & 1 == 1)
    }

    pub(crate) fn show(&self, fair: &Fair, formula: &StateFormula) -> String {
        format!("{fair:#?}\n{formula:?}\n{:?}: {:#?}", self.ends, self.graph)
    }
}

/// Random cases that the oracle can bear: in each round one with ends that idle and one without. Structures that do not fit are passed over; how many is the answer.
pub(crate) fn for_each_case(rng: &mut Rng, rounds: usize, check: impl FnMut(&mut Rng, &Case)) -> usize {
    let shape = |round: usize| if round.is_multiple_of(3) { DEEP } else { SMALL };
    for_each(rng, rounds, shape, check)
}

/// The same of large structures.
pub(crate) fn for_each_large_case(rng: &mut Rng, rounds: usize, check: impl FnMut(&mut Rng, &Case)) -> usize {
    for_each(rng, rounds, |_| LARGE, check)
}

fn for_each(
    rng: &mut Rng,
    rounds: usize,
    shape: impl Fn(usize) -> Shape,
    mut check: impl FnMut(&mut Rng, &Case),
) -> usize {
    let mut passed_over = 0;
    for (round, ends) in (0..rounds).flat_map(|round| [(round, Ends::Idle), (round, Ends::None)]) {
        let case = loop {
            if let Some(case) = Case::random(rng, shape(round), ends) {
                break case;
            }
            passed_over += 1;
        };
        check(rng, &case);
    }
    passed_over
}
