//! Flat tables: the steps of a leaf at one place, ready to run.
//!
//! A row is a [`Guard`], an [`Update`] of words, and what the leaf is next. What depends on where the leaf stands among others (the process it
//! belongs to, the word that holds its place) is left to the step, so that leaves in the same [`Context`] share rows; only who synchronises with whom is
//! read off the shape here, for a leaf inside `||`.

use super::CspSystem;
use super::guard::{Guard, Test};
use super::layout::ChannelLayout;
use super::shape::{Context, Partners, is_composite};
use super::symbolic::{Action, Input, Sym};
use super::update::{Change, Update};
use crate::expr::Env;
use crate::model::{Expr, Program, Value};
use crate::term::{Event, TermId};
use fairhold_system::{Changed, EventId, Fault, Label, ProcessesId, Word};
use std::sync::Arc;

/// What a leaf is after a step.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// A leaf again: the number goes into its word.
    Place(Word),
    /// A leaf that has nothing left to do but to terminate, inside a `;`: perhaps the last one, and what follows begins.
    Ending(Word, TermId),
    /// A composition: the shape changes.
    Composition(TermId),
}

/// How a row takes part in steps.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// By itself.
    Plain,
    /// By itself, while there is room in a buffer for its message.
    Push(ChannelLayout, Box<[Word]>),
    /// By itself, while the first message of a buffer fits.
    Pop(ChannelLayout, Box<Taking>),
    /// With others.
    Sync {
        /// What they offer.
        event: EventId,
        /// Who they are.
        with: With,
        /// Whether this leaf comes first.
        first: bool,
    },
    /// With all leaves of what ends.
    Terminate,
    /// With a leaf that receives.
    Send {
        /// The channel.
        channel: usize,
        /// What is sent.
        message: Box<[Word]>,
        /// The event of the communication.
        event: Box<Event>,
    },
    /// With a leaf that sends.
    Receive { channel: usize, taking: Box<Taking> },
    /// The model goes wrong.
    Fault(Box<Fault>),
    /// Only the guard matters, which may go wrong.
    Check,
}

/// The other participants of a joint step.
#[derive(Clone, Debug)]
pub(super) enum With {
    /// Each of these leaves.
    Each(Box<[u32]>),
    /// Some of those below interleavings.
    Some(Box<Partners>),
}

/// An input that waits for a message.
#[derive(Clone, Debug)]
pub(super) struct Taking {
    /// The channel's name, for the event of a buffer.
    name: String,
    input: Input,
    programs: Vec<Arc<Program>>,
    processes: ProcessesId,
    /// What the leaf is before.
    before: TermId,
    next: TermId,
}

/// An input that has a message.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The event, for a buffer.
    pub(super) label: Label,
    /// The condition on the message.
    pub(super) guard: Guard,
    /// What it does.
    pub(super) update: Update,
    /// What follows.
    pub(super) next: Next,
    /// The words that the update may change.
    pub(super) changed: Changed,
    /// The words of variables that may be dead afterwards.
    pub(super) dying: Box<[u32]>,
}

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// When.
    pub(super) guard: Guard,
    /// How.
    pub(super) kind: Kind,
    /// What the step is called. The processes are those of the term, which has none if the leaf belongs to a process; of a joint step with fixed
    /// partners, all of them.
    pub(super) label: Label,
    /// What it does.
    pub(super) update: Update,
    /// What follows.
    pub(super) next: Next,
    /// The words that its step may change, but for the leaf's own and those of a message it takes.
    pub(super) changed: Changed,
    /// The words of variables that may be dead afterwards.
    pub(super) dying: Box<[u32]>,
    /// Whether it has priority.
    pub(super) atomic: bool,
}

impl Row {
    /// Whether it does anything unless another row asks for it.
    fn leads(&self) -> bool {
        match self.kind {
            Kind::Sync { first, .. } => first || self.guard.risky,
            Kind::Receive { .. } | Kind::Check => self.guard.risky,
            _ => true,
        }
    }

    /// This row, number `r`, as one that leads.
    fn lead(&self, r: u32) -> Lead {
        let mut lead = Lead {
            way: Way::Row(r),
            label: self.label,
            changed: self.changed,
            tests: self.guard.tests.clone(),
            changes: self.update.changes.clone(),
        };
        let is_simple = self.guard.codes.is_empty()
            && self.update.codes.is_empty()
            && self.dying.is_empty()
            && !self.atomic;
        let (true, &Next::Place(place)) = (is_simple, &self.next) else {
            return lead;
        };
        match &self.kind {
            Kind::Plain => lead.way = Way::Alone(place),
            Kind::Sync {
                event,
                with: With::Each(others),
                first: true,
            } if let &[other] = &**others => {
                lead.changed |= Changed::word(1 + other as usize);
                lead.way = Way::Meet {
                    event: *event,
                    other,
                    place,
                };
            }
            _ => {}
        }
        lead
    }

    /// This row, number `r`, as one that synchronises.
    fn offer(&self, r: u32) -> Option<Offer> {
        let Kind::Sync { event, .. } = self.kind else {
            return None;
        };
        let place = match self.next {
            Next::Place(place) if self.dying.is_empty() && !self.atomic => Some(place),
            _ => None,
        };
        Some(Offer {
            event,
            row: r,
            place: place.unwrap_or_default(),
            simple: place.is_some(),
            free: self.guard.is_free(),
        })
    }
}

/// A row that does something by itself, and all there is to know of it in the usual case: one cache line, apart from the rows, so that
/// what most steps look at stays near.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    /// How.
    pub(super) way: Way,
    /// Unless it is left to the row: what the step is called, as in the row.
    pub(super) label: Label,
    /// What the step may change, but for the leaf's own word.
    pub(super) changed: Changed,
    /// When.
    tests: Box<[Test]>,
    /// What it does.
    changes: Box<[Change]>,
}

/// How a row does something by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Its leaf goes to this place, and nobody else moves.
    Alone(Word),
    /// Its leaf goes to this place, together with one other that offers the event.
    Meet { event: EventId, other: u32, place: Word },
    /// As this row says.
    Row(u32),
}

impl Lead {
    /// Whether it applies, unless it is left to the row.
    #[inline]
    pub(super) fn holds(&self, state: &[Word]) -> bool {
        Test::all(&self.tests, state)
    }

    /// Changes a state, unless it is left to the row.
    #[inline]
    pub(super) fn apply(&self, state: &mut [Word]) {
        self.changes.iter().for_each(|change| change.apply(state));
    }
}

/// A row that synchronises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// On what.
    pub(super) event: EventId,
    /// The row.
    pub(super) row: u32,
    /// Where its leaf goes, if that is all there is to it.
    pub(super) place: Word,
    /// Whether it is: the leaf stays a leaf, without priority, and no variable may die of it.
    pub(super) simple: bool,
    /// Whether it is unconditional.
    pub(super) free: bool,
}

/// The rows of a leaf at one place. Workers copy it, which copies no row.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// In the order of the rules.
    pub(super) rows: Arc<[Row]>,
    /// The rows that do something by themselves.
    pub(super) leads: Arc<[Lead]>,
    /// The rows that synchronise.
    pub(super) offers: Arc<[Offer]>,
    /// Whether two rows may give the same step, or a row the same one as another leaf of its process, since it leaves the leaf where it is.
    pub(super) repeats: Repeats,
}

/// Which steps may come twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Repeats {
    /// None.
    Never,
    /// Those of two leaves of one process.
    BesideOthers,
    /// Those of this leaf alone.
    Alone,
}

/// What follows a leaf's step.
struct Then {
    next: Next,
    /// The words that the step may change, but for the leaf's own.
    changed: Changed,
    dying: Box<[u32]>,
}

/// Makes rows of symbolic steps.
#[derive(Clone, Copy)]
pub(super) struct Builder<'a> {
    pub(super) system: &'a CspSystem,
    pub(super) context: &'a Context,
}

impl Builder<'_> {
    /// The rows for the symbolic steps of a leaf that is this term.
    pub(super) fn entry(&self, term: TermId, syms: &[Sym]) -> Entry {
        let rows: Arc<[Row]> = syms.iter().filter_map(|s| self.row(term, s)).collect();
        let special = |r: &Row| matches!(r.kind, Kind::Pop(..) | Kind::Send { .. } | Kind::Receive { .. });
        let repeated = rows.iter().enumerate().any(|(i, r)| {
            rows[..i]
                .iter()
                .any(|earlier| earlier.label == r.label || (special(earlier) && special(r)))
        });
        // Steps of two leaves lead to one state only if both stay where they are. A message may lead back, too, and where the shape
        // changes, two ways may lead to the same one.
        let stays = |r: &Row| match r.next {
            Next::Place(place) => special(r) || self.system.place(self.context.class, term) == Some(place),
            Next::Ending(..) | Next::Composition(_) => true,
        };
        let repeats = match repeated {
            true => Repeats::Alone,
            false if rows.iter().any(stays) => Repeats::BesideOthers,
            false => Repeats::Never,
        };
        let numbered = || (0..).zip(rows.iter());
        let leads = numbered().filter(|(_, row)| row.leads());
        Entry {
            leads: leads.map(|(r, row)| row.lead(r)).collect(),
            offers: numbered().filter_map(|(r, row)| row.offer(r)).collect(),
            repeats,
            rows,
        }
    }

    fn row(&self, term: TermId, s: &Sym) -> Option<Row> {
        let guard = self.system.words().guard(&s.guards)?;
        let processes = self.system.process_set(&s.processes);
        let label = |event| Label { event, processes };
        let mut row = Row {
            guard,
            kind: Kind::Plain,
            label: label(EventId::TAU),
            update: Update::default(),
            next: Next::Place(0),
            changed: Changed::NOTHING,
            dying: Box::default(),
            atomic: s.atomic || self.context.atomic,
        };
        let taking = |name: &str, input: &Input| Box::new(self.taking(term, s, name, input));
        match &s.action {
            Action::Tau => {}
            Action::Terminate => {
                row.kind = Kind::Terminate;
                return Some(row);
            }
            Action::Event(e) => self.synchronise(e, &mut row)?,
            Action::Solo(e) => row.label = label(self.event(e)),
            Action::Push {
                channel,
                name,
                message,
            } => {
                let channel = self.system.layout.channels[*channel];
                row.kind = Kind::Push(channel, channel.pack(&self.system.model, message).into());
                row.changed = channel.changed();
                let event = format!("{name}!{}", crate::state::dotted(message));
                row.label = label(self.system.event(&event));
            }
            Action::Pop { channel, name, input } => {
                let channel = self.system.layout.channels[*channel];
                row.kind = Kind::Pop(channel, taking(name, input));
                row.changed = channel.changed();
                return Some(row);
            }
            Action::Send {
                channel,
                name,
                message,
            } => {
                let event = Event {
                    name: Arc::clone(name),
                    indices: message.clone(),
                };
                row.label = label(self.system.event(&event.to_string()));
                row.kind = Kind::Send {
                    channel: *channel,
                    message: self.system.layout.channels[*channel]
                        .pack(&self.system.model, message)
                        .into(),
                    event: Box::new(event),
                };
            }
            Action::Receive { channel, input } => {
                row.kind = Kind::Receive {
                    channel: *channel,
                    taking: taking("", input),
                };
                return Some(row);
            }
            Action::Fault(f) => {
                row.kind = Kind::Fault(Box::new(f.clone()));
                return Some(row);
            }
            Action::Check => {
                row.kind = Kind::Check;
                return Some(row);
            }
        }
        row.update = self.system.words().update(&s.programs);
        let then = self.follow(term, s.next, &row.update);
        row.changed |= then.changed;
        (row.next, row.dying) = (then.next, then.dying);
        Some(row)
    }

    /// What follows a leaf's step by which a term becomes another one.
    fn follow(&self, before: TermId, next: TermId, update: &Update) -> Then {
        let model = &self.system.model;
        let term = self.system.normal(next, !self.context.after.is_empty());
        let written = update.written(&self.system.layout);
        let dying = self.system.dying(self.context, before, term, &written);
        let words = written
            .iter()
            .copied()
            .chain(dying.iter().map(|&word| word as usize));
        let mut changed: Changed = words.map(Changed::word).collect();
        // A composition that was a leaf for want of room or depth may leave operators around it that are none of a shape.
        let composite = |term| is_composite(model, term, usize::MAX);
        let next = if composite(term) || composite(before) {
            Next::Composition(term)
        } else {
            let place = self.system.place_of(self.context.class, term);
            match !self.context.after.is_empty() && model.is_skip(term) {
                true => Next::Ending(place, term),
                false => Next::Place(place),
            }
        };
        if !matches!(next, Next::Place(_)) {
            // A change of shape moves other leaves.
            changed = Changed::ANYTHING;
        }
        Then { next, changed, dying }
    }

    /// An input that waits for a message.
    pub(super) fn taking(&self, term: TermId, s: &Sym, name: &str, input: &Input) -> Taking {
        Taking {
            name: name.to_owned(),
            input: input.clone(),
            programs: s.programs.clone(),
            processes: self.system.process_set(&s.processes),
            before: term,
            next: s.next,
        }
    }

    /// An event of the leaf's own as people see it: `tau` if something around the leaf hides it.
    fn event(&self, event: &Event) -> EventId {
        if self.context.hides(event) {
            EventId::TAU
        } else {
            self.system.event(&event.to_string())
        }
    }

    /// Makes a row one that engages in an event, with whoever must; none if that can never be.
    fn synchronise(&self, event: &Event, row: &mut Row) -> Option<()> {
        let Some((shape, leaf)) = self.context.place else {
            row.label.event = self.event(event);
            return Some(());
        };
        let shape = self.system.shape(shape);
        let Some(meeting) = shape.meeting(leaf as usize, event) else {
            row.kind = Kind::Check;
            return Some(());
        };
        row.label.event = match meeting.hidden {
            true => EventId::TAU,
            false => self.system.event(&event.to_string()),
        };
        let Some(partners) = meeting.partners else {
            return Some(());
        };
        let with = match partners.fixed() {
            Some(others) => {
                let everyone = others.iter().chain([&leaf]);
                let mut processes: Vec<u32> = everyone.filter_map(|&i| shape.process(i as usize)).collect();
                processes.sort_unstable();
                processes.dedup();
                row.label.processes = self.system.process_set(&processes);
                With::Each(others.into())
            }
            None => With::Some(Box::new(partners)),
        };
        row.kind = Kind::Sync {
            event: self.system.event(&event.to_string()),
            with,
            first: meeting.first,
        };
        Some(())
    }

    /// What an input does with a message; none if it does not fit.
    pub(super) fn take(&self, taking: &Taking, message: &[Value]) -> Option<Taken> {
        let env: Env = taking.input.accept(message)?;
        let guards: Vec<Expr> = taking.input.guard.iter().map(|g| g.close(&env)).collect();
        let programs: Vec<_> = taking.programs.iter().map(|p| Arc::new(p.close(&env))).collect();
        let name = format!("{}?{}", taking.name, crate::state::dotted(message));
        let guard = self.system.words().guard(&guards)?;
        let update = self.system.words().update(&programs);
        let next = self.system.model.bind(taking.next, &env);
        let then = self.follow(taking.before, next, &update);
        Some(Taken {
            label: Label {
                event: self.system.event(&name),
                processes: taking.processes,
            },
            guard,
            changed: then.changed,
            dying: then.dying,
            update,
            next: then.next,
        })
    }
}
