//! Events in formulas: `rule.0.1`, `crash.2`, `guessT`, `"correct"`.

use super::formula::Formulas;
use super::names::Meaning;
use crate::model::{Action, Expr, Schedule, Shape};
use crate::syntax::tree::{Node, Tree};
use fairhold_source::{Diagnostic, Span, nearest};

impl<'t> Formulas<'_, 't> {
    /// The event that is written; none inside if there is no such edge, where that does not matter.
    pub(super) fn event(&mut self, tree: &Tree<'t>) -> Option<Option<Action>> {
        match &tree.node {
            Node::Name(name) => self.action(name, &[], tree.span),
            Node::Quoted(text) => {
                let mut parts = text.split('.');
                let name = parts.next().unwrap_or_default();
                let mut nodes = Vec::new();
                for part in parts {
                    match part.parse::<i32>() {
                        Ok(node) => nodes.push((node, tree.span)),
                        Err(_) => return self.unknown_event(text, tree.span),
                    }
                }
                self.action(name, &nodes, tree.span)
            }
            Node::Dotted((name, at), parts) => {
                let node = self.reader.letters.iter().any(|l| l.name == *name);
                if node || matches!(self.reader.names.meaning(name), Some(Meaning::Field(_))) {
                    return self.no_event(name, *at);
                }
                let mut nodes = Vec::new();
                for part in parts {
                    match self.reader.expr(part)? {
                        Expr::Const(node) => nodes.push((node, part.span)),
                        _ => {
                            let message = "the nodes of an event must be known";
                            let help = "write a number, a constant, or a letter of `forall` or `exists`";
                            return self
                                .error(Diagnostic::error("not-constant", part.span, message).help(help));
                        }
                    }
                }
                self.action(name, &nodes, tree.span)
            }
            _ => {
                let message = "an event is expected here, such as `rule.0.1`";
                self.error(Diagnostic::error("unknown-event", tree.span, message))
            }
        }
    }

    fn action(&mut self, name: &str, nodes: &[(i32, Span)], span: Span) -> Option<Option<Action>> {
        let detector = self.protocol.detector.is_some();
        match (name, nodes) {
            ("guessT", []) if detector => return Some(Some(Action::Guess(true))),
            ("guessF", []) if detector => return Some(Some(Action::Guess(false))),
            ("correct", []) if detector => return Some(Some(Action::Correct)),
            ("guessT" | "guessF" | "correct", []) => {
                let message = format!("`{name}` is an event of a detector, and there is none");
                return self.error(Diagnostic::error("unknown-event", span, message));
            }
            _ => {}
        }
        let passing = name == "pass" && self.protocol.schedule == Schedule::Cyclic;
        let rule = self.reader.names.rules.get(name).copied();
        let (index, pair) = match rule {
            Some(rule) => rule,
            None if passing => (0, true),
            None if self.reader.names.is_broken(name) => return None,
            None => return self.unknown_event(name, span),
        };
        if nodes.len() != 1 + usize::from(pair) {
            let message = match pair {
                true => format!("`{name}` is an event of two nodes"),
                false => format!("`{name}` is an event of one node"),
            };
            let help = match pair {
                true => format!("write `{name}.0.1`"),
                false => format!("write `{name}.0`"),
            };
            return self.error(Diagnostic::error("unknown-event", span, message).help(help));
        }
        if self.reader.dead {
            return Some(None);
        }
        let mut known = Vec::new();
        for &(node, at) in nodes {
            known.push(self.reader.node(node, at)?);
        }
        let &[i, r] = known.as_slice() else {
            return Some(Some(Action::Single(index, known[0])));
        };
        let Some(edge) = self.edge(i, r) else {
            let message = format!("there is no edge {i}->{r}");
            let help = match self.edge(r, i) {
                Some(_) => format!("there is one from {r} to {i}: `{name}.{r}.{i}`"),
                None => "an event is of two nodes that can meet".to_owned(),
            };
            return self.error(Diagnostic::error("unknown-event", span, message).help(help));
        };
        Some(Some(match passing && rule.is_none() {
            true => Action::Pass(edge),
            false => Action::Pair(index, edge),
        }))
    }

    fn edge(&self, i: u32, r: u32) -> Option<u32> {
        let edges = &self.protocol.topology.edges;
        // In a complete network, the place is known: a formula may name every edge.
        if self.protocol.topology.shape == Shape::Complete {
            let row = u64::from(i) * u64::from(self.protocol.nodes - 1);
            return (i != r).then(|| row as u32 + r - u32::from(r > i));
        }
        edges.iter().position(|&e| e == (i, r)).map(|k| k as u32)
    }

    /// What to say of a node or a field before a dot.
    fn no_event<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.reader.letters.iter().any(|l| l.name == name) {
            let message = format!("`{name}` is a node, and what is said of it is written `field[{name}]`");
            return self.error(Diagnostic::error("unknown-event", span, message));
        }
        let message = format!("`{name}` is a field, and no event begins with it");
        let help = format!("a field at a node is `{name}[0]`");
        self.error(Diagnostic::error("unknown-event", span, message).help(help))
    }

    fn unknown_event<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let message = format!("there is no rule `{name}`");
        let rules = self.reader.names.rules.keys().map(String::as_str);
        let help = nearest(name, rules).map_or(String::new(), |n| format!("did you mean `{n}`?"));
        self.error(Diagnostic::error("unknown-event", span, message).help(help))
    }
}
