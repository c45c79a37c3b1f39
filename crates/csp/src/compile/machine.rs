//! The stack machine that runs [`Code`].

use super::call::run_function;
use super::code::{Code, Instr};
use crate::reference::MAX_ROUNDS;
use fairhold_system::{Fault, Word};

/// A stack and local words, reused from run to run.
#[derive(Debug, Default)]
pub(super) struct Machine {
    stack: Vec<i32>,
    locals: Vec<i32>,
}

/// What code works on.
trait Memory {
    fn get(&self, i: usize) -> i32;
    fn set(&mut self, i: usize, value: i32);
}

impl Memory for &[Word] {
    fn get(&self, i: usize) -> i32 {
        self[i] as i32
    }

    fn set(&mut self, _: usize, _: i32) {
        unreachable!("code for conditions has no stores");
    }
}

impl Memory for &mut [Word] {
    fn get(&self, i: usize) -> i32 {
        self[i] as i32
    }

    fn set(&mut self, i: usize, value: i32) {
        self[i] = value as Word;
    }
}

impl Machine {
    /// The value of an expression in a state.
    pub(super) fn eval(&mut self, code: &Code, state: &[Word]) -> Result<i32, Fault> {
        self.go(code, state)?;
        Ok(self.stack.pop().expect("an expression leaves its value"))
    }

    /// Runs a program on a state.
    pub(super) fn run(&mut self, code: &Code, state: &mut [Word]) -> Result<(), Fault> {
        self.go(code, state)
    }

    fn go(&mut self, code: &Code, mut state: impl Memory) -> Result<(), Fault> {
        let Machine { stack, locals } = self;
        stack.clear();
        locals.clear();
        locals.resize(code.locals as usize, 0);
        let mut rounds = 0;
        let mut pc = 0;
        macro_rules! pop {
            () => {
                stack.pop().expect("the compiler balances the stack")
            };
        }
        macro_rules! top {
            () => {
                *stack.last().expect("the compiler balances the stack")
            };
        }
        while let Some(&instr) = code.instrs.get(pc) {
            pc += 1;
            match instr {
                Instr::Const(value) => stack.push(value),
                Instr::Load(i) => stack.push(state.get(i as usize)),
                Instr::LoadAt { base, stride } => {
                    let i = pop!() as u32;
                    stack.push(state.get((base + i * stride) as usize));
                }
                Instr::LoadLocal(i) => stack.push(locals[i as usize]),
                Instr::LoadLocalAt(base) => {
                    let i = pop!() as u32;
                    stack.push(locals[(base + i) as usize]);
                }
                Instr::LoadPoolAt(base) => {
                    let i = pop!() as u32;
                    stack.push(code.pool[(base + i) as usize]);
                }
                Instr::Index { len, fault } => {
                    let i = top!();
                    if u32::try_from(i).is_ok_and(|i| i < len) {
                        continue;
                    }
                    let f = &code.faults[fault as usize];
                    let message = format!("index {i} is outside 0..{}{}", i64::from(len) - 1, f.message);
                    return Err(Fault {
                        message,
                        ..(**f).clone()
                    });
                }
                Instr::Flatten(dim) => {
                    let j = pop!();
                    let i = pop!();
                    stack.push(i * dim as i32 + j);
                }
                Instr::Range { lower, upper, fault } => {
                    let value = top!();
                    if value < lower || value > upper {
                        let f = &code.faults[fault as usize];
                        return Err(Fault {
                            message: format!("{value}{}", f.message),
                            ..(**f).clone()
                        });
                    }
                }
                Instr::Store(i) => state.set(i as usize, top!()),
                Instr::StoreAt(base) => {
                    let i = pop!() as u32;
                    state.set((base + i) as usize, top!());
                }
                Instr::StoreLocal(i) => locals[i as usize] = top!(),
                Instr::StoreLocalAt(base) => {
                    let i = pop!() as u32;
                    locals[(base + i) as usize] = top!();
                }
                Instr::Neg => {
                    let value = pop!();
                    stack.push(value.wrapping_neg());
                }
                Instr::Not => {
                    let value = pop!();
                    stack.push(i32::from(value == 0));
                }
                Instr::Binary(op, fault) => {
                    let b = pop!();
                    let a = pop!();
                    match op.apply(a, b) {
                        Some(value) => stack.push(value),
                        None => return Err((*code.faults[fault as usize]).clone()),
                    }
                }
                Instr::Pop => {
                    pop!();
                }
                Instr::Jump(goal) => pc = goal as usize,
                Instr::JumpIfFalse(goal) => {
                    if top!() == 0 {
                        pc = goal as usize;
                    } else {
                        pop!();
                    }
                }
                Instr::JumpIfTrue(goal) => {
                    if top!() == 0 {
                        pop!();
                    } else {
                        pc = goal as usize;
                    }
                }
                Instr::Unless(goal) => {
                    if pop!() == 0 {
                        pc = goal as usize;
                    }
                }
                Instr::Round(fault) => {
                    rounds += 1;
                    if rounds > MAX_ROUNDS {
                        return Err((*code.faults[fault as usize]).clone());
                    }
                }
                Instr::Peek { base, stride, fault } => {
                    let first = (base + pop!() as u32 * stride) as usize;
                    if state.get(first) == 0 {
                        return Err((*code.faults[fault as usize]).clone());
                    }
                    // The shape of a single integer.
                    if state.get(first + 1) != 1 {
                        return Err((*code.faults[fault as usize + 1]).clone());
                    }
                    stack.push(state.get(first + 2));
                }
                Instr::Method(call) => code.calls[call as usize].run(stack)?,
                Instr::Function(function, fault) => {
                    run_function(function, stack, &code.faults[fault as usize])?;
                }
                Instr::Fault(fault) => return Err((*code.faults[fault as usize]).clone()),
            }
        }
        Ok(())
    }
}
