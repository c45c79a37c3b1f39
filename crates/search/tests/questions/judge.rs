//! Judges an answer from the graph alone. Shares no code with the searches: distances by relaxation until nothing
//! changes, `tau` loops by transitive closure, paths arc by arc.

use crate::explicit::{Explicit, KEY, TAU};
use fairhold_search::{Answer, Direction, Exploration, Order, Question};
use fairhold_system::{FaultKind, ObjectiveId, Path, PredicateId, Verdict};

pub(crate) const REACHES: Question = Question::Reaches(PredicateId(4));
pub(crate) const MINIMUM: Question = optimum(Direction::Minimise);
pub(crate) const MAXIMUM: Question = optimum(Direction::Maximise);

const fn optimum(direction: Direction) -> Question {
    Question::Optimum {
        condition: PredicateId(4),
        objective: ObjectiveId(5),
        direction,
    }
}

pub(crate) const QUESTIONS: [Question; 7] = [
    Question::DeadlockFree,
    Question::NonTerminating,
    Question::Deterministic,
    Question::DivergenceFree,
    REACHES,
    MINIMUM,
    MAXIMUM,
];

/// Turns a failed condition into an error that names it.
macro_rules! demand {
    ($condition:expr) => {
        if !$condition {
            return Err(format!("line {}: {}", line!(), stringify!($condition)));
        }
    };
}

type Distances = Vec<Option<usize>>;

/// Steps from an initial state to each state. Nothing is behind a state whose stepping goes wrong.
pub(crate) fn distances(graph: &Explicit) -> Distances {
    let mut distances = vec![None; graph.nodes.len()];
    for &number in &graph.initial {
        distances[number] = Some(0);
    }
    loop {
        let before = distances.clone();
        for (from, node) in graph.nodes.iter().enumerate() {
            let Some(near) = distances[from].filter(|_| node.step_fault.is_none()) else {
                continue;
            };
            for &(_, _, to) in &node.arcs {
                distances[to] = Some(distances[to].map_or(near + 1, |old| old.min(near + 1)));
            }
        }
        if distances == before {
            return distances;
        }
    }
}

/// Shortest way by `tau` steps from each state to each, at least one step long.
fn silent_distances(graph: &Explicit) -> Vec<Distances> {
    let states = graph.nodes.len();
    let mut best: Vec<Distances> = vec![vec![None; states]; states];
    for (from, node) in graph.nodes.iter().enumerate() {
        if node.step_fault.is_none() {
            for &(_, _, to) in node.arcs.iter().filter(|arc| arc.0 == TAU) {
                best[from][to] = Some(1);
            }
        }
    }
    for via in 0..states {
        for from in 0..states {
            for to in 0..states {
                if let (Some(a), Some(b)) = (best[from][via], best[via][to]) {
                    best[from][to] = Some(best[from][to].map_or(a + b, |old| old.min(a + b)));
                }
            }
        }
    }
    best
}

fn conflicts(graph: &Explicit, number: usize) -> bool {
    let arcs = &graph.nodes[number].arcs;
    arcs.iter().any(|a| arcs.iter().any(|b| a.0 == b.0 && a.2 != b.2))
}

/// Whether the answer to a search without limits is right.
pub(crate) fn judge(graph: &Explicit, question: &Question, answer: &Answer) -> Result<(), String> {
    demand!(answer.stop.is_none());
    demand!(
        answer.conflict.is_some()
            == (answer.verdict == Verdict::Fails && *question == Question::Deterministic)
    );
    if let Some(kind) = graph.initial_fault {
        demand!(answer.fault.as_ref().is_some_and(|f| f.message == "initial"));
        demand!(answer.verdict == fault_verdict(kind) && answer.path.is_none());
        return Ok(());
    }
    let distances = distances(graph);
    let reaching = !matches!(
        question,
        Question::DeadlockFree
            | Question::NonTerminating
            | Question::Deterministic
            | Question::DivergenceFree
    );
    // When something is noticed, in expanded levels: a state is met while the level before it is expanded.
    let met = |d: usize| d as i64 - 1;
    let expanded = |d: usize| d as i64;
    let earliest = |wanted: &dyn Fn(usize) -> bool, when: &dyn Fn(usize) -> i64| {
        let hits = (0..graph.nodes.len()).filter(|&n| wanted(n));
        hits.filter_map(|n| distances[n]).map(when).min()
    };
    let step_fault = earliest(&|n| graph.nodes[n].step_fault.is_some(), &expanded);
    let goal_fault = earliest(&|n| reaching && graph.nodes[n].goal_fault.is_some(), &met);
    let fault = step_fault.into_iter().chain(goal_fault).min();

    if let Some(found) = &answer.fault {
        let (d, verdict) = fault_end(graph, answer, found.message == "goal")?;
        demand!(answer.verdict == verdict);
        demand!(
            answer
                .fault
                .as_ref()
                .is_some_and(|f| fault_verdict(f.kind) == verdict)
        );
        let when = if found.message == "goal" {
            met(d)
        } else {
            expanded(d)
        };
        demand!(Some(when) == fault);
    } else {
        demand!(answer.samples.is_empty());
        demand!(matches!(answer.verdict, Verdict::Holds | Verdict::Fails));
        let without_path = if reaching { Verdict::Fails } else { Verdict::Holds };
        demand!(answer.path.is_none() == (answer.verdict == without_path));
    }

    let hit: Option<i64> = match question {
        Question::DeadlockFree => earliest(&|n| stuck(graph, n) && !graph.nodes[n].ended, &expanded),
        Question::NonTerminating => earliest(&|n| stuck(graph, n), &expanded),
        Question::Deterministic => earliest(
            &|n| graph.nodes[n].step_fault.is_none() && conflicts(graph, n),
            &expanded,
        ),
        Question::DivergenceFree => return judge_divergence(graph, answer, &distances, fault),
        Question::Reaches(_) => earliest(&|n| graph.nodes[n].goal, &met),
        Question::Optimum { direction, .. } => {
            return judge_optimum(graph, answer, &distances, fault, *direction);
        }
    };
    demand!(answer.value.is_none());
    let hit_verdict = if reaching { Verdict::Holds } else { Verdict::Fails };
    let hit_wins = hit.is_some_and(|h| fault.is_none_or(|f| h < f));
    let tie = hit.is_some() && hit == fault;
    if answer.fault.is_some() {
        demand!(!hit_wins);
        return Ok(());
    }
    demand!(tie || fault.is_none() || hit_wins);
    demand!((answer.verdict == hit_verdict) == hit.is_some());
    let Some(path) = &answer.path else { return Ok(()) };
    let end = walk(graph, path)?;
    demand!(path.loop_from.is_none());
    let length = path.labels.len();
    match question {
        Question::DeadlockFree => {
            demand!(stuck(graph, end) && !graph.nodes[end].ended);
            demand!(Some(expanded(length)) == hit);
        }
        Question::NonTerminating => {
            demand!(stuck(graph, end));
            demand!(Some(expanded(length)) == hit);
        }
        Question::Reaches(_) => {
            demand!(graph.nodes[end].goal);
            demand!(Some(met(length)) == hit);
        }
        _ => {
            let Some(conflict) = &answer.conflict else {
                return Err("no conflict".to_owned());
            };
            demand!(length > 0 && Some(expanded(length - 1)) == hit);
            let from = Explicit::number(&path.states[length - 1]);
            let ends = conflict.targets.each_ref().map(|state| Explicit::number(state));
            demand!(ends[0] != ends[1] && ends[0] == end);
            demand!(path.labels[length - 1] == conflict.labels[0]);
            for (label, to) in conflict.labels.iter().zip(ends) {
                demand!(label.event == conflict.event);
                demand!(
                    graph.nodes[from]
                        .arcs
                        .contains(&(label.event.0, label.processes.0, to))
                );
            }
        }
    }
    Ok(())
}

fn stuck(graph: &Explicit, number: usize) -> bool {
    graph.nodes[number].arcs.is_empty() && graph.nodes[number].step_fault.is_none()
}

fn fault_verdict(kind: FaultKind) -> Verdict {
    match kind {
        FaultKind::Error => Verdict::Error,
        FaultKind::Unbounded => Verdict::Unknown,
    }
}

/// The distance of the state where an answer says the fault is, and the verdict it must have.
fn fault_end(graph: &Explicit, answer: &Answer, goal: bool) -> Result<(usize, Verdict), String> {
    let (end, length) = if let Some(path) = &answer.path {
        demand!(answer.samples.is_empty() && path.loop_from.is_none());
        (walk(graph, path)?, path.labels.len())
    } else {
        demand!(answer.samples.len() == 1);
        // The last word counts the steps of the path by which the state was met.
        let sample = &answer.samples[0];
        (Explicit::number(sample), sample[2] as usize)
    };
    let node = &graph.nodes[end];
    let kind = if goal { node.goal_fault } else { node.step_fault };
    let kind = kind.ok_or("no fault there")?;
    demand!(distances(graph)[end] == Some(length));
    demand!(answer.path.is_some() == (kind == FaultKind::Error));
    Ok((length, fault_verdict(kind)))
}

fn judge_divergence(
    graph: &Explicit,
    answer: &Answer,
    distances: &Distances,
    fault: Option<i64>,
) -> Result<(), String> {
    let silent = silent_distances(graph);
    let looping = |n: usize| distances[n].is_some() && silent[n][n].is_some();
    let nearest = (0..graph.nodes.len())
        .filter(|&n| looping(n))
        .filter_map(|n| distances[n])
        .min();
    if answer.fault.is_some() {
        // A loop all of whose states are nearer than the fault would have been seen.
        let mut near = graph.clone();
        for (node, d) in near.nodes.iter_mut().zip(distances) {
            if d.is_none_or(|d| Some(d as i64) >= fault) {
                node.arcs.clear();
            }
        }
        let near = silent_distances(&near);
        demand!((0..graph.nodes.len()).all(|n| near[n][n].is_none()));
        return Ok(());
    }
    demand!((answer.verdict == Verdict::Fails) == nearest.is_some());
    let Some(path) = &answer.path else {
        demand!(fault.is_none());
        return Ok(());
    };
    let end = walk(graph, path)?;
    let start = path.loop_from.ok_or("no loop")?;
    demand!(start < path.labels.len());
    demand!(path.states[start] == path.states[path.labels.len()]);
    demand!(path.labels[start..].iter().all(|label| label.event.0 == TAU));
    if fault.is_none() {
        demand!(Some(start) == nearest);
        demand!(silent[end][end] == Some(path.labels.len() - start));
    }
    Ok(())
}

fn judge_optimum(
    graph: &Explicit,
    answer: &Answer,
    distances: &Distances,
    fault: Option<i64>,
    direction: Direction,
) -> Result<(), String> {
    demand!(answer.fault.is_some() == fault.is_some());
    let goals = (0..graph.nodes.len()).filter(|&n| distances[n].is_some() && graph.nodes[n].goal);
    let values: Vec<(i64, usize)> = goals
        .map(|n| (graph.nodes[n].value, distances[n].expect("reachable")))
        .collect();
    let best = match direction {
        Direction::Minimise => values.iter().map(|v| v.0).min(),
        Direction::Maximise => values.iter().map(|v| v.0).max(),
    };
    if fault.is_some() {
        demand!(answer.value.is_none());
        return Ok(());
    }
    demand!(answer.value == best);
    demand!((answer.verdict == Verdict::Holds) == best.is_some());
    let Some(path) = &answer.path else { return Ok(()) };
    let end = &graph.nodes[walk(graph, path)?];
    demand!(end.goal && Some(end.value) == best && path.loop_from.is_none());
    let nearest = values.iter().filter(|v| Some(v.0) == best).map(|v| v.1).min();
    demand!(Some(path.labels.len()) == nearest);
    Ok(())
}

/// Walks a path arc by arc, and returns where it ends.
pub(crate) fn walk(graph: &Explicit, path: &Path) -> Result<usize, String> {
    demand!(path.states.len() == path.labels.len() + 1);
    let numbers: Vec<usize> = path.states.iter().map(|state| Explicit::number(state)).collect();
    demand!(graph.initial.contains(&numbers[0]) && path.states[0][KEY] == 0);
    for (i, label) in path.labels.iter().enumerate() {
        let node = &graph.nodes[numbers[i]];
        demand!(node.step_fault.is_none());
        demand!(
            node.arcs
                .contains(&(label.event.0, label.processes.0, numbers[i + 1]))
        );
        // Up to where a loop starts, the words that tell no states apart are those of this very run.
        if path.loop_from.is_none_or(|start| i < start) {
            demand!(path.states[i + 1][KEY] == i as u32 + 1);
        }
    }
    Ok(numbers[numbers.len() - 1])
}

/// Whether an exploration without limits is right.
pub(crate) fn judge_exploration(
    graph: &Explicit,
    order: Order,
    exploration: &Exploration,
) -> Result<(), String> {
    let statistics = &exploration.statistics;
    demand!(exploration.stop.is_none());
    let distances = distances(graph);
    let reached: Vec<usize> = (0..graph.nodes.len())
        .filter(|&n| distances[n].is_some())
        .collect();
    let faulty = |n: &&usize| graph.nodes[**n].step_fault.is_some();
    let fault = reached.iter().filter(faulty).filter_map(|&n| distances[n]).min();
    if let Some(kind) = graph.initial_fault {
        demand!(exploration.fault.as_ref().is_some_and(|f| f.kind == kind));
        demand!(statistics.states == 0);
        return Ok(());
    }
    demand!(exploration.fault.is_some() == fault.is_some());
    if let Some(found) = &exploration.fault {
        if let Some(path) = &exploration.path {
            // Depth first, a state may have been met on another path than the one that leads to the fault.
            let numbers: Vec<usize> = path.states.iter().map(|s| Explicit::number(s)).collect();
            let end = numbers[numbers.len() - 1];
            demand!(graph.nodes[end].step_fault == Some(FaultKind::Error));
            if order == Order::Breadth {
                demand!(walk(graph, path)? == end && Some(path.labels.len()) == fault);
            }
            for (i, label) in path.labels.iter().enumerate() {
                let arc = (label.event.0, label.processes.0, numbers[i + 1]);
                demand!(graph.nodes[numbers[i]].arcs.contains(&arc));
            }
        }
        demand!(exploration.path.is_some() == (found.kind == FaultKind::Error));
        demand!(exploration.samples.len() == usize::from(found.kind == FaultKind::Unbounded));
        return Ok(());
    }
    demand!(exploration.path.is_none() && exploration.samples.is_empty());
    let count = |wanted: &dyn Fn(usize) -> bool| reached.iter().filter(|&&n| wanted(n)).count() as u64;
    demand!(statistics.states == reached.len() as u64);
    let arcs: usize = reached.iter().map(|&n| graph.nodes[n].arcs.len()).sum();
    demand!(statistics.steps == arcs as u64);
    demand!(statistics.deadlocks == count(&|n| stuck(graph, n) && !graph.nodes[n].ended));
    demand!(statistics.terminated == count(&|n| stuck(graph, n) && graph.nodes[n].ended));
    let depth = reached.iter().filter_map(|&n| distances[n]).max().unwrap_or(0) as u64;
    match order {
        Order::Breadth => demand!(statistics.depth == depth),
        Order::Depth => demand!(statistics.depth >= depth && statistics.depth < statistics.states.max(1)),
    }
    demand!(statistics.stored_bytes <= statistics.peak_bytes);
    let Some(sccs) = statistics.sccs else {
        return Ok(());
    };
    let mut oracle = petgraph::graph::DiGraph::<(), ()>::new();
    let nodes: Vec<_> = graph.nodes.iter().map(|_| oracle.add_node(())).collect();
    for (from, node) in graph.nodes.iter().enumerate() {
        for &(_, _, to) in &node.arcs {
            oracle.add_edge(nodes[from], nodes[to], ());
        }
    }
    // A component is reachable as a whole or not at all.
    let components = petgraph::algo::tarjan_scc(&oracle);
    let reachable = components.iter().filter(|c| distances[c[0].index()].is_some());
    demand!(sccs == reachable.count() as u64);
    Ok(())
}
