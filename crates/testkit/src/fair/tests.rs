//! The oracle on graphs small enough to draw.

use super::*;

/// Steps as (from, event, to), all of process 0.
fn graph(steps: &[(usize, u32, usize)]) -> Graph {
    let step = |&(from, event, to): &(usize, u32, usize)| Step {
        from,
        event,
        processes: 1,
        to,
    };
    let states = steps.iter().map(|s| s.0.max(s.2) + 1).max().unwrap_or(1);
    let all = steps.iter().map(step).collect();
    Graph::new(vec![0], vec![0; states], vec![0; states], all)
}

/// All executions are accepted, by an automaton of one state.
fn recurring(graph: &Graph) -> Recurring {
    let product = Product::new(graph, &[0], |_, _, _| vec![(0, 0)]).expect("a small product");
    Recurring::new(graph, &product, |_| true).expect("small components")
}

fn owed(strength: Strength, event: u32) -> Constraint {
    Constraint::Obligation {
        strength,
        when: When::Enabled,
        party: Party::Event(event),
    }
}

#[test]
fn every_connected_set_is_found() {
    // Two self-loops at one state: {e}, {f}, {e, f}.
    assert_eq!(recurring(&graph(&[(0, 2, 0), (0, 3, 0)])).connected, 3);
    // A ring of three with a chord back: the ring, the short loop, both.
    assert_eq!(
        recurring(&graph(&[(0, 2, 1), (1, 2, 2), (2, 2, 0), (1, 3, 0)])).connected,
        3
    );
    // A state without steps idles.
    let idle = recurring(&graph(&[(0, 2, 1)]));
    assert_eq!((idle.connected, idle.components), (1, vec![1]));
}

#[test]
fn obligations_mean_what_they_should() {
    // e loops at 0; f leads to 1 and g back.
    let graph = graph(&[(0, 2, 0), (0, 3, 1), (1, 4, 0)]);
    let only = |steps: &[usize]| Forever::of(&graph, set_of(steps.iter().copied()));
    let (weak, strong) = (owed(Strength::Weak, 2), owed(Strength::Strong, 2));
    assert!(weak.is_met(&graph, only(&[1, 2])) && !strong.is_met(&graph, only(&[1, 2])));
    assert!(!owed(Strength::Weak, 3).is_met(&graph, only(&[0])));
    assert!(!Constraint::Global.is_met(&graph, only(&[1, 2])));
    assert!(Constraint::Global.is_met(&graph, only(&[0, 1, 2])));
}

#[test]
fn a_formula_is_read_on_steps() {
    let graph = graph(&[(0, 2, 0), (0, 3, 0)]);
    let never = Formula::Always(Proposition::Not(Box::new(Proposition::Engaged(Party::Event(2)))));
    let constraint = Constraint::Formula(never.clone());
    assert!(constraint.is_met(&graph, Forever::of(&graph, 0b10)));
    assert!(!constraint.is_met(&graph, Forever::of(&graph, 0b11)));
    let both = Constraint::All(vec![constraint, owed(Strength::Weak, 2)]);
    assert!(!recurring(&graph).has_fair(&graph, &both));
    let negated = Constraint::Formula(Formula::Not(Box::new(never)));
    assert!(recurring(&graph).has_fair(&graph, &Constraint::All(vec![negated, Constraint::Global])));
}

#[test]
fn a_deadlock_with_an_offer_is_unfair_to_it() {
    let mut graph = graph(&[(0, 2, 1)]);
    let offered = Constraint::Obligation {
        strength: Strength::Weak,
        when: When::Ready,
        party: Party::Event(3),
    };
    assert!(recurring(&graph).has_fair(&graph, &offered));
    graph.offered[1] = 1 << 3;
    assert!(!recurring(&graph).has_fair(&graph, &offered));
    assert!(recurring(&graph).has_fair(&graph, &owed(Strength::Strong, 2)));
}

#[test]
fn branching_reads_what_can_be_reached() {
    // 0 loops, 0 -> 1, and 1 loops.
    let graph = graph(&[(0, 2, 0), (0, 3, 1), (1, 2, 1)]);
    assert!(always_possible(&graph, 0b10) && always_possibly_forever(&graph, 0b10));
    assert!(!always_possible(&graph, 0b01) && !always_possibly_forever(&graph, 0b01));
    // 0 and 1 in turn: each is always possible, neither forever.
    let turns = graph_of_turns();
    assert!(always_possible(&turns, 0b01) && !always_possibly_forever(&turns, 0b01));
}

fn graph_of_turns() -> Graph {
    graph(&[(0, 2, 1), (1, 3, 0)])
}
