//! Three graphs a question, small enough to be checked by eye.

use crate::explicit::{Explicit, TAU};
use crate::judge::{MAXIMUM, MINIMUM, REACHES, judge};
use fairhold_search::{Answer, ExploreOptions, Order, Question, check, explore};
use fairhold_system::{FaultKind, Limits, Silent, Verdict};

const A: u32 = 2;
const B: u32 = 3;

fn ask(graph: &Explicit, question: &Question) -> Answer {
    let answer = check(graph, question, &Limits::default(), &Silent);
    judge(graph, question, &answer).expect("the judge agrees");
    answer
}

/// The state numbers on the answer's path.
fn way(answer: &Answer) -> Option<Vec<usize>> {
    let path = answer.path.as_ref()?;
    Some(path.states.iter().map(|state| Explicit::number(state)).collect())
}

#[test]
fn deadlock() {
    let ring = Explicit::draw(&[(0, A, 1), (1, B, 0)]);
    assert_eq!(ask(&ring, &Question::DeadlockFree).verdict, Verdict::Holds);

    // A long way and a short way into a dead end.
    let fork = Explicit::draw(&[(0, A, 1), (1, A, 2), (2, A, 3), (0, B, 3)]);
    let answer = ask(&fork, &Question::DeadlockFree);
    assert_eq!(answer.verdict, Verdict::Fails);
    assert_eq!(way(&answer), Some(vec![0, 3]));

    let mut end = Explicit::draw(&[(0, 1, 1)]);
    end.nodes[1].ended = true;
    assert_eq!(ask(&end, &Question::DeadlockFree).verdict, Verdict::Holds);
}

#[test]
fn termination() {
    let ring = Explicit::draw(&[(0, A, 1), (1, B, 0)]);
    assert_eq!(ask(&ring, &Question::NonTerminating).verdict, Verdict::Holds);

    let mut end = Explicit::draw(&[(0, A, 0), (0, 1, 1)]);
    end.nodes[1].ended = true;
    let answer = ask(&end, &Question::NonTerminating);
    assert_eq!((answer.verdict, way(&answer)), (Verdict::Fails, Some(vec![0, 1])));

    let nothing = Explicit::draw(&[]);
    let answer = ask(&nothing, &Question::NonTerminating);
    assert_eq!((answer.verdict, way(&answer)), (Verdict::Fails, Some(vec![0])));
}

#[test]
fn determinism() {
    let two_events = Explicit::draw(&[(0, A, 1), (0, B, 0), (1, A, 0)]);
    assert_eq!(ask(&two_events, &Question::Deterministic).verdict, Verdict::Holds);

    // Same event, same target, different participants: no conflict.
    let mut participants = Explicit::draw(&[(0, A, 1), (1, B, 0)]);
    participants.nodes[0].arcs.push((A, 1, 1));
    assert_eq!(
        ask(&participants, &Question::Deterministic).verdict,
        Verdict::Holds
    );

    let silent = Explicit::draw(&[(0, A, 1), (1, B, 0), (1, TAU, 0), (1, TAU, 2), (2, A, 2)]);
    let answer = ask(&silent, &Question::Deterministic);
    assert_eq!(way(&answer), Some(vec![0, 1, 0]));
    let conflict = answer.conflict.expect("tau to 0 and to 2");
    assert_eq!(conflict.event.0, TAU);
    assert_eq!(Explicit::number(&conflict.targets[1]), 2);
}

#[test]
fn divergence() {
    // A loop that is not all tau.
    let visible = Explicit::draw(&[(0, TAU, 1), (1, A, 0)]);
    assert_eq!(ask(&visible, &Question::DivergenceFree).verdict, Verdict::Holds);

    let selfloop = Explicit::draw(&[(0, A, 1), (1, TAU, 1)]);
    let answer = ask(&selfloop, &Question::DivergenceFree);
    assert_eq!(
        (answer.verdict, way(&answer)),
        (Verdict::Fails, Some(vec![0, 1, 1]))
    );
    assert_eq!(answer.path.and_then(|path| path.loop_from), Some(1));

    // The tau into 1 is no part of the loop; the loop has a long and a short way round.
    let detour = [
        (0, TAU, 1),
        (1, A, 2),
        (2, TAU, 3),
        (3, TAU, 4),
        (4, TAU, 5),
        (5, TAU, 2),
        (4, TAU, 2),
    ];
    let answer = ask(&Explicit::draw(&detour), &Question::DivergenceFree);
    assert_eq!(way(&answer), Some(vec![0, 1, 2, 3, 4, 2]));
    assert_eq!(answer.path.and_then(|path| path.loop_from), Some(2));
}

#[test]
fn divergence_is_found_without_exploring_everything() {
    let mut arcs: Vec<(usize, u32, usize)> = (0..200_000).map(|i| (i, A, i + 1)).collect();
    arcs.extend([(700, TAU, 701), (701, TAU, 700)]);
    let answer = ask_large(&Explicit::draw(&arcs), &Question::DivergenceFree);
    assert_eq!(answer.verdict, Verdict::Fails);
    assert_eq!(answer.path.and_then(|path| path.loop_from), Some(700));
    assert!(answer.statistics.states < 2_000);

    let mut late = Explicit::draw(&arcs);
    late.nodes[701].arcs.retain(|arc| arc.0 != TAU);
    let answer = ask_large(&late, &Question::DivergenceFree);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert_eq!(
        (answer.statistics.states, answer.statistics.steps),
        (200_001, 200_001)
    );
}

/// The judge is cubic; this is for graphs it should not see.
fn ask_large(graph: &Explicit, question: &Question) -> Answer {
    check(graph, question, &Limits::default(), &Silent)
}

#[test]
fn reachability() {
    let mut diamond = Explicit::draw(&[(0, A, 1), (0, B, 2), (1, A, 3), (2, A, 3), (3, A, 4)]);
    assert_eq!(ask(&diamond, &REACHES).verdict, Verdict::Fails);
    diamond.nodes[3].goal = true;
    let answer = ask(&diamond, &REACHES);
    assert_eq!(
        (answer.verdict, way(&answer)),
        (Verdict::Holds, Some(vec![0, 1, 3]))
    );
    diamond.nodes[0].goal = true;
    assert_eq!(way(&ask(&diamond, &REACHES)), Some(vec![0]));
}

#[test]
fn optimum() {
    let mut line = Explicit::draw(&[(0, A, 1), (1, A, 2), (2, A, 3), (0, B, 3)]);
    for (node, value) in line.nodes.iter_mut().zip([9, 4, -2, 4]) {
        node.value = value;
    }
    assert_eq!(ask(&line, &MAXIMUM).verdict, Verdict::Fails);
    for number in [1, 2, 3] {
        line.nodes[number].goal = true;
    }
    let answer = ask(&line, &MINIMUM);
    assert_eq!((answer.value, way(&answer)), (Some(-2), Some(vec![0, 1, 2])));
    let answer = ask(&line, &MAXIMUM);
    assert_eq!((answer.value, way(&answer)), (Some(4), Some(vec![0, 1])));
}

#[test]
fn faults() {
    let mut line = Explicit::draw(&[(0, A, 1), (1, A, 2), (2, A, 3)]);
    line.nodes[2].step_fault = Some(FaultKind::Error);
    let answer = ask(&line, &Question::DeadlockFree);
    assert_eq!(
        (answer.verdict, way(&answer)),
        (Verdict::Error, Some(vec![0, 1, 2]))
    );
    assert_eq!(answer.fault.map(|fault| fault.message), Some("step".to_owned()));

    line.nodes[2].step_fault = Some(FaultKind::Unbounded);
    let answer = ask(&line, &Question::DeadlockFree);
    assert_eq!((answer.verdict, answer.stop), (Verdict::Unknown, None));
    assert_eq!(answer.samples, [Explicit::row(2, 2).to_vec()]);

    line.initial_fault = Some(FaultKind::Error);
    let answer = ask(&line, &Question::DeadlockFree);
    assert_eq!((answer.verdict, way(&answer)), (Verdict::Error, None));
}

#[test]
fn exploration() {
    // Two rings of two, a dead end and an end; breadth first the farthest is two steps away.
    let mut graph = Explicit::draw(&[
        (0, A, 1),
        (1, A, 0),
        (0, B, 2),
        (2, A, 3),
        (3, A, 2),
        (1, B, 4),
        (1, 1, 5),
    ]);
    graph.nodes[5].ended = true;
    for order in [Order::Breadth, Order::Depth] {
        let options = ExploreOptions { order, sccs: true };
        let seen = explore(&graph, &options, &Limits::default(), &Silent).statistics;
        assert_eq!((seen.states, seen.steps, seen.depth), (6, 7, 2));
        assert_eq!((seen.deadlocks, seen.terminated, seen.sccs), (1, 1, Some(4)));
    }
    // Depth first, the long way round is taken first.
    let ring = Explicit::draw(&[(0, A, 1), (1, A, 2), (0, B, 2)]);
    let depth = |order| {
        let options = ExploreOptions { order, sccs: false };
        let seen = explore(&ring, &options, &Limits::default(), &Silent).statistics;
        assert_eq!(seen.sccs, None);
        seen.depth
    };
    assert_eq!((depth(Order::Breadth), depth(Order::Depth)), (1, 2));
}
