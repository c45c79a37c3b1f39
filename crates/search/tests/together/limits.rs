//! Bounds, and an observer that says stop, with several workers.

use crate::graph::Graph;
use crate::liveness::{WORKERS, workers};
use crate::properties::{Property, constraints};
use crate::safety::wide;
use crate::shapes::{Drawn, Shape};
use fairhold_search::{
    ExploreOptions, FairQuestion, FairSearch, Question, check, check_fair, check_fair_together, explore,
};
use fairhold_system::{Control, Limits, Observer, Progress, Silent, StopReason, Verdict};
use fairhold_testkit::{Rng, cases};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Says stop once it has seen so many states.
struct Impatient {
    states: u64,
    said: AtomicU64,
}

impl Observer for Impatient {
    fn progress(&self, progress: &Progress) -> Control {
        if progress.states < self.states {
            return Control::Continue;
        }
        self.said.fetch_add(1, Relaxed);
        Control::Stop(StopReason::Interrupted)
    }
}

fn impatient(states: u64) -> Impatient {
    Impatient {
        states,
        said: AtomicU64::new(0),
    }
}

/// Everything must be looked at.
fn tame(mut graph: Graph) -> Graph {
    graph.predicates.iter_mut().for_each(|bits| *bits |= 3);
    graph
}

#[test]
fn the_observer_is_obeyed_by_all() {
    let mut rng = Rng::new(0x5709);
    let levels = wide(&mut rng, 200_000, 12);
    let component = tame(Drawn::new(&mut rng, Shape::Giant, 200_000).graph);
    let (automaton, atoms) = Property::Response.violations();
    let question = FairQuestion {
        automaton: &automaton,
        atoms: &atoms,
        constraints: &constraints(&mut rng, 3)[..5],
        recurrent: false,
    };
    for threads in WORKERS {
        for states in [0, 20_000] {
            let observer = impatient(states);
            let seen = explore(&levels, &ExploreOptions::default(), &workers(threads), &observer);
            assert_eq!(seen.stop, Some(StopReason::Interrupted));
            // The others may be a little ahead of who asks.
            assert!(seen.statistics.states < 200_000, "{}", seen.statistics.states);
            let observer = impatient(states);
            let answers = check_fair_together(&component, &question, &workers(threads), &observer);
            for answer in answers.expect("nothing goes wrong") {
                assert_eq!(answer.verdict, Verdict::Unknown);
                assert_eq!(answer.stop, Some(StopReason::Interrupted));
                assert!(answer.statistics.states < 200_000, "{}", answer.statistics.states);
            }
            assert!(observer.said.load(Relaxed) > 0);
        }
    }
}

/// Remembers the longest time between two calls.
struct Clock {
    start: Instant,
    last: AtomicU64,
    longest: AtomicU64,
}

impl Observer for Clock {
    fn progress(&self, _: &Progress) -> Control {
        let now = self.start.elapsed().as_micros() as u64;
        let before = self.last.swap(now, Relaxed);
        self.longest.fetch_max(now - before, Relaxed);
        Control::Continue
    }
}

/// Whoever has the observer asks it also while only others have work, and while nothing new is explored.
#[test]
fn the_observer_is_asked_all_the_time() {
    let mut rng = Rng::new(0x5710);
    // A long line: there is work for one at a time.
    let states = 120_000;
    let lists = (0..states).map(|i| vec![(2, 1, (i + 1) % states)]).collect();
    let line = Graph::new(vec![0], lists, vec![3; states as usize]);
    let giant = tame(Drawn::with(&mut rng, Shape::Giant, 100_000, 6).graph);
    for graph in [line, giant] {
        for threads in [2, 8] {
            let clock = Clock {
                start: Instant::now(),
                last: AtomicU64::new(0),
                longest: AtomicU64::new(0),
            };
            let (automaton, atoms) = Property::Response.violations();
            let all = constraints(&mut rng, 3);
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &all,
                recurrent: false,
            };
            check_fair_together(&graph, &question, &workers(threads), &clock).expect("nothing goes wrong");
            let longest = Duration::from_micros(clock.longest.load(Relaxed));
            println!(
                "{threads} workers: {:?} in all, asked after at most {longest:?}",
                clock.start.elapsed()
            );
            assert!(longest < Duration::from_secs(60), "{longest:?}");
        }
    }
}

#[test]
fn a_bound_on_bytes_stops_all() {
    let mut rng = Rng::new(0xb1_7e5);
    let (automaton, atoms) = Property::Response.violations();
    let all = constraints(&mut rng, 3);
    let question = FairQuestion {
        automaton: &automaton,
        atoms: &atoms,
        constraints: &all[..5],
        recurrent: false,
    };
    let mut stopped = 0;
    for round in 0..cases(5).min(200) {
        let graph = tame(Drawn::with(&mut rng, Shape::ALL[round % 3], 40_000, 14).graph);
        let magnitude = 18 + rng.below(7);
        let most = rng.below(1 << magnitude);
        let limits = Limits {
            bytes: Some(most as u64),
            // Then the search is shared from the first state on.
            reproducible: round % 2 == 0,
            ..workers(WORKERS[round % 4])
        };
        for answer in check_fair_together(&graph, &question, &limits, &Silent).expect("nothing goes wrong") {
            match answer.stop {
                Some(reason) => assert_eq!((reason, answer.verdict), (StopReason::Memory, Verdict::Unknown)),
                None => assert_eq!(answer.verdict, Verdict::Holds),
            }
        }
        // Whatever the first question could not find out, the second does not make up.
        let mut search = FairSearch::new(&graph, &atoms, &all, &limits, &Silent);
        for property in [Property::Everything, Property::Response, Property::Everything] {
            let (automaton, _) = property.violations();
            let question = FairQuestion {
                automaton: &automaton,
                atoms: if property == Property::Everything {
                    &[]
                } else {
                    &atoms
                },
                constraints: &all[..5],
                recurrent: false,
            };
            let free = check_fair(&graph, &question, &workers(1), &Silent);
            search.check(&question, &mut |i, answer| match answer.stop {
                Some(reason) => {
                    assert_eq!((reason, answer.verdict), (StopReason::Memory, Verdict::Unknown));
                    stopped += 1;
                }
                None => assert_eq!(answer.verdict, free[i].verdict, "{property:?}"),
            });
        }
        let levels = wide(&mut rng, 100_000, 20);
        let seen = explore(&levels, &ExploreOptions::default(), &limits, &Silent);
        if let Some(reason) = seen.stop {
            assert_eq!(reason, StopReason::Memory);
            stopped += 1;
        }
        assert!(seen.statistics.peak_bytes <= limits.bytes.unwrap_or(0));
    }
    println!("{stopped} stopped");
    assert!(stopped > 0);
}

#[test]
fn a_bound_on_states_is_exact_for_all() {
    let mut rng = Rng::new(0xb0_07d);
    // A level of 4,900 states is followed by one of 145,000: far more than a guess allows for.
    let graph = wide(&mut rng, 150_000, 70);
    for states in [20_000, 60_000, 100_000, 149_999, 150_000, 200_000] {
        for threads in WORKERS {
            let limits = |threads| Limits {
                states: Some(states),
                ..workers(threads)
            };
            let [alone, together] =
                [1, threads].map(|n| explore(&graph, &ExploreOptions::default(), &limits(n), &Silent));
            assert_eq!(alone.stop, together.stop, "{states}");
            assert_eq!(alone.statistics.states, together.statistics.states);
            let answers = [1, threads].map(|n| check(&graph, &Question::DeadlockFree, &limits(n), &Silent));
            assert_eq!(answers[0].verdict, answers[1].verdict);
        }
    }
}
