//! The steps of one state: its leaves' rows, run.

use super::CspSystem;
use super::entry::{Entry, Kind, Lead, Next, Row, Taken, Taking, Way, With};
use super::forget::Forgetter;
use super::layout::ChannelLayout;
use super::machine::Machine;
use super::reform::Reformer;
use super::rows::{Copied, EntryId};
use super::shape::{Partners, Shape};
use crate::live::Live;
use fairhold_system::{Changed, EventId, Fault, Label, ProcessesId, Steps, Word};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A worker's own copy of what inputs do with messages, by entry, row and message.
type Messages = FxHashMap<(EntryId, u32), FxHashMap<Box<[Word]>, Option<Arc<Taken>>>>;

/// What is needed while rows run, used again from state to state.
#[derive(Debug)]
pub(super) struct Run<'a> {
    system: &'a CspSystem,
    pub(super) machine: Machine,
    reformer: Reformer<'a>,
    forgetter: Forgetter<'a>,
    taken: Messages,
    unions: FxHashMap<(ProcessesId, ProcessesId), ProcessesId>,
    /// Of the steps pushed so far, in models with `atomic`: whether each has priority, and how its program went wrong.
    pub(super) priorities: Vec<(bool, Option<Fault>)>,
    /// Rows that match a synchronisation, a participant each.
    matching: Vec<Vec<usize>>,
    /// For everything that may end: how many of its leaves can terminate.
    ends: Vec<usize>,
    /// About how many bytes `taken` takes.
    bytes: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(system: &'a CspSystem, live: Option<&'a Live>) -> Run<'a> {
        Run {
            system,
            machine: Machine::default(),
            reformer: Reformer::new(system),
            forgetter: Forgetter::new(system, live),
            taken: FxHashMap::default(),
            unions: FxHashMap::default(),
            priorities: Vec::new(),
            matching: Vec::new(),
            ends: Vec::new(),
            bytes: 0,
        }
    }

    /// About how many bytes all this takes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes + self.reformer.bytes + self.forgetter.bytes
    }

    /// Keeps only steps with priority, if there are any.
    pub(super) fn prioritise(&mut self, from: usize, out: &mut Steps) -> Result<(), Fault> {
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

    /// What a row's input does with a message.
    fn take(
        &mut self,
        at: (EntryId, u32),
        context: u32,
        taking: &Taking,
        message: &[Word],
    ) -> Option<Arc<Taken>> {
        let messages = self.taken.entry(at).or_default();
        if let Some(known) = messages.get(message) {
            return known.clone();
        }
        let taken = self.system.rows.take(self.system, at, context, taking, message);
        self.bytes += (size_of_val(message) + 96) as u64;
        messages.insert(message.into(), taken.clone());
        taken
    }

    /// The processes of either set.
    fn union(&mut self, a: ProcessesId, b: ProcessesId) -> ProcessesId {
        if a == b || b == ProcessesId::NONE {
            return a;
        }
        let system = self.system;
        *self.unions.entry((a, b)).or_insert_with(|| {
            let mut all = [system.process_list(a), system.process_list(b)].concat();
            all.sort_unstable();
            all.dedup();
            system.process_set(&all)
        })
    }
}

/// The steps of one state in the making.
pub(super) struct Scene<'s, 'a> {
    pub(super) shape: &'s Shape,
    pub(super) entries: &'s Copied<Entry>,
    pub(super) active: &'s [EntryId],
    pub(super) run: &'s mut Run<'a>,
    pub(super) state: &'s [Word],
    pub(super) out: &'s mut Steps,
    /// The first step of this state in `out`.
    pub(super) from: usize,
    /// Whether a step may come twice.
    pub(super) repeats: bool,
    pub(super) has_atomic: bool,
}

impl<'s> Scene<'s, '_> {
    #[inline]
    fn entry(&self, id: EntryId) -> &'s Entry {
        self.entries.known(id.0 as usize)
    }

    #[inline]
    fn holds(&mut self, row: &Row) -> Result<bool, Fault> {
        row.guard.holds(&mut self.run.machine, self.state)
    }

    /// What a step of a leaf by itself is called: the processes are the leaf's, which a row that several leaves share does not know.
    #[inline]
    fn own(&self, leaf: usize, label: Label) -> Label {
        match self.shape.processes[leaf] {
            ProcessesId::NONE => label,
            processes => Label { processes, ..label },
        }
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

    /// All steps of the state.
    pub(super) fn steps(&mut self) -> Result<(), Fault> {
        self.run.ends.clear();
        for (leaf, &id) in self.active.iter().enumerate() {
            for lead in self.entry(id).leads.iter() {
                match lead.way {
                    Way::Row(r) => self.row((id, r), leaf)?,
                    _ if !lead.holds(self.state) => {}
                    Way::Alone(place) => {
                        let changed = lead.changed | Changed::word(1 + leaf);
                        let target = self
                            .out
                            .push_changing(self.own(leaf, lead.label), self.state, changed);
                        target[1 + leaf] = place;
                        lead.apply(target);
                        self.finish(false, Ok(()))?;
                    }
                    Way::Meet { event, other, place } => {
                        self.meet(lead, event, (leaf, place), other as usize)?;
                    }
                }
            }
        }
        if !self.run.ends.is_empty() {
            self.terminate()?;
        }
        Ok(())
    }

    /// The steps of a row of a leaf, and those that it leads.
    #[inline(never)]
    fn row(&mut self, at: (EntryId, u32), leaf: usize) -> Result<(), Fault> {
        let row = &self.entry(at.0).rows[at.1 as usize];
        if !self.holds(row)? {
            return Ok(());
        }
        match &row.kind {
            Kind::Plain => self.alone(row, leaf, |_| {})?,
            Kind::Sync { event, with, first } => {
                if *first {
                    self.synchronise(leaf, row, *event, with)?;
                }
            }
            Kind::Push(channel, message) => {
                if channel.len(self.state) < channel.capacity {
                    self.alone(row, leaf, |target| channel.push(target, message))?;
                }
            }
            Kind::Pop(channel, taking) => {
                if channel.len(self.state) > 0 {
                    self.pop(at, leaf, *channel, taking, row)?;
                }
            }
            Kind::Terminate => {
                let ending = self.shape.ending_of[leaf] as usize;
                if self.run.ends.is_empty() {
                    self.run.ends.resize(self.shape.endings.len(), 0);
                }
                // A leaf counts once, however many ways to terminate it has.
                let rows = &self.entry(at.0).rows[..at.1 as usize];
                let mut earlier = rows.iter().filter(|row| matches!(row.kind, Kind::Terminate));
                let counted = earlier.any(|row| self.holds(row) == Ok(true));
                if let Some(ends) = self.run.ends.get_mut(ending)
                    && !counted
                {
                    *ends += 1;
                }
            }
            Kind::Send {
                channel,
                message,
                event,
            } => {
                let receivers = (0..self.active.len()).filter(|&j| j != leaf);
                for j in receivers {
                    let hidden = self.shape.hides_communication((leaf, j), event);
                    self.communicate((leaf, j), row, *channel, message, hidden)?;
                }
            }
            Kind::Receive { .. } | Kind::Check => {}
            Kind::Fault(f) => return Err((**f).clone()),
        }
        Ok(())
    }

    /// The step of a row that needs nobody else.
    #[inline]
    fn alone(&mut self, row: &Row, leaf: usize, change: impl FnOnce(&mut [Word])) -> Result<(), Fault> {
        let changed = row.changed | Changed::word(1 + leaf);
        let target = self
            .out
            .push_changing(self.own(leaf, row.label), self.state, changed);
        change(target);
        let result = row.update.apply(&mut self.run.machine, target);
        self.run.settle(target, &mut [(leaf, &row.next, &row.dying)]);
        self.finish(row.atomic, result)
    }

    fn pop(
        &mut self,
        at: (EntryId, u32),
        leaf: usize,
        channel: ChannelLayout,
        taking: &Taking,
        row: &Row,
    ) -> Result<(), Fault> {
        let context = self.shape.contexts[leaf];
        let Some(taken) = self.run.take(at, context, taking, channel.head(self.state)) else {
            return Ok(());
        };
        if taken.guard.holds(&mut self.run.machine, self.state)? {
            let changed = row.changed | taken.changed | Changed::word(1 + leaf);
            let label = self.own(leaf, taken.label);
            let target = self.out.push_changing(label, self.state, changed);
            channel.pop(target);
            let result = taken.update.apply(&mut self.run.machine, target);
            self.run.settle(target, &mut [(leaf, &taken.next, &taken.dying)]);
            self.finish(row.atomic, result)?;
        }
        Ok(())
    }

    /// The joint steps of a leaf that goes to a place with leaf `j`.
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
            let row = &partner.rows[offer.row as usize];
            if !offer.free && !self.holds(row)? {
                continue;
            }
            let changed = lead.changed | Changed::word(1 + i);
            let target = self.out.push_changing(lead.label, self.state, changed);
            target[1 + i] = place;
            if offer.simple {
                target[1 + j] = offer.place;
                self.finish(false, Ok(()))?;
            } else {
                self.run.settle(target, &mut [(j, &row.next, &row.dying)]);
                self.out.also_changes(row.changed);
                self.finish(row.atomic, Ok(()))?;
            }
        }
        Ok(())
    }

    /// The joint steps of a synchronised event, led by the first participant.
    fn synchronise(&mut self, leaf: usize, row: &Row, event: EventId, with: &With) -> Result<(), Fault> {
        match with {
            With::Each(others) => self.join(leaf, row, event, others, row.label.processes),
            With::Some(partners) => {
                // Few models synchronise through interleavings, and few leaves of those offer an event at a time.
                for others in self.ways(partners, event) {
                    let mut processes = self.shape.processes[leaf];
                    for &other in &others {
                        processes = self.run.union(processes, self.shape.processes[other as usize]);
                    }
                    self.join(leaf, row, event, &others, processes)?;
                }
                Ok(())
            }
        }
    }

    /// The sets of leaves that can move together on an event as partners.
    fn ways(&self, partners: &Partners, event: EventId) -> Vec<Vec<u32>> {
        match partners {
            Partners::One(leaf) => {
                let offers = &self.entry(self.active[*leaf as usize]).offers;
                match offers.iter().any(|offer| offer.event == event) {
                    true => vec![vec![*leaf]],
                    false => Vec::new(),
                }
            }
            Partners::Any(ways) => ways.iter().flat_map(|p| self.ways(p, event)).collect(),
            Partners::All(all) => {
                let mut ways = vec![Vec::new()];
                for p in all {
                    let more = self.ways(p, event);
                    let longer = |way: &Vec<u32>| {
                        let with = |m: &Vec<u32>| [way.as_slice(), m].concat();
                        more.iter().map(with).collect::<Vec<_>>()
                    };
                    ways = ways.iter().flat_map(longer).collect();
                }
                ways
            }
        }
    }

    /// The joint steps of a leaf with each of these others.
    fn join(
        &mut self,
        leaf: usize,
        row: &Row,
        event: EventId,
        others: &[u32],
        processes: ProcessesId,
    ) -> Result<(), Fault> {
        let mut matching = std::mem::take(&mut self.run.matching);
        matching.resize_with(matching.len().max(others.len()), Vec::new);
        let result = match self.match_all(event, others, &mut matching) {
            Ok(true) => self.product((leaf, row), others, &matching, processes),
            Ok(false) => Ok(()),
            Err(fault) => Err(fault),
        };
        self.run.matching = matching;
        result
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
        (leaf, row): (usize, &Row),
        others: &[u32],
        matching: &[Vec<usize>],
        processes: ProcessesId,
    ) -> Result<(), Fault> {
        let label = Label {
            processes,
            ..row.label
        };
        let choices: usize = matching[..others.len()].iter().map(Vec::len).product();
        for mut choice in 0..choices {
            let mut atomic = row.atomic;
            let mut changed = row.changed | Changed::word(1 + leaf);
            let mut moves = vec![(leaf, &row.next, &row.dying)];
            for (&j, found) in others.iter().zip(matching) {
                let other = &self.entry(self.active[j as usize]).rows[found[choice % found.len()]];
                choice /= found.len();
                atomic |= other.atomic;
                changed |= other.changed | Changed::word(1 + j as usize);
                moves.push((j as usize, &other.next, &other.dying));
            }
            let target = self.out.push_changing(label, self.state, changed);
            self.run.settle(target, &mut moves);
            self.finish(atomic, Ok(()))?;
        }
        Ok(())
    }

    /// The communications of leaf `i`, which sends, with leaf `j`.
    fn communicate(
        &mut self,
        (i, j): (usize, usize),
        send: &Row,
        channel: usize,
        message: &[Word],
        hidden: bool,
    ) -> Result<(), Fault> {
        let id = self.active[j];
        for (r, row) in (0..).zip(self.entry(id).rows.iter()) {
            let Kind::Receive { channel: of, taking } = &row.kind else {
                continue;
            };
            if *of != channel || !self.holds(row)? {
                continue;
            }
            let context = self.shape.contexts[j];
            let Some(taken) = self.run.take((id, r), context, taking, message) else {
                continue;
            };
            if !taken.guard.holds(&mut self.run.machine, self.state)? {
                continue;
            }
            let (sender, receiver) = (self.own(i, send.label), self.own(j, taken.label));
            let label = Label {
                event: match hidden {
                    true => EventId::TAU,
                    false => send.label.event,
                },
                processes: self.run.union(sender.processes, receiver.processes),
            };
            let changed = send.changed | taken.changed | Changed::word(1 + i) | Changed::word(1 + j);
            let target = self.out.push_changing(label, self.state, changed);
            let machine = &mut self.run.machine;
            let result = send
                .update
                .apply(machine, target)
                .and_then(|()| taken.update.apply(machine, target));
            self.run.settle(
                target,
                &mut [(i, &send.next, &send.dying), (j, &taken.next, &taken.dying)],
            );
            self.finish(send.atomic || row.atomic, result)?;
        }
        Ok(())
    }

    /// What ends because all of its leaves can terminate: the whole, or the first operand of a `;`.
    fn terminate(&mut self) -> Result<(), Fault> {
        for (number, ending) in self.shape.endings.iter().enumerate() {
            if self.run.ends[number] < ending.leaves {
                continue;
            }
            let mut atomic = false;
            let leaves = (0..self.shape.len()).filter(|&leaf| self.shape.ending_of[leaf] as usize == number);
            for leaf in leaves {
                for row in self.entry(self.active[leaf]).rows.iter() {
                    if matches!(row.kind, Kind::Terminate) && row.atomic {
                        atomic |= self.holds(row)?;
                    }
                }
            }
            let processes = self.run.system.process_set(&ending.processes);
            match ending.of {
                None => {
                    let label = Label {
                        event: EventId::TERMINATE,
                        processes,
                    };
                    let target = self.out.push(label, self.state);
                    // The state in which all of this is zero is that of `Ended`.
                    target[..=self.run.system.layout.leaves].fill(0);
                    self.run.forgetter.forget_all(target);
                }
                Some(sequence) => {
                    let label = Label {
                        event: EventId::TAU,
                        processes,
                    };
                    let target = self.out.push(label, self.state);
                    self.run.follow(target, self.shape, sequence);
                }
            }
            self.finish(atomic, Ok(()))?;
        }
        Ok(())
    }
}

/// A leaf that moves, to what, and the variables that may die of it.
type Move<'m> = (usize, &'m Next, &'m Box<[u32]>);

impl Run<'_> {
    /// Moves leaves.
    #[inline]
    fn settle(&mut self, target: &mut [Word], moves: &mut [Move<'_>]) {
        let mut simple = true;
        for (leaf, next, dying) in moves.iter() {
            match next {
                Next::Place(place) => target[1 + leaf] = *place,
                Next::Ending(..) | Next::Composition(_) => simple = false,
            }
            simple &= dying.is_empty();
        }
        if !simple {
            self.reshape(target, moves);
            let dying = moves.iter().flat_map(|(.., dying)| dying.iter());
            self.forgetter.forget(target, dying.map(|&word| word as usize));
        }
    }

    #[inline(never)]
    fn reshape(&mut self, target: &mut [Word], moves: &mut [Move<'_>]) {
        // From the right, so that what has yet to move is where it was; and that is no `Skip`, so nothing ends before the last has moved.
        moves.sort_unstable_by_key(|(leaf, ..)| std::cmp::Reverse(*leaf));
        for (leaf, next, _) in moves.iter() {
            match next {
                Next::Place(_) => {}
                Next::Ending(place, term) => {
                    target[1 + leaf] = *place;
                    self.reformer.skip(target, *leaf, *term);
                }
                Next::Composition(term) => self.reformer.leaf(target, *leaf, *term),
            }
        }
    }

    /// Lets what follows a `;` begin.
    fn follow(&mut self, target: &mut [Word], shape: &Shape, sequence: super::shape::Operand) {
        let after = shape.after(sequence);
        let term = self.system.normal(after, shape.sequel_of(sequence));
        self.reformer.operand(target, sequence, term);
        self.forgetter.forget_all(target);
    }
}
