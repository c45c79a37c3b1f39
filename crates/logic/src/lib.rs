//! Temporal logic: formulas over atoms that a front end numbers.
//!
//! A front end parses a formula in its own syntax, numbers its atoms ([`AtomId`]) and hands over [`Ltl`] or [`Ctl`].
//! This crate knows nothing of models.

mod ctl;
mod ltl;

pub use ctl::{Ctl, Quantifier};
pub use ltl::Ltl;

/// An atom of a formula: an index into the front end's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);
