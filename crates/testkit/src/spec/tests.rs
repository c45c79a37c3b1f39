//! Tests of the runner itself: it must pass what is right and, above all, fail what is wrong.

use super::*;
use std::os::unix::fs::PermissionsExt;

/// A stand-in for the binary: prints its arguments, one word on standard error, its input if asked to, and fails
/// if the first argument says so.
const STAND_IN: &str = "#!/bin/sh
echo \"args: $*\"
echo noise >&2
[ \"$1\" = input ] && while read -r line; do echo \"line: $line\"; done
[ \"$1\" = list ] && echo *
[ \"$1\" = fail ] && exit 3
exit 0
";

fn in_folder(document: &str) -> (Folder, PathBuf, PathBuf) {
    let folder = Folder::with(&[
        ("doc.md".into(), document.into()),
        ("bin".into(), STAND_IN.into()),
    ])
    .unwrap();
    let (path, binary) = (folder.path().join("doc.md"), folder.path().join("bin"));
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path, binary)
}

/// Runs all tests of a document; the first failure.
fn outcome(document: &str) -> Result<usize, String> {
    outcome_in(Kind::Specification, document)
}

fn outcome_in(kind: Kind, document: &str) -> Result<usize, String> {
    let (_folder, path, binary) = in_folder(document);
    let document = load(&path, kind)?;
    for test in &document.tests {
        run(test, &path, &binary)?;
    }
    Ok(document.tests.len())
}

#[test]
fn a_right_document_passes() {
    let document = "\
# Title

```csp shared.csp
P = a -> P;
```

## First

Prose.

```console
$ fairhold list
args: list
shared.csp
noise
$ fairhold fail 'a b'
args: fail a b
noise
[exit 3]
```

## Second

### Inner

```csp own.csp
Q = Stop;
```

```console
$ fairhold input < own.csp
args: input
line: Q = Stop;
...
$ fairhold list > seen.txt
noise
$ fairhold input < seen.txt
[..]: input
...
line: own.csp seen.txt shared.csp
noise
```
";
    assert_eq!(outcome(document), Ok(2));
    let document = Document::parse(document).unwrap();
    assert_eq!(document.tests[0].title, "First");
    assert_eq!(document.tests[1].title, "Second / Inner");
    assert_eq!(document.tests[1].items[0].line, 31);
}

/// A document with one transcript.
fn with(transcript: &str) -> String {
    format!("# T\n\n## H\n\n```console\n{transcript}\n```\n")
}

#[test]
fn wrong_output_fails_with_place_and_difference() {
    let message = outcome(&with("$ fairhold x\nargs: y\nnoise")).unwrap_err();
    assert!(message.contains("doc.md:6: another output"), "{message}");
    assert!(message.contains("- args: y\n+ args: x\n  noise\n"), "{message}");
}

#[test]
fn a_wrong_status_fails() {
    assert!(outcome(&with("$ fairhold fail\nargs: fail\nnoise")).is_err());
    assert!(outcome(&with("$ fairhold fail\nargs: fail\nnoise\n[exit 1]")).is_err());
    assert!(outcome(&with("$ fairhold x\nargs: x\nnoise\n[exit 3]")).is_err());
}

#[test]
fn missing_and_extra_output_fail() {
    assert!(outcome(&with("$ fairhold x\nargs: x")).is_err());
    assert!(outcome(&with("$ fairhold x\nargs: x\nnoise\nmore")).is_err());
    assert!(outcome(&with("$ fairhold x")).is_err());
}

#[test]
fn faulty_documents_fail() {
    for (document, complaint) in [
        ("# T\n\nOnly prose.\n", "no test in this document"),
        (
            "# T\n\n```console\n$ fairhold x\n```\n",
            "needs a heading of level 2",
        ),
        ("## H\n\n```console\n$ fairhold x\n", "never closed"),
        ("## H\n\n```console\nfairhold x\n```\n", "starts with `$ `"),
        ("## H\n\n```console\n```\n", "holds no command"),
        ("## H\n\n```csp a.csp\n```\n```csp a.csp\n```\n", "given twice"),
        (&with("$ cargo build"), "transcripts run `fairhold` only"),
        (&with("$ fairhold x | sort"), "is a shell's"),
    ] {
        let message = outcome(document).unwrap_err();
        assert!(message.contains(complaint), "{document:?} gave {message:?}");
    }
}

#[test]
fn blessing_writes_what_was_printed_and_then_passes() {
    let wrong = with("$ fairhold x\nargs: [..]\nold\n$ fairhold fail");
    let right = with("$ fairhold x\nargs: [..]\nnoise\n$ fairhold fail\nargs: fail\nnoise\n[exit 3]");
    let (_folder, path, binary) = in_folder(&wrong);
    assert_eq!(bless(&path, Kind::Specification, &binary), Ok(true));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), right);
    assert_eq!(bless(&path, Kind::Specification, &binary), Ok(false));
    assert_eq!(outcome(&right), Ok(1));
}

#[test]
fn a_story_runs_in_order_in_one_folder() {
    let story = "\
# A story

<!-- one story: the commands run in order, in one folder -->

```csp a.csp
old
```

## First

```console
$ fairhold input < a.csp
args: input
line: old
noise
$ fairhold x > seen.txt
noise
```

## Then

```csp a.csp
new
```

```console
$ fairhold input < a.csp
args: input
line: new
noise
$ fairhold input < seen.txt
args: input
line: args: x
noise
```
";
    assert_eq!(outcome_in(Kind::Book, story), Ok(1));
    assert_eq!(outcome(story), Ok(1));
    assert!(outcome(&story.replace("line: new", "line: old")).is_err());
    let loose = format!("{story}\n```csp b.csp\n```\n");
    assert!(outcome_in(Kind::Book, &loose).is_err());
}

#[test]
fn in_the_book_every_model_is_looked_at() {
    assert_eq!(outcome_in(Kind::Book, "# T\n\nOnly prose.\n"), Ok(0));
    let right = "# T\n```csp a.csp\n```\n## H\n### I\n```console\n$ fairhold x\n...\n```\n## J\nProse.\n";
    assert_eq!(outcome_in(Kind::Book, right), Ok(1));
    for (document, complaint) in [
        ("# T\n\n```csp\nP = Stop;\n```\n", "doc.md:3: a model without"),
        ("# T\n\n```csp a.csp\nP = Stop;\n```\n", "doc.md:3: no command"),
        (
            "# T\n## H\n```csp a.csp\n```\n## I\n```console\n$ fairhold x\n...\n```\n",
            "doc.md:3: no command",
        ),
    ] {
        let message = outcome_in(Kind::Book, document).unwrap_err();
        assert!(message.contains(complaint), "{document:?} gave {message:?}");
    }
}
