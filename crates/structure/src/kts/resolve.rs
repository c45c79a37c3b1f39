//! From items to a graph: names become numbers, and what does not fit is reported, all of it.

use super::parser::{Arc as Written, Cause, Items, Name, State};
use crate::alphabet::Alphabet;
use crate::lts::{Description, Lts, LtsStep, Owner};
use fairhold_logic::Quantifier;
use fairhold_source::{Diagnostic, Span, did_you_mean};
use fairhold_store::StateId;
use fairhold_system::{EventId, ProcessesId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Words that mean something else in a formula.
const RESERVED: [&str; 20] = [
    "true", "false", "state", "enabled", "ready", "engaged", "process", "xor", "A", "E", "G", "F", "X", "U",
    "R", "V", "W", "GF", "FG", "reaches",
];

/// The graph; none if there is an error.
pub(super) fn graph(items: &Items<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Lts> {
    let before = diagnostics.len();
    let mut resolver = Resolver {
        items,
        states: FxHashMap::default(),
        propositions: FxHashMap::default(),
        sets: Vec::new(),
        alphabet: Alphabet::default(),
        everyone: ProcessesId::NONE,
        events: FxHashMap::default(),
        diagnostics,
    };
    resolver.declare_states();
    resolver.declare_propositions();
    let initial = resolver.initial();
    if !resolver.names_processes() {
        resolver.everyone = resolver.alphabet.processes(&[0]);
    }
    let steps = resolver.steps();
    let also_enabled = resolver.also_enabled();
    resolver.check_names();
    let Resolver { sets, alphabet, .. } = resolver;
    if diagnostics[before..].iter().any(Diagnostic::is_error) {
        return None;
    }
    let description = Description {
        names: items.states.iter().map(|s| s.name.0.to_owned()).collect(),
        propositions: sets
            .into_iter()
            .map(|(name, set)| (name.to_owned(), Arc::new(set)))
            .collect(),
        also_enabled,
    };
    let states = items.states.len() as u32;
    Some(Lts::new(initial, states, steps, alphabet).described(description))
}

struct Resolver<'r, 't> {
    items: &'r Items<'t>,
    /// The number of every state, and where it is declared.
    states: FxHashMap<&'t str, (StateId, Span)>,
    /// The number of every proposition, and where it is first met.
    propositions: FxHashMap<&'t str, (usize, Span)>,
    /// Where each proposition is true.
    sets: Vec<(&'t str, FixedBitSet)>,
    alphabet: Alphabet,
    /// Who causes an arc that names no process.
    everyone: ProcessesId,
    /// Where each event is first met.
    events: FxHashMap<&'t str, Span>,
    diagnostics: &'r mut Vec<Diagnostic>,
}

impl<'t> Resolver<'_, 't> {
    fn error(&mut self, code: &'static str, span: Span, message: String, help: String) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message).help(help));
    }

    fn declare_states(&mut self) {
        for (i, State { name, .. }) in self.items.states.iter().enumerate() {
            let (name, span) = *name;
            match self.states.get(name) {
                Some((_, first)) => {
                    let message = format!("there are two states `{name}`");
                    self.diagnostics.push(
                        Diagnostic::error("duplicate-state", span, message)
                            .also(*first, "the first one")
                            .help("all that is true in a state stands in one place: `state s {p, q};`"),
                    );
                }
                None => {
                    self.states.insert(name, (StateId(i as u32), span));
                }
            }
        }
        if self.items.states.is_empty() {
            let message = "there are no states".to_owned();
            let help = "declare them: `state s {p};`".to_owned();
            self.error("no-states", self.items.start, message, help);
        }
    }

    fn state(&mut self, (name, span): Name<'t>) -> Option<StateId> {
        if let Some((state, _)) = self.states.get(name) {
            return Some(*state);
        }
        let message = format!("there is no state `{name}`");
        let mut help = did_you_mean(name, self.states.keys().copied());
        if help.is_empty() {
            help = format!("declare it: `state {name};`");
        }
        self.error("unknown-state", span, message, help);
        None
    }

    fn declare_propositions(&mut self) {
        let states = self.items.states.len();
        let declared = self.items.propositions.as_deref().unwrap_or(&[]);
        for &(name, span) in declared {
            if let Some((_, first)) = self.propositions.get(name) {
                let message = format!("the proposition `{name}` is declared twice");
                let twice = Diagnostic::error("duplicate-proposition", span, message);
                self.diagnostics.push(twice.also(*first, "the first time"));
            } else {
                self.add_proposition(name, span);
            }
        }
        for (i, state) in self.items.states.iter().enumerate() {
            for &(name, span) in &state.propositions {
                let known = self.propositions.get(name).map(|(number, _)| *number);
                let number = match known {
                    Some(number) => number,
                    None if self.items.propositions.is_some() => {
                        let message = format!("the proposition `{name}` is not declared");
                        let mut help = did_you_mean(name, declared.iter().map(|(n, _)| *n));
                        if help.is_empty() {
                            help = format!("add it to the list: `propositions {name};`");
                        }
                        self.error("unknown-proposition", span, message, help);
                        continue;
                    }
                    None => self.add_proposition(name, span),
                };
                self.sets[number].1.insert(i);
            }
        }
        debug_assert!(self.sets.iter().all(|(_, set)| set.len() == states));
    }

    fn add_proposition(&mut self, name: &'t str, span: Span) -> usize {
        let number = self.sets.len();
        let nowhere = FixedBitSet::with_capacity(self.items.states.len());
        self.sets.push((name, nowhere));
        self.propositions.insert(name, (number, span));
        number
    }

    fn initial(&mut self) -> Vec<StateId> {
        if self.items.initial.is_empty() {
            let message = "there is no initial state".to_owned();
            let first = self.items.states.first();
            let help = first.map_or(String::new(), |s| {
                format!("say where it starts: `init {};`", s.name.0)
            });
            let at = first.map_or(self.items.start, |s| s.name.1);
            self.error("no-initial-state", at, message, help);
        }
        let mut initial = Vec::new();
        for &name in &self.items.initial {
            if let Some(state) = self.state(name)
                && !initial.contains(&state)
            {
                initial.push(state);
            }
        }
        initial
    }

    /// Whether some cause is a process.
    fn names_processes(&self) -> bool {
        let arcs = self.items.arcs.iter().flat_map(|arc| &arc.causes);
        let enabled = self.items.states.iter().flat_map(|state| &state.enabled);
        arcs.chain(enabled)
            .any(|(cause, _)| matches!(cause, Cause::Process(_)))
    }

    fn steps(&mut self) -> Vec<LtsStep> {
        let mut steps = Vec::new();
        for Written { from, to, causes } in &self.items.arcs {
            let mut event: Option<Name<'t>> = None;
            let mut processes = Vec::new();
            for &(cause, span) in causes {
                match cause {
                    Cause::Process(process) => processes.push(process),
                    Cause::Event(name) => match event.replace((name, span)) {
                        Some((first, at)) => {
                            let message =
                                format!("an arc has one event, and this one has `{first}` and `{name}`");
                            let help = "write two arcs";
                            let two = Diagnostic::error("two-events", span, message).help(help);
                            self.diagnostics.push(two.also(at, "the first event"));
                        }
                        None => {
                            self.events.entry(name).or_insert(span);
                        }
                    },
                }
            }
            let event = event.map_or(EventId::TAU, |(name, _)| self.alphabet.event(name));
            let processes = match &processes[..] {
                [] => self.everyone,
                some => self.alphabet.processes(some),
            };
            let label = self.alphabet.label(event, processes);
            let from = self.state(*from);
            for &target in to {
                if let (Some(to), Some(from)) = (self.state(target), from) {
                    steps.push(LtsStep { from, label, to });
                }
            }
        }
        steps
    }

    fn also_enabled(&mut self) -> BTreeMap<Owner, FixedBitSet> {
        let mut also: BTreeMap<Owner, FixedBitSet> = BTreeMap::new();
        let states = self.items.states.len();
        for (i, state) in self.items.states.iter().enumerate() {
            for &(cause, span) in &state.enabled {
                let owner = match cause {
                    Cause::Event("tau") => {
                        let message =
                            "`tau` is nobody's obligation, so it makes no difference whether it is enabled";
                        self.error("kts-syntax", span, message.to_owned(), String::new());
                        continue;
                    }
                    Cause::Event(name) => {
                        self.events.entry(name).or_insert(span);
                        Owner::Event(self.alphabet.event(name))
                    }
                    Cause::Process(process) => {
                        self.alphabet.processes(&[process]);
                        Owner::Process(process)
                    }
                };
                also.entry(owner)
                    .or_insert_with(|| FixedBitSet::with_capacity(states))
                    .insert(i);
            }
        }
        also
    }

    /// Names that a formula could not tell apart, or could not speak of.
    fn check_names(&mut self) {
        for (name, _) in self.sets.clone() {
            let (_, span) = self.propositions[name];
            if RESERVED.contains(&name) || Quantifier::of_word(name).is_some() {
                let message = format!("`{name}` means something else in a formula");
                let help = "give the proposition another name".to_owned();
                self.error("reserved-name", span, message, help);
            }
            if let Some(event) = self.events.get(name).copied() {
                let message = format!("`{name}` is a proposition and an event");
                let help = "a formula could not tell them apart: give one of them another name";
                let clash = Diagnostic::error("name-clash", event, message).help(help);
                self.diagnostics.push(clash.also(span, "the proposition"));
            }
        }
    }
}
