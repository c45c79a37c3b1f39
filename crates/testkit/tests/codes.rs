//! Every diagnostic is documented: each code in the sources occurs in `spec/*.md`, in a message that a test prints.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Crates that report diagnostics.
const SOURCES: &[&str] = &[
    "crates/system/src",
    "crates/logic/src",
    "crates/csp/src",
    "crates/protocol/src",
    "crates/structure/src",
    "crates/fairhold/src",
    "crates/cli/src",
];

/// Codes that no small document can provoke, each with the test that does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("not-utf8", "crates/cli/tests/odd_files.rs"),
    ("file-too-large", "crates/cli/tests/odd_files.rs"),
    ("too-deep", "crates/cli/tests/odd_files.rs"),
    ("too-long", "crates/cli/tests/odd_files.rs"),
    ("too-many-includes", "crates/cli/tests/odd_files.rs"),
    ("many-initial-states", "crates/fairhold/src/graph.rs"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of all files below a folder with this extension.
fn texts(folder: &Path, extension: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut texts = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            texts.extend(self::texts(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            texts.push(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        }
    }
    texts
}

/// The codes that a source mentions: every string of the form of a code (lower-case words joined by `-`), and the first
/// argument of a constructor of a diagnostic.
fn codes(source: &str) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or(source);
    let is_code = |s: &str| {
        s.contains('-')
            && s.split('-')
                .all(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
            && s.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let mut codes = BTreeSet::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        codes.extend(
            line.split('"')
                .skip(1)
                .step_by(2)
                .filter(|s| is_code(s))
                .map(str::to_owned),
        );
    }
    // A code of one word is only found where it is used as one.
    for constructor in ["error(", "warning(", "bare(", "usage("] {
        for after in source.split(&format!("Diagnostic::{constructor}")).skip(1) {
            let code = after
                .trim_start()
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next());
            codes.extend(code.map(str::to_owned));
        }
    }
    codes
}

/// Strings of that form that are no codes, and the code of a fault of our own, which nobody can provoke on purpose.
fn is_other(code: &str) -> bool {
    matches!(code, "never-enabled" | "internal" | "self-stabilising")
}

#[test]
fn every_code_is_in_the_specification() {
    let spec = texts(&root().join("spec"), "md").concat();
    let mut sources: Vec<String> = Vec::new();
    for folder in SOURCES {
        sources.extend(texts(&root().join(folder), "rs"));
    }
    let found: BTreeSet<String> = sources
        .iter()
        .flat_map(|s| codes(s))
        .filter(|c| !is_other(c))
        .collect();
    assert!(found.len() > 60, "the codes are not found: {found:?}");
    let missing: Vec<&String> = found
        .iter()
        .filter(|code| !spec.contains(&format!("[{code}]")))
        .filter(|code| !ELSEWHERE.iter().any(|(c, _)| c == code))
        .collect();
    assert!(
        missing.is_empty(),
        "no document of spec/ shows these codes: {missing:?}"
    );
}

#[test]
fn codes_without_a_document_have_a_test() {
    for (code, test) in ELSEWHERE {
        let path = root().join(test);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{test}: {e}"));
        assert!(
            text.contains(&format!("\"{code}\"")),
            "{test} does not test `{code}`"
        );
    }
}
