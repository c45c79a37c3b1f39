//! Names in expressions: what they mean where they stand, and what to say if they mean nothing.

use super::expr::{Resolver, Scope, Typed, value_name, values};
use super::names::Meaning;
use crate::model::{Expr, FieldId, Place};
use crate::syntax::tree::Name;
use fairhold_source::{Diagnostic, Span, did_you_mean, nearest};

impl<'t> Resolver<'_, 't> {
    pub(super) fn name(&mut self, (name, span): Name<'t>, expected: Option<FieldId>) -> Option<Typed> {
        if let Some(letter) = self.letters.iter().find(|l| l.name == name) {
            let (expr, domain) = (letter.expr.clone(), letter.domain);
            return Some(Typed { expr, domain });
        }
        let plain = |expr| Some(Typed { expr, domain: None });
        match name {
            "true" => return plain(Expr::Const(1)),
            "false" => return plain(Expr::Const(0)),
            "node" if self.each || self.scope == Scope::Node => return plain(Expr::Node(Place::Each)),
            "node" => {
                let message = "`node` has a meaning only where one node is looked at";
                let help = "in `#{..}`, `all{..}`, `some{..}`, the value of an input, or an initial value";
                return self
                    .report
                    .error(Diagnostic::error("which-node", span, message).help(help));
            }
            "i" | "r" => {
                return self
                    .rule_node(name, span)
                    .and_then(|place| plain(Expr::Node(place)));
            }
            "guessT" | "guessF" => return self.event_here(span),
            "deadlock" => {
                let message = "`deadlock` is not said of a configuration here";
                let help = "it can stand in a formula with path quantifiers, as in `AG !deadlock`";
                return self
                    .report
                    .error(Diagnostic::error("not-a-condition", span, message).help(help));
            }
            "correct" => {
                self.configuration("the detector", span)?;
                if self.names.detector || self.names.is_broken("detector") {
                    return plain(Expr::Correct);
                }
                let message = "there is no detector that could be correct";
                return self
                    .report
                    .error(Diagnostic::error("unknown-name", span, message));
            }
            _ => {}
        }
        match self.names.meaning(name) {
            Some(Meaning::Constant(value)) => plain(Expr::Const(*value)),
            Some(Meaning::Value(fields)) => self.value(name, span, fields, expected),
            Some(&Meaning::Field(id)) => {
                let place = self.this_node(name, span)?;
                let (expr, domain) = (Expr::Field(place, id), Some(id));
                Some(Typed { expr, domain })
            }
            Some(Meaning::Detector) => {
                self.configuration("the detector", span)?;
                plain(Expr::Detector)
            }
            Some(&Meaning::Predicate(k)) => {
                self.configuration("a predicate", span)?;
                let (expr, parts) = self.names.predicates[k].as_ref()?;
                self.report.grow(*parts, span)?;
                plain(expr.clone())
            }
            None => self.unknown(name, span),
        }
    }

    pub(super) fn unknown<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.names.is_broken(name) || self.lost.contains(&name) {
            return None;
        }
        if self.report.is_full() {
            // To look for what was meant takes time.
            return self.report.error(Diagnostic::error("unknown-name", span, ""));
        }
        if self.scope == Scope::Constant && self.names.is_expected(name) {
            return self.not_constant(&format!("`{name}`"), span);
        }
        let letters = self.letters.iter().map(|l| l.name);
        let help = match nearest(name, self.names.known().chain(letters)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if self.names.rules.contains_key(name) => {
                format!("it is a rule; its events have nodes: `{name}.0.1`")
            }
            None if matches!(self.scope, Scope::Rule { .. }) => {
                format!("a letter is bound by a pattern, as in `(field={name})`")
            }
            None => String::new(),
        };
        let message = format!("there is no `{name}`");
        self.report
            .error(Diagnostic::error("unknown-name", span, message).help(help))
    }

    /// The number of a value, by its name: of the field it is compared with, else of the only list of values that has it.
    pub(super) fn value(
        &mut self,
        name: &str,
        span: Span,
        fields: &[FieldId],
        expected: Option<FieldId>,
    ) -> Option<Typed> {
        let number = |id: FieldId| {
            let field = self.names.field(id);
            let at = field.names.iter().position(|n| n == name)?;
            Some(Typed {
                expr: Expr::Const(field.low + at as i32),
                domain: Some(id),
            })
        };
        if let Some(id) = expected {
            if let Some(found) = number(id) {
                return Some(found);
            }
            let field = self.names.field(id);
            let message = format!("`{name}` is no value of `{}`", field.name);
            let meant = nearest(name, field.names.iter().map(String::as_str));
            let help = meant.map_or_else(|| values(field), |meant| format!("did you mean `{meant}`?"));
            return self
                .report
                .error(Diagnostic::error("wrong-value", span, message).help(help));
        }
        let first = *fields.first()?;
        let lists = |id: &FieldId| &self.names.field(*id).names;
        if let Some(other) = fields.iter().find(|id| lists(id) != lists(&first)) {
            let (a, b) = (&self.names.field(first).name, &self.names.field(*other).name);
            let message = format!("`{name}` is a value of `{a}` and of `{b}`: which is meant?");
            let help = format!("compare a field with it, as in `#{{{a}={name}}}`");
            return self
                .report
                .error(Diagnostic::error("ambiguous-value", span, message).help(help));
        }
        number(first)
    }

    /// Whose field it is that stands alone.
    pub(super) fn this_node(&mut self, name: &str, span: Span) -> Option<Place> {
        if self.each {
            return Some(Place::Each);
        }
        let (code, message, help) = match self.scope {
            Scope::Constant | Scope::Node => {
                return self.not_constant("a field", span);
            }
            Scope::Configuration => (
                "which-node",
                format!("whose `{name}`?"),
                format!(
                    "write `{name}[0]`, or count: `#{{{name}=1}}`, `all{{{name}=1}}`, `some{{{name}=1}}`"
                ),
            ),
            Scope::Rule { pair: true } => (
                "which-node",
                format!("whose `{name}`?"),
                format!("write `i.{name}` for the initiator or `r.{name}` for the responder"),
            ),
            Scope::Rule { pair: false } => (
                "which-node",
                format!("whose `{name}`?"),
                format!("write `i.{name}` for the node of the rule"),
            ),
        };
        self.report
            .error(Diagnostic::error(code, span, message).help(help))
    }

    /// Only a configuration has this.
    pub(super) fn configuration(&mut self, what: &str, span: Span) -> Option<()> {
        match self.scope {
            Scope::Constant | Scope::Node => self.not_constant(what, span),
            Scope::Configuration | Scope::Rule { .. } => Some(()),
        }
    }

    pub(super) fn not_constant<T>(&mut self, what: &str, span: Span) -> Option<T> {
        let message = format!("{what} depends on the configuration, and this must be known before");
        let help = match self.scope {
            Scope::Node => "only constants and `node` can stand here",
            _ => "only constants can stand here",
        };
        self.report
            .error(Diagnostic::error("not-constant", span, message).help(help))
    }

    pub(super) fn event_here<T>(&mut self, span: Span) -> Option<T> {
        let message = "an event is no condition on a configuration";
        let help = "events can stand in the formula of an assertion";
        self.report
            .error(Diagnostic::error("not-a-condition", span, message).help(help))
    }

    /// The node that `i` or `r` is.
    pub(super) fn rule_node(&mut self, name: &str, span: Span) -> Option<Place> {
        match (self.scope, name) {
            (Scope::Rule { .. }, "i") => Some(Place::Initiator),
            (Scope::Rule { pair: true }, _) => Some(Place::Responder),
            (Scope::Rule { pair: false }, _) => {
                let message = "the rule is about one node, `i`: there is no responder";
                self.report.error(Diagnostic::error("which-node", span, message))
            }
            _ => {
                let message = format!("`{name}` is a node of a rule, and this is no rule");
                self.report.error(Diagnostic::error("which-node", span, message))
            }
        }
    }

    /// The field of this name.
    pub(super) fn field(&mut self, (name, span): Name<'t>) -> Option<FieldId> {
        match self.names.meaning(name) {
            Some(Meaning::Field(id)) => return Some(*id),
            None if self.names.is_broken(name) => return None,
            _ => {}
        }
        if self.report.is_full() {
            return self.report.error(Diagnostic::error("unknown-field", span, ""));
        }
        let message = format!("there is no field `{name}`");
        let mut help = did_you_mean(name, self.names.known_fields());
        if self.names.meaning(name) == Some(&Meaning::Detector) {
            help = format!("the detector is asked in a guard: `when {name}`");
        }
        self.report
            .error(Diagnostic::error("unknown-field", span, message).help(help))
    }

    /// The field must be boolean.
    pub(super) fn boolean(&mut self, id: FieldId, span: Span, why: &str) -> Option<()> {
        let field = self.names.field(id);
        if (field.low, field.high) == (0, 1) && field.names.is_empty() {
            return Some(());
        }
        let message = format!("`{}` is not boolean: {why}", field.name);
        let help = format!("compare it: `{}={}`", field.name, value_name(field, field.low));
        self.report
            .error(Diagnostic::error("not-boolean", span, message).help(help))
    }

    /// A node that exists.
    pub(super) fn node(&mut self, node: i32, span: Span) -> Option<u32> {
        let nodes = self.names.nodes;
        // Without a size, which is reported, nothing is known of nodes.
        if nodes == 0 {
            return None;
        }
        if let Ok(node) = u32::try_from(node)
            && node < nodes
        {
            return Some(node);
        }
        let message = format!("there is no node {node}: they are 0 to {}", nodes - 1);
        self.report
            .error(Diagnostic::error("unknown-node", span, message))
    }
}
