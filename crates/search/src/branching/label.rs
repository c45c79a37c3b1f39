//! Which states satisfy each part of a formula, from the atoms up.
//!
//! Sets of states are rows of bits. The states with a fair path come first: every quantifier needs them.

use super::Ends;
use super::Proposition;
use super::arena::{Arena, each_loop};
use super::parts::{Part, PartId, Parts};
use super::structure::{Structure, Watched, bits};
use crate::fairness::Fairness;
use crate::letters::{Atom, Letters, letter_of_state};
use crate::visited::Halt;
use fairhold_logic::Ctl;
use fairhold_store::{Growth, StateId};
use fairhold_system::{EventId, System};
use fixedbitset::FixedBitSet;
use std::marker::PhantomData;

/// Which states satisfy which part of a formula.
#[derive(Clone, Debug)]
pub struct Labels {
    formulas: Vec<Ctl>,
    /// The set of each formula.
    places: Vec<PartId>,
    sets: Vec<FixedBitSet>,
    fair: FixedBitSet,
    /// Components of the graph that was searched for fair loops.
    pub(super) components: Option<u64>,
}

impl Labels {
    /// Every different part of the formula as written, parts before wholes: the formula itself is the last.
    pub fn formulas(&self) -> &[Ctl] {
        &self.formulas
    }

    /// Whether a state satisfies the formula with this number.
    pub fn holds(&self, formula: usize, state: StateId) -> bool {
        self.set(formula).contains(state.index())
    }

    /// The states that satisfy the formula with this number.
    pub fn set(&self, formula: usize) -> &FixedBitSet {
        &self.sets[self.places[formula].index()]
    }

    /// The states with a fair path.
    pub fn fair(&self) -> &FixedBitSet {
        &self.fair
    }

    /// The states that satisfy a part as written.
    pub(super) fn of(&self, formula: &Ctl) -> &FixedBitSet {
        let place = self.formulas.iter().position(|f| f == formula);
        self.set(place.expect("a part of the formula"))
    }

    /// Whether a state satisfies the whole formula.
    pub(super) fn satisfies(&self, state: StateId) -> bool {
        self.holds(self.formulas.len() - 1, state)
    }
}

/// What is asked, whatever the constraint.
pub(super) struct Asked<'q> {
    pub(super) structure: &'q Structure,
    pub(super) parts: &'q Parts,
    pub(super) letters: &'q Letters,
    pub(super) ends: Ends,
    pub(super) watched: Watched<'q>,
}

impl Asked<'_> {
    /// The states that a loop may use: all, or all that have steps.
    pub(super) fn lasting(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.structure.states());
        all.insert_range(..);
        if self.ends == Ends::None {
            all.difference_with(&self.structure.stuck);
        }
        all
    }
}

/// Labels states under one constraint.
pub(super) struct Labeller<'l, 'q, 'a, A: Arena<'a>> {
    asked: &'l Asked<'q>,
    arena: &'l mut A,
    sets: Vec<FixedBitSet>,
    fair: FixedBitSet,
    components: Option<u64>,
    /// The states of the search at hand.
    order: Vec<u32>,
    system: PhantomData<&'a ()>,
}

impl<'l, 'q, 'a, A: Arena<'a>> Labeller<'l, 'q, 'a, A> {
    pub(super) fn new(asked: &'l Asked<'q>, arena: &'l mut A) -> Labeller<'l, 'q, 'a, A> {
        Labeller {
            asked,
            arena,
            sets: Vec::new(),
            fair: FixedBitSet::new(),
            components: None,
            order: Vec::new(),
            system: PhantomData,
        }
    }

    /// Labels every state.
    pub(super) fn label(mut self) -> Result<Labels, Halt> {
        let states = self.asked.structure.states();
        let all = self.asked.lasting();
        let everywhere = self.asked.ends == Ends::Idle
            && self
                .arena
                .constraint()
                .is_none_or(Fairness::is_met_from_everywhere);
        self.fair = if everywhere { all } else { self.globally(all)? };
        for part in &self.asked.parts.list {
            self.arena.budget().grow(Growth {
                taken: states.div_ceil(8) as u64,
                freed: 0,
            })?;
            let set = self.states_of(part)?;
            self.sets.push(set);
        }
        self.arena.budget().release_vec(&self.order);
        let (formulas, places) = self.asked.parts.written.iter().cloned().unzip();
        Ok(Labels {
            formulas,
            places,
            sets: self.sets,
            fair: self.fair,
            components: self.components,
        })
    }

    fn set(&self, part: PartId) -> &FixedBitSet {
        &self.sets[part.index()]
    }

    fn states_of(&mut self, part: &Part) -> Result<FixedBitSet, Halt> {
        let states = self.asked.structure.states();
        Ok(match part {
            Part::True => {
                let mut all = FixedBitSet::with_capacity(states);
                all.insert_range(..);
                all
            }
            Part::Proposition(proposition) => match proposition.atom() {
                Some(atom) => self.condition(&atom)?,
                None => self.about_steps(proposition),
            },
            Part::Not(p) => {
                let mut set = self.set(*p).clone();
                set.toggle_range(..);
                set
            }
            Part::And(p, q) => self.set(*p) & self.set(*q),
            Part::Or(p, q) => self.set(*p) | self.set(*q),
            Part::ExistsNext(events, p) => self.next(events.as_deref(), *p),
            Part::ExistsUntil(p, q) => {
                let mut set = self.set(*q) & &self.fair;
                let Labeller {
                    asked,
                    arena,
                    sets,
                    order,
                    ..
                } = self;
                asked.structure.close_backwards(
                    &mut set,
                    &sets[p.index()],
                    order,
                    arena.budget(),
                    &asked.watched,
                )?;
                set
            }
            Part::ExistsGlobally(p) => {
                // What is on a fair path has a fair path.
                let inside = self.set(*p) & &self.fair;
                self.globally(inside)?
            }
        })
    }

    /// The states where an atom holds. What found no room in the letters is evaluated now.
    fn condition(&self, atom: &Atom) -> Result<FixedBitSet, Halt> {
        let graph = self.arena.graph();
        let states = self.asked.structure.states();
        let ids = (0..states).map(|s| StateId(s as u32));
        let mut set = FixedBitSet::with_capacity(states);
        if let Some(bit) = self.asked.letters.bit_if_known(atom) {
            set.extend(ids.filter(|&s| graph.letter(s) & bit != 0).map(StateId::index));
            return Ok(set);
        }
        let conditions = Letters::new(std::slice::from_ref(atom), &[]).conditions();
        let mut stepper = graph.visited.system.stepper();
        for id in ids {
            let state = graph.visited.table.get(id);
            let letter = letter_of_state(&conditions, &mut stepper, &state);
            let letter = letter.map_err(|fault| Halt::Fault { fault, at: Some(id) })?;
            set.set(id.index(), letter != 0);
        }
        Ok(set)
    }

    /// The states of which a proposition about steps is true.
    fn about_steps(&self, proposition: &Proposition) -> FixedBitSet {
        let (structure, graph) = (self.asked.structure, self.arena.graph());
        let ids = || (0..structure.states()).map(|s| StateId(s as u32));
        let mut set = FixedBitSet::with_capacity(structure.states());
        match proposition {
            Proposition::State(_) | Proposition::Condition(_) => unreachable!("these are about states"),
            Proposition::Enabled(event) => {
                let enabled = |s: &StateId| graph.steps(*s).any(|step| step.label.event == *event);
                set.extend(ids().filter(enabled).map(StateId::index));
            }
            Proposition::EnabledProcess(process) => {
                let takes_part = |set| graph.processes(set).contains(process);
                let enabled = |s: &StateId| graph.steps(*s).any(|step| takes_part(step.label.processes));
                set.extend(ids().filter(enabled).map(StateId::index));
            }
            Proposition::Deadlock => {
                set.union_with(&structure.stuck);
                set.difference_with(&structure.ended);
            }
            Proposition::Terminated => set.union_with(&structure.ended),
        }
        set
    }

    /// States with a step, of one of the events if there are some, to a fair state of the part.
    fn next(&self, events: Option<&[EventId]>, part: PartId) -> FixedBitSet {
        let (structure, graph) = (self.asked.structure, self.arena.graph());
        let goal = self.set(part) & &self.fair;
        let counts = |event: EventId| match events {
            Some(events) => events.contains(&event),
            None => event != EventId::IDLE || self.asked.ends == Ends::Idle,
        };
        let mut set = FixedBitSet::with_capacity(structure.states());
        for state in 0..structure.states() {
            let mut steps = graph.steps(StateId(state as u32));
            if steps.any(|s| goal.contains(s.target.index()) && counts(s.label.event)) {
                set.insert(state);
            }
        }
        set
    }

    /// The states of `inside` from which a fair path stays inside. An end that has no path is not inside.
    fn globally(&mut self, inside: FixedBitSet) -> Result<FixedBitSet, Halt> {
        if self.arena.constraint().is_none() {
            return self.stays(inside);
        }
        let mut set = bits(self.arena.budget(), inside.len())?;
        let Labeller {
            asked, arena, order, ..
        } = self;
        let components = each_loop(*arena, &inside, &asked.watched, &mut |arena, members| {
            if arena.fair_part(members)?.is_some() {
                members.iter().for_each(|s| set.insert(s.index()));
            }
            Ok(())
        })?;
        self.components.get_or_insert(components);
        asked
            .structure
            .close_backwards(&mut set, &inside, order, arena.budget(), &asked.watched)?;
        self.arena.budget().release(inside.len().div_ceil(8) as u64);
        Ok(set)
    }

    /// The states of `inside` from which some path stays inside: those that are left when states without a step to what is left are taken away.
    fn stays(&mut self, mut inside: FixedBitSet) -> Result<FixedBitSet, Halt> {
        let Labeller {
            asked, arena, order, ..
        } = self;
        let states = inside.len();
        let mut left: Vec<u32> = Vec::new();
        arena.budget().reserve(&mut left, states)?;
        left.resize(states, 0);
        order.clear();
        for state in inside.ones() {
            let targets = arena.graph().targets(StateId(state as u32));
            left[state] = targets.filter(|t| inside.contains(t.index())).count() as u32;
            if left[state] == 0 {
                arena.budget().reserve(order, 1)?;
                order.push(state as u32);
            }
        }
        while let Some(state) = order.pop() {
            asked.watched.tick(arena.budget())?;
            inside.remove(state as usize);
            for &source in asked.structure.sources(state as usize) {
                let source = source as usize;
                if inside.contains(source) && left[source] > 0 {
                    left[source] -= 1;
                    if left[source] == 0 {
                        arena.budget().reserve(order, 1)?;
                        order.push(source as u32);
                    }
                }
            }
        }
        arena.budget().release_vec(&left);
        Ok(inside)
    }
}
