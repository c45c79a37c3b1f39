//! Is there a fair, accepting loop in a strongly connected part of the product?
//!
//! This is the one place where fairness is decided. A part `C` (nodes of the product with the moves between them) is looked at as a whole:
//!
//! - *weak obligations*: who is enabled in all nodes of `C` must be engaged in `C`. If `C` fails, so does every part of it, for in a part more is enabled throughout and
//!   less is engaged: discard `C`.
//! - *strong obligations*: who is enabled in some node of `C` must be engaged in `C`. No loop in `C` can be fair that meets a node where one is enabled who is not engaged
//!   anywhere in `C`: remove those nodes, of all failing obligations at once. That may make more of them fail; when no more do, split the rest into components,
//!   go on. Every round settles an obligation at least, and is linear.
//! - *strong global fairness*: every step of the system from a state in `C` must be the projection of a move in `C`. If `C` fails, so does every part of it: a closed
//!   part of `C` would reach all of `C`.
//! - *the formula* (the automaton's acceptance and the user's formula, an Emerson-Lei condition over marks on moves): with all marks of `C` seen infinitely often either it
//!   holds, and `C` is what we look for, or some `Fin` stands against it. A `Fin` that must hold has its moves removed, and the rest is split;
//!   where there is a choice, both branches are tried [Baier-ATVA'19]. Conjunctions of pairs never branch.
//!
//! Differs from [Baier-ATVA'19]: marks on states are read as marks on the moves that enter them, so only moves are ever removed for a
//! `Fin`; obligations are not written out as marks at all, since there may be hundreds of them and a count an event is cheaper.
//!
//! Time: linear in the part a round; rounds at most the number of strong obligations and `Fin`s, unless the formula branches.

use crate::budget::Budget;
use crate::fairness::{Fairness, Obligations, Strength, When, Whose};
use crate::product::{Move, Product};
use crate::tarjan::{Graph, Tarjan};
use crate::visited::Halt;
use fairhold_logic::{Acceptance, MarkId, MarkSet};
use fairhold_store::StateId;
use fairhold_system::{EventId, Label, ProcessesId, System};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// Nodes and the moves between them, as far as they are known.
pub(crate) trait Terrain {
    /// All numbers of nodes are below this.
    fn node_numbers(&self) -> usize;

    /// All numbers of steps are below this.
    fn step_numbers(&self) -> usize;

    /// The numbers of the steps from a node's state.
    fn step_range(&self, node: StateId) -> Range<usize>;

    /// The labels of the steps from a node's state.
    fn labels(&self, node: StateId) -> impl Iterator<Item = Label>;

    /// The moves from a node.
    fn moves(&self, node: StateId) -> impl Iterator<Item = Move>;

    /// The events ready in a node's state; asked for only where a constraint speaks of them.
    fn ready(&self, node: StateId) -> &[EventId];

    /// The members of a set of processes.
    fn processes(&self, set: ProcessesId) -> &[u32];

    /// Asks for the memory of a node that will be looked at soon: that which says where its steps lie, or that of the steps.
    fn approach_node(&self, _node: StateId, _ahead: Ahead) {}

    /// Who counts the bytes.
    fn budget(&mut self) -> &mut Budget;
}

/// How soon a node will be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    Far,
    Near,
}

/// Asks for the memory of the nodes after one that is looked at now.
#[inline]
fn approach_after(terrain: &impl Terrain, nodes: &[StateId], i: usize) {
    for (ahead, distance) in [(Ahead::Far, 12), (Ahead::Near, 6)] {
        if let Some(&node) = nodes.get(i + distance) {
            terrain.approach_node(node, ahead);
        }
    }
}

impl<S: System> Terrain for Product<'_, '_, S> {
    fn node_numbers(&self) -> usize {
        self.len()
    }

    fn step_numbers(&self) -> usize {
        self.graph.step_numbers()
    }

    #[inline]
    fn step_range(&self, node: StateId) -> Range<usize> {
        self.graph.span(self.state(node))
    }

    #[inline]
    fn labels(&self, node: StateId) -> impl Iterator<Item = Label> {
        self.graph.steps(self.state(node)).map(|step| step.label)
    }

    #[inline]
    fn moves(&self, node: StateId) -> impl Iterator<Item = Move> {
        Product::moves(self, node)
    }

    fn ready(&self, node: StateId) -> &[EventId] {
        self.graph.ready(self.state(node))
    }

    fn processes(&self, set: ProcessesId) -> &[u32] {
        Product::processes(self, set)
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.graph.visited.budget
    }
}

/// A strongly connected part in which a loop through everything is fair and accepting.
#[derive(Clone, Debug)]
pub(crate) struct FairPart {
    /// Its nodes.
    pub(crate) nodes: Vec<StateId>,
    /// Moves with one of these marks are no part of it.
    pub(crate) banned: MarkSet,
    /// Marks that a loop must meet to be accepting.
    pub(crate) wanted: Vec<MarkId>,
}

/// A part yet to be looked at.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) nodes: Vec<StateId>,
    /// Moves with one of these marks are no part of it.
    pub(crate) banned: MarkSet,
    /// What a loop in it must meet.
    pub(crate) acceptance: Acceptance,
    /// Whether it is known to be strongly connected.
    pub(crate) connected: bool,
}

impl Part {
    /// Takes out the moves that carry these marks, which the condition now takes to be met finitely often.
    fn ban(&mut self, fins: &[MarkId]) {
        fins.iter().for_each(|&m| self.banned.insert(m));
        self.acceptance = settle(&self.acceptance, fins, true);
    }
}

/// What a look at a part has done to it.
pub(crate) enum Refined {
    /// There is no fair accepting loop in it.
    Hopeless,
    /// It has lost something.
    Smaller,
    /// It is as it was; these marks are on its moves.
    Same(MarkSet),
}

/// What was seen of a part.
#[derive(Clone, Copy, Default)]
pub(crate) struct Survey {
    /// Whether there are moves in it.
    pub(crate) moves: bool,
    /// The marks on them.
    pub(crate) marks: MarkSet,
    /// Whether every step from its states is taken in it.
    pub(crate) closed: bool,
}

/// Decides parts under one constraint.
pub(crate) struct Fair<'f> {
    fairness: &'f Fairness,
    acceptance: Acceptance,
    events: Tallies,
    ready: Tallies,
    processes: Tallies,
    /// The nodes of the part that is looked at; none between two looks.
    here: FixedBitSet,
    /// By node: its place in the part that is split, if it is there.
    places: Vec<u32>,
    /// Steps from states of the part that a move of it projects to. What is said of others is of no use.
    covered: FixedBitSet,
    /// The labels of the node that is looked at.
    labels: Vec<Label>,
    look: u32,
}

/// What is known of the events or processes of a part.
#[derive(Default)]
struct Tallies {
    items: Vec<Tally>,
    touched: Vec<u32>,
    look: u32,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    look: u32,
    /// Nodes where it is enabled.
    nodes: u32,
    /// The node it was counted in last, from 1.
    last: u32,
    engaged: bool,
    failing: bool,
}

impl Tallies {
    fn begin(&mut self, look: u32) {
        self.look = look;
        self.touched.clear();
    }

    fn at(&mut self, id: u32) -> &mut Tally {
        let i = id as usize;
        if self.items.len() <= i {
            self.items.resize(i + 1, Tally::default());
        }
        if self.items[i].look != self.look {
            self.items[i] = Tally {
                look: self.look,
                ..Tally::default()
            };
            self.touched.push(id);
        }
        &mut self.items[i]
    }

    /// Counts an appearance in node number `node`, once a node.
    fn enabled(&mut self, id: u32, node: u32) {
        let tally = self.at(id);
        if tally.last != node + 1 {
            tally.last = node + 1;
            tally.nodes += 1;
        }
    }

    /// Takes over what another worker has counted in other nodes.
    fn join(&mut self, other: &Tallies) {
        for &id in &other.touched {
            let theirs = other.items[id as usize];
            let ours = self.at(id);
            ours.nodes += theirs.nodes;
            ours.engaged |= theirs.engaged;
        }
    }

    fn is_failing(&self, id: u32) -> bool {
        self.items
            .get(id as usize)
            .is_some_and(|t| t.look == self.look && t.failing)
    }
}

impl<'f> Fair<'f> {
    /// A decision procedure; `acceptance` speaks of the product's marks.
    pub(crate) fn new(fairness: &'f Fairness, acceptance: Acceptance) -> Fair<'f> {
        Fair {
            fairness,
            acceptance,
            events: Tallies::default(),
            ready: Tallies::default(),
            processes: Tallies::default(),
            here: FixedBitSet::new(),
            places: Vec::new(),
            covered: FixedBitSet::new(),
            labels: Vec::new(),
            look: 0,
        }
    }

    /// The same, without a memory.
    pub(crate) fn another(&self) -> Fair<'f> {
        Fair::new(self.fairness, self.acceptance.clone())
    }

    /// All of these nodes, yet to be looked at. `connected` says that they are one component.
    pub(crate) fn whole(&self, nodes: Vec<StateId>, connected: bool) -> Part {
        Part {
            nodes,
            banned: MarkSet::EMPTY,
            acceptance: self.acceptance.clone(),
            connected,
        }
    }

    /// A fair part among these nodes, all of which are expanded. `connected` says that they are one component.
    pub(crate) fn find(
        &mut self,
        terrain: &mut impl Terrain,
        nodes: &[StateId],
        connected: bool,
    ) -> Result<Option<FairPart>, Halt> {
        let whole = self.whole(nodes.to_vec(), connected);
        self.find_in(terrain, whole)
    }

    /// A fair part of a part, all of whose nodes are expanded.
    pub(crate) fn find_in(
        &mut self,
        terrain: &mut impl Terrain,
        part: Part,
    ) -> Result<Option<FairPart>, Halt> {
        let mut waiting = vec![part];
        while let Some(mut part) = waiting.pop() {
            if !part.connected && !self.can_refine(&part) {
                self.split(terrain, &part, &mut waiting)?;
                continue;
            }
            let survey = self.survey(terrain, &part);
            let refined = self.refine(survey, &mut part, |fair, nodes| {
                fair.drop_failing(terrain, nodes);
            });
            match refined {
                Refined::Hopeless => {}
                Refined::Smaller => waiting.push(part),
                Refined::Same(_) if !part.connected => self.split(terrain, &part, &mut waiting)?,
                Refined::Same(present) => {
                    if let Some(found) = decide(part, present, &mut waiting) {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether a part that may not be connected can lose anything before it is split.
    pub(crate) fn can_refine(&self, part: &Part) -> bool {
        let strong = |o: &Obligations| o.strength == Strength::Strong;
        self.fairness.obligations.iter().any(strong) || part.acceptance.has_fin()
    }

    /// Takes from a part what no fair accepting loop in it can meet: nodes where a strong obligation failed, moves with marks that must come to an end. That may make
    /// more of it fail, whether or not it is still connected. `survey` is what was seen of it, and `remove` takes out the nodes that meet a failing obligation.
    pub(crate) fn refine(
        &mut self,
        survey: Survey,
        part: &mut Part,
        remove: impl FnOnce(&Self, &mut Vec<StateId>),
    ) -> Refined {
        if !survey.moves {
            return Refined::Hopeless;
        }
        let present = survey.marks;
        let seen = |m: MarkId| present.contains(m);
        // What the marks that are left can still make true.
        part.acceptance = part.acceptance.map(
            &|m| {
                if seen(m) {
                    Acceptance::Inf(m)
                } else {
                    Acceptance::False
                }
            },
            &|m| {
                if seen(m) {
                    Acceptance::Fin(m)
                } else {
                    Acceptance::True
                }
            },
        );
        let (fairness, nodes) = (self.fairness, part.nodes.len());
        let of = |strength| {
            fairness
                .obligations
                .iter()
                .filter(move |o| o.strength == strength)
        };
        let hopeless = part.acceptance == Acceptance::False
            || part.connected
                && (of(Strength::Weak).any(|o| self.fail(o, nodes)) || fairness.global && !survey.closed);
        if hopeless {
            return Refined::Hopeless;
        }
        let failing = of(Strength::Strong).fold(false, |any, o| self.fail(o, nodes) | any);
        if failing {
            remove(self, &mut part.nodes);
        }
        let certain = certain_fins(&part.acceptance);
        part.ban(&certain);
        if failing || !certain.is_empty() {
            part.connected = false;
            return Refined::Smaller;
        }
        Refined::Same(present)
    }

    /// Looks at all of a part.
    fn survey(&mut self, terrain: &impl Terrain, part: &Part) -> Survey {
        self.begin();
        let mut here = std::mem::take(&mut self.here);
        mark(&mut here, terrain, &part.nodes);
        self.cover_nothing(terrain, &part.nodes);
        let mut survey = self.survey_some(terrain, part, 0..part.nodes.len(), &here);
        survey.closed = self.closed(terrain, &part.nodes);
        unmark(&mut here, &part.nodes);
        self.here = here;
        survey
    }

    /// Begins a new look.
    pub(crate) fn begin(&mut self) {
        self.look += 1;
        self.events.begin(self.look);
        self.ready.begin(self.look);
        self.processes.begin(self.look);
    }

    /// Says that no step from these nodes is taken, as far as that matters.
    pub(crate) fn cover_nothing(&mut self, terrain: &impl Terrain, nodes: &[StateId]) {
        if self.fairness.global {
            self.covered.grow(terrain.step_numbers());
            for &node in nodes {
                terrain
                    .step_range(node)
                    .for_each(|step| self.covered.remove(step));
            }
        }
    }

    /// Tallies who is enabled and engaged in some of a part's nodes, all of which are `here`.
    pub(crate) fn survey_some(
        &mut self,
        terrain: &impl Terrain,
        part: &Part,
        some: Range<usize>,
        here: &FixedBitSet,
    ) -> Survey {
        let uses = |f: fn(&Obligations) -> bool| self.fairness.obligations.iter().any(f);
        let of_processes = uses(|o| o.whose == Whose::AllProcesses);
        let of_events = uses(|o| o.whose != Whose::AllProcesses && o.when == When::Enabled);
        let of_ready = uses(|o| o.when == When::Ready);
        let reads_labels = of_events || of_ready || of_processes;
        let mut labels = std::mem::take(&mut self.labels);
        let mut survey = Survey::default();
        for i in some {
            approach_after(terrain, &part.nodes, i);
            let node = part.nodes[i];
            let i = i as u32;
            let mut first = 0;
            if reads_labels {
                first = terrain.step_range(node).start as u32;
                labels.clear();
                labels.extend(terrain.labels(node));
                for label in &labels {
                    if of_events && is_owed(label.event) {
                        self.events.enabled(label.event.0, i);
                    }
                    if of_processes {
                        let members = terrain.processes(label.processes);
                        members.iter().for_each(|&p| self.processes.enabled(p, i));
                    }
                }
            }
            if of_ready {
                let ready = terrain.ready(node).iter();
                ready.for_each(|e| self.ready.enabled(e.0, i));
            }
            for m in terrain.moves(node) {
                if !m.marks.intersection(part.banned).is_empty() || !here.contains(m.target.index()) {
                    continue;
                }
                survey.moves = true;
                survey.marks = survey.marks.union(m.marks);
                if self.fairness.global {
                    self.covered.insert(m.step as usize);
                }
                if !reads_labels {
                    continue;
                }
                let label = labels[(m.step - first) as usize];
                if is_owed(label.event) {
                    if of_events {
                        self.events.at(label.event.0).engaged = true;
                    }
                    if of_ready {
                        self.ready.at(label.event.0).engaged = true;
                    }
                }
                if of_processes {
                    let members = terrain.processes(label.processes);
                    members.iter().for_each(|&p| self.processes.at(p).engaged = true);
                }
            }
        }
        self.labels = labels;
        survey
    }

    /// Takes over what another worker has tallied of other nodes of the same part.
    pub(crate) fn join(&mut self, other: &Fair<'_>) {
        self.events.join(&other.events);
        self.ready.join(&other.ready);
        self.processes.join(&other.processes);
    }

    /// Whether some of these obligations are not met; those are marked.
    fn fail(&mut self, obligations: &Obligations, nodes: usize) -> bool {
        let tallies = match (&obligations.whose, obligations.when) {
            (Whose::AllProcesses, _) => &mut self.processes,
            (_, When::Enabled) => &mut self.events,
            (_, When::Ready) => &mut self.ready,
        };
        let often = match obligations.strength {
            Strength::Weak => nodes as u32,
            Strength::Strong => 1,
        };
        let mut any = false;
        for &id in &tallies.touched {
            let tally = &mut tallies.items[id as usize];
            let owed = match &obligations.whose {
                Whose::Events(events) => events.binary_search(&EventId(id)).is_ok(),
                Whose::AllEvents | Whose::AllProcesses => true,
            };
            if owed && !tally.engaged && tally.nodes >= often {
                tally.failing = true;
                any = true;
            }
        }
        any
    }

    /// Takes out the nodes that enable (or have ready) someone whose obligation failed.
    pub(crate) fn drop_failing(&self, terrain: &impl Terrain, nodes: &mut Vec<StateId>) {
        let mut kept = 0;
        for i in 0..nodes.len() {
            approach_after(terrain, nodes, i);
            let node = nodes[i];
            if !self.meets_failing(terrain, node) {
                nodes[kept] = node;
                kept += 1;
            }
        }
        nodes.truncate(kept);
    }

    fn meets_failing(&self, terrain: &impl Terrain, node: StateId) -> bool {
        let uses_processes = !self.processes.touched.is_empty();
        let enabled = terrain.labels(node).any(|label| {
            let mut members = match uses_processes {
                true => terrain.processes(label.processes),
                false => &[],
            }
            .iter();
            self.events.is_failing(label.event.0) || members.any(|&p| self.processes.is_failing(p))
        });
        let uses_ready = !self.ready.touched.is_empty();
        enabled || (uses_ready && terrain.ready(node).iter().any(|e| self.ready.is_failing(e.0)))
    }

    /// Whether every step of the system from these nodes is taken in the part, if that matters.
    pub(crate) fn closed(&self, terrain: &impl Terrain, nodes: &[StateId]) -> bool {
        let taken = |&node: &StateId| terrain.step_range(node).all(|step| self.covered.contains(step));
        !self.fairness.global || nodes.iter().all(taken)
    }

    /// Puts the components of a part on the list.
    fn split<T: Terrain>(
        &mut self,
        terrain: &mut T,
        part: &Part,
        waiting: &mut Vec<Part>,
    ) -> Result<(), Halt> {
        mark(&mut self.here, terrain, &part.nodes);
        let numbers = terrain.node_numbers().max(self.places.len());
        self.places.resize(numbers, 0);
        for (i, node) in part.nodes.iter().enumerate() {
            self.places[node.index()] = i as u32;
        }
        let mut inside = Inside {
            terrain,
            part,
            here: &self.here,
            places: &self.places,
        };
        let mut tarjan = Tarjan::new();
        let mut collect = |members: &[StateId], looping: bool| {
            if looping {
                let mut nodes: Vec<StateId> = members.iter().map(|local| part.nodes[local.index()]).collect();
                // In the order in which they lie in memory.
                nodes.sort_unstable();
                waiting.push(Part {
                    nodes,
                    banned: part.banned,
                    acceptance: part.acceptance.clone(),
                    connected: true,
                });
            }
        };
        for root in 0..part.nodes.len() as u32 {
            tarjan.search(&mut inside, StateId(root), &mut collect)?;
        }
        tarjan.release(inside.budget());
        unmark(&mut self.here, &part.nodes);
        Ok(())
    }
}

/// Notes that these nodes are looked at.
pub(crate) fn mark(here: &mut FixedBitSet, terrain: &impl Terrain, nodes: &[StateId]) {
    here.grow(terrain.node_numbers());
    nodes.iter().for_each(|node| here.insert(node.index()));
}

/// Notes that they are not any more.
pub(crate) fn unmark(here: &mut FixedBitSet, nodes: &[StateId]) {
    nodes.iter().for_each(|node| here.remove(node.index()));
}

/// Whether an event can be an obligation.
pub(crate) fn is_owed(event: EventId) -> bool {
    event != EventId::TAU && event != EventId::IDLE
}

/// Decides a component from which nothing can be taken: it is what we look for, or there is a choice, and both ways go on the list.
pub(crate) fn decide(part: Part, present: MarkSet, waiting: &mut Vec<Part>) -> Option<FairPart> {
    let seen = |m: MarkId| present.contains(m);
    if part.acceptance.accepts(&seen) {
        let wanted = wanted(&part.acceptance, &seen);
        return Some(FairPart {
            nodes: part.nodes,
            banned: part.banned,
            wanted,
        });
    }
    let fin = [first_fin(&part.acceptance).expect("a condition that is not met has a Fin against it")];
    let mut without = part.clone();
    without.ban(&fin);
    without.connected = false;
    let acceptance = settle(&part.acceptance, &fin, false);
    waiting.push(Part { acceptance, ..part });
    waiting.push(without);
    None
}

/// The condition when these marks are met finitely often, or (`holds` false) when that alternative is given up.
fn settle(acceptance: &Acceptance, fins: &[MarkId], holds: bool) -> Acceptance {
    let settled = |m: MarkId| fins.contains(&m);
    acceptance.map(
        &|m| {
            if holds && settled(m) {
                Acceptance::False
            } else {
                Acceptance::Inf(m)
            }
        },
        &|m| match (settled(m), holds) {
            (true, true) => Acceptance::True,
            (true, false) => Acceptance::False,
            (false, _) => Acceptance::Fin(m),
        },
    )
}

/// Marks that every way to meet the condition must meet finitely often.
fn certain_fins(acceptance: &Acceptance) -> Vec<MarkId> {
    match acceptance {
        Acceptance::Fin(m) => vec![*m],
        Acceptance::And(operands) => operands.iter().flat_map(certain_fins).collect(),
        _ => Vec::new(),
    }
}

fn first_fin(acceptance: &Acceptance) -> Option<MarkId> {
    match acceptance {
        Acceptance::Fin(m) => Some(*m),
        Acceptance::And(operands) | Acceptance::Or(operands) => operands.iter().find_map(first_fin),
        Acceptance::True | Acceptance::False | Acceptance::Inf(_) => None,
    }
}

/// Marks that suffice to meet the condition where all marks seen are met.
fn wanted(acceptance: &Acceptance, seen: &impl Fn(MarkId) -> bool) -> Vec<MarkId> {
    match acceptance {
        Acceptance::Inf(m) => vec![*m],
        Acceptance::And(operands) => operands.iter().flat_map(|a| wanted(a, seen)).collect(),
        Acceptance::Or(operands) => operands
            .iter()
            .find(|a| a.accepts(seen))
            .map(|a| wanted(a, seen))
            .unwrap_or_default(),
        Acceptance::True | Acceptance::False | Acceptance::Fin(_) => Vec::new(),
    }
}

/// The moves inside a part, by places in its list of nodes.
struct Inside<'b, T> {
    terrain: &'b mut T,
    part: &'b Part,
    here: &'b FixedBitSet,
    places: &'b [u32],
}

impl<T: Terrain> Graph for Inside<'_, T> {
    fn successors(&mut self, local: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        let node = self.part.nodes[local.index()];
        let moves = self.terrain.moves(node).count();
        self.terrain.budget().reserve(out, moves)?;
        for m in self.terrain.moves(node) {
            let banned = !m.marks.intersection(self.part.banned).is_empty();
            if !banned && self.here.contains(m.target.index()) {
                out.push(StateId(self.places[m.target.index()]));
            }
        }
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        self.terrain.budget()
    }
}
