//! One worker's stepping through a [`CspSystem`].

use super::CspSystem;
use super::agreement::Comparer;
use super::code::Code;
use super::entry::{Builder, Entry, Repeats};
use super::guard::Guard;
use super::layout::unpack;
use super::ready::Ready;
use super::rows::{Copied, Decision, EntryId, Witness};
use super::scene::{Run, Scene};
use super::shape::{Context, Shape};
use super::symbolic::Symbolic;
use crate::live::Live;
use crate::term::TermId;
use fairhold_system::{EventId, Fault, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, Word};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// In place of an entry that has not been found, or that depends on the state.
const UNKNOWN: EntryId = EntryId(u32::MAX);

/// A worker's tables and scratch memory.
#[derive(Debug)]
pub struct CspStepper<'a> {
    system: &'a CspSystem,
    /// By context and place.
    decisions: Vec<Vec<Decision>>,
    /// The entries that hold whatever the state, by context and place: what is asked for most, close together.
    known: Vec<Vec<EntryId>>,
    /// Whether an entry was met some steps of which may come twice.
    may_repeat: bool,
    shapes: Copied<Arc<Shape>>,
    entries: Copied<Entry>,
    /// What leaves have ready, by context, where that does not depend on the state.
    ready: FxHashMap<(u32, TermId), Arc<[Ready]>>,
    /// The entries of the state at hand.
    active: Vec<EntryId>,
    predicates: Copied<Option<Guard>>,
    objectives: Copied<Code>,
    run: Run<'a>,
    /// Compares the values that runs to one state have in hidden variables; none where there are no such variables.
    comparer: Option<Comparer<'a>>,
    /// About how many bytes decisions and copies take.
    bytes: u64,
}

impl<'a> CspStepper<'a> {
    /// A stepper that forgets what is dead by this analysis; without one, nothing. Without a comparer, its states
    /// are not compared with those of other runs.
    pub(super) fn new(
        system: &'a CspSystem,
        live: Option<&'a Live>,
        comparer: Option<Comparer<'a>>,
    ) -> CspStepper<'a> {
        CspStepper {
            system,
            decisions: Vec::new(),
            known: Vec::new(),
            may_repeat: false,
            shapes: Copied::default(),
            entries: Copied::default(),
            ready: FxHashMap::default(),
            active: Vec::new(),
            predicates: Copied::default(),
            objectives: Copied::default(),
            bytes: 0,
            run: Run::new(system, live),
            comparer,
        }
    }

    /// Finds the entries of the state at hand. What is highest of [`Repeats`] among them comes back.
    #[inline]
    fn find_entries(&mut self, state: &[Word]) -> Result<(), Fault> {
        let shape = self.shapes.at(state[0] as usize, &self.system.shapes);
        self.active.resize(shape.len(), EntryId(0));
        let mut found = 0;
        for ((&context, &place), entry) in shape.contexts.iter().zip(&state[1..]).zip(&mut self.active) {
            let known = self
                .known
                .get(context as usize)
                .and_then(|known| known.get(place as usize));
            match known {
                Some(&id) if id != UNKNOWN => *entry = id,
                _ => break,
            }
            found += 1;
        }
        if found < shape.len() {
            // From the first leaf on that is met for the first time, or depends on the state.
            let shape = Arc::clone(shape);
            for leaf in found..shape.len() {
                self.active[leaf] = self.find_entry((shape.contexts[leaf], state[1 + leaf]), state)?;
            }
        }
        Ok(())
    }

    /// The entry of a leaf, by context and place, in a state.
    fn find_entry(&mut self, at: (u32, Word), state: &[Word]) -> Result<EntryId, Fault> {
        let (context, place) = (at.0 as usize, at.1 as usize);
        if self.decisions.len() <= context {
            self.decisions.resize_with(context + 1, Vec::new);
        }
        let decisions = &mut self.decisions[context];
        if decisions.len() <= place {
            self.bytes += ((place + 1 - decisions.len()) * size_of::<Decision>()) as u64;
            decisions.resize_with(place + 1, Decision::default);
        }
        let entry = decisions[place].follow(self.system, at, &mut self.run.machine, state)?;
        if matches!(decisions[place], Decision::Known(_)) {
            if self.known.len() <= context {
                self.known.resize_with(context + 1, Vec::new);
            }
            let known = &mut self.known[context];
            if known.len() <= place {
                self.bytes += ((place + 1 - known.len()) * size_of::<EntryId>()) as u64;
                known.resize(place + 1, UNKNOWN);
            }
            known[place] = entry;
        }
        // The copy is made here, so that whoever steps the state finds it.
        let copy = self.entries.at(entry.0 as usize, &self.system.rows.entries);
        self.may_repeat |= copy.repeats != Repeats::Never;
        Ok(entry)
    }

    /// What a leaf has ready in a state.
    fn ready_in(
        &mut self,
        context: u32,
        place: Word,
        state: &[Word],
        out: &mut Vec<EventId>,
    ) -> Result<(), Fault> {
        let about = self.system.context(context);
        let term = self.system.term_at(about.class, place);
        let rows = match self.ready.get(&(context, term)) {
            Some(rows) => Arc::clone(rows),
            None => {
                let (rows, fixed) = self.ready_rows(&about, term, state)?;
                if fixed {
                    self.bytes += (size_of_val(&*rows) + 96) as u64;
                    self.ready.insert((context, term), Arc::clone(&rows));
                }
                rows
            }
        };
        self.ready_now(&about, &rows, state, out)
    }

    /// What a term has ready, and whether that is so in every state: it is if nothing had to be asked.
    fn ready_rows(
        &mut self,
        about: &Context,
        term: TermId,
        state: &[Word],
    ) -> Result<(Arc<[Ready]>, bool), Fault> {
        about.check_depth(&self.system.model, term)?;
        let mut witness = Witness::new(self.system, &mut self.run.machine, state);
        let syms = Symbolic {
            model: &self.system.model,
            oracle: &mut witness,
        }
        .ready(term)?;
        let builder = Builder {
            system: self.system,
            context: about,
        };
        Ok((builder.ready(term, &syms).into(), witness.is_idle()))
    }

    /// Of what may be ready, what is ready with the channels as they are.
    fn ready_now(
        &mut self,
        about: &Context,
        rows: &[Ready],
        state: &[Word],
        out: &mut Vec<EventId>,
    ) -> Result<(), Fault> {
        let builder = Builder {
            system: self.system,
            context: about,
        };
        for row in rows {
            match row {
                Ready::Event(event) => out.push(*event),
                Ready::Push(channel, event) if channel.len(state) < channel.capacity => out.push(*event),
                Ready::Pop(channel, taking) if channel.len(state) > 0 => {
                    if let Some(taken) =
                        builder.take(taking, &unpack(&self.system.model, channel.head(state)))
                        && taken.guard.holds(&mut self.run.machine, state)?
                    {
                        out.push(taken.label.event);
                    }
                }
                Ready::Push(..) | Ready::Pop(..) => {}
            }
        }
        Ok(())
    }
}

impl Stepper for CspStepper<'_> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        let initial = self.system.initial_words();
        if let Some(comparer) = &mut self.comparer {
            comparer.compare(&initial);
        }
        out.push(label, &initial);
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let from = out.len();
        if let Some(comparer) = &mut self.comparer
            && !comparer.by_targets
        {
            comparer.compare(state);
        }
        self.run.priorities.clear();
        self.find_entries(state)?;
        let shape: &Shape = self.shapes.known(state[0] as usize);
        let most = match self.may_repeat {
            true => {
                let repeats = |id: &EntryId| self.entries.known(id.0 as usize).repeats;
                self.active.iter().map(repeats).max()
            }
            false => None,
        };
        let mut scene = Scene {
            repeats: match most {
                Some(Repeats::Alone) => true,
                Some(Repeats::BesideOthers) => shape.shares_processes,
                Some(Repeats::Never) | None => false,
            },
            shape,
            entries: &self.entries,
            active: &self.active,
            run: &mut self.run,
            state,
            from,
            out,
            has_atomic: self.system.has_atomic,
        };
        scene.steps()?;
        if self.system.has_atomic {
            self.run.prioritise(from, out)?;
            out.dedup_from(from);
        }
        if let Some(comparer) = &mut self.comparer
            && comparer.by_targets
        {
            (from..out.len()).for_each(|i| comparer.compare(out.target(i)));
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        let shape = Arc::clone(self.shapes.at(state[0] as usize, &self.system.shapes));
        if shape.has_sequence() {
            // What follows a `;` may be ready, too, which only the whole tells.
            let root = self.system.decode(state).root;
            let whole = Context::default();
            let (rows, _) = self.ready_rows(&whole, root, state)?;
            return self.ready_now(&whole, &rows, state, out);
        }
        for (&context, &place) in shape.contexts.iter().zip(&state[1..]) {
            self.ready_in(context, place, state, out)?;
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let guard = self.predicates.at(predicate.0 as usize, &self.system.predicates);
        match guard {
            Some(guard) => guard.holds(&mut self.run.machine, state),
            None => Ok(false),
        }
    }

    fn distance(&mut self, predicate: PredicateId, state: &[Word]) -> Option<u32> {
        let guard = self.predicates.at(predicate.0 as usize, &self.system.predicates);
        Some(guard.as_ref()?.distance(&mut self.run.machine, state))
    }

    fn bytes(&self) -> u64 {
        let comparing = self.comparer.as_ref().map_or(0, |comparer| comparer.bytes);
        self.bytes + self.run.bytes() + self.system.bytes() + comparing
    }

    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        let code = self.objectives.at(objective.0 as usize, &self.system.objectives);
        Ok(i64::from(self.run.machine.eval(code, state)?))
    }
}
