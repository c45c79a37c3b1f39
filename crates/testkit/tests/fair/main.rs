//! The search for fair executions against the definitions.
//!
//! A case is a random system and a random property, and is checked under a dozen constraints: every notion, every kind of annotation, a random formula, a random conjunction. Three
//! must agree on each: the search, the oracle of [`fairhold_testkit::fair`], which reads the definitions off everything that an execution can do infinitely often, and a
//! naive decider by components. Of the last there are wrong versions, and each of them is caught: so the cases tell right from wrong. Under strong global
//! fairness a fourth judge, reachability in the system, has its say on `[]<>p` and `<>[]p`.

mod constraint;
mod naive;
mod property;
mod spread;
mod system;

use constraint::{Fair, NAMES, STRENGTH, constraints};
use fairhold_search::{FairAnswer, FairQuestion, Fairness, check_fair, check_fair_together};
use fairhold_system::{Limits, Silent, Verdict};
use fairhold_testkit::fair::{Graph, IDLE, Product, Recurring, Shape, random_graph};
use fairhold_testkit::{Rng, cases};
use naive::{Decision, Slip, Used};
use property::{Kind, Property};
use spread::Spread;
use std::collections::BTreeMap;
use system::{Drawn, Lasso};

/// Several components of few moves.
const SMALL: Shape = Shape {
    passing: 15,
    clusters: 3,
    states: 6,
    chords: 2,
};

/// One or two components of many moves: too many for the oracle.
const LARGE: Shape = Shape {
    passing: 3,
    clusters: 2,
    states: 34,
    chords: 1,
};

/// Products with fewer nodes, or without a loop, say too little.
const LEAST_NODES: usize = 8;

/// A system, a property, and the constraints to check it under.
struct Case {
    graph: Graph,
    property: Property,
    product: Product,
    constraints: Vec<Fair>,
}

impl Case {
    fn search(&self, constraints: &[Fairness]) -> Vec<FairAnswer> {
        let question = FairQuestion {
            automaton: &self.property.violations,
            atoms: &self.property.atoms,
            constraints,
            recurrent: false,
        };
        check_fair(&Drawn(&self.graph), &question, &Limits::default(), &Silent)
    }

    /// Several workers say the same as one, each constraint alone and all of them that suit workers together; their lassos are judged.
    fn check_together(&self, rng: &mut Rng, answers: &[FairAnswer]) -> usize {
        let workers = [1, 2, 4, 8][rng.below(4)];
        let limits = Limits {
            threads: workers,
            ..Limits::default()
        };
        let ask = |constraints: &[Fairness]| {
            let question = FairQuestion {
                automaton: &self.property.violations,
                atoms: &self.property.atoms,
                constraints,
                recurrent: false,
            };
            check_fair_together(&Drawn(&self.graph), &question, &limits, &Silent)
        };
        let (mut suited, mut places) = (Vec::new(), Vec::new());
        for (i, fair) in self.constraints.iter().enumerate() {
            if let Some(together) = ask(std::slice::from_ref(&fair.search)) {
                self.compare(fair, &answers[i], &together[0], workers);
                suited.push(fair.search.clone());
                places.push(i);
            }
        }
        let together = ask(&suited).expect("what suits workers one by one suits them at once");
        for (&i, together) in places.iter().zip(&together) {
            self.compare(&self.constraints[i], &answers[i], together, workers);
        }
        places.len()
    }

    fn compare(&self, fair: &Fair, alone: &FairAnswer, together: &FairAnswer, workers: usize) {
        assert_eq!(
            alone.verdict,
            together.verdict,
            "one worker and {workers}: {}",
            self.show(fair)
        );
        match together.verdict {
            Verdict::Fails => self.judge(fair, together),
            _ => assert_eq!(
                alone.product_states,
                together.product_states,
                "{}",
                self.show(fair)
            ),
        }
    }

    fn decide(&self, fair: &Fair, slip: Option<Slip>) -> (bool, Used) {
        let automaton = &self.property.violations;
        let condition = (&automaton.acceptance, automaton.marks);
        Decision::new(&self.graph, &self.product, condition, fair, slip).decide()
    }

    fn recurring(&self) -> Option<Recurring> {
        let accepts = |marks| self.property.violations.accepts(fairhold_logic::MarkSet(marks));
        Recurring::new(&self.graph, &self.product, accepts)
    }

    fn show(&self, fair: &Fair) -> String {
        format!("{fair:#?}\n{:?}\n{:?}", self.property, self.graph)
    }

    /// Of an answer that fails: the lasso is an execution, fair by the definitions, and violates the property.
    fn judge(&self, fair: &Fair, answer: &FairAnswer) {
        let path = answer.path.as_ref().expect("what fails has a counterexample");
        let lasso = Lasso::new(&self.graph, path);
        let is_fair = fair.definition.is_met(&self.graph, lasso.forever(&self.graph));
        assert!(is_fair, "not fair: {path:?}\n{}", self.show(fair));
        let violated = self
            .property
            .is_violated(&self.graph, |letter| lasso.word(&self.graph, letter));
        assert!(violated, "no violation: {path:?}\n{}", self.show(fair));
    }

    /// What the search says under every constraint, from one exploration; the lassos are judged.
    fn verdicts(&self, rng: &mut Rng) -> Vec<bool> {
        let all: Vec<Fairness> = self.constraints.iter().map(|c| c.search.clone()).collect();
        let answers = self.search(&all);
        // One of them by itself says the same.
        let one = rng.below(all.len());
        assert_eq!(
            self.search(&all[one..=one])[0].verdict,
            answers[one].verdict,
            "alone and with others: {}",
            self.show(&self.constraints[one])
        );
        let mut verdicts = Vec::new();
        for (fair, answer) in self.constraints.iter().zip(&answers) {
            match answer.verdict {
                Verdict::Fails => self.judge(fair, answer),
                Verdict::Holds => {
                    // Who says that there is none has looked everywhere.
                    assert_eq!(
                        answer.product_states as usize,
                        self.product.nodes.len(),
                        "{}",
                        self.show(fair)
                    );
                }
                other => panic!("{other:?}: {}", self.show(fair)),
            }
            verdicts.push(answer.verdict == Verdict::Fails);
        }
        self.check_strength(&verdicts);
        let suited = self.check_together(rng, &answers);
        assert!(suited >= 6, "every notion is for several workers too");
        verdicts
    }

    /// What holds under the weaker notion holds under the stronger.
    fn check_strength(&self, fails: &[bool]) {
        let fails = |name: &str| fails[NAMES.iter().position(|n| *n == name).expect("a known name")];
        for (weaker, stronger) in STRENGTH {
            assert!(
                fails(weaker) || !fails(stronger),
                "holds under {weaker}, fails under {stronger}: {:?}\n{:?}",
                self.property,
                self.graph
            );
        }
    }
}

/// Random cases: in each round one for every kind of property, each with its own system. Products that do not `fit` are passed over; how many is the answer.
fn for_each_case<T>(
    rng: &mut Rng,
    rounds: usize,
    shape: Shape,
    fit: impl Fn(&Case) -> Option<T>,
    mut check: impl FnMut(&mut Rng, &Case, T),
) -> usize {
    let mut passed_over = 0;
    for kind in (0..rounds).flat_map(|_| Kind::ALL) {
        loop {
            let graph = random_graph(rng, shape);
            let property = Property::random(rng, kind);
            let Some(product) = property.product(&graph) else {
                passed_over += 1;
                continue;
            };
            let case = Case {
                graph,
                property,
                product,
                constraints: constraints(rng),
            };
            let tame = case.product.nodes.len() < LEAST_NODES || case.product.components(|_| true).is_empty();
            if let Some(extra) = fit(&case).filter(|_| !tame) {
                check(rng, &case, extra);
                break;
            }
            passed_over += 1;
        }
    }
    passed_over
}

#[test]
fn search_decider_and_definitions_agree() {
    let mut spread = Spread::default();
    let mut rng = Rng::new(42);
    // Five cases a round: 1,000 in all, and 50,000 in a long run.
    spread.passed_over = for_each_case(
        &mut rng,
        cases(200),
        SMALL,
        Case::recurring,
        |rng, case, recurring| {
            spread.case(case.product.nodes.len(), &recurring.components);
            let verdicts = case.verdicts(rng);
            let mut rules = Used::default();
            for (fair, &fails) in case.constraints.iter().zip(&verdicts) {
                let expected = recurring.has_fair(&case.graph, &fair.definition);
                assert_eq!(fails, expected, "the search is wrong: {}", case.show(fair));
                let (decided, used) = case.decide(fair, None);
                assert_eq!(
                    decided,
                    expected,
                    "the naive decider is wrong: {}",
                    case.show(fair)
                );
                spread.verdict(fair.name, fails);
                rules = rules.or(used);
            }
            let branching = case.property.holds_by_branching(&case.graph);
            if let Some(holds) = branching {
                let sgf = NAMES.iter().position(|n| *n == "sgf").expect("a known name");
                assert_eq!(
                    verdicts[sgf],
                    !holds,
                    "against AG EF: {}",
                    case.show(&case.constraints[sgf])
                );
            }
            spread.occurrences(&rules.named());
            let idles = |i: &fairhold_testkit::fair::Move| case.graph.steps[i.step].event == IDLE;
            spread.occurrences(&[
                ("an execution that idles", case.product.moves.iter().any(idles)),
                ("several components", recurring.components.len() > 1),
                (
                    "an automaton with a choice",
                    !case.property.violations.is_deterministic(),
                ),
                ("a verdict by AG EF", branching.is_some()),
            ]);
        },
    );
    spread.conclude("moves", 20);
}

#[test]
fn search_and_decider_agree_on_large_components() {
    // Too large to try all sets of moves; large enough that the search looks at components before they are complete.
    let mut rng = Rng::new(7);
    let mut spread = Spread::default();
    let fit = |case: &Case| Some(case.product.components(|_| true));
    spread.passed_over = for_each_case(&mut rng, cases(40), LARGE, fit, |rng, case, components| {
        let sizes: Vec<usize> = components.iter().map(|c| c.count_ones() as usize).collect();
        spread.case(case.product.nodes.len(), &sizes);
        let verdicts = case.verdicts(rng);
        let mut rules = Used::default();
        for (fair, &fails) in case.constraints.iter().zip(&verdicts) {
            let (decided, used) = case.decide(fair, None);
            assert_eq!(fails, decided, "search and decider differ: {}", case.show(fair));
            spread.verdict(fair.name, fails);
            rules = rules.or(used);
        }
        spread.occurrences(&rules.named());
    });
    spread.conclude("nodes", 30);
}

#[test]
fn a_rule_broken_on_purpose_is_noticed() {
    let mut rng = Rng::new(42);
    let mut noticed: BTreeMap<Slip, usize> = Slip::ALL.map(|slip| (slip, 0)).into();
    for_each_case(&mut rng, 200, SMALL, Case::recurring, |_, case, recurring| {
        for fair in &case.constraints {
            let right = recurring.has_fair(&case.graph, &fair.definition);
            for (slip, count) in &mut noticed {
                *count += usize::from(case.decide(fair, Some(*slip)).0 != right);
            }
        }
    });
    println!(
        "wrong verdicts in 1,000 cases under {} constraints each:",
        NAMES.len()
    );
    for (slip, count) in &noticed {
        println!("{count:6}  {slip:?}");
    }
    // One would be luck.
    assert!(
        noticed.values().all(|&n| n >= 5),
        "a rule can be broken unnoticed"
    );
}
