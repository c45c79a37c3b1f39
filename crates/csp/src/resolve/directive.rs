//! Directives: `//@ fairness: esf` and `//@ expect: holds`, comments that PAT does not see.
//!
//! A directive belongs to the assertion that ends before it on its line, or that ends on the line above, or to which
//! the directive on the line above belongs.

use super::Resolver;
use super::tree::Origin;
use crate::model::{Assertion, Expectation};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, SourceMap, Span};
use fairhold_system::Verdict;
use rowan::NodeOrToken;

/// The notions of fairness that have a name.
const NOTIONS: [&str; 6] = ["none", "pwf", "ewf", "psf", "esf", "sgf"];

const START: &str = "//@";

impl Resolver {
    /// Hands the directives of one file to their assertions. `ends` are the places of all assertions of the file
    /// in order, each with its number if it was understood.
    pub(super) fn directives(
        &mut self,
        map: &SourceMap,
        (origin, root): &(Origin, SyntaxNode),
        ends: &[(Span, Option<usize>)],
        assertions: &mut [Assertion],
    ) {
        let file = map.file(origin.file);
        let line = |offset: u32| file.position(offset).line;
        let mut previous: Option<(u32, Option<usize>)> = None;
        let comments = root
            .descendants_with_tokens()
            .filter_map(NodeOrToken::into_token)
            .filter(|t| t.kind() == K::Comment && t.text().starts_with(START));
        for comment in comments {
            let span = origin.token(&comment);
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
                    self.report
                        .push(Diagnostic::warning("stray-directive", span, message).help(help));
                }
                Some(number) => {
                    previous = Some((here, number));
                    if let Some(number) = number {
                        self.directive_comment(comment.text(), span, &mut assertions[number]);
                    }
                }
            }
        }
    }

    /// One comment, which may hold several directives, each with its own `//@`.
    fn directive_comment(&mut self, text: &str, span: Span, assertion: &mut Assertion) {
        let mut offset = 0;
        for part in text.split(START) {
            let start = offset;
            offset += part.len() + START.len();
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
            if let Err(message) = self::directive(part, &place, assertion) {
                let help = "`//@ fairness: esf`, `//@ fairness: \"GF enabled(a) -> GF engaged(a)\"`, \
                            `//@ expect: holds`, or `//@ expect: none fails, esf holds`";
                self.report
                    .push(Diagnostic::error("bad-directive", place(part), message).help(help));
            }
        }
    }
}

/// One directive, after its `//@`.
fn directive(text: &str, place: &dyn Fn(&str) -> Span, assertion: &mut Assertion) -> Result<(), String> {
    let Some((word, value)) = text.split_once(':') else {
        return Err("a directive is a word, a colon and a value".to_owned());
    };
    let value = value.trim();
    match word.trim() {
        "fairness" => {
            let quoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            let said = match quoted {
                Some(formula) if !formula.trim().is_empty() => formula.trim(),
                None if NOTIONS.contains(&value) => value,
                _ => {
                    return Err(format!(
                        "a fairness is one of {}, or a quoted formula",
                        NOTIONS.join(", ")
                    ));
                }
            };
            if assertion.fairness.is_some() {
                return Err("the fairness of this assertion is given twice".to_owned());
            }
            assertion.fairness = Some((said.to_owned(), place(said)));
        }
        "expect" => {
            if !assertion.expect.is_empty() {
                return Err("the expectation of this assertion is given twice".to_owned());
            }
            assertion.expect = expectations(value)?;
        }
        other => {
            return Err(format!(
                "there is no directive `{other}`; there are `fairness` and `expect`"
            ));
        }
    }
    Ok(())
}

/// `holds`, or `none fails, esf holds`.
fn expectations(text: &str) -> Result<Vec<Expectation>, String> {
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
