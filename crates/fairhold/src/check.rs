//! One assertion, from the question to the result.
//!
//! [`Model::tasks`] says what there is to check: an assertion under a fairness constraint each. [`Model::check`]
//! runs one task: it compiles the asserted process, asks the search, has every run confirmed by the reference
//! semantics, and says why in plain words.

use crate::confirm::{Claim, confirm};
use crate::fairness::{self, FAIRNESS_HELP, Fairness};
use crate::load::Model;
use crate::memory;
use crate::reason;
use crate::report::{CheckResult, Place};
use crate::select::Selector;
use crate::watch::Watch;
use fairhold_csp::compile::CspSystem;
use fairhold_csp::model::{AnnotationKind, Assertion, DefId, Goal, Question, Value};
use fairhold_csp::reference::Reference;
use fairhold_search::Direction;
use fairhold_source::{Diagnostic, FileId};
use fairhold_system::{Fault, FaultKind, Limits, Observer, Verdict};
use fairhold_trace::Run;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far a search may go. All bounds are per assertion.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bounds {
    /// Wall time.
    pub timeout: Option<Duration>,
    /// States.
    pub states: Option<u64>,
    /// Bytes; without it, [`memory::default_limit`].
    pub memory: Option<u64>,
}

impl Bounds {
    /// What the search watches by itself.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            states: self.states,
            bytes: self.memory.or_else(memory::default_limit),
        }
    }
}

/// One assertion of a model under one fairness constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The assertion's number, from 0.
    pub index: usize,
    /// The constraint, for questions to which fairness applies.
    pub fairness: Option<Fairness>,
    /// The verdict the file expects.
    pub expected: Option<Verdict>,
}

impl Model {
    /// What there is to check: all assertions, or those that some selector selects, each under the constraints
    /// chosen, or else under those it asks for itself. The error is about the file's own `//@` lines.
    pub fn tasks(
        &self,
        selectors: &[Selector],
        chosen: Option<&[Fairness]>,
    ) -> Result<Vec<Task>, Vec<Diagnostic>> {
        let mut tasks = Vec::new();
        let mut errors = Vec::new();
        for (index, assertion) in self.assertions.iter().enumerate() {
            let selected = |s: &Selector| s.selects(index, &assertion.text);
            if !selectors.is_empty() && !selectors.iter().any(selected) {
                continue;
            }
            match fairness::plan(assertion, chosen, self.own) {
                Ok(plan) => tasks.extend(plan.into_iter().map(|(fairness, expected)| Task {
                    index,
                    fairness,
                    expected,
                })),
                Err(message) => {
                    let span = assertion.fairness.as_ref().map_or(assertion.span, |f| f.1);
                    errors.push(Diagnostic::error("unknown-fairness", span, message).help(FAIRNESS_HELP));
                }
            }
        }
        if errors.is_empty() { Ok(tasks) } else { Err(errors) }
    }

    /// The text of a task's assertion.
    pub fn assertion_text(&self, task: &Task) -> &str {
        &self.assertions[task.index].text
    }

    /// Runs one task. Never panics on account of the model; see [`CheckResult::bug`].
    pub fn check(&self, task: &Task, bounds: &Bounds, observer: &dyn Observer) -> CheckResult {
        let start = Instant::now();
        let assertion = &self.assertions[task.index];
        let mut result = self.blank(task, assertion);
        match unsupported(&assertion.question) {
            Some(what) => result.reason = Some(format!("not supported yet: {what}")),
            None => self.decide(assertion, bounds, observer, &mut result),
        }
        result.seconds = (self.loading + start.elapsed()).as_secs_f64();
        result.peak_mb = memory::peak_mb();
        result
    }

    /// A result that is all but decided.
    fn blank(&self, task: &Task, assertion: &Assertion) -> CheckResult {
        // The first text is the file itself; what follows are includes and properties.
        let in_file = assertion.span.file == FileId(0);
        let annotated = fairness::applies(&assertion.question);
        CheckResult {
            file: self.file.clone(),
            index: task.index,
            assertion: assertion.text.clone(),
            place: in_file.then(|| Place::of(&self.map, assertion.span).1),
            defines: self.csp.constants.clone(),
            fairness: task.fairness.as_ref().map(|f| f.text().to_owned()),
            annotations: if annotated { self.annotations() } else { Vec::new() },
            verdict: Verdict::Unknown,
            expected: task.expected,
            reason: None,
            feasible: None,
            vacuous: None,
            value: None,
            states: 0,
            steps: 0,
            product_states: 0,
            sccs: 0,
            seconds: 0.0,
            peak_mb: 0.0,
            threads: 1,
            reductions: Vec::new(),
            reduction_note: String::new(),
            counterexample: None,
            witness: None,
            bug: None,
        }
    }

    /// The annotations of the model as written: `wf(get.0)`.
    fn annotations(&self) -> Vec<String> {
        let written = |a: &fairhold_csp::model::Annotation| {
            let kind = match a.kind {
                AnnotationKind::WeakFair => "wf",
                AnnotationKind::StrongFair => "sf",
                AnnotationKind::WeakLive => "wl",
                AnnotationKind::StrongLive => "sl",
            };
            let event: String = self.map.text(a.event.at.0).split_whitespace().collect();
            format!("{kind}({event})")
        };
        self.csp.annotations.iter().map(written).collect()
    }

    fn decide(
        &self,
        assertion: &Assertion,
        bounds: &Bounds,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let system = match self.system(assertion.process, &assertion.args) {
            Ok(system) => system,
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
                return;
            }
        };
        let question = ask(&system, &assertion.question);
        let answer = fairhold_search::check(&system, &question, &limits, &watch);

        let run = answer.path.as_ref().map(|path| Run::new(&system, path));
        result.verdict = answer.verdict;
        result.value = answer.value;
        result.states = answer.statistics.states;
        result.steps = answer.statistics.steps;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        result.reason = reason::reason(
            &self.map,
            &system,
            &assertion.question,
            &answer,
            run.as_ref(),
            bounds,
        );
        let Some(run) = run else { return };
        match self.confirmed(assertion, answer.verdict, &run) {
            Ok(()) if answer.verdict == Verdict::Holds => result.witness = Some(run),
            Ok(()) => result.counterexample = Some(run),
            Err(why) => {
                let word = answer.verdict.word();
                let bug = format!(
                    "internal: the search says `{word}`, and the reference semantics rejects its run: {why}"
                );
                result.verdict = Verdict::Unknown;
                result.value = None;
                result.reason = Some(bug.clone());
                result.bug = Some(bug);
            }
        }
    }

    pub(crate) fn system(&self, process: DefId, args: &[Value]) -> Result<CspSystem, Fault> {
        CspSystem::new(Arc::clone(&self.csp), process, args)
    }

    pub(crate) fn reference(&self, process: DefId, args: &[Value]) -> Result<Reference, String> {
        Reference::new(Arc::clone(&self.csp), process, args).map_err(|f| f.message)
    }

    /// The names of variables that are no part of a state's identity.
    pub(crate) fn hidden(&self) -> Vec<String> {
        let hidden = self.csp.variables.iter().filter(|v| v.hidden);
        hidden.map(|v| v.name.clone()).collect()
    }

    /// Has the run that a verdict rests on confirmed by the reference semantics. The error is a sentence.
    fn confirmed(&self, assertion: &Assertion, verdict: Verdict, run: &Run) -> Result<(), String> {
        let reference = self.reference(assertion.process, &assertion.args)?;
        let ends = confirm(
            &reference,
            run,
            &self.hidden(),
            claim(&assertion.question, verdict),
        )?;
        let Question::Reaches { condition, objective } = &assertion.question else {
            return Ok(());
        };
        let shown = match verdict {
            Verdict::Holds => ends.iter().any(|end| reference.holds(end, condition) == Ok(true)),
            // A fault may come from a step, from the condition, or from the objective, which is not judged here.
            _ => ends.iter().any(|end| {
                objective.is_some()
                    || reference.steps_from(end).is_err()
                    || reference.holds(end, condition).is_err()
            }),
        };
        let complaint = || "the run does not end where the condition decides".to_owned();
        shown.then_some(()).ok_or_else(complaint)
    }
}

pub(crate) fn verdict_of(fault: &Fault) -> Verdict {
    match fault.kind {
        FaultKind::Error => Verdict::Error,
        FaultKind::Unbounded => Verdict::Unknown,
    }
}

/// What about a question cannot be answered yet.
fn unsupported(question: &Question) -> Option<&'static str> {
    match question {
        Question::Ltl(..) => Some("LTL formulas"),
        Question::Ctl(..) => Some("CTL formulas"),
        Question::Refines(..) => Some("refinement"),
        _ => None,
    }
}

/// The question in the search's words.
fn ask(system: &CspSystem, question: &Question) -> fairhold_search::Question {
    use fairhold_search::Question as Asked;
    match question {
        Question::DeadlockFree => Asked::DeadlockFree,
        Question::NonTerminating => Asked::NonTerminating,
        Question::DivergenceFree => Asked::DivergenceFree,
        Question::Deterministic => Asked::Deterministic,
        Question::Reaches {
            condition,
            objective: None,
        } => Asked::Reaches(system.predicate(condition)),
        Question::Reaches {
            condition,
            objective: Some((goal, expression)),
        } => Asked::Optimum {
            condition: system.predicate(condition),
            objective: system.objective(expression),
            direction: match goal {
                Goal::Min => Direction::Minimise,
                Goal::Max => Direction::Maximise,
            },
        },
        Question::Ltl(..) | Question::Ctl(..) | Question::Refines(..) => {
            unreachable!("unsupported questions are answered before they are asked")
        }
    }
}

/// What the run that a verdict rests on must show; of a condition, the caller knows more.
fn claim(question: &Question, verdict: Verdict) -> Claim {
    match (verdict, question) {
        (_, Question::Reaches { .. }) => Claim::Run,
        (Verdict::Error, _) => Claim::Fault,
        (_, Question::DeadlockFree) => Claim::Deadlock,
        (_, Question::NonTerminating) => Claim::End,
        (_, Question::DivergenceFree) => Claim::Divergence,
        (_, Question::Deterministic) => Claim::Conflict,
        (_, Question::Ltl(..) | Question::Ctl(..) | Question::Refines(..)) => Claim::Run,
    }
}
