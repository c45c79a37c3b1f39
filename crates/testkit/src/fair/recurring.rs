//! All that an execution can do infinitely often: every strongly connected set of moves of a product.

use super::definition::{Constraint, Forever};
use super::graph::{Graph, Product, set_of};

/// The most moves a component may have, since all sets of them are tried.
pub const MOST_MOVES: usize = 18;

/// What accepted executions can do infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurring {
    /// In terms of the system, each once.
    pub possible: Vec<Forever>,
    /// How many sets of moves are strongly connected.
    pub connected: usize,
    /// The number of moves of every component.
    pub components: Vec<usize>,
}

impl Recurring {
    /// All of them, where `accepts` says whether an execution is accepted that meets exactly these marks infinitely often. None if a component has more
    /// than [`MOST_MOVES`] moves.
    pub fn new(graph: &Graph, product: &Product, accepts: impl Fn(u64) -> bool) -> Option<Recurring> {
        let mut recurring = Recurring {
            possible: Vec::new(),
            connected: 0,
            components: Vec::new(),
        };
        let components = product.components(|_| true);
        let inside = |component: u128| -> Vec<usize> {
            let has = |node: usize| component >> node & 1 == 1;
            (0..product.moves.len())
                .filter(|&i| has(product.moves[i].from) && has(product.moves[i].to))
                .collect()
        };
        let components: Vec<Vec<usize>> = components.into_iter().map(inside).collect();
        if components.iter().any(|moves| moves.len() > MOST_MOVES) {
            return None;
        }
        for moves in components {
            recurring.components.push(moves.len());
            for set in connected_sets(product, &moves) {
                recurring.connected += 1;
                let chosen = || {
                    let numbers = moves.iter().enumerate();
                    numbers
                        .filter(|(i, _)| set >> i & 1 == 1)
                        .map(|(_, &m)| product.moves[m])
                };
                if accepts(chosen().fold(0, |marks, m| marks | m.marks)) {
                    let steps = set_of(chosen().map(|m| m.step));
                    recurring.possible.push(Forever::of(graph, steps));
                }
            }
        }
        recurring.possible.sort_unstable();
        recurring.possible.dedup();
        Some(recurring)
    }

    /// Whether some accepted execution meets the constraint.
    pub fn has_fair(&self, graph: &Graph, constraint: &Constraint) -> bool {
        self.possible.iter().any(|&f| constraint.is_met(graph, f))
    }
}

/// The strongly connected sets among these moves, each as bits by place in the list.
fn connected_sets(product: &Product, moves: &[usize]) -> Vec<u32> {
    let ends: Vec<(u128, u128)> = moves
        .iter()
        .map(|&i| (1 << product.moves[i].from, 1 << product.moves[i].to))
        .collect();
    // By set: the nodes left and the nodes entered. A set differs from the one without its lowest move by that move.
    let mut nodes = vec![(0u128, 0u128); 1 << moves.len()];
    let mut connected = Vec::new();
    for set in 1..nodes.len() {
        let (left, entered) = nodes[set & (set - 1)];
        let (from, to) = ends[set.trailing_zeros() as usize];
        nodes[set] = (left | from, entered | to);
        // Most sets fail at the first look: some node is left and never entered, or the other way round.
        if nodes[set].0 == nodes[set].1 && is_connected(&ends, set, nodes[set].0) {
            connected.push(set as u32);
        }
    }
    connected
}

/// Whether these moves lead from one of their nodes to all of them, and from all of them to it.
fn is_connected(ends: &[(u128, u128)], set: usize, nodes: u128) -> bool {
    let chosen = || {
        ends.iter()
            .enumerate()
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, &e)| e)
    };
    let start = nodes & nodes.wrapping_neg();
    let (mut after, mut before) = (start, start);
    // Each round but the last adds a node.
    for _ in 0..nodes.count_ones() {
        for (from, to) in chosen() {
            if after & from != 0 {
                after |= to;
            }
            if before & to != 0 {
                before |= from;
            }
        }
    }
    after == nodes && before == nodes
}
