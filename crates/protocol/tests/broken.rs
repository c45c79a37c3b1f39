//! Broken texts through the whole front end: whatever the text, it answers, and soon.
//!
//! Inputs are the protocols of `examples/protocols/`, with pieces deleted, doubled, moved, exchanged between two texts or replaced by a word
//! that is likely to hurt. A protocol that survives is asked an assertion, a fairness formula and an atom as well.

use fairhold_protocol::{read_assertion, read_atom, read_fairness, read_protocol};
use fairhold_source::{Diagnostic, FileId, SourceMap, Span, render_all};
use fairhold_testkit::{Rng, broken, cases, protocols};
use std::time::{Duration, Instant};

/// A long run has this many inputs for each of its cases.
const LONG_FACTOR: usize = 100;

/// No input of a few kilobytes takes nearly as long, however busy the machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Everything of the language that the examples may lack.
const ALL: &str = "\
size N = 4
const K = N - 1
topology undirected grid 2
field a, b: bool; field c: 0..K
field colour: {red, green}
field hue: {green, blue}
input vote: {yes, no}
input root: bool = node == 0
detector found = #a > 0
predicate one = #a == 1
predicate same = all{colour = colour[0]} || exists k: c[k] = k && !(b[(k + 1) % N] = 1)
meet: (a=1, c=y, *), (a=x, c!=y) when found & x = 1 -> *, (a=!x) | (c=K), (hue=blue)
swap: (c=x), (c=y) when x < y && i.c + r.c > 0 -> (c=y), (c=x)
drop: (b) when #b < N - 1 -> (!b)
schedule cyclic
initial a = node % 2, b = 0 where one
assert stable one //@ expect: none fails, weak holds
assert computes #{vote=yes} > #{vote=no} by b
assert forall k: []<> (b[k] = 1 || drop.k)
assert [](meet.0.1 -> (one U (\"correct\" R !guessT)))
assert AG (enabled(swap.0.1) -> EX{swap.0.1} !deadlock)
//@ fairness: \"GF enabled(meet.0.1) -> GF engaged(meet.0.1)\"
assert reaches same
";

/// Where pieces end.
const ENDS: &[char] = &[',', ')'];

const WORDS: &[&str] = &[
    "size N = 0",
    "size 1",
    "size 9999",
    "const N = N",
    "topology complete",
    "topology graph { 0->1 1--0 }",
    "undirected",
    "field a: bool",
    "field q: 0..65535",
    "field q: -2147483647..2147483647",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[]",
    "<>",
    "->",
    "|",
    "||",
    "&&",
    "!",
    "=",
    "!=",
    "*",
    "#",
    "#{",
    "all{",
    ":",
    ";",
    ",",
    ".",
    "..",
    "--",
    "i.a",
    "r.c",
    "i",
    "node",
    "N",
    "2147483648",
    "-2147483648",
    "/ 0",
    "% 0",
    "forall k:",
    "exists k: forall l:",
    "predicate p = p",
    "detector d = found",
    "correct",
    "\"correct\"",
    "guessT",
    "meet.0.1",
    "drop.(k + 1)",
    "a[k]",
    "A[",
    "EX{",
    "AG",
    "U",
    "W",
    "enabled(",
    "assert",
    "assert self-stabilising to",
    "initial where",
    "when",
    "where",
    "by",
    "x: * -> *",
    "x: *, * -> *, * | *, *",
    "é",
    "\"",
    "/*",
    "//@ expect: holds",
    "\0",
    "\n",
];

fn texts() -> Vec<String> {
    let read = |path: &_| std::fs::read_to_string(path).expect("an example can be read");
    let mut texts: Vec<String> = protocols().iter().map(read).collect();
    texts.push(ALL.to_owned());
    texts
}

/// Reads a text, and asks about it if it can be asked about. Whether it is a protocol comes back.
fn read(text: &str) -> bool {
    let mut map = SourceMap::new();
    let file = map.add("p.pp", text);
    let (protocol, diagnostics) = read_protocol(&map, file, &[]);
    assert_eq!(
        protocol.is_none(),
        diagnostics.iter().any(Diagnostic::is_error),
        "a protocol is there if and only if there is no error"
    );
    let shown = render_all(&map, &diagnostics, false);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    let Some(protocol) = protocol else { return false };
    assert!(!protocol.topology.edges.is_empty() && !protocol.rules.is_empty());
    let tail = &text[text.floor_char_boundary(text.len().saturating_sub(40))..];
    // Whether these make sense is not the point.
    let _ = read_assertion(&protocol, FileId(0), tail);
    let _ = read_fairness(&protocol, Span::default(), tail);
    let _ = read_atom(&protocol, Span::default(), tail);
    true
}

#[test]
fn broken_texts_are_answered() {
    let rounds = match cases(3_000) {
        n if n > 3_000 => n * LONG_FACTOR,
        n => n,
    };
    let texts = texts();
    let mut rng = Rng::new(1);
    let mut sound = 0;
    for round in 0..rounds {
        let (one, other) = (rng.pick(&texts).clone(), rng.pick(&texts).clone());
        let text = broken(&mut rng, &one, &other, WORDS, ENDS);
        let start = Instant::now();
        let answer = std::panic::catch_unwind(|| read(&text));
        let time = start.elapsed();
        match answer {
            Ok(is_protocol) => sound += usize::from(is_protocol),
            Err(_) => panic!("round {round} panics on:\n{text}"),
        }
        assert!(time < LONGEST, "round {round} takes {time:?} on:\n{text}");
    }
    println!("{rounds} texts, of which {sound} are protocols");
    assert!(
        sound > rounds / 20,
        "some texts get through, so later passes are reached"
    );
}

#[test]
fn the_library_is_valid() {
    for text in texts() {
        let mut map = SourceMap::new();
        let file = map.add("p.pp", text.as_str());
        let (_, diagnostics) = read_protocol(&map, file, &[]);
        assert!(
            diagnostics.is_empty(),
            "{}",
            render_all(&map, &diagnostics, false)
        );
    }
}
