//! Explicit graphs behind the façade's interface: Aldebaran files (`.aut`) and Kripke structures (`.kts`).
//!
//! A graph has no constants, and no process to choose. What is asked of it is in the syntax of [`fairhold_structure::read_property`]; an Aldebaran file asks
//! nothing itself.

use crate::automata::about_graph;
use crate::constraint::{Annotated, SHAPE_HELP, fairness_formula};
use crate::fairness::{FAIRNESS_HELP, Fairness, parse_fairness};
use crate::front::{Asks, Assertion, Enabledness, FrontEnd, Kind};
use crate::load::{LoadOptions, Understood};
use crate::temporal::{Proposition, Temporal};
use fairhold_logic::{AtomId, Ctl};
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_store::StateId;
use fairhold_structure::{
    Atom as PropertyAtom, Condition, Lts, LtsJudge, LtsSystem, Owner, Property, Question as Asked, Structure,
    read_aut, read_fairness, read_kts, read_property,
};
use fairhold_system::{EventId, Fault, Keep, PredicateId, Verdict};
use fairhold_trace::{Formula, Judge, Predicate};
use std::sync::Arc;

/// A graph and what is asked of it.
#[derive(Debug)]
pub(crate) struct ExplicitModel {
    lts: Arc<Lts>,
    properties: Vec<Property>,
    /// Fairness formulas, each with its text.
    formulas: Vec<(String, Formula)>,
    /// The conditions on the state that these speak of, by number.
    conditions: Vec<Condition>,
    /// Whoever can be enabled, if the graph itself says where.
    owners: Vec<Owner>,
}

/// Reads an Aldebaran file and the properties asked of it.
pub(crate) fn understand_aut(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let (lts, diagnostics) = read_aut(file, text);
    understand(map, lts, Vec::new(), diagnostics, options)
}

/// Reads a Kripke structure, and the properties asked of it if they are not its own.
pub(crate) fn understand_kts(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match read_kts(&map, file) {
        (Some(Structure { lts, assertions }), diagnostics) => {
            understand(map, Some(lts), assertions, diagnostics, options)
        }
        (None, diagnostics) => understand(map, None, Vec::new(), diagnostics, options),
    }
}

/// Reads what is asked of a graph; `own` are its own assertions.
fn understand(
    mut map: SourceMap,
    lts: Option<Lts>,
    own: Vec<Property>,
    mut diagnostics: Vec<Diagnostic>,
    options: &LoadOptions,
) -> Understood {
    let Some(lts) = lts else {
        return Understood {
            map,
            diagnostics,
            kind: None,
        };
    };
    let mut model = ExplicitModel {
        owners: match lts.declares_enabled() {
            true => lts.owners(),
            false => Vec::new(),
        },
        lts: Arc::new(lts),
        properties: Vec::new(),
        formulas: Vec::new(),
        conditions: Vec::new(),
    };
    for property in &options.properties {
        let file = map.add("<property>", property.as_str());
        match read_property(&model.lts, file, property) {
            Ok(property) => model.properties.push(property),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    for automaton in &options.automata {
        match about_graph(&model.lts, &mut map, automaton) {
            Ok(property) => model.properties.push(property),
            Err(errors) => diagnostics.extend(errors),
        }
    }
    if options.keeps_assertions() {
        model.properties = own;
    }
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
    if let Some((name, _)) = options.defines.first() {
        let message = format!("there is no constant `{name}` to override: a graph has none");
        diagnostics.push(Diagnostic::bare("unknown-define", message));
    }
    if let Some(process) = &options.process {
        let message = format!("there is no process `{process}`: a graph has none to choose");
        diagnostics.push(Diagnostic::bare("unknown-name", message).help("leave out --process"));
    }
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    Understood {
        map,
        diagnostics,
        kind: (!errors).then_some(Kind::Explicit(model)),
    }
}

impl ExplicitModel {
    /// Reads the fairness formulas that the assertions themselves name. What is wrong with them comes back.
    fn own_fairness(&mut self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        let mut texts: Vec<(String, Span)> = Vec::new();
        for property in &self.properties {
            if let Some((text, span)) = &property.remarks.fairness {
                match parse_fairness(text) {
                    Err(message) => {
                        wrong.push(Diagnostic::error("unknown-fairness", *span, message).help(FAIRNESS_HELP));
                    }
                    Ok(list) => {
                        let formulas = list.iter().filter_map(Fairness::formula);
                        texts.extend(formulas.map(|text| (text.to_owned(), *span)));
                    }
                }
            }
            for notion in property.remarks.expect.iter().filter_map(|e| e.notion.as_deref()) {
                let list = parse_fairness(notion).unwrap_or_default();
                let formulas = list.iter().filter_map(Fairness::formula);
                texts.extend(formulas.map(|text| (text.to_owned(), property.span)));
            }
        }
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
        let (formula, atoms) = read_fairness(&self.lts, place, text)?;
        let (lts, conditions) = (&self.lts, &mut self.conditions);
        let mut predicate = |atom: AtomId| predicate(lts, &atoms[atom.0 as usize], conditions);
        let formula = fairness_formula(&formula, &mut predicate)
            .map_err(|why| Diagnostic::error("fairness-shape", place, why).help(SHAPE_HELP))?;
        self.formulas.push((text.to_owned(), formula));
        Ok(())
    }

    /// The properties, as the façade sees them.
    pub(crate) fn assertions(&self) -> Vec<Assertion> {
        let seen = |p: &Property| Assertion {
            text: p.text.clone(),
            asks: match &p.question {
                Asked::DeadlockFree => Asks::DeadlockFree,
                Asked::NonTerminating => Asks::NonTerminating,
                Asked::DivergenceFree => Asks::DivergenceFree,
                Asked::Deterministic => Asks::Deterministic,
                Asked::Reaches(_) => Asks::Reaches,
                Asked::Never(_) => Asks::Never,
                Asked::Always(_) => Asks::Always,
                Asked::Ltl(..) | Asked::Automaton(..) => Asks::Ltl,
                Asked::Ctl(..) => Asks::Ctl,
            },
            fairness: p.remarks.fairness.clone(),
            expect: p
                .remarks
                .expect
                .iter()
                .map(|e| (e.notion.clone(), e.verdict))
                .collect(),
            span: p.span,
        };
        self.properties.iter().map(seen).collect()
    }

    /// The graph.
    pub(crate) fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The predicates of a property: the condition that is sought, or one for each atom of a formula.
    fn predicates(&self, assertion: usize) -> Vec<Condition> {
        let of_atom = |atom: &PropertyAtom| match atom {
            PropertyAtom::State(condition) => condition.clone(),
            _ => Condition::Const(false),
        };
        match &self.properties[assertion].question {
            Asked::Reaches(condition) | Asked::Never(condition) | Asked::Always(condition) => {
                vec![condition.clone()]
            }
            Asked::Ltl(_, atoms) | Asked::Ctl(_, atoms) | Asked::Automaton(_, atoms) => {
                atoms.iter().map(of_atom).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The predicate of a property with this number. Before it in the system come the conditions of fairness formulas, and where everyone is enabled.
    fn own_predicate(&self, number: u32) -> PredicateId {
        PredicateId((self.conditions.len() + self.owners.len()) as u32 + number)
    }

    /// Where someone is enabled, if the graph itself says.
    fn enabled(&self, owner: Owner) -> Option<PredicateId> {
        let number = self.owners.iter().position(|o| *o == owner)?;
        Some(PredicateId((self.conditions.len() + number) as u32))
    }

    /// An atom of a formula or of an automaton.
    fn atom_of(&self, assertion: usize, atom: AtomId) -> &PropertyAtom {
        let (Asked::Ltl(_, atoms) | Asked::Ctl(_, atoms) | Asked::Automaton(_, atoms)) =
            &self.properties[assertion].question
        else {
            unreachable!("{ONLY_FORMULAS}")
        };
        &atoms[atom.0 as usize]
    }

    fn event_name(&self, event: EventId) -> &str {
        &self.lts.events()[event.0 as usize]
    }

    /// The condition that a property is about, if it asks for one.
    fn sought(&self, assertion: usize) -> Option<&Condition> {
        self.properties.get(assertion)?.question.sought()
    }
}

/// An atom of a fairness formula in the judge's words.
fn predicate(lts: &Lts, atom: &PropertyAtom, conditions: &mut Vec<Condition>) -> Predicate {
    let name = |event: &EventId| lts.events()[event.0 as usize].clone();
    match atom {
        PropertyAtom::State(condition) => {
            conditions.push(condition.clone());
            Predicate::State(conditions.len() - 1, condition.to_string())
        }
        PropertyAtom::Event(event) => Predicate::Engaged(name(event)),
        PropertyAtom::Enabled(event) => Predicate::Enabled(name(event)),
        PropertyAtom::Ready(event) => Predicate::Ready(name(event)),
        PropertyAtom::EnabledProcess(process) => Predicate::EnabledProcess(*process),
        PropertyAtom::EngagedProcess(process) => Predicate::EngagedProcess(*process),
        PropertyAtom::Deadlock | PropertyAtom::Terminated => unreachable!("{ONLY_IN_CTL}"),
    }
}

/// Why some questions are not asked what they say.
const ONLY_FORMULAS: &str = "only formulas and automata are asked what they say";
/// Why some atoms cannot be met in LTL and CTL.
const ONLY_IN_FAIRNESS: &str = "what is ready and engaged stands in fairness formulas only";
/// Why some atoms cannot be met outside of CTL.
const ONLY_IN_CTL: &str = "`deadlock` and `terminated` stand in CTL only";
/// Why some atoms are no atoms of states.
const ONLY_OF_STEPS: &str = "in CTL, events stand between braces only";

impl FrontEnd for ExplicitModel {
    /// The number of the property that is asked, if one is.
    type Subject = Option<usize>;
    type System = LtsSystem;
    type Judge = LtsJudge;

    fn asserted(&self, assertion: usize) -> Option<usize> {
        Some(assertion)
    }

    fn explored(&self) -> Result<Option<usize>, Diagnostic> {
        Ok(None)
    }

    fn name(&self, _: &Option<usize>) -> String {
        match self.lts.description() {
            None => "the graph".to_owned(),
            Some(_) => "the structure".to_owned(),
        }
    }

    fn system(&self, subject: &Option<usize>, _: Keep) -> Result<LtsSystem, Fault> {
        let mut predicates = self.conditions.clone();
        let enabled = |owner: &Owner| {
            let written = match owner {
                Owner::Event(event) => format!("enabled({})", self.event_name(*event)),
                Owner::Process(process) => format!("enabled(process {process})"),
            };
            Condition::Among(written, Arc::new(self.lts.enabled(*owner)))
        };
        predicates.extend(self.owners.iter().map(enabled));
        predicates.extend(subject.map_or(Vec::new(), |assertion| self.predicates(assertion)));
        Ok(LtsSystem::new(Arc::clone(&self.lts), predicates))
    }

    fn judge(&self, _: &Option<usize>) -> Result<LtsJudge, Fault> {
        Ok(LtsJudge(Arc::clone(&self.lts)))
    }

    fn defines(&self) -> Vec<(String, i32)> {
        Vec::new()
    }

    fn annotations(&self, _: &SourceMap) -> Vec<String> {
        Vec::new()
    }

    fn ask(&self, _: &LtsSystem, assertion: usize) -> Question {
        match &self.properties[assertion].question {
            Asked::DeadlockFree => Question::DeadlockFree,
            Asked::NonTerminating => Question::NonTerminating,
            Asked::DivergenceFree => Question::DivergenceFree,
            Asked::Deterministic => Question::Deterministic,
            // The system of a property has its condition, and no other of its own.
            Asked::Reaches(_) | Asked::Never(_) | Asked::Always(_) => {
                Question::Reaches(self.own_predicate(0))
            }
            Asked::Ltl(..) | Asked::Ctl(..) | Asked::Automaton(..) => {
                unreachable!("formulas are decided by another search")
            }
        }
    }

    fn temporal(&self, assertion: usize) -> Temporal<'_> {
        match &self.properties[assertion].question {
            Asked::Ltl(formula, _) => Temporal::Formula(formula),
            Asked::Automaton(automaton, _) => Temporal::Automaton(automaton),
            _ => unreachable!("{ONLY_FORMULAS}"),
        }
    }

    fn branching(&self, assertion: usize) -> &Ctl {
        match &self.properties[assertion].question {
            Asked::Ctl(formula, _) => formula,
            _ => unreachable!("{ONLY_FORMULAS}"),
        }
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match self.atom_of(assertion, atom) {
            PropertyAtom::State(condition) => condition.to_string(),
            PropertyAtom::Event(event) => self.event_name(*event).to_owned(),
            PropertyAtom::Enabled(event) => format!("enabled({})", self.event_name(*event)),
            PropertyAtom::EnabledProcess(process) => format!("enabled(process {process})"),
            PropertyAtom::Deadlock => "deadlock".to_owned(),
            PropertyAtom::Terminated => "terminated".to_owned(),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        }
    }

    fn is_condition(&self, assertion: usize, atom: AtomId) -> bool {
        matches!(self.atom_of(assertion, atom), PropertyAtom::State(_))
    }

    fn atom(&self, _: &LtsSystem, assertion: usize, atom: AtomId) -> Atom {
        match self.atom_of(assertion, atom) {
            // The system of a formula has a predicate for each of its atoms, used or not.
            PropertyAtom::State(_) => Atom::State(self.own_predicate(atom.0)),
            PropertyAtom::Event(event) => Atom::Event(*event),
            _ => unreachable!("{ONLY_IN_CTL}"),
        }
    }

    fn proposition(&self, _: &LtsSystem, assertion: usize, atom: AtomId) -> Proposition {
        match self.atom_of(assertion, atom) {
            PropertyAtom::State(_) => Proposition::State(self.own_predicate(atom.0)),
            PropertyAtom::Enabled(event) => self
                .enabled(Owner::Event(*event))
                .map_or(Proposition::Enabled(*event), Proposition::State),
            PropertyAtom::EnabledProcess(process) => self
                .enabled(Owner::Process(*process))
                .map_or(Proposition::EnabledProcess(*process), Proposition::State),
            PropertyAtom::Deadlock => Proposition::Deadlock,
            PropertyAtom::Terminated => Proposition::Terminated,
            _ => unreachable!("{ONLY_OF_STEPS}"),
        }
    }

    fn atom_holds(
        &self,
        judge: &LtsJudge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &u32,
    ) -> Result<bool, Fault> {
        let enabled = || Ok(judge.enabled(state, &judge.steps(state)?));
        Ok(match self.atom_of(assertion, atom) {
            PropertyAtom::State(condition) => condition.holds(StateId(*state)),
            PropertyAtom::Event(of) => event == Some(self.event_name(*of)),
            PropertyAtom::Enabled(event) => enabled()?.events.contains(self.event_name(*event)),
            PropertyAtom::EnabledProcess(process) => enabled()?.processes.contains(process),
            PropertyAtom::Deadlock => judge.is_deadlock(*state),
            PropertyAtom::Terminated => judge.is_ended(*state),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        })
    }

    fn fairness(&self, _: usize, text: &str) -> &Formula {
        let known = self.formulas.iter().find(|(t, _)| t == text);
        &known.expect("formulas are read when a model is loaded").1
    }

    fn event(&self, _: &LtsSystem, name: &str) -> EventId {
        let known = self.lts.alphabet().find_event(name);
        known.expect("formulas name labels of the graph")
    }

    fn condition(&self, _: &LtsSystem, number: usize) -> PredicateId {
        PredicateId(number as u32)
    }

    fn condition_holds(&self, _: &LtsJudge, number: usize, state: &u32) -> Result<bool, Fault> {
        Ok(self.conditions[number].holds(StateId(*state)))
    }

    fn enabledness(&self) -> Option<Enabledness> {
        if self.owners.is_empty() {
            return None;
        }
        let mut declared = Enabledness::default();
        for &owner in &self.owners {
            let enabled = self.enabled(owner).expect("every owner has a predicate");
            match owner {
                Owner::Event(event) => declared.events.push((event, enabled)),
                Owner::Process(process) => declared.processes.push((process, enabled)),
            }
        }
        Some(declared)
    }

    fn annotated(&self, _: &LtsSystem) -> Result<Vec<Annotated>, Fault> {
        Ok(Vec::new())
    }

    fn decides(&self, _: &LtsJudge, assertion: usize, verdict: Verdict, ends: &[u32]) -> bool {
        let holds = |c: &Condition| ends.iter().any(|&end| c.holds(StateId(end)));
        verdict == Verdict::Holds && self.sought(assertion).is_some_and(holds)
    }
}
