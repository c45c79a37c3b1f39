//! The product of a system and an automaton, built while it is searched.
//!
//! A node is a state of the system and a state of the automaton that has read the letter of that state's position: the event that led there and the atoms that
//! hold there. So a step `s -e-> s'` of the system goes from `(s, q)` to `(s', q')` for every automaton edge `q -> q'` whose guard admits the letter `(e, s')`.
//! Marks on a move are the automaton's, and above them those of the fairness formula.

use crate::budget::Budget;
use crate::expanded::Expanded;
use crate::fairness::{Fairness, StepFacts, StepPredicate};
use crate::letters::{Atom, Letters};
use crate::lists::{Lists, Span};
use crate::tarjan::Graph;
use crate::visited::Halt;
use fairhold_logic::{Acceptance, Automaton, MarkId, MarkSet, StateIndex};
use fairhold_store::StateId;
use fairhold_system::{EventId, Label, PredicateId, ProcessesId, System};

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

/// The product.
pub(crate) struct Product<'p, 'a, S: System> {
    pub(crate) graph: &'p mut Expanded<'a, S>,
    pub(crate) automaton: &'p Automaton,
    nodes: Vec<(StateId, StateIndex)>,
    /// The node of state `s` and automaton state `q` at `s * automaton.states.len() + q`, from 1; 0 for none.
    index: Vec<u32>,
    spans: Vec<Span>,
    moves: Lists<Move>,
    /// The moves of the node being expanded.
    scratch: Vec<Move>,
    /// Nodes that executions start in.
    pub(crate) initial: Vec<StateId>,
    letters: &'p Letters,
    /// The marks of the fairness formula, which come after the automaton's.
    formula_marks: Vec<StepPredicate>,
}

impl<'p, 'a, S: System> Product<'p, 'a, S> {
    /// The product over a graph. The automaton reads the letters.
    pub(crate) fn new(
        graph: &'p mut Expanded<'a, S>,
        automaton: &'p Automaton,
        letters: &'p Letters,
    ) -> Product<'p, 'a, S> {
        Product {
            graph,
            automaton,
            nodes: Vec::new(),
            index: Vec::new(),
            spans: Vec::new(),
            moves: Lists::new(),
            scratch: Vec::new(),
            initial: Vec::new(),
            letters,
            formula_marks: Vec::new(),
        }
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

    /// Finds the initial nodes.
    pub(crate) fn start(&mut self) -> Result<(), Halt> {
        for state in self.graph.initial.clone() {
            // The letter of position 0: no event, and what holds in the initial state.
            let letter = self.graph.letter(state);
            for q in self.automaton.initial.clone() {
                for target in self.targets(q, letter) {
                    let node = self.node(state, target.0)?;
                    if !self.initial.contains(&node) {
                        self.initial.push(node);
                    }
                }
            }
        }
        Ok(())
    }

    fn targets(&self, q: StateIndex, letter: u64) -> Vec<(StateIndex, MarkSet)> {
        self.automaton
            .successors(q, letter)
            .map(|edge| (edge.target, edge.marks))
            .collect()
    }

    fn node(&mut self, state: StateId, q: StateIndex) -> Result<StateId, Halt> {
        let width = self.automaton.states.len();
        let place = state.index() * width + q.index();
        if self.index.len() <= place {
            let more = (state.index() + 1) * width - self.index.len();
            self.graph.visited.budget.reserve(&mut self.index, more)?;
            self.index.resize((state.index() + 1) * width, 0);
        }
        if self.index[place] == 0 {
            let budget = &mut self.graph.visited.budget;
            budget.reserve(&mut self.nodes, 1)?;
            budget.reserve(&mut self.spans, 1)?;
            self.nodes.push((state, q));
            self.spans.push(Span::UNKNOWN);
            self.index[place] = self.nodes.len() as u32;
        }
        Ok(StateId(self.index[place] - 1))
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The system's state of a node.
    pub(crate) fn state(&self, node: StateId) -> StateId {
        self.nodes[node.index()].0
    }

    /// Whether a node's moves are known.
    pub(crate) fn is_expanded(&self, node: StateId) -> bool {
        self.spans[node.index()].is_known()
    }

    /// The moves of an expanded node.
    pub(crate) fn moves(&self, node: StateId) -> &[Move] {
        self.moves.get(self.spans[node.index()])
    }

    /// The members of a process set.
    pub(crate) fn processes(&self, set: ProcessesId) -> &[u32] {
        self.graph.processes(set)
    }

    /// Computes a node's moves, once.
    pub(crate) fn expand(&mut self, node: StateId) -> Result<(), Halt> {
        if self.is_expanded(node) {
            return Ok(());
        }
        let (state, q) = self.nodes[node.index()];
        self.graph.expand(state)?;
        self.scratch.clear();
        for number in self.graph.span(state) {
            let step = self.graph.step(number);
            let letter = self.graph.letter(step.target) | self.letters.event(step.label.event);
            let mut extra = MarkSet::EMPTY;
            if !self.formula_marks.is_empty() {
                self.graph.expand(step.target)?;
                extra = self.formula_marks_of(step.label, step.target);
            }
            for i in 0..self.automaton.edges(q).len() {
                let edge = &self.automaton.edges(q)[i];
                if edge.guard.holds(letter) {
                    let (target, marks) = (edge.target, edge.marks.union(extra));
                    let target = self.node(step.target, target)?;
                    self.graph.visited.budget.reserve(&mut self.scratch, 1)?;
                    self.scratch.push(Move {
                        step: number as u32,
                        target,
                        marks,
                    });
                }
            }
        }
        self.spans[node.index()] = self.moves.push(&mut self.graph.visited.budget, &self.scratch)?;
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

struct Facts<'f, 'p, 'a, S: System> {
    product: &'f Product<'p, 'a, S>,
    label: Label,
    target: StateId,
}

impl<S: System> StepFacts for Facts<'_, '_, '_, S> {
    fn state(&self, predicate: PredicateId) -> bool {
        let bit = self.product.letters.bit(Atom::State(predicate));
        self.product.graph.letter(self.target) & bit != 0
    }

    fn enabled(&self, event: EventId) -> bool {
        let mut steps = self.product.graph.steps(self.target).iter();
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
        let mut steps = self.product.graph.steps(self.target).iter();
        steps.any(|step| self.product.processes(step.label.processes).contains(&process))
    }

    fn label(&self) -> Label {
        self.label
    }

    fn engaged_process(&self, process: u32) -> bool {
        self.product.processes(self.label.processes).contains(&process)
    }
}

impl<S: System> Graph for Product<'_, '_, S> {
    fn successors(&mut self, node: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.expand(node)?;
        let moves = self.moves.get(self.spans[node.index()]);
        self.graph.visited.budget.reserve(out, moves.len())?;
        out.extend(moves.iter().map(|m| m.target));
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
        budget.release_vec(&self.nodes);
        budget.release_vec(&self.index);
        budget.release_vec(&self.spans);
    }
}
