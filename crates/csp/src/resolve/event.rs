//! Events: they are not declared, so every use is recorded, for formulas and for the checks of the whole model.

use super::Resolver;
use super::expression::Ty;
use super::tree;
use crate::model::{Annotation, AnnotationKind, At, EventExpr, Program};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, Span};
use std::sync::Arc;

/// An event before `->`, with its program; none for `tau`.
pub(super) struct HeadEvent {
    pub(super) event: Option<EventExpr>,
    pub(super) program: Option<Arc<Program>>,
}

impl Resolver {
    /// `e.1{program}`, `tau`, `wf(e)`
    pub(super) fn event_head(&mut self, node: &SyntaxNode) -> HeadEvent {
        let event = tree::child(node, K::EventName).and_then(|e| self.event_name(&e));
        let program = tree::child(node, K::Block).map(|b| self.program(&b));
        let Some(mut event) = event else {
            return HeadEvent { event: None, program };
        };
        let definition = self.definition.expect("events before `->` stand in definitions");
        let known = self.names.events.entry(event.name.to_string()).or_default();
        known.indices.insert(event.indices.len());
        let place = (definition, event.at.0);
        if program.is_some() {
            known.with_program.push(place);
        } else {
            known.plain.push(place);
        }
        self.event_clash(&event.name, event.at.0);
        if &*event.name == "terminate" {
            let message = "`terminate` is the event of successful termination, which `Skip` performs";
            let error = Diagnostic::error("reserved-event", event.at.0, message);
            self.report
                .once("terminate", error.help("give this event another name"));
        }
        if let Some(kind) = tree::ident(node).and_then(|t| annotation_kind(t.text())) {
            event.annotation = Some(kind);
            let annotation = Annotation {
                kind,
                event: event.clone(),
                definition,
            };
            if !self.annotations.contains(&annotation) {
                self.annotations.push(annotation);
            }
        }
        HeadEvent {
            event: Some(event),
            program,
        }
    }

    /// `e.1.x`
    pub(super) fn event_name(&mut self, node: &SyntaxNode) -> Option<EventExpr> {
        let name = match tree::ident(node) {
            Some(name) => name.text().to_owned(),
            None => tree::unquoted(&tree::token(node, K::Str)?),
        };
        let mut indices = Vec::new();
        let mut complete = true;
        for index in tree::exprs(node) {
            let typed = self.expr(&index);
            if let Ty::Array(..) = typed.ty {
                let message = "an array cannot be an index of an event";
                let error = Diagnostic::error("array-as-index", self.span(&index), message);
                self.report.once(&tree::text(&index), error);
            }
            complete &= !typed.is_wrong();
            indices.push(typed.expr);
        }
        // An event with a wrong index is kept: it is an event all the same, and the model will not run.
        let indices = if complete { indices } else { Vec::new() };
        Some(EventExpr {
            name: name.into(),
            indices,
            annotation: None,
            at: At(self.span(node)),
        })
    }

    /// Warns of an event that has the name of something else.
    fn event_clash(&mut self, name: &str, span: Span) {
        if self.scope.find(name).is_some() {
            let message =
                format!("this is the event `{name}`, not the value of the name `{name}` bound here");
            let help = format!("to show the value, make it an index: `e.{name}`");
            self.report
                .once(name, Diagnostic::warning("name-clash", span, message).help(help));
        } else if let Some(symbol) = self.names.symbols.get(name) {
            let message = format!(
                "`{name}` is an event here and {} elsewhere",
                symbol.meaning.word()
            );
            let warning = Diagnostic::warning("name-clash", span, message)
                .help("the two have nothing to do with each other; give one of them another name")
                .also(symbol.span, "declared here");
            self.report.once(name, warning);
        }
    }
}

fn annotation_kind(name: &str) -> Option<AnnotationKind> {
    Some(match name {
        "wf" => AnnotationKind::WeakFair,
        "sf" => AnnotationKind::StrongFair,
        "wl" => AnnotationKind::WeakLive,
        "sl" => AnnotationKind::StrongLive,
        _ => return None,
    })
}
