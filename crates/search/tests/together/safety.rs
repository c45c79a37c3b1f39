//! Explorations and questions that a finite path settles, by one worker and by several.

use crate::graph::{Graph, P, RARE};
use crate::judge::walk;
use crate::liveness::{WORKERS, workers};
use crate::shapes::{Drawn, Shape};
use fairhold_search::{Answer, Direction, ExploreOptions, Order, Question, Statistics, check, explore};
use fairhold_system::{Limits, ObjectiveId, Silent, Verdict};
use fairhold_testkit::{Rng, cases};
use std::collections::BTreeMap;

pub(crate) const QUESTIONS: [Question; 7] = [
    Question::DeadlockFree,
    Question::NonTerminating,
    Question::Deterministic,
    Question::DivergenceFree,
    Question::Reaches(RARE),
    optimum(Direction::Minimise),
    optimum(Direction::Maximise),
];

const fn optimum(direction: Direction) -> Question {
    Question::Optimum {
        condition: P,
        objective: ObjectiveId(0),
        direction,
    }
}

/// What must not depend on the number of workers.
fn numbers(statistics: &Statistics) -> [u64; 6] {
    let Statistics {
        states,
        steps,
        depth,
        deadlocks,
        terminated,
        sccs,
        ..
    } = *statistics;
    [states, steps, depth, deadlocks, terminated, sccs.unwrap_or(0)]
}

/// How many levels have so many states that they are shared, by distances from the initial states.
fn wide_levels(graph: &Graph) -> usize {
    let mut seen = vec![false; graph.len()];
    let mut level = graph.initial.clone();
    level.iter().for_each(|&s| seen[s as usize] = true);
    let mut wide = 0;
    while !level.is_empty() {
        wide += usize::from(level.len() >= 4096);
        let mut next = Vec::new();
        for &(_, _, target) in level.iter().flat_map(|&s| graph.arcs(s)) {
            if !std::mem::replace(&mut seen[target as usize], true) {
                next.push(target);
            }
        }
        level = next;
    }
    wide
}

/// Whether the last state of a path settles the question.
pub(crate) fn judge(graph: &Graph, question: &Question, answer: &Answer) {
    let Some(path) = &answer.path else { return };
    let states = walk(graph, path);
    let last = *states.last().expect("a path has a state");
    let end = graph.arcs(last);
    match question {
        Question::DeadlockFree => assert!(end.is_empty() && !last.is_multiple_of(3)),
        Question::NonTerminating => assert!(end.is_empty()),
        Question::Reaches(predicate) => assert!(graph.has(last, *predicate)),
        Question::Optimum { condition, .. } => {
            assert!(graph.has(last, *condition));
            assert_eq!(answer.value, Some(i64::from(last % 1009)));
        }
        Question::Deterministic => {
            let conflict = answer.conflict.as_ref().expect("two steps disagree");
            let before = states[states.len() - 2];
            let targets = conflict.targets.each_ref().map(|t| crate::graph::number(t));
            assert_ne!(targets[0], targets[1]);
            for (label, target) in conflict.labels.iter().zip(targets) {
                let arc = (conflict.event.0, label.processes.0, target);
                assert!(graph.arcs(before).contains(&arc));
            }
        }
        Question::DivergenceFree => {
            let start = path.loop_from.expect("a loop");
            assert!(path.labels[start..].iter().all(|label| label.event.0 == 0));
            assert_eq!(states[start], last);
        }
    }
}

pub(crate) fn check_all(graph: &Graph, crews: &[usize], mut seen: impl FnMut(&Question, Verdict)) {
    let options = ExploreOptions {
        order: Order::Breadth,
        sccs: true,
    };
    let alone = explore(graph, &options, &workers(1), &Silent);
    for &threads in crews {
        let together = explore(graph, &options, &workers(threads), &Silent);
        assert_eq!(numbers(&alone.statistics), numbers(&together.statistics));
        assert_eq!((together.stop, &together.fault), (None, &None));
    }
    for question in &QUESTIONS {
        let alone = check(graph, question, &workers(1), &Silent);
        judge(graph, question, &alone);
        seen(question, alone.verdict);
        for &threads in crews {
            let together = check(graph, question, &workers(threads), &Silent);
            judge(graph, question, &together);
            assert_eq!(
                (alone.verdict, alone.value),
                (together.verdict, together.value),
                "{question:?}"
            );
            let lengths = [&alone, &together].map(|a| a.path.as_ref().map(|p| p.labels.len()));
            if *question != Question::DivergenceFree {
                assert_eq!(lengths[0], lengths[1], "{question:?}");
            }
            if alone.path.is_none() {
                assert_eq!(numbers(&alone.statistics), numbers(&together.statistics));
            }
            let reproducible = Limits {
                reproducible: true,
                ..workers(threads)
            };
            let again = check(graph, question, &reproducible, &Silent);
            assert_eq!((again.verdict, &again.path), (alone.verdict, &alone.path));
        }
    }
}

/// A graph whose levels are wide: a tree of some width that few arcs lead back in.
pub(crate) fn wide(rng: &mut Rng, states: usize, width: usize) -> Graph {
    let mut lists = vec![Vec::new(); states];
    for (i, list) in lists.iter_mut().enumerate() {
        for child in i * width + 1..=i * width + width {
            if child < states {
                // A few share their event with a sibling, or are silent, or lead back.
                let event = if rng.chance(1, 3 * states) {
                    2
                } else {
                    3 + (child % width) as u32
                };
                list.push((event, 1, child as u32));
            }
        }
        let back = (i * width + 1 >= states).then(|| (i / width) as u32);
        if let Some(back) = back.filter(|_| !rng.chance(1, 2 * states)) {
            list.push((2, 1, back));
        }
    }
    let rare = |rng: &mut Rng| u8::from(rng.chance(1, states)) << 2;
    let predicates = (0..states).map(|i| u8::from(i % 7 == 0) | rare(rng)).collect();
    Graph::new(vec![0], lists, predicates)
}

#[test]
fn numbers_and_verdicts_are_those_of_one_worker() {
    let mut rng = Rng::new(0x5afe);
    let (mut shared, mut levels) = (0, 0);
    let mut spread: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let rounds = cases(12);
    for round in 0..rounds {
        let states = 12_000 + rng.below(28_000);
        let graph = match round % 3 {
            0 => {
                let width = 8 + rng.below(40);
                wide(&mut rng, states, width)
            }
            _ => Drawn::new(&mut rng, Shape::ALL[round / 3 % 4], states).graph,
        };
        let wide = wide_levels(&graph);
        shared += usize::from(wide > 0);
        levels += wide;
        let crew = WORKERS[1 + round % 3];
        check_all(&graph, &[crew], |question, verdict| {
            spread.entry(format!("{question:?}")).or_default()[verdict as usize] += 1;
        });
    }
    println!("{rounds} graphs, {shared} of them with {levels} levels that are shared");
    for (question, [holds, fails, ..]) in &spread {
        println!("{question}: {holds} hold, {fails} fail");
    }
    assert!(shared * 4 > rounds);
}
