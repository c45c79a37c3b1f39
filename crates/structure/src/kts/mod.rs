//! Kripke structures as text (`.kts`): graphs small enough to be written down by hand.
//!
//! ```text
//! // A lamp with two buttons.
//! propositions lit;
//! init off;
//! state off, on {lit};
//! off -> on by press, process 1;
//! on -> off by press, process 1;
//! on -> on by wait, process 2;
//! #assert |= AG EF lit;   //@ expect: holds
//! ```
//!
//! ```text
//! file  = { item }
//! item  = "propositions" name { "," name } ";"
//!       | "init" name { "," name } ";"
//!       | "state" state { "," state } ";"
//!       | name "->" name { "," name } [ "by" cause { "," cause } ] ";"
//!       | "#assert" property ";"
//! state = name [ "{" [ name { "," name } ] "}" ] [ "enabled" "{" cause { "," cause } "}" ]
//! cause = name | "process" number
//! name  = letters, digits, `_` and `.` | text in quotes
//! ```
//!
//! - A state has a name and the propositions that are true in it. If `propositions` are declared, there are no others.
//! - An arc is caused by an event, by processes, or by both; several processes take the step together. An arc without an event is
//!   `tau`. If the file names no process, process 0 causes every arc.
//! - `enabled {..}` lists who counts as enabled in a state without having an arc there. Structures in the literature on fairness take
//!   "enabled" to be a proposition like any other [EmersonLei-TR'84]; by default here, it means to have an arc.
//! - Comments are those of CSP#, and so are `//@ fairness:` and `//@ expect:` after an assertion. What can be asserted is what
//!   [`read_property_at`](crate::read_property_at) reads.
//!
//! Items come in any order. Time and memory are linear in the text.

mod lexer;
mod parser;
mod resolve;
#[cfg(test)]
mod tests;

use crate::lts::Lts;
use crate::property::{Property, read_property_at};
use fairhold_source::{Diagnostic, FileId, SourceMap, Span};
use fairhold_system::{Remarks, directives};

/// A structure and what its file asserts of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Structure {
    /// The graph, with a [`Description`](crate::Description).
    pub lts: Lts,
    /// The assertions, in their order.
    pub assertions: Vec<Property>,
}

/// Reads the text of a file of the map. The structure is there if no diagnostic is an error.
pub fn read_kts(map: &SourceMap, file: FileId) -> (Option<Structure>, Vec<Diagnostic>) {
    let source = map.file(file);
    let (tokens, comments, mut diagnostics) = lexer::tokens(file, source.text());
    let items = parser::items(file, source.text(), &tokens, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let Some(lts) = resolve::graph(&items, &mut diagnostics) else {
        return (None, diagnostics);
    };
    let mut assertions = Vec::new();
    let mut ends: Vec<(Span, Option<usize>)> = Vec::new();
    for assertion in &items.assertions {
        let number = match read_property_at(&lts, assertion.property, map.text(assertion.property)) {
            Ok(property) => {
                assertions.push(property);
                Some(assertions.len() - 1)
            }
            Err(diagnostic) => {
                diagnostics.push(diagnostic);
                None
            }
        };
        ends.push((assertion.whole, number));
    }
    let mut remarks = vec![Remarks::default(); assertions.len()];
    diagnostics.extend(directives(source, comments, &ends, &mut remarks));
    for (property, remarks) in assertions.iter_mut().zip(remarks) {
        property.remarks = remarks;
    }
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let structure = (!errors).then_some(Structure { lts, assertions });
    (structure, diagnostics)
}
