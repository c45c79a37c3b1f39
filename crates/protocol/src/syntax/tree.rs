//! A protocol as it was written: declarations with places, names not looked up.

use crate::model::Operator;
use fairhold_logic::{Binary, Join, Quantifier, Unary};
use fairhold_source::Span;

/// A name and where it stands.
pub(crate) type Name<'t> = (&'t str, Span);

/// An expression, or a formula: the two share their connectives, so that only meaning tells them apart.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) span: Span,
}

impl<'t> Tree<'t> {
    /// The trees it is directly made of.
    pub(crate) fn children(&self) -> Vec<&Tree<'t>> {
        match &self.node {
            Node::Number(_) | Node::Name(_) | Node::Quoted(_) | Node::CountField(_) => Vec::new(),
            Node::Dotted(_, parts) => parts.iter().collect(),
            Node::Call(_, groups) => groups.iter().flatten().collect(),
            Node::At(_, a) | Node::Count(_, a) | Node::Not(a) | Node::Minus(a) => vec![a],
            Node::Quantified(_, _, a) | Node::Often(_, a, _) => vec![a],
            Node::Temporal(_, _, events, a, _) => events.iter().flatten().chain([&**a]).collect(),
            Node::Binary(_, a, b, _) | Node::Join(_, a, b) | Node::Until(_, _, a, b, _) => vec![a, b],
        }
    }
}

/// What an expression or a formula is made of.
#[derive(Clone, Debug)]
pub(crate) enum Node<'t> {
    Number(i32),
    Name(&'t str),
    /// An event in quotes.
    Quoted(&'t str),
    /// `i.leader`, `rule1.0.1`
    Dotted(Name<'t>, Vec<Tree<'t>>),
    /// `leader[0]`
    At(Name<'t>, Box<Tree<'t>>),
    /// `#leader`
    CountField(Name<'t>),
    /// `#{..}`, `all{..}`, `some{..}`
    Count(Tally, Box<Tree<'t>>),
    Not(Box<Tree<'t>>),
    Minus(Box<Tree<'t>>),
    /// The place is that of the operator.
    Binary(Operator, Box<Tree<'t>>, Box<Tree<'t>>, Span),
    /// `forall k: p`, `exists k: p`
    Quantified(Every, Name<'t>, Box<Tree<'t>>),
    /// `p -> q` and its like, `&&` and `||` aside.
    Join(Join, Box<Tree<'t>>, Box<Tree<'t>>),
    /// `[] p`, `AG p`, `EX{e} p`; the place is that of the operator.
    Temporal(
        Option<Quantifier>,
        Unary,
        Option<Vec<Tree<'t>>>,
        Box<Tree<'t>>,
        Span,
    ),
    /// `GF p`, `FG p`
    Often(Often, Box<Tree<'t>>, Span),
    /// `p U q`, `A[p U q]`
    Until(Option<Quantifier>, Binary, Box<Tree<'t>>, Box<Tree<'t>>, Span),
    /// `enabled(e)`, `rabin(p, q; r, s)`: groups between `;`, parts between `,`.
    Call(Name<'t>, Vec<Vec<Tree<'t>>>),
}

/// What is made of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tally {
    Number,
    All,
    Some,
}

/// For all nodes, or for some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Every {
    All,
    Some,
}

/// `GF`, `FG`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Often {
    Infinitely,
    Finally,
}

/// `const K = 3`, and the size.
#[derive(Debug)]
pub(crate) struct Constant<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) value: Tree<'t>,
    /// Whether it is the size.
    pub(crate) size: bool,
}

/// `field f: 0..3`, `input x: bool = node == 0`; each name is one of these.
#[derive(Debug)]
pub(crate) struct Field<'t> {
    pub(crate) name: Name<'t>,
    /// Which domain of [`Items`] it has; fields declared together share it.
    pub(crate) domain: usize,
    pub(crate) input: bool,
    /// Which value of [`Items`] it has.
    pub(crate) value: Option<usize>,
}

/// What values a field has.
#[derive(Debug)]
pub(crate) enum Domain<'t> {
    Bool,
    Range(Tree<'t>, Tree<'t>, Span),
    Names(Vec<Name<'t>>, Span),
}

/// `topology undirected ring`
#[derive(Debug)]
pub(crate) struct Topology<'t> {
    pub(crate) shape: Shape<'t>,
    pub(crate) undirected: bool,
    pub(crate) span: Span,
}

/// The shape of a network, as written.
#[derive(Debug)]
pub(crate) enum Shape<'t> {
    Complete,
    Ring,
    Line,
    Star,
    Tree,
    Grid(Tree<'t>),
    Graph(Vec<Edge<'t>>),
}

/// `0->1`, `2--3`
#[derive(Debug)]
pub(crate) struct Edge<'t> {
    pub(crate) from: Tree<'t>,
    pub(crate) to: Tree<'t>,
    pub(crate) undirected: bool,
    pub(crate) span: Span,
}

/// `name = value`, of a predicate or the detector.
#[derive(Debug)]
pub(crate) struct Named<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) value: Tree<'t>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule<'t> {
    pub(crate) name: Name<'t>,
    /// One or two.
    pub(crate) patterns: Vec<Pattern<'t>>,
    pub(crate) guard: Option<Tree<'t>>,
    /// As many sides each as there are patterns.
    pub(crate) alternatives: Vec<Vec<Pattern<'t>>>,
    pub(crate) span: Span,
}

/// `(leader=1, *)`: a side of a rule, left or right of its arrow.
#[derive(Debug)]
pub(crate) struct Pattern<'t> {
    pub(crate) items: Vec<Item<'t>>,
    pub(crate) span: Span,
}

/// `leader=1`, `!leader`
#[derive(Debug)]
pub(crate) struct Item<'t> {
    pub(crate) field: Name<'t>,
    pub(crate) test: Test<'t>,
    pub(crate) span: Span,
}

/// What a pattern says of a field.
#[derive(Debug)]
pub(crate) enum Test<'t> {
    /// The place is that of the operator.
    Compare(Operator, Tree<'t>, Span),
    /// The field alone, or with `!` before it.
    Is(bool),
}

/// `initial leader = 0 where safe`
#[derive(Debug)]
pub(crate) struct Initial<'t> {
    pub(crate) values: Vec<Named<'t>>,
    pub(crate) condition: Option<Tree<'t>>,
    pub(crate) span: Span,
}

/// `assert ..`
#[derive(Debug)]
pub(crate) struct Assertion<'t> {
    pub(crate) question: Question<'t>,
    /// All but the word `assert`.
    pub(crate) span: Span,
}

/// What is asked, as written.
#[derive(Debug)]
pub(crate) enum Question<'t> {
    DeadlockFree,
    Reaches(Tree<'t>),
    Never(Tree<'t>),
    Always(Tree<'t>),
    Formula(Tree<'t>),
    /// The place is that of the template's name.
    SelfStabilising(Tree<'t>, Span),
    Stable(Tree<'t>),
    Computes(Tree<'t>, Name<'t>),
}

/// What a file says, each kind in its order.
#[derive(Debug, Default)]
pub(crate) struct Items<'t> {
    pub(crate) constants: Vec<Constant<'t>>,
    pub(crate) topology: Option<Topology<'t>>,
    pub(crate) domains: Vec<Domain<'t>>,
    pub(crate) values: Vec<Tree<'t>>,
    pub(crate) fields: Vec<Field<'t>>,
    pub(crate) detector: Option<Named<'t>>,
    pub(crate) predicates: Vec<Named<'t>>,
    pub(crate) rules: Vec<Rule<'t>>,
    /// `cyclic` or not.
    pub(crate) schedule: Option<(bool, Span)>,
    pub(crate) initial: Option<Initial<'t>>,
    pub(crate) assertions: Vec<Assertion<'t>>,
    /// Places of assertions that were not understood.
    pub(crate) failed_assertions: Vec<Span>,
    /// Words of declarations that were not understood: what they declare is not known, so nobody is told that it is unknown.
    pub(crate) broken: Vec<&'t str>,
    /// A place for what concerns the file as a whole.
    pub(crate) start: Span,
}
