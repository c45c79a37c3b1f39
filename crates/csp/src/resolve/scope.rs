//! Names in scope inside a definition: parameters, index variables, input variables, local variables.
//!
//! Bound names are numbered by depth ([`BoundId`]), so a scope is a stack. Expanding a macro hides the stack below
//! the macro's parameters without forgetting its depth: what the macro binds gets numbers that clash with nothing
//! its arguments mention.

use super::expression::Typed;
use crate::model::{BoundId, LocalId};

/// What a name in scope stands for.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A parameter, an index variable or an input variable.
    Bound(BoundId),
    /// A local variable, and an expression of its type.
    Local(LocalId, super::expression::Ty),
    /// A macro's parameter or a quantified variable of a formula: stands for an expression.
    Is(Typed),
}

/// A stack of names.
#[derive(Debug, Default)]
pub(super) struct Scope {
    entries: Vec<(String, Entry)>,
    /// Entries below are hidden.
    visible: usize,
    /// Bound names on the stack, hidden ones included.
    bound: u32,
    /// Local variables of the program so far.
    pub(super) locals: u32,
    /// Inside a program, where assignments are allowed.
    pub(super) in_program: bool,
}

/// How high a stack was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    entries: usize,
    visible: usize,
}

impl Scope {
    /// How high the stack is.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            entries: self.entries.len(),
            visible: self.visible,
        }
    }

    /// Forgets what came after the mark.
    pub(super) fn leave(&mut self, mark: Mark) {
        for (_, entry) in self.entries.drain(mark.entries..) {
            if matches!(entry, Entry::Bound(_)) {
                self.bound -= 1;
            }
        }
        self.visible = mark.visible;
    }

    /// Hides everything so far, until the stack is left to an earlier mark.
    pub(super) fn hide_all(&mut self) {
        self.visible = self.entries.len();
    }

    /// Binds a name at the next depth.
    pub(super) fn bind(&mut self, name: &str) -> BoundId {
        let id = BoundId(self.bound);
        self.bound += 1;
        self.entries.push((name.to_owned(), Entry::Bound(id)));
        id
    }

    /// Declares a local variable.
    pub(super) fn local(&mut self, name: &str, ty: super::expression::Ty) -> LocalId {
        let id = LocalId(self.locals);
        self.locals += 1;
        self.entries.push((name.to_owned(), Entry::Local(id, ty)));
        id
    }

    /// Lets a name stand for an expression.
    pub(super) fn substitute(&mut self, name: &str, value: Typed) {
        self.entries.push((name.to_owned(), Entry::Is(value)));
    }

    /// What a name stands for, innermost first.
    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries[self.visible..]
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, entry)| entry)
    }

    /// All visible names.
    pub(super) fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.entries[self.visible..].iter().map(|(n, _)| n.as_str())
    }
}
