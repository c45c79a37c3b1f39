//! Checks of the whole model: recursion that never reaches an event, and events with programs in a parallel
//! composition.

use super::Resolver;
use crate::model::{Base, DefId, Expr, Query};
use crate::term::{self, Operator, Term, TermId};
use fairhold_source::Diagnostic;

/// What lies between a definition and a call that its first steps depend on; what weighs more comes later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Way {
    /// Nothing, or sequences.
    Plain,
    /// A choice that has other ways on.
    Choice,
    /// A composition, which would have one more operand each time round.
    Composed,
}

impl Resolver {
    /// Reports definitions whose first steps need their own first steps.
    ///
    /// Where a choice has other ways on, the way back adds nothing to them, which is hardly what was meant: a warning. `P = P;`
    /// has no steps at all, and `P = a -> Skip ||| P;` has no end of operands: errors.
    ///
    /// A depth-first walk over the calls that a definition cannot do without; every cycle found is reported once, at
    /// the definition through which it was entered.
    pub(super) fn check_recursion(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Unseen,
            Open,
            Done,
        }
        let calls: Vec<Vec<(DefId, Way)>> = self
            .definitions
            .iter()
            .map(|d| self.first_calls(d.body))
            .collect();
        let mut marks = vec![Mark::Unseen; calls.len()];
        for root in 0..calls.len() {
            if marks[root] != Mark::Unseen {
                continue;
            }
            marks[root] = Mark::Open;
            let mut path = vec![(root, 0, Way::Plain)];
            while let Some((definition, next, _)) = path.last_mut() {
                let Some(&(DefId(callee), way)) = calls[*definition].get(*next) else {
                    marks[*definition] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                let callee = callee as usize;
                match marks[callee] {
                    Mark::Done => {}
                    Mark::Unseen => {
                        marks[callee] = Mark::Open;
                        path.push((callee, 0, way));
                    }
                    Mark::Open => {
                        let from = path.iter().position(|(d, ..)| *d == callee).unwrap_or(0);
                        let cycle: Vec<usize> = path[from..].iter().map(|(d, ..)| *d).collect();
                        let ways = path[from + 1..].iter().map(|(.., way)| *way);
                        self.unguarded(&cycle, ways.fold(way, Way::max));
                    }
                }
            }
        }
    }

    fn unguarded(&mut self, cycle: &[usize], way: Way) {
        let name = |d: &usize| format!("`{}`", self.definitions[*d].name);
        let first = &self.definitions[cycle[0]];
        let message = if cycle.len() == 1 {
            format!("{} calls itself before any event", name(&cycle[0]))
        } else {
            let through: Vec<String> = cycle[1..].iter().map(name).collect();
            format!(
                "{} calls itself before any event, through {}",
                name(&cycle[0]),
                through.join(", ")
            )
        };
        let diagnostic = match way {
            Way::Choice => Diagnostic::warning("unguarded-recursion", first.span, message)
                .help("this way of the choice adds nothing; put an event before the call: `a -> P`"),
            Way::Plain | Way::Composed => Diagnostic::error("unguarded-recursion", first.span, message)
                .help("put an event before the call: `a -> P`"),
        };
        self.report.push(diagnostic);
    }

    /// The definitions whose first steps the first steps of a term certainly depend on, and how.
    fn first_calls(&self, body: TermId) -> Vec<(DefId, Way)> {
        let mut calls = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![(body, Way::Plain)];
        while let Some((id, way)) = open.pop() {
            if !seen.insert((id, way)) {
                continue;
            }
            let node = self.terms.get(id);
            match &node.term {
                Term::Call(definition, ..) => calls.push((*definition, way)),
                Term::Sequence(first, _) => open.push((*first, way)),
                Term::Choice(operands) | Term::External(operands) => {
                    let way = way.max(Way::Choice);
                    open.extend(operands.iter().map(|&operand| (operand, way)));
                }
                Term::Indexed(Operator::Choice | Operator::External, _, body) => {
                    open.push((*body, way.max(Way::Choice)));
                }
                Term::Interleave(_)
                | Term::Parallel(_)
                | Term::Interrupt(..)
                | Term::HideOpen(..)
                | Term::Atomic(_)
                | Term::Indexed(..)
                | Term::Copies(..) => {
                    term::children(&node.term, &mut |child| open.push((child, Way::Composed)));
                }
                // The others take a step of their own first, or test a condition that may protect the call.
                _ => {}
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// Warns of input guards that PAT may answer otherwise: it tests them when the message has been taken and the sender's program
    /// has run, and here they are tested on the state before.
    pub(super) fn check_input_guards(&mut self) {
        for (channel, guard, span) in std::mem::take(&mut self.input_guards) {
            let decl = &self.channels[channel.0 as usize];
            // Where the channel holds messages, the sender's program ran long before, in PAT as here.
            let by_sender = self.sender_writes.get(&channel).filter(|_| decl.capacity == 0);
            let is_written = |v| by_sender.is_some_and(|written| written.contains(v));
            let mut why = None;
            guard.walk(&mut |e| match e {
                Expr::Channel(query, asked) if asked.channel == channel && *query != Query::Size => {
                    why.get_or_insert(format!("what `{}` holds", decl.name));
                }
                Expr::Var(v, _) | Expr::Element(Base::Var(v), ..) if is_written(v) => {
                    let name = &self.variables[v.0 as usize].name;
                    why.get_or_insert(format!("`{name}`, which a sender's program writes"));
                }
                _ => {}
            });
            if let Some(why) = why {
                let message = format!("this guard reads {why}: it is tested on the state before the input");
                let warning = Diagnostic::warning("input-guard", span, message)
                    .help("PAT tests it when the message has been taken and the sender's program has run");
                self.report.push(warning);
            }
        }
    }

    /// Warns of an event that carries a program in one process and none in another: the two do not synchronise.
    pub(super) fn check_data_events(&mut self) {
        if !self.has_parallel {
            return;
        }
        for (name, uses) in &self.names.events {
            let pair = uses.with_program.iter().find_map(|(with, place)| {
                let plain = uses.plain.iter().find(|(without, _)| without != with)?;
                Some((*place, plain.1))
            });
            if let Some((with, without)) = pair {
                let message = format!("`{name}` carries a program here, so it does not synchronise");
                let warning = Diagnostic::warning("data-event-does-not-synchronise", with, message)
                    .help("events with programs never synchronise in `||`; put the program on an event of its own")
                    .also(without, "this one may be meant to take part");
                self.report.push(warning);
            }
        }
    }
}
