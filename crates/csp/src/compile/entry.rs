//! Flat tables: the steps of a process at one place, ready to run.
//!
//! A row is a guard, an update of words, and what the process is next. Guards are conjunctions of disjunctions of comparisons of a word with a constant as far as possible,
//! updates lists of assignments of a constant or additions of one; only the rest becomes [`Code`]. Measured on one core: a row of comparisons costs about a third of
//! the same in stack code.

use super::CspSystem;
use super::code::{Code, Compiler, Instr, known_index};
use super::layout::{ChannelLayout, Layout};
use super::machine::Machine;
use super::symbolic::{Action, Input, Sym};
use crate::expr::Env;
use crate::model::{At, Base, BinaryOp, Expr, Program, Stmt, Target, Type, UnaryOp, Value};
use crate::term::{Event, TermId};
use fairhold_system::{Changed, EventId, Fault, Label, ProcessesId, Word};
use std::sync::Arc;

/// A comparison of a word with a constant: it cannot go wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    word: u32,
    /// The least value that agrees,
    low: i32,
    /// and how many more do.
    more: u32,
    /// Whether the word must agree, or must not.
    agrees: bool,
    /// Whether the next test is no alternative to this one.
    last: bool,
}

impl Test {
    /// None if this operator does not compare.
    fn new(word: u32, op: BinaryOp, value: i32) -> Option<Test> {
        let up_to = |agrees| (i32::MIN, value.wrapping_sub(i32::MIN) as u32, agrees);
        let from = |agrees| (value, i32::MAX.wrapping_sub(value) as u32, agrees);
        let (low, more, agrees) = match op {
            BinaryOp::Eq => (value, 0, true),
            BinaryOp::Ne => (value, 0, false),
            BinaryOp::Lt => from(false),
            BinaryOp::Gt => up_to(false),
            BinaryOp::Le => up_to(true),
            BinaryOp::Ge => from(true),
            _ => return None,
        };
        Some(Test {
            word,
            low,
            more,
            agrees,
            last: true,
        })
    }

    fn negated(self) -> Test {
        Test {
            agrees: !self.agrees,
            ..self
        }
    }

    #[inline]
    fn holds(&self, state: &[Word]) -> bool {
        let above = state[self.word as usize].wrapping_sub(self.low as Word);
        (above <= self.more) == self.agrees
    }

    /// Whether of all groups of alternatives one test holds.
    #[inline]
    fn all(tests: &[Test], state: &[Word]) -> bool {
        let mut met = false;
        for test in tests {
            met |= test.holds(state);
            if test.last {
                if !met {
                    return false;
                }
                met = false;
            }
        }
        true
    }
}

/// When a row applies.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    /// Tested first: alternatives after one another, and of all groups of alternatives one must hold.
    tests: Box<[Test]>,
    /// Then these.
    codes: Box<[Code]>,
    /// Whether evaluating it can go wrong.
    pub(super) risky: bool,
}

impl Guard {
    /// Whether it holds in a state.
    #[inline]
    pub(super) fn holds(&self, machine: &mut Machine, state: &[Word]) -> Result<bool, Fault> {
        // Most rows of most models have no condition.
        if self.is_free() {
            return Ok(true);
        }
        self.test_all(machine, state)
    }

    /// Whether it always holds.
    #[inline]
    fn is_free(&self) -> bool {
        self.tests.is_empty() && self.codes.is_empty()
    }

    fn test_all(&self, machine: &mut Machine, state: &[Word]) -> Result<bool, Fault> {
        if !Test::all(&self.tests, state) {
            return Ok(false);
        }
        for code in &self.codes {
            if machine.eval(code, state)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A simple change of a word: it cannot go wrong.
#[derive(Clone, Copy, Debug)]
enum Change {
    Set { word: u32, value: i32 },
    Add { word: u32, value: i32 },
}

impl Change {
    #[inline]
    fn apply(self, state: &mut [Word]) {
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
    changes: Box<[Change]>,
    codes: Box<[Code]>,
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
    fn changed(&self, layout: &Layout) -> Changed {
        let changes = self.changes.iter().map(|&change| match change {
            Change::Set { word, .. } | Change::Add { word, .. } => Changed::word(word as usize),
        });
        let instrs = self.codes.iter().flat_map(|code| &code.instrs);
        let stores = instrs.map(|&instr| match instr {
            Instr::Store(word) => Changed::word(word as usize),
            Instr::StoreAt(base) => Changed::words(layout.variable_at(base as usize)),
            _ => Changed::NOTHING,
        });
        changes.chain(stores).collect()
    }
}

/// What a process is after a step.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// A component moves: the number goes into its word.
    Component(Word),
    /// The whole moves: these are the control word and the component words.
    Control(Box<[Word]>),
}

impl Next {
    /// The words it changes.
    fn changed(&self, whose: Whose) -> Changed {
        match (self, whose) {
            (Next::Component(_), Whose::Component(i)) => Changed::word(1 + i),
            (Next::Component(_), Whose::Whole) => Changed::NOTHING,
            (Next::Control(control), _) => Changed::words(0..control.len()),
        }
    }
}

/// How a row takes part in steps.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// By itself.
    Plain,
    /// By itself, while there is room in a buffer for its message.
    Push(ChannelLayout, Box<[Word]>),
    /// By itself, while the first message of a buffer fits.
    Pop(ChannelLayout, Box<Taking>),
    /// With all components that know the event: the others, and whether this one comes first.
    Sync {
        event: EventId,
        others: Box<[u32]>,
        first: bool,
    },
    /// With all components.
    Terminate,
    /// With a component that receives.
    Send { channel: usize, message: Box<[Word]> },
    /// With a component that sends.
    Receive { channel: usize, taking: Box<Taking> },
    /// The model goes wrong.
    Fault(Box<Fault>),
    /// Only the guard matters, which may go wrong.
    Check,
}

/// An input that waits for a message.
#[derive(Clone, Debug)]
pub(super) struct Taking {
    /// The channel's name, for the event of a buffer.
    name: String,
    input: Input,
    programs: Vec<Arc<Program>>,
    processes: ProcessesId,
    next: TermId,
}

/// An input that has a message.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The event, for a buffer.
    pub(super) label: Label,
    /// The condition on the message.
    pub(super) guard: Guard,
    /// What it does.
    pub(super) update: Update,
    /// What follows.
    pub(super) next: Next,
    /// The words that update and next may change.
    pub(super) changed: Changed,
}

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// When.
    pub(super) guard: Guard,
    /// How.
    pub(super) kind: Kind,
    /// What it is called.
    pub(super) label: Label,
    /// What it does.
    pub(super) update: Update,
    /// What follows.
    pub(super) next: Next,
    /// The words that its step may change, but for those of a message it takes.
    pub(super) changed: Changed,
    /// Whether it has priority.
    pub(super) atomic: bool,
}

impl Row {
    /// Whether it does anything unless another row asks for it.
    fn leads(&self) -> bool {
        match self.kind {
            Kind::Sync { first, .. } => first || self.guard.risky,
            Kind::Receive { .. } | Kind::Check => self.guard.risky,
            _ => true,
        }
    }

    /// This row, number `r`, as one that leads.
    fn lead(&self, r: u32) -> Lead {
        let mut lead = Lead {
            way: Way::Row(r),
            label: self.label,
            changed: self.changed,
            tests: self.guard.tests.clone(),
            changes: self.update.changes.clone(),
        };
        let is_simple = self.guard.codes.is_empty() && self.update.codes.is_empty() && !self.atomic;
        let (true, &Next::Component(place)) = (is_simple, &self.next) else {
            return lead;
        };
        match &self.kind {
            Kind::Plain => lead.way = Way::Alone(place),
            Kind::Sync {
                event,
                others,
                first: true,
            } if let &[other] = &**others => {
                lead.changed |= Changed::word(1 + other as usize);
                lead.way = Way::Meet {
                    event: *event,
                    other,
                    place,
                };
            }
            _ => {}
        }
        lead
    }

    /// This row, number `r`, as one that synchronises.
    fn offer(&self, r: u32) -> Option<Offer> {
        let (&Kind::Sync { event, .. }, &Next::Component(place)) = (&self.kind, &self.next) else {
            return None;
        };
        Some(Offer {
            event,
            row: r,
            place,
            free: self.guard.is_free() && !self.atomic,
        })
    }
}

/// A row that does something by itself, and all there is to know of it in the usual case: one cache line, apart from the rows, so that
/// what most steps look at stays near.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    /// How.
    pub(super) way: Way,
    /// Unless it is left to the row: what the step is called.
    pub(super) label: Label,
    /// What the step may change.
    pub(super) changed: Changed,
    /// When.
    tests: Box<[Test]>,
    /// What it does.
    changes: Box<[Change]>,
}

/// How a row does something by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Its component goes to this place, and nobody else moves.
    Alone(Word),
    /// Its component goes to this place, together with one other that offers the event.
    Meet { event: EventId, other: u32, place: Word },
    /// As this row says.
    Row(u32),
}

impl Lead {
    /// Whether it applies, unless it is left to the row.
    #[inline]
    pub(super) fn holds(&self, state: &[Word]) -> bool {
        Test::all(&self.tests, state)
    }

    /// Changes a state, unless it is left to the row.
    #[inline]
    pub(super) fn apply(&self, state: &mut [Word]) {
        self.changes.iter().for_each(|change| change.apply(state));
    }
}

/// A row that synchronises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// On what.
    pub(super) event: EventId,
    /// The row.
    pub(super) row: u32,
    /// Where its component goes.
    pub(super) place: Word,
    /// Whether it is unconditional.
    pub(super) free: bool,
}

/// The rows of a process at one place.
#[derive(Debug)]
pub(super) struct Entry {
    /// In the order of the rules.
    pub(super) rows: Box<[Row]>,
    /// The rows that do something by themselves.
    pub(super) leads: Box<[Lead]>,
    /// The rows that synchronise.
    pub(super) offers: Box<[Offer]>,
    /// Whether two rows may give the same step.
    pub(super) repeats: bool,
}

/// Whose rows are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Whose {
    /// One component of the composition.
    Component(usize),
    /// The whole.
    Whole,
}

/// Makes rows of symbolic steps.
pub(super) struct Builder<'a> {
    pub(super) system: &'a CspSystem,
    pub(super) whose: Whose,
}

impl Builder<'_> {
    /// The rows for symbolic steps.
    pub(super) fn entry(&self, syms: &[Sym]) -> Entry {
        let rows: Box<[Row]> = syms.iter().filter_map(|s| self.row(s)).collect();
        let special = |r: &Row| matches!(r.kind, Kind::Pop(..) | Kind::Send { .. } | Kind::Receive { .. });
        let repeats = rows.iter().enumerate().any(|(i, r)| {
            rows[..i]
                .iter()
                .any(|earlier| earlier.label == r.label || (special(earlier) && special(r)))
        });
        let numbered = || (0..).zip(&rows);
        let leads = numbered().filter(|(_, row)| row.leads());
        Entry {
            leads: leads.map(|(r, row)| row.lead(r)).collect(),
            offers: numbered().filter_map(|(r, row)| row.offer(r)).collect(),
            repeats,
            rows,
        }
    }

    fn row(&self, s: &Sym) -> Option<Row> {
        let guard = self.guard(&s.guards)?;
        let processes = self.processes(s);
        let label = |event| Label { event, processes };
        let mut row = Row {
            guard,
            kind: Kind::Plain,
            label: label(EventId::TAU),
            update: Update::default(),
            next: Next::Component(0),
            changed: Changed::NOTHING,
            atomic: s.atomic,
        };
        let taking = |name: &str, input: &Input| Box::new(self.taking(s, name, input));
        match &s.action {
            Action::Tau => {}
            Action::Terminate => {
                row.label = label(EventId::TERMINATE);
                if let Whose::Component(_) = self.whose {
                    row.kind = Kind::Terminate;
                }
            }
            Action::Event(e) => {
                row.label = label(self.event(e));
                row.kind = self.synchronisation(e, &mut row.label);
            }
            Action::Solo(e) => row.label = label(self.event(e)),
            Action::Push {
                channel,
                name,
                message,
            } => {
                let channel = self.system.layout.channels[*channel];
                row.kind = Kind::Push(channel, channel.pack(message).into());
                row.changed = channel.changed();
                row.label = label(
                    self.system
                        .event(&format!("{name}!{}", crate::state::dotted(message))),
                );
            }
            Action::Pop { channel, name, input } => {
                let channel = self.system.layout.channels[*channel];
                row.kind = Kind::Pop(channel, taking(name, input));
                row.changed = channel.changed();
                return Some(row);
            }
            Action::Send {
                channel,
                name,
                message,
            } => {
                let words = self.system.layout.channels[*channel].pack(message).into();
                row.kind = Kind::Send {
                    channel: *channel,
                    message: words,
                };
                row.label = label(self.event(&Event {
                    name: Arc::clone(name),
                    indices: message.clone(),
                }));
            }
            Action::Receive { channel, input } => {
                row.kind = Kind::Receive {
                    channel: *channel,
                    taking: taking("", input),
                };
                return Some(row);
            }
            Action::Fault(f) => {
                row.kind = Kind::Fault(Box::new(f.clone()));
                return Some(row);
            }
            Action::Check => {
                row.kind = Kind::Check;
                return Some(row);
            }
        }
        row.update = self.update(&s.programs);
        row.next = self.system.next(self.whose, s.next);
        row.changed |= row.update.changed(&self.system.layout) | row.next.changed(self.whose);
        Some(row)
    }

    /// An input that waits for a message.
    pub(super) fn taking(&self, s: &Sym, name: &str, input: &Input) -> Taking {
        Taking {
            name: name.to_owned(),
            input: input.clone(),
            programs: s.programs.clone(),
            processes: self.processes(s),
            next: s.next,
        }
    }

    fn processes(&self, s: &Sym) -> ProcessesId {
        match self.whose {
            Whose::Component(i) => self.system.process_set(&[i as u32]),
            Whose::Whole => self.system.process_set(&s.processes),
        }
    }

    /// An event as people see it: `tau` if the composition hides it.
    fn event(&self, event: &Event) -> EventId {
        match self.whose {
            Whose::Component(_) if self.system.hides(event) => EventId::TAU,
            _ => self.system.event(&event.to_string()),
        }
    }

    fn synchronisation(&self, event: &Event, label: &mut Label) -> Kind {
        let Whose::Component(i) = self.whose else {
            return Kind::Plain;
        };
        let Some(partners) = self.system.partners(i, event) else {
            return Kind::Plain;
        };
        label.processes = self.system.process_set(&partners);
        Kind::Sync {
            event: self.system.event(&event.to_string()),
            first: partners[0] == i as u32,
            others: partners.into_iter().filter(|&p| p != i as u32).collect(),
        }
    }

    /// What an input does with a message; none if it does not fit.
    pub(super) fn take(&self, taking: &Taking, message: &[Value]) -> Option<Taken> {
        let env: Env = taking.input.accept(message)?;
        let guards: Vec<Expr> = taking.input.guard.iter().map(|g| g.close(&env)).collect();
        let programs: Vec<_> = taking.programs.iter().map(|p| Arc::new(p.close(&env))).collect();
        let name = format!("{}?{}", taking.name, crate::state::dotted(message));
        let guard = self.guard(&guards)?;
        let update = self.update(&programs);
        let next = self
            .system
            .next(self.whose, self.system.model.bind(taking.next, &env));
        Some(Taken {
            label: Label {
                event: self.system.event(&name),
                processes: taking.processes,
            },
            guard,
            changed: update.changed(&self.system.layout) | next.changed(self.whose),
            update,
            next,
        })
    }

    /// None if the conditions certainly do not all hold.
    pub(super) fn guard(&self, conditions: &[Expr]) -> Option<Guard> {
        let mut flat = Vec::new();
        conditions.iter().for_each(|c| conjuncts(c, &mut flat));
        let mut tests = Vec::new();
        let mut codes: Vec<Code> = Vec::new();
        for condition in flat {
            match condition {
                Expr::Const(Value::Bool(true)) => continue,
                Expr::Const(Value::Bool(false)) if codes.is_empty() => return None,
                _ => {}
            }
            match self.alternatives(condition) {
                Some(alternatives) if codes.is_empty() => tests.extend(alternatives),
                _ => codes.push(Compiler::condition(
                    &self.system.model,
                    &self.system.layout,
                    condition,
                )),
            }
        }
        let risky = codes.iter().any(|c| !c.faults.is_empty());
        Some(Guard {
            tests: tests.into(),
            codes: codes.into(),
            risky,
        })
    }

    /// Tests of which one must hold.
    fn alternatives(&self, condition: &Expr) -> Option<Vec<Test>> {
        if let Expr::Binary(BinaryOp::Or, a, b, _) = condition {
            let mut tests = self.alternatives(a)?;
            tests.last_mut()?.last = false;
            tests.extend(self.alternatives(b)?);
            return Some(tests);
        }
        Some(vec![self.test(condition)?])
    }

    fn test(&self, condition: &Expr) -> Option<Test> {
        match condition {
            Expr::Binary(op, a, b, _) => {
                let (op, place, constant) = match (&**a, &**b) {
                    (place, Expr::Const(v)) => (*op, place, v),
                    (Expr::Const(v), place) => (mirrored(*op)?, place, v),
                    _ => return None,
                };
                let (word, ty) = self.word(place)?;
                let (of, value) = constant.word()?;
                let test = Test::new(word, op, value)?;
                (of == ty && op.result(ty).is_some()).then_some(test)
            }
            Expr::Unary(UnaryOp::Not, e, _) => match &**e {
                Expr::Binary(..) => self.test(e).map(Test::negated),
                e => Test::new(self.truth(e)?, BinaryOp::Eq, 0),
            },
            e => Test::new(self.truth(e)?, BinaryOp::Ne, 0),
        }
    }

    /// The word of a truth value in a variable.
    fn truth(&self, e: &Expr) -> Option<u32> {
        let (word, ty) = self.word(e)?;
        (ty == Type::Bool).then_some(word)
    }

    /// The word of a variable, or of an element whose indices are known.
    fn word(&self, e: &Expr) -> Option<(u32, Type)> {
        let (v, indices): (_, &[Expr]) = match e {
            Expr::Var(v, _) => (*v, &[]),
            Expr::Element(Base::Var(v), indices, _) => (*v, indices),
            _ => return None,
        };
        let decl = &self.system.model.variables[v.0 as usize];
        if indices.len() != decl.dims.len() {
            return None;
        }
        let flat = known_index(&decl.dims, indices)?;
        Some((self.system.layout.variables[v.0 as usize] as u32 + flat, decl.ty))
    }

    fn update(&self, programs: &[Arc<Program>]) -> Update {
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
                codes.push(Compiler::program(&self.system.model, &self.system.layout, &rest));
            }
        }
        Update {
            changes: changes.into(),
            codes: codes.into(),
        }
    }

    /// A statement that is a simple change.
    fn change(&self, stmt: &Stmt) -> Option<Change> {
        let Stmt::Expr(Expr::Assign(target, e, _)) = stmt else {
            return None;
        };
        let (place, v) = match target {
            Target::Var(v) => (Expr::Var(*v, At::default()), *v),
            Target::Element(v, indices) => (Expr::Element(Base::Var(*v), indices.clone(), At::default()), *v),
            Target::Local(_) | Target::LocalElement(..) => return None,
        };
        let (word, ty) = self.word(&place)?;
        let decl = &self.system.model.variables[v.0 as usize];
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

/// `a && b && c` as a list.
fn conjuncts<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match e {
        Expr::Binary(BinaryOp::And, a, b, _) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        e => out.push(e),
    }
}

/// `c op x` as `x op' c`.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => op,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_compare_as_numbers_do_up_to_the_last() {
        let values = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for (word, value) in values.into_iter().flat_map(|w| values.map(|v| (w, v))) {
            for (op, expected) in [
                (BinaryOp::Eq, word == value),
                (BinaryOp::Ne, word != value),
                (BinaryOp::Lt, word < value),
                (BinaryOp::Le, word <= value),
                (BinaryOp::Gt, word > value),
                (BinaryOp::Ge, word >= value),
            ] {
                let test = Test::new(0, op, value).expect("it compares");
                let state = [word as Word];
                assert_eq!(test.holds(&state), expected, "{word} {op:?} {value}");
                assert_eq!(
                    test.negated().holds(&state),
                    !expected,
                    "not {word} {op:?} {value}"
                );
            }
        }
    }
}
