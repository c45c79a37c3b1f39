//! Collecting diagnostics so that one mistake gives one message.
//!
//! A wrong name is usually wrong in many places, and a wrong declaration makes all its uses wrong. So most messages
//! have a *subject* (the name, the expression), and a second message with the same code and subject is dropped.

use fairhold_source::Diagnostic;
use rustc_hash::FxHashSet;

/// Diagnostics found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, String)>,
}

/// After syntax errors, so many diagnostics are shown in all: more would be consequences.
const SHOWN_AFTER_SYNTAX_ERRORS: usize = 3;

impl Report {
    /// Adds a diagnostic.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds a diagnostic unless there is one with its code and this subject.
    pub(super) fn once(&mut self, subject: &str, diagnostic: Diagnostic) {
        if self.seen.insert((diagnostic.code, subject.to_owned())) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether there is a diagnostic with this code and subject.
    pub(super) fn said(&self, code: &'static str, subject: &str) -> bool {
        self.seen.contains(&(code, subject.to_owned()))
    }

    /// Whether there is an error among them.
    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// All diagnostics in order of place, after what the parser found. If that has errors, warnings and all but the
    /// first few errors are left out: they may merely follow from those.
    pub(super) fn finish(self, mut syntax: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut found = self.diagnostics;
        found.sort_by_key(|d| d.span);
        if syntax.iter().any(Diagnostic::is_error) {
            let room = SHOWN_AFTER_SYNTAX_ERRORS.saturating_sub(syntax.len());
            syntax.extend(found.into_iter().filter(Diagnostic::is_error).take(room));
        } else {
            syntax.extend(found);
        }
        syntax.sort_by_key(|d| d.span);
        syntax
    }
}
