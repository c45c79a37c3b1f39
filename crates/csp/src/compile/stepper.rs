//! One worker's stepping through a [`CspSystem`].

use super::CspSystem;
use super::code::{Code, Compiler, Value1};
use super::entry::{Builder, Entry, Guard, Kind, Lead, Next, Row, Taken, Taking, Way, Whose};
use super::layout::{ChannelLayout, SPLIT, unpack};
use super::machine::Machine;
use super::ready::Ready;
use super::symbolic::{Oracle, Symbolic};
use crate::model::{Expr, Type, Value, VarId};
use crate::term::TermId;
use fairhold_system::{EventId, Fault, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, Word};
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

/// An entry of this worker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct EntryId(u32);

/// Which entry holds at a place: known, or found by asking for values in the state at hand.
#[derive(Debug, Default)]
enum Decision {
    /// Not met before.
    #[default]
    Unknown,
    /// This one, whatever the state.
    Known(EntryId),
    /// It depends.
    Ask(Box<Question>),
}

#[derive(Debug)]
struct Question {
    what: Asked,
    answers: FxHashMap<Answer, Decision>,
}

/// What is asked of a state.
#[derive(Clone, Debug)]
enum Asked {
    Word(Type, Code),
    Array(VarId),
}

/// What a state answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Answer {
    Word(i32),
    Array(Vec<Word>),
    Fault,
}

/// A worker's tables and scratch memory.
#[derive(Debug)]
pub struct CspStepper<'a> {
    system: &'a CspSystem,
    /// By component and place.
    components: Vec<Vec<Decision>>,
    /// By term, for states that are not split.
    whole: FxHashMap<TermId, Decision>,
    entries: Vec<Entry>,
    /// What processes have ready, where that does not depend on the state.
    ready: FxHashMap<(Whose, TermId), Arc<[Ready]>>,
    /// Whether two rows of any entry may give the same step.
    repeats: bool,
    /// The entries of the state at hand.
    active: Vec<EntryId>,
    /// What the system has numbered: the terms of components by place, predicates, objectives.
    places: Vec<Copied<TermId>>,
    predicates: Copied<Option<Guard>>,
    objectives: Copied<Code>,
    run: Run<'a>,
    /// About how many bytes decisions and entries take.
    bytes: u64,
}

/// A worker's own copy of a list that all share and that only grows. To read the list itself, all workers would change the count of its readers, every time.
#[derive(Clone, Debug)]
struct Copied<T>(Vec<T>);

impl<T: Clone> Copied<T> {
    /// Item `i`, if need be from the list as it is now.
    #[inline]
    fn at(&mut self, i: usize, shared: &RwLock<impl AsRef<[T]>>) -> &T {
        if self.0.len() <= i {
            let shared = shared.read().expect("no holder of a table panics");
            self.0.extend_from_slice(&shared.as_ref()[self.0.len()..]);
        }
        &self.0[i]
    }
}

/// What an input does with each message it has met, by the message's words; none if the message does not fit.
type Messages = FxHashMap<Box<[Word]>, Option<Arc<Taken>>>;

/// What is needed while rows run.
#[derive(Debug)]
struct Run<'a> {
    system: &'a CspSystem,
    machine: Machine,
    /// By input: an entry and a row of it.
    taken: FxHashMap<(EntryId, u32), Messages>,
    pairs: FxHashMap<(usize, usize), ProcessesId>,
    everyone: ProcessesId,
    /// Of the steps pushed so far, in models with `atomic`: whether each has priority, and how its program went wrong.
    priorities: Vec<(bool, Option<Fault>)>,
    /// Rows that match a synchronisation, a participant each.
    matching: Vec<Vec<usize>>,
    /// About how many bytes `taken` takes.
    bytes: u64,
}

/// Evaluates in one state and takes down what it was asked.
struct Witness<'a, 'b> {
    system: &'a CspSystem,
    machine: &'b mut Machine,
    state: &'b [Word],
    asked: Vec<(Asked, Answer)>,
}

impl Asked {
    fn answer(
        &self,
        system: &CspSystem,
        machine: &mut Machine,
        state: &[Word],
    ) -> (Answer, Result<Value, Fault>) {
        match self {
            Asked::Word(ty, code) => match machine.eval(code, state) {
                Ok(word) => (Answer::Word(word), Ok(Value::of(*ty, word))),
                Err(f) => (Answer::Fault, Err(f)),
            },
            Asked::Array(v) => {
                let decl = &system.model.variables[v.0 as usize];
                let words = &state[system.layout.variables[v.0 as usize]..][..decl.init.len()];
                let values = words.iter().map(|&w| Value::of(decl.ty, w as i32)).collect();
                (Answer::Array(words.to_vec()), Ok(Value::Array(values)))
            }
        }
    }
}

impl Oracle for Witness<'_, '_> {
    fn ask(&mut self, e: &Expr) -> Result<Value, Fault> {
        let asked = match Compiler::value(&self.system.model, &self.system.layout, e) {
            Value1::Word(ty, code) => Asked::Word(ty, code),
            Value1::Array(v) => Asked::Array(v),
        };
        let (answer, value) = asked.answer(self.system, self.machine, self.state);
        self.asked.push((asked, answer));
        value
    }
}

impl<'a> CspStepper<'a> {
    pub(super) fn new(system: &'a CspSystem) -> CspStepper<'a> {
        let everyone: Vec<u32> = (0..system.layout.components as u32).collect();
        CspStepper {
            system,
            components: (0..system.layout.components).map(|_| Vec::new()).collect(),
            whole: FxHashMap::default(),
            entries: Vec::new(),
            ready: FxHashMap::default(),
            repeats: false,
            active: Vec::new(),
            places: vec![Copied(Vec::new()); system.layout.components],
            predicates: Copied(Vec::new()),
            objectives: Copied(Vec::new()),
            bytes: 0,
            run: Run {
                system,
                machine: Machine::default(),
                taken: FxHashMap::default(),
                pairs: FxHashMap::default(),
                everyone: system.process_set(&everyone),
                priorities: Vec::new(),
                matching: Vec::new(),
                bytes: 0,
            },
        }
    }

    /// The entry of component `i` in a state.
    #[inline]
    fn component_entry(&mut self, i: usize, state: &[Word]) -> Result<EntryId, Fault> {
        let place = state[1 + i] as usize;
        if let Some(Decision::Known(id)) = self.components[i].get(place) {
            return Ok(*id);
        }
        if self.components[i].len() <= place {
            self.components[i].resize_with(place + 1, Decision::default);
        }
        let term = self.term_at(i, place);
        let mut decision = std::mem::take(&mut self.components[i][place]);
        let entry = self.decide(&mut decision, Whose::Component(i), term, state);
        self.components[i][place] = decision;
        entry
    }

    /// The term of component `i` at a place.
    fn term_at(&mut self, i: usize, place: usize) -> TermId {
        *self.places[i].at(place, &self.system.places[i])
    }

    fn whole_entry(&mut self, term: TermId, state: &[Word]) -> Result<EntryId, Fault> {
        let mut decision = match self.whole.get_mut(&term) {
            Some(Decision::Known(id)) => return Ok(*id),
            Some(decision) => std::mem::take(decision),
            None => Decision::Unknown,
        };
        let entry = self.decide(&mut decision, Whose::Whole, term, state);
        self.whole.insert(term, decision);
        entry
    }

    /// Follows a decision, and extends it where it ends.
    fn decide(
        &mut self,
        mut decision: &mut Decision,
        whose: Whose,
        term: TermId,
        state: &[Word],
    ) -> Result<EntryId, Fault> {
        let mut depth = 0;
        loop {
            match decision {
                Decision::Known(id) => return Ok(*id),
                Decision::Ask(question) => {
                    let (answer, _) = question.what.answer(self.system, &mut self.run.machine, state);
                    decision = question.answers.entry(answer).or_default();
                    depth += 1;
                }
                Decision::Unknown => break,
            }
        }
        let mut witness = Witness {
            system: self.system,
            machine: &mut self.run.machine,
            state,
            asked: Vec::new(),
        };
        let mut symbolic = Symbolic {
            model: &self.system.model,
            oracle: &mut witness,
        };
        let syms = match whose {
            Whose::Component(_) => symbolic.process(term, 0)?,
            Whose::Whole => symbolic.steps(term, 0)?,
        };
        let asked = witness.asked;
        for (what, answer) in asked.into_iter().skip(depth) {
            self.bytes += (size_of::<Question>() + 2 * size_of::<Decision>() + 128) as u64;
            *decision = Decision::Ask(Box::new(Question {
                what,
                answers: FxHashMap::default(),
            }));
            let Decision::Ask(question) = decision else {
                unreachable!("just made")
            };
            decision = question.answers.entry(answer).or_default();
        }
        let id = EntryId(self.entries.len() as u32);
        let entry = Builder {
            system: self.system,
            whose,
        }
        .entry(&syms);
        // The entry, its place in the tables, and the names that come with it.
        self.bytes += (size_of::<Entry>() + 128 + entry.rows.len() * (size_of::<Row>() + 96)) as u64;
        self.repeats |= entry.repeats;
        self.entries.push(entry);
        *decision = Decision::Known(id);
        Ok(id)
    }

    /// What a process has ready in a state.
    fn ready_in(
        &mut self,
        whose: Whose,
        term: TermId,
        state: &[Word],
        out: &mut Vec<EventId>,
    ) -> Result<(), Fault> {
        let known = self.ready.get(&(whose, term)).cloned();
        let rows = match known {
            Some(rows) => rows,
            None => self.ready_rows(whose, term, state)?,
        };
        let system = self.system;
        for row in rows.iter() {
            match row {
                Ready::Event(event) => out.push(*event),
                Ready::Push(channel, event) if channel.len(state) < channel.capacity => out.push(*event),
                Ready::Pop(channel, taking) if channel.len(state) > 0 => {
                    let taken = Builder { system, whose }.take(taking, &unpack(channel.head(state)));
                    if let Some(taken) = taken
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

    /// Computes what a process has ready; kept if it does not depend on the state at hand.
    fn ready_rows(&mut self, whose: Whose, term: TermId, state: &[Word]) -> Result<Arc<[Ready]>, Fault> {
        let mut witness = Witness {
            system: self.system,
            machine: &mut self.run.machine,
            state,
            asked: Vec::new(),
        };
        let syms = Symbolic {
            model: &self.system.model,
            oracle: &mut witness,
        }
        .ready(whose, term)?;
        let fixed = witness.asked.is_empty();
        let system = self.system;
        let rows: Arc<[Ready]> = Builder { system, whose }.ready(&syms).into();
        if fixed {
            self.bytes += (size_of_val(&*rows) + 96) as u64;
            self.ready.insert((whose, term), Arc::clone(&rows));
        }
        Ok(rows)
    }

    /// Finds the entries of the state at hand.
    fn find_entries(&mut self, state: &[Word]) -> Result<(), Fault> {
        self.active.clear();
        if state[0] == SPLIT {
            let places = self.components.iter().zip(&state[1..]);
            let known = places.map_while(|(decisions, &place)| match decisions.get(place as usize) {
                Some(Decision::Known(id)) => Some(*id),
                _ => None,
            });
            self.active.extend(known);
            // From the first on that is met for the first time, or depends on the state.
            for i in self.active.len()..self.components.len() {
                let entry = self.component_entry(i, state)?;
                self.active.push(entry);
            }
        } else {
            let entry = self.whole_entry(TermId(state[0]), state)?;
            self.active.push(entry);
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
        out.push(label, &self.system.initial_words());
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let from = out.len();
        self.run.priorities.clear();
        self.find_entries(state)?;
        let repeats = |id: &EntryId| self.entries[id.0 as usize].repeats;
        let mut scene = Scene {
            repeats: self.repeats && self.active.iter().any(repeats),
            entries: &self.entries,
            active: &self.active,
            run: &mut self.run,
            state,
            from,
            out,
            has_atomic: self.system.has_atomic,
        };
        if state[0] == SPLIT {
            scene.components()?;
        } else {
            scene.whole()?;
        }
        if self.system.has_atomic {
            self.run.prioritise(from, out)?;
            out.dedup_from(from);
        }
        Ok(())
    }

    fn ready(&mut self, state: &[Word], out: &mut Vec<EventId>) -> Result<(), Fault> {
        if state[0] == SPLIT {
            for i in 0..self.system.layout.components {
                let term = self.term_at(i, state[1 + i] as usize);
                self.ready_in(Whose::Component(i), term, state, out)?;
            }
            Ok(())
        } else {
            self.ready_in(Whose::Whole, TermId(state[0]), state, out)
        }
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let guard = self.predicates.at(predicate.0 as usize, &self.system.predicates);
        match guard {
            Some(guard) => guard.holds(&mut self.run.machine, state),
            None => Ok(false),
        }
    }

    fn bytes(&self) -> u64 {
        self.bytes + self.run.bytes + self.system.model.terms.bytes()
    }

    fn measure(&mut self, objective: ObjectiveId, state: &[Word]) -> Result<i64, Fault> {
        let code = self.objectives.at(objective.0 as usize, &self.system.objectives);
        Ok(i64::from(self.run.machine.eval(code, state)?))
    }
}

impl Run<'_> {
    /// Keeps only steps with priority, if there are any.
    fn prioritise(&mut self, from: usize, out: &mut Steps) -> Result<(), Fault> {
        debug_assert_eq!(
            self.priorities.len(),
            out.len() - from,
            "every step has its priority taken down"
        );
        if self.priorities.iter().any(|(atomic, _)| *atomic) {
            let priorities = &self.priorities;
            out.retain_from(from, |i| priorities[i].0);
            self.priorities.retain(|(atomic, _)| *atomic);
        }
        self.priorities
            .iter_mut()
            .find_map(|(_, fault)| fault.take())
            .map_or(Ok(()), Err)
    }

    /// What a row's input does with a message, computed once for every message.
    fn take(
        &mut self,
        at: (EntryId, u32),
        whose: Whose,
        taking: &Taking,
        message: &[Word],
    ) -> Option<Arc<Taken>> {
        let messages = self.taken.entry(at).or_default();
        if let Some(known) = messages.get(message) {
            return known.clone();
        }
        let taken = Builder {
            system: self.system,
            whose,
        }
        .take(taking, &unpack(message))
        .map(Arc::new);
        self.bytes += (2 * size_of::<Taken>() + size_of_val(message) + 128) as u64;
        messages.insert(message.into(), taken.clone());
        taken
    }

    fn pair(&mut self, i: usize, j: usize) -> ProcessesId {
        let pair = if i < j { (i, j) } else { (j, i) };
        let system = self.system;
        *self
            .pairs
            .entry(pair)
            .or_insert_with(|| system.process_set(&[pair.0 as u32, pair.1 as u32]))
    }
}

/// The steps of one state in the making.
struct Scene<'s, 'a> {
    entries: &'s [Entry],
    active: &'s [EntryId],
    run: &'s mut Run<'a>,
    state: &'s [Word],
    out: &'s mut Steps,
    /// The first step of this state in `out`.
    from: usize,
    repeats: bool,
    has_atomic: bool,
}

impl<'s> Scene<'s, '_> {
    #[inline]
    fn entry(&self, id: EntryId) -> &'s Entry {
        &self.entries[id.0 as usize]
    }

    #[inline]
    fn holds(&mut self, row: &Row) -> Result<bool, Fault> {
        row.guard.holds(&mut self.run.machine, self.state)
    }

    /// The target of the step pushed last.
    fn target(&mut self) -> &mut [Word] {
        self.out.last_target()
    }

    /// Ends the step pushed last: its program has run with this result.
    #[inline]
    fn finish(&mut self, atomic: bool, result: Result<(), Fault>) -> Result<(), Fault> {
        if self.has_atomic {
            self.run.priorities.push((atomic, result.err()));
            return Ok(());
        }
        result?;
        if self.repeats {
            self.out.drop_repeated(self.from);
        }
        Ok(())
    }

    #[inline]
    fn put(target: &mut [Word], whose: Whose, next: &Next) {
        match (next, whose) {
            (Next::Component(place), Whose::Component(i)) => target[1 + i] = *place,
            (Next::Control(control), _) => target[..control.len()].copy_from_slice(control),
            (Next::Component(_), Whose::Whole) => unreachable!("rows of the whole move the whole"),
        }
    }

    /// All steps of a split state.
    fn components(&mut self) -> Result<(), Fault> {
        let mut ends = 0;
        for (i, &id) in self.active.iter().enumerate() {
            let mut could_end = false;
            for lead in &self.entry(id).leads {
                match lead.way {
                    Way::Row(r) => could_end |= self.row((id, r), Whose::Component(i))?,
                    _ if !lead.holds(self.state) => {}
                    Way::Alone(place) => {
                        let target = self.out.push_changing(lead.label, self.state, lead.changed);
                        target[1 + i] = place;
                        lead.apply(target);
                        self.finish(false, Ok(()))?;
                    }
                    Way::Meet { event, other, place } => {
                        self.meet(lead, event, (i, place), other as usize)?;
                    }
                }
            }
            ends += usize::from(could_end);
        }
        if ends == self.active.len() {
            self.terminate()?;
        }
        Ok(())
    }

    /// All steps of a state that is not split.
    fn whole(&mut self) -> Result<(), Fault> {
        let id = self.active[0];
        for r in 0..self.entry(id).rows.len() as u32 {
            self.row((id, r), Whose::Whole)?;
        }
        Ok(())
    }

    /// The steps of a row, and those that it leads. Says whether it could terminate.
    #[inline(never)]
    fn row(&mut self, at: (EntryId, u32), whose: Whose) -> Result<bool, Fault> {
        let row = &self.entry(at.0).rows[at.1 as usize];
        if !self.holds(row)? {
            return Ok(false);
        }
        match &row.kind {
            Kind::Plain => {
                let target = self.out.push_changing(row.label, self.state, row.changed);
                Self::put(target, whose, &row.next);
                let result = row.update.apply(&mut self.run.machine, target);
                self.finish(row.atomic, result)?;
            }
            Kind::Sync { event, others, first } => {
                if *first {
                    self.synchronise(whose, row, *event, others)?;
                }
            }
            Kind::Push(channel, message) => {
                if channel.len(self.state) < channel.capacity {
                    let target = self.out.push_changing(row.label, self.state, row.changed);
                    Self::put(target, whose, &row.next);
                    channel.push(target, message);
                    let result = row.update.apply(&mut self.run.machine, target);
                    self.finish(row.atomic, result)?;
                }
            }
            Kind::Pop(channel, taking) => {
                if channel.len(self.state) > 0 {
                    self.pop(at, whose, *channel, taking, row)?;
                }
            }
            Kind::Terminate => return Ok(true),
            Kind::Send { channel, message } => {
                if let Whose::Component(i) = whose {
                    self.communicate(i, row, *channel, message)?;
                }
            }
            Kind::Receive { .. } | Kind::Check => {}
            Kind::Fault(f) => return Err((**f).clone()),
        }
        Ok(false)
    }

    fn pop(
        &mut self,
        at: (EntryId, u32),
        whose: Whose,
        channel: ChannelLayout,
        taking: &Taking,
        row: &Row,
    ) -> Result<(), Fault> {
        let Some(taken) = self.run.take(at, whose, taking, channel.head(self.state)) else {
            return Ok(());
        };
        if taken.guard.holds(&mut self.run.machine, self.state)? {
            let changed = row.changed | taken.changed;
            let target = self.out.push_changing(taken.label, self.state, changed);
            Self::put(target, whose, &taken.next);
            channel.pop(target);
            let result = taken.update.apply(&mut self.run.machine, target);
            self.finish(row.atomic, result)?;
        }
        Ok(())
    }

    /// The joint steps of a synchronised event, led by the first participant.
    fn synchronise(&mut self, whose: Whose, row: &Row, event: EventId, others: &[u32]) -> Result<(), Fault> {
        let mut matching = std::mem::take(&mut self.run.matching);
        matching.resize_with(matching.len().max(others.len()), Vec::new);
        let found = self.match_all(event, others, &mut matching)?;
        if found {
            self.product(whose, row, others, &matching)?;
        }
        self.run.matching = matching;
        Ok(())
    }

    /// The joint steps of a component that goes to a place with component `j`.
    #[inline]
    fn meet(
        &mut self,
        lead: &Lead,
        event: EventId,
        (i, place): (usize, Word),
        j: usize,
    ) -> Result<(), Fault> {
        let partner = self.entry(self.active[j]);
        for offer in partner.offers.iter().filter(|offer| offer.event == event) {
            let mut atomic = false;
            if !offer.free {
                let row = &partner.rows[offer.row as usize];
                atomic = row.atomic;
                if !self.holds(row)? {
                    continue;
                }
            }
            let target = self.out.push_changing(lead.label, self.state, lead.changed);
            target[1 + i] = place;
            target[1 + j] = offer.place;
            self.finish(atomic, Ok(()))?;
        }
        Ok(())
    }

    /// Finds the rows of the other participants that offer the event; false if one offers none.
    fn match_all(
        &mut self,
        event: EventId,
        others: &[u32],
        matching: &mut [Vec<usize>],
    ) -> Result<bool, Fault> {
        for (&j, found) in others.iter().zip(matching) {
            found.clear();
            let entry = self.entry(self.active[j as usize]);
            for offer in entry.offers.iter().filter(|offer| offer.event == event) {
                if self.holds(&entry.rows[offer.row as usize])? {
                    found.push(offer.row as usize);
                }
            }
            if found.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Pushes a step for every choice of one matching row a participant.
    fn product(
        &mut self,
        whose: Whose,
        row: &Row,
        others: &[u32],
        matching: &[Vec<usize>],
    ) -> Result<(), Fault> {
        let choices: usize = matching[..others.len()].iter().map(Vec::len).product();
        for mut choice in 0..choices {
            let mut atomic = row.atomic;
            let mut changed = row.changed;
            let target = self.out.push_changing(row.label, self.state, changed);
            Self::put(target, whose, &row.next);
            for (&j, found) in others.iter().zip(matching) {
                let other =
                    &self.entries[self.active[j as usize].0 as usize].rows[found[choice % found.len()]];
                choice /= found.len();
                atomic |= other.atomic;
                changed |= other.changed;
                Self::put(target, Whose::Component(j as usize), &other.next);
            }
            self.out.also_changes(changed);
            self.finish(atomic, Ok(()))?;
        }
        Ok(())
    }

    /// The communications of a sender with every component that receives.
    fn communicate(&mut self, i: usize, send: &Row, channel: usize, message: &[Word]) -> Result<(), Fault> {
        for j in (0..self.active.len()).filter(|&j| j != i) {
            let id = self.active[j];
            for (r, row) in (0..).zip(&self.entry(id).rows) {
                let Kind::Receive { channel: of, taking } = &row.kind else {
                    continue;
                };
                if *of != channel || !self.holds(row)? {
                    continue;
                }
                let whose = Whose::Component(j);
                let Some(taken) = self.run.take((id, r), whose, taking, message) else {
                    continue;
                };
                if !taken.guard.holds(&mut self.run.machine, self.state)? {
                    continue;
                }
                let label = Label {
                    event: send.label.event,
                    processes: self.run.pair(i, j),
                };
                let changed = send.changed | taken.changed;
                let target = self.out.push_changing(label, self.state, changed);
                Self::put(target, Whose::Component(i), &send.next);
                Self::put(target, whose, &taken.next);
                let machine = &mut self.run.machine;
                let result = send
                    .update
                    .apply(machine, target)
                    .and_then(|()| taken.update.apply(machine, target));
                self.finish(send.atomic || row.atomic, result)?;
            }
        }
        Ok(())
    }

    /// The joint termination of all components.
    fn terminate(&mut self) -> Result<(), Fault> {
        let mut atomic = false;
        for &id in self.active {
            for row in &self.entry(id).rows {
                if matches!(row.kind, Kind::Terminate) && row.atomic {
                    atomic |= self.holds(row)?;
                }
            }
        }
        let label = Label {
            event: EventId::TERMINATE,
            processes: self.run.everyone,
        };
        let components = self.active.len();
        self.out.push(label, self.state);
        let target = self.target();
        target[..=components].fill(0);
        target[0] = TermId::ENDED.0;
        self.finish(atomic, Ok(()))
    }
}
