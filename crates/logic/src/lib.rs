//! Temporal logic: formulas over atoms that a front end numbers.
//!
//! A front end parses a formula in its own syntax, numbers its atoms ([`AtomId`]) and hands over [`Ltl`] or [`Ctl`].
//! This crate knows nothing of models. It turns an LTL formula into an automaton that accepts the words that satisfy it:
//!
//! | file | idea |
//! |---|---|
//! | `ltl`, `ctl` | formulas as front ends build them |
//! | `written` | formulas as they were written, of either logic, and the mixture explained |
//! | `decision`, `abstraction` | what a formula says of single states and events, as one atom each |
//! | `parse` | LTL as text, for `fairhold ltl` |
//! | `formula`, `implication`, `rewrite` | shared formulas in negation normal form, and their simplification |
//! | `translate` | the tableau: from a formula to an automaton |
//! | `trim`, `simulation`, `reduce` | smaller automata with the same language |
//! | `acceptance`, `guard`, `automaton` | Emerson-Lei conditions, sets of letters, automata |
//! | `buchi`, `determinise`, `complement` | from an automaton to one that accepts what it does not |
//! | `hoa`, `show` | automata in and out |
//! | `word` | what satisfies a formula and what an automaton accepts, by definition: the judge |
//! | `stutter` | whether a formula can see a step that touches none of its atoms |
//!
//! ```
//! use fairhold_logic::{parse, translate};
//! use fairhold_source::FileId;
//!
//! let parsed = parse(FileId(0), "[]<>p && []<>q");
//! let formula = parsed.formula.expect("no errors");
//! let translation = translate(&formula, &|a| parsed.atoms[a.0 as usize].clone()).expect("few atoms");
//! assert_eq!(translation.automaton.states.len(), 1);
//! assert_eq!(translation.automaton.acceptance.to_string(), "Inf(0)&Inf(1)");
//! ```

mod abstraction;
mod acceptance;
mod automaton;
mod buchi;
mod complement;
mod components;
mod ctl;
mod decision;
mod determinise;
mod formula;
mod guard;
mod hoa;
mod implication;
mod ltl;
mod parse;
mod reduce;
mod rewrite;
mod safety;
mod show;
mod simulation;
mod stutter;
mod translate;
mod trim;
mod vacuity;
mod word;
mod written;

pub use abstraction::{FreshAtoms, Letter};
pub use acceptance::{Acceptance, MarkId};
pub use automaton::{Automaton, Edge, MAX_MARKS, MarkSet, State, StateIndex, TooLarge};
pub use complement::complement;
pub use ctl::{Ctl, Quantifier};
pub use decision::Decision;
pub use guard::{Cube, Guard, MAX_ATOMS};
pub use hoa::{atom_places, read_hoa};
pub use ltl::Ltl;
pub use parse::{Parsed, parse};
pub use reduce::reduce;
pub use safety::bad_prefixes;
pub use stutter::is_insensitive;
pub use translate::{Translation, translate};
pub use vacuity::{Part, parts};
pub use word::Word;
pub use written::{Binary, Join, Logic, Unary, Written, event_in_ctl};

/// An atom of a formula: an index into the front end's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

// The generators of `tests/` serve the unit tests as well; they name this crate as those tests do.
#[cfg(test)]
extern crate self as fairhold_logic;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
