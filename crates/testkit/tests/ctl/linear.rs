//! Linear time against branching time, where a formula of each says the same.

use crate::ask;
use crate::case::for_each_case;
use crate::constraint::obligations;
use crate::generated::Generated;
use crate::system::Structure;
use fairhold_logic::{AtomId, Ltl, translate};
use fairhold_search::{
    Atom, BranchingQuestion, Ends, FairQuestion, Fairness, Question, Whose, check, check_branching,
    check_fair,
};
use fairhold_system::{EventId, Limits, PredicateId, Silent, System, Verdict};
use fairhold_testkit::ctl::{self, PathFormula, StateFormula};
use fairhold_testkit::fair::{Strength, When};
use fairhold_testkit::{Rng, cases};

/// The atoms of both: predicates.
const ATOMS: [Atom; 3] = [
    Atom::State(PredicateId(0)),
    Atom::State(PredicateId(1)),
    Atom::State(PredicateId(2)),
];

fn p() -> (StateFormula, Ltl) {
    (StateFormula::predicate(0), Ltl::Atom(AtomId(0)))
}

fn q() -> (StateFormula, Ltl) {
    (StateFormula::predicate(1), Ltl::Atom(AtomId(1)))
}

fn either() -> (StateFormula, Ltl) {
    let ((p, p_linear), (q, q_linear)) = (p(), q());
    (p.or(q), Ltl::Or(Box::new(p_linear), Box::new(q_linear)))
}

fn always((branching, linear): (StateFormula, Ltl)) -> (StateFormula, Ltl) {
    let branching = StateFormula::all(PathFormula::Globally(branching));
    (branching, Ltl::Globally(Box::new(linear)))
}

fn eventually((branching, linear): (StateFormula, Ltl)) -> (StateFormula, Ltl) {
    let branching = StateFormula::all(PathFormula::Finally(branching));
    (branching, Ltl::Finally(Box::new(linear)))
}

fn leads_to(from: (StateFormula, Ltl), to: (StateFormula, Ltl)) -> (StateFormula, Ltl) {
    let to = eventually(to);
    let linear = Ltl::Implies(Box::new(from.1), Box::new(to.1));
    always((from.0.implies(to.0), linear))
}

/// `AG p`, `AF p`, `AG AF p`, `AG (p -> AF q)`, each with its equal in linear time.
fn same() -> Vec<(StateFormula, Ltl)> {
    vec![
        always(either()),
        eventually(p()),
        eventually(q()),
        always(eventually(p())),
        always(eventually(q())),
        always(eventually(either())),
        leads_to(p(), q()),
        leads_to(q(), p()),
    ]
}

/// Whether all fair executions satisfy a formula, under each constraint.
fn linear<S: System>(system: &S, formula: &Ltl, constraints: &[Fairness]) -> Vec<bool> {
    let violated = Ltl::Not(Box::new(formula.clone()));
    let translation = translate(&violated, &|a| format!("x{}", a.0)).expect("a small formula");
    let atoms: Vec<Atom> = translation
        .atoms
        .iter()
        .map(|a| ATOMS[a.0 as usize].clone())
        .collect();
    let question = FairQuestion {
        automaton: &translation.automaton,
        atoms: &atoms,
        constraints,
        recurrent: false,
    };
    let answers = check_fair(system, &question, &Limits::default(), &Silent);
    answers.iter().map(|a| is_true(a.verdict)).collect()
}

/// Whether the initial states satisfy a formula, under each constraint.
fn branching<S: System>(system: &S, formula: &StateFormula, constraints: &[Fairness]) -> Vec<bool> {
    let question = BranchingQuestion {
        formula: &ask::formula(formula),
        proposition: &ask::proposition,
        event: &|AtomId(event)| EventId(event),
        constraints,
    };
    let answers = check_branching(system, &question, Ends::Idle, &Limits::default(), &Silent);
    answers.iter().map(|a| is_true(a.verdict)).collect()
}

fn is_true(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        other => panic!("{other:?}: nothing stops the search"),
    }
}

fn global() -> Fairness {
    Fairness {
        global: true,
        ..Fairness::none()
    }
}

/// No constraint and the five notions.
fn notions() -> Vec<Fairness> {
    let notion = |strength, whose| obligations("notion", strength, When::Enabled, whose).search;
    vec![
        Fairness::none(),
        notion(Strength::Weak, Whose::AllProcesses),
        notion(Strength::Weak, Whose::AllEvents),
        notion(Strength::Strong, Whose::AllProcesses),
        notion(Strength::Strong, Whose::AllEvents),
        global(),
    ]
}

/// How often each verdict came, by formula or constraint.
#[derive(Default)]
struct Shares(Vec<[usize; 2]>);

impl Shares {
    fn add(&mut self, which: usize, holds: bool) {
        if self.0.len() <= which {
            self.0.resize(which + 1, [0, 0]);
        }
        self.0[which][usize::from(holds)] += 1;
    }

    /// Prints them; from 1,000 on, no verdict may be rare.
    fn conclude(&self, what: &str) {
        println!("{what}, fails and holds: {:?}", self.0);
        for [fails, holds] in &self.0 {
            let all = fails + holds;
            assert!(
                all < 1_000 || fails.min(holds) * 20 >= 3 * all,
                "{what}: both verdicts must be common"
            );
        }
    }
}

#[test]
fn ctl_and_linear_time_agree_where_they_must() {
    let mut rng = Rng::new(8);
    let (mut by_formula, mut by_constraint) = (Shares::default(), Shares::default());
    for_each_case(&mut rng, cases(200), |_, case| {
        // Executions of linear time idle at ends.
        if case.ends == ctl::Ends::None {
            return;
        }
        let system = Structure::new(&case.graph);
        let constraints: Vec<Fairness> = case.constraints.iter().map(|c| c.search.clone()).collect();
        let (formulas, linear_formulas): (Vec<StateFormula>, Vec<Ltl>) = same().into_iter().unzip();
        let said = ask::ask(&case.graph, case.ends, &formulas, &constraints);
        for (i, formula) in linear_formulas.iter().enumerate() {
            let linear = linear(&system, formula, &constraints);
            for (j, fair) in case.constraints.iter().enumerate() {
                assert_eq!(said[i][j].holds, linear[j], "{}", case.show(fair, &formulas[i]));
                by_formula.add(i, linear[j]);
                by_constraint.add(j, linear[j]);
            }
        }
    });
    by_formula.conclude("by formula");
    by_constraint.conclude("by constraint");
}

/// `[]<>p` and `<>[]p` under strong global fairness against `AG EF p` and `AG EF AG p` under none; whether each holds.
fn global_agrees<S: System>(system: &S, (p, p_linear): (StateFormula, Ltl)) -> [bool; 2] {
    let possibly = |p| StateFormula::exists(PathFormula::Finally(p));
    let always = |p| StateFormula::all(PathFormula::Globally(p));
    let recurrence = Ltl::Globally(Box::new(Ltl::Finally(Box::new(p_linear.clone()))));
    let persistence = Ltl::Finally(Box::new(Ltl::Globally(Box::new(p_linear))));
    let plain = [always(possibly(p.clone())), always(possibly(always(p)))];
    let mut verdicts = [false; 2];
    for (i, (formula, plain)) in [recurrence, persistence].iter().zip(&plain).enumerate() {
        verdicts[i] = branching(system, plain, &[Fairness::none()])[0];
        assert_eq!(linear(system, formula, &[global()]), [verdicts[i]], "{formula:?}");
    }
    verdicts
}

#[test]
fn ctl_without_fairness_decides_strong_global_fairness() {
    let mut rng = Rng::new(9);
    let mut shares = Shares::default();
    for_each_case(&mut rng, cases(500), |_, case| {
        if case.ends == ctl::Ends::None {
            return;
        }
        for (i, formula) in [p(), q(), either()].into_iter().enumerate() {
            let verdicts = global_agrees(&Structure::new(&case.graph), formula);
            shares.add(2 * i, verdicts[0]);
            shares.add(2 * i + 1, verdicts[1]);
        }
    });
    shares.conclude("[]<> and <>[] of p, q, p || q");
}

/// The sizes of generated structures: a million states in a long run.
fn sizes(most: u64) -> impl Iterator<Item = u64> {
    let most = if cases(0) >= 10_000 { most } else { 4_000 };
    std::iter::successors(Some(most), |n| Some(n / 2)).take_while(|&n| n >= 500)
}

#[test]
fn ctl_without_fairness_decides_strong_global_fairness_of_large_structures() {
    let (mut recurrence, mut persistence) = ([0, 0], [0, 0]);
    for states in sizes(1_000_000) {
        for seed in 0..8 {
            let system = Generated::new(states, seed);
            let seen = check(&system, &Question::DeadlockFree, &Limits::default(), &Silent).statistics;
            assert!(seen.states >= states, "all states can be reached");
            recurrence[usize::from(global_agrees(&system, p())[0])] += 1;
            persistence[usize::from(global_agrees(&system, q())[1])] += 1;
        }
    }
    println!("[]<>p and <>[]q, fails and holds: {recurrence:?}, {persistence:?}");
    let both = |[fails, holds]: [usize; 2]| fails.min(holds) * 20 >= 3 * (fails + holds);
    assert!(
        both(recurrence) && both(persistence),
        "both verdicts must be common"
    );
}

#[test]
fn ctl_and_linear_time_agree_on_large_structures() {
    // One that is true of nearly all states: none of the others can hold always.
    let nearly = || (StateFormula::predicate(2), Ltl::Atom(AtomId(2)));
    let mut formulas = same();
    formulas[0] = always(nearly());
    let mut shares = Shares::default();
    for states in sizes(100_000) {
        for seed in 0..4 {
            let system = Generated::new(states, seed);
            for (i, (formula, linear_formula)) in formulas.iter().enumerate() {
                let verdicts = branching(&system, formula, &notions());
                let expected = linear(&system, linear_formula, &notions());
                assert_eq!(
                    verdicts, expected,
                    "{linear_formula:?}, {states} states, seed {seed}"
                );
                verdicts.iter().for_each(|&holds| shares.add(i, holds));
            }
        }
    }
    shares.conclude("by formula");
    assert!(
        shares.0.iter().all(|s| s[0] > 0 && s[1] > 0),
        "both verdicts must occur"
    );
}
