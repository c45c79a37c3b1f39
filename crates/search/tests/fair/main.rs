//! Fair executions, against the definitions.
//!
//! What an execution does infinitely often is a strongly connected set of moves of the product. The oracle tries all sets of moves of small products and reads
//! every definition off the set; it knows no components, marks that are removed, or rounds. Found lassos are judged by themselves.

mod oracle;
mod small;

use fairhold_logic::Acceptance;
use fairhold_search::{
    FairQuestion, Fairness, Obligations, StepPredicate, Strength, When, Whose, check_fair,
};
use fairhold_system::{EventId, Limits, Path, PredicateId, Silent, Verdict};
use fairhold_testkit::{Rng, cases};
use oracle::Product;
use small::{Small, lasso_of, random_automaton, random_system};
use std::collections::BTreeMap;

/// Obligations of every event or process.
fn notion(strength: Strength, whose: Whose) -> Fairness {
    let obligations = vec![Obligations {
        strength,
        when: When::Enabled,
        whose,
    }];
    Fairness {
        obligations,
        ..Fairness::none()
    }
}

fn random_predicate(rng: &mut Rng, depth: usize) -> StepPredicate {
    let event = |rng: &mut Rng| EventId(rng.below(4) as u32);
    match rng.below(if depth == 0 { 6 } else { 9 }) {
        0 => StepPredicate::State(PredicateId(rng.below(2) as u32)),
        1 => StepPredicate::Enabled(event(rng)),
        2 => StepPredicate::Ready(event(rng)),
        3 => StepPredicate::Engaged(event(rng)),
        4 => StepPredicate::EnabledProcess(rng.below(2) as u32),
        5 => StepPredicate::EngagedProcess(rng.below(2) as u32),
        6 => StepPredicate::Not(Box::new(random_predicate(rng, depth - 1))),
        7 => StepPredicate::And(vec![
            random_predicate(rng, depth - 1),
            random_predicate(rng, depth - 1),
        ]),
        _ => StepPredicate::Or(vec![
            random_predicate(rng, depth - 1),
            random_predicate(rng, depth - 1),
        ]),
    }
}

/// A random constraint and what to call it.
fn random_fairness(rng: &mut Rng) -> (&'static str, Fairness) {
    let annotated = |strength, when, rng: &mut Rng| {
        let mut events = vec![EventId(1 + rng.below(3) as u32), EventId(1 + rng.below(3) as u32)];
        events.sort_unstable();
        events.dedup();
        Fairness {
            obligations: vec![Obligations {
                strength,
                when,
                whose: Whose::Events(events),
            }],
            ..Fairness::none()
        }
    };
    match rng.below(12) {
        0 => ("none", Fairness::none()),
        1 => ("ewf", notion(Strength::Weak, Whose::AllEvents)),
        2 => ("pwf", notion(Strength::Weak, Whose::AllProcesses)),
        3 => ("esf", notion(Strength::Strong, Whose::AllEvents)),
        4 => ("psf", notion(Strength::Strong, Whose::AllProcesses)),
        5 => (
            "sgf",
            Fairness {
                global: true,
                ..Fairness::none()
            },
        ),
        6 => ("wf", annotated(Strength::Weak, When::Enabled, rng)),
        7 => ("sf", annotated(Strength::Strong, When::Enabled, rng)),
        8 => ("wl", annotated(Strength::Weak, When::Ready, rng)),
        9 => ("sl", annotated(Strength::Strong, When::Ready, rng)),
        10 => {
            let marks: Vec<_> = (0..1 + rng.below(3)).map(|_| random_predicate(rng, 2)).collect();
            let formula = small::random_acceptance(rng, marks.len() as u32, 2);
            (
                "formula",
                Fairness {
                    marks,
                    formula,
                    ..Fairness::none()
                },
            )
        }
        _ => {
            // A conjunction of everything.
            let (_, mut all) = random_fairness(rng);
            let (_, other) = random_fairness(rng);
            all.obligations.extend(other.obligations);
            all.global |= other.global;
            if all.marks.is_empty() {
                all.marks = other.marks;
                all.formula = other.formula;
            }
            ("conjunction", all)
        }
    }
}

fn answer(
    system: &Small,
    automaton: &fairhold_logic::Automaton,
    fairness: &Fairness,
) -> (Verdict, Option<Path>, u64) {
    let atoms = small::atoms();
    let constraints = std::slice::from_ref(fairness);
    let question = FairQuestion {
        automaton,
        atoms: &atoms,
        constraints,
    };
    let answer = check_fair(system, &question, &Limits::default(), &Silent).remove(0);
    (answer.verdict, answer.path, answer.product_states)
}

#[test]
fn verdicts_agree_with_the_definitions() {
    let mut spread: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut sizes = Vec::new();
    let mut rng = Rng::new(42);
    let mut done = 0;
    while done < cases(3_000) {
        let system = random_system(&mut rng);
        let automaton = random_automaton(&mut rng);
        let (name, fairness) = random_fairness(&mut rng);
        let Some(product) = Product::new(&system, &automaton) else {
            continue;
        };
        done += 1;
        let expected = product.has_fair_execution(&system, &automaton.acceptance, &fairness);
        let (verdict, path, nodes) = answer(&system, &automaton, &fairness);
        let found = verdict == Verdict::Fails;
        assert_eq!(found, expected, "{name}\n{system:?}\n{automaton:?}\n{fairness:?}");
        spread.entry(name).or_default()[usize::from(found)] += 1;
        sizes.push(nodes);
        if let Some(path) = path {
            judge(&system, &automaton, &fairness, &path);
        }
    }
    sizes.sort_unstable();
    println!(
        "products: median {} nodes, largest {}",
        sizes[sizes.len() / 2],
        sizes[sizes.len() - 1]
    );
    for (name, [holds, fails]) in &spread {
        println!("{name:12} holds {holds:5} fails {fails:5}");
        let all = holds + fails;
        assert!(
            7 * holds.min(fails) >= all.min(7 * 200),
            "{name}: both verdicts are common"
        );
    }
}

/// The lasso is an execution, fair by the definitions, and accepted by the automaton.
fn judge(system: &Small, automaton: &fairhold_logic::Automaton, fairness: &Fairness, path: &Path) {
    let start = path.loop_from.expect("a lasso");
    assert_eq!(
        path.states[start],
        path.states[path.states.len() - 1],
        "the loop closes"
    );
    assert!(system.initial.contains(&(path.states[0][0] as usize)));
    for (i, label) in path.labels.iter().enumerate() {
        let (from, to) = (path.states[i][0] as usize, path.states[i + 1][0] as usize);
        assert!(
            system.has_step(from, *label, to),
            "step {i} of {path:?} in {system:?}"
        );
    }
    let steps: Vec<_> = (start..path.labels.len())
        .map(|i| {
            (
                path.states[i][0] as usize,
                path.labels[i],
                path.states[i + 1][0] as usize,
            )
        })
        .collect();
    assert!(
        oracle::fair(system, fairness, &steps),
        "{path:?}\nis not fair under {fairness:?}\nin {system:?}"
    );
    // The lasso by itself, as a system with that one execution.
    let alone = lasso_of(system, path);
    let (verdict, ..) = answer(&alone, automaton, &Fairness::none());
    assert_eq!(
        verdict,
        Verdict::Fails,
        "{path:?} is not accepted by {automaton:?}"
    );
}

#[test]
fn the_strength_order_holds() {
    let mut rng = Rng::new(7);
    for _ in 0..cases(1_000) {
        let system = random_system(&mut rng);
        let automaton = random_automaton(&mut rng);
        let fails = |fairness: &Fairness| answer(&system, &automaton, fairness).0 == Verdict::Fails;
        let sgf = fails(&Fairness {
            global: true,
            ..Fairness::none()
        });
        let order = |whose: &Whose| {
            let strong = fails(&notion(Strength::Strong, whose.clone()));
            let weak = fails(&notion(Strength::Weak, whose.clone()));
            let none = fails(&Fairness::none());
            assert!(
                !sgf || strong,
                "what fails under sgf fails under strong fairness: {system:?} {automaton:?}"
            );
            assert!(
                !strong || weak,
                "and under weak fairness: {system:?} {automaton:?}"
            );
            assert!(!weak || none, "and without any: {system:?} {automaton:?}");
        };
        order(&Whose::AllEvents);
        order(&Whose::AllProcesses);
    }
}

#[test]
fn a_rule_broken_on_purpose_is_noticed() {
    // The oracle with a wrong definition disagrees with the search: so the search with that definition would disagree with the oracle.
    let mut rng = Rng::new(11);
    let mut noticed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut compared = 0;
    while compared < 2_000 {
        let system = random_system(&mut rng);
        let automaton = random_automaton(&mut rng);
        let Some(product) = Product::new(&system, &automaton) else {
            continue;
        };
        compared += 1;
        for (name, fairness, wrong) in oracle::wrong_rules() {
            let right = answer(&system, &automaton, &fairness).0 == Verdict::Fails;
            let broken = product.has_fair_execution_by(&automaton.acceptance, &|steps, nodes| {
                wrong(&system, steps, nodes)
            });
            *noticed.entry(name).or_default() += usize::from(right != broken);
        }
    }
    println!("{noticed:?}");
    assert_eq!(noticed.len(), oracle::wrong_rules().len());
    assert!(noticed.values().all(|&n| n > 0));
}

#[test]
fn constraints_share_one_exploration() {
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let system = random_system(&mut rng);
        let automaton = random_automaton(&mut rng);
        let constraints: Vec<Fairness> = (0..4).map(|_| random_fairness(&mut rng).1).collect();
        let atoms = small::atoms();
        let question = FairQuestion {
            automaton: &automaton,
            atoms: &atoms,
            constraints: &constraints,
        };
        let together = check_fair(&system, &question, &Limits::default(), &Silent);
        for (answer_of, fairness) in together.iter().zip(&constraints) {
            assert_eq!(answer_of.verdict, answer(&system, &automaton, fairness).0);
        }
    }
    assert_eq!(Acceptance::True, Fairness::none().formula);
}
