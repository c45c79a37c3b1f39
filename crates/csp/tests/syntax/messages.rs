//! What the parser says about each trap, and where.

use fairhold_source::Severity;

use crate::{models, parse, rendered};

/// The codes reported for a text.
fn codes(text: &str) -> Vec<&'static str> {
    parse(text).diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn each_trap_has_its_message() {
    for (text, code) in [
        ("P = a -> [x > 0] P;", "guard-after-arrow"),
        ("P = a{for (i = 0; i < 3; i++) { x = i; }} -> P;", "no-for"),
        ("P = a{x = y > 0 ? 1 : 2;} -> P;", "no-conditional-expression"),
        ("P = a{x = y << 2;} -> P;", "no-shift"),
        ("P = a{x = y >> 2;} -> P;", "no-shift"),
        ("var x = 1.5;", "no-float"),
        ("P = a{x = y mod 2;} -> P;", "no-mod"),
        ("#define p x and y;", "word-operator"),
        ("P = a{} -> P;", "empty-block"),
        ("P = a -> P [ ] b -> P;", "blank-in-choice"),
        ("P = [ ] i:{0..1} @ a.i -> P;", "blank-in-choice"),
        ("P = a -> P\nQ = b -> Q;", "missing-semicolon"),
        ("var x = 1\nvar y;", "missing-semicolon"),
        ("#define N 3\n#define M 4;", "missing-semicolon"),
        ("P = a{x = 1 y = 2} -> P;", "missing-semicolon"),
        ("P = a -> P", "missing-semicolon"),
        ("P = [x][y] a -> P;", "two-guards"),
        ("P = if (x) a -> P else {Skip};", "braces-required"),
        ("P = if (x) {Skip} else Skip;", "braces-required"),
        ("P = Q [[a <- b]];", "no-renaming"),
        ("var x = \"text\";", "string-as-value"),
        ("P = a{if (x = 1) y = 2;} -> P;", "assignment-in-condition"),
        ("P = [x = 1] a -> P;", "assignment-in-condition"),
        ("#assert P |= [] x = 1;", "assignment-in-condition"),
        ("var channel = 3;", "keyword-as-name"),
        ("P = case -> Skip;", "keyword-as-name"),
        ("Skip = a -> Skip;", "keyword-as-name"),
        ("P = a{min = 3;} -> P;", "keyword-as-name"),
        ("P = a{x = s$size;} -> P;", "csharp"),
        ("P = a{x = f(1);} -> P;", "call-syntax"),
        ("P = a[1] -> P;", "index-in-brackets"),
        ("P = Q(1) -> P;", "process-before-arrow"),
        ("P = a.1;", "event-without-process"),
        ("P = (a.1 ||| Q);", "event-without-process"),
        ("P = x = 1;", "assignment-in-process"),
        (
            "P = a -> (|| i:{0..1} @ Q) ||| || i:{0..1} @ Q [] || i:{0..1} @ Q;",
            "parentheses-required",
        ),
        ("#define p x && && i:{0..1} @ y[i];", "parentheses-required"),
        ("P = a -> ||| i:{0..1} @ Q;", "parentheses-required"),
        ("P = Q \\ {a} \\ {b};", "two-hidings"),
        ("P = Q \\ {a}; R;", "hiding-before-sequence"),
        ("P = ||{3} @ Q;", "copies-interleave"),
        ("P = ifb (x) {Skip} else {Skip};", "ifb-else"),
        ("P = atomic {};", "empty-process"),
        ("P = (a{x = 1}, b) -> P;", "program-in-event-list"),
        ("P = Q \\ {};", "empty-set"),
        ("var x = [];", "empty-array"),
        ("var x = {1, 2};", "array-in-braces"),
        ("P = a{x = 1 + [1, 2];} -> P;", "array-as-value"),
        ("P = a{++x;} -> P;", "prefix-increment"),
        ("#define N = 3;", "define-equals"),
        ("#define N;", "missing-value"),
        ("P == a -> P;", "double-equals"),
        ("channel c;", "missing-capacity"),
        ("define N 3;", "missing-hash"),
        ("#macro N 3;", "unknown-directive"),
        ("P = Skip;;", "extra-semicolon"),
        ("P = Skip; }", "unopened-bracket"),
        ("#assert P |= [] G;", "reserved-letter"),
        ("#assert P |= <> U.1;", "reserved-letter"),
        ("#assert P |= [] tau;", "tau-in-formula"),
        ("#assert P |= [ ] p;", "blank-in-choice"),
        ("var x = 99999999999;", "int-too-large"),
        ("P = a -> P; /* open", "unterminated-comment"),
        ("#include \"open;\nP = Skip;", "unterminated-string"),
        ("P = é -> P;", "bad-character"),
        ("P = a → b -> P;", "bad-character"),
        ("P = a -> P; § P2 = Skip;", "bad-character"),
        ("P = (a -> P;\nQ = Skip;", "unclosed-bracket"),
        ("P = a{x = 1 -> P;\nQ = Skip;", "unclosed-bracket"),
        ("P = a{ifa (x > 1) x = 2;} -> P;", "process-in-block"),
        ("P = ;", "unexpected-token"),
    ] {
        let parsed = parse(text);
        let reported: Vec<_> = parsed.diagnostics.iter().map(|d| d.code).collect();
        let shown = rendered(text, &parsed);
        let missing_end = code == "unterminated-string";
        assert!(
            reported == [code] || missing_end && reported.first() == Some(&code),
            "{text}: {reported:?}\n{shown}"
        );
    }
}

#[test]
fn an_assignment_in_a_statement_is_only_a_warning() {
    let parsed = parse("P = a{while (x = 1) y = 2;} -> P;");
    assert_eq!(parsed.diagnostics[0].severity, Severity::Warning);
    assert!(!parsed.has_errors());
}

#[test]
fn a_missing_semicolon_is_shown_where_it_belongs() {
    let text = "P = a -> P // soon\n\nQ = b -> Q;";
    let expected = "\
error[missing-semicolon]: a `;` is missing here
 --> model.csp:1:11
  |
1 | P = a -> P // soon
  |           ^
  |
  = help: every declaration, definition, assertion and statement ends with `;`

";
    assert_eq!(rendered(text, &parse(text)), expected);
}

#[test]
fn independent_mistakes_are_all_reported() {
    let text = "\
var x = ;
P = a -> [x > 0] P;
Q = a{x = ; y = 1.5} -> ;
R = (a -> R;
#assert P |= [] ;
S = if (x) { } else {Skip};
#assert S deadlockFree;
";
    let found = codes(text);
    assert_eq!(
        found,
        [
            "unexpected-token",
            "guard-after-arrow",
            "unexpected-token",
            "no-float",
            "unexpected-token",
            "unclosed-bracket",
            "unexpected-token",
            "empty-process",
            "unexpected-token"
        ],
        "{}",
        rendered(text, &parse(text))
    );
}

/// The bytes of the tokens of a text, without blanks and comments.
fn token_ranges(text: &str) -> Vec<std::ops::Range<usize>> {
    let root = parse(text).root();
    root.descendants_with_tokens()
        .filter_map(rowan::NodeOrToken::into_token)
        .filter(|t| !t.kind().is_trivia())
        .map(|t| t.text_range().into())
        .collect()
}

/// Checks every variant made by putting one of `others` in place of one token, and answers how many messages a
/// variant gave on average.
fn single_token(make: impl Fn(&str, &std::ops::Range<usize>, &str) -> String, others: &[&str]) -> f64 {
    let (mut variants, mut messages, mut noisy) = (0, 0, Vec::new());
    for model in models::ALL {
        for range in token_ranges(model) {
            for other in others {
                let text = make(model, &range, other);
                let parsed = parse(&text);
                let errors = parsed.diagnostics.len();
                if errors > 3 {
                    noisy.push(format!(
                        "`{}` -> `{other}`:\n{}",
                        &model[range.clone()],
                        rendered(&text, &parsed)
                    ));
                }
                variants += 1;
                messages += errors;
            }
        }
    }
    assert!(
        noisy.is_empty(),
        "{} variants are noisy, such as {}",
        noisy.len(),
        noisy[..noisy.len().min(5)].join("\n")
    );
    f64::from(messages as u32) / f64::from(variants)
}

const TOKENS: [&str; 26] = [
    ";", "(", ")", "{", "}", "[", "]", "->", "=", "==", ",", ".", "x", "7", "|||", "[]", "@", ":", "if",
    "var", "#", "!", "?", "else", "\"s\"", "$",
];

#[test]
fn one_mistake_gives_few_messages() {
    let deleted = single_token(
        |text, at, _| format!("{}{}", &text[..at.start], &text[at.end..]),
        &[""],
    );
    let replaced = single_token(
        |text, at, t| format!("{} {t} {}", &text[..at.start], &text[at.end..]),
        &TOKENS,
    );
    let inserted = single_token(
        |text, at, t| format!("{} {t} {}", &text[..at.start], &text[at.start..]),
        &TOKENS,
    );
    println!("messages on average: deleted {deleted:.2}, replaced {replaced:.2}, inserted {inserted:.2}");
    assert!(
        deleted < 1.2 && replaced < 1.4 && inserted < 1.4,
        "{deleted:.2} {replaced:.2} {inserted:.2}"
    );
}
