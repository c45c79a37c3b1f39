//! The reachable part of a system, written down.
//!
//! States are met breadth first, so a state's number is its place in that order and its depth is the length of a
//! shortest run to it. At a bound on states no further state is let in; steps between the states that are in are all
//! there, and a state that has steps to others is marked as cut. Time and memory are linear in states and steps.

use fairhold_search::{Component, components};
use fairhold_store::{StateId, StateTable};
use fairhold_system::{
    Control, Fault, Fields, Label, Observer, Progress, Stepper, Steps, StopReason, System,
};
use rustc_hash::FxHashMap;

/// How many states are stepped between two calls of the observer.
const POLL_EVERY: u32 = 256;

/// States and steps, as far as they were met.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The states; [`StateId`] is an index.
    pub nodes: Vec<Node>,
    /// The steps between them, by source, each once.
    pub steps: Vec<GraphStep>,
    /// What steps are labelled with.
    pub labels: Vec<GraphLabel>,
    /// Why there are states that are not in the graph, if there are.
    pub cut: Option<StopReason>,
    /// The formula that states are labelled with, if they are.
    pub formula: Option<String>,
}

/// A state.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Steps from an initial state.
    pub depth: u32,
    /// Whether a run may start here.
    pub initial: bool,
    /// Whether this is the end of a successful termination.
    pub ended: bool,
    /// Whether it has no steps and is not the end.
    pub deadlock: bool,
    /// Whether it has steps that are not in the graph.
    pub cut: bool,
    /// What goes wrong in stepping from here.
    pub fault: Option<Fault>,
    /// Its strongly connected component, within the graph.
    pub component: Component,
    /// Whether it is on the highlighted run.
    pub highlighted: bool,
    /// Whether it satisfies [`Graph::formula`].
    pub satisfies: bool,
    /// The state by names; empty if not asked for.
    pub fields: Fields,
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphStep {
    /// Where it starts.
    pub from: StateId,
    /// An index into [`Graph::labels`].
    pub label: u32,
    /// Where it leads.
    pub to: StateId,
    /// Whether it is on the highlighted run.
    pub highlighted: bool,
}

/// What a step is labelled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphLabel {
    /// The event.
    pub event: String,
    /// The processes that take part, ascending.
    pub processes: Vec<u32>,
}

/// All steps from one state to another, drawn as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it starts.
    pub from: StateId,
    /// Where it leads.
    pub to: StateId,
    /// Indices into [`Graph::labels`], in the order of the steps.
    pub labels: Vec<u32>,
    /// Whether one of its steps is on the highlighted run.
    pub highlighted: bool,
}

/// Writes down what `system` can reach, at most `most` states of it; with `fields`, every state by names. The error is
/// that of a system whose initial states cannot be computed.
pub fn unfold<S: System>(
    system: &S,
    most: Option<u64>,
    fields: bool,
    observer: &dyn Observer,
) -> Result<Graph, Fault> {
    let mut unfolding = Unfolding {
        table: StateTable::new(system.width(), system.key_width()),
        most: most.unwrap_or(u64::MAX),
        graph: Graph::default(),
        labels: FxHashMap::default(),
    };
    let mut stepper = system.stepper();
    let mut steps = Steps::new(system.width());
    let mut cursor = Some(0);
    while let (Some(at), None) = (cursor, unfolding.graph.cut) {
        steps.clear();
        cursor = stepper.initial_from(at, &mut steps)?;
        for (_, state) in steps.iter() {
            if let Some(id) = unfolding.admit(state, 0) {
                unfolding.graph.nodes[id.index()].initial = true;
            }
        }
    }
    let mut next = StateId(0);
    while next.index() < unfolding.graph.nodes.len() {
        if next.0.is_multiple_of(POLL_EVERY) {
            let control = observer.progress(&unfolding.progress(next, stepper.bytes()));
            if let Control::Stop(reason) = control {
                unfolding.graph.cut = Some(reason);
                break;
            }
        }
        steps.clear();
        let state = unfolding.table.get(next);
        let node = &mut unfolding.graph.nodes[next.index()];
        node.ended = system.is_ended(&state);
        match stepper.steps(&state, &mut steps) {
            Ok(()) => node.deadlock = steps.is_empty() && !node.ended,
            Err(fault) => {
                node.fault = Some(fault);
                steps.clear();
            }
        }
        unfolding.add_steps(system, next, &steps);
        next.0 += 1;
    }
    for node in &mut unfolding.graph.nodes[next.index()..] {
        node.cut = true;
    }
    let Unfolding { table, mut graph, .. } = unfolding;
    if fields {
        for (id, node) in (0..).zip(&mut graph.nodes) {
            node.fields = system.fields(&table.get(StateId(id)));
        }
    }
    graph.find_components();
    Ok(graph)
}

struct Unfolding {
    table: StateTable,
    most: u64,
    graph: Graph,
    labels: FxHashMap<Label, u32>,
}

impl Unfolding {
    /// The state's number; none if there is no room for it.
    fn admit(&mut self, state: &[u32], depth: u32) -> Option<StateId> {
        if self.table.len() as u64 >= self.most {
            let known = self.table.find(state);
            if known.is_none() {
                self.graph.cut = Some(StopReason::States);
            }
            return known;
        }
        let Ok(inserted) = self.table.insert(state) else {
            self.graph.cut = Some(StopReason::Memory);
            return None;
        };
        if inserted.new {
            self.graph.nodes.push(Node {
                depth,
                ..Node::default()
            });
        }
        Some(inserted.id)
    }

    fn add_steps<S: System>(&mut self, system: &S, from: StateId, steps: &Steps) {
        let first = self.graph.steps.len();
        let depth = self.graph.nodes[from.index()].depth + 1;
        for (label, target) in steps.iter() {
            let Some(to) = self.admit(target, depth) else {
                self.graph.nodes[from.index()].cut = true;
                continue;
            };
            let labels = &mut self.graph.labels;
            let label = *self.labels.entry(label).or_insert_with(|| {
                labels.push(GraphLabel {
                    event: system.event_name(label.event),
                    processes: system.processes(label.processes),
                });
                labels.len() as u32 - 1
            });
            let step = GraphStep {
                from,
                label,
                to,
                highlighted: false,
            };
            // Two steps may differ only in words that tell no states apart.
            if !self.graph.steps[first..].contains(&step) {
                self.graph.steps.push(step);
            }
        }
    }

    fn progress(&self, next: StateId, stepper: u64) -> Progress {
        let states = self.table.len() as u64;
        let steps = self.graph.steps.len() as u64;
        Progress {
            states,
            steps,
            waiting: states - u64::from(next.0),
            depth: self.graph.nodes.last().map_or(0, |n| u64::from(n.depth)),
            bytes: self.table.bytes() + steps * size_of::<GraphStep>() as u64 + stepper,
        }
    }
}

impl Graph {
    /// Labels the states, by their numbers, with whether they satisfy a formula.
    pub fn label(&mut self, formula: &str, satisfies: impl Fn(usize) -> bool) {
        self.formula = Some(formula.to_owned());
        for (id, node) in self.nodes.iter_mut().enumerate() {
            node.satisfies = satisfies(id);
        }
    }

    fn find_components(&mut self) {
        let mut successors: Vec<Vec<StateId>> = vec![Vec::new(); self.nodes.len()];
        for step in &self.steps {
            successors[step.from.index()].push(step.to);
        }
        for (node, component) in self.nodes.iter_mut().zip(components(&successors)) {
            node.component = component;
        }
    }

    /// The steps from one state.
    pub fn steps_from(&self, state: StateId) -> impl Iterator<Item = (usize, &GraphStep)> {
        let start = self.steps.partition_point(|s| s.from < state);
        (start..)
            .zip(&self.steps[start..])
            .take_while(move |(_, s)| s.from == state)
    }

    /// Steps with the same two ends joined to one arrow, in the order of the first of them.
    pub fn arrows(&self) -> Vec<Arrow> {
        let mut arrows: Vec<Arrow> = Vec::new();
        for step in &self.steps {
            let own = arrows.iter().rev().take_while(|a| a.from == step.from);
            let at = own.clone().position(|a| a.to == step.to);
            match at {
                Some(back) => {
                    let i = arrows.len() - 1 - back;
                    arrows[i].labels.push(step.label);
                    arrows[i].highlighted |= step.highlighted;
                }
                None => arrows.push(Arrow {
                    from: step.from,
                    to: step.to,
                    labels: vec![step.label],
                    highlighted: step.highlighted,
                }),
            }
        }
        arrows
    }
}
