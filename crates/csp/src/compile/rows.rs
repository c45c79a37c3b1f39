//! The rows of all leaves, shared by all workers.
//!
//! Which rows a leaf has may depend on the state (an argument, an index, a message). Making them asks for values, and the questions asked
//! become a decision tree: the next state that gives the same answers finds its rows by them. A row is made once, by whichever worker needs it first. The
//! shared tables are behind locks and only grow; each worker keeps copies of what it has met ([`Copied`], and its own decision trees), since to read a
//! lock is to write it.

use super::code::{Code, Compiler, Value1};
use super::entry::{Builder, Entry, Row, Taken, Taking};
use super::machine::Machine;
use super::symbolic::{Oracle, Symbolic};
use super::{CspSystem, layout};
use crate::model::{Expr, Type, Value, VarId};
use fairhold_system::{Fault, Word};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

/// An entry of the shared table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct EntryId(pub(super) u32);

/// What is asked of a state.
#[derive(Debug)]
pub(super) enum Asked {
    Word(Type, Code),
    Array(VarId),
}

/// What a state answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Answer {
    Word(i32),
    Array(Vec<Word>),
    Fault,
}

/// What the answers so far lead to.
#[derive(Clone, Debug)]
enum Found {
    Rows(EntryId),
    Question(Arc<Asked>),
}

/// A leaf at a place, by context, and the answers that its state has given so far.
type Inquiry = (u32, Word, Box<[Answer]>);

/// What an input of an entry does with a message, by the message's words; none if the message does not fit.
type Messages = FxHashMap<(EntryId, u32, Box<[Word]>), Option<Arc<Taken>>>;

/// The shared tables.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) entries: RwLock<Vec<Entry>>,
    found: RwLock<FxHashMap<Inquiry, Found>>,
    taken: RwLock<Messages>,
    /// About how many bytes all this takes.
    bytes: AtomicU64,
}

/// Which entry holds at a place: known, or found by asking for values in the state at hand. Each worker has its own.
#[derive(Debug, Default)]
pub(super) enum Decision {
    /// Not met before.
    #[default]
    Unknown,
    /// This one, whatever the state.
    Known(EntryId),
    /// It depends.
    Ask(Box<Question>),
}

/// A node of a decision tree.
#[derive(Debug)]
pub(super) struct Question {
    what: Arc<Asked>,
    answers: FxHashMap<Answer, Decision>,
}

/// A worker's own copy of a list that all share and that only grows.
#[derive(Clone, Debug)]
pub(super) struct Copied<T>(Vec<T>);

impl<T> Default for Copied<T> {
    fn default() -> Copied<T> {
        Copied(Vec::new())
    }
}

impl<T: Clone> Copied<T> {
    /// Item `i`, if need be from the list as it is now.
    #[inline]
    pub(super) fn at(&mut self, i: usize, shared: &RwLock<impl AsRef<[T]>>) -> &T {
        if self.0.len() <= i {
            let shared = shared.read().expect("no holder of a table panics");
            self.0.extend_from_slice(&shared.as_ref()[self.0.len()..]);
        }
        &self.0[i]
    }

    /// Item `i`, which was asked for before.
    #[inline]
    pub(super) fn known(&self, i: usize) -> &T {
        &self.0[i]
    }
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
                Ok(word) => (Answer::Word(word), Ok(system.model.collections.value(*ty, word))),
                Err(f) => (Answer::Fault, Err(f)),
            },
            Asked::Array(v) => {
                let decl = &system.model.variables[v.0 as usize];
                let words = &state[system.layout.variables[v.0 as usize]..][..decl.init.len()];
                let values = words.iter().map(|&w| Value::of_word(decl.ty, w as i32)).collect();
                (Answer::Array(words.to_vec()), Ok(Value::Array(values)))
            }
        }
    }
}

/// Evaluates in one state and takes down what it was asked.
pub(super) struct Witness<'a, 'b> {
    system: &'a CspSystem,
    machine: &'b mut Machine,
    state: &'b [Word],
    asked: Vec<(Arc<Asked>, Answer)>,
}

impl<'a, 'b> Witness<'a, 'b> {
    pub(super) fn new(system: &'a CspSystem, machine: &'b mut Machine, state: &'b [Word]) -> Witness<'a, 'b> {
        Witness {
            system,
            machine,
            state,
            asked: Vec::new(),
        }
    }

    /// Whether it was asked nothing.
    pub(super) fn is_idle(&self) -> bool {
        self.asked.is_empty()
    }
}

impl Oracle for Witness<'_, '_> {
    fn ask(&mut self, e: &Expr) -> Result<Value, Fault> {
        let asked = match Compiler::value(&self.system.model, &self.system.layout, e) {
            Value1::Word(ty, code) => Asked::Word(ty, code),
            Value1::Array(v) => Asked::Array(v),
        };
        let (answer, value) = asked.answer(self.system, self.machine, self.state);
        self.asked.push((Arc::new(asked), answer));
        value
    }
}

impl Rows {
    /// About how many bytes the shared tables take.
    pub(super) fn bytes(&self) -> u64 {
        // A sum for a bound on memory: which of two additions comes first does not matter.
        self.bytes.load(Ordering::Relaxed)
    }

    fn book(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn look_up(&self, inquiry: &Inquiry) -> Option<Found> {
        let found = self.found.read().expect("no holder of a table panics");
        found.get(inquiry).cloned()
    }

    /// Makes the rows of a leaf in a state, and takes down which answers lead to them.
    fn make(
        &self,
        system: &CspSystem,
        (context, place): (u32, Word),
        machine: &mut Machine,
        state: &[Word],
    ) -> Result<(), Fault> {
        let about = system.context(context);
        let term = system.term_at(about.class, place);
        about.check_depth(&system.model, term)?;
        let mut witness = Witness::new(system, machine, state);
        let syms = Symbolic {
            model: &system.model,
            oracle: &mut witness,
        }
        .steps(term)?;
        let asked = witness.asked;
        let builder = Builder {
            system,
            context: &about,
        };
        let entry = builder.entry(term, &syms);
        let mut bytes = size_of::<Entry>() + 128 + entry.rows.len() * (size_of::<Row>() + 96);
        let mut found = self.found.write().expect("no holder of a table panics");
        let mut answers = Vec::new();
        for (what, answer) in asked {
            bytes += size_of::<Question>() + 2 * size_of::<Decision>() + 128;
            let inquiry = (context, place, answers.clone().into());
            found.entry(inquiry).or_insert(Found::Question(what));
            answers.push(answer);
        }
        found.entry((context, place, answers.into())).or_insert_with(|| {
            let mut entries = self.entries.write().expect("no holder of a table panics");
            entries.push(entry);
            Found::Rows(EntryId(entries.len() as u32 - 1))
        });
        self.book(bytes);
        Ok(())
    }

    /// What an input does with a message; made once for every message.
    pub(super) fn take(
        &self,
        system: &CspSystem,
        (entry, row): (EntryId, u32),
        context: u32,
        taking: &Taking,
        message: &[Word],
    ) -> Option<Arc<Taken>> {
        let key = (entry, row, message.into());
        let known = self
            .taken
            .read()
            .expect("no holder of a table panics")
            .get(&key)
            .cloned();
        if let Some(known) = known {
            return known;
        }
        let about = system.context(context);
        let builder = Builder {
            system,
            context: &about,
        };
        let taken = builder
            .take(taking, &layout::unpack(&system.model, message))
            .map(Arc::new);
        self.book(2 * size_of::<Taken>() + size_of_val(message) + 128);
        let mut all = self.taken.write().expect("no holder of a table panics");
        all.entry(key).or_insert(taken).clone()
    }
}

impl Decision {
    /// Follows a decision, and extends it where it ends.
    pub(super) fn follow(
        mut self: &mut Decision,
        system: &CspSystem,
        at: (u32, Word),
        machine: &mut Machine,
        state: &[Word],
    ) -> Result<EntryId, Fault> {
        let mut answers = Vec::new();
        loop {
            match self {
                Decision::Known(id) => return Ok(*id),
                Decision::Ask(question) => {
                    let (answer, _) = question.what.answer(system, machine, state);
                    answers.push(answer.clone());
                    self = question.answers.entry(answer).or_default();
                }
                Decision::Unknown => {
                    let inquiry = (at.0, at.1, answers.clone().into());
                    let found = match system.rows.look_up(&inquiry) {
                        Some(found) => found,
                        None => {
                            system.rows.make(system, at, machine, state)?;
                            system.rows.look_up(&inquiry).expect("the rows were just made")
                        }
                    };
                    *self = match found {
                        Found::Rows(id) => Decision::Known(id),
                        Found::Question(what) => Decision::Ask(Box::new(Question {
                            what,
                            answers: FxHashMap::default(),
                        })),
                    };
                }
            }
        }
    }
}
