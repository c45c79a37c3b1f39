//! A run of a protocol as a space-time diagram: nodes side by side, time downwards.
//!
//! A row is the configuration after a step, with the interaction that led to it drawn between its two nodes. Nodes stand in the order in which
//! most interactions are between neighbours: by number, and in a tree with the parent between its children. In a ring the last node and the first are
//! neighbours too: what they do leaves at one side and comes in at the other.
//!
//! | file | what it does |
//! |---|---|
//! | `text` | for a terminal, one line a step |
//! | `svg` | as a picture |

mod svg;
mod text;

use crate::model::{Protocol, Shape};
use fairhold_system::{Fields, Value};
use fairhold_trace::{Run, RunStep};

/// A run, laid out in columns and rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The fields that a cell shows, in order.
    fields: Vec<String>,
    /// By column: the number of its node.
    nodes: Vec<u32>,
    /// What the inputs of the nodes are, which never changes: a name, and a value by column.
    inputs: Vec<(String, Vec<String>)>,
    /// The names of what is no node's: the detector, the schedule.
    others: Vec<String>,
    /// The start, and a row for every step.
    rows: Vec<Row>,
    /// How many steps come before the loop, if there is one.
    prefix: Option<usize>,
}

/// A configuration, and what led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    /// The event's name; empty at the start.
    event: String,
    act: Act,
    /// By column: what the node has.
    cells: Vec<Cell>,
    /// What is no node's.
    others: Vec<Cell>,
}

/// A value, and whether the step has changed it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    text: String,
    changed: bool,
}

/// Which columns a step is between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    /// No node acts: the start, the detector, idling.
    Nobody,
    /// One node acts.
    Alone(usize),
    /// From the initiator to the responder.
    Between(usize, usize),
    /// As between, but the short way around the ring: from the last column to the first, or back.
    Around(usize, usize),
}

impl Diagram {
    /// The diagram of a run; none if the run is not one of the protocol, node by node, or has no steps.
    pub fn new(protocol: &Protocol, run: &Run) -> Option<Diagram> {
        if run.is_empty() {
            return None;
        }
        let nodes = order(protocol);
        let fixed = |name: &String| {
            let field = protocol.fields.iter().find(|f| f.name == *name);
            field.is_some_and(|f| f.input)
        };
        let count = nodes.len();
        let of_nodes = |value: &Value| matches!(value, Value::List(items) if items.len() == count);
        let mut diagram = Diagram {
            fields: Vec::new(),
            inputs: Vec::new(),
            others: Vec::new(),
            rows: Vec::with_capacity(run.len() + 1),
            prefix: (!run.loop_.is_empty()).then_some(run.prefix.len()),
            nodes,
        };
        for (name, value) in &run.initial {
            let known = protocol.fields.iter().any(|f| f.name == *name);
            if known && !of_nodes(value) {
                return None;
            }
            match (known, fixed(name)) {
                (true, true) => {
                    let values = diagram.nodes.iter().map(|&n| shown(value, n)).collect();
                    diagram.inputs.push((name.clone(), values));
                }
                (true, false) => diagram.fields.push(name.clone()),
                (false, _) => diagram.others.push(name.clone()),
            }
        }
        let mut state = run.initial.clone();
        let first = diagram.row(String::new(), Act::Nobody, &state)?;
        diagram.rows.push(first);
        for step in run.prefix.iter().chain(&run.loop_) {
            follow(&mut state, step);
            let act = act(protocol, &diagram.nodes, &step.event);
            let mut row = diagram.row(step.event.clone(), act, &state)?;
            row.mark(diagram.rows.last().expect("there is a row for the start"));
            diagram.rows.push(row);
        }
        Some(diagram)
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.rows.len() - 1
    }

    fn row(&self, event: String, act: Act, state: &Fields) -> Option<Row> {
        let value = |name: &String| state.iter().find(|(n, _)| n == name).map(|(_, value)| value);
        let fields: Option<Vec<&Value>> = self.fields.iter().map(value).collect();
        let others: Option<Vec<&Value>> = self.others.iter().map(value).collect();
        let fields = fields?;
        let cell = |text: String| Cell { text, changed: false };
        let mut cells = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            let values: Vec<String> = fields.iter().map(|value| shown(value, node)).collect();
            // Digits next to each other can be told apart; words cannot.
            let narrow = values.iter().all(|v| v.chars().count() == 1);
            cells.push(cell(values.join(if narrow { "" } else { "," })));
        }
        let others = others?.into_iter().map(|value| cell(whole(value))).collect();
        Some(Row {
            event,
            act,
            cells,
            others,
        })
    }
}

impl Row {
    /// Marks what differs from the row before.
    fn mark(&mut self, before: &Row) {
        for (now, before) in [
            (&mut self.cells, &before.cells),
            (&mut self.others, &before.others),
        ] {
            for (now, before) in now.iter_mut().zip(before) {
                now.changed = now.text != before.text;
            }
        }
    }
}

/// The nodes in the order of their columns.
fn order(protocol: &Protocol) -> Vec<u32> {
    match protocol.topology.shape {
        Shape::Tree { .. } => {
            // In order: left subtree, node, right subtree. The depth is a logarithm of the size.
            fn visit(node: u32, size: u32, out: &mut Vec<u32>) {
                if node < size {
                    visit(2 * node + 1, size, out);
                    out.push(node);
                    visit(2 * node + 2, size, out);
                }
            }
            let mut out = Vec::with_capacity(protocol.nodes as usize);
            visit(0, protocol.nodes, &mut out);
            out
        }
        _ => (0..protocol.nodes).collect(),
    }
}

/// Who acts, by the name of the event.
fn act(protocol: &Protocol, nodes: &[u32], event: &str) -> Act {
    let mut parts = event.split('.');
    let name = parts.next().unwrap_or_default();
    let known = name == "pass" || protocol.rules.iter().any(|rule| rule.name == name);
    let column = |part: &str| {
        let node: u32 = part.parse().ok()?;
        nodes.iter().position(|&n| n == node)
    };
    let columns: Option<Vec<usize>> = parts.map(column).collect();
    let last = nodes.len() - 1;
    let ring = matches!(protocol.topology.shape, Shape::Ring { .. });
    match columns.as_deref() {
        Some(&[node]) if known => Act::Alone(node),
        Some(&[i, r]) if known && ring && last > 1 && i.abs_diff(r) == last => Act::Around(i, r),
        Some(&[i, r]) if known => Act::Between(i, r),
        _ => Act::Nobody,
    }
}

/// The state after a step: as it is written down, or by what it changes.
fn follow(state: &mut Fields, step: &RunStep) {
    if !step.state.is_empty() {
        state.clone_from(&step.state);
        return;
    }
    for (name, value) in &step.changes {
        if let Some(field) = state.iter_mut().find(|(n, _)| n == name) {
            field.1.clone_from(value);
        }
    }
}

/// What a field is at a node.
fn shown(value: &Value, node: u32) -> String {
    match value {
        Value::List(items) => items.get(node as usize).map_or_else(String::new, whole),
        _ => String::new(),
    }
}

fn whole(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => items.iter().map(whole).collect::<Vec<_>>().join(","),
    }
}

#[cfg(test)]
mod tests;
