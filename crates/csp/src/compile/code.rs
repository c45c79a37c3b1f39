//! Expressions and programs as code for a small stack machine.
//!
//! After closing, everything has a known type: variables by declaration, constants by themselves, locals by their first value. So types are checked here,
//! once, and words carry none. Where a type does not fit, the code goes wrong at exactly the point where the evaluation would.

use super::call::MethodCall;
use super::layout::Layout;
use crate::expr::fault;
use crate::library::Function;
use crate::model::{
    At, Base, BinaryOp, ChannelRef, Expr, LocalId, Model, Program, Query, Stmt, Target, Type, UnaryOp, Value,
    VarId,
};
use crate::reference::place;
use crate::state::slot;
use fairhold_system::Fault;
use std::sync::Arc;

/// One instruction. Operands are on a stack of words; `state` is the state read or changed, `locals` the program's own words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Instr {
    /// Pushes a constant.
    Const(i32),
    /// Pushes a word of the state.
    Load(u32),
    /// Pops `i`, pushes `state[base + i * stride]`.
    LoadAt { base: u32, stride: u32 },
    /// Pushes a local word.
    LoadLocal(u32),
    /// Pops `i`, pushes `locals[base + i]`.
    LoadLocalAt(u32),
    /// Pops `i`, pushes `pool[base + i]`.
    LoadPoolAt(u32),
    /// The top of the stack must be in `0..len`, else fault number `fault` with that index.
    Index { len: u32, fault: u32 },
    /// Pops `i` and `j`, pushes `i * dim + j`.
    Flatten(u32),
    /// The top of the stack must be in the range, else the fault.
    Range { lower: i32, upper: i32, fault: u32 },
    /// Stores the top of the stack, which stays.
    Store(u32),
    /// Pops `i`, stores the then top of the stack at `state[base + i]`.
    StoreAt(u32),
    /// Stores the top of the stack, which stays.
    StoreLocal(u32),
    /// Pops `i`, stores the then top of the stack at `locals[base + i]`.
    StoreLocalAt(u32),
    /// `-`
    Neg,
    /// `!`
    Not,
    /// Pops `b` and `a`, pushes the result; division by zero is the fault.
    Binary(BinaryOp, u32),
    /// Pops.
    Pop,
    /// Goes there.
    Jump(u32),
    /// Goes there if the top of the stack is 0, which stays; pops it otherwise.
    JumpIfFalse(u32),
    /// Goes there if the top of the stack is not 0, which stays; pops it otherwise.
    JumpIfTrue(u32),
    /// Pops; goes there if it was 0.
    Unless(u32),
    /// Counts a round of a loop; too many are the fault.
    Round(u32),
    /// The first message of a channel at `base + i * stride`, with `i` popped, must be a single integer, which is pushed;
    /// else the fault if there is none, the next fault if it is something else.
    Peek { base: u32, stride: u32, fault: u32 },
    /// Pops the operands of a method; pushes its value and, if it changes the collection, what that is then.
    Method(u32),
    /// Pops the arguments of a function and pushes its value; what is wrong goes into the fault.
    Function(Function, u32),
    /// Goes wrong.
    Fault(u32),
}

/// Code for one expression or program.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Code {
    /// What to do.
    pub(super) instrs: Vec<Instr>,
    /// Words of constant arrays.
    pub(super) pool: Vec<i32>,
    /// Words of local variables.
    pub(super) locals: u32,
    /// How it can go wrong.
    pub(super) faults: Vec<Arc<Fault>>,
    /// The calls of methods.
    pub(super) calls: Vec<MethodCall>,
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word on the stack.
    Word(Type),
    /// An array somewhere; nothing is on the stack.
    Array(Array),
    /// The code has gone wrong by now.
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Array {
    home: Home,
    base: u32,
    len: u32,
    ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    State,
    Locals,
    Pool,
}

/// Translates.
pub(super) struct Compiler<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: &'a Layout,
    pub(super) code: Code,
    locals: Vec<Option<Kind>>,
    /// Where each local word variable lies.
    pub(super) places: Vec<u32>,
    pub(super) writes: bool,
}

/// Code that leaves a word of the type it says, or, for a whole variable array, nothing.
pub(super) enum Value1 {
    /// A word.
    Word(Type, Code),
    /// The words of a global array.
    Array(VarId),
}

impl<'a> Compiler<'a> {
    fn new(model: &'a Model, layout: &'a Layout, locals: u32, writes: bool) -> Compiler<'a> {
        let locals = locals as usize;
        Compiler {
            model,
            layout,
            code: Code::default(),
            locals: vec![None; locals],
            places: vec![0; locals],
            writes,
        }
    }

    /// Code for a condition.
    pub(super) fn condition(model: &Model, layout: &Layout, e: &Expr) -> Code {
        let mut c = Compiler::new(model, layout, 0, false);
        c.truth(e);
        c.code
    }

    /// Code for an integer.
    pub(super) fn integer(model: &Model, layout: &Layout, e: &Expr) -> Code {
        let mut c = Compiler::new(model, layout, 0, false);
        match c.expr(e) {
            Kind::Word(Type::Int) | Kind::Never => {}
            _ => c.fault(place(e), "an integer is needed here"),
        }
        c.code
    }

    /// Code for a value of any type.
    pub(super) fn value(model: &Model, layout: &Layout, e: &Expr) -> Value1 {
        if let Expr::Var(v, _) = e
            && !model.variables[v.0 as usize].dims.is_empty()
        {
            return Value1::Array(*v);
        }
        let mut c = Compiler::new(model, layout, 0, false);
        match c.expr(e) {
            Kind::Word(ty) => Value1::Word(ty, c.code),
            Kind::Never => Value1::Word(Type::Int, c.code),
            Kind::Array(_) => {
                c.fault(place(e), "an array has no place here");
                Value1::Word(Type::Int, c.code)
            }
        }
    }

    /// Code for a program.
    pub(super) fn program(model: &Model, layout: &Layout, program: &Program) -> Code {
        let mut c = Compiler::new(model, layout, program.locals, true);
        program.body.iter().for_each(|s| c.stmt(s));
        c.code
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
    }

    fn here(&self) -> u32 {
        self.code.instrs.len() as u32
    }

    /// Emits a jump whose goal is set by [`Compiler::land`].
    pub(super) fn jump(&mut self, instr: Instr) -> usize {
        self.emit(instr);
        self.code.instrs.len() - 1
    }

    pub(super) fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.code.instrs[jump] {
            Instr::Jump(goal) | Instr::JumpIfFalse(goal) | Instr::JumpIfTrue(goal) | Instr::Unless(goal) => {
                *goal = here;
            }
            other => unreachable!("{other:?} is no jump"),
        }
    }

    pub(super) fn fault_number(&mut self, at: At, message: impl Into<String>) -> u32 {
        self.code.faults.push(Arc::new(fault(at, message)));
        self.code.faults.len() as u32 - 1
    }

    fn fault(&mut self, at: At, message: impl Into<String>) {
        let number = self.fault_number(at, message);
        self.emit(Instr::Fault(number));
    }

    pub(super) fn never(&mut self, at: At, message: impl Into<String>) -> Kind {
        self.fault(at, message);
        Kind::Never
    }

    /// Leaves a truth value.
    pub(super) fn truth(&mut self, e: &Expr) {
        match self.expr(e) {
            Kind::Word(Type::Bool) | Kind::Never => {}
            _ => self.fault(place(e), "a condition must be a truth value"),
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Kind {
        match e {
            Expr::Const(Value::Array(values)) => self.pool(values),
            Expr::Const(v) => {
                let (ty, word) = self.model.collections.word(v).expect("not an array");
                self.emit(Instr::Const(word));
                Kind::Word(ty)
            }
            Expr::Bound(_) => unreachable!("a closed term has no names without a value"),
            Expr::Local(l) => self.local(*l),
            Expr::Var(v, _) => {
                let decl = &self.model.variables[v.0 as usize];
                let base = self.layout.variables[v.0 as usize] as u32;
                if decl.dims.is_empty() {
                    self.emit(Instr::Load(base));
                    Kind::Word(decl.ty)
                } else {
                    Kind::Array(Array {
                        home: Home::State,
                        base,
                        len: decl.init.len() as u32,
                        ty: decl.ty,
                    })
                }
            }
            Expr::Element(base, indices, at) => self.element(base, indices, *at),
            Expr::Unary(op, e, at) => {
                let (needs, instr) = match op {
                    UnaryOp::Neg => (Type::Int, Instr::Neg),
                    UnaryOp::Not => (Type::Bool, Instr::Not),
                };
                match self.expr(e) {
                    Kind::Word(ty) if ty == needs => {
                        self.emit(instr);
                        Kind::Word(ty)
                    }
                    Kind::Never => Kind::Never,
                    _ => self.never(*at, format!("`{}` needs {}", op.symbol(), needs.word())),
                }
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b, _) => {
                self.truth(a);
                let jump = match op {
                    BinaryOp::And => self.jump(Instr::JumpIfFalse(0)),
                    _ => self.jump(Instr::JumpIfTrue(0)),
                };
                self.truth(b);
                self.land(jump);
                Kind::Word(Type::Bool)
            }
            Expr::Binary(op, a, b, at) => match (self.expr(a), self.expr(b)) {
                (Kind::Never, _) | (_, Kind::Never) => Kind::Never,
                (Kind::Word(a), Kind::Word(b)) if a == b && op.result(a).is_some() => {
                    let number = match op {
                        BinaryOp::Div | BinaryOp::Mod => self.fault_number(*at, "division by zero"),
                        _ => 0,
                    };
                    self.emit(Instr::Binary(*op, number));
                    op.result(a).map_or(Kind::Never, Kind::Word)
                }
                (Kind::Word(a), Kind::Word(b)) if op.tells_apart(a, b) => {
                    self.emit(Instr::Pop);
                    self.emit(Instr::Pop);
                    self.emit(Instr::Const(i32::from(*op == BinaryOp::Ne)));
                    Kind::Word(Type::Bool)
                }
                _ => self.never(
                    *at,
                    format!("`{}` does not take values of these types", op.symbol()),
                ),
            },
            Expr::Quantified(_, bindings, _) => self.never(bindings[0].at, "the index range is not known"),
            Expr::Channel(query, channel) => self.query(*query, channel),
            Expr::Ask(method, operands, at) => self.ask(*method, operands, *at),
            Expr::Change(holder, method, args, at) => self.change(*holder, *method, args, *at),
            Expr::Call(function, args, at) => self.function(*function, args, *at),
            Expr::Array(values, _) => self.elements(values).map_or(Kind::Never, Kind::Array),
            Expr::Program(body, at) => self.program_value(body, *at),
            Expr::Assign(target, e, at) => self.assign(target, e, *at),
            Expr::Fault(f) => {
                self.code.faults.push(Arc::clone(f));
                self.emit(Instr::Fault(self.code.faults.len() as u32 - 1));
                Kind::Never
            }
        }
    }

    pub(super) fn local(&mut self, l: LocalId) -> Kind {
        let i = l.0 as usize;
        match self.locals.get(i).copied().flatten() {
            Some(Kind::Word(ty)) => {
                self.emit(Instr::LoadLocal(self.places[i]));
                Kind::Word(ty)
            }
            Some(kind) => kind,
            // A local whose declaration went wrong, or was jumped over: it is the integer 0 until then.
            None => {
                self.emit(Instr::Const(0));
                Kind::Word(Type::Int)
            }
        }
    }

    fn pool(&mut self, values: &[Value]) -> Kind {
        let base = self.code.pool.len() as u32;
        let mut ty = None;
        for value in values {
            let Some((element, word)) = value.word() else {
                return self.never(At::default(), "an array of arrays has no place here");
            };
            ty = ty.or(Some(element));
            if ty != Some(element) {
                return self.never(At::default(), "an array's elements must have one type");
            }
            self.code.pool.push(word);
        }
        Kind::Array(Array {
            home: Home::Pool,
            base,
            len: values.len() as u32,
            ty: ty.unwrap_or(Type::Int),
        })
    }

    /// Leaves an index below `len`.
    fn index(&mut self, e: &Expr, len: u32, at: At, of: &str) {
        match self.expr(e) {
            Kind::Word(Type::Int) => {
                let number = self.fault_number(at, of);
                self.emit(Instr::Index { len, fault: number });
            }
            Kind::Never => {}
            _ => self.fault(at, "an index must be an integer"),
        }
    }

    /// Leaves the index of an element of a global array.
    fn flat_index(&mut self, v: VarId, indices: &[Expr], at: At) {
        let decl = &self.model.variables[v.0 as usize];
        for (i, (e, &dim)) in indices.iter().zip(&decl.dims).enumerate() {
            self.index(e, dim, at, &format!(" of `{}`", decl.name));
            if i > 0 {
                self.emit(Instr::Flatten(dim));
            }
        }
    }

    fn element(&mut self, base: &Base, indices: &[Expr], at: At) -> Kind {
        let array = match base {
            Base::Var(v) => {
                let decl = &self.model.variables[v.0 as usize];
                let base = self.layout.variables[v.0 as usize] as u32;
                let ty = decl.ty;
                if let Some(flat) = known_index(&decl.dims, indices) {
                    self.emit(Instr::Load(base + flat));
                } else {
                    self.flat_index(*v, indices, at);
                    self.emit(Instr::LoadAt { base, stride: 1 });
                }
                return Kind::Word(ty);
            }
            Base::Bound(_) => unreachable!("a closed term has no names without a value"),
            Base::Local(l) => self.local(*l),
            Base::Const(values) => self.pool(values),
        };
        match (array, indices) {
            (Kind::Array(array), [index]) => {
                self.index(index, array.len, at, "");
                self.load_at(array);
                Kind::Word(array.ty)
            }
            (Kind::Never, _) => Kind::Never,
            _ => self.never(at, "this is no array of one dimension"),
        }
    }

    fn load_at(&mut self, array: Array) {
        self.emit(match array.home {
            Home::State => Instr::LoadAt {
                base: array.base,
                stride: 1,
            },
            Home::Locals => Instr::LoadLocalAt(array.base),
            Home::Pool => Instr::LoadPoolAt(array.base),
        });
    }

    fn query(&mut self, query: Query, channel: &ChannelRef) -> Kind {
        let decl = &self.model.channels[channel.channel.0 as usize];
        let first = self.layout.channels[slot(self.model, channel.channel)];
        let stride = first.words() as u32;
        match &channel.index {
            Some(index) => self.index(index, decl.len.unwrap_or(1), channel.at, ""),
            None => self.emit(Instr::Const(0)),
        }
        if first.capacity == 0 {
            return self.query_synchronous(query, channel.at);
        }
        let base = first.first as u32;
        match query {
            Query::Peek => {
                let number = self.fault_number(channel.at, "cpeek on an empty channel");
                self.fault_number(channel.at, "cpeek on a message that is not a single integer");
                self.emit(Instr::Peek {
                    base,
                    stride,
                    fault: number,
                });
                return Kind::Word(Type::Int);
            }
            Query::Size => {
                self.emit(Instr::Pop);
                self.emit(Instr::Const(decl.capacity as i32));
                return Kind::Word(Type::Int);
            }
            Query::Full | Query::Empty | Query::Count => self.emit(Instr::LoadAt { base, stride }),
        }
        match query {
            Query::Full => {
                self.emit(Instr::Const(decl.capacity as i32));
                self.emit(Instr::Binary(BinaryOp::Ge, 0));
                Kind::Word(Type::Bool)
            }
            Query::Empty => {
                self.emit(Instr::Const(0));
                self.emit(Instr::Binary(BinaryOp::Eq, 0));
                Kind::Word(Type::Bool)
            }
            _ => Kind::Word(Type::Int),
        }
    }

    /// A synchronous channel holds nothing: it is full and empty at once.
    fn query_synchronous(&mut self, query: Query, at: At) -> Kind {
        self.emit(Instr::Pop);
        match query {
            Query::Full | Query::Empty => {
                self.emit(Instr::Const(1));
                Kind::Word(Type::Bool)
            }
            Query::Count | Query::Size => {
                self.emit(Instr::Const(0));
                Kind::Word(Type::Int)
            }
            Query::Peek => self.never(at, "cpeek on an empty channel"),
        }
    }

    fn assign(&mut self, target: &Target, e: &Expr, at: At) -> Kind {
        let kind = self.expr(e);
        if kind == Kind::Never {
            return Kind::Never;
        }
        match target {
            Target::Var(v) if !self.model.variables[v.0 as usize].dims.is_empty() => {
                self.assign_array(*v, kind, at)
            }
            Target::Var(v) => {
                if !self.check_store(*v, kind, at) {
                    return Kind::Never;
                }
                self.emit(Instr::Store(self.layout.variables[v.0 as usize] as u32));
                kind
            }
            Target::Element(v, indices) => {
                let decl = &self.model.variables[v.0 as usize];
                let base = self.layout.variables[v.0 as usize] as u32;
                if !self.check_store(*v, kind, at) {
                    return Kind::Never;
                }
                if let Some(flat) = known_index(&decl.dims, indices) {
                    self.emit(Instr::Store(base + flat));
                } else {
                    self.flat_index(*v, indices, at);
                    self.emit(Instr::StoreAt(base));
                }
                kind
            }
            Target::Local(l) => {
                let i = l.0 as usize;
                match (self.locals[i], kind) {
                    (Some(Kind::Word(old)), Kind::Word(new)) if old == new => {
                        self.emit(Instr::StoreLocal(self.places[i]));
                        kind
                    }
                    (Some(Kind::Array(to)), Kind::Array(from)) if to.len == from.len => {
                        self.copy(from, to);
                        kind
                    }
                    _ => self.never(at, "the value does not fit this local variable"),
                }
            }
            Target::LocalElement(l, index) => match (self.locals[l.0 as usize], kind) {
                (Some(Kind::Array(array)), Kind::Word(ty)) if array.ty == ty => {
                    self.index(index, array.len, at, "");
                    self.emit(Instr::StoreLocalAt(array.base));
                    kind
                }
                _ => self.never(at, "the value does not fit this local array"),
            },
        }
    }

    /// Checks that the word on the stack may be stored in a variable; false if the code has gone wrong.
    pub(super) fn check_store(&mut self, v: VarId, kind: Kind, at: At) -> bool {
        let decl = &self.model.variables[v.0 as usize];
        if kind != Kind::Word(decl.ty) {
            self.fault(at, format!("`{}` holds {}", decl.name, decl.ty.word()));
            return false;
        }
        if !self.writes {
            self.fault(at, "an assignment has no place outside a program block");
            return false;
        }
        if decl.ty == Type::Int && (decl.lower.is_some() || decl.upper.is_some()) {
            let number = self.fault_number(at, format!(" is outside the range of `{}`", decl.name));
            let (lower, upper) = (decl.lower.unwrap_or(i32::MIN), decl.upper.unwrap_or(i32::MAX));
            self.emit(Instr::Range {
                lower,
                upper,
                fault: number,
            });
        }
        true
    }

    fn assign_array(&mut self, v: VarId, kind: Kind, at: At) -> Kind {
        let decl = &self.model.variables[v.0 as usize];
        let base = self.layout.variables[v.0 as usize] as u32;
        let Kind::Array(from) = kind else {
            return self.never(at, format!("`{}` is an array", decl.name));
        };
        if from.len as usize != decl.init.len() {
            return self.never(at, "the arrays differ in size");
        }
        for i in 0..from.len {
            self.emit(Instr::Const(i as i32));
            self.load_at(from);
            if !self.check_store(v, Kind::Word(from.ty), at) {
                return Kind::Never;
            }
            self.emit(Instr::Store(base + i));
            self.emit(Instr::Pop);
        }
        kind
    }

    /// Copies an array into a local one of the same size.
    fn copy(&mut self, from: Array, to: Array) {
        for i in 0..from.len {
            self.emit(Instr::Const(i as i32));
            self.load_at(from);
            self.emit(Instr::StoreLocal(to.base + i));
            self.emit(Instr::Pop);
        }
    }

    /// A condition has no program around it, but a macro in it may declare locals.
    fn make_room(&mut self, LocalId(l): LocalId) {
        if self.locals.len() <= l as usize {
            self.locals.resize(l as usize + 1, None);
            self.places.resize(l as usize + 1, 0);
        }
    }

    fn new_local(&mut self, l: LocalId, kind: Kind) {
        self.make_room(l);
        let i = l.0 as usize;
        self.places[i] = self.code.locals;
        self.code.locals += match kind {
            Kind::Array(array) => array.len,
            _ => 1,
        };
        self.locals[i] = Some(kind);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => {
                if let Kind::Word(_) = self.expr(e) {
                    self.emit(Instr::Pop);
                }
            }
            Stmt::Local(l, e) => match self.expr(e) {
                Kind::Word(ty) => {
                    self.new_local(*l, Kind::Word(ty));
                    self.emit(Instr::StoreLocal(self.places[l.0 as usize]));
                    self.emit(Instr::Pop);
                }
                Kind::Array(from) => {
                    let to = Array {
                        home: Home::Locals,
                        base: self.code.locals,
                        ..from
                    };
                    self.new_local(*l, Kind::Array(to));
                    self.copy(from, to);
                }
                Kind::Never => {}
            },
            Stmt::LocalArray(l, elements) => self.local_array(*l, elements),
            Stmt::If(condition, then, otherwise) => {
                self.truth(condition);
                let skip = self.jump(Instr::Unless(0));
                self.stmt(then);
                match otherwise {
                    None => self.land(skip),
                    Some(otherwise) => {
                        let end = self.jump(Instr::Jump(0));
                        self.land(skip);
                        self.stmt(otherwise);
                        self.land(end);
                    }
                }
            }
            Stmt::While(condition, body, at) => {
                let top = self.here();
                self.truth(condition);
                let end = self.jump(Instr::Unless(0));
                let message = format!(
                    "this loop does not end within {} rounds",
                    crate::reference::MAX_ROUNDS
                );
                let number = self.fault_number(*at, message);
                self.emit(Instr::Round(number));
                self.stmt(body);
                self.emit(Instr::Jump(top));
                self.land(end);
            }
            Stmt::Block(body) => body.iter().for_each(|s| self.stmt(s)),
        }
    }

    fn local_array(&mut self, l: LocalId, elements: &[Expr]) {
        if let Some(array) = self.elements(elements) {
            self.make_room(l);
            self.locals[l.0 as usize] = Some(Kind::Array(array));
        }
    }

    /// Evaluates elements into fresh local words, since they may read the variable that they are assigned to; none if
    /// they have gone wrong.
    fn elements(&mut self, elements: &[Expr]) -> Option<Array> {
        let mut array = Array {
            home: Home::Locals,
            base: self.code.locals,
            len: elements.len() as u32,
            ty: Type::Int,
        };
        self.code.locals += array.len;
        for (i, e) in elements.iter().enumerate() {
            match self.expr(e) {
                Kind::Word(ty) if i == 0 || ty == array.ty => array.ty = ty,
                Kind::Never => return None,
                _ => {
                    self.fault(place(e), "an array's elements must have one type");
                    return None;
                }
            }
            self.emit(Instr::StoreLocal(array.base + i as u32));
            self.emit(Instr::Pop);
        }
        Some(array)
    }
}

/// The flat index of an element whose indices are known and inside.
pub(super) fn known_index(dims: &[u32], indices: &[Expr]) -> Option<u32> {
    let mut flat = 0;
    for (e, &dim) in indices.iter().zip(dims) {
        match e {
            Expr::Const(Value::Int(i)) if u32::try_from(*i).is_ok_and(|i| i < dim) => {
                flat = flat * dim + *i as u32;
            }
            _ => return None,
        }
    }
    Some(flat)
}
