//! Random models through the library: the same questions, asked in several ways.

use fairhold::{
    Bounds, CheckOptions, Hidden, Language, LoadOptions, Model, Silent, Verdict, load_text, parse_fairness,
};
use std::time::Duration;

/// States after which a search gives up: most models have fewer.
const MOST_STATES: u64 = 2_000;

/// The questions; `reached` is the goal of a generated model.
const QUESTIONS: [&str; 8] = [
    "System() deadlockfree",
    "System() reaches reached",
    "System() |= []!reached",
    "System() |= []<>reached",
    "System() |= AG !reached",
    "System() |= AG EF reached",
    "System() |= EG !reached",
    "System() |= []<>a",
];

/// The last question is about an event that not every model has.
const OF_ANY_MODEL: usize = QUESTIONS.len() - 1;

/// A way of asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    hidden: Hidden,
    threads: usize,
    compact: bool,
    reproducible: bool,
}

impl Reading {
    /// Hidden variables are part of the state where they matter.
    pub(crate) const EXACT: Reading = Reading {
        hidden: Hidden::Exact,
        threads: 1,
        compact: false,
        reproducible: false,
    };

    /// The same, with two threads, in little memory, and so that it can be done again.
    pub(crate) const OTHERWISE: &'static [Reading] = &[
        Reading {
            threads: 2,
            ..Reading::EXACT
        },
        Reading {
            threads: 2,
            reproducible: true,
            ..Reading::EXACT
        },
        Reading {
            compact: true,
            ..Reading::EXACT
        },
    ];

    const MERGE: Reading = Reading {
        hidden: Hidden::Merge,
        ..Reading::EXACT
    };

    /// Hidden variables are merged.
    pub(crate) const MERGED: &'static [Reading] = &[
        Reading::MERGE,
        Reading {
            threads: 2,
            ..Reading::MERGE
        },
        Reading {
            threads: 2,
            reproducible: true,
            ..Reading::MERGE
        },
        Reading {
            compact: true,
            ..Reading::MERGE
        },
    ];

    fn bounds(&self) -> Bounds {
        Bounds {
            // Several workers search only without a bound on states.
            states: (self.threads == 1).then_some(MOST_STATES),
            timeout: Some(Duration::from_secs(5)),
            threads: self.threads,
            compact: self.compact,
            reproducible: self.reproducible,
            ..Bounds::default()
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) question: String,
    pub(crate) verdict: Verdict,
    pub(crate) has_run: bool,
    pub(crate) has_note: bool,
    pub(crate) bug: Option<String>,
}

/// The model of a text; none if it is not valid.
fn load(text: &str, properties: &[&str]) -> Option<Model> {
    let goal = text.rsplit_once(" reaches ")?.1.split_once(" with max")?.0;
    let text = format!("#define reached ({goal});\n{text}");
    let options = LoadOptions {
        properties: properties.iter().map(|&p| p.to_owned()).collect(),
        fairness: parse_fairness("all").expect("a list of notions"),
        ..LoadOptions::default()
    };
    load_text("model.csp", &text, Language::Csp, &options).model
}

/// All questions under all notions; none if the text is not valid.
pub(crate) fn ask(text: &str, reading: &Reading) -> Option<Vec<Asked>> {
    let model = load(text, &QUESTIONS).or_else(|| load(text, &QUESTIONS[..OF_ANY_MODEL]))?;
    let options = CheckOptions {
        bounds: reading.bounds(),
        hidden: reading.hidden,
        ..CheckOptions::default()
    };
    let mut answers = Vec::new();
    for tasks in model.tasks(&[]) {
        for result in model.check(tasks, &options, &Silent) {
            let fairness = result.fairness.as_deref().unwrap_or("any fairness");
            answers.push(Asked {
                question: format!("{} under {fairness}", result.assertion),
                verdict: result.verdict,
                has_run: result.run().is_some(),
                has_note: !result.notes.is_empty(),
                bug: result.bug,
            });
        }
    }
    Some(answers)
}

/// How many states there are; none if they are too many, the model goes wrong or the text is not valid.
pub(crate) fn count(text: &str) -> Option<usize> {
    let model = load(text, &QUESTIONS[..1])?;
    let explored = model.explore(false, Hidden::Exact, &Reading::EXACT.bounds(), &Silent);
    let explored = explored.expect("the process is known");
    explored.complete().then_some(explored.states as usize)
}
