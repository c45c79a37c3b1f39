//! From a file or a text to a model: the only place that reads files.
//!
//! Whatever is wrong with the world (no such file, a directory, not a text, too large) or with the text becomes a
//! [`Diagnostic`]; nothing here panics on any input.

use crate::automata::about_process;
use crate::check::Task;
use crate::constraint::{SHAPE_HELP, fairness_formula};
use crate::csp::{CspModel, WrittenFairness, only_process, process_name};
use crate::explicit::{understand_aut, understand_kts};
use crate::fairness::{self, FAIRNESS_HELP, Fairness, Planned, parse_fairness};
use crate::front::{Assertion, Kind};
use crate::include;
use crate::protocol::understand_pp;
use crate::saved::SavedTrace;
use crate::temporal::Ends;
use fairhold_csp::model::{self as csp, DefId, Question, Value};
use fairhold_csp::{process_count, resolve};
use fairhold_source::{Diagnostic, SourceMap, Span};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Texts larger than this are refused: none that a person wrote is, and a mistaken file name should not fill the memory.
const LARGEST_FILE: u64 = 16 << 20;
/// Graphs are written by programs, one line a step.
const LARGEST_GRAPH: u64 = 1 << 30;

/// A modelling language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// CSP#, the language of PAT: `.csp`.
    Csp,
    /// An explicit graph in the Aldebaran format: `.aut`.
    Aut,
    /// A Kripke structure, written down: `.kts`.
    Kts,
    /// A population protocol: `.pp`.
    Pp,
}

impl Language {
    /// The language a file's name stands for.
    pub fn of_file(name: &str) -> Result<Language, Diagnostic> {
        let extension = Path::new(name).extension().and_then(|e| e.to_str());
        match extension {
            Some("csp") => Ok(Language::Csp),
            Some("aut") => Ok(Language::Aut),
            Some("kts") => Ok(Language::Kts),
            Some("pp") => Ok(Language::Pp),
            _ => {
                let message = format!("cannot tell the language of {name} by its name");
                Err(Diagnostic::bare("unknown-language", message)
                    .help("Fairhold reads .csp, .pp, .kts and .aut; --lang csp reads any file as CSP#"))
            }
        }
    }

    /// How names of its files end.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Csp => "csp",
            Language::Aut => "aut",
            Language::Kts => "kts",
            Language::Pp => "pp",
        }
    }

    /// What becomes of executions where there are no steps, unless something else is asked for.
    pub(crate) fn ends(self) -> Ends {
        match self {
            Language::Csp | Language::Aut | Language::Pp => Ends::Idle,
            Language::Kts => Ends::None,
        }
    }

    fn largest_file(self) -> u64 {
        match self {
            Language::Csp | Language::Pp => LARGEST_FILE,
            Language::Aut | Language::Kts => LARGEST_GRAPH,
        }
    }
}

/// What to change about a model while it is loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Values that override integer constants: `N=5`.
    pub defines: Vec<(String, i32)>,
    /// Assertions, as after `#assert`, that replace the file's own.
    pub properties: Vec<String>,
    /// Automata that must accept every execution, each the name and the text of a HOA file. They replace the file's assertions too.
    pub automata: Vec<(String, String)>,
    /// A process to explore, such as `P(3)`, instead of that of the first assertion. Automata are about it too.
    pub process: Option<String>,
    /// The fairness constraints to check under, instead of what the assertions say; empty: as they say.
    pub fairness: Vec<Fairness>,
}

impl LoadOptions {
    /// Whether the file's own assertions stay in force.
    pub(crate) fn keeps_assertions(&self) -> bool {
        self.properties.is_empty() && self.automata.is_empty()
    }
}

/// What became of a file.
#[derive(Debug)]
pub struct Loaded {
    /// The name the user gave.
    pub file: String,
    /// All texts that diagnostics speak of.
    pub map: Arc<SourceMap>,
    /// Everything there is to say, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, if there is no error.
    pub model: Option<Model>,
}

/// A model without errors, ready to be checked and explored.
#[derive(Debug)]
pub struct Model {
    /// The name the user gave.
    pub file: String,
    /// The model's text and what it includes.
    pub map: Arc<SourceMap>,
    /// The SHA-256 of the main text, in hexadecimal.
    pub sha256: String,
    /// The language it is written in.
    pub language: Language,
    pub(crate) kind: Kind,
    /// The assertions in force: the file's own, or what replaced them.
    pub(crate) assertions: Vec<Assertion>,
    /// What there is to check of every assertion, by its number.
    pub(crate) tasks: Vec<Vec<Task>>,
    /// How long it took to read and understand.
    pub(crate) loading: Duration,
}

impl Model {
    /// The texts of the assertions in force.
    pub fn assertions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.assertions.iter().map(|a| a.text.as_str())
    }
}

/// Loads a model from a file, in the language its name stands for unless one is given.
pub fn load_file(path: &str, language: Option<Language>, options: &LoadOptions) -> Loaded {
    let start = Instant::now();
    let read = || {
        let language = language.map_or_else(|| Language::of_file(path), Ok)?;
        Ok((language, read_text(Path::new(path), language)?))
    };
    match read() {
        Ok((language, text)) => load(path, &text, language, options, start),
        Err(diagnostic) => Loaded {
            file: path.to_owned(),
            map: Arc::default(),
            diagnostics: vec![diagnostic],
            model: None,
        },
    }
}

/// Loads a model from a text. `name` stands for it in messages, and includes are read relative to it.
pub fn load_text(name: &str, text: &str, language: Language, options: &LoadOptions) -> Loaded {
    load(name, text, language, options, Instant::now())
}

/// Reads a saved trace from a file.
pub fn load_trace(path: &str) -> Result<SavedTrace, Diagnostic> {
    // Traces are written by programs, as graphs are, and may be as large.
    let text = read_text(Path::new(path), Language::Aut)?;
    SavedTrace::parse(path, &text)
}

/// Reads the text of an automaton.
pub fn load_automaton(path: &str) -> Result<String, Diagnostic> {
    read_text(Path::new(path), Language::Csp)
}

/// Reads a file of commands for a walk.
pub fn load_script(path: &str) -> Result<String, Diagnostic> {
    read_text(Path::new(path), Language::Csp)
}

/// Turns bytes from anywhere into a text, with the same checks as for files.
pub fn decode(name: &str, bytes: Vec<u8>, language: Language) -> Result<String, Diagnostic> {
    let largest = language.largest_file();
    if bytes.len() as u64 > largest {
        let message = format!("{name} is larger than {} MiB", largest >> 20);
        return Err(Diagnostic::bare("file-too-large", message));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let message = format!("{name} is not a text in UTF-8 (byte {at} is wrong)");
        Diagnostic::bare("not-utf8", message).help("save it as UTF-8")
    })
}

/// Reads at most one byte more than is accepted, so a device or an endless pipe cannot hang or fill the memory.
pub fn read_limited(name: &str, from: impl Read, language: Language) -> Result<String, Diagnostic> {
    let mut bytes = Vec::new();
    match from.take(language.largest_file() + 1).read_to_end(&mut bytes) {
        Ok(_) => decode(name, bytes, language),
        Err(e) => Err(cannot_read(name, &e.to_string())),
    }
}

pub(crate) fn read_text(path: &Path, language: Language) -> Result<String, Diagnostic> {
    let name = path.display().to_string();
    // Opening a directory succeeds on Linux and reading it then fails with a number; say what it is.
    if path.is_dir() {
        return Err(cannot_read(&name, "it is a directory"));
    }
    let file = File::open(path).map_err(|e| {
        let why = match e.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::PermissionDenied => "no permission".to_owned(),
            _ => e.to_string(),
        };
        cannot_read(&name, &why)
    })?;
    read_limited(&name, file, language)
}

fn cannot_read(name: &str, why: &str) -> Diagnostic {
    Diagnostic::bare("cannot-read", format!("cannot read {name}: {why}"))
}

fn load(name: &str, text: &str, language: Language, options: &LoadOptions, start: Instant) -> Loaded {
    let Understood {
        map,
        mut diagnostics,
        kind,
    } = match language {
        Language::Csp => understand_csp(name, text, options),
        Language::Aut => understand_aut(name, text, options),
        Language::Kts => understand_kts(name, text, options),
        Language::Pp => understand_pp(name, text, options),
    };
    let map = Arc::new(map);
    let planned = kind.and_then(|kind| {
        let assertions = match &kind {
            Kind::Csp(model) => model.assertions(),
            Kind::Explicit(model) => model.assertions(),
            Kind::Protocol(model) => model.assertions(),
        };
        match tasks(&assertions, options, language) {
            Ok(tasks) => Some((kind, assertions, tasks)),
            Err(wrong) => {
                diagnostics.push(wrong);
                None
            }
        }
    });
    let model = planned.map(|(kind, assertions, tasks)| Model {
        file: name.to_owned(),
        map: Arc::clone(&map),
        sha256: sha256(text),
        language,
        tasks,
        assertions,
        kind,
        loading: start.elapsed(),
    });
    Loaded {
        file: name.to_owned(),
        map,
        diagnostics,
        model,
    }
}

/// What there is to check of every assertion. The error is a fairness that means nothing in the language.
fn tasks(
    assertions: &[Assertion],
    options: &LoadOptions,
    language: Language,
) -> Result<Vec<Vec<Task>>, Diagnostic> {
    // What is chosen must mean something even where no assertion is about infinite executions.
    fairness::meant(&options.fairness, language)?;
    let own = options.defines.is_empty() && options.keeps_assertions();
    let of_one = |(index, assertion): (usize, &Assertion)| {
        let plan = fairness::plan(assertion, &options.fairness, own, language)?;
        let task = |planned: Planned| Task {
            index,
            fairness: planned.fairness,
            expected: planned.expected,
            one_suffices: planned.one_suffices,
        };
        Ok(plan.into_iter().map(task).collect())
    };
    assertions.iter().enumerate().map(of_one).collect()
}

/// What a front end made of a text.
pub(crate) struct Understood {
    pub(crate) map: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The model, if there is no error.
    pub(crate) kind: Option<Kind>,
}

fn understand_csp(name: &str, text: &str, options: &LoadOptions) -> Understood {
    let mut loaded = resolve::load(
        name,
        text,
        &resolve::Options {
            defines: &options.defines,
            read: &include::read,
        },
    );
    let mut wrong = Vec::new();
    let mut assertions = Vec::new();
    let mut process = None;
    if loaded.model.is_some() {
        for property in &options.properties {
            match resolve::assertion(&mut loaded, property) {
                Ok(assertion) => assertions.push(assertion),
                Err(errors) => wrong.extend(errors),
            }
        }
        if let Some(text) = &options.process {
            match resolve::process(&mut loaded, text) {
                Ok(found) => process = Some(found),
                Err(errors) => wrong.extend(errors),
            }
        }
    }
    for automaton in &options.automata {
        let asked = process.clone();
        match understand_automaton(&mut loaded, automaton, asked, &assertions) {
            Ok(assertion) => assertions.push(assertion),
            Err(errors) => wrong.extend(errors),
        }
    }
    let mut fairness = WrittenFairness::default();
    if let Some(model) = &loaded.model {
        if options.keeps_assertions() {
            assertions.clone_from(&model.assertions);
        }
        wrong.extend(written_fairness(&mut loaded, options, &assertions, &mut fairness));
    }
    // Warnings about properties have joined the model's.
    let mut diagnostics = std::mem::take(&mut loaded.diagnostics);
    diagnostics.extend(wrong);
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let model = loaded.model.take().filter(|_| !errors);
    let kind = model.map(|model| Kind::Csp(CspModel::new(model, assertions, process, fairness)));
    Understood {
        map: loaded.map,
        diagnostics,
        kind,
    }
}

/// The assertion of an automaton. It is about the process asked for, else that of the first assertion of the file, or of those given, else the only one.
fn understand_automaton(
    loaded: &mut resolve::Loaded,
    automaton: &(String, String),
    asked: Option<(DefId, Vec<Value>)>,
    given: &[csp::Assertion],
) -> Result<csp::Assertion, Vec<Diagnostic>> {
    // What is wrong with the model is said already.
    let Some(model) = &loaded.model else {
        return Err(Vec::new());
    };
    let first = model.assertions.iter().chain(given).next();
    let first = first.map(|a| (a.process, a.args.clone()));
    let Some(process) = asked.or(first).or_else(|| only_process(model)) else {
        let message = format!(
            "which process is {} about? there is no assertion to tell",
            automaton.0
        );
        let help = "add an assertion about it to the file: `#assert P deadlockfree;`";
        return Err(vec![Diagnostic::bare("no-process", message).help(help)]);
    };
    let name = process_name(model, process.0, &process.1);
    about_process(loaded, automaton, process, &name)
}

/// Reads the fairness formulas that are asked for and those of the assertions. What is wrong with them comes back.
fn written_fairness(
    loaded: &mut resolve::Loaded,
    options: &LoadOptions,
    assertions: &[csp::Assertion],
    fairness: &mut WrittenFairness,
) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut texts: Vec<(String, Option<Span>)> = Vec::new();
    let asked = options.fairness.iter().filter_map(Fairness::formula);
    texts.extend(asked.map(|text| (text.to_owned(), None)));
    for (text, span) in assertions.iter().filter_map(|a| a.fairness.as_ref()) {
        match parse_fairness(text) {
            Err(message) => {
                wrong.push(Diagnostic::error("unknown-fairness", *span, message).help(FAIRNESS_HELP));
            }
            Ok(list) => {
                let formulas = list.iter().filter_map(Fairness::formula);
                texts.extend(formulas.map(|text| (text.to_owned(), Some(*span))));
            }
        }
    }
    for assertion in assertions {
        let notions = assertion.expect.iter().filter_map(|e| e.notion.as_deref());
        for notion in notions {
            let list = parse_fairness(notion).unwrap_or_default();
            let formulas = list.iter().filter_map(Fairness::formula);
            texts.extend(formulas.map(|text| (text.to_owned(), Some(assertion.span))));
        }
        if let Question::Ctl(_, atoms) = &assertion.question {
            wrong.extend(lacking_process(loaded, atoms, &[assertion], assertion.span));
        }
    }
    for (text, span) in texts {
        let about = |a: &&csp::Assertion| match (span, &a.fairness) {
            (None, _) => true,
            (Some(span), Some((_, own))) => span == *own || span == a.span,
            (Some(span), None) => span == a.span,
        };
        let about: Vec<&csp::Assertion> = assertions.iter().filter(about).collect();
        wrong.extend(read_fairness(loaded, &text, span, &about, fairness));
    }
    wrong
}

/// Reads a fairness formula that these assertions are checked under. What is wrong with it comes back.
fn read_fairness(
    loaded: &mut resolve::Loaded,
    text: &str,
    span: Option<Span>,
    about: &[&csp::Assertion],
    fairness: &mut WrittenFairness,
) -> Vec<Diagnostic> {
    // A formula may depend on how many processes there are. An assertion whose processes cannot be counted goes wrong later.
    let count = |a: &&csp::Assertion| {
        let model = loaded.model.as_ref()?;
        process_count(model, a.process, &a.args).ok()
    };
    let mut counts: Vec<u32> = about.iter().filter_map(count).collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.is_empty() {
        counts.push(1);
    }
    let mut place = span;
    for &count in &counts {
        let (read, at) = match resolve::fairness(loaded, text, place, count) {
            Ok(read) => read,
            Err(errors) => {
                let helped = errors.into_iter().map(|error| match error.help.is_empty() {
                    true => error.help(FAIRNESS_HELP),
                    false => error,
                });
                return helped.collect();
            }
        };
        place = Some(at);
        let mut predicate = |atom| fairness.predicate(csp::Atom::of(&read.atoms, atom));
        match fairness_formula(&read.formula, &mut predicate) {
            Ok(formula) => {
                let processes = read.counts_processes.then_some(count);
                fairness.add(text.to_owned(), processes, formula);
            }
            Err(why) => return vec![Diagnostic::error("fairness-shape", at, why).help(SHAPE_HELP)],
        }
        let lacking = lacking_process(loaded, &read.atoms, about, at);
        if !read.counts_processes {
            return lacking;
        }
    }
    Vec::new()
}

/// What to say if some assertion is about fewer processes than the atoms of a formula speak of.
fn lacking_process(
    loaded: &resolve::Loaded,
    atoms: &[csp::Atom],
    about: &[&csp::Assertion],
    place: Span,
) -> Vec<Diagnostic> {
    let process = atoms.iter().filter_map(csp::Atom::process).max();
    let (Some(process), Some(model)) = (process, &loaded.model) else {
        return Vec::new();
    };
    let lacks =
        |a: &&&csp::Assertion| process_count(model, a.process, &a.args).is_ok_and(|count| process >= count);
    let Some(assertion) = about.iter().find(lacks) else {
        return Vec::new();
    };
    let message = format!("there is no process {process} in `{}`", assertion.text);
    let help = "processes are the operands of the outermost composition, numbered from 0; `fairhold simulate` shows them";
    vec![Diagnostic::error("unknown-process", place, message).help(help)]
}

fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(path: &Path) -> &'static str {
        let loaded = load_file(
            &path.display().to_string(),
            Some(Language::Csp),
            &LoadOptions::default(),
        );
        assert!(loaded.model.is_none());
        loaded.diagnostics[0].code
    }

    #[test]
    fn faults_of_the_world_are_diagnostics() {
        let folder = std::env::temp_dir().join(format!("fairhold-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert_eq!(code(&folder), "cannot-read");
        assert_eq!(code(&folder.join("missing.csp")), "cannot-read");
        let binary = folder.join("binary.csp");
        std::fs::write(&binary, [0x50, 0xff, 0xfe]).unwrap();
        assert_eq!(code(&binary), "not-utf8");
        let large = folder.join("large.csp");
        std::fs::File::create(&large)
            .unwrap()
            .set_len(LARGEST_FILE + 1)
            .unwrap();
        assert_eq!(code(&large), "file-too-large");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_extension_tells_the_language() {
        assert_eq!(Language::of_file("a/dp.csp"), Ok(Language::Csp));
        assert_eq!(Language::of_file("dp.aut"), Ok(Language::Aut));
        assert_eq!(Language::of_file("dp.kts"), Ok(Language::Kts));
        assert_eq!(Language::of_file("dp.pp"), Ok(Language::Pp));
        for name in ["dp", "csp", ".csp", "x.CSP"] {
            assert_eq!(Language::of_file(name).unwrap_err().code, "unknown-language");
        }
    }
}
