//! A protocol and what `convert --to csp` makes of it: the same graph from `start` on, and the same verdicts.
//!
//! Configurations are matched by their values: a configuration of the judge and a state of the CSP# model after `start`
//! correspond if all fields, the detector and the turn are equal. Both sides are explored as a whole, the protocol by its judge.

#[path = "../../../protocol/tests/random/mod.rs"]
mod random;
mod sides;

use fairhold::{CheckOptions, Language, LoadOptions, Silent, Verdict, load_text, parse_fairness};
use fairhold_protocol::{Protocol, read_protocol, to_csp};
use fairhold_source::{SourceMap, render_all};
use fairhold_testkit::{cases, protocols};
use sides::{Side, csp_side, protocol_side};
use std::sync::Arc;

/// More configurations than this take too long to be compared one by one.
const MANY: usize = 40_000;

/// Protocols that ship too large for that, with a size that is not.
const LARGE: &[(&str, i32)] = &[("two_hop_colouring", 2)];

/// The protocols that ship, by name.
fn library() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for path in protocols() {
        let name = path.file_stem().expect("a file has a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("an example can be read");
        all.push((name.into_owned(), text));
    }
    all
}

fn read(name: &str, text: &str, size: Option<i32>) -> Protocol {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let defines: Vec<(String, i32)> = size.map(|n| ("N".to_owned(), n)).into_iter().collect();
    let (protocol, diagnostics) = read_protocol(&map, file, &defines);
    protocol.unwrap_or_else(|| panic!("{}", render_all(&map, &diagnostics, false)))
}

/// Compares both sides and gives one of them; none if the protocol goes wrong, which it does elsewhere in CSP#, where the order of
/// evaluation is another one, or has too many configurations.
fn compare(name: &str, protocol: Protocol, most: usize) -> Option<Side> {
    let protocol = Arc::new(protocol);
    let ours = protocol_side(&protocol, most)?;
    let text = to_csp(&protocol, name).unwrap_or_else(|d| panic!("{name}: {d:?}"));
    let theirs = csp_side(&protocol, &text);
    assert_eq!(ours.initial, theirs.initial, "{name}: where it starts\n{text}");
    assert_eq!(ours.steps, theirs.steps, "{name}: steps\n{text}");
    assert_eq!(ours.states, theirs.states, "{name}: configurations\n{text}");
    Some(ours)
}

#[test]
fn the_library_has_the_same_graphs() {
    for (name, text) in library() {
        let size = LARGE.iter().find(|(large, _)| *large == name).map(|(_, n)| *n);
        let side = compare(&name, read(&name, &text, size), MANY);
        let side = side.expect("no protocol of the library goes wrong, or is large");
        println!(
            "{name}: {} configurations, {} steps",
            side.states,
            side.steps.len()
        );
    }
}

#[test]
fn random_protocols_have_the_same_graphs() {
    let (mut compared, mut steps) = (0, 0);
    for seed in 0..cases(150) as u64 {
        let (protocol, _) = random::protocol(seed, seed % 2 == 0);
        if let Some(side) = compare(&format!("seed {seed}"), protocol, 300) {
            compared += 1;
            steps += side.steps.len();
        }
    }
    println!("{compared} compared, {steps} steps");
    assert!(
        compared >= cases(150) / 4 && steps > 1_000,
        "too few protocols are any good"
    );
}

/// The verdicts on all assertions of a text, under every notion that protocols have.
fn verdicts(name: &str, text: &str, language: Language) -> Vec<(usize, String, Verdict)> {
    let options = LoadOptions {
        fairness: parse_fairness("none,ewf,esf,sgf").expect("notions"),
        ..LoadOptions::default()
    };
    let loaded = load_text(name, text, language, &options);
    let model = loaded
        .model
        .unwrap_or_else(|| panic!("{}\n{text}", render_all(&loaded.map, &loaded.diagnostics, false)));
    let mut verdicts = Vec::new();
    for task in model.tasks(&[]) {
        for result in model.check(task, &CheckOptions::default(), &Silent) {
            assert_eq!(result.bug, None, "{name}");
            let fairness = result
                .fairness
                .as_ref()
                .map_or(String::new(), ToString::to_string);
            verdicts.push((result.index, fairness, result.verdict));
        }
    }
    verdicts.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    verdicts
}

#[test]
fn the_library_has_the_same_verdicts() {
    for (name, text) in library() {
        let ours = verdicts(&format!("{name}.pp"), &text, Language::Pp);
        let csp =
            to_csp(&read(&name, &text, None), &name).expect("every protocol of the library can be written");
        let theirs = verdicts(&format!("{name}.csp"), &csp, Language::Csp);
        assert_eq!(ours, theirs, "{name}");
        println!("{name}: {} verdicts", ours.len());
    }
}
