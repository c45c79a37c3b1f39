//! The oracle on structures small enough to draw.

use super::PathFormula::{Finally, Globally, Next, Release, Until, WeakUntil};
use super::*;
use crate::Rng;
use crate::fair::{Constraint, Graph, MOST, Party, Product, Recurring, Set, Step, Strength, When};

/// Steps as (from, process, to), and the predicates of the states.
fn structure(predicates: &[u64], steps: &[(usize, u32, usize)]) -> Graph {
    let step = |&(from, process, to): &(usize, u32, usize)| Step {
        from,
        event: 2 + process,
        processes: 1 << process,
        to,
    };
    let all = steps.iter().map(step).collect();
    Graph::new(vec![0], predicates.to_vec(), vec![0; predicates.len()], all)
}

fn label(graph: &Graph, constraint: &Constraint, formula: &StateFormula) -> Set {
    let product = Product::new(graph, &[0], |_, _, _| vec![(0, 0)]).expect("a small structure");
    let recurring = Recurring::new(graph, &product, |_| true).expect("small components");
    Paths::new(graph, &recurring, constraint).label(formula)
}

fn plain(graph: &Graph, formula: &StateFormula) -> Set {
    label(graph, &Constraint::All(Vec::new()), formula)
}

/// The processes 0 and 1, each with this obligation.
fn both(strength: Strength) -> Constraint {
    let one = |process| Constraint::Obligation {
        strength,
        when: When::Enabled,
        party: Party::Process(process),
    };
    Constraint::All(vec![one(0), one(1)])
}

fn p() -> StateFormula {
    StateFormula::predicate(0)
}

fn q() -> StateFormula {
    StateFormula::predicate(1)
}

#[test]
fn the_random_number_generator_ends_only_without_paths() {
    // Process 0 counts, process 1 stops; the end has no path.
    let idling = structure(&[0, 0], &[(0, 0, 0), (0, 1, 1)]);
    let ending = without_idling(&idling);
    let ends = StateFormula::all(Finally(StateFormula::all(Next(None, StateFormula::Const(false)))));
    assert_eq!(plain(&ending, &ends), 0b10);
    for strength in [Strength::Weak, Strength::Strong] {
        assert_eq!(label(&ending, &both(strength), &ends), 0b11);
        // Nothing is fair there, so everything holds of all fair paths.
        assert_eq!(
            label(&ending, &both(strength), &StateFormula::all(Finally(p()))),
            0b11
        );
        assert_eq!(label(&idling, &both(strength), &ends), 0);
    }
}

#[test]
fn mutual_exclusion_needs_strong_fairness() {
    // T1 is p, C1 is q.
    let (t, c) = (0b01, 0b10);
    let predicates = [0, t, 0, c, t, 0, c, t];
    let first = [(0, 1), (1, 3), (3, 0), (2, 4), (4, 6), (6, 2), (5, 7)];
    let second = [(0, 2), (2, 5), (5, 0), (1, 4), (4, 7), (7, 1), (3, 6)];
    let steps: Vec<(usize, u32, usize)> = first
        .iter()
        .map(|&(from, to)| (from, 0, to))
        .chain(second.iter().map(|&(from, to)| (from, 1, to)))
        .collect();
    let graph = structure(&predicates, &steps);
    let served = StateFormula::all(Globally(p().implies(StateFormula::all(Finally(q())))));
    assert_eq!(plain(&graph, &served), 0);
    assert_eq!(label(&graph, &both(Strength::Weak), &served), 0);
    assert_eq!(label(&graph, &both(Strength::Strong), &served), 0xff);
}

#[test]
fn path_formulas_are_read_along_paths() {
    // 0 (p) -> 1 (p, q) -> 2 (nothing) loops; 0 loops too.
    let graph = structure(&[0b01, 0b11, 0b00], &[(0, 0, 0), (0, 1, 1), (1, 0, 2), (2, 0, 2)]);
    let (e, a) = (StateFormula::exists, StateFormula::all);
    assert_eq!(plain(&graph, &e(Until(p(), q()))), 0b011);
    assert_eq!(plain(&graph, &a(Until(p(), q()))), 0b010);
    assert_eq!(plain(&graph, &a(WeakUntil(p(), q()))), 0b011);
    assert_eq!(plain(&graph, &a(Release(q(), p()))), 0b011);
    assert_eq!(plain(&graph, &e(Globally(p()))), 0b001);
    assert_eq!(plain(&graph, &e(Release(q(), p()))), 0b011);
    assert_eq!(
        plain(&graph, &a(Finally(q().or(p().negated())))),
        0b110,
        "0 may loop"
    );
    assert_eq!(
        label(&graph, &Constraint::Global, &a(Finally(p().negated()))),
        0b111
    );
    assert_eq!(plain(&graph, &e(Next(Some(vec![3]), q()))), 0b001);
    assert_eq!(plain(&graph, &a(Next(Some(vec![3]), q()))), 0b111);
    assert_eq!(plain(&graph, &a(Next(Some(vec![2]), p()))), 0b001);
}

#[test]
fn enabled_is_read_off_the_whole_structure() {
    // 0 loops by process 0, process 1 leads out of p: restricted to p, nobody is missed.
    let graph = structure(&[0b01, 0b00], &[(0, 0, 0), (0, 1, 1), (1, 1, 1)]);
    let stay = StateFormula::exists(Globally(p()));
    assert_eq!(plain(&graph, &stay), 0b01);
    assert_eq!(label(&graph, &both(Strength::Weak), &stay), 0);
    assert_eq!(label(&graph, &Constraint::Global, &stay), 0);
}

#[test]
fn clauses_are_decided_by_trying() {
    let clause = |signs: [bool; 3]| [(0, signs[0]), (1, signs[1]), (2, signs[2])];
    let all: Vec<_> = (0..8)
        .map(|i| clause([i & 1 == 1, i & 2 == 2, i & 4 == 4]))
        .collect();
    let some = Clauses {
        variables: 3,
        clauses: all[1..].to_vec(),
    };
    let unsatisfiable = Clauses {
        variables: 3,
        clauses: all,
    };
    assert!(some.is_satisfiable() && !unsatisfiable.is_satisfiable());
    assert_eq!(some.structure().predicates.len(), 2 + 3 * 7);
}

#[test]
fn a_small_row_of_clauses_agrees_with_its_structure() {
    // Two clauses and two variables: the whole structure is one component of few enough moves.
    let contradiction = Clauses {
        variables: 1,
        clauses: vec![[(0, true); 3], [(0, false); 3]],
    };
    let choice = Clauses {
        variables: 2,
        clauses: vec![
            [(0, true), (0, true), (1, true)],
            [(0, false), (0, false), (1, true)],
        ],
    };
    for clauses in [contradiction, choice] {
        let fair = label(
            &clauses.structure(),
            &clauses.constraint(),
            &StateFormula::exists(Globally(StateFormula::Const(true))),
        );
        assert_eq!(fair & 1 == 1, clauses.is_satisfiable());
    }
}

#[test]
fn both_encodings_of_a_loop_keep_its_labels() {
    let graph = structure(&[0b01, 0b00], &[(0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 0, 0)]);
    let stay = StateFormula::exists(Globally(p()));
    let mut rng = Rng::new(3);
    for constraint in [both(Strength::Weak), both(Strength::Strong), Constraint::Global] {
        for encoding in [node_copies(&graph), arc_nodes(&graph)] {
            assert!(encoding.graph.predicates.len() <= MOST);
            for formula in [stay.clone(), random_property(&mut rng, 2)] {
                let own = label(&graph, &constraint, &formula);
                let encoded = label(
                    &encoding.graph,
                    &encoding.constraint(&constraint),
                    &encoding.property(&formula),
                );
                for (node, of) in encoding.of.iter().enumerate() {
                    let Some(state) = of else { continue };
                    assert_eq!(encoded >> node & 1, own >> state & 1, "{formula:?}");
                }
            }
        }
    }
}
