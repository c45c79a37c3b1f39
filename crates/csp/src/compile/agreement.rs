//! Do all runs to a state agree on its hidden variables?
//!
//! A hidden variable is expected to make no difference: the runs to a state agree on its value, or nobody reads it
//! any more. Where two runs disagree on one that is read later, a person should know, for either the variable makes
//! states that nobody wanted (where it is part of the state, as it is unless hidden variables are merged), or steps
//! get lost (where the first value met stays, [`Keep::Merged`](fairhold_system::Keep::Merged)).
//!
//! The first run to a state enters the values of its hidden variables in a table, under the hash of all other words.
//! Later runs to the same state compare theirs. Two states with one hash pass for one, which may report a
//! disagreement that is none, but never hides one: whatever is entered, two different values cannot both equal it.
//!
//! How much a difference matters is a [`Relevance`], found by [`crate::live`] for every leaf by itself. A variable
//! that is read only as an argument of the call that a process is about to make (`bus?m{h = m} -> Handle(h)`) costs
//! as many states as the value passed on directly, and is reported only where values are merged.
//!
//! Time and memory: where hidden variables are part of the state, one look-up a state in which one is live, and some
//! 24 bytes plus 4 a live word for each such state; both end once all variables met so far are known to disagree.
//! Only a note depends on it there, so from [`MOST_ENTERED`] states on the table is thinned out: of all states every
//! second one is compared, by its hash, then every fourth, and so on. (Entering all of them took 1.5 times the time
//! and 2.6 times the memory of an exploration of 820,000 states in which all runs agree; so it takes 1.2 times the
//! time, and 17 MB at most.) Where values are merged the verdict depends
//! on it: then all are entered, and every step is a look-up. A model without hidden variables has none of this.

use super::CspSystem;
use super::rows::Copied;
use super::shape::{Context, Shape};
use crate::live::Live;
use crate::model::Model;
use crate::term::TermId;
use fairhold_source::Span;
use fairhold_system::{Keep, Word};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Parts of the table, each under a lock of its own: workers rarely want the same one.
const SHARDS: usize = 64;

/// States in the table, at most, where only a note depends on them: some ten megabytes.
const MOST_ENTERED: u64 = 1 << 17;

/// How much the value of a hidden variable matters in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relevance {
    /// It does not, and is not even carried.
    Forgotten,
    /// Nobody reads it before it is written: the state does the same whatever it is.
    Dead,
    /// It is read as an argument of the call that a process begins with, and by nothing else.
    Argument,
    /// A process reads it later, or a question does.
    Read,
}

impl Relevance {
    const ALL: [Relevance; 4] = [
        Relevance::Forgotten,
        Relevance::Dead,
        Relevance::Argument,
        Relevance::Read,
    ];
}

/// A hidden variable on which two runs to one state disagreed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenDisagreement {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub declared: Span,
    /// The most that it mattered in such a state.
    pub relevance: Relevance,
    /// Whether the question itself reads it.
    pub asked: bool,
}

/// What all workers know of the hidden variables of a system.
#[derive(Debug)]
pub(super) struct Agreement {
    variables: Vec<HiddenVariable>,
    /// The words of hidden variables.
    words: Vec<HiddenWord>,
    /// The words that tell states apart from one another even where hidden variables are merged.
    visible: Vec<Range<usize>>,
    /// What every word matters everywhere: where values are merged, dead ones may stay, too.
    least: Relevance,
    /// Which hidden variables are live where, once the first state is made; none if the questions read all of them.
    live: OnceLock<Option<Live>>,
    shards: Vec<Mutex<Shard>>,
    /// States in the table.
    entered: AtomicU64,
    /// Only states whose hash has none of these bits are compared.
    left_out: AtomicU64,
    /// Held by the worker that thins the table out.
    thinning: Mutex<()>,
    bytes: AtomicU64,
}

#[derive(Debug)]
struct HiddenVariable {
    /// Its number in the model.
    number: usize,
    /// The most that it mattered in a state to which two runs disagree on it, as a number in [`Relevance::ALL`].
    worst: AtomicU8,
    /// Whether its values were entered for some state.
    entered: AtomicBool,
}

#[derive(Debug)]
struct HiddenWord {
    /// Its place in a state.
    at: usize,
    /// Its number among all words of variables, which [`Live`] speaks of.
    number: usize,
    /// Its variable's place in [`Agreement::variables`].
    variable: usize,
}

/// The values that the first run to each state had.
#[derive(Debug, Default)]
struct Shard {
    /// Where they begin in `values`, by the hash of the state's other words.
    starts: FxHashMap<u64, u32>,
    /// Of each state the number of values, then the values.
    values: Vec<Word>,
}

/// What the table takes beside a state's values: a slot with its hash and start, and room for the next states.
const BYTES_PER_STATE: u64 = 24;

impl Agreement {
    /// For a model with hidden variables; none for another.
    pub(super) fn new(model: &Model, first_words: &[usize], width: usize, keep: Keep) -> Option<Agreement> {
        let (mut variables, mut words) = (Vec::new(), Vec::new());
        let mut number = 0;
        for (v, decl) in model.variables.iter().enumerate() {
            if decl.hidden {
                let word = |i: usize| HiddenWord {
                    at: first_words[v] + i,
                    number: number + i,
                    variable: variables.len(),
                };
                words.extend((0..decl.init.len()).map(word));
                variables.push(HiddenVariable {
                    number: v,
                    worst: AtomicU8::new(0),
                    entered: AtomicBool::new(false),
                });
            }
            number += decl.init.len();
        }
        let mut visible = Vec::new();
        let mut from = 0;
        for word in &words {
            if from < word.at {
                visible.push(from..word.at);
            }
            from = word.at + 1;
        }
        visible.push(from..width);
        (!words.is_empty()).then(|| Agreement {
            variables,
            words,
            visible,
            least: match keep {
                Keep::Merged => Relevance::Dead,
                Keep::Everything | Keep::Visible | Keep::Needed => Relevance::Forgotten,
            },
            live: OnceLock::new(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            entered: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            thinning: Mutex::new(()),
            bytes: AtomicU64::new(0),
        })
    }

    /// Whether states were compared already, so that nothing more may be said to be read.
    pub(super) fn has_begun(&self) -> bool {
        self.live.get().is_some()
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        // Relaxed: a figure for the budget, which nothing is ordered by.
        self.bytes.load(Ordering::Relaxed)
    }

    fn worst(&self, variable: usize) -> Relevance {
        // Relaxed: it only grows, and to read it late costs a comparison.
        Relevance::ALL[usize::from(self.variables[variable].worst.load(Ordering::Relaxed))]
    }

    /// The hash of the words of a state that are not hidden.
    fn hash(&self, state: &[Word]) -> u64 {
        let words = self.visible.iter().flat_map(|range| &state[range.clone()]);
        // A word at a time, multiplied into 128 bits and folded; digits of the golden ratio and of pi.
        words.fold(0x243f_6a88_85a3_08d3, |hash, &word| {
            let product = u128::from(hash ^ u64::from(word)) * 0x9e37_79b9_7f4a_7c15;
            (product as u64) ^ (product >> 64) as u64
        })
    }

    /// Compares the hidden words of a state, each of which matters so much, with those that the first run had.
    fn compare(&self, state: &[Word], relevance: &[Relevance]) {
        let matters = |i: &usize| relevance[*i] > Relevance::Forgotten;
        let open = |i: usize| self.worst(self.words[i].variable) < relevance[i];
        let numbers = || (0..self.words.len()).filter(matters);
        if !numbers().any(open) {
            return;
        }
        let hash = self.hash(state);
        // Relaxed: a worker that reads it late compares a state too many.
        if hash & self.left_out.load(Ordering::Relaxed) != 0 {
            return;
        }
        let mut shard = self.shards[(hash >> 58) as usize]
            .lock()
            .expect("no holder of a table panics");
        let Shard { starts, values } = &mut *shard;
        let next = values.len();
        let start = *starts.entry(hash).or_insert_with(|| {
            let count = numbers().count();
            values.push(count as Word);
            values.extend(numbers().map(|i| state[self.words[i].at]));
            for i in numbers() {
                // Relaxed: it only decides when the table is dropped.
                self.variables[self.words[i].variable]
                    .entered
                    .store(true, Ordering::Relaxed);
            }
            let bytes = BYTES_PER_STATE + (size_of::<Word>() * (count + 1)) as u64;
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            self.entered.fetch_add(1, Ordering::Relaxed);
            u32::try_from(next).expect("the values of a shard take less than 16 GB")
        });
        let start = start as usize;
        if start == next {
            drop(shard);
            if self.least == Relevance::Forgotten && self.entered.load(Ordering::Relaxed) > MOST_ENTERED {
                self.thin_out();
            }
            return;
        }
        let first = &values[start + 1..][..values[start] as usize];
        let same_words = first.len() == numbers().count();
        let mut some = false;
        for (k, i) in numbers().enumerate() {
            // States with other live words have other leaves, so they only share a hash: then all pass for different.
            if !same_words || first[k] != state[self.words[i].at] {
                let variable = &self.variables[self.words[i].variable];
                variable.worst.fetch_max(relevance[i] as u8, Ordering::Relaxed);
                some = true;
            }
        }
        drop(shard);
        if some {
            self.drop_if_settled();
        }
    }

    /// Drops the table if nothing in it can tell more. A state entered just now by another worker may be lost with
    /// it, and a later run to that state is then taken for the first; where values are merged there is one worker.
    fn drop_if_settled(&self) {
        let settled =
            |v: usize| self.worst(v) == Relevance::Read || !self.variables[v].entered.load(Ordering::Relaxed);
        if !(0..self.variables.len()).all(settled) {
            return;
        }
        for shard in &self.shards {
            let mut shard = shard.lock().expect("no holder of a table panics");
            let Shard { starts, values } = std::mem::take(&mut *shard);
            self.give_back(starts.len(), values.len());
        }
    }

    /// Books that a shard has fewer states and words; whoever calls it holds the shard's lock, as who adds some does.
    fn give_back(&self, states: usize, words: usize) {
        self.entered.fetch_sub(states as u64, Ordering::Relaxed);
        let bytes = BYTES_PER_STATE * states as u64 + (size_of::<Word>() * words) as u64;
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Drops every second state, and compares none of them from now on.
    fn thin_out(&self) {
        let Ok(_thinning) = self.thinning.try_lock() else {
            return;
        };
        let left_out = self.left_out.load(Ordering::Relaxed) << 1 | 1;
        self.left_out.store(left_out, Ordering::Relaxed);
        for shard in &self.shards {
            let mut shard = shard.lock().expect("no holder of a table panics");
            let Shard { starts, values } = std::mem::take(&mut *shard);
            let all = starts.len();
            for (hash, start) in starts {
                if hash & left_out == 0 {
                    let kept = &values[start as usize..][..1 + values[start as usize] as usize];
                    let start = shard.values.len() as u32;
                    shard.starts.insert(hash, start);
                    shard.values.extend_from_slice(kept);
                }
            }
            self.give_back(all - shard.starts.len(), values.len() - shard.values.len());
        }
    }
}

impl CspSystem {
    /// The hidden variables on which two runs to one state have disagreed so far, in the order of their declarations.
    pub fn hidden_disagreements(&self) -> Vec<HiddenDisagreement> {
        let Some(agreement) = &self.agreement else {
            return Vec::new();
        };
        let asked = |variable: usize| {
            let mut words = agreement.words.iter().filter(|word| word.variable == variable);
            match agreement.live.get() {
                Some(Some(live)) => words.any(|word| live.at_end().contains(word.number)),
                Some(None) => true,
                None => false,
            }
        };
        let found = agreement.variables.iter().enumerate();
        let found = found.filter(|&(v, _)| agreement.worst(v) > Relevance::Forgotten);
        found
            .map(|(v, variable)| {
                let decl = &self.model.variables[variable.number];
                HiddenDisagreement {
                    name: decl.name.clone(),
                    declared: decl.span,
                    relevance: agreement.worst(v),
                    asked: asked(v),
                }
            })
            .collect()
    }
}

/// One worker's part in comparing.
#[derive(Debug)]
pub(super) struct Comparer<'a> {
    system: &'a CspSystem,
    agreement: &'a Agreement,
    /// None if the questions read all hidden variables.
    analysis: Option<&'a Live>,
    /// Whether the targets of steps are compared; if not, the states themselves are, when they are stepped. Where
    /// values are merged, a state is never stepped with the values that later runs had.
    pub(super) by_targets: bool,
    shapes: Copied<Arc<Shape>>,
    /// By context and place, the hidden words that are live there, and how much they matter.
    live: Vec<Vec<Option<LiveWords>>>,
    /// How much each hidden word matters in the state at hand.
    relevance: Vec<Relevance>,
    /// About how many bytes this takes.
    pub(super) bytes: u64,
}

/// Hidden words by their numbers in [`Agreement::words`].
type LiveWords = Box<[(u32, Relevance)]>;

impl<'a> Comparer<'a> {
    /// None if the system has no hidden variables.
    pub(super) fn new(system: &'a CspSystem) -> Option<Comparer<'a>> {
        let agreement = system.agreement.as_ref()?;
        let analyse = || {
            let asked = system.asked.read().expect("no holder of a table panics");
            Live::new(&system.model, |v| system.model.variables[v].hidden, &asked)
        };
        Some(Comparer {
            system,
            agreement,
            analysis: agreement.live.get_or_init(analyse).as_ref(),
            by_targets: system.keep == Keep::Merged,
            shapes: Copied::default(),
            live: Vec::new(),
            relevance: vec![Relevance::Forgotten; agreement.words.len()],
            bytes: 0,
        })
    }

    /// Compares a state with those met before.
    pub(super) fn compare(&mut self, state: &[Word]) {
        self.relevance.fill(self.agreement.least);
        let mut some = self.agreement.least > Relevance::Forgotten;
        if self.analysis.is_none() {
            self.relevance.fill(Relevance::Read);
            some = true;
        } else {
            let shape = Arc::clone(self.shapes.at(state[0] as usize, &self.system.shapes));
            for (&context, &place) in shape.contexts.iter().zip(&state[1..]) {
                self.know(context, place);
                let live = self.live[context as usize][place as usize].iter().flatten();
                for &(word, relevance) in live {
                    let known = &mut self.relevance[word as usize];
                    *known = (*known).max(relevance);
                    some = true;
                }
            }
        }
        if some {
            self.agreement.compare(state, &self.relevance);
        }
    }

    /// Finds what is live in a leaf, unless that is known.
    fn know(&mut self, context: u32, place: Word) {
        let (c, p) = (context as usize, place as usize);
        if self.live.len() <= c {
            self.live.resize_with(c + 1, Vec::new);
        }
        if self.live[c].len() <= p {
            self.bytes += ((p + 1 - self.live[c].len()) * size_of::<Option<LiveWords>>()) as u64;
            self.live[c].resize_with(p + 1, || None);
        }
        if self.live[c][p].is_none() {
            let about = self.system.context(context);
            let found = self.live_in(&about, self.system.term_at(about.class, place));
            self.bytes += size_of_val(&*found) as u64;
            self.live[c][p] = Some(found);
        }
    }

    fn live_in(&self, context: &Context, term: TermId) -> LiveWords {
        let Some(live) = self.analysis else {
            return Box::default();
        };
        let after = context.after.iter().rev();
        let after = after.fold(live.at_end(), |after, &q| live.live(q, &after));
        let (all, read) = (live.live(term, &after), live.live_once_called(term, &after));
        let words = (0..).zip(&self.agreement.words);
        words
            .filter(|(_, word)| all.contains(word.number))
            .map(|(i, word)| match read.contains(word.number) {
                true => (i, Relevance::Read),
                false => (i, Relevance::Argument),
            })
            .collect()
    }
}
