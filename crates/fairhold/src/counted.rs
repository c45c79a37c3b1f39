//! Counting instead of telling apart: a complete network of anonymous nodes, checked as multisets.
//!
//! Where that is exact ([`Model::why_not_counted`] says where it is not), the search runs on [`CountedSystem`]. A finite run is lifted to one of the protocol, and judged like
//! any other; so is a lasso. But a fair loop under `sgf` must take every step of every configuration it visits, which a lifted one may not, and of a large protocol it has no
//! end; then the run shown is one of multisets, judged as such, and the result says so. Of a small protocol the full graph is searched for one.

use crate::check::{CheckOptions, Reduction, Task, confirmed, verdict_of};
use crate::constraint::{Annotated, Conjunct};
use crate::fairness::Fairness;
use crate::front::{Asks, FrontEnd, Kind};
use crate::live::show;
use crate::load::Model;
use crate::protocol::ProtocolModel;
use crate::reason;
use crate::report::CheckResult;
use crate::temporal::{Ends, Proposition, Temporal};
use crate::watch::Watch;
use fairhold_logic::{AtomId, Ctl};
use fairhold_protocol::{
    Atom as Said, Configuration, CountedJudge, CountedSystem, Expr, is_counted, lift, tells_nodes_apart,
};
use fairhold_search::{Atom, Question};
use fairhold_source::{Diagnostic, SourceMap};
use fairhold_system::{EventId, Fault, Keep, Observer, Path, PredicateId, Verdict};
use fairhold_trace::{Formula, Notion, Run, unguided};
use std::sync::Arc;
use std::time::Instant;

/// The name of the reduction in results.
const COUNTING: &str = "counting";

/// Up to this many configurations, a counterexample is looked for among them.
const FEW_CONFIGURATIONS: f64 = 200_000.0;

/// Up to this many nodes, a lasso is judged with all of them told apart.
const FEW_NODES: u32 = 32;

/// A protocol whose nodes are counted.
#[derive(Debug)]
pub(crate) struct CountedModel<'m>(pub(crate) &'m ProtocolModel);

impl Model {
    /// Why counting nodes is not exact for a task, as a phrase; none if it is.
    pub fn why_not_counted(&self, task: &Task, options: &CheckOptions) -> Option<String> {
        let Kind::Protocol(model) = &self.kind else {
            return Some("only nodes of protocols can be counted".to_owned());
        };
        let index = task.index;
        match (self.assertions[index].asks, &task.fairness) {
            (Asks::DeadlockFree | Asks::Reaches | Asks::Never | Asks::Always, _) => {}
            (Asks::Ltl, Some(Fairness::Notion("sgf"))) => {
                let recurs = match model.temporal(index) {
                    Temporal::Formula(formula) => formula.is_recurrence(),
                    Temporal::Automaton(_) => false,
                };
                if !recurs || model.atoms(index).iter().any(|a| !matches!(a, Said::State(..))) {
                    let why = "it is proven for combinations of `[]<>` and `<>[]` of conditions only";
                    return Some(why.to_owned());
                }
                if self.ends(options) != Ends::Idle {
                    return Some("it is proven for executions that idle at ends only".to_owned());
                }
            }
            (Asks::Ltl, Some(fairness)) => {
                return Some(format!(
                    "it is proven under sgf only: under {} it matters which nodes act",
                    fairness.text()
                ));
            }
            _ => return Some("it is not proven for formulas with path quantifiers".to_owned()),
        }
        let asked = model.own_conditions(index);
        if let Some(why) = tells_nodes_apart(model.protocol(), &asked) {
            return Some(why);
        }
        match CountedSystem::new(Arc::clone(model.protocol()), &asked) {
            Ok(None) => Some("a node has too many states".to_owned()),
            _ => None,
        }
    }

    /// Runs tasks about one assertion of a protocol by counting nodes, if that is exact for all and wanted. Else says why not.
    pub(crate) fn check_counted(
        &self,
        model: &ProtocolModel,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) -> Result<(), String> {
        if options.reduction == Reduction::None {
            return Err(String::new());
        }
        if let Some(why) = tasks.iter().find_map(|task| self.why_not_counted(task, options)) {
            return Err(format!("explored in full, nodes are not counted: {why}"));
        }
        let counted = CountedModel(model);
        let Some(fairness) = &tasks[0].fairness else {
            let start = Instant::now();
            self.decide_counted(&counted, tasks[0].index, options, observer, &mut results[0]);
            results[0].seconds = start.elapsed().as_secs_f64();
            return Ok(());
        };
        debug_assert_eq!(*fairness, Fairness::Notion("sgf"), "only this is proven");
        self.decide_formula(&counted, tasks, options, observer, results);
        for (task, result) in tasks.iter().zip(results) {
            mark(result);
            let is_counted = |run: &Run| is_counted(&run.initial);
            if result.verdict == Verdict::Fails && result.counterexample.as_ref().is_some_and(is_counted) {
                self.replace_run(model, task, options, observer, result);
            }
        }
        Ok(())
    }

    /// Of several tasks that were explored in full and not decided, decides those for which counting nodes is exact.
    pub(crate) fn count_undecided(
        &self,
        model: &ProtocolModel,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        for (task, result) in tasks.iter().zip(results) {
            if result.verdict == Verdict::Unknown && result.bug.is_none() {
                let task = std::slice::from_ref(task);
                let mut counted = [self.blank(&task[0], &self.assertions[task[0].index])];
                if self
                    .check_counted(model, task, options, observer, &mut counted)
                    .is_ok()
                {
                    [*result] = counted;
                }
            }
        }
    }

    /// Decides what a finite path decides.
    fn decide_counted(
        &self,
        counted: &CountedModel<'_>,
        index: usize,
        options: &CheckOptions,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let limits = options.bounds.limits();
        let watch = Watch::new(observer, options.bounds.timeout, limits.bytes);
        let systems = counted
            .system(&Some(index), Keep::Everything)
            .and_then(|system| Ok((system, counted.0.system(&Some(index), Keep::Everything)?)));
        let (system, full) = match systems {
            Ok(systems) => systems,
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
                return;
            }
        };
        let asks = self.assertions[index].asks;
        let mut answer = fairhold_search::check(&system, &counted.ask(&system, index), &limits, &watch);
        answer.verdict = asks.turned(answer.verdict);
        result.verdict = answer.verdict;
        result.states = answer.statistics.states;
        result.steps = answer.statistics.steps;
        mark(result);
        let lifted = answer.path.as_ref().map(|path| lift(&system, &full, path));
        let run = match lifted {
            Some(None) => {
                let bug = "internal: a run of multisets could not be lifted to one of the protocol";
                result.verdict = Verdict::Unknown;
                result.reason = Some(bug.to_owned());
                result.bug = Some(bug.to_owned());
                return;
            }
            Some(Some(path)) => Some(Run::new(&full, &path)),
            None => None,
        };
        let bounds = &options.bounds;
        result.reason = reason::reason(&self.map, &system, asks, &answer, run.as_ref(), bounds);
        let Some(run) = run else { return };
        match confirmed(counted.0, index, asks, answer.verdict, &run, &unguided) {
            Ok(()) if answer.verdict == Verdict::Holds => result.witness = Some(run),
            Ok(()) => result.counterexample = Some(run),
            Err(why) => result.refuse(&why),
        }
    }

    /// Replaces a run of multisets by one of the protocol, if there are few configurations.
    fn replace_run(
        &self,
        model: &ProtocolModel,
        task: &Task,
        options: &CheckOptions,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let protocol = model.protocol();
        let sizes = protocol
            .fields
            .iter()
            .map(|f| f64::from(f.high) - f64::from(f.low) + 1.0);
        let node_states: f64 = sizes.product();
        if node_states.powf(f64::from(protocol.nodes)) > FEW_CONFIGURATIONS {
            result.reduction_note.push_str(
                "; the run counts nodes too: among single nodes, a fair loop would be too long to show",
            );
            return;
        }
        let mut full = [self.blank(task, &self.assertions[task.index])];
        self.decide_formula(model, std::slice::from_ref(task), options, observer, &mut full);
        let [full] = full;
        match full.verdict {
            Verdict::Fails => {
                result.counterexample = full.counterexample;
                result.why_not = full.why_not;
                result.reason = full.reason;
                result.bug = full.bug;
                result.reduction_note.push_str("; the run is from the full graph");
            }
            // Out of time or memory: the run of multisets stays.
            Verdict::Unknown => {}
            Verdict::Holds | Verdict::Error => {
                let bug = "internal: counting says `fails`, the full graph does not";
                result.verdict = Verdict::Unknown;
                result.reason = Some(bug.to_owned());
                result.bug = Some(bug.to_owned());
            }
        }
    }
}

/// Says in a result that nodes were counted.
fn mark(result: &mut CheckResult) {
    result.reductions = vec![COUNTING.to_owned()];
    result.reduction_note =
        "states are multisets of node states: the network is complete and nothing tells nodes apart"
            .to_owned();
}

/// Why some things are never asked of multisets.
const PROVEN: &str = "counting is not proven for this, so it is not done";

impl FrontEnd for CountedModel<'_> {
    type Subject = Option<usize>;
    type System = CountedSystem;
    type Judge = CountedJudge;

    fn asserted(&self, assertion: usize) -> Option<usize> {
        Some(assertion)
    }

    fn explored(&self) -> Result<Option<usize>, Diagnostic> {
        Ok(None)
    }

    fn name(&self, subject: &Option<usize>) -> String {
        self.0.name(subject)
    }

    fn system(&self, subject: &Option<usize>, _: Keep) -> Result<CountedSystem, Fault> {
        let asked: Vec<Expr> = subject.map_or(Vec::new(), |assertion| self.0.own_conditions(assertion));
        let system = CountedSystem::new(Arc::clone(self.0.protocol()), &asked)?;
        Ok(system.expect("with too many node states, counting is not tried"))
    }

    fn judge(&self, _: &Option<usize>) -> Result<CountedJudge, Fault> {
        Ok(CountedJudge::new(Arc::clone(self.0.protocol())))
    }

    fn notions(&self) -> &'static [Notion] {
        // Events are rules here, so being fair to them is not what it is to be fair to actions.
        &[Notion::Sgf]
    }

    fn defines(&self) -> Vec<(String, i32)> {
        self.0.defines()
    }

    fn annotations(&self, map: &SourceMap) -> Vec<String> {
        self.0.annotations(map)
    }

    fn ask(&self, _: &CountedSystem, assertion: usize) -> Question {
        match self.0.sought(assertion) {
            Some(_) => Question::Reaches(PredicateId(0)),
            None => Question::DeadlockFree,
        }
    }

    fn temporal(&self, assertion: usize) -> Temporal<'_> {
        self.0.temporal(assertion)
    }

    fn branching(&self, _: usize) -> &Ctl {
        unreachable!("{PROVEN}")
    }

    fn atom_name(&self, assertion: usize, atom: AtomId) -> String {
        self.0.atom_name(assertion, atom)
    }

    fn is_condition(&self, assertion: usize, atom: AtomId) -> bool {
        self.0.is_condition(assertion, atom)
    }

    fn atom(&self, _: &CountedSystem, _: usize, atom: AtomId) -> Atom {
        // The system of a formula has a predicate for each of its atoms, and no other.
        Atom::State(PredicateId(atom.0))
    }

    fn proposition(&self, _: &CountedSystem, _: usize, _: AtomId) -> Proposition {
        unreachable!("{PROVEN}")
    }

    fn atom_holds(
        &self,
        judge: &CountedJudge,
        assertion: usize,
        atom: AtomId,
        event: Option<&str>,
        state: &Configuration,
    ) -> Result<bool, Fault> {
        self.0.atom_holds(judge.full(), assertion, atom, event, state)
    }

    fn fairness(&self, _: usize, _: &str) -> &Formula {
        unreachable!("{PROVEN}")
    }

    fn event(&self, _: &CountedSystem, _: &str) -> EventId {
        unreachable!("{PROVEN}")
    }

    fn condition(&self, _: &CountedSystem, _: usize) -> PredicateId {
        unreachable!("{PROVEN}")
    }

    fn condition_holds(&self, _: &CountedJudge, _: usize, _: &Configuration) -> Result<bool, Fault> {
        unreachable!("{PROVEN}")
    }

    fn annotated(&self, _: &CountedSystem) -> Result<Vec<Annotated>, Fault> {
        Ok(Vec::new())
    }

    /// A lasso whose nodes are told apart, if it is fair too.
    fn retell(&self, system: &CountedSystem, index: usize, path: &Path, result: &mut CheckResult) {
        if result.verdict != Verdict::Fails || self.0.protocol().nodes > FEW_NODES {
            return;
        }
        let Ok(full) = self.0.system(&Some(index), Keep::Everything) else {
            return;
        };
        let Some(lifted) = lift(system, &full, path) else {
            return;
        };
        let conjuncts = [Conjunct::Notion(Notion::Sgf)];
        let mut retold = result.clone();
        let run = Run::new(&full, &lifted);
        show(
            self.0,
            index,
            &conjuncts,
            Verdict::Fails,
            &run,
            &unguided,
            &mut retold,
        );
        if retold.bug.is_none() {
            *result = retold;
        }
    }

    fn decides(
        &self,
        judge: &CountedJudge,
        assertion: usize,
        verdict: Verdict,
        ends: &[Configuration],
    ) -> bool {
        self.0.decides(judge.full(), assertion, verdict, ends)
    }
}
