//! Marks on steps against labels of states only.

use crate::ask::{Said, ask};
use crate::case::{Case, for_each_case};
use crate::constraint::{Fair, all_of, of_formula};
use fairhold_search::Fairness;
use fairhold_testkit::ctl::{Encoding, StateFormula, arc_nodes, node_copies};
use fairhold_testkit::fair::Constraint;
use fairhold_testkit::{Rng, cases};

/// A constraint on predicates, as the search takes it.
fn on_predicates(constraint: &Constraint) -> Fair {
    match constraint {
        Constraint::Formula(formula) => of_formula("encoded", formula.clone()),
        Constraint::All(parts) => {
            let parts: Vec<Fair> = parts.iter().map(on_predicates).collect();
            all_of("encoded", &parts)
        }
        Constraint::Global => {
            let mut global = all_of("encoded", &[]);
            global.search.global = true;
            global
        }
        Constraint::Obligation { .. } => unreachable!("obligations become formulas"),
    }
}

/// What the search says about the encoded structure, of the states it stands for.
fn encoded(case: &Case, encoding: &Encoding) -> Vec<Vec<Said>> {
    let formulas: Vec<StateFormula> = case.formulas.iter().map(|f| encoding.property(f)).collect();
    let constraint = |fair: &Fair| on_predicates(&encoding.constraint(&fair.definition)).search;
    let constraints: Vec<Fairness> = case.constraints.iter().map(constraint).collect();
    let plain = constraints.iter().all(|c| c.obligations.is_empty());
    assert!(plain, "nothing but predicates is asked for");
    ask(&encoding.graph, case.ends, &formulas, &constraints)
}

#[test]
fn ctl_marks_on_steps_agree_with_labels_of_states() {
    let mut rng = Rng::new(42);
    let (mut labels, mut holding) = (0usize, 0usize);
    for_each_case(&mut rng, cases(150), |_, case| {
        let constraints: Vec<Fairness> = case.constraints.iter().map(|c| c.search.clone()).collect();
        let own = ask(&case.graph, case.ends, &case.formulas, &constraints);
        for encoding in [node_copies(&case.graph), arc_nodes(&case.graph)] {
            let encoded = encoded(case, &encoding);
            for (i, formula) in case.formulas.iter().enumerate() {
                for (j, fair) in case.constraints.iter().enumerate() {
                    let (own, encoded) = (&own[i][j], &encoded[i][j]);
                    assert_eq!(own.holds, encoded.holds, "{}", case.show(fair, formula));
                    for (node, of) in encoding.of.iter().enumerate() {
                        let Some(state) = of else { continue };
                        // Of a state that cannot be reached, neither knows anything.
                        assert_eq!(
                            own.label[*state],
                            encoded.label[node],
                            "state {state}, node {node}: {}",
                            case.show(fair, formula)
                        );
                        labels += 1;
                        holding += usize::from(own.label[*state] == Some(true));
                    }
                }
            }
        }
    });
    println!("{labels} labels of encoded states, {holding} of them true");
}
