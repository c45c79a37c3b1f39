//! The semantics to run: a model as a [`System`] over flat states.
//!
//! A process term is interned once; its symbolic steps are computed from the rules when a state first needs them, turned into flat rows (`entry`) and kept. A
//! state holds one small number a process, then variables and channels (`layout`). Stepping a state walks the rows of its processes
//! (`stepper`). Compositions inside a process are composite terms with the same treatment, so every process works, and the usual ones are fast.
//!
//! Tables of numbers (events, process sets, places of a component) are shared by all steppers; rows are each stepper's own.

mod code;
mod entry;
mod layout;
mod machine;
mod ready;
mod stepper;
mod symbolic;

use crate::annotation;
use crate::expr::{Env, fault};
use crate::model::{AnnotationKind, At, DefId, Expr, Model, Value};
use crate::root;
use crate::state::{self, State, Valuation};
use crate::term::{Event, EventSet, Term, TermId};
use code::{Code, Compiler};
use entry::{Builder, Guard, Next, Whose};
use fairhold_system::{EventId, Fault, Fields, ObjectiveId, PredicateId, ProcessesId, System, Word};
use layout::{Layout, MAX_FIELDS, SPLIT};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, RwLock};
use stepper::CspStepper;

/// The asserted process of a model as a system.
#[derive(Debug)]
pub struct CspSystem {
    model: Arc<Model>,
    root: TermId,
    layout: Layout,
    shape: Option<Shape>,
    has_atomic: bool,
    events: RwLock<Numbering<String>>,
    process_sets: RwLock<Numbering<Vec<u32>>>,
    places: Vec<RwLock<Numbering<TermId>>>,
    /// Conditions that were registered. How they are tested is in `predicates`: none for one that never holds.
    conditions: RwLock<Numbering<Expr>>,
    predicates: RwLock<Vec<Option<Guard>>>,
    objectives: RwLock<Vec<Code>>,
}

/// The asserted composition.
#[derive(Debug)]
struct Shape {
    /// What hides its events, outermost first.
    hidden: Vec<EventSet>,
    /// The operands' alphabets, for `||`.
    alphabets: Option<Arc<[EventSet]>>,
    /// How many operands there are.
    operands: usize,
}

/// Numbers for things, in the order they are met.
#[derive(Debug)]
struct Numbering<T> {
    things: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> AsRef<[T]> for Numbering<T> {
    /// The things by number.
    fn as_ref(&self) -> &[T] {
        &self.things
    }
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    fn starting_with(things: impl IntoIterator<Item = T>) -> Numbering<T> {
        let mut numbering = Numbering {
            things: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for thing in things {
            numbering.number(&thing);
        }
        numbering
    }

    fn number(&mut self, thing: &T) -> u32 {
        if let Some(&n) = self.numbers.get(thing) {
            return n;
        }
        let n = u32::try_from(self.things.len()).expect("fewer than 2^32 of anything");
        self.things.push(thing.clone());
        self.numbers.insert(thing.clone(), n);
        n
    }
}

/// The number of a thing in a shared table.
fn number<T: Clone + Eq + Hash>(table: &RwLock<Numbering<T>>, thing: &T) -> u32 {
    let known = table
        .read()
        .expect("no holder of a table panics")
        .numbers
        .get(thing)
        .copied();
    known.unwrap_or_else(|| table.write().expect("no holder of a table panics").number(thing))
}

impl CspSystem {
    /// The process `P(args)` of a model.
    pub fn new(model: Arc<Model>, process: DefId, args: &[Value]) -> Result<CspSystem, Fault> {
        if let Some(channel) = model.channels.iter().find(|c| c.arity > MAX_FIELDS) {
            let message = format!(
                "messages of `{}` have more than {MAX_FIELDS} fields",
                channel.name
            );
            return Err(fault(At(channel.span), message));
        }
        let root = root::root(&model, process, args)?;
        let shape = Shape::of(&model, root);
        let operands = shape.as_ref().map_or(0, |s| s.operands);
        Ok(CspSystem {
            root,
            layout: Layout::new(&model, operands),
            shape,
            has_atomic: model.terms.any(|term| matches!(term, Term::Atomic(_))),
            events: RwLock::new(Numbering::starting_with([
                "tau".to_owned(),
                "terminate".to_owned(),
            ])),
            process_sets: RwLock::new(Numbering::starting_with([Vec::new()])),
            places: (0..operands)
                .map(|_| RwLock::new(Numbering::starting_with([])))
                .collect(),
            conditions: RwLock::new(Numbering::starting_with([])),
            predicates: RwLock::default(),
            objectives: RwLock::default(),
            model,
        })
    }

    /// Registers a closed condition; the same one has the same number.
    pub fn predicate(&self, condition: &Expr) -> PredicateId {
        let condition = condition.close(&Env::default());
        let mut conditions = self.conditions.write().expect("no holder of a table panics");
        let number = conditions.number(&condition);
        if conditions.things.len() > self.predicates.read().expect("no holder of a table panics").len() {
            let builder = Builder {
                system: self,
                whose: Whose::Whole,
            };
            append(&self.predicates, builder.guard(&[condition]));
        }
        PredicateId(number)
    }

    /// Registers a closed integer expression.
    pub fn objective(&self, e: &Expr) -> ObjectiveId {
        let code = Compiler::integer(&self.model, &self.layout, &e.close(&Env::default()));
        ObjectiveId(append(&self.objectives, code))
    }

    /// The annotated events of the process: `wf(e)` and the like, each once.
    pub fn annotated(&self) -> Result<Vec<(AnnotationKind, String)>, Fault> {
        let events = annotation::of(&self.model, self.root)?.into_iter();
        Ok(events.map(|(kind, event)| (kind, event.to_string())).collect())
    }

    /// The plain form of a state.
    pub fn decode(&self, words: &[Word]) -> State {
        let root = match (&self.shape, words[0]) {
            (Some(shape), SPLIT) => {
                let place = |(table, &n): (&RwLock<Numbering<TermId>>, &Word)| {
                    table.read().expect("no holder of a table panics").things[n as usize]
                };
                let operands = self.places.iter().zip(&words[1..]).map(place).collect();
                shape.compose(&self.model, operands)
            }
            (_, root) => TermId(root),
        };
        State {
            root,
            values: self.layout.unpack(words),
        }
    }

    /// The words of a state.
    pub fn encode(&self, state: &State) -> Vec<Word> {
        let mut words = vec![0; self.layout.width];
        let control = self.control(state.root);
        words[..control.len()].copy_from_slice(&control);
        self.layout.pack(&state.values, &mut words);
        words
    }

    /// The control word and the component words for a term.
    fn control(&self, root: TermId) -> Box<[Word]> {
        let mut control = vec![0; 1 + self.layout.components].into_boxed_slice();
        match self.shape.as_ref().and_then(|s| s.operands_of(&self.model, root)) {
            Some(operands) => {
                control[0] = SPLIT;
                for (i, p) in operands.iter().enumerate() {
                    control[1 + i] = number(&self.places[i], p);
                }
            }
            None => control[0] = root.0,
        }
        control
    }

    fn next(&self, whose: Whose, next: TermId) -> Next {
        match whose {
            Whose::Component(i) => Next::Component(number(&self.places[i], &next)),
            Whose::Whole => Next::Control(self.control(next)),
        }
    }

    /// The event with this name, whether or not it ever happens.
    pub fn event(&self, name: &str) -> EventId {
        let known = self
            .events
            .read()
            .expect("no holder of a table panics")
            .numbers
            .get(name)
            .copied();
        EventId(known.unwrap_or_else(|| number(&self.events, &name.to_owned())))
    }

    fn process_set(&self, set: &[u32]) -> ProcessesId {
        ProcessesId(number(&self.process_sets, &set.to_vec()))
    }

    /// Whether the composition's events are hidden by what is around it.
    fn hides(&self, event: &Event) -> bool {
        self.shape
            .as_ref()
            .is_some_and(|s| s.hidden.iter().any(|set| set.binary_search(event).is_ok()))
    }

    /// The components that take part in an event of component `i`, if there are others.
    fn partners(&self, i: usize, event: &Event) -> Option<Vec<u32>> {
        let alphabets = self.shape.as_ref()?.alphabets.as_ref()?;
        let knows = |j: usize| alphabets[j].binary_search(event).is_ok();
        if !knows(i) {
            return None;
        }
        let partners: Vec<u32> = (0..alphabets.len())
            .filter(|&j| knows(j))
            .map(|j| j as u32)
            .collect();
        (partners.len() > 1).then_some(partners)
    }
}

fn append<T>(list: &RwLock<Vec<T>>, thing: T) -> u32 {
    let mut list = list.write().expect("no holder of a table panics");
    list.push(thing);
    list.len() as u32 - 1
}

impl Shape {
    /// The numbered composition that a root runs into.
    fn of(model: &Model, root: TermId) -> Option<Shape> {
        let mut hidden = Vec::new();
        let mut id = root;
        loop {
            let node = model.terms.get(id);
            match &node.term {
                Term::Hide(p, set) => {
                    hidden.push(Arc::clone(set));
                    id = *p;
                }
                Term::Sequence(_, p)
                | Term::Prefix(_, _, p)
                | Term::Silent(_, p)
                | Term::Send(_, _, _, p)
                | Term::Receive(_, _, _, _, p) => id = *p,
                Term::Interleave(v) if numbered(model, v) => {
                    return Some(Shape {
                        hidden,
                        alphabets: None,
                        operands: v.len(),
                    });
                }
                Term::Synchronised(v, alphabets) if numbered(model, v) => {
                    return Some(Shape {
                        hidden,
                        alphabets: Some(Arc::clone(alphabets)),
                        operands: v.len(),
                    });
                }
                _ => return None,
            }
        }
    }

    /// The operands, if a term is this composition.
    fn operands_of(&self, model: &Model, root: TermId) -> Option<Vec<TermId>> {
        let mut id = root;
        for set in &self.hidden {
            match &model.terms.get(id).term {
                Term::Hide(p, hidden) if hidden == set => id = *p,
                _ => return None,
            }
        }
        let node = model.terms.get(id);
        let operands = match (&node.term, &self.alphabets) {
            (Term::Interleave(v), None) => v,
            (Term::Synchronised(v, alphabets), Some(own)) if alphabets == own => v,
            _ => return None,
        };
        let inner = |&p: &TermId| match model.terms.get(p).term {
            Term::Process(_, inner) => Some(inner),
            _ => None,
        };
        (operands.len() == self.operands)
            .then(|| operands.iter().map(inner).collect())
            .flatten()
    }

    /// The composition of these operands.
    fn compose(&self, model: &Model, operands: Vec<TermId>) -> TermId {
        let process = |(n, p): (usize, TermId)| model.terms.intern(Term::Process(n as u32, p));
        let operands: Vec<TermId> = operands.into_iter().enumerate().map(process).collect();
        let composition = model.terms.intern(match &self.alphabets {
            None => Term::Interleave(operands),
            Some(alphabets) => Term::Synchronised(operands, Arc::clone(alphabets)),
        });
        let hide = |p, set: &EventSet| model.terms.intern(Term::Hide(p, Arc::clone(set)));
        self.hidden.iter().rev().fold(composition, hide)
    }
}

fn numbered(model: &Model, operands: &[TermId]) -> bool {
    let is =
        |(n, &p): (usize, &TermId)| matches!(model.terms.get(p).term, Term::Process(k, _) if k as usize == n);
    operands.iter().enumerate().all(is)
}

impl System for CspSystem {
    type Stepper<'a> = CspStepper<'a>;

    fn width(&self) -> usize {
        self.layout.width
    }

    fn key_width(&self) -> usize {
        self.layout.key_width
    }

    fn stepper(&self) -> CspStepper<'_> {
        CspStepper::new(self)
    }

    fn event_name(&self, event: EventId) -> String {
        self.events.read().expect("no holder of a table panics").things[event.0 as usize].clone()
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        self.process_sets
            .read()
            .expect("no holder of a table panics")
            .things[set.0 as usize]
            .clone()
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        state[0] == TermId::ENDED.0
    }

    fn fields(&self, state: &[Word]) -> Fields {
        state::fields(&self.model, &self.decode(state))
    }
}

impl CspSystem {
    fn initial_words(&self) -> Vec<Word> {
        self.encode(&State {
            root: self.root,
            values: Valuation::initial(&self.model),
        })
    }
}
