//! What the literature says about fairness is what Fairhold says: the verdicts of `docs/published.csv`.
//!
//! The tables are those of [Si-FCS'14], [Liu-ICFEM'09], [Sun-ICFEM'08] and [Pang-TASE'08]. Every row whose model is among
//! the examples is checked, up to a size that takes seconds; larger ones, up to a minute in an optimised build, when
//! `FAIRHOLD_CASES` is set, as `cargo xtask long` does. The test prints which rows it ran, and for the others
//! why not. A row whose verdict was out of the authors' reach has nothing to compare with; one that they only claimed
//! is compared.

mod verdict;

use fairhold::Verdict;
use std::collections::BTreeMap;
use std::time::Instant;
use verdict::{on_a_large_stack, root, verdict};

/// One row of the table.
#[derive(Debug)]
struct Row {
    source: String,
    model: String,
    size: i32,
    property: String,
    fairness: String,
    verdict: String,
}

/// Where a model of the tables is among the examples.
struct Known {
    model: &'static str,
    property: &'static str,
    example: &'static str,
    /// The property as we write it, for a size; where it is several, all must hold.
    ours: fn(i32) -> Vec<String>,
    /// The largest size that takes a second or two in the development profile, and under a minute in an optimised
    /// build: under `sgf`, and under all other notions.
    global: Sizes,
    others: Sizes,
}

#[derive(Clone, Copy)]
struct Sizes {
    quick: i32,
    long: i32,
}

const fn up_to(quick: i32, long: i32) -> Sizes {
    Sizes { quick, long }
}

const KNOWN: &[Known] = &[
    Known {
        model: "LE_C",
        property: "<>[]oneLeader",
        example: "leader_complete.csp",
        ours: one_leader,
        global: up_to(8, 8),
        others: up_to(8, 8),
    },
    Known {
        model: "LE_T",
        property: "<>[]oneLeader",
        example: "leader_tree.csp",
        ours: one_leader,
        global: up_to(13, 13),
        others: up_to(13, 13),
    },
    Known {
        model: "LE_R",
        property: "<>[]oneLeader",
        example: "leader_ring.csp",
        ours: one_leader,
        global: up_to(5, 6),
        others: up_to(7, 8),
    },
    Known {
        model: "TC_R",
        property: "<>[]oneToken",
        example: "token_ring.csp",
        ours: |_| vec![ONE_TOKEN.to_owned()],
        global: up_to(8, 9),
        others: up_to(9, 9),
    },
    Known {
        model: "TC_R",
        property: "three goals",
        example: "token_ring.csp",
        ours: token_goals,
        global: up_to(4, 4),
        others: up_to(4, 4),
    },
    Known {
        model: "dp",
        property: "[]<>eat.0",
        example: "dining_philosophers.csp",
        ours: eats,
        global: up_to(10, 15),
        others: up_to(15, 15),
    },
    Known {
        model: "College",
        property: "[]<>eat.0",
        example: "dining_philosophers.csp",
        ours: eats,
        global: up_to(10, 15),
        others: up_to(15, 15),
    },
    Known {
        model: "DP_free",
        property: "[]<>eat.0",
        example: "dining_philosophers_dlfree.csp",
        ours: eats,
        global: up_to(8, 8),
        others: up_to(8, 8),
    },
    Known {
        model: "lCollege",
        property: "[]<>eat.0",
        example: "dining_philosophers_live.csp",
        ours: |_| vec!["lCollege |= []<> eat.0".to_owned()],
        global: up_to(9, 9),
        others: up_to(9, 13),
    },
    Known {
        model: "ms",
        property: "[]<>work.0",
        example: "milner.csp",
        ours: |_| vec!["Milner |= []<> work.0".to_owned()],
        global: up_to(12, 12),
        others: up_to(12, 12),
    },
    Known {
        model: "peterson",
        property: "bounded bypass",
        example: "peterson.csp",
        ours: |_| vec!["Peterson |= [](climbs -> <> cs.0)".to_owned()],
        global: up_to(5, 5),
        others: up_to(5, 5),
    },
];

const ONE_TOKEN: &str = "TokenRing |= <>[] one_token";

fn one_leader(_: i32) -> Vec<String> {
    vec!["Election |= <>[] one_leader".to_owned()]
}

fn eats(_: i32) -> Vec<String> {
    vec!["College |= []<> eat.0".to_owned()]
}

/// In the end there is one token; who has it hands it to his successor before anybody else gets it; everybody gets it
/// again and again.
fn token_goals(size: i32) -> Vec<String> {
    let mut goals = vec![ONE_TOKEN.to_owned()];
    for node in 0..size {
        let next = (node + 1) % size;
        let others: Vec<String> = (0..size)
            .filter(|&k| k != node && k != next)
            .map(|k| format!("token[{k}] == 0"))
            .collect();
        let others = others.join(" && ");
        goals.push(format!(
            "TokenRing |= <>[] ((token[{node}] == 1) -> (({others}) U (token[{next}] == 1)))"
        ));
        goals.push(format!("TokenRing |= []<> (token[{node}] == 1)"));
    }
    goals
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("docs/published.csv")).expect("the table is there");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let [source, place, model, size, property, fairness, _, verdict] = cells[..] else {
                panic!("a row has eight cells: {line}");
            };
            Row {
                source: format!("[{source}] {place}"),
                model: model.to_owned(),
                size: size.parse().expect("a size is a number"),
                property: property.to_owned(),
                fairness: fairness.to_owned(),
                verdict: verdict.to_owned(),
            }
        })
        .collect()
}

/// What to do with a row.
enum Plan {
    Run(&'static Known, Verdict),
    LeaveOut(&'static str),
}

fn plan(row: &Row, long: bool) -> Plan {
    let expected = match row.verdict.as_str() {
        "holds" | "claimed holds" => Verdict::Holds,
        "fails" => Verdict::Fails,
        "unknown" => return Plan::LeaveOut("no verdict published"),
        other => panic!("no such verdict: {other}"),
    };
    let Some(known) = KNOWN
        .iter()
        .find(|k| k.model == row.model && k.property == row.property)
    else {
        return Plan::LeaveOut("no model among the examples");
    };
    let sizes = if row.fairness == "sgf" {
        known.global
    } else {
        known.others
    };
    if row.size > sizes.long {
        Plan::LeaveOut("more than a minute")
    } else if row.size > sizes.quick && !long {
        Plan::LeaveOut("some seconds: cargo xtask long")
    } else {
        Plan::Run(known, expected)
    }
}

/// Our verdict on all properties of a row together.
fn ours(row: &Row, known: &Known) -> Verdict {
    // The annotations of a model always apply.
    let notion = if row.fairness == "annotated" {
        "none"
    } else {
        &row.fairness
    };
    let verdicts = (known.ours)(row.size)
        .into_iter()
        .map(|property| verdict(known.example, Some(row.size), &property, notion));
    verdicts
        .into_iter()
        .find(|&v| v != Verdict::Holds)
        .unwrap_or(Verdict::Holds)
}

#[test]
fn published_verdicts_are_ours() {
    on_a_large_stack(|| {
        // Any number of cases: these rows are not random.
        let long = std::env::var_os("FAIRHOLD_CASES").is_some();
        // Several sources have the same row.
        let mut done: BTreeMap<(String, String, i32, String), Verdict> = BTreeMap::new();
        let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
        let mut wrong = Vec::new();
        let mut compared = 0;
        for row in rows() {
            let name = format!(
                "{} {} {} {} {}",
                row.source, row.model, row.size, row.property, row.fairness
            );
            match plan(&row, long) {
                Plan::LeaveOut(reason) => {
                    println!("{name}: left out, {reason}");
                    *left_out.entry(reason).or_default() += 1;
                }
                Plan::Run(known, expected) => {
                    let start = Instant::now();
                    let key = (
                        row.model.clone(),
                        row.property.clone(),
                        row.size,
                        row.fairness.clone(),
                    );
                    let verdict = *done.entry(key).or_insert_with(|| ours(&row, known));
                    println!("{name}: {verdict:?}, {:.2} s", start.elapsed().as_secs_f64());
                    compared += 1;
                    if verdict != expected {
                        wrong.push(format!("{name}: published {expected:?}, ours {verdict:?}"));
                    }
                }
            }
        }
        println!(
            "{compared} rows compared, {} of them distinct; left out: {left_out:?}",
            done.len()
        );
        assert!(wrong.is_empty(), "{wrong:#?}");
        // A table that is not read compares nothing.
        assert!(compared >= 100);
    });
}

#[test]
fn every_model_with_an_example_has_a_row() {
    let rows = rows();
    for known in KNOWN {
        assert!(
            rows.iter()
                .any(|r| r.model == known.model && r.property == known.property),
            "{} is in no table",
            known.model
        );
        assert!(
            root().join("examples").join(known.example).exists(),
            "{}",
            known.example
        );
    }
}
