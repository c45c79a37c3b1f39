//! The layers of a random model, and the asserted process on top of them.

use super::process::{Context, Header, Tail};
use super::tree::{Definition, Operator, Process};
use super::{Generator, Name};

impl Generator<'_> {
    /// Decides which components and helpers there are, and what they take, before any of them is written.
    pub(super) fn plan(&mut self) {
        let components = 2 + self.rng.below(2);
        let helpers = 1 + self.rng.below(2);
        for i in 0..components + helpers {
            let layer = if i < components { 1 } else { 2 };
            let loose = !self.parallel || self.rng.chance(1, 4);
            let params = self.params(loose);
            let alphabet = if !self.parallel {
                None
            } else if loose {
                self.uses("alphabet for events known at run time");
                Some(self.alphabet(&[]))
            } else {
                self.rng.chance(1, 4).then(|| self.alphabet(&params))
            };
            if alphabet.is_some() {
                self.uses("#alphabet");
            }
            let ranged = self.rng.chance(1, 6);
            let prefix = if layer == 1 { "P" } else { "H" };
            self.headers.push(Header {
                name: format!("{prefix}{i}"),
                params,
                layer,
                loose,
                ranged,
                alphabet,
            });
        }
    }

    fn params(&mut self, loose: bool) -> Vec<Name> {
        let count = self.weighted(&[(2, 0), (4, 1), (2, 2)]);
        let mut params: Vec<Name> = (0..count)
            .map(|i| {
                Name::number(
                    format!("n{i}"),
                    2 + self.rng.below(2),
                    !loose && self.rng.chance(3, 4),
                )
            })
            .collect();
        if let Some((_, len, _)) = self.data.arrays.first()
            && self.rng.chance(1, 8)
        {
            params.push(Name {
                text: "list".to_owned(),
                bound: 2,
                fixed: false,
                len: Some(*len),
            });
            self.uses("array as an argument");
        }
        params
    }

    /// Events of an alphabet; what varies with a parameter may be in it.
    fn alphabet(&mut self, params: &[Name]) -> Vec<String> {
        let mut events: Vec<String> = Vec::new();
        if self.rng.chance(2, 3) {
            events.push((*self.rng.pick(&["a", "b", "c"])).to_owned());
        }
        if events.is_empty() || self.rng.chance(1, 2) {
            events.push("k:{0..2} @ e.k".to_owned());
        }
        if let Some(param) = params.iter().find(|p| p.fixed) {
            events.push(format!("f.{}.0", param.text));
        }
        events
    }

    /// The definition of `System`.
    pub(super) fn system(&mut self) -> Definition {
        let body = match self.rng.below(22) {
            0 | 1 => {
                self.uses("shape: hidden composition");
                let composition = Box::new(self.composition());
                Process::Hide(composition, self.event_set(&Context::system()))
            }
            2 | 3 => {
                self.uses("shape: prefix before the composition");
                let composition = self.composition();
                self.prefixed(&Context::system(), |_, _| composition)
            }
            4 | 5 => {
                self.uses("shape: sequence before the composition");
                let first = self.branch(&Context {
                    depth: 2,
                    tail: Tail::Never,
                    ..Context::system()
                });
                Process::Sequence(Box::new(first), Box::new(self.composition()))
            }
            6 => {
                self.uses("shape: no composition");
                self.branch(&Context {
                    depth: 3,
                    ..Context::system()
                })
            }
            7 => {
                self.uses("shape: a call");
                self.component()
            }
            8..=10 if self.parallel => {
                self.uses("shape: both operators nested");
                let (outer, inner) = *self.rng.pick(&[
                    (Operator::Interleave, Operator::Parallel),
                    (Operator::Parallel, Operator::Interleave),
                ]);
                let nested = Process::Joined(inner, vec![self.operand(), self.operand()]);
                let mut operands = vec![self.operand(), nested];
                if self.rng.chance(1, 3) {
                    operands.push(Process::Joined(outer, vec![self.component(), self.component()]));
                    self.uses("nested operands of one operator");
                }
                Process::Joined(outer, operands)
            }
            16.. => {
                self.uses("shape: compositions in compositions");
                self.nest(2)
            }
            _ => {
                self.uses("shape: composition");
                self.composition()
            }
        };
        Definition {
            name: "System".to_owned(),
            params: Vec::new(),
            alphabet: None,
            body,
        }
    }

    /// Compositions in compositions, to this depth, with something around an inner one now and then.
    fn nest(&mut self, depth: usize) -> Process {
        if depth == 0 {
            return self.operand();
        }
        let operator = if self.parallel && self.rng.chance(1, 3) {
            Operator::Parallel
        } else {
            Operator::Interleave
        };
        let inner = self.nest(depth - 1);
        let inner = match self.rng.below(9) {
            0 => {
                let body = Box::new(inner);
                Process::Indexed(
                    Operator::Interleave,
                    format!("{}:{{0..1}}", self.fresh("i")),
                    body,
                )
            }
            1 => Process::Hide(Box::new(inner), self.event_set(&Context::system())),
            2 => self.prefixed(&Context::system(), |_, _| inner),
            3 => Process::Sequence(Box::new(self.operand()), Box::new(inner)),
            4 => {
                self.uses("something after a composition");
                Process::Sequence(Box::new(inner), Box::new(self.component()))
            }
            5 => {
                self.uses("composition that can be interrupted or not chosen");
                let other = Box::new(self.operand());
                match self.rng.below(2) {
                    0 => Process::Interrupt(Box::new(inner), other),
                    _ => Process::Joined(Operator::Choice, vec![inner, *other]),
                }
            }
            _ => inner,
        };
        let other = self.rng.below(depth);
        let mut operands = vec![inner, self.nest(other)];
        if self.rng.chance(1, 2) {
            operands.reverse();
        }
        Process::Joined(operator, operands)
    }

    fn composition(&mut self) -> Process {
        let operator = if self.parallel && self.rng.chance(1, 2) {
            Operator::Parallel
        } else {
            Operator::Interleave
        };
        match self.rng.below(8) {
            0 => {
                let index = self.fresh("i");
                let names = vec![Name::number(index.clone(), 3, true)];
                let body = self
                    .call(&Context {
                        names,
                        ..Context::system()
                    })
                    .unwrap_or(Process::Skip);
                let values = *self.rng.pick(&["{0..1}", "{0..2}", "{1, 0}"]);
                if operator == Operator::Parallel && values == "{0..2}" {
                    self.uses("synchronisation of three or more");
                }
                Process::Indexed(operator, format!("{index}:{values}"), Box::new(body))
            }
            1 if operator == Operator::Interleave => {
                Process::Copies((2 + self.rng.below(2)).to_string(), Box::new(self.component()))
            }
            _ => {
                let count = self.weighted(&[(5, 2), (3, 3), (1, 4)]);
                if operator == Operator::Parallel && count > 2 {
                    self.uses("synchronisation of three or more");
                }
                Process::Joined(operator, (0..count).map(|_| self.operand()).collect())
            }
        }
    }

    /// Mostly a component, sometimes a process written out.
    fn operand(&mut self) -> Process {
        if self.rng.chance(4, 5) {
            return self.component();
        }
        let context = Context {
            depth: 3,
            tail: Tail::Never,
            fixed: self.parallel,
            ..Context::system()
        };
        self.branch(&context)
    }

    fn component(&mut self) -> Process {
        let context = Context {
            fixed: self.parallel,
            ..Context::system()
        };
        self.call(&context).expect("the system may call every component")
    }
}
