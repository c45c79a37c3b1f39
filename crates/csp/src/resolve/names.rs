//! The names of a model and what they stand for.
//!
//! One name space for variables, channels, processes, constants and macros. Events have a space of their own: they
//! are not declared, only used, so the table collects where. What is kept here is all that a later assertion (from
//! the command line) needs beside the model.

use super::Resolver;
use super::tree::Origin;
use crate::model::{ChannelId, DefId, Value, VarId};
use fairhold_source::{Diagnostic, Span, did_you_mean};
use rowan::GreenNode;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A macro: an index into [`Names::macros`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MacroId(pub(super) u32);

/// So many unknown names are reported of one definition.
const MOST_UNKNOWN: u32 = 3;

/// A variable whose declaration was not looked at yet.
pub(super) const UNREACHED: VarId = VarId(u32::MAX);

/// What a name stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// A constant; without a value if that went wrong and was reported.
    Constant(Option<Value>),
    /// A proposition or program, expanded where it is used.
    Macro(MacroId),
    /// A global variable; without an id if its declaration went wrong and was reported.
    Variable(Option<VarId>),
    /// A channel, likewise.
    Channel(Option<ChannelId>),
    /// A process.
    Process(DefId),
}

impl Meaning {
    /// The word for it, with its article.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Meaning::Constant(_) => "a constant",
            Meaning::Macro(_) => "a definition of `#define`",
            Meaning::Variable(_) => "a variable",
            Meaning::Channel(_) => "a channel",
            Meaning::Process(_) => "a process",
        }
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) meaning: Meaning,
    pub(super) span: Span,
}

/// `#define` with anything but a constant.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) params: Vec<String>,
    /// Its body, detached from its file so that the table can be kept and sent.
    pub(super) body: GreenNode,
    pub(super) origin: Origin,
    pub(super) span: Span,
}

/// Where an event name is used.
#[derive(Clone, Debug, Default)]
pub(super) struct EventUse {
    /// The numbers of indices it is used with.
    pub(super) indices: BTreeSet<usize>,
    /// The definitions in which it carries a program.
    pub(super) with_program: Vec<(DefId, Span)>,
    /// The definitions in which it carries none.
    pub(super) plain: Vec<(DefId, Span)>,
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) symbols: FxHashMap<String, Symbol>,
    pub(super) macros: Vec<Macro>,
    pub(super) events: BTreeMap<String, EventUse>,
    /// Names in items that have syntax errors: nothing is known about them, and nothing is said.
    pub(super) doubtful: FxHashSet<String>,
    /// An included file could not be read: a name that is missing may be declared there.
    pub(super) incomplete: bool,
}

/// What a lookup of a global name finds.
pub(super) enum Found {
    Meaning(Meaning),
    /// Nothing, and nothing should be said about it.
    Doubtful,
    Nothing,
}

impl Names {
    /// What a global name stands for.
    pub(super) fn find(&self, name: &str) -> Found {
        match self.symbols.get(name) {
            Some(symbol) => Found::Meaning(symbol.meaning.clone()),
            None if self.incomplete || self.doubtful.contains(name) => Found::Doubtful,
            None => Found::Nothing,
        }
    }

    /// The declared names whose meaning passes a test.
    fn known(&self, test: fn(&Meaning) -> bool) -> impl Iterator<Item = &str> {
        self.symbols
            .iter()
            .filter(move |(_, s)| test(&s.meaning))
            .map(|(name, _)| name.as_str())
    }
}

impl Resolver {
    /// Declares a name; a second declaration is reported and has no effect. Says whether it took effect.
    pub(super) fn declare(&mut self, name: &str, meaning: Meaning, span: Span) -> bool {
        let Some(first) = self.names.symbols.get(name) else {
            self.names
                .symbols
                .insert(name.to_owned(), Symbol { meaning, span });
            return true;
        };
        let same = std::mem::discriminant(&first.meaning) == std::mem::discriminant(&meaning)
            || matches!(
                (&first.meaning, &meaning),
                (Meaning::Constant(_), Meaning::Macro(_)) | (Meaning::Macro(_), Meaning::Constant(_))
            );
        let diagnostic = if same {
            Diagnostic::error("duplicate-name", span, format!("`{name}` is declared twice"))
        } else {
            let message = format!("`{name}` is both {} and {}", first.meaning.word(), meaning.word());
            Diagnostic::error("name-clash", span, message)
        };
        let diagnostic = diagnostic
            .also(first.span, "first declared here")
            .help("give one of them another name");
        self.report.once(name, diagnostic);
        false
    }

    /// Reports an unknown name; `what` says what is missing ("process"), candidates pass `test`.
    pub(super) fn unknown(&mut self, name: &str, span: Span, what: &str, test: fn(&Meaning) -> bool) {
        let local = self.scope.visible_names();
        let built_in: &[&str] = if what == "process" { &["Skip", "Stop"] } else { &[] };
        let candidates = self
            .names
            .known(test)
            .chain(local)
            .chain(built_in.iter().copied());
        let help = did_you_mean(name, candidates);
        let message = format!("there is no {what} `{name}`");
        // Where an input has lost its `?`, every name it would bind is unknown: a few are enough.
        if self.unknowns.0 != self.definition {
            self.unknowns = (self.definition, 0);
        }
        if !self.report.said("unknown-name", name) {
            self.unknowns.1 += 1;
        }
        if self.unknowns.1 > MOST_UNKNOWN {
            return;
        }
        self.report
            .once(name, Diagnostic::error("unknown-name", span, message).help(help));
    }

    /// Reports a name that stands for something else than the place asks for.
    pub(super) fn unfit(&mut self, name: &str, meaning: &Meaning, span: Span, wanted: &str) {
        // Which of two declarations was meant is not known.
        if self.report.said("name-clash", name) {
            return;
        }
        let message = format!("`{name}` is {}, not {wanted}", meaning.word());
        self.report
            .once(name, Diagnostic::error("wrong-kind-of-name", span, message));
    }
}
