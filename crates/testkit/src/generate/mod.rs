//! Random CSP# models: valid texts that use every form of the process language, inside every other.
//!
//! A model is a handful of definitions in three layers: `System`, which composes; components, which call one another
//! and so loop; and helpers. A process calls its own layer only where nothing is left to do after the call, and other
//! calls go down a layer, so terms stay finite; variables, parameters and messages are kept small by `%`. About one
//! model in fifty breaks the rule and grows without end, and some models are given faults on purpose.
//!
//! Which operator comes next is half the time drawn evenly from all of them, so that a few hundred models see each
//! operator directly inside each other one, and half the time from those that make long, busy processes.
//!
//! Events of an operand of `||` must be known before the run. So names are *fixed* (constants, index variables, the
//! parameters of ordinary definitions) or not (inputs, the parameters of definitions that declare an alphabet), and where an
//! alphabet may be needed only fixed names become indices.

mod data;
mod expression;
mod mutation;
mod prefix;
mod process;
mod program;
mod shrink;
mod system;
pub mod tree;

pub use mutation::Mutation;
pub use shrink::shrink;

use crate::Rng;
use data::Data;
use process::{Context, Header};
use std::collections::BTreeSet;
use tree::{Definition, Kind, Process, Source};

/// How often special things are put into a model, each out of a hundred.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Models in which expressions may go wrong at run time.
    pub faulty: usize,
    /// Models in which recursion may add an operator every time round.
    pub unbounded: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            faulty: 15,
            unbounded: 2,
        }
    }
}

/// Something a model uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Use {
    /// A form of process.
    Operator(Kind),
    /// A form of process directly inside another: outer, inner.
    Pair(Kind, Kind),
    /// Anything else, in words.
    Feature(&'static str),
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Generated {
    /// As a tree, to be rewritten or shrunk.
    pub source: Source,
    /// As text.
    pub text: String,
    /// What it uses.
    pub uses: BTreeSet<Use>,
}

/// A random model; the process to look at is `System`.
pub fn model(rng: &mut Rng, options: &Options) -> Generated {
    let faulty = rng.chance(options.faulty, 100);
    let mut generator = Generator {
        unbounded: rng.chance(options.unbounded, 100),
        parallel: rng.chance(4, 5),
        rng,
        faulty,
        data: Data::default(),
        headers: Vec::new(),
        features: BTreeSet::new(),
        fresh: 0,
    };
    let declarations = generator.declare();
    generator.plan();
    let mut definitions: Vec<Definition> = (0..generator.headers.len())
        .map(|i| generator.definition(i))
        .collect();
    definitions.push(generator.system());
    let (goal, objective) = (generator.condition(&[], 2), generator.int(&[], 2));
    let source = Source {
        declarations,
        definitions,
        goal,
        objective,
    };
    let features = generator.features.into_iter().map(Use::Feature);
    let uses = features.chain(processes(&source)).collect();
    Generated {
        text: source.to_string(),
        source,
        uses,
    }
}

/// The operators and pairs of a model.
fn processes(source: &Source) -> BTreeSet<Use> {
    let mut uses = BTreeSet::new();
    for definition in &source.definitions {
        definition.body.visit(&mut |p: &Process| {
            if is_composition(p) && p.children().into_iter().any(has_composition) {
                uses.insert(Use::Feature("nested composition"));
            }
            uses.insert(Use::Operator(p.kind()));
            uses.extend(p.children().into_iter().map(|q| Use::Pair(p.kind(), q.kind())));
        });
    }
    uses
}

fn is_composition(p: &Process) -> bool {
    use tree::Operator::{Interleave, Parallel};
    matches!(
        p,
        Process::Joined(Interleave | Parallel, _)
            | Process::Indexed(Interleave | Parallel, ..)
            | Process::Copies(..)
    )
}

fn has_composition(p: &Process) -> bool {
    let mut found = false;
    p.visit(&mut |p| found |= is_composition(p));
    found
}

/// What is fixed while one model is made.
struct Generator<'r> {
    rng: &'r mut Rng,
    /// Expressions may go wrong at run time.
    faulty: bool,
    /// Terms may grow.
    unbounded: bool,
    /// There is `||` in this model, so alphabets matter.
    parallel: bool,
    data: Data,
    headers: Vec<Header>,
    features: BTreeSet<&'static str>,
    /// The number of the next bound name.
    fresh: usize,
}

/// A name in scope: a parameter, index, input or local variable.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    /// Its values are below this, and not negative.
    bound: usize,
    /// Known before the run.
    fixed: bool,
    /// For an array, its length.
    len: Option<usize>,
}

impl Name {
    /// A name for numbers.
    fn number(text: impl Into<String>, bound: usize, fixed: bool) -> Name {
        Name {
            text: text.into(),
            bound,
            fixed,
            len: None,
        }
    }
}

impl Generator<'_> {
    /// Records a use.
    fn uses(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    /// A name nobody else has.
    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// One of several, with weights.
    fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.rng.below(total);
        for &(weight, choice) in choices {
            if left < weight {
                return choice;
            }
            left -= weight;
        }
        unreachable!("a number below the sum of the weights falls on one of them")
    }

    /// A definition from its header.
    fn definition(&mut self, number: usize) -> Definition {
        let header = self.headers[number].clone();
        let context = Context::body(&header, number);
        let body = self.branch(&context);
        let body = if header.layer == 1 && self.rng.chance(4, 5) {
            self.kept_going(&context, body)
        } else {
            body
        };
        let params = header.params.iter().map(|p| {
            if header.ranged && p.len.is_none() {
                format!("{}:{{0..{}}}", p.text, p.bound - 1)
            } else {
                p.text.clone()
            }
        });
        Definition {
            name: header.name,
            params: params.collect(),
            alphabet: header.alphabet,
            body,
        }
    }
}

#[cfg(test)]
mod tests;
