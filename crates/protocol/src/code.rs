//! Expressions made ready to be evaluated again and again, on packed configurations.
//!
//! A field is a look into the table of its values by node state. A count of nodes by their own fields alone is a table of
//! marks by node state; one that compares a field with something else evaluates that once. What is the same for every edge of a
//! configuration may be kept while the configuration is stepped ([`Kept`]).

use crate::bounds::{Reads, bounds};
use crate::coding::Coding;
use crate::fault;
use crate::model::{Expr, FieldId, Operator, Place, Protocol};
use fairhold_source::Span;
use fairhold_system::{Fault, Word};

/// The word of a detector that is correct; before, it is its guess.
pub(crate) const CORRECT: Word = 2;

/// Faults are rare and large.
pub(crate) type Evaluated = Result<i32, Box<Fault>>;

/// A node, as far as expressions name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    Initiator,
    Responder,
    Each,
}

/// An expression, compiled.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Const(i32),
    Field(Who, FieldId),
    Node(Who),
    /// A field of the node with a number.
    FieldAt(Box<Code>, FieldId),
    /// The number of the node with a number: checks that there is one.
    NodeAt(Box<Code>),
    /// The detector, and what it tells once it is correct.
    Detector(Box<Code>),
    Correct,
    /// How many nodes have one of the states that are marked by a 1.
    Marked(Box<[u8]>),
    /// How many nodes have this value of the field.
    Having(FieldId, Box<Code>),
    /// How many nodes satisfy the condition.
    Count(Box<Code>),
    /// A part that is the same for all edges, by its number.
    Kept(usize),
    Not(Box<Code>),
    Minus(Box<Code>),
    And(Box<Code>, Box<Code>),
    Or(Box<Code>, Box<Code>),
    Compare(Operator, Box<Code>, Box<Code>),
    Compute(Operator, Box<Code>, Box<Code>, Span),
}

/// What an expression is evaluated in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) coding: &'a Coding,
    /// The states of all nodes.
    pub(crate) nodes: &'a [Word],
    /// How many nodes each of these stands for, if that is not one.
    pub(crate) weights: Option<&'a [Word]>,
    /// The detector's word, if there is one.
    pub(crate) detector: Word,
    pub(crate) initiator: u32,
    pub(crate) responder: u32,
    /// The node that is counted.
    pub(crate) each: u32,
}

impl<'a> Scene<'a> {
    /// A configuration, of which no node is meant.
    #[inline]
    pub(crate) fn new(coding: &'a Coding, nodes: &'a [Word], detector: Word) -> Scene<'a> {
        Scene {
            coding,
            nodes,
            weights: None,
            detector,
            initiator: 0,
            responder: 0,
            each: 0,
        }
    }

    /// The same, with the nodes of a rule.
    #[inline]
    pub(crate) fn on(self, initiator: u32, responder: u32) -> Scene<'a> {
        Scene {
            initiator,
            responder,
            ..self
        }
    }

    /// How many nodes there are, each counted as often as `of` says of its state.
    #[inline]
    fn count(&self, of: impl Fn(Word) -> i32) -> i32 {
        match self.weights {
            None => self.nodes.iter().map(|&state| of(state)).sum(),
            Some(weights) => {
                let weighted = self.nodes.iter().zip(weights);
                weighted.map(|(&state, &weight)| of(state) * weight as i32).sum()
            }
        }
    }

    #[inline]
    fn number(&self, who: Who) -> u32 {
        match who {
            Who::Initiator => self.initiator,
            Who::Responder => self.responder,
            Who::Each => self.each,
        }
    }
}

/// Values that are the same for all edges of a configuration, computed at most once in each.
#[derive(Clone, Debug)]
pub(crate) struct Kept<'a> {
    codes: &'a [Code],
    values: Vec<Option<i32>>,
}

impl<'a> Kept<'a> {
    pub(crate) fn new(codes: &'a [Code]) -> Kept<'a> {
        Kept {
            codes,
            values: vec![None; codes.len()],
        }
    }

    /// Forgets all values: another configuration is at hand.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.values.fill(None);
    }

    fn get(&mut self, number: usize, scene: &Scene<'_>) -> Evaluated {
        if let Some(value) = self.values[number] {
            return Ok(value);
        }
        let codes = self.codes;
        let value = codes[number].eval(scene, self)?;
        self.values[number] = Some(value);
        Ok(value)
    }
}

/// Turns expressions into code. With `keep`, parts that are the same for all edges are put there.
pub(crate) struct Compiler<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) coding: &'a Coding,
    pub(crate) keep: Option<&'a mut Vec<Code>>,
}

impl Compiler<'_> {
    pub(crate) fn compile(&mut self, expr: &Expr) -> Code {
        let reads = Reads::of(expr);
        if reads.is_global()
            && reads.configuration
            && let Some(keep) = self.keep.take()
        {
            let code = self.part(expr);
            let known = keep.iter().position(|k| k.is(&code));
            let number = known.unwrap_or_else(|| {
                keep.push(code);
                keep.len() - 1
            });
            self.keep = Some(keep);
            return Code::Kept(number);
        }
        self.part(expr)
    }

    fn part(&mut self, expr: &Expr) -> Code {
        let protocol = self.protocol;
        let mut boxed = |e: &Expr| Box::new(self.compile(e));
        match expr {
            Expr::Const(n) => Code::Const(*n),
            Expr::Field(place, field) => match place {
                Place::At(number) => Code::FieldAt(boxed(number), *field),
                _ => Code::Field(who(place), *field),
            },
            Expr::Node(place) => match place {
                Place::At(number) => Code::NodeAt(boxed(number)),
                _ => Code::Node(who(place)),
            },
            Expr::Detector => {
                let detector = protocol.detector.as_ref().expect("an answer needs a detector");
                Code::Detector(boxed(&detector.truth))
            }
            Expr::Correct => Code::Correct,
            Expr::Count(condition) => self.count(condition),
            Expr::Not(e) => Code::Not(boxed(e)),
            Expr::Minus(e) => Code::Minus(boxed(e)),
            Expr::Binary(operator, a, b, span) => {
                let (a, b) = (boxed(a), boxed(b));
                match operator {
                    Operator::And => Code::And(a, b),
                    Operator::Or => Code::Or(a, b),
                    Operator::Add
                    | Operator::Subtract
                    | Operator::Multiply
                    | Operator::Divide
                    | Operator::Modulo => Code::Compute(*operator, a, b, *span),
                    _ => Code::Compare(*operator, a, b),
                }
            }
        }
    }

    fn count(&mut self, condition: &Expr) -> Code {
        let reads = Reads::of(condition);
        let only_each = !reads.ends && !reads.numbers && !reads.each_number && !reads.configuration;
        if only_each && bounds(self.protocol, condition).is_some() {
            let code = self.compile(condition);
            let mark = |state: Word| {
                let nodes = [state];
                let value = code.eval(&Scene::new(self.coding, &nodes, 0), &mut Kept::new(&[]));
                u8::from(value.expect("within bounds nothing goes wrong") != 0)
            };
            return Code::Marked((0..self.coding.states as Word).map(mark).collect());
        }
        if let Expr::Binary(Operator::Equal, a, b, _) = condition {
            for (one, other) in [(a, b), (b, a)] {
                let reads = Reads::of(other);
                if let Expr::Field(Place::Each, field) = **one
                    && !reads.each
                    && !reads.each_number
                {
                    return Code::Having(field, Box::new(self.compile(other)));
                }
            }
        }
        Code::Count(Box::new(self.compile(condition)))
    }
}

fn who(place: &Place) -> Who {
    match place {
        Place::Initiator => Who::Initiator,
        Place::Responder => Who::Responder,
        Place::Each => Who::Each,
        Place::At(_) => unreachable!("a node by its number is compiled otherwise"),
    }
}

impl Code {
    /// An expression that is evaluated as a whole, without parts kept for others.
    pub(crate) fn of(protocol: &Protocol, coding: &Coding, expr: &Expr) -> Code {
        let mut compiler = Compiler {
            protocol,
            coding,
            keep: None,
        };
        compiler.compile(expr)
    }

    /// Whether these are the same, as far as that is seen at a glance.
    fn is(&self, other: &Code) -> bool {
        match (self, other) {
            (Code::Const(a), Code::Const(b)) => a == b,
            (Code::Field(a, f), Code::Field(b, g)) => a == b && f == g,
            (Code::FieldAt(a, f), Code::FieldAt(b, g)) | (Code::Having(f, a), Code::Having(g, b)) => {
                f == g && a.is(b)
            }
            (Code::Correct, Code::Correct) => true,
            (Code::Marked(a), Code::Marked(b)) => a == b,
            (Code::Detector(a), Code::Detector(b)) | (Code::Not(a), Code::Not(b)) => a.is(b),
            (Code::And(a, c), Code::And(b, d)) | (Code::Or(a, c), Code::Or(b, d)) => a.is(b) && c.is(d),
            (Code::Compare(o, a, c), Code::Compare(p, b, d)) => o == p && a.is(b) && c.is(d),
            _ => false,
        }
    }

    /// The value in a scene.
    pub(crate) fn eval(&self, scene: &Scene<'_>, kept: &mut Kept<'_>) -> Evaluated {
        Ok(match self {
            Code::Const(n) => *n,
            Code::Field(who, field) => {
                let node = scene.number(*who) as usize;
                scene.coding.value(*field, scene.nodes[node])
            }
            Code::Node(who) => scene.number(*who) as i32,
            Code::FieldAt(number, field) => {
                let node = at(number, scene, kept)?;
                scene.coding.value(*field, scene.nodes[node])
            }
            Code::NodeAt(number) => at(number, scene, kept)? as i32,
            Code::Detector(truth) => match scene.detector {
                CORRECT => i32::from(truth.eval(scene, kept)? != 0),
                guess => guess as i32,
            },
            Code::Correct => i32::from(scene.detector == CORRECT),
            Code::Marked(marks) => scene.count(|state| i32::from(marks[state as usize])),
            Code::Having(field, value) => {
                let value = value.eval(scene, kept)?;
                scene.count(|state| i32::from(scene.coding.value(*field, state) == value))
            }
            Code::Count(condition) => {
                let mut count = 0;
                for each in 0..scene.nodes.len() as u32 {
                    let weight = scene.weights.map_or(1, |weights| weights[each as usize]);
                    let scene = Scene { each, ..*scene };
                    if weight > 0 && condition.eval(&scene, kept)? != 0 {
                        count += weight as i32;
                    }
                }
                count
            }
            Code::Kept(number) => kept.get(*number, scene)?,
            Code::Not(e) => i32::from(e.eval(scene, kept)? == 0),
            Code::Minus(e) => {
                let value = e.eval(scene, kept)?;
                value.checked_neg().ok_or_else(|| fault::overflow(None))?
            }
            Code::And(a, b) => i32::from(a.eval(scene, kept)? != 0 && b.eval(scene, kept)? != 0),
            Code::Or(a, b) => i32::from(a.eval(scene, kept)? != 0 || b.eval(scene, kept)? != 0),
            Code::Compare(operator, a, b) => {
                let (a, b) = (a.eval(scene, kept)?, b.eval(scene, kept)?);
                i32::from(match operator {
                    Operator::Equal => a == b,
                    Operator::Unequal => a != b,
                    Operator::Less => a < b,
                    Operator::AtMost => a <= b,
                    Operator::Greater => a > b,
                    Operator::AtLeast => a >= b,
                    _ => unreachable!("only comparisons are compiled to this"),
                })
            }
            Code::Compute(operator, a, b, span) => {
                let (a, b) = (a.eval(scene, kept)?, b.eval(scene, kept)?);
                let value = match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Multiply => a.checked_mul(b),
                    _ if b == 0 => return Err(Box::new(fault::division(*span))),
                    Operator::Divide => a.checked_div(b),
                    // The remainder of the least number by -1 is 0, though the quotient is out of range.
                    Operator::Modulo => Some(a.checked_rem_euclid(b).unwrap_or(0)),
                    _ => unreachable!("only arithmetic is compiled to this"),
                };
                value.ok_or_else(|| fault::overflow(Some(*span)))?
            }
        })
    }
}

/// The node with a number.
fn at(number: &Code, scene: &Scene<'_>, kept: &mut Kept<'_>) -> Result<usize, Box<Fault>> {
    let number = number.eval(scene, kept)?;
    let node = usize::try_from(number).ok().filter(|&n| n < scene.nodes.len());
    node.ok_or_else(|| Box::new(fault::no_node(number, scene.nodes.len() as u32)))
}
