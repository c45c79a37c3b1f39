//! Strong global fairness without an automaton.
//!
//! Under strong global fairness an execution ends up in a set of states that no step leaves, and meets all of it: so `[]<>p` holds if and only if from every reachable
//! state a `p`-state can be reached (`AG EF p`), and `<>[]p` if and only if from every reachable state one can be reached from where on `p` holds whatever
//! happens (`AG EF AG p`). Both take nothing but backward reachability.

use super::graph::{Graph, Set};

/// The states from which one of `goal` can be reached.
fn can_reach(graph: &Graph, goal: Set) -> Set {
    let mut reached = goal;
    loop {
        let more = graph.sources(graph.steps_where(|s| reached >> s.to & 1 == 1));
        if more & !reached == 0 {
            return reached;
        }
        reached |= more;
    }
}

/// `AG EF p`, for `p` true in these states.
pub fn always_possible(graph: &Graph, p: Set) -> bool {
    graph.reachable() & !can_reach(graph, p) == 0
}

/// `AG EF AG p`, for `p` true in these states.
pub fn always_possibly_forever(graph: &Graph, p: Set) -> bool {
    let all = Set::MAX >> (Set::BITS as usize - graph.predicates.len());
    always_possible(graph, all & !can_reach(graph, all & !p))
}
