//! Files that an editor, a generator or a slip of the hand produces: one clear message each, at once, or none at all
//! where the file is fine. What fits on a page is in `spec/errors.md`.

mod command;

use command::Folder;
use std::time::{Duration, Instant};

/// A model that holds, in lines.
const MODEL: &str = "var x = 0; // counts\nP = up{x = (x + 1) % 3} -> P;\n#assert P reaches x == 2;\n";

/// No file of any kind takes longer, on a busy machine and without optimisation.
const AT_ONCE: Duration = Duration::from_secs(20);

/// Checks a file of these bytes; answers the status and the codes of the diagnostics.
fn check(bytes: &[u8]) -> (i32, Vec<String>) {
    let folder = Folder::new();
    folder.write("m.csp", bytes);
    let start = Instant::now();
    let ran = folder.run(&["check", "m.csp", "--format", "json"]);
    let time = start.elapsed();
    assert!(time < AT_ONCE, "{time:?}: {ran:?}");
    (ran.status(), ran.codes())
}

fn assert_fine(text: &str) {
    assert_eq!(check(text.as_bytes()), (0, vec![]), "{text:?}");
}

fn assert_refused(bytes: &[u8], code: &str) {
    assert_eq!(check(bytes), (2, vec![code.to_owned()]), "{code}");
}

#[test]
fn line_ends_do_not_matter() {
    assert_fine(MODEL);
    assert_fine(&MODEL.replace('\n', "\r\n"));
    assert_fine(MODEL.trim_end());
    assert_fine(&format!("{MODEL}// no newline after this comment"));
    assert_fine(&MODEL.replace(' ', "\t"));
}

#[test]
fn a_byte_order_mark_does_not_matter() {
    assert_fine(&format!("\u{feff}{MODEL}"));
    // Lines and columns count as if it were not there.
    let folder = Folder::new();
    folder.write("m.csp", "\u{feff}P = a -> Q;\n".as_bytes());
    let place = |json: &serde_json::Value| (json["line"].clone(), json["column"].clone());
    let marked = folder.run(&["check", "m.csp", "--format", "json"]).json();
    assert_eq!(
        place(&marked["diagnostics"][0]),
        (1.into(), 10.into()),
        "{marked}"
    );
}

#[test]
fn other_encodings_are_refused() {
    assert_refused(b"P = caf\xe9 -> P;", "not-utf8");
    let utf16: Vec<u8> = "\u{feff}P = a -> P;"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_refused(&utf16, "not-utf8");
    assert_refused(b"P = a\0 -> P;", "bad-character");
}

#[test]
fn brackets_without_end() {
    assert_refused(&vec![b'('; 50 << 20], "file-too-large");
    assert_refused(&[b"P = ".to_vec(), vec![b'('; 10_000]].concat(), "too-deep");
    let nested = format!(
        "P = {}a -> P{};\n#assert P deadlockfree;\n",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    assert_refused(nested.as_bytes(), "too-deep");
    let braces = format!("P = a{}x = 1{} -> P;", "{".repeat(10_000), "}".repeat(10_000));
    assert_refused(braces.as_bytes(), "too-deep");
    let signs = format!("var x = {}1;\nP = a -> P;", "-".repeat(10_000));
    assert_eq!(check(signs.as_bytes()).0, 2);
}

#[test]
fn chains_without_end() {
    let sum = format!("var x = 0{};\nP = a -> P;", " + 1".repeat(10_000));
    assert_refused(sum.as_bytes(), "too-long");
    let choice = format!("P = a -> P{};", " [] b -> P".repeat(10_000));
    assert_refused(choice.as_bytes(), "too-long");
}

#[test]
fn sizes_without_end() {
    assert_refused(b"var x[1000000000];\nP = a -> P;", "array-too-large");
    assert_refused(b"var x[100000][100000];\nP = a -> P;", "array-too-large");
    assert_refused(b"var x = [0(1000000000)];\nP = a -> P;", "array-too-large");
    assert_refused(b"channel c[1000000000] 1;\nP = a -> P;", "array-too-large");
    assert_refused(b"channel c 1000000000;\nP = a -> P;", "wrong-capacity");
    assert_refused(b"P = a -> P;\nS = |||{1000000000} @ P;", "too-many-values");
    assert_refused(
        b"P(i) = a.i -> P(i);\nS = || i:{0..999}; j:{0..999} @ P(i);",
        "too-many-values",
    );
    assert_refused(b"#define N 99999999999;\nP = a -> P;", "int-too-large");
}

#[test]
fn includes_without_end() {
    let folder = Folder::new();
    for i in 0..100 {
        folder.write(
            &format!("{i}.csp"),
            format!("#include \"{}.csp\";\n", i + 1).as_bytes(),
        );
    }
    folder.write("100.csp", MODEL.as_bytes());
    let ran = folder.run(&["check", "0.csp", "--format", "json"]);
    assert_eq!(
        (ran.status(), ran.codes()),
        (2, vec!["too-many-includes".to_owned()]),
        "{ran:?}"
    );
}

#[test]
fn messages_stay_short() {
    // One long line, with the mistake at its end.
    let folder = Folder::with("m.csp", &format!("P = {}Nobody;", "a -> ".repeat(4000)));
    let ran = folder.run(&["check", "m.csp"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.err.len() < 10_000, "{} bytes", ran.err.len());
}

#[test]
fn automata_are_files_too() {
    const HOA: &str = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x < 3\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n";
    let check = |bytes: &[u8]| {
        let folder = Folder::with("m.csp", MODEL);
        folder.write("a.hoa", bytes);
        folder.write("folder/nothing", b"");
        let ran = |name: &str| folder.run(&["check", "m.csp", "--automaton", name, "--format", "json"]);
        assert_eq!(
            (ran("folder").status(), ran("folder").codes()),
            (2, vec!["cannot-read".to_owned()])
        );
        let ran = ran("a.hoa");
        (ran.status(), ran.codes())
    };
    assert_eq!(check(HOA.as_bytes()), (0, vec![]));
    assert_eq!(check(HOA.replace('\n', "\r\n").as_bytes()), (0, vec![]));
    assert_eq!(check(format!("\u{feff}{HOA}").as_bytes()), (0, vec![]));
    assert_eq!(check(b"HOA: v1 \xe9"), (2, vec!["not-utf8".to_owned()]));
    assert_eq!(check(b""), (2, vec!["hoa-syntax".to_owned()]));
    assert_eq!(
        check(&vec![b' '; (16 << 20) + 1]),
        (2, vec!["file-too-large".to_owned()])
    );
}
