//! A system written out state by state, and its product with an automaton.
//!
//! States and steps are numbers from 0, and sets of them are the bits of a [`Set`]: so graphs have at most [`MOST`] of each.

/// A set of states, steps or nodes, by their numbers.
pub type Set = u128;

/// The most states, steps, or nodes that a [`Set`] can tell apart.
pub const MOST: usize = Set::BITS as usize;

/// The silent event.
pub const TAU: u32 = 0;
/// Successful termination.
pub const TERMINATE: u32 = 1;
/// The reserved event of a state that has no steps.
pub const IDLE: u32 = u32::MAX;

/// The numbers in a set, ascending.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The set of these numbers.
pub fn set_of(numbers: impl IntoIterator<Item = usize>) -> Set {
    numbers.into_iter().fold(0, |set, i| set | 1 << i)
}

/// A step of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: usize,
    /// Its event.
    pub event: u32,
    /// The processes that take part, a bit each.
    pub processes: u32,
    /// Where it leads.
    pub to: usize,
}

/// A system. A state without steps of its own idles.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where executions start.
    pub initial: Vec<usize>,
    /// By state: the predicates that hold, a bit each.
    pub predicates: Vec<u64>,
    /// By state: events that are ready although not enabled, a bit each.
    pub offered: Vec<u64>,
    /// All steps, those of idling included.
    pub steps: Vec<Step>,
}

impl Graph {
    /// A graph of these steps, with idling where a state has none.
    pub fn new(initial: Vec<usize>, predicates: Vec<u64>, offered: Vec<u64>, mut steps: Vec<Step>) -> Graph {
        for state in 0..predicates.len() {
            if !steps.iter().any(|s| s.from == state) {
                steps.push(Step {
                    from: state,
                    event: IDLE,
                    processes: 0,
                    to: state,
                });
            }
        }
        assert!(
            steps.len() <= MOST && predicates.len() <= MOST,
            "a set has a bit for every step"
        );
        Graph {
            initial,
            predicates,
            offered,
            steps,
        }
    }

    /// The steps with this property.
    pub fn steps_where(&self, has: impl Fn(&Step) -> bool) -> Set {
        set_of((0..self.steps.len()).filter(|&i| has(&self.steps[i])))
    }

    /// The states that these steps leave.
    pub fn sources(&self, steps: Set) -> Set {
        set_of(members(steps).map(|i| self.steps[i].from))
    }

    /// The states that executions can meet.
    pub fn reachable(&self) -> Set {
        let mut reached = set_of(self.initial.iter().copied());
        loop {
            let next =
                set_of(members(self.steps_where(|s| reached >> s.from & 1 == 1)).map(|i| self.steps[i].to));
            if next & !reached == 0 {
                return reached;
            }
            reached |= next;
        }
    }
}

/// A move of a product: a step, and an edge of the automaton that reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The node it leaves.
    pub from: usize,
    /// The node it enters.
    pub to: usize,
    /// The number of the step.
    pub step: usize,
    /// The automaton's marks, a bit each.
    pub marks: u64,
}

/// The reachable product of a graph and an automaton.
#[derive(Clone, Debug)]
pub struct Product {
    /// State of the graph and state of the automaton.
    pub nodes: Vec<(usize, usize)>,
    /// All moves.
    pub moves: Vec<Move>,
}

impl Product {
    /// The product with an automaton that starts in `start` and goes from `q` by the letter of a position, the event that led to a state (none at the start) and the
    /// state, to what `edges` says: targets with marks. None if it has more than [`MOST`] nodes.
    pub fn new(
        graph: &Graph,
        start: &[usize],
        edges: impl Fn(usize, Option<u32>, usize) -> Vec<(usize, u64)>,
    ) -> Option<Product> {
        let mut product = Product {
            nodes: Vec::new(),
            moves: Vec::new(),
        };
        for &state in &graph.initial {
            for &q in start {
                for (target, _) in edges(q, None, state) {
                    product.node((state, target));
                }
            }
        }
        let mut from = 0;
        while let Some(&(state, q)) = product.nodes.get(from) {
            for (number, step) in graph.steps.iter().enumerate().filter(|(_, s)| s.from == state) {
                for (target, marks) in edges(q, Some(step.event), step.to) {
                    let to = product.node((step.to, target));
                    product.moves.push(Move {
                        from,
                        to,
                        step: number,
                        marks,
                    });
                }
            }
            if product.nodes.len() > MOST {
                return None;
            }
            from += 1;
        }
        Some(product)
    }

    fn node(&mut self, node: (usize, usize)) -> usize {
        self.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// By node: the nodes that one move or more lead to, using only the moves that are `kept`, by number.
    pub fn reach(&self, kept: impl Fn(usize) -> bool) -> Vec<Set> {
        let mut reach = vec![0; self.nodes.len()];
        for (_, m) in self.moves.iter().enumerate().filter(|(i, _)| kept(*i)) {
            reach[m.from] |= 1 << m.to;
        }
        for via in 0..reach.len() {
            let beyond: Set = reach[via];
            for from in &mut reach {
                if *from >> via & 1 == 1 {
                    *from |= beyond;
                }
            }
        }
        reach
    }

    /// The sets of nodes that can reach each other and themselves, using only the moves that are `kept`, by number.
    pub fn components(&self, kept: impl Fn(usize) -> bool) -> Vec<Set> {
        let reach = self.reach(kept);
        let mut components: Vec<Set> = (0..reach.len())
            .map(|n| set_of(members(reach[n]).filter(|&m| reach[m] >> n & 1 == 1)))
            .filter(|&component| component != 0)
            .collect();
        components.sort_unstable();
        components.dedup();
        components
    }
}
