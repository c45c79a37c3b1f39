//! The formats other programs read, checked against what is promised.

mod command;

use command::{EVERY_VERDICT, Folder};
use serde_json::{Value as Json, json};

fn schema(name: &str) -> jsonschema::Validator {
    let path = format!(
        "{}/../../docs/schema/{name}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn assert_valid(validator: &jsonschema::Validator, json: &Json) {
    let errors: Vec<String> = validator
        .iter_errors(json)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
}

#[test]
fn check_follows_its_schema_for_every_verdict() {
    let validator = schema("check");
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    for trace in ["short", "full", "none"] {
        let ran = folder.run(&["check", "m.csp", "--format", "json", "--trace", trace]);
        let json = ran.json();
        assert_valid(&validator, &json);
        let results = json["results"].as_array().unwrap();
        let verdicts: Vec<&str> = results.iter().map(|r| r["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["holds", "fails", "unknown", "error"]);
    }
    let witness = folder
        .run(&["check", "m.csp", "-p", "P reaches x == 2", "--format", "json"])
        .json();
    assert_valid(&validator, &witness);
    assert!(witness["results"][0]["witness"].is_object());
    for args in [
        &["missing.csp"][..],
        &["m.csp", "-a", "99"],
        &["m.csp", "--timeout", "x"],
    ] {
        let ran = folder.run(&[&["check", "--format", "json"], args].concat());
        assert_valid(&validator, &ran.json());
    }
}

#[test]
fn explore_follows_its_schema() {
    let validator = schema("explore");
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    for args in [
        &["-P", "P"][..],
        &["-P", "P", "--sccs"],
        &["-P", "Q"],
        &["-P", "Nobody"],
        &["-P", "P", "--max-states", "1"],
    ] {
        let json = folder
            .run(&[&["explore", "m.csp", "--format", "json"], args].concat())
            .json();
        assert_valid(&validator, &json);
    }
    let json = folder
        .run(&["explore", "m.csp", "-P", "P", "--sccs", "--format", "json"])
        .json();
    let result = &json["results"][0];
    for (field, value) in [
        ("states", 3),
        ("steps", 2),
        ("depth", 2),
        ("deadlocks", 1),
        ("terminated", 0),
        ("sccs", 3),
    ] {
        assert_eq!(result[field], value, "{field}");
    }
    let text = folder.run(&["explore", "m.csp", "-P", "P"]);
    assert_eq!(text.status(), 0);
    assert!(text.out.contains("states"), "{}", text.out);
}

#[test]
fn json_has_the_promised_fields_in_order() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let json = folder
        .run(&["check", "m.csp", "-a", "1", "--format", "json"])
        .json();
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["schema", "fairhold", "diagnostics", "results"]);
    let result = &json["results"][0];
    assert_eq!(
        keys(result)[..7],
        [
            "file",
            "index",
            "assertion",
            "defines",
            "fairness",
            "annotations",
            "verdict"
        ]
    );
    assert_eq!(result["index"], 1);
    let run = &result["counterexample"];
    assert_eq!(run["initial"]["x"], 0);
    assert_eq!(run["initial"]["board"], json!([0, 0]));
    assert!(run["initial"]["process 0"].is_string());
    let step = json!({ "event": "up", "processes": [0], "changes": { "x": 1, "board": [0, 1] } });
    assert_eq!(run["prefix"][0], step);
    assert_eq!(run["loop"], json!([]));
    let full = folder
        .run(&["check", "m.csp", "-a", "1", "--format", "json", "--trace", "full"])
        .json();
    assert_eq!(full["results"][0]["counterexample"]["prefix"][1]["state"]["x"], 2);
}

#[test]
fn one_thread_is_reproducible() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let run = || {
        let mut json = folder
            .run(&["check", "m.csp", "--format", "json", "-j", "1"])
            .json();
        for result in json["results"].as_array_mut().unwrap() {
            result["seconds"] = json!(0);
            result["peak_mb"] = json!(0);
        }
        json.to_string()
    };
    assert_eq!(run(), run());
}

#[test]
fn junit_counts_what_does_not_pass() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let ran = folder.run(&["check", "m.csp", "--format", "junit"]);
    assert_eq!(ran.status(), 1);
    assert!(
        ran.out
            .starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    );
    assert!(
        ran.out
            .contains("<testsuite name=\"m.csp\" tests=\"4\" failures=\"1\" errors=\"2\""),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("<failure type=\"fails\" message=\"fails: deadlock after 2 steps\">"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("name=\"#2 R refines R\""), "{}", ran.out);
    assert!(ran.out.trim_end().ends_with("</testsuites>"));
}

#[test]
fn sarif_points_at_the_assertion() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let ran = folder.run(&["check", "m.csp", "--format", "sarif"]);
    assert_eq!(ran.status(), 1);
    let json = ran.json();
    assert_eq!(json["version"], "2.1.0");
    let results = json["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<&str> = results.iter().map(|r| r["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["none", "error", "warning", "error"]);
    let place = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "m.csp");
    assert_eq!(place["region"]["startLine"], 7);
}

#[test]
fn runs_are_saved() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let ran = folder.run(&["check", "m.csp", "--save-trace", "out/runs"]);
    assert_eq!(ran.status(), 1);
    let text = std::fs::read_to_string(folder.path().join("out/runs/1-none.json")).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(json["verdict"], "fails");
    assert_eq!(json["source_sha256"].as_str().unwrap().len(), 64);
    assert!(json["counterexample"]["prefix"][0]["state"].is_object());
    assert!(!folder.path().join("out/runs/0-none.json").exists());
}

#[test]
fn saved_runs_of_models_of_one_name_keep_apart() {
    let folder = Folder::with("a/m.csp", EVERY_VERDICT);
    folder.write("b/m.csp", EVERY_VERDICT.as_bytes());
    let ran = folder.run(&["check", "a/m.csp", "b/m.csp", "-a", "1", "--save-trace", "out"]);
    assert_eq!(ran.status(), 1);
    for (name, file) in [("m-1-none.json", "a/m.csp"), ("m-1-none-2.json", "b/m.csp")] {
        let text = std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap()["file"], file);
        assert_eq!(folder.run(&["replay", &format!("out/{name}")]).status(), 0);
    }
}

#[test]
fn walks_and_replays_follow_their_schemas() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let walked = folder.run(&[
        "simulate", "m.csp", "-P", "P", "--random", "2", "--format", "json",
    ]);
    assert_eq!(walked.status(), 0);
    assert_valid(&schema("walk"), &walked.json());
    folder.write("walk.json", walked.out.as_bytes());
    folder.write("wrong.json", walked.out.replace("up", "down").as_bytes());
    let saved = folder.run(&["check", "m.csp", "--save-trace", "out"]);
    assert_eq!(saved.status(), 1);
    let validator = schema("replay");
    for (trace, status) in [
        ("walk.json", 0),
        ("out/1-none.json", 0),
        ("out/3-none.json", 0),
        ("wrong.json", 1),
        ("m.csp", 2),
    ] {
        for detail in ["short", "full", "none"] {
            let ran = folder.run(&["replay", trace, "--format", "json", "--trace", detail]);
            assert_eq!(ran.status(), status, "{trace}: {ran:?}");
            assert_valid(&validator, &ran.json());
            assert_eq!(
                ran.json()["results"].as_array().unwrap().len(),
                usize::from(status < 2)
            );
        }
    }
}

const TOKEN: &str = "size N = 3 topology ring field token: bool
    move: (token=1), (token=0) -> (token=0), (token=1)
    initial where #token > 0
    assert stable #token == 1
    assert reaches (token[0] = 1)";

#[test]
fn sweeps_and_samples_follow_their_schemas() {
    let folder = Folder::with("token.pp", TOKEN);
    let swept = folder.run(&["check", "token.pp", "--sizes", "1..4", "--format", "json"]);
    assert_eq!(swept.status(), 1);
    assert_valid(&schema("check"), &swept.json());
    let sizes = &swept.json()["sizes"];
    assert_eq!(sizes["left_out"][0]["size"], 1);
    assert_eq!(sizes["assertions"][0]["smallest_failing"], 2);
    assert_eq!(sizes["assertions"][4]["smallest_failing"], Json::Null);
    for (arguments, status) in [
        (&["--runs", "9"][..], 0),
        (
            &["--runs", "3", "--until", "token[0] = 1", "--max-steps", "50"],
            0,
        ),
        (&["--runs", "3", "--until", "x"], 2),
    ] {
        let ran = folder.run(&[&["simulate", "token.pp", "--format", "json"], arguments].concat());
        assert_eq!(ran.status(), status, "{ran:?}");
        assert_valid(&schema("sample"), &ran.json());
        assert_eq!(
            ran.json()["results"].as_array().unwrap().len(),
            usize::from(status == 0)
        );
    }
}
