//! The reachable graph of a model, as a picture or as data.

use crate::check::Bounds;
use crate::front::{FrontEnd, with_front};
use crate::json::defines_to_json;
use crate::load::{Language, Model};
use crate::reason;
use crate::saved::SavedTrace;
use crate::status::Status;
use crate::watch::Watch;
use fairhold_source::{Diagnostic, Severity};
use fairhold_structure::{
    Graph, NotInGraph, graph_to_aut, graph_to_dot, graph_to_json, graph_to_svg, unfold,
};
use fairhold_system::{Keep, Observer, StopReason};
use serde_json::{Value as Json, json};

/// More states than this make no picture that a person reads.
const DRAWN: u64 = 500;

/// What a graph is written as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GraphFormat {
    /// For Graphviz.
    Dot,
    /// Aldebaran: states and labels only.
    Aut,
    /// States and steps in full, see `docs/schema/graph.schema.json`.
    Json,
    /// A picture.
    Svg,
}

impl GraphFormat {
    fn is_picture(self) -> bool {
        matches!(self, GraphFormat::Dot | GraphFormat::Svg)
    }
}

/// A graph, written.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The text of the file.
    pub text: String,
    /// What there is to say about it: that it is cut, or where the model goes wrong.
    pub warnings: Vec<Diagnostic>,
    /// `Unknown` if time, memory or patience ran out; a bound on states is no failure.
    pub status: Status,
}

impl Model {
    /// Writes what the process asked for can reach (as for [`Model::explore`]). Pictures stop at 500 states unless `bounds`
    /// says otherwise. With `highlight`, that run's states and steps are marked; with `label`, a formula as the user wrote it, the states that satisfy it: then the
    /// model must have been loaded with [`Model::labelling`] as its only property.
    pub fn graph(
        &self,
        format: GraphFormat,
        highlight: Option<&SavedTrace>,
        label: Option<&str>,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<Drawing, Diagnostic> {
        with_front!(&self.kind, front => self.graph_of(front, format, highlight, label, bounds, observer))
    }

    /// The property that says of the process asked for what a formula says. Path quantifiers are there in any case, so that a
    /// condition without any is read as one on states.
    pub fn labelling(&self, formula: &str) -> Result<String, Diagnostic> {
        with_front!(&self.kind, front => {
            let name = front.name(&front.explored()?);
            let about = if self.language == Language::Csp { name } else { String::new() };
            Ok(format!("{about} |= ({formula}) && AG true").trim_start().to_owned())
        })
    }

    fn graph_of<F: FrontEnd>(
        &self,
        front: &F,
        format: GraphFormat,
        highlight: Option<&SavedTrace>,
        label: Option<&str>,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<Drawing, Diagnostic> {
        let subject = front.explored()?;
        let wrong = |fault| Diagnostic::bare("model-fault", reason::fault(&self.map, &fault));
        let system = front.system(&subject, Keep::Everything).map_err(wrong)?;
        let most = bounds.states.or(format.is_picture().then_some(DRAWN));
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        let with_fields = format != GraphFormat::Aut;
        let mut graph = unfold(&system, most, with_fields, &watch).map_err(wrong)?;
        if let Some(trace) = highlight {
            graph.highlight(&trace.run).map_err(|at| not_found(at, &graph))?;
        }
        if let Some(formula) = label {
            let task = self.tasks.first().and_then(|tasks| tasks.first());
            let task = task.expect("a model to be labelled is loaded with what labels it");
            let satisfying = self.satisfying(front, task, bounds, observer);
            let satisfying = satisfying
                .map_err(|why| Diagnostic::bare("not-labelled", format!("cannot label the states: {why}")))?;
            graph.label(formula, |id| satisfying.contains(id));
        }
        let name = front.name(&subject);
        let title = format!("{name} of {}", self.file);
        let text = match format {
            GraphFormat::Dot => graph_to_dot(&graph, &title),
            GraphFormat::Svg => graph_to_svg(&graph, &title),
            GraphFormat::Json => self.envelope(&name, &front.defines(), &graph).to_string() + "\n",
            GraphFormat::Aut => aut(&graph)?,
        };
        Ok(Drawing {
            text,
            warnings: self.warnings(&graph),
            status: match graph.cut {
                None | Some(StopReason::States) => Status::Passed,
                Some(_) => Status::Unknown,
            },
        })
    }

    fn envelope(&self, process: &str, defines: &[(String, i32)], graph: &Graph) -> Json {
        let Json::Object(parts) = graph_to_json(graph) else {
            unreachable!("a graph is an object");
        };
        let mut json = json!({
            "schema": 1,
            "fairhold": env!("CARGO_PKG_VERSION"),
            "file": self.file,
            "process": process,
            "defines": defines_to_json(defines),
            "complete": graph.cut.is_none(),
        });
        for (name, part) in parts {
            json[name] = part;
        }
        json
    }

    fn warnings(&self, graph: &Graph) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        let states = graph.nodes.len();
        if let Some(why) = graph.cut {
            let why = match why {
                StopReason::States => "",
                StopReason::Time => "out of time: ",
                StopReason::Memory => "out of memory: ",
                StopReason::Interrupted => "interrupted: ",
            };
            let message =
                format!("{why}the graph is cut at {states} states: some have steps that are not shown");
            warnings.push(Diagnostic::bare("graph-cut", message).help("--max-states N shows more"));
        }
        let mut faults = graph.nodes.iter().filter_map(|n| n.fault.as_ref());
        if let Some(fault) = faults.next() {
            let number = 1 + faults.count();
            let s = if number == 1 { "" } else { "s" };
            let first = reason::fault(&self.map, fault);
            let message = format!("the model goes wrong in {number} state{s}: {first}");
            warnings.push(Diagnostic::bare("model-fault", message));
        }
        for warning in &mut warnings {
            warning.severity = Severity::Warning;
        }
        warnings
    }
}

fn aut(graph: &Graph) -> Result<String, Diagnostic> {
    graph_to_aut(graph).ok_or_else(|| {
        let starts = graph.nodes.iter().filter(|n| n.initial).count();
        let message = format!("an .aut file has one initial state, and this model has {starts}");
        Diagnostic::bare("many-initial-states", message).help("write JSON or DOT instead")
    })
}

fn not_found(NotInGraph(step): NotInGraph, graph: &Graph) -> Diagnostic {
    let message = match step {
        0 => "the run to highlight does not start in an initial state of this model".to_owned(),
        _ => format!("step {step} of the run to highlight is not in the graph"),
    };
    let help = match graph.cut {
        Some(_) => "the graph is cut: --max-states N shows more",
        None => "was the run saved from this model, with the same process and constants?",
    };
    Diagnostic::bare("run-not-in-graph", message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_structure::Node;

    #[test]
    fn several_initial_states_do_not_fit_into_an_aut_file() {
        let node = Node {
            initial: true,
            ..Node::default()
        };
        let mut graph = Graph {
            nodes: vec![node.clone(), node],
            ..Graph::default()
        };
        assert_eq!(aut(&graph).unwrap_err().code, "many-initial-states");
        graph.nodes.pop();
        assert_eq!(aut(&graph).as_deref(), Ok("des (0, 0, 1)\n"));
    }
}
