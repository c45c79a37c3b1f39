//! Atoms of formulas: conditions on the state, and events.
//!
//! A bare name is what it is declared as (a proposition, a variable, a constant), else, in CTL, `deadlock` and `terminated` are what
//! they say, else it is an event. Events are not declared: a name is an event if it occurs as one anywhere in the model.

use super::Resolver;
use super::expression::Typed;
use super::names::{Found as Name, Meaning};
use super::scope::Entry;
use super::tree;
use crate::model::{Atom, ChannelId, Expr, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use fairhold_logic::{AtomId, Logic, event_in_ctl};
use fairhold_source::{Diagnostic, Span, did_you_mean};
use rowan::NodeOrToken;

/// The atoms of a formula, each once, and how large the formula is so far.
#[derive(Default)]
pub(super) struct Atoms {
    pub(super) list: Vec<Atom>,
    pub(super) size: usize,
    pub(super) logic: Logic,
    /// Events in a formula of branching time: wrong, unless the formula is not of branching time after all.
    pub(super) misplaced: Vec<Diagnostic>,
    /// How many processes there are, for a fairness formula.
    pub(super) processes: u32,
    /// Whether that made a difference.
    pub(super) counts_processes: bool,
}

impl Atoms {
    pub(super) fn add(&mut self, atom: Atom) -> AtomId {
        let at = self.list.iter().position(|a| *a == atom).unwrap_or_else(|| {
            self.list.push(atom);
            self.list.len() - 1
        });
        AtomId(at as u32)
    }
}

/// What an atom turned out to be.
pub(super) enum Found {
    Const(bool),
    Atom(AtomId),
}

/// The event of successful termination, which every model has.
const TERMINATE: &str = "terminate";

impl Resolver {
    /// An atom of a formula; none if it was reported.
    pub(super) fn atom(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Found> {
        if let Some(event) = tree::child(node, K::EventName) {
            return self.name_or_event(&event, atoms);
        }
        if let Some(mark) = tree::own_tokens(node).find(|t| matches!(t.kind(), K::Bang | K::Question)) {
            let event = self.channel_event(node, mark.text())?;
            return led_here(event, self.span(node), atoms);
        }
        if tree::token(node, K::TrueKw).is_some() {
            return Some(Found::Const(true));
        }
        if tree::token(node, K::FalseKw).is_some() {
            return Some(Found::Const(false));
        }
        let expr = tree::expr(node)?;
        let typed = self.condition(&expr);
        self.state_atom(&expr, typed, atoms)
    }

    /// Whether an atom of a fairness formula is the word `impartial`, and nothing in the model has that name.
    pub(super) fn is_impartial(&self, node: &SyntaxNode, atoms: &Atoms) -> bool {
        let name = tree::child(node, K::EventName).filter(|event| tree::exprs(event).is_empty());
        let name = name.and_then(|event| tree::ident(&event));
        atoms.logic == Logic::Fairness
            && name.is_some_and(|name| {
                name.text() == "impartial"
                    && matches!(self.names.find(name.text()), Name::Nothing)
                    && !self.names.events.contains_key(name.text())
            })
    }

    /// `enabled(e)`, `engaged(process 1)`
    pub(super) fn step_atom(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Found> {
        let word = tree::ident(node)?;
        let span = self.span(node);
        let (allowed, help) = match (atoms.logic, word.text()) {
            (Logic::Fairness, _) | (Logic::Branching, "enabled") => (true, ""),
            (Logic::Branching, "engaged") => {
                (false, "in CTL, `EX{a} true` says that some step from here is `a`")
            }
            _ => (
                false,
                "give the formula with --fairness, or in a comment: `//@ fairness: \"GF enabled(a) -> GF engaged(a)\"`",
            ),
        };
        if !allowed {
            let also = if word.text() == "enabled" {
                " or in CTL"
            } else {
                ""
            };
            let message = format!("`{}(..)` can stand in a fairness formula{also} only", word.text());
            self.report
                .once("", Diagnostic::error("step-atom", span, message).help(help));
            return None;
        }
        let atom = match (word.text(), tree::expr(node)) {
            ("ready", Some(_)) => {
                let message = "a process is enabled or engaged; only events are ready";
                self.report
                    .once("", Diagnostic::error("step-atom", span, message));
                return None;
            }
            (word, Some(expr)) => {
                let number = self.constant_int(&expr)?;
                let Ok(process) = u32::try_from(number) else {
                    let message = format!("there is no process {number}: they are numbered from 0");
                    self.report
                        .once("", Diagnostic::error("step-atom", span, message));
                    return None;
                };
                match word {
                    "enabled" => Atom::EnabledProcess(process),
                    _ => Atom::EngagedProcess(process),
                }
            }
            (word, None) => {
                let event = self.event_of_step(&tree::child(node, K::FAtom)?)?;
                match word {
                    "enabled" => Atom::Enabled(event),
                    "ready" => Atom::Ready(event),
                    _ => Atom::Event(event),
                }
            }
        };
        Some(Found::Atom(atoms.add(atom)))
    }

    /// The event that `enabled(e)` and the like speak of.
    fn event_of_step(&mut self, node: &SyntaxNode) -> Option<String> {
        let span = self.span(node);
        if let Some(mark) = tree::own_tokens(node).find(|t| matches!(t.kind(), K::Bang | K::Question)) {
            return self.channel_event(node, mark.text());
        }
        let Some(event) = tree::child(node, K::EventName) else {
            let message = "an event is meant here, not a condition";
            let help = "name one event with its indices: `enabled(get.0.1)`";
            self.report
                .once("", Diagnostic::error("step-atom", span, message).help(help));
            return None;
        };
        match tree::ident(&event) {
            Some(name) => self.event_atom(&event, &name, span),
            None => self.quoted_event(&tree::unquoted(&tree::token(&event, K::Str)?), &event, span),
        }
    }

    /// A condition on the state.
    fn state_atom(&mut self, node: &SyntaxNode, typed: Typed, atoms: &mut Atoms) -> Option<Found> {
        if typed.is_wrong() {
            return None;
        }
        if let Expr::Const(Value::Bool(value)) = typed.expr.close(&crate::expr::Env::default()) {
            return Some(Found::Const(value));
        }
        let tokens = node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let text = tree::collapsed(tokens, |name| match self.scope.find(name)? {
            Entry::Is(Typed {
                expr: Expr::Const(value),
                ..
            }) => Some(value.to_string()),
            _ => None,
        });
        Some(Found::Atom(atoms.add(Atom::State(typed.expr, text))))
    }

    /// `p`, `e`, `e.1.2`, `"e.1"`
    fn name_or_event(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Found> {
        let span = self.span(node);
        let Some(name) = tree::ident(node) else {
            let text = tree::unquoted(&tree::token(node, K::Str)?);
            let event = self.quoted_event(&text, node, span)?;
            return led_here(event, span, atoms);
        };
        let bare = tree::exprs(node).is_empty();
        let declared = matches!(
            self.names.find(name.text()),
            Name::Meaning(Meaning::Constant(_) | Meaning::Macro(_) | Meaning::Variable(_)) | Name::Doubtful
        );
        if bare && (declared || self.scope.find(name.text()).is_some()) {
            let typed = self.name(&name);
            self.want(node, typed.ty, crate::model::Type::Bool);
            return self.state_atom(node, typed, atoms);
        }
        if atoms.logic == Logic::Branching && bare {
            let of_state = match name.text() {
                "deadlock" => Some(Atom::Deadlock),
                "terminated" => Some(Atom::Terminated),
                _ => None,
            };
            if let Some(atom) = of_state {
                return Some(Found::Atom(atoms.add(atom)));
            }
        }
        let event = self.event_atom(node, &name, span)?;
        led_here(event, span, atoms)
    }

    /// The full name of an event with constant indices, which must occur in the model.
    fn event_atom(&mut self, node: &SyntaxNode, token: &SyntaxToken, span: Span) -> Option<String> {
        let name = token.text();
        let indices = self.constant_indices(node);
        if let Name::Meaning(Meaning::Channel(id)) = self.names.find(name)
            && !self.names.events.contains_key(name)
        {
            return self.synchronous_event(name, id, &indices?, span);
        }
        let Some(known) = self.names.events.get(name) else {
            if name == TERMINATE {
                return Some(name.to_owned());
            }
            self.unknown_event(name, span);
            return None;
        };
        let indices = indices?;
        if !known.indices.contains(&indices.len()) {
            let used: Vec<String> = known.indices.iter().map(|&n| count_indices(n)).collect();
            let message = format!(
                "`{name}` has {} in the model but {} here, so this never happens",
                used.join(" or "),
                count_indices(indices.len())
            );
            let help = "an event is named with all its indices; `(|| i:{0..2} @ e.i)` is any of three";
            self.report.once(
                name,
                Diagnostic::warning("never-happens", span, message).help(help),
            );
        }
        Some(full_name(name, '.', &indices))
    }

    fn unknown_event(&mut self, name: &str, span: Span) {
        if let Name::Doubtful = self.names.find(name) {
            return;
        }
        let names = &self.names;
        let declared = names
            .symbols
            .iter()
            .filter(|(_, s)| !matches!(s.meaning, Meaning::Process(_)));
        let candidates = declared
            .map(|(n, _)| n.as_str())
            .chain(names.events.keys().map(String::as_str));
        let help = did_you_mean(name, candidates);
        let message = format!("there is no event or proposition `{name}`");
        self.report
            .once(name, Diagnostic::error("unknown-name", span, message).help(help));
    }

    /// A quoted event: its name is taken literally.
    fn quoted_event(&mut self, text: &str, node: &SyntaxNode, span: Span) -> Option<String> {
        let indices = self.constant_indices(node)?;
        let base = text.split(['.', '!', '?', '[']).next().unwrap_or(text);
        let known = [text, base].iter().any(|n| {
            self.names.events.contains_key(*n)
                || [TERMINATE, "tau"].contains(n)
                || matches!(
                    self.names.find(n),
                    Name::Meaning(Meaning::Channel(_)) | Name::Doubtful
                )
        });
        if !known {
            self.unknown_event(text, span);
            return None;
        }
        Some(full_name(text, '.', &indices))
    }

    /// `c!1`, `c?1`
    fn channel_event(&mut self, node: &SyntaxNode, mark: &str) -> Option<String> {
        let token = tree::ident(node)?;
        let span = self.span(node);
        let index = tree::child(node, K::ChannelIndex).and_then(|i| tree::expr(&i));
        let channel = self.channel_ref(&token, index.as_ref(), crate::model::At(span))?;
        let position = match &index {
            Some(index) => Some(self.constant_int(index)?),
            None => None,
        };
        let values = self.constant_indices(node)?;
        let name = position.map_or_else(|| token.text().to_owned(), |i| format!("{}[{i}]", token.text()));
        if self.channels[channel.channel.0 as usize].capacity == 0 {
            let event = full_name(&name, '.', &values);
            let message = format!(
                "`{}` is synchronous: sender and receiver have one event",
                token.text()
            );
            let help = format!("write `{event}`");
            self.report.once(
                &event,
                Diagnostic::error("unknown-name", span, message).help(help),
            );
            return None;
        }
        let mark = if mark == "!" { '!' } else { '?' };
        Some(full_name(&name, mark, &values))
    }

    /// `c.1` of a synchronous channel.
    fn synchronous_event(
        &mut self,
        name: &str,
        id: Option<ChannelId>,
        values: &[Value],
        span: Span,
    ) -> Option<String> {
        let channel = &self.channels[id?.0 as usize];
        if channel.capacity == 0 && channel.len.is_none() && !values.is_empty() {
            return Some(full_name(name, '.', values));
        }
        let message = format!("`{name}` is a channel, not an event");
        let help = if channel.capacity == 0 {
            format!("its events are `{name}.1` and the like")
        } else {
            format!("its events are `{name}!1`, `{name}?1` and the like")
        };
        self.report
            .once(name, Diagnostic::error("unknown-name", span, message).help(help));
        None
    }

    fn constant_indices(&mut self, node: &SyntaxNode) -> Option<Vec<Value>> {
        tree::exprs(node).iter().map(|e| self.constant(e)).collect()
    }

    /// The events of `EX{e, i:{0..2} @ f.i}`.
    pub(super) fn event_atoms(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Vec<AtomId>> {
        let mut ids = Vec::new();
        let mut complete = true;
        let mut left = crate::expr::MAX_COMBINATIONS;
        for item in tree::children_of(node, K::EventSetItem) {
            let bindings: Vec<SyntaxNode> = tree::child(&item, K::Bindings)
                .map_or_else(Vec::new, |b| tree::children_of(&b, K::Binding).collect());
            let Some(event) = tree::child(&item, K::EventName) else {
                continue;
            };
            let span = self.span(&event);
            self.for_each_value(&bindings, &mut left, &mut |this| {
                let name = match tree::ident(&event) {
                    Some(token) => this.event_atom(&event, &token, span),
                    None => tree::token(&event, K::Str)
                        .and_then(|t| this.quoted_event(&tree::unquoted(&t), &event, span)),
                };
                match name {
                    Some(name) => ids.push(atoms.add(Atom::Event(name))),
                    None => complete = false,
                }
            });
        }
        complete.then_some(ids)
    }
}

/// An event as an atom: the event that led to the state. States of CTL do not remember one.
fn led_here(event: String, span: Span, atoms: &mut Atoms) -> Option<Found> {
    if atoms.logic != Logic::Branching {
        return Some(Found::Atom(atoms.add(Atom::Event(event))));
    }
    let quoted = format!("\"{event}\"");
    let written = if event.contains(['!', '?', '[']) {
        &quoted
    } else {
        &event
    };
    atoms.misplaced.push(event_in_ctl(span, &event, written));
    Some(Found::Atom(atoms.add(Atom::Event(event))))
}

/// `get.0.1`, `c!1.2`
fn full_name(name: &str, mark: char, values: &[Value]) -> String {
    let mut out = name.to_owned();
    for (i, value) in values.iter().enumerate() {
        out.push(if i == 0 { mark } else { '.' });
        out.push_str(&value.to_string());
    }
    out
}

fn count_indices(n: usize) -> String {
    match n {
        0 => "no index".to_owned(),
        1 => "1 index".to_owned(),
        _ => format!("{n} indices"),
    }
}
