//! What is drawn can be read by others: SVG is well-formed, DOT is in its grammar, JSON agrees with the graph.

use crate::random::{cases, cut_graph, graph, lts};
use fairhold_source::FileId;
use fairhold_structure::{Graph, graph_to_dot, graph_to_json, graph_to_svg, read_aut};
use fairhold_system::{Fields, Value};
use fairhold_trace::{Run, RunStep};
use proptest::prelude::*;

/// 0 -a-> 1 -b-> 0, 1 -tau-> 2 (deadlock), 0 -terminate-> 3 (ended).
fn small() -> Graph {
    let text = "des (0, 5, 4)\n(0, a, 1)\n(0, c, 1)\n(1, b, 0)\n(1, tau, 2)\n(0, terminate, 3)\n";
    graph(&read_aut(FileId(0), text).0.expect("the graph has no errors"))
}

fn at(state: i64) -> Fields {
    vec![("state".into(), Value::Int(state))]
}

fn run(prefix: &[(&str, i64)], loop_: &[(&str, i64)]) -> Run {
    let step = |&(event, state): &(&str, i64)| RunStep {
        event: event.into(),
        processes: vec![0],
        changes: at(state),
        state: at(state),
    };
    Run {
        initial: at(0),
        prefix: prefix.iter().map(step).collect(),
        loop_: loop_.iter().map(step).collect(),
        ledger: Vec::new(),
        branches: Vec::new(),
        words: Vec::new(),
    }
}

/// Tags are closed in order, attributes are in quotes, text has no bare marks. Returns the names of all elements.
fn elements(xml: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        text_is_plain(&rest[..start]);
        let end = tag_end(&rest[start..]) + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "tags close in order");
            continue;
        }
        let (body, closed) = match tag.strip_suffix('/') {
            Some(body) => (body, true),
            None => (tag, false),
        };
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "`{name}` is a name");
        attributes_are_quoted(attributes);
        all.push(name.to_owned());
        if !closed {
            open.push(name.to_owned());
        }
    }
    assert!(rest.trim().is_empty() && open.is_empty(), "everything is closed");
    all
}

/// The first `>` outside quotes.
fn tag_end(text: &str) -> usize {
    let mut quoted = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return i,
            _ => {}
        }
    }
    panic!("a tag is not closed: {text}")
}

fn text_is_plain(text: &str) {
    assert!(!text.contains('>'), "{text}");
    for entity in text.split('&').skip(1) {
        let name = entity.split_once(';').expect("an entity ends").0;
        assert!(["lt", "gt", "amp", "quot"].contains(&name), "&{name};");
    }
    assert!(!text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
}

fn attributes_are_quoted(mut text: &str) {
    while let Some((name, rest)) = text.trim_start().split_once("=\"") {
        assert!(
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'),
            "`{name}`"
        );
        let (value, rest) = rest.split_once('"').expect("an attribute ends");
        assert!(!value.contains('<'));
        text_is_plain(&value.replace('>', ""));
        text = rest;
    }
    assert!(text.trim().is_empty(), "`{text}`");
}

/// The statements of a `digraph` in the form we write: nodes, and edges between declared nodes.
fn dot_statements(dot: &str) -> (usize, usize) {
    let mut lines = dot.lines();
    let first = lines.next().expect("a header");
    let title = first.strip_prefix("digraph ").and_then(|l| l.strip_suffix(" {"));
    assert_eq!(
        string_length(title.expect("a header")),
        title.map(str::len),
        "{first}"
    );
    let mut nodes: Vec<String> = Vec::new();
    let mut edges = 0;
    for line in lines {
        if line == "}" {
            return (nodes.iter().filter(|n| !n.starts_with("start")).count(), edges);
        }
        let statement = line
            .strip_prefix("  ")
            .and_then(|l| l.strip_suffix(';'))
            .expect(line);
        if statement.starts_with("rankdir")
            || statement.starts_with("node ")
            || statement.starts_with("edge ")
        {
            continue;
        }
        let (ends, attributes) = match statement.split_once(" [") {
            Some((ends, rest)) => (ends, rest.strip_suffix(']').expect(line)),
            None => (statement, ""),
        };
        attribute_list(attributes);
        match ends.split_once(" -> ") {
            None => nodes.push(ends.to_owned()),
            Some((from, to)) => {
                let declared = |name: &str| name.parse::<u32>().is_ok() || nodes.iter().any(|n| n == name);
                assert!(declared(from) && declared(to), "{line}");
                edges += usize::from(!from.starts_with("start"));
            }
        }
    }
    panic!("the graph is not closed")
}

/// `name=value, name="value"`
fn attribute_list(mut text: &str) {
    while !text.is_empty() {
        let (name, rest) = text.split_once('=').expect("an attribute has a value");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "`{name}`");
        let length = string_length(rest).unwrap_or_else(|| rest.find(',').unwrap_or(rest.len()));
        text = &rest[length..];
        text = text.strip_prefix(", ").unwrap_or_else(|| {
            assert!(text.is_empty(), "`{text}`");
            text
        });
    }
}

/// How long the string in quotes is with which a text starts.
fn string_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (i, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i + 2),
            _ => {}
        }
    }
    panic!("a string is not closed: {text}")
}

#[test]
fn marks_are_drawn() {
    let graph = small();
    let svg = graph_to_svg(&graph, "a <title> & more");
    let elements = elements(&svg);
    let count = |name: &str| elements.iter().filter(|e| *e == name).count();
    assert_eq!(count("polygon"), 1, "one deadlock");
    assert!(svg.contains("#e1f5e5"), "one end");
    assert!(svg.contains(">deadlock</text>") && svg.contains(">ended</text>"));
    assert!(!svg.contains(">run</text>"));
    let dot = graph_to_dot(&graph, "small");
    assert!(dot.contains("octagon") && dot.contains("doublecircle") && dot.contains("start0 -> 0;"));
    assert!(
        dot.contains("label=\"a\\nc\""),
        "steps side by side are one arrow:\n{dot}"
    );
}

#[test]
fn cut_states_are_dashed() {
    let text = "des (0, 2, 3)\n(0, a, 1)\n(1, a, 2)\n";
    let lts = read_aut(FileId(0), text).0.expect("the graph has no errors");
    let graph = cut_graph(&lts, Some(2));
    assert!(graph.cut.is_some());
    assert!(graph_to_svg(&graph, "").contains("stroke-dasharray"));
    assert!(graph_to_dot(&graph, "").contains("dashed"));
    assert_eq!(graph_to_json(&graph)["states"][1]["cut"], true);
}

#[test]
fn a_run_is_highlighted() {
    let mut graph = small();
    graph
        .highlight(&run(&[("a", 1)], &[("b", 0), ("c", 1)]))
        .expect("a run of the graph");
    let json = graph_to_json(&graph);
    let marked = |list: &str| -> Vec<usize> {
        let items = json[list].as_array().expect("a list");
        (0..items.len())
            .filter(|&i| items[i]["highlighted"] == true)
            .collect()
    };
    assert_eq!(marked("states"), [0, 1]);
    assert_eq!(marked("steps").len(), 3);
    assert!(graph_to_svg(&graph, "").contains("url(#fairhold_bold)"));
    assert!(graph_to_dot(&graph, "").contains("penwidth=2.5"));
    let mut idle = run(&[("a", 1), ("tau", 3)], &[]);
    idle.prefix[1].state = Vec::new();
    idle.loop_.push(RunStep {
        event: "(idle)".into(),
        processes: Vec::new(),
        changes: Vec::new(),
        state: Vec::new(),
    });
    assert!(small().highlight(&idle).is_ok());
}

#[test]
fn a_run_of_something_else_is_refused() {
    let refused = |run: &Run| small().highlight(run).unwrap_err().0;
    assert_eq!(refused(&run(&[("a", 1), ("a", 1)], &[])), 2);
    assert_eq!(refused(&run(&[("a", 2)], &[])), 1);
    let mut elsewhere = run(&[], &[]);
    elsewhere.initial = at(1);
    assert_eq!(refused(&elsewhere), 0);
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_picture_is_well_formed(lts in lts(15)) {
        let graph = graph(&lts);
        let svg = graph_to_svg(&graph, "<&\">");
        elements(&svg);
        prop_assert_eq!(&svg, &graph_to_svg(&graph, "<&\">"));
        let (nodes, edges) = dot_statements(&graph_to_dot(&graph, "a \"b\" \\"));
        prop_assert_eq!(nodes, graph.nodes.len());
        prop_assert_eq!(edges, graph.arrows().len());
        let json = graph_to_json(&graph);
        prop_assert_eq!(json["states"].as_array().map(Vec::len), Some(graph.nodes.len()));
        prop_assert_eq!(json["steps"].as_array().map(Vec::len), Some(graph.steps.len()));
    }
}
