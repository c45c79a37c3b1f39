//! What names mean.

use crate::model::{Expr, Field, FieldId, Protocol};
use fairhold_source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// After so many errors the rest is left unsaid.
const MOST_ERRORS: usize = 50;
/// All expressions of a text together may have so many parts once `forall` and predicates are written out.
const MOST_PARTS: u32 = 1_000_000;

/// What a name means, letters of rules and of `forall` aside.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// A constant.
    Constant(i32),
    /// A field or an input.
    Field(FieldId),
    /// A value of these fields.
    Value(Vec<FieldId>),
    /// The detector.
    Detector,
    /// A predicate, by its index.
    Predicate(usize),
}

/// The names of a protocol.
#[derive(Debug, Default)]
pub(super) struct Names {
    meanings: HashMap<String, Meaning>,
    /// Where a name is declared.
    places: HashMap<String, Span>,
    /// Names whose declaration is wrong: nothing more is said about their uses.
    broken: HashSet<String>,
    /// Names of fields, predicates and the detector while only constants are known.
    later: HashSet<String>,
    /// Whether there is a detector.
    pub(super) detector: bool,
    /// How many nodes there are.
    pub(super) nodes: u32,
    pub(super) fields: Vec<Field>,
    /// What predicates mean, with the number of their parts; none if that is wrong or not known yet.
    pub(super) predicates: Vec<Option<(Expr, u32)>>,
    /// Rules by name: index, and whether they take two nodes.
    pub(super) rules: HashMap<String, (u32, bool)>,
}

impl Names {
    /// The names of a protocol that was read before.
    pub(super) fn of(protocol: &Protocol) -> Names {
        let mut names = Names {
            nodes: protocol.nodes,
            ..Names::default()
        };
        for (name, value) in &protocol.constants {
            let meaning = Meaning::Constant(*value);
            names.meanings.insert(name.clone(), meaning);
        }
        for field in &protocol.fields {
            names.add_field(field.clone());
        }
        for (k, (name, expr)) in protocol.predicates.iter().enumerate() {
            names.meanings.insert(name.clone(), Meaning::Predicate(k));
            names
                .predicates
                .push(Some((expr.clone(), super::fold::parts(expr))));
        }
        if let Some(detector) = &protocol.detector {
            names.mean(&detector.name, Meaning::Detector);
        }
        for (k, rule) in protocol.rules.iter().enumerate() {
            names.rules.insert(rule.name.clone(), (k as u32, rule.pair));
        }
        names
    }

    /// Adds a field with its values' names.
    pub(super) fn add_field(&mut self, field: Field) -> FieldId {
        let id = FieldId(self.fields.len() as u32);
        self.meanings.insert(field.name.clone(), Meaning::Field(id));
        for value in &field.names {
            match self.meanings.get_mut(value) {
                Some(Meaning::Value(fields)) => fields.push(id),
                _ => {
                    self.meanings.insert(value.clone(), Meaning::Value(vec![id]));
                }
            }
        }
        self.fields.push(field);
        id
    }

    pub(super) fn mean(&mut self, name: &str, meaning: Meaning) {
        self.detector |= meaning == Meaning::Detector;
        self.meanings.insert(name.to_owned(), meaning);
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name)
    }

    pub(super) fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// Says nothing more about the uses of a name.
    pub(super) fn give_up(&mut self, name: &str) {
        self.meanings.remove(name);
        self.broken.insert(name.to_owned());
    }

    pub(super) fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }

    /// A name that will be declared, and is no constant.
    pub(super) fn expect(&mut self, name: &str) {
        self.later.insert(name.to_owned());
    }

    pub(super) fn is_expected(&self, name: &str) -> bool {
        self.later.contains(name)
    }

    /// The place of an earlier declaration of the name; else `span` is from now on.
    pub(super) fn declare(&mut self, name: &str, span: Span) -> Option<Span> {
        match self.places.get(name) {
            Some(&first) => Some(first),
            None => {
                self.places.insert(name.to_owned(), span);
                None
            }
        }
    }

    /// The names with a meaning.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.meanings.keys().map(String::as_str)
    }

    /// The names of fields.
    pub(super) fn known_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|f| f.name.as_str())
    }
}

/// What has been said so far, and how much has been written out.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) diagnostics: Vec<Diagnostic>,
    errors: usize,
    parts: u32,
}

impl Report {
    /// Reports an error; the answer is always none.
    pub(super) fn error<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        if !self.is_full() {
            self.diagnostics.push(diagnostic);
        }
        self.errors += 1;
        None
    }

    /// Whether nothing more will be said.
    pub(super) fn is_full(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    /// Counts parts that are written out at `span`; none if there are too many.
    pub(super) fn grow(&mut self, parts: u32, span: Span) -> Option<()> {
        if self.parts > MOST_PARTS {
            return None;
        }
        self.parts = self.parts.saturating_add(parts);
        if self.parts <= MOST_PARTS {
            return Some(());
        }
        let message = "written out for all nodes, this is too long";
        let help = "count instead: `all{..}`, `some{..}` and `#{..}` need no list of nodes";
        self.error(Diagnostic::error("too-long", span, message).help(help))
    }

    /// How many errors there were.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }
}
