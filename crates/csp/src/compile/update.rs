//! What a row does to the variables: assignments of a constant or additions of one as far as possible, and [`Code`] for the rest.

use super::code::{Code, Compiler, Instr};
use super::guard::Words;
use super::layout::Layout;
use super::machine::Machine;
use crate::model::{At, Base, BinaryOp, Expr, Program, Stmt, Target, Type, Value};
use fairhold_system::{Fault, Word};
use std::sync::Arc;

/// A simple change of a word: it cannot go wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Set { word: u32, value: i32 },
    Add { word: u32, value: i32 },
}

impl Change {
    #[inline]
    pub(super) fn apply(self, state: &mut [Word]) {
        match self {
            Change::Set { word, value } => state[word as usize] = value as Word,
            Change::Add { word, value } => {
                state[word as usize] = state[word as usize].wrapping_add(value as Word);
            }
        }
    }
}

/// What a row does to the variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Update {
    pub(super) changes: Box<[Change]>,
    pub(super) codes: Box<[Code]>,
}

impl Update {
    /// Changes a state.
    #[inline]
    pub(super) fn apply(&self, machine: &mut Machine, state: &mut [Word]) -> Result<(), Fault> {
        self.changes.iter().for_each(|change| change.apply(state));
        for code in &self.codes {
            machine.run(code, state)?;
        }
        Ok(())
    }

    /// The words it may change.
    pub(super) fn written(&self, layout: &Layout) -> Vec<usize> {
        let changes = self.changes.iter().map(|&change| match change {
            Change::Set { word, .. } | Change::Add { word, .. } => word as usize,
        });
        let mut written: Vec<usize> = changes.collect();
        for instr in self.codes.iter().flat_map(|code| &code.instrs) {
            match *instr {
                Instr::Store(word) => written.push(word as usize),
                Instr::StoreAt(base) => written.extend(layout.variable_at(base as usize)),
                _ => {}
            }
        }
        written.sort_unstable();
        written.dedup();
        written
    }
}

impl Words<'_> {
    /// The update that runs these programs.
    pub(super) fn update(self, programs: &[Arc<Program>]) -> Update {
        let mut changes = Vec::new();
        let mut codes = Vec::new();
        for program in programs {
            let mut body = program.body.as_slice();
            while let Some((first, rest)) = body.split_first()
                && codes.is_empty()
                && let Some(change) = self.change(first)
            {
                changes.push(change);
                body = rest;
            }
            if !body.is_empty() {
                let rest = Program {
                    locals: program.locals,
                    body: body.to_vec(),
                    at: program.at,
                };
                codes.push(Compiler::program(self.model, self.layout, &rest));
            }
        }
        Update {
            changes: changes.into(),
            codes: codes.into(),
        }
    }

    /// A statement that is a simple change.
    fn change(self, stmt: &Stmt) -> Option<Change> {
        let Stmt::Expr(Expr::Assign(target, e, _)) = stmt else {
            return None;
        };
        let (place, v) = match target {
            Target::Var(v) => (Expr::Var(*v, At::default()), *v),
            Target::Element(v, indices) => (Expr::Element(Base::Var(*v), indices.clone(), At::default()), *v),
            Target::Local(_) | Target::LocalElement(..) => return None,
        };
        let (word, ty) = self.word(&place)?;
        let decl = &self.model.variables[v.0 as usize];
        match &**e {
            Expr::Const(constant) => {
                let (of, value) = constant.word()?;
                let inside = decl.lower.is_none_or(|l| value >= l) && decl.upper.is_none_or(|u| value <= u);
                (of == ty && inside).then_some(Change::Set { word, value })
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b, _) => match &**b {
                Expr::Const(Value::Int(n))
                    if **a == place && ty == Type::Int && decl.lower.is_none() && decl.upper.is_none() =>
                {
                    let value = if *op == BinaryOp::Add {
                        *n
                    } else {
                        n.wrapping_neg()
                    };
                    Some(Change::Add { word, value })
                }
                _ => None,
            },
            _ => None,
        }
    }
}
