//! `fairhold graph`: what it writes can be read again, by us and by others.

mod command;

use command::Folder;
use fairhold_testkit::examples;
use serde_json::Value as Json;
use std::path::Path;

/// States, steps, deadlocks, ends, components.
fn numbers(folder: &Folder, file: &str) -> Vec<Json> {
    let ran = folder.run(&["explore", file, "--sccs", "--format", "json"]);
    assert_eq!(ran.status(), 0, "{file}: {}", ran.err);
    let result = ran.json()["results"][0].clone();
    ["states", "steps", "deadlocks", "terminated", "depth", "sccs"]
        .map(|field| result[field].clone())
        .into()
}

#[test]
fn every_example_survives_as_an_aut_file() {
    let folder = Folder::new();
    for model in examples() {
        let model = model.display().to_string();
        let ran = folder.run(&["graph", &model, "--to", "aut", "-o", "g.aut"]);
        assert_eq!(
            (ran.status(), ran.out.as_str(), ran.err.as_str()),
            (0, "", ""),
            "{model}"
        );
        assert_eq!(numbers(&folder, &model), numbers(&folder, "g.aut"), "{model}");
    }
}

#[test]
fn every_example_can_be_drawn() {
    let folder = Folder::new();
    for model in examples() {
        let model = model.display().to_string();
        for format in ["svg", "dot"] {
            let ran = folder.run(&["graph", &model, "--to", format, "--max-states", "60"]);
            assert_eq!(ran.status(), 0, "{model}");
            let again = folder.run(&["graph", &model, "--to", format, "--max-states", "60"]);
            assert_eq!(ran.out, again.out, "{model} is drawn the same twice");
        }
    }
}

#[test]
fn json_follows_its_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/graph.schema.json");
    let text = std::fs::read_to_string(path).unwrap();
    let schema: Json = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let folder = Folder::with(
        "m.csp",
        "var board[2]; var x = 0; P = [x < 3] up{x = x + 1} -> P [] [x > 1] bad{board[x] = 1} -> P [] Skip;",
    );
    for max in ["3", "1000"] {
        let ran = folder.run(&["graph", "m.csp", "--to", "json", "--max-states", max]);
        let json = ran.json();
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
        assert_eq!(json["complete"], max == "1000");
    }
}

#[test]
fn a_saved_run_is_highlighted() {
    let folder = Folder::with(
        "m.csp",
        "#define N 1; Other = x -> Other; P = a -> b -> Stop; #assert Other deadlockfree; #assert P deadlockfree;",
    );
    folder.run(&["check", "m.csp", "--save-trace", "out", "-D", "N=2"]);
    let ran = folder.run(&["graph", "m.csp", "--to", "json", "--highlight", "out/1-none.json"]);
    assert_eq!(ran.status(), 0, "{}", ran.err);
    let json = ran.json();
    assert_eq!(
        (json["process"].as_str(), json["defines"]["N"].as_i64()),
        (Some("P"), Some(2))
    );
    for list in ["states", "steps"] {
        let items = json[list].as_array().unwrap();
        assert!(items.iter().all(|item| item["highlighted"] == true), "{json:#}");
    }
    let ran = folder.run(&["graph", "m.csp", "-P", "Other", "--highlight", "out/1-none.json"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.err.contains("[run-not-in-graph]"), "{}", ran.err);
}

#[test]
fn a_graph_is_checked_and_its_run_is_replayed() {
    let folder = Folder::with("g.aut", "des (0, 2, 3)\n(0, a, 1)\n(1, b, 2)\n");
    let ran = folder.run(&["check", "g.aut", "-p", "deadlockfree", "--save-trace", "out"]);
    assert_eq!(ran.status(), 1);
    let ran = folder.run(&["replay", "out/0-none.json"]);
    assert_eq!(ran.status(), 0, "{}{}", ran.out, ran.err);
    let ran = folder.run_with_input(
        &["explore", "-", "--lang", "aut", "--format", "json"],
        b"des (0, 0, 1)\n",
    );
    assert_eq!(ran.json()["results"][0]["states"], 1);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let folder = Folder::with("m.csp", "P = a -> P;");
    let ran = folder.run(&["graph", "m.csp", "-o", "missing/g.dot"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.err.contains("[cannot-write]"), "{}", ran.err);
}
