//! Runs `spec/*.md` and the book: documentation whose examples are tests.
//!
//! A document is plain Markdown. What it means to the runner:
//!
//! | in the text | meaning |
//! |---|---|
//! | a heading of level 2 or more with a `console` block under it | one test, named by the headings above it |
//! | a fenced block with an info string of language and file name, such as `csp dp.csp` | a file; the tests under the same heading, and under headings inside it, find it in their folder. Under the title it is there for the whole document |
//! | a fenced block `console` | commands, `$ ` before each, and exactly what each prints: first standard output, then standard error, then `[exit 1]` if the status is 1 |
//! | `[..]` in expected output | any text within the line |
//! | a line `...` in expected output | any lines, also none |
//!
//! A command is `fairhold` with arguments: quotes work as in a shell, `< file` and `> file` redirect, `NAME=value` in
//! front sets a variable; nothing else is a shell's. Every test has a new folder of its own and an empty environment,
//! so the order of tests does not matter and they run side by side.
//!
//! A page with the line `<!-- one story: the commands run in order, in one folder -->` is one test: each file is written
//! where it stands, and the commands run from top to bottom, as a reader would type them.
//!
//! In the book ([`Kind::Book`]) a page need not hold a test, but every `csp` block must be seen by one.
//!
//! With `FAIRHOLD_BLESS=1` the runner writes what the commands print into the documents instead of comparing:
//! lines that still match keep their `[..]`, and times and memory sizes in new lines become `[..]`. Read the
//! difference before you keep it.

mod document;
mod folder;
mod shell;
mod transcript;

use document::{Document, Item, Test};
use folder::Folder;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is asked of the documents of a folder, beyond passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Every document holds a test.
    Specification,
    /// Every model in a document is seen by a test.
    Book,
}

/// Runs every document of a folder as the main function of a test target without harness.
///
/// `binary` is what `fairhold` means in a transcript. Takes the usual arguments of a test binary.
pub fn main(folder: &Path, kind: Kind, binary: &Path) -> ExitCode {
    let documents = match documents(folder) {
        Ok(documents) => documents,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    if std::env::var_os("FAIRHOLD_BLESS").is_some_and(|v| v == "1") {
        return bless_all(&documents, kind, binary);
    }
    let arguments = Arguments::from_args();
    let trials = documents
        .iter()
        .flat_map(|path| trials(path, kind, binary))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A heading of a document with commands under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The heading, without those above it.
    pub heading: String,
    /// The exit status that the document shows for each command, in order.
    pub statuses: Vec<i32>,
}

/// The examples of a document, as it shows them: nothing is run.
pub fn examples(path: &Path) -> Result<Vec<Example>, String> {
    let example = |test: Test| Example {
        statuses: test.items.iter().map(Item::status).collect(),
        heading: test.heading,
    };
    let document = load(path, Kind::Specification)?;
    Ok(document.tests.into_iter().map(example).collect())
}

/// The documents of a folder by name.
fn documents(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    paths.sort();
    Ok(paths)
}

/// One trial a test; a document that cannot be read is one trial that fails.
fn trials(path: &Path, kind: Kind, binary: &Path) -> Vec<Trial> {
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    match load(path, kind) {
        Ok(document) => document
            .tests
            .into_iter()
            .map(|test| {
                let (path, binary) = (path.to_owned(), binary.to_owned());
                let name = format!("{stem}: {}", test.title);
                Trial::test(name, move || run(&test, &path, &binary).map_err(Failed::from))
            })
            .collect(),
        Err(message) => vec![Trial::test(stem, move || Err(Failed::from(message)))],
    }
}

fn load(path: &Path, kind: Kind) -> Result<Document, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Document::parse(&text)
        .and_then(|document| match kind {
            Kind::Specification => document.tested(),
            Kind::Book => document.without_idle_models(),
        })
        .map_err(|fault| format!("{}:{}: {}", path.display(), fault.line, fault.message))
}

/// Runs one test: the first command whose output differs ends it.
fn run(test: &Test, path: &Path, binary: &Path) -> Result<(), String> {
    let folder = Folder::with(&test.files).map_err(|e| format!("cannot write the test's files: {e}"))?;
    for item in &test.items {
        let place = format!("{}:{}", path.display(), item.line);
        folder
            .write(&item.files)
            .map_err(|e| format!("{place}: cannot write a file: {e}"))?;
        let printed = shell::run(&item.command, folder.path(), binary)
            .map_err(|message| format!("{place}: {message}"))?;
        if !transcript::matches(&item.expected, &printed) {
            let difference = transcript::difference(&item.expected, &printed);
            return Err(format!(
                "{place}: another output than expected\n$ {}\n{difference}",
                item.command
            ));
        }
    }
    Ok(())
}

/// Rewrites all documents; reports those that changed.
fn bless_all(documents: &[PathBuf], kind: Kind, binary: &Path) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for path in documents {
        match bless(path, kind, binary) {
            Ok(true) => println!("{}: rewritten", path.display()),
            Ok(false) => {}
            Err(message) => {
                eprintln!("{message}");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

/// Rewrites one document in place; says whether that changed it.
fn bless(path: &Path, kind: Kind, binary: &Path) -> Result<bool, String> {
    let document = load(path, kind)?;
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut edits: Vec<(&Item, Vec<String>)> = Vec::new();
    for test in &document.tests {
        let folder = Folder::with(&test.files).map_err(|e| format!("cannot write the test's files: {e}"))?;
        for item in &test.items {
            folder
                .write(&item.files)
                .map_err(|e| format!("{}:{}: cannot write a file: {e}", path.display(), item.line))?;
            let printed = shell::run(&item.command, folder.path(), binary)
                .map_err(|message| format!("{}:{}: {message}", path.display(), item.line))?;
            edits.push((item, transcript::bless(&item.expected, &printed)));
        }
    }
    let blessed = document::rewrite(&text, &edits);
    if blessed == text {
        return Ok(false);
    }
    std::fs::write(path, blessed).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests;
