//! Fair computation tree logic against the definitions.
//!
//! A case is a random structure, whose ends idle or have no path, a few random formulas, and constraints of all kinds. Three must agree on every state: the search, the oracle of
//! [`fairhold_testkit::ctl`], which reads the definitions off everything that a path can do infinitely often, and a naive labelling by components. Of the last there are wrong versions,
//! and each of them is caught: so the cases tell right from wrong. The runs that the search gives as evidence are judged too. Further judges: satisfiability by trying all assignments, the two encodings of
//! steps by states, what is possible in the models that ship, and the search for fair executions where a formula of linear time says the same.

mod ask;
mod case;
#[path = "../fair/constraint.rs"]
#[expect(dead_code, reason = "strength is a matter of the search for fair executions")]
mod constraint;
mod encodings;
mod forms;
mod generated;
mod judge;
mod linear;
mod models;
mod naive;
mod sat;
mod slip;
mod spread;
mod system;
#[path = "../verdict/mod.rs"]
mod verdict;

use ask::{Said, ask};
use case::{Case, for_each_case, for_each_large_case};
use fairhold_logic::Ctl;
use fairhold_search::Fairness;
use fairhold_testkit::ctl::{Paths, StateFormula};
use fairhold_testkit::fair::{IDLE, Set};
use fairhold_testkit::{Rng, cases};
use judge::{Judge, Seen};
use naive::Decider;
use slip::{Slip, Used};
use spread::Spread;
use std::collections::{BTreeMap, BTreeSet};

/// Every part of a formula, itself included.
fn parts<'f>(formula: &'f StateFormula, all: &mut Vec<&'f StateFormula>) {
    all.push(formula);
    match formula {
        StateFormula::Const(_) | StateFormula::Atom(_) => {}
        StateFormula::Not(p) => parts(p, all),
        StateFormula::And(p, q)
        | StateFormula::Or(p, q)
        | StateFormula::Implies(p, q)
        | StateFormula::Iff(p, q) => {
            parts(p, all);
            parts(q, all);
        }
        StateFormula::Paths(_, path) => path.parts().into_iter().for_each(|p| parts(p, all)),
    }
}

/// A label of the search as a set; it must know the reachable states and no others.
fn set(label: &[Option<bool>], reachable: Set) -> Set {
    let known = label.iter().enumerate().filter(|(_, l)| l.is_some());
    assert_eq!(known.fold(0, |all, (s, _)| all | 1 << s), reachable);
    let true_in = label.iter().enumerate().filter(|(_, l)| **l == Some(true));
    true_in.fold(0, |all, (s, _)| all | 1 << s)
}

/// One formula under one constraint gets the answer it gets together with others.
fn ask_alone(rng: &mut Rng, case: &Case, constraints: &[Fairness], said: &[Vec<Said>]) {
    let (i, j) = (rng.below(case.formulas.len()), rng.below(constraints.len()));
    let alone = ask(&case.graph, case.ends, &case.formulas[i..=i], &constraints[j..=j]);
    let show = || case.show(&case.constraints[j], &case.formulas[i]);
    assert_eq!(
        alone[0][0].label,
        said[i][j].label,
        "alone and with others: {}",
        show()
    );
}

/// Compares every label of every part under every constraint.
fn compare(rng: &mut Rng, case: &Case, spread: &mut Spread) {
    let reachable = case.graph.reachable();
    let constraints: Vec<Fairness> = case.constraints.iter().map(|c| c.search.clone()).collect();
    let said = ask(&case.graph, case.ends, &case.formulas, &constraints);
    ask_alone(rng, case, &constraints, &said);
    let mut rules = Used::default();
    let (mut partly, mut vacuous) = (false, false);
    let mut runs = Seen::default();
    let mut verdicts: Vec<BTreeSet<bool>> = vec![BTreeSet::new(); case.formulas.len()];
    for (number, fair) in case.constraints.iter().enumerate() {
        let paths: Paths<'_> = case.paths(fair);
        let decider = Decider::new(&case.graph, fair, None);
        for ((formula, said), verdicts) in case.formulas.iter().zip(&said).zip(&mut verdicts) {
            let said = &said[number];
            let show = || case.show(fair, formula);
            assert_eq!(
                set(&said.fair, reachable),
                paths.fair(),
                "fair states: {}",
                show()
            );
            let feasible = case.graph.initial.iter().any(|&s| paths.fair() >> s & 1 == 1);
            assert_eq!(said.feasible, feasible, "feasible: {}", show());
            let mut all = Vec::new();
            parts(formula, &mut all);
            for part in all {
                let expected = paths.label(part);
                let naive = decider.label(part);
                assert_eq!(
                    naive,
                    expected,
                    "the naive labelling is wrong: {part:?} in {}",
                    show()
                );
                let same = |(f, _): &&(Ctl, _)| *f == ask::formula(part);
                let listed = said.parts.iter().find(same);
                let (_, label) = listed.unwrap_or_else(|| panic!("no label of {part:?} in {}", show()));
                let label = set(label, reachable);
                assert_eq!(label, expected, "the search is wrong: {part:?} in {}", show());
                if let StateFormula::Paths(quantifier, path) = part {
                    let letters = format!("{quantifier:?} {}", path.letter());
                    let counts = |set: Set| set.count_ones() as usize;
                    spread.operator(letters, counts(expected), counts(reachable));
                    partly |= expected != 0 && expected != reachable;
                }
            }
            let label = paths.label(formula);
            assert_eq!(set(&said.label, reachable), label, "the label: {}", show());
            assert_eq!(said.holds, case.holds(label), "the verdict: {}", show());
            spread.verdict(fair.name, said.holds);
            let evidence = said.answer.evidence.as_ref();
            let judge = Judge::new(case, fair, &paths, formula);
            let missing = evidence.is_none() && judge.needs_a_run(said.holds);
            assert!(!missing, "no evidence: {}", show());
            if let Some(evidence) = evidence {
                assert_eq!(evidence.holds, said.holds, "evidence for the verdict: {}", show());
                let seen = judge.judge(evidence);
                runs.lasso |= seen.lasso;
                runs.nested |= seen.nested;
            }
            vacuous |= !feasible;
            verdicts.insert(said.holds);
            rules = rules.or(decider.used());
        }
    }
    let components = &case.recurring.as_ref().expect("a small structure").components;
    spread.case(
        reachable.count_ones() as usize,
        case.graph.steps.len(),
        components,
    );
    let ends = |s: usize| {
        let mut own = case.graph.steps.iter().filter(|step| step.from == s);
        own.all(|step| step.event == IDLE)
    };
    spread.occurrences(&rules.named());
    spread.occurrences(&[
        (
            "an end",
            (0..case.graph.predicates.len()).any(|s| reachable >> s & 1 == 1 && ends(s)),
        ),
        ("several initial states", case.graph.initial.len() > 1),
        ("several components", components.len() > 1),
        ("a path formula true in some states and false in others", partly),
        ("a constraint that no path meets", vacuous),
        (
            "a formula that some constraints make true and others false",
            verdicts.iter().any(|v| v.len() == 2),
        ),
        ("a lasso as evidence", runs.lasso),
        ("a run about a state on another", runs.nested),
    ]);
}

#[test]
fn ctl_search_labelling_and_definitions_agree() {
    let mut spread = Spread::default();
    let mut rng = Rng::new(84);
    // Two cases a round: 1,000 in all, and 20,000 in a long run.
    spread.passed_over = for_each_case(&mut rng, cases(500), |rng, case| compare(rng, case, &mut spread));
    spread.conclude(8);
}

#[test]
fn ctl_search_and_labelling_agree_on_large_components() {
    // Too large for the oracle, which has found the labelling to be right.
    let mut rng = Rng::new(85);
    let mut spread = Spread::default();
    spread.passed_over = for_each_large_case(&mut rng, cases(150).min(5_000), |_, case| {
        let reachable = case.graph.reachable();
        let constraints: Vec<Fairness> = case.constraints.iter().map(|c| c.search.clone()).collect();
        let said = ask(&case.graph, case.ends, &case.formulas, &constraints);
        let mut rules = Used::default();
        for (j, fair) in case.constraints.iter().enumerate() {
            let decider = Decider::new(&case.graph, fair, None);
            for (i, formula) in case.formulas.iter().enumerate() {
                let (said, label) = (&said[i][j], decider.label(formula));
                assert_eq!(set(&said.label, reachable), label, "{}", case.show(fair, formula));
                assert_eq!(said.holds, case.holds(label), "{}", case.show(fair, formula));
                spread.verdict(fair.name, said.holds);
            }
            rules = rules.or(decider.used());
        }
        spread.case(reachable.count_ones() as usize, case.graph.steps.len(), &[]);
        spread.occurrences(&rules.named());
    });
    spread.conclude(20);
}

#[test]
fn ctl_rules_broken_on_purpose_are_noticed() {
    let mut rng = Rng::new(84);
    let mut noticed: BTreeMap<Slip, usize> = Slip::ALL.map(|slip| (slip, 0)).into();
    for_each_case(&mut rng, 250, |_, case| {
        for fair in &case.constraints {
            let paths = case.paths(fair);
            let right: Vec<Set> = case.formulas.iter().map(|f| paths.label(f)).collect();
            for (slip, count) in &mut noticed {
                let decider = Decider::new(&case.graph, fair, Some(*slip));
                *count += usize::from(case.formulas.iter().zip(&right).any(|(formula, &right)| {
                    let label = decider.label(formula);
                    label != right || decider.verdict(label) != case.holds(right)
                }));
            }
        }
    });
    println!("wrong answers on 500 structures under 15 constraints each:");
    for (slip, count) in &noticed {
        println!("{count:6}  {slip:?}");
    }
    // One would be luck.
    assert!(
        noticed.values().all(|&n| n >= 5),
        "a rule can be broken unnoticed"
    );
}
