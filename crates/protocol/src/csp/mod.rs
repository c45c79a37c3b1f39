//! A protocol as a model in CSP#, for those who want to go on from there, and for other tools that read it.
//!
//! A field becomes an array, an edge a process `Meet(i, r)`, a rule a guarded event with a program, tested and taken in one
//! step, with one branch for each alternative. CSP# has one initial state, so the model first chooses a configuration, event by
//! event, and then does `start`: from there on its graph is that of the protocol, step by step. What is asked is asked of the
//! configuration after `start`. A formula in which no finite prefix matters is left as it is; another one `phi` becomes
//! `[](start -> phi)`, and in branching time `AG AX{start} phi`.
//!
//! | file | idea |
//! |---|---|
//! | `names` | names that CSP# allows |
//! | `expression` | conditions and numbers |
//! | `start` | choosing a configuration |
//! | `asserted` | assertions |

mod asserted;
mod expression;
mod names;
mod start;

use crate::model::{Assign, Expr, FieldId, Place, Protocol, Rule, Schedule};
use expression::{Scope, Writer};
use fairhold_source::Diagnostic;
use names::Names;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The width of the lines that are broken.
const WIDTH: usize = 110;

/// The protocol in CSP#, with its assertions; `title` says what it is. The error is something that CSP# has no words for.
pub fn to_csp(protocol: &Protocol, title: &str) -> Result<String, Diagnostic> {
    let names = Names::new(protocol);
    let printer = Printer {
        protocol,
        names: &names,
        writer: Writer::new(protocol, &names),
    };
    let text = printer.model(title);
    match printer.writer.refused() {
        None => Ok(text),
        Some((place, why)) => {
            let place = place.or(protocol.rules.first().map(|rule| rule.span));
            Err(match place {
                Some(place) => Diagnostic::error("not-in-csp", place, why),
                None => Diagnostic::bare("not-in-csp", why),
            })
        }
    }
}

struct Printer<'p> {
    protocol: &'p Protocol,
    names: &'p Names,
    writer: Writer<'p>,
}

impl Printer<'_> {
    fn model(&self, title: &str) -> String {
        let mut out = String::new();
        for line in title.lines() {
            let _ = writeln!(out, "// {line}");
        }
        out.push('\n');
        out.push_str(&self.variables());
        out.push_str(&self.definitions());
        out.push_str(&self.start());
        out.push_str(&self.processes());
        out.push_str(&self.system());
        out.push_str(&self.assertions());
        out
    }

    fn variables(&self) -> String {
        let mut out = String::new();
        let nodes = self.protocol.nodes;
        for (id, (field, name)) in (0..)
            .map(FieldId)
            .zip(self.protocol.fields.iter().zip(&self.names.fields))
        {
            if !field.names.is_empty() {
                let value = |(number, name): (i32, &String)| format!("{number} = {name}");
                let values: Vec<String> = (field.low..).zip(&field.names).map(value).collect();
                let _ = writeln!(out, "// {name}: {}", values.join(", "));
            }
            let values = match self.fixed(id) {
                Some(values) => values.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
                None => format!("{}({nodes})", field.low),
            };
            let (low, high) = (field.low, field.high);
            let _ = writeln!(out, "var {name}[{nodes}]:{{{low}..{high}}} = [{values}];");
        }
        if self.protocol.detector.is_some() {
            let (guess, right) = (&self.names.guess, &self.names.right);
            let _ = writeln!(out, "// What the detector guesses, until it is right.");
            let _ = writeln!(out, "var {guess}:{{0..1}} = 0;\nvar {right}:{{0..1}} = 0;");
        }
        if self.protocol.schedule == Schedule::Cyclic {
            let last = self.protocol.topology.edges.len().saturating_sub(1);
            let _ = writeln!(out, "// The edge whose turn it is.");
            let _ = writeln!(out, "var {}:{{0..{last}}} = 0;", self.names.turn);
        }
        if self.asks_for_reaching() {
            let _ = writeln!(out, "var {} = false;", self.names.running);
        }
        out
    }

    /// The detector's answer and the named predicates.
    fn definitions(&self) -> String {
        let mut out = String::new();
        let nobody = Scope::default();
        if let Some(detector) = &self.protocol.detector {
            let (guess, right) = (&self.names.guess, &self.names.right);
            let truth = self.writer.truth(&detector.truth, &nobody).closed();
            let _ = writeln!(
                out,
                "#define {} (({right} == 0 && {guess} == 1) || ({right} == 1 && {truth}));",
                self.names.detector
            );
        }
        for ((_, predicate), name) in self.protocol.predicates.iter().zip(&self.names.predicates) {
            let text = self.writer.truth(predicate, &nobody).closed();
            let _ = writeln!(out, "#define {name} {text};");
        }
        if !out.is_empty() {
            out.insert(0, '\n');
        }
        out
    }

    /// The edges, the nodes that act alone, and the detector.
    fn processes(&self) -> String {
        let mut out = String::new();
        let names = self.names;
        let (i, r, e) = (&names.initiator, &names.responder, &names.edge);
        let pairs = self.rules(true);
        let cyclic = self.protocol.schedule == Schedule::Cyclic;
        if !pairs.is_empty() || cyclic {
            let head = match cyclic {
                false => format!("{}({i}, {r})", names.meet),
                true => format!("{}({i}, {r}, {e})", names.meet),
            };
            let mut branches: Vec<String> = pairs
                .iter()
                .flat_map(|&(rule, name)| self.branches(rule, &format!("{name}.{i}.{r}"), &head))
                .collect();
            if cyclic {
                branches.push(self.pass(&pairs, &head));
            }
            let _ = writeln!(
                out,
                "\n// Two nodes meet.\n{head} =\n     {};",
                branches.join("\n  [] ")
            );
        }
        let singles = self.rules(false);
        if !singles.is_empty() {
            let head = format!("{}({i})", names.act);
            let branches: Vec<String> = singles
                .iter()
                .flat_map(|&(rule, name)| self.branches(rule, &format!("{name}.{i}"), &head))
                .collect();
            let _ = writeln!(
                out,
                "\n// A node alone.\n{head} =\n     {};",
                branches.join("\n  [] ")
            );
        }
        if self.protocol.detector.is_some() {
            let (oracle, guess, right) = (&names.oracle, &names.guess, &names.right);
            let _ = writeln!(
                out,
                "\n{oracle} =\n     [{right} == 0] guessT{{{guess} = 1}} -> {oracle}\n  [] [{right} == 0] guessF{{{guess} = 0}} -> {oracle}\n  [] [{right} == 0] correct{{{right} = 1; {guess} = 0}} -> {oracle};"
            );
        }
        out
    }

    fn rules(&self, pair: bool) -> Vec<(&Rule, &str)> {
        let rules = self.protocol.rules.iter().zip(&self.names.rules);
        let rules = rules.filter(|(rule, _)| rule.pair == pair);
        rules.map(|(rule, name)| (rule, name.as_str())).collect()
    }

    fn scope(&self) -> Scope {
        Scope::of_rule(&self.names.initiator, &self.names.responder)
    }

    /// A rule's branches, one an alternative, each written once.
    fn branches(&self, rule: &Rule, event: &str, head: &str) -> Vec<String> {
        let mut guard = self.writer.truth(&rule.guard, &self.scope()).plain();
        if rule.pair && self.protocol.schedule == Schedule::Cyclic {
            let turn = format!("{} == {}", self.names.turn, self.names.edge);
            guard = match rule.guard {
                Expr::Const(1) => turn,
                _ => format!(
                    "{turn} && {}",
                    self.writer.truth(&rule.guard, &self.scope()).closed()
                ),
            };
        }
        let mut programs: Vec<String> = Vec::new();
        for alternative in &rule.alternatives {
            let program = self.program(rule, alternative);
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
        let always = guard == "true";
        let branch = |program: String| match always {
            true => format!("{event}{program} -> {head}"),
            false => format!("[{guard}]\n       {event}{program} -> {head}"),
        };
        programs.into_iter().map(branch).collect()
    }

    /// What a step does, in braces; nothing if it does nothing.
    fn program(&self, rule: &Rule, alternative: &[Assign]) -> String {
        let scope = self.scope();
        let mut statements = Vec::new();
        let target = |assign: &Assign| {
            let node = match assign.place {
                Place::Responder => &self.names.responder,
                _ => &self.names.initiator,
            };
            format!("{}[{node}]", self.names.fields[assign.field.index()])
        };
        // All happen at once, from the old values.
        let mut written = BTreeSet::new();
        let mut reads_new = false;
        for assign in alternative {
            let mut read = BTreeSet::new();
            fields_of(&assign.value, &mut read);
            reads_new |= !read.is_disjoint(&written);
            written.insert(assign.field);
        }
        let values = alternative
            .iter()
            .map(|a| self.writer.number(&a.value, &scope).plain());
        if reads_new {
            let values = values.zip(&self.names.temporary);
            statements.extend(values.map(|(value, name)| format!("var {name} = {value}")));
            let names = alternative.iter().zip(&self.names.temporary);
            statements.extend(names.map(|(assign, name)| format!("{} = {name}", target(assign))));
        } else {
            let assignments = alternative.iter().zip(values);
            statements.extend(assignments.map(|(assign, value)| format!("{} = {value}", target(assign))));
        }
        if rule.pair && self.protocol.schedule == Schedule::Cyclic {
            statements.push(self.next_turn());
        }
        match statements.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", statements.join("; ")),
        }
    }

    fn next_turn(&self) -> String {
        let edges = self.protocol.topology.edges.len();
        format!("{} = ({} + 1) % {edges}", self.names.turn, self.names.edge)
    }

    /// An edge's turn, with nothing to take.
    fn pass(&self, rules: &[(&Rule, &str)], head: &str) -> String {
        let mut guard = vec![format!("{} == {}", self.names.turn, self.names.edge)];
        for (rule, _) in rules {
            let none = Expr::Not(Box::new(rule.guard.clone()));
            guard.push(self.writer.truth(&none, &self.scope()).closed());
        }
        let (i, r) = (&self.names.initiator, &self.names.responder);
        let (guard, next) = (guard.join(" && "), self.next_turn());
        format!("[{guard}]\n       pass.{i}.{r}{{{next}}} -> {head}")
    }

    /// The start, and then all processes side by side.
    fn system(&self) -> String {
        let names = self.names;
        let mut phases = Vec::new();
        if self.protocol.initial.condition.is_some() {
            phases.push(names.constrained.clone());
        }
        if !self.chosen_fields().1.is_empty() {
            phases.push(format!("{}(0)", names.free));
        }
        if self.protocol.detector.is_some() {
            let (event, guess, node) = (&names.set_guess, &names.guess, &names.nodes[0]);
            phases.push(format!(
                "([] {node}:{{0..1}} @ ({event}.{node}{{{guess} = {node}}} -> Skip))"
            ));
        }
        phases.push(match self.asks_for_reaching() {
            true => format!("({}{{{} = true}} -> Skip)", names.start, names.running),
            false => format!("({} -> Skip)", names.start),
        });
        let mut parts = Vec::new();
        let cyclic = self.protocol.schedule == Schedule::Cyclic;
        if cyclic || self.protocol.rules.iter().any(|rule| rule.pair) {
            for (number, (i, r)) in self.protocol.topology.edges.iter().enumerate() {
                parts.push(match cyclic {
                    false => format!("{}({i}, {r})", names.meet),
                    true => format!("{}({i}, {r}, {number})", names.meet),
                });
            }
        }
        if self.protocol.rules.iter().any(|rule| !rule.pair) {
            parts.extend((0..self.protocol.nodes).map(|node| format!("{}({node})", names.act)));
        }
        if self.protocol.detector.is_some() {
            parts.push(names.oracle.clone());
        }
        if parts.is_empty() {
            parts.push("Stop".to_owned());
        }
        let mut out = format!("\n{} =\n  {};\n  (", names.system, phases.join("; "));
        let mut width = 0;
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                out.push_str(" ||| ");
                width += 5;
            }
            if width + part.len() > WIDTH {
                out.truncate(out.trim_end().len());
                out.push_str("\n   ");
                width = 0;
            }
            out.push_str(part);
            width += part.len();
        }
        out.push_str(");\n");
        out
    }
}

/// The fields that an expression reads.
fn fields_of(expr: &Expr, found: &mut BTreeSet<FieldId>) {
    match expr {
        Expr::Const(_) | Expr::Detector | Expr::Correct => {}
        Expr::Field(place, field) => {
            found.insert(*field);
            fields_of_place(place, found);
        }
        Expr::Node(place) => fields_of_place(place, found),
        Expr::Count(inner) | Expr::Not(inner) | Expr::Minus(inner) => fields_of(inner, found),
        Expr::Binary(_, a, b, _) => {
            fields_of(a, found);
            fields_of(b, found);
        }
    }
}

fn fields_of_place(place: &Place, found: &mut BTreeSet<FieldId>) {
    if let Place::At(index) = place {
        fields_of(index, found);
    }
}
