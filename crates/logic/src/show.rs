//! Automata for people: a drawing for Graphviz, and plain text.

use crate::{Automaton, Edge};
use std::fmt::{Result, Write};

impl Automaton {
    /// The automaton in the DOT language of Graphviz, titled `name`.
    pub fn to_dot(&self, name: &str) -> String {
        let mut out = String::new();
        self.write_dot(&mut out, name)
            .expect("writing to a string does not fail");
        out
    }

    fn write_dot(&self, out: &mut String, name: &str) -> Result {
        writeln!(out, "digraph automaton {{")?;
        writeln!(out, "  rankdir=LR")?;
        writeln!(
            out,
            "  label=\"{}\\naccepting: {}\"",
            escaped(name),
            self.acceptance
        )?;
        writeln!(out, "  node [shape=circle]")?;
        for start in &self.initial {
            writeln!(
                out,
                "  start{0} [label=\"\", shape=none, width=0, height=0]",
                start.0
            )?;
            writeln!(out, "  start{0} -> {0}", start.0)?;
        }
        for (i, state) in self.states.iter().enumerate() {
            writeln!(out, "  {i}")?;
            for edge in &state.edges {
                let label = escaped(&self.label(edge));
                writeln!(out, "  {i} -> {} [label=\"{label}\"]", edge.target.0)?;
            }
        }
        writeln!(out, "}}")
    }

    /// The automaton as text: states, and below each its transitions.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write_text(&mut out)
            .expect("writing to a string does not fail");
        out
    }

    fn write_text(&self, out: &mut String) -> Result {
        let (states, edges) = (self.states.len(), self.edge_count());
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        writeln!(
            out,
            "{states} state{}, {edges} transition{}",
            plural(states),
            plural(edges)
        )?;
        writeln!(out, "accepting: {}", self.acceptance)?;
        for (i, state) in self.states.iter().enumerate() {
            let initial = self.initial.iter().any(|s| s.index() == i);
            writeln!(out, "state {i}{}", if initial { " (initial)" } else { "" })?;
            for edge in &state.edges {
                writeln!(out, "  {} -> {}", self.label(edge), edge.target.0)?;
            }
        }
        Ok(())
    }

    /// The guard by names, and the marks in braces: `a & !b {0}`.
    fn label(&self, edge: &Edge) -> String {
        let name = |atom: u32| readable(&self.atoms[atom as usize]);
        let guard = match edge.guard.display(" & ", &name).to_string() {
            truth if truth == "t" => "true".to_owned(),
            other => other,
        };
        if edge.marks.is_empty() {
            return guard;
        }
        let marks: Vec<String> = edge.marks.iter().map(|m| m.0.to_string()).collect();
        format!("{guard} {{{}}}", marks.join(","))
    }
}

/// The atom as a formula would name it: in quotes if it is more than a name.
fn readable(atom: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if atom.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && atom.chars().all(plain) {
        atom.to_owned()
    } else {
        format!("\"{atom}\"")
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use crate::{parse, translate};
    use fairhold_source::FileId;

    #[test]
    fn a_small_automaton() {
        let parsed = parse(FileId(0), "[](p -> <>q)");
        let formula = parsed.formula.expect("a formula");
        let names = parsed.atoms.clone();
        let automaton = translate(&formula, &|a| names[a.0 as usize].clone())
            .expect("small")
            .automaton;
        assert_eq!(
            automaton.to_text(),
            "2 states, 4 transitions\naccepting: Inf(0)\nstate 0 (initial)\n  !p | q {0} -> 0\n  p & !q {0} -> 1\nstate 1\n  \
             q {0} -> 0\n  !q -> 1\n"
        );
        assert!(
            automaton
                .to_dot("x \"y\"")
                .contains("label=\"x \\\"y\\\"\\naccepting: Inf(0)\"")
        );
    }
}
