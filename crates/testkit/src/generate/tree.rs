//! The tree of a generated model, and its text.
//!
//! Only processes are a tree: tests rewrite and shrink them. Declarations, events, programs and expressions are kept
//! as the text they are printed as. Everything that consists of more than one word is put in parentheses, so what a
//! tree means never hangs on precedence; that is what the parser's own tests are for.

use std::fmt;

/// A model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Source {
    /// Constants, variables, channels, macros: one line each.
    pub declarations: Vec<String>,
    /// Process definitions; the asserted one is called `System`.
    pub definitions: Vec<Definition>,
    /// A condition on states, asked for by `reaches`.
    pub goal: String,
    /// An integer expression, to be as large as possible in such a state.
    pub objective: String,
}

/// A process definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its parameters, with ranges where there are some.
    pub params: Vec<String>,
    /// The events of its `#alphabet`, if it has one.
    pub alphabet: Option<Vec<String>>,
    /// What it does.
    pub body: Process,
}

/// The operators that join any number of processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// `|||`
    Interleave,
    /// `||`
    Parallel,
    /// `[]`
    Choice,
    /// `<>`
    Internal,
    /// `[*]`
    External,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 5] = [
        Operator::Interleave,
        Operator::Parallel,
        Operator::Choice,
        Operator::Internal,
        Operator::External,
    ];

    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Interleave => "|||",
            Operator::Parallel => "||",
            Operator::Choice => "[]",
            Operator::Internal => "<>",
            Operator::External => "[*]",
        }
    }
}

/// What stands before `->`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Head {
    /// `e.0`
    Event,
    /// `e.0{x = 1}`
    EventProgram,
    /// `(a, e.0)`
    Events,
    /// `tau`
    Tau,
    /// `{x = 1}`
    Program,
    /// `c!1`, with or without a program
    Send,
    /// `c?x`, with or without a guard and a program
    Receive,
}

/// Which conditional.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Conditional {
    /// `if`
    If,
    /// `ifa`
    Ifa,
    /// `ifb`
    Ifb,
}

/// The kind of a process's outermost operator: what coverage is counted by.
#[allow(missing_docs, reason = "each is the form it is named after")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Skip,
    Stop,
    Assert,
    Call,
    Prefix(Head),
    Guard,
    Conditional(Conditional),
    Case,
    Joined(Operator),
    Indexed(Operator),
    Copies,
    Interrupt,
    Hide,
    Sequence,
    Atomic,
}

impl Kind {
    /// All kinds, those without processes inside first.
    pub const ALL: [Kind; 31] = [
        Kind::Skip,
        Kind::Stop,
        Kind::Assert,
        Kind::Call,
        Kind::Prefix(Head::Event),
        Kind::Prefix(Head::EventProgram),
        Kind::Prefix(Head::Events),
        Kind::Prefix(Head::Tau),
        Kind::Prefix(Head::Program),
        Kind::Prefix(Head::Send),
        Kind::Prefix(Head::Receive),
        Kind::Guard,
        Kind::Conditional(Conditional::If),
        Kind::Conditional(Conditional::Ifa),
        Kind::Conditional(Conditional::Ifb),
        Kind::Case,
        Kind::Joined(Operator::Interleave),
        Kind::Joined(Operator::Parallel),
        Kind::Joined(Operator::Choice),
        Kind::Joined(Operator::Internal),
        Kind::Joined(Operator::External),
        Kind::Indexed(Operator::Interleave),
        Kind::Indexed(Operator::Parallel),
        Kind::Indexed(Operator::Choice),
        Kind::Indexed(Operator::Internal),
        Kind::Indexed(Operator::External),
        Kind::Copies,
        Kind::Interrupt,
        Kind::Hide,
        Kind::Sequence,
        Kind::Atomic,
    ];

    /// The kinds without processes inside.
    pub const LEAVES: &'static [Kind] = Kind::ALL.split_at(4).0;

    /// The kinds with processes inside.
    pub const BRANCHES: &'static [Kind] = Kind::ALL.split_at(4).1;
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Skip => "Skip",
            Kind::Stop => "Stop",
            Kind::Assert => "assert",
            Kind::Call => "P()",
            Kind::Prefix(Head::Event) => "e->",
            Kind::Prefix(Head::EventProgram) => "e{}->",
            Kind::Prefix(Head::Events) => "(e,f)->",
            Kind::Prefix(Head::Tau) => "tau->",
            Kind::Prefix(Head::Program) => "{}->",
            Kind::Prefix(Head::Send) => "c!->",
            Kind::Prefix(Head::Receive) => "c?->",
            Kind::Guard => "[b]",
            Kind::Conditional(Conditional::If) => "if",
            Kind::Conditional(Conditional::Ifa) => "ifa",
            Kind::Conditional(Conditional::Ifb) => "ifb",
            Kind::Case => "case",
            Kind::Joined(operator) => operator.symbol(),
            Kind::Indexed(operator) => return write!(f, "{} i@", operator.symbol()),
            Kind::Copies => "|||{n}@",
            Kind::Interrupt => "interrupt",
            Kind::Hide => "\\",
            Kind::Sequence => ";",
            Kind::Atomic => "atomic",
        })
    }
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Process {
    /// `Skip`
    Skip,
    /// `Stop`
    Stop,
    /// `assert(c)`
    Assert(String),
    /// `P(1, x)`
    Call(String, Vec<String>),
    /// `head{program} -> P`: what stands before the program, the program with its braces, what follows
    Prefix(Head, String, Option<String>, Box<Process>),
    /// `[c] P`
    Guard(String, Box<Process>),
    /// `if (c) {P} else {Q}`
    Conditional(Conditional, String, Box<Process>, Option<Box<Process>>),
    /// `case {c: P default: Q}`
    Case(Vec<(String, Process)>, Option<Box<Process>>),
    /// `P ||| Q ||| R`
    Joined(Operator, Vec<Process>),
    /// `||| i:{0..2} @ P`
    Indexed(Operator, String, Box<Process>),
    /// `|||{2} @ P`
    Copies(String, Box<Process>),
    /// `P interrupt Q`
    Interrupt(Box<Process>, Box<Process>),
    /// `P \ {a, e.0}`
    Hide(Box<Process>, Vec<String>),
    /// `P; Q`
    Sequence(Box<Process>, Box<Process>),
    /// `atomic{P}`
    Atomic(Box<Process>),
}

impl Process {
    /// The kind of the outermost operator.
    pub fn kind(&self) -> Kind {
        match self {
            Process::Skip => Kind::Skip,
            Process::Stop => Kind::Stop,
            Process::Assert(_) => Kind::Assert,
            Process::Call(..) => Kind::Call,
            Process::Prefix(head, ..) => Kind::Prefix(*head),
            Process::Guard(..) => Kind::Guard,
            Process::Conditional(which, ..) => Kind::Conditional(*which),
            Process::Case(..) => Kind::Case,
            Process::Joined(operator, _) => Kind::Joined(*operator),
            Process::Indexed(operator, ..) => Kind::Indexed(*operator),
            Process::Copies(..) => Kind::Copies,
            Process::Interrupt(..) => Kind::Interrupt,
            Process::Hide(..) => Kind::Hide,
            Process::Sequence(..) => Kind::Sequence,
            Process::Atomic(_) => Kind::Atomic,
        }
    }

    /// The processes directly inside.
    pub fn children(&self) -> Vec<&Process> {
        match self {
            Process::Skip | Process::Stop | Process::Assert(_) | Process::Call(..) => Vec::new(),
            Process::Prefix(_, _, _, p)
            | Process::Guard(_, p)
            | Process::Conditional(_, _, p, None)
            | Process::Indexed(_, _, p)
            | Process::Copies(_, p)
            | Process::Hide(p, _)
            | Process::Atomic(p) => vec![p],
            Process::Conditional(_, _, p, Some(q)) | Process::Interrupt(p, q) | Process::Sequence(p, q) => {
                vec![p, q]
            }
            Process::Case(branches, otherwise) => branches
                .iter()
                .map(|(_, p)| p)
                .chain(otherwise.as_deref())
                .collect(),
            Process::Joined(_, operands) => operands.iter().collect(),
        }
    }

    /// The processes directly inside, for changes.
    pub fn children_mut(&mut self) -> Vec<&mut Process> {
        match self {
            Process::Skip | Process::Stop | Process::Assert(_) | Process::Call(..) => Vec::new(),
            Process::Prefix(_, _, _, p)
            | Process::Guard(_, p)
            | Process::Conditional(_, _, p, None)
            | Process::Indexed(_, _, p)
            | Process::Copies(_, p)
            | Process::Hide(p, _)
            | Process::Atomic(p) => vec![p],
            Process::Conditional(_, _, p, Some(q)) | Process::Interrupt(p, q) | Process::Sequence(p, q) => {
                vec![p, q]
            }
            Process::Case(branches, otherwise) => branches
                .iter_mut()
                .map(|(_, p)| p)
                .chain(otherwise.as_deref_mut())
                .collect(),
            Process::Joined(_, operands) => operands.iter_mut().collect(),
        }
    }

    /// Calls `f` with this process and all inside it, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Process)) {
        f(self);
        self.children().into_iter().for_each(|p| p.visit(f));
    }

    /// Calls `f` with all processes inside this one and then with itself, for changes.
    pub fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Process)) {
        self.children_mut().into_iter().for_each(|p| p.visit_mut(f));
        f(self);
    }
}

/// A process as an operand.
struct Operand<'a>(&'a Process);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            p @ (Process::Skip
            | Process::Stop
            | Process::Assert(_)
            | Process::Call(..)
            | Process::Atomic(_)) => {
                write!(f, "{p}")
            }
            p => write!(f, "({p})"),
        }
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Process::Skip => f.write_str("Skip"),
            Process::Stop => f.write_str("Stop"),
            Process::Assert(condition) => write!(f, "assert({condition})"),
            Process::Call(name, args) => write!(f, "{name}({})", args.join(", ")),
            Process::Prefix(_, head, program, then) => {
                write!(f, "{head}{} -> ", program.as_deref().unwrap_or(""))?;
                match **then {
                    Process::Prefix(..) | Process::Conditional(..) | Process::Case(..) => write!(f, "{then}"),
                    _ => write!(f, "{}", Operand(then)),
                }
            }
            Process::Guard(condition, p) => match **p {
                Process::Prefix(..) => write!(f, "[{condition}] {p}"),
                _ => write!(f, "[{condition}] {}", Operand(p)),
            },
            Process::Conditional(which, condition, p, otherwise) => {
                let word = match which {
                    Conditional::If => "if",
                    Conditional::Ifa => "ifa",
                    Conditional::Ifb => "ifb",
                };
                write!(f, "{word} ({condition}) {{ {p} }}")?;
                otherwise.iter().try_for_each(|q| write!(f, " else {{ {q} }}"))
            }
            Process::Case(branches, otherwise) => {
                f.write_str("case { ")?;
                for (condition, p) in branches {
                    write!(f, "{condition}: {} ", Operand(p))?;
                }
                otherwise
                    .iter()
                    .try_for_each(|q| write!(f, "default: {} ", Operand(q)))?;
                f.write_str("}")
            }
            Process::Joined(operator, operands) => {
                for (i, p) in operands.iter().enumerate() {
                    if i > 0 {
                        write!(f, " {} ", operator.symbol())?;
                    }
                    write!(f, "{}", Operand(p))?;
                }
                Ok(())
            }
            Process::Indexed(operator, bindings, p) => {
                write!(f, "{} {bindings} @ {}", operator.symbol(), Operand(p))
            }
            Process::Copies(count, p) => write!(f, "|||{{{count}}} @ {}", Operand(p)),
            Process::Interrupt(p, q) => write!(f, "{} interrupt {}", Operand(p), Operand(q)),
            Process::Hide(p, events) => write!(f, "{} \\ {{{}}}", Operand(p), events.join(", ")),
            Process::Sequence(p, q) => write!(f, "{}; {}", Operand(p), Operand(q)),
            Process::Atomic(p) => write!(f, "atomic {{ {p} }}"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declarations
            .iter()
            .try_for_each(|line| writeln!(f, "{line}"))?;
        for definition in &self.definitions {
            if let Some(events) = &definition.alphabet {
                writeln!(f, "#alphabet {} {{{}}};", definition.name, events.join(", "))?;
            }
            let Definition {
                name, params, body, ..
            } = definition;
            writeln!(f, "{name}({}) = {body};", params.join(", "))?;
        }
        writeln!(f, "#assert System() deadlockfree;")?;
        writeln!(
            f,
            "#assert System() reaches {} with max({});",
            self.goal, self.objective
        )
    }
}
