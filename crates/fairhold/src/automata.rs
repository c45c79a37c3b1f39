//! Automata as properties: from the text of a HOA file to a question about a model.
//!
//! The atoms of an automaton are names (`AP: 2 "get.0" "x > 0"`). Each is read as an atom of a formula in the model's language, where it stands: so what is wrong with one
//! is said about that place in the automaton's file.

use crate::protocol;
use fairhold_csp::model::{Assertion, Atom, DefId, Question, Value};
use fairhold_csp::resolve;
use fairhold_logic::{Automaton, atom_places, read_hoa};
use fairhold_protocol::Protocol;
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_structure::{Lts, Property, read_atom};

/// What stands between the process and the file's name in the text of an assertion.
const SAYS: &str = "|= automaton ";

/// The text of an assertion: `P(3) |= automaton p.hoa`.
fn written(process: &str, name: &str) -> String {
    format!("{process} {SAYS}{name}").trim_start().to_owned()
}

/// The process, if there is one, and the file's name in the text of an assertion.
pub(crate) fn parts(assertion: &str) -> Option<(Option<&str>, &str)> {
    let (process, name) = assertion.split_once(SAYS)?;
    let process = process.trim();
    Some((Some(process).filter(|p| !p.is_empty()), name))
}

/// An automaton, where it stands, and its atoms as something else with their places.
struct Read<A> {
    automaton: Automaton,
    span: Span,
    atoms: Vec<A>,
}

/// Adds a text to the map, reads it, and has each atom read by `atom`. All that is wrong comes back.
fn read<M, A>(
    owner: &mut M,
    map: fn(&mut M) -> &mut SourceMap,
    (name, text): &(String, String),
    atom: impl Fn(&mut M, &str, Span) -> Result<A, Vec<Diagnostic>>,
) -> Result<Read<A>, Vec<Diagnostic>> {
    let file = map(owner).add(name.as_str(), text.as_str());
    let automaton = read_hoa(file, text).map_err(|wrong| vec![*wrong])?;
    let places = atom_places(file, text);
    let (mut atoms, mut wrong) = (Vec::new(), Vec::new());
    for (name, place) in automaton.atoms.iter().zip(places) {
        match atom(owner, name, place) {
            Ok(atom) => atoms.push(atom),
            Err(errors) => wrong.extend(errors),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let span = Span {
        file,
        start: 0,
        end: text.len() as u32,
    };
    Ok(Read {
        automaton,
        span,
        atoms,
    })
}

/// The assertion that every execution of a process of a CSP# model is accepted by the automaton in this file: a name and a text.
pub(crate) fn about_process(
    loaded: &mut resolve::Loaded,
    file: &(String, String),
    (process, args): (DefId, Vec<Value>),
    called: &str,
) -> Result<Assertion, Vec<Diagnostic>> {
    let atom = |loaded: &mut resolve::Loaded, name: &str, place| -> Result<Atom, Vec<Diagnostic>> {
        resolve::atom(loaded, name, place)
    };
    let read = read(loaded, |loaded| &mut loaded.map, file, atom)?;
    Ok(Assertion {
        text: written(called, &file.0),
        process,
        args,
        question: Question::Automaton(read.automaton, read.atoms),
        fairness: None,
        expect: Vec::new(),
        span: read.span,
    })
}

/// The property that every execution of a graph is accepted by the automaton in this file: a name and a text.
pub(crate) fn about_graph(
    lts: &Lts,
    map: &mut SourceMap,
    file: &(String, String),
) -> Result<Property, Vec<Diagnostic>> {
    let atom =
        |_: &mut SourceMap, name: &str, place| read_atom(lts, place, name).map_err(|wrong| vec![wrong]);
    let read = read(map, |map| map, file, atom)?;
    Ok(Property {
        text: written("", &file.0),
        question: fairhold_structure::Question::Automaton(read.automaton, read.atoms),
        remarks: fairhold_system::Remarks::default(),
        span: read.span,
    })
}

/// The property that every execution of a protocol is accepted by the automaton in this file: a name and a text.
pub(crate) fn about_protocol(
    protocol: &Protocol,
    map: &mut SourceMap,
    file: &(String, String),
) -> Result<protocol::Property, Vec<Diagnostic>> {
    let atom = |_: &mut SourceMap, name: &str, place| {
        fairhold_protocol::read_atom(protocol, place, name).map_err(|wrong| vec![wrong])
    };
    let read = read(map, |map| map, file, atom)?;
    Ok(protocol::Property::Automaton {
        text: written("", &file.0),
        automaton: read.automaton,
        atoms: read.atoms,
        span: read.span,
    })
}
