//! The book is whole: its table of contents names every page, what pages include exists, the page on commands is the
//! one that the program writes, and so are the pictures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// The files under a folder, by their path from `docs/src`.
fn files(folder: &Path, under: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("docs/src can be listed") {
        let entry = entry.expect("docs/src can be listed");
        let name = format!("{under}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

fn all_files() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    files(&source(), "", &mut found);
    found
}

fn all_pages() -> BTreeSet<String> {
    let mut found = all_files();
    found.retain(|name| !name.ends_with(".svg"));
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

/// The model that stands in a page under this name.
fn model<'a>(page: &'a str, name: &str) -> &'a str {
    let start = format!("```csp {name}\n");
    let rest = page.split(&start).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("no page shows {name}"));
    rest.split("```").next().unwrap_or_default()
}

/// The pictures that a page shows, by their path from `docs/src`.
fn shown(page: &str) -> Vec<String> {
    let text = text(page);
    let links = text.split("](").skip(1);
    let targets = links.filter_map(|rest| rest.split(')').next());
    targets
        .filter(|t| t.ends_with(".svg"))
        .map(str::to_owned)
        .collect()
}

/// A picture `page/x.svg` is drawn from the model `x.csp` of `page.md`, by the command that the page shows. With
/// `FAIRHOLD_BLESS=1` it is drawn anew.
#[test]
fn pictures_are_what_the_program_draws() {
    let bless = std::env::var_os("FAIRHOLD_BLESS").is_some_and(|v| v == "1");
    let mut drawn = BTreeSet::new();
    for page in all_pages() {
        for picture in shown(&page) {
            let stem = picture.rsplit('/').next().unwrap_or_default();
            let stem = stem.strip_suffix(".svg").expect("a picture is an .svg");
            let file = format!("{stem}.csp");
            let command = format!("$ fairhold graph {file} --to svg -o {stem}.svg\n");
            let told = text(&page).contains(&command);
            assert!(told, "{page} does not say how {picture} is drawn");
            let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(page.trim_end_matches(".md"));
            std::fs::create_dir_all(&place).expect("the folder for tests can be written to");
            std::fs::write(place.join(&file), model(&text(&page), &file)).expect("a model can be written");
            let output = Command::new(env!("CARGO_BIN_EXE_fairhold"))
                .current_dir(&place)
                .args(["graph", &file, "--to", "svg"])
                .output()
                .expect("the binary runs");
            assert!(output.status.success(), "{file} of {page} can be drawn");
            if bless {
                std::fs::write(source().join(&picture), &output.stdout).expect("a picture can be written");
            }
            assert!(
                text(&picture).as_bytes() == output.stdout,
                "docs/src/{picture} is not what the program draws: run this test with FAIRHOLD_BLESS=1"
            );
            drawn.insert(picture);
        }
    }
    let mut pictures = all_files();
    pictures.retain(|name| name.ends_with(".svg"));
    assert!(!pictures.is_empty(), "the book has pictures");
    assert_eq!(pictures, drawn, "every picture is shown by a page");
}
