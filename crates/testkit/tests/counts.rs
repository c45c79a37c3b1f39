//! The sizes in `docs/counts.md` are those of the reference semantics too, up to the size that the page promises.
//!
//! The page is written from the compiled semantics; here the reference semantics explores the same models by itself, with a
//! plain set of states.

use fairhold_csp::model::{DefId, Value};
use fairhold_csp::reference::Reference;
use fairhold_csp::resolve::{self, Options};
use fairhold_csp::state::State;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One row of the page.
#[derive(Debug)]
struct Row {
    size: i32,
    states: usize,
    steps: usize,
    equal_up_to: i32,
}

/// The rows of the page, by model.
fn page() -> Vec<(String, Vec<Row>)> {
    let text = std::fs::read_to_string(root().join("docs/counts.md")).expect("the page is there");
    let mut models: Vec<(String, Vec<Row>)> = Vec::new();
    for line in text.lines() {
        if let Some(file) = line.strip_prefix("## `") {
            models.push((file.trim_end_matches('`').to_owned(), Vec::new()));
        }
        let cells: Vec<String> = line.split('|').map(|c| c.trim().replace(',', "")).collect();
        if let [_, size, states, steps, _, _, equal, _] = cells.as_slice()
            && let Ok(size) = size.parse()
        {
            let equal = equal.rsplit("= ").next().and_then(|n| n.parse().ok());
            let rows = &mut models.last_mut().expect("a table stands below a model").1;
            rows.push(Row {
                size,
                states: states.parse().expect("a number of states"),
                steps: steps.parse().expect("a number of steps"),
                equal_up_to: equal.expect("a size"),
            });
        }
    }
    models
}

/// States and steps of the first asserted process, by the reference semantics.
fn count(file: &str, size: i32) -> (usize, usize) {
    let text = std::fs::read_to_string(root().join(file)).expect("the model is there");
    let no_includes = |_: &str, path: &str| Err(format!("{path} is not there"));
    let defines = [("N".to_owned(), size)];
    let options = Options {
        defines: &defines,
        read: &no_includes,
    };
    let model = Arc::new(resolve::load(file, &text, &options).model.expect("a valid model"));
    let (process, args): (DefId, &[Value]) = (model.assertions[0].process, &model.assertions[0].args);
    let reference = Reference::new(Arc::clone(&model), process, args).expect("a process that starts");
    let mut seen: HashSet<State> = HashSet::from([reference.initial_state()]);
    let mut waiting: Vec<State> = seen.iter().cloned().collect();
    let mut steps = 0;
    while let Some(state) = waiting.pop() {
        for step in reference.steps_from(&state).expect("a model without faults") {
            steps += 1;
            if seen.insert(step.target.clone()) {
                waiting.push(step.target);
            }
        }
    }
    (seen.len(), steps)
}

#[test]
fn the_page_gives_the_sizes_of_the_reference_semantics() {
    let models = page();
    assert!(models.len() >= 6, "philosophers and five others");
    let mut compared = 0;
    for (file, rows) in &models {
        for row in rows.iter().filter(|row| row.size <= row.equal_up_to) {
            let counted = count(file, row.size);
            assert_eq!(counted, (row.states, row.steps), "{file} with N = {}", row.size);
            compared += 1;
        }
    }
    println!("{compared} rows compared");
    assert!(compared >= 12);
}

#[test]
fn philosophers_are_listed_up_to_twelve() {
    let models = page();
    let (_, rows) = models
        .iter()
        .find(|(file, _)| file == "examples/dining_philosophers.csp")
        .expect("philosophers are on the page");
    let sizes: Vec<i32> = rows.iter().map(|r| r.size).collect();
    assert_eq!(sizes, (2..=12).collect::<Vec<_>>());
}
