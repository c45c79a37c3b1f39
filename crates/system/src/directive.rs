//! Directives: `//@ fairness: esf` and `//@ expect: holds`, comments in a model that other tools do not see.
//!
//! A directive belongs to the assertion that ends before it on its line, or that ends on the line above, or to which
//! the directive on the line above belongs. A front end hands in its comments and the places of its assertions; the rest is the same
//! in every language.

use crate::Verdict;
use fairhold_source::{Diagnostic, SourceFile, Span};

/// The notions of fairness that have a name, and `impartial`, a formula that is a word.
const NOTIONS: [&str; 7] = ["none", "pwf", "ewf", "psf", "esf", "sgf", "impartial"];

/// Other words for some notions, each with the notion's name.
pub type Aliases = [(&'static str, &'static str)];

/// How a comment that holds directives starts.
pub const DIRECTIVE: &str = "//@";

/// What the comments on an assertion say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// What `//@ fairness:` says, unquoted.
    pub fairness: Option<(String, Span)>,
    /// What `//@ expect:` says: a verdict for every notion listed; a single entry without a notion for a plain one.
    pub expect: Vec<Expectation>,
}

/// One expected verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The notion, for a list such as `none fails, esf holds`.
    pub notion: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Hands the directives of one file to their assertions; what is wrong with them comes back. `comments` are those that start with
/// [`DIRECTIVE`], and `ends` the places of all assertions of the file, both in order; an assertion that was understood has a number, its place in
/// `remarks`.
pub fn directives(
    file: &SourceFile,
    comments: impl IntoIterator<Item = Span>,
    ends: &[(Span, Option<usize>)],
    remarks: &mut [Remarks],
) -> Vec<Diagnostic> {
    directives_with(&[], file, comments, ends, remarks)
}

/// As [`directives`], in a language that has other words for some notions: pairs of the word and the notion's name. Remarks have the name.
pub fn directives_with(
    aliases: &Aliases,
    file: &SourceFile,
    comments: impl IntoIterator<Item = Span>,
    ends: &[(Span, Option<usize>)],
    remarks: &mut [Remarks],
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let line = |offset: u32| file.position(offset).line;
    let mut previous: Option<(u32, Option<usize>)> = None;
    for span in comments {
        let here = line(span.start);
        let before = &file.text()[..span.start as usize];
        let alone = before.rsplit('\n').next().is_some_and(|t| t.trim().is_empty());
        let last = ends.partition_point(|(s, _)| s.end <= span.start).checked_sub(1);
        let ends_on = |wanted: u32| {
            let (end, number) = ends[last?];
            (line(end.end) == wanted).then_some(number)
        };
        let owner = ends_on(here).or_else(|| {
            if !alone {
                return None;
            }
            match previous {
                Some((last, number)) if last + 1 == here => Some(number),
                _ => ends_on(here.checked_sub(1)?),
            }
        });
        match owner {
            None => {
                let message = "this directive belongs to no assertion";
                let help = "put it on the line of an assertion, or on the line after it";
                diagnostics.push(Diagnostic::warning("stray-directive", span, message).help(help));
            }
            Some(number) => {
                previous = Some((here, number));
                if let Some(number) = number {
                    let text = &file.text()[span.start as usize..span.end as usize];
                    comment(text, span, aliases, &mut remarks[number], &mut diagnostics);
                }
            }
        }
    }
    diagnostics
}

/// One comment, which may hold several directives, each with its own `//@`.
fn comment(
    text: &str,
    span: Span,
    aliases: &Aliases,
    remarks: &mut Remarks,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut offset = 0;
    for part in text.split(DIRECTIVE) {
        let start = offset;
        offset += part.len() + DIRECTIVE.len();
        if start == 0 {
            continue;
        }
        let place = |inner: &str| {
            let skip = inner.as_ptr() as usize - text.as_ptr() as usize;
            let start = span.start + skip as u32;
            Span {
                file: span.file,
                start,
                end: start + inner.len() as u32,
            }
        };
        let part = part.trim();
        if let Err(message) = directive(part, &place, aliases, remarks) {
            let help = "`//@ fairness: esf`, `//@ fairness: \"GF enabled(a) -> GF engaged(a)\"`, \
                        `//@ expect: holds`, or `//@ expect: none fails, esf holds`";
            diagnostics.push(Diagnostic::error("bad-directive", place(part), message).help(help));
        }
    }
}

/// One directive, after its `//@`.
fn directive(
    text: &str,
    place: &dyn Fn(&str) -> Span,
    aliases: &Aliases,
    remarks: &mut Remarks,
) -> Result<(), String> {
    let Some((word, value)) = text.split_once(':') else {
        return Err("a directive is a word, a colon and a value".to_owned());
    };
    let value = value.trim();
    match word.trim() {
        "fairness" => {
            let quoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            let said = match quoted {
                Some(formula) if !formula.trim().is_empty() => formula.trim(),
                None if NOTIONS.contains(&named(value, aliases)) => named(value, aliases),
                _ => {
                    return Err(format!(
                        "a fairness is one of {}, or a quoted formula",
                        NOTIONS.join(", ")
                    ));
                }
            };
            if remarks.fairness.is_some() {
                return Err("the fairness of this assertion is given twice".to_owned());
            }
            remarks.fairness = Some((said.to_owned(), place(quoted.unwrap_or(value).trim())));
        }
        "expect" => {
            if !remarks.expect.is_empty() {
                return Err("the expectation of this assertion is given twice".to_owned());
            }
            remarks.expect = expectations(value, aliases)?;
        }
        other => {
            return Err(format!(
                "there is no directive `{other}`; there are `fairness` and `expect`"
            ));
        }
    }
    Ok(())
}

/// The name of the notion that a word stands for; other words stand for themselves.
fn named<'a>(word: &'a str, aliases: &[(&str, &'a str)]) -> &'a str {
    let alias = aliases.iter().find(|(alias, _)| *alias == word);
    alias.map_or(word, |(_, name)| name)
}

/// `holds`, or `none fails, esf holds`.
fn expectations(text: &str, aliases: &Aliases) -> Result<Vec<Expectation>, String> {
    let verdict = |word: &str| {
        Verdict::from_word(word)
            .ok_or_else(|| format!("`{word}` is no verdict; those are holds, fails, unknown and error"))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [word] = words.as_slice() {
        return Ok(vec![Expectation {
            notion: None,
            verdict: verdict(word)?,
        }]);
    }
    let mut list: Vec<Expectation> = Vec::new();
    for entry in text.split(',') {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let [notion, word] = words.as_slice() else {
            return Err(format!("`{}` is not a notion and a verdict", entry.trim()));
        };
        let notion = &named(notion, aliases);
        if !NOTIONS.contains(notion) {
            return Err(format!(
                "`{notion}` is no notion of fairness; those are {}",
                NOTIONS.join(", ")
            ));
        }
        if list.iter().any(|e| e.notion.as_deref() == Some(*notion)) {
            return Err(format!("`{notion}` is listed twice"));
        }
        list.push(Expectation {
            notion: Some((*notion).to_owned()),
            verdict: verdict(word)?,
        });
    }
    Ok(list)
}
