//! A graph in the language of Graphviz.
//!
//! Initial states have a bold border and an arrow from nowhere, deadlocks are red octagons, ended states green double
//! circles, cut states dashed. States of a component with a loop share a tint; where states are labelled with a formula, those that satisfy it are green
//! instead. A highlighted run is drawn bold.

use crate::caption::Captions;
use crate::graph::{Graph, Node};
use crate::svg::{Colours, palette};
use std::fmt::Write;

/// The graph as a `digraph`.
pub fn graph_to_dot(graph: &Graph, title: &str) -> String {
    let captions = Captions::new(graph);
    let colours = palette(graph);
    let mut out = format!("digraph {} {{\n", quoted(title));
    out.push_str("  rankdir=TB;\n");
    out.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"monospace\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=10];\n");
    for (i, node) in graph.nodes.iter().enumerate() {
        let label = captions.state(i).join("\n");
        let tooltip = captions.full_state(i).join("\n");
        let style = node_style(node, &colours[i]);
        line(
            &mut out,
            &format!(
                "{i} [label={}, tooltip={}{style}];",
                quoted(&label),
                quoted(&tooltip)
            ),
        );
        if node.initial {
            line(
                &mut out,
                &format!("start{i} [shape=point, width=0.06, label=\"\"];"),
            );
            line(&mut out, &format!("start{i} -> {i};"));
        }
    }
    for arrow in graph.arrows() {
        let label = quoted(&captions.arrow(&arrow).join("\n"));
        let bold = if arrow.highlighted {
            ", penwidth=2.5, color=\"#c2410c\", fontcolor=\"#c2410c\""
        } else {
            ""
        };
        line(
            &mut out,
            &format!("{} -> {} [label={label}{bold}];", arrow.from.0, arrow.to.0),
        );
    }
    out.push_str("}\n");
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "  {text}").expect("a string takes all that is written");
}

fn node_style(node: &Node, colours: &Colours) -> String {
    let mut style = String::new();
    write!(
        style,
        ", fillcolor=\"{}\", color=\"{}\"",
        colours.fill, colours.stroke
    )
    .expect("a string takes all that is written");
    if node.deadlock || node.fault.is_some() {
        style.push_str(", shape=octagon, style=filled");
    } else if node.ended {
        style.push_str(", shape=doublecircle, style=filled");
    } else if node.cut {
        style.push_str(", style=\"rounded,filled,dashed\"");
    }
    if node.highlighted {
        style.push_str(", penwidth=3");
    } else if node.initial {
        style.push_str(", penwidth=2");
    }
    style
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => {}
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
