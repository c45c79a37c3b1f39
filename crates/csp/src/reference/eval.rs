//! Evaluation of expressions and programs, straight from the tree.

use crate::expr::fault;
use crate::library::{self, Method};
use crate::model::{
    At, Base, BinaryOp, ChannelRef, Expr, Holder, LocalId, Model, Program, Query, Stmt, Target, Type, Value,
    VarId,
};
use crate::state::{Valuation, slot};
use crate::value;
use fairhold_system::Fault;
use std::sync::Arc;

/// A program that goes round its loops more often than this does not end.
pub(crate) const MAX_ROUNDS: u32 = 100_000;

/// What an evaluation may do with the variables.
enum Memory<'a> {
    Read(&'a Valuation),
    Write(&'a mut Valuation),
}

struct Evaluator<'a> {
    model: &'a Model,
    memory: Memory<'a>,
    locals: Vec<Value>,
    rounds: u32,
}

/// The value of an expression; assignments are a fault.
pub(super) fn eval(model: &Model, values: &Valuation, e: &Expr) -> Result<Value, Fault> {
    Evaluator {
        model,
        memory: Memory::Read(values),
        locals: Vec::new(),
        rounds: 0,
    }
    .eval(e)
}

/// Whether a condition holds.
pub(super) fn test(model: &Model, values: &Valuation, condition: &Expr) -> Result<bool, Fault> {
    truth(eval(model, values, condition)?, condition)
}

/// Runs a program on the variables.
pub(super) fn run(model: &Model, values: &mut Valuation, program: &Program) -> Result<(), Fault> {
    let locals = vec![Value::Int(0); program.locals as usize];
    let mut evaluator = Evaluator {
        model,
        memory: Memory::Write(values),
        locals,
        rounds: 0,
    };
    program.body.iter().try_for_each(|s| evaluator.stmt(s))
}

/// The single channel that is meant, by its number.
pub(super) fn channel(model: &Model, values: &Valuation, channel: &ChannelRef) -> Result<usize, Fault> {
    Evaluator {
        model,
        memory: Memory::Read(values),
        locals: Vec::new(),
        rounds: 0,
    }
    .channel(channel)
}

fn truth(value: Value, e: &Expr) -> Result<bool, Fault> {
    match value {
        Value::Bool(b) => Ok(b),
        other => Err(fault(
            place(e),
            format!("a condition must be a truth value, not {other}"),
        )),
    }
}

/// Where an expression stands, as far as it knows.
pub(crate) fn place(e: &Expr) -> At {
    match e {
        Expr::Var(_, at)
        | Expr::Element(_, _, at)
        | Expr::Unary(_, _, at)
        | Expr::Binary(_, _, _, at)
        | Expr::Ask(_, _, at)
        | Expr::Call(_, _, at)
        | Expr::Array(_, at)
        | Expr::Program(_, at)
        | Expr::Change(_, _, _, at)
        | Expr::Assign(_, _, at) => *at,
        Expr::Channel(_, channel) => channel.at,
        Expr::Quantified(_, bindings, _) => bindings[0].at,
        Expr::Const(_) | Expr::Bound(_) | Expr::Local(_) | Expr::Fault(_) => At::default(),
    }
}

impl Evaluator<'_> {
    fn values(&self) -> &Valuation {
        match &self.memory {
            Memory::Read(values) => values,
            Memory::Write(values) => values,
        }
    }

    fn eval(&mut self, e: &Expr) -> Result<Value, Fault> {
        match e {
            Expr::Const(v) => Ok(v.clone()),
            Expr::Bound(_) => unreachable!("a closed term has no names without a value"),
            Expr::Local(l) => Ok(self.locals[l.0 as usize].clone()),
            Expr::Var(v, _) => Ok(self.variable(*v)),
            Expr::Element(base, indices, at) => self.element(base, indices, *at),
            Expr::Unary(op, e, at) => {
                let v = self.eval(e)?;
                value::unary(*op, &v).map_err(|message| fault(*at, message))
            }
            Expr::Binary(BinaryOp::And, a, b, _) => Ok(Value::Bool(self.condition(a)? && self.condition(b)?)),
            Expr::Binary(BinaryOp::Or, a, b, _) => Ok(Value::Bool(self.condition(a)? || self.condition(b)?)),
            Expr::Binary(op, a, b, at) => {
                let a = self.eval(a)?;
                let b = self.eval(b)?;
                value::binary(*op, &a, &b).map_err(|message| fault(*at, message))
            }
            Expr::Quantified(_, bindings, _) => Err(fault(bindings[0].at, "the index range is not known")),
            Expr::Channel(query, channel) => self.query(*query, channel),
            Expr::Assign(target, e, at) => self.assign(target, e, *at),
            Expr::Ask(method, operands, at) => {
                let operands = self.all(operands)?;
                let applied = library::apply(*method, &operands[0], &operands[1..]);
                applied.map(|a| a.value).map_err(|message| fault(*at, message))
            }
            Expr::Change(holder, method, args, at) => self.change(*holder, *method, args, *at),
            Expr::Call(function, args, at) => {
                let args = self.all(args)?;
                function.apply(&args).map_err(|message| fault(*at, message))
            }
            Expr::Array(elements, _) => Ok(Value::Array(self.all(elements)?.into())),
            Expr::Program(body, at) => match self.values_of(body)? {
                Some(value) => Ok(value),
                None => Err(fault(*at, "this program comes to no value")),
            },
            Expr::Fault(f) => Err((**f).clone()),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<Value>, Fault> {
        exprs.iter().map(|e| self.eval(e)).collect()
    }

    /// Runs statements; answers the value of the last expression evaluated as a statement, which is the value of a macro
    /// that is a program.
    fn values_of(&mut self, body: &[Stmt]) -> Result<Option<Value>, Fault> {
        let Some((last, before)) = body.split_last() else {
            return Ok(None);
        };
        before.iter().try_for_each(|s| self.stmt(s))?;
        match last {
            Stmt::Expr(e) => self.eval(e).map(Some),
            Stmt::Block(body) => self.values_of(body),
            Stmt::If(condition, then, otherwise) => match (self.condition(condition)?, otherwise) {
                (true, _) => self.values_of(std::slice::from_ref(then)),
                (false, Some(otherwise)) => self.values_of(std::slice::from_ref(otherwise)),
                (false, None) => Ok(None),
            },
            other => self.stmt(other).map(|()| None),
        }
    }

    fn change(&mut self, holder: Holder, method: Method, args: &[Expr], at: At) -> Result<Value, Fault> {
        let args = self.all(args)?;
        let receiver = match holder {
            Holder::Var(v) => self.variable(v),
            Holder::Local(l) => self.locals[l.0 as usize].clone(),
        };
        let applied = library::apply(method, &receiver, &args).map_err(|message| fault(at, message))?;
        if let Some(changed) = applied.changed {
            let changed = Value::Collection(changed);
            match holder {
                Holder::Var(v) => self.store(v, 0, &changed, at)?,
                Holder::Local(l) => self.store_local(l, changed, at)?,
            }
        }
        Ok(applied.value)
    }

    fn condition(&mut self, e: &Expr) -> Result<bool, Fault> {
        truth(self.eval(e)?, e)
    }

    fn variable(&self, v: VarId) -> Value {
        let decl = &self.model.variables[v.0 as usize];
        let elements = &self.values().variables[v.0 as usize];
        match decl.dims.as_slice() {
            [] => self.model.collections.value(decl.ty, elements[0]),
            _ => Value::Array(elements.iter().map(|&w| Value::of_word(decl.ty, w)).collect()),
        }
    }

    fn element(&mut self, base: &Base, indices: &[Expr], at: At) -> Result<Value, Fault> {
        let array = match base {
            Base::Var(v) => {
                let flat = self.flat_index(*v, indices, at)?;
                let decl = &self.model.variables[v.0 as usize];
                return Ok(Value::of_word(
                    decl.ty,
                    self.values().variables[v.0 as usize][flat],
                ));
            }
            Base::Bound(_) => unreachable!("a closed term has no names without a value"),
            Base::Local(l) => self.locals[l.0 as usize].clone(),
            Base::Const(values) => Value::Array(Arc::clone(values)),
        };
        let Value::Array(values) = array else {
            return Err(fault(at, format!("{array} is no array and has no elements")));
        };
        let [index] = indices else {
            return Err(fault(at, "this array has one dimension"));
        };
        let i = self.index(index, values.len(), at, "")?;
        Ok(values[i].clone())
    }

    /// An index below `len` of what `of` names.
    fn index(&mut self, e: &Expr, len: usize, at: At, of: &str) -> Result<usize, Fault> {
        let value = self.eval(e)?;
        let Value::Int(i) = value else {
            return Err(fault(at, format!("an index must be an integer, not {value}")));
        };
        let inside = usize::try_from(i).ok().filter(|&i| i < len);
        inside.ok_or_else(|| fault(at, format!("index {i} is outside 0..{}{of}", len as i64 - 1)))
    }

    fn flat_index(&mut self, v: VarId, indices: &[Expr], at: At) -> Result<usize, Fault> {
        let decl = &self.model.variables[v.0 as usize];
        let of = format!(" of `{}`", decl.name);
        let mut flat = 0;
        for (e, &dim) in indices.iter().zip(&decl.dims) {
            flat = flat * dim as usize + self.index(e, dim as usize, at, &of)?;
        }
        Ok(flat)
    }

    fn channel(&mut self, channel: &ChannelRef) -> Result<usize, Fault> {
        let decl = &self.model.channels[channel.channel.0 as usize];
        let element = match &channel.index {
            Some(index) => self.index(index, decl.len.unwrap_or(1) as usize, channel.at, "")?,
            None => 0,
        };
        Ok(slot(self.model, channel.channel) + element)
    }

    fn query(&mut self, query: Query, channel: &ChannelRef) -> Result<Value, Fault> {
        let capacity = self.model.channels[channel.channel.0 as usize].capacity as usize;
        let messages = self.channel(channel)?;
        let messages = &self.values().channels[messages];
        Ok(match query {
            Query::Full => Value::Bool(messages.len() >= capacity),
            Query::Empty => Value::Bool(messages.is_empty()),
            Query::Count => Value::Int(messages.len() as i32),
            Query::Size => Value::Int(capacity as i32),
            Query::Peek => match messages.first().map(Vec::as_slice) {
                Some([value @ Value::Int(_)]) => value.clone(),
                Some(_) => {
                    return Err(fault(
                        channel.at,
                        "cpeek on a message that is not a single integer",
                    ));
                }
                None => return Err(fault(channel.at, "cpeek on an empty channel")),
            },
        })
    }

    fn assign(&mut self, target: &Target, e: &Expr, at: At) -> Result<Value, Fault> {
        let value = self.eval(e)?;
        match target {
            Target::Var(v) => {
                if !self.model.variables[v.0 as usize].dims.is_empty() {
                    return self.assign_array(*v, value, at);
                }
                self.store(*v, 0, &value, at)?;
            }
            Target::Element(v, indices) => {
                let flat = self.flat_index(*v, indices, at)?;
                self.store(*v, flat, &value, at)?;
            }
            Target::Local(l) => self.store_local(*l, value.clone(), at)?,
            Target::LocalElement(l, index) => {
                let Value::Array(mut values) = self.locals[l.0 as usize].clone() else {
                    return Err(fault(at, "this local variable is no array"));
                };
                let i = self.index(index, values.len(), at, "")?;
                if value.ty() != values[i].ty() {
                    return Err(fault(at, format!("{value} does not fit this array")));
                }
                Arc::make_mut(&mut values)[i] = value.clone();
                self.locals[l.0 as usize] = Value::Array(values);
            }
        }
        Ok(value)
    }

    fn assign_array(&mut self, v: VarId, value: Value, at: At) -> Result<Value, Fault> {
        let Value::Array(values) = &value else {
            return Err(fault(at, format!("{value} is no array")));
        };
        if values.len() != self.values().variables[v.0 as usize].len() {
            return Err(fault(at, "the arrays differ in size"));
        }
        for (i, element) in values.iter().enumerate() {
            self.store(v, i, element, at)?;
        }
        Ok(value)
    }

    fn store(&mut self, v: VarId, element: usize, value: &Value, at: At) -> Result<(), Fault> {
        let decl = &self.model.variables[v.0 as usize];
        let Some((ty, word)) = self.model.collections.word(value) else {
            return Err(fault(
                at,
                format!("`{}` holds {}, not {value}", decl.name, decl.ty.word()),
            ));
        };
        if ty != decl.ty {
            return Err(fault(
                at,
                format!("`{}` holds {}, not {value}", decl.name, decl.ty.word()),
            ));
        }
        if ty == Type::Int && (decl.lower.is_some_and(|l| word < l) || decl.upper.is_some_and(|u| word > u)) {
            return Err(fault(
                at,
                format!("{word} is outside the range of `{}`", decl.name),
            ));
        }
        match &mut self.memory {
            Memory::Write(values) => values.variables[v.0 as usize][element] = word,
            Memory::Read(_) => return Err(fault(at, "an assignment has no place outside a program block")),
        }
        Ok(())
    }

    fn store_local(&mut self, l: LocalId, value: Value, at: At) -> Result<(), Fault> {
        let local = &mut self.locals[l.0 as usize];
        let fits = match (&value, &*local) {
            (Value::Array(new), Value::Array(old)) => new.len() == old.len(),
            (new, old) => new.ty() == old.ty(),
        };
        if !fits {
            return Err(fault(at, format!("{value} does not fit this local variable")));
        }
        *local = value;
        Ok(())
    }

    /// A condition has no program around it, but a macro in it may declare locals.
    fn declare(&mut self, LocalId(l): LocalId, value: Value) {
        if self.locals.len() <= l as usize {
            self.locals.resize(l as usize + 1, Value::Int(0));
        }
        self.locals[l as usize] = value;
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fault> {
        match stmt {
            Stmt::Expr(e) => self.eval(e).map(drop),
            Stmt::Local(l, e) => {
                let value = self.eval(e)?;
                self.declare(*l, value);
                Ok(())
            }
            Stmt::LocalArray(l, elements) => {
                let values: Result<_, Fault> = elements.iter().map(|e| self.eval(e)).collect();
                self.declare(*l, Value::Array(values?));
                Ok(())
            }
            Stmt::If(condition, then, otherwise) => {
                if self.condition(condition)? {
                    self.stmt(then)
                } else {
                    otherwise.as_ref().map_or(Ok(()), |s| self.stmt(s))
                }
            }
            Stmt::While(condition, body, at) => {
                while self.condition(condition)? {
                    self.rounds += 1;
                    if self.rounds > MAX_ROUNDS {
                        return Err(fault(
                            *at,
                            format!("this loop does not end within {MAX_ROUNDS} rounds"),
                        ));
                    }
                    self.stmt(body)?;
                }
                Ok(())
            }
            Stmt::Block(body) => body.iter().try_for_each(|s| self.stmt(s)),
        }
    }
}
