//! Process terms, interned: equal processes have equal ids.
//!
//! A term is a process expression with ids for names. In a definition's body it is *open*: it mentions parameters.
//! Both semantics work on *closed* terms, made by `crate::close`; the only names left in those are input variables
//! below the input that binds them. Children are ids, so a term is a small node, comparing two terms is comparing
//! ids, and a state can hold a process in one word.
//!
//! Interning normalises: `P; Q` is `Q` if `P` is `Skip` by its shape ([`Node::is_skip`]), `atomic{atomic{P}}` is
//! `atomic{P}`, literally nested `<>` are one choice, a composition or choice of one operand is that operand, and without
//! operands a composition is `Skip` and a choice `Stop`. (PAT makes the same identifications, so state counts agree.)
//! What else two local states have in common is for `crate::normal`, which looks at states: in a text the events of
//! `Q` count for the alphabet of `Stop; Q`.

use crate::model::{
    At, Binding, BoundId, ChannelRef, DefId, EventExpr, EventPattern, Expr, Pattern, Program, Value,
};
use crate::naming::Names;
use crate::normal::Place;
use fairhold_system::Fault;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock, RwLock};

/// An interned term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// `Ended`, the state after `terminate`.
    pub const ENDED: TermId = TermId(0);
    /// `Stop`
    pub const STOP: TermId = TermId(1);
    /// `Skip`
    pub const SKIP: TermId = TermId(2);
}

/// The operators that come in indexed form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `|||`
    Interleave,
    /// `||`
    Parallel,
    /// `[]`
    Choice,
    /// `<>`
    Internal,
    /// `[*]`
    External,
}

/// A closed event: `get.0.1`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// Its name.
    pub name: Arc<str>,
    /// Its indices.
    pub indices: Vec<Value>,
}

/// A closed, sorted set of events.
pub type EventSet = Arc<[Event]>;

/// A process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// After `terminate`: no steps, no deadlock.
    Ended,
    /// No steps.
    Stop,
    /// `terminate`, then `Ended`.
    Skip,
    /// `e{program} -> P`
    Prefix(EventExpr, Option<Arc<Program>>, TermId),
    /// `tau -> P`, `{program} -> P`
    Silent(Option<Arc<Program>>, TermId),
    /// `c!x.y{program} -> P`
    Send(ChannelRef, Vec<Expr>, Option<Arc<Program>>, TermId),
    /// `c?[guard]x.1{program} -> P`
    Receive(
        ChannelRef,
        Option<Expr>,
        Vec<Pattern>,
        Option<Arc<Program>>,
        TermId,
    ),
    /// `[b] P`
    Guard(Expr, TermId),
    /// `if (b) {P} else {Q}`: a `tau`, then the branch
    If(Expr, TermId, TermId),
    /// `ifa (b) {P} else {Q}`: the branch
    IfAtomic(Expr, TermId, TermId),
    /// `ifb (b) {P}`: blocks while `b` is false; a `tau`, then the branch
    IfBlocking(Expr, TermId),
    /// `case {...}`: a `tau`, then the first branch whose condition holds, else the last term
    Case(Vec<(Expr, TermId)>, TermId),
    /// `P [] Q`: any first step resolves it
    Choice(Vec<TermId>),
    /// `P <> Q`: a `tau` to either
    Internal(Vec<TermId>),
    /// `P [*] Q`: a `tau` does not resolve it
    External(Vec<TermId>),
    /// `P ||| Q`
    Interleave(Vec<TermId>),
    /// `P || Q`, open: alphabets not fixed yet
    Parallel(Vec<TermId>),
    /// `P || Q`, closed, with the alphabet of each operand
    Synchronised(Vec<TermId>, Arc<[EventSet]>),
    /// `P interrupt Q`
    Interrupt(TermId, TermId),
    /// `P \ {...}`, open
    HideOpen(TermId, Vec<EventPattern>),
    /// `P \ {...}`, closed
    Hide(TermId, EventSet),
    /// `P; Q`
    Sequence(TermId, TermId),
    /// `atomic{P}`
    Atomic(TermId),
    /// `assert(b)`: like `Skip` if `b` holds, a fault if not
    Assert(Expr, At),
    /// `P(x, 1)`; arguments are evaluated when its steps are asked for
    Call(DefId, Vec<Expr>, At),
    /// `||| i:{0..N} @ P`, open
    Indexed(Operator, Vec<Binding>, TermId),
    /// `|||{n} @ P`, open
    Copies(Expr, TermId, At),
    /// Process number `n` of the asserted process: its steps carry the number
    Process(u32, TermId),
    /// A process whose steps cannot be computed; made by closing terms
    Fault(Arc<Fault>),
}

/// A term with what is known about it.
#[derive(Debug)]
pub struct Node {
    /// The term.
    pub term: Term,
    /// The bound names it mentions and does not bind itself, ascending.
    pub free: Box<[BoundId]>,
    /// Levels of terms that take part in its first steps; a prefix has none below it.
    pub depth: u32,
    /// Whether the term is `Skip` by its shape: `Skip`, or `|||`, `||`, `[]`, `;`, `atomic` of such terms. Before `;`
    /// such a term has ended without a step; any other that ends there does so by a `tau`.
    pub is_skip: bool,
}

/// The table of all terms of a model. It only grows; ids stay valid. Shared by all workers.
#[derive(Debug)]
pub struct Terms {
    table: RwLock<Table>,
    /// The calls that terms are shown as.
    names: OnceLock<Names>,
}

#[derive(Debug, Default)]
struct Table {
    nodes: Vec<Arc<Node>>,
    ids: FxHashMap<Term, TermId>,
    bodies: FxHashMap<(DefId, Vec<Value>), TermId>,
    /// Normal forms of terms by where they stand.
    forms: FxHashMap<(TermId, Place), TermId>,
    /// About how many bytes all this takes.
    bytes: u64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// A table with `Ended`, `Stop` and `Skip`.
    pub fn new() -> Terms {
        let terms = Terms {
            table: RwLock::default(),
            names: OnceLock::new(),
        };
        assert_eq!(terms.intern(Term::Ended), TermId::ENDED);
        assert_eq!(terms.intern(Term::Stop), TermId::STOP);
        assert_eq!(terms.intern(Term::Skip), TermId::SKIP);
        terms
    }

    /// The term with this id.
    pub fn get(&self, id: TermId) -> Arc<Node> {
        let table = self.table.read().expect("no holder of the term table panics");
        Arc::clone(&table.nodes[id.0 as usize])
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.table
            .read()
            .expect("no holder of the term table panics")
            .nodes
            .len()
    }

    /// About how many bytes the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.table
            .read()
            .expect("no holder of the term table panics")
            .bytes
    }

    /// Whether a predicate is true of any term so far.
    pub(crate) fn any(&self, predicate: impl Fn(&Term) -> bool) -> bool {
        let table = self.table.read().expect("no holder of the term table panics");
        table.nodes.iter().any(|node| predicate(&node.term))
    }

    /// Never: `Ended` is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The id of a term, after normalisation.
    pub fn intern(&self, term: Term) -> TermId {
        let term = match term {
            Term::Sequence(first, second) if self.get(first).is_skip => return second,
            Term::Interleave(v) | Term::Parallel(v) if v.is_empty() => return TermId::SKIP,
            Term::Choice(v) | Term::Internal(v) | Term::External(v) if v.is_empty() => return TermId::STOP,
            Term::Internal(v) => match self.nested(&v) {
                Some(flat) => Term::Internal(flat),
                None if v.len() == 1 => return v[0],
                None => Term::Internal(v),
            },
            Term::Atomic(inner) if matches!(self.get(inner).term, Term::Atomic(_)) => return inner,
            Term::Choice(v) | Term::External(v) | Term::Interleave(v) | Term::Parallel(v) if v.len() == 1 => {
                return v[0];
            }
            term => term,
        };
        let mut table = self.table.write().expect("no holder of the term table panics");
        if let Some(&id) = table.ids.get(&term) {
            return id;
        }
        let mut free = Vec::new();
        free_names(&term, &table.nodes, &mut free);
        free.sort_unstable();
        free.dedup();
        let mut depth = 0;
        if !term.waits() {
            children(&term, &mut |c| {
                depth = depth.max(table.nodes[c.0 as usize].depth + 1);
            });
        }
        let is_skip = term.is_skip(&table.nodes);
        let id = TermId(u32::try_from(table.nodes.len()).expect("fewer than 2^32 terms"));
        // The node, its key in the map, and the map's own slack.
        table.bytes += (size_of::<Node>() + 2 * size_of::<Term>() + 2 * term.heap_bytes() + 48) as u64;
        table.nodes.push(Arc::new(Node {
            term: term.clone(),
            free: free.into(),
            depth,
            is_skip,
        }));
        table.ids.insert(term, id);
        id
    }
}

impl Terms {
    /// The operands of `<>` with those of nested `<>` in their places; none if nothing is nested.
    fn nested(&self, operands: &[TermId]) -> Option<Vec<TermId>> {
        let inner = |&p: &TermId| match &self.get(p).term {
            Term::Internal(v) => Some(v.clone()),
            _ => None,
        };
        let inner: Vec<Option<Vec<TermId>>> = operands.iter().map(inner).collect();
        let flat = operands.iter().zip(&inner);
        let flat = flat.flat_map(|(p, inner)| inner.as_deref().unwrap_or(std::slice::from_ref(p)));
        inner.iter().any(Option::is_some).then(|| flat.copied().collect())
    }

    /// The closed body of a definition, if it was closed before.
    pub(crate) fn known_body(&self, def: DefId, args: &[Value]) -> Option<TermId> {
        let table = self.table.read().expect("no holder of the term table panics");
        // Looking up a borrowed pair would need a key type of its own; closing is not on the hot path.
        table.bodies.get(&(def, args.to_vec())).copied()
    }

    /// The normal form of a term, if it was computed before.
    pub(crate) fn known_form(&self, id: TermId, place: Place) -> Option<TermId> {
        let table = self.table.read().expect("no holder of the term table panics");
        table.forms.get(&(id, place)).copied()
    }

    /// Keeps the normal form of a term; it is its own.
    pub(crate) fn remember_form(&self, id: TermId, place: Place, form: TermId) {
        let mut table = self.table.write().expect("no holder of the term table panics");
        for id in [id, form] {
            if table.forms.insert((id, place), form).is_none() {
                table.bytes += 24;
            }
        }
    }

    /// The calls that terms are shown as, collected when they are first asked for.
    pub(crate) fn names(&self, collect: impl FnOnce() -> Names) -> &Names {
        self.names.get_or_init(collect)
    }

    /// Keeps the closed body of a definition.
    pub(crate) fn remember_body(&self, def: DefId, args: &[Value], body: TermId) {
        let mut table = self.table.write().expect("no holder of the term table panics");
        table.bytes += (96 + size_of_val(args)) as u64;
        table.bodies.insert((def, args.to_vec()), body);
    }
}

impl Term {
    /// About how many bytes it keeps elsewhere. Expressions count one level deep: deeper ones are rare in closed terms.
    fn heap_bytes(&self) -> usize {
        let exprs = |n: usize| n * (size_of::<Expr>() + 16);
        match self {
            Term::Prefix(event, program, _) => exprs(event.indices.len()) + program_bytes(program.as_deref()),
            Term::Silent(program, _) => program_bytes(program.as_deref()),
            Term::Send(_, values, program, _) => exprs(values.len() + 1) + program_bytes(program.as_deref()),
            Term::Receive(_, _, patterns, program, _) => {
                exprs(patterns.len() + 2) + program_bytes(program.as_deref())
            }
            Term::Call(_, args, _) => exprs(args.len()),
            Term::Guard(..) | Term::If(..) | Term::IfAtomic(..) | Term::IfBlocking(..) | Term::Assert(..) => {
                exprs(3)
            }
            Term::Case(branches, _) => exprs(4 * branches.len()),
            Term::Choice(v)
            | Term::Internal(v)
            | Term::External(v)
            | Term::Interleave(v)
            | Term::Parallel(v)
            | Term::Synchronised(v, _) => size_of_val(v.as_slice()),
            _ => 0,
        }
    }

    /// Whether it is `Skip` by its shape. `P; Q` is never interned with such a `P`, so it is no such shape itself.
    fn is_skip(&self, nodes: &[Arc<Node>]) -> bool {
        match self {
            Term::Skip => true,
            Term::Choice(v) | Term::Interleave(v) | Term::Parallel(v) | Term::Synchronised(v, _) => {
                v.iter().all(|p| nodes[p.0 as usize].is_skip)
            }
            Term::Atomic(p) | Term::Process(_, p) => nodes[p.0 as usize].is_skip,
            _ => false,
        }
    }

    /// Whether its first steps are known without looking at its children.
    fn waits(&self) -> bool {
        matches!(
            self,
            Term::Prefix(..)
                | Term::Silent(..)
                | Term::Send(..)
                | Term::Receive(..)
                | Term::If(..)
                | Term::IfBlocking(..)
                | Term::Case(..)
                | Term::Internal(_)
        )
    }
}

fn program_bytes(program: Option<&Program>) -> usize {
    program.map_or(0, |p| size_of::<Program>() + p.body.len() * 4 * size_of::<Expr>())
}

/// Calls `f` with every child of a term.
pub fn children(term: &Term, f: &mut dyn FnMut(TermId)) {
    match term {
        Term::Ended | Term::Stop | Term::Skip | Term::Assert(..) | Term::Call(..) | Term::Fault(_) => {}
        Term::Prefix(_, _, p)
        | Term::Silent(_, p)
        | Term::Send(_, _, _, p)
        | Term::Receive(_, _, _, _, p)
        | Term::Guard(_, p)
        | Term::IfBlocking(_, p)
        | Term::HideOpen(p, _)
        | Term::Hide(p, _)
        | Term::Atomic(p)
        | Term::Indexed(_, _, p)
        | Term::Copies(_, p, _)
        | Term::Process(_, p) => f(*p),
        Term::If(_, p, q) | Term::IfAtomic(_, p, q) | Term::Interrupt(p, q) | Term::Sequence(p, q) => {
            f(*p);
            f(*q);
        }
        Term::Case(branches, otherwise) => {
            branches.iter().for_each(|(_, p)| f(*p));
            f(*otherwise);
        }
        Term::Choice(v)
        | Term::Internal(v)
        | Term::External(v)
        | Term::Interleave(v)
        | Term::Parallel(v)
        | Term::Synchronised(v, _) => v.iter().copied().for_each(f),
    }
}

/// Collects the free names of a term whose children are interned already.
fn free_names(term: &Term, nodes: &[Arc<Node>], out: &mut Vec<BoundId>) {
    let below = |p: TermId, out: &mut Vec<BoundId>| out.extend_from_slice(&nodes[p.0 as usize].free);
    let start = out.len();
    match term {
        Term::Receive(channel, guard, patterns, program, then) => {
            if let Some(guard) = guard {
                guard.free_names(out);
            }
            if let Some(program) = program {
                program.free_names(out);
            }
            below(*then, out);
            unbind(
                out,
                start,
                patterns.iter().filter_map(|p| match p {
                    Pattern::Bind(b) => Some(*b),
                    Pattern::Match(_) => None,
                }),
            );
            for pattern in patterns {
                if let Pattern::Match(e) = pattern {
                    e.free_names(out);
                }
            }
            channel.free_names(out);
            return;
        }
        Term::Indexed(_, bindings, body) => {
            below(*body, out);
            free_names_of_bindings(bindings, start, out);
            return;
        }
        _ => {}
    }
    children(term, &mut |p| below(p, out));
    match term {
        Term::Prefix(event, program, _) => {
            event.indices.iter().for_each(|e| e.free_names(out));
            if let Some(program) = program {
                program.free_names(out);
            }
        }
        Term::Silent(Some(program), _) => program.free_names(out),
        Term::Send(channel, values, program, _) => {
            channel.free_names(out);
            values.iter().for_each(|e| e.free_names(out));
            if let Some(program) = program {
                program.free_names(out);
            }
        }
        Term::Guard(e, _)
        | Term::If(e, ..)
        | Term::IfAtomic(e, ..)
        | Term::IfBlocking(e, _)
        | Term::Assert(e, _)
        | Term::Copies(e, ..) => e.free_names(out),
        Term::Case(branches, _) => branches.iter().for_each(|(e, _)| e.free_names(out)),
        Term::Call(_, args, _) => args.iter().for_each(|e| e.free_names(out)),
        Term::HideOpen(_, patterns) => {
            for pattern in patterns {
                let start = out.len();
                pattern.event.indices.iter().for_each(|e| e.free_names(out));
                free_names_of_bindings(&pattern.bindings, start, out);
            }
        }
        _ => {}
    }
}

/// Removes names from `out[start..]`.
pub(crate) fn unbind(out: &mut Vec<BoundId>, start: usize, bound: impl Iterator<Item = BoundId>) {
    for b in bound {
        let mut i = start;
        while i < out.len() {
            if out[i] == b {
                out.swap_remove(i);
            } else {
                i += 1;
            }
        }
    }
}

/// `out[start..]` are the free names below the bindings; makes them those of the whole.
pub(crate) fn free_names_of_bindings(bindings: &[Binding], start: usize, out: &mut Vec<BoundId>) {
    for binding in bindings.iter().rev() {
        unbind(out, start, std::iter::once(binding.bound));
        binding.values.free_names(out);
    }
}
