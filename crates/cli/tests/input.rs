//! Files that are not models, and models that are not files.

mod command;

use command::{EVERY_VERDICT, Folder};

fn codes(folder: &Folder, file: &str) -> Vec<String> {
    let ran = folder.run(&["check", file, "--format", "json"]);
    assert_eq!(ran.status(), 2, "{ran:?}");
    assert!(ran.json()["results"].as_array().unwrap().is_empty());
    ran.codes()
}

#[test]
fn faults_of_the_world_are_diagnostics() {
    let folder = Folder::new();
    folder.write("sub.csp/inner", b"");
    folder.write("binary.csp", b"P = a -> \xff\xfe P;");
    folder.write("dp.xyz", EVERY_VERDICT.as_bytes());
    let large = std::fs::File::create(folder.path().join("large.csp")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    assert_eq!(codes(&folder, "missing.csp"), ["cannot-read"]);
    assert_eq!(codes(&folder, "sub.csp"), ["cannot-read"]);
    assert_eq!(codes(&folder, "binary.csp"), ["not-utf8"]);
    assert_eq!(codes(&folder, "large.csp"), ["file-too-large"]);
    assert_eq!(codes(&folder, "dp.xyz"), ["unknown-language"]);
    let named = folder.run(&["check", "dp.xyz", "--lang", "csp", "-a", "0"]);
    assert_eq!(named.status(), 0, "{named:?}");
}

#[test]
fn odd_texts_do_not_crash() {
    let folder = Folder::new();
    folder.write("empty.csp", b"");
    folder.write("parens.csp", &vec![b'('; 1 << 20]);
    let mut nested = b"P = ".to_vec();
    nested.extend(vec![b'('; 200_000]);
    folder.write("nested.csp", &nested);
    let chain = format!("P = {}Stop;\n#assert P deadlockfree;\n", "a -> ".repeat(20_000));
    folder.write("chain.csp", chain.as_bytes());
    for file in ["empty.csp", "parens.csp", "nested.csp"] {
        assert!(!codes(&folder, file).is_empty(), "{file}");
    }
    let status = folder.run(&["check", "chain.csp", "--trace", "none"]).status();
    assert!([1, 2, 3].contains(&status), "{status}");
}

#[test]
fn diagnostics_have_places() {
    let folder = Folder::with("m.csp", "P = a -> P;\n#assert Q deadlockfree;\n");
    let ran = folder.run(&["check", "m.csp", "--format", "json"]);
    assert_eq!(ran.status(), 2);
    let diagnostic = ran.json()["diagnostics"][0].clone();
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["file"], "m.csp");
    assert_eq!(
        (&diagnostic["line"], &diagnostic["column"]),
        (&2.into(), &9.into())
    );
    let text = folder.run(&["check", "m.csp"]);
    assert!(text.err.contains("m.csp:2:9") && text.out.is_empty(), "{text:?}");
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = Folder::new();
    let args = ["check", "-", "--lang", "csp", "-a", "0", "--format", "json"];
    let ran = folder.run_with_input(&args, EVERY_VERDICT.as_bytes());
    assert_eq!(ran.status(), 0, "{ran:?}");
    assert_eq!(ran.json()["results"][0]["file"], "-");
    let unnamed = folder.run_with_input(&["check", "-"], EVERY_VERDICT.as_bytes());
    assert_eq!(unnamed.status(), 2);
    let endless = folder.run_with_input(&["check", "-", "--lang", "csp"], &vec![b'('; 17 << 20]);
    assert_eq!(endless.status(), 2);
}

#[test]
fn includes_are_relative_to_the_file() {
    let folder = Folder::new();
    folder.write(
        "main/m.csp",
        b"#include \"../parts/p.csp\";\n#assert P deadlockfree;\n",
    );
    folder.write("parts/p.csp", b"#include \"q.csp\";\nP = a -> Q;\n");
    folder.write("parts/q.csp", b"Q = b -> Q;\n");
    let ran = folder.run(&["check", "main/m.csp"]);
    assert_eq!(ran.status(), 0, "{ran:?}");
    folder.write("loop.csp", b"#include \"./loop.csp\";\nP = a -> P;\n");
    assert!(codes(&folder, "loop.csp").contains(&"include-cycle".to_owned()));
    folder.write("lost.csp", b"#include \"nowhere.csp\";\nP = a -> P;\n");
    assert!(codes(&folder, "lost.csp").contains(&"cannot-read".to_owned()));
}

#[test]
fn several_files_are_checked_together() {
    let folder = Folder::with("a.csp", "P = a -> P;\n#assert P deadlockfree;\n");
    folder.write(
        "b.csp",
        b"Q = b -> Stop;\n#assert Q deadlockfree;\n#assert Q nonterminating;\n",
    );
    let ran = folder.run(&["check", "a.csp", "b.csp"]);
    assert_eq!(ran.status(), 1);
    assert!(
        ran.out.contains("holds   a.csp: P deadlockfree") && ran.out.contains("3 results: 1 holds, 2 fail")
    );
    let selected = folder.run(&[
        "check",
        "a.csp",
        "b.csp",
        "-a",
        "nonterminating",
        "--format",
        "json",
    ]);
    assert_eq!(selected.json()["results"].as_array().unwrap().len(), 1);
}

#[test]
fn a_file_without_assertions_is_worth_a_warning() {
    let folder = Folder::with("m.csp", "P = a -> P;\n");
    let ran = folder.run(&["check", "m.csp", "--format", "json"]);
    assert_eq!(ran.status(), 0, "{ran:?}");
    assert_eq!(ran.codes(), ["no-assertions"]);
    assert_eq!(folder.run(&["explore", "m.csp"]).status(), 0);
}
