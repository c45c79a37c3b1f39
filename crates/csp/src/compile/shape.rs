//! Shapes: which compositions are at work in a state, over which leaves.
//!
//! A process term is a tree of operators. The operators that stay while their operands move (`|||` and `||`, and hiding, `;`, `atomic` and
//! process numbers around one of these) make up its *shape*; what hangs below them are the *leaves*. A state holds the number of its shape and
//! one word a leaf, at any depth of nesting: sixteen guarded processes inside an operand cost sixteen words, not the product of their places. A
//! composition that starts, ends or is restarted during a run changes the shape ([`super::reform`]). Shapes are interned, and a term has exactly
//! one, so equal terms have equal words.
//!
//! A state has a fixed number of words for leaves, which [`super::widest`] foresees. Where a term outgrows it (a recursion that adds an operand
//! every time round), compositions that find no room stay *composite leaves*: right, only slower.
//!
//! Who counts as a process for fairness is a grouping of leaves and plays no part in the layout. Which leaves must move together on an event is
//! read off the shape when a row is made, once ([`Shape::meeting`]).

use crate::model::Model;
use crate::reference::{MAX_DEPTH, MAX_WHOLE_DEPTH, too_deep};
use crate::term::{Event, EventSet, Term, TermId};
use fairhold_system::{Fault, ProcessesId};
use std::ops::Range;
use std::sync::Arc;

/// Compositions nested deeper than this stay in a leaf: ordinary models have a handful of levels, and the walks here recurse.
const MAX_NESTING: u32 = 100;

/// An operator of a shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operator {
    /// `P ||| Q`
    Interleave,
    /// `P || Q`, with the alphabets of the operands
    Synchronised(Arc<[EventSet]>),
    /// `P \ {...}`
    Hide(EventSet),
    /// `P; Q`, where the operand is `P`, and this is `Q`
    Sequence(TermId),
    /// `atomic{P}`
    Atomic,
    /// Process number `n`
    Process(u32),
}

/// The operators of a term over its leaves, which are numbered from the left. The same skeleton is the same shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Skeleton {
    /// A leaf.
    Leaf,
    /// An operator and its operands.
    Inner(Operator, Vec<Skeleton>),
}

impl Skeleton {
    /// Takes a term in normal form, below so many operators, apart into operators and at most `room` leaves, which are appended
    /// to `leaves`.
    pub(super) fn of(
        model: &Model,
        term: TermId,
        nesting: u32,
        room: usize,
        leaves: &mut Vec<TermId>,
    ) -> Skeleton {
        Skeleton::below(model, term, leaves.len() + room, leaves, nesting)
    }

    /// `end` is the number of leaves that may be there in the end.
    fn below(model: &Model, id: TermId, end: usize, leaves: &mut Vec<TermId>, nesting: u32) -> Skeleton {
        let node = model.terms.get(id);
        let is_process = matches!(node.term, Term::Process(..));
        if nesting >= MAX_NESTING || !(is_process || is_composite(model, id, end - leaves.len())) {
            leaves.push(id);
            return Skeleton::Leaf;
        }
        let (operator, operands): (_, &[TermId]) = match &node.term {
            Term::Interleave(operands) => (Operator::Interleave, operands),
            Term::Synchronised(operands, alphabets) => {
                (Operator::Synchronised(Arc::clone(alphabets)), operands)
            }
            Term::Hide(p, set) => (Operator::Hide(Arc::clone(set)), std::slice::from_ref(p)),
            Term::Sequence(p, q) => (Operator::Sequence(*q), std::slice::from_ref(p)),
            Term::Atomic(p) => (Operator::Atomic, std::slice::from_ref(p)),
            Term::Process(n, p) => (Operator::Process(*n), std::slice::from_ref(p)),
            other => unreachable!("{other:?} is not above a composition"),
        };
        // Every operand to the right gets one word at least.
        let below = |(i, &p): (usize, &TermId)| {
            let end = end - (operands.len() - 1 - i);
            Skeleton::below(model, p, end, leaves, nesting + 1)
        };
        Skeleton::Inner(operator, operands.iter().enumerate().map(below).collect())
    }

    /// The term with these leaves.
    pub(super) fn compose(&self, model: &Model, leaves: &mut impl Iterator<Item = TermId>) -> TermId {
        match self {
            Skeleton::Leaf => leaves.next().expect("a state has a word for every leaf"),
            Skeleton::Inner(operator, operands) => {
                let operands = operands.iter().map(|p| p.compose(model, leaves)).collect();
                operator.over(model, operands)
            }
        }
    }
}

impl Operator {
    /// The operator over its operands, as a term.
    pub(super) fn over(&self, model: &Model, operands: Vec<TermId>) -> TermId {
        let first = operands[0];
        model.terms.intern(match self {
            Operator::Interleave => Term::Interleave(operands),
            Operator::Synchronised(alphabets) => Term::Synchronised(operands, Arc::clone(alphabets)),
            Operator::Hide(set) => Term::Hide(first, Arc::clone(set)),
            Operator::Sequence(q) => Term::Sequence(first, *q),
            Operator::Atomic => Term::Atomic(first),
            Operator::Process(n) => Term::Process(*n, first),
        })
    }
}

/// Whether a term is a composition, with hiding, `;` and the like around it, whose operands find room.
pub(super) fn is_composite(model: &Model, mut id: TermId, room: usize) -> bool {
    loop {
        match &model.terms.get(id).term {
            Term::Interleave(operands) | Term::Synchronised(operands, _) => return operands.len() <= room,
            Term::Hide(p, _) | Term::Sequence(p, _) | Term::Atomic(p) | Term::Process(_, p) => id = *p,
            _ => return false,
        }
    }
}

/// An operand of an operator of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operand {
    /// A leaf.
    Leaf(u32),
    /// Another operator.
    Inner(u32),
}

/// An operator at its place in a shape.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) operator: Operator,
    pub(super) operands: Vec<Operand>,
    /// The leaves below it.
    pub(super) leaves: Range<usize>,
    /// The operator above it, and which of its operands this is.
    above: Option<(u32, u32)>,
}

/// A leaf at its place in a shape.
#[derive(Clone, Debug)]
struct Leaf {
    /// The operator above it, and which of its operands this is.
    above: Option<(u32, u32)>,
    /// Number `n` of the process it belongs to.
    process: Option<u32>,
}

/// What ends when all of its leaves can terminate.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    /// The first operand of a `;`, or the whole: the term after it begins.
    pub(super) of: Option<Operand>,
    /// How many leaves must be able to terminate.
    pub(super) leaves: usize,
    /// The processes they belong to.
    pub(super) processes: Vec<u32>,
}

/// Who must move with a leaf on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Partners {
    /// This leaf.
    One(u32),
    /// One of these.
    Any(Vec<Partners>),
    /// All of these.
    All(Vec<Partners>),
}

/// How a leaf takes part in an event that may synchronise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// Who moves with it; nobody if the event is the leaf's own.
    pub(super) partners: Option<Partners>,
    /// Whether the leaf comes before all of its partners: of a joint step, one participant leads.
    pub(super) first: bool,
    /// Whether the step is seen as `tau`.
    pub(super) hidden: bool,
}

/// A shape.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The operators over the leaves.
    pub(super) skeleton: Skeleton,
    root: Operand,
    inner: Vec<Inner>,
    leaves: Vec<Leaf>,
    /// The number of what each leaf's rows depend on, see [`Context`].
    pub(super) contexts: Vec<u32>,
    /// The process of each leaf, as a set.
    pub(super) processes: Vec<ProcessesId>,
    /// What may end.
    pub(super) endings: Vec<Ending>,
    /// For each leaf, what may end with it: a number of `endings`, or one beyond the last.
    pub(super) ending_of: Vec<u32>,
    /// Whether two leaves belong to the same process, so that two leaves may give the same step.
    pub(super) shares_processes: bool,
    /// Whether anything is hidden.
    pub(super) hides: bool,
}

/// All that the rows of a leaf depend on, apart from its term. Leaves that agree in it share their rows: `|||{n}@P` has the rows of one `P`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Context {
    /// Which numbering the leaf's word follows.
    pub(super) class: u32,
    /// Whether it is inside `atomic`.
    pub(super) atomic: bool,
    /// What is hidden around it.
    pub(super) hidden: Vec<EventSet>,
    /// What follows after the sequences around it, innermost first.
    pub(super) after: Vec<TermId>,
    /// Inside `||`: which leaf of which shape it is, for its partners depend on that.
    pub(super) place: Option<(u32, u32)>,
    /// How many operators stand between it and its process, or the whole if it has none.
    pub(super) level: u32,
    /// Whether it has one.
    pub(super) is_process: bool,
}

impl Shape {
    /// The shape of a skeleton; contexts and process sets are left to the caller, who numbers them.
    pub(super) fn new(skeleton: Skeleton) -> Shape {
        let mut shape = Shape {
            root: Operand::Leaf(0),
            inner: Vec::new(),
            leaves: Vec::new(),
            contexts: Vec::new(),
            processes: Vec::new(),
            endings: Vec::new(),
            ending_of: Vec::new(),
            shares_processes: false,
            hides: false,
            skeleton: Skeleton::Leaf,
        };
        shape.root = shape.add(&skeleton, None, None);
        shape.skeleton = skeleton;
        shape.find_endings();
        shape
    }

    fn add(&mut self, skeleton: &Skeleton, above: Option<(u32, u32)>, process: Option<u32>) -> Operand {
        let Skeleton::Inner(operator, operands) = skeleton else {
            self.leaves.push(Leaf { above, process });
            return Operand::Leaf(self.leaves.len() as u32 - 1);
        };
        let number = self.inner.len() as u32;
        let first = self.leaves.len();
        self.inner.push(Inner {
            operator: operator.clone(),
            operands: Vec::new(),
            leaves: first..first,
            above,
        });
        let process = match operator {
            Operator::Process(n) => Some(*n),
            _ => process,
        };
        let add = |(i, p)| self.add(p, Some((number, i)), process);
        let added: Vec<Operand> = (0..).zip(operands).map(add).collect();
        let last = self.leaves.len();
        self.shares_processes |= !matches!(operator, Operator::Process(_)) && last - first > 1 && {
            let processes = self.leaves[first..].iter().map(|leaf| leaf.process);
            let mut numbered: Vec<u32> = processes.clone().flatten().collect();
            numbered.dedup();
            numbered.len() < last - first
        };
        self.hides |= matches!(operator, Operator::Hide(_));
        let inner = &mut self.inner[number as usize];
        inner.operands = added;
        inner.leaves = first..last;
        Operand::Inner(number)
    }

    /// A `;` ends when all below it can, which none can that has another `;` below.
    fn find_endings(&mut self) {
        let is_sequence = |inner: &Inner| matches!(inner.operator, Operator::Sequence(_));
        let sequences: Vec<u32> = (0..)
            .zip(&self.inner)
            .filter(|(_, i)| is_sequence(i))
            .map(|(n, _)| n)
            .collect();
        let strictly_inside = |a: &Inner, b: &Inner| {
            a.leaves.start >= b.leaves.start && a.leaves.end <= b.leaves.end && !std::ptr::eq(a, b)
        };
        // Operators are numbered from the outside in: only a later one can be inside.
        let innermost: Vec<u32> = sequences
            .iter()
            .enumerate()
            .filter(|&(k, &n)| {
                let own = &self.inner[n as usize];
                let mut later = sequences[k + 1..].iter().map(|&m| &self.inner[m as usize]);
                // What comes after the last one inside starts further right.
                !later.next().is_some_and(|other| strictly_inside(other, own))
            })
            .map(|(_, &n)| n)
            .collect();
        let ending = |of: Option<Operand>, leaves: Range<usize>| {
            let mut processes: Vec<u32> = self.leaves[leaves.clone()]
                .iter()
                .filter_map(|l| l.process)
                .collect();
            processes.sort_unstable();
            processes.dedup();
            Ending {
                of,
                leaves: leaves.len(),
                processes,
            }
        };
        let mut endings = Vec::new();
        let mut ending_of = vec![u32::MAX; self.leaves.len()];
        if sequences.is_empty() {
            endings.push(ending(None, 0..self.leaves.len()));
            ending_of.fill(0);
        }
        for n in innermost {
            let leaves = self.inner[n as usize].leaves.clone();
            ending_of[leaves.clone()].fill(endings.len() as u32);
            endings.push(ending(Some(Operand::Inner(n)), leaves));
        }
        (self.endings, self.ending_of) = (endings, ending_of);
    }

    /// How many operators are around an operand.
    pub(super) fn nesting(&self, operand: Operand) -> u32 {
        let mut at = operand;
        let mut nesting = 0;
        while let Some((above, _)) = self.above(at) {
            nesting += 1;
            at = above;
        }
        nesting
    }

    /// Whether there is a hiding, or a `;`, in an operand: it cannot be `Skip` by its shape.
    pub(super) fn hides_in(&self, operand: Operand) -> bool {
        let Operand::Inner(n) = operand else {
            return false;
        };
        let inner = &self.inner[n as usize];
        matches!(inner.operator, Operator::Hide(_) | Operator::Sequence(_))
            || inner.operands.iter().any(|&operand| self.hides_in(operand))
    }

    /// Whether an operand stands in the first operand of some `;`.
    pub(super) fn sequel_of(&self, operand: Operand) -> bool {
        let mut at = operand;
        while let Some((above, inner)) = self.above(at) {
            if matches!(inner.operator, Operator::Sequence(_)) {
                return true;
            }
            at = above;
        }
        false
    }

    /// What follows after a `;`.
    ///
    /// # Panics
    /// If the operand is no `;`.
    pub(super) fn after(&self, operand: Operand) -> TermId {
        match operand {
            Operand::Inner(n) => match self.inner[n as usize].operator {
                Operator::Sequence(q) => q,
                ref other => unreachable!("{other:?} is no sequence"),
            },
            Operand::Leaf(_) => unreachable!("a leaf is no sequence of its shape"),
        }
    }

    /// Whether there is a `;` around a composition.
    pub(super) fn has_sequence(&self) -> bool {
        self.endings.first().is_none_or(|ending| ending.of.is_some())
    }

    /// How many leaves there are.
    pub(super) fn len(&self) -> usize {
        self.leaves.len()
    }

    /// The process that a leaf belongs to.
    pub(super) fn process(&self, leaf: usize) -> Option<u32> {
        self.leaves[leaf].process
    }

    /// The operator above an operand, and which of its operands this is.
    fn place(&self, operand: Operand) -> Option<(u32, u32)> {
        match operand {
            Operand::Leaf(i) => self.leaves[i as usize].above,
            Operand::Inner(n) => self.inner[n as usize].above,
        }
    }

    /// The operator above an operand.
    pub(super) fn above(&self, operand: Operand) -> Option<(Operand, &Inner)> {
        let (n, _) = self.place(operand)?;
        Some((Operand::Inner(n), &self.inner[n as usize]))
    }

    /// The leaves of an operand.
    pub(super) fn leaves(&self, operand: Operand) -> Range<usize> {
        match operand {
            Operand::Leaf(i) => i as usize..i as usize + 1,
            Operand::Inner(n) => self.inner[n as usize].leaves.clone(),
        }
    }

    /// The operators around a leaf, innermost first.
    fn around(&self, leaf: usize) -> impl Iterator<Item = &Inner> {
        let mut at = Operand::Leaf(leaf as u32);
        std::iter::from_fn(move || {
            let (above, inner) = self.above(at)?;
            at = above;
            Some(inner)
        })
    }

    /// What the rows of a leaf depend on, in the shape with this number, if its word follows the numbering `class`.
    pub(super) fn context(&self, number: u32, leaf: usize, class: u32) -> Context {
        let mut context = Context {
            class,
            atomic: false,
            hidden: Vec::new(),
            after: Vec::new(),
            place: None,
            level: 0,
            is_process: false,
        };
        for inner in self.around(leaf) {
            context.is_process |= matches!(inner.operator, Operator::Process(_));
            context.level += u32::from(!context.is_process);
            match &inner.operator {
                Operator::Interleave | Operator::Process(_) => {}
                Operator::Synchronised(_) => context.place = Some((number, leaf as u32)),
                Operator::Hide(set) => context.hidden.push(Arc::clone(set)),
                Operator::Sequence(q) => context.after.push(*q),
                Operator::Atomic => context.atomic = true,
            }
        }
        context
    }

    /// The skeleton with another one in the place of an operand.
    pub(super) fn replaced(&self, operand: Operand, by: &Skeleton) -> Skeleton {
        self.rebuilt(self.root, operand, by)
    }

    fn rebuilt(&self, at: Operand, replaced: Operand, by: &Skeleton) -> Skeleton {
        if at == replaced {
            return by.clone();
        }
        match at {
            Operand::Leaf(_) => Skeleton::Leaf,
            Operand::Inner(n) => {
                let inner = &self.inner[n as usize];
                let operands = inner.operands.iter().map(|&p| self.rebuilt(p, replaced, by));
                Skeleton::Inner(inner.operator.clone(), operands.collect())
            }
        }
    }

    /// Who must take part when a leaf engages in an event: up to where the event is hidden, everyone at a `||` whose alphabet has it.
    pub(super) fn meeting(&self, leaf: usize, event: &Event) -> Option<Meeting> {
        let mut groups = Vec::new();
        let mut meeting = Meeting {
            partners: None,
            first: true,
            hidden: false,
        };
        let mut at = Operand::Leaf(leaf as u32);
        while let Some((n, index)) = self.place(at) {
            at = Operand::Inner(n);
            let inner = &self.inner[n as usize];
            match &inner.operator {
                Operator::Hide(set) if knows(set, event) => {
                    meeting.hidden = true;
                    break;
                }
                Operator::Synchronised(alphabets) if knows(&alphabets[index as usize], event) => {
                    for (j, &other) in (0..).zip(&inner.operands) {
                        if j != index && knows(&alphabets[j as usize], event) {
                            groups.push(self.offering(other, event)?);
                            meeting.first &= index < j;
                        }
                    }
                }
                _ => {}
            }
        }
        if !groups.is_empty() {
            meeting.partners = Some(Partners::All(groups));
        }
        Some(meeting)
    }

    /// Who below an operand can engage in an event as far as that operand goes; none if it is hidden there.
    fn offering(&self, operand: Operand, event: &Event) -> Option<Partners> {
        let Operand::Inner(n) = operand else {
            let Operand::Leaf(i) = operand else {
                unreachable!("an operand is one or the other")
            };
            return Some(Partners::One(i));
        };
        let inner = &self.inner[n as usize];
        let each = |all: &mut dyn Iterator<Item = Operand>| -> Vec<Partners> {
            all.filter_map(|p| self.offering(p, event)).collect()
        };
        match &inner.operator {
            Operator::Hide(set) if knows(set, event) => None,
            Operator::Hide(_) | Operator::Sequence(_) | Operator::Atomic | Operator::Process(_) => {
                self.offering(inner.operands[0], event)
            }
            Operator::Interleave => one_of(each(&mut inner.operands.iter().copied())),
            Operator::Synchronised(alphabets) => {
                let known = |own: bool| {
                    let operands = inner.operands.iter().zip(alphabets.iter());
                    operands
                        .filter(move |(_, a)| knows(a, event) == own)
                        .map(|(p, _)| *p)
                };
                // An operand engages alone in what its alphabet does not have.
                let mut ways = each(&mut known(false));
                let joint = known(true).count();
                let together = each(&mut known(true));
                if joint > 0 && together.len() == joint {
                    ways.insert(0, Partners::All(together));
                }
                one_of(ways)
            }
        }
    }

    /// Whether a communication of two leaves is hidden by what is around both.
    pub(super) fn hides_communication(&self, (i, j): (usize, usize), event: &Event) -> bool {
        self.hides
            && self
                .around(i)
                .filter(|inner| inner.leaves.contains(&j))
                .any(|inner| matches!(&inner.operator, Operator::Hide(set) if knows(set, event)))
    }
}

impl Context {
    /// Goes wrong if a leaf that is this term makes its process one that is nested too deep.
    pub(super) fn check_depth(&self, model: &Model, term: TermId) -> Result<(), Fault> {
        let deepest = if self.is_process {
            MAX_DEPTH
        } else {
            MAX_WHOLE_DEPTH
        };
        match self.level + model.terms.get(term).depth > deepest {
            true => Err(too_deep()),
            false => Ok(()),
        }
    }

    /// Whether an event of the leaf's own is hidden by what is around it.
    pub(super) fn hides(&self, event: &Event) -> bool {
        self.hidden.iter().any(|set| knows(set, event))
    }
}

impl Partners {
    /// The leaves, if they are the same whatever the state.
    pub(super) fn fixed(&self) -> Option<Vec<u32>> {
        match self {
            Partners::One(leaf) => Some(vec![*leaf]),
            Partners::Any(_) => None,
            Partners::All(all) => {
                let leaves: Option<Vec<Vec<u32>>> = all.iter().map(Partners::fixed).collect();
                Some(leaves?.concat())
            }
        }
    }
}

fn one_of(mut ways: Vec<Partners>) -> Option<Partners> {
    match ways.len() {
        0 => None,
        1 => ways.pop(),
        _ => Some(Partners::Any(ways)),
    }
}

/// Whether a sorted set has an event.
fn knows(set: &EventSet, event: &Event) -> bool {
    set.binary_search(event).is_ok()
}
