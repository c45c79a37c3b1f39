//! HOA as automata.

use super::expression::{Alias, Aliases, acceptance, label};
use super::lexer::{Cursor, Token, tokens};
use super::{Result, error};
use crate::{
    Acceptance, Automaton, Cube, Edge, Guard, MAX_ATOMS, MAX_MARKS, MarkId, MarkSet, State, StateIndex,
};
use fairhold_source::{FileId, Span};

/// The most states that are read.
const MAX_STATES: u32 = 1 << 20;

/// With implicit labels a state has one transition per letter: at most this many atoms then.
const MAX_IMPLICIT_ATOMS: usize = 16;

/// Reads one automaton; `file` is the text's place in the source map. The error says what is wrong and where.
pub fn read_hoa(file: FileId, text: &str) -> Result<Automaton> {
    let tokens = tokens(file, text)?;
    let mut cursor = Cursor::new(&tokens, file, text);
    let header = header(&mut cursor)?;
    let mut reader = Reader {
        cursor,
        states: vec![State::default(); header.states.unwrap_or(0) as usize],
        header,
    };
    while reader.state()? {}
    reader.cursor.end()?;
    reader.finish()
}

/// Where the names of the atoms stand, between their quotes, in the order of the automaton's atoms. For a text that [`read_hoa`] reads.
pub fn atom_places(file: FileId, text: &str) -> Vec<Span> {
    let tokens = tokens(file, text).unwrap_or_default();
    let header = tokens
        .iter()
        .position(|(t, _)| *t == Token::Header("AP".to_owned()));
    // After the header comes the number of names.
    let names = tokens.iter().skip(header.map_or(tokens.len(), |at| at + 2));
    let names = names.take_while(|(token, _)| matches!(token, Token::Text(_)));
    let inside = |span: &Span| Span {
        start: span.start + 1,
        end: span.end - 1,
        ..*span
    };
    names.map(|(_, span)| inside(span)).collect()
}

/// What stands before the body.
struct Header {
    states: Option<u32>,
    start: Vec<(u32, Span)>,
    atoms: Vec<String>,
    aliases: Aliases,
    marks: u32,
    acceptance: Acceptance,
    /// For each mark whose complement is used: the mark that stands for it.
    complements: Vec<(MarkId, MarkId)>,
}

fn header(cursor: &mut Cursor<'_>) -> Result<Header> {
    let span = cursor.span();
    let version = (cursor.next(), cursor.next());
    match version {
        (Some(Token::Header(h)), Some(Token::Name(v))) if h == "HOA" && v == "v1" => {}
        _ => return Err(error(span, "an automaton starts with `HOA: v1`")),
    }
    let mut header = Header {
        states: None,
        start: Vec::new(),
        atoms: Vec::new(),
        aliases: Aliases::new(),
        marks: 0,
        acceptance: Acceptance::True,
        complements: Vec::new(),
    };
    let mut has_acceptance = false;
    loop {
        let span = cursor.span();
        match cursor.next() {
            Some(Token::Marker("--BODY--")) if has_acceptance => return Ok(header),
            Some(Token::Marker("--BODY--")) => {
                return Err(error(span, "`Acceptance:` is missing before this"));
            }
            Some(Token::Header(name)) => match name.as_str() {
                "States" => {
                    let place = cursor.span();
                    let count = cursor.number("the number of states")?;
                    check_state(count.saturating_sub(1), place)?;
                    header.states = Some(count);
                }
                "Start" => {
                    let place = cursor.span();
                    header.start.push((cursor.number("a state's number")?, place));
                    refuse_alternation(cursor)?;
                }
                "AP" => header.atoms = atoms(cursor)?,
                "Alias" => {
                    let place = cursor.span();
                    let Some(Token::Alias(alias)) = cursor.next() else {
                        return Err(error(place, "expected `@` and the alias's name"));
                    };
                    let atoms = header.atoms.len() as u32;
                    let negation = label(&mut cursor.clone(), true, atoms, &header.aliases)?;
                    let meaning = label(cursor, false, atoms, &header.aliases)?;
                    header.aliases.insert(alias.clone(), Alias { meaning, negation });
                }
                "Acceptance" => {
                    condition(cursor, &mut header)?;
                    has_acceptance = true;
                }
                // Only names that start with a small letter may be passed over.
                other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    return Err(error(span, format!("`{other}:` is not known")));
                }
                _ => skip_item(cursor),
            },
            _ => return Err(error(span, "expected a header line or `--BODY--`")),
        }
    }
}

/// Passes over the rest of a header line.
fn skip_item(cursor: &mut Cursor<'_>) {
    while !matches!(cursor.peek(), None | Some(Token::Header(_) | Token::Marker(_))) {
        cursor.next();
    }
}

fn atoms(cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
    let span = cursor.span();
    let count = cursor.number("the number of atoms")? as usize;
    if count > MAX_ATOMS {
        return Err(error(span, format!("at most {MAX_ATOMS} atoms are possible")));
    }
    let mut atoms = Vec::new();
    while let Some(Token::Text(name)) = cursor.peek() {
        atoms.push(name.clone());
        cursor.next();
    }
    if atoms.len() != count {
        return Err(error(
            span,
            format!("`AP:` announces {count} atoms and names {}", atoms.len()),
        ));
    }
    Ok(atoms)
}

fn condition(cursor: &mut Cursor<'_>, header: &mut Header) -> Result<()> {
    let span = cursor.span();
    let marks = cursor.number("the number of acceptance sets")?;
    let condition = acceptance(cursor, marks)?;
    let complemented = condition.complemented_marks();
    let total = marks.saturating_add(complemented.len() as u32);
    if total > MAX_MARKS {
        return Err(error(
            span,
            format!("at most {MAX_MARKS} acceptance sets are possible"),
        ));
    }
    header.complements = complemented.into_iter().zip((marks..).map(MarkId)).collect();
    let stand_in = |mark: MarkId| {
        let known = header.complements.iter().find(|(of, _)| *of == mark);
        known.expect("every complemented mark was listed").1
    };
    header.acceptance = condition.acceptance(&stand_in);
    header.marks = total;
    Ok(())
}

fn check_state(state: u32, span: Span) -> Result<()> {
    if state < MAX_STATES {
        return Ok(());
    }
    Err(error(span, format!("at most {MAX_STATES} states are possible")))
}

fn refuse_alternation(cursor: &Cursor<'_>) -> Result<()> {
    if cursor.peek() == Some(&Token::Sign('&')) {
        return Err(error(cursor.span(), "alternating automata are not supported"));
    }
    Ok(())
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    header: Header,
    states: Vec<State>,
}

impl Reader<'_> {
    /// Reads one state with its edges; false at the end of the body.
    fn state(&mut self) -> Result<bool> {
        let span = self.cursor.span();
        match self.cursor.next() {
            Some(Token::Header(name)) if name == "State" => {}
            Some(Token::Marker("--END--")) => return Ok(false),
            Some(Token::Marker("--ABORT--")) => return Err(error(span, "the automaton was given up here")),
            _ => return Err(error(span, "expected `State:` or `--END--`")),
        }
        let state_guard = self.label()?;
        let place = self.cursor.span();
        let number = self.cursor.number("the state's number")?;
        self.reach(number, place)?;
        if let Some(Token::Text(_)) = self.cursor.peek() {
            self.cursor.next();
        }
        let state_marks = self.marks()?;
        let mut edges = Vec::new();
        let mut implicit = 0u64;
        loop {
            let place = self.cursor.span();
            let edge_guard = self.label()?;
            let span = self.cursor.span();
            let Some(target) = self.cursor.take_number() else {
                if edge_guard.is_some() {
                    return Err(error(span, "expected the target's number"));
                }
                break;
            };
            refuse_alternation(&self.cursor)?;
            self.reach(target, span)?;
            let marks = self.marks()?.union(state_marks);
            let guard = match (edge_guard, &state_guard) {
                (Some(_), Some(_)) => return Err(error(place, "the state has a label already")),
                (Some(guard), None) => guard,
                (None, Some(guard)) => guard.clone(),
                (None, None) => {
                    implicit += 1;
                    self.implicit_guard(implicit - 1, span)?
                }
            };
            if !guard.is_false() {
                edges.push(Edge {
                    guard,
                    marks: self.with_complements(marks),
                    target: StateIndex(target),
                });
            }
        }
        if implicit > 0 && implicit != 1 << self.header.atoms.len() {
            let message = format!(
                "a state without labels has one transition per letter: {} here, not {implicit}",
                1u64 << self.header.atoms.len()
            );
            return Err(error(place, message));
        }
        self.states[number as usize].edges.extend(edges);
        Ok(true)
    }

    /// Makes room for a state, if the header leaves it open how many there are.
    fn reach(&mut self, state: u32, span: Span) -> Result<()> {
        check_state(state, span)?;
        match self.header.states {
            Some(count) if state >= count => {
                return Err(error(
                    span,
                    format!("there is no state {state}, `States:` announces {count}"),
                ));
            }
            Some(_) => {}
            None if state as usize >= self.states.len() => {
                self.states.resize(state as usize + 1, State::default());
            }
            None => {}
        }
        Ok(())
    }

    /// `[label]`, if there is one.
    fn label(&mut self) -> Result<Option<Guard>> {
        if !self.cursor.take('[') {
            return Ok(None);
        }
        let atoms = self.header.atoms.len() as u32;
        let guard = label(&mut self.cursor, false, atoms, &self.header.aliases)?;
        self.cursor.expect(']')?;
        Ok(Some(guard))
    }

    /// `{0 2}`, if there is one.
    fn marks(&mut self) -> Result<MarkSet> {
        let mut set = MarkSet::EMPTY;
        if !self.cursor.take('{') {
            return Ok(set);
        }
        // Marks that stand for complements cannot be written.
        let marks = self.header.marks - self.header.complements.len() as u32;
        while !self.cursor.take('}') {
            let span = self.cursor.span();
            let mark = self.cursor.number("a set's number or `}`")?;
            if mark >= marks {
                return Err(error(
                    span,
                    format!("there is no set {mark}, `Acceptance:` announces {marks}"),
                ));
            }
            set.insert(MarkId(mark));
        }
        Ok(set)
    }

    fn with_complements(&self, mut marks: MarkSet) -> MarkSet {
        for &(mark, stand_in) in &self.header.complements {
            if !marks.contains(mark) {
                marks.insert(stand_in);
            }
        }
        marks
    }

    /// The letter of the transition with this place in a state without labels.
    fn implicit_guard(&self, place: u64, span: Span) -> Result<Guard> {
        let atoms = self.header.atoms.len();
        if atoms > MAX_IMPLICIT_ATOMS {
            let message = format!("without labels, at most {MAX_IMPLICIT_ATOMS} atoms are possible");
            return Err(error(span, message));
        }
        let all = (1u64 << atoms) - 1;
        if place > all {
            return Err(error(
                span,
                "the state has more transitions than there are letters",
            ));
        }
        Ok(Guard::from(Cube {
            positive: place,
            negative: all & !place,
        }))
    }

    fn finish(mut self) -> Result<Automaton> {
        let mut initial = Vec::new();
        for (state, span) in std::mem::take(&mut self.header.start) {
            self.reach(state, span)?;
            initial.push(StateIndex(state));
        }
        let automaton = Automaton {
            atoms: self.header.atoms,
            states: self.states,
            initial,
            acceptance: self.header.acceptance,
            marks: self.header.marks,
        };
        debug_assert!(automaton.is_well_formed());
        Ok(automaton)
    }
}
