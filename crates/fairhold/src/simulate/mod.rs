//! A walk through a model, one command after the other.
//!
//! A walk has no terminal and touches no file: a [`Command`] goes in, an [`Effect`] comes out. Whoever holds it, the
//! command line or another front end, reads commands, prints texts, and does the reading and writing of files that an
//! effect asks for. The same commands give the same walk, random choices included.
//!
//! | file | what it does |
//! |---|---|
//! | `command` | what can be said, and the words for it |
//! | `session` | what each command does, on any front end |
//! | `walk` | where one stands: the steps behind, the steps ahead, what is possible now |
//! | `goal` | what `find` looks for |
//! | `ahead` | the shortest way to it |
//! | `show` | the place as text |
//! | `random` | seeded choices |
//! | `wander` | a random walk that keeps no record |
//! | `sample`, `statistics`, `plot` | many random runs of a protocol, and how soon they converge |

mod ahead;
mod command;
mod goal;
mod plot;
mod sample;
mod session;
mod show;
mod statistics;
mod walk;
pub(crate) mod wander;

pub use command::{COMMANDS, Command, CommandHelp};
pub use plot::sample_to_svg;
pub use sample::{Sample, SampleOptions};
pub use statistics::{QUANTILES, Statistics};

use crate::check::Bounds;
use crate::front::{FrontEnd, with_front};
use crate::load::Model;
use crate::reason;
use crate::saved::SavedTrace;
use fairhold_source::Diagnostic;
use fairhold_system::{Keep, Observer};
use serde_json::Value as Json;
use session::Session;

/// What the holder of a walk must do after a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Show this text.
    Say(String),
    /// Show this text: the walk did not meet what it was to meet.
    Missed(String),
    /// Write [`Simulation::trace`] to this file.
    Save(String),
    /// Read a saved trace from this file and hand it to [`Simulation::open`].
    Open {
        /// The file.
        path: String,
        /// Whether to go to the end of its run, or to stand at the start with the run ahead.
        to_end: bool,
    },
    /// Stop.
    Quit,
}

/// A walk in progress, whatever language the model is written in.
pub trait Simulation {
    /// Obeys a command. The observer can interrupt long ones. The error is a sentence without a final full stop, and
    /// nothing has changed then.
    fn execute(&mut self, command: &Command, observer: &dyn Observer) -> Result<Effect, String>;

    /// Takes over the run of a saved trace, and shows the place.
    fn open(&mut self, trace: &SavedTrace, to_end: bool) -> Result<String, String>;

    /// The steps so far, as a saved trace.
    fn trace(&self) -> Json;

    /// The steps so far, as text.
    fn path(&self) -> String;

    /// Where one stands and what is possible, as text.
    fn here(&self) -> String;

    /// How many steps were taken.
    fn position(&self) -> usize;

    /// The names of the events that are possible, each once.
    fn events(&self) -> Vec<String>;
}

impl Model {
    /// Starts a walk through the process asked for when the model was loaded, else that of the first assertion, and
    /// hands it to `hold`. `bounds` are for `find`, `seed` is for random choices.
    pub fn simulate<R>(
        &self,
        bounds: Bounds,
        seed: u64,
        hold: impl FnOnce(&mut dyn Simulation) -> R,
    ) -> Result<R, Diagnostic> {
        with_front!(&self.kind, front => {
            let subject = front.explored()?;
            let fault = |f| Diagnostic::bare("run-time-error", reason::fault(&self.map, &f));
            let system = front.system(&subject, Keep::Everything).map_err(fault)?;
            let mut session = Session::new(self, front, &subject, &system, bounds, seed).map_err(fault)?;
            Ok(hold(&mut session))
        })
    }
}
