//! A fairness constraint in the words of those who use it: a conjunction of what was asked for and what the model's annotations add.
//!
//! The search wants obligations, marks and ids; the judge of a loop wants names. Both are made from the same list of [`Conjunct`]s, which is also what a
//! message about a constraint that cannot be met speaks of.

use crate::fairness::Fairness;
use crate::front::{Enabledness, FrontEnd};
use fairhold_logic::{Acceptance, AtomId, Ltl, MarkId};
use fairhold_search::{Fairness as Searched, Obligations, StepPredicate, Strength, When, Whose};
use fairhold_system::{EventId, PredicateId};
use fairhold_trace::{AnnotationKind, Constraint as Judged, Formula, IDLE, Notion, Predicate, Run};
use std::fmt;

/// An annotated event: the annotation, the event's name, and its number in the system.
pub(crate) type Annotated = (AnnotationKind, String, EventId);

/// A part of a constraint; all parts must be met.
#[derive(Clone, Debug)]
pub(crate) enum Conjunct {
    /// A named notion other than `none`.
    Notion(Notion),
    /// An annotation in the model.
    Annotation(Annotated),
    /// A formula, and as written.
    Formula(Formula, String),
    /// The execution goes on forever: it does not idle where there are no steps.
    Endless,
}

impl fmt::Display for Conjunct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conjunct::Notion(notion) => f.write_str(notion.word()),
            Conjunct::Annotation((kind, event, _)) => write!(f, "{}({event})", kind.word()),
            Conjunct::Formula(_, text) => f.write_str(text),
            Conjunct::Endless => f.write_str("going on forever (ends: none)"),
        }
    }
}

/// What was asked for, and what the annotations add.
pub(crate) fn conjuncts<F: FrontEnd>(
    front: &F,
    assertion: usize,
    fairness: &Fairness,
    annotated: &[Annotated],
) -> Vec<Conjunct> {
    let mut conjuncts = Vec::new();
    match fairness {
        Fairness::Notion(word) => conjuncts.extend(Notion::from_word(word).map(Conjunct::Notion)),
        Fairness::Formula(text) => add_formula(front.fairness(assertion, text), text, &mut conjuncts),
        Fairness::Word(_) => unreachable!("loading a model puts notions in place of such words"),
    }
    conjuncts.extend(annotated.iter().cloned().map(Conjunct::Annotation));
    conjuncts
}

/// Adds a formula: the parts of a conjunction one by one, so that blame falls on as few of them as possible.
fn add_formula(formula: &Formula, text: &str, conjuncts: &mut Vec<Conjunct>) {
    match formula {
        Formula::And(parts) if !parts.is_empty() => {
            for part in parts {
                add_formula(part, &part.to_string(), conjuncts);
            }
        }
        _ => conjuncts.push(Conjunct::Formula(formula.clone(), text.to_owned())),
    }
}

/// The constraint in the judge's words, but for [`Conjunct::Endless`], which [`goes_on`] judges.
pub(crate) fn judged(conjuncts: &[Conjunct]) -> Vec<Judged> {
    let judged = |conjunct: &Conjunct| match conjunct {
        Conjunct::Notion(notion) => Some(Judged::Notion(*notion)),
        Conjunct::Annotation((kind, event, _)) => Some(Judged::Annotation(*kind, event.clone())),
        Conjunct::Formula(formula, _) => Some(Judged::Formula(formula.clone())),
        Conjunct::Endless => None,
    };
    conjuncts.iter().filter_map(judged).collect()
}

/// Whether a run goes on forever, if that is asked of it.
pub(crate) fn goes_on(conjuncts: &[Conjunct], run: &Run) -> bool {
    let asked = conjuncts.iter().any(|c| matches!(c, Conjunct::Endless));
    !asked || run.loop_.iter().all(|step| step.event != IDLE)
}

/// The constraint in the search's words.
pub(crate) fn searched<'c, F: FrontEnd>(
    front: &F,
    system: &F::System,
    conjuncts: impl IntoIterator<Item = &'c Conjunct>,
) -> Searched {
    let mut made = Maker {
        front,
        system,
        enabledness: front.enabledness(),
        events: Vec::new(),
        searched: Searched::none(),
    };
    for conjunct in conjuncts {
        match conjunct {
            Conjunct::Notion(notion) => made.notion(*notion),
            Conjunct::Annotation((kind, _, event)) => {
                let (strength, when) = match kind {
                    AnnotationKind::Wf => (Strength::Weak, When::Enabled),
                    AnnotationKind::Sf => (Strength::Strong, When::Enabled),
                    AnnotationKind::Wl => (Strength::Weak, When::Ready),
                    AnnotationKind::Sl => (Strength::Strong, When::Ready),
                };
                made.events.push((strength, when, *event));
            }
            Conjunct::Formula(formula, _) => made.formula(formula),
            Conjunct::Endless => made.endless(),
        }
    }
    made.finish()
}

struct Maker<'m, F: FrontEnd> {
    front: &'m F,
    system: &'m F::System,
    /// Where everyone is enabled, if the model itself says so.
    enabledness: Option<Enabledness>,
    /// Single events with an obligation.
    events: Vec<(Strength, When, EventId)>,
    searched: Searched,
}

impl<F: FrontEnd> Maker<'_, F> {
    fn notion(&mut self, notion: Notion) {
        let (strength, whose) = match notion {
            Notion::Pwf => (Strength::Weak, Whose::AllProcesses),
            Notion::Ewf => (Strength::Weak, Whose::AllEvents),
            Notion::Psf => (Strength::Strong, Whose::AllProcesses),
            Notion::Esf => (Strength::Strong, Whose::AllEvents),
            Notion::Sgf => {
                self.searched.global = true;
                return;
            }
        };
        if let Some(enabledness) = self.enabledness.take() {
            self.declared(strength, &whose, &enabledness);
            self.enabledness = Some(enabledness);
            return;
        }
        self.searched.obligations.push(Obligations {
            strength,
            when: When::Enabled,
            whose,
        });
    }

    /// A notion where the model itself says who is enabled. The search takes "enabled" to mean "has a step", so what is declared becomes marks.
    fn declared(&mut self, strength: Strength, whose: &Whose, enabledness: &Enabledness) {
        let owed: Vec<(PredicateId, StepPredicate)> = match whose {
            Whose::AllProcesses => enabledness
                .processes
                .iter()
                .map(|&(process, enabled)| (enabled, StepPredicate::EngagedProcess(process)))
                .collect(),
            _ => enabledness
                .events
                .iter()
                .map(|&(event, enabled)| (enabled, StepPredicate::Engaged(event)))
                .collect(),
        };
        for (enabled, engaged) in owed {
            let enabled = StepPredicate::State(enabled);
            let engaged = Acceptance::Inf(self.step_mark(engaged));
            let released = match strength {
                Strength::Weak => Acceptance::Inf(self.step_mark(StepPredicate::Not(Box::new(enabled)))),
                Strength::Strong => Acceptance::Fin(self.step_mark(enabled)),
            };
            self.and(Acceptance::or([released, engaged]));
        }
    }

    /// A conjunct that says of one event what an annotation would is an obligation like it, of which there may be hundreds; all others become marks, of
    /// which there are few.
    fn formula(&mut self, formula: &Formula) {
        if let Formula::And(parts) = formula {
            parts.iter().for_each(|part| self.formula(part));
        } else if let Some((strength, when, event)) = as_annotation(formula)
            && self.enabledness.is_none()
        {
            let event = self.front.event(self.system, event);
            self.events.push((strength, when, event));
        } else {
            let acceptance = self.acceptance(formula, true);
            self.and(acceptance);
        }
    }

    /// An execution that has come to where there are no steps idles from there on.
    fn endless(&mut self) {
        let idles = self.step_mark(StepPredicate::Engaged(EventId::IDLE));
        self.and(Acceptance::Fin(idles));
    }

    fn and(&mut self, acceptance: Acceptance) {
        let before = std::mem::replace(&mut self.searched.formula, Acceptance::True);
        self.searched.formula = Acceptance::and([before, acceptance]);
    }

    fn acceptance(&mut self, formula: &Formula, positive: bool) -> Acceptance {
        match formula {
            Formula::InfinitelyOften(a) if positive => Acceptance::Inf(self.mark(a, true)),
            Formula::InfinitelyOften(a) => Acceptance::Fin(self.mark(a, true)),
            Formula::EventuallyAlways(a) if positive => Acceptance::Fin(self.mark(a, false)),
            Formula::EventuallyAlways(a) => Acceptance::Inf(self.mark(a, false)),
            Formula::Not(p) => self.acceptance(p, !positive),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = positive == matches!(formula, Formula::And(_));
                let parts: Vec<_> = parts.iter().map(|p| self.acceptance(p, positive)).collect();
                if all {
                    Acceptance::and(parts)
                } else {
                    Acceptance::or(parts)
                }
            }
        }
    }

    /// The mark of a predicate or of its negation.
    fn mark(&mut self, predicate: &Predicate, positive: bool) -> MarkId {
        let step = self.predicate(predicate);
        let step = match positive {
            true => step,
            false => StepPredicate::Not(Box::new(step)),
        };
        self.step_mark(step)
    }

    fn step_mark(&mut self, step: StepPredicate) -> MarkId {
        let marks = &mut self.searched.marks;
        let at = marks.iter().position(|m| *m == step).unwrap_or_else(|| {
            marks.push(step);
            marks.len() - 1
        });
        MarkId(at as u32)
    }

    fn predicate(&self, predicate: &Predicate) -> StepPredicate {
        let event = |name: &str| self.front.event(self.system, name);
        let all = |parts: &[Predicate]| parts.iter().map(|p| self.predicate(p)).collect();
        match predicate {
            Predicate::Const(value) => StepPredicate::Const(*value),
            Predicate::State(number, _) => StepPredicate::State(self.front.condition(self.system, *number)),
            Predicate::Enabled(name) => {
                let event = event(name);
                let declared = self.enabledness.as_ref();
                let declared = declared.and_then(|d| d.events.iter().find(|(e, _)| *e == event));
                declared.map_or(StepPredicate::Enabled(event), |(_, p)| StepPredicate::State(*p))
            }
            Predicate::Ready(name) => StepPredicate::Ready(event(name)),
            Predicate::Engaged(name) => StepPredicate::Engaged(event(name)),
            Predicate::EnabledProcess(process) => {
                let declared = self.enabledness.as_ref();
                let declared = declared.and_then(|d| d.processes.iter().find(|(p, _)| p == process));
                declared.map_or(StepPredicate::EnabledProcess(*process), |(_, p)| {
                    StepPredicate::State(*p)
                })
            }
            Predicate::EngagedProcess(process) => StepPredicate::EngagedProcess(*process),
            Predicate::Not(p) => StepPredicate::Not(Box::new(self.predicate(p))),
            Predicate::And(parts) => StepPredicate::And(all(parts)),
            Predicate::Or(parts) => StepPredicate::Or(all(parts)),
        }
    }

    fn finish(mut self) -> Searched {
        for strength in [Strength::Weak, Strength::Strong] {
            for when in [When::Enabled, When::Ready] {
                let of_kind = self
                    .events
                    .iter()
                    .filter(|(s, w, _)| (*s, *w) == (strength, when));
                let mut events: Vec<EventId> = of_kind.map(|(.., event)| *event).collect();
                events.sort_unstable();
                events.dedup();
                if !events.is_empty() {
                    self.searched.obligations.push(Obligations {
                        strength,
                        when,
                        whose: Whose::Events(events),
                    });
                }
            }
        }
        self.searched
    }
}

/// `GF enabled(e) -> GF engaged(e)` and its relatives, as what an annotation of `e` would ask. `tau` has no such obligations.
fn as_annotation(formula: &Formula) -> Option<(Strength, When, &str)> {
    let Formula::Or(parts) = formula else { return None };
    let [
        Formula::Not(often),
        Formula::InfinitelyOften(Predicate::Engaged(engaged)),
    ] = &parts[..]
    else {
        return None;
    };
    let (strength, predicate) = match &**often {
        Formula::InfinitelyOften(a) => (Strength::Strong, a),
        Formula::EventuallyAlways(a) => (Strength::Weak, a),
        _ => return None,
    };
    let (when, event) = match predicate {
        Predicate::Enabled(event) => (When::Enabled, event),
        Predicate::Ready(event) => (When::Ready, event),
        _ => return None,
    };
    (event == engaged && event != "tau").then_some((strength, when, event.as_str()))
}

/// A fairness formula from a formula of linear time: a boolean combination of `GF a` and `FG a`, where `a` has no temporal operators. The error is a sentence.
pub(crate) fn fairness_formula(
    formula: &Ltl,
    atom: &mut dyn FnMut(AtomId) -> Predicate,
) -> Result<Formula, &'static str> {
    let not = |p: Formula| Formula::Not(Box::new(p));
    let mut part = |p: &Ltl| fairness_formula(p, atom);
    Ok(match formula {
        Ltl::True => Formula::And(Vec::new()),
        Ltl::False => Formula::Or(Vec::new()),
        Ltl::Not(p) => not(part(p)?),
        Ltl::And(p, q) => Formula::And(vec![part(p)?, part(q)?]),
        Ltl::Or(p, q) => Formula::Or(vec![part(p)?, part(q)?]),
        Ltl::Implies(p, q) => Formula::Or(vec![not(part(p)?), part(q)?]),
        Ltl::Iff(p, q) => {
            let (p, q) = (part(p)?, part(q)?);
            Formula::And(vec![
                Formula::Or(vec![not(p.clone()), q.clone()]),
                Formula::Or(vec![not(q), p]),
            ])
        }
        Ltl::Globally(inner) => match &**inner {
            Ltl::Finally(a) => Formula::InfinitelyOften(predicate(a, atom)?),
            _ => return Err(ONLY_GF_AND_FG),
        },
        Ltl::Finally(inner) => match &**inner {
            Ltl::Globally(a) => Formula::EventuallyAlways(predicate(a, atom)?),
            _ => return Err(ONLY_GF_AND_FG),
        },
        Ltl::Atom(_) => return Err("a condition stands outside of `GF` and `FG`"),
        Ltl::Next(_) | Ltl::Until(..) | Ltl::Release(..) | Ltl::WeakUntil(..) => return Err(ONLY_GF_AND_FG),
    })
}

const ONLY_GF_AND_FG: &str = "a fairness formula has no temporal operators but `GF` and `FG`";

fn predicate(formula: &Ltl, atom: &mut dyn FnMut(AtomId) -> Predicate) -> Result<Predicate, &'static str> {
    let not = |p: Predicate| Predicate::Not(Box::new(p));
    let mut part = |p: &Ltl| predicate(p, atom);
    Ok(match formula {
        Ltl::True => Predicate::Const(true),
        Ltl::False => Predicate::Const(false),
        Ltl::Atom(id) => atom(*id),
        Ltl::Not(p) => not(part(p)?),
        Ltl::And(p, q) => Predicate::And(vec![part(p)?, part(q)?]),
        Ltl::Or(p, q) => Predicate::Or(vec![part(p)?, part(q)?]),
        Ltl::Implies(p, q) => Predicate::Or(vec![not(part(p)?), part(q)?]),
        Ltl::Iff(p, q) => {
            let (p, q) = (part(p)?, part(q)?);
            Predicate::And(vec![
                Predicate::Or(vec![not(p.clone()), q.clone()]),
                Predicate::Or(vec![not(q), p]),
            ])
        }
        _ => return Err("what stands after `GF` or `FG` has no temporal operators"),
    })
}

/// What to add to an error of [`fairness_formula`].
pub(crate) const SHAPE_HELP: &str =
    "it joins `GF a` (infinitely often) and `FG a` (from some point on always) by `! && || -> <->`";
