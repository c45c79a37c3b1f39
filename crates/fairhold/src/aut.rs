//! Explicit graphs (`.aut`) behind the façade's interface.
//!
//! A graph brings no assertions, no constants and no processes of its own: what is asked of it comes from the command
//! line, in the syntax of [`fairhold_structure::read_property`].

use crate::automata::about_graph;
use crate::constraint::{Annotated, SHAPE_HELP, fairness_formula};
use crate::fairness::Fairness;
use crate::front::{Asks, Assertion, FrontEnd, Kind};
use crate::load::{LoadOptions, Understood};
use crate::temporal::Temporal;
use fairhold_logic::AtomId;
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_store::StateId;
use fairhold_structure::{
    Atom as PropertyAtom, Condition, Lts, LtsJudge, LtsSystem, Property, read_aut, read_fairness,
    read_property,
};
use fairhold_system::{EventId, Fault, PredicateId, Verdict};
use fairhold_trace::{Formula, Predicate};
use std::sync::Arc;

/// A graph and what is asked of it.
#[derive(Debug)]
pub(crate) struct AutModel {
    lts: Arc<Lts>,
    properties: Vec<Property>,
    /// Fairness formulas, each with its text.
    formulas: Vec<(String, Formula)>,
    /// The conditions on the state that these speak of, by number.
    conditions: Vec<Condition>,
}

/// Reads a graph and the properties asked of it.
pub(crate) fn understand(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let (lts, mut diagnostics) = read_aut(file, text);
    let mut properties = Vec::new();
    let (mut formulas, mut conditions) = (Vec::new(), Vec::new());
    if let Some(lts) = &lts {
        for text in options.fairness.iter().filter_map(Fairness::formula) {
            let file = map.add("<fairness>", text);
            let read = read_fairness(lts, file, text).and_then(|(formula, atoms)| {
                let mut predicate = |atom: AtomId| predicate(lts, &atoms[atom.0 as usize], &mut conditions);
                fairness_formula(&formula, &mut predicate).map_err(|why| {
                    let span = Span {
                        file,
                        start: 0,
                        end: text.len() as u32,
                    };
                    Diagnostic::error("fairness-shape", span, why).help(SHAPE_HELP)
                })
            });
            match read {
                Ok(formula) => formulas.push((text.to_owned(), formula)),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        for property in &options.properties {
            let file = map.add("<property>", property.as_str());
            match read_property(lts, file, property) {
                Ok(property) => properties.push(property),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        for automaton in &options.automata {
            match about_graph(lts, &mut map, automaton) {
                Ok(property) => properties.push(property),
                Err(errors) => diagnostics.extend(errors),
            }
        }
        if let Some((name, _)) = options.defines.first() {
            let message = format!("there is no constant `{name}` to override: a graph has none");
            diagnostics.push(Diagnostic::bare("unknown-define", message));
        }
        if let Some(process) = &options.process {
            let message = format!("there is no process `{process}`: a graph has none to choose");
            diagnostics.push(Diagnostic::bare("unknown-name", message).help("leave out --process"));
        }
    }
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let lts = lts.filter(|_| !errors);
    Understood {
        map,
        diagnostics,
        kind: lts.map(|lts| {
            Kind::Aut(AutModel {
                lts: Arc::new(lts),
                properties,
                formulas,
                conditions,
            })
        }),
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
    }
}

impl AutModel {
    /// The properties, as the façade sees them.
    pub(crate) fn assertions(&self) -> Vec<Assertion> {
        use fairhold_structure::Question;
        let seen = |p: &Property| Assertion {
            text: p.text.clone(),
            asks: match &p.question {
                Question::DeadlockFree => Asks::DeadlockFree,
                Question::NonTerminating => Asks::NonTerminating,
                Question::DivergenceFree => Asks::DivergenceFree,
                Question::Deterministic => Asks::Deterministic,
                Question::Reaches(_) => Asks::Reaches,
                Question::Ltl(..) | Question::Automaton(..) => Asks::Ltl,
            },
            fairness: None,
            expect: Vec::new(),
            span: p.span,
        };
        self.properties.iter().map(seen).collect()
    }

    /// The predicates of a property: the condition of a `reaches`, or one for each atom of a formula. Those of fairness formulas come after them.
    fn predicates(&self, assertion: usize) -> Vec<Condition> {
        let of_atom = |atom: &PropertyAtom| match atom {
            PropertyAtom::State(condition) => condition.clone(),
            _ => Condition::Const(false),
        };
        match &self.properties[assertion].question {
            fairhold_structure::Question::Reaches(condition) => vec![condition.clone()],
            fairhold_structure::Question::Ltl(_, atoms)
            | fairhold_structure::Question::Automaton(_, atoms) => atoms.iter().map(of_atom).collect(),
            _ => Vec::new(),
        }
    }

    /// What a formula or an automaton says, and its atoms.
    fn said(&self, assertion: usize) -> (Temporal<'_>, &[PropertyAtom]) {
        use fairhold_structure::Question;
        match &self.properties[assertion].question {
            Question::Ltl(formula, atoms) => (Temporal::Formula(formula), atoms),
            Question::Automaton(automaton, atoms) => (Temporal::Automaton(automaton), atoms),
            _ => unreachable!("only properties of infinite executions are asked what they say"),
        }
    }

    /// The condition of a `reaches` property.
    fn condition(&self, assertion: usize) -> Option<&Condition> {
        match &self.properties.get(assertion)?.question {
            fairhold_structure::Question::Reaches(condition) => Some(condition),
            _ => None,
        }
    }
}

/// Why some atoms cannot be met in LTL.
const ONLY_IN_FAIRNESS: &str = "what is enabled and engaged stands in fairness formulas only";

impl FrontEnd for AutModel {
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
        "the graph".to_owned()
    }

    fn system(&self, subject: &Option<usize>) -> Result<LtsSystem, Fault> {
        let mut predicates = subject.map_or(Vec::new(), |assertion| self.predicates(assertion));
        predicates.extend(self.conditions.iter().cloned());
        Ok(LtsSystem::new(Arc::clone(&self.lts), predicates))
    }

    fn judge(&self, _: &Option<usize>) -> Result<LtsJudge, Fault> {
        Ok(LtsJudge(Arc::clone(&self.lts)))
    }

    fn hidden(&self) -> Vec<String> {
        Vec::new()
    }

    fn defines(&self) -> Vec<(String, i32)> {
        Vec::new()
    }

    fn annotations(&self, _: &SourceMap) -> Vec<String> {
        Vec::new()
    }

    fn ask(&self, _: &LtsSystem, assertion: usize) -> Question {
        use fairhold_structure::Question as Asked;
        match &self.properties[assertion].question {
            Asked::DeadlockFree => Question::DeadlockFree,
            Asked::NonTerminating => Question::NonTerminating,
            Asked::DivergenceFree => Question::DivergenceFree,
            Asked::Deterministic => Question::Deterministic,
            // The system of a property has its condition, and no other.
            Asked::Reaches(_) => Question::Reaches(PredicateId(0)),
            Asked::Ltl(..) | Asked::Automaton(..) => unreachable!("formulas are decided by another search"),
        }
    }

    fn temporal(&self, assertion: usize) -> Temporal<'_> {
        self.said(assertion).0
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match &self.said(assertion).1[atom.0 as usize] {
            PropertyAtom::State(condition) => condition.to_string(),
            PropertyAtom::Event(event) => self.lts.events()[event.0 as usize].clone(),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        }
    }

    fn atom(&self, _: &LtsSystem, assertion: usize, atom: AtomId) -> Atom {
        match &self.said(assertion).1[atom.0 as usize] {
            // The system of a formula has a predicate for each of its atoms, used or not.
            PropertyAtom::State(_) => Atom::State(PredicateId(atom.0)),
            PropertyAtom::Event(event) => Atom::Event(*event),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        }
    }

    fn atom_holds(
        &self,
        _: &LtsJudge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &u32,
    ) -> Result<bool, Fault> {
        Ok(match &self.said(assertion).1[atom.0 as usize] {
            PropertyAtom::State(condition) => condition.holds(StateId(*state)),
            PropertyAtom::Event(of) => event == Some(&self.lts.events()[of.0 as usize]),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        })
    }

    fn fairness(&self, text: &str) -> &Formula {
        let known = self.formulas.iter().find(|(t, _)| t == text);
        &known.expect("formulas are read when a model is loaded").1
    }

    fn event(&self, _: &LtsSystem, name: &str) -> EventId {
        let known = self.lts.events().iter().position(|e| e == name);
        EventId(known.expect("formulas name labels of the graph") as u32)
    }

    fn condition(&self, system: &LtsSystem, number: usize) -> PredicateId {
        PredicateId((system.predicates() - self.conditions.len() + number) as u32)
    }

    fn condition_holds(&self, _: &LtsJudge, number: usize, state: &u32) -> Result<bool, Fault> {
        Ok(self.conditions[number].holds(StateId(*state)))
    }

    fn annotated(&self, _: &LtsSystem) -> Result<Vec<Annotated>, Fault> {
        Ok(Vec::new())
    }

    fn decides(&self, _: &LtsJudge, assertion: usize, verdict: Verdict, ends: &[u32]) -> bool {
        let holds = |c: &Condition| ends.iter().any(|&end| c.holds(StateId(end)));
        verdict == Verdict::Holds && self.condition(assertion).is_some_and(holds)
    }
}
