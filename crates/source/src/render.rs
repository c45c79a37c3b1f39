//! Diagnostics as text, in the look of the Rust compiler.
//!
//! A message is rendered from the lines it speaks of, never from the whole file, so the cost is that of a few lines
//! however large the model is. Spans come from parsers and may be off (past the end, inside a character, in a file
//! that is not there): they are moved to the nearest place that exists, for a message must reach its reader.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};

use crate::{Diagnostic, Severity, SourceFile, SourceMap, Span};

/// Related places at most this many lines away share one excerpt with the main place.
const NEAR: u32 = 50;

/// A span is shown in at most this many bytes; what follows adds nothing to the message.
const LONGEST_SPAN: usize = 4096;

/// Lines longer than this are cut around the place, before the renderer fits them to the screen.
const LONGEST_LINE: usize = 2048;

/// One diagnostic as text, ending in a newline. `color` adds terminal escapes.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code);
    let mut group = Group::with_title(title);

    let places = places(map, diagnostic);
    for excerpt in &excerpts(&places) {
        group = group.element(snippet(excerpt));
    }
    if !diagnostic.help.is_empty() {
        group = group.element(Level::HELP.message(normalize_untrusted_str(&diagnostic.help)));
    }

    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// All diagnostics as text, in the given order, with an empty line after each.
pub fn render_all(map: &SourceMap, diagnostics: &[Diagnostic], color: bool) -> String {
    diagnostics.iter().map(|d| render(map, d, color) + "\n").collect()
}

/// A place with a text that exists.
struct Place<'a> {
    file: &'a SourceFile,
    range: Range<usize>,
    line: u32,
    words: &'a str,
    kind: AnnotationKind,
}

/// The main place first, then the related ones, all moved to where there is text.
fn places<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Place<'a>> {
    let main = diagnostic.span.map(|span| (span, "", AnnotationKind::Primary));
    let related = diagnostic
        .related
        .iter()
        .map(|(span, words)| (*span, words.as_str(), AnnotationKind::Context));
    main.into_iter()
        .chain(related)
        .filter_map(|(span, words, kind)| {
            let file = map.files().get(span.file.0 as usize)?;
            let range = visible(file.text(), span);
            let line = file.position(range.start as u32).line;
            Some(Place {
                file,
                range,
                line,
                words,
                kind,
            })
        })
        .collect()
}

/// The part of a span that can be shown: inside the text, on character boundaries, not too long.
fn visible(text: &str, span: Span) -> Range<usize> {
    let start = floor(text, span.start as usize);
    let end = floor(text, (span.end as usize).min(start + LONGEST_SPAN));
    // A span at the end of the text, after the last newline, is shown at the end of the last line with text.
    if start == text.len() && end <= start {
        let start = text.trim_end().len();
        return start..start;
    }
    start..end.max(start)
}

fn floor(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset.min(text.len()))
}

/// Places in the same file and near each other.
type Excerpt<'p, 'a> = Vec<&'p Place<'a>>;

fn excerpts<'p, 'a>(places: &'p [Place<'a>]) -> Vec<Excerpt<'p, 'a>> {
    let mut excerpts: Vec<Excerpt<'p, 'a>> = Vec::new();
    for place in places {
        let home = excerpts
            .iter_mut()
            .find(|e| std::ptr::eq(e[0].file, place.file) && e[0].line.abs_diff(place.line) <= NEAR);
        match home {
            Some(excerpt) => excerpt.push(place),
            None => excerpts.push(vec![place]),
        }
    }
    excerpts
}

/// The lines of an excerpt with its places underlined.
fn snippet<'a>(excerpt: &[&Place<'a>]) -> Snippet<'a, Annotation<'a>> {
    let file = excerpt[0].file;
    let text = file.text();
    let first = excerpt.iter().map(|p| p.range.start).min().unwrap_or(0);
    let last = excerpt.iter().map(|p| p.range.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    // A byte order mark is not part of its line.
    let mark = '\u{feff}'.len_utf8();
    let marked = start == 0 && first >= mark && text.starts_with('\u{feff}');
    let start = if marked { mark } else { start };
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);

    // The renderer measures every line it is given: hand it what can be seen. Cutting before the place would
    // falsify the column, so only the far end of a line is cut.
    let end = floor(text, end.min(last + LONGEST_LINE));
    let line = file.position(start as u32).line;
    Snippet::source(&text[start..end])
        .path(file.name())
        .line_start(line as usize)
        .annotations(excerpt.iter().map(|place| {
            let range = place.range.start - start..place.range.end - start;
            let annotation = place.kind.span(range);
            if place.words.is_empty() {
                annotation
            } else {
                annotation.label(normalize_untrusted_str(place.words))
            }
        }))
}
