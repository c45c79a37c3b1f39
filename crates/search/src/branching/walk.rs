//! Shortest walks through the explored graph.

use crate::expanded::{Expanded, Step};
use fairhold_store::StateId;
use fairhold_system::{Path, System};
use fixedbitset::FixedBitSet;

/// States, and the steps between them.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) start: StateId,
    pub(super) steps: Vec<Step>,
}

const UNMET: u32 = u32::MAX;

impl Walk {
    /// A walk of no steps.
    pub(super) fn at(start: StateId) -> Walk {
        Walk {
            start,
            steps: Vec::new(),
        }
    }

    /// A shortest walk from one of some states to one of `goal`, over states of `through` between them.
    pub(super) fn to<S: System>(
        graph: &Expanded<'_, S>,
        from: &[StateId],
        through: &FixedBitSet,
        goal: &FixedBitSet,
    ) -> Option<Walk> {
        if let Some(&here) = from.iter().find(|s| goal.contains(s.index())) {
            return Some(Walk::at(here));
        }
        let from: Vec<StateId> = from
            .iter()
            .copied()
            .filter(|s| through.contains(s.index()))
            .collect();
        search(graph, &from, through, &|step| goal.contains(step.target.index()))
    }

    /// A shortest walk of at least one step from a state back to it, inside some states.
    pub(super) fn back<S: System>(
        graph: &Expanded<'_, S>,
        state: StateId,
        inside: &FixedBitSet,
    ) -> Option<Walk> {
        search(graph, &[state], inside, &|step| step.target == state)
    }

    /// The state where it ends.
    pub(super) fn end(&self) -> StateId {
        self.steps.last().map_or(self.start, |step| step.target)
    }

    /// Its states, first to last.
    pub(super) fn states(&self) -> impl Iterator<Item = StateId> {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.target))
    }

    /// As a path.
    pub(super) fn path<S: System>(&self, graph: &Expanded<'_, S>) -> Path {
        Path {
            states: self.states().map(|s| graph.visited.table.get(s)).collect(),
            labels: self.steps.iter().map(|step| step.label).collect(),
            loop_from: None,
        }
    }
}

/// Breadth first from some states over states of `through` to the first good step.
fn search<S: System>(
    graph: &Expanded<'_, S>,
    from: &[StateId],
    through: &FixedBitSet,
    good: &dyn Fn(&Step) -> bool,
) -> Option<Walk> {
    let mut parents = vec![UNMET; graph.visited.table.len()];
    let mut queue: Vec<StateId> = Vec::new();
    for &state in from {
        parents[state.index()] = state.0;
        queue.push(state);
    }
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        for step in graph.steps(state) {
            if good(&step) {
                return Some(trace(graph, &parents, state, step));
            }
            let target = step.target.index();
            if parents[target] == UNMET && through.contains(target) {
                parents[target] = state.0;
                queue.push(step.target);
            }
        }
    }
    None
}

/// The walk along parents to a state and over one more step.
fn trace<S: System>(graph: &Expanded<'_, S>, parents: &[u32], last: StateId, step: Step) -> Walk {
    let mut steps = vec![step];
    let mut at = last;
    while parents[at.index()] != at.0 {
        let parent = StateId(parents[at.index()]);
        let taken = graph.steps(parent).find(|s| s.target == at);
        steps.push(taken.expect("a parent has a step to its child"));
        at = parent;
    }
    steps.reverse();
    Walk { start: at, steps }
}
