//! Models that were wrong once, as small as shrinking made them.

use crate::lockstep::{load, walk};

/// What went wrong, and a model in which it did.
const FOUND: &[(&str, &str)] = &[
    (
        "a condition was not tested where no step depends on it",
        "channel c 1; System() = [call(cpeek, c) > 0] Stop;",
    ),
    (
        "the alphabet of a process that calls itself inside `||` was computed from itself",
        "P() = a -> ((b -> Skip) || (c -> P())); System() = P();",
    ),
    (
        "the alphabet of a process that calls itself inside a hiding was computed without end",
        "P() = a -> ((tau -> P()) \\ {c}); System() = P() || (a -> Skip);",
    ),
    (
        "ways to end were multiplied over all operands",
        "P() = ||| i:{0..5} @ (Skip [] Skip [] Skip); System() = P() || P() || P();",
    ),
    (
        "a process was nested too deep for one semantics and not for the other",
        "P() = Stop ||| (a -> P()); System() = P() ||| Stop;",
    ),
];

#[test]
fn models_once_wrong() {
    for (what, definitions) in FOUND {
        let text = format!("var x; {definitions} #assert System() reaches x == 0 with max(x);");
        let model = load(&text).unwrap_or_else(|errors| panic!("{what}:\n{errors}"));
        let walk = walk(&model, 1_200).unwrap_or_else(|message| panic!("{what}:\n{text}\n{message}"));
        assert!(walk.states > 0, "{what}");
    }
}
