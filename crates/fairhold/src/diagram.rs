//! Runs as space-time diagrams, where the model is a protocol.

use crate::front::Kind;
use crate::load::Model;
use fairhold_protocol::Diagram;
use fairhold_trace::Run;

impl Model {
    /// The diagram of one of its runs; none if it is no protocol, or the run has no steps, or is not told node by node.
    pub fn diagram(&self, run: &Run) -> Option<Diagram> {
        match &self.kind {
            Kind::Protocol(front) => Diagram::new(front.protocol(), run),
            Kind::Csp(_) | Kind::Explicit(_) => None,
        }
    }
}
