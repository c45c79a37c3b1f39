//! `compile` against `reference` on random models: the same graph, state by state, step by step.
//!
//! A suite that compares is worth as much as its models, so it measures them (see [`spread`]) and proves on wrong rules
//! that it would notice one.

mod found;
mod lockstep;
mod spread;

use fairhold_system::System;
use fairhold_testkit::generate::tree::Source;
use fairhold_testkit::generate::{Generated, Mutation, Options, model, shrink};
use fairhold_testkit::{Rng, cases};
use lockstep::{compiled, difference, fast_moves, load, reference, slow_moves, walk};
use spread::Spread;

/// States compared in each model.
const CAP: usize = 1_000;

/// Models within which every wrong rule must be noticed.
const MODELS_TO_NOTICE: u64 = 500;

fn generated(seed: u64) -> Generated {
    model(&mut Rng::new(seed), &Options::default())
}

/// What is wrong with a model; nothing if both semantics agree on it, or if it is no valid model.
fn disagreement(source: &Source) -> Option<String> {
    walk(&load(&source.to_string()).ok()?, CAP).err()
}

#[test]
fn compile_gives_the_graph_of_reference() {
    let mut spread = Spread::default();
    let models = cases(500);
    for seed in 0..models as u64 {
        let generated = generated(seed);
        let model = load(&generated.text)
            .unwrap_or_else(|errors| panic!("seed {seed}:\n{}\n{errors}", generated.text));
        match walk(&model, CAP) {
            Ok(walk) => spread.add(&walk, generated.uses),
            Err(_) => {
                let smallest = shrink(&generated.source, 3_000, |s| disagreement(s).is_some());
                let message = disagreement(&smallest).expect("shrinking keeps the disagreement");
                panic!("seed {seed} disagrees:\n{smallest}\n{message}");
            }
        }
    }
    spread.print();
    assert_eq!(spread.operators_missing(), []);
    let (pairs, missing) = spread.pairs_missing();
    let allowed = if models >= 10_000 { 0 } else { pairs / 10 };
    assert!(
        missing.len() <= allowed || models < 500,
        "{} of {pairs} pairs are missing",
        missing.len()
    );
    assert!(
        spread.share_over(50) >= 0.5,
        "half of the models have more than 50 states"
    );
    assert!(
        (0.01..0.3).contains(&spread.share_faulty()),
        "few models have faults, but some do"
    );
    for feature in [
        "2-D array",
        "#alphabet",
        "synchronisation of three or more",
        "channel array",
        "something after a composition",
        "whole array assigned",
    ] {
        assert!(spread.feature(feature) > 0, "no model has: {feature}");
    }
    for (feature, share) in [("nested composition", 3), ("hvar", 5), ("collection", 10)] {
        let all = spread.feature(feature);
        assert!(all * share >= models, "{all} of {models} models have: {feature}");
    }
}

/// The first difference between the slow semantics of one model and the fast semantics of another.
fn difference_between(right: &Source, wrong: &Source) -> Option<String> {
    let (right, wrong) = (load(&right.to_string()).ok()?, load(&wrong.to_string()).ok()?);
    let (slow, fast) = (reference(&right).ok()?, compiled(&wrong).ok()?);
    let start = reference(&wrong).ok()?.initial_state();
    let mut stepper = fast.stepper();
    difference(
        (&right, &wrong),
        (slow.initial_state(), start),
        |state| slow_moves(&slow, state),
        |state| fast_moves(&fast, &mut stepper, &fast.encode(state)),
        CAP,
    )
}

#[test]
fn every_wrong_rule_is_noticed() {
    for mutation in Mutation::ALL {
        let seed = (0..MODELS_TO_NOTICE).find(|&seed| {
            let right = generated(seed).source;
            let wrong = mutation.apply(&right);
            wrong.is_some_and(|wrong| difference_between(&right, &wrong).is_some())
        });
        let seed = seed.unwrap_or_else(|| panic!("{mutation:?} is not noticed in {MODELS_TO_NOTICE} models"));
        println!("{mutation:?}: noticed in model {seed}");
    }
}

#[test]
fn the_right_rules_are_not_taken_for_wrong() {
    for seed in 0..cases(100) as u64 {
        let source = generated(seed).source;
        let difference = difference_between(&source, &source);
        assert_eq!(difference, None, "seed {seed}:\n{source}");
    }
}
