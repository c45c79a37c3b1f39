//! Strong global fairness on the models that ship: by the search for fair executions, and by what is possible without any fairness.
//!
//! An execution that is fair to all steps does again and again whatever stays possible. So `[]<>p` is `AG EF p`, `<>[]p` is `AG EF AG p`, and `[]<>e` of an event
//! is `AG EF EX{e} true`, each without fairness.

use crate::verdict::{on_a_large_stack, verdict};
use fairhold::Verdict;
use fairhold_testkit::cases;

/// A model, the sizes to try in an ordinary and in a long run, and what is asked of its process.
struct Model {
    example: &'static str,
    process: &'static str,
    quick: i32,
    long: i32,
    /// Predicates.
    states: &'static [&'static str],
    /// Events.
    events: &'static [&'static str],
}

const MODELS: &[Model] = &[
    Model {
        example: "leader_complete.csp",
        process: "Election",
        quick: 4,
        long: 8,
        states: &["one_leader", "no_leader"],
        events: &[],
    },
    Model {
        example: "leader_ring.csp",
        process: "Election",
        quick: 3,
        long: 5,
        states: &["one_leader", "some_leader"],
        events: &[],
    },
    Model {
        example: "leader_tree.csp",
        process: "Election",
        quick: 5,
        long: 13,
        states: &["one_leader", "stuck"],
        events: &[],
    },
    Model {
        example: "token_ring.csp",
        process: "TokenRing",
        quick: 4,
        long: 8,
        states: &["one_token"],
        events: &[],
    },
    Model {
        example: "peterson.csp",
        process: "Peterson",
        quick: 3,
        long: 4,
        states: &["used", "overlap"],
        events: &["cs.0"],
    },
    Model {
        example: "dining_philosophers.csp",
        process: "College",
        quick: 4,
        long: 10,
        states: &[],
        events: &["eat.0"],
    },
    Model {
        example: "dining_philosophers_dlfree.csp",
        process: "College",
        quick: 4,
        long: 8,
        states: &[],
        events: &["eat.0"],
    },
    Model {
        example: "readers_writers.csp",
        process: "ReadersWriters",
        quick: 3,
        long: 8,
        states: &["wrong"],
        events: &["start_write", "error"],
    },
    Model {
        example: "milner.csp",
        process: "Milner",
        quick: 5,
        long: 12,
        states: &[],
        events: &["work.0"],
    },
];

impl Model {
    /// Formulas of linear and branching time that say the same.
    fn formulas(&self) -> Vec<(String, String)> {
        let states = self.states.iter().flat_map(|p| {
            [
                (format!("[]<> ({p})"), format!("AG EF ({p})")),
                (format!("<>[] ({p})"), format!("AG EF AG ({p})")),
            ]
        });
        let events = self.events.iter();
        let events = events.map(|e| (format!("[]<> {e}"), format!("AG EF EX{{{e}}} true")));
        states.chain(events).collect()
    }
}

#[test]
fn ctl_without_fairness_decides_strong_global_fairness_of_models() {
    let is_long = cases(0) >= 10_000;
    let [fails, holds] = on_a_large_stack(move || {
        let mut shares = [0, 0];
        for model in MODELS {
            let size = if is_long { model.long } else { model.quick };
            for (linear, branching) in model.formulas() {
                let ask = |formula: &str, notion: &str| {
                    let property = format!("{} |= {formula}", model.process);
                    verdict(model.example, Some(size), &property, notion)
                };
                let expected = ask(&linear, "sgf");
                assert_eq!(
                    ask(&branching, "none"),
                    expected,
                    "{} {size}: {branching}",
                    model.example
                );
                shares[usize::from(expected == Verdict::Holds)] += 1;
            }
        }
        shares
    });
    println!("{fails} fail, {holds} hold");
    assert!(
        fails.min(holds) * 20 >= 3 * (fails + holds),
        "both verdicts must be common"
    );
}
