//! CSP# models behind the façade's interface.

use crate::front::{Asks, Assertion, FrontEnd};
use crate::live::Annotated;
use fairhold_csp::compile::CspSystem;
use fairhold_csp::model::{self, AnnotationKind, DefId, Goal, Model, Value};
use fairhold_csp::reference::Reference;
use fairhold_csp::state::State;
use fairhold_logic::{AtomId, Ltl};
use fairhold_search::{Atom, Direction, Question};
use fairhold_source::{Diagnostic, SourceMap};
use fairhold_system::{Fault, Verdict};
use std::sync::Arc;

/// A CSP# model, the assertions in force, and the process asked for.
#[derive(Debug)]
pub(crate) struct CspModel {
    model: Arc<Model>,
    assertions: Vec<model::Assertion>,
    process: Option<(DefId, Vec<Value>)>,
}

impl CspModel {
    pub(crate) fn new(
        model: Model,
        assertions: Vec<model::Assertion>,
        process: Option<(DefId, Vec<Value>)>,
    ) -> CspModel {
        CspModel {
            model: Arc::new(model),
            assertions,
            process,
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
                model::Question::Ltl(..) => Asks::Ltl,
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
    fn ltl(&self, assertion: usize) -> (&Ltl, &[model::Atom]) {
        match &self.assertions[assertion].question {
            model::Question::Ltl(formula, atoms) => (formula, atoms),
            _ => unreachable!("only LTL assertions are asked for their formula"),
        }
    }
}

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
        let mut closed = (0..)
            .zip(&self.model.definitions)
            .filter(|(_, d)| d.params.is_empty());
        match (closed.next(), closed.next()) {
            (Some((id, _)), None) => Ok((DefId(id), Vec::new())),
            _ => {
                let message = "which process to explore? there is no assertion to tell";
                Err(Diagnostic::bare("no-process", message).help("name one: --process 'P(3)'"))
            }
        }
    }

    fn name(&self, (process, args): &Self::Subject) -> String {
        let name = &self.model.definitions[process.0 as usize].name;
        if args.is_empty() {
            return name.clone();
        }
        let listed: Vec<String> = args.iter().map(Value::to_string).collect();
        format!("{name}({})", listed.join(", "))
    }

    fn system(&self, (process, args): &Self::Subject) -> Result<CspSystem, Fault> {
        CspSystem::new(Arc::clone(&self.model), *process, args)
    }

    fn judge(&self, (process, args): &Self::Subject) -> Result<Reference, Fault> {
        Reference::new(Arc::clone(&self.model), *process, args)
    }

    fn hidden(&self) -> Vec<String> {
        let hidden = self.model.variables.iter().filter(|v| v.hidden);
        hidden.map(|v| v.name.clone()).collect()
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
            } => Question::Reaches(system.predicate(condition)),
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
            model::Question::Ltl(..) | model::Question::Ctl(..) | model::Question::Refines(..) => {
                unreachable!("formulas are decided by another search, or not yet")
            }
        }
    }

    fn formula(&self, assertion: usize) -> &Ltl {
        self.ltl(assertion).0
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        match model::Atom::of(self.ltl(assertion).1, atom) {
            model::Atom::State(_, written) => written.clone(),
            model::Atom::Event(name) => name.clone(),
        }
    }

    fn atom(&self, system: &CspSystem, assertion: usize, atom: AtomId) -> Atom {
        match model::Atom::of(self.ltl(assertion).1, atom) {
            model::Atom::State(condition, _) => Atom::State(system.predicate(condition)),
            model::Atom::Event(name) => Atom::Event(system.event(name)),
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
        match model::Atom::of(self.ltl(assertion).1, atom) {
            model::Atom::State(condition, _) => judge.holds(state, condition),
            model::Atom::Event(name) => Ok(event == Some(name)),
        }
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
        let model::Question::Reaches { condition, objective } = &self.assertions[assertion].question else {
            return true;
        };
        match verdict {
            Verdict::Holds => ends.iter().any(|end| judge.holds(end, condition) == Ok(true)),
            // A fault may come from a step, from the condition, or from the objective, which is not judged here.
            _ => ends.iter().any(|end| {
                objective.is_some() || judge.steps_from(end).is_err() || judge.holds(end, condition).is_err()
            }),
        }
    }
}
