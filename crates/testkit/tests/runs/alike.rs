//! Small models in which different states look the same.
//!
//! Components with very long names stand in one process, so its text is cut long before the components that move. Several
//! components do the same events, one event leads to several states, and now and then a component is a sequence whose first
//! part may have nothing to do, or takes what a guard over a channel lets through. What is asked for may be far from the start: a
//! counter goes on for some dozens of steps first.

use fairhold_testkit::Rng;
use std::fmt::Write;

/// A model whose process is `System`.
pub(crate) fn model(rng: &mut Rng) -> String {
    let far = if rng.chance(1, 4) { 20 + rng.below(60) } else { 3 };
    let mut text = format!("var x = 0;\nchannel c 2;\n#define here x == {};\n", far - 1);
    text.push_str("#define there x == 1;\n");
    let long = "a_name_that_takes_most_of_what_is_shown_of_a_process".repeat(1 + rng.below(3));
    let count = 2 + rng.below(3);
    let mut operands = Vec::new();
    for number in 0..count {
        let name = match number + 1 < count || rng.chance(1, 2) {
            true => format!("C{number}_{long}"),
            false => format!("C{number}"),
        };
        match rng.below(8) {
            0 => sequence(rng, &name, &mut text),
            1 => channel(rng, &name, &mut text),
            _ => component(rng, &name, far, &mut text),
        }
        operands.push(format!("{name}_0()"));
    }
    // Twins: two components that nothing tells apart.
    if rng.chance(1, 2) {
        let twin = rng.pick(&operands).clone();
        operands.push(twin);
    }
    let operator = *rng.pick(&[" ||| ", " ||| ", " || "]);
    writeln!(text, "Group() = {};", operands.join(operator)).expect("writing to a string succeeds");
    let system = *rng.pick(&[
        "Group() ||| Other()",
        "Group() || Other()",
        "Group()",
        "Other(); Group()",
    ]);
    let other = *rng.pick(&[
        "b -> Other()",
        "a -> Skip [] b -> Skip",
        "a -> Other() [] b -> Other()",
    ]);
    writeln!(text, "Other() = {other};\nSystem() = {system};").expect("writing to a string succeeds");
    text
}

/// A component of a few local states with steps from each to any.
fn component(rng: &mut Rng, name: &str, far: usize, text: &mut String) {
    let states = 2 + rng.below(2);
    for state in 0..states {
        let mut steps = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let guard = match rng.below(5) {
                0 => format!("[x == {}] ", rng.below(3)),
                _ => String::new(),
            };
            let event = *rng.pick(&["a", "b", "b", "tau"]);
            let program = match rng.below(4) {
                0 => format!("{{x = (x + 1) % {far}}}"),
                _ => String::new(),
            };
            let target = rng.below(states);
            steps.push(format!("{guard}{event}{program} -> {name}_{target}()"));
        }
        if rng.chance(1, 12) {
            steps.push("b -> Skip".to_owned());
        }
        writeln!(text, "{name}_{state}() = {};", steps.join("\n  [] "))
            .expect("writing to a string succeeds");
    }
}

/// A component that does something twice, which may be nothing.
fn sequence(rng: &mut Rng, name: &str, text: &mut String) {
    let pass = *rng.pick(&[
        "[x == 0] Skip [] a -> Skip",
        "Skip [] b -> Skip",
        "ifa (x == 1) {Skip} else {a -> Skip}",
        "a -> Skip [] a{x = 0} -> Skip",
    ]);
    writeln!(
        text,
        "{name}_pass() = {pass};\n{name}_0() = {name}_pass(); {name}_pass(); b -> {name}_0();"
    )
    .expect("writing to a string succeeds");
}

/// A component that puts messages into a channel, and takes those that a guard lets through.
fn channel(rng: &mut Rng, name: &str, text: &mut String) {
    let bound = 1 + rng.below(2);
    let guard = *rng.pick(&["<=", "==", "<"]);
    writeln!(
        text,
        "{name}_0() = c!{} -> {name}_0() [] c?[call(ccount, c) {guard} {bound}]v{{x = v}} -> {name}_1();\n\
         {name}_1() = a -> {name}_0() [] c?[v == 1 && !call(cempty, c)]v -> {name}_0();",
        rng.below(2)
    )
    .expect("writing to a string succeeds");
}
