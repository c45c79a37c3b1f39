//! What the façade asks of a modelling language.
//!
//! A loaded model is one of several kinds ([`Kind`]). Each implements [`FrontEnd`]: it makes a system to search and a
//! judge to confirm what was found, and translates its own conditions. Checking, exploring and drawing are written once,
//! generic over the front end, so the searches below stay monomorphised; the choice between kinds is one `match`.

use crate::constraint::Annotated;
use crate::csp::CspModel;
use crate::explicit::ExplicitModel;
use crate::protocol::ProtocolModel;
use crate::report::CheckResult;
use crate::temporal::{Proposition, Temporal};
use fairhold_csp::compile::HiddenDisagreement;
use fairhold_logic::{AtomId, Ctl};
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_system::{EventId, Fault, Keep, Path, PredicateId, System, Verdict, Word};
use fairhold_trace::{Formula, Judge, Notion};

/// A model in one of the languages.
#[derive(Debug)]
pub(crate) enum Kind {
    Csp(CspModel),
    /// A graph that is written down: `.aut` or `.kts`.
    Explicit(ExplicitModel),
    /// A population protocol: `.pp`.
    Protocol(ProtocolModel),
}

/// Evaluates `$body` with `$front` bound to the front end of a [`Kind`], whichever it is.
macro_rules! with_front {
    ($kind:expr, $front:ident => $body:expr) => {
        match $kind {
            $crate::front::Kind::Csp($front) => $body,
            $crate::front::Kind::Explicit($front) => $body,
            $crate::front::Kind::Protocol($front) => $body,
        }
    };
}
pub(crate) use with_front;

/// What an assertion asks, conditions and formulas aside: these stay with the front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asks {
    DeadlockFree,
    NonTerminating,
    DivergenceFree,
    Deterministic,
    Reaches,
    /// That no reachable state has a condition: `reaches` turned round.
    Never,
    /// The same of the negation of a condition.
    Always,
    /// A formula of linear time, or an automaton.
    Ltl,
    Ctl,
    Refines,
}

impl Asks {
    /// Whether a search for a state with a condition answers this.
    pub(crate) fn seeks(self) -> bool {
        matches!(self, Asks::Reaches | Asks::Never | Asks::Always)
    }

    /// The verdict on this question if that is the verdict on what is searched for, and the other way round: a state
    /// with the condition makes `reaches` hold and `never` fail.
    pub(crate) fn turned(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Asks::Never | Asks::Always, Verdict::Holds) => Verdict::Fails,
            (Asks::Never | Asks::Always, Verdict::Fails) => Verdict::Holds,
            _ => verdict,
        }
    }
}

/// An assertion as the façade sees it.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// As written, blanks collapsed.
    pub(crate) text: String,
    pub(crate) asks: Asks,
    /// What `//@ fairness:` says, unquoted.
    pub(crate) fairness: Option<(String, Span)>,
    /// What `//@ expect:` says: a verdict for every notion listed; a single entry without a notion for a plain one.
    pub(crate) expect: Vec<(Option<String>, Verdict)>,
    pub(crate) span: Span,
}

/// Where everyone is enabled, by a predicate each; `tau` aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enabledness {
    pub(crate) events: Vec<(EventId, PredicateId)>,
    pub(crate) processes: Vec<(u32, PredicateId)>,
}

/// A state as the judge of a language has it.
pub(crate) type StateOf<F> = <<F as FrontEnd>::Judge as Judge>::State;

/// A language's part in checking and exploring.
pub(crate) trait FrontEnd {
    /// What a system is made from: the asserted process, for languages that have some.
    type Subject;
    /// The system to search.
    type System: System;
    /// The semantics to trust.
    type Judge: Judge;

    /// The subject of an assertion, by its number.
    fn asserted(&self, assertion: usize) -> Self::Subject;

    /// What to explore where no assertion is meant.
    fn explored(&self) -> Result<Self::Subject, Diagnostic>;

    /// The subject as written.
    fn name(&self, subject: &Self::Subject) -> String;

    /// The system to search. A language whose states leave nothing out has no use for `keep`.
    fn system(&self, subject: &Self::Subject, keep: Keep) -> Result<Self::System, Fault>;

    /// An initial state, all of them equally likely if numbers below a bound are; none where they have to be listed for
    /// that.
    fn random_initial(
        &self,
        system: &Self::System,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<Vec<Word>>, Fault> {
        let _ = (system, below);
        Ok(None)
    }

    fn judge(&self, subject: &Self::Subject) -> Result<Self::Judge, Fault>;

    /// The state of the judge that a state of the system is; none where states that look alike are one.
    fn judged_state(&self, system: &Self::System, words: &[Word]) -> Option<StateOf<Self>> {
        let _ = (system, words);
        None
    }

    /// The hidden variables on which two runs to one state of the system have disagreed so far.
    fn hidden_disagreements(&self, system: &Self::System) -> Vec<HiddenDisagreement> {
        let _ = system;
        Vec::new()
    }

    /// Integer constants in force.
    fn defines(&self) -> Vec<(String, i32)>;

    /// Fairness annotations as written: `wf(get.0)`.
    fn annotations(&self, map: &SourceMap) -> Vec<String>;

    /// An assertion's question in the search's words; only for what the search can answer.
    fn ask(&self, system: &Self::System, assertion: usize) -> Question;

    /// What an assertion about infinite executions says; only for [`Asks::Ltl`].
    fn temporal(&self, assertion: usize) -> Temporal<'_>;

    /// The formula with path quantifiers that an assertion consists of; only for [`Asks::Ctl`].
    fn branching(&self, assertion: usize) -> &Ctl;

    /// An atom of either, or an event of an `EX{e}`, as written.
    fn atom_name(&self, assertion: usize, atom: AtomId) -> String;

    /// Whether an atom of either is a condition on the state, and nothing about events or steps.
    fn is_condition(&self, assertion: usize, atom: AtomId) -> bool;

    /// An atom of [`FrontEnd::temporal`] in the search's words; or, of a branching formula, an event of an `EX{e}`.
    fn atom(&self, system: &Self::System, assertion: usize, atom: AtomId) -> Atom;

    /// An atom of [`FrontEnd::branching`] in the search's words.
    fn proposition(&self, system: &Self::System, assertion: usize, atom: AtomId) -> Proposition;

    /// Whether an atom is true at a position: the event that led there, and the state. The event makes no difference to atoms of a
    /// branching formula.
    fn atom_holds(
        &self,
        judge: &Self::Judge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &<Self::Judge as Judge>::State,
    ) -> Result<bool, Fault>;

    /// A fairness formula that the model was loaded with, by its text, as it is read for an assertion.
    fn fairness(&self, assertion: usize, text: &str) -> &Formula;

    /// The event with this name.
    fn event(&self, system: &Self::System, name: &str) -> EventId;

    /// A condition on the state of some fairness formula, by its number there, in the search's words.
    fn condition(&self, system: &Self::System, number: usize) -> PredicateId;

    /// Whether such a condition holds.
    fn condition_holds(
        &self,
        judge: &Self::Judge,
        number: usize,
        state: &<Self::Judge as Judge>::State,
    ) -> Result<bool, Fault>;

    /// Where everyone is enabled, if the model itself says so; none where that means to have a step.
    fn enabledness(&self) -> Option<Enabledness> {
        None
    }

    /// Events with annotations that are in force.
    fn annotated(&self, system: &Self::System) -> Result<Vec<Annotated>, Fault>;

    /// The notions of fairness that say something about such models.
    fn notions(&self) -> &'static [Notion] {
        &Notion::ALL
    }

    /// Puts another run into a result that rests on this path, if there is one that says more to people. It is judged as well.
    fn retell(&self, system: &Self::System, index: usize, path: &Path, result: &mut CheckResult) {
        let _ = (system, index, path, result);
    }

    /// Whether a run that answers a question about a condition ([`Asks::seeks`]) ends where it should, in one of `ends`:
    /// where the condition that is sought holds for the verdict `holds`, where the model goes wrong for others.
    fn decides(
        &self,
        judge: &Self::Judge,
        assertion: usize,
        verdict: Verdict,
        ends: &[<Self::Judge as Judge>::State],
    ) -> bool;
}
