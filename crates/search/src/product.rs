//! The product of a system and an automaton, built while it is searched.
//!
//! A node is a state of the system and a state of the automaton that has read the letter of that state's position: the event that led there and the atoms that
//! hold there. So a step `s -e-> s'` of the system goes from `(s, q)` to `(s', q')` for every automaton edge `q -> q'` whose guard admits the letter `(e, s')`.
//! Marks on a move are the automaton's, and above them those of the fairness formula.
//!
//! Moves between nodes through which an accepting loop may lead are kept, 6 bytes each: a search looks at those more than once. Where the automaton only passes through
//! (to decide when the `[]` of `<>[] p` begins, say), a node is met once on the way, and its moves are not kept. Where it can wait for whatever comes, as there, no nodes are
//! made at all: it can be there with every state that is reachable.

use crate::budget::Budget;
use crate::column::Column;
use crate::expanded::{Expanded, Step};
use crate::fairness::{Fairness, StepFacts, StepPredicate};
use crate::letters::{Atom, Letters};
use crate::lists::{Item, Lists, Span};
use crate::numbering::Numbering;
use crate::tarjan::Graph;
use crate::visited::Halt;
use crate::window::{Next, in_order};
use fairhold_logic::{Acceptance, Automaton, Edge, MarkId, MarkSet, StateIndex};
use fairhold_store::{StateId, prefetch};
use fairhold_system::{EventId, Label, PredicateId, ProcessesId, System, Word};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// A move of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    /// The number of the system's step.
    pub(crate) step: u32,
    /// The node entered.
    pub(crate) target: StateId,
    /// The automaton's marks, then the formula's.
    pub(crate) marks: MarkSet,
}

/// What a move is apart from where it leads: how many of the state's steps its own comes after that of the move before, and the marks. There are few kinds: a state with so many
/// steps that it could have many different advances has small ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    advance: u32,
    marks: MarkSet,
}

/// The product.
pub(crate) struct Product<'p, 'a, S: System> {
    pub(crate) graph: &'p mut Expanded<'a, S>,
    pub(crate) automaton: &'p Automaton,
    /// By state of the automaton: whether it is only passed through.
    passing: Vec<bool>,
    nodes: Nodes,
    spans: Column<Span>,
    /// With the numbers of their kinds.
    moves: Lists,
    kinds: Numbering<Kind>,
    /// The moves of the node being expanded.
    scratch: Vec<Item>,
    /// Which state comes next.
    guesses: Guesses,
    /// Nodes that executions start in, found so far.
    pub(crate) initial: Vec<StateId>,
    /// For how many of the graph's initial states they were found.
    started: usize,
    /// A state of the automaton that is only passed through, where it may be with every state of the system. No nodes are met with it, initial ones aside.
    waiting: Option<StateIndex>,
    /// Nodes below this that are only passed through have been.
    passed: usize,
    /// The steps of states below this have been read by the automaton waiting.
    waited: usize,
    letters: &'p Letters,
    /// The states that moves may leave, if this is a look at a part of the graph: from others there are none.
    near: Option<FixedBitSet>,
    /// The marks of the fairness formula, which come after the automaton's.
    formula_marks: Vec<StepPredicate>,
    /// Those on the steps of the state being expanded, if there is a formula.
    extra: Vec<MarkSet>,
}

/// Which state is expanded next, guessed, and how often that was right. A wrong guess is work for nothing: where more than one of five is wrong, as where steps close many diamonds, no more
/// are made.
#[derive(Default)]
struct Guesses {
    next: Option<StateId>,
    right: u32,
    wrong: u32,
}

impl Guesses {
    /// Takes note of the state that is expanded now, and says whether to go on guessing.
    fn are_good(&mut self, state: StateId) -> bool {
        if let Some(next) = self.next.take() {
            self.right += u32::from(next == state);
            self.wrong += u32::from(next != state);
        }
        self.wrong <= 64 + self.right / 4
    }
}

/// The nodes met so far.
struct Nodes {
    list: Column<(StateId, StateIndex)>,
    /// By state of the automaton: its place among the nodes of a state. None where the automaton waits: of those nodes few are made.
    places: Vec<Option<usize>>,
    /// Places of a state.
    width: usize,
    /// The node of state `s` and a state of the automaton with place `p` at `s * width + p`, from 1; 0 for none.
    index: Column<u32>,
    /// Nodes where the automaton waits, by state.
    waiting: FxHashMap<StateId, StateId>,
}

impl Nodes {
    fn new(automaton: &Automaton, waiting: Option<StateIndex>) -> Nodes {
        let mut next = 0..;
        let mut place = |q| if Some(q) == waiting { None } else { next.next() };
        let places: Vec<Option<usize>> = automaton.indices().map(&mut place).collect();
        Nodes {
            list: Column::new(),
            width: places.iter().flatten().count(),
            places,
            index: Column::new(),
            waiting: FxHashMap::default(),
        }
    }

    #[inline]
    fn find_or_add(&mut self, budget: &mut Budget, state: StateId, q: StateIndex) -> Result<StateId, Halt> {
        let Some(place) = self.places[q.index()] else {
            return self.find_or_add_waiting(budget, state, q);
        };
        match self.index.get(state.index() * self.width + place) {
            Some(&node) if node != 0 => Ok(StateId(node - 1)),
            _ => self.add(budget, state, q, place),
        }
    }

    fn add(
        &mut self,
        budget: &mut Budget,
        state: StateId,
        q: StateIndex,
        place: usize,
    ) -> Result<StateId, Halt> {
        let start = state.index() * self.width;
        self.index.extend_to(budget, start + self.width, 0)?;
        self.list.push(budget, (state, q))?;
        self.index.set(start + place, self.list.len() as u32);
        Ok(StateId(self.list.len() as u32 - 1))
    }

    #[cold]
    fn find_or_add_waiting(
        &mut self,
        budget: &mut Budget,
        state: StateId,
        q: StateIndex,
    ) -> Result<StateId, Halt> {
        if let Some(&node) = self.waiting.get(&state) {
            return Ok(node);
        }
        self.list.push(budget, (state, q))?;
        let node = StateId(self.list.len() as u32 - 1);
        self.waiting.insert(state, node);
        Ok(node)
    }

    /// Asks for the memory where the nodes of a state are looked up.
    #[inline]
    fn approach(&self, state: StateId) {
        self.index.get(state.index() * self.width).map(prefetch);
    }
}

impl<'p, 'a, S: System> Product<'p, 'a, S> {
    /// The product over a graph. The automaton reads the letters.
    pub(crate) fn new(
        graph: &'p mut Expanded<'a, S>,
        automaton: &'p Automaton,
        letters: &'p Letters,
    ) -> Product<'p, 'a, S> {
        let waiting = waiting_state(automaton);
        Product {
            graph,
            automaton,
            waiting,
            passing: automaton.passing(),
            nodes: Nodes::new(automaton, waiting),
            spans: Column::new(),
            moves: Lists::new(),
            kinds: Numbering::new(),
            scratch: Vec::new(),
            guesses: Guesses::default(),
            initial: Vec::new(),
            started: 0,
            passed: 0,
            waited: 0,
            letters,
            near: None,
            formula_marks: Vec::new(),
            extra: Vec::new(),
        }
    }

    /// The product over the part of a graph that is expanded by now. Nothing is expanded on its account, but for what a fairness formula asks of the states that steps lead to.
    pub(crate) fn of_expanded(&mut self) -> Product<'_, 'a, S> {
        let mut near = FixedBitSet::with_capacity(self.graph.len());
        let all = (0..self.graph.len()).filter(|&s| self.graph.is_expanded(StateId(s as u32)));
        near.extend(all);
        Product {
            near: Some(near),
            ..Product::new(&mut *self.graph, self.automaton, self.letters)
        }
    }

    /// Whether this is a look at a part of the graph.
    pub(crate) fn is_part(&self) -> bool {
        self.near.is_some()
    }

    /// Whether moves from this state count.
    #[inline]
    fn counts(&self, state: StateId) -> bool {
        self.near.as_ref().is_none_or(|near| near.contains(state.index()))
    }

    /// Chooses the constraint whose formula's marks moves carry, and forgets the moves made for another one.
    pub(crate) fn constrain(&mut self, fairness: &Fairness) -> Acceptance {
        if self.formula_marks != fairness.marks {
            self.formula_marks.clone_from(&fairness.marks);
            self.moves.clear(&mut self.graph.visited.budget);
            self.spans.fill(Span::UNKNOWN);
        }
        let shift = self.automaton.marks;
        let formula = fairness.formula.renumbered(&|MarkId(m)| MarkId(m + shift));
        Acceptance::and([self.automaton.acceptance.clone(), formula])
    }

    /// Finds some more initial nodes. False if there are no more.
    pub(crate) fn start(&mut self) -> Result<bool, Halt> {
        if self.started == self.graph.initial.len() && (self.is_part() || !self.graph.start()?) {
            return Ok(false);
        }
        while self.started < self.graph.initial.len() {
            let state = self.graph.initial[self.started];
            // The letter of position 0: no event, and what holds in the initial state.
            let letter = self.graph.letter(state);
            for &q in &self.automaton.initial {
                for edge in self.automaton.successors(q, letter) {
                    let budget = &mut self.graph.visited.budget;
                    let node = self.nodes.find_or_add(budget, state, edge.target)?;
                    budget.reserve(&mut self.initial, 1)?;
                    self.initial.push(node);
                }
            }
            self.started += 1;
        }
        Ok(true)
    }

    /// How many nodes were met, those with a waiting automaton included.
    pub(crate) fn met(&self) -> usize {
        match self.waiting {
            Some(waiting) => {
                // A few have been made all the same: initial ones, and those on the way to what was found.
                let others = self.nodes.list.iter().filter(|&&(_, q)| q != waiting);
                others.count() + self.graph.len()
            }
            None => self.len(),
        }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.list.len()
    }

    /// The system's state of a node.
    pub(crate) fn state(&self, node: StateId) -> StateId {
        self.nodes.list.at(node.index()).0
    }

    /// The moves, to nodes through which an accepting loop may lead, from such a node which the search has come to.
    #[inline]
    pub(crate) fn moves(&self, node: StateId) -> impl ExactSizeIterator<Item = Move> {
        let mut step = self.graph.span(self.state(node)).start as u32;
        let kept = self.moves.get(self.spans.at(node.index()));
        kept.iter().map(move |kept| {
            let Kind { advance, marks } = self.kinds.at(kept.number);
            step += advance;
            Move {
                step,
                target: kept.target,
                marks,
            }
        })
    }

    /// The members of a process set.
    pub(crate) fn processes(&self, set: ProcessesId) -> &[u32] {
        self.graph.processes(set)
    }

    /// Whether a node's state of the automaton is only passed through, so that no accepting loop leads through it.
    #[inline]
    pub(crate) fn is_passing(&self, node: StateId) -> bool {
        self.passing[self.nodes.list.at(node.index()).1.index()]
    }

    /// Meets the nodes that one move leads to from a node that is only passed through. Done once, in the order of the nodes.
    pub(crate) fn pass(&mut self, node: StateId) -> Result<(), Halt> {
        let (state, q) = self.nodes.list.at(node.index());
        if node.index() < self.passed || self.waiting == Some(q) {
            return Ok(());
        }
        let next =
            std::array::from_fn(|i| self.nodes.list.get(node.index() + 1 + i).map(|&(state, _)| state));
        self.meet(state, q, next)?;
        self.passed = node.index() + 1;
        Ok(())
    }

    /// Meets the nodes that one move leads to where the automaton waits, from the next state. False if there is none.
    pub(crate) fn wait(&mut self) -> Result<bool, Halt> {
        let Some(q) = self.waiting else { return Ok(false) };
        if self.waited == self.graph.len() {
            return Ok(false);
        }
        let state = StateId(self.waited as u32);
        self.meet(state, q, in_order(state, self.graph.len() as u32))?;
        self.waited += 1;
        Ok(true)
    }

    /// Meets the nodes that one move leads to. `next` are the states from which they will be met after this one, if that is known.
    fn meet(&mut self, state: StateId, q: StateIndex, next: Next) -> Result<(), Halt> {
        if !self.counts(state) {
            return Ok(());
        }
        self.graph.expand_before(state, next)?;
        if let Some(next) = next[0] {
            self.approach(next);
        }
        let reader = (self.automaton, self.letters);
        for_each_move(
            self.graph,
            &mut self.nodes,
            reader,
            (state, q),
            self.waiting,
            |_, _, _, _| Ok(()),
        )
    }

    /// Asks for the memory where the targets of a state's steps are looked up, if these are known: their letters, and the nodes with them.
    pub(crate) fn approach(&self, state: StateId) {
        if self.graph.is_expanded(state) {
            for target in self.graph.targets(state) {
                self.graph.approach_letter(target);
                self.nodes.approach(target);
            }
        }
    }

    /// Makes nodes of states and states of the automaton that are known to be reachable, and their moves.
    pub(crate) fn meet_all(&mut self, nodes: &[(Vec<Word>, StateIndex)]) -> Result<Vec<StateId>, Halt> {
        let mut met = Vec::with_capacity(nodes.len());
        for (words, q) in nodes {
            let state = self.graph.meet(words)?;
            let budget = &mut self.graph.visited.budget;
            met.push(self.nodes.find_or_add(budget, state, *q)?);
        }
        met.iter().try_for_each(|&node| self.expand(node))?;
        Ok(met)
    }

    /// Computes a node's moves, once, and keeps those to nodes that are not only passed through.
    pub(crate) fn expand(&mut self, node: StateId) -> Result<(), Halt> {
        if self.spans.get(node.index()).is_some_and(|span| span.is_known()) {
            return Ok(());
        }
        let (state, q) = self.nodes.list.at(node.index());
        if !self.counts(state) {
            let budget = &mut self.graph.visited.budget;
            let none = self.moves.push(budget, &[])?;
            self.spans.extend_to(budget, node.index() + 1, Span::UNKNOWN)?;
            self.spans.set(node.index(), none);
            return Ok(());
        }
        let met = self.graph.len();
        self.expand_marked(state)?;
        let next = self.step_ahead(state, q, met);
        self.approach(state);
        let (passing, kinds, moves, extra) = (&self.passing, &mut self.kinds, &mut self.scratch, &self.extra);
        moves.clear();
        let mut last = 0;
        let reader = (self.automaton, self.letters);
        for_each_move(
            self.graph,
            &mut self.nodes,
            reader,
            (state, q),
            self.waiting,
            |budget, i, edge, target| {
                if passing[edge.target.index()] {
                    return Ok(());
                }
                let number = kinds.number(Kind {
                    advance: (i - last) as u32,
                    marks: marks_of(edge, extra, i),
                });
                last = i;
                budget.reserve(moves, 1)?;
                moves.push(Item { target, number });
                Ok(())
            },
        )?;
        let budget = &mut self.graph.visited.budget;
        let kept = self.moves.push(budget, moves)?;
        self.spans.extend_to(budget, node.index() + 1, Span::UNKNOWN)?;
        self.spans.set(node.index(), kept);
        if let Some(next) = next {
            self.graph.visited.approach_ahead(next);
        }
        Ok(())
    }

    /// Steps the state that is probably expanded next, so that the memory it asks for comes while this one's moves are made: in a depth-first search, the first that was met here
    /// and that a move leads to. Those from `met` on were met here.
    fn step_ahead(&mut self, state: StateId, q: StateIndex, met: usize) -> Option<StateId> {
        // Where there is a formula, targets have been expanded.
        if self.is_part()
            || !self.guesses.are_good(state)
            || met == self.graph.len()
            || !self.formula_marks.is_empty()
        {
            return None;
        }
        let leads_on = |step: &Step| {
            let letter = self.graph.letter(step.target) | self.letters.event(step.label.event);
            let mut edges = self.automaton.successors(q, letter);
            edges.any(|edge| !self.passing[edge.target.index()])
        };
        let next = {
            let mut steps = self.graph.steps(state);
            steps.find(|step| step.target.index() >= met && leads_on(step))?
        };
        self.graph.visited.load_ahead(next.target);
        self.guesses.next = Some(next.target);
        Some(next.target)
    }

    /// Computes a node's moves and appends them.
    pub(crate) fn append_moves(&mut self, node: StateId, out: &mut Vec<Move>) -> Result<(), Halt> {
        let (state, q) = self.nodes.list.at(node.index());
        self.expand_marked(state)?;
        let first = self.graph.span(state).start;
        let (reader, extra) = ((self.automaton, self.letters), &self.extra);
        for_each_move(
            self.graph,
            &mut self.nodes,
            reader,
            (state, q),
            None,
            |budget, i, edge, target| {
                budget.reserve(out, 1)?;
                out.push(Move {
                    step: (first + i) as u32,
                    target,
                    marks: marks_of(edge, extra, i),
                });
                Ok(())
            },
        )
    }

    /// Expands a state. If there is a fairness formula, the targets of its steps too, and finds the formula's marks on those steps.
    fn expand_marked(&mut self, state: StateId) -> Result<(), Halt> {
        self.graph.expand(state)?;
        self.extra.clear();
        if self.formula_marks.is_empty() {
            return Ok(());
        }
        let steps = self.graph.span(state);
        self.graph.visited.budget.reserve(&mut self.extra, steps.len())?;
        for number in steps {
            let step = self.graph.step(number);
            self.graph.expand(step.target)?;
            let marks = self.formula_marks_of(step.label, step.target);
            self.extra.push(marks);
        }
        Ok(())
    }

    fn formula_marks_of(&self, label: Label, target: StateId) -> MarkSet {
        let facts = Facts {
            product: self,
            label,
            target,
        };
        let mut marks = MarkSet::EMPTY;
        for (i, predicate) in self.formula_marks.iter().enumerate() {
            if predicate.holds(&facts) {
                marks.insert(MarkId(self.automaton.marks + i as u32));
            }
        }
        marks
    }
}

/// A state of the automaton that it can come to, whatever it reads, and is never made to leave, though it cannot stay there for good.
pub(crate) fn waiting_state(automaton: &Automaton) -> Option<StateIndex> {
    let passing = automaton.passing();
    automaton.indices().find(|q| {
        let leads_here = |from: &StateIndex| {
            let mut edges = automaton.edges(*from).iter();
            edges.any(|edge| edge.target == *q && edge.guard.is_true())
        };
        passing[q.index()] && leads_here(q) && automaton.initial.iter().any(leads_here)
    })
}

/// Tells of every move from an expanded state and a state of the automaton: which of the state's steps, which edge, and the node it leads to. Edges
/// to `skipped` are none.
#[inline]
fn for_each_move<S: System>(
    graph: &mut Expanded<'_, S>,
    nodes: &mut Nodes,
    (automaton, letters): (&Automaton, &Letters),
    (state, q): (StateId, StateIndex),
    skipped: Option<StateIndex>,
    mut each: impl FnMut(&mut Budget, usize, &Edge, StateId) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let (steps, budget) = graph.steps_and_budget(state);
    for (i, (step, letter)) in steps.enumerate() {
        let letter = letter | letters.event(step.label.event);
        for edge in automaton.successors(q, letter) {
            if skipped == Some(edge.target) {
                continue;
            }
            let target = nodes.find_or_add(budget, step.target, edge.target)?;
            each(budget, i, edge, target)?;
        }
    }
    Ok(())
}

/// The marks on a move: those on the edge, and those of the formula on the state's step number `i`, if there is a formula.
#[inline]
fn marks_of(edge: &Edge, extra: &[MarkSet], i: usize) -> MarkSet {
    extra.get(i).map_or(edge.marks, |&extra| extra.union(edge.marks))
}

struct Facts<'f, 'p, 'a, S: System> {
    product: &'f Product<'p, 'a, S>,
    label: Label,
    target: StateId,
}

impl<S: System> StepFacts for Facts<'_, '_, '_, S> {
    fn state(&self, predicate: PredicateId) -> bool {
        let bit = self.product.letters.bit(&Atom::State(predicate));
        self.product.graph.letter(self.target) & bit != 0
    }

    fn enabled(&self, event: EventId) -> bool {
        let mut steps = self.product.graph.steps(self.target);
        steps.any(|step| step.label.event == event)
    }

    fn ready(&self, event: EventId) -> bool {
        self.product
            .graph
            .ready(self.target)
            .binary_search(&event)
            .is_ok()
    }

    fn enabled_process(&self, process: u32) -> bool {
        let mut steps = self.product.graph.steps(self.target);
        steps.any(|step| self.product.processes(step.label.processes).contains(&process))
    }

    fn label(&self) -> Label {
        self.label
    }

    fn engaged_process(&self, process: u32) -> bool {
        self.product.processes(self.label.processes).contains(&process)
    }
}

/// The nodes through which an accepting loop may lead, and the moves between them.
impl<S: System> Graph for Product<'_, '_, S> {
    fn successors(&mut self, node: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.expand(node)?;
        let targets = self.moves.get(self.spans.at(node.index())).targets();
        self.graph.visited.budget.reserve(out, targets.len())?;
        out.extend(targets);
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.graph.visited.budget
    }
}

impl<S: System> Product<'_, '_, S> {
    /// Gives the memory back; the graph stays.
    pub(crate) fn release(mut self) {
        let budget = &mut self.graph.visited.budget;
        self.moves.clear(budget);
        budget.release_vec(&self.scratch);
        budget.release_vec(&self.extra);
        budget.release_vec(&self.initial);
        self.nodes.list.release(budget);
        self.nodes.index.release(budget);
        self.spans.release(budget);
    }
}
