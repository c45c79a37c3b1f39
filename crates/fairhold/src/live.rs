//! Formulas of linear time, and automata, under fairness: from the assertion to its results.
//!
//! What violates it is an automaton (`temporal.rs`), each constraint obligations and marks; one exploration serves all constraints, and after them the questions that a holding
//! formula raises: is there a fair execution at all, and has every part of the formula a say. A run that is found is replayed, found fair and found to violate the formula by the
//! judge, which shares no code with the search, before it is shown.

use crate::check::{Bounds, CheckOptions, Task, verdict_of};
use crate::constraint::{Annotated, Conjunct, conjuncts, goes_on, judged, searched};
use crate::fairness::Fairness;
use crate::feasible::culprits;
use crate::front::{FrontEnd, StateOf};
use crate::lettered::{self, Lettered};
use crate::load::Model;
use crate::reason;
use crate::report::CheckResult;
use crate::shorten::shorten;
use crate::temporal::{Ends, Temporal};
use crate::watch::Watch;
use fairhold_csp::compile::Relevance;
use fairhold_logic::{AtomId, FreshAtoms, Ltl, MAX_MARKS, Part, Translation, bad_prefixes, parts, translate};
use fairhold_search::{
    Atom, FairAnswer, FairQuestion, FairSearch, Fairness as Searched, MAX_ATOMS, StepPredicate, check_safety,
};
use fairhold_system::{Keep, Limits, Observer, Path, System, Verdict, Word};
use fairhold_trace::{
    Guide, Invalid, Judge, LassoClaim, LedgerEntry, Notion, Replay, Run, WhyNot, loop_of, unguided, why_not,
};
use std::time::Instant;

/// Formulas with more parts are not looked through for parts without influence.
const MANY_PARTS: usize = 200;

impl Model {
    /// Decides one formula under the constraints of all tasks. The results come in blank, one for each task.
    pub(crate) fn decide_formula<F: FrontEnd>(
        &self,
        front: &F,
        tasks: &[Task],
        options: &CheckOptions,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        let start = Instant::now();
        let index = tasks[0].index;
        let limits = options.bounds.limits();
        let watch = Watch::new(observer, options.bounds.timeout, limits.bytes);
        let Some((system, annotated)) = self.prepare(front, index, options.hidden.keep(keep(tasks)), results)
        else {
            return;
        };
        let endless = endless(self.ends(options));
        let conjuncts: Vec<Vec<Conjunct>> = tasks
            .iter()
            .map(|task| {
                let asked = conjuncts(front, index, asked(task), &annotated);
                asked.into_iter().chain(endless.clone()).collect()
            })
            .collect();
        let constraints: Vec<Searched> = conjuncts.iter().map(|c| searched(front, &system, c)).collect();
        let (lettered, letters) = Lettered::new(front, index);
        let mut question = Asked {
            front,
            system: &system,
            index,
            letters,
            constraints: &constraints,
            limits: &limits,
            watch: &watch,
            known: Vec::new(),
            search: None,
        };
        let mut times = vec![0.0; tasks.len()];
        let violations = lettered.violations(&|atom| question.name(atom));
        let answers = violations.and_then(|violations| {
            question.start(lettered.atoms())?;
            let mut answers = question.by_prefixes(&violations, &conjuncts);
            let open: Vec<usize> = (0..answers.len()).filter(|&i| answers[i].is_none()).collect();
            times.fill(start.elapsed().as_secs_f64());
            if !open.is_empty() {
                let said = front.temporal(index);
                let recurrent = matches!(said, Temporal::Formula(formula) if formula.is_recurrence());
                let left: Vec<Searched> = open.iter().map(|&i| constraints[i].clone()).collect();
                let found = question.ask(&violations, recurrent, &left, &mut |i| {
                    times[open[i]] = start.elapsed().as_secs_f64();
                })?;
                for (&i, answer) in open.iter().zip(found) {
                    answers[i] = Some(answer);
                }
            }
            let answers = answers.into_iter().collect::<Option<Vec<_>>>();
            Ok(answers.expect("what prefixes leave open, the search for loops answers"))
        });
        let answers = match answers {
            Ok(answers) => answers,
            Err(why) => {
                results.iter_mut().for_each(|r| r.reason = Some(why.clone()));
                return;
            }
        };
        for (i, answer) in answers.into_iter().enumerate() {
            let finishing = Instant::now();
            let result = &mut results[i];
            self.fill(&system, &answer, &options.bounds, result);
            match answer.verdict {
                Verdict::Holds => {
                    question.feasibility(i, &conjuncts[i], result);
                    if options.vacuity && result.feasible == Some(true) {
                        result.vacuous = question.vacuity(i);
                    }
                }
                _ => {
                    if let Some(path) = answer.path {
                        let guide = |words: &[Word]| front.judged_state(&system, words);
                        let good = |path: &Path| {
                            let run = Run::new(&system, &system.lift(path.clone()));
                            judge(front, index, &conjuncts[i], answer.verdict, &run, &guide).is_ok()
                        };
                        // A finite path was made short by the search.
                        let path = match path.loop_from {
                            Some(_) => shorten(path, &good),
                            None => path,
                        };
                        let path = system.lift(path);
                        let run = Run::new(&system, &path);
                        show(front, index, &conjuncts[i], answer.verdict, &run, &guide, result);
                        front.retell(&system, index, &path, result);
                    }
                }
            }
            result.seconds = times[i] + finishing.elapsed().as_secs_f64();
        }
        // After all of them: what holds was found out in one exploration, to which every question may have added.
        let found = front.hidden_disagreements(&system);
        for result in results {
            let rests_on_run = result.counterexample.is_some();
            options
                .hidden
                .settle(&found, Relevance::Argument, rests_on_run, result);
        }
    }

    /// The system that an assertion is about, and its annotations. None if it cannot be made: the results say why.
    pub(crate) fn prepare<F: FrontEnd>(
        &self,
        front: &F,
        index: usize,
        keep: Keep,
        results: &mut [CheckResult],
    ) -> Option<(F::System, Vec<Annotated>)> {
        let made = front.system(&front.asserted(index), keep);
        match made.and_then(|system| Ok((front.annotated(&system)?, system))) {
            Ok((annotated, system)) => Some((system, annotated)),
            Err(fault) => {
                for result in results {
                    result.verdict = verdict_of(&fault);
                    result.reason = Some(reason::fault(&self.map, &fault));
                }
                None
            }
        }
    }

    /// What the search says, runs aside.
    fn fill<S: System>(&self, system: &S, answer: &FairAnswer, bounds: &Bounds, result: &mut CheckResult) {
        result.verdict = answer.verdict;
        result.states = answer.statistics.states;
        result.threads = answer.statistics.workers.max(1);
        result.steps = answer.statistics.steps;
        result.product_states = answer.product_states;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        if let Some(found) = &answer.fault {
            result.reason = Some(reason::fault(&self.map, found));
        } else if let Some(why) = answer.stop {
            let states = answer.statistics.states;
            result.reason = Some(reason::stopped(why, bounds, states, system, &answer.samples));
        }
    }
}

/// What is asked of executions on account of those that come to where there are no steps.
pub(crate) fn endless(ends: Ends) -> Option<Conjunct> {
    match ends {
        Ends::Idle => None,
        Ends::None => Some(Conjunct::Endless),
    }
}

/// Which variables the states of a search for fair loops must keep. Under strong global fairness every step of a state is
/// owed, so states that forget owe less: where a dead variable tells how a state was reached, each of the states it stands
/// for owes all steps, and a run that always goes on by one of them after one way, and by another after another way, is
/// fair only if they are one.
pub(crate) fn keep(tasks: &[Task]) -> Keep {
    match tasks.iter().any(owes_steps) {
        true => Keep::Everything,
        false => Keep::Needed,
    }
}

/// Whether every state of a fair loop owes all of its steps.
pub(crate) fn owes_steps(task: &Task) -> bool {
    *asked(task) == Fairness::Notion(Notion::Sgf.word())
}

/// The constraint of a task about a formula.
pub(crate) fn asked(task: &Task) -> &Fairness {
    task.fairness.as_ref().expect("fairness applies to formulas")
}

/// One exploration, and what is asked of it.
struct Asked<'q, F: FrontEnd> {
    front: &'q F,
    system: &'q F::System,
    index: usize,
    /// What the atoms of formulas mean, as the search sees them.
    letters: FreshAtoms,
    constraints: &'q [Searched],
    limits: &'q Limits,
    watch: &'q Watch<'q>,
    /// The letters that the search knows.
    known: Vec<AtomId>,
    search: Option<FairSearch<'q, F::System>>,
}

impl<'q, F: FrontEnd> Asked<'q, F> {
    /// Prepares an exploration for questions that speak of these letters. The error is a reason for giving up.
    fn start(&mut self, known: Vec<AtomId>) -> Result<(), String> {
        let atoms: Vec<Atom> = known.iter().map(|&a| self.atom(a)).collect();
        let mut predicates = 0;
        for mark in self.constraints.iter().flat_map(|c| &c.marks) {
            mark.visit(&mut |part| predicates += usize::from(matches!(part, StepPredicate::State(_))));
        }
        if atoms.len() + predicates > MAX_ATOMS {
            return Err(format!(
                "the property and the fairness together have more than {MAX_ATOMS} atoms"
            ));
        }
        self.search = Some(FairSearch::new(
            self.system,
            &atoms,
            self.constraints,
            self.limits,
            self.watch,
        ));
        self.known = known;
        Ok(())
    }

    fn atom(&self, atom: AtomId) -> Atom {
        lettered::atom(self.front, self.system, self.index, &self.letters, atom)
    }

    fn name(&self, atom: AtomId) -> String {
        lettered::name(self.front, self.index, &self.letters, atom)
    }

    /// Answers what bad prefixes decide: that there is none, under every constraint, and that there is one, where every finite run goes on fairly. None where loops have to be looked for.
    fn by_prefixes(&self, violations: &Translation, conjuncts: &[Vec<Conjunct>]) -> Vec<Option<FairAnswer>> {
        let (front, system) = (self.front, self.system);
        let formula = matches!(front.temporal(self.index), Temporal::Formula(_));
        let universal = bad_prefixes(&violations.automaton).filter(|_| formula);
        let Some(universal) = universal else {
            return vec![None; conjuncts.len()];
        };
        let atoms: Vec<Atom> = violations.atoms.iter().map(|&a| self.atom(a)).collect();
        let answer = check_safety(
            system,
            &violations.automaton,
            &universal,
            &atoms,
            self.limits,
            self.watch,
        );
        let each = conjuncts.iter().map(|conjuncts| {
            let decided = answer.verdict != Verdict::Fails || goes_on_fairly(front, conjuncts);
            decided.then(|| FairAnswer {
                verdict: answer.verdict,
                stop: answer.stop,
                fault: answer.fault.clone(),
                product_states: answer.statistics.states,
                statistics: answer.statistics,
                path: answer.path.clone(),
                samples: answer.samples.clone(),
            })
        });
        each.collect()
    }

    /// Looks for executions that the automaton accepts, fair under each of these constraints. Says when each is answered.
    fn ask(
        &mut self,
        wanted: &Translation,
        recurrent: bool,
        constraints: &[Searched],
        answered: &mut dyn FnMut(usize),
    ) -> Result<Vec<FairAnswer>, String> {
        let marks = constraints.iter().map(|c| c.marks.len()).max().unwrap_or(0);
        if wanted.automaton.marks as usize + marks > MAX_MARKS as usize {
            return Err(format!(
                "the fairness formula has more than {} different conditions",
                MAX_MARKS - wanted.automaton.marks
            ));
        }
        let atoms: Vec<Atom> = wanted.atoms.iter().map(|&a| self.atom(a)).collect();
        let question = FairQuestion {
            automaton: &wanted.automaton,
            atoms: &atoms,
            constraints,
            recurrent,
        };
        let search = self.search.as_mut().expect("the exploration is prepared");
        let mut answers = vec![None; constraints.len()];
        search.check(&question, &mut |i, answer| {
            answered(i);
            answers[i] = Some(answer);
        });
        let answers = answers.into_iter().collect::<Option<Vec<FairAnswer>>>();
        Ok(answers.expect("every constraint is answered"))
    }

    /// Whether some execution satisfies the formula, over letters that the search knows, and these constraints; none if that was not found out.
    fn exists(&mut self, formula: &Ltl, constraint: &Searched) -> Option<FairAnswer> {
        let wanted = translate(formula, &|atom| self.name(atom)).ok()?;
        let constraint = std::slice::from_ref(constraint);
        let answer = self.ask(&wanted, false, constraint, &mut |_| {}).ok()?.remove(0);
        matches!(answer.verdict, Verdict::Holds | Verdict::Fails).then_some(answer)
    }

    /// Whether there is a fair execution, and if not, which parts of the constraint are to blame.
    fn feasibility(&mut self, i: usize, conjuncts: &[Conjunct], result: &mut CheckResult) {
        if goes_on_fairly(self.front, conjuncts) {
            result.feasible = Some(true);
            return;
        }
        let constraints = self.constraints;
        let Some(answer) = self.exists(&Ltl::True, &constraints[i]) else {
            return;
        };
        result.states = answer.statistics.states;
        result.threads = answer.statistics.workers.max(1);
        result.steps = answer.statistics.steps;
        result.feasible = Some(answer.verdict == Verdict::Fails);
        if answer.verdict == Verdict::Holds {
            let (front, system) = (self.front, self.system);
            let blamed = culprits(conjuncts.len(), &mut |parts| {
                let constraint = searched(front, system, parts.iter().map(|&p| &conjuncts[p]));
                let answer = self.exists(&Ltl::True, &constraint)?;
                Some(answer.verdict == Verdict::Holds)
            });
            result.unmet = blamed.into_iter().map(|p| conjuncts[p].to_string()).collect();
        }
    }

    /// The largest parts of a formula that holds which have no influence on that; none for an automaton, or if that was not found out.
    fn vacuity(&mut self, i: usize) -> Option<Vec<String>> {
        let Temporal::Formula(formula) = self.front.temporal(self.index) else {
            return None;
        };
        if formula.size() > MANY_PARTS {
            return None;
        }
        let all = parts(formula);
        let replaced: Vec<Vec<Ltl>> = all
            .iter()
            .map(|part| part.replaced.iter().map(|p| self.letters.ltl(p)).collect())
            .collect();
        // A condition with a part replaced is another letter: if there are such, the states are explored once more.
        let mut spoken_of: Vec<AtomId> = replaced.iter().flatten().flat_map(Ltl::atoms).collect();
        spoken_of.sort_unstable();
        spoken_of.dedup();
        if spoken_of.iter().any(|atom| !self.known.contains(atom)) {
            self.start(spoken_of).ok()?;
        }
        let constraints = self.constraints;
        let mut idle: Vec<bool> = Vec::with_capacity(all.len());
        let mut named = Vec::new();
        for (Part { part, around, .. }, replaced) in all.iter().zip(replaced) {
            if around.is_some_and(|outer| idle[outer]) {
                idle.push(true);
                continue;
            }
            let mut without_influence = true;
            for formula in replaced {
                let negated = Ltl::Not(Box::new(formula));
                let answer = self.exists(&negated, &constraints[i])?;
                without_influence &= answer.verdict == Verdict::Holds;
            }
            idle.push(without_influence);
            if without_influence {
                let name = |atom| self.front.atom_name(self.index, atom);
                named.push(part.display(&name).to_string());
            }
        }
        Some(named)
    }
}

/// Puts a run into the result once the judge agrees with it. The guide tells its states apart where they look alike.
pub(crate) fn show<F: FrontEnd>(
    front: &F,
    index: usize,
    conjuncts: &[Conjunct],
    verdict: Verdict,
    run: &Run,
    guide: &Guide<'_, StateOf<F>>,
    result: &mut CheckResult,
) {
    let judged = judge(front, index, conjuncts, verdict, run, guide).and_then(|(ledger, walked)| {
        let why = match verdict {
            Verdict::Fails if !run.loop_.is_empty() => Some(walked.starves(front)?),
            _ => None,
        };
        Ok((ledger, walked.run, why))
    });
    match judged {
        Ok((ledger, mut run, why)) => {
            if verdict == Verdict::Fails {
                result.feasible = Some(true);
                result.reason = Some(reason::violates(&run));
            }
            run.ledger = ledger;
            result.why_not = why;
            result.counterexample = Some(run);
        }
        Err(refused) => result.refuse(&refused),
    }
}

/// A run as the judge has walked it.
pub(crate) struct Walked<J: Judge> {
    judge: J,
    /// The run, with as many laps of its loop as it takes to be fair.
    run: Run,
    states: Vec<J::State>,
}

impl<J: Judge> Walked<J> {
    /// Some execution that matches the run.
    pub(crate) fn new<F: FrontEnd<Judge = J>>(
        front: &F,
        index: usize,
        run: &Run,
        guide: &Guide<'_, J::State>,
    ) -> Result<Self, Invalid> {
        let judge = judge_of(front, index)?;
        let replay = Replay { judge: &judge, guide };
        let states = either(&replay, run, &|replay| replay.trail(run))?;
        let run = run.clone();
        Ok(Walked { judge, run, states })
    }

    /// What the loop of the run starves, and which notions would rule it out.
    pub(crate) fn starves<F: FrontEnd<Judge = J>>(&self, front: &F) -> Result<WhyNot, Invalid> {
        let (loop_states, loop_steps) = loop_of(&self.run, &self.states);
        let why = why_not(&self.judge, loop_states, &loop_steps, front.notions());
        why.map_err(|fault| Invalid::new(self.run.len(), fault.message))
    }
}

pub(crate) fn judge_of<F: FrontEnd>(front: &F, index: usize) -> Result<F::Judge, Invalid> {
    let judge = front.judge(&front.asserted(index));
    judge.map_err(|fault| Invalid::new(0, fault.message))
}

/// What is found with the guide or, if that is a complaint, without it: the guide may be mistaken about which of
/// several states that look alike is meant.
pub(crate) fn either<J: Judge, T>(
    replay: &Replay<'_, J>,
    run: &Run,
    find: &dyn Fn(&Replay<'_, J>) -> Result<T, Invalid>,
) -> Result<T, Invalid> {
    match find(replay) {
        Err(_) if !run.words.is_empty() => find(&replay.without_guide()),
        found => found,
    }
}

/// Confirms that the model goes wrong where some execution that matches the run ends: in making a step or in reading
/// one of the atoms.
pub(crate) fn goes_wrong<F: FrontEnd>(
    front: &F,
    index: usize,
    atoms: &[AtomId],
    run: &Run,
    guide: &Guide<'_, StateOf<F>>,
) -> Result<(), Invalid> {
    let judge = judge_of(front, index)?;
    let replay = Replay { judge: &judge, guide };
    let event = run.prefix.last().map(|step| step.event.as_str());
    either(&replay, run, &|replay| {
        let ends = replay.ends(run)?;
        let is_wrong = |end: &StateOf<F>| {
            let fails = |&atom: &AtomId| front.atom_holds(&judge, index, atom, event, end).is_err();
            judge.steps(end).is_err() || atoms.iter().any(fails)
        };
        match ends.iter().any(is_wrong) {
            true => Ok(()),
            false => {
                let message = "the model does not go wrong where the run ends";
                Err(Invalid::new(run.len(), message))
            }
        }
    })
}

/// Has a run judged under the constraint that was asked for and the model's annotations.
pub(crate) fn judge_run<F: FrontEnd>(
    front: &F,
    index: usize,
    fairness: &Fairness,
    ends: Ends,
    verdict: Verdict,
    run: &Run,
) -> Result<(), Invalid> {
    let annotated = front
        .system(&front.asserted(index), Keep::Everything)
        .and_then(|system| front.annotated(&system));
    let annotated: Vec<Annotated> = annotated.map_err(|fault| Invalid::new(0, fault.message))?;
    let mut conjuncts = conjuncts(front, index, fairness, &annotated);
    conjuncts.extend(endless(ends));
    judge(front, index, &conjuncts, verdict, run, &unguided).map(|_| ())
}

/// Has a finite run judged: it is one of the model, whatever comes after it violates the formula, and something fair does come after it.
fn judge_prefix<F: FrontEnd>(
    front: &F,
    index: usize,
    conjuncts: &[Conjunct],
    run: &Run,
    guide: &Guide<'_, StateOf<F>>,
) -> Result<Walked<F::Judge>, Invalid> {
    let Temporal::Formula(formula) = front.temporal(index) else {
        return Err(Invalid::new(run.len(), "it has no loop, so it is no execution"));
    };
    if !goes_on_fairly(front, conjuncts) {
        return Err(Invalid::new(
            run.len(),
            "it has no loop, and it is not sure that it goes on fairly",
        ));
    }
    let judge = judge_of(front, index)?;
    let replay = Replay { judge: &judge, guide };
    let holds = |atom, event: Option<&str>, state: &_| front.atom_holds(&judge, index, atom, event, state);
    let bad = either(&replay, run, &|replay| {
        let all = replay.progress(formula, run, &holds)?;
        let bad = all.into_iter().find(|(_, left)| is_hopeless(front, index, left));
        bad.ok_or_else(|| Invalid::new(run.len(), "what comes after it may satisfy the formula"))
    });
    let (states, _) = bad?;
    let run = run.clone();
    Ok(Walked { judge, run, states })
}

/// Whether no execution satisfies a formula.
fn is_hopeless<F: FrontEnd>(front: &F, index: usize, formula: &Ltl) -> bool {
    let mut letters = FreshAtoms::new(&formula.atoms(), &|atom| front.is_condition(index, atom));
    let formula = letters.ltl(formula);
    let automaton = translate(&formula, &|atom| lettered::name(front, index, &letters, atom));
    automaton.is_ok_and(|translation| translation.automaton.initial.is_empty())
}

/// Whether every finite run goes on as a fair execution: so it is under each named notion, if enabled means to have a step and every state has one or idles. Annotations and formulas may
/// ask for what a run has made impossible.
pub(crate) fn goes_on_fairly<F: FrontEnd>(front: &F, conjuncts: &[Conjunct]) -> bool {
    match conjuncts {
        [] => true,
        [Conjunct::Notion(_)] => front.enabledness().is_none(),
        _ => false,
    }
}

/// Has a run judged: some execution that matches it is one of the model and, if the run is said to violate the formula, its loop is fair and it does. The ledger of the loop comes back, and
/// the run as it was walked; of a run that only goes wrong, neither.
pub(crate) fn judge<F: FrontEnd>(
    front: &F,
    index: usize,
    conjuncts: &[Conjunct],
    verdict: Verdict,
    run: &Run,
    guide: &Guide<'_, StateOf<F>>,
) -> Result<(Vec<LedgerEntry>, Walked<F::Judge>), Invalid> {
    let end = run.len();
    let said = front.temporal(index);
    if verdict == Verdict::Error {
        goes_wrong(front, index, &said.atoms(), run, guide)?;
        return Ok((Vec::new(), Walked::new(front, index, run, guide)?));
    }
    if run.loop_.is_empty() {
        return Ok((Vec::new(), judge_prefix(front, index, conjuncts, run, guide)?));
    }
    if !goes_on(conjuncts, run) {
        return Err(Invalid::new(end, "it idles where there are no steps"));
    }
    let judge = judge_of(front, index)?;
    let (lettered, letters) = Lettered::new(front, index);
    let atom = |atom, event: Option<&str>, state: &_| {
        lettered::holds((front, index), &letters, &judge, atom, event, state)
    };
    let claim = LassoClaim {
        constraints: &judged(conjuncts),
        condition: &|number, state: &_| front.condition_holds(&judge, number, state),
        is_true_of: &|run, states| Ok(!said.is_true_of(run, states, &atom)?),
        otherwise: said.kept(),
        automaton: &|| {
            let name = |atom| lettered::name(front, index, &letters, atom);
            lettered.violations(&name).ok()
        },
        atom: &atom,
    };
    let replay = Replay { judge: &judge, guide };
    let (execution, ledger) = either(&replay, run, &|replay| replay.fair(run, &claim))?;
    let (run, states) = (execution.run, execution.states);
    Ok((ledger, Walked { judge, run, states }))
}
