//! A resolved model: what the front end makes of a text, and both semantics start from.
//!
//! Names are gone: variables, channels, definitions and bound names are ids. Macros, enums and constants are
//! expanded. What is left of the text are [`At`]s, places for messages, which take no part in comparisons, so that
//! two processes written alike are the same process wherever they stand.

use crate::library::{Collection, CollectionType, Collections, Function, Method};
use crate::term::{TermId, Terms};
use fairhold_logic::{AtomId, Automaton, Ctl, Ltl};
use fairhold_source::Span;
use fairhold_system::Expectation;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A place in the text, equal to every other place.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

impl Hash for At {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A global variable: an index into [`Model::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

/// A channel or channel array: an index into [`Model::channels`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelId(pub u32);

/// A process definition: an index into [`Model::definitions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefId(pub u32);

/// A bound name: a parameter, an index variable or an input variable. Numbered per definition by binding depth:
/// parameters are `0..n`, a binder inside gets the number of names in scope there. So processes that differ only in
/// the spelling of bound names are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundId(pub u32);

/// A local variable of a program block, numbered per program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// A value of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A 32-bit integer; arithmetic wraps.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// An array, flat whatever its dimensions; elements are integers or truth values.
    Array(Arc<[Value]>),
    /// A collection of PAT's library.
    Collection(Collection),
}

/// The type of a variable's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Integer.
    Int,
    /// Truth value.
    Bool,
    /// A collection of PAT's library; the variable's word is its number among `Model::collections`.
    Collection(CollectionType),
}

/// A model without errors.
#[derive(Debug)]
pub struct Model {
    /// Global variables, in source order.
    pub variables: Vec<Variable>,
    /// Channels, in source order.
    pub channels: Vec<Channel>,
    /// Process definitions, in source order.
    pub definitions: Vec<Definition>,
    /// All process terms.
    pub terms: Terms,
    /// The collections that words of states stand for.
    pub(crate) collections: Arc<Collections>,
    /// Assertions, in source order.
    pub assertions: Vec<Assertion>,
    /// Annotated events (`wf(e)` ...), each once, in source order. Indices may mention the names bound where the
    /// annotation stands.
    pub annotations: Vec<Annotation>,
    /// Integer constants (`#define N 5;`) with the values in force, in source order.
    pub constants: Vec<(String, i32)>,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Declared by `hvar`: part of a state's identity only where its value matters.
    pub hidden: bool,
    /// The type of its elements, from its initial value.
    pub ty: Type,
    /// Sizes of its dimensions; empty for a scalar.
    pub dims: Vec<u32>,
    /// Declared bounds.
    pub lower: Option<i32>,
    /// Declared bounds.
    pub upper: Option<i32>,
    /// Initial values, one for a scalar, the product of `dims` for an array; truth values are 0 and 1.
    pub init: Vec<i32>,
    /// Where it is declared.
    pub span: Span,
}

/// A channel or an array of channels.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// For an array, how many.
    pub len: Option<u32>,
    /// Messages it can hold; 0 for a synchronous channel.
    pub capacity: u32,
    /// The largest number of fields in any message sent in the text; 0 if nothing is ever sent.
    pub arity: u32,
    /// Where it is declared.
    pub span: Span,
}

/// A process definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its parameters' names and declared bounds.
    pub params: Vec<Param>,
    /// Its body, in which `BoundId(i)` is parameter `i`.
    pub body: TermId,
    /// Its `#alphabet`, in which `BoundId(i)` is parameter `i`.
    pub alphabet: Option<Vec<EventPattern>>,
    /// Where its name stands.
    pub span: Span,
}

/// A parameter of a definition.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Declared bounds.
    pub lower: Option<i32>,
    /// Declared bounds.
    pub upper: Option<i32>,
}

/// An event with indices yet to be evaluated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventExpr {
    /// Its name.
    pub name: Arc<str>,
    /// Its indices.
    pub indices: Vec<Expr>,
    /// The annotation it carries where it stands: `wf(e)`.
    pub annotation: Option<AnnotationKind>,
    /// Where it stands.
    pub at: At,
}

/// Events of a hiding or an alphabet: `x:{0..N} @ e.x`, or a plain event with no bindings.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventPattern {
    /// Index variables and their values.
    pub bindings: Vec<Binding>,
    /// The event, once for every combination.
    pub event: EventExpr,
}

/// `x:{1,2,5}` or `x:{0..N-1}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binding {
    /// The name bound.
    pub bound: BoundId,
    /// Its values; may mention names bound further out and earlier in the list.
    pub values: Values,
    /// Where it stands.
    pub at: At,
}

/// The values of an index variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Values {
    /// These, in order.
    List(Vec<Expr>),
    /// All from the first to the second, both included; the first may not be larger.
    Range(Box<Expr>, Box<Expr>),
}

/// One channel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelRef {
    /// The channel or array.
    pub channel: ChannelId,
    /// Which of an array.
    pub index: Option<Box<Expr>>,
    /// Where it stands.
    pub at: At,
}

/// One field of an input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Takes any value and binds it.
    Bind(BoundId),
    /// Takes only this value.
    Match(Expr),
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// A binary operator. `And` and `Or` do not evaluate their right side if the left decides.
#[allow(missing_docs, reason = "each is the operator it is named after")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Truncates toward zero.
    Div,
    /// Non-negative for a positive modulus.
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    And,
    Or,
    Xor,
}

/// What is indexed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A global array.
    Var(VarId),
    /// An array that is a parameter or input.
    Bound(BoundId),
    /// A local array.
    Local(LocalId),
    /// A known array.
    Const(Arc<[Value]>),
}

/// A question about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Query {
    /// `call(cfull, c)`
    Full,
    /// `call(cempty, c)`
    Empty,
    /// `call(ccount, c)`
    Count,
    /// `call(csize, c)`
    Size,
    /// `call(cpeek, c)`: the first message, which must have one field
    Peek,
}

/// What is assigned to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A global scalar.
    Var(VarId),
    /// An element of a global array, one index a dimension.
    Element(VarId, Vec<Expr>),
    /// A local scalar.
    Local(LocalId),
    /// An element of a local array.
    LocalElement(LocalId, Box<Expr>),
}

/// A variable that holds a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// A global one.
    Var(VarId),
    /// A local one.
    Local(LocalId),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A value.
    Const(Value),
    /// A parameter, index variable or input variable.
    Bound(BoundId),
    /// A local variable.
    Local(LocalId),
    /// A global variable: a scalar, or a whole array as a value.
    Var(VarId, At),
    /// An array element, one index a dimension.
    Element(Base, Vec<Expr>, At),
    /// `-x`, `!x`
    Unary(UnaryOp, Box<Expr>, At),
    /// `x + y` ...
    Binary(BinaryOp, Box<Expr>, Box<Expr>, At),
    /// `&& i:{0..N} @ e` (the operator is `And`, `Or` or `Xor`); expanded as soon as its values are known.
    Quantified(BinaryOp, Vec<Binding>, Box<Expr>),
    /// `call(ccount, c)` ...
    Channel(Query, ChannelRef),
    /// `l.Count()`: a method of the first operand, which it does not change.
    Ask(Method, Vec<Expr>, At),
    /// `call(Max, x, y)`
    Call(Function, Vec<Expr>, At),
    /// `[x, y + 1]`, where an array may stand.
    Array(Vec<Expr>, At),
    /// A macro that is a program: its statements are run, and its value is that of the last expression evaluated.
    Program(Vec<Stmt>, At),
    /// `x = e`; its value is the one assigned. `x++` is `x = x + 1`.
    Assign(Target, Box<Expr>, At),
    /// `l.Add(x)`: a method that may change the variable it is called on.
    Change(Holder, Method, Vec<Expr>, At),
    /// An expression whose evaluation is known to go wrong; made by closing terms, never by the front end.
    Fault(Arc<fairhold_system::Fault>),
}

/// A program block: runs atomically.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// How many local variables there are.
    pub locals: u32,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Where it stands.
    pub at: At,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// An expression evaluated for its effect.
    Expr(Expr),
    /// `var x = e;` (also where `e` is a whole array)
    Local(LocalId, Expr),
    /// `var x[3];`, `var x = [1, 2, 3];`
    LocalArray(LocalId, Vec<Expr>),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>, At),
    /// `{ ... }`
    Block(Vec<Stmt>),
}

/// An annotation's strength and scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnnotationKind {
    /// `wf(e)`: weak fairness.
    WeakFair,
    /// `sf(e)`: strong fairness.
    StrongFair,
    /// `wl(e)`: weak liveness.
    WeakLive,
    /// `sl(e)`: strong liveness.
    StrongLive,
}

/// An annotated event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// Which annotation.
    pub kind: AnnotationKind,
    /// The event; its indices may be open.
    pub event: EventExpr,
    /// The definition it stands in.
    pub definition: DefId,
}

/// An assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What was written between `#assert` and `;`, blanks collapsed.
    pub text: String,
    /// The asserted process.
    pub process: DefId,
    /// Its arguments.
    pub args: Vec<Value>,
    /// The question.
    pub question: Question,
    /// What `//@ fairness:` says, unquoted.
    pub fairness: Option<(String, Span)>,
    /// What `//@ expect:` says: a verdict for every notion listed; a single entry without a notion for a plain one.
    pub expect: Vec<Expectation>,
    /// Where it stands.
    pub span: Span,
}

/// What an assertion asks.
#[derive(Clone, Debug)]
pub enum Question {
    /// `deadlockfree`
    DeadlockFree,
    /// `nonterminating`
    NonTerminating,
    /// `divergencefree`
    DivergenceFree,
    /// `deterministic`
    Deterministic,
    /// `reaches c`, `reaches c with min(e)`
    Reaches {
        /// The condition, closed.
        condition: Expr,
        /// What to optimise, closed.
        objective: Option<(Goal, Expr)>,
    },
    /// `never c`: no reachable state satisfies the condition, which is closed.
    Never(Expr),
    /// `always c`. What is kept is `!c`, which no reachable state may satisfy.
    Always(Expr),
    /// `|= phi`
    Ltl(Ltl, Vec<Atom>),
    /// `|= automaton`: every execution is accepted. Atom `i` of the automaton is the `i`th of these.
    Automaton(Automaton, Vec<Atom>),
    /// `|= phi` with path quantifiers
    Ctl(Ctl, Vec<Atom>),
    /// `refines Q`, `refines<F> Q`, `refines<FD> Q`
    Refines(Refinement, DefId, Vec<Value>),
}

impl Question {
    /// The condition that a search looks for, if the question is about one.
    pub fn sought(&self) -> Option<&Expr> {
        match self {
            Question::Reaches { condition, .. }
            | Question::Never(condition)
            | Question::Always(condition) => Some(condition),
            _ => None,
        }
    }
}

/// Which way to optimise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// `with min(e)`
    Min,
    /// `with max(e)`
    Max,
}

/// Which refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refinement {
    /// Traces.
    Traces,
    /// Stable failures.
    Failures,
    /// Failures and divergences.
    FailuresDivergences,
}

/// An atom of a formula; [`AtomId`] is its index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A closed condition on the state, and how it was written.
    State(Expr, String),
    /// The event, by its full name (`get.0.1`, `c!3`), led here.
    Event(String),
    /// The event is enabled. In CTL and in fairness formulas.
    Enabled(String),
    /// The process takes part in an enabled step. In CTL and in fairness formulas.
    EnabledProcess(u32),
    /// There are no steps, and the state is not that after termination. In CTL only.
    Deadlock,
    /// The state is that after successful termination. In CTL only.
    Terminated,
    /// The event is ready. In fairness formulas only.
    Ready(String),
    /// The process took part in the step that led here. In fairness formulas only.
    EngagedProcess(u32),
}

impl Atom {
    /// The atom with this id.
    pub fn of(atoms: &[Atom], id: AtomId) -> &Atom {
        &atoms[id.0 as usize]
    }

    /// The process it speaks of.
    pub fn process(&self) -> Option<u32> {
        match self {
            Atom::EnabledProcess(process) | Atom::EngagedProcess(process) => Some(*process),
            _ => None,
        }
    }
}

impl Model {
    /// The definition with this name.
    pub fn definition(&self, name: &str) -> Option<DefId> {
        self.definitions
            .iter()
            .position(|d| d.name == name)
            .map(|i| DefId(i as u32))
    }
}
