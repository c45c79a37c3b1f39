//! The book is whole: its table of contents names every page, what pages include exists, and the page on commands is
//! the one that the program writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// The pages under a folder, by their path from `docs/src`.
fn pages(folder: &Path, under: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("docs/src can be listed") {
        let entry = entry.expect("docs/src can be listed");
        let name = format!("{under}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            pages(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

fn all_pages() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    pages(&source(), "", &mut found);
    assert!(found.remove("SUMMARY.md"), "the book has a table of contents");
    found
}

fn text(page: &str) -> String {
    std::fs::read_to_string(source().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

#[test]
fn the_table_of_contents_names_every_page() {
    let summary = text("SUMMARY.md");
    let named: BTreeSet<String> = summary
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(named, all_pages());
}

#[test]
fn what_pages_include_exists() {
    let mut included = 0;
    for page in all_pages() {
        let folder = source().join(&page);
        let folder = folder.parent().expect("a page lies in a folder");
        for rest in text(&page).split("{{#include ").skip(1) {
            let target = rest.split("}}").next().unwrap_or_default();
            assert!(folder.join(target).is_file(), "{page} includes {target}");
            included += 1;
        }
    }
    assert!(included >= 6, "the language is included from spec/");
}

#[test]
fn the_page_on_commands_is_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_fairhold"))
        .args(["man", "--to", "markdown"])
        .output()
        .expect("the binary runs");
    assert!(
        text("commands.md") == String::from_utf8_lossy(&output.stdout),
        "docs/src/commands.md is not what `fairhold man --to markdown` prints: run `cargo xtask docs`"
    );
}
