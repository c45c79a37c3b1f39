//! Code for calls: methods of collections, functions, and macros that are programs.

use super::code::{Compiler, Instr, Kind};
use crate::expr::fault;
use crate::library::{self, Collections, Function, Method};
use crate::model::{At, Expr, Holder, Stmt, Type, Value};
use crate::reference::place;
use fairhold_system::Fault;
use std::sync::Arc;

/// A call of a method whose operands have known types.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MethodCall {
    method: Method,
    /// Of the collection and the arguments, in the order in which they lie on the stack: the collection comes first.
    types: Vec<Type>,
    /// Where the call stands; what is wrong goes into this.
    fault: Fault,
    /// What the numbers of collections stand for.
    collections: Arc<Collections>,
}

impl MethodCall {
    /// Calls the method on the top of the stack.
    pub(super) fn run(&self, stack: &mut Vec<i32>) -> Result<(), Fault> {
        let words = stack.split_off(stack.len() - self.types.len());
        let operands = self.types.iter().zip(words);
        let operands: Vec<Value> = operands
            .map(|(&ty, word)| self.collections.value(ty, word))
            .collect();
        let applied = library::apply(self.method, &operands[0], &operands[1..]);
        let applied = applied.map_err(|message| Fault {
            message,
            ..self.fault.clone()
        })?;
        let value = self.collections.word(&applied.value);
        stack.push(value.expect("a method gives no array").1);
        if let Some(changed) = &applied.changed {
            stack.push(self.collections.number(changed));
        }
        Ok(())
    }
}

/// Calls a function on the top of the stack.
pub(super) fn run_function(function: Function, stack: &mut Vec<i32>, at: &Fault) -> Result<(), Fault> {
    let words = stack.split_off(stack.len() - function.arity());
    let args: Vec<Value> = words.into_iter().map(Value::Int).collect();
    let value = function.apply(&args).map_err(|message| Fault {
        message,
        ..at.clone()
    })?;
    stack.push(value.word().expect("a function gives an integer").1);
    Ok(())
}

impl Compiler<'_> {
    /// A method that changes nothing.
    pub(super) fn ask(&mut self, method: Method, operands: &[Expr], at: At) -> Kind {
        let Some(types) = self.words(operands, at) else {
            return Kind::Never;
        };
        self.call(method, types, at)
    }

    /// A method on a variable, which it may change.
    pub(super) fn change(&mut self, holder: Holder, method: Method, args: &[Expr], at: At) -> Kind {
        // The collection is read when the arguments have been evaluated, for these may change it, too; so they wait in
        // local words, since it lies below them on the stack.
        let Some(types) = self.words(args, at) else {
            return Kind::Never;
        };
        let first = self.code.locals;
        self.code.locals += types.len() as u32;
        for i in (0..types.len() as u32).rev() {
            self.emit(Instr::StoreLocal(first + i));
            self.emit(Instr::Pop);
        }
        let receiver = match holder {
            Holder::Var(v) => self.expr(&Expr::Var(v, at)),
            Holder::Local(l) => self.local(l),
        };
        let Kind::Word(receiver) = receiver else {
            return self.never(at, format!("this has no method `{}`", method.name()));
        };
        (0..types.len() as u32).for_each(|i| self.emit(Instr::LoadLocal(first + i)));
        let kind = self.call(method, [vec![receiver], types].concat(), at);
        if kind == Kind::Never {
            return kind;
        }
        match holder {
            Holder::Var(v) => {
                if !self.check_store(v, Kind::Word(receiver), at) {
                    return Kind::Never;
                }
                self.emit(Instr::Store(self.layout.variables[v.0 as usize] as u32));
            }
            Holder::Local(l) => self.emit(Instr::StoreLocal(self.places[l.0 as usize])),
        }
        self.emit(Instr::Pop);
        kind
    }

    /// The call itself, of a method on the operands that lie on the stack.
    fn call(&mut self, method: Method, types: Vec<Type>, at: At) -> Kind {
        let Type::Collection(receiver) = types[0] else {
            let message = format!("{} has no method `{}`", types[0].word(), method.name());
            return self.never(at, message);
        };
        let signature = method.signature(receiver.class, types.len() - 1);
        let fits = signature.filter(|s| {
            s.takes
                .iter()
                .zip(&types[1..])
                .all(|(t, ty)| t.of(receiver) == *ty)
        });
        let Some(signature) = fits else {
            let message = format!("{} has no method `{}` for this", types[0].word(), method.name());
            return self.never(at, message);
        };
        let collections = Arc::clone(&self.model.collections);
        self.code.calls.push(MethodCall {
            method,
            types,
            fault: fault(at, ""),
            collections,
        });
        self.emit(Instr::Method(self.code.calls.len() as u32 - 1));
        Kind::Word(signature.gives.of(receiver))
    }

    /// `call(Max, x, y)`
    pub(super) fn function(&mut self, function: Function, args: &[Expr], at: At) -> Kind {
        let Some(types) = self.words(args, at) else {
            return Kind::Never;
        };
        if types.iter().any(|ty| *ty != Type::Int) {
            return self.never(at, format!("`{}` takes integers", function.name()));
        }
        let number = self.fault_number(at, "");
        self.emit(Instr::Function(function, number));
        Kind::Word(Type::Int)
    }

    /// Leaves the words of expressions, one after the other; answers their types, or none if that has gone wrong.
    fn words(&mut self, exprs: &[Expr], at: At) -> Option<Vec<Type>> {
        let mut types = Vec::new();
        for e in exprs {
            match self.expr(e) {
                Kind::Word(ty) => types.push(ty),
                Kind::Never => return None,
                Kind::Array(_) => {
                    self.never(at, "an array has no place here");
                    return None;
                }
            }
        }
        Some(types)
    }

    /// A macro that is a program: its value is that of the last expression evaluated.
    pub(super) fn program_value(&mut self, body: &[Stmt], at: At) -> Kind {
        let Some((last, before)) = body.split_last() else {
            return self.never(at, "this program comes to no value");
        };
        before.iter().for_each(|stmt| self.stmt(stmt));
        match last {
            Stmt::Expr(e) => self.expr(e),
            Stmt::Block(body) => self.program_value(body, at),
            Stmt::If(condition, then, otherwise) => {
                self.truth(condition);
                let skip = self.jump(Instr::Unless(0));
                let a = self.program_value(std::slice::from_ref(then), at);
                let end = self.jump(Instr::Jump(0));
                self.land(skip);
                let b = match otherwise {
                    Some(otherwise) => self.program_value(std::slice::from_ref(otherwise), at),
                    None => self.never(at, "this program comes to no value"),
                };
                self.land(end);
                match (a, b) {
                    (kind, Kind::Never) | (Kind::Never, kind) => kind,
                    (Kind::Word(a), Kind::Word(b)) if a == b => Kind::Word(a),
                    _ => self.never(place_of(then, at), "the branches have values of two types"),
                }
            }
            other => {
                self.stmt(other);
                self.never(at, "this program comes to no value")
            }
        }
    }
}

/// Where a branch stands, as far as it knows.
fn place_of(stmt: &Stmt, at: At) -> At {
    match stmt {
        Stmt::Expr(e) => place(e),
        _ => at,
    }
}
