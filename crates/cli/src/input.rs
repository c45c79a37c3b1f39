//! Models from files and standard input, and the messages about them.

use crate::args::Common;
use crate::output::complain;
use fairhold::{
    Diagnostic, Language, LoadOptions, Loaded, Message, SavedTrace, SourceMap, load_file, load_text,
    load_trace, read_limited, render,
};
use std::sync::Arc;

/// Loads one model; `-` is standard input.
pub(crate) fn load(file: &str, common: &Common, options: &LoadOptions) -> Loaded {
    if file != "-" {
        return load_file(file, common.language(), options);
    }
    let text = match common.language() {
        Some(language) => {
            read_limited("standard input", std::io::stdin().lock(), language).map(|text| (language, text))
        }
        None => Err(
            Diagnostic::bare("unknown-language", "which language is on standard input?")
                .help("name it: --lang csp"),
        ),
    };
    match text {
        Ok((language, text)) => load_text(file, &text, language, options),
        Err(diagnostic) => Loaded {
            file: file.to_owned(),
            map: Arc::default(),
            diagnostics: vec![diagnostic],
            model: None,
        },
    }
}

/// Reads a saved trace; `-` is standard input.
pub(crate) fn read_trace(file: &str) -> Result<SavedTrace, Diagnostic> {
    if file != "-" {
        return load_trace(file);
    }
    let name = "standard input";
    let text = read_limited(name, std::io::stdin().lock(), Language::Aut)?;
    SavedTrace::parse(name, &text)
}

/// Messages for the report, printed on standard error as they are added.
pub(crate) struct Messages {
    /// What goes into the report.
    pub(crate) list: Vec<Message>,
    color: bool,
}

impl Messages {
    pub(crate) fn new(color: bool) -> Messages {
        Messages {
            list: Vec::new(),
            color,
        }
    }

    /// Adds what there is to say about a file.
    pub(crate) fn add(&mut self, map: &SourceMap, file: Option<&str>, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            complain(&render(map, diagnostic, self.color));
            self.list.push(Message::new(map, file, diagnostic));
        }
    }

    /// Adds what there is to say about a file, unless it was said before: several assertions may find out the same.
    pub(crate) fn add_once(&mut self, map: &SourceMap, file: &str, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            if !self.list.contains(&Message::new(map, Some(file), diagnostic)) {
                self.add(map, Some(file), std::slice::from_ref(diagnostic));
            }
        }
    }

    /// Adds something that is about no place in a text.
    pub(crate) fn add_bare(&mut self, diagnostic: &Diagnostic) {
        self.add(&SourceMap::new(), None, std::slice::from_ref(diagnostic));
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|m| m.severity == fairhold::Severity::Error)
    }
}
