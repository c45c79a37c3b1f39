//! What a run of the checker comes to: messages and results, in the names of the command line's contract.

use crate::convergence::Convergence;
use crate::sizes::Sweep;
use crate::status::{self, Status};
use crate::temporal::Ends;
use fairhold_source::{Diagnostic, Severity, SourceMap};
use fairhold_system::{Fields, Verdict};
use fairhold_trace::{Invalid, Run, WhyNot};

/// Everything one `check` has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// About the inputs.
    pub messages: Vec<Message>,
    /// About the assertions; empty if some input cannot be run.
    pub results: Vec<CheckResult>,
    /// The sizes that they are about, if several were asked for.
    pub sweep: Option<Sweep>,
}

impl Report {
    /// The exit status.
    pub fn status(&self) -> Status {
        if self.messages.iter().any(|m| m.severity == Severity::Error) {
            return Status::BadInput;
        }
        let counted = self.results.iter().filter(|r| !r.excused);
        status::status(counted.map(|r| (r.verdict, r.expected)))
    }
}

/// A diagnostic with its place worked out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Error, warning or note.
    pub severity: Severity,
    /// A stable name.
    pub code: String,
    /// The file it is about, if it is about one.
    pub file: Option<String>,
    /// Where in the file.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, or nothing.
    pub help: String,
}

/// A stretch of text as people count: lines and columns from 1, the end excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the end.
    pub end_column: u32,
}

impl Place {
    /// Where a span is, and in which file.
    pub(crate) fn of(map: &SourceMap, span: fairhold_source::Span) -> (String, Place) {
        let file = map.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        let place = Place {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        };
        (file.name().to_owned(), place)
    }
}

impl Message {
    /// A diagnostic about `file`, or about what `file` includes.
    pub fn new(map: &SourceMap, file: Option<&str>, diagnostic: &Diagnostic) -> Message {
        let (name, place) = match diagnostic.span {
            Some(span) => {
                let (name, place) = Place::of(map, span);
                (Some(name), Some(place))
            }
            None => (file.map(str::to_owned), None),
        };
        Message {
            severity: diagnostic.severity,
            code: diagnostic.code.to_owned(),
            file: name,
            place,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// An error about the command line.
    pub fn usage(code: &str, message: impl Into<String>) -> Message {
        Message {
            severity: Severity::Error,
            code: code.to_owned(),
            file: None,
            place: None,
            message: message.into(),
            help: String::new(),
        }
    }
}

/// What the checker says about one assertion under one fairness constraint.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The model's file.
    pub file: String,
    /// The assertion's number in it, from 0.
    pub index: usize,
    /// The assertion as written.
    pub assertion: String,
    /// The automaton that it speaks of, if it is about one, in HOA.
    pub automaton: Option<String>,
    /// Where it stands; none for one that is not in the file.
    pub place: Option<Place>,
    /// Integer constants in force.
    pub defines: Vec<(String, i32)>,
    /// The constraint, for questions to which fairness applies.
    pub fairness: Option<String>,
    /// Annotations in force, such as `wf(get.0)`.
    pub annotations: Vec<String>,
    /// What becomes of executions where there are no steps, if that was asked for; none: as the language has it.
    pub ends: Option<Ends>,
    /// The answer.
    pub verdict: Verdict,
    /// What the file expects.
    pub expected: Option<Verdict>,
    /// Whether it may be what it is, since no fairness was stated and the assertion holds under another, or may do so.
    pub excused: bool,
    /// Why, in plain words; none where there is nothing to add.
    pub reason: Option<String>,
    /// Whether there is a fair execution at all, where that was found out.
    pub feasible: Option<bool>,
    /// The parts of the constraint that no execution meets together, where it is not feasible.
    pub unmet: Vec<String>,
    /// Subformulas without influence, where that was found out.
    pub vacuous: Option<Vec<String>>,
    /// The optimum of `with min` and `with max`.
    pub value: Option<i64>,
    /// Distinct system states visited.
    pub states: u64,
    /// Distinct steps of visited states.
    pub steps: u64,
    /// States of the product with a property automaton.
    pub product_states: u64,
    /// Strongly connected components met.
    pub sccs: u64,
    /// Wall time for loading the model and for this verdict, replay included.
    pub seconds: f64,
    /// The most memory the process has held so far.
    pub peak_mb: f64,
    /// Threads that searched.
    pub threads: usize,
    /// Reductions used.
    pub reductions: Vec<String>,
    /// Why these and no others.
    pub reduction_note: String,
    /// How a protocol that stabilises gets there, where that was found out.
    pub convergence: Option<Convergence>,
    /// The run that shows `fails`, or that leads to the `error`.
    pub counterexample: Option<Run>,
    /// The run that shows `holds`, where one does.
    pub witness: Option<Run>,
    /// What the loop of a counterexample starves, and which notions of fairness would rule it out.
    pub why_not: Option<WhyNot>,
    /// Which states satisfy which part of a formula with path quantifiers, where that was asked for.
    pub labels: Option<Labelling>,
    /// A fault of Fairhold's own, met on the way; the verdict is then `unknown`.
    pub bug: Option<String>,
    /// What turned out about the model on the way and is no part of the answer.
    pub notes: Vec<Diagnostic>,
}

/// Which states satisfy which part of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labelling {
    /// Every different part, parts before wholes. The first is `EG true`: there is a fair path.
    pub formulas: Vec<String>,
    /// How many states satisfy each.
    pub counts: Vec<usize>,
    /// How many states there are.
    pub total: usize,
    /// The states in the order in which they are met; of very many, the first.
    pub states: Vec<LabelledState>,
}

/// A state, and what it satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledState {
    /// The state by names.
    pub state: Fields,
    /// Whether executions may start in it.
    pub initial: bool,
    /// Places in [`Labelling::formulas`].
    pub satisfies: Vec<usize>,
}

impl CheckResult {
    /// Whether the verdict is the expected one, or excused; without an expectation, `holds` is expected.
    pub fn passes(&self) -> bool {
        self.excused || status::passes(self.verdict, self.expected)
    }

    /// Takes the verdict back: the judge refuses the run that it rests on.
    pub(crate) fn refuse(&mut self, why: &Invalid) {
        let word = self.verdict.word();
        let bug =
            format!("internal: the search says `{word}`, and the reference semantics rejects its run: {why}");
        self.verdict = Verdict::Unknown;
        self.feasible = None;
        self.value = None;
        self.reason = Some(bug.clone());
        self.bug = Some(bug);
    }

    /// The counterexample or the witness, with its name.
    pub fn run(&self) -> Option<(&'static str, &Run)> {
        let counterexample = self.counterexample.as_ref().map(|r| ("counterexample", r));
        counterexample.or(self.witness.as_ref().map(|r| ("witness", r)))
    }
}

/// What an exploration comes to.
#[derive(Clone, Debug)]
pub struct ExploreResult {
    /// The model's file.
    pub file: String,
    /// The process explored, as written.
    pub process: String,
    /// Integer constants in force.
    pub defines: Vec<(String, i32)>,
    /// `holds` if all was explored, else `unknown`, or `error` if the model went wrong on the way.
    pub verdict: Verdict,
    /// Why not all was explored.
    pub reason: Option<String>,
    /// Distinct states.
    pub states: u64,
    /// Distinct steps.
    pub steps: u64,
    /// Steps from an initial state to the farthest.
    pub depth: u64,
    /// States without steps that are not the end.
    pub deadlocks: u64,
    /// States after successful termination.
    pub terminated: u64,
    /// Strongly connected components, if asked for.
    pub sccs: Option<u64>,
    /// Bytes kept per state, all told.
    pub bytes_per_state: f64,
    /// Bytes of a state itself, as it is kept.
    pub state_bytes: usize,
    /// Wall time, loading included.
    pub seconds: f64,
    /// The most memory the process has held so far.
    pub peak_mb: f64,
    /// Threads that searched.
    pub threads: usize,
    /// The run that leads to the `error`.
    pub counterexample: Option<Run>,
    /// A fault of Fairhold's own, met on the way.
    pub bug: Option<String>,
    /// What turned out about the model on the way.
    pub notes: Vec<Diagnostic>,
}

impl ExploreResult {
    /// Whether everything reachable was explored.
    pub fn complete(&self) -> bool {
        self.verdict == Verdict::Holds
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        status::status([(self.verdict, None)])
    }
}
