//! Is one of many executions fair, and accepted by an automaton?
//!
//! The executions of a [`Bundle`] are the infinite walks through a finite graph of positions and states, or of positions, states
//! and the states of an automaton that reads along. What happens infinitely often on a walk is a strongly connected
//! set of edges of that graph, so the question is whether one of these sets meets everything: an emptiness check for an
//! Emerson-Lei condition [EmersonLei-TR'84], on a graph about as long as the run.
//!
//! All walks engage the same events and processes, those of the loop, since each lap takes all of its steps. What a
//! notion or an annotation asks beyond that is of others: one that is weakly owed must be
//! impossible in some state (`Inf`), one that is strongly owed in every state (`Fin`). A formula is such a condition as it
//! stands. Strong global fairness is asked of each component as a whole: a fair set of edges visits a terminal
//! component of the system, so the component of the graph around it visits the same states, and takes all of its steps.
//!
//! The walk that comes back is only a proposal: it is judged by the definitions, like a run that leaves no choice.
//!
//! Cost: linear in the graph for each `Fin` in a conjunction; exponential in the number of `Fin`s under a disjunction
//! that some edge of a component is against.

use super::Holds;
use crate::constraint::{AnnotationKind, Constraint, Formula, Notion, Predicate};
use crate::judge::{Enabled, Judge, JudgedStep};
use crate::matching::{Bundle, Matching};
use crate::run::{Run, RunStep};
use fairhold_logic::{Acceptance, Automaton, MarkId};
use fairhold_system::Fault;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// An automaton that reads along, and the letter of a position and a state.
pub(crate) type Reader<'a, State> = (&'a Automaton, &'a dyn Fn(usize, &State) -> Result<u64, Fault>);

/// An execution that a run stands for: the run with as many laps as it takes, and its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution<State> {
    /// The run.
    pub run: Run,
    /// The initial state, then one for each step of the prefix and of the loop.
    pub states: Vec<State>,
}

/// A node of the graph: a position of the run, a place there, and the state of the automaton.
type Node = (usize, usize, u32);

/// An execution of the bundle that meets all constraints and is accepted by the automaton, if there is one.
///
/// # Panics
/// If the run has no loop.
pub(crate) fn fair_among<J: Judge>(
    matching: &Matching<'_, J>,
    bundle: &Bundle,
    run: &Run,
    constraints: &[Constraint],
    holds: &Holds<'_, J::State>,
    reader: Option<Reader<'_, J::State>>,
) -> Result<Option<Execution<J::State>>, Fault> {
    let from = matching
        .loop_from()
        .expect("an execution is infinite: it has a loop");
    let mut graph = Graph {
        matching,
        run,
        from,
        start: bundle.places(from).next().expect("a bundle has an execution"),
        nodes: Vec::new(),
        parents: Vec::new(),
        edges: Vec::new(),
        marks: Vec::new(),
        views: HashMap::new(),
        is_global: constraints.contains(&Constraint::Notion(Notion::Sgf)),
    };
    graph.explore(bundle, reader)?;
    graph.look(constraints.iter().any(Constraint::needs_ready))?;
    let mut parts = Vec::new();
    if let Some((automaton, _)) = reader {
        parts.push(automaton.acceptance.clone());
    }
    for constraint in constraints {
        parts.push(graph.condition(constraint, holds)?);
    }
    let all = (0..graph.edges.len()).collect();
    let found = graph.accepted(all, &Acceptance::and(parts));
    Ok(found.map(|edges| graph.execution(&edges)))
}

/// What is possible in a state.
struct View<State> {
    offered: Vec<JudgedStep<State>>,
    enabled: Enabled,
    ready: BTreeSet<String>,
}

/// A step of a loop: the number of its source, event, processes, the number of its target.
type TakenStep<'a> = (usize, &'a str, &'a [u32], usize);

struct Graph<'g, 'a, J: Judge> {
    matching: &'g Matching<'a, J>,
    run: &'g Run,
    /// The position where the loop starts, and the place there.
    from: usize,
    start: usize,
    nodes: Vec<Node>,
    /// Of each node one that leads to it and was there before; none for a start.
    parents: Vec<Option<usize>>,
    edges: Vec<(usize, usize)>,
    /// Each mark's edges.
    marks: Vec<Vec<bool>>,
    /// By the number of a state of the loop.
    views: HashMap<usize, View<J::State>>,
    is_global: bool,
}

impl<J: Judge> Graph<'_, '_, J> {
    /// All nodes that a walk of the bundle comes by, and the edges with the marks of the automaton.
    fn explore(&mut self, bundle: &Bundle, reader: Option<Reader<'_, J::State>>) -> Result<(), Fault> {
        let mut numbers: HashMap<Node, usize> = HashMap::new();
        let initial: Vec<u32> = match reader {
            None => vec![0],
            Some((automaton, _)) => automaton.initial.iter().map(|s| s.0).collect(),
        };
        for place in bundle.places(0) {
            for &own in &initial {
                numbers.entry((0, place, own)).or_insert_with(|| {
                    self.nodes.push((0, place, own));
                    self.parents.push(None);
                    self.nodes.len() - 1
                });
            }
        }
        let marks = reader.map_or(0, |(automaton, _)| automaton.marks);
        self.marks = vec![Vec::new(); marks as usize];
        let mut at = 0;
        while let Some(&(position, place, own)) = self.nodes.get(at) {
            let moves: Vec<(u32, u64)> = match reader {
                None => vec![(0, 0)],
                Some((automaton, letter)) => {
                    let letter = letter(position, self.matching.at(position, place))?;
                    let own = fairhold_logic::StateIndex(own);
                    let moves = automaton.successors(own, letter);
                    moves.map(|edge| (edge.target.0, edge.marks.0)).collect()
                }
            };
            // The last position is the start of the loop once more.
            let (here, after) = match position + 1 == self.matching.len() {
                true => ((self.from, self.start), self.from + 1),
                false => ((position, place), position + 1),
            };
            for &to in self.matching.next(here.0, here.1) {
                if !bundle.contains(after, to) {
                    continue;
                }
                for &(target, met) in &moves {
                    let node = (after, to, target);
                    let number = *numbers.entry(node).or_insert_with(|| {
                        self.nodes.push(node);
                        self.parents.push(Some(at));
                        self.nodes.len() - 1
                    });
                    self.edges.push((at, number));
                    for (mark, edges) in self.marks.iter_mut().enumerate() {
                        edges.push(met >> mark & 1 == 1);
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// The number of the state of a node, which is that of the loop's start at the end of a lap.
    fn state(&self, node: usize) -> usize {
        let (position, place, _) = self.nodes[node];
        match position + 1 == self.matching.len() {
            true => self.matching.number_at(self.from, self.start),
            false => self.matching.number_at(position, place),
        }
    }

    /// Looks at what is possible in each state of the loop.
    fn look(&mut self, needs_ready: bool) -> Result<(), Fault> {
        for node in 0..self.nodes.len() {
            let state = self.state(node);
            if self.nodes[node].0 <= self.from || self.views.contains_key(&state) {
                continue;
            }
            let judge = self.matching.judge();
            let full = self.matching.state(state);
            let offered = judge.steps(full)?;
            let view = View {
                enabled: judge.enabled(full, &offered),
                ready: match needs_ready {
                    true => judge.ready(full)?,
                    false => BTreeSet::new(),
                },
                offered,
            };
            self.views.insert(state, view);
        }
        Ok(())
    }

    /// What an edge into the loop enters.
    fn view(&self, edge: usize) -> Option<&View<J::State>> {
        self.views.get(&self.state(self.edges[edge].1))
    }

    /// The step of the run that an edge takes.
    fn step(&self, edge: usize) -> &RunStep {
        let (position, ..) = self.nodes[self.edges[edge].1];
        self.step_to(position)
    }

    /// The step of the run that leads to a position after the first.
    fn step_to(&self, position: usize) -> &RunStep {
        match position.checked_sub(self.from + 1) {
            Some(lap) => &self.run.loop_[lap],
            None => &self.run.prefix[position - 1],
        }
    }

    /// A mark on the edges of which something is true.
    fn mark(&mut self, edges: Vec<bool>) -> MarkId {
        self.marks.push(edges);
        MarkId(self.marks.len() as u32 - 1)
    }

    /// A constraint as a condition on marks; strong global fairness is none, see [`Graph::takes_all_steps`].
    fn condition(
        &mut self,
        constraint: &Constraint,
        holds: &Holds<'_, J::State>,
    ) -> Result<Acceptance, Fault> {
        Ok(match constraint {
            Constraint::Notion(Notion::Sgf) => Acceptance::True,
            Constraint::Notion(Notion::Ewf) => self.all_events(true),
            Constraint::Notion(Notion::Esf) => self.all_events(false),
            Constraint::Notion(Notion::Pwf) => self.all_processes(true),
            Constraint::Notion(Notion::Psf) => self.all_processes(false),
            Constraint::Annotation(kind, event) => {
                let weak = matches!(kind, AnnotationKind::Wf | AnnotationKind::Wl);
                match kind.is_live() {
                    true => self.owed(weak, &|view| view.ready.contains(event), &|s| s.event == *event),
                    false => self.owed(weak, &|view| view.enabled.events.contains(event), &|s| {
                        s.event == *event
                    }),
                }
            }
            Constraint::Formula(formula) => self.formula(formula, true, holds)?,
        })
    }

    fn all_events(&mut self, weak: bool) -> Acceptance {
        let enabled = self.views.values().flat_map(|view| view.enabled.events.iter());
        let events: BTreeSet<String> = enabled.filter(|event| *event != "tau").cloned().collect();
        let each = events.iter().map(|event| {
            self.owed(weak, &|view| view.enabled.events.contains(event), &|s| {
                s.event == *event
            })
        });
        Acceptance::And(each.collect())
    }

    fn all_processes(&mut self, weak: bool) -> Acceptance {
        let enabled = self.views.values().flat_map(|view| &view.enabled.processes);
        let processes: BTreeSet<u32> = enabled.copied().collect();
        let each = processes.iter().map(|process| {
            self.owed(weak, &|view| view.enabled.processes.contains(process), &|s| {
                s.processes.contains(process)
            })
        });
        Acceptance::And(each.collect())
    }

    /// A weak or strong obligation. Every lap engages what the loop engages.
    fn owed(
        &mut self,
        weak: bool,
        possible: &dyn Fn(&View<J::State>) -> bool,
        engages: &dyn Fn(&RunStep) -> bool,
    ) -> Acceptance {
        if self.run.loop_.iter().any(engages) {
            return Acceptance::True;
        }
        let possible = |edge| self.view(edge).is_some_and(|view| possible(view) != weak);
        let marked = (0..self.edges.len()).map(possible).collect();
        let mark = self.mark(marked);
        match weak {
            true => Acceptance::Inf(mark),
            false => Acceptance::Fin(mark),
        }
    }

    fn formula(
        &mut self,
        formula: &Formula,
        wanted: bool,
        holds: &Holds<'_, J::State>,
    ) -> Result<Acceptance, Fault> {
        Ok(match formula {
            Formula::Not(part) => self.formula(part, !wanted, holds)?,
            Formula::InfinitelyOften(a) => {
                let values = self.values(a, holds)?;
                let mark = self.mark(values);
                match wanted {
                    true => Acceptance::Inf(mark),
                    false => Acceptance::Fin(mark),
                }
            }
            Formula::EventuallyAlways(a) => {
                let values = self.values(&a.negated(), holds)?;
                let mark = self.mark(values);
                match wanted {
                    true => Acceptance::Fin(mark),
                    false => Acceptance::Inf(mark),
                }
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let parts = parts.iter().map(|part| self.formula(part, wanted, holds));
                let parts = parts.collect::<Result<Vec<_>, Fault>>()?;
                match matches!(formula, Formula::And(_)) == wanted {
                    true => Acceptance::And(parts),
                    false => Acceptance::Or(parts),
                }
            }
        })
    }

    /// The value of a condition on each edge of the loop: `engaged` of its step, all else in the state it enters.
    fn values(&self, a: &Predicate, holds: &Holds<'_, J::State>) -> Result<Vec<bool>, Fault> {
        let each = |edge| match self.view(edge) {
            Some(view) => self.value(a, edge, view, holds),
            None => Ok(false),
        };
        (0..self.edges.len()).map(each).collect()
    }

    fn value(
        &self,
        a: &Predicate,
        edge: usize,
        view: &View<J::State>,
        holds: &Holds<'_, J::State>,
    ) -> Result<bool, Fault> {
        let of = |a: &Predicate| self.value(a, edge, view, holds);
        Ok(match a {
            Predicate::Const(b) => *b,
            Predicate::State(number, _) => {
                holds(*number, self.matching.state(self.state(self.edges[edge].1)))?
            }
            Predicate::Enabled(event) => view.enabled.events.contains(event),
            Predicate::Ready(event) => view.ready.contains(event),
            Predicate::Engaged(event) => self.step(edge).event == *event,
            Predicate::EnabledProcess(process) => view.enabled.processes.contains(process),
            Predicate::EngagedProcess(process) => self.step(edge).processes.contains(process),
            Predicate::Not(a) => !of(a)?,
            Predicate::And(parts) => {
                let values: Result<Vec<bool>, Fault> = parts.iter().map(of).collect();
                values?.into_iter().all(|value| value)
            }
            Predicate::Or(parts) => {
                let values: Result<Vec<bool>, Fault> = parts.iter().map(of).collect();
                values?.into_iter().any(|value| value)
            }
        })
    }

    /// A strongly connected set among these edges that meets the condition.
    fn accepted(&self, edges: Vec<usize>, condition: &Acceptance) -> Option<Vec<usize>> {
        if *condition == Acceptance::False {
            return None;
        }
        // What may not be met at all goes at once.
        let never = conjuncts(condition).filter_map(|part| match part {
            Acceptance::Fin(mark) => Some(*mark),
            _ => None,
        });
        let never: Vec<MarkId> = never.collect();
        let is_kept = |&edge: &usize| !never.iter().any(|mark| self.marks[mark.0 as usize][edge]);
        let kept: Vec<usize> = edges.into_iter().filter(is_kept).collect();
        for component in self.components(&kept) {
            // If a component leaves a step out, so does every part of it that is closed under steps.
            if self.is_global && !self.takes_all_steps(&component) {
                continue;
            }
            let seen = |mark: MarkId| component.iter().any(|&edge| self.marks[mark.0 as usize][edge]);
            if condition.accepts(&seen) {
                return Some(component);
            }
            let possible = condition.map(
                &|mark| match seen(mark) {
                    true => Acceptance::Inf(mark),
                    false => Acceptance::False,
                },
                &|mark| match seen(mark) {
                    true => Acceptance::Fin(mark),
                    false => Acceptance::True,
                },
            );
            let Some(avoided) = some_fin(&possible) else {
                continue;
            };
            // Either the mark is met no more, or it is met again and again.
            let finitely = possible.map(
                &|mark| match mark == avoided {
                    true => Acceptance::False,
                    false => Acceptance::Inf(mark),
                },
                &|mark| match mark == avoided {
                    true => Acceptance::True,
                    false => Acceptance::Fin(mark),
                },
            );
            let often = possible.map(&Acceptance::Inf, &|mark| match mark == avoided {
                true => Acceptance::False,
                false => Acceptance::Fin(mark),
            });
            let avoids = |edge: &&usize| !self.marks[avoided.0 as usize][**edge];
            let fewer: Vec<usize> = component.iter().filter(avoids).copied().collect();
            let found = self.accepted(fewer, &finitely);
            let found = found.or_else(|| self.accepted(component, &often));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether every step of every state that these edges visit is one of theirs.
    fn takes_all_steps(&self, edges: &[usize]) -> bool {
        let mut taken: HashSet<TakenStep<'_>> = HashSet::new();
        let mut visited: BTreeSet<usize> = BTreeSet::new();
        for &edge in edges {
            let (from, to) = self.edges[edge];
            let step = self.step(edge);
            taken.insert((self.state(from), &step.event, &step.processes, self.state(to)));
            visited.insert(self.state(from));
        }
        visited.into_iter().all(|state| {
            let mut offered = self.views[&state].offered.iter();
            offered.all(|(event, processes, target)| {
                let target = self.matching.number_of(target);
                target.is_some_and(|to| taken.contains(&(state, event.as_str(), processes.as_slice(), to)))
            })
        })
    }

    /// The edges inside each strongly connected component of these edges.
    fn components(&self, edges: &[usize]) -> Vec<Vec<usize>> {
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &edge in edges {
            let (from, to) = self.edges[edge];
            successors[from].push(to);
            predecessors[to].push(from);
        }
        // Forwards for an order, then backwards in that order: two plain walks, one after the other.
        let order = finished(&successors);
        let mut component = vec![usize::MAX; self.nodes.len()];
        for &root in order.iter().rev() {
            let mut waiting = vec![root];
            while let Some(node) = waiting.pop() {
                if component[node] == usize::MAX {
                    component[node] = root;
                    waiting.extend(&predecessors[node]);
                }
            }
        }
        let mut inside: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut roots = Vec::new();
        for &edge in edges {
            let (from, to) = self.edges[edge];
            if component[from] == component[to] {
                let own = inside.entry(component[from]).or_insert_with(|| {
                    roots.push(component[from]);
                    Vec::new()
                });
                own.push(edge);
            }
        }
        roots.iter().filter_map(|root| inside.remove(root)).collect()
    }

    /// The execution that comes to these edges and takes all of them in turn, again and again.
    fn execution(&self, edges: &[usize]) -> Execution<J::State> {
        let first = edges.iter().map(|&edge| self.edges[edge].0).min();
        let first = first.expect("a component has an edge");
        let mut way = vec![first];
        while let Some(before) = self.parents[way[way.len() - 1]] {
            way.push(before);
        }
        way.reverse();
        let steps_before = way.len() - 1;
        self.tour(edges, &mut way);
        let state = |&node: &usize| {
            let (position, place, _) = self.nodes[node];
            self.matching.at(position, place).clone()
        };
        let entering = |&node: &usize| self.step_to(self.nodes[node].0).clone();
        let mut prefix: Vec<RunStep> = way[1..].iter().map(entering).collect();
        let loop_ = prefix.split_off(steps_before);
        let run = Run {
            initial: self.run.initial.clone(),
            prefix,
            loop_,
            branches: self.run.branches.clone(),
            ..Run::default()
        };
        let states = way.iter().map(state).collect();
        Execution { run, states }
    }

    /// Appends a closed walk that takes each of the edges.
    fn tour(&self, edges: &[usize], way: &mut Vec<usize>) {
        let first = way[way.len() - 1];
        let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
        for &edge in edges {
            let (from, to) = self.edges[edge];
            out.entry(from).or_default().push(to);
        }
        let mut untaken = out.clone();
        let mut left = edges.len();
        loop {
            let here = way[way.len() - 1];
            if let Some(to) = untaken.get_mut(&here).and_then(Vec::pop) {
                way.push(to);
                left -= 1;
                continue;
            }
            let is_wanted = |node: usize| match left {
                0 => node == first,
                _ => untaken.get(&node).is_some_and(|to| !to.is_empty()),
            };
            if is_wanted(here) {
                return;
            }
            way.extend(shortest(&out, here, &is_wanted));
        }
    }
}

/// The nodes of a shortest way to a wanted node, the start aside.
fn shortest(out: &HashMap<usize, Vec<usize>>, start: usize, is_wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut before: HashMap<usize, usize> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for &to in &out[&node] {
            if before.contains_key(&to) {
                continue;
            }
            before.insert(to, node);
            if is_wanted(to) {
                let mut way = vec![to];
                let mut at = node;
                while at != start {
                    way.push(at);
                    at = before[&at];
                }
                way.reverse();
                return way;
            }
            waiting.push_back(to);
        }
    }
    unreachable!("a component is strongly connected")
}

/// All nodes, each after those that can only be reached through it.
fn finished(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(successors.len());
    let mut met = vec![false; successors.len()];
    for root in 0..successors.len() {
        if std::mem::replace(&mut met[root], true) {
            continue;
        }
        let mut way = vec![(root, 0)];
        while let Some((node, tried)) = way.last_mut() {
            match successors[*node].get(*tried) {
                Some(&to) => {
                    *tried += 1;
                    if !std::mem::replace(&mut met[to], true) {
                        way.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    way.pop();
                }
            }
        }
    }
    order
}

/// The operands of a conjunction, nested ones too.
fn conjuncts(condition: &Acceptance) -> Box<dyn Iterator<Item = &Acceptance> + '_> {
    match condition {
        Acceptance::And(parts) => Box::new(parts.iter().flat_map(conjuncts)),
        other => Box::new(std::iter::once(other)),
    }
}

/// Some mark that is forbidden somewhere in a condition.
fn some_fin(condition: &Acceptance) -> Option<MarkId> {
    match condition {
        Acceptance::Fin(mark) => Some(*mark),
        Acceptance::And(parts) | Acceptance::Or(parts) => parts.iter().find_map(some_fin),
        _ => None,
    }
}
