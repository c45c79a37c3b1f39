//! From state ids to a path with labels.
//!
//! A search stores no labels. A path is walked once more, and the label is that of the first step to the wanted
//! state: for parents that is the very step by which the state was met, so the words that tell no
//! states apart agree as well.

use crate::visited::Visited;
use fairhold_store::StateId;
use fairhold_system::{EventId, Path, Stepper, Steps, System};

/// The path through these states, each of which has a step to the next.
///
/// With `loop_from`, the last state is the one at that place, and all steps from there on are `tau`.
pub(crate) fn along<S: System>(
    visited: &mut Visited<'_, S>,
    trail: &[StateId],
    loop_from: Option<usize>,
) -> Path {
    let key = visited.system.key_width();
    let table = &visited.table;
    let mut steps = Steps::new(visited.system.width());
    let mut labels = Vec::with_capacity(trail.len() - 1);
    for (at, pair) in trail.windows(2).enumerate() {
        steps.clear();
        visited
            .window
            .stepper
            .steps(&table.get(pair[0]), &mut steps)
            .expect("a state that was stepped without a fault steps the same again");
        let target = &table.get(pair[1])[..key];
        let silent = loop_from.is_some_and(|start| at >= start);
        let label = steps
            .iter()
            .find(|(label, to)| to[..key] == *target && (!silent || label.event == EventId::TAU))
            .map(|(label, _)| label);
        labels.push(label.expect("neighbours on a trail are joined by a step"));
    }
    Path {
        states: trail.iter().map(|&id| table.get(id)).collect(),
        labels,
        loop_from,
    }
}
