//! Broken models through the whole front end: whatever the text, it answers, and soon.
//!
//! Inputs are the models of `examples/` and random models, with pieces deleted, doubled, moved, exchanged between two models or
//! replaced by a word that is likely to hurt. A model that survives is asked for a property and a process as well.

use fairhold_csp::resolve::{self, Loaded, Options};
use fairhold_source::{Diagnostic, render_all};
use fairhold_testkit::generate::{self, model};
use fairhold_testkit::{Rng, broken, cases};
use std::time::{Duration, Instant};

/// A long run has this many inputs for each of its cases.
const LONG_FACTOR: usize = 100;

/// No input of a few kilobytes takes nearly as long, however busy the machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Where pieces end.
const ENDS: &[char] = &[';'];

const WORDS: &[&str] = &[
    "||| i:{0..2} @",
    "|| i:{0..999999} @",
    "|||{3} @",
    "|||{..} @",
    "[*]",
    "<>",
    "[]",
    "interrupt",
    "\\ {a}",
    ";",
    "->",
    "System()",
    "P0(1)",
    "P0",
    "N",
    "x0",
    "c0!1",
    "c0?v",
    "c0?[v > 1]v",
    "x0 = x0",
    "x0++",
    "arr[arr[0]]",
    "arr",
    "call(work)",
    "call(ccount, c0)",
    "call(cpeek, 1)",
    "2147483648",
    "-2147483648",
    "/ 0",
    "% 0",
    "true",
    "if (true) { Skip }",
    "case { }",
    "atomic {",
    "{x0 = 1}",
    "{",
    "}",
    "(",
    ")",
    "#define N 1;",
    "#define M M;",
    "#define R (R + 1);",
    "var x0;",
    "var z[0];",
    "var w[99999999][99999999];",
    "var y:{3..1};",
    "hvar h = *;",
    "enum {N};",
    "channel c0 -1;",
    "#alphabet P0 {P0};",
    "#include \"model.csp\";",
    "#assert System() |= []<> a -> b;",
    "#assert System() refines System();",
    "wf(a)",
    "é",
    "\"",
    "/*",
    "\0",
    "'",
    "tau",
    "assert(x0)",
    "k:{0..2} @ e.k",
    "&& q:{0..2} @",
    ".",
    "..",
    "\n",
    "System() = System();",
    "P = P;",
];

fn examples() -> Vec<String> {
    fairhold_testkit::examples()
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("an example can be read"))
        .collect()
}

/// Loads a text, and asks about it if it can be asked about. Included files are the text itself.
fn load(text: &str) -> Loaded {
    let read = |_: &str, path: &str| match path {
        "model.csp" => Ok((path.to_owned(), text.to_owned())),
        _ => Err(format!("{path} is not there")),
    };
    let mut loaded = resolve::load(
        "model.csp",
        text,
        &Options {
            defines: &[],
            read: &read,
        },
    );
    assert_eq!(
        loaded.model.is_none(),
        loaded.diagnostics.iter().any(Diagnostic::is_error),
        "a model is there if and only if there is no error"
    );
    let shown = render_all(&loaded.map, &loaded.diagnostics, false);
    assert_eq!(shown.is_empty(), loaded.diagnostics.is_empty());
    if loaded.model.is_some() {
        let tail = &text[text.floor_char_boundary(text.len().saturating_sub(40))..];
        // Whether these make sense is not the point.
        let _ = resolve::assertion(&mut loaded, tail);
        let _ = resolve::process(&mut loaded, "System()");
    }
    loaded
}

#[test]
fn broken_models_are_answered() {
    let rounds = match cases(3_000) {
        n if n > 3_000 => n * LONG_FACTOR,
        n => n,
    };
    let examples = examples();
    let mut rng = Rng::new(1);
    let mut sound = 0;
    for round in 0..rounds {
        let random = model(&mut rng, &generate::Options::default()).text;
        let example = rng.pick(&examples).clone();
        let text = if round % 2 == 0 {
            broken(&mut rng, &random, &example, WORDS, ENDS)
        } else {
            broken(&mut rng, &example, &random, WORDS, ENDS)
        };
        let start = Instant::now();
        let answer = std::panic::catch_unwind(|| load(&text).model.is_some());
        let time = start.elapsed();
        match answer {
            Ok(is_model) => sound += usize::from(is_model),
            Err(_) => panic!("round {round} panics on:\n{text}"),
        }
        assert!(time < LONGEST, "round {round} takes {time:?} on:\n{text}");
    }
    println!("{rounds} texts, of which {sound} are models");
    assert!(
        sound > rounds / 100,
        "some texts get through, so later passes are reached"
    );
}

#[test]
fn random_models_and_examples_are_valid() {
    let generated =
        (0..cases(300) as u64).map(|seed| model(&mut Rng::new(seed), &generate::Options::default()).text);
    for text in generated.chain(examples()) {
        let loaded = load(&text);
        let errors = render_all(&loaded.map, &loaded.diagnostics, false);
        assert!(loaded.model.is_some(), "{text}\n{errors}");
    }
}
