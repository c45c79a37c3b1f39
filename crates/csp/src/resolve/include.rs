//! Files: the model and what it includes, as one list of items in the order of the text.
//!
//! An include stands for the text of the file at that place; a file included twice declares everything twice, and
//! is told so. This crate reads no files: the caller does.

use super::Options;
use super::tree::{self, Origin};
use crate::syntax::{self, SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, SourceMap};
use rowan::TextRange;
use rustc_hash::FxHashSet;

/// Files may include files so many levels deep.
const MAX_DEPTH: usize = 64;
/// Files in all.
const MAX_FILES: usize = 1000;

/// An item of a file.
pub(super) struct Item {
    pub(super) node: SyntaxNode,
    pub(super) origin: Origin,
}

/// All files, parsed.
#[derive(Default)]
pub(super) struct Files {
    pub(super) map: SourceMap,
    /// Items without syntax errors.
    pub(super) items: Vec<Item>,
    /// The roots of all files.
    pub(super) roots: Vec<(Origin, SyntaxNode)>,
    /// What the parser and the includes have to say.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Names that occur in items with syntax errors.
    pub(super) doubtful: FxHashSet<String>,
    /// An include could not be followed, so names may be missing.
    pub(super) incomplete: bool,
}

impl Files {
    /// Parses a file and all it includes.
    pub(super) fn read(name: &str, text: &str, options: &Options<'_>) -> Files {
        let mut files = Files::default();
        files.add(name, text, &mut Vec::new(), options);
        files
    }

    fn add(&mut self, name: &str, text: &str, path: &mut Vec<String>, options: &Options<'_>) {
        let file = self.map.add(name, text);
        let parse = syntax::parse(file, text);
        let origin = Origin { file, base: 0 };
        let root = parse.root();
        let errors = Errors::new(&parse.diagnostics);
        self.roots.push((origin, root.clone()));
        path.push(name.to_owned());
        for node in root.children() {
            if node.kind() == K::Error || errors.touch(tree::trimmed(&node)) {
                let names = tree::tokens(&node).filter(|t| t.kind() == K::Ident);
                self.doubtful.extend(names.map(|t| t.text().to_owned()));
            } else if node.kind() == K::Include {
                self.include(&node, origin, path, options);
            } else {
                self.items.push(Item { node, origin });
            }
        }
        path.pop();
        self.diagnostics.extend(parse.diagnostics);
    }

    fn include(&mut self, node: &SyntaxNode, origin: Origin, path: &mut Vec<String>, options: &Options<'_>) {
        let Some(token) = tree::token(node, K::Str) else {
            return;
        };
        let span = origin.token(&token);
        let written = tree::unquoted(&token);
        let including = path.last().map_or("", String::as_str);
        let problem = match (options.read)(including, &written) {
            Err(why) => ("cannot-read", format!("cannot read \"{written}\": {why}")),
            Ok((name, _)) if path.contains(&name) => (
                "include-cycle",
                format!("\"{written}\" includes itself, directly or through others"),
            ),
            Ok(_) if path.len() >= MAX_DEPTH || self.roots.len() >= MAX_FILES => (
                "too-many-includes",
                format!("at most {MAX_DEPTH} levels of includes and {MAX_FILES} files"),
            ),
            Ok((name, text)) => {
                self.add(&name, &text, path, options);
                return;
            }
        };
        self.incomplete = true;
        self.diagnostics
            .push(Diagnostic::error(problem.0, span, problem.1));
    }
}

/// Where the syntax errors of a file are: their starts in order, each with the furthest end so far.
struct Errors(Vec<(u32, u32)>);

impl Errors {
    fn new(diagnostics: &[Diagnostic]) -> Errors {
        let errors = diagnostics.iter().filter(|d| d.is_error());
        let mut spans: Vec<(u32, u32)> = errors
            .filter_map(|d| Some((d.span?.start, d.span?.end)))
            .collect();
        spans.sort_unstable();
        let mut furthest = 0;
        for (_, end) in &mut spans {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        Errors(spans)
    }

    /// Whether an error is in or next to a range.
    fn touch(&self, range: TextRange) -> bool {
        let (start, end) = (u32::from(range.start()), u32::from(range.end()));
        let before = self.0.partition_point(|error| error.0 <= end);
        before > 0 && self.0[before - 1].1 >= start
    }
}
