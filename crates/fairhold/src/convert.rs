//! A model in another language.

use crate::check::Bounds;
use crate::front::Kind;
use crate::graph::{Drawing, GraphFormat};
use crate::load::{Language, Model};
use crate::status::Status;
use fairhold_protocol::to_csp;
use fairhold_source::Diagnostic;
use fairhold_system::Observer;

/// What a model is turned into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A model in CSP#.
    Csp,
    /// The reachable graph in the Aldebaran format.
    Aut,
    /// An automaton.
    Hoa,
}

impl Model {
    /// Writes the model in another language, where there is a way to do so. The graph is that of the process asked for, as for
    /// [`Model::graph`].
    pub fn convert(
        &self,
        target: Target,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<Drawing, Diagnostic> {
        match target {
            Target::Csp => self.to_csp(),
            Target::Aut => self.graph(GraphFormat::Aut, None, None, bounds, observer),
            Target::Hoa => {
                let message = "a model is no automaton: HOA has no words for its states and events";
                let help =
                    "--to aut writes its graph; `fairhold ltl 'FORMULA'` writes the automaton of a formula";
                Err(Diagnostic::bare("cannot-convert", message).help(help))
            }
        }
    }

    fn to_csp(&self) -> Result<Drawing, Diagnostic> {
        let Kind::Protocol(model) = &self.kind else {
            let message = match self.language {
                Language::Csp => format!("{} is in CSP# already", self.file),
                _ => format!("{} is a graph, and graphs are not written in CSP#", self.file),
            };
            return Err(Diagnostic::bare("cannot-convert", message).help("--to csp converts protocols (.pp)"));
        };
        let constants = model.protocol().constants.iter();
        let constants: Vec<String> = constants
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let title = format!("{} in CSP#, with {}.", self.file, constants.join(", "));
        Ok(Drawing {
            text: to_csp(&model.whole(), &title)?,
            warnings: Vec::new(),
            status: Status::Passed,
        })
    }
}
