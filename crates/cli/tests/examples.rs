//! Every shipped model tells its story, says what it expects, and keeps it.

use fairhold_testkit::{examples, examples_in, protocols};
use std::path::PathBuf;
use std::process::Command;

/// All of them, in every language.
fn all() -> impl Iterator<Item = PathBuf> {
    examples()
        .into_iter()
        .chain(examples_in("kts"))
        .chain(protocols())
}

#[test]
fn verdicts_are_the_expected_ones() {
    for model in all() {
        let output = Command::new(env!("CARGO_BIN_EXE_fairhold"))
            .arg("check")
            .arg(&model)
            .output()
            .expect("the binary runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{text}{messages}", model.display());
        assert!(!messages.contains("warning"), "{}:\n{messages}", model.display());
    }
}

#[test]
fn every_model_explains_itself_and_every_assertion_expects() {
    for model in all() {
        let text = std::fs::read_to_string(&model).expect("a model can be read");
        assert!(
            text.starts_with("// "),
            "{} does not open with its story",
            model.display()
        );
        let mut assertions = 0;
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, l)| asserts(l)) {
            assertions += 1;
            let below = lines.get(i + 1).is_some_and(|l| l.starts_with("//@ expect: "));
            assert!(
                line.contains("//@ expect: ") || below,
                "{}: `{line}` expects nothing",
                model.display()
            );
        }
        let protocol = model.extension().is_some_and(|e| e == "pp");
        assert!(
            protocol || text.lines().any(|l| l.starts_with("#assert") && l.contains("|=")),
            "{} has no formula",
            model.display()
        );
        assert!(assertions > 0, "{} asserts nothing", model.display());
    }
}

/// Whether a line is an assertion, in whatever language.
fn asserts(line: &str) -> bool {
    line.starts_with("#assert") || line.starts_with("assert ")
}
