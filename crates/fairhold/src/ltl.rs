//! A formula alone, as an automaton.

use fairhold_logic::{Ltl, parse, translate};
use fairhold_source::{Diagnostic, FileId, SourceMap, Span};

/// How to write an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AutomatonFormat {
    /// The Hanoi Omega-Automata format, which other tools read.
    Hoa,
    /// For Graphviz.
    Dot,
    /// For people.
    Text,
}

/// What came of a formula.
#[derive(Clone, Debug)]
pub struct TranslatedFormula {
    /// The formula as a text with places.
    pub map: SourceMap,
    /// Errors and warnings about it.
    pub diagnostics: Vec<Diagnostic>,
    /// The automaton, if there are no errors.
    pub text: Option<String>,
}

/// Translates a formula of LTL, or its negation, to an automaton that accepts exactly the words that satisfy it.
pub fn translate_formula(text: &str, negate: bool, format: AutomatonFormat) -> TranslatedFormula {
    let mut map = SourceMap::new();
    let file = map.add("formula", text);
    let parsed = parse(file, text);
    let mut diagnostics = parsed.diagnostics;
    let formula = parsed
        .formula
        .map(|f| if negate { Ltl::Not(Box::new(f)) } else { f });
    let title = if negate {
        format!("!({text})")
    } else {
        text.to_owned()
    };
    let automaton = formula.and_then(|formula| {
        let name = |atom: fairhold_logic::AtomId| parsed.atoms[atom.0 as usize].clone();
        translate(&formula, &name)
            .map_err(|e| diagnostics.push(too_large(file, text, &e.to_string())))
            .ok()
    });
    let text = automaton.map(|translation| {
        let automaton = translation.automaton;
        match format {
            AutomatonFormat::Hoa => automaton.to_hoa(Some(&title)),
            AutomatonFormat::Dot => automaton.to_dot(&title),
            AutomatonFormat::Text => automaton.to_text(),
        }
    });
    TranslatedFormula {
        map,
        diagnostics,
        text,
    }
}

fn too_large(file: FileId, text: &str, why: &str) -> Diagnostic {
    let span = Span {
        file,
        start: 0,
        end: text.len() as u32,
    };
    Diagnostic::error("ltl-too-large", span, format!("the formula is too large: {why}"))
}
