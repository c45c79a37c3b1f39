//! Fairness by brute force: is there a fair accepted execution, from the definitions alone?
//!
//! Take a finite product of a system and an automaton. What an execution does infinitely often is a set of moves of the product, and the sets that occur are exactly the
//! non-empty strongly connected ones: a loop through all of its moves exists, and nothing else can go on forever. Whether an execution is accepted and fair depends on that
//! set alone. So the oracle writes down *every* strongly connected set of moves ([`Recurring`]) and reads each definition off each set ([`Constraint::is_met`]). It
//! removes nothing, splits nothing, knows no maximal component that stands for its parts, and so shares no argument with a search that does.
//!
//! Cost: a set lies within a component, so two to the number of moves of the largest component. The product around the components may be of any size:
//! [`random_graph`] makes systems of several small components, and products with a component of more than [`MOST_MOVES`] moves are passed over.
//!
//! | file | idea |
//! |---|---|
//! | `graph` | a system written out, and its product with an automaton |
//! | `definition` | constraints, and when an execution meets one |
//! | `recurring` | all that an execution can do infinitely often |
//! | `branching` | strong global fairness for `[]<>p` and `<>[]p`, by reachability in the system |
//! | `random` | random systems and constraints |
//!
//! Nothing here uses the crates under test.

mod branching;
mod definition;
mod graph;
mod random;
mod recurring;

pub use branching::{always_possible, always_possibly_forever};
pub use definition::{Constraint, Forever, Formula, Party, Proposition, Strength, When};
pub use graph::{Graph, IDLE, MOST, Move, Product, Set, Step, TAU, TERMINATE, members, set_of};
pub use random::{EVENTS, PROCESSES, Shape, random_formula, random_graph, random_party};
pub use recurring::{MOST_MOVES, Recurring};

#[cfg(test)]
mod tests;
