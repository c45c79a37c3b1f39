//! The generator by itself: repeatable, and broad. That its texts are valid is tested where the front end is.

use super::{Mutation, Options, Use, model, shrink};
use crate::Rng;
use crate::generate::tree::{Definition, Kind, Operator, Process, Source};
use std::collections::BTreeSet;

#[test]
fn the_same_seed_gives_the_same_model() {
    let text = |seed| model(&mut Rng::new(seed), &Options::default()).text;
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[test]
fn every_form_is_met_inside_every_other() {
    let uses: BTreeSet<Use> = (0..2000)
        .flat_map(|seed| model(&mut Rng::new(seed), &Options::default()).uses)
        .collect();
    let missing: Vec<String> = Kind::BRANCHES
        .iter()
        .flat_map(|&outer| Kind::ALL.map(|inner| (outer, inner)))
        .filter(|&(outer, inner)| !uses.contains(&Use::Pair(outer, inner)))
        .map(|(outer, inner)| format!("{outer} / {inner}"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_mutation_changes_some_model() {
    for mutation in Mutation::ALL {
        let changed = (0..200).any(|seed| {
            let generated = model(&mut Rng::new(seed), &Options::default());
            mutation.apply(&generated.source).is_some()
        });
        assert!(changed, "{mutation:?}");
    }
}

#[test]
fn shrinking_keeps_what_fails() {
    let call = Process::Call("P".to_owned(), Vec::new());
    let body = Process::Joined(
        Operator::Interleave,
        vec![
            Process::Atomic(Box::new(call.clone())),
            Process::Skip,
            Process::Stop,
        ],
    );
    let definition = |name: &str, body| Definition {
        name: name.to_owned(),
        params: Vec::new(),
        alphabet: None,
        body,
    };
    let source = Source {
        declarations: vec!["var x;".to_owned()],
        definitions: vec![definition("P", Process::Skip), definition("System", body)],
        goal: "x == 1".to_owned(),
        objective: "x".to_owned(),
    };
    let smallest = shrink(&source, 1000, |s| s.to_string().contains("P()"));
    assert_eq!(smallest.to_string().lines().next(), Some("System() = P();"));
}
