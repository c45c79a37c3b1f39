//! What `find` looks for: an event, a condition on the state, or both combined.
//!
//! The text is read as a formula of the model's own language without temporal operators, at a position: the event that
//! led to a state, and the state. An event named with fewer indices than it has stands for all of them: `eat` for
//! `eat.0`, `eat.1` and so on.

use crate::csp::CspModel;
use crate::explicit::ExplicitModel;
use crate::front::FrontEnd;
use crate::include;
use crate::protocol::ProtocolModel;
use fairhold_csp::compile::CspSystem;
use fairhold_csp::model::{Atom, Question};
use fairhold_csp::resolve;
use fairhold_logic::{AtomId, Ltl};
use fairhold_protocol::{Atom as Said, Expr, ProtocolJudge, Question as Asked, read_assertion};
use fairhold_source::{Diagnostic, FileId, SourceMap, Span};
use fairhold_store::StateId;
use fairhold_structure::{Atom as Explicit, Condition, read_formula};
use fairhold_system::{EventId, Fault, PredicateId, Stepper, System, Word};
use std::sync::Arc;

/// A condition on a position of a run.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    Const(bool),
    /// The event that led here has this name, or this name with further indices.
    Event(String),
    /// The predicate holds here.
    Holds(PredicateId),
    /// The condition on the one word of the state, its number, is true.
    Numbered(Condition),
    /// The condition on the configuration that the state's fields describe is true.
    Described(ProtocolJudge, Expr),
    Not(Box<Goal>),
    And(Box<Goal>, Box<Goal>),
    Or(Box<Goal>, Box<Goal>),
}

impl Goal {
    /// Whether it speaks of events.
    pub(super) fn mentions_events(&self) -> bool {
        match self {
            Goal::Event(_) => true,
            Goal::Const(_) | Goal::Holds(_) | Goal::Numbered(_) | Goal::Described(..) => false,
            Goal::Not(p) => p.mentions_events(),
            Goal::And(p, q) | Goal::Or(p, q) => p.mentions_events() || q.mentions_events(),
        }
    }

    /// Whether it is so in a state that this event led to; no event led to an initial state.
    pub(super) fn holds<'s, S: System + 's>(
        &self,
        system: &S,
        stepper: &mut S::Stepper<'s>,
        event: Option<EventId>,
        state: &[Word],
    ) -> Result<bool, Fault> {
        match self {
            Goal::Const(value) => Ok(*value),
            Goal::Event(name) => Ok(event.is_some_and(|e| is_named(&system.event_name(e), name))),
            Goal::Holds(predicate) => stepper.holds(*predicate, state),
            Goal::Numbered(condition) => Ok(condition.holds(StateId(state[0]))),
            Goal::Described(judge, condition) => {
                judge.holds(&judge.described(&system.fields(state)), condition)
            }
            Goal::Not(p) => Ok(!p.holds(system, stepper, event, state)?),
            Goal::And(p, q) => {
                Ok(p.holds(system, stepper, event, state)? && q.holds(system, stepper, event, state)?)
            }
            Goal::Or(p, q) => {
                Ok(p.holds(system, stepper, event, state)? || q.holds(system, stepper, event, state)?)
            }
        }
    }
}

fn is_named(event: &str, name: &str) -> bool {
    let rest = event.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '!', '?', '[']))
}

/// A front end that can read a goal.
pub(crate) trait Seek: FrontEnd {
    /// Reads a goal and registers its conditions with the system. The error is a sentence.
    fn goal(
        &self,
        map: &SourceMap,
        subject: &Self::Subject,
        system: &Self::System,
        text: &str,
    ) -> Result<Goal, String>;
}

impl Seek for CspModel {
    /// Names belong to the text, not to the model made from it, so the text is read again. The same text with the same
    /// constants gives the same variables, in the same order.
    fn goal(
        &self,
        map: &SourceMap,
        subject: &Self::Subject,
        system: &CspSystem,
        text: &str,
    ) -> Result<Goal, String> {
        let read = |including: &str, written: &str| {
            let name = include::name(including, written);
            let file = map.files().iter().find(|file| file.name() == name);
            let text = file.map(|file| file.text().to_owned());
            text.map(|text| (name, text))
                .ok_or_else(|| "it was not there before".to_owned())
        };
        let defines = self.defines();
        let main = map.file(FileId(0));
        let options = resolve::Options {
            defines: &defines,
            read: &read,
        };
        let mut loaded = resolve::load(main.name(), main.text(), &options);
        let property = format!("{} |= <> ({text})", self.name(subject));
        let assertion = resolve::assertion(&mut loaded, &property).map_err(|d| complaint(text, &d))?;
        let goal = |formula: &Ltl, atoms: &[Atom]| {
            let atom = |id: AtomId| match Atom::of(atoms, id) {
                Atom::State(condition, _) => Some(Goal::Holds(system.predicate(condition))),
                Atom::Event(name) => Some(Goal::Event(name.clone())),
                _ => None,
            };
            translate(formula, &atom)
        };
        match &assertion.question {
            Question::Ltl(Ltl::Finally(formula), atoms) => goal(formula, atoms),
            Question::Ltl(constant @ (Ltl::True | Ltl::False), atoms) => goal(constant, atoms),
            _ => None,
        }
        .ok_or_else(|| WITHOUT_TIME.to_owned())
    }
}

/// What to say of a text that is more.
const WITHOUT_TIME: &str = "find takes an event or a condition, without temporal operators";

/// The first error in words.
fn complaint(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = format!("`{text}` is neither an event nor a condition");
    if let Some(first) = diagnostics.iter().find(|d| d.is_error()) {
        out.push_str(&format!(": {}", first.message));
        if !first.help.is_empty() {
            out.push_str(&format!(" ({})", first.help));
        }
    }
    out
}

/// The goal that a formula without temporal operators stands for.
fn translate(formula: &Ltl, atom: &dyn Fn(AtomId) -> Option<Goal>) -> Option<Goal> {
    let part = |p: &Ltl| translate(p, atom).map(Box::new);
    let not = |p: Box<Goal>| Box::new(Goal::Not(p));
    Some(match formula {
        Ltl::True => Goal::Const(true),
        Ltl::False => Goal::Const(false),
        Ltl::Atom(id) => atom(*id)?,
        Ltl::Not(p) => Goal::Not(part(p)?),
        Ltl::And(p, q) => Goal::And(part(p)?, part(q)?),
        Ltl::Or(p, q) => Goal::Or(part(p)?, part(q)?),
        Ltl::Implies(p, q) => Goal::Or(not(part(p)?), part(q)?),
        Ltl::Iff(p, q) => {
            let (p, q) = (part(p)?, part(q)?);
            let both = Goal::And(p.clone(), q.clone());
            Goal::Or(Box::new(both), Box::new(Goal::And(not(p), not(q))))
        }
        Ltl::Next(_)
        | Ltl::Finally(_)
        | Ltl::Globally(_)
        | Ltl::Until(..)
        | Ltl::Release(..)
        | Ltl::WeakUntil(..) => return None,
    })
}

impl Seek for ExplicitModel {
    /// A condition on the state, the label of a step, or both combined.
    fn goal(&self, _: &SourceMap, _: &Self::Subject, _: &Self::System, text: &str) -> Result<Goal, String> {
        // A label may have any characters, and needs no quotes if it is all there is.
        if self.lts().alphabet().find_event(text).is_some() {
            return Ok(Goal::Event(text.to_owned()));
        }
        let read = read_formula(self.lts(), Span::default(), text);
        let (formula, atoms) = read.map_err(|wrong| complaint(text, &[wrong]))?;
        let atom = |atom: AtomId| match &atoms[atom.0 as usize] {
            Explicit::State(condition) => Some(Goal::Numbered(condition.clone())),
            Explicit::Event(event) => Some(Goal::Event(self.lts().events()[event.0 as usize].clone())),
            _ => None,
        };
        translate(&formula, &atom).ok_or_else(|| WITHOUT_TIME.to_owned())
    }
}

impl Seek for ProtocolModel {
    /// A condition on the configuration, an event, the name of a rule for all its events, or these combined.
    fn goal(&self, _: &SourceMap, _: &Self::Subject, _: &Self::System, text: &str) -> Result<Goal, String> {
        let protocol = self.protocol();
        if protocol.rules.iter().any(|rule| is_named(text, &rule.name)) {
            return Ok(Goal::Event(text.to_owned()));
        }
        let read = read_assertion(protocol, FileId(0), &format!("<> ({text})"));
        let assertion = read.map_err(|wrong| complaint(text, &wrong))?;
        let goal = |formula: &Ltl, atoms: &[Said]| {
            let atom = |id: AtomId| match &atoms[id.0 as usize] {
                Said::State(condition, _) => {
                    let judge = ProtocolJudge(Arc::clone(protocol));
                    Some(Goal::Described(judge, condition.clone()))
                }
                Said::Event(action) => Some(Goal::Event(protocol.action_name(*action))),
                _ => None,
            };
            translate(formula, &atom)
        };
        match &assertion.question {
            Asked::Ltl(Ltl::Finally(formula), atoms) => goal(formula, atoms),
            Asked::Ltl(constant @ (Ltl::True | Ltl::False), atoms) => goal(constant, atoms),
            _ => None,
        }
        .ok_or_else(|| WITHOUT_TIME.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_stands_for_its_indices() {
        assert!(is_named("eat.0", "eat") && is_named("eat", "eat") && is_named("c!1", "c"));
        assert!(!is_named("eaten", "eat") && !is_named("eat.10", "eat.1") && !is_named("e", "eat"));
    }
}
