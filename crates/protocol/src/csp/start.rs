//! Choosing a configuration to start from, event by event.
//!
//! Where the configurations to start from satisfy a condition, the fields that it reads are chosen all at once, by an event that
//! the condition guards: a choice node by node could end where no further value is right.

use super::expression::{Scope, constant};
use super::{Printer, fields_of};
use crate::model::{Expr, FieldId};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Printer<'_> {
    /// A field's values at the nodes, if the protocol says what they are at the start.
    pub(super) fn fixed(&self, id: FieldId) -> Option<Vec<i32>> {
        let said = |(field, value): &'_ (FieldId, Expr)| (*field == id).then(|| value.clone());
        let input = self.protocol.fields[id.index()].value.clone();
        let value = input.or_else(|| self.protocol.initial.values.iter().find_map(said))?;
        (0..self.protocol.nodes)
            .map(|node| constant(&value, Some(node)).and_then(|v| i32::try_from(v).ok()))
            .collect()
    }

    /// The processes that choose a configuration.
    pub(super) fn start(&self) -> String {
        let mut out = String::new();
        let (constrained, free) = self.chosen_fields();
        if let Some(condition) = &self.protocol.initial.condition {
            let mut parameters = Vec::new();
            let (mut event, mut program) = (self.names.choose.clone(), Vec::new());
            let mut scope = Scope::default();
            for &id in &constrained {
                let (low, high) = self.domain(id);
                for node in 0..self.protocol.nodes {
                    let value = &self.names.chosen[id.index()][node as usize];
                    parameters.push(format!("{value}:{{{low}..{high}}}"));
                    let _ = write!(event, ".{value}");
                    program.push(format!("{}[{node}] = {value}", self.names.fields[id.index()]));
                    scope.chosen.insert((id, node), value.clone());
                }
            }
            let guard = self.writer.truth(condition, &scope).plain();
            let name = &self.names.constrained;
            let _ = writeln!(
                out,
                "\n// What the condition on the start speaks of, all at once."
            );
            if parameters.is_empty() {
                let _ = writeln!(out, "{name} = [{guard}] {event} -> Skip;");
            } else {
                let (parameters, program) = (parameters.join("; "), program.join("; "));
                let _ = writeln!(
                    out,
                    "{name} = [] {parameters} @\n  ([{guard}]\n    {event}{{{program}}} -> Skip);"
                );
            }
        }
        if !free.is_empty() {
            let node = &self.names.nodes[0];
            let mut parameters = Vec::new();
            let (mut event, mut program) = (format!("{}.{node}", self.names.set), Vec::new());
            for &id in &free {
                let (low, high) = self.domain(id);
                let value = &self.names.chosen[id.index()][0];
                parameters.push(format!("{value}:{{{low}..{high}}}"));
                let _ = write!(event, ".{value}");
                program.push(format!("{}[{node}] = {value}", self.names.fields[id.index()]));
            }
            let (name, nodes) = (&self.names.free, self.protocol.nodes);
            let (parameters, program) = (parameters.join("; "), program.join("; "));
            let _ = writeln!(out, "\n// Any value, node by node.");
            let _ = writeln!(
                out,
                "{name}({node}) = ifa ({node} < {nodes}) {{\n    [] {parameters} @ ({event}{{{program}}} -> {name}({node} + 1))\n  }} else {{ Skip }};"
            );
        }
        out
    }

    /// The fields that the start chooses: those that the condition reads, and the others.
    pub(super) fn chosen_fields(&self) -> (Vec<FieldId>, Vec<FieldId>) {
        let mut read = BTreeSet::new();
        if let Some(condition) = &self.protocol.initial.condition {
            fields_of(condition, &mut read);
        }
        let all = (0..self.protocol.fields.len() as u32).map(FieldId);
        all.filter(|&id| self.fixed(id).is_none())
            .partition(|id| read.contains(id))
    }

    fn domain(&self, id: FieldId) -> (i32, i32) {
        let field = &self.protocol.fields[id.index()];
        (field.low, field.high)
    }
}
