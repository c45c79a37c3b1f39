//! Sets of nodes that several workers unite while they search one graph for strongly connected components.
//!
//! This is the union-find of [Bloemen-PPoPP'16]. Nodes start alone. Workers that find two nodes on a cycle [`unite`] their
//! sets, so at any time a set is a part of one component that is known to be strongly connected. A set also knows
//!
//! - *which workers are in it*: a bit each. A worker that comes to a set with its own bit has closed a cycle ([`claim`]);
//! - *which members are still to be expanded*: a cyclic list from which a node is taken by [`done`], once somebody has seen all
//!   its successors. Any worker of the set may [`pick`] any node of the list, and that is how they share one large component;
//! - *who its members are*: a second cycle, the *ring*, which never loses a node ([`members`]);
//! - *whether it is dead*: all its nodes are done, so it is a whole component, and one worker reports it ([`kill`]).
//!
//! # One record
//! Four words: `parent` (the tree of the set; a root is its own parent), `next` (the list), `ring`, and `meta`, all other bits
//! together, so that one compare-and-swap decides between them. Links are kept as `target ^ own index`: zeroed memory
//! is a node alone, and growing needs no initialisation. 16 bytes a node, in chunks that never move.
//!
//! # Invariants
//! 1. A root is locked while its set is being united. A root that goes under another keeps its `LOCK` for ever: so a
//!    compare-and-swap of `meta` that expects no `LOCK` succeeds at roots only, and a worker's bit or a death never gets lost
//!    in a node that has ceased to be a root.
//! 2. A `next` changes only while its node is `BUSY`, for which it must be live, or when it is `DONE` and not `BUSY`, to skip
//!    nodes that are so too. It is followed only from the latter. So it never leads past a live node, and a node that
//!    is done and its own `next` is in a list without live ones.
//! 3. The list of a root holds all live nodes of its set.
//! 4. A `ring` changes only at a locked root, where another ring is put in right after it. So a walk from a root on, once it
//!    has taken its first step, sees the members of that moment, whatever is united meanwhile.
//! 5. A set's nodes are `BUSY` only while its root is locked, and a worker that waits for a lock holds at most that of a
//!    root of lower index. So nobody waits in a circle. Who does not unite waits only for who does, or for `members`;
//!    `done` waits for nobody.
//!
//! # Cost
//! Without contention all operations but `members` take time logarithmic in the size of the set, amortised: roots are linked in a
//! random order of priority, and paths and lists are shortened in passing [Goel-SODA'14]. Nobody allocates but `grow`.
//! `unite` puts the lists together at the very nodes it is given, and `done` shortens the list from its node on. Who unites each node with
//! the one it came from, from below, and is done with them from above, never leaves a long run of nodes that are done.
//! Whoever finds a lock taken spins a little and then gives the core away.
//!
//! # Orderings
//! Parents are read with Acquire and written with Release, also when a path is shortened: who sees a link then sees all
//! links it was derived from, so that [`same_set`] says yes whenever what the worker knows implies it. A worker that
//! looks on its way for the set that it has come to would otherwise not find it there.
//! All changes to `meta` are read-modify-writes, so a release in one is seen through all later ones. `done` releases, `pick`
//! acquires, `kill` does both: who sees a dead set sees all that was written before its nodes were done.
//!
//! Differs from the paper: all bits of a node are in one word; the lock stays on linked roots; members have a ring of their own;
//! sets without a node to expand can be united too (invariant 3: the other side's root becomes the root), though
//! the search never does that.
//!
//! [`unite`]: UnionFind::unite
//! [`claim`]: UnionFind::claim
//! [`done`]: UnionFind::done
//! [`pick`]: UnionFind::pick
//! [`members`]: UnionFind::members
//! [`kill`]: UnionFind::kill
//! [`same_set`]: UnionFind::same_set

use crate::Growth;
use crate::prefetch::{prefetch, prefetch_to_write};
use crate::sync::{
    AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
    Patience, zeroed,
};

/// Workers that can share a [`UnionFind`]: each has a bit in a word, next to four others.
pub const MAX_WORKERS: u32 = 28;

/// The workers in the set, a bit each; counts at the root only.
const WORKERS: u32 = (1 << MAX_WORKERS) - 1;
/// The node's `next` is being changed, by who unites the list with another.
const BUSY: u32 = 1 << 28;
/// The node's successors were all seen; for ever. A node without this bit is called live.
const DONE: u32 = 1 << 29;
/// The node is a root whose set is being united, or no root any more.
const LOCK: u32 = 1 << 30;
/// The set is a whole component; counts at the root only.
const DEAD: u32 = 1 << 31;

/// Words a record has.
const WORDS: usize = 4;
/// Where `meta` is in a record.
const META: usize = 3;
/// A way from node to node, and where it is in a record.
#[derive(Clone, Copy)]
enum Link {
    Parent = 0,
    Next = 1,
    Ring = 2,
}

/// Nodes a chunk holds, as a power of two: 256 KiB. Models under loom have a handful of nodes, each atomic dear.
const SHIFT: u32 = if cfg!(loom) { 2 } else { 14 };
const CHUNK: usize = 1 << SHIFT;
/// Records one after the other, as plain words: those can be had zeroed, and so untouched, without unsafe code.
type Chunk = [AtomicU32; WORDS * CHUNK];

/// What a worker that comes to a node finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A component that is done with.
    Dead,
    /// A set the worker is in already: it has closed a cycle.
    Found,
    /// A set the worker was not in, and is now.
    Entered,
}

/// Sets of nodes, each numbered from 0, shared by up to [`MAX_WORKERS`] workers.
///
/// Methods panic if a node is beyond what [`UnionFind::grow`] has made room for.
#[derive(Debug, Default)]
pub struct UnionFind {
    chunks: Vec<Box<Chunk>>,
}

impl UnionFind {
    /// Without nodes. Allocates nothing.
    pub fn new() -> UnionFind {
        UnionFind::default()
    }

    /// Makes room for at least `nodes` nodes; new ones are alone in their sets.
    pub fn grow(&mut self, nodes: usize) {
        while self.capacity() < nodes {
            let chunk = zeroed(WORDS * CHUNK).try_into();
            self.chunks.push(chunk.expect("as many words as a chunk has"));
        }
    }

    /// How many nodes there is room for.
    pub fn capacity(&self) -> usize {
        self.chunks.len() << SHIFT
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let list = self.chunks.capacity() * size_of::<Box<Chunk>>();
        (self.chunks.len() * size_of::<Chunk>() + list) as u64
    }

    /// What [`UnionFind::grow`] to `nodes` would cost now, but for the short list of chunks.
    pub fn growth(&self, nodes: usize) -> Growth {
        let chunks = nodes.saturating_sub(self.capacity()).div_ceil(CHUNK);
        Growth {
            taken: (chunks * size_of::<Chunk>()) as u64,
            freed: 0,
        }
    }

    /// Asks for the memory of a node's record.
    #[inline]
    pub fn approach(&self, node: u32) {
        prefetch(self.meta(node));
    }

    /// The same, for who is going to change it.
    #[inline]
    pub fn approach_to_write(&self, node: u32) {
        prefetch_to_write(self.meta(node));
    }

    /// Lets a worker into the node's set, if it is not dead and the worker not yet in it.
    ///
    /// Who gets `Found` knows all that made the set one set with that which the worker entered.
    #[inline]
    pub fn claim(&self, node: u32, worker: u32) -> Claim {
        debug_assert!(worker < MAX_WORKERS, "a worker has a bit");
        let bit = 1 << worker;
        let mut patience = Patience::default();
        loop {
            let root = self.find(node);
            // Acquire: who finds a set dead, or itself in it, sees what led to that.
            let meta = self.meta(root).load(Acquire);
            if meta & DEAD != 0 {
                return Claim::Dead;
            }
            // Sets only grow: this holds even if the root is one no longer.
            if meta & bit != 0 {
                return Claim::Found;
            }
            if meta & LOCK != 0 {
                patience.wait();
                continue;
            }
            // Relaxed: a worker publishes nothing by its bit; who carries it on read it under the lock. (Invariant 1.)
            let entered = self
                .meta(root)
                .compare_exchange_weak(meta, meta | bit, Relaxed, Relaxed);
            if entered.is_ok() {
                return Claim::Entered;
            }
        }
    }

    /// Whether other workers are in the node's set, and this one is not; none is in one that is dead.
    #[inline]
    pub fn is_others(&self, node: u32, worker: u32) -> bool {
        let meta = self.meta(self.find(node)).load(Relaxed);
        meta & (DEAD | 1 << worker) == 0 && meta & WORKERS != 0
    }

    /// The root of the node's set, at some time during the call. Shortens the path by halving.
    #[inline]
    pub fn find(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.link(node, Link::Parent);
            if parent == node {
                return node;
            }
            let above = self.link(parent, Link::Parent);
            if above == parent {
                return parent;
            }
            // No compare-and-swap: any ancestor will do, and a node that has a parent never becomes a root again.
            self.set_link(node, Link::Parent, above);
            node = above;
        }
    }

    /// Whether two nodes are in one set.
    ///
    /// `true` stays true. `false` was so at some time during the call, and is never said against what the worker knows.
    #[inline]
    pub fn same_set(&self, a: u32, b: u32) -> bool {
        loop {
            let (root_a, root_b) = (self.find(a), self.find(b));
            if root_a == root_b {
                return true;
            }
            // If the first is a root still, both were when the second was found.
            if self.link(root_a, Link::Parent) == root_a {
                return false;
            }
        }
    }

    /// Makes one set of two, neither of them dead; no change if they are one already.
    pub fn unite(&self, a: u32, b: u32) {
        let Some((root_a, root_b)) = self.lock_both(a, b) else {
            return;
        };
        debug_assert!(
            !self.is_dead(root_a) && !self.is_dead(root_b),
            "a dead set is a whole component"
        );
        let (live_a, live_b) = (self.hold(a, root_a), self.hold(b, root_b));
        let (a, b) = (root_a, root_b);
        // Invariant 3 where one side is done with; otherwise a random priority keeps trees shallow.
        let (root, child) = match (live_a, live_b) {
            (Some(_), None) => (a, b),
            (None, Some(_)) => (b, a),
            _ if priority(a) < priority(b) => (b, a),
            _ => (a, b),
        };
        if let (Some(x), Some(y)) = (live_a, live_b) {
            self.splice(Link::Next, x, y);
        }
        self.splice(Link::Ring, a, b);
        // Neither mask changes under the lock, and the word that was locked is the last there is: Relaxed.
        let mask = |node| self.meta(node).load(Relaxed) & WORKERS;
        let new = mask(child) & !mask(root);
        self.set_link(child, Link::Parent, root);
        // Only now may others pass from one list into the other: they have to find one set there. Release: the new `next`,
        // and the link of the roots before it.
        for held in [live_a, live_b].into_iter().flatten() {
            self.meta(held).fetch_xor(BUSY, Release);
        }
        // Release: all of the above, to who locks, finds itself in the set, or finds it dead.
        self.meta(root).fetch_xor(new | LOCK, Release);
    }

    /// A node of the set that is still to be expanded, or `None` if there is none (and there never will be, unless
    /// the set is united with another).
    ///
    /// By the time it returns the node may be done, by another worker.
    pub fn pick(&self, node: u32) -> Option<u32> {
        // From the node's own place in the list, so that workers start at different ones.
        let mut from = node;
        loop {
            if let Some(live) = self.live_from(from) {
                return Some(live);
            }
            // Invariant 3 speaks of the root's list. The node's is another one only where sets were united without a
            // live node on one side.
            let root = self.find(node);
            if root == from {
                return None;
            }
            from = root;
        }
    }

    /// Takes a node from the list: all its successors have been seen. No change if it was taken before.
    #[inline]
    pub fn done(&self, node: u32) {
        // Also while it is busy: who walks the list waits until it is not. Release: what was written while the node was
        // expanded, to who finds it done.
        // Acquire: its `next` as last united.
        if self.meta(node).fetch_or(DONE, AcqRel) & BUSY == 0 {
            self.skip(node);
        }
    }

    /// Shortens the list from a node that is done, and not busy, up to one that is not so. Waits for nobody.
    fn skip(&self, mut node: u32) {
        // Acquire: as in `is_live`.
        let is_left = |node| self.meta(node).load(Acquire) & (DONE | BUSY) == DONE;
        loop {
            let next = self.link(node, Link::Next);
            if next == node || !is_left(next) {
                return;
            }
            let after = self.link(next, Link::Next);
            self.set_link(node, Link::Next, after);
            if !is_left(after) {
                return;
            }
            node = after;
        }
    }

    /// Whether the node has been taken from the list: its successors need not be looked at any more.
    ///
    /// Nodes on a worker's own stack are in the list too, so even one worker may pick a node that it is expanding
    /// further down. What is left to do there is then left out.
    #[inline]
    pub fn is_done(&self, node: u32) -> bool {
        // Acquire: what was written while it was expanded.
        self.meta(node).load(Acquire) & DONE != 0
    }

    /// Marks the set dead: true for exactly one caller. Only for sets of which [`UnionFind::pick`] gave `None`.
    pub fn kill(&self, node: u32) -> bool {
        let mut patience = Patience::default();
        loop {
            let root = self.find(node);
            // Acquire: who comes second, too, sees what was done in the set.
            let meta = self.meta(root).load(Acquire);
            if meta & DEAD != 0 {
                return false;
            }
            if meta & LOCK != 0 {
                patience.wait();
                continue;
            }
            // Release: what this worker learnt from the list, that is the work of all, to who finds the set dead.
            let killed = self
                .meta(root)
                .compare_exchange_weak(meta, meta | DEAD, Release, Relaxed);
            if killed.is_ok() {
                return true;
            }
        }
    }

    /// Whether the node's set is dead. Who learns that it is sees all that was written before its nodes were done.
    #[inline]
    pub fn is_dead(&self, node: u32) -> bool {
        self.meta(self.find(node)).load(Acquire) & DEAD != 0
    }

    /// Whether the node is the only member of its set, which the caller has killed.
    #[inline]
    pub fn is_alone(&self, node: u32) -> bool {
        self.link(node, Link::Ring) == node
    }

    /// The members of the node's set as they are at one time during the call, in no particular order.
    ///
    /// Others may unite the set meanwhile.
    pub fn members(&self, node: u32) -> impl Iterator<Item = u32> {
        // The lock keeps out who is about to put another ring in after the root. (Invariant 4.)
        let root = self.lock(node);
        let mut member = self.link(root, Link::Ring);
        self.unlock(root);
        let others = std::iter::from_fn(move || {
            let this = member;
            (this != root).then(|| {
                member = self.link(this, Link::Ring);
                this
            })
        });
        std::iter::once(root).chain(others)
    }

    /// Makes the record fresh: a live node alone in its set, without workers. Only where all nodes of its set are
    /// reset and nobody else touches them meanwhile.
    pub fn reset(&self, node: u32) {
        // Relaxed: it is for the caller to tell others.
        (0..WORDS).for_each(|word| self.word(node, word).store(0, Relaxed));
    }

    /// A live node of the list at `node`, skipping nodes that are done for those who come later.
    fn live_from(&self, mut node: u32) -> Option<u32> {
        loop {
            if self.is_live(node) {
                return Some(node);
            }
            let next = self.link(node, Link::Next);
            if next == node {
                return None;
            }
            if self.is_live(next) {
                return Some(next);
            }
            let after = self.link(next, Link::Next);
            // No compare-and-swap: what is between is done, and stays so. (Invariant 2.) Release: who skips it
            // sees what was written before it was done, like who looked at it.
            self.set_link(node, Link::Next, after);
            node = after;
        }
    }

    /// Whether the node is live; if not, its `next` can be followed.
    #[inline]
    fn is_live(&self, node: u32) -> bool {
        let mut patience = Patience::default();
        loop {
            // Acquire: if it is done, its `next` as last united, and what was written while it was expanded.
            let meta = self.meta(node).load(Acquire);
            if meta & DONE == 0 {
                return true;
            }
            if meta & BUSY == 0 {
                return false;
            }
            patience.wait();
        }
    }

    /// Makes a live node of the list that a locked root's node is in busy, the node itself if it is one; `None` if there is none.
    fn hold(&self, node: u32, root: u32) -> Option<u32> {
        loop {
            // Invariant 3 speaks of the root's list.
            let node = self.live_from(node).or_else(|| self.live_from(root))?;
            let meta = self.meta(node);
            // Relaxed, here and below: a live node's `next` is changed under the lock only, which was taken with Acquire.
            let mut seen = meta.load(Relaxed);
            while seen & DONE == 0 {
                debug_assert_eq!(seen & BUSY, 0, "only who holds the lock makes nodes busy");
                match meta.compare_exchange_weak(seen, seen | BUSY, Relaxed, Relaxed) {
                    Ok(_) => return Some(node),
                    Err(now) => seen = now,
                }
            }
        }
    }

    /// Makes one cycle of two that go through `a` and `b`, in a kind of links that nobody else may change there now.
    fn splice(&self, link: Link, a: u32, b: u32) {
        let (after_a, after_b) = (self.link(a, link), self.link(b, link));
        self.set_link(a, link, after_b);
        self.set_link(b, link, after_a);
    }

    /// Locks the roots of two nodes, unless it is one.
    fn lock_both(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let mut patience = Patience::default();
        loop {
            let (root_a, root_b) = (self.find(a), self.find(b));
            if root_a == root_b {
                return None;
            }
            // The lower first. (Invariant 5.)
            let (low, high) = (root_a.min(root_b), root_a.max(root_b));
            if self.lock_root(low) {
                if self.lock_root(high) {
                    return Some((root_a, root_b));
                }
                self.unlock(low);
            }
            patience.wait();
        }
    }

    /// Locks the root of a node's set.
    fn lock(&self, node: u32) -> u32 {
        let mut patience = Patience::default();
        loop {
            let root = self.find(node);
            if self.lock_root(root) {
                return root;
            }
            patience.wait();
        }
    }

    /// Locks a node as soon as that is possible; false if it is a root no longer.
    fn lock_root(&self, node: u32) -> bool {
        let mut patience = Patience::default();
        let meta = self.meta(node);
        let mut seen = meta.load(Relaxed);
        loop {
            if seen & LOCK != 0 {
                // Locked for ever if it is linked, which happens before the other root is unlocked. (Invariant 1.)
                if self.link(node, Link::Parent) != node {
                    return false;
                }
                patience.wait();
                seen = meta.load(Relaxed);
                continue;
            }
            // Acquire: lists, rings and workers as who held the lock before left them.
            match meta.compare_exchange_weak(seen, seen | LOCK, Acquire, Relaxed) {
                Ok(_) => return true,
                Err(now) => seen = now,
            }
        }
    }

    /// Unlocks a root that stays one.
    fn unlock(&self, root: u32) {
        // Release: what was read under the lock was read before its next owner writes.
        self.meta(root).fetch_xor(LOCK, Release);
    }

    #[inline]
    fn word(&self, node: u32, word: usize) -> &AtomicU32 {
        &self.chunks[node as usize >> SHIFT][(node as usize & (CHUNK - 1)) * WORDS + word]
    }

    #[inline]
    fn meta(&self, node: u32) -> &AtomicU32 {
        self.word(node, META)
    }

    /// Where a link leads.
    #[inline]
    fn link(&self, node: u32, link: Link) -> u32 {
        let order = match link {
            // See the header for parents, `live_from` for the list.
            Link::Parent | Link::Next => Acquire,
            // Who walks the ring has locked its root before, or killed the set.
            Link::Ring => Relaxed,
        };
        self.word(node, link as usize).load(order) ^ node
    }

    /// Makes a link lead elsewhere, with the other half of each ordering above.
    #[inline]
    fn set_link(&self, node: u32, link: Link, target: u32) {
        let order = match link {
            Link::Parent | Link::Next => Release,
            Link::Ring => Relaxed,
        };
        self.word(node, link as usize).store(target ^ node, order);
    }
}

/// A random order of nodes: a bijection that mixes all bits of the index (the last steps of MurmurHash3).
fn priority(node: u32) -> u32 {
    let mut mixed = node;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}
