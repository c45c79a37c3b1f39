//! Which words an expression or a program reads before it writes them, and which it certainly writes.

use super::set::VariableSet;
use crate::model::{Base, BinaryOp, ChannelRef, Expr, Holder, Model, Program, Stmt, Target, Values, VarId};
use crate::model::{Binding, Value};

/// What a piece of text does to variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// Read before they are certainly written.
    pub(super) read: VariableSet,
    /// Certainly written, if nothing goes wrong.
    pub(super) written: VariableSet,
}

/// Where each variable's words lie among all of them.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) model: &'a Model,
    /// The first word of each variable.
    pub(super) first: &'a [u32],
}

impl Reader<'_> {
    /// All words of a variable.
    fn whole(&self, VarId(v): VarId) -> (u32, u32) {
        let first = self.first[v as usize];
        (first, first + self.model.variables[v as usize].init.len() as u32)
    }

    /// The words that an element may be: one if its indices are known. And whether they are.
    fn element(&self, v: VarId, indices: &[Expr]) -> ((u32, u32), bool) {
        let (first, end) = self.whole(v);
        let dims = &self.model.variables[v.0 as usize].dims;
        let mut flat = 0;
        for (e, &dim) in indices.iter().zip(dims) {
            match e {
                Expr::Const(Value::Int(i)) if u32::try_from(*i).is_ok_and(|i| i < dim) => {
                    flat = flat * dim + *i as u32;
                }
                _ => return ((first, end), false),
            }
        }
        match indices.len() == dims.len() {
            true => ((first + flat, first + flat + 1), true),
            false => ((first, end), false),
        }
    }

    fn read(&self, (start, end): (u32, u32), uses: &mut Uses) {
        let new = VariableSet::range(start, end).without(&uses.written);
        uses.read.union(&new);
    }

    /// What may not happen reads, and writes nothing for certain.
    fn perhaps(&self, uses: &mut Uses, f: impl FnOnce(&mut Uses)) {
        let written = uses.written.clone();
        f(uses);
        uses.written = written;
    }

    pub(super) fn all(&self, exprs: &[Expr], uses: &mut Uses) {
        exprs.iter().for_each(|e| self.expr(e, uses));
    }

    pub(super) fn channel(&self, channel: &ChannelRef, uses: &mut Uses) {
        channel.index.iter().for_each(|index| self.expr(index, uses));
    }

    pub(super) fn bindings(&self, bindings: &[Binding], uses: &mut Uses) {
        for binding in bindings {
            match &binding.values {
                Values::List(list) => self.all(list, uses),
                Values::Range(lower, upper) => {
                    self.expr(lower, uses);
                    self.expr(upper, uses);
                }
            }
        }
    }

    pub(super) fn expr(&self, e: &Expr, uses: &mut Uses) {
        match e {
            Expr::Const(_) | Expr::Bound(_) | Expr::Local(_) | Expr::Fault(_) => {}
            Expr::Var(v, _) => self.read(self.whole(*v), uses),
            Expr::Element(base, indices, _) => {
                self.all(indices, uses);
                if let Base::Var(v) = base {
                    self.read(self.element(*v, indices).0, uses);
                }
            }
            Expr::Unary(_, e, _) => self.expr(e, uses),
            Expr::Binary(op, a, b, _) => {
                self.expr(a, uses);
                match op {
                    BinaryOp::And | BinaryOp::Or => self.perhaps(uses, |uses| self.expr(b, uses)),
                    _ => self.expr(b, uses),
                }
            }
            Expr::Quantified(_, bindings, body) => self.perhaps(uses, |uses| {
                self.bindings(bindings, uses);
                self.expr(body, uses);
            }),
            Expr::Channel(_, channel) => self.channel(channel, uses),
            Expr::Ask(_, operands, _) | Expr::Call(_, operands, _) | Expr::Array(operands, _) => {
                self.all(operands, uses);
            }
            Expr::Program(body, _) => body.iter().for_each(|stmt| self.stmt(stmt, uses)),
            Expr::Change(holder, _, args, _) => {
                self.all(args, uses);
                if let Holder::Var(v) = holder {
                    let (start, end) = self.whole(*v);
                    self.read((start, end), uses);
                    uses.written.add(start, end);
                }
            }
            Expr::Assign(target, e, _) => {
                // Which is evaluated first, index or value, makes no difference where neither assigns; where one does,
                // what it writes counts for nothing here.
                self.perhaps(uses, |uses| match target {
                    Target::Var(_) | Target::Local(_) => {}
                    Target::Element(_, indices) => self.all(indices, uses),
                    Target::LocalElement(_, index) => self.expr(index, uses),
                });
                self.expr(e, uses);
                match target {
                    Target::Var(v) => {
                        let (start, end) = self.whole(*v);
                        uses.written.add(start, end);
                    }
                    Target::Element(v, indices) => {
                        if let ((start, end), true) = self.element(*v, indices) {
                            uses.written.add(start, end);
                        }
                    }
                    Target::Local(_) | Target::LocalElement(..) => {}
                }
            }
        }
    }

    pub(super) fn program(&self, program: &Program, uses: &mut Uses) {
        program.body.iter().for_each(|stmt| self.stmt(stmt, uses));
    }

    fn stmt(&self, stmt: &Stmt, uses: &mut Uses) {
        match stmt {
            Stmt::Expr(e) | Stmt::Local(_, e) => self.expr(e, uses),
            Stmt::LocalArray(_, values) => self.all(values, uses),
            Stmt::Block(body) => body.iter().for_each(|stmt| self.stmt(stmt, uses)),
            Stmt::While(condition, body, _) => {
                self.expr(condition, uses);
                self.perhaps(uses, |uses| self.stmt(body, uses));
            }
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition, uses);
                let before = uses.written.clone();
                self.stmt(then, uses);
                let by_then = std::mem::replace(&mut uses.written, before);
                otherwise.iter().for_each(|stmt| self.stmt(stmt, uses));
                uses.written = uses.written.common(&by_then);
            }
        }
    }
}
