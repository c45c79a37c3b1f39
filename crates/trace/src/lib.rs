//! Runs of a system: build, render, replay.
//!
//! A search hands over a [`fairhold_system::Path`] in its own ids. [`Run`] is the same walk by names; it is printed
//! by [`run_to_text`], written by [`run_to_json`], read by [`run_from_json`], and judged by [`replay`] on a [`Judge`]: a second, independent
//! semantics. A counterexample that its judge rejects is never shown as one: [`judge_fairness`] looks whether the loop is fair and
//! writes its ledger, [`satisfies`] whether a formula is violated, [`why_not`] what the loop starves.

mod branch;
mod constraint;
#[cfg(test)]
mod counter;
mod differ;
mod fair;
#[cfg(test)]
mod figures;
mod json;
mod judge;
mod lasso;
mod ledger;
mod matching;
mod offers;
mod prefix;
mod property;
mod read;
mod replay;
mod run;
mod text;
mod why;

pub use branch::{Branch, Claims, judge_branches};
pub use constraint::{AnnotationKind, Constraint, Formula, Notion, Predicate};
pub use fair::{Execution, Holds, NamedStep, Unfair, judge_fairness, loop_of};
pub use json::{fields_to_json, run_to_json};
pub use judge::{Enabled, Judge, JudgedStep};
pub use lasso::{LassoClaim, TrueOf};
pub use matching::{Guide, unguided};
pub use prefix::Progressed;
pub use property::{AtomHolds, satisfies, word};
pub use read::{Malformed, run_from_json};
pub use replay::{Invalid, Replay, replay, trail};
pub use run::{Discharged, IDLE, LedgerEntry, Run, RunStep};
pub use text::{Detail, changes_to_text, fields_to_text, run_to_text};
pub use why::{Starved, WhyNot, why_not};
