//! Random graphs.

use fairhold_store::StateId;
use fairhold_structure::{Alphabet, Graph, LabelId, Lts, LtsStep, LtsSystem, unfold};
use fairhold_system::Silent;
use proptest::prelude::*;
use std::sync::Arc;

/// Labels that are hard to write.
const LABELS: [&str; 8] = [
    "a",
    "i",
    "say \"hi\"",
    "back\\slash\\",
    "x, y",
    "",
    " c!3 ",
    "(0, a, 1)",
];

/// Graphs of up to `most` states; all the labels occur.
pub(crate) fn lts(most: u32) -> impl Strategy<Value = Lts> {
    (1..=most).prop_flat_map(|states| {
        let step = (0..states, 0..2 + LABELS.len() as u32, 0..states);
        let steps = prop::collection::vec(step, 0..3 * states as usize);
        (0..states, steps).prop_map(move |(initial, steps)| {
            let mut alphabet = Alphabet::default();
            let everyone = alphabet.processes(&[0]);
            let events = ["tau", "terminate"].into_iter().chain(LABELS);
            let labels: Vec<LabelId> = events
                .map(|name| {
                    let event = alphabet.event(name);
                    alphabet.label(event, everyone)
                })
                .collect();
            let steps = steps.into_iter().map(|(from, event, to)| LtsStep {
                from: StateId(from),
                label: labels[event as usize],
                to: StateId(to),
            });
            Lts::new(vec![StateId(initial)], states, steps.collect(), alphabet)
        })
    })
}

pub(crate) fn cases(default: usize) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(fairhold_testkit::cases(default) as u32)
    }
}

/// The whole reachable graph.
pub(crate) fn graph(lts: &Lts) -> Graph {
    cut_graph(lts, None)
}

/// The reachable graph up to a bound on states.
pub(crate) fn cut_graph(lts: &Lts, most: Option<u64>) -> Graph {
    let system = LtsSystem::new(Arc::new(lts.clone()), Vec::new());
    unfold(&system, most, true, &Silent).expect("a graph does not go wrong")
}
