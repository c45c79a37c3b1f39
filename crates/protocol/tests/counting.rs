//! Counting on random protocols: the quotient is that of the protocol, its judge agrees, and its paths can be lifted.

mod random;

use fairhold_protocol::{
    Configuration, CountedJudge, CountedSystem, ProtocolJudge, ProtocolSystem, lift, tells_nodes_apart,
};
use fairhold_system::{Path, PredicateId, Stepper, Steps, System, Word};
use fairhold_testkit::{Rng, cases};
use fairhold_trace::{Judge, Run, replay};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// The configuration with its nodes in order.
fn in_order(mut state: Configuration) -> Configuration {
    state.nodes.sort();
    state
}

#[test]
fn the_quotient_is_that_of_the_protocol() {
    let mut looked_at = 0;
    for seed in 0..cases(300) as u64 {
        let (protocol, predicates) = random::protocol(seed, true);
        let protocol = Arc::new(protocol);
        assert_eq!(tells_nodes_apart(&protocol, &predicates), None, "seed {seed}");
        let full = ProtocolJudge(Arc::clone(&protocol));
        let judge = CountedJudge::new(Arc::clone(&protocol));
        let system = CountedSystem::new(Arc::clone(&protocol), &predicates);
        let system = system.expect("it starts").expect("there are few node states");
        let mut stepper = system.stepper();
        let mut steps = Steps::new(system.width());
        stepper.initial(&mut steps).expect("it starts");
        let ours: BTreeSet<String> = steps
            .iter()
            .map(|(_, s)| format!("{:?}", system.fields(s)))
            .collect();
        assert_eq!(ours.len(), steps.len(), "seed {seed}: no state comes twice");
        let initial = full.initial().expect("it starts").into_iter().map(in_order);
        let initial: HashMap<String, Configuration> =
            initial.map(|s| (format!("{:?}", judge.fields(&s)), s)).collect();
        let theirs: BTreeSet<String> = initial.keys().cloned().collect();
        assert_eq!(ours, theirs, "seed {seed}: initial states");

        let start = steps.iter().map(|(_, s)| {
            let configuration = initial[&format!("{:?}", system.fields(s))].clone();
            (s.to_vec(), configuration)
        });
        let mut waiting: VecDeque<(Vec<Word>, Configuration)> = start.collect();
        let mut met: HashMap<Vec<Word>, Configuration> = waiting.iter().cloned().collect();
        while let Some((state, configuration)) = waiting.pop_front() {
            looked_at += 1;
            for (number, predicate) in (0..).zip(&predicates) {
                let ours = stepper
                    .holds(PredicateId(number), &state)
                    .expect("nothing goes wrong");
                assert_eq!(Ok(ours), full.holds(&configuration, predicate), "seed {seed}");
            }
            steps.clear();
            stepper.steps(&state, &mut steps).expect("nothing goes wrong");
            let ours: BTreeSet<String> = steps
                .iter()
                .map(|(label, s)| format!("{} {:?}", system.event_name(label.event), system.fields(s)))
                .collect();
            assert_eq!(ours.len(), steps.len(), "seed {seed}: no step comes twice");
            let rule = |event: &str| event.split('.').next().expect("a first part").to_owned();
            let all = full
                .steps(&configuration)
                .expect("nothing goes wrong")
                .into_iter();
            let all: Vec<(String, Configuration)> =
                all.map(|(event, _, s)| (rule(&event), in_order(s))).collect();
            let named = |(event, s): &(String, Configuration)| format!("{event} {:?}", judge.fields(s));
            assert_eq!(
                ours,
                all.iter().map(named).collect(),
                "seed {seed}: {configuration:?}"
            );
            let judged = judge
                .steps(&configuration)
                .expect("nothing goes wrong")
                .into_iter();
            let judged = judged.map(|(event, _, s)| named(&(event, s)));
            assert_eq!(
                ours,
                judged.collect(),
                "seed {seed}: the judge of {configuration:?}"
            );
            for (_, next) in all {
                let fields = judge.fields(&next);
                let target = steps.iter().find(|(_, s)| system.fields(s) == fields);
                let target = target.expect("steps agree").1.to_vec();
                if !met.contains_key(&target) {
                    met.insert(target.clone(), next.clone());
                    waiting.push_back((target, next));
                }
            }
        }
    }
    assert!(looked_at > 2_000, "{looked_at}");
}

#[test]
fn paths_of_multisets_are_runs_of_the_protocol() {
    let mut lassos = 0;
    for seed in 0..cases(300) as u64 {
        let (protocol, _) = random::protocol(seed, true);
        let protocol = Arc::new(protocol);
        let judge = ProtocolJudge(Arc::clone(&protocol));
        let full = ProtocolSystem::new(Arc::clone(&protocol), &[]).expect("it starts");
        let system = CountedSystem::new(Arc::clone(&protocol), &[]).expect("it starts");
        let system = system.expect("there are few node states");
        let mut rng = Rng::new(seed);
        let mut stepper = system.stepper();
        let mut steps = Steps::new(system.width());
        stepper.initial(&mut steps).expect("it starts");
        if steps.is_empty() {
            continue;
        }
        let mut path = Path {
            states: vec![steps.target(rng.below(steps.len())).to_vec()],
            labels: Vec::new(),
            loop_from: None,
        };
        for _ in 0..12 {
            steps.clear();
            let here = path.states.last().expect("a state");
            stepper.steps(here, &mut steps).expect("nothing goes wrong");
            if steps.is_empty() {
                break;
            }
            let taken = rng.below(steps.len());
            path.labels.push(steps.label(taken));
            path.states.push(steps.target(taken).to_vec());
        }
        let last = path.states.last().expect("a state");
        path.loop_from = path.states[..path.labels.len()].iter().position(|s| s == last);
        lassos += usize::from(path.loop_from.is_some());
        let lifted = lift(&system, &full, &path).expect("every path can be lifted");
        assert_eq!(lifted.loop_from.is_some(), path.loop_from.is_some());
        let run = Run::new(&full, &lifted);
        let replayed = replay(&judge, &run);
        assert!(replayed.is_ok(), "seed {seed}: {replayed:?}");
        // The path of multisets itself is one for its own judge.
        let counted = replay(&CountedJudge::new(protocol), &Run::new(&system, &path));
        assert!(counted.is_ok(), "seed {seed}: {counted:?}");
    }
    assert!(lassos > 100, "{lassos}");
}
