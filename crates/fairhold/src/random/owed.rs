//! What the loop of a path owes under the named notions of fairness, by the system's own steps.
//!
//! A filter before the judge, who replays the whole path on the reference semantics and takes a tenth of a second for
//! some hundred steps: of the loops that random walks close, nearly all owe something. Without the filter, walks through
//! twelve counters under three notions came to 4,000 steps a second; with it, to 60,000.
//!
//! Time: one computation of the steps of each state of the loop.

use fairhold_system::{EventId, Label, Path, Stepper, Steps, System, Word};
use fairhold_trace::Notion;
use std::collections::{BTreeSet, HashSet};

/// Who is enabled in a loop, and who is engaged.
struct Offers<T> {
    /// In all states; none before the first one.
    always: Option<BTreeSet<T>>,
    /// In some state.
    sometimes: BTreeSet<T>,
    engaged: BTreeSet<T>,
}

/// What a loop owes.
pub(super) struct Owed {
    events: Offers<EventId>,
    processes: Offers<u32>,
    /// Whether a step of a state in the loop is not taken there.
    a_step: bool,
}

impl Owed {
    /// What the loop of a path owes; none if a step cannot be computed.
    pub(super) fn of<S: System>(system: &S, path: &Path) -> Option<Owed> {
        let start = path.loop_from?;
        let mut owed = Owed {
            events: Offers::new(),
            processes: Offers::new(),
            a_step: false,
        };
        let mut taken: HashSet<(&[Word], Label, &[Word])> = HashSet::new();
        for at in start..path.labels.len() {
            let label = path.labels[at];
            taken.insert((&path.states[at], label, &path.states[at + 1]));
            owed.events.engaged.insert(label.event);
            owed.processes.engaged.extend(system.processes(label.processes));
        }
        let mut stepper = system.stepper();
        let mut steps = Steps::new(system.width());
        let mut seen: HashSet<&[Word]> = HashSet::new();
        for state in &path.states[start..path.labels.len()] {
            if !seen.insert(state) {
                continue;
            }
            steps.clear();
            stepper.steps(state, &mut steps).ok()?;
            let labels = || steps.iter().map(|(label, _)| label);
            let named = labels().map(|label| label.event);
            owed.events.state(named.filter(|e| *e != EventId::TAU).collect());
            let processes = labels().flat_map(|label| system.processes(label.processes));
            owed.processes.state(processes.collect());
            let all_taken = steps
                .iter()
                .all(|(label, target)| taken.contains(&(state.as_slice(), label, target)));
            owed.a_step |= !all_taken;
        }
        Some(owed)
    }

    /// Whether the loop is fair under a notion.
    pub(super) fn allows(&self, notion: Notion) -> bool {
        match notion {
            Notion::Pwf => self.processes.weak(),
            Notion::Psf => self.processes.strong(),
            Notion::Ewf => self.events.weak(),
            Notion::Esf => self.events.strong(),
            Notion::Sgf => !self.a_step,
        }
    }
}

impl<T: Ord + Copy> Offers<T> {
    fn new() -> Offers<T> {
        Offers {
            always: None,
            sometimes: BTreeSet::new(),
            engaged: BTreeSet::new(),
        }
    }

    /// Adds who is enabled in one more state.
    fn state(&mut self, enabled: BTreeSet<T>) {
        self.sometimes.extend(&enabled);
        self.always = Some(match self.always.take() {
            None => enabled,
            Some(always) => always.intersection(&enabled).copied().collect(),
        });
    }

    fn weak(&self) -> bool {
        self.always
            .as_ref()
            .is_none_or(|always| always.is_subset(&self.engaged))
    }

    fn strong(&self) -> bool {
        self.sometimes.is_subset(&self.engaged)
    }
}
