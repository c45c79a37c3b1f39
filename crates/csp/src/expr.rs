//! Names in expressions and programs: which occur, and putting values in their place.
//!
//! [`Expr::close`] replaces bound names by values and evaluates what is then known: `get.i.(i+1)%N` becomes `get.2.3`. An expression that is
//! certain to go wrong becomes [`Expr::Fault`], which goes wrong when (and only when) it is evaluated.

use crate::library;
use crate::model::{
    At, Base, BinaryOp, Binding, BoundId, ChannelRef, Expr, Model, Program, Stmt, Target, Value, Values,
};
use crate::term::free_names_of_bindings;
use crate::value;
use fairhold_source::Span;
use fairhold_system::{Fault, FaultKind};
use std::sync::Arc;

/// At most this many combinations of index values, so that a slip such as `i:{0..1000000000}` is a message, not a hang.
pub(crate) const MAX_COMBINATIONS: usize = 100_000;

/// Values for bound names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env(Vec<(BoundId, Value)>);

impl Env {
    /// Values for the parameters `BoundId(0)`, `BoundId(1)`, ...; `None` leaves a parameter open.
    pub(crate) fn params(values: impl IntoIterator<Item = Option<Value>>) -> Env {
        let bound = values.into_iter().enumerate();
        Env(bound.filter_map(|(i, v)| Some((BoundId(i as u32), v?))).collect())
    }

    pub(crate) fn bind(&mut self, name: BoundId, value: Value) {
        self.0.push((name, value));
    }

    pub(crate) fn get(&self, name: BoundId) -> Option<&Value> {
        self.0.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// A run-time fault at a place.
pub(crate) fn fault(at: At, message: impl Into<String>) -> Fault {
    Fault {
        kind: FaultKind::Error,
        message: message.into(),
        // A bare name knows no place: none is better than a wrong one.
        span: (at.0 != Span::default()).then_some(at.0),
    }
}

/// At most this many fields a message, so that what they are fits a word of a state.
pub(crate) const MAX_FIELDS: u32 = 17;

/// What is no index of an event.
pub(crate) fn no_index(at: At) -> Fault {
    fault(at, "an event's index must be an integer or a truth value")
}

/// The message of these values: the elements of an array are fields one after the other.
pub(crate) fn message(model: &Model, channel: &ChannelRef, values: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let decl = &model.channels[channel.channel.0 as usize];
    let mut fields = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Array(elements) => fields.extend(elements.iter().cloned()),
            value => fields.push(value),
        }
    }
    match fields.len() <= decl.arity as usize {
        true => Ok(fields),
        false => Err(fault(
            channel.at,
            format!(
                "a message of `{}` has at most {} fields, not {}",
                decl.name,
                decl.arity,
                fields.len()
            ),
        )),
    }
}

fn faulty(at: At, message: impl Into<String>) -> Expr {
    Expr::Fault(Arc::new(fault(at, message)))
}

impl Expr {
    /// The value, if it is known.
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Expr::Const(v) => Some(v),
            _ => None,
        }
    }

    /// Calls `f` with this expression and all below it.
    pub(crate) fn walk<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        f(self);
        match self {
            Expr::Const(_) | Expr::Bound(_) | Expr::Local(_) | Expr::Var(..) | Expr::Fault(_) => {}
            Expr::Element(_, parts, _)
            | Expr::Ask(_, parts, _)
            | Expr::Call(_, parts, _)
            | Expr::Array(parts, _)
            | Expr::Change(_, _, parts, _) => parts.iter().for_each(|e| e.walk(f)),
            Expr::Unary(_, e, _) => e.walk(f),
            Expr::Binary(_, a, b, _) => {
                a.walk(f);
                b.walk(f);
            }
            Expr::Quantified(_, bindings, body) => {
                for binding in bindings {
                    match &binding.values {
                        Values::List(list) => list.iter().for_each(|e| e.walk(f)),
                        Values::Range(lower, upper) => {
                            lower.walk(f);
                            upper.walk(f);
                        }
                    }
                }
                body.walk(f);
            }
            Expr::Channel(_, channel) => channel.index.iter().for_each(|e| e.walk(f)),
            Expr::Program(body, _) => body.iter().for_each(|stmt| stmt.walk(f)),
            Expr::Assign(target, e, _) => {
                match target {
                    Target::Var(_) | Target::Local(_) => {}
                    Target::Element(_, indices) => indices.iter().for_each(|e| e.walk(f)),
                    Target::LocalElement(_, index) => index.walk(f),
                }
                e.walk(f);
            }
        }
    }

    /// Adds the bound names it mentions.
    pub(crate) fn free_names(&self, out: &mut Vec<BoundId>) {
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Var(..) | Expr::Fault(_) => {}
            Expr::Bound(b) => out.push(*b),
            Expr::Element(base, indices, _) => {
                if let Base::Bound(b) = base {
                    out.push(*b);
                }
                indices.iter().for_each(|e| e.free_names(out));
            }
            Expr::Unary(_, e, _) => e.free_names(out),
            Expr::Binary(_, a, b, _) => {
                a.free_names(out);
                b.free_names(out);
            }
            Expr::Quantified(_, bindings, body) => {
                let start = out.len();
                body.free_names(out);
                free_names_of_bindings(bindings, start, out);
            }
            Expr::Channel(_, channel) => channel.free_names(out),
            Expr::Ask(_, operands, _)
            | Expr::Call(_, operands, _)
            | Expr::Array(operands, _)
            | Expr::Change(_, _, operands, _) => operands.iter().for_each(|e| e.free_names(out)),
            Expr::Program(body, _) => body.iter().for_each(|stmt| stmt.free_names(out)),
            Expr::Assign(target, e, _) => {
                match target {
                    Target::Var(_) | Target::Local(_) => {}
                    Target::Element(_, indices) => indices.iter().for_each(|i| i.free_names(out)),
                    Target::LocalElement(_, index) => index.free_names(out),
                }
                e.free_names(out);
            }
        }
    }

    /// The expression with values for names, and everything known evaluated.
    #[must_use]
    pub(crate) fn close(&self, env: &Env) -> Expr {
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Var(..) | Expr::Fault(_) => self.clone(),
            Expr::Bound(b) => env
                .get(*b)
                .map_or_else(|| self.clone(), |v| Expr::Const(v.clone())),
            Expr::Element(base, indices, at) => {
                let indices = close_all(indices, env);
                let base = match base {
                    Base::Bound(b) => match env.get(*b) {
                        Some(Value::Array(values)) => Base::Const(Arc::clone(values)),
                        Some(other) => {
                            return faulty(*at, format!("{other} is no array and has no elements"));
                        }
                        None => base.clone(),
                    },
                    _ => base.clone(),
                };
                match (&base, indices.as_slice()) {
                    (Base::Const(values), [Expr::Const(index)]) => match index {
                        Value::Int(i) if usize::try_from(*i).is_ok_and(|i| i < values.len()) => {
                            Expr::Const(values[*i as usize].clone())
                        }
                        _ => faulty(
                            *at,
                            format!("index {index} is outside 0..{}", values.len() as i64 - 1),
                        ),
                    },
                    _ => Expr::Element(base, indices, *at),
                }
            }
            Expr::Unary(op, e, at) => match e.close(env) {
                Expr::Const(v) => known(value::unary(*op, &v), *at),
                e => Expr::Unary(*op, Box::new(e), *at),
            },
            Expr::Binary(op, a, b, at) => close_binary(*op, a.close(env), b.close(env), *at),
            Expr::Quantified(op, bindings, body) => close_quantified(*op, bindings, body, env),
            Expr::Channel(query, channel) => Expr::Channel(*query, channel.close(env)),
            Expr::Ask(method, operands, at) => {
                let operands = close_all(operands, env);
                match values_known(&operands) {
                    Some(values) => {
                        let applied = library::apply(*method, &values[0], &values[1..]);
                        known(applied.map(|a| a.value), *at)
                    }
                    None => Expr::Ask(*method, operands, *at),
                }
            }
            Expr::Call(function, args, at) => {
                let args = close_all(args, env);
                match values_known(&args) {
                    Some(values) => known(function.apply(&values), *at),
                    None => Expr::Call(*function, args, *at),
                }
            }
            Expr::Array(elements, at) => {
                let elements = close_all(elements, env);
                match values_known(&elements) {
                    Some(values) => Expr::Const(Value::Array(values.into())),
                    None => Expr::Array(elements, *at),
                }
            }
            Expr::Program(body, at) => Expr::Program(body.iter().map(|s| s.close(env)).collect(), *at),
            Expr::Change(holder, method, args, at) => {
                Expr::Change(*holder, *method, close_all(args, env), *at)
            }
            Expr::Assign(target, e, at) => {
                let target = match target {
                    Target::Var(_) | Target::Local(_) => target.clone(),
                    Target::Element(v, indices) => Target::Element(*v, close_all(indices, env)),
                    Target::LocalElement(l, index) => Target::LocalElement(*l, Box::new(index.close(env))),
                };
                Expr::Assign(target, Box::new(e.close(env)), *at)
            }
        }
    }
}

pub(crate) fn close_all(exprs: &[Expr], env: &Env) -> Vec<Expr> {
    exprs.iter().map(|e| e.close(env)).collect()
}

/// All values, if all are known.
fn values_known(exprs: &[Expr]) -> Option<Vec<Value>> {
    exprs.iter().map(|e| e.value().cloned()).collect()
}

fn known(result: Result<Value, String>, at: At) -> Expr {
    match result {
        Ok(v) => Expr::Const(v),
        Err(message) => faulty(at, message),
    }
}

fn close_binary(op: BinaryOp, a: Expr, b: Expr, at: At) -> Expr {
    match (op, &a, &b) {
        (BinaryOp::And, Expr::Const(Value::Bool(false)), _)
        | (BinaryOp::Or, Expr::Const(Value::Bool(true)), _) => a,
        (_, Expr::Const(x), Expr::Const(y)) => known(value::binary(op, x, y), at),
        _ => Expr::Binary(op, Box::new(a), Box::new(b), at),
    }
}

/// `&& i:{0..2} @ e` is `e[0] && e[1] && e[2]`; it stays as it is while its values are not known.
fn close_quantified(op: BinaryOp, bindings: &[Binding], body: &Expr, env: &Env) -> Expr {
    let mut operands = Vec::new();
    let mut inner = env.clone();
    match combinations(bindings, Empty::Fault, &mut inner, &mut |env| {
        operands.push(body.close(env));
    }) {
        Ok(Known::Yes) => {
            let at = bindings[0].at;
            let mut operands = operands.into_iter();
            let first = operands.next().expect("a binding has at least one value");
            operands.fold(first, |a, b| close_binary(op, a, b, at))
        }
        Ok(Known::No) => {
            // Names bound here shadow nothing in `env`: bound names are numbered by depth.
            Expr::Quantified(op, close_bindings(bindings, env), Box::new(body.close(env)))
        }
        Err(fault) => Expr::Fault(Arc::new(fault)),
    }
}

/// Whether the values of bindings were known.
pub(crate) enum Known {
    /// All combinations were visited.
    Yes,
    /// Some value depends on a name without a value.
    No,
}

/// What bindings without a value are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Empty {
    /// A mistake: there is no event and no condition to speak of.
    Fault,
    /// No operand: `||| x:{1..0} @ P` is `Skip`.
    Nothing,
}

/// Calls `f` with `env` extended by every combination of the bindings' values, the first binding varying slowest.
pub(crate) fn combinations(
    bindings: &[Binding],
    empty: Empty,
    env: &mut Env,
    f: &mut dyn FnMut(&mut Env),
) -> Result<Known, Fault> {
    let mut count = 0;
    combine(bindings, empty, env, &mut count, f)
}

fn combine(
    bindings: &[Binding],
    empty: Empty,
    env: &mut Env,
    count: &mut usize,
    f: &mut dyn FnMut(&mut Env),
) -> Result<Known, Fault> {
    let Some((binding, rest)) = bindings.split_first() else {
        f(env);
        return Ok(Known::Yes);
    };
    let Some(values) = values_of(binding, empty, env)? else {
        return Ok(Known::No);
    };
    let len = env.len();
    for value in values {
        *count += 1;
        if *count > MAX_COMBINATIONS {
            return Err(fault(
                binding.at,
                format!("more than {MAX_COMBINATIONS} combinations of index values"),
            ));
        }
        env.bind(binding.bound, value);
        let known = combine(rest, empty, env, count, f)?;
        env.truncate(len);
        if let Known::No = known {
            return Ok(Known::No);
        }
    }
    Ok(Known::Yes)
}

/// The values of one binding, or none if they are not known.
fn values_of(binding: &Binding, empty: Empty, env: &Env) -> Result<Option<Vec<Value>>, Fault> {
    let int = |e: &Expr| match e.close(env) {
        Expr::Const(Value::Int(i)) => Ok(Some(i)),
        Expr::Const(v) => Err(fault(
            binding.at,
            format!("an index value must be an integer, not {v}"),
        )),
        Expr::Fault(f) => Err((*f).clone()),
        Expr::Var(..) | Expr::Channel(..) | Expr::Element(Base::Var(_), ..) => {
            Err(fault(binding.at, "an index range must not depend on variables"))
        }
        _ => Ok(None),
    };
    match &binding.values {
        Values::List(list) => {
            let mut values = Vec::new();
            for e in list {
                let Some(i) = int(e)? else { return Ok(None) };
                values.push(Value::Int(i));
            }
            Ok(Some(values))
        }
        Values::Range(lower, upper) => {
            let (Some(lower), Some(upper)) = (int(lower)?, int(upper)?) else {
                return Ok(None);
            };
            if lower > upper && empty == Empty::Fault {
                return Err(fault(binding.at, format!("the range {lower}..{upper} is empty")));
            }
            if i64::from(upper) - i64::from(lower) >= MAX_COMBINATIONS as i64 {
                return Err(fault(
                    binding.at,
                    format!("more than {MAX_COMBINATIONS} index values"),
                ));
            }
            Ok(Some((lower..=upper).map(Value::Int).collect()))
        }
    }
}

/// Bindings that stay open, with the values known so far.
pub(crate) fn close_bindings(bindings: &[Binding], env: &Env) -> Vec<Binding> {
    let close = |b: &Binding| Binding {
        bound: b.bound,
        values: match &b.values {
            Values::List(list) => Values::List(close_all(list, env)),
            Values::Range(lower, upper) => {
                Values::Range(Box::new(lower.close(env)), Box::new(upper.close(env)))
            }
        },
        at: b.at,
    };
    bindings.iter().map(close).collect()
}

impl Values {
    /// Adds the bound names they mention.
    pub(crate) fn free_names(&self, out: &mut Vec<BoundId>) {
        match self {
            Values::List(list) => list.iter().for_each(|e| e.free_names(out)),
            Values::Range(lower, upper) => {
                lower.free_names(out);
                upper.free_names(out);
            }
        }
    }
}

impl ChannelRef {
    /// Adds the bound names it mentions.
    pub(crate) fn free_names(&self, out: &mut Vec<BoundId>) {
        if let Some(index) = &self.index {
            index.free_names(out);
        }
    }

    /// With values for names.
    #[must_use]
    pub(crate) fn close(&self, env: &Env) -> ChannelRef {
        ChannelRef {
            channel: self.channel,
            index: self.index.as_ref().map(|i| Box::new(i.close(env))),
            at: self.at,
        }
    }
}

impl Program {
    /// Adds the bound names it mentions.
    pub(crate) fn free_names(&self, out: &mut Vec<BoundId>) {
        self.body.iter().for_each(|s| s.free_names(out));
    }

    /// With values for names.
    #[must_use]
    pub(crate) fn close(&self, env: &Env) -> Program {
        Program {
            locals: self.locals,
            body: self.body.iter().map(|s| s.close(env)).collect(),
            at: self.at,
        }
    }
}

impl Stmt {
    /// Calls `f` with all expressions in it.
    pub(crate) fn walk<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        match self {
            Stmt::Expr(e) | Stmt::Local(_, e) => e.walk(f),
            Stmt::LocalArray(_, values) => values.iter().for_each(|e| e.walk(f)),
            Stmt::If(condition, then, otherwise) => {
                condition.walk(f);
                then.walk(f);
                otherwise.iter().for_each(|stmt| stmt.walk(f));
            }
            Stmt::While(condition, body, _) => {
                condition.walk(f);
                body.walk(f);
            }
            Stmt::Block(body) => body.iter().for_each(|stmt| stmt.walk(f)),
        }
    }

    fn free_names(&self, out: &mut Vec<BoundId>) {
        match self {
            Stmt::Expr(e) | Stmt::Local(_, e) => e.free_names(out),
            Stmt::LocalArray(_, values) => values.iter().for_each(|e| e.free_names(out)),
            Stmt::If(e, then, otherwise) => {
                e.free_names(out);
                then.free_names(out);
                if let Some(otherwise) = otherwise {
                    otherwise.free_names(out);
                }
            }
            Stmt::While(e, body, _) => {
                e.free_names(out);
                body.free_names(out);
            }
            Stmt::Block(body) => body.iter().for_each(|s| s.free_names(out)),
        }
    }

    fn close(&self, env: &Env) -> Stmt {
        match self {
            Stmt::Expr(e) => Stmt::Expr(e.close(env)),
            Stmt::Local(l, e) => Stmt::Local(*l, e.close(env)),
            Stmt::LocalArray(l, values) => Stmt::LocalArray(*l, close_all(values, env)),
            Stmt::If(e, then, otherwise) => Stmt::If(
                e.close(env),
                Box::new(then.close(env)),
                otherwise.as_ref().map(|s| Box::new(s.close(env))),
            ),
            Stmt::While(e, body, at) => Stmt::While(e.close(env), Box::new(body.close(env)), *at),
            Stmt::Block(body) => Stmt::Block(body.iter().map(|s| s.close(env)).collect()),
        }
    }
}
