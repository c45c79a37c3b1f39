//! Assertions and fairness formulas.
//!
//! The largest parts without time and events are conditions on the configuration, each one atom. Atoms that are written alike are one.

use super::declare::not_too_deep;
use super::expr::Resolver;
use super::fold::{binary, not, truth, visit};
use crate::model::{Atom, Expr, FieldId, Operator, Place, Protocol, Question};
use crate::syntax::tree::{self, Every, Name, Node, Often, Tree};
use fairhold_logic::{AtomId, Join, Logic, Ltl, Written, event_in_ctl};
use fairhold_source::{Diagnostic, Span, nearest};

/// A reader of formulas about a protocol.
pub(super) struct Formulas<'a, 't> {
    pub(super) protocol: &'a Protocol,
    pub(super) reader: Resolver<'a, 't>,
    pub(super) atoms: Vec<Atom>,
    pub(super) logic: Logic,
    /// The first event in a formula of branching time: wrong, unless the formula is not of branching time after all.
    misplaced: Option<Diagnostic>,
}

impl<'a, 't> Formulas<'a, 't> {
    pub(super) fn new(protocol: &'a Protocol, reader: Resolver<'a, 't>, logic: Logic) -> Self {
        Formulas {
            protocol,
            reader,
            atoms: Vec::new(),
            logic,
            misplaced: None,
        }
    }

    pub(super) fn error<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.reader.report.error(diagnostic)
    }

    /// What an assertion asks.
    pub(super) fn question(&mut self, question: &tree::Question<'t>) -> Option<Question> {
        match question {
            tree::Question::DeadlockFree => Some(Question::DeadlockFree),
            tree::Question::Reaches(condition) => self.condition(condition).map(Question::Reaches),
            tree::Question::Never(condition) => self.condition(condition).map(Question::Never),
            tree::Question::Always(condition) => {
                let negated = |condition| Question::Always(Expr::Not(Box::new(condition)));
                self.condition(condition).map(negated)
            }
            tree::Question::Stable(goal) => self.stable(goal),
            tree::Question::SelfStabilising(goal, template) => {
                if !self.protocol.initial.is_all() {
                    let message = "self-stabilisation is from every configuration, and this protocol starts in some only";
                    let help = "remove `initial`, or ask whether it is stable from there: `stable P`";
                    let wrong = Diagnostic::error("not-self-stabilising", *template, message);
                    let _: Option<()> = self.error(wrong.help(help));
                }
                self.stable(goal)
            }
            tree::Question::Computes(value, field) => self.computes(value, *field),
            tree::Question::Formula(formula) => self.asked(formula),
        }
    }

    fn condition(&mut self, tree: &Tree<'t>) -> Option<Expr> {
        let expr = self.reader.expr(tree)?;
        not_too_deep(expr, tree.span, self.reader.report)
    }

    /// `<>[] goal`
    fn stable(&mut self, goal: &Tree<'t>) -> Option<Question> {
        let expr = self.condition(goal)?;
        let text = self.reader.written(goal.span);
        Some(eventually_always(expr, text))
    }

    /// `<>[] all{field = (value)}`, without a count in a count.
    fn computes(&mut self, value: &Tree<'t>, (name, span): Name<'t>) -> Option<Question> {
        let output = self.reader.field((name, span));
        let expr = self.condition(value);
        let (output, expr) = (output?, expr?);
        self.reader.boolean(output, span, "the answer is yes or no")?;
        let mut reads: Option<Option<FieldId>> = None;
        let names = self.reader.names;
        visit(&expr, &mut |part| match part {
            Expr::Field(_, id) if !names.field(*id).input => {
                reads.get_or_insert(Some(*id));
            }
            Expr::Detector | Expr::Correct => {
                reads.get_or_insert(None);
            }
            _ => {}
        });
        if let Some(what) = reads {
            let message = match what {
                Some(id) => format!(
                    "what is computed is said of inputs, and `{}` is none",
                    names.field(id).name
                ),
                None => "what is computed is said of inputs, not of the detector".to_owned(),
            };
            let help = "declare what the nodes start from with `input`";
            return self.error(Diagnostic::error("computes-from-inputs", value.span, message).help(help));
        }
        let at = value.span;
        let count = || Expr::Count(Box::new(Expr::Field(Place::Each, output)));
        let all = binary(
            Operator::Equal,
            count(),
            Expr::Const(self.protocol.nodes as i32),
            at,
        );
        let none = binary(Operator::Equal, count(), Expr::Const(0), at);
        let yes = binary(Operator::And, expr.clone(), all, at);
        let no = binary(Operator::And, not(expr), none, at);
        let goal = binary(Operator::Or, yes, no, at);
        let text = format!("all{{{name} = ({})}}", self.reader.written(at));
        Some(eventually_always(goal, text))
    }

    /// A formula of either logic.
    fn asked(&mut self, tree: &Tree<'t>) -> Option<Question> {
        if is_branching(tree) {
            self.logic = Logic::Branching;
        }
        let formula = self.formula(tree)?;
        let atoms = std::mem::take(&mut self.atoms);
        let read = match self.logic {
            Logic::Branching => formula.into_ctl().map(|ctl| Question::Ctl(ctl, atoms)),
            _ => formula.into_ltl().map(|ltl| Question::Ltl(ltl, atoms)),
        };
        match read {
            Err(mixed) => self.error(*mixed),
            Ok(question) => match self.misplaced.take() {
                Some(wrong) => self.error(wrong),
                None => Some(question),
            },
        }
    }

    /// A formula as it was written.
    pub(super) fn formula(&mut self, tree: &Tree<'t>) -> Option<Written> {
        self.reader.report.grow(1, tree.span)?;
        if is_timeless(tree) {
            let expr = self.condition(tree)?;
            return Some(match expr {
                Expr::Const(value) => Written::Const(value != 0),
                expr => {
                    let text = self.reader.written(tree.span);
                    self.atom(Atom::State(expr, text))
                }
            });
        }
        Some(match &tree.node {
            Node::Not(p) => Written::Not(Box::new(self.formula(p)?)),
            Node::Binary(Operator::And, p, q, _) => self.join(Join::And, p, q)?,
            Node::Binary(Operator::Or, p, q, _) => self.join(Join::Or, p, q)?,
            Node::Join(join, p, q) => self.join(*join, p, q)?,
            Node::Quantified(every, letter, inner) => {
                let mut parts = self.for_each_node(*letter, inner)?;
                let all = *every == Every::All;
                parts.retain(|part| *part != Written::Const(all));
                let join = if all { Join::And } else { Join::Or };
                Written::balanced(join, parts).unwrap_or(Written::Const(all))
            }
            Node::Temporal(quantifier, op, events, p, at) => {
                let events = match events {
                    None => None,
                    Some(list) => Some(self.events(list)?),
                };
                let p = Box::new(self.formula(p)?);
                Written::Unary(*quantifier, *op, events, p, *at)
            }
            Node::Often(Often::Infinitely, p, at) => self.formula(p)?.infinitely_often(*at),
            Node::Often(Often::Finally, p, at) => self.formula(p)?.eventually_always(*at),
            Node::Until(quantifier, op, p, q, at) => {
                let (p, q) = (self.formula(p), self.formula(q));
                Written::Binary(*quantifier, *op, Box::new(p?), Box::new(q?), *at)
            }
            Node::Call(name, groups) => self.call(*name, groups, tree.span)?,
            Node::Name("deadlock") => self.deadlock(tree.span)?,
            Node::Name("impartial") => return self.no_processes(tree.span),
            Node::Name(_) | Node::Quoted(_) | Node::Dotted(..) => {
                let action = self.event(tree)?;
                if self.logic == Logic::Branching {
                    let text = self.reader.written(tree.span);
                    let wrong = event_in_ctl(tree.span, text.trim_matches('"'), &text);
                    self.misplaced.get_or_insert(wrong);
                }
                match action {
                    Some(action) => self.atom(Atom::Event(action)),
                    None => Written::Const(false),
                }
            }
            // A comparison or a sum with time in it: the reader of conditions says so.
            _ => {
                self.reader.expr(tree)?;
                return None;
            }
        })
    }

    /// Two formulas; the second is not looked at if the first decides.
    fn join(&mut self, join: Join, p: &Tree<'t>, q: &Tree<'t>) -> Option<Written> {
        let p = self.formula(p);
        let decided = match (join, &p) {
            (Join::And, Some(Written::Const(false))) => Some(false),
            (Join::Or, Some(Written::Const(true))) | (Join::Implies, Some(Written::Const(false))) => {
                Some(true)
            }
            _ => None,
        };
        let (before, atoms) = (self.reader.dead, self.atoms.len());
        self.reader.dead |= decided.is_some();
        let q = self.formula(q);
        self.reader.dead = before;
        let (p, q) = (p?, q?);
        match decided {
            Some(value) => {
                self.atoms.truncate(atoms);
                Some(Written::Const(value))
            }
            None => Some(joined(join, p, q)),
        }
    }

    fn for_each_node(&mut self, letter: Name<'t>, inner: &Tree<'t>) -> Option<Vec<Written>> {
        // The reader keeps the letters and this one the atoms, so the atoms wait outside while it counts.
        let mut numbers = self
            .reader
            .for_each_node(letter, |r| Some(r.letters.last().cloned()))?;
        let mut parts = Vec::new();
        for bound in numbers.drain(..).flatten() {
            self.reader.letters.push(bound);
            let part = self.formula(inner);
            self.reader.letters.pop();
            parts.push(part?);
        }
        Some(parts)
    }

    fn atom(&mut self, atom: Atom) -> Written {
        let same = |known: &Atom| match (known, &atom) {
            (Atom::State(_, a), Atom::State(_, b)) => a == b,
            (a, b) => a == b,
        };
        let known = self.atoms.iter().position(same);
        let at = known.unwrap_or(self.atoms.len());
        if known.is_none() {
            self.atoms.push(atom);
        }
        Written::Atom(AtomId(at as u32))
    }

    /// The events of `EX{a, b}`.
    fn events(&mut self, list: &[Tree<'t>]) -> Option<Vec<AtomId>> {
        let mut ids = Vec::new();
        for tree in list {
            if let Some(action) = self.event(tree)?
                && let Written::Atom(id) = self.atom(Atom::Event(action))
            {
                ids.push(id);
            }
        }
        Some(ids)
    }

    fn deadlock(&mut self, span: Span) -> Option<Written> {
        if self.logic == Logic::Branching {
            return Some(self.atom(Atom::Deadlock));
        }
        let message = "`deadlock` can stand in a formula with path quantifiers only";
        let help = "ask `deadlockfree`, or `AG !deadlock`";
        self.error(Diagnostic::error("step-atom", span, message).help(help))
    }

    fn no_processes<T>(&mut self, span: Span) -> Option<T> {
        self.error(no_processes(span))
    }

    /// `enabled(e)`, `buchi(p)`
    fn call(&mut self, (name, span): Name<'t>, groups: &[Vec<Tree<'t>>], whole: Span) -> Option<Written> {
        match name {
            "enabled" | "engaged" | "ready" => return self.step_atom(name, span, groups),
            "impartial" | "process" => return self.no_processes(span),
            "buchi" | "rabin" | "streett" if self.logic == Logic::Fairness => {}
            "buchi" | "rabin" | "streett" => {
                let message = format!("`{name}(..)` can stand in a fairness formula only");
                let help = "give it with --fairness, or in a comment: `//@ fairness: \"buchi(p)\"`";
                return self.error(Diagnostic::error("step-atom", span, message).help(help));
            }
            _ => {
                let known = ["enabled", "engaged", "buchi", "rabin", "streett"];
                let message = format!("`{name}(..)` means nothing");
                let help = nearest(name, known).map_or(String::new(), |n| format!("did you mean `{n}`?"));
                return self.error(Diagnostic::error("unknown-name", span, message).help(help));
            }
        }
        if name == "buchi" {
            if let [group] = groups
                && let [green] = group.as_slice()
            {
                return Some(self.formula(green)?.infinitely_often(span));
            }
            let message = "`buchi` takes one formula";
            return self.error(Diagnostic::error("pp-syntax", whole, message));
        }
        let mut pairs = Vec::new();
        for group in groups {
            let [red, green] = group.as_slice() else {
                let message = format!("`{name}` takes pairs: red, green; red, green; ...");
                let help = "first what may, or must, stop happening, then what must go on happening";
                return self.error(Diagnostic::error("pp-syntax", whole, message).help(help));
            };
            let (red, green) = (self.formula(red), self.formula(green));
            pairs.push((red?, green?));
        }
        Some(match name {
            "rabin" => Written::rabin(pairs, span),
            _ => Written::streett(pairs, span),
        })
    }

    /// `enabled(e)`, `engaged(e)`
    fn step_atom(&mut self, name: &str, span: Span, groups: &[Vec<Tree<'t>>]) -> Option<Written> {
        let wrong = match (self.logic, name) {
            (_, "ready") => Some((
                "a protocol has no `ready(..)`: a rule is ready where it is enabled".to_owned(),
                "write `enabled(..)`",
            )),
            (Logic::Fairness, _) | (Logic::Branching, "enabled") => None,
            (Logic::Branching, _) => Some((
                "`engaged(..)` can stand in a fairness formula only".to_owned(),
                "in CTL, `EX{a} true` says that some step from here is `a`",
            )),
            (_, name) => {
                let also = if name == "enabled" { " or in CTL" } else { "" };
                Some((
                    format!("`{name}(..)` can stand in a fairness formula{also} only"),
                    "give the formula with --fairness: 'GF enabled(a) -> GF engaged(a)'",
                ))
            }
        };
        if let Some((message, help)) = wrong {
            return self.error(Diagnostic::error("step-atom", span, message).help(help));
        }
        let [group] = groups else {
            return self.one_event(name, span);
        };
        let [event] = group.as_slice() else {
            return self.one_event(name, span);
        };
        if let Node::Name("process") = event.node {
            return self.no_processes(event.span);
        }
        let Some(action) = self.event(event)? else {
            return Some(Written::Const(false));
        };
        Some(self.atom(match name {
            "enabled" => Atom::Enabled(action),
            _ => Atom::Event(action),
        }))
    }

    fn one_event<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let message = format!("after `{name}` comes one event in parentheses");
        self.error(Diagnostic::error("pp-syntax", span, message))
    }
}

/// What to say of process-level fairness.
pub(super) fn no_processes(span: Span) -> Diagnostic {
    let message = "a protocol has no processes";
    let help = "its fairness is about events: ewf, esf, sgf";
    Diagnostic::error("no-processes", span, message).help(help)
}

fn eventually_always(goal: Expr, text: String) -> Question {
    let atom = Ltl::Atom(AtomId(0));
    let goal = truth(goal, Span::default());
    let formula = Ltl::Finally(Box::new(Ltl::Globally(Box::new(atom))));
    Question::Ltl(formula, vec![Atom::State(goal, text)])
}

/// Two formulas, of which the first may be a constant that changes nothing, as `k < 2` is for some nodes.
fn joined(join: Join, p: Written, q: Written) -> Written {
    match (join, &p) {
        (Join::And | Join::Implies, Written::Const(true)) | (Join::Or, Written::Const(false)) => q,
        _ => p.join(join, q),
    }
}

/// Whether a formula has path quantifiers.
fn is_branching(tree: &Tree<'_>) -> bool {
    any(tree, &mut |node| {
        matches!(node, Node::Temporal(Some(_), ..) | Node::Until(Some(_), ..))
    })
}

/// Whether a formula is a condition on one configuration.
fn is_timeless(tree: &Tree<'_>) -> bool {
    !any(tree, &mut |node| match node {
        Node::Name(name) => matches!(*name, "guessT" | "guessF" | "deadlock" | "impartial"),
        Node::Dotted((name, _), _) => !matches!(*name, "i" | "r"),
        Node::Quoted(_) | Node::Call(..) | Node::Temporal(..) | Node::Often(..) | Node::Until(..) => true,
        _ => false,
    })
}

/// Whether some part of a tree is such.
fn any<'t>(tree: &Tree<'t>, such: &mut dyn FnMut(&Node<'t>) -> bool) -> bool {
    let mut waiting = vec![tree];
    while let Some(tree) = waiting.pop() {
        if such(&tree.node) {
            return true;
        }
        waiting.extend(tree.children());
    }
    false
}
