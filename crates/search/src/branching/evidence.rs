//! Runs that show why a state satisfies a formula or does not.
//!
//! What exists can be shown: a state has `EF q` by a path, `EG p` by a fair lasso, and lacks `AG p` by the path that breaks it. What a run claims of its
//! states may need runs again, so evidence is a tree. What holds of all paths, or of none, no run can show: there the tree has a leaf that names the claim. One kind of leaf gets an
//! example all the same: for `AG p` where `p` promises a path, as in `AG EF q`, the tree leads to a state from which the promised path is longest.
//!
//! A finite path stands for any fair path that goes on from it. Under a constraint, or where some state has no fair path, it is followed by a fair loop, unless the claims at its end
//! come with one, or that loop would have to take very many steps in turn (strong global fairness).
//!
//! Cost: a pass over the graph for each run, and one more for each different set of states in which loops are looked for. At most [`MANY`] runs are made.

use super::BranchingQuestion;
use super::arena::{Arena, each_loop};
use super::label::{Asked, Labels};
use super::walk::Walk;
use crate::expanded::Step;
use crate::fair::FairPart;
use fairhold_logic::{AtomId, Ctl, Quantifier};
use fairhold_store::StateId;
use fairhold_system::{EventId, Path};
use fixedbitset::FixedBitSet;
use std::marker::PhantomData;
use std::rc::Rc;

/// Runs in a tree, at most.
const MANY: usize = 64;
/// Positions of one run whose claims get runs of their own, those at its end aside.
const ALONG: usize = 4;
/// States tried as the one from which a promised path is longest.
const TRIES: usize = 16;
/// Steps that a loop may have to take in turn only to show that a finite path goes on fairly.
const LONG_LOOP: usize = 2_000;

/// A claim about the first state of a path, and the path that shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The formula, a part of the one that was asked for.
    pub formula: Ctl,
    /// Whether the claim is that it holds or that it does not.
    pub holds: bool,
    /// A fair lasso, or a finite path that some fair path continues; of no steps where no run shows the claim.
    pub path: Path,
    /// The position by which the path has shown the claim; what comes after is one way to go on fairly. The last one for a claim about what stays.
    pub end: usize,
    /// What is claimed of states on the path, by their positions; of states on the way to its end, only the first few.
    pub branches: Vec<(usize, Evidence)>,
}

impl Evidence {
    /// Whether there is a run of any steps in the tree.
    fn has_steps(&self) -> bool {
        !self.path.labels.is_empty() || self.branches.iter().any(|(_, branch)| branch.has_steps())
    }
}

/// That a part of the formula holds, or that it does not.
type Claim<'f> = (&'f Ctl, bool);

/// What a run must be like to show an existential claim.
enum Shape<'f> {
    /// One step, of these events if there are some, to a state with the claim.
    Next(Option<&'f [AtomId]>, Claim<'f>),
    /// Through states with the first claims to one with the others.
    Until(Vec<Claim<'f>>, Vec<Claim<'f>>),
    /// Forever through states with the claims.
    Globally(Vec<Claim<'f>>),
}

/// Where loops are, among some states.
struct Loops {
    among: FixedBitSet,
    parts: Vec<FairPart>,
    states: FixedBitSet,
}

/// Makes the runs, under one constraint.
pub(super) struct Witness<'w, 'q, 'a, A: Arena<'a>> {
    asked: &'w Asked<'q>,
    question: &'w BranchingQuestion<'w>,
    labels: &'w Labels,
    arena: &'w mut A,
    loops: Vec<Rc<Loops>>,
    /// How many runs may still be made.
    left: usize,
    system: PhantomData<&'a ()>,
}

impl<'w, 'q, 'a, A: Arena<'a>> Witness<'w, 'q, 'a, A> {
    pub(super) fn new(
        asked: &'w Asked<'q>,
        question: &'w BranchingQuestion<'w>,
        labels: &'w Labels,
        arena: &'w mut A,
    ) -> Witness<'w, 'q, 'a, A> {
        Witness {
            asked,
            question,
            labels,
            arena,
            loops: Vec::new(),
            left: MANY,
            system: PhantomData,
        }
    }

    /// What shows that a state satisfies the formula or that it does not: a claim about that very formula. None where nothing can be shown or need be.
    pub(super) fn of(&mut self, formula: &Ctl, state: StateId, holds: bool) -> Option<Evidence> {
        let mut claims = self.claims((formula, holds), state);
        let evidence = match claims.len() {
            0 => return None,
            1 if claims[0].formula == *formula => claims.remove(0),
            _ => Evidence {
                branches: claims.into_iter().map(|c| (0, c)).collect(),
                ..self.leaf((formula, holds), state)
            },
        };
        (evidence.has_steps() || !holds).then_some(evidence)
    }

    /// A claim without a run.
    fn leaf(&self, (formula, holds): Claim<'_>, state: StateId) -> Evidence {
        Evidence {
            formula: formula.clone(),
            holds,
            path: Walk::at(state).path(self.arena.graph()),
            end: 0,
            branches: Vec::new(),
        }
    }

    /// The claims about paths that a claim about a state comes down to, with their runs.
    fn claims(&mut self, (formula, holds): Claim<'_>, state: StateId) -> Vec<Evidence> {
        let is = |p: &Ctl| self.labels.of(p).contains(state.index());
        match formula {
            Ctl::True | Ctl::False | Ctl::Atom(_) => Vec::new(),
            Ctl::Not(p) => self.claims((p, !holds), state),
            Ctl::And(p, q) => self.operands([(p, holds), (q, holds)], holds, state),
            Ctl::Or(p, q) => self.operands([(p, holds), (q, holds)], !holds, state),
            Ctl::Implies(p, q) => self.operands([(p, !holds), (q, holds)], !holds, state),
            Ctl::Iff(p, q) => {
                let both = [(&**p, is(p)), (&**q, is(q))];
                self.operands(both, true, state)
            }
            _ => {
                if self.left == 0 {
                    return Vec::new();
                }
                self.left -= 1;
                vec![self.path_claim((formula, holds), state)]
            }
        }
    }

    /// The claims of all operands, or of the one that suffices and needs least.
    fn operands(&mut self, operands: [Claim<'_>; 2], all: bool, state: StateId) -> Vec<Evidence> {
        if all {
            let both = operands.into_iter().flat_map(|claim| self.claims(claim, state));
            return both.collect();
        }
        let is_true = |(p, holds): &Claim<'_>| self.labels.of(p).contains(state.index()) == *holds;
        let true_ones: Vec<Claim<'_>> = operands.into_iter().filter(is_true).collect();
        let least = true_ones.iter().min_by_key(|(p, _)| !p.is_state_condition());
        self.claims(*least.expect("a true disjunction has a true operand"), state)
    }

    /// A claim about paths, with a run if one shows it.
    fn path_claim(&mut self, claim: Claim<'_>, state: StateId) -> Evidence {
        for shape in shapes(claim) {
            if let Some(evidence) = self.run(claim, &shape, state) {
                return evidence;
            }
        }
        match claim {
            (Ctl::Globally(Quantifier::All, p), true) => self.example(claim, p, state),
            _ => None,
        }
        .unwrap_or_else(|| self.only_path(claim, state))
    }

    /// A claim that no run shows, unless there is but one: where the system has no steps, idling is the only path.
    fn only_path(&self, claim: Claim<'_>, state: StateId) -> Evidence {
        let mut evidence = self.leaf(claim, state);
        if self.asked.structure.stuck.contains(state.index()) && self.labels.fair().contains(state.index()) {
            let walk = Walk {
                start: state,
                steps: self.arena.graph().steps(state).collect(),
            };
            evidence.path = walk.path(self.arena.graph());
            evidence.path.loop_from = Some(0);
        }
        evidence
    }

    /// A run of this shape from a state, if there is one.
    fn run(&mut self, claim: Claim<'_>, shape: &Shape<'_>, state: StateId) -> Option<Evidence> {
        let graph = self.arena.graph();
        match shape {
            Shape::Next(events, next) => {
                let events: Option<Vec<EventId>> =
                    events.map(|all| all.iter().map(|&e| (self.question.event)(e)).collect());
                let goal = self.states_with(&[*next], self.labels.fair());
                let counts = |event| events.as_ref().is_none_or(|all| all.contains(&event));
                let leads_there = |s: &Step| goal.contains(s.target.index()) && counts(s.label.event);
                let step = graph.steps(state).find(leads_there)?;
                let walk = Walk {
                    start: state,
                    steps: vec![step],
                };
                Some(self.shown(claim, walk, &[], &[*next]))
            }
            Shape::Until(along, end) => {
                let all = self.everything();
                let (through, goal) = (
                    self.states_with(along, &all),
                    self.states_with(end, self.labels.fair()),
                );
                let walk = Walk::to(graph, &[state], &through, &goal)?;
                Some(self.shown(claim, walk, along, end))
            }
            Shape::Globally(along) => {
                let inside = self.states_with(along, self.labels.fair());
                let (path, states) = self.lasso(Walk::at(state), &inside)?;
                let mut evidence = Evidence {
                    end: path.labels.len(),
                    path,
                    ..self.leaf(claim, state)
                };
                self.add_along(&mut evidence, along, &states);
                Some(evidence)
            }
        }
    }

    /// A finite run, what it claims on the way and at its end, and how it goes on.
    fn shown(&mut self, claim: Claim<'_>, walk: Walk, along: &[Claim<'_>], end: &[Claim<'_>]) -> Evidence {
        let states: Vec<StateId> = walk.states().collect();
        let mut evidence = self.leaf(claim, walk.start);
        let last = states.len() - 1;
        self.add_along(&mut evidence, along, &states[..last]);
        for &claim in end {
            for made in self.claims(claim, states[last]) {
                evidence.branches.push((last, made));
            }
        }
        evidence.end = last;
        // A fair loop from the end, which shows what is claimed there, also shows that the path goes on.
        let goes_on = |(at, made): &(usize, Evidence)| *at == last && made.path.loop_from.is_some();
        evidence.path = match evidence.branches.iter().any(goes_on) {
            true => walk.path(self.arena.graph()),
            false => self.continued(walk),
        };
        evidence
    }

    /// Adds what is claimed of the states on the way.
    fn add_along(&mut self, evidence: &mut Evidence, along: &[Claim<'_>], states: &[StateId]) {
        if along.iter().all(|(p, _)| p.is_state_condition()) {
            return;
        }
        let mut met = Vec::new();
        for (position, &state) in states.iter().enumerate() {
            if met.contains(&state) {
                continue;
            }
            if met.len() == ALONG || self.left == 0 {
                break;
            }
            met.push(state);
            for &claim in along {
                let made = self.claims(claim, state);
                evidence.branches.extend(made.into_iter().map(|m| (position, m)));
            }
        }
    }

    /// A finite walk, with a fair loop after it where that is no matter of course.
    fn continued(&mut self, walk: Walk) -> Path {
        let fair = self.labels.fair();
        if self.arena.constraint().is_none() && fair.is_full() {
            return walk.path(self.arena.graph());
        }
        let plain = walk.path(self.arena.graph());
        let inside = fair.clone();
        if self.arena.constraint().is_some_and(|c| c.global) {
            let loops = self.loops(&inside);
            let part = loops.and_then(|l| {
                let on = Walk::to(self.arena.graph(), &[walk.end()], &inside, &l.states)?;
                let part = l.parts.iter().find(|p| p.nodes.contains(&on.end()))?;
                Some(
                    part.nodes
                        .iter()
                        .map(|&s| self.arena.graph().targets(s).len())
                        .sum::<usize>(),
                )
            });
            if part.is_none_or(|steps| steps > LONG_LOOP) {
                return plain;
            }
        }
        self.lasso(walk, &inside).map_or(plain, |(path, _)| path)
    }

    /// A walk, and after it the nearest fair loop inside some states. All states on it come back too, the last, which is there before, aside.
    fn lasso(&mut self, walk: Walk, inside: &FixedBitSet) -> Option<(Path, Vec<StateId>)> {
        let loops = self.loops(inside)?;
        let on = Walk::to(self.arena.graph(), &[walk.end()], inside, &loops.states)?;
        let part = loops.parts.iter().find(|p| p.nodes.contains(&on.end()))?;
        let cycle = self.arena.cycle(part, on.end());
        let whole = Walk {
            start: walk.start,
            steps: [walk.steps, on.steps].concat(),
        };
        let graph = self.arena.graph();
        let mut path = whole.path(graph);
        path.loop_from = Some(whole.steps.len());
        path.labels.extend(&cycle.labels);
        path.states.extend_from_slice(&cycle.states[1..]);
        let find = |words: &Vec<u32>| graph.visited.table.find(words);
        let last = path.states.len() - 1;
        let states: Option<Vec<StateId>> = path.states[..last].iter().map(find).collect();
        Some((path, states.expect("all states are in the table")))
    }

    /// The fair loops inside some states; none if the search for them was stopped.
    fn loops(&mut self, inside: &FixedBitSet) -> Option<Rc<Loops>> {
        if let Some(known) = self.loops.iter().find(|l| l.among == *inside) {
            return Some(Rc::clone(known));
        }
        let mut parts = Vec::new();
        let told = &mut |arena: &mut A, members: &[StateId]| {
            parts.extend(arena.fair_part(members)?);
            Ok(())
        };
        each_loop(self.arena, inside, &self.asked.watched, told).ok()?;
        let mut states = FixedBitSet::with_capacity(inside.len());
        let nodes = parts.iter().flat_map(|p: &FairPart| &p.nodes);
        nodes.for_each(|s| states.insert(s.index()));
        let loops = Rc::new(Loops {
            among: inside.clone(),
            parts,
            states,
        });
        self.loops.push(Rc::clone(&loops));
        Some(loops)
    }

    /// For `AG p` where `p` promises a path: the way to a state from which that is longest, and its evidence.
    fn example(&mut self, claim: Claim<'_>, p: &Ctl, state: StateId) -> Option<Evidence> {
        let mut promised = Vec::new();
        promises((p, true), &mut promised);
        if promised.is_empty() || !self.labels.fair().contains(state.index()) {
            return None;
        }
        let farthest = promised.iter().find_map(|&promise| self.farthest(promise));
        let candidates = farthest.unwrap_or_else(|| vec![state]);
        for candidate in candidates {
            let mut goal = FixedBitSet::with_capacity(self.labels.fair().len());
            goal.insert(candidate.index());
            let way = Walk::to(self.arena.graph(), &[state], self.labels.fair(), &goal);
            let Some(walk) = way else { continue };
            let left = self.left;
            let made = self.claims((p, true), candidate);
            if made.iter().any(|m| !m.path.labels.is_empty()) {
                return Some(Evidence {
                    path: walk.path(self.arena.graph()),
                    end: walk.steps.len(),
                    branches: made.into_iter().map(|m| (walk.steps.len(), m)).collect(),
                    ..self.leaf(claim, state)
                });
            }
            self.left = left;
        }
        None
    }

    /// States from which the path that a claim promises is longest, the longest first.
    fn farthest(&mut self, claim: Claim<'_>) -> Option<Vec<StateId>> {
        let shape = shapes(claim).into_iter().next()?;
        let Shape::Until(along, end) = shape else {
            return None;
        };
        let all = self.everything();
        let through = self.states_with(&along, &all);
        let mut set = self.states_with(&end, self.labels.fair());
        let mut order = Vec::new();
        let Asked {
            structure, watched, ..
        } = self.asked;
        let budget = self.arena.budget();
        let closed = structure.close_backwards(&mut set, &through, &mut order, budget, watched);
        self.arena.budget().release_vec(&order);
        closed.ok()?;
        Some(order.iter().rev().take(TRIES).map(|&s| StateId(s)).collect())
    }

    fn everything(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.labels.fair().len());
        all.insert_range(..);
        all
    }

    /// The states of a set of which all claims are true.
    fn states_with(&self, claims: &[Claim<'_>], among: &FixedBitSet) -> FixedBitSet {
        let mut set = among.clone();
        for (p, holds) in claims {
            match holds {
                true => set.intersect_with(self.labels.of(p)),
                false => set.difference_with(self.labels.of(p)),
            }
        }
        set
    }
}

/// The shapes of which a run must have one to show a claim; none if no run can.
fn shapes<'f>((formula, holds): Claim<'f>) -> Vec<Shape<'f>> {
    let quantifier = if holds {
        Quantifier::Exists
    } else {
        Quantifier::All
    };
    let is = |p: &'f Ctl| (p, holds);
    match formula {
        Ctl::Next(q, events, p) if *q == quantifier => vec![Shape::Next(events.as_deref(), is(p))],
        // What must come for `F` must stay away against it, and the other way round for `G`.
        Ctl::Finally(q, p) if *q == quantifier => match holds {
            true => vec![Shape::Until(Vec::new(), vec![is(p)])],
            false => vec![Shape::Globally(vec![is(p)])],
        },
        Ctl::Globally(q, p) if *q == quantifier => match holds {
            true => vec![Shape::Globally(vec![is(p)])],
            false => vec![Shape::Until(Vec::new(), vec![is(p)])],
        },
        Ctl::Until(q, p, r) if *q == quantifier => match holds {
            true => vec![Shape::Until(vec![is(p)], vec![is(r)])],
            false => vec![
                Shape::Until(vec![is(r)], vec![is(p), is(r)]),
                Shape::Globally(vec![is(r)]),
            ],
        },
        Ctl::WeakUntil(q, p, r) if *q == quantifier => match holds {
            true => vec![
                Shape::Until(vec![is(p)], vec![is(r)]),
                Shape::Globally(vec![is(p)]),
            ],
            false => vec![Shape::Until(vec![is(r)], vec![is(p), is(r)])],
        },
        Ctl::Release(q, p, r) if *q == quantifier => match holds {
            true => vec![
                Shape::Until(vec![is(r)], vec![is(p), is(r)]),
                Shape::Globally(vec![is(r)]),
            ],
            false => vec![Shape::Until(vec![is(p)], vec![is(r)])],
        },
        _ => Vec::new(),
    }
}

/// The existential claims that a claim about a state may come down to.
fn promises<'f>((formula, holds): Claim<'f>, out: &mut Vec<Claim<'f>>) {
    match formula {
        Ctl::Not(p) => promises((p, !holds), out),
        Ctl::And(p, q) | Ctl::Or(p, q) => {
            promises((p, holds), out);
            promises((q, holds), out);
        }
        Ctl::Implies(p, q) => {
            promises((p, !holds), out);
            promises((q, holds), out);
        }
        _ if !shapes((formula, holds)).is_empty() => out.push((formula, holds)),
        _ => {}
    }
}
