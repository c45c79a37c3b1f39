//! Thousands of random graphs against the judge, and the judge against broken answers.

use crate::explicit::{Explicit, Random};
use crate::judge::{QUESTIONS, judge, judge_exploration};
use fairhold_search::{Answer, ExploreOptions, Order, Question, check, explore};
use fairhold_system::{Limits, Silent, Verdict};
use std::collections::BTreeMap;

fn answer(graph: &Explicit, question: &Question) -> Answer {
    check(graph, question, &Limits::default(), &Silent)
}

#[test]
fn every_question_on_random_graphs() {
    let mut random = Random(0x0fa1_4401_d5ea_1c01);
    let mut spread: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    for round in 0..6_000 {
        let graph = random.graph();
        for question in &QUESTIONS {
            let answer = answer(&graph, question);
            if let Err(complaint) = judge(&graph, question, &answer) {
                panic!("round {round}, {question:?}: {complaint}\n{graph:#?}\n{answer:#?}");
            }
            // Kept compactly, states take less memory; nothing else is different.
            let compact = Limits {
                compact: true,
                ..Limits::default()
            };
            let compact = check(&graph, question, &compact, &Silent);
            assert_eq!((&compact.verdict, &compact.path), (&answer.verdict, &answer.path));
            let name = format!("{question:?}");
            spread.entry(name).or_default()[answer.verdict as usize] += 1;
        }
        for order in [Order::Breadth, Order::Depth] {
            let options = ExploreOptions { order, sccs: true };
            let exploration = explore(&graph, &options, &Limits::default(), &Silent);
            if let Err(complaint) = judge_exploration(&graph, order, &exploration) {
                panic!("round {round}, {order:?}: {complaint}\n{graph:#?}\n{exploration:#?}");
            }
            *sizes
                .entry(exploration.statistics.states.div_ceil(8) * 8)
                .or_default() += 1;
        }
    }
    println!("reachable states, rounded up to a multiple of 8, and explorations: {sizes:?}");
    for (question, [holds, fails, unknown, error]) in &spread {
        println!("{question}: {holds} holds, {fails} fails, {unknown} unknown, {error} error");
        assert!([holds, fails, unknown, error].into_iter().all(|&n| n > 100));
    }
}

/// Every way to break an answer that makes it wrong for sure.
fn broken(answer: &Answer) -> Vec<(&'static str, Answer)> {
    let mut all = Vec::new();
    let mut add = |name, change: &dyn Fn(&mut Answer)| {
        let mut other = answer.clone();
        change(&mut other);
        all.push((name, other));
    };
    add("other verdict", &|a| {
        a.verdict = match a.verdict {
            Verdict::Holds => Verdict::Fails,
            _ => Verdict::Holds,
        };
    });
    if let Some(path) = &answer.path {
        add("no path", &|a| a.path = None);
        if !path.labels.is_empty() {
            add("last step missing", &|a| {
                let path = a.path.as_mut().expect("there is one");
                path.labels.pop();
                path.states.pop();
            });
            add("first step missing", &|a| {
                let path = a.path.as_mut().expect("there is one");
                path.labels.remove(0);
                path.states.remove(0);
                path.loop_from = path.loop_from.map(|at| at.saturating_sub(1));
            });
            add("unknown event", &|a| {
                let path = a.path.as_mut().expect("there is one");
                path.labels[0].event.0 = 99;
            });
        }
        if path.loop_from.is_some() {
            add("no loop", &|a| {
                a.path.as_mut().expect("there is one").loop_from = None;
            });
        }
    }
    if answer.value.is_some() {
        add("value off by one", &|a| {
            a.value = a.value.map(|value| value + 1);
        });
    }
    if answer.conflict.is_some() {
        add("conflict of one step with itself", &|a| {
            let conflict = a.conflict.as_mut().expect("there is one");
            conflict.targets[1] = conflict.targets[0].clone();
        });
    }
    if !answer.samples.is_empty() {
        add("no sample", &|a| a.samples.clear());
    }
    all
}

#[test]
fn the_judge_notices_broken_answers() {
    let mut random = Random(0x5eed_0000_0000_0001);
    let mut noticed: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for _ in 0..600 {
        let graph = random.graph();
        for question in &QUESTIONS {
            let answer = answer(&graph, question);
            for (name, wrong) in broken(&answer) {
                let verdict = judge(&graph, question, &wrong);
                assert!(
                    verdict.is_err(),
                    "{name} passed for {question:?}\n{graph:#?}\n{wrong:#?}"
                );
                *noticed.entry((format!("{question:?}"), name)).or_default() += 1;
            }
        }
    }
    for ((question, name), count) in &noticed {
        println!("{question}, {name}: {count} noticed");
    }
    assert!(noticed.len() >= 30);
}

#[test]
fn the_judge_notices_broken_explorations() {
    let mut random = Random(0x5eed_0000_0000_0002);
    let mut noticed = 0;
    for _ in 0..600 {
        let graph = random.graph();
        let options = ExploreOptions {
            order: Order::Breadth,
            sccs: true,
        };
        let right = explore(&graph, &options, &Limits::default(), &Silent);
        if right.fault.is_some() {
            continue;
        }
        for field in 0..6 {
            let mut wrong = right.clone();
            let statistics = &mut wrong.statistics;
            match field {
                0 => statistics.states += 1,
                1 => statistics.steps += 1,
                2 => statistics.depth += 1,
                3 => statistics.deadlocks += 1,
                4 => statistics.terminated += 1,
                _ => statistics.sccs = statistics.sccs.map(|sccs| sccs + 1),
            }
            assert!(judge_exploration(&graph, Order::Breadth, &wrong).is_err());
            noticed += 1;
        }
    }
    assert!(noticed > 1_000);
}
