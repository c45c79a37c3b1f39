//! Searches that dive say what those say that go breadth first only: here they dive from 50 states on.

use super::*;
use crate::drawn::Drawn;
use fairhold_system::{PredicateId, Silent, StopReason};
use fairhold_testkit::{Rng, cases, percent};

/// The rare predicate.
const RARE: PredicateId = PredicateId(0);

const QUESTIONS: [Question; 4] = [
    Question::DeadlockFree,
    Question::NonTerminating,
    Question::Deterministic,
    Question::Reaches(RARE),
];

/// A graph like a puzzle or like a bush: deep and narrow, or wide, with ways back.
fn drawn(rng: &mut Rng) -> Drawn {
    let count = 60 + rng.below(3000) as u32;
    let (reach, ways) = (1 + rng.below(200) as u32, 1 + rng.below(4));
    let rare = rng
        .chance(1, 2)
        .then(|| count / 2 + rng.below(count as usize / 2) as u32);
    let dead = rng
        .chance(1, 3)
        .then(|| count / 3 + rng.below(count as usize / 3) as u32);
    let twice = rng.chance(1, 3).then(|| rng.below(count as usize) as u32);
    let states = (0..count).map(|i| {
        let mut arcs: Vec<(u32, u32, u32)> = (0..ways as u32)
            .map(|event| (2 + event, 0, (i + 1 + rng.below(reach as usize) as u32) % count))
            .collect();
        if twice == Some(i) {
            arcs.push((2, 1, (i + reach + 7) % count));
        }
        if dead == Some(i) {
            arcs.clear();
        }
        (u32::from(rare == Some(i)), arcs)
    });
    Drawn {
        states: states.collect(),
        initial: vec![0],
    }
}

/// Whether a path is one of the graph and its end settles the question.
fn judge(graph: &Drawn, question: &Question, path: &Path) {
    assert_eq!(path.states[0], [0]);
    for (pair, label) in path.states.windows(2).zip(&path.labels) {
        let arc = (label.event.0, label.processes.0 - 1, pair[1][0]);
        assert!(graph.states[pair[0][0] as usize].1.contains(&arc));
    }
    let (holds, arcs) = &graph.states[path.states[path.states.len() - 1][0] as usize];
    match question {
        Question::Reaches(_) => assert_eq!(*holds, 1),
        Question::DeadlockFree | Question::NonTerminating => assert!(arcs.is_empty()),
        _ => {}
    }
}

#[test]
fn dives_change_no_verdict() {
    let mut rng = Rng::new(26);
    let (mut asked, mut shown, mut sooner) = (0, 0, 0);
    for _ in 0..cases(60) {
        let graph = drawn(&mut rng);
        for question in &QUESTIONS {
            let ask = |threads, shortest| {
                let limits = Limits {
                    threads,
                    shortest,
                    ..Limits::default()
                };
                check(&graph, question, &limits, &Silent)
            };
            let plain = ask(1, true);
            for threads in [1, 2, 3] {
                let dived = ask(threads, false);
                assert_eq!(dived.verdict, plain.verdict, "{question:?} by {threads}");
                assert_eq!(dived.path.is_some(), plain.path.is_some());
                let all = |answer: &Answer| [answer.statistics.states, answer.statistics.steps];
                match (&dived.path, &plain.path) {
                    (Some(path), Some(shortest)) => {
                        judge(&graph, question, path);
                        assert!(path.labels.len() >= shortest.labels.len());
                        shown += 1;
                        sooner += usize::from(all(&dived)[0] < all(&plain)[0]);
                    }
                    _ => assert_eq!(all(&dived), all(&plain), "everything is seen once"),
                }
                asked += 1;
            }
            // The same search again finds the same.
            assert_eq!(ask(1, false), ask(1, false));
        }
    }
    let (shown, sooner) = (percent(shown, asked), percent(sooner, asked));
    println!("{shown:.0} % show a run, {sooner:.0} % sooner than breadth first");
    assert!(shown > 20.0 && sooner > 2.0);
}

#[test]
fn a_bound_on_states_is_kept_and_hides_nothing_from_more_workers() {
    let mut rng = Rng::new(27);
    for _ in 0..cases(100) {
        let graph = drawn(&mut rng);
        let most = 200 + rng.below(1000) as u64;
        let ask = |threads| {
            let limits = Limits {
                threads,
                states: Some(most),
                ..Limits::default()
            };
            check(&graph, &Question::Reaches(RARE), &limits, &Silent)
        };
        let (one, two) = (ask(1), ask(2));
        assert_eq!((one.verdict, &one.path), (two.verdict, &two.path));
        assert!(one.statistics.states <= most);
        if one.verdict == Verdict::Unknown {
            assert_eq!(one.stop, Some(StopReason::States));
        }
    }
}
