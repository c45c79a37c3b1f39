//! Bounds on states and bytes, and an observer that says stop.

use crate::explicit::{Explicit, Random};
use crate::judge::QUESTIONS;
use fairhold_search::{ExploreOptions, Order, Question, check, explore};
use fairhold_system::{Control, Limits, Observer, Progress, Silent, StopReason, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};

const EVENT: u32 = 2;

fn line(states: usize) -> Explicit {
    let arcs: Vec<_> = (1..states).map(|i| (i - 1, EVENT, i)).collect();
    let mut graph = Explicit::draw(&arcs);
    graph.nodes[states - 1].arcs.push((EVENT, 0, 0));
    graph
}

fn both_orders(sccs: bool) -> [ExploreOptions; 2] {
    [Order::Breadth, Order::Depth].map(|order| ExploreOptions { order, sccs })
}

fn bytes(bytes: u64) -> Limits {
    Limits {
        bytes: Some(bytes),
        ..Limits::default()
    }
}

#[test]
fn the_bound_on_states_is_exact() {
    let graph = line(5_000);
    for states in [0, 1, 2, 1_000, 4_999] {
        let limits = Limits {
            states: Some(states),
            ..Limits::default()
        };
        for options in both_orders(false) {
            let seen = explore(&graph, &options, &limits, &Silent);
            assert_eq!(seen.stop, Some(StopReason::States));
            assert_eq!(seen.statistics.states, states);
            let numbers: Vec<usize> = seen.samples.iter().map(|s| Explicit::number(s)).collect();
            let expected = match states as usize {
                0 => vec![],
                1 => vec![0],
                2 => vec![0, 1],
                n => vec![0, (n - 1) / 2, n - 1],
            };
            assert_eq!(numbers, expected);
        }
        let answer = check(&graph, &Question::DeadlockFree, &limits, &Silent);
        assert_eq!(answer.verdict, Verdict::Unknown);
        assert_eq!(answer.stop, Some(StopReason::States));
        assert_eq!(answer.samples.len(), states.min(3) as usize);
    }
    let limits = Limits {
        states: Some(5_000),
        ..Limits::default()
    };
    for options in both_orders(true) {
        let seen = explore(&graph, &options, &limits, &Silent);
        assert_eq!((seen.stop, seen.statistics.sccs), (None, Some(1)));
    }
}

#[test]
fn the_bound_on_bytes_is_never_passed() {
    let graph = line(60_000);
    let mut unfinished = 0;
    for options in [both_orders(false), both_orders(true)].concat() {
        let free = explore(&graph, &options, &Limits::default(), &Silent);
        let need = free.statistics.peak_bytes;
        for limit in (0..40).map(|i| need * i / 40) {
            let seen = explore(&graph, &options, &bytes(limit), &Silent);
            assert_eq!(seen.stop, Some(StopReason::Memory));
            assert!(seen.statistics.peak_bytes <= limit);
            assert!(seen.statistics.stored_bytes <= limit);
            unfinished += 1;
        }
        // What was enough without a bound is enough with it.
        let seen = explore(&graph, &options, &bytes(need), &Silent);
        assert_eq!(seen, free);
    }
    assert_eq!(unfinished, 160);
}

#[test]
fn a_bound_never_changes_a_verdict() {
    let mut random = Random(0xb0b0_0000_0000_0001);
    let (mut unknown, mut decided) = (0, 0);
    for _ in 0..1_500 {
        let graph = random.graph();
        for question in &QUESTIONS {
            let free = check(&graph, question, &Limits::default(), &Silent);
            let limits = Limits {
                states: Some(random.below(30) as u64),
                bytes: Some(random.below(6_000) as u64),
                compact: random.below(2) == 0,
                ..Limits::default()
            };
            let bounded = check(&graph, question, &limits, &Silent);
            assert!(bounded.statistics.peak_bytes <= limits.bytes.unwrap_or(u64::MAX));
            assert!(bounded.statistics.states <= limits.states.unwrap_or(u64::MAX));
            if bounded.stop.is_some() {
                assert_eq!(bounded.verdict, Verdict::Unknown);
                unknown += 1;
            } else if free.fault.is_none() {
                assert_eq!(bounded.verdict, free.verdict);
                assert_eq!(bounded.value, free.value);
                decided += 1;
            }
        }
    }
    println!("{unknown} stopped by a bound, {decided} decided within it");
    assert!(unknown > 1_000 && decided > 1_000);
}

#[test]
fn a_loop_in_sight_decides_though_the_search_gives_up() {
    let mut graph = line(5_000);
    graph.nodes[3].arcs.push((crate::explicit::TAU, 0, 3));
    let limits = Limits {
        states: Some(100),
        ..Limits::default()
    };
    let answer = check(&graph, &Question::DivergenceFree, &limits, &Silent);
    assert_eq!(answer.verdict, Verdict::Fails);
}

/// Says stop once it has seen so many states, and counts how often it was asked.
struct Patience {
    states: u64,
    calls: AtomicU64,
}

impl Observer for Patience {
    fn progress(&self, progress: &Progress) -> Control {
        self.calls.fetch_add(1, Ordering::Relaxed);
        assert!(progress.waiting <= progress.states);
        if progress.states >= self.states {
            Control::Stop(StopReason::Interrupted)
        } else {
            Control::Continue
        }
    }
}

#[test]
fn the_observer_is_obeyed_soon() {
    let graph = line(60_000);
    for states in [0, 1, 20_000] {
        for options in both_orders(true) {
            let patience = Patience {
                states,
                calls: AtomicU64::new(0),
            };
            let seen = explore(&graph, &options, &Limits::default(), &patience);
            assert_eq!(seen.stop, Some(StopReason::Interrupted));
            assert!(seen.statistics.states <= states + 1_024);
            assert!(patience.calls.load(Ordering::Relaxed) > states / 1_024);
        }
    }
}
