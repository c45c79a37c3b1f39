//! Models that go wrong, and steppers that panic, while several workers search.

use crate::graph::{Graph, PANIC, Trouble};
use crate::judge::walk;
use crate::liveness::{WORKERS, workers};
use crate::properties::{Property, constraints};
use crate::safety::{QUESTIONS, judge, wide};
use crate::shapes::{Drawn, Shape};
use fairhold_search::{ExploreOptions, FairQuestion, FairSearch, check, check_fair_together, explore};
use fairhold_system::{FaultKind, Path, Silent, Verdict};
use fairhold_testkit::{Rng, cases};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Far longer than anything here takes.
const HANGING: Duration = Duration::from_secs(120);

/// Runs something that must come to an end, by itself or by a panic: true if by a panic.
fn ends_in_panic(work: impl FnOnce() + Send + 'static) -> bool {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let ended = catch_unwind(AssertUnwindSafe(work));
        _ = tell.send(ended.is_err());
    });
    told.recv_timeout(HANGING).expect("nobody waits forever")
}

/// Some state far from the start.
fn far(rng: &mut Rng, graph: &Graph) -> u32 {
    (graph.len() / 2 + rng.below(graph.len() / 2)) as u32
}

#[test]
fn a_panic_of_one_worker_reaches_the_caller() {
    println!("messages of panics on purpose follow: {PANIC}");
    let mut rng = Rng::new(0xbad);
    for round in 0..cases(12).min(400) {
        let trouble = [Trouble::StepPanic, Trouble::PredicatePanic][round % 2];
        let mut graph = match round % 3 {
            0 => wide(&mut rng, 30_000, 9),
            _ => Drawn::new(&mut rng, Shape::ALL[round / 3 % 4], 12_000).graph,
        };
        graph.troubles = vec![(far(&mut rng, &graph), trouble)];
        let limits = workers(WORKERS[round % 4]);
        if trouble == Trouble::StepPanic {
            let graph = graph.clone();
            assert!(ends_in_panic(move || {
                explore(&graph, &ExploreOptions::default(), &limits, &Silent);
            }));
        }
        // Nothing is answered without looking at everything.
        let property = [Property::Recurrence, Property::Response][round / 2 % 2];
        graph.predicates.iter_mut().for_each(|bits| *bits |= 3);
        let panicked = ends_in_panic(move || {
            let (automaton, atoms) = property.violations();
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &constraints(&mut Rng::new(1), 3)[..5],
                recurrent: false,
            };
            check_fair_together(&graph, &question, &limits, &Silent);
        });
        assert!(panicked, "round {round}");
    }
}

/// Faults, some of them in the same level as what is looked for.
fn faulty(rng: &mut Rng, kinds: &[FaultKind], predicates: bool) -> Graph {
    let width = 8 + rng.below(30);
    let mut graph = wide(rng, 40_000, width);
    for _ in 0..1 + rng.below(6) {
        let kind = *rng.pick(kinds);
        let trouble = if predicates && rng.chance(1, 2) {
            Trouble::Predicate(kind)
        } else {
            Trouble::Step(kind)
        };
        let at = far(rng, &graph);
        graph.troubles.push((at, trouble));
    }
    graph
}

fn ends_in_trouble(graph: &Graph, path: &Path) {
    let last = *walk(graph, path).last().expect("a path has a state");
    assert!(
        graph.troubles.iter().any(|t| t.0 == last),
        "nothing goes wrong in state {last}"
    );
}

#[test]
fn what_goes_wrong_goes_wrong_for_all() {
    let mut rng = Rng::new(0xfa_017);
    let mut spread: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let kinds = [FaultKind::Error, FaultKind::Unbounded];
    for round in 0..cases(12) {
        let graph = faulty(&mut rng, &kinds[round % 2..], round % 4 > 1);
        let threads = WORKERS[1 + round % 3];
        for question in &QUESTIONS {
            let alone = check(&graph, question, &workers(1), &Silent);
            let together = check(&graph, question, &workers(threads), &Silent);
            assert_eq!(
                alone.verdict, together.verdict,
                "{question:?} {:?}",
                graph.troubles
            );
            assert_eq!(alone.fault, together.fault);
            let lengths = [&alone, &together].map(|a| a.path.as_ref().map(|p| p.labels.len()));
            assert_eq!(lengths[0], lengths[1], "{question:?}");
            if together.verdict == Verdict::Error {
                ends_in_trouble(&graph, together.path.as_ref().expect("a way to the fault"));
            } else {
                judge(&graph, question, &together);
            }
            spread.entry(format!("{question:?}")).or_default()[alone.verdict as usize] += 1;
        }
        let seen = [1, threads].map(|n| explore(&graph, &ExploreOptions::default(), &workers(n), &Silent));
        assert_eq!(seen[0].fault, seen[1].fault);
        if let Some(path) = &seen[1].path {
            ends_in_trouble(&graph, path);
        }
    }
    for (question, [holds, fails, unknown, error]) in &spread {
        println!("{question}: {holds} hold, {fails} fail, {unknown} unknown, {error} error");
    }
}

/// Who searches for fair executions together leaves faults to one, also where a fault keeps a state from ever being described, and goes on to the next question.
#[test]
fn faults_are_left_to_one_worker() {
    let mut rng = Rng::new(0xfa_117);
    for round in 0..cases(8).min(400) {
        let mut graph = Drawn::with(&mut rng, Shape::ALL[round / 2 % 3], 34_000, 14).graph;
        let kind = FaultKind::Error;
        let trouble = [Trouble::Step(kind), Trouble::Predicate(kind)][round % 2];
        graph.troubles = vec![(far(&mut rng, &graph), trouble)];
        graph.predicates.iter_mut().for_each(|bits| *bits |= 3);
        let threads = WORKERS[round % 4];
        let ended = ends_in_panic(move || {
            let (automaton, atoms) = Property::Response.violations();
            let constraints = constraints(&mut Rng::new(1), 3);
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &constraints,
                recurrent: false,
            };
            assert!(check_fair_together(&graph, &question, &workers(threads), &Silent).is_none());
            let limits = workers(threads);
            let mut search = FairSearch::new(&graph, &atoms, &constraints, &limits, &Silent);
            for _ in 0..2 {
                search.check(&question, &mut |_, answer| {
                    assert_eq!(answer.verdict, Verdict::Error);
                    if let Some(path) = &answer.path {
                        ends_in_trouble(&graph, path);
                    }
                });
            }
        });
        assert!(!ended, "round {round}");
    }
}

/// States with thousands of steps each, met by all workers at once.
#[test]
fn states_with_very_many_steps_find_room() {
    let fans = 40;
    let width = 3_000;
    let mut lists = vec![Vec::new(); 1 + fans + fans * width];
    lists[0] = (0..fans).map(|i| (2, 1, 1 + i as u32)).collect();
    for fan in 0..fans {
        let first = 1 + fans + fan * width;
        lists[1 + fan] = (first..first + width).map(|i| (3, 1, i as u32)).collect();
        (first..first + width).for_each(|i| lists[i] = vec![(4, 1, 0)]);
    }
    let states = lists.len();
    let graph = Graph::new(vec![0], lists, vec![3; states]);
    for threads in WORKERS {
        let graph = graph.clone();
        let ended = ends_in_panic(move || {
            let (automaton, atoms) = Property::Recurrence.violations();
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &constraints(&mut Rng::new(1), 3)[..1],
                recurrent: false,
            };
            let answers = check_fair_together(&graph, &question, &workers(threads), &Silent);
            let answer = &answers.expect("nothing goes wrong")[0];
            assert_eq!(answer.verdict, Verdict::Holds);
            assert_eq!(answer.statistics.states, graph.len() as u64);
        });
        assert!(!ended, "{threads} workers");
    }
}
