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
    (
        "a recursion that comes back without an event was walked until it was a fault",
        "P() = [x == 0] Q() [] a{x = 1} -> P(); Q() = [x < 1] P() [] ifa (x == 1) {Q()} else {b -> Q()}; System() = P();",
    ),
    (
        "definitions that lead to one another by guards were walked on all ways",
        "P(i) = [x == 0] ([] j:{0..11} @ P(j)) [] a.i{x = 1 - x} -> P(i); System() = P(0) ||| P(1);",
    ),
    (
        "a recursion with ever new arguments behind a guard",
        "P(i) = [x == 0] P(i + 1) [] a{x = 1} -> Stop; System() = P(0) ||| b{x = 1} -> Stop;",
    ),
    (
        "a hidden end beside one that is none, before a sequel",
        "P() = Skip || (a -> Skip); System() = ((P() \\ {e.0}) ||| P()); Stop;",
    ),
    (
        "a composition that grew, level by level, deeper than shapes go",
        "P() = (P() <> (Stop ||| Stop)); Stop; System() = P();",
    ),
    (
        "what was left of a composition deeper than shapes go",
        "P() = (P() <> (Skip ||| assert(x < 9))); Stop; System() = P();",
    ),
    (
        "a called end before a sequel",
        "Q() = Skip; System() = ((Q() ||| a -> Skip) [*] (c -> Q())); (Q() [] b -> Stop); Q(); d -> Stop;",
    ),
    (
        "an atomic end before a sequel",
        "Q() = Skip; System() = ((atomic{a -> Q()}; b -> Skip) ||| c -> Skip); System();",
    ),
    (
        "recursion through a composition, a hiding and an interrupt, behind a guard",
        "P() = [x < 2] (P() ||| a -> Skip) [] [x < 1] (P() \\ {b}) [] b{x = x + 1} -> (P() interrupt Q()); Q() = [x > 0] Q() [] c -> Stop; System() = P();",
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
