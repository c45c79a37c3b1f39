//! Atoms of properties: conditions on the state, labels, what is enabled; and the fairness constraints that have a name.

use super::lexer::Token;
use super::parser::Parser;
use super::{Atom, Comparison, Condition};
use fairhold_logic::{AtomId, Logic, Written, event_in_ctl};
use fairhold_source::{Diagnostic, Span, did_you_mean};
use fairhold_system::EventId;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// Words that are fairness constraints.
const CONSTRAINTS: [&str; 4] = ["impartial", "buchi", "rabin", "streett"];

impl Parser<'_> {
    /// Whatever starts with a word or a quoted label.
    pub(super) fn named(&mut self, token: &Token, depth: u32) -> Result<Written, Diagnostic> {
        let word = if token.quoted { "" } else { token.text.as_str() };
        let called = self.peek() == "(";
        let atom = match word {
            "state" => self.comparison(token.span)?,
            "enabled" | "ready" | "engaged" if called => self.step_atom(token)?,
            // A proposition of the structure may have any of the names below.
            _ if self.proposition(&token.text).is_some() => {
                Atom::State(self.proposition(&token.text).expect("just found"))
            }
            "deadlock" if self.logic == Logic::Branching => Atom::Deadlock,
            "terminated" if self.logic == Logic::Branching => Atom::Terminated,
            _ if CONSTRAINTS.contains(&word) && (called || word == "impartial") => {
                return self.constraint(token, depth);
            }
            _ => {
                let event = self.event(token)?;
                if self.logic == Logic::Branching {
                    let quoted = format!("\"{}\"", token.text);
                    let written = if token.quoted { &quoted } else { &token.text };
                    let wrong = event_in_ctl(token.span, &token.text, written);
                    self.misplaced.get_or_insert(wrong);
                }
                Atom::Event(event)
            }
        };
        Ok(Written::Atom(self.atom(atom)))
    }

    /// The condition that a proposition is.
    fn proposition(&self, name: &str) -> Option<Condition> {
        let description = self.lts.description()?;
        let (name, set) = description.propositions.iter().find(|(n, _)| n == name)?;
        Some(Condition::Among(name.clone(), Arc::clone(set)))
    }

    /// `state == 3`, `state != s0`
    fn comparison(&mut self, start: Span) -> Result<Atom, Diagnostic> {
        let named = self.lts.description().map(|d| d.names.as_slice());
        let sign = self.peek();
        let comparison = Comparison::of_sign(sign);
        let Some(comparison) = comparison.filter(|_| named.is_none() || matches!(sign, "==" | "!=")) else {
            let (message, help) = match named {
                None => (
                    "`state` must be compared with a number",
                    "write `state == 3`; for a label `state`, write it in quotes",
                ),
                Some(_) => (
                    "`state` must be compared with the name of a state",
                    "write `state == s0` or `state != s0`",
                ),
            };
            return Err(Diagnostic::error("property-syntax", start, message).help(help));
        };
        self.next();
        if let Some(names) = named {
            return self.state_name(sign, names);
        }
        let sign = if self.peek() == "-" {
            self.next();
            -1
        } else {
            1
        };
        let number = self.peek().parse::<u32>();
        let span = self.here();
        self.next();
        let Ok(number) = number else {
            let message = "expected the number of a state";
            return Err(Diagnostic::error("property-syntax", span, message));
        };
        let number = sign * i64::from(number);
        Ok(Atom::State(Condition::Compare(comparison, number)))
    }

    /// The name after `state ==`.
    fn state_name(&mut self, sign: &str, names: &[String]) -> Result<Atom, Diagnostic> {
        let Some(token) = self.next() else {
            let message = "expected the name of a state";
            return Err(Diagnostic::error("property-syntax", self.end, message));
        };
        let Some(state) = names.iter().position(|name| *name == token.text) else {
            let message = format!("there is no state `{}`", token.text);
            let help = did_you_mean(&token.text, names.iter().map(String::as_str));
            return Err(Diagnostic::error("unknown-state", token.span, message).help(help));
        };
        let mut set = FixedBitSet::with_capacity(names.len());
        set.insert(state);
        if sign == "!=" {
            set.toggle_range(..);
        }
        let written = format!("state {sign} {}", token.text);
        Ok(Atom::State(Condition::Among(written, Arc::new(set))))
    }

    /// `enabled(a)`, `engaged(process 0)`
    fn step_atom(&mut self, word: &Token) -> Result<Atom, Diagnostic> {
        let called = word.text.as_str();
        match (self.logic, called) {
            (Logic::Fairness, _) | (Logic::Branching, "enabled") => {}
            (Logic::Branching, "engaged") => {
                let message = "`engaged(..)` can stand in a fairness formula only";
                let help = "in CTL, `EX{a} true` says that some step from here is `a`";
                return Err(Diagnostic::error("step-atom", word.span, message).help(help));
            }
            _ => {
                let also = if called == "enabled" { " or in CTL" } else { "" };
                let message = format!("`{called}(..)` can stand in a fairness formula{also} only");
                let help = "give the formula with --fairness: 'GF enabled(a) -> GF engaged(a)'";
                return Err(Diagnostic::error("step-atom", word.span, message).help(help));
            }
        }
        let wrong = |span| {
            let message = format!("after `{called}` comes a label, or `process 0`, in parentheses");
            Diagnostic::error("property-syntax", span, message)
        };
        self.next();
        let token = self.next().ok_or_else(|| wrong(word.span))?;
        let atom = if !token.quoted && token.text == "process" && self.peek() != ")" {
            let number = self.next().and_then(|t| t.text.parse::<u32>().ok());
            let number = number.ok_or_else(|| wrong(token.span))?;
            let process = self.process(number, token.span)?;
            match called {
                "enabled" => Atom::EnabledProcess(process),
                "engaged" => Atom::EngagedProcess(process),
                _ => return Err(wrong(token.span)),
            }
        } else {
            let event = self.event(token)?;
            match called {
                "enabled" => Atom::Enabled(event),
                "ready" => Atom::Ready(event),
                _ => Atom::Event(event),
            }
        };
        match self.peek() {
            ")" => self.next(),
            _ => return Err(wrong(token.span)),
        };
        Ok(atom)
    }

    /// A process that takes part in some step.
    fn process(&self, process: u32, span: Span) -> Result<u32, Diagnostic> {
        let known = self.lts.alphabet().all_processes();
        if known.contains(&process) {
            return Ok(process);
        }
        let message = match &known[..] {
            [only] => format!("there is no process {process}: a graph has process {only} only"),
            _ => format!("there is no process {process}"),
        };
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        let help = match known.len() {
            0 | 1 => String::new(),
            _ => format!("the processes are {}", known.join(", ")),
        };
        Err(Diagnostic::error("unknown-process", span, message).help(help))
    }

    /// The events of `EX{a, b}`.
    pub(super) fn events(&mut self) -> Result<Vec<AtomId>, Diagnostic> {
        let opened = self.here();
        let mut events = Vec::new();
        loop {
            self.next();
            let span = self.here();
            let Some(token) = self.next().filter(|t| t.quoted || t.text != "}") else {
                let message = "expected a label";
                return Err(Diagnostic::error("property-syntax", span, message).also(opened, "opened here"));
            };
            let event = self.event(token)?;
            events.push(self.atom(Atom::Event(event)));
            if self.peek() != "," {
                self.expect("}", opened)?;
                return Ok(events);
            }
        }
    }

    fn event(&self, token: &Token) -> Result<EventId, Diagnostic> {
        if let Some(event) = self.lts.alphabet().find_event(&token.text) {
            return Ok(event);
        }
        let events = self.lts.events();
        if let Some(description) = self.lts.description() {
            let propositions = description.propositions.iter().map(|(name, _)| name.as_str());
            let message = format!("there is no proposition or event `{}`", token.text);
            let known = propositions.chain(events.iter().skip(2).map(String::as_str));
            let help = did_you_mean(&token.text, known);
            return Err(Diagnostic::error("unknown-name", token.span, message).help(help));
        }
        let message = format!("no step is labelled `{}`", token.text);
        let known: Vec<&str> = events.iter().skip(2).take(10).map(String::as_str).collect();
        let help = match known.is_empty() {
            true => "no step has a label but tau and terminate".to_owned(),
            false => {
                format!("the labels are {}", known.join(", ")) + if events.len() > 12 { ", ..." } else { "" }
            }
        };
        Err(Diagnostic::error("unknown-label", token.span, message).help(help))
    }

    /// `impartial`, `buchi(p)`, `rabin(red, green; ...)`, `streett(red, green; ...)`
    fn constraint(&mut self, word: &Token, depth: u32) -> Result<Written, Diagnostic> {
        let at = word.span;
        if self.logic != Logic::Fairness {
            let message = format!("`{}` can stand in a fairness formula only", word.text);
            let help = "give it with --fairness, or in a comment: `//@ fairness: impartial`";
            return Err(Diagnostic::error("step-atom", at, message).help(help));
        }
        if word.text == "impartial" {
            let processes = self.lts.alphabet().all_processes().into_iter();
            let engaged: Vec<AtomId> = processes
                .map(|process| self.atom(Atom::EngagedProcess(process)))
                .collect();
            let often = engaged.into_iter().map(|p| Written::Atom(p).infinitely_often(at));
            return Ok(Written::all(often.collect()));
        }
        let opened = self.here();
        self.next();
        if word.text == "buchi" {
            let green = self.formula(depth + 1)?;
            self.expect(")", opened)?;
            return Ok(green.infinitely_often(at));
        }
        let mut pairs = Vec::new();
        loop {
            let red = self.formula(depth + 1)?;
            if self.peek() != "," {
                let message = format!("`{}` takes pairs: red, green; red, green; ...", word.text);
                return Err(Diagnostic::error("property-syntax", self.here(), message)
                    .help("first what may, or must, stop happening, then what must go on happening"));
            }
            self.next();
            let green = self.formula(depth + 1)?;
            pairs.push((red, green));
            if self.peek() != ";" {
                break;
            }
            self.next();
        }
        self.expect(")", opened)?;
        Ok(match word.text.as_str() {
            "rabin" => Written::rabin(pairs, at),
            _ => Written::streett(pairs, at),
        })
    }
}
