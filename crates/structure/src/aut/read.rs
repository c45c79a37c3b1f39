//! Reading `.aut`: one pass over the lines, every complaint with its place.
//!
//! Time and memory are linear in the text. The number of states is what the header says, but never more than the steps
//! can mention: a header alone does not make us allocate.

use crate::alphabet::{Alphabet, LabelId, TAU};
use crate::lts::{Lts, LtsStep};
use fairhold_source::{Diagnostic, FileId, Span};
use fairhold_store::StateId;
use fairhold_system::ProcessesId;

/// After so many errors the rest is left unsaid: one cause often spoils every line.
const MOST_ERRORS: usize = 20;
/// States that no step mentions are allowed, but not more of them than this.
const MOST_UNUSED: u64 = 1 << 20;

/// Reads a text in the Aldebaran format. The system is there if no diagnostic is an error.
pub fn read_aut(file: FileId, text: &str) -> (Option<Lts>, Vec<Diagnostic>) {
    let mut alphabet = Alphabet::default();
    // A graph does not say who does what, so process 0 does everything.
    let everyone = alphabet.processes(&[0]);
    let mut reader = Reader {
        file,
        alphabet,
        everyone,
        diagnostics: Vec::new(),
    };
    let lts = reader.read(text);
    let errors = reader.diagnostics.iter().any(Diagnostic::is_error);
    (lts.filter(|_| !errors), reader.diagnostics)
}

/// The numbers of the header, each with its place.
struct Header {
    initial: (u64, Span),
    steps: (u64, Span),
    states: (u64, Span),
}

struct Reader {
    file: FileId,
    alphabet: Alphabet,
    /// The set with process 0 in it.
    everyone: ProcessesId,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn read(&mut self, text: &str) -> Option<Lts> {
        let mut header = None;
        let mut steps = Vec::new();
        let mut written = 0u64;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let mut cursor = Cursor {
                file: self.file,
                line: line.trim_end(),
                start,
                at: 0,
            };
            start += line.len();
            cursor.blanks();
            if cursor.is_done() || cursor.rest().starts_with("//") || cursor.rest().starts_with('#') {
                continue;
            }
            let result = match &header {
                None => read_header(&mut cursor).map(|h| header = Some(h)),
                Some(h) => {
                    written += 1;
                    self.read_step(&mut cursor, h).map(|step| steps.push(step))
                }
            };
            if let Err(diagnostic) = result {
                self.diagnostics.push(diagnostic);
                // Without a header nothing else makes sense.
                if header.is_none() || self.diagnostics.len() >= MOST_ERRORS {
                    return None;
                }
            }
        }
        let Some(header) = header else {
            let message = "there is no header";
            let help = "an .aut file starts with `des (initial, steps, states)`";
            let span = Span {
                file: self.file,
                start: 0,
                end: text.len().min(1) as u32,
            };
            self.diagnostics
                .push(Diagnostic::error("aut-header", span, message).help(help));
            return None;
        };
        self.finish(&header, written, steps)
    }

    fn read_step(&mut self, cursor: &mut Cursor<'_>, header: &Header) -> Result<LtsStep, Diagnostic> {
        cursor.expect('(')?;
        let from = state(cursor.number("the state a step starts in")?, header)?;
        cursor.expect(',')?;
        let label = self.read_label(cursor)?;
        cursor.expect(',')?;
        let to = state(cursor.number("the state a step leads to")?, header)?;
        cursor.expect(')')?;
        cursor.end()?;
        Ok(LtsStep { from, label, to })
    }

    fn read_label(&mut self, cursor: &mut Cursor<'_>) -> Result<LabelId, Diagnostic> {
        cursor.blanks();
        let (label, quoted) = if cursor.rest().starts_with('"') {
            (cursor.quoted()?, true)
        } else {
            (cursor.bare_label()?, false)
        };
        let label = if label == "i" && !quoted {
            TAU.to_owned()
        } else {
            label
        };
        let event = self.alphabet.event(&label);
        Ok(self.alphabet.label(event, self.everyone))
    }

    /// What can only be judged at the end: the counts.
    fn finish(&mut self, header: &Header, written: u64, steps: Vec<LtsStep>) -> Option<Lts> {
        let (promised, span) = header.steps;
        if promised != written {
            let message = format!("the header says {promised} steps, and the file has {written}");
            self.diagnostics.push(
                Diagnostic::error("aut-count", span, message).help("is the file cut off, or the header old?"),
            );
        }
        let (states, span) = header.states;
        let mentioned = steps
            .iter()
            .map(|s| s.from.0.max(s.to.0))
            .chain([header.initial.0 as u32])
            .max();
        let mentioned = u64::from(mentioned.unwrap_or(0)) + 1;
        if self.diagnostics.is_empty() && states > mentioned + MOST_UNUSED {
            let message =
                format!("the header says {states} states, and the steps mention none above {mentioned}");
            self.diagnostics
                .push(Diagnostic::error("aut-count", span, message));
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        let alphabet = std::mem::take(&mut self.alphabet);
        let initial = vec![StateId(header.initial.0 as u32)];
        Some(Lts::new(initial, states as u32, steps, alphabet))
    }
}

fn read_header(cursor: &mut Cursor<'_>) -> Result<Header, Diagnostic> {
    let help = "an .aut file starts with `des (initial, steps, states)`";
    let word = cursor.word();
    if word.0 != "des" {
        let message = format!("expected the header, found `{}`", cursor.shown(word.1));
        return Err(Diagnostic::error("aut-header", word.1, message).help(help));
    }
    let mut numbers = || {
        cursor.expect('(')?;
        let initial = cursor.number("the initial state")?;
        cursor.expect(',')?;
        let steps = cursor.number("the number of steps")?;
        cursor.expect(',')?;
        let states = cursor.number("the number of states")?;
        cursor.expect(')')?;
        cursor.end()?;
        Ok(Header {
            initial,
            steps,
            states,
        })
    };
    let header: Header = numbers().map_err(|d: Diagnostic| d.help(help))?;
    let (states, span) = header.states;
    if states == 0 || states >= u64::from(u32::MAX) {
        let message = match states {
            0 => "a system has at least one state".to_owned(),
            _ => format!("{states} states are too many: fewer than {} fit", u32::MAX),
        };
        return Err(Diagnostic::error("aut-count", span, message));
    }
    state(header.initial, &header)?;
    Ok(header)
}

/// A state's number, within what the header says.
fn state((number, span): (u64, Span), header: &Header) -> Result<StateId, Diagnostic> {
    let (states, counted) = header.states;
    if number < states {
        return Ok(StateId(number as u32));
    }
    let message = format!("there is no state {number}: the states are 0 to {}", states - 1);
    Err(Diagnostic::error("aut-state", span, message).also(counted, "the number of states"))
}

/// A place in one line.
struct Cursor<'a> {
    file: FileId,
    line: &'a str,
    /// Where the line starts in the text.
    start: usize,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn is_done(&self) -> bool {
        self.rest().trim().is_empty()
    }

    fn blanks(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span {
            file: self.file,
            start: (self.start + from) as u32,
            end: (self.start + to) as u32,
        }
    }

    /// A word of letters, or else one character, or nothing at the end.
    fn word(&mut self) -> (&'a str, Span) {
        self.blanks();
        let rest = self.rest();
        let letters = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let len = match letters.unwrap_or(rest.len()) {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            n => n,
        };
        let span = self.span(self.at, self.at + len);
        self.at += len;
        (&rest[..len], span)
    }

    fn shown(&self, span: Span) -> &'a str {
        let text = self.line[span.start as usize - self.start..span.end as usize - self.start].trim_end();
        if text.is_empty() {
            "the end of the line"
        } else {
            text
        }
    }

    fn expect(&mut self, what: char) -> Result<(), Diagnostic> {
        self.blanks();
        if self.rest().starts_with(what) {
            self.at += what.len_utf8();
            return Ok(());
        }
        let (_, span) = self.word();
        let message = format!("expected `{what}`, found `{}`", self.shown(span));
        Err(Diagnostic::error("aut-syntax", span, message).help("a step is `(from, label, to)`"))
    }

    fn number(&mut self, what: &str) -> Result<(u64, Span), Diagnostic> {
        let (word, span) = self.word();
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if let Some(number) = word.parse().ok().filter(|_| digits) {
            return Ok((number, span));
        }
        let message = match digits {
            true => format!("{word} is too large for {what}"),
            false => format!("expected a number, {what}, found `{}`", self.shown(span)),
        };
        Err(Diagnostic::error("aut-number", span, message))
    }

    /// A label in quotes.
    fn quoted(&mut self) -> Result<String, Diagnostic> {
        let open = self.at;
        let mut label = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(label);
                }
                '\\' if matches!(chars.peek(), Some((_, '"' | '\\'))) => {
                    label.extend(chars.next().map(|(_, c)| c));
                }
                _ => label.push(c),
            }
        }
        let span = self.span(open, self.line.len());
        Err(Diagnostic::error("aut-syntax", span, "the quote is not closed")
            .help("inside quotes, write a quote as \\\""))
    }

    /// A label without quotes: all up to the last comma before the step ends, so that it may be `PUT(1, 2)`.
    fn bare_label(&mut self) -> Result<String, Diagnostic> {
        let rest = self.rest();
        let mut open = 0;
        let end = rest.find(|c| {
            match c {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            open < 0
        });
        let len = rest[..end.unwrap_or(rest.len())].rfind(',').unwrap_or(0);
        let label = rest[..len].trim_end();
        if label.is_empty() {
            let (_, span) = self.word();
            let message = match self.shown(span) {
                found @ ("," | ")" | "the end of the line") => format!("expected a label, found `{found}`"),
                _ => "there is no `,` after the label".to_owned(),
            };
            return Err(Diagnostic::error("aut-syntax", span, message).help("a step is `(from, label, to)`"));
        }
        self.at += len;
        Ok(label.to_owned())
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        if self.is_done() {
            return Ok(());
        }
        let (_, span) = self.word();
        let message = format!("expected the end of the line, found `{}`", self.shown(span));
        Err(Diagnostic::error("aut-syntax", span, message))
    }
}
