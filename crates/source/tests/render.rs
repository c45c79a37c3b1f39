//! What a reader sees, and that nothing keeps a message from being seen.

use fairhold_source::{Diagnostic, FileId, SourceMap, Span, render, render_all};

fn span(file: FileId, start: u32, end: u32) -> Span {
    Span { file, start, end }
}

fn one(text: &str, start: u32, end: u32) -> String {
    let mut map = SourceMap::new();
    let file = map.add("dp.csp", text);
    let diagnostic = Diagnostic::error("unknown-name", span(file, start, end), "there is no `x` here");
    render(&map, &diagnostic, false)
}

#[test]
fn looks_like_rustc() {
    let mut map = SourceMap::new();
    let file = map.add("dp.csp", "var x = 0;\nP = a -> Q;\n");
    let diagnostic = Diagnostic::error("unknown-name", span(file, 20, 21), "there is no process `Q`")
        .also(span(file, 4, 5), "this is a variable")
        .help("did you mean `P`?");
    let expected = "\
error[unknown-name]: there is no process `Q`
 --> dp.csp:2:10
  |
1 | var x = 0;
  |     - this is a variable
2 | P = a -> Q;
  |          ^
  |
  = help: did you mean `P`?
";
    assert_eq!(render(&map, &diagnostic, false), expected);
    assert!(render(&map, &diagnostic, true).contains("\u{1b}["));
    assert!(render_all(&map, &[diagnostic.clone(), diagnostic], false).contains(";\n  |          ^\n"));
}

#[test]
fn without_a_place() {
    let text = render(
        &SourceMap::new(),
        &Diagnostic::bare("no-file", "cannot read `a.csp`"),
        false,
    );
    assert_eq!(text, "error[no-file]: cannot read `a.csp`\n");
}

#[test]
fn the_end_of_the_file_is_shown_on_its_last_line() {
    let expected = "\
error[unknown-name]: there is no `x` here
 --> dp.csp:1:9
  |
1 | P = a ->
  |         ^
";
    assert_eq!(one("P = a ->\n\n", 10, 10), expected);
    assert!(one("", 0, 0).contains("dp.csp:1:1"));
}

#[test]
fn line_endings_tabs_and_other_alphabets() {
    let crlf = one("var x = 0;\r\nP = a -> Q;\r\n", 21, 22);
    assert!(crlf.contains("--> dp.csp:2:10\n"), "{crlf}");
    assert!(!crlf.contains('\r'));
    let tab = one("\tP = a -> Q;", 10, 11);
    assert!(tab.contains("--> dp.csp:1:11\n"), "{tab}");
    let greek = one("// αβγ\nP = é -> Q;", 20, 21);
    assert!(greek.contains("--> dp.csp:2:10\n"), "{greek}");
}

#[test]
fn long_lines_are_cut() {
    let text = format!("P = {}Q;", "a -> ".repeat(200_000));
    let shown = one(&text, 500_004, 500_005);
    assert!(shown.contains("--> dp.csp:1:500005\n"), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
}

#[test]
fn places_far_apart_are_shown_apart() {
    let mut map = SourceMap::new();
    let text = format!("var x = 0;\n{}var x = 1;\n", "// blank\n".repeat(500));
    let end = text.len() as u32;
    let file = map.add("dp.csp", text);
    let diagnostic = Diagnostic::warning("twice", span(file, end - 7, end - 6), "`x` is declared twice")
        .also(span(file, 4, 5), "first here");
    let shown = render(&map, &diagnostic, false);
    assert!(shown.starts_with("warning[twice]"), "{shown}");
    assert!(shown.contains("--> dp.csp:502:5"), "{shown}");
    assert!(shown.contains("::: dp.csp:1:5"), "{shown}");
    assert!(shown.lines().count() < 15, "{shown}");
}

#[test]
fn no_span_breaks_it() {
    let texts = [
        "",
        "\n",
        "\r\n\r\n",
        "é\té\n\u{feff}",
        "a\u{0}\u{1b}[31mb\rc\u{2028}d",
        "\u{202e}x\n",
        "日本語\n\nP",
    ];
    for text in texts {
        for start in 0..=text.len() as u32 + 2 {
            for end in 0..=text.len() as u32 + 2 {
                let mut map = SourceMap::new();
                let file = map.add("m", text);
                let diagnostic = Diagnostic::error("code", span(file, start, end), "multi\nline \u{1b}[0m")
                    .also(span(file, end, start), "there\nand \t there")
                    .also(span(FileId(7), 0, 3), "nowhere")
                    .help("one\ntwo");
                assert!(!render(&map, &diagnostic, start % 2 == 0).is_empty());
            }
        }
    }
}
