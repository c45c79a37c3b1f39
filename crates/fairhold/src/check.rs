//! One assertion, from the question to the result.
//!
//! [`Model::tasks`] says what there is to check: an assertion under a fairness constraint each. [`Model::check`]
//! runs the tasks of one assertion: it makes a system from the model, asks the search, has every run confirmed by the reference
//! semantics, and says why in plain words.

use crate::confirm::{Claim, confirm};
use crate::fairness::{self, Fairness};
use crate::front::{Asks, Assertion, FrontEnd, Kind, StateOf, with_front};
use crate::hidden::Hidden;
use crate::load::Model;
use crate::memory;
use crate::random::RandomWalks;
use crate::reason;
use crate::report::{CheckResult, Place};
use crate::select::Selector;
use crate::temporal::{Ends, Temporal};
use crate::watch::Watch;
use fairhold_csp::compile::Relevance;
use fairhold_source::FileId;
use fairhold_system::{Fault, FaultKind, Keep, Limits, Observer, System, Verdict, Word};
use fairhold_trace::{Guide, Invalid, Replay, Run};
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
    /// Whether to take time rather than memory to keep states.
    pub compact: bool,
    /// At most this many threads; none and one are the same.
    pub threads: usize,
    /// Whether a counterexample is to be the one that a single thread finds.
    pub reproducible: bool,
    /// Whether a run is to be one of the fewest steps there are.
    pub shortest: bool,
}

impl Bounds {
    /// What the search watches by itself.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            states: self.states,
            bytes: self.memory.or_else(memory::default_limit),
            compact: self.compact,
            threads: self.threads,
            reproducible: self.reproducible,
            shortest: self.shortest,
        }
    }
}

/// How to check.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CheckOptions {
    /// How far to go.
    pub bounds: Bounds,
    /// Whether to look for parts of holding formulas that have no influence.
    pub vacuity: bool,
    /// Whether to tell which states satisfy which part of a formula with path quantifiers.
    pub states: bool,
    /// What becomes of executions where there are no steps; none: as the language has it.
    pub ends: Option<Ends>,
    /// Which reductions to use.
    pub reduction: Reduction,
    /// How hidden variables are read.
    pub hidden: Hidden,
    /// Random walks instead of a search.
    pub random: Option<RandomWalks>,
}

/// Which reductions to use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduction {
    /// What is proven sound for the question at hand.
    #[default]
    Auto,
    /// None.
    None,
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
    /// Whether nobody stated a fairness, so that it is enough if the assertion holds under one of its tasks.
    pub one_suffices: bool,
}

impl Model {
    /// What there is to check: of all assertions, or of those that some selector selects, the tasks of each.
    pub fn tasks(&self, selectors: &[Selector]) -> Vec<&[Task]> {
        let selected = |(index, _): &(usize, &Vec<Task>)| {
            let text = &self.assertions[*index].text;
            selectors.is_empty() || selectors.iter().any(|s| s.selects(*index, text))
        };
        let tasks = self.tasks.iter().enumerate().filter(selected);
        tasks.map(|(_, tasks)| tasks.as_slice()).collect()
    }

    /// What becomes of executions where there are no steps.
    pub(crate) fn ends(&self, options: &CheckOptions) -> Ends {
        options.ends.unwrap_or_else(|| self.language.ends())
    }

    /// The text of a task's assertion.
    pub fn assertion_text(&self, task: &Task) -> &str {
        &self.assertions[task.index].text
    }

    /// Runs tasks about one assertion, from one exploration: one result for each. Never panics on account of the model; see [`CheckResult::bug`].
    pub fn check(&self, tasks: &[Task], options: &CheckOptions, observer: &dyn Observer) -> Vec<CheckResult> {
        let Some(first) = tasks.first() else {
            return Vec::new();
        };
        debug_assert!(tasks.iter().all(|t| t.index == first.index), "one assertion");
        let assertion = &self.assertions[first.index];
        let mut results: Vec<CheckResult> = tasks.iter().map(|t| self.blank(t, assertion)).collect();
        results.iter_mut().for_each(|result| result.ends = options.ends);
        if let Some(walks) = options.random {
            self.check_at_random(tasks, options, walks, observer, &mut results);
        } else {
            self.search(tasks, options, observer, &mut results);
        }
        for result in &mut results {
            result.seconds += self.loading.as_secs_f64();
            result.peak_mb = memory::peak_mb();
        }
        if options.random.is_none() {
            self.measure_convergence(tasks, observer, &mut results);
        }
        if tasks.iter().all(|task| task.one_suffices) {
            excuse(&mut results);
        }
        results
    }

    /// Decides tasks about one assertion by the search that suits it. The results come in blank.
    fn search(
        &self,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        let first = &tasks[0];
        let assertion = &self.assertions[first.index];
        let counted = match &self.kind {
            Kind::Protocol(model) => {
                let counted = self.check_counted(model, tasks, options, observer, results);
                if let Err(why) = &counted {
                    results.iter_mut().for_each(|r| r.reduction_note.clone_from(why));
                }
                counted.is_ok()
            }
            _ => false,
        };
        if counted {
            // Decided.
        } else if let Some(what) = unsupported(assertion.asks) {
            let reason = format!("not supported yet: {what}");
            results.iter_mut().for_each(|r| r.reason = Some(reason.clone()));
        } else if assertion.asks == Asks::Ctl {
            with_front!(&self.kind, front => {
                self.decide_branching(front, tasks, options, observer, results);
            });
        } else if first.fairness.is_some() {
            with_front!(&self.kind, front => {
                self.decide_formula(front, tasks, options, observer, results);
            });
        } else {
            let start = Instant::now();
            with_front!(&self.kind, front => {
                self.decide(front, first.index, options, observer, &mut results[0]);
            });
            results[0].seconds = start.elapsed().as_secs_f64();
        }
        if let (Kind::Protocol(model), false) = (&self.kind, counted) {
            self.count_undecided(model, tasks, options, observer, results);
        }
    }

    /// A result that is all but decided.
    pub(crate) fn blank(&self, task: &Task, assertion: &Assertion) -> CheckResult {
        // The first text is the file itself; what follows are includes and properties.
        let in_file = assertion.span.file == FileId(0);
        let annotated = fairness::applies(assertion.asks);
        let (defines, annotations, automaton) = with_front!(&self.kind, front => {
            let asserted = || front.temporal(task.index);
            let automaton = assertion.asks == Asks::Ltl && matches!(asserted(), Temporal::Automaton(_));
            (front.defines(), front.annotations(&self.map), automaton)
        });
        CheckResult {
            file: self.file.clone(),
            index: task.index,
            assertion: assertion.text.clone(),
            automaton: automaton.then(|| self.map.text(assertion.span).to_owned()),
            place: in_file.then(|| Place::of(&self.map, assertion.span).1),
            defines,
            fairness: task.fairness.as_ref().map(|f| f.text().to_owned()),
            ends: None,
            annotations: if annotated { annotations } else { Vec::new() },
            verdict: Verdict::Unknown,
            expected: task.expected,
            excused: false,
            reason: None,
            feasible: None,
            unmet: Vec::new(),
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
            convergence: None,
            counterexample: None,
            witness: None,
            why_not: None,
            labels: None,
            bug: None,
            notes: Vec::new(),
        }
    }

    fn decide<F: FrontEnd>(
        &self,
        front: &F,
        index: usize,
        options: &CheckOptions,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let bounds = &options.bounds;
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let subject = front.asserted(index);
        let asks = self.assertions[index].asks;
        // Whether two steps lead to different states is a question about all that a state keeps.
        let keep = match asks {
            Asks::Deterministic => Keep::Visible,
            _ => Keep::Needed,
        };
        let system = match front.system(&subject, options.hidden.keep(keep)) {
            Ok(system) => system,
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
                return;
            }
        };
        let question = front.ask(&system, index);
        let mut answer = fairhold_search::check(&system, &question, &limits, &watch);
        answer.verdict = asks.turned(answer.verdict);

        let path = answer.path.clone().map(|path| system.lift(path));
        let run = path.map(|path| Run::new(&system, &path));
        result.verdict = answer.verdict;
        result.value = answer.value;
        result.states = answer.statistics.states;
        result.threads = answer.statistics.workers.max(1);
        result.steps = answer.statistics.steps;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        result.reason = reason::reason(&self.map, &system, asks, &answer, run.as_ref(), bounds);
        // That a state has the condition rests on the run to it, that none has a better value does not.
        let rests_on_run = run.is_some() && answer.value.is_none();
        if let Some(run) = run {
            let guide = |words: &[Word]| front.judged_state(&system, words);
            match confirmed(front, index, asks, answer.verdict, &run, &guide) {
                Ok(()) if answer.verdict == Verdict::Holds => result.witness = Some(run),
                Ok(()) => result.counterexample = Some(run),
                Err(why) => result.refuse(&why),
            }
        }
        let found = front.hidden_disagreements(&system);
        options
            .hidden
            .settle(&found, Relevance::Argument, rests_on_run, result);
    }
}

/// Of several results of which one that holds is enough, excuses those that do not if one does; and those that fail while it is not known whether one does.
fn excuse(results: &mut [CheckResult]) {
    let some = |verdict| results.iter().any(|r| r.verdict == verdict);
    let (holds, unknown) = (some(Verdict::Holds), some(Verdict::Unknown));
    for result in results {
        result.excused = match result.verdict {
            Verdict::Fails => holds || unknown,
            Verdict::Unknown => holds,
            Verdict::Holds | Verdict::Error => false,
        };
    }
}

/// Has the run that a verdict rests on confirmed by the reference semantics. The guide tells its states apart where they look alike.
pub(crate) fn confirmed<F: FrontEnd>(
    front: &F,
    index: usize,
    asks: Asks,
    verdict: Verdict,
    run: &Run,
    guide: &Guide<'_, StateOf<F>>,
) -> Result<(), Invalid> {
    let judge = front
        .judge(&front.asserted(index))
        .map_err(|fault| Invalid::new(0, fault.message))?;
    let replay = Replay { judge: &judge, guide };
    let ends = confirm(&replay, run, claim(asks, verdict))?;
    let sought = asks.turned(verdict);
    if !asks.seeks() || front.decides(&judge, index, sought, &ends) {
        return Ok(());
    }
    let message = match sought {
        Verdict::Holds if asks == Asks::Always => "the condition holds where the run ends",
        Verdict::Holds => "the condition does not hold where the run ends",
        _ => "the model does not go wrong where the run ends",
    };
    Err(Invalid::new(run.len(), message))
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
        Asks::Refines => Some("refinement"),
        _ => None,
    }
}

/// What the run that a verdict rests on must show; of a condition, the front end knows more.
fn claim(asks: Asks, verdict: Verdict) -> Claim {
    match (verdict, asks) {
        (_, Asks::Reaches | Asks::Never | Asks::Always) => Claim::Run,
        (Verdict::Error, _) => Claim::Fault,
        (_, Asks::DeadlockFree) => Claim::Deadlock,
        (_, Asks::NonTerminating) => Claim::End,
        (_, Asks::DivergenceFree) => Claim::Divergence,
        (_, Asks::Deterministic) => Claim::Conflict,
        (_, Asks::Ltl | Asks::Ctl | Asks::Refines) => Claim::Run,
    }
}
