//! Writing `.aut`.

use crate::lts::TAU;
use std::fmt::Write;

/// A system in the Aldebaran format: steps in the order given, labels in quotes but for those that need none.
pub fn write_aut<'a>(
    initial: u32,
    states: u32,
    steps: impl ExactSizeIterator<Item = (u32, &'a str, u32)>,
) -> String {
    let mut out = format!("des ({initial}, {}, {states})\n", steps.len());
    for (from, label, to) in steps {
        writeln!(out, "({from}, {}, {to})", Label(label)).expect("a string takes all that is written");
    }
    out
}

/// A label as it is written.
struct Label<'a>(&'a str);

impl std::fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == TAU {
            return f.write_str(TAU);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                // A label never spans lines.
                '\n' | '\r' => f.write_char(' ')?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
