//! From a fair part of the product to a lasso that a person can follow.
//!
//! A shortest way into the part, for which nodes that the search has not come to are expanded too, as long as they are not too many; then, inside it, always to the nearest
//! move that meets something still owed, until nothing is; then the shortest way back. (The shortest such loop is NP-hard to find, even to approximate.)

use crate::expanded::Expanded;
use crate::fair::FairPart;
use crate::fairness::Fairness;
use crate::owed::Owed;
use crate::product::{Move, Product};
use fairhold_logic::MarkSet;
use fairhold_store::StateId;
use fairhold_system::{Label, Path, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A lasso whose loop is fair and accepting; none only in a look at a part of the graph.
pub(crate) fn build<S: System>(
    product: &mut Product<'_, '_, S>,
    fairness: &Fairness,
    part: &FairPart,
) -> Option<Path> {
    let inside: FxHashSet<StateId> = part.nodes.iter().copied().collect();
    // Of a look at a part, all nodes near the start are there.
    let more = if product.is_part() {
        0
    } else {
        (product.len() / 8).max(FEW)
    };
    let shortest = way_in(product, &inside, more).or_else(|| {
        // A way through what was explored is there in any case, whatever memory is left to walk it.
        let limit = product.graph.visited.budget.limited(u64::MAX);
        let way = way_in(product, &inside, 0);
        product.graph.visited.budget.limited(limit);
        way
    });
    // In a look at a part of the graph, a fairness formula may ask for steps of a state on the way that cannot be had.
    assert!(
        shortest.is_some() || product.is_part(),
        "a part that was found is reachable through what was explored"
    );
    Some(around(product, fairness, part, &inside, shortest?))
}

/// A lasso whose loop is fair and accepting, where nothing is explored but the part and a way to it.
pub(crate) fn build_within<S: System>(
    product: &mut Product<'_, '_, S>,
    fairness: &Fairness,
    part: &FairPart,
) -> Path {
    let inside: FxHashSet<StateId> = part.nodes.iter().copied().collect();
    let way = way_in(product, &inside, 0).expect("a way to the part is explored");
    around(product, fairness, part, &inside, way)
}

/// A way into a part, and a fair accepting loop there.
fn around<S: System>(
    product: &Product<'_, '_, S>,
    fairness: &Fairness,
    part: &FairPart,
    inside: &FxHashSet<StateId>,
    (entry, prefix): (StateId, Vec<Taken>),
) -> Path {
    let walk = Walk {
        product,
        inside,
        banned: part.banned,
    };
    let cycle = walk.cycle(entry, Owed::in_part(product, fairness, part));
    let first = prefix.first().map_or(entry, |&(from, _)| from);
    let mut path = Path {
        states: vec![words(product, first)],
        labels: Vec::new(),
        loop_from: Some(prefix.len()),
    };
    for (_, m) in prefix.iter().chain(&cycle) {
        path.labels.push(product.graph.step(m.step as usize).label);
        path.states.push(words(product, m.target));
    }
    roll_back(&mut path);
    path
}

/// Starts the loop earlier while the prefix ends as the loop does: the execution is the same. (The product may need a step more than the system to get into its loop.)
fn roll_back(path: &mut Path) {
    while let Some(start) = path.loop_from
        && start > 0
        && path.labels[start - 1] == path.labels[path.labels.len() - 1]
        && path.states[start - 1] == path.states[path.states.len() - 2]
    {
        path.labels.pop();
        path.states.pop();
        path.loop_from = Some(start - 1);
    }
}

fn words<S: System>(product: &Product<'_, '_, S>, node: StateId) -> Vec<u32> {
    product.graph.visited.table.get(product.state(node))
}

/// A move with the node it leaves.
type Taken = (StateId, Move);

/// So many nodes may always be expanded for a shorter way; beyond them, an eighth of those that the search has met.
const FEW: usize = 10_000;

/// A shortest way from an initial node into a set, and the node where it enters, over nodes whose states are expanded and at most `more` others. None if that
/// is too few.
fn way_in<S: System>(
    product: &mut Product<'_, '_, S>,
    goal: &FxHashSet<StateId>,
    mut more: usize,
) -> Option<(StateId, Vec<Taken>)> {
    let only_expanded = more == 0;
    let mut moves = Vec::new();
    let mut from: FxHashMap<StateId, Option<Taken>> = product.initial.iter().map(|&n| (n, None)).collect();
    let mut queue: VecDeque<StateId> = product.initial.iter().copied().collect();
    let mut found = None;
    while let Some(node) = queue.pop_front() {
        if goal.contains(&node) {
            found = Some((node, back(&from, node)));
            break;
        }
        if !product.graph.is_expanded(product.state(node)) {
            if only_expanded {
                continue;
            }
            match more.checked_sub(1) {
                Some(left) => more = left,
                None => break,
            }
        }
        moves.clear();
        if product.append_moves(node, &mut moves).is_err() {
            if only_expanded {
                // Only at a node that the search has not come to is there anything left to compute.
                continue;
            }
            break;
        }
        for &m in &moves {
            from.entry(m.target).or_insert_with(|| {
                queue.push_back(m.target);
                Some((node, m))
            });
        }
    }
    product.graph.visited.budget.release_vec(&moves);
    found
}

/// The moves that lead to a node, from a table of how each was reached.
fn back(from: &FxHashMap<StateId, Option<Taken>>, mut node: StateId) -> Vec<Taken> {
    let mut way = Vec::new();
    while let Some((before, m)) = from[&node] {
        way.push((before, m));
        node = before;
    }
    way.reverse();
    way
}

struct Walk<'w, 'p, 'a, S: System> {
    product: &'w Product<'p, 'a, S>,
    inside: &'w FxHashSet<StateId>,
    banned: MarkSet,
}

impl<S: System> Walk<'_, '_, '_, S> {
    /// A loop from a node through all that is owed.
    fn cycle(&self, start: StateId, mut owed: Owed<'_>) -> Vec<Taken> {
        let mut cycle = Vec::new();
        let mut at = start;
        while !owed.is_empty() {
            let way = self.nearest(at, |m| owed.is_met_by(self.product, m));
            for (_, m) in &way {
                owed.meet(self.product, m);
                at = m.target;
            }
            cycle.extend(way);
        }
        if at != start || cycle.is_empty() {
            cycle.extend(self.nearest(at, |m| m.target == start));
        }
        cycle
    }

    /// The shortest way inside from a node over a move that is good.
    fn nearest(&self, start: StateId, good: impl Fn(&Move) -> bool) -> Vec<Taken> {
        let mut from: FxHashMap<StateId, Option<Taken>> = FxHashMap::from_iter([(start, None)]);
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for m in self.product.moves(node) {
                let here = self.inside.contains(&m.target) && m.marks.intersection(self.banned).is_empty();
                if !here {
                    continue;
                }
                if good(&m) {
                    let mut way = back(&from, node);
                    way.push((node, m));
                    return way;
                }
                from.entry(m.target).or_insert_with(|| {
                    queue.push_back(m.target);
                    Some((node, m))
                });
            }
        }
        unreachable!("a fair part is strongly connected and has all that is owed")
    }
}

/// A shortest way through the explored graph to a state of the system.
pub(crate) fn way_to_state<S: System>(graph: &Expanded<'_, S>, goal: StateId) -> Option<Path> {
    let mut from: FxHashMap<StateId, Option<(StateId, Label)>> =
        graph.initial.iter().map(|&s| (s, None)).collect();
    let mut queue: VecDeque<StateId> = graph.initial.iter().copied().collect();
    while let Some(state) = queue.pop_front() {
        if state == goal {
            break;
        }
        if !graph.is_expanded(state) {
            continue;
        }
        for step in graph.steps(state) {
            from.entry(step.target).or_insert_with(|| {
                queue.push_back(step.target);
                Some((state, step.label))
            });
        }
    }
    let mut states = vec![graph.visited.table.get(goal)];
    let mut labels = Vec::new();
    let mut state = goal;
    while let Some((before, label)) = *from.get(&state)? {
        labels.push(label);
        states.push(graph.visited.table.get(before));
        state = before;
    }
    states.reverse();
    labels.reverse();
    Some(Path {
        states,
        labels,
        loop_from: None,
    })
}
