//! One assertion, from the question to the result.
//!
//! [`Model::tasks`] says what there is to check: an assertion under a fairness constraint each. [`Model::check`]
//! runs one task: it makes a system from the model, asks the search, has every run confirmed by the reference
//! semantics, and says why in plain words.

use crate::confirm::{Claim, confirm};
use crate::fairness::{self, FAIRNESS_HELP, Fairness};
use crate::front::{Asks, Assertion, FrontEnd, with_front};
use crate::load::Model;
use crate::memory;
use crate::reason;
use crate::report::{CheckResult, Place};
use crate::select::Selector;
use crate::watch::Watch;
use fairhold_source::{Diagnostic, FileId};
use fairhold_system::{Fault, FaultKind, Limits, Observer, Verdict};
use fairhold_trace::{Invalid, Run};
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
        match unsupported(assertion.asks) {
            Some(what) => result.reason = Some(format!("not supported yet: {what}")),
            None => with_front!(&self.kind, front => match &task.fairness {
                Some(fairness) => {
                    self.decide_formula(front, task.index, fairness, bounds, observer, &mut result);
                }
                None => self.decide(front, task.index, bounds, observer, &mut result),
            }),
        }
        result.seconds = (self.loading + start.elapsed()).as_secs_f64();
        result.peak_mb = memory::peak_mb();
        result
    }

    /// A result that is all but decided.
    fn blank(&self, task: &Task, assertion: &Assertion) -> CheckResult {
        // The first text is the file itself; what follows are includes and properties.
        let in_file = assertion.span.file == FileId(0);
        let annotated = fairness::applies(assertion.asks);
        let (defines, annotations) = with_front!(&self.kind, front => {
            (front.defines(), front.annotations(&self.map))
        });
        CheckResult {
            file: self.file.clone(),
            index: task.index,
            assertion: assertion.text.clone(),
            place: in_file.then(|| Place::of(&self.map, assertion.span).1),
            defines,
            fairness: task.fairness.as_ref().map(|f| f.text().to_owned()),
            annotations: if annotated { annotations } else { Vec::new() },
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

    fn decide<F: FrontEnd>(
        &self,
        front: &F,
        index: usize,
        bounds: &Bounds,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let subject = front.asserted(index);
        let system = match front.system(&subject) {
            Ok(system) => system,
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
                return;
            }
        };
        let asks = self.assertions[index].asks;
        let question = front.ask(&system, index);
        let answer = fairhold_search::check(&system, &question, &limits, &watch);

        let run = answer.path.as_ref().map(|path| Run::new(&system, path));
        result.verdict = answer.verdict;
        result.value = answer.value;
        result.states = answer.statistics.states;
        result.steps = answer.statistics.steps;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        result.reason = reason::reason(&self.map, &system, asks, &answer, run.as_ref(), bounds);
        let Some(run) = run else { return };
        match confirmed(front, index, asks, answer.verdict, &run) {
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
}

/// Has the run that a verdict rests on confirmed by the reference semantics.
pub(crate) fn confirmed<F: FrontEnd>(
    front: &F,
    index: usize,
    asks: Asks,
    verdict: Verdict,
    run: &Run,
) -> Result<(), Invalid> {
    let invalid = |step: usize, message: String| Invalid {
        step,
        field: None,
        message,
    };
    let judge = front
        .judge(&front.asserted(index))
        .map_err(|fault| invalid(0, fault.message))?;
    let ends = confirm(&judge, run, &front.hidden(), claim(asks, verdict))?;
    if asks != Asks::Reaches || front.decides(&judge, index, verdict, &ends) {
        return Ok(());
    }
    let message = match verdict {
        Verdict::Holds => "the condition does not hold where the run ends",
        _ => "the model does not go wrong where the run ends",
    };
    Err(invalid(run.len(), message.to_owned()))
}

pub(crate) fn verdict_of(fault: &Fault) -> Verdict {
    match fault.kind {
        FaultKind::Error => Verdict::Error,
        FaultKind::Unbounded => Verdict::Unknown,
    }
}

/// What about a question cannot be answered yet.
fn unsupported(asks: Asks) -> Option<&'static str> {
    match asks {
        Asks::Ctl => Some("CTL formulas"),
        Asks::Refines => Some("refinement"),
        _ => None,
    }
}

/// What the run that a verdict rests on must show; of a condition, the front end knows more.
fn claim(asks: Asks, verdict: Verdict) -> Claim {
    match (verdict, asks) {
        (_, Asks::Reaches) => Claim::Run,
        (Verdict::Error, _) => Claim::Fault,
        (_, Asks::DeadlockFree) => Claim::Deadlock,
        (_, Asks::NonTerminating) => Claim::End,
        (_, Asks::DivergenceFree) => Claim::Divergence,
        (_, Asks::Deterministic) => Claim::Conflict,
        (_, Asks::Ltl | Asks::Ctl | Asks::Refines) => Claim::Run,
    }
}
