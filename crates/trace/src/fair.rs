//! Is this loop fair? By the definitions, on names, with a ledger of how every obligation is met.
//!
//! A loop repeats forever, so what is true in all of its states is true from some point on, and what happens in it
//! happens infinitely often. So a weak obligation (enabled from some point on always: engaged infinitely often) is
//! met if the event or process is engaged in the loop or not enabled in some state of it, a strong one if it is
//! engaged or enabled in no state. Strong global fairness asks of every step from a state of the loop that the loop takes
//! that very step: the same source, event, processes and target [Si-FCS'14]. Annotations are rows of the same kind for one event,
//! with *ready* in place of *enabled* for `wl` and `sl` [Sun-ICFEM'08]; a formula is evaluated as it stands.
//!
//! `(idle)` belongs to no process and is nobody's obligation; `tau` is no obligation of an event-level notion, and
//! counts for its process; `terminate` is an ordinary event.
//!
//! Cost: the steps of every state of the loop once, however often it comes by, and for a formula one pass over the loop for each of its parts.
//!
//! Differs from the paper: it asks `sgf` of all states of a product, or only that the target be in the loop; the first
//! is too strong and the second too weak for a loop of the system.

mod among;
mod formula;
#[cfg(test)]
mod tests;

pub use among::Execution;
pub(crate) use among::fair_among;

use crate::constraint::{AnnotationKind, Constraint, Notion};
use crate::judge::{Enabled, Judge, JudgedStep};
use crate::offers::participants;
use crate::run::{Discharged, LedgerEntry, Run};
use fairhold_system::Fault;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// Why a loop is not known to be fair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfair {
    /// An obligation is not met.
    Unmet {
        /// The event, process, step or formula that is owed something.
        obligation: String,
        /// The notion or annotation that owes it, or `formula`.
        kind: &'static str,
        /// How the loop fails it, as a sentence without a final full stop.
        message: String,
    },
    /// The model goes wrong while the loop is looked at.
    Fault(Fault),
}

impl From<Fault> for Unfair {
    fn from(fault: Fault) -> Unfair {
        Unfair::Fault(fault)
    }
}

impl fmt::Display for Unfair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfair::Unmet { kind, message, .. } => write!(f, "the loop is not fair ({kind}): {message}"),
            Unfair::Fault(fault) => write!(f, "the model goes wrong: {}", fault.message),
        }
    }
}

/// Whether the state condition with a number is true in a state.
pub type Holds<'a, State> = dyn Fn(usize, &State) -> Result<bool, Fault> + 'a;

/// The kind of a formula's entries in the ledger.
pub(crate) const FORMULA: &str = "formula";

/// A step by names: the event and who takes part, ascending.
pub type NamedStep = (String, Vec<u32>);

/// The loop of a lasso whose states are `trail`, as [`trail`](crate::trail) gives them: the state before each step, and the steps.
pub fn loop_of<'a, State>(run: &Run, trail: &'a [State]) -> (&'a [State], Vec<NamedStep>) {
    let states = &trail[run.prefix.len()..][..run.loop_.len()];
    let steps = run.loop_.iter().map(|s| (s.event.clone(), s.processes.clone()));
    (states, steps.collect())
}

/// Judges a replayed loop: the ledger if it meets all constraints, or else the first obligation it does not meet.
///
/// `loop_states[i]` is the state before `loop_steps[i]`; the last step leads back to the first state. `holds` says
/// whether the state condition with a number, [`Predicate::State`](crate::Predicate::State), is true in a state.
///
/// # Panics
/// If the loop is empty, or has not as many states as steps.
pub fn judge_fairness<J: Judge>(
    judge: &J,
    loop_states: &[J::State],
    loop_steps: &[NamedStep],
    constraints: &[Constraint],
    holds: &Holds<'_, J::State>,
) -> Result<Vec<LedgerEntry>, Unfair> {
    let needs_ready = constraints.iter().any(Constraint::needs_ready);
    let lap = Lap::new(judge, loop_states, loop_steps, needs_ready)?;
    let mut ledger = Vec::new();
    for constraint in constraints {
        match constraint {
            Constraint::Notion(notion) => ledger.extend(lap.notion(*notion)?),
            Constraint::Annotation(kind, event) => ledger.push(lap.annotation(*kind, event)?),
            Constraint::Formula(formula) => ledger.extend(lap.formula(formula, holds)?),
        }
    }
    Ok(ledger)
}

/// How an event or a process fares in the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// In how many states it is enabled (or ready); a state met twice counts twice.
    pub(crate) enabled: usize,
    /// The first state in which it is not: so many states from the start on it is.
    pub(crate) lead: usize,
    /// The first step that engages it.
    pub(crate) engaged: Option<usize>,
}

/// What is possible in a state of a loop.
struct View<State> {
    /// Where the loop comes by first.
    first: usize,
    /// The steps from it.
    offered: Vec<JudgedStep<State>>,
    /// Who is enabled in it.
    enabled: Enabled,
    /// The events ready in it; empty if nobody asks.
    ready: BTreeSet<String>,
}

/// One round of a loop, and what is possible on the way.
pub(crate) struct Lap<'a, J: Judge> {
    states: &'a [J::State],
    steps: &'a [NamedStep],
    /// Of each state once, however often the loop comes by.
    views: Vec<View<J::State>>,
    /// Which of them is that of each state of the loop.
    seen: Vec<usize>,
}

impl<'a, J: Judge> Lap<'a, J> {
    pub(crate) fn new(
        judge: &'a J,
        states: &'a [J::State],
        steps: &'a [NamedStep],
        needs_ready: bool,
    ) -> Result<Self, Fault> {
        assert!(!steps.is_empty(), "a loop has a step");
        assert_eq!(states.len(), steps.len(), "a loop has as many states as steps");
        let mut views: Vec<View<J::State>> = Vec::new();
        let mut known: HashMap<&J::State, usize> = HashMap::new();
        let mut seen = Vec::with_capacity(states.len());
        for (first, state) in states.iter().enumerate() {
            let next = views.len();
            let number = *known.entry(state).or_insert(next);
            seen.push(number);
            if number == next {
                let offered = judge.steps(state)?;
                let ready = if needs_ready {
                    judge.ready(state)?
                } else {
                    BTreeSet::new()
                };
                views.push(View {
                    first,
                    enabled: judge.enabled(state, &offered),
                    offered,
                    ready,
                });
            }
        }
        Ok(Lap {
            states,
            steps,
            views,
            seen,
        })
    }

    /// What is possible in each state of the loop.
    fn views(&self) -> impl Iterator<Item = &View<J::State>> {
        self.seen.iter().map(|&number| &self.views[number])
    }

    /// What is possible before a step.
    fn view(&self, at: usize) -> &View<J::State> {
        &self.views[self.seen[at]]
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Every event enabled or engaged in the loop, `tau` and `(idle)` among them.
    pub(crate) fn events(&self) -> BTreeMap<&str, Tally> {
        let enabled = self.views().map(|view| &view.enabled.events);
        tally(
            enabled.map(|events| events.iter().map(String::as_str)),
            self.engaged_events(),
        )
    }

    /// The same with ready in place of enabled.
    fn ready_events(&self) -> BTreeMap<&str, Tally> {
        let ready = self.views().map(|view| view.ready.iter().map(String::as_str));
        tally(ready, self.engaged_events())
    }

    /// Every process enabled or engaged in the loop.
    pub(crate) fn processes(&self) -> BTreeMap<u32, Tally> {
        let enabled = self.views().map(|view| view.enabled.processes.iter().copied());
        let engaged = self.steps.iter().map(|(_, processes)| processes.iter().copied());
        tally(enabled, engaged)
    }

    fn engaged_events(&self) -> impl Iterator<Item = [&str; 1]> {
        self.steps.iter().map(|(event, _)| [event.as_str()])
    }

    /// The ledger of a notion: one entry for whatever is enabled somewhere in the loop.
    pub(crate) fn notion(&self, notion: Notion) -> Result<Vec<LedgerEntry>, Unfair> {
        let kind = notion.word();
        let weak = matches!(notion, Notion::Pwf | Notion::Ewf);
        let entry = |name: String, tally: Tally| self.owed(name, kind, weak, "enabled", tally);
        match notion {
            Notion::Ewf | Notion::Esf => {
                let events = self.events().into_iter();
                let owed = events.filter(|(event, tally)| *event != "tau" && tally.enabled > 0);
                owed.map(|(event, tally)| entry(event.to_owned(), tally))
                    .collect()
            }
            Notion::Pwf | Notion::Psf => {
                let owed = self
                    .processes()
                    .into_iter()
                    .filter(|(_, tally)| tally.enabled > 0);
                owed.map(|(process, tally)| entry(format!("process {process}"), tally))
                    .collect()
            }
            Notion::Sgf => self.all_steps(),
        }
    }

    fn annotation(&self, kind: AnnotationKind, event: &str) -> Result<LedgerEntry, Unfair> {
        let (tallies, when) = if kind.is_live() {
            (self.ready_events(), "ready")
        } else {
            (self.events(), "enabled")
        };
        let weak = matches!(kind, AnnotationKind::Wf | AnnotationKind::Wl);
        let tally = tallies.get(event).copied().unwrap_or_default();
        self.owed(event.to_owned(), kind.word(), weak, when, tally)
    }

    /// How a weak or strong obligation is met, if it is.
    fn owed(
        &self,
        obligation: String,
        kind: &'static str,
        weak: bool,
        when: &str,
        tally: Tally,
    ) -> Result<LedgerEntry, Unfair> {
        let (discharged, at) = match tally {
            Tally {
                engaged: Some(at), ..
            } => (Discharged::Engaged, Some(at)),
            Tally { enabled: 0, .. } => (Discharged::NeverEnabled, None),
            Tally { enabled, lead, .. } if weak && enabled < self.len() => (Discharged::Disabled, Some(lead)),
            Tally { enabled, .. } => {
                let often = often(enabled, self.len());
                let message = format!("{obligation} is {when} {often} of the loop and never engaged");
                return Err(Unfair::Unmet {
                    obligation,
                    kind,
                    message,
                });
            }
        };
        Ok(LedgerEntry {
            obligation,
            kind: kind.to_owned(),
            discharged,
            at,
        })
    }

    /// Strong global fairness: every step from a state of the loop is taken, from that state to that target.
    fn all_steps(&self) -> Result<Vec<LedgerEntry>, Unfair> {
        // A state met again has the number of where it was met first.
        let firsts = self.views.iter().map(|view| view.first);
        let numbers: HashMap<&J::State, usize> = firsts.map(|first| (&self.states[first], first)).collect();
        let number: Vec<usize> = (0..self.len()).map(|at| self.view(at).first).collect();
        let mut taken: HashMap<(usize, &str, &[u32], usize), usize> = HashMap::new();
        for (i, (event, processes)) in self.steps.iter().enumerate() {
            let target = number[(i + 1) % self.len()];
            taken.entry((number[i], event, processes, target)).or_insert(i);
        }
        let mut ledger: BTreeMap<usize, LedgerEntry> = BTreeMap::new();
        for &View {
            first, ref offered, ..
        } in &self.views
        {
            for (event, processes, target) in offered {
                let target = numbers.get(target);
                let at = target.and_then(|&t| taken.get(&(number[first], event, processes, t)));
                let Some(&at) = at else {
                    let leads = match target {
                        Some(t) => format!("to the state before step {} of the loop", t + 1),
                        None => "out of the loop".to_owned(),
                    };
                    let who = match processes.is_empty() {
                        true => String::new(),
                        false => format!(" of {}", participants(processes)),
                    };
                    let place = number[first] + 1;
                    return Err(Unfair::Unmet {
                        obligation: event.clone(),
                        kind: Notion::Sgf.word(),
                        message: format!(
                            "{event}{who} is possible before step {place} of the loop, leads {leads}, and is never taken there"
                        ),
                    });
                };
                ledger.entry(at).or_insert_with(|| LedgerEntry {
                    obligation: event.clone(),
                    kind: Notion::Sgf.word().to_owned(),
                    discharged: Discharged::Engaged,
                    at: Some(at),
                });
            }
        }
        Ok(ledger.into_values().collect())
    }
}

/// `in every state`, `in 2 of 5 states`
pub(crate) fn often(enabled: usize, all: usize) -> String {
    if enabled == all {
        "in every state".to_owned()
    } else {
        format!("in {enabled} of {all} states")
    }
}

/// Counts, from who is enabled in each state, everyone once, and who is engaged by each step.
fn tally<K: Ord>(
    enabled: impl Iterator<Item = impl IntoIterator<Item = K>>,
    engaged: impl Iterator<Item = impl IntoIterator<Item = K>>,
) -> BTreeMap<K, Tally> {
    let mut tallies: BTreeMap<K, Tally> = BTreeMap::new();
    for (i, who) in enabled.enumerate() {
        for key in who {
            let tally = tallies.entry(key).or_default();
            tally.enabled += 1;
            if tally.lead == i {
                tally.lead += 1;
            }
        }
    }
    for (i, who) in engaged.enumerate() {
        for key in who {
            tallies.entry(key).or_default().engaged.get_or_insert(i);
        }
    }
    tallies
}
