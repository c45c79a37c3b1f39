//! Automata as HOA.

use crate::{Automaton, MarkSet};
use std::fmt::Write;

impl Automaton {
    /// The automaton in the Hanoi Omega-Automata format, with a `name:` if one is given.
    pub fn to_hoa(&self, name: Option<&str>) -> String {
        let mut out = String::new();
        self.write_hoa(&mut out, name)
            .expect("writing to a string does not fail");
        out
    }

    fn write_hoa(&self, out: &mut String, name: Option<&str>) -> std::fmt::Result {
        writeln!(out, "HOA: v1")?;
        if let Some(name) = name {
            writeln!(out, "name: {}", quoted(name))?;
        }
        writeln!(out, "States: {}", self.states.len())?;
        for start in &self.initial {
            writeln!(out, "Start: {}", start.0)?;
        }
        write!(out, "AP: {}", self.atoms.len())?;
        for atom in &self.atoms {
            write!(out, " {}", quoted(atom))?;
        }
        writeln!(out)?;
        if let Some(name) = self.acceptance.name(self.marks) {
            writeln!(out, "acc-name: {name}")?;
        }
        writeln!(out, "Acceptance: {} {}", self.marks, self.acceptance)?;
        write!(out, "properties: trans-labels explicit-labels trans-acc")?;
        if self.is_deterministic() {
            write!(out, " deterministic")?;
        }
        writeln!(out, "\n--BODY--")?;
        for (i, state) in self.states.iter().enumerate() {
            writeln!(out, "State: {i}")?;
            for edge in &state.edges {
                let label = edge.guard.display("&", &|atom| atom.to_string()).to_string();
                writeln!(out, "[{label}] {}{}", edge.target.0, marks(edge.marks))?;
            }
        }
        writeln!(out, "--END--")
    }
}

/// ` {0 2}`, or nothing.
fn marks(set: MarkSet) -> String {
    if set.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = set.iter().map(|m| m.0.to_string()).collect();
    format!(" {{{}}}", numbers.join(" "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
