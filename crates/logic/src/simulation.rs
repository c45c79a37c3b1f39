//! Reduction by direct simulation, forwards and backwards.
//!
//! State `q` *simulates* `p` if for every transition of `p` and every letter on it, `q` has a transition with that letter, at least
//! the same marks, and a target that simulates the target. Then every word accepted from `p` is accepted from `q`
//! [EtessamiHolzmann-CONCUR'00], [SomenziBloem-CAV'00]. So: states that simulate each other are one; a letter on a transition is
//! superfluous beside another transition of the same state that reads it with more marks and a simulating target
//! [ClementeMayr-POPL'13]; an initial state is superfluous beside one that simulates it. Backwards, the same holds for the
//! transitions that lead to a state.
//!
//! The relation is computed by the definition: start with all pairs, drop what fails, until nothing does. At most `n^2` rounds of
//! `e^2` comparisons of guards for `n` states and `e` edges; in practice a few rounds. The caller keeps `e` small.

use crate::{Automaton, Cube, Edge, Guard, MarkSet, State, StateIndex};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A relation between states: `relation[p][q]` says that `q` simulates `p`.
type Relation = Vec<Vec<bool>>;

/// An edge seen from one of its ends.
struct Arc<'a> {
    guard: &'a Guard,
    marks: MarkSet,
    /// The state at the other end.
    other: usize,
}

impl<'a> Arc<'a> {
    fn forward(edge: &'a Edge) -> Arc<'a> {
        Arc {
            guard: &edge.guard,
            marks: edge.marks,
            other: edge.target.index(),
        }
    }
}

/// The largest simulation between states with these arcs, inside `allowed`.
fn simulation(arcs: &[Vec<Arc<'_>>], allowed: impl Fn(usize, usize) -> bool) -> Relation {
    let n = arcs.len();
    let mut relation: Relation = (0..n).map(|p| (0..n).map(|q| allowed(p, q)).collect()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for p in 0..n {
            for q in 0..n {
                if p != q && relation[p][q] && !simulates(&arcs[p], &arcs[q], &relation) {
                    relation[p][q] = false;
                    changed = true;
                }
            }
        }
    }
    relation
}

/// Whether each letter of each arc in `ps` is on an arc in `qs` that is as good.
fn simulates(ps: &[Arc<'_>], qs: &[Arc<'_>], relation: &Relation) -> bool {
    ps.iter().all(|p| {
        let as_good = |q: &&Arc<'_>| p.marks.is_subset(q.marks) && relation[p.other][q.other];
        p.guard.implies_some(qs.iter().filter(as_good).map(|q| q.guard))
    })
}

/// The smallest member of each state's class of mutual simulation.
fn representatives(relation: &Relation) -> Vec<usize> {
    let mutual = |p: usize, q: usize| relation[p][q] && relation[q][p];
    (0..relation.len())
        .map(|p| (0..=p).find(|&q| mutual(p, q)).expect("a state simulates itself"))
        .collect()
}

/// Merges and prunes by forward simulation.
pub(crate) fn reduce_forward(automaton: &mut Automaton) {
    let states = &automaton.states;
    let arcs: Vec<Vec<Arc<'_>>> = states
        .iter()
        .map(|s| s.edges.iter().map(Arc::forward).collect())
        .collect();
    let relation = simulation(&arcs, |_, _| true);
    let class = representatives(&relation);
    // Representatives stand for their classes with their own edges: every member can do the same.
    let merged = |s: StateIndex| StateIndex(class[s.index()] as u32);
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        edge.target = merged(edge.target);
    }
    automaton.initial.iter_mut().for_each(|s| *s = merged(*s));
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    for state in &mut automaton.states {
        merge_parallel(state);
        let below =
            |e: &Edge, f: &Edge| e.marks.is_subset(f.marks) && relation[e.target.index()][f.target.index()];
        prune(&mut state.edges, below);
    }
    let all = automaton.initial.clone();
    automaton
        .initial
        .retain(|&s| !all.iter().any(|&t| t != s && relation[s.index()][t.index()]));
}

/// Merges and prunes by backward simulation.
pub(crate) fn reduce_backward(automaton: &mut Automaton) {
    let n = automaton.states.len();
    let mut arcs: Vec<Vec<Arc<'_>>> = (0..n).map(|_| Vec::new()).collect();
    for (from, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            arcs[edge.target.index()].push(Arc {
                other: from,
                ..Arc::forward(edge)
            });
        }
    }
    let is_initial = |s: usize| automaton.initial.contains(&StateIndex(s as u32));
    let relation = simulation(&arcs, |p, q| !is_initial(p) || is_initial(q));
    let class = representatives(&relation);
    drop(arcs);
    // A representative keeps the edges that lead to it, and gets all that leave its class.
    let mut states: Vec<State> = (0..n).map(|_| State::default()).collect();
    for (from, state) in automaton.states.iter_mut().enumerate() {
        let mut edges = std::mem::take(&mut state.edges);
        edges.retain(|e| class[e.target.index()] == e.target.index());
        states[class[from]].edges.append(&mut edges);
    }
    automaton.initial.retain(|s| class[s.index()] == s.index());
    states.iter_mut().for_each(merge_parallel);
    // Per target, an edge is superfluous beside one whose source can be reached in more ways.
    for target in 0..n {
        let mut into = Vec::new();
        for (from, state) in states.iter_mut().enumerate() {
            for edge in state.edges.extract_if(.., |e| e.target.index() == target) {
                // For `prune`, the other end is the source.
                into.push(Edge {
                    target: StateIndex(from as u32),
                    ..edge
                });
            }
        }
        let below =
            |e: &Edge, f: &Edge| e.marks.is_subset(f.marks) && relation[e.target.index()][f.target.index()];
        prune(&mut into, below);
        for edge in into {
            let from = edge.target.index();
            states[from].edges.push(Edge {
                target: StateIndex(target as u32),
                ..edge
            });
        }
    }
    automaton.states = states;
}

/// Takes from each edge the letters that an edge above it reads. `below` is a partial order on these edges.
fn prune(edges: &mut Vec<Edge>, below: impl Fn(&Edge, &Edge) -> bool) {
    let all = edges.clone();
    for (i, edge) in edges.iter_mut().enumerate() {
        for (j, other) in all.iter().enumerate() {
            let above = i != j && below(&all[i], other) && (j < i || !below(other, &all[i]));
            if above && edge.guard.meets(&other.guard) {
                edge.guard = edge.guard.without(&other.guard);
            }
        }
    }
    edges.retain(|e| !e.guard.is_false());
}

/// Makes edges with the same target and marks one, in the order in which they first occur.
pub(crate) fn merge_parallel(state: &mut State) {
    let mut cubes: Vec<Vec<Cube>> = Vec::new();
    let mut merged: Vec<Edge> = Vec::new();
    let mut places: HashMap<(StateIndex, MarkSet), usize> = HashMap::new();
    for edge in state.edges.drain(..) {
        match places.entry((edge.target, edge.marks)) {
            Entry::Occupied(place) => cubes[*place.get()].extend_from_slice(edge.guard.cubes()),
            Entry::Vacant(place) => {
                place.insert(merged.len());
                cubes.push(Vec::new());
                merged.push(edge);
            }
        }
    }
    for (edge, more) in merged.iter_mut().zip(cubes) {
        if !more.is_empty() {
            edge.guard = edge.guard.or(&Guard::new(more));
        }
    }
    state.edges = merged;
}
