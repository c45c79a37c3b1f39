//! Nothing makes the parser panic, hang, lose text or exhaust a small stack.

use std::time::{Duration, Instant};

use fairhold_csp::syntax;
use fairhold_source::FileId;

use crate::{models, parse};

/// A small generator of pseudo-random numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn boundary(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset)
}

fn mutate(text: &str, random: &mut Random) -> String {
    const NOISE: [&str; 24] = [
        "é",
        "\u{feff}",
        "\0",
        "\"",
        "/*",
        "*/",
        "//",
        "\\",
        "<F>",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ";",
        "->",
        "||",
        "case",
        "if",
        "case{",
        "\r\n",
        "99999999999",
        "$",
    ];
    let mut text = text.to_string();
    for _ in 0..=random.below(4) {
        let a = boundary(&text, random.below(text.len() + 1));
        let b = boundary(&text, (a + random.below(30)).min(text.len()));
        match random.below(6) {
            0 => text.replace_range(a..b, ""),
            1 => text = format!("{}{}", &text[..b], &text[a..]),
            2 => text.insert_str(a, NOISE[random.below(NOISE.len())]),
            3 => text.truncate(a),
            4 => text = format!("{}{}", &text[a..], &text[..a]),
            _ => {
                let c = boundary(&text, random.below(text.len() + 1));
                let moved = text[a..b].to_string();
                text.insert_str(c, &moved);
            }
        }
    }
    text
}

#[test]
fn mutated_models() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let start = Instant::now();
    for round in 0..6000 {
        let text = mutate(models::ALL[round % 3], &mut random);
        let parsed = parse(&text);
        if round % 10 == 0 {
            crate::rendered(&text, &parsed);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn random_tokens() {
    let pieces: Vec<&str> = models::ALL
        .iter()
        .flat_map(|m| m.split_inclusive(|c: char| !c.is_alphanumeric()))
        .collect();
    let mut random = Random(42);
    for _ in 0..3000 {
        let length = random.below(60);
        let text: String = (0..length).map(|_| pieces[random.below(pieces.len())]).collect();
        parse(&text);
    }
}

#[test]
fn every_prefix_of_a_model() {
    for model in models::ALL {
        for end in 0..=model.len() {
            parse(&model[..end]);
        }
    }
}

/// Parses in a thread with a small stack, quickly, and answers the codes reported.
fn pathological(text: String) -> Vec<&'static str> {
    let name: String = text.chars().take(30).collect();
    let run = move || {
        let start = Instant::now();
        let parsed = syntax::parse(FileId(0), &text);
        assert!(parsed.root().text() == text.as_str());
        let time = start.elapsed();
        assert!(time < Duration::from_secs(10), "{time:?}");
        parsed.diagnostics.iter().map(|d| d.code).collect()
    };
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .expect("a thread");
    thread.join().unwrap_or_else(|_| panic!("{name}"))
}

#[test]
fn long_and_deep_texts() {
    let million = 1 << 20;
    let deep = |open: &str, inner: &str, close: &str, n: usize| {
        format!("P = {}{inner}{};", open.repeat(n), close.repeat(n))
    };
    for open in [
        "(",
        "[x] a -> (",
        "if (x) {",
        "case {x: ",
        "atomic{",
        "a -> [x] ",
        "||| i:{0..1} @ ",
    ] {
        let found = pathological(deep(open, "Skip", "", 10_000));
        assert!(found.contains(&"too-deep"), "{open}: {found:?}");
    }
    for (open, close) in [
        ("(", ")"),
        ("- ", ""),
        ("x[", "]"),
        ("x = ", ""),
        ("call(f, ", ")"),
        ("x ? ", ""),
        ("[", "]"),
    ] {
        let value = deep(open, "1", close, 10_000);
        let found = pathological(format!("{}\nQ = Skip;", value.replace("P =", "var y =")));
        assert_eq!(
            found.iter().filter(|&&c| c == "too-deep").count(),
            1,
            "{open}: {:?}",
            &found[..found.len().min(9)]
        );
    }
    for open in ["[]", "!", "(", "A[", "&& i:{0..1} @ ", "(p U "] {
        let found = pathological(format!("#assert P |= {}p;", open.repeat(10_000)));
        assert_eq!(found, ["too-deep"], "{open}");
    }
    assert_eq!(
        pathological(deep("if (x) {", "x = 1;", "}", 10_000).replacen('i', "a{i", 1)),
        ["too-deep"]
    );
    assert_eq!(pathological(deep("(", "Skip", ")", 200)), [""; 0]);

    assert_eq!(pathological(deep("a -> ", "Skip", "", 100_000)), ["too-long"]);
    for operator in ["|||", "||", "[]", "<>", "[*]", ";", "interrupt"] {
        assert_eq!(
            pathological(deep(&format!("A {operator} "), "A", "", 100_000)),
            ["too-long"],
            "{operator}"
        );
    }
    for operator in ["+", "*", "&&", "==", "xor"] {
        let value = deep(&format!("x {operator} "), "x", "", 100_000);
        assert_eq!(
            pathological(value.replace("P =", "var y =")),
            ["too-long"],
            "{operator}"
        );
    }
    assert_eq!(
        pathological(format!("#assert P |= {}p;", "p U q && ".repeat(100_000))),
        ["too-long"]
    );
    assert_eq!(
        pathological(format!("P = A({}1);", "1,".repeat(100_000))),
        ["too-long"]
    );
    assert_eq!(
        pathological(format!("P = a{} -> Skip;", ".1".repeat(100_000))),
        ["too-long"]
    );
    assert_eq!(pathological(deep("a -> ", "Skip", "", 4000)), [""; 0]);

    for piece in [
        "(",
        ")",
        "[",
        "{",
        "}",
        "a->",
        "P=",
        "P(",
        "a{",
        "#",
        ";",
        "if(",
        "case{",
        "\"",
        "/*",
        "é",
        "x:{",
        "[]",
        "<F>",
        "P = Q(",
        "a.",
        "c!",
        "P;\n",
        "var x = ;\n",
        "((a)",
        "@",
        "else ",
        "- ",
        "P = (\n",
        "{\nP = ",
        "wf(",
        "#assert P |= (",
        "!",
        "&& i:{0..1} @ ",
        ")(",
        "]{",
        "}{",
        "$",
    ] {
        // A megabyte where the text nests or chains; elsewhere less shows the same.
        let size = if matches!(piece, "(" | "a->" | "{" | "#" | "\"" | "}{") {
            million
        } else {
            million / 8
        };
        pathological(piece.repeat(size / piece.len()));
    }
}

#[test]
fn too_large() {
    let text = " ".repeat((16 << 20) + 1);
    let parsed = syntax::parse(FileId(0), &text);
    assert_eq!(parsed.diagnostics[0].code, "file-too-large");
    assert_eq!(parsed.diagnostics.len(), 1);
    assert!(syntax::parse(FileId(0), &text[1..]).diagnostics.is_empty());
}
