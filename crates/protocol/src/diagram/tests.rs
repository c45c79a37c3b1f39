//! Diagrams of small runs, as text and as pictures.

use super::*;
use crate::read_protocol;
use fairhold_source::SourceMap;

fn protocol(text: &str) -> Protocol {
    let mut map = SourceMap::new();
    let file = map.add("p.pp", text);
    let (protocol, wrong) = read_protocol(&map, file, &[]);
    protocol.unwrap_or_else(|| panic!("{wrong:?}"))
}

fn list(values: &[i64]) -> Value {
    Value::List(values.iter().map(|v| Value::Int(*v)).collect())
}

fn step(event: &str, token: &[i64]) -> RunStep {
    RunStep {
        event: event.to_owned(),
        processes: Vec::new(),
        changes: vec![("token".to_owned(), list(token))],
        state: Vec::new(),
    }
}

const RING: &str = "size N = 3 topology ring input root: bool = node == 0 field token: bool
    move: (token=1), (token=0) -> (token=0), (token=1) assert deadlockfree";

fn lasso() -> Run {
    Run {
        initial: vec![
            ("root".to_owned(), list(&[1, 0, 0])),
            ("token".to_owned(), list(&[1, 0, 0])),
        ],
        prefix: vec![step("move.0.1", &[0, 1, 0])],
        loop_: vec![
            step("move.1.2", &[0, 0, 1]),
            step("move.2.0", &[1, 0, 0]),
            step("move.0.1", &[0, 1, 0]),
        ],
        ..Run::default()
    }
}

#[test]
fn a_ring_is_drawn_around() {
    let diagram = Diagram::new(&protocol(RING), &lasso()).unwrap();
    let expected = "  nodes show token; * marks what a step changes
  step  event         0      1      2
        root          1      0      0
     0                1      0      0
     1  move.0.1     *0 --> *1      0
        the loop starts here
  |  2  move.1.2      0     *0 --> *1
  |  3  move.2.0  -> *1      0     *0 ->
  |  4  move.0.1     *0 --> *1      0
        back to the configuration after step 1
";
    assert_eq!(diagram.to_text(80).unwrap(), expected);
    assert_eq!(diagram.to_text(20), None);
}

#[test]
fn a_tree_has_the_parent_between_its_children() {
    let text = RING.replace("N = 3", "N = 6").replace("ring", "tree");
    assert_eq!(order(&protocol(&text)), [3, 1, 4, 0, 5, 2]);
}

#[test]
fn far_interactions_go_through() {
    let text = RING.replace("ring", "complete");
    let run = Run {
        loop_: Vec::new(),
        prefix: vec![step("move.2.0", &[1, 0, 1]), step("nonsense", &[1, 0, 1])],
        ..lasso()
    };
    let diagram = Diagram::new(&protocol(&text), &run).unwrap();
    let text = diagram.to_text(80).unwrap();
    assert!(text.contains("     1  move.2.0   1 <--  0 --- *1\n"), "{text}");
    assert!(text.contains("     2  nonsense   1      0      1\n"), "{text}");
}

#[test]
fn what_is_not_node_by_node_has_none() {
    let mut run = lasso();
    run.initial[1].1 = list(&[1, 0]);
    assert_eq!(Diagram::new(&protocol(RING), &run), None);
    assert_eq!(Diagram::new(&protocol(RING), &Run::default()), None);
}

#[test]
fn a_picture_is_closed_and_escaped() {
    let diagram = Diagram::new(&protocol(RING), &lasso()).unwrap();
    let svg = diagram.to_svg("a < b & c");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("a &lt; b &amp; c") && svg.contains(">loop<"));
    assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
}
