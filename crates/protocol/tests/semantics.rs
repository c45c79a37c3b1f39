//! The system against the judge: on random protocols, both must tell the same story.

mod random;

use fairhold_protocol::{Configuration, ProtocolJudge, ProtocolSystem};
use fairhold_system::{Fields, PredicateId, Stepper, Steps, System};
use fairhold_testkit::cases;
use fairhold_trace::Judge;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A step by names, for sorting.
fn named(event: &str, fields: &Fields) -> String {
    format!("{event} {fields:?}")
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

#[test]
fn system_and_judge_agree() {
    let (mut went_wrong, mut configurations) = (0, 0);
    for seed in 0..cases(400) as u64 {
        let (protocol, predicates) = random::protocol(seed, false);
        let protocol = Arc::new(protocol);
        let judge = ProtocolJudge(Arc::clone(&protocol));
        let system = ProtocolSystem::new(Arc::clone(&protocol), &predicates);
        let system = match (system, judge.initial()) {
            (Err(_), Err(_)) => continue,
            (system, _) => system.unwrap_or_else(|f| panic!("seed {seed}: {f:?}")),
        };
        let mut stepper = system.stepper();
        let mut steps = Steps::new(system.width());
        let started = stepper.initial(&mut steps);
        let Ok(initial) = judge.initial() else {
            assert!(
                started.is_err(),
                "seed {seed}: only the judge finds a fault at the start"
            );
            continue;
        };
        started.unwrap_or_else(|f| panic!("seed {seed}: only the system finds a fault: {f:?}"));
        let ours = steps.iter().map(|(_, s)| named("", &system.fields(s))).collect();
        let theirs = initial.iter().map(|s| named("", &judge.fields(s))).collect();
        assert_eq!(
            sorted(ours),
            sorted(theirs),
            "seed {seed}: initial configurations"
        );
        for state in initial.iter().take(3) {
            assert_eq!(judge.initial_like(&judge.fields(state)), Ok(vec![state.clone()]));
        }

        let by_fields: HashMap<String, Configuration> = initial
            .into_iter()
            .map(|s| (named("", &judge.fields(&s)), s))
            .collect();
        let mut waiting: VecDeque<(Vec<u32>, Configuration)> = steps
            .iter()
            .map(|(_, s)| (s.to_vec(), by_fields[&named("", &system.fields(s))].clone()))
            .collect();
        let mut met: HashMap<Vec<u32>, Configuration> = waiting.iter().cloned().collect();
        while let Some((state, configuration)) = waiting.pop_front() {
            if met.len() > 300 {
                break;
            }
            configurations += 1;
            for (number, predicate) in (0..).zip(&predicates) {
                let ours = stepper.holds(PredicateId(number), &state);
                let theirs = judge.holds(&configuration, predicate);
                assert_eq!(
                    ours.as_ref().ok(),
                    theirs.as_ref().ok(),
                    "seed {seed}: {predicate:?} in {configuration:?}"
                );
            }
            steps.clear();
            let stepped = stepper.steps(&state, &mut steps);
            let Ok(judged) = judge.steps(&configuration) else {
                assert!(
                    stepped.is_err(),
                    "seed {seed}: only the judge finds a fault in {configuration:?}"
                );
                went_wrong += 1;
                continue;
            };
            stepped.unwrap_or_else(|f| panic!("seed {seed}: only the system finds a fault: {f:?}"));
            let ours = steps
                .iter()
                .map(|(label, s)| named(&system.event_name(label.event), &system.fields(s)));
            let theirs = judged.iter().map(|(event, _, s)| named(event, &judge.fields(s)));
            assert_eq!(
                sorted(ours.collect()),
                sorted(theirs.collect()),
                "seed {seed}: steps of {configuration:?}"
            );
            for (i, (_, target)) in steps.iter().enumerate() {
                let changed = steps.changed(i);
                for word in 0..state.len() {
                    let may = changed.meets(fairhold_system::Changed::word(word));
                    assert!(
                        may || state[word] == target[word],
                        "seed {seed}: an unannounced change"
                    );
                }
            }
            for (_, _, next) in judged {
                let fields = judge.fields(&next);
                let target = steps.iter().find(|(_, s)| system.fields(s) == fields);
                let target = target.expect("steps agree").1.to_vec();
                if let Some(known) = met.get(&target) {
                    assert_eq!(*known, next, "seed {seed}: one state, two configurations");
                } else {
                    met.insert(target.clone(), next.clone());
                    waiting.push_back((target, next));
                }
            }
        }
    }
    assert!(
        went_wrong > 100 && configurations > 2_000,
        "{went_wrong} {configurations}"
    );
}
