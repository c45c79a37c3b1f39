//! The repository keeps its own rules. That each rule can fail is tested beside the rule.

use fairhold_testkit::tidy::{Complaint, Tree, arrows, prose, text};
use std::path::{Path, PathBuf};

/// Files that may be longer than the rule says, each with its reason.
const LONG: &[(&str, &str)] = &[];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tree() -> Tree {
    let tree = Tree::read(&root()).expect("the repository can be read");
    // A walk that finds nothing would find nothing wrong either.
    assert!(
        tree.rust().count() > 20,
        "the walk over the repository misses its sources"
    );
    tree
}

fn exists(path: &str) -> bool {
    root().join(path).exists()
}

fn assert_none(complaints: &[Complaint]) {
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
}

/// Complaints of a rule about single files.
fn of_each<'a>(
    files: impl Iterator<Item = (&'a str, &'a str)>,
    rule: impl Fn(&str, &str) -> Vec<Complaint>,
) -> Vec<Complaint> {
    files.flat_map(|(path, text)| rule(path, text)).collect()
}

#[test]
fn every_rust_file_says_what_it_is_about() {
    assert_none(&of_each(tree().rust(), text::header));
}

#[test]
fn no_file_is_too_long() {
    assert_none(&text::length(tree().rust(), LONG));
}

#[test]
fn nothing_is_unfinished() {
    assert_none(&of_each(tree().rust(), text::unfinished));
}

#[test]
fn unsafe_code_stays_in_the_store() {
    assert_none(&of_each(tree().rust(), text::safety));
}

#[test]
fn no_machine_and_no_registry_is_named() {
    assert_none(&of_each(tree().files(), text::places));
}

#[test]
fn crates_depend_downwards() {
    let tree = tree();
    let manifests: Vec<_> = tree
        .files()
        .filter(|(path, _)| path.starts_with("crates/") && path.ends_with("/Cargo.toml"))
        .collect();
    assert!(manifests.len() > 5, "the manifests of the crates are missing");
    assert_none(&of_each(manifests.into_iter(), arrows::arrows));
}

#[test]
fn citations_resolve() {
    let tree = tree();
    let bibliography = tree.text("docs/refs.bib").expect("docs/refs.bib exists");
    let written = tree
        .files()
        .filter(|(path, _)| path.ends_with(".rs") || path.ends_with(".md"));
    // The rule's own tests cite what does not exist.
    let written = written.filter(|(path, _)| !path.ends_with("tidy/prose.rs"));
    assert_none(&of_each(written, |path, text| {
        prose::citations(path, text, bibliography)
    }));
}

#[test]
fn commands_of_the_readme_exist() {
    let tree = tree();
    let subcommands = prose::subcommands(
        tree.text("crates/cli/src/args.rs")
            .expect("the command line's source"),
    );
    assert!(
        subcommands.len() >= 2,
        "the subcommands are not found: {subcommands:?}"
    );
    for path in ["README.md", "CONTRIBUTING.md"] {
        let text = tree.text(path).unwrap_or_else(|| panic!("{path} exists"));
        assert!(!prose::commands(text).is_empty(), "{path} shows no command");
        assert_none(&prose::commands_exist(path, text, &subcommands, exists));
    }
    let readme = tree.text("README.md").expect("README.md exists");
    let command = "cargo xtask test --all";
    let ci = tree.text(".ci/run").expect(".ci/run exists");
    assert!(
        prose::commands(readme).iter().any(|&(_, c)| c == command),
        "the README shows `{command}`"
    );
    assert!(ci.lines().any(|line| line == command), ".ci/run runs `{command}`");
}

#[test]
fn links_lead_somewhere() {
    let tree = tree();
    let markdown = tree
        .files()
        .filter(|(path, _)| path.ends_with(".md") && !path.starts_with("spec/"));
    assert_none(&of_each(markdown, |path, text| prose::links(path, text, exists)));
}

#[test]
fn changes_are_logged() {
    let tree = tree();
    let text = tree.text("CHANGELOG.md").expect("CHANGELOG.md exists");
    assert_none(&prose::change_log("CHANGELOG.md", text));
}
