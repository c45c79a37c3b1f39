//! What a fair loop has still to meet.
//!
//! The marks that make the loop accepting; for every weak obligation a move that engages it or a state where it is not enabled; for every strong one that is enabled in
//! the part a move that engages it, unless the loop stays clear of it; for strong global fairness every step of every state. Of each kind there is a set, so a move is
//! judged in a time that does not grow with what is owed: under strong global fairness that is as much as there are steps.

use crate::fair::{FairPart, is_owed};
use crate::fairness::{Fairness, Obligations, Strength, When, Whose};
use crate::product::{Move, Product};
use fairhold_logic::MarkSet;
use fairhold_store::StateId;
use fairhold_system::{EventId, System};
use rustc_hash::FxHashSet;

/// All that is owed.
pub(crate) struct Owed<'f> {
    marks: MarkSet,
    /// Numbers of steps.
    steps: FxHashSet<u32>,
    /// Of each set of obligations those that are owed, by the numbers of events or processes.
    obliged: Vec<(&'f Obligations, FxHashSet<u32>)>,
}

impl<'f> Owed<'f> {
    /// All that a loop in the part must meet.
    pub(crate) fn in_part<S: System>(
        product: &Product<'_, '_, S>,
        fairness: &'f Fairness,
        part: &FairPart,
    ) -> Owed<'f> {
        let obliged = fairness.obligations.iter().map(|obligations| {
            let mut there = FxHashSet::default();
            for &node in &part.nodes {
                present(product, obligations, node, &mut there);
            }
            (obligations, there)
        });
        let global = if fairness.global { &part.nodes[..] } else { &[] };
        let steps = global
            .iter()
            .flat_map(|&node| product.graph.span(product.state(node)));
        Owed {
            marks: part.wanted.iter().copied().collect(),
            steps: steps.map(|n| n as u32).collect(),
            obliged: obliged.filter(|(_, ids)| !ids.is_empty()).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.steps.is_empty() && self.obliged.is_empty()
    }

    /// Whether a move meets something owed, by itself or by the state it enters.
    pub(crate) fn is_met_by<S: System>(&self, product: &Product<'_, '_, S>, m: &Move) -> bool {
        let of_obligations = |(obligations, ids): &(&Obligations, FxHashSet<u32>)| {
            let mut met = false;
            engaged(product, obligations, m, |id| met |= ids.contains(&id));
            met || obligations.strength == Strength::Weak && {
                let mut there = FxHashSet::default();
                present(product, obligations, m.target, &mut there);
                !ids.is_subset(&there)
            }
        };
        !m.marks.intersection(self.marks).is_empty()
            || self.steps.contains(&m.step)
            || self.obliged.iter().any(of_obligations)
    }

    /// Takes off what a move meets.
    pub(crate) fn meet<S: System>(&mut self, product: &Product<'_, '_, S>, m: &Move) {
        self.marks = self.marks.difference(m.marks);
        self.steps.remove(&m.step);
        for (obligations, ids) in &mut self.obliged {
            engaged(product, obligations, m, |id| {
                ids.remove(&id);
            });
            if obligations.strength == Strength::Weak {
                let mut there = FxHashSet::default();
                present(product, obligations, m.target, &mut there);
                ids.retain(|id| there.contains(id));
            }
        }
        self.obliged.retain(|(_, ids)| !ids.is_empty());
    }
}

/// Who takes part in a move: its event, or its processes.
fn engaged<S: System>(
    product: &Product<'_, '_, S>,
    obligations: &Obligations,
    m: &Move,
    mut each: impl FnMut(u32),
) {
    let label = product.graph.step(m.step as usize).label;
    match obligations.whose {
        Whose::AllProcesses => product.processes(label.processes).iter().copied().for_each(each),
        Whose::AllEvents | Whose::Events(_) => each(label.event.0),
    }
}

/// Adds who is enabled (or ready) in a node and has an obligation.
fn present<S: System>(
    product: &Product<'_, '_, S>,
    obligations: &Obligations,
    node: StateId,
    there: &mut FxHashSet<u32>,
) {
    let state = product.state(node);
    let owes = |event: &EventId| match &obligations.whose {
        Whose::Events(events) => events.binary_search(event).is_ok(),
        _ => is_owed(*event),
    };
    let steps = product.graph.steps(state);
    match (&obligations.whose, obligations.when) {
        (Whose::AllProcesses, _) => {
            there.extend(steps.flat_map(|s| product.processes(s.label.processes).iter().copied()));
        }
        (_, When::Enabled) => there.extend(steps.map(|s| s.label.event).filter(owes).map(|e| e.0)),
        (_, When::Ready) => there.extend(product.graph.ready(state).iter().filter(|e| owes(e)).map(|e| e.0)),
    }
}
