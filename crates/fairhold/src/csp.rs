//! CSP# models behind the façade's interface.

use crate::constraint::Annotated;
use crate::front::{Asks, Assertion, FrontEnd};
use crate::temporal::{Proposition, Temporal};
use fairhold_csp::compile::{CspSystem, HiddenDisagreement};
use fairhold_csp::model::{self, AnnotationKind, DefId, Expr, Goal, Model, Value};
use fairhold_csp::process_count;
use fairhold_csp::reference::Reference;
use fairhold_csp::state::State;
use fairhold_logic::{AtomId, Ctl};
use fairhold_search::{Atom, Direction, Question};
use fairhold_source::{Diagnostic, SourceMap};
use fairhold_system::{EventId, Fault, Keep, PredicateId, Verdict, Word};
use fairhold_trace::{Formula, Predicate};
use std::sync::Arc;

/// A CSP# model, the assertions in force, and the process asked for.
#[derive(Debug)]
pub(crate) struct CspModel {
    model: Arc<Model>,
    assertions: Vec<model::Assertion>,
    process: Option<(DefId, Vec<Value>)>,
    fairness: WrittenFairness,
}

/// The fairness formulas of a model.
#[derive(Debug, Default)]
pub(crate) struct WrittenFairness {
    /// Each with its text, and the number of processes if it depends on that.
    formulas: Vec<(String, Option<u32>, Formula)>,
    /// The conditions on the state that they speak of, by number.
    conditions: Vec<Expr>,
}

impl WrittenFairness {
    /// An atom in the judge's words.
    pub(crate) fn predicate(&mut self, atom: &model::Atom) -> Predicate {
        match atom {
            model::Atom::State(condition, text) => {
                self.conditions.push(condition.clone());
                Predicate::State(self.conditions.len() - 1, text.clone())
            }
            model::Atom::Event(name) => Predicate::Engaged(name.clone()),
            model::Atom::Enabled(name) => Predicate::Enabled(name.clone()),
            model::Atom::Ready(name) => Predicate::Ready(name.clone()),
            model::Atom::EnabledProcess(process) => Predicate::EnabledProcess(*process),
            model::Atom::EngagedProcess(process) => Predicate::EngagedProcess(*process),
            model::Atom::Deadlock | model::Atom::Terminated => unreachable!("{ONLY_IN_CTL}"),
        }
    }

    /// Adds a formula; one that depends on the number of processes is added for each.
    pub(crate) fn add(&mut self, text: String, processes: Option<u32>, formula: Formula) {
        self.formulas.push((text, processes, formula));
    }
}

impl CspModel {
    pub(crate) fn new(
        model: Model,
        assertions: Vec<model::Assertion>,
        process: Option<(DefId, Vec<Value>)>,
        fairness: WrittenFairness,
    ) -> CspModel {
        CspModel {
            model: Arc::new(model),
            assertions,
            process,
            fairness,
        }
    }

    /// The assertions in force, as the façade sees them.
    pub(crate) fn assertions(&self) -> Vec<Assertion> {
        let seen = |a: &model::Assertion| Assertion {
            text: a.text.clone(),
            asks: match &a.question {
                model::Question::DeadlockFree => Asks::DeadlockFree,
                model::Question::NonTerminating => Asks::NonTerminating,
                model::Question::DivergenceFree => Asks::DivergenceFree,
                model::Question::Deterministic => Asks::Deterministic,
                model::Question::Reaches { .. } => Asks::Reaches,
                model::Question::Never(_) => Asks::Never,
                model::Question::Always(_) => Asks::Always,
                model::Question::Ltl(..) | model::Question::Automaton(..) => Asks::Ltl,
                model::Question::Ctl(..) => Asks::Ctl,
                model::Question::Refines(..) => Asks::Refines,
            },
            fairness: a.fairness.clone(),
            expect: a.expect.iter().map(|e| (e.notion.clone(), e.verdict)).collect(),
            span: a.span,
        };
        self.assertions.iter().map(seen).collect()
    }
}

impl CspModel {
    /// An atom of a formula or of an automaton.
    fn atom_of(&self, assertion: usize, atom: AtomId) -> &model::Atom {
        let (model::Question::Ltl(_, atoms)
        | model::Question::Automaton(_, atoms)
        | model::Question::Ctl(_, atoms)) = &self.assertions[assertion].question
        else {
            unreachable!("{ONLY_FORMULAS}")
        };
        model::Atom::of(atoms, atom)
    }
}

/// The process of a model that has one without parameters, and no other.
pub(crate) fn only_process(model: &Model) -> Option<(DefId, Vec<Value>)> {
    let mut closed = (0..).zip(&model.definitions).filter(|(_, d)| d.params.is_empty());
    match (closed.next(), closed.next()) {
        (Some((id, _)), None) => Some((DefId(id), Vec::new())),
        _ => None,
    }
}

/// A process as written: `P(3)`.
pub(crate) fn process_name(model: &Model, process: DefId, args: &[Value]) -> String {
    let name = &model.definitions[process.0 as usize].name;
    if args.is_empty() {
        return name.clone();
    }
    let listed: Vec<String> = args.iter().map(Value::to_string).collect();
    format!("{name}({})", listed.join(", "))
}

/// Why some questions are not asked what they say.
const ONLY_FORMULAS: &str = "only formulas and automata are asked what they say";
/// Why some atoms cannot be met in LTL, others not in CTL.
const ONLY_IN_FAIRNESS: &str = "the resolver lets what is ready and engaged stand in fairness formulas only";
/// Why some atoms cannot be met outside of CTL.
const ONLY_IN_CTL: &str = "the resolver lets `deadlock` and `terminated` stand in CTL only";
/// Why some atoms are no atoms of states.
const ONLY_OF_STEPS: &str = "the resolver lets events stand in `EX{e}` and in LTL only";

impl FrontEnd for CspModel {
    type Subject = (DefId, Vec<Value>);
    type System = CspSystem;
    type Judge = Reference;

    fn asserted(&self, assertion: usize) -> Self::Subject {
        let assertion = &self.assertions[assertion];
        (assertion.process, assertion.args.clone())
    }

    /// The process asked for when the model was loaded, else that of the first assertion, else the only one without
    /// parameters.
    fn explored(&self) -> Result<Self::Subject, Diagnostic> {
        if let Some(process) = &self.process {
            return Ok(process.clone());
        }
        if !self.assertions.is_empty() {
            return Ok(self.asserted(0));
        }
        only_process(&self.model).ok_or_else(|| {
            let message = "which process to explore? there is no assertion to tell";
            Diagnostic::bare("no-process", message).help("name one: --process 'P(3)'")
        })
    }

    fn name(&self, (process, args): &Self::Subject) -> String {
        process_name(&self.model, *process, args)
    }

    fn system(&self, (process, args): &Self::Subject, keep: Keep) -> Result<CspSystem, Fault> {
        CspSystem::new(Arc::clone(&self.model), *process, args, keep)
    }

    fn judge(&self, (process, args): &Self::Subject) -> Result<Reference, Fault> {
        Reference::new(Arc::clone(&self.model), *process, args)
    }

    fn judged_state(&self, system: &CspSystem, words: &[Word]) -> Option<State> {
        Some(system.decode(words))
    }

    fn hidden_disagreements(&self, system: &CspSystem) -> Vec<HiddenDisagreement> {
        system.hidden_disagreements()
    }

    fn defines(&self) -> Vec<(String, i32)> {
        self.model.constants.clone()
    }

    fn annotations(&self, map: &SourceMap) -> Vec<String> {
        let written = |a: &model::Annotation| {
            let kind = match a.kind {
                AnnotationKind::WeakFair => "wf",
                AnnotationKind::StrongFair => "sf",
                AnnotationKind::WeakLive => "wl",
                AnnotationKind::StrongLive => "sl",
            };
            let event: String = map.text(a.event.at.0).split_whitespace().collect();
            format!("{kind}({event})")
        };
        self.model.annotations.iter().map(written).collect()
    }

    fn ask(&self, system: &CspSystem, assertion: usize) -> Question {
        match &self.assertions[assertion].question {
            model::Question::DeadlockFree => Question::DeadlockFree,
            model::Question::NonTerminating => Question::NonTerminating,
            model::Question::DivergenceFree => Question::DivergenceFree,
            model::Question::Deterministic => Question::Deterministic,
            model::Question::Reaches {
                condition,
                objective: None,
            }
            | model::Question::Never(condition)
            | model::Question::Always(condition) => Question::Reaches(system.predicate(condition)),
            model::Question::Reaches {
                condition,
                objective: Some((goal, expression)),
            } => Question::Optimum {
                condition: system.predicate(condition),
                objective: system.objective(expression),
                direction: match goal {
                    Goal::Min => Direction::Minimise,
                    Goal::Max => Direction::Maximise,
                },
            },
            model::Question::Ltl(..)
            | model::Question::Automaton(..)
            | model::Question::Ctl(..)
            | model::Question::Refines(..) => {
                unreachable!("formulas are decided by another search, or not yet")
            }
        }
    }

    fn temporal(&self, assertion: usize) -> Temporal<'_> {
        match &self.assertions[assertion].question {
            model::Question::Ltl(formula, _) => Temporal::Formula(formula),
            model::Question::Automaton(automaton, _) => Temporal::Automaton(automaton),
            _ => unreachable!("{ONLY_FORMULAS}"),
        }
    }

    fn branching(&self, assertion: usize) -> &Ctl {
        match &self.assertions[assertion].question {
            model::Question::Ctl(formula, _) => formula,
            _ => unreachable!("{ONLY_FORMULAS}"),
        }
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match self.atom_of(assertion, atom) {
            model::Atom::State(_, written) => written.clone(),
            model::Atom::Event(name) => name.clone(),
            model::Atom::Enabled(name) => format!("enabled({name})"),
            model::Atom::EnabledProcess(process) => format!("enabled(process {process})"),
            model::Atom::Deadlock => "deadlock".to_owned(),
            model::Atom::Terminated => "terminated".to_owned(),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        }
    }

    fn is_condition(&self, assertion: usize, atom: AtomId) -> bool {
        matches!(self.atom_of(assertion, atom), model::Atom::State(..))
    }

    fn atom(&self, system: &CspSystem, assertion: usize, atom: AtomId) -> Atom {
        match self.atom_of(assertion, atom) {
            model::Atom::State(condition, _) => Atom::State(system.predicate(condition)),
            model::Atom::Event(name) => Atom::Event(system.event(name)),
            _ => unreachable!("{ONLY_IN_CTL}"),
        }
    }

    fn proposition(&self, system: &CspSystem, assertion: usize, atom: AtomId) -> Proposition {
        match self.atom_of(assertion, atom) {
            model::Atom::State(condition, _) => Proposition::State(system.predicate(condition)),
            model::Atom::Enabled(name) => Proposition::Enabled(system.event(name)),
            model::Atom::EnabledProcess(process) => Proposition::EnabledProcess(*process),
            model::Atom::Deadlock => Proposition::Deadlock,
            model::Atom::Terminated => Proposition::Terminated,
            _ => unreachable!("{}", ONLY_OF_STEPS),
        }
    }

    fn atom_holds(
        &self,
        judge: &Reference,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &State,
    ) -> Result<bool, Fault> {
        match self.atom_of(assertion, atom) {
            model::Atom::State(condition, _) => judge.holds(state, condition),
            model::Atom::Event(name) => Ok(event == Some(name)),
            model::Atom::Enabled(name) => Ok(judge.enabled(state)?.contains(name)),
            model::Atom::EnabledProcess(process) => Ok(judge
                .steps_from(state)?
                .iter()
                .any(|s| s.processes.contains(process))),
            model::Atom::Deadlock => Ok(!judge.is_ended(state) && judge.steps_from(state)?.is_empty()),
            model::Atom::Terminated => Ok(judge.is_ended(state)),
            _ => unreachable!("{ONLY_IN_FAIRNESS}"),
        }
    }

    fn fairness(&self, assertion: usize, text: &str) -> &Formula {
        let (process, args) = self.asserted(assertion);
        let count = process_count(&self.model, process, &args).ok();
        let mut known = self.fairness.formulas.iter();
        let known = known.find(|(t, processes, _)| t == text && processes.is_none_or(|p| count == Some(p)));
        &known.expect("formulas are read when a model is loaded").2
    }

    fn event(&self, system: &CspSystem, name: &str) -> EventId {
        system.event(name)
    }

    fn condition(&self, system: &CspSystem, number: usize) -> PredicateId {
        system.predicate(&self.fairness.conditions[number])
    }

    fn condition_holds(&self, judge: &Reference, number: usize, state: &State) -> Result<bool, Fault> {
        judge.holds(state, &self.fairness.conditions[number])
    }

    fn annotated(&self, system: &CspSystem) -> Result<Vec<Annotated>, Fault> {
        let judged = |kind| match kind {
            AnnotationKind::WeakFair => fairhold_trace::AnnotationKind::Wf,
            AnnotationKind::StrongFair => fairhold_trace::AnnotationKind::Sf,
            AnnotationKind::WeakLive => fairhold_trace::AnnotationKind::Wl,
            AnnotationKind::StrongLive => fairhold_trace::AnnotationKind::Sl,
        };
        let events = system.annotated()?.into_iter();
        Ok(events
            .map(|(kind, name)| (judged(kind), name.clone(), system.event(&name)))
            .collect())
    }

    fn decides(&self, judge: &Reference, assertion: usize, verdict: Verdict, ends: &[State]) -> bool {
        let question = &self.assertions[assertion].question;
        let Some(condition) = question.sought() else {
            return true;
        };
        let measures = matches!(
            question,
            model::Question::Reaches {
                objective: Some(_),
                ..
            }
        );
        match verdict {
            Verdict::Holds => ends.iter().any(|end| judge.holds(end, condition) == Ok(true)),
            // A fault may come from a step, from the condition, or from the objective, which is not judged here.
            _ => ends.iter().any(|end| {
                measures || judge.steps_from(end).is_err() || judge.holds(end, condition).is_err()
            }),
        }
    }
}
