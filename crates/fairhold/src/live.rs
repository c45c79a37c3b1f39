//! Formulas of linear time under fairness: from the assertion to the result.
//!
//! The negated formula becomes an automaton, the constraint obligations; the search looks for a fair execution that the automaton accepts. What it finds is
//! replayed, found fair and found to violate the formula by the judge, which shares no code with the search, before it is shown.

use crate::check::{Bounds, verdict_of};
use crate::fairness::Fairness;
use crate::front::FrontEnd;
use crate::load::Model;
use crate::reason;
use crate::report::CheckResult;
use crate::watch::Watch;
use fairhold_logic::{AtomId, Ltl, translate};
use fairhold_search::{
    FairAnswer, FairQuestion, Fairness as Constraint, Obligations, Strength, When, Whose, check_fair,
};
use fairhold_system::{EventId, Observer, Verdict};
use fairhold_trace::{
    AnnotationKind, Constraint as Judged, Invalid, Judge, Notion, Run, judge_fairness, loop_of, satisfies,
    trail,
};

/// An annotated event: the annotation, the event's name, and its number in the system.
pub(crate) type Annotated = (AnnotationKind, String, EventId);

impl Model {
    /// Decides a formula under a constraint.
    pub(crate) fn decide_formula<F: FrontEnd>(
        &self,
        front: &F,
        index: usize,
        fairness: &Fairness,
        bounds: &Bounds,
        observer: &dyn Observer,
        result: &mut CheckResult,
    ) {
        let Fairness::Notion(word) = fairness else {
            result.reason = Some("not supported yet: fairness formulas".to_owned());
            return;
        };
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let prepared = front
            .system(&front.asserted(index))
            .and_then(|s| Ok((front.annotated(&s)?, s)));
        let (annotated, system) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
                return;
            }
        };
        let formula = front.formula(index);
        let name = |atom| front.atom_name(index, atom);
        let constraints = [constraint(word, &annotated)];
        let ask = |formula: &Ltl| {
            let translated = translate(formula, &name).map_err(|why| why.to_string())?;
            let atoms: Vec<_> = translated
                .atoms
                .iter()
                .map(|&a| front.atom(&system, index, a))
                .collect();
            let question = FairQuestion {
                automaton: &translated.automaton,
                atoms: &atoms,
                constraints: &constraints,
            };
            Ok::<FairAnswer, String>(check_fair(&system, &question, &limits, &watch).remove(0))
        };
        let mut answer = match ask(&Ltl::Not(Box::new(formula.clone()))) {
            Ok(answer) => answer,
            Err(why) => {
                result.reason = Some(why);
                return;
            }
        };
        result.feasible = match answer.verdict {
            Verdict::Fails => Some(true),
            // The named notions are feasible on every finite system; annotations need not be.
            Verdict::Holds if annotated.is_empty() => Some(true),
            Verdict::Holds => match ask(&Ltl::True) {
                Ok(any) => {
                    answer.statistics = any.statistics;
                    Some(any.verdict == Verdict::Fails).filter(|_| any.stop.is_none() && any.fault.is_none())
                }
                Err(_) => None,
            },
            _ => None,
        };
        result.verdict = answer.verdict;
        result.states = answer.statistics.states;
        result.steps = answer.statistics.steps;
        result.product_states = answer.product_states;
        result.sccs = answer.statistics.sccs.unwrap_or(0);
        if let Some(found) = &answer.fault {
            result.reason = Some(reason::fault(&self.map, found));
        } else if let Some(why) = answer.stop {
            let states = answer.statistics.states;
            result.reason = Some(reason::stopped(why, bounds, states, &system, &answer.samples));
        }
        let Some(mut run) = answer.path.as_ref().map(|path| Run::new(&system, path)) else {
            return;
        };
        match judged(front, index, word, answer.verdict, &mut run) {
            Ok(()) => {
                if answer.verdict == Verdict::Fails {
                    result.reason = Some(reason::loops(&run));
                }
                result.counterexample = Some(run);
            }
            Err(refused) => {
                let why = refused.message;
                let word = answer.verdict.word();
                let bug = format!(
                    "internal: the search says `{word}`, and the reference semantics rejects its run: {why}"
                );
                result.verdict = Verdict::Unknown;
                result.feasible = None;
                result.reason = Some(bug.clone());
                result.bug = Some(bug);
            }
        }
    }
}

/// The constraint of a notion and of annotations, in the search's words.
fn constraint(word: &str, annotated: &[Annotated]) -> Constraint {
    let every = |strength, whose| Obligations {
        strength,
        when: When::Enabled,
        whose,
    };
    let obligations = match word {
        "pwf" => vec![every(Strength::Weak, Whose::AllProcesses)],
        "ewf" => vec![every(Strength::Weak, Whose::AllEvents)],
        "psf" => vec![every(Strength::Strong, Whose::AllProcesses)],
        "esf" => vec![every(Strength::Strong, Whose::AllEvents)],
        _ => Vec::new(),
    };
    let of_kind = |kind: AnnotationKind| {
        let mut events: Vec<EventId> = annotated.iter().filter(|a| a.0 == kind).map(|a| a.2).collect();
        events.sort_unstable();
        let (strength, when) = match kind {
            AnnotationKind::Wf => (Strength::Weak, When::Enabled),
            AnnotationKind::Sf => (Strength::Strong, When::Enabled),
            AnnotationKind::Wl => (Strength::Weak, When::Ready),
            AnnotationKind::Sl => (Strength::Strong, When::Ready),
        };
        (!events.is_empty()).then_some(Obligations {
            strength,
            when,
            whose: Whose::Events(events),
        })
    };
    Constraint {
        obligations: obligations
            .into_iter()
            .chain(AnnotationKind::ALL.into_iter().filter_map(of_kind))
            .collect(),
        global: word == "sgf",
        ..Constraint::none()
    }
}

/// Has a run judged: it is a run of the model and, if it is said to violate the formula, its loop is fair and it does. Its ledger is filled in.
pub(crate) fn judged<F: FrontEnd>(
    front: &F,
    index: usize,
    word: &str,
    verdict: Verdict,
    run: &mut Run,
) -> Result<(), Invalid> {
    let refuse = |step: usize, message: String| Invalid {
        step,
        field: None,
        message,
    };
    let subject = front.asserted(index);
    let judge = front.judge(&subject).map_err(|fault| refuse(0, fault.message))?;
    let states = trail(&judge, run, &front.hidden())?;
    let end = run.len();
    if verdict == Verdict::Error {
        let last = &states[states.len() - 1];
        let event = run.prefix.last().map(|step| step.event.as_str());
        let fails = |&atom: &AtomId| front.atom_holds(&judge, index, atom, event, last).is_err();
        let wrong = judge.steps(last).is_err() || front.formula(index).atoms().iter().any(fails);
        let message = "the model does not go wrong where the run ends";
        return if wrong {
            Ok(())
        } else {
            Err(refuse(end, message.to_owned()))
        };
    }
    if run.loop_.is_empty() {
        return Err(refuse(end, "it has no loop, so it is no execution".to_owned()));
    }
    let annotated = front.system(&subject).and_then(|system| front.annotated(&system));
    let annotated = annotated.map_err(|fault| refuse(0, fault.message))?;
    let annotations = annotated
        .into_iter()
        .map(|(kind, event, _)| Judged::Annotation(kind, event));
    let notion = Notion::from_word(word).map(Judged::Notion);
    let constraints: Vec<Judged> = notion.into_iter().chain(annotations).collect();
    let (loop_states, loop_steps) = loop_of(run, &states);
    let ledger = judge_fairness(&judge, loop_states, &loop_steps, &constraints, &|_, _| Ok(false));
    let ledger = ledger.map_err(|unfair| refuse(end, unfair.to_string()))?;
    let holds = |atom, event: Option<&str>, state: &_| front.atom_holds(&judge, index, atom, event, state);
    let satisfied = satisfies(front.formula(index), run, &states, &holds);
    if satisfied.map_err(|fault| refuse(end, fault.message))? {
        return Err(refuse(end, "it satisfies the formula".to_owned()));
    }
    run.ledger = ledger;
    Ok(())
}
