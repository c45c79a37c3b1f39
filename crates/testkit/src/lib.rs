//! What the tests of Fairhold share: the runner of `spec/`, the rules of tidiness, seeded random choices.
//!
//! | module | for |
//! |---|---|
//! | [`spec`] | behaviour written as Markdown: a heading is a test, a block is a file or a transcript |
//! | [`tidy`] | rules about the repository itself, each a function from text to complaints |
//! | [`generate`] | random CSP# models, and wrong versions of them |
//! | [`spin`] | SPIN, to compare verdicts and times with |
//! | [`fair`] | which fair executions exist, by brute force: the judge of every search for one |
//! | [`ctl`] | which states satisfy a branching formula over fair paths, by brute force |
//! | [`examples`] | the models that ship, as files |
//! | [`Rng`], [`cases`], [`time`] | random tests that are the same in every run, and longer on demand |
//! | [`broken`] | texts broken at random, for front ends that must answer whatever they read |
//! | [`describe`], [`percent`] | how random cases are spread |
//! | [`undisturbed`] | measurements during which others left the machine alone |
//!
//! Only tests and `xtask` depend on this crate.

mod broken;
mod calm;
pub mod ctl;
mod examples;
pub mod fair;
pub mod generate;
mod random;
pub mod spec;
pub mod spin;
mod spread;
pub mod tidy;

pub use broken::broken;
pub use calm::undisturbed;
pub use examples::{examples, examples_in, protocols};
pub use random::{Rng, cases, time};
pub use spread::{describe, percent};
