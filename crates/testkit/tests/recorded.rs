//! Graphs that were written down by hand from the definition of the language, for every operator in every other.
//!
//! Both semantics of CSP# come from one reading of the definition, so comparing them with one another cannot show that it
//! was misread. The graphs below `recorded/` were derived term by term, by somebody who had seen neither of the two.
//! They are compared up to bisimilarity: who has fewer states is not the question here.

use fairhold_csp::compile::CspSystem;
use fairhold_csp::model::Model;
use fairhold_csp::reference::Reference;
use fairhold_csp::resolve::{self, Options};
use fairhold_system::{Keep, Stepper, Steps, System};
use fairhold_trace::Judge;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;

/// No recorded graph comes near this many states.
const MAX_STATES: usize = 2_000;

/// A graph by its steps; state 0 is the first.
#[derive(Default, Debug)]
struct Graph {
    steps: Vec<Vec<(String, usize)>>,
}

impl Graph {
    fn add(&mut self, source: usize, label: &str, target: usize) {
        let states = 1 + source.max(target).max(self.steps.len().saturating_sub(1));
        self.steps.resize(states, Vec::new());
        self.steps[source].push((label.to_owned(), target));
    }

    /// The graph of what a function from states to steps leads to.
    fn of<S: Clone + Eq + Hash>(
        first: S,
        mut steps: impl FnMut(&S) -> Result<Vec<(String, S)>, String>,
    ) -> Result<Graph, String> {
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let mut graph = Graph {
            steps: vec![Vec::new()],
        };
        let mut next = 0;
        while next < states.len() {
            if states.len() > MAX_STATES {
                return Err(format!("more than {MAX_STATES} states"));
            }
            for (label, target) in steps(&states[next].clone())? {
                let number = *numbers.entry(target.clone()).or_insert_with(|| {
                    states.push(target);
                    states.len() - 1
                });
                graph.add(next, &label, number);
            }
            next += 1;
        }
        Ok(graph)
    }

    /// The steps, one a line, as they are recorded.
    fn written(&self) -> String {
        let mut text = String::new();
        for (source, steps) in self.steps.iter().enumerate() {
            for (label, target) in steps {
                text.push_str(&format!("{source} {label} {target}\n"));
            }
        }
        text
    }
}

/// Whether the first states of two graphs are bisimilar: refined from one block until nothing is split any more.
fn bisimilar(a: &Graph, b: &Graph) -> bool {
    let offset = a.steps.len();
    let mut steps: Vec<Vec<(String, usize)>> = a.steps.clone();
    let moved = |(label, target): &(String, usize)| (label.clone(), target + offset);
    steps.extend(b.steps.iter().map(|s| s.iter().map(moved).collect()));
    let mut blocks = vec![0; steps.len()];
    let mut count = 1;
    loop {
        let mut numbers = HashMap::new();
        let mut refined = Vec::with_capacity(blocks.len());
        for (state, steps) in steps.iter().enumerate() {
            let signature: BTreeSet<(&str, usize)> = steps
                .iter()
                .map(|(label, target)| (label.as_str(), blocks[*target]))
                .collect();
            let fresh = numbers.len();
            refined.push(*numbers.entry((blocks[state], signature)).or_insert(fresh));
        }
        let split = numbers.len();
        blocks = refined;
        if split == count {
            return blocks[0] == blocks[offset];
        }
        count = split;
    }
}

/// A term and the graph that was written down for it.
#[derive(Default, Debug)]
struct Entry {
    place: String,
    declarations: String,
    term: String,
    graph: Graph,
}

/// The entries of a file: `with` lines, a `term` line, then the steps; a blank line ends one.
fn entries(name: &str, text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut entry = Entry::default();
    for (number, line) in text.lines().chain([""]).enumerate() {
        let line = line.trim();
        if line.starts_with("# ") {
            continue;
        }
        if line.is_empty() {
            if !entry.term.is_empty() {
                entries.push(std::mem::take(&mut entry));
            }
        } else if let Some(declaration) = line.strip_prefix("with ") {
            entry.declarations.push_str(declaration);
            entry.declarations.push('\n');
        } else if let Some(term) = line.strip_prefix("term ") {
            term.clone_into(&mut entry.term);
            entry.place = format!("{name}:{}", number + 1);
            entry.graph.steps = vec![Vec::new()];
        } else if line != "0" {
            let words: Vec<&str> = line.split(' ').collect();
            let [source, label, target] = words[..] else {
                panic!("{name}:{}: `{line}` is no step", number + 1);
            };
            let state = |word: &str| word.parse().expect("states are numbers");
            entry.graph.add(state(source), label, state(target));
        }
    }
    entries
}

fn model(entry: &Entry) -> Result<Arc<Model>, String> {
    let text = format!("{}Recorded() = {};\n", entry.declarations, entry.term);
    let options = Options {
        defines: &[],
        read: &|_, path| Err(format!("{path} is not there")),
    };
    let loaded = resolve::load("recorded.csp", &text, &options);
    let complaints = || fairhold_source::render_all(&loaded.map, &loaded.diagnostics, false);
    loaded.model.map(Arc::new).ok_or_else(complaints)
}

fn slow(model: &Arc<Model>) -> Result<Graph, String> {
    let process = model.definition("Recorded").expect("it is defined");
    let reference = Reference::new(Arc::clone(model), process, &[]).map_err(|f| f.message)?;
    let initial = reference.initial().map_err(|f| f.message)?.remove(0);
    Graph::of(initial, |state| {
        let steps = reference.steps_from(state).map_err(|f| f.message)?;
        Ok(steps.into_iter().map(|s| (s.event, s.target)).collect())
    })
}

fn fast(model: &Arc<Model>) -> Result<Graph, String> {
    let process = model.definition("Recorded").expect("it is defined");
    let system = CspSystem::new(Arc::clone(model), process, &[], Keep::Everything).map_err(|f| f.message)?;
    let mut stepper = system.stepper();
    let mut initial = Steps::new(system.width());
    stepper.initial(&mut initial).map_err(|f| f.message)?;
    let first = initial
        .iter()
        .next()
        .expect("there is an initial state")
        .1
        .to_vec();
    Graph::of(first, |state| {
        let mut steps = Steps::new(system.width());
        stepper.steps(state, &mut steps).map_err(|f| f.message)?;
        let named = steps
            .iter()
            .map(|(label, target)| (system.event_name(label.event), target.to_vec()));
        Ok(named.collect())
    })
}

/// What is wrong with an entry.
fn difference(entry: &Entry) -> Option<String> {
    let graphs = match model(entry) {
        Ok(model) => [("reference", slow(&model)), ("compile", fast(&model))],
        Err(complaints) => return Some(complaints),
    };
    let wrong = graphs.into_iter().filter_map(|(name, graph)| match graph {
        Ok(graph) if bisimilar(&graph, &entry.graph) => None,
        Ok(graph) => Some(format!("{name} has\n{}", graph.written())),
        Err(fault) => Some(format!("{name}: {fault}\n")),
    });
    let wrong: String = wrong.collect();
    (!wrong.is_empty()).then(|| format!("recorded is\n{}{wrong}", entry.graph.written()))
}

#[test]
fn both_semantics_have_the_recorded_graphs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .flatten()
        .collect();
    files.sort_by_key(fs::DirEntry::file_name);
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().into_string().expect("names are plain");
        let text = fs::read_to_string(file.path()).expect("it is read");
        for entry in entries(&name, &text) {
            *counts.entry(name.clone()).or_insert(0) += 1;
            if let Some(difference) = difference(&entry) {
                let Entry {
                    place,
                    declarations,
                    term,
                    ..
                } = &entry;
                wrong.push(format!("{place}: {declarations}{term}\n{difference}"));
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() >= 600, "{counts:?}");
    assert!(
        wrong.is_empty(),
        "{} differ:\n\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn graphs_that_differ_are_told_apart() {
    let graph = |text: &str| entries("test", &format!("term x\n{text}")).remove(0).graph;
    assert!(bisimilar(
        &graph("0 a 1\n0 a 2\n1 b 0\n2 b 0"),
        &graph("0 a 1\n1 b 0")
    ));
    assert!(!bisimilar(
        &graph("0 a 1\n0 a 2\n1 b 3\n2 c 3"),
        &graph("0 a 1\n1 b 2\n1 c 2")
    ));
    assert!(!bisimilar(&graph("0 a 1"), &graph("0 b 1")));
    assert!(!bisimilar(&graph("0"), &graph("0 a 0")));
}
