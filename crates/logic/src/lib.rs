//! Temporal logic: formulas over atoms that a front end numbers.
//!
//! A front end parses a formula in its own syntax, numbers its atoms ([`AtomId`]) and hands over [`Ltl`] or [`Ctl`].
//! This crate knows nothing of models.

mod acceptance;
mod automaton;
mod components;
mod ctl;
mod formula;
mod guard;
mod hoa;
mod implication;
mod ltl;
mod parse;
mod reduce;
mod rewrite;
mod show;
mod simulation;
mod stutter;
mod translate;
mod trim;
mod word;

pub use acceptance::{Acceptance, MarkId};
pub use automaton::{Automaton, Edge, MAX_MARKS, MarkSet, State, StateIndex, TooLarge};
pub use ctl::{Ctl, Quantifier};
pub use guard::{Cube, Guard, MAX_ATOMS};
pub use hoa::read_hoa;
pub use ltl::Ltl;
pub use parse::{Parsed, parse};
pub use reduce::reduce;
pub use stutter::is_insensitive;
pub use translate::{Translation, translate};
pub use word::Word;

/// An atom of a formula: an index into the front end's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

// The generators of `tests/` serve the unit tests as well; they name this crate as those tests do.
#[cfg(test)]
extern crate self as fairhold_logic;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
