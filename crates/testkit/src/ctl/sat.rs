//! Satisfiability of clauses as a question about fair paths.
//!
//! Deciding whether a state has a path that meets any constraint of `GF`s and `FG`s is NP-complete, by this reduction (Theorem 2 of [EmersonLei-TR'84]). A row of three states a
//! clause, one for each of its literals; a loop passes through one state of every row. The state of a literal `x_k` is labelled `p_k`, that of `not x_k` is labelled `q_k`. A loop that
//! does not have both `p_k` and `q_k`, for any `k`, chooses true literals: so such a path exists if and only if the clauses are satisfiable, and the constraint
//! is `/\ (FG !p_k or FG !q_k)`.

use crate::Rng;
use crate::fair::{Constraint, Formula, Graph, Proposition, Step};

/// Clauses of three literals over the variables from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clauses {
    /// How many variables there are.
    pub variables: u32,
    /// The clauses; a literal is a variable and whether it stands there as itself, not negated.
    pub clauses: Vec<[(u32, bool); 3]>,
}

impl Clauses {
    /// Random clauses, each of three different variables.
    ///
    /// # Panics
    /// If there are fewer than three variables.
    pub fn random(rng: &mut Rng, variables: u32, clauses: usize) -> Clauses {
        let clause = |_| {
            let mut chosen: Vec<u32> = Vec::new();
            while chosen.len() < 3 {
                let variable = rng.below(variables as usize) as u32;
                if !chosen.contains(&variable) {
                    chosen.push(variable);
                }
            }
            [0, 1, 2].map(|i| (chosen[i], rng.chance(1, 2)))
        };
        assert!(variables >= 3, "a clause has three variables");
        Clauses {
            variables,
            clauses: (0..clauses).map(clause).collect(),
        }
    }

    /// Whether some assignment makes a literal of every clause true: all are tried.
    pub fn is_satisfiable(&self) -> bool {
        (0u64..1 << self.variables).any(|assignment| {
            let is_true = |&(variable, positive): &(u32, bool)| (assignment >> variable & 1 == 1) == positive;
            self.clauses.iter().all(|clause| clause.iter().any(is_true))
        })
    }

    /// The structure. State 0 starts the loop, state 1 closes it; predicate `2k` is `p_k`, and `2k + 1` is `q_k`.
    pub fn structure(&self) -> Graph {
        let rows = self.clauses.len();
        let state = |row: usize, place: usize| 2 + 3 * row + place;
        let mut predicates = vec![0, 0];
        for &(variable, positive) in self.clauses.iter().flatten() {
            predicates.push(1 << (2 * variable + u32::from(!positive)));
        }
        let mut steps = vec![(1, 0)];
        for place in 0..3 {
            steps.push((0, state(0, place)));
            steps.push((state(rows - 1, place), 1));
            for row in 1..rows {
                steps.extend((0..3).map(|before| (state(row - 1, before), state(row, place))));
            }
        }
        let step = |(from, to)| Step {
            from,
            event: 2,
            processes: 1,
            to,
        };
        // Not `Graph::new`: these structures may be larger than sets are.
        Graph {
            initial: vec![0],
            offered: vec![0; predicates.len()],
            predicates,
            steps: steps.into_iter().map(step).collect(),
        }
    }

    /// `/\ (FG !p_k or FG !q_k)`.
    pub fn constraint(&self) -> Constraint {
        let never = |p: u32| Formula::Always(Proposition::Not(Box::new(Proposition::State(p))));
        let one = |k: u32| Formula::Or(vec![never(2 * k), never(2 * k + 1)]);
        Constraint::Formula(Formula::And((0..self.variables).map(one).collect()))
    }
}
