//! What a front end has to say about a text.

use crate::Span;

/// How bad it is. An error means the model is not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The model cannot be run.
    Error,
    /// The model runs, perhaps not as meant.
    Warning,
    /// The model runs as meant; this is worth knowing about it.
    Note,
}

/// One message about one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error, warning or note.
    pub severity: Severity,
    /// A stable kebab-case name, such as `unknown-name`: for scripts and for the spec.
    pub code: &'static str,
    /// Where; none for a fault that has no place (a missing file).
    pub span: Option<Span>,
    /// What is wrong: one plain sentence without a final full stop.
    pub message: String,
    /// What to do about it; empty if there is nothing to add.
    pub help: String,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            span: Some(span),
            message: message.into(),
            help: String::new(),
            related: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// An error without a place.
    pub fn bare(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: None,
            ..Diagnostic::error(code, Span::default(), message)
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = help.into();
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, words: impl Into<String>) -> Diagnostic {
        self.related.push((span, words.into()));
        self
    }

    /// Whether it keeps the model from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
