//! Random structures with ends, and random formulas.

use super::formula::{Atom, PathFormula, Quantifier, StateFormula};
use crate::Rng;
use crate::fair::{EVENTS, Graph, IDLE, PROCESSES, Shape, Step, TERMINATE, random_graph, random_party};

/// What a path does that has come to a state without steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ends {
    /// It idles there forever.
    Idle,
    /// It is no path: paths are infinite.
    None,
}

/// A random structure: a system of several components, of which some end here and there, with one initial state or several, now and then with layers.
pub fn random_structure(rng: &mut Rng, shape: Shape, ends: Ends) -> Graph {
    let mut graph = random_graph(rng, shape);
    graph.steps.retain(|s| s.event != IDLE);
    if rng.chance(1, 4) {
        add_layers(rng, &mut graph);
    }
    let states = graph.predicates.len();
    let mut steps = graph.steps;
    if rng.chance(1, 3) {
        for _ in 0..1 + rng.below(2) {
            let end = rng.below(states);
            steps.retain(|s| s.from != end);
        }
    }
    let mut initial = graph.initial;
    while rng.chance(1, 3) {
        initial.push(rng.below(states));
    }
    initial.sort_unstable();
    initial.dedup();
    let graph = Graph::new(initial, graph.predicates, graph.offered, steps);
    match ends {
        Ends::Idle => graph,
        Ends::None => without_idling(&graph),
    }
}

/// Adds a component that is unfair at first sight, unfair again without the states that are to blame, and fair in its core: the last of a row of states can leave, and only it shows
/// that the one before can go there, and so on. What strong obligations make of it takes a split for every layer.
fn add_layers(rng: &mut Rng, graph: &mut Graph) {
    let core = graph.predicates.len();
    let layers = 2 + rng.below(2);
    // After termination there are no steps.
    let ended = |s: &usize| graph.steps.iter().any(|t| t.to == *s && t.event == TERMINATE);
    let others: Vec<usize> = (0..core).filter(|s| !ended(s)).collect();
    let (before, shift) = (*rng.pick(&others), rng.below(3) as u32);
    // Where the last of them leads: somewhere, or to an end.
    let out = if rng.chance(1, 2) {
        *rng.pick(&others)
    } else {
        core + layers + 1
    };
    // Each layer has its own event, and as far as they go its own process.
    let mut step = |from, own: usize, to| {
        graph.steps.push(Step {
            from,
            event: 2 + (own as u32 + shift) % (EVENTS - 2),
            processes: 1 << ((own as u32 + shift) % PROCESSES),
            to,
        });
    };
    step(before, 0, core);
    step(core, 0, core);
    for layer in 1..=layers {
        let state = core + layer;
        step(core, 0, state);
        step(state, 0, core);
        step(state, layer, if layer == layers { out } else { state + 1 });
    }
    // The core and the layers look alike, so that a formula can hold throughout.
    let common = rng.below(4) as u64;
    graph.predicates.resize(core + layers + 2, common);
    graph.offered.resize(core + layers + 2, 0);
}

/// The structure in which no state idles.
pub fn without_idling(graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    graph.steps.retain(|s| s.event != IDLE);
    graph
}

/// A random formula: one of the shapes people write, or any with at most `depth` path formulas inside each other.
pub fn random_property(rng: &mut Rng, depth: usize) -> StateFormula {
    let formula = if rng.chance(1, 4) {
        pattern(rng)
    } else {
        nested(rng, depth)
    };
    // As often true as false, whatever the structures are like.
    if rng.chance(1, 2) {
        formula.negated()
    } else {
        formula
    }
}

fn pattern(rng: &mut Rng) -> StateFormula {
    use PathFormula::{Finally, Globally, Next, Until};
    let (p, q) = (literal(rng), literal(rng));
    let (all, exists) = (StateFormula::all, StateFormula::exists);
    match rng.below(9) {
        0 => all(Globally(p.implies(all(Finally(q))))),
        1 => all(Globally(exists(Finally(p)))),
        2 => all(Globally(all(Finally(p)))),
        3 => exists(Finally(all(Globally(p)))),
        4 => exists(Globally(exists(Finally(p)))),
        5 => all(Globally(exists(Finally(all(Globally(p)))))),
        6 => all(Finally(all(Next(None, StateFormula::Const(false))))),
        7 => all(Globally(exists(Until(p, q)))),
        _ => all(Finally(exists(Globally(p)))),
    }
}

fn nested(rng: &mut Rng, depth: usize) -> StateFormula {
    let path = if depth > 1 {
        random_path(rng, depth)
    } else {
        flat_path(rng)
    };
    let quantifier = if rng.chance(1, 2) {
        Quantifier::All
    } else {
        Quantifier::Exists
    };
    StateFormula::Paths(quantifier, Box::new(path))
}

/// Mostly of nested parts: at least one of them is nested.
fn random_path(rng: &mut Rng, depth: usize) -> PathFormula {
    let first = mixed(rng, depth - 1);
    let second = if rng.chance(1, 2) {
        mixed(rng, depth - 1)
    } else {
        literal(rng)
    };
    if rng.chance(1, 2) {
        operator(rng, first, second)
    } else {
        operator(rng, second, first)
    }
}

fn flat_path(rng: &mut Rng) -> PathFormula {
    let (first, second) = (literal(rng), literal(rng));
    operator(rng, first, second)
}

/// Unary operators are about the second.
fn operator(rng: &mut Rng, first: StateFormula, second: StateFormula) -> PathFormula {
    match rng.below(8) {
        0 => PathFormula::Next(None, second),
        1 => {
            let events = (0..1 + rng.below(2)).map(|_| 2 + rng.below(EVENTS as usize - 2) as u32);
            let mut events: Vec<u32> = events.collect();
            events.sort_unstable();
            events.dedup();
            PathFormula::Next(Some(events), second)
        }
        2 => PathFormula::Finally(second),
        3 | 4 => PathFormula::Globally(second),
        5 => PathFormula::Until(first, second),
        6 => PathFormula::Release(first, second),
        _ => PathFormula::WeakUntil(first, second),
    }
}

/// A nested formula, perhaps negated or joined with an atom.
fn mixed(rng: &mut Rng, depth: usize) -> StateFormula {
    let inner = nested(rng, depth);
    match rng.below(6) {
        0 => inner.negated(),
        1 => inner.and(literal(rng)),
        2 => inner.or(literal(rng)),
        3 => literal(rng).implies(inner),
        4 => StateFormula::Iff(Box::new(inner), Box::new(literal(rng))),
        _ => inner,
    }
}

/// An atom or its negation; predicates are common, the rest is not.
fn literal(rng: &mut Rng) -> StateFormula {
    let formula = match rng.below(12) {
        0 => StateFormula::Const(true),
        1 => StateFormula::Atom(Atom::Deadlock),
        2 => StateFormula::Atom(Atom::Terminated),
        3 | 4 => StateFormula::Atom(Atom::Enabled(random_party(rng))),
        5 => StateFormula::predicate(0).or(StateFormula::predicate(1)),
        6 => StateFormula::predicate(0).and(StateFormula::predicate(1)),
        _ => StateFormula::predicate(rng.below(2) as u32),
    };
    if rng.chance(1, 3) {
        formula.negated()
    } else {
        formula
    }
}
