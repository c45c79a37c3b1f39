//! Population protocols (`.pp`) behind the façade's interface.
//!
//! A protocol has no processes, and only one thing to explore: itself.

use crate::automata::about_protocol;
use crate::constraint::{Annotated, SHAPE_HELP, fairness_formula};
use crate::fairness::{Fairness, no_processes, parse_fairness};
use crate::front::{Asks, Assertion, FrontEnd, Kind};
use crate::load::{LoadOptions, Understood};
use crate::temporal::{Proposition, Temporal};
use fairhold_logic::{AtomId, Automaton, Ctl};
use fairhold_protocol::{
    Action, Assertion as Written, Atom as Said, Configuration, Expr, Protocol, ProtocolJudge, ProtocolSystem,
    Question as Asked, read_assertion, read_fairness, read_protocol,
};
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_system::{EventId, Fault, Keep, PredicateId, Verdict, Word};
use fairhold_trace::{Formula, Judge, Notion, Predicate};
use std::sync::Arc;

/// A protocol and what is asked of it.
#[derive(Debug)]
pub(crate) struct ProtocolModel {
    protocol: Arc<Protocol>,
    properties: Vec<Property>,
    /// Fairness formulas, each with its text.
    formulas: Vec<(String, Formula)>,
    /// The conditions on configurations that these speak of, by number.
    conditions: Vec<Expr>,
    /// The actions that these speak of, by the names of their events.
    actions: Vec<(String, Action)>,
}

/// Something that is asked of a protocol.
#[derive(Debug)]
pub(crate) enum Property {
    /// In its language.
    Written(Written),
    /// That an automaton accepts every execution: how that is written, and where it stands.
    Automaton {
        text: String,
        automaton: Automaton,
        atoms: Vec<Said>,
        span: Span,
    },
}

/// Reads a protocol, and what is asked of it if that is not its own.
pub(crate) fn understand_pp(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let (protocol, mut diagnostics) = read_protocol(&map, file, &options.defines);
    let Some(mut protocol) = protocol else {
        return Understood {
            map,
            diagnostics,
            kind: None,
        };
    };
    let own = std::mem::take(&mut protocol.assertions);
    let mut properties = Vec::new();
    for property in &options.properties {
        let file = map.add("<property>", property.as_str());
        match read_assertion(&protocol, file, property) {
            Ok(assertion) => properties.push(Property::Written(assertion)),
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    for automaton in &options.automata {
        match about_protocol(&protocol, &mut map, automaton) {
            Ok(property) => properties.push(property),
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    if options.keeps_assertions() {
        properties = own.into_iter().map(Property::Written).collect();
    }
    let mut model = ProtocolModel {
        protocol: Arc::new(protocol),
        properties,
        formulas: Vec::new(),
        conditions: Vec::new(),
        actions: Vec::new(),
    };
    let asked = options.fairness.iter().filter_map(Fairness::formula);
    let asked: Vec<String> = asked.map(str::to_owned).collect();
    for text in asked {
        let file = map.add("<fairness>", text.as_str());
        let place = Span {
            file,
            start: 0,
            end: text.len() as u32,
        };
        diagnostics.extend(model.read_fairness(place, &text).err());
    }
    diagnostics.extend(model.own_fairness());
    if let Some(process) = &options.process {
        let message = format!("there is no process `{process}`: a protocol has none to choose");
        diagnostics.push(Diagnostic::bare("unknown-name", message).help("leave out --process"));
    }
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    Understood {
        map,
        diagnostics,
        kind: (!errors).then_some(Kind::Protocol(model)),
    }
}

impl ProtocolModel {
    /// The protocol with what is asked of it in its own language.
    pub(crate) fn whole(&self) -> Protocol {
        Protocol {
            assertions: self
                .properties
                .iter()
                .filter_map(Property::written)
                .cloned()
                .collect(),
            ..(*self.protocol).clone()
        }
    }

    /// Reads the fairness formulas that the assertions themselves name. What is wrong with them comes back.
    fn own_fairness(&mut self) -> Vec<Diagnostic> {
        let mut texts: Vec<(String, Span)> = Vec::new();
        for assertion in self.properties.iter().filter_map(Property::written) {
            let said = assertion.remarks.fairness.iter();
            let said = said.map(|(text, span)| (text.as_str(), *span));
            let listed = assertion
                .remarks
                .expect
                .iter()
                .filter_map(|e| e.notion.as_deref());
            let listed = listed.map(|notion| (notion, assertion.span));
            for (text, span) in said.chain(listed) {
                // What is no fairness at all is said when tasks are planned.
                let list = parse_fairness(text).unwrap_or_default();
                let formulas = list.iter().filter_map(Fairness::formula);
                texts.extend(formulas.map(|text| (text.to_owned(), span)));
            }
        }
        let mut wrong = Vec::new();
        for (text, span) in texts {
            wrong.extend(self.read_fairness(span, &text).err());
        }
        wrong
    }

    /// Reads a fairness formula that stands at `place`.
    fn read_fairness(&mut self, place: Span, text: &str) -> Result<(), Diagnostic> {
        if self.formulas.iter().any(|(known, _)| known == text) {
            return Ok(());
        }
        if text == "impartial" {
            return Err(Diagnostic {
                span: Some(place),
                ..no_processes(text)
            });
        }
        let (formula, atoms) = read_fairness(&self.protocol, place, text)?;
        let mut predicate = |atom: AtomId| self.predicate(&atoms[atom.0 as usize]);
        let formula = fairness_formula(&formula, &mut predicate)
            .map_err(|why| Diagnostic::error("fairness-shape", place, why).help(SHAPE_HELP))?;
        self.formulas.push((text.to_owned(), formula));
        Ok(())
    }

    /// An atom of a fairness formula in the judge's words.
    fn predicate(&mut self, atom: &Said) -> Predicate {
        let mut name = |action: Action| {
            let name = self.protocol.action_name(action);
            self.actions.push((name.clone(), action));
            name
        };
        match atom {
            Said::State(condition, text) => {
                self.conditions.push(condition.clone());
                Predicate::State(self.conditions.len() - 1, text.clone())
            }
            Said::Event(action) => Predicate::Engaged(name(*action)),
            Said::Enabled(action) => Predicate::Enabled(name(*action)),
            Said::Deadlock => unreachable!("{ONLY_IN_CTL}"),
        }
    }

    /// What is asked, as the façade sees it.
    pub(crate) fn assertions(&self) -> Vec<Assertion> {
        self.properties.iter().map(Property::seen).collect()
    }

    /// The protocol.
    pub(crate) fn protocol(&self) -> &Arc<Protocol> {
        &self.protocol
    }

    /// The question of a property that is written in its language.
    fn question(&self, assertion: usize) -> Option<&Asked> {
        self.properties.get(assertion)?.written().map(|a| &a.question)
    }

    /// The condition that a property is about, if it asks for one.
    pub(crate) fn sought(&self, assertion: usize) -> Option<&Expr> {
        self.question(assertion)?.sought()
    }

    /// The atoms of a formula or of an automaton.
    pub(crate) fn atoms(&self, assertion: usize) -> &[Said] {
        match &self.properties[assertion] {
            Property::Automaton { atoms, .. } => atoms,
            Property::Written(written) => match &written.question {
                Asked::Ltl(_, atoms) | Asked::Ctl(_, atoms) => atoms,
                Asked::DeadlockFree | Asked::Reaches(_) | Asked::Never(_) | Asked::Always(_) => &[],
            },
        }
    }

    fn atom_of(&self, assertion: usize, atom: AtomId) -> &Said {
        &self.atoms(assertion)[atom.0 as usize]
    }

    /// The conditions of a property: the one that is sought, or one for each atom of a formula.
    pub(crate) fn own_conditions(&self, assertion: usize) -> Vec<Expr> {
        let of_atom = |atom: &Said| match atom {
            Said::State(condition, _) => condition.clone(),
            _ => Expr::Const(0),
        };
        match self.sought(assertion) {
            Some(condition) => vec![condition.clone()],
            None => self.atoms(assertion).iter().map(of_atom).collect(),
        }
    }

    /// The predicate of a property with this number. Before it in the system come the conditions of fairness formulas.
    fn own_predicate(&self, number: u32) -> PredicateId {
        PredicateId(self.conditions.len() as u32 + number)
    }
}

impl Property {
    fn written(&self) -> Option<&Written> {
        match self {
            Property::Written(written) => Some(written),
            Property::Automaton { .. } => None,
        }
    }

    fn seen(&self) -> Assertion {
        match self {
            Property::Written(written) => Assertion {
                text: written.text.clone(),
                asks: match &written.question {
                    Asked::DeadlockFree => Asks::DeadlockFree,
                    Asked::Reaches(_) => Asks::Reaches,
                    Asked::Never(_) => Asks::Never,
                    Asked::Always(_) => Asks::Always,
                    Asked::Ltl(..) => Asks::Ltl,
                    Asked::Ctl(..) => Asks::Ctl,
                },
                fairness: written.remarks.fairness.clone(),
                expect: written
                    .remarks
                    .expect
                    .iter()
                    .map(|e| (e.notion.clone(), e.verdict))
                    .collect(),
                span: written.span,
            },
            Property::Automaton { text, span, .. } => Assertion {
                text: text.clone(),
                asks: Asks::Ltl,
                fairness: None,
                expect: Vec::new(),
                span: *span,
            },
        }
    }
}

/// Why some questions are not asked what they say.
const ONLY_FORMULAS: &str = "only formulas and automata are asked what they say";
/// Why some atoms cannot be met outside of CTL.
const ONLY_IN_CTL: &str = "`deadlock` and `enabled` stand in CTL only";
/// Why some atoms are no atoms of states.
const ONLY_OF_STEPS: &str = "in CTL, events stand between braces only";

impl FrontEnd for ProtocolModel {
    /// The number of the property that is asked, if one is.
    type Subject = Option<usize>;
    type System = ProtocolSystem;
    type Judge = ProtocolJudge;

    fn asserted(&self, assertion: usize) -> Option<usize> {
        Some(assertion)
    }

    fn explored(&self) -> Result<Option<usize>, Diagnostic> {
        Ok(None)
    }

    fn name(&self, _: &Option<usize>) -> String {
        "the protocol".to_owned()
    }

    fn system(&self, subject: &Option<usize>, _: Keep) -> Result<ProtocolSystem, Fault> {
        let mut predicates = self.conditions.clone();
        predicates.extend(subject.map_or(Vec::new(), |assertion| self.own_conditions(assertion)));
        ProtocolSystem::new(Arc::clone(&self.protocol), &predicates)
    }

    fn random_initial(
        &self,
        system: &ProtocolSystem,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<Vec<Word>>, Fault> {
        system.random_initial(below)
    }

    fn judge(&self, _: &Option<usize>) -> Result<ProtocolJudge, Fault> {
        Ok(ProtocolJudge(Arc::clone(&self.protocol)))
    }

    fn notions(&self) -> &'static [Notion] {
        &[Notion::Ewf, Notion::Esf, Notion::Sgf]
    }

    fn defines(&self) -> Vec<(String, i32)> {
        self.protocol.constants.clone()
    }

    fn annotations(&self, _: &SourceMap) -> Vec<String> {
        Vec::new()
    }

    fn ask(&self, _: &ProtocolSystem, assertion: usize) -> Question {
        match self.question(assertion) {
            Some(Asked::DeadlockFree) => Question::DeadlockFree,
            // The system of a property has its condition, and no other of its own.
            Some(Asked::Reaches(_) | Asked::Never(_) | Asked::Always(_)) => {
                Question::Reaches(self.own_predicate(0))
            }
            _ => unreachable!("formulas are decided by another search"),
        }
    }

    fn temporal(&self, assertion: usize) -> Temporal<'_> {
        match &self.properties[assertion] {
            Property::Automaton { automaton, .. } => Temporal::Automaton(automaton),
            Property::Written(written) => match &written.question {
                Asked::Ltl(formula, _) => Temporal::Formula(formula),
                _ => unreachable!("{ONLY_FORMULAS}"),
            },
        }
    }

    fn branching(&self, assertion: usize) -> &Ctl {
        match self.question(assertion) {
            Some(Asked::Ctl(formula, _)) => formula,
            _ => unreachable!("{ONLY_FORMULAS}"),
        }
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match self.atom_of(assertion, atom) {
            Said::State(_, text) => text.clone(),
            Said::Event(action) => self.protocol.action_name(*action),
            Said::Enabled(action) => format!("enabled({})", self.protocol.action_name(*action)),
            Said::Deadlock => "deadlock".to_owned(),
        }
    }

    fn is_condition(&self, assertion: usize, atom: AtomId) -> bool {
        matches!(self.atom_of(assertion, atom), Said::State(..))
    }

    fn atom(&self, system: &ProtocolSystem, assertion: usize, atom: AtomId) -> Atom {
        match self.atom_of(assertion, atom) {
            // The system of a formula has a predicate for each of its atoms, used or not.
            Said::State(..) => Atom::State(self.own_predicate(atom.0)),
            Said::Event(action) => Atom::Event(system.event(*action)),
            Said::Enabled(_) | Said::Deadlock => unreachable!("{ONLY_IN_CTL}"),
        }
    }

    fn proposition(&self, system: &ProtocolSystem, assertion: usize, atom: AtomId) -> Proposition {
        match self.atom_of(assertion, atom) {
            Said::State(..) => Proposition::State(self.own_predicate(atom.0)),
            Said::Enabled(action) => Proposition::Enabled(system.event(*action)),
            Said::Deadlock => Proposition::Deadlock,
            Said::Event(_) => unreachable!("{ONLY_OF_STEPS}"),
        }
    }

    fn atom_holds(
        &self,
        judge: &ProtocolJudge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &Configuration,
    ) -> Result<bool, Fault> {
        Ok(match self.atom_of(assertion, atom) {
            Said::State(condition, _) => judge.holds(state, condition)?,
            Said::Event(action) => event == Some(self.protocol.action_name(*action).as_str()),
            Said::Enabled(action) => {
                let name = self.protocol.action_name(*action);
                judge.steps(state)?.iter().any(|(event, ..)| *event == name)
            }
            Said::Deadlock => judge.steps(state)?.is_empty(),
        })
    }

    fn fairness(&self, _: usize, text: &str) -> &Formula {
        let known = self.formulas.iter().find(|(t, _)| t == text);
        &known.expect("formulas are read when a model is loaded").1
    }

    fn event(&self, system: &ProtocolSystem, name: &str) -> EventId {
        let known = self.actions.iter().find(|(known, _)| known == name);
        system.event(known.expect("fairness formulas name actions of the protocol").1)
    }

    fn condition(&self, _: &ProtocolSystem, number: usize) -> PredicateId {
        PredicateId(number as u32)
    }

    fn condition_holds(
        &self,
        judge: &ProtocolJudge,
        number: usize,
        state: &Configuration,
    ) -> Result<bool, Fault> {
        judge.holds(state, &self.conditions[number])
    }

    fn annotated(&self, _: &ProtocolSystem) -> Result<Vec<Annotated>, Fault> {
        Ok(Vec::new())
    }

    fn decides(
        &self,
        judge: &ProtocolJudge,
        assertion: usize,
        verdict: Verdict,
        ends: &[Configuration],
    ) -> bool {
        let Some(condition) = self.sought(assertion) else {
            return true;
        };
        match verdict {
            Verdict::Holds => ends.iter().any(|end| judge.holds(end, condition) == Ok(true)),
            _ => ends
                .iter()
                .any(|end| judge.steps(end).is_err() || judge.holds(end, condition).is_err()),
        }
    }
}
