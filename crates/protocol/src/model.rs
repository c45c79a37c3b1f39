//! A population protocol as it is meant: checked, its size fixed, its names resolved.
//!
//! Nodes have fields with finite domains; a rule looks at one node, or at the two ends of an edge, and rewrites their
//! fields. Patterns, letters and wildcards are gone here: a rule is a guard and alternatives, both over [`Expr`]. All that
//! works on protocols (the system, the judge, the conversion to CSP#) starts from [`Protocol`] and shares nothing else.

use fairhold_logic::{Ctl, Ltl};
use fairhold_source::Span;
use fairhold_system::Remarks;

/// A protocol on a network of a fixed size.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// Integer constants in force, the size among them, in the order of the file.
    pub constants: Vec<(String, i32)>,
    /// How many nodes there are.
    pub nodes: u32,
    /// Who meets whom.
    pub topology: Topology,
    /// What a node has.
    pub fields: Vec<Field>,
    /// The oracle that the nodes ask, if there is one.
    pub detector: Option<Detector>,
    /// What can happen.
    pub rules: Vec<Rule>,
    /// Which edge may act when.
    pub schedule: Schedule,
    /// Where it starts.
    pub initial: Initial,
    /// Named predicates, for whoever shows them; expressions have them put in already.
    pub predicates: Vec<(String, Expr)>,
    /// What is asked.
    pub assertions: Vec<Assertion>,
}

/// A directed graph on the nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology {
    /// How it was written; diagrams are drawn by it.
    pub shape: Shape,
    /// Ordered pairs (initiator, responder), in the order in which events are listed.
    pub edges: Vec<(u32, u32)>,
}

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Every ordered pair.
    Complete,
    /// Node `k` meets `k + 1` modulo the size.
    Ring {
        /// Only in this direction.
        directed: bool,
    },
    /// Node `k` meets `k + 1`.
    Line {
        /// Only in this direction.
        directed: bool,
    },
    /// Node 0 meets every other.
    Star {
        /// Only with node 0 as the initiator.
        directed: bool,
    },
    /// Binary: node `k` meets `2k + 1` and `2k + 2`.
    Tree {
        /// Only with the parent as the initiator.
        directed: bool,
    },
    /// Node `k` is at column `k % columns`, and meets those to its right and below.
    Grid {
        /// Width.
        columns: u32,
        /// Only in these directions.
        directed: bool,
    },
    /// Edges as listed.
    Graph,
}

/// A field of every node.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The least value.
    pub low: i32,
    /// The greatest value.
    pub high: i32,
    /// The values' names, from the least on, if they have some (`{red, green}`).
    pub names: Vec<String>,
    /// Whether this is an input, which no rule changes.
    pub input: bool,
    /// What an input is at a node, over [`Place::Each`]; none if it can be anything.
    pub value: Option<Expr>,
    /// Where it is declared.
    pub span: Span,
}

/// The number of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldId(pub u32);

impl FieldId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An oracle that is right in the end. It starts with either guess. Until it is correct, it may guess at any time (events
/// `guessT`, `guessF`), or become correct (event `correct`, once); from then on its answer is the truth of a predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct Detector {
    /// What rules ask it by.
    pub name: String,
    /// What it tells, once correct: a predicate on configurations.
    pub truth: Expr,
}

/// A named rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Its name, the first part of its events: `name.initiator.responder`, or `name.node`.
    pub name: String,
    /// Whether it takes two nodes, the ends of an edge; else it takes one, the initiator.
    pub pair: bool,
    /// Where it can be taken: a condition over initiator and responder. True if it is not zero.
    pub guard: Expr,
    /// What may then happen, each a step. Never empty; one without assignments is a step all the same.
    pub alternatives: Vec<Vec<Assign>>,
    /// Where it stands.
    pub span: Span,
}

/// An assignment of a rule. All of an alternative happen at once, from the old values. A value out of the field's domain is a
/// fault of the model, at the value's place.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// Whose field: [`Place::Initiator`] or [`Place::Responder`].
    pub place: Place,
    /// Which one; no input.
    pub field: FieldId,
    /// The new value.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// Which edge may act when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Any, at any time.
    Free,
    /// One after the other in the order of the edges, starting with the first and over again. An edge whose turn it is and that has no rule to take
    /// passes (event `pass.initiator.responder`). Rules for one node and the detector are not scheduled.
    Cyclic,
}

/// Where a protocol starts: every configuration with these values.
#[derive(Clone, PartialEq, Debug)]
pub struct Initial {
    /// A field's value at a node, over [`Place::Each`]; fields that are not mentioned have any.
    pub values: Vec<(FieldId, Expr)>,
    /// A condition on configurations, if there is one. It speaks of no detector.
    pub condition: Option<Expr>,
}

impl Initial {
    /// Whether every configuration is initial, inputs aside.
    pub fn is_all(&self) -> bool {
        self.values.is_empty() && self.condition.is_none()
    }
}

/// Which node a field is of.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// The first node of a rule.
    Initiator,
    /// The second node of a rule.
    Responder,
    /// The node that is counted, or whose value is said: in [`Expr::Count`], inputs and initial values.
    Each,
    /// A node by its number. Out of the network, it is a fault of the model.
    At(Box<Expr>),
}

/// An integer expression; a condition is true if it is not zero.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number; constants and names of values are numbers here.
    Const(i32),
    /// The value of a field.
    Field(Place, FieldId),
    /// The number of a node.
    Node(Place),
    /// What the detector answers: 0 or 1.
    Detector,
    /// Whether the detector is correct by now: 0 or 1.
    Correct,
    /// How many nodes satisfy a condition over [`Place::Each`].
    Count(Box<Expr>),
    /// 1 if zero, else 0.
    Not(Box<Expr>),
    /// The negative.
    Minus(Box<Expr>),
    /// An operation on two values. `And`, `Or` look at the second only if they must.
    Binary(Operator, Box<Expr>, Box<Expr>, Span),
}

/// An operation on two values. Comparisons and connectives give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `+`; leaving 32 bits is a fault of the model, as for all arithmetic.
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero; by zero it is a fault of the model.
    Divide,
    /// `%`, never negative for a positive divisor; by zero it is a fault of the model.
    Modulo,
}

/// Something that is asked.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// As written, blanks collapsed.
    pub text: String,
    /// What it asks.
    pub question: Question,
    /// What the comments on it say.
    pub remarks: Remarks,
    /// Where it stands.
    pub span: Span,
}

/// What an assertion asks.
#[derive(Clone, Debug)]
pub enum Question {
    /// `deadlockfree`
    DeadlockFree,
    /// `reaches c`
    Reaches(Expr),
    /// `never c`
    Never(Expr),
    /// `always c`. What is kept is `!c`, which no reachable configuration may satisfy.
    Always(Expr),
    /// A formula of linear time, or a template, which stands for one. Atom `i` of the formula is the `i`th of these.
    Ltl(Ltl, Vec<Atom>),
    /// A formula with path quantifiers.
    Ctl(Ctl, Vec<Atom>),
}

impl Question {
    /// The condition that a search looks for, if the question is about one.
    pub fn sought(&self) -> Option<&Expr> {
        match self {
            Question::Reaches(condition) | Question::Never(condition) | Question::Always(condition) => {
                Some(condition)
            }
            _ => None,
        }
    }
}

/// An atom of a formula; [`AtomId`](fairhold_logic::AtomId) is its index.
#[derive(Clone, PartialEq, Debug)]
pub enum Atom {
    /// A condition on the configuration, and how it was written.
    State(Expr, String),
    /// The event led here; in CTL, an event of `EX{e}`.
    Event(Action),
    /// The event is enabled. In CTL and in fairness formulas.
    Enabled(Action),
    /// There are no steps. In CTL only.
    Deadlock,
}

/// An event of a protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// A rule for two, by its index, on an edge, by its index.
    Pair(u32, u32),
    /// A rule for one, by its index, at a node.
    Single(u32, u32),
    /// An edge's turn passes.
    Pass(u32),
    /// The detector guesses false or true.
    Guess(bool),
    /// The detector becomes correct.
    Correct,
}

impl Protocol {
    /// An event's name, as the user writes it.
    pub fn action_name(&self, action: Action) -> String {
        let edge = |e: u32| {
            let (i, r) = self.topology.edges[e as usize];
            format!("{i}.{r}")
        };
        match action {
            Action::Pair(rule, e) => format!("{}.{}", self.rules[rule as usize].name, edge(e)),
            Action::Single(rule, node) => format!("{}.{node}", self.rules[rule as usize].name),
            Action::Pass(e) => format!("pass.{}", edge(e)),
            Action::Guess(true) => "guessT".to_owned(),
            Action::Guess(false) => "guessF".to_owned(),
            Action::Correct => "correct".to_owned(),
        }
    }
}
