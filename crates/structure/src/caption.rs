//! What is written on the states and arrows of a picture.
//!
//! A state shows its number and, in short, the variables and channels that differ from the initial state. What a process
//! is about to do is long and changes at every step: that is for the tooltip. A state of a Kripke structure shows its name and what is
//! true in it.

use crate::graph::{Arrow, Graph, Node};
use fairhold_system::{Fields, Value, tells_process};

/// So many characters fit on a line of a state.
const WIDTH: usize = 24;
/// A state shows at most so many lines below its number.
const LINES: usize = 3;

/// Captions of one graph.
pub(crate) struct Captions<'a> {
    graph: &'a Graph,
    initial: Option<&'a Fields>,
    /// Whether to say who takes part: not if it is always the same processes.
    processes: bool,
}

impl<'a> Captions<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Captions<'a> {
        let mut sets = graph.labels.iter().map(|l| &l.processes);
        let first = sets.next();
        Captions {
            graph,
            initial: graph.nodes.iter().find(|n| n.initial).map(|n| &n.fields),
            processes: sets.any(|s| Some(s) != first),
        }
    }

    /// The lines on a state: its number first; or its name, if it has one, and what is true in it.
    pub(crate) fn state(&self, number: usize) -> Vec<String> {
        if let Some(lines) = named(&self.graph.nodes[number].fields) {
            return lines;
        }
        let mut lines = vec![number.to_string()];
        let Some(initial) = self.initial else { return lines };
        let mut parts = differences(initial, &self.graph.nodes[number].fields).into_iter();
        let mut line = String::new();
        while let Some(part) = parts.next() {
            let part = cut(&part);
            if !line.is_empty() && line.chars().count() + part.chars().count() + 2 > WIDTH {
                lines.push(std::mem::take(&mut line));
                if lines.len() > LINES {
                    let more = 1 + parts.count();
                    lines.push(format!("… {more} more"));
                    return lines;
                }
            }
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(&part);
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    /// The lines on an arrow, one a step.
    pub(crate) fn arrow(&self, arrow: &Arrow) -> Vec<String> {
        let line = |&label: &u32| {
            let label = &self.graph.labels[label as usize];
            if self.processes && !label.processes.is_empty() {
                format!("{} {}", label.event, listed(&label.processes))
            } else {
                label.event.clone()
            }
        };
        arrow.labels.iter().map(line).collect()
    }

    /// Everything there is to say about a state, one line each: for a tooltip.
    pub(crate) fn full_state(&self, number: usize) -> Vec<String> {
        let node = &self.graph.nodes[number];
        let mut lines = vec![format!("state {number}{}", kind(node))];
        lines.extend(
            node.fields
                .iter()
                .map(|(name, v)| format!("{name} = {}", value(v))),
        );
        lines
    }
}

/// `[0,1]`
fn listed(processes: &[u32]) -> String {
    let numbers: Vec<String> = processes.iter().map(u32::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// `, initial, deadlock`: what is special about a state.
fn kind(node: &Node) -> String {
    let mut text = String::new();
    for (is, word) in [
        (node.initial, "initial"),
        (node.deadlock, "deadlock"),
        (node.ended, "ended"),
        (node.cut, "more steps not shown"),
    ] {
        if is {
            text.push_str(", ");
            text.push_str(word);
        }
    }
    if let Some(fault) = &node.fault {
        text.push_str(", goes wrong: ");
        text.push_str(&fault.message);
    }
    text
}

/// The lines on a state of a Kripke structure.
fn named(fields: &Fields) -> Option<Vec<String>> {
    let [(field, Value::Text(name)), rest @ ..] = &fields[..] else {
        return None;
    };
    if field != "state" {
        return None;
    }
    let mut lines = vec![cut(name)];
    if let [(_, Value::List(holds)), ..] = rest
        && !holds.is_empty()
    {
        let holds: Vec<String> = holds.iter().map(value).collect();
        lines.push(cut(&holds.join(", ")));
    }
    Some(lines)
}

/// What differs, in short: `x=1`, `board[2]=0`.
fn differences(initial: &Fields, fields: &Fields) -> Vec<String> {
    let mut parts = Vec::new();
    for (i, (name, now)) in fields.iter().enumerate() {
        let before = initial.get(i).filter(|(n, _)| n == name).map(|(_, v)| v);
        if before == Some(now) {
            continue;
        }
        match (before, now) {
            _ if tells_process(name, now) => {}
            (Some(Value::List(old)), Value::List(new)) if old.len() == new.len() && !now.is_names() => {
                let changed = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
                parts.extend(changed.map(|(i, (_, b))| format!("{name}[{i}]={}", value(b))));
            }
            _ => parts.push(format!("{name}={}", value(now))),
        }
    }
    parts
}

fn value(value: &Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Text(t) => t.clone(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(self::value).collect();
            format!("[{}]", items.join(","))
        }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.to_owned();
    }
    let kept: String = text.chars().take(WIDTH - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphLabel;
    use fairhold_store::StateId;

    fn node(x: i64, list: &[i64], initial: bool) -> Node {
        let list = list.iter().map(|&i| Value::Int(i)).collect();
        Node {
            initial,
            fields: vec![
                ("x".into(), Value::Int(x)),
                ("list".into(), Value::List(list)),
                ("process 0".into(), Value::Text(format!("P({x})"))),
            ],
            ..Node::default()
        }
    }

    #[test]
    fn a_state_shows_what_differs() {
        let graph = Graph {
            nodes: vec![
                node(0, &[1, 2], true),
                node(1, &[1, 2], false),
                node(0, &[1, 3], false),
                node(0, &[], false),
                node(0, &[1000; 40], false),
            ],
            ..Graph::default()
        };
        let captions = Captions::new(&graph);
        let lines: Vec<String> = (0..5).map(|i| captions.state(i).join("|")).collect();
        assert_eq!(lines[..4], ["0", "1|x=1", "2|list[1]=3", "3|list=[]"]);
        assert_eq!(lines[4], "4|list=[1000,1000,1000,10…");
        assert_eq!(
            captions.full_state(1).join("|"),
            "state 1|x = 1|list = [1,2]|process 0 = P(1)"
        );
    }

    #[test]
    fn processes_are_named_where_they_differ() {
        let label = |event: &str, processes: &[u32]| GraphLabel {
            event: event.into(),
            processes: processes.into(),
        };
        let arrow = Arrow {
            from: StateId(0),
            to: StateId(0),
            labels: vec![0, 1],
            highlighted: false,
        };
        let mut graph = Graph {
            labels: vec![label("a", &[0]), label("b", &[0])],
            ..Graph::default()
        };
        assert_eq!(Captions::new(&graph).arrow(&arrow), ["a", "b"]);
        graph.labels[1].processes = vec![0, 1];
        assert_eq!(Captions::new(&graph).arrow(&arrow), ["a [0]", "b [0,1]"]);
    }
}
