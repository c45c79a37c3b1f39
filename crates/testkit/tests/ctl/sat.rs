//! Satisfiability of clauses, by trying all assignments and by a fair path.

use crate::ask::ask;
use crate::constraint::of_formula;
use crate::system::Structure;
use fairhold_logic::{Ltl, translate};
use fairhold_search::{FairQuestion, check_fair};
use fairhold_system::{Limits, Silent, Verdict};
use fairhold_testkit::ctl::{Clauses, Ends, PathFormula, StateFormula};
use fairhold_testkit::fair::Constraint;
use fairhold_testkit::{Rng, cases};

#[test]
fn ctl_fair_paths_decide_satisfiability() {
    let mut rng = Rng::new(3);
    let (mut satisfiable, mut all) = (0usize, 0usize);
    for _ in 0..cases(300) {
        let variables = 3 + rng.below(5) as u32;
        // About as many as leave half of them satisfiable.
        let clauses = variables as usize * 4 + 2 + rng.below(10);
        let clauses = Clauses::random(&mut rng, variables, clauses);
        let expected = clauses.is_satisfiable();
        let graph = clauses.structure();
        let Constraint::Formula(formula) = clauses.constraint() else {
            unreachable!("the constraint is a formula");
        };
        let fair = of_formula("hard", formula);
        let formulas = [
            StateFormula::exists(PathFormula::Globally(StateFormula::Const(true))),
            StateFormula::exists(PathFormula::Next(None, StateFormula::Const(true))),
            StateFormula::all(PathFormula::Next(None, StateFormula::Const(false))),
        ];
        let constraints = [fair.search];
        let said = ask(&graph, Ends::None, &formulas, &constraints);
        let verdicts: Vec<bool> = said.iter().map(|s| s[0].holds).collect();
        assert_eq!(verdicts, [expected, expected, !expected], "{clauses:?}");
        assert_eq!(said[0][0].feasible, expected, "{clauses:?}");
        // The search for fair executions says so too.
        let anything = translate(&Ltl::True, &|_| String::new()).expect("a small formula");
        let question = FairQuestion {
            automaton: &anything.automaton,
            atoms: &[],
            constraints: &constraints,
            recurrent: false,
        };
        let answers = check_fair(&Structure::new(&graph), &question, &Limits::default(), &Silent);
        assert_eq!(answers[0].verdict == Verdict::Fails, expected, "{clauses:?}");
        satisfiable += usize::from(expected);
        all += 1;
    }
    println!("{satisfiable} of {all} satisfiable");
    if all >= 300 {
        assert!(
            (all / 4..all * 3 / 4).contains(&satisfiable),
            "both must be common"
        );
    }
}
