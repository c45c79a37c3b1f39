//! The vocabulary of Fairhold: a system that steps, and the words around it.
//!
//! Read this crate first. A front end turns a text into a [`System`]; a search explores it and knows nothing
//! else; whatever a person sees is made from [`Fields`], event names and process numbers.
//!
//! | word | type |
//! |---|---|
//! | state | a slice of [`Word`]s of a width fixed per system |
//! | event | [`EventId`], named by [`System::event_name`] |
//! | process | a number from 0; sets of them are interned as [`ProcessesId`] |
//! | step | a [`Label`] and a target state in a [`Steps`] buffer |
//! | fault | [`Fault`]: the model itself went wrong on the way |

mod directive;
mod fault;
mod observer;
mod path;
mod random;
mod step;
mod value;
mod verdict;

pub use directive::{Aliases, DIRECTIVE, Expectation, Remarks, directives, directives_with};
pub use fault::{Fault, FaultKind};
pub use observer::{Control, Limits, Observer, Progress, Silent, StopReason};
pub use path::Path;
pub use random::Random;
pub use step::{Changed, EventId, Label, ProcessesId, Steps, Word};
pub use value::{Fields, Value, tells_process};
pub use verdict::Verdict;

/// A labelled transition system, explored on the fly.
///
/// A system is shared by all workers; each worker steps through its own [`Stepper`], which may keep caches.
/// Ids (events, process sets, and whatever a state's words mean) are the same for all steppers of a system.
pub trait System: Sync {
    /// What a worker steps with.
    type Stepper<'a>: Stepper + Send
    where
        Self: 'a;

    /// Words per state.
    fn width(&self) -> usize;

    /// How many leading words make up a state's identity. The words after them are carried along with the
    /// state that was met first and tell no two states apart (CSP#'s `hvar`, where they are [merged](Keep::Merged)).
    fn key_width(&self) -> usize {
        self.width()
    }

    /// A new stepper for one worker.
    fn stepper(&self) -> Self::Stepper<'_>;

    /// The event's name as the user writes it: `get.0.1`, `c!3`, `tau`, `terminate`.
    fn event_name(&self, event: EventId) -> String;

    /// The process numbers in an interned set, ascending.
    fn processes(&self, set: ProcessesId) -> Vec<u32>;

    /// Whether this is `Ended`, the state after successful termination: it has no steps and is no deadlock.
    fn is_ended(&self, state: &[Word]) -> bool;

    /// The state as a person sees it: variables and channels by name, then processes (`process 0`).
    fn fields(&self, state: &[Word]) -> Fields;

    /// The execution of the model that a path through this system stands for: the path itself, unless states leave out
    /// what does not matter. A loop may come after more rounds than in the path. Where values are [merged](Keep::Merged)
    /// there may be none: then the execution stops short, or its loop does not close.
    fn lift(&self, path: Path) -> Path {
        path
    }
}

/// Which variables the states of a system keep the values of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keep {
    /// All.
    Everything,
    /// All but hidden ones that nobody will read before they are written.
    Visible,
    /// Those that somebody may read before they are written, or that a question reads.
    Needed,
    /// All, but hidden ones tell no states apart: of those met first, the values stay. A path need not be an execution then
    /// ([`System::lift`]).
    Merged,
}

/// One worker's access to a system's steps and predicates.
pub trait Stepper {
    /// Appends the initial states (their labels mean nothing).
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault>;

    /// Appends some of the initial states, the first ones at cursor 0, and gives the cursor from which the next ones follow; none
    /// after the last. No state comes in two calls. A system that has too many to list them at once gives them so, and a search that does not need all never
    /// asks for the rest.
    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        debug_assert_eq!(cursor, 0, "all initial states come at once");
        self.initial(out)?;
        Ok(None)
    }

    /// Appends the steps from `state`: no two with the same event, processes and target.
    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault>;

    /// Appends the events ready in `state`: as enabled, but a synchronised event as soon as one participant offers it; never
    /// `tau` or `terminate`. Where nothing synchronises, what is enabled is ready.
    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        let mut steps = Steps::new(state.len());
        self.steps(state, &mut steps)?;
        let named = |event: &EventId| *event != EventId::TAU && *event != EventId::TERMINATE;
        out.extend(steps.iter().map(|(label, _)| label.event).filter(named));
        Ok(())
    }

    /// Whether a predicate, registered with the system beforehand, holds in `state`.
    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault>;

    /// A guess at how far `state` is from one in which a predicate holds: smaller is nearer, 0 where it holds. None if there is nothing to guess by.
    /// Only the order in which a search looks at states depends on it.
    fn distance(&mut self, _predicate: PredicateId, _state: &[Word]) -> Option<u32> {
        None
    }

    /// The value in `state` of an objective, registered with the system beforehand.
    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault>;

    /// About how many bytes this stepper and the system's own tables hold. They grow while a model is explored, and a bound on
    /// memory must count them.
    fn bytes(&self) -> u64 {
        0
    }
}

/// A state predicate registered with a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u32);

/// An integer expression registered with a system, for `with min` and `with max`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectiveId(pub u32);
