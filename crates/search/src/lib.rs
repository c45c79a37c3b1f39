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
//! | `monitor` | [`check_safety`]: bad prefixes of executions, without a search for loops |
//! | `divergence` | [`check`] of loops of `tau` steps |
//! | `branching` | [`check_branching`]: fair CTL |
//! | `liveness` | [`check_fair`]: fair executions that an automaton accepts |
//! | `near` | the states near the start, for early looks at them |
//! | `fair` | whether a component has a fair loop: the one place where fairness is decided |
//! | `fairness` | constraints |
//! | `product`, `expanded` | the graph these search, and what was explored of it |
//! | `letters`, `lists` | the atoms of automata as bits; lists that never move |
//! | `lasso` | from a fair component to a run |
//! | `breadth` | breadth-first search with parents, the engine of these |
//! | `dive` | looks into the depth between the levels of a large search |
//! | `tarjan` | strongly connected components, depth first |
//! | `components` | strongly connected components of a graph that is written down |
//! | `recurrence` | [`check_recurrence`]: strong global fairness by what can still happen |
//! | `terminal` | strong global fairness by terminal components, without keeping steps |
//! | `level` | a level of a breadth-first search by several workers |
//! | `parallel` | [`check_fair_together`]: fair executions, looked for by several workers |
//! | `window` | the state at hand, its steps, and the one to come |
//! | `visited` | states met so far, limits and progress: what all searches share |
//! | `budget` | bytes held, and the bound on them |
//! | `path` | from state ids to a path with labels |
//!
//! With one worker a search is deterministic: same system, same question, same answer, path included. With several the verdict is the same.

mod branching;
mod breadth;
mod budget;
mod column;
mod components;
mod dive;
mod divergence;
#[cfg(test)]
mod drawn;
mod expanded;
mod explore;
mod fair;
mod fairness;
mod lasso;
mod letters;
mod level;
mod levels;
mod lists;
mod liveness;
mod monitor;
mod near;
mod numbering;
mod owed;
mod parallel;
mod path;
mod product;
mod question;
mod recurrence;
mod safety;
mod shares;
mod survey;
mod tarjan;
mod terminal;
mod visited;
mod window;

pub use branching::{
    BranchingAnswer, BranchingQuestion, BranchingSearch, Ends, Evidence, Labels, Proposition, check_branching,
};
pub use components::{Component, components};
pub use explore::{Exploration, ExploreOptions, Order, explore};
pub use fairness::{Fairness, Obligations, StepPredicate, Strength, When, Whose};
pub use letters::{Atom, MAX_ATOMS};
pub use liveness::{FairAnswer, FairQuestion, FairSearch, check_fair};
pub use monitor::check_safety;
pub use parallel::check_fair_together;
pub use question::{Answer, Conflict, Direction, Question, Statistics, check};
pub use recurrence::check_recurrence;
