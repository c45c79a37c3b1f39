//! Hidden variables (CSP#'s `hvar`): what is said of them, and what an answer is worth where their values are merged.
//!
//! A hidden variable never changes a verdict: where its value matters it is part of the state, and where two runs to
//! one state disagree on it, a note says so. PAT keeps the first value met instead, silently. That reading is there
//! for comparison ([`Hidden::Merge`]), and an answer then stands if it rests on a run, which has been walked with its
//! own values and judged, or if no two runs disagreed on a value that matters. Else it is `unknown`.

use crate::report::CheckResult;
use fairhold_csp::compile::{HiddenDisagreement, Relevance};
use fairhold_source::{Diagnostic, Severity};
use fairhold_system::{Keep, Verdict};

/// How reasons begin that speak of merging.
const MERGED: &str = "hidden variables are merged";

/// How hidden variables are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Hidden {
    /// They are part of a state as far as they matter.
    #[default]
    Exact,
    /// They tell no states apart: the first values met stay.
    Merge,
}

impl Hidden {
    /// What states keep, if it is this where hidden variables are part of them.
    pub(crate) fn keep(self, exactly: Keep) -> Keep {
        match self {
            Hidden::Exact => exactly,
            Hidden::Merge => Keep::Merged,
        }
    }

    /// What there is to say about the variables on which runs disagree.
    pub(crate) fn notes(self, found: &[HiddenDisagreement]) -> Vec<Diagnostic> {
        // A value that waits to be an argument costs no more states than the argument would.
        let least = match self {
            Hidden::Exact => Relevance::Read,
            Hidden::Merge => Relevance::Argument,
        };
        let worth_a_note = found.iter().filter(|one| one.relevance >= least);
        worth_a_note.map(|one| self.note(one)).collect()
    }

    fn note(self, found: &HiddenDisagreement) -> Diagnostic {
        let by = match found.asked {
            true => "which the assertion reads",
            false => "which is read later",
        };
        let (so, help) = match self {
            Hidden::Exact => (
                "it is part of the state",
                "write `var`, or give it a fixed value where nobody needs it any more: then it costs no states",
            ),
            Hidden::Merge => (
                "the value met first stays",
                "what follows from other values is not explored; without merging, it is",
            ),
        };
        let message = format!(
            "runs to one state differ in the hidden variable `{}`, {by}: {so}",
            found.name
        );
        let note = Diagnostic::warning("hidden-variable", found.declared, message).help(help);
        Diagnostic {
            severity: Severity::Note,
            ..note
        }
    }

    /// Adds to a result what there is to say about hidden variables, and takes back what merging does not support.
    /// `least`: what a value must matter at least to make a difference to the question. `rests_on_run`: whether the
    /// run in the result, which was judged, shows the verdict all by itself.
    pub(crate) fn settle(
        self,
        found: &[HiddenDisagreement],
        least: Relevance,
        rests_on_run: bool,
        result: &mut CheckResult,
    ) {
        result.notes = self.notes(found);
        if self == Hidden::Exact || found.is_empty() {
            return;
        }
        if result.bug.take().is_some() {
            // The search was right about merged states; there is just no such run with real values.
            give_up(result, mixed(found));
        }
        let decided = matches!(result.verdict, Verdict::Holds | Verdict::Fails);
        if decided && !rests_on_run && found.iter().any(|one| one.relevance >= least) {
            let differ = of(found, least);
            give_up(
                result,
                format!("{MERGED}: what follows from other values {differ} was not explored"),
            );
        }
    }
}

/// Why a run that was found is none with real values.
pub(crate) fn mixed(found: &[HiddenDisagreement]) -> String {
    let values = of(found, Relevance::Dead);
    format!("{MERGED}: the run that was found mixes values {values} from several runs")
}

/// The variables on which runs disagree where it matters so much, as the end of a phrase.
fn of(found: &[HiddenDisagreement], least: Relevance) -> String {
    let named: Vec<String> = found
        .iter()
        .filter(|one| one.relevance >= least)
        .map(|one| format!("`{}`", one.name))
        .collect();
    let s = if named.len() == 1 { "" } else { "s" };
    format!("of the hidden variable{s} {}", named.join(", "))
}

/// Takes a verdict back, and what was said along with it.
fn give_up(result: &mut CheckResult, why: String) {
    result.verdict = Verdict::Unknown;
    result.reason = Some(why);
    result.feasible = None;
    result.unmet.clear();
    result.vacuous = None;
    result.value = None;
    result.counterexample = None;
    result.witness = None;
    result.why_not = None;
    result.labels = None;
}
