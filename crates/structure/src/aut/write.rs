//! Writing `.aut`.
//!
//! A graph says more than the format can hold. Who takes part in a step is left out. A state that has steps which are
//! not in the graph gets a step `(cut)` to itself, and one where the model goes wrong a step `(fault)`, so that neither
//! looks like a deadlock.

use crate::alphabet::TAU;
use crate::graph::Graph;
use std::fmt::Write;

/// A graph in the Aldebaran format; none if it has not exactly one initial state, which the format cannot say.
pub fn graph_to_aut(graph: &Graph) -> Option<String> {
    let mut initial = (0..).zip(&graph.nodes).filter(|(_, n)| n.initial);
    let (Some((start, _)), None) = (initial.next(), initial.next()) else {
        return None;
    };
    let mut steps: Vec<(u32, &str, u32)> = Vec::with_capacity(graph.steps.len());
    let mut written = graph.steps.iter().peekable();
    for (id, node) in (0..).zip(&graph.nodes) {
        let first = steps.len();
        while let Some(step) = written.next_if(|s| s.from.0 == id) {
            let line = (id, graph.labels[step.label as usize].event.as_str(), step.to.0);
            // Steps that differ only in who takes part are one here.
            if !steps[first..].contains(&line) {
                steps.push(line);
            }
        }
        if node.cut {
            steps.push((id, "(cut)", id));
        }
        if node.fault.is_some() {
            steps.push((id, "(fault)", id));
        }
    }
    Some(write_aut(start, graph.nodes.len() as u32, steps.into_iter()))
}

/// A system in the Aldebaran format: steps in the order given, labels in quotes but for those that need none.
pub fn write_aut<'a>(
    initial: u32,
    states: u32,
    steps: impl ExactSizeIterator<Item = (u32, &'a str, u32)>,
) -> String {
    let mut out = format!("des ({initial}, {}, {states})\n", steps.len());
    for (from, label, to) in steps {
        writeln!(out, "({from}, {}, {to})", Label(label)).expect("a string takes all that is written");
    }
    out
}

/// A label as it is written.
struct Label<'a>(&'a str);

impl std::fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == TAU {
            return f.write_str(TAU);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                // A label never spans lines.
                '\n' | '\r' => f.write_char(' ')?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
