//! Random structures in which often no fair path starts: ends, and processes that count as enabled where they have no step.

use fairhold_testkit::Rng;
use std::fmt::Write;

/// A structure with the propositions `p` and `q`.
pub(crate) fn structure(rng: &mut Rng) -> String {
    let states = 1 + rng.below(5);
    let mut text = "propositions p, q;\n".to_owned();
    let initial = 1 + rng.below(2);
    for state in (0..states).take(initial) {
        writeln!(text, "init s{state};").expect("writing to a string succeeds");
    }
    for state in 0..states {
        let labels: Vec<&str> = ["p", "q"].into_iter().filter(|_| rng.chance(1, 2)).collect();
        let process = 1 + rng.below(2);
        let enabled = match rng.chance(1, 4) {
            true => format!(" enabled {{process {process}}}"),
            false => String::new(),
        };
        writeln!(text, "state s{state} {{{}}}{enabled};", labels.join(", "))
            .expect("writing to a string succeeds");
    }
    // The first process knows its way from each state to the next one, so that all can be reached.
    for state in 0..states {
        for process in 1..=2 {
            for to in 0..states {
                let is_next = process == 1 && to == state + 1;
                if is_next || rng.chance(1, states + 1) {
                    writeln!(text, "s{state} -> s{to} by process {process};")
                        .expect("writing to a string succeeds");
                }
            }
        }
    }
    text
}
