//! What the literature says about fairness is what Fairhold says: the verdicts of `docs/published.csv`.
//!
//! The tables are those of [Si-FCS'14], [Liu-ICFEM'09], [Sun-ICFEM'08] and [Pang-TASE'08]. Every row whose model is among
//! the examples is checked, up to a size that takes seconds; larger ones, up to a minute in an optimised build, when
//! `FAIRHOLD_CASES` is set, as `cargo xtask long` does. A population protocol that is also there in CSP# is checked
//! as both. The test prints which rows it ran, and for the others why not. A row whose verdict was out of the authors'
//! reach has nothing to compare with; one that they only claimed is compared.

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
    Known {
        model: "LE_C",
        property: "<>[]oneLeader",
        example: "protocols/leader_complete.pp",
        ours: |_| vec!["self-stabilising to oneLeader".to_owned()],
        global: up_to(8, 8),
        others: up_to(8, 8),
    },
    Known {
        model: "LE_T",
        property: "<>[]oneLeader",
        example: "protocols/leader_tree.pp",
        ours: |_| vec!["<>[] oneLeader".to_owned()],
        global: up_to(13, 13),
        others: up_to(13, 13),
    },
    Known {
        model: "LE_OR",
        property: "<>[]oneLeader",
        example: "protocols/leader_odd_ring.pp",
        ours: |_| vec!["<>[] oneLeader".to_owned()],
        global: up_to(3, 5),
        others: up_to(7, 7),
    },
    Known {
        model: "LE_R",
        property: "<>[]oneLeader",
        example: "protocols/leader_ring.pp",
        ours: |_| vec!["<>[] oneLeader".to_owned()],
        global: up_to(5, 6),
        others: up_to(8, 8),
    },
    Known {
        model: "TC_R",
        property: "<>[]oneToken",
        example: "protocols/token_ring.pp",
        ours: |_| vec!["<>[] oneToken".to_owned()],
        global: up_to(9, 9),
        others: up_to(9, 9),
    },
    Known {
        model: "TC_R",
        property: "three goals",
        example: "protocols/token_ring.pp",
        ours: protocol_goals,
        global: up_to(4, 4),
        others: up_to(4, 4),
    },
    Known {
        model: "TC_R-from-safe",
        property: "three goals",
        example: "protocols/token_ring_safe.pp",
        ours: protocol_goals,
        global: up_to(6, 6),
        others: up_to(6, 6),
    },
    Known {
        model: "TC_R-scheduled",
        property: "<>safe",
        example: "protocols/token_ring_scheduled.pp",
        ours: |_| vec!["<> safe".to_owned()],
        global: up_to(6, 6),
        others: up_to(6, 6),
    },
];

/// The models whose every row is checked by a `.pp`.
const PROTOCOLS: &[&str] = &[
    "LE_C",
    "LE_T",
    "LE_OR",
    "LE_R",
    "TC_R",
    "TC_R-from-safe",
    "TC_R-scheduled",
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

/// The same of a protocol, for all nodes at once.
fn protocol_goals(_: i32) -> Vec<String> {
    let next = "token[(k + 1) % N]";
    let others = "some{token && node != k && node != (k + 1) % N}";
    vec![
        "<>[] oneToken".to_owned(),
        format!("forall k: <>[] (token[k] -> ((!{others}) U {next}))"),
        "forall k: []<> token[k]".to_owned(),
    ]
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

impl Known {
    fn is_about(&self, row: &Row) -> bool {
        self.model == row.model && self.property == row.property
    }

    fn is_protocol(&self) -> bool {
        self.example.ends_with(".pp")
    }

    fn sizes(&self, row: &Row) -> Sizes {
        match row.fairness.as_str() {
            "sgf" => self.global,
            _ => self.others,
        }
    }

    /// Why a row is not checked, if it is not.
    fn leaves_out(&self, row: &Row, long: bool) -> Option<&'static str> {
        let sizes = self.sizes(row);
        if self.is_protocol() && matches!(row.fairness.as_str(), "pwf" | "psf") {
            Some("a protocol has no processes")
        } else if row.size > sizes.long {
            Some("more than a minute")
        } else if row.size > sizes.quick && !long {
            Some("some seconds: cargo xtask long")
        } else {
            None
        }
    }
}

impl Row {
    /// What was published, if it was.
    fn published(&self) -> Option<Verdict> {
        match self.verdict.as_str() {
            "holds" | "claimed holds" => Some(Verdict::Holds),
            "fails" => Some(Verdict::Fails),
            "unknown" => None,
            other => panic!("no such verdict: {other}"),
        }
    }
}

/// What to do with a row: the examples to check and what must come out, or why there is nothing to do.
fn plan(row: &Row, long: bool) -> Vec<Result<(&'static Known, Verdict), &'static str>> {
    let Some(expected) = row.published() else {
        return vec![Err("no verdict published")];
    };
    let known: Vec<&Known> = KNOWN.iter().filter(|k| k.is_about(row)).collect();
    if known.is_empty() {
        return vec![Err("no model among the examples")];
    }
    let each = |known: &'static Known| match known.leaves_out(row, long) {
        Some(reason) => Err(reason),
        None => Ok((known, expected)),
    };
    known.into_iter().map(each).collect()
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
        let mut done: BTreeMap<(&str, String, i32, String), Verdict> = BTreeMap::new();
        let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
        let mut wrong = Vec::new();
        let mut compared = 0;
        for row in rows() {
            let name = format!(
                "{} {} {} {} {}",
                row.source, row.model, row.size, row.property, row.fairness
            );
            for planned in plan(&row, long) {
                match planned {
                    Err(reason) => {
                        println!("{name}: left out, {reason}");
                        *left_out.entry(reason).or_default() += 1;
                    }
                    Ok((known, expected)) => {
                        let start = Instant::now();
                        let key = (
                            known.example,
                            row.property.clone(),
                            row.size,
                            row.fairness.clone(),
                        );
                        let verdict = *done.entry(key).or_insert_with(|| ours(&row, known));
                        let seconds = start.elapsed().as_secs_f64();
                        println!("{name}: {verdict:?}, {seconds:.2} s, {}", known.example);
                        compared += 1;
                        if verdict != expected {
                            wrong.push(format!(
                                "{name}: published {expected:?}, {} {verdict:?}",
                                known.example
                            ));
                        }
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
        assert!(compared >= 180);
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

/// A row about a population protocol that has a verdict is checked by a `.pp`, in the long run at least.
#[test]
fn every_row_about_a_protocol_is_checked_by_one() {
    for row in rows().iter().filter(|r| PROTOCOLS.contains(&r.model.as_str())) {
        if row.published().is_none() || matches!(row.fairness.as_str(), "pwf" | "psf") {
            continue;
        }
        let mut protocols = KNOWN.iter().filter(|k| k.is_protocol() && k.is_about(row));
        assert!(
            protocols.any(|k| k.leaves_out(row, true).is_none()),
            "no protocol is checked for {row:?}"
        );
    }
}
