//! Searches over systems, one algorithm a file.
//!
//! Everything here is generic over the [`System`](fairhold_system::System) and knows nothing else about a model. A search keeps
//! the states it met in a [`StateTable`](fairhold_store::StateTable), stays within its
//! [`Limits`](fairhold_system::Limits), and obeys its [`Observer`](fairhold_system::Observer).
//!
//! | file | what it does |
//! |---|---|
//! | `question` | what can be asked, and the answer |
//! | `explore` | [`explore`]: the reachable graph in numbers |
//! | `safety` | [`check`] of what a finite path shows: deadlock, termination, determinism, reachability, optimum |
//! | `divergence` | [`check`] of loops of `tau` steps |
//! | `breadth` | breadth-first search with parents, the engine of these |
//! | `tarjan` | strongly connected components, depth first |
//! | `visited` | states met so far, limits and progress: what all searches share |
//! | `budget` | bytes held, and the bound on them |
//! | `path` | from state ids to a path with labels |
//!
//! A search is sequential and deterministic: same system, same question, same answer, path included.

mod breadth;
mod budget;
mod divergence;
mod explore;
mod path;
mod question;
mod safety;
mod tarjan;
mod visited;

pub use explore::{Exploration, ExploreOptions, Order, explore};
pub use question::{Answer, Conflict, Direction, Question, Statistics, check};
