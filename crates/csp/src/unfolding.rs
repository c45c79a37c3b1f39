//! The calls unfolded on the way to a first step, so that recursion without an event comes to an end.
//!
//! The steps of a term are the least set that the rules derive. A call that is met again while its own steps are being
//! computed contributes nothing: among the operands of a choice, whatever could be derived through it, its unfolding further out
//! derives too. The same holds for a call met twice in one choice, for its steps are there already; without
//! this, `n` definitions that lead to one another by guards would be walked on all of their `n!` ways.
//!
//! A *part* is an operand whose steps the rule changes before they are steps of the whole: `P ||| Q` puts `Q` back, `P \ {a}`
//! renames. What was met in one part says nothing about the steps of another, so each part starts with the
//! calls around it and no others. A call that comes back to itself in a part, as in `P = [b] (P ||| Q) [] a -> P`, would derive
//! steps without end, each putting back one more `Q`; here, too, the call met again contributes nothing, which keeps the first.
//!
//! A call is known by its closed body: calls with equal bodies have equal steps.

use crate::term::TermId;
use rustc_hash::FxHashSet;

/// The bodies of the calls on the way, and of those met in the part at hand.
#[derive(Debug)]
pub(crate) struct Unfolding {
    /// The bodies whose steps are being computed, outermost first.
    around: Vec<TermId>,
    /// The bodies met so far, a set for each part that the way goes through.
    met: Vec<FxHashSet<TermId>>,
}

impl Unfolding {
    /// No call yet.
    pub(crate) fn new() -> Unfolding {
        Unfolding {
            around: Vec::new(),
            met: vec![FxHashSet::default()],
        }
    }

    /// How many calls are unfolded around the term at hand.
    pub(crate) fn depth(&self) -> usize {
        self.around.len()
    }

    /// Whether the steps of this body are being computed.
    pub(crate) fn is_around(&self, body: TermId) -> bool {
        self.around.contains(&body)
    }

    /// Takes down a body; returns whether it is new to the part at hand.
    pub(crate) fn meet(&mut self, body: TermId) -> bool {
        let part = self.met.last_mut().expect("there is a part at any time");
        part.insert(body)
    }

    /// Enters a body, until `leave`.
    pub(crate) fn enter(&mut self, body: TermId) {
        self.around.push(body);
    }

    /// Leaves the body entered last.
    pub(crate) fn leave(&mut self) {
        self.around.pop();
    }

    /// Starts a part, until `end_part`.
    pub(crate) fn start_part(&mut self) {
        self.met.push(FxHashSet::default());
    }

    /// Ends the part started last.
    pub(crate) fn end_part(&mut self) {
        self.met.pop();
    }
}
