//! What is asked of a protocol, asked of the configuration after `start`.

use super::Printer;
use super::expression::Scope;
use crate::model::{Action, Assertion, Atom, Question};
use crate::resolve::read_fairness;
use fairhold_logic::{AtomId, Ltl};
use fairhold_source::Span;
use std::fmt::Write;

impl Printer<'_> {
    /// Whether something must know that the start is over.
    pub(super) fn asks_for_reaching(&self) -> bool {
        let asks = |a: &Assertion| a.question.sought().is_some();
        self.protocol.assertions.iter().any(asks)
    }

    /// The assertions, each with what is defined for it.
    pub(super) fn assertions(&self) -> String {
        let mut out = String::new();
        for (assertion, names) in self.protocol.assertions.iter().zip(&self.names.atoms) {
            out.push_str(&self.assertion(assertion, names));
        }
        out
    }

    fn assertion(&self, assertion: &Assertion, names: &[String]) -> String {
        let mut out = format!("\n// {}\n", assertion.text);
        let system = &self.names.system;
        let start = &self.names.start;
        match &assertion.question {
            Question::DeadlockFree => {
                let _ = writeln!(out, "#assert {system} deadlockfree;");
            }
            // What is kept of `always c` is `!c`, so it is written as `never`.
            Question::Reaches(condition) | Question::Never(condition) | Question::Always(condition) => {
                let word = match &assertion.question {
                    Question::Reaches(_) => "reaches",
                    _ => "never",
                };
                let condition = self.writer.truth(condition, &Scope::default()).closed();
                let _ = writeln!(out, "#define {} {} && {condition};", names[0], self.names.running);
                let _ = writeln!(out, "#assert {system} {word} {};", names[0]);
            }
            Question::Ltl(formula, atoms) => {
                let written = self.atoms(atoms, names, &mut out);
                let name = |atom: AtomId| written[atom.0 as usize].clone();
                let text = formula.display(&name).to_string();
                let _ = match is_tail(formula) {
                    true => writeln!(out, "#assert {system} |= {text};"),
                    false => writeln!(out, "#assert {system} |= [] ({start} -> {text});"),
                };
            }
            Question::Ctl(formula, atoms) => {
                let written = self.atoms(atoms, names, &mut out);
                let name = |atom: AtomId| written[atom.0 as usize].clone();
                let text = formula.display(&name);
                let _ = writeln!(out, "#assert {system} |= AG AX{{{start}}} ({text});");
            }
        }
        let remarks = &assertion.remarks;
        let expected: Vec<String> = remarks
            .expect
            .iter()
            .map(|e| match &e.notion {
                Some(notion) => format!("{notion} {}", e.verdict.word()),
                None => e.verdict.word().to_owned(),
            })
            .collect();
        if let Some((fairness, place)) = &remarks.fairness {
            let _ = match self.fairness(fairness, *place) {
                Some(formula) => writeln!(out, "//@ fairness: \"{formula}\""),
                None => writeln!(out, "//@ fairness: {fairness}"),
            };
        }
        if !expected.is_empty() {
            let _ = writeln!(out, "//@ expect: {}", expected.join(", "));
        }
        out
    }

    /// A fairness formula; none for the name of a notion.
    fn fairness(&self, text: &str, place: Span) -> Option<String> {
        if text.chars().all(|c| c.is_ascii_alphabetic()) {
            return None;
        }
        let (formula, atoms) = read_fairness(self.protocol, place, text).ok()?;
        let name = |atom: AtomId| match &atoms[atom.0 as usize] {
            Atom::Event(action) => format!("engaged({})", self.event(*action)),
            Atom::Enabled(action) => format!("enabled({})", self.event(*action)),
            Atom::Deadlock => "deadlock".to_owned(),
            Atom::State(condition, _) => self.writer.truth(condition, &Scope::default()).closed(),
        };
        Some(formula.display(&name).to_string())
    }

    /// The atoms as a formula mentions them; those that need a definition get one.
    fn atoms(&self, atoms: &[Atom], names: &[String], out: &mut String) -> Vec<String> {
        let mut written = Vec::new();
        for (atom, name) in atoms.iter().zip(names) {
            written.push(match atom {
                Atom::Event(action) => self.event(*action),
                Atom::Enabled(action) => format!("enabled({})", self.event(*action)),
                Atom::Deadlock => "deadlock".to_owned(),
                Atom::State(condition, _) => {
                    let mut predicates = self.protocol.predicates.iter().zip(&self.names.predicates);
                    match predicates.find(|((_, predicate), _)| predicate == condition) {
                        Some((_, name)) => name.clone(),
                        None => {
                            let text = self.writer.truth(condition, &Scope::default()).closed();
                            let _ = writeln!(out, "#define {name} {text};");
                            name.clone()
                        }
                    }
                }
            });
        }
        written
    }

    /// An event, in a formula.
    fn event(&self, action: Action) -> String {
        let name = self.protocol.action_name(action);
        let rule = match action {
            Action::Pair(rule, _) | Action::Single(rule, _) => rule as usize,
            Action::Pass(_) | Action::Guess(_) | Action::Correct => return name,
        };
        let (ours, theirs) = (&self.protocol.rules[rule].name, &self.names.rules[rule]);
        format!("{theirs}{}", &name[ours.len()..])
    }
}

/// Whether no finite prefix of an execution matters to the formula, seen from its shape.
fn is_tail(formula: &Ltl) -> bool {
    match formula {
        Ltl::True | Ltl::False => true,
        Ltl::Atom(_) => false,
        Ltl::Globally(p) => matches!(**p, Ltl::Finally(_)) || is_tail(p),
        Ltl::Finally(p) => matches!(**p, Ltl::Globally(_)) || is_tail(p),
        Ltl::Not(p) | Ltl::Next(p) => is_tail(p),
        Ltl::And(p, q)
        | Ltl::Or(p, q)
        | Ltl::Implies(p, q)
        | Ltl::Iff(p, q)
        | Ltl::Until(p, q)
        | Ltl::Release(p, q)
        | Ltl::WeakUntil(p, q) => is_tail(p) && is_tail(q),
    }
}
