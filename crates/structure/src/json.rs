//! A graph as JSON: states with their fields, steps between them, components.

use crate::graph::{Graph, Node};
use fairhold_trace::fields_to_json;
use serde_json::{Value as Json, json};

/// `{ "states": [..], "steps": [..], "components": [..] }`; a state's `id` is its index.
pub fn graph_to_json(graph: &Graph) -> Json {
    let states: Vec<Json> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(id, node)| state(graph, id, node))
        .collect();
    let steps = graph.steps.iter().map(|step| {
        let label = &graph.labels[step.label as usize];
        json!({
            "from": step.from.0,
            "event": label.event,
            "processes": label.processes,
            "to": step.to.0,
            "highlighted": step.highlighted,
        })
    });
    json!({
        "states": states,
        "steps": steps.collect::<Vec<_>>(),
        "components": components(graph),
    })
}

fn state(graph: &Graph, id: usize, node: &Node) -> Json {
    let mut json = json!({
        "id": id,
        "depth": node.depth,
        "initial": node.initial,
        "deadlock": node.deadlock,
        "ended": node.ended,
        "cut": node.cut,
        "fault": node.fault.as_ref().map(|f| &f.message),
        "component": node.component.number,
        "highlighted": node.highlighted,
        "state": fields_to_json(&node.fields),
    });
    if graph.formula.is_some() {
        json["satisfies"] = json!(node.satisfies);
    }
    json
}

/// By number: how many states, whether there is a loop.
fn components(graph: &Graph) -> Vec<Json> {
    let mut found: Vec<(u64, bool)> = Vec::new();
    for node in &graph.nodes {
        let number = node.component.number as usize;
        if found.len() <= number {
            found.resize(number + 1, (0, false));
        }
        found[number].0 += 1;
        found[number].1 = node.component.looping;
    }
    let listed = found.iter().enumerate();
    listed
        .map(|(id, (states, looping))| json!({ "id": id, "states": states, "loop": looping }))
        .collect()
}
