//! The semantics to run: a model as a [`System`] over flat states.
//!
//! A process term is a shape over leaves (`shape`); a state holds the number of its shape and one small number a leaf, then variables and channels
//! (`layout`). The symbolic steps of a leaf are computed from the rules when a state first needs them (`symbolic`), turned into flat rows (`entry`) and kept
//! for all workers (`rows`). Stepping a state walks the rows of its leaves (`stepper`, `scene`); a composition that starts or ends changes the
//! shape (`reform`). What is no composition, or one below `[]`, `interrupt` and the like, is a leaf, so every process works, and nested compositions are
//! as fast as flat ones.
//!
//! Tables of numbers (events, process sets, shapes, places) and of rows are shared by all steppers.

mod agreement;
mod call;
mod code;
mod entry;
mod forget;
mod guard;
mod layout;
mod lift;
mod machine;
mod ready;
mod reform;
mod relive;
mod rows;
mod scene;
mod shape;
mod stepper;
mod symbolic;
mod update;
mod widest;

use crate::annotation;
use crate::expr::{Env, MAX_FIELDS, fault};
use crate::live::Live;
use crate::model::{AnnotationKind, At, DefId, Expr, Model, Value};
use crate::normal::Place;
use crate::root;
use crate::state::{self, State, Valuation};
use crate::term::{Term, TermId};
use agreement::{Agreement, Comparer};
pub use agreement::{HiddenDisagreement, Relevance};
use code::{Code, Compiler};
use fairhold_system::{
    EventId, Fault, Fields, Keep, ObjectiveId, Path, PredicateId, ProcessesId, System, Word,
};
use guard::{Guard, Words};
use layout::Layout;
use rows::Rows;
use rustc_hash::FxHashMap;
use shape::{Context, Shape, Skeleton, is_composite};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, RwLock};
use stepper::CspStepper;
use widest::widest;

/// The asserted process of a model as a system.
#[derive(Debug)]
pub struct CspSystem {
    model: Arc<Model>,
    /// What the text says the process starts as: annotations are found here.
    text: TermId,
    layout: Layout,
    has_atomic: bool,
    events: RwLock<Numbering<String>>,
    process_sets: RwLock<Numbering<Vec<u32>>>,
    shapes: RwLock<Shapes>,
    contexts: RwLock<Numbering<Context>>,
    /// For every word of a leaf, the numbering of its places.
    classes: Vec<u32>,
    /// The numberings of places: terms of leaves. In the first one, `Ended` is 0.
    places: Vec<RwLock<Numbering<TermId>>>,
    /// Whether some term was met that has more leaves than a state has words for.
    outgrown: AtomicBool,
    rows: Rows,
    /// Conditions that were registered. How they are tested is in `predicates`: none for one that never holds.
    conditions: RwLock<Numbering<Expr>>,
    predicates: RwLock<Vec<Option<Guard>>>,
    objectives: RwLock<Vec<Code>>,
    /// Conditions and objectives: what questions read is never forgotten.
    asked: RwLock<Vec<Expr>>,
    /// Which variables a state keeps the values of.
    keep: Keep,
    /// Which of them matter where, once the first state is made; none if all are kept.
    live: OnceLock<Option<Live>>,
    /// Whether runs agree on hidden variables; none if there are no such variables.
    agreement: Option<Agreement>,
}

/// All shapes met so far. Number 0 is a single leaf.
#[derive(Debug, Default)]
struct Shapes {
    shapes: Vec<Arc<Shape>>,
    numbers: FxHashMap<Skeleton, u32>,
    /// About how many bytes they take.
    bytes: u64,
}

impl AsRef<[Arc<Shape>]> for Shapes {
    /// The shapes by number.
    fn as_ref(&self) -> &[Arc<Shape>] {
        &self.shapes
    }
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
    /// The process `P(args)` of a model, whose states keep the values of these variables.
    pub fn new(model: Arc<Model>, process: DefId, args: &[Value], keep: Keep) -> Result<CspSystem, Fault> {
        if let Some(channel) = model.channels.iter().find(|c| c.arity > MAX_FIELDS) {
            let message = format!(
                "messages of `{}` have more than {MAX_FIELDS} fields",
                channel.name
            );
            return Err(fault(At(channel.span), message));
        }
        let text = root::root(&model, process, args)?;
        let leaves = widest(&model, text);
        let mut alike = Numbering::starting_with([]);
        let classes: Vec<u32> = leaves.iter().map(|leaf| alike.number(leaf)).collect();
        let places = |class| match class {
            0 => Numbering::starting_with([TermId::ENDED]),
            _ => Numbering::starting_with([]),
        };
        let layout = Layout::new(&model, leaves.len(), keep == Keep::Merged);
        let system = CspSystem {
            text,
            agreement: Agreement::new(&model, &layout.variables, layout.width, keep),
            layout,
            has_atomic: model.terms.any(|term| matches!(term, Term::Atomic(_))),
            events: RwLock::new(Numbering::starting_with([
                "tau".to_owned(),
                "terminate".to_owned(),
            ])),
            process_sets: RwLock::new(Numbering::starting_with([Vec::new()])),
            shapes: RwLock::default(),
            contexts: RwLock::new(Numbering::starting_with([])),
            places: (0..alike.things.len())
                .map(|class| RwLock::new(places(class)))
                .collect(),
            classes,
            outgrown: AtomicBool::new(false),
            rows: Rows::default(),
            conditions: RwLock::new(Numbering::starting_with([])),
            predicates: RwLock::default(),
            objectives: RwLock::default(),
            asked: RwLock::default(),
            keep,
            live: OnceLock::new(),
            model,
        };
        let leaf = system.shape_number(Skeleton::Leaf);
        assert_eq!(leaf, 0, "the state in which all words of leaves are 0 is `Ended`");
        Ok(system)
    }

    /// Registers a closed condition; the same one has the same number.
    pub fn predicate(&self, condition: &Expr) -> PredicateId {
        let condition = condition.close(&Env::default());
        let mut conditions = self.conditions.write().expect("no holder of a table panics");
        let number = conditions.number(&condition);
        if conditions.things.len() > self.predicates.read().expect("no holder of a table panics").len() {
            append(
                &self.predicates,
                self.words().guard(std::slice::from_ref(&condition)),
            );
            self.ask(condition);
        }
        PredicateId(number)
    }

    /// Registers a closed integer expression.
    pub fn objective(&self, e: &Expr) -> ObjectiveId {
        let e = e.close(&Env::default());
        let code = Compiler::integer(&self.model, &self.layout, &e);
        self.ask(e);
        ObjectiveId(append(&self.objectives, code))
    }

    /// Takes down what a question reads.
    fn ask(&self, e: Expr) {
        // Where nothing is forgotten or merged, a question that comes late may only cost a note.
        let begun = self.keep == Keep::Merged && self.agreement.as_ref().is_some_and(Agreement::has_begun);
        assert!(
            !begun && self.live.get().is_none_or(Option::is_none),
            "questions are registered before the first state is made: what they read must not be forgotten"
        );
        append(&self.asked, e);
    }

    /// Which variables matter where; none if all values are kept.
    fn live(&self) -> Option<&Live> {
        let analyse = || {
            let hidden = |v: usize| self.model.variables[v].hidden;
            let asked = self.asked.read().expect("no holder of a table panics");
            match self.keep {
                Keep::Everything | Keep::Merged => None,
                Keep::Visible => Live::new(&self.model, hidden, &asked),
                Keep::Needed => Live::new(&self.model, |_| true, &asked),
            }
        };
        self.live.get_or_init(analyse).as_ref()
    }

    /// The annotated events of the process: `wf(e)` and the like, each once.
    pub fn annotated(&self) -> Result<Vec<(AnnotationKind, String)>, Fault> {
        let events = annotation::of(&self.model, self.text)?.into_iter();
        Ok(events.map(|(kind, event)| (kind, event.to_string())).collect())
    }

    /// The plain form of a state.
    pub fn decode(&self, words: &[Word]) -> State {
        let shape = self.shape(words[0]);
        let leaves = self.classes.iter().zip(&words[1..]);
        let mut terms = leaves.map(|(&class, &place)| self.term_at(class, place));
        State {
            root: shape.skeleton.compose(&self.model, &mut terms),
            values: self.layout.unpack(&self.model, words),
        }
    }

    /// The words of a state.
    pub fn encode(&self, state: &State) -> Vec<Word> {
        let mut words = vec![0; self.layout.width];
        let control = self.control(state.root);
        words[..control.len()].copy_from_slice(&control);
        self.layout.pack(&self.model, &state.values, &mut words);
        words
    }

    /// The control word and the words of all leaves for a term in normal form.
    fn control(&self, root: TermId) -> Box<[Word]> {
        let mut leaves = Vec::new();
        let skeleton = Skeleton::of(&self.model, root, 0, self.layout.leaves, &mut leaves);
        if leaves
            .iter()
            .any(|&leaf| is_composite(&self.model, leaf, usize::MAX))
        {
            // Read by whoever steps a state made after this: handing a state on orders the two.
            self.outgrown.store(true, Ordering::Release);
        }
        let mut control = vec![0; 1 + self.layout.leaves].into_boxed_slice();
        control[0] = self.shape_number(skeleton);
        for (i, leaf) in leaves.into_iter().enumerate() {
            control[1 + i] = self.place_of(self.classes[i], leaf);
        }
        control
    }

    /// The normal form of a term, perhaps before a `;`.
    fn normal(&self, term: TermId, before_sequel: bool) -> TermId {
        let place = match before_sequel {
            true => Place::BeforeSequel,
            false => Place::Anywhere,
        };
        self.model.normal_at(term, place)
    }

    /// Whether some term was met that has more leaves than a state has words for.
    fn has_outgrown(&self) -> bool {
        self.outgrown.load(Ordering::Acquire)
    }

    /// The number of a place of a leaf.
    fn place_of(&self, class: u32, term: TermId) -> Word {
        number(&self.places[class as usize], &term)
    }

    /// The number of a place of a leaf, if it has one.
    fn place(&self, class: u32, term: TermId) -> Option<Word> {
        let places = self.places[class as usize].read();
        places
            .expect("no holder of a table panics")
            .numbers
            .get(&term)
            .copied()
    }

    /// The term of a leaf at a place.
    fn term_at(&self, class: u32, place: Word) -> TermId {
        let places = self.places[class as usize].read();
        places.expect("no holder of a table panics").things[place as usize]
    }

    /// The shape with this number.
    fn shape(&self, number: Word) -> Arc<Shape> {
        let shapes = self.shapes.read().expect("no holder of a table panics");
        Arc::clone(&shapes.shapes[number as usize])
    }

    /// The number of the shape with this skeleton.
    fn shape_number(&self, skeleton: Skeleton) -> Word {
        let known = self
            .shapes
            .read()
            .expect("no holder of a table panics")
            .numbers
            .get(&skeleton)
            .copied();
        if let Some(known) = known {
            return known;
        }
        let mut shapes = self.shapes.write().expect("no holder of a table panics");
        if let Some(&known) = shapes.numbers.get(&skeleton) {
            return known;
        }
        let next = shapes.shapes.len() as Word;
        let mut shape = Shape::new(skeleton.clone());
        for leaf in 0..shape.len() {
            let context = shape.context(next, leaf, self.classes[leaf]);
            shape.contexts.push(number(&self.contexts, &context));
            let process: Vec<u32> = shape.process(leaf).into_iter().collect();
            shape.processes.push(self.process_set(&process));
        }
        shapes.bytes += (shape.len() * 160 + 256) as u64;
        shapes.numbers.insert(skeleton, next);
        shapes.shapes.push(Arc::new(shape));
        next
    }

    /// What the rows of leaves with this number depend on.
    fn context(&self, number: u32) -> Context {
        let contexts = self.contexts.read().expect("no holder of a table panics");
        contexts.things[number as usize].clone()
    }

    /// Where variables lie, for guards and updates.
    fn words(&self) -> Words<'_> {
        Words {
            model: &self.model,
            layout: &self.layout,
        }
    }

    /// About how many bytes the shared tables take.
    fn bytes(&self) -> u64 {
        let shapes = self.shapes.read().expect("no holder of a table panics").bytes;
        let live = self.live().map_or(0, Live::bytes);
        let compared = self.agreement.as_ref().map_or(0, Agreement::bytes);
        let model = self.model.terms.bytes() + self.model.collections.bytes();
        self.rows.bytes() + shapes + model + live + compared
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

    /// The processes of a set, ascending.
    fn process_list(&self, set: ProcessesId) -> Vec<u32> {
        let sets = self.process_sets.read().expect("no holder of a table panics");
        sets.things[set.0 as usize].clone()
    }
}

fn append<T>(list: &RwLock<Vec<T>>, thing: T) -> u32 {
    let mut list = list.write().expect("no holder of a table panics");
    list.push(thing);
    list.len() as u32 - 1
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
        CspStepper::new(self, self.live(), Comparer::new(self))
    }

    fn lift(&self, path: Path) -> Path {
        lift::lift(self, path)
    }

    fn event_name(&self, event: EventId) -> String {
        self.events.read().expect("no holder of a table panics").things[event.0 as usize].clone()
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        self.process_list(set)
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        state[0] == 0 && state[1] == 0
    }

    fn fields(&self, state: &[Word]) -> Fields {
        state::fields(&self.model, &self.decode(state))
    }
}

impl CspSystem {
    fn initial_words(&self) -> Vec<Word> {
        self.encode(&State {
            root: self.normal(self.text, false),
            values: Valuation::initial(&self.model),
        })
    }
}
