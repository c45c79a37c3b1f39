//! A run at the level of names: what a person, a script and the replay see of a path.
//!
//! A [`Path`] speaks in the words and ids of one compiled system. A [`Run`] speaks in event names, process numbers
//! and [`Fields`], so it can be printed, saved, and judged by another semantics. A finite run has an empty
//! [`Run::loop_`]; a lasso repeats it forever.

use crate::branch::Branch;
use fairhold_system::{EventId, Fields, Label, Path, System, Value, Word, tells_process};

/// The reserved event of a state without steps that idles forever.
pub const IDLE: &str = "(idle)";

/// A finite or lasso-shaped execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The state it starts in, in full.
    pub initial: Fields,
    /// The steps up to the end, or up to the loop.
    pub prefix: Vec<RunStep>,
    /// The steps that repeat forever; empty for a finite run.
    pub loop_: Vec<RunStep>,
    /// Why the loop is fair: one entry for every obligation.
    pub ledger: Vec<LedgerEntry>,
    /// What is claimed of states on the way, where the formula speaks of paths from there.
    pub branches: Vec<Branch>,
    /// Its states as the system has them that it was found on, one more than steps: what tells states apart that look
    /// alike. Empty for a run that was read.
    pub words: Vec<Vec<Word>>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The event's name.
    pub event: String,
    /// Who took part, ascending.
    pub processes: Vec<u32>,
    /// Variables and channels with a new value: the whole value, whatever part of it is new.
    pub changes: Fields,
    /// The state it leads to, in full; empty if not known (in a run read from a file).
    pub state: Fields,
}

impl RunStep {
    /// The step of `system` with this label from the state `before` to the state `after`.
    pub fn new<S: System>(system: &S, before: &Fields, label: Label, after: Fields) -> RunStep {
        RunStep {
            event: match label.event {
                EventId::IDLE => IDLE.to_owned(),
                event => system.event_name(event),
            },
            processes: system.processes(label.processes),
            changes: changes(before, &after),
            state: after,
        }
    }
}

/// How a fair loop meets one obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerEntry {
    /// The event or process that is owed something (`process 1`); for `sgf` the event of the step, for a formula one of
    /// its `GF` and `FG` parts.
    pub obligation: String,
    /// The notion or annotation that owes it: `esf`, `wl`, ...; or `formula`.
    pub kind: String,
    /// How it is met.
    pub discharged: Discharged,
    /// Where in the loop, from 0: the step that engages it, or the step before which it is not possible; for a formula the step
    /// at which the part is true. None for [`Discharged::NeverEnabled`].
    pub at: Option<usize>,
}

/// How an obligation is met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Discharged {
    /// It is taken; of a formula's `GF a`, `a` is true.
    Engaged,
    /// It is not possible in some state of the loop; of a formula's `GF !a`, `a` is not true.
    Disabled,
    /// It is not possible in any state of the loop; of a formula's `FG a`, nothing in the loop is against it.
    NeverEnabled,
}

impl Discharged {
    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Discharged::Engaged => "engaged",
            Discharged::Disabled => "disabled",
            Discharged::NeverEnabled => "never-enabled",
        }
    }
}

impl Run {
    /// The run a path of `system` stands for. Costs one rendering of every state.
    ///
    /// # Panics
    /// If the path has no state: a [`Path`] has at least one.
    pub fn new<S: System>(system: &S, path: &Path) -> Run {
        assert_eq!(
            path.states.len(),
            path.labels.len() + 1,
            "a path has one state more than labels"
        );
        let mut fields = path.states.iter().map(|s| system.fields(s));
        let initial = fields.next().expect("a path has at least one state");
        let mut before = initial.clone();
        let mut prefix = Vec::with_capacity(path.labels.len());
        for (label, state) in path.labels.iter().zip(fields) {
            let step = RunStep::new(system, &before, *label, state);
            before.clone_from(&step.state);
            prefix.push(step);
        }
        let loop_ = prefix.split_off(path.loop_from.unwrap_or(prefix.len()));
        Run {
            initial,
            prefix,
            loop_,
            words: path.states.clone(),
            ..Run::default()
        }
    }

    /// The run that stays in one initial state.
    pub fn at<S: System>(system: &S, state: &[Word]) -> Run {
        Run {
            initial: system.fields(state),
            words: vec![state.to_vec()],
            ..Run::default()
        }
    }

    /// How many steps are written down: the prefix and one round of the loop.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.loop_.len()
    }

    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state at the end of what is written down.
    pub fn last_state(&self) -> &Fields {
        let last = self.loop_.last().or(self.prefix.last());
        last.map_or(&self.initial, |step| &step.state)
    }
}

/// Variables and channels that differ, with their new values. Processes are left out: they change at every step.
fn changes(before: &Fields, after: &Fields) -> Fields {
    // Fields come in one fixed order; a field that moved or appeared counts as changed.
    let old =
        |i: usize, name: &str| -> Option<&Value> { before.get(i).filter(|(n, _)| n == name).map(|(_, v)| v) };
    after
        .iter()
        .enumerate()
        .filter(|(i, (name, value))| !tells_process(name, value) && old(*i, name) != Some(value))
        .map(|(_, field)| field.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::Counter;
    use fairhold_system::{EventId, Label, ProcessesId};

    fn label(event: u32, processes: u32) -> Label {
        Label {
            event: EventId(event),
            processes: ProcessesId(processes),
        }
    }

    #[test]
    fn a_path_becomes_a_run_with_changes() {
        let path = Path {
            states: vec![vec![0, 0], vec![1, 0], vec![2, 1]],
            labels: vec![label(2, 1), label(3, 2)],
            loop_from: None,
        };
        let run = Run::new(&Counter, &path);
        assert_eq!(run.prefix.len(), 2);
        assert!(run.loop_.is_empty());
        assert_eq!(run.prefix[0].event, "inc");
        assert_eq!(run.prefix[0].processes, [0]);
        assert_eq!(run.prefix[0].changes, [("x".into(), Value::Int(1))]);
        let flags = Value::List(vec![Value::Int(1), Value::Int(0)]);
        assert_eq!(
            run.prefix[1].changes,
            [("x".into(), Value::Int(2)), ("flags".into(), flags)]
        );
        assert_eq!(run.last_state(), &Counter.fields(&[2, 1]));
    }

    #[test]
    fn the_loop_is_split_off() {
        let path = Path {
            states: vec![vec![0, 0], vec![1, 0], vec![0, 0], vec![1, 0]],
            labels: vec![label(2, 1), label(3, 1), label(2, 1)],
            loop_from: Some(1),
        };
        let run = Run::new(&Counter, &path);
        assert_eq!((run.prefix.len(), run.loop_.len()), (1, 2));
        assert_eq!(run.loop_[0].event, "dec");
    }
}
