//! Formulas with path quantifiers under fairness: from the assertion to its results.
//!
//! One exploration labels the states under every constraint. What shows the verdict, where runs can, comes as a tree of runs; the judge, which shares no code with the search, goes
//! through all of it before it is shown ([`judge_branches`] says what that confirms and what it cannot).

use crate::check::{Bounds, CheckOptions, Task};
use crate::constraint::{Annotated, Conjunct, conjuncts, judged, searched};
use crate::fairness::Fairness;
use crate::feasible::culprits;
use crate::front::{FrontEnd, StateOf};
use crate::hidden::Hidden;
use crate::lettered;
use crate::live::{Walked, asked, either, goes_on_fairly, goes_wrong, judge_of, owes_steps};
use crate::load::Model;
use crate::reason;
use crate::report::{CheckResult, LabelledState, Labelling};
use crate::watch::Watch;
use fairhold_csp::compile::Relevance;
use fairhold_logic::{AtomId, Ctl, FreshAtoms, Ltl, MAX_MARKS, Quantifier, bad_prefixes, translate};
use fairhold_search::{
    Atom, BranchingAnswer, BranchingQuestion, BranchingSearch, Ends, Evidence, Fairness as Searched, Labels,
    MAX_ATOMS, Proposition, StepPredicate, check_safety,
};
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Keep, Limits, Observer, Path, Stepper, Steps, StopReason, System, Verdict, Word,
};
use fairhold_trace::{Branch, Claims, Guide, Invalid, Replay, Run, judge_branches, unguided};
use fixedbitset::FixedBitSet;
use std::time::Instant;

/// So many states are listed with what they satisfy.
const LISTED: usize = 10_000;

impl Model {
    /// Decides one formula under the constraints of all tasks. The results come in blank, one for each task.
    pub(crate) fn decide_branching<F: FrontEnd>(
        &self,
        front: &F,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        if self.decide_by_reach(front, tasks, options, observer, results) {
            return;
        }
        let start = Instant::now();
        let index = tasks[0].index;
        let limits = options.bounds.limits();
        let watch = Watch::new(observer, options.bounds.timeout, limits.bytes);
        let keep = options.hidden.keep(Keep::Everything);
        let Some((system, annotated)) = self.prepare(front, index, keep, results) else {
            return;
        };
        let conjuncts: Vec<Vec<Conjunct>> = tasks
            .iter()
            .map(|task| conjuncts(front, index, asked(task), &annotated))
            .collect();
        let constraints: Vec<Searched> = conjuncts.iter().map(|c| searched(front, &system, c)).collect();
        // Where every part is listed with its states, every part is a formula of its own.
        let formula = match options.states {
            true => Formula::as_written(front, &system, index),
            false => Formula::new(front, &system, index),
        };
        let propositions = formula.propositions();
        if let Some(why) = too_many(&constraints) {
            results.iter_mut().for_each(|r| r.reason = Some(why.clone()));
            return;
        }
        let ends = self.ends(options);
        let mut search = BranchingSearch::new(&system, &propositions, &constraints, ends, &limits, &watch);
        let mut answers: Vec<Option<(BranchingAnswer, f64)>> = vec![None; tasks.len()];
        formula.ask(&mut search, formula.ctl(), &constraints, &mut |i, answer| {
            answers[i] = Some((answer, start.elapsed().as_secs_f64()));
        });
        for (i, answer) in answers.into_iter().enumerate() {
            let finishing = Instant::now();
            let (answer, seconds) = answer.expect("every constraint is answered");
            let result = &mut results[i];
            let mut shown = false;
            self.fill_branching(&system, &answer, options, result);
            if answer.feasible == Some(false) {
                result.unmet = formula.unmet(&mut search, &conjuncts[i]);
            }
            if let Some(labels) = answer.labels.as_ref().filter(|_| options.states) {
                result.labels = Some(formula.labelling(&search, labels));
            }
            if let Some(path) = &answer.path {
                let run = Run::new(&system, &system.lift(path.clone()));
                match formula.judge_fault(&run, &|words| front.judged_state(&system, words)) {
                    Ok(()) => result.counterexample = Some(run),
                    Err(refused) => result.refuse(&refused),
                }
            } else if let Some(evidence) = &answer.evidence {
                let evidence = formula.lifted(evidence);
                formula.show(&evidence, &conjuncts[i], ends, result);
                shown = is_shown_by_run(&evidence, conjuncts[i].is_empty() && ends == Ends::Idle);
            }
            // Under strong global fairness a value that nobody reads tells apart states that owe their steps each.
            let least = match owes_steps(&tasks[i]) {
                true => Relevance::Dead,
                false => Relevance::Argument,
            };
            let found = front.hidden_disagreements(&system);
            let merged = options.hidden == Hidden::Merge && !found.is_empty();
            if merged && result.bug.is_some() && found.iter().all(|one| one.relevance < least) {
                // What differs makes no difference to the verdict, only to the runs of the tree.
                (result.bug, result.reason) = (None, None);
                (result.verdict, result.feasible) = (answer.verdict, answer.feasible);
            }
            let rests_on_run = shown && result.run().is_some();
            options.hidden.settle(&found, least, rests_on_run, result);
            result.seconds = seconds + finishing.elapsed().as_secs_f64();
        }
    }

    /// Decides `AG p` and `EF p`, for a `p` about the state, as what they are: questions for a state that can be reached. Under a constraint with which every finite
    /// path goes on fairly; `EF p` where there is one initial state, since each has to reach `p`. False if this does not suit.
    fn decide_by_reach<F: FrontEnd>(
        &self,
        front: &F,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) -> bool {
        let start = Instant::now();
        let index = tasks[0].index;
        let limits = options.bounds.limits();
        let watch = Watch::new(observer, options.bounds.timeout, limits.bytes);
        // Asked of the text first: most formulas need a system of another kind, which is made only once.
        let every = match front.branching(index) {
            Ctl::Globally(Quantifier::All, _) => true,
            Ctl::Finally(Quantifier::Exists, _) => false,
            _ => return false,
        };
        if options.states || self.ends(options) != Ends::Idle {
            return false;
        }
        let mut blank = results.to_vec();
        let Some((system, annotated)) =
            self.prepare(front, index, options.hidden.keep(Keep::Needed), &mut blank)
        else {
            return false;
        };
        let conjuncts: Vec<Vec<Conjunct>> = tasks
            .iter()
            .map(|task| conjuncts(front, index, asked(task), &annotated))
            .collect();
        let formula = Formula::new(front, &system, index);
        let Some((sought, atoms)) = formula.sought() else {
            return false;
        };
        let only_start = if every { None } else { only_start(&system) };
        if !conjuncts.iter().all(|c| goes_on_fairly(front, c)) || !every && only_start.is_none() {
            return false;
        }
        let found = translate(&Ltl::Finally(Box::new(sought)), &|atom| format!("{}", atom.0));
        let Some((found, universal)) = found
            .ok()
            .and_then(|t| bad_prefixes(&t.automaton).map(|bad| (t, bad)))
        else {
            return false;
        };
        let answer = check_safety(&system, &found.automaton, &universal, &atoms, &limits, &watch);
        let seconds = start.elapsed().as_secs_f64();
        for (conjuncts, result) in conjuncts.iter().zip(&mut *results) {
            let finishing = Instant::now();
            let verdict = match answer.verdict {
                Verdict::Holds | Verdict::Fails if every => answer.verdict,
                Verdict::Holds => Verdict::Fails,
                Verdict::Fails => Verdict::Holds,
                other => other,
            };
            let branching = BranchingAnswer {
                verdict,
                stop: answer.stop,
                fault: answer.fault.clone(),
                statistics: answer.statistics,
                feasible: Some(true),
                path: None,
                samples: answer.samples.clone(),
                labels: None,
                evidence: None,
            };
            self.fill_branching(&system, &branching, options, result);
            // That nothing reaches `p` no run shows: it is a claim about the initial state.
            let nowhere = only_start
                .clone()
                .filter(|_| verdict == Verdict::Fails)
                .map(|start| Path {
                    states: vec![start],
                    labels: Vec::new(),
                    loop_from: None,
                });
            let path = answer.path.clone().or(nowhere);
            if let (Verdict::Error, Some(path)) = (verdict, &path) {
                let run = Run::new(&system, &system.lift(path.clone()));
                match formula.judge_fault(&run, &|words| front.judged_state(&system, words)) {
                    Ok(()) => result.counterexample = Some(run),
                    Err(refused) => result.refuse(&refused),
                }
            } else if let Some(path) = path {
                let evidence = Evidence {
                    formula: formula.ctl().clone(),
                    holds: verdict == Verdict::Holds,
                    end: path.labels.len(),
                    path: system.lift(path),
                    branches: Vec::new(),
                };
                formula.show(&evidence, conjuncts, Ends::Idle, result);
            }
            let found = front.hidden_disagreements(&system);
            let rests_on_run = result.run().is_some();
            options
                .hidden
                .settle(&found, Relevance::Argument, rests_on_run, result);
            result.seconds = seconds + finishing.elapsed().as_secs_f64();
        }
        true
    }

    /// The states, in the order in which they are met, that satisfy an assertion's formula under its first constraint; or why that was not found out.
    pub(crate) fn satisfying<F: FrontEnd>(
        &self,
        front: &F,
        task: &Task,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<FixedBitSet, String> {
        // A bound on the states that are drawn is none on those that a formula speaks of.
        let limits = Limits {
            states: None,
            ..bounds.limits()
        };
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let index = task.index;
        let wrong = |fault| reason::fault(&self.map, &fault);
        let system = front
            .system(&front.asserted(index), Keep::Everything)
            .map_err(wrong)?;
        let annotated = front.annotated(&system).map_err(wrong)?;
        let constraint = searched(front, &system, &conjuncts(front, index, asked(task), &annotated));
        let formula = Formula::new(front, &system, index);
        let (propositions, constraints) = (formula.propositions(), [constraint]);
        if let Some(why) = too_many(&constraints) {
            return Err(why);
        }
        let ends = self.ends(&CheckOptions::default());
        let mut search = BranchingSearch::new(&system, &propositions, &constraints, ends, &limits, &watch);
        let mut found = None;
        formula.ask(&mut search, formula.ctl(), &constraints, &mut |_, answer| {
            found = Some(answer);
        });
        let answer = found.expect("the constraint is answered");
        match (answer.labels, answer.fault, answer.stop) {
            (Some(labels), ..) => Ok(labels.set(labels.formulas().len() - 1).clone()),
            (None, Some(fault), _) => Err(wrong(fault)),
            (None, None, stop) => {
                let why = stop.unwrap_or(StopReason::Interrupted);
                Err(reason::stopped(
                    why,
                    bounds,
                    answer.statistics.states,
                    &system,
                    &answer.samples,
                ))
            }
        }
    }

    /// What the search says, runs aside.
    fn fill_branching<S: System>(
        &self,
        system: &S,
        answer: &BranchingAnswer,
        options: &CheckOptions,
        result: &mut CheckResult,
    ) {
        result.verdict = answer.verdict;
        result.feasible = answer.feasible;
        result.states = answer.statistics.states;
        result.threads = answer.statistics.workers.max(1);
        result.steps = answer.statistics.steps;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        if let Some(found) = &answer.fault {
            result.reason = Some(reason::fault(&self.map, found));
        } else if let Some(why) = answer.stop {
            let (states, samples) = (answer.statistics.states, &answer.samples);
            result.reason = Some(reason::stopped(why, &options.bounds, states, system, samples));
        }
    }
}

/// The initial state, if there is only one.
fn only_start<S: System>(system: &S) -> Option<Vec<Word>> {
    let mut steps = Steps::new(system.width());
    let rest = system.stepper().initial_from(0, &mut steps).ok()?;
    (rest.is_none() && steps.len() == 1).then(|| steps.target(0).to_vec())
}

/// Why a question is too large for the search, if it is.
fn too_many(constraints: &[Searched]) -> Option<String> {
    let mut predicates = 0;
    for mark in constraints.iter().flat_map(|c| &c.marks) {
        mark.visit(&mut |part| predicates += usize::from(matches!(part, StepPredicate::State(_))));
    }
    if predicates > MAX_ATOMS {
        return Some(format!("the fairness has more than {MAX_ATOMS} atoms"));
    }
    let many = |c: &Searched| c.marks.len() > MAX_MARKS as usize;
    let why = format!("the fairness formula has more than {MAX_MARKS} different conditions");
    constraints.iter().any(many).then_some(why)
}

/// An assertion's formula.
struct Formula<'f, F: FrontEnd> {
    front: &'f F,
    system: &'f F::System,
    index: usize,
    /// The formula as the search sees it.
    ctl: Ctl,
    /// What its atoms mean.
    letters: FreshAtoms,
}

impl<'f, F: FrontEnd> Formula<'f, F> {
    /// The formula over letters: conditions on the state are not looked into.
    fn new(front: &'f F, system: &'f F::System, index: usize) -> Formula<'f, F> {
        let mut formula = Formula::as_written(front, system, index);
        formula.ctl = formula.letters.ctl(&formula.ctl);
        formula
    }

    /// The formula with all of its parts.
    fn as_written(front: &'f F, system: &'f F::System, index: usize) -> Formula<'f, F> {
        let ctl = front.branching(index).clone();
        let letters = FreshAtoms::new(&ctl.atoms(), &|atom| front.is_condition(index, atom));
        Formula {
            front,
            system,
            index,
            ctl,
            letters,
        }
    }

    /// For `AG p` what must not be reached, for `EF p` what must be, and what its atoms are; none if `p` is not about the state alone.
    fn sought(&self) -> Option<(Ltl, Vec<Atom>)> {
        let (part, reached) = match self.ctl() {
            Ctl::Globally(Quantifier::All, p) => (p, false),
            Ctl::Finally(Quantifier::Exists, p) => (p, true),
            _ => return None,
        };
        let (atom, holds) = match &**part {
            Ctl::Atom(atom) => (*atom, true),
            Ctl::Not(p) => match &**p {
                Ctl::Atom(atom) => (*atom, false),
                _ => return None,
            },
            _ => return None,
        };
        let meaning = self.proposition(atom).atom()?;
        let sought = Ltl::Atom(AtomId(0));
        let sought = if holds == reached {
            sought
        } else {
            Ltl::Not(Box::new(sought))
        };
        Some((sought, vec![meaning]))
    }

    fn ctl(&self) -> &Ctl {
        &self.ctl
    }

    fn proposition(&self, atom: AtomId) -> Proposition {
        lettered::proposition(self.front, self.system, self.index, &self.letters, atom)
    }

    fn event(&self, atom: AtomId) -> EventId {
        match self.front.atom(self.system, self.index, atom) {
            Atom::Event(event) => event,
            _ => unreachable!("what stands in `EX{{e}}` is an event"),
        }
    }

    fn propositions(&self) -> Vec<Proposition> {
        let atoms = self.ctl().atoms().into_iter();
        atoms.map(|a| self.proposition(a)).collect()
    }

    /// Asks the search.
    fn ask(
        &self,
        search: &mut BranchingSearch<'_, F::System>,
        formula: &Ctl,
        constraints: &[Searched],
        answered: &mut dyn FnMut(usize, BranchingAnswer),
    ) {
        let question = BranchingQuestion {
            formula,
            proposition: &|atom| self.proposition(atom),
            event: &|atom| self.event(atom),
            constraints,
        };
        search.check(&question, answered);
    }

    /// Which states satisfy what.
    fn labelling(&self, search: &BranchingSearch<'_, F::System>, labels: &Labels) -> Labelling {
        let parts = labels.formulas().iter();
        let sets: Vec<(String, &FixedBitSet)> = std::iter::once(("EG true".to_owned(), labels.fair()))
            .chain(
                parts
                    .enumerate()
                    .map(|(i, part)| (self.shown(part), labels.set(i))),
            )
            .collect();
        let state = |id: u32| {
            let id = StateId(id);
            let satisfies = (0..sets.len()).filter(|&i| sets[i].1.contains(id.index()));
            LabelledState {
                state: self.system.fields(&search.state(id)),
                initial: search.initial().contains(&id),
                satisfies: satisfies.collect(),
            }
        };
        Labelling {
            counts: sets.iter().map(|(_, set)| set.count_ones(..)).collect(),
            total: search.states(),
            states: (0..search.states().min(LISTED) as u32).map(state).collect(),
            formulas: sets.into_iter().map(|(text, _)| text).collect(),
        }
    }

    /// The parts of a constraint that no path meets together.
    fn unmet(&self, search: &mut BranchingSearch<'_, F::System>, conjuncts: &[Conjunct]) -> Vec<String> {
        let blamed = culprits(conjuncts.len(), &mut |parts| {
            let some = parts.iter().map(|&p| &conjuncts[p]);
            let constraint = searched(self.front, self.system, some);
            let mut feasible = None;
            self.ask(search, &Ctl::True, &[constraint], &mut |_, answer| {
                feasible = answer.feasible;
            });
            feasible.map(|feasible| !feasible)
        });
        blamed.into_iter().map(|p| conjuncts[p].to_string()).collect()
    }

    fn shown(&self, formula: &Ctl) -> String {
        let name = |atom| lettered::branching_name(self.front, self.index, &self.letters, atom);
        formula.display(&name).to_string()
    }

    /// Puts what shows a verdict into the result, once the judge agrees with it.
    fn show(&self, evidence: &Evidence, conjuncts: &[Conjunct], ends: Ends, result: &mut CheckResult) {
        let mut run = self.run(evidence);
        let guide = |words: &[Word]| self.front.judged_state(self.system, words);
        let rules = Rules {
            conjuncts,
            ends,
            guide: &guide,
        };
        let judged = judge(self.front, self.index, &rules, evidence.holds, &mut run);
        if let Err(refused) = judged {
            result.refuse(&refused);
            return;
        }
        if evidence.holds {
            result.witness = Some(run);
            return;
        }
        if let Some(lasso) = starving(evidence) {
            let run = Run::new(self.system, &lasso);
            let walked = Walked::new(self.front, self.index, &run, &guide);
            match walked.and_then(|walked| walked.starves(self.front)) {
                Ok(why) => result.why_not = Some(why),
                Err(refused) => {
                    result.refuse(&refused);
                    return;
                }
            }
        }
        result.reason = Some(self.because(evidence, &run, result));
        result.counterexample = Some(run);
    }

    /// Evidence whose run is an execution of the model, unless it is a tree: its branches start where merged states
    /// have them start.
    fn lifted(&self, evidence: &Evidence) -> Evidence {
        let mut lifted = evidence.clone();
        if lifted.branches.is_empty() {
            lifted.path = self.system.lift(lifted.path);
        }
        lifted
    }

    /// Evidence by names.
    fn run(&self, evidence: &Evidence) -> Run {
        let branch = |(at, evidence): &(usize, Evidence)| Branch {
            formula: self.shown(&evidence.formula),
            holds: evidence.holds,
            at: *at,
            run: self.run(evidence),
        };
        Run {
            branches: evidence.branches.iter().map(branch).collect(),
            ..Run::new(self.system, &evidence.path)
        }
    }

    /// Why the formula fails, in one sentence.
    fn because(&self, evidence: &Evidence, run: &Run, result: &CheckResult) -> String {
        let whose = match result.fairness.as_deref() {
            Some("none") if result.annotations.is_empty() => "path",
            _ => "fair path",
        };
        let place = |steps: usize| match steps {
            0 => "in the initial state".to_owned(),
            n => format!("after {n} step{}", if n == 1 { "" } else { "s" }),
        };
        match &evidence.formula {
            Ctl::Globally(Quantifier::All, p) | Ctl::Next(Quantifier::All, _, p) => {
                format!("`{}` does not hold {}", self.shown(p), place(evidence.end))
            }
            Ctl::Finally(Quantifier::All, _) => reason::violates(run),
            Ctl::Until(Quantifier::All, ..)
            | Ctl::WeakUntil(Quantifier::All, ..)
            | Ctl::Release(Quantifier::All, ..) => match run.loop_.is_empty() {
                true => format!("broken {}", place(evidence.end)),
                false => reason::violates(run),
            },
            Ctl::Next(..)
            | Ctl::Finally(..)
            | Ctl::Globally(..)
            | Ctl::Until(..)
            | Ctl::WeakUntil(..)
            | Ctl::Release(..) => format!("no {whose} from the initial state is like that"),
            _ => match &evidence.branches[..] {
                [(_, part), ..] => {
                    let word = if part.holds { "holds" } else { "does not hold" };
                    format!("`{}` {word} in the initial state", self.shown(&part.formula))
                }
                [] => "false in the initial state".to_owned(),
            },
        }
    }

    /// Has the judge confirm that the model goes wrong where a run ends.
    fn judge_fault(&self, run: &Run, guide: &Guide<'_, StateOf<F>>) -> Result<(), Invalid> {
        let atoms = self.front.branching(self.index).atoms();
        goes_wrong(self.front, self.index, &atoms, run, guide)
    }
}

/// Whether a verdict follows from a single run: it claims that some path does what conditions on its states decide.
/// A finite run shows that only if every path goes on, and any way of it will do (`any_end`).
fn is_shown_by_run(evidence: &Evidence, any_end: bool) -> bool {
    let existential = match evidence.holds {
        true => Quantifier::Exists,
        false => Quantifier::All,
    };
    let some_path_does = match &evidence.formula {
        Ctl::Next(quantifier, ..)
        | Ctl::Finally(quantifier, _)
        | Ctl::Globally(quantifier, _)
        | Ctl::Until(quantifier, ..)
        | Ctl::Release(quantifier, ..)
        | Ctl::WeakUntil(quantifier, ..) => *quantifier == existential,
        _ => false,
    };
    some_path_does
        && evidence.branches.is_empty()
        && evidence.formula.operands().all(Ctl::is_state_condition)
        && (evidence.path.loop_from.is_some() || any_end)
}

/// The way to and along the first loop that keeps something from coming, if what a verdict rests on is such a loop.
fn starving(evidence: &Evidence) -> Option<Path> {
    if matches!(evidence.formula, Ctl::Finally(Quantifier::All, _)) && !evidence.holds {
        return Some(evidence.path.clone());
    }
    evidence.branches.iter().find_map(|(at, branch)| {
        let mut path = starving(branch)?;
        path.loop_from = path.loop_from.map(|start| start + at);
        path.labels = [&evidence.path.labels[..*at], &path.labels].concat();
        path.states = [&evidence.path.states[..*at], &path.states].concat();
        Some(path)
    })
}

/// Has a tree of runs judged under the constraint that was asked for and the model's annotations.
pub(crate) fn judge_tree<F: FrontEnd>(
    front: &F,
    index: usize,
    fairness: &Fairness,
    ends: Ends,
    verdict: Verdict,
    run: &Run,
) -> Result<(), Invalid> {
    let prepared = front
        .system(&front.asserted(index), Keep::Everything)
        .and_then(|system| Ok((front.annotated(&system)?, system)));
    let (annotated, system): (Vec<Annotated>, _) =
        prepared.map_err(|fault| Invalid::new(0, fault.message))?;
    if verdict == Verdict::Error {
        let formula = Formula::as_written(front, &system, index);
        return formula.judge_fault(run, &unguided);
    }
    let rules = Rules {
        conjuncts: &conjuncts(front, index, fairness, &annotated),
        ends,
        guide: &unguided,
    };
    judge(front, index, &rules, verdict == Verdict::Holds, &mut run.clone())
}

/// What a tree of runs is judged by.
struct Rules<'r, State> {
    conjuncts: &'r [Conjunct],
    /// What becomes of executions where there are no steps.
    ends: Ends,
    /// Tells states apart where they look alike.
    guide: &'r Guide<'r, State>,
}

/// Has a tree of runs judged, and its ledgers filled in.
fn judge<F: FrontEnd>(
    front: &F,
    index: usize,
    rules: &Rules<'_, StateOf<F>>,
    holds: bool,
    run: &mut Run,
) -> Result<(), Invalid> {
    let judge = judge_of(front, index)?;
    let replay = Replay {
        judge: &judge,
        guide: rules.guide,
    };
    // A named notion can be met from every state, if enabled means to have a step and every state has one or idles.
    let is_met = match rules.conjuncts {
        [] => true,
        [Conjunct::Notion(_)] => front.enabledness().is_none(),
        _ => false,
    };
    let constraints = judged(rules.conjuncts);
    let formula = front.branching(index);
    let tree = either(&replay, run, &|replay| {
        let claims = Claims {
            replay,
            constraints: &constraints,
            condition: &|number, state: &_| front.condition_holds(&judge, number, state),
            atom: &|atom, event: Option<&str>, state: &_| front.atom_holds(&judge, index, atom, event, state),
            name: &|atom| front.atom_name(index, atom),
            idles: rules.ends == Ends::Idle,
            is_feasible: is_met && rules.ends == Ends::Idle,
        };
        let mut tree = run.clone();
        judge_branches(&claims, formula, holds, &mut tree)?;
        Ok(tree)
    });
    *run = tree?;
    Ok(())
}
