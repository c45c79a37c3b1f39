//! Hidden variables on random models: the word `hvar` changes no verdict, merging invents none, and threads and the order of
//! operands matters to nobody.
//!
//! Each model is asked the same questions in several ways. With `var` for `hvar` every verdict is the same. With
//! hidden variables merged it is the same or `unknown`, by one thread or two and with a compact table alike. With
//! the operands of every `[]`, `<>`, `|||` and `||` the other way round, the verdicts stay, and so does the number of
//! states, unless the order of a choice is what two of them differ in.

mod asked;

use asked::{Asked, Reading, ask, count};
use fairhold::Verdict;
use fairhold_testkit::generate::tree::{Definition, Head, Operator, Process, Source};
use fairhold_testkit::generate::{Options, model, shrink};
use fairhold_testkit::{Rng, cases, describe, percent};
use std::collections::BTreeMap;

/// A random model, some of whose variables are hidden; none where nothing can be.
fn generated(seed: u64) -> Source {
    let mut rng = Rng::new(seed);
    let options = Options {
        faulty: 5,
        unbounded: 0,
    };
    let mut source = model(&mut rng, &options).source;
    let variables = source.declarations.iter_mut().filter(|line| is_variable(line));
    for (i, line) in variables.enumerate() {
        // One at least.
        if i == 0 || rng.chance(1, 2) {
            *line = line.replacen("var ", "hvar ", usize::from(line.starts_with("var ")));
        }
    }
    if rng.chance(1, 4) {
        add_waiting(&mut source);
    }
    source
}

/// Adds a process that reads a hidden variable only as the argument of a call: random ones seldom do just that.
fn add_waiting(source: &mut Source) {
    source.declarations.push("hvar kept;".to_owned());
    source.declarations.push("var last;".to_owned());
    let stop = || Box::new(Process::Stop);
    let call = || Box::new(Process::Call("Use".to_owned(), vec!["kept".to_owned()]));
    let event = |name: &str, program: &str, then| {
        Process::Prefix(
            Head::EventProgram,
            name.to_owned(),
            Some(program.to_owned()),
            then,
        )
    };
    let takes = vec![
        event("takeone", "{kept = 1;}", call()),
        event("taketwo", "{kept = 2;}", call()),
    ];
    let definition = |name: &str, params, body| Definition {
        name: name.to_owned(),
        params,
        alphabet: None,
        body,
    };
    let uses = event("used", "{last = n;}", stop());
    source
        .definitions
        .push(definition("Use", vec!["n".to_owned()], uses));
    let system = source.definitions.iter_mut().find(|d| d.name == "System");
    let body = &mut system.expect("every generated model defines System").body;
    let both = vec![
        std::mem::replace(body, Process::Stop),
        Process::Joined(Operator::Choice, takes),
    ];
    *body = Process::Joined(Operator::Interleave, both);
    source.goal = format!("({}) || (last == 2)", source.goal);
}

fn is_variable(line: &str) -> bool {
    line.starts_with("var ") || line.starts_with("hvar ")
}

/// The model with `var` for `hvar`.
fn shown(source: &Source) -> Source {
    let mut shown = source.clone();
    for line in &mut shown.declarations {
        if let Some(rest) = line.strip_prefix("hvar ") {
            *line = format!("var {rest}");
        }
    }
    shown
}

/// The model with the operands of commutative operators the other way round.
fn turned(source: &Source, which: &dyn Fn(&Process) -> bool) -> Source {
    let mut turned = source.clone();
    for definition in &mut turned.definitions {
        definition.body.visit_mut(&mut |process| {
            if which(process)
                && let Process::Joined(_, operands) = process
            {
                operands.reverse();
            }
        });
    }
    turned
}

fn is_commutative(process: &Process) -> bool {
    let operators = [
        Operator::Choice,
        Operator::Internal,
        Operator::Interleave,
        Operator::Parallel,
    ];
    matches!(process, Process::Joined(operator, _) if operators.contains(operator))
}

/// Whether the order of the operands cannot tell states apart by chance: choices are flat and without repetitions, so
/// `P(x) [] P(1 - x) [] P(0)` comes in one order for two values of `x`, and turned round in two.
fn keeps_states(process: &Process) -> bool {
    match process {
        Process::Joined(Operator::Choice | Operator::Internal, _) => false,
        _ => is_commutative(process),
    }
}

/// Turns the choices of two prefixes that follow a prefix: nothing becomes flat there.
fn with_choices_turned(source: &Source) -> Source {
    let mut turned = source.clone();
    for definition in &mut turned.definitions {
        definition.body.visit_mut(&mut |process| {
            if let Process::Prefix(.., then) = process
                && let Process::Joined(Operator::Choice | Operator::Internal, operands) = &mut **then
                && operands.len() == 2
                && operands.iter().all(|p| matches!(p, Process::Prefix(..)))
            {
                operands.reverse();
            }
        });
    }
    turned
}

/// Whether some run shows an answer all by itself.
fn has_run(answer: &Asked) -> bool {
    answer.has_run && matches!(answer.verdict, Verdict::Holds | Verdict::Fails | Verdict::Error)
}

/// What merging makes of an answer: the same, `unknown` if runs disagree on a value that is read (or, under strong
/// global fairness, on any), or, in a model that goes wrong somewhere, another one that a
/// run shows, for the first of a fault and a counterexample decides.
fn is_supported(exact: &Asked, merged: &Asked) -> bool {
    (merged.verdict == Verdict::Unknown && (merged.has_note || exact.question.ends_with(" sgf")))
        || merged.verdict == exact.verdict
        || ([exact.verdict, merged.verdict].contains(&Verdict::Error) && has_run(merged))
}

/// The answers that two ways of asking give differently, both being definite.
fn differing(one: &[Asked], other: &[Asked]) -> Option<String> {
    let pairs = one.iter().zip(other);
    let mut definite = pairs.filter(|(a, b)| ![a.verdict, b.verdict].contains(&Verdict::Unknown));
    let (a, b) = definite.find(|(a, b)| a.verdict != b.verdict)?;
    Some(format!("{}: {:?}, then {:?}", a.question, a.verdict, b.verdict))
}

/// What is wrong with merging in a model.
fn unsupported(source: &Source) -> Option<String> {
    let exact = ask(&source.to_string(), &Reading::EXACT)?;
    // What is too large for one reading would be so for all.
    let small = exact.iter().all(|answer| answer.verdict != Verdict::Unknown);
    let readings = if small {
        Reading::MERGED
    } else {
        &Reading::MERGED[..1]
    };
    for reading in readings {
        let merged = ask(&source.to_string(), reading)?;
        for (exact, merged) in exact.iter().zip(&merged) {
            let cut = exact.verdict == Verdict::Unknown;
            if let Some(bug) = &merged.bug {
                return Some(format!("{}, {reading:?}: {bug}", merged.question));
            }
            if !cut && !is_supported(exact, merged) {
                return Some(format!(
                    "{}: {:?}, and merged, {reading:?}, {:?}",
                    exact.question, exact.verdict, merged.verdict
                ));
            }
        }
    }
    None
}

fn shrunk(source: &Source, wrong: &dyn Fn(&Source) -> Option<String>) -> String {
    let smallest = shrink(source, 500, |s| wrong(s).is_some());
    let message = wrong(&smallest).expect("shrinking keeps what is wrong");
    format!("{smallest}\n{message}")
}

#[test]
fn the_word_hvar_changes_no_verdict() {
    let wrong = |source: &Source| {
        let hidden = ask(&source.to_string(), &Reading::EXACT)?;
        if let Some(bug) = hidden.iter().find_map(|answer| answer.bug.clone()) {
            return Some(bug);
        }
        differing(&hidden, &ask(&shown(source).to_string(), &Reading::EXACT)?)
    };
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..cases(60) as u64 {
        let source = generated(seed);
        if wrong(&source).is_some() {
            panic!("seed {seed}:\n{}", shrunk(&source, &wrong));
        }
        for answer in ask(&source.to_string(), &Reading::EXACT).unwrap_or_default() {
            *verdicts.entry(answer.verdict.word().to_owned()).or_default() += 1;
        }
    }
    println!("verdicts: {verdicts:?}");
    for word in ["holds", "fails"] {
        assert!(
            verdicts.get(word).is_some_and(|&n| n > 100),
            "few answers are `{word}`"
        );
    }
}

#[test]
fn merging_invents_no_verdict() {
    let (mut spread, mut disagreeing, mut models) = (BTreeMap::new(), 0, 0);
    for seed in 0..cases(60) as u64 {
        let source = generated(seed);
        if unsupported(&source).is_some() {
            panic!("seed {seed}:\n{}", shrunk(&source, &unsupported));
        }
        let text = source.to_string();
        let Some(exact) = ask(&text, &Reading::EXACT) else {
            continue;
        };
        let merged = ask(&text, &Reading::MERGED[0]).expect("the model is valid");
        models += 1;
        disagreeing += usize::from(merged.iter().any(|answer| answer.has_note));
        for (exact, merged) in exact.iter().zip(merged) {
            let pair = (exact.verdict.word(), merged.verdict.word());
            *spread.entry(pair).or_insert(0) += 1;
        }
    }
    println!(
        "models {models}, with a disagreement {:.0} %",
        percent(disagreeing, models)
    );
    for ((exact, merged), count) in &spread {
        println!("{count:6}  {exact}, merged {merged}");
    }
    assert!(
        4 * disagreeing > models,
        "in a quarter of the models runs disagree"
    );
    for pair in [
        ("holds", "holds"),
        ("holds", "unknown"),
        ("fails", "fails"),
        ("fails", "unknown"),
    ] {
        assert!(spread.contains_key(&pair), "no answer is {pair:?}");
    }
}

#[test]
fn the_order_of_operands_does_not_matter() {
    let wrong = |source: &Source| {
        let text = source.to_string();
        let same_states = with_choices_turned(&turned(source, &keeps_states));
        let (states, others) = (count(&text)?, count(&same_states.to_string())?);
        // What is written out from a range keeps its order, so an operand that is turned may become what another is written out to: then they are one.
        let written_out = text.contains("||| i") || text.contains("|||{");
        if states != others && !written_out {
            return Some(format!("{states} states, turned {others}:\n{same_states}"));
        }
        let turned = turned(source, &is_commutative).to_string();
        differing(&ask(&text, &Reading::EXACT)?, &ask(&turned, &Reading::EXACT)?)
    };
    let mut states = Vec::new();
    for seed in 0..cases(60) as u64 {
        let source = generated(seed);
        if wrong(&source).is_some() {
            panic!("seed {seed}:\n{}", shrunk(&source, &wrong));
        }
        states.extend(count(&source.to_string()));
    }
    println!("models explored without a fault: {}", states.len());
    let median = describe("states", &mut states);
    assert!(median >= 10, "models have some states");
}

#[test]
fn threads_and_memory_change_no_verdict() {
    let wrong = |source: &Source| {
        let text = source.to_string();
        let exact = ask(&text, &Reading::EXACT)?;
        // Several workers search without a bound on states, so only models that are small enough are asked.
        if exact.iter().any(|answer| answer.verdict == Verdict::Unknown) {
            return None;
        }
        let others = Reading::OTHERWISE.iter();
        others
            .filter_map(|reading| Some((reading, ask(&text, reading)?)))
            .find_map(|(reading, answers)| {
                let bug = answers.iter().find_map(|answer| answer.bug.clone());
                let difference = bug.or_else(|| differing(&exact, &answers))?;
                Some(format!("{reading:?}: {difference}"))
            })
    };
    for seed in 0..cases(60) as u64 {
        let source = generated(seed);
        if wrong(&source).is_some() {
            panic!("seed {seed}:\n{}", shrunk(&source, &wrong));
        }
    }
}
