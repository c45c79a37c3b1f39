//! Strongly connected components of a small graph.
//!
//! Tarjan's algorithm [Tarjan-SICOMP'72] with an explicit stack; linear in nodes and arcs. Components are numbered in the
//! order in which they are finished: every arc leads to a component of the same or a smaller number.

/// The number of the component of each node, for the graph with these successor lists.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let mut order = vec![NEW; n];
    let mut low = vec![0; n];
    let mut component = vec![NEW; n];
    let (mut visited, mut finished) = (0, 0);
    let mut open = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..n {
        if order[root] == NEW {
            calls.push((root, 0));
        }
        while let Some((node, arc)) = calls.pop() {
            if arc == 0 {
                order[node] = visited;
                low[node] = visited;
                visited += 1;
                open.push(node);
            }
            if let Some(&next) = successors[node].get(arc) {
                calls.push((node, arc + 1));
                if order[next] == NEW {
                    calls.push((next, 0));
                } else if component[next] == NEW {
                    low[node] = low[node].min(order[next]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = finished;
                    if member == node {
                        break;
                    }
                }
                finished += 1;
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;
    use fairhold_testkit::Rng;

    #[test]
    fn two_loops_and_a_bridge() {
        let graph = [vec![1], vec![0, 2], vec![3], vec![2], vec![]];
        assert_eq!(components(&graph), [1, 1, 0, 0, 2]);
        assert_eq!(components(&[]), [0usize; 0]);
    }

    #[test]
    fn random_graphs_agree_with_reachability() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let n = 1 + rng.below(8);
            let graph: Vec<Vec<usize>> = (0..n)
                .map(|_| (0..rng.below(4)).map(|_| rng.below(n)).collect())
                .collect();
            let mut reach = vec![vec![false; n]; n];
            for (i, row) in reach.iter_mut().enumerate() {
                let mut todo = vec![i];
                while let Some(at) = todo.pop() {
                    if !row[at] {
                        row[at] = true;
                        todo.extend(&graph[at]);
                    }
                }
            }
            let found = components(&graph);
            for i in 0..n {
                for j in 0..n {
                    assert_eq!(found[i] == found[j], reach[i][j] && reach[j][i]);
                    assert!(!reach[i][j] || found[j] <= found[i]);
                }
            }
        }
    }
}
