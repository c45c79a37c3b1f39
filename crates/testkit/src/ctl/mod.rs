//! Fair computation tree logic by brute force: which states of a small structure satisfy a formula, from the definitions alone.
//!
//! What a path does infinitely often is a strongly connected set of steps, and all such sets of a small structure can be written down ([`Recurring`](crate::fair::Recurring)). Those
//! that meet the constraint are the fair loops. A path formula (`p U q` and its like) is read along a path state by state until it is decided; so whether some fair path
//! decides it one way is a question of reachability and of fair loops, and the oracle asks just that, for `E` and for `A`, by naive iteration. It knows no law that turns one
//! operator into another, no maximal component, no restricted structure whose enabled events could be mistaken for those of the whole.
//!
//! | file | idea |
//! |---|---|
//! | `formula` | state formulas and path formulas |
//! | `label` | the states that satisfy a formula |
//! | `random` | random structures with ends, and random formulas |
//! | `encode` | what steps carry, as labels of states, in two ways [EmersonLei-TR'84] |
//! | `sat` | satisfiability of clauses as a question about fair paths [EmersonLei-TR'84] |
//!
//! Structures and constraints are those of [`fair`](crate::fair). Nothing here uses the crates under test.

mod encode;
mod formula;
mod label;
mod random;
mod sat;

pub use encode::{Encoding, arc_nodes, node_copies};
pub use formula::{Atom, PathFormula, Quantifier, StateFormula};
pub use label::Paths;
pub use random::{Ends, random_property, random_structure, without_idling};
pub use sat::Clauses;

#[cfg(test)]
mod tests;
