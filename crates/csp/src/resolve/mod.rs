//! From trees to a [`Model`]: names, types, constants, macros, includes, directives.
//!
//! ```text
//! include   files, in the order of the text, as one list of items
//! names     what is declared, each name once          scope     what is bound inside a definition
//! constant  which `#define`s are constants, values    macros    the others, expanded where used
//! declare   variables and channels                    binding   index variables
//! expression, assign, program, event, process         from trees to model::Expr and term::Term
//! size      bounds on what macros make
//! formula, atom, assertion, directive                 what is asked
//! check     recursion and data events                 report    one message for one mistake
//! ```
//!
//! Declarations may come in any order, so the passes are: declare all names; evaluate constants; variables and
//! channels; then bodies, alphabets and assertions. Resolution never fails: it collects [`Diagnostic`]s, and there
//! is a model if none of them is an error. An item with a syntax error is left out, and what is said about the names
//! in it is held back: it would merely follow from the error. The work is linear in the text, macros expanded.

mod assertion;
mod assign;
mod atom;
mod binding;
mod check;
mod collection;
mod constant;
mod declare;
mod directive;
mod event;
mod expression;
mod formula;
mod include;
mod macros;
mod names;
mod process;
mod program;
mod report;
mod scope;
mod size;
mod tree;

use crate::library::Collections;
use crate::model::{
    Annotation, Assertion, Atom, Channel, ChannelId, DefId, Definition, Expr, Model, Param, Value, VarId,
    Variable,
};
use crate::syntax::{self, SyntaxKind as K, SyntaxNode};
use crate::term::{TermId, Terms};
use constant::Define;
use fairhold_source::{Diagnostic, SourceMap, Span};
use include::{Files, Item};
use names::{MacroId, Meaning, Names, UNREACHED};
use report::Report;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scope;
use std::sync::Arc;
use tree::Origin;

pub use formula::FairnessFormula;

/// Reads an included file: the including file's name and the path as written, to the file's name and text.
pub type Read<'a> = dyn Fn(&str, &str) -> Result<(String, String), String> + 'a;

/// What a load depends on beside the text.
pub struct Options<'a> {
    /// Values for integer constants, in place of those in the text.
    pub defines: &'a [(String, i32)],
    /// How includes are read.
    pub read: &'a Read<'a>,
}

/// A text, understood as far as it goes.
#[derive(Debug)]
pub struct Loaded {
    /// The files.
    pub map: SourceMap,
    /// The model, unless there are errors.
    pub model: Option<Model>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    names: Names,
}

/// Loads a model.
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let Files {
        map,
        items,
        roots,
        diagnostics: syntax,
        doubtful,
        incomplete,
    } = Files::read(name, text, options);
    let broken = incomplete || syntax.iter().any(Diagnostic::is_error);
    let mut resolver = Resolver::default();
    resolver.names.doubtful = doubtful;
    resolver.names.incomplete = incomplete;
    let declared = resolver.declare_all(&items);
    let constants = resolver.define_all(&declared.defines, options.defines);
    resolver.shape_all(&items);
    resolver.check_macros();
    resolver.resolve_bodies(&declared.definitions);
    resolver.resolve_alphabets(&items);
    let mut assertions = Vec::new();
    let mut ends: Vec<(Span, Option<usize>)> = Vec::new();
    for item in items.iter().filter(|i| i.node.kind() == K::Assertion) {
        resolver.origin = item.origin;
        let number = resolver.assertion(&item.node).map(|assertion| {
            assertions.push(assertion);
            assertions.len() - 1
        });
        ends.push((item.origin.span(&item.node), number));
    }
    for root in &roots {
        let file = root.0.file;
        let ends: Vec<_> = ends.iter().filter(|(s, _)| s.file == file).copied().collect();
        resolver.directives(&map, root, &ends, &mut assertions);
    }
    let defines_process = |i: &Item| i.node.kind() == K::Definition;
    if !broken && !items.iter().any(defines_process) {
        let help = "a model has at least one, such as `P = a -> P;`";
        resolver
            .report
            .push(Diagnostic::bare("no-process", "there is no process definition").help(help));
    }
    if !broken && !resolver.report.has_errors() {
        resolver.check_recursion();
        resolver.check_data_events();
        resolver.check_input_guards();
    }
    let diagnostics = std::mem::take(&mut resolver.report).finish(syntax);
    let names = std::mem::take(&mut resolver.names);
    let sound = !broken && !diagnostics.iter().any(Diagnostic::is_error);
    let model = sound.then(|| resolver.into_model(assertions, constants));
    Loaded {
        map,
        model,
        diagnostics,
        names,
    }
}

/// An assertion given on the command line (the text that would follow `#assert`), about a loaded model.
pub fn assertion(loaded: &mut Loaded, text: &str) -> Result<Assertion, Vec<Diagnostic>> {
    later(
        loaded,
        "<property>",
        text,
        syntax::parse_assertion,
        Resolver::assertion,
    )
}

/// A process given on the command line: `P(3)`.
pub fn process(loaded: &mut Loaded, text: &str) -> Result<(DefId, Vec<Value>), Vec<Diagnostic>> {
    later(
        loaded,
        "<process>",
        text,
        syntax::parse_call,
        Resolver::closed_call,
    )
}

/// A fairness formula about so many processes of a loaded model, and its place: one given on the command line, or what stands at `place`.
pub fn fairness(
    loaded: &mut Loaded,
    text: &str,
    place: Option<Span>,
    processes: u32,
) -> Result<(FairnessFormula, Span), Vec<Diagnostic>> {
    let place = place.unwrap_or_else(|| Span {
        file: loaded.map.add("<fairness>", text),
        start: 0,
        end: text.len() as u32,
    });
    let read = later_at(loaded, text, place, syntax::parse_formula, |resolver, node| {
        resolver.fairness(node, processes)
    })?;
    Ok((read, place))
}

/// A single atom of a formula about a loaded model, which stands at `place`: `p`, `get.0.1`, `x > 0`. A constant counts.
pub fn atom(loaded: &mut Loaded, text: &str, place: Span) -> Result<Atom, Vec<Diagnostic>> {
    later_at(loaded, text, place, syntax::parse_formula, Resolver::lone_atom)
}

/// Resolves a text against a loaded model, as a file of its own.
fn later<T>(
    loaded: &mut Loaded,
    name: &str,
    text: &str,
    parse: fn(fairhold_source::FileId, &str) -> syntax::Parse,
    resolve: impl FnOnce(&mut Resolver, &SyntaxNode) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let place = Span {
        file: loaded.map.add(name, text),
        start: 0,
        end: text.len() as u32,
    };
    later_at(loaded, text, place, parse, resolve)
}

/// Resolves a text that stands at a place against a loaded model. Warnings about it join the model's.
fn later_at<T>(
    loaded: &mut Loaded,
    text: &str,
    place: Span,
    parse: fn(fairhold_source::FileId, &str) -> syntax::Parse,
    resolve: impl FnOnce(&mut Resolver, &SyntaxNode) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let Some(model) = loaded.model.take() else {
        return Err(loaded
            .diagnostics
            .iter()
            .filter(|d| d.is_error())
            .cloned()
            .collect());
    };
    let mut parse = parse(place.file, text);
    for span in parse.diagnostics.iter_mut().filter_map(|d| d.span.as_mut()) {
        span.start += place.start;
        span.end += place.start;
    }
    let mut resolver = Resolver {
        names: std::mem::take(&mut loaded.names),
        variables: model.variables,
        channels: model.channels,
        definitions: model.definitions,
        terms: model.terms,
        annotations: model.annotations,
        collections: model.collections,
        origin: Origin {
            file: place.file,
            base: place.start,
        },
        ..Resolver::default()
    };
    let failed = parse.has_errors();
    let found = if failed {
        None
    } else {
        resolve(&mut resolver, &parse.root())
    };
    let diagnostics = std::mem::take(&mut resolver.report).finish(parse.diagnostics);
    loaded.names = std::mem::take(&mut resolver.names);
    loaded.model = Some(resolver.into_model(model.assertions, model.constants));
    match found {
        Some(found) if !diagnostics.iter().any(Diagnostic::is_error) => {
            loaded.diagnostics.extend(diagnostics);
            Ok(found)
        }
        _ => Err(diagnostics),
    }
}

/// A model in the making.
#[derive(Default)]
struct Resolver {
    names: Names,
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    definitions: Vec<Definition>,
    terms: Terms,
    annotations: Vec<Annotation>,
    collections: Arc<Collections>,
    report: Report,
    scope: Scope,
    /// Where the tree at hand comes from.
    origin: Origin,
    /// The definition at hand.
    definition: Option<DefId>,
    /// The definition that unknown names were last found in, and how many.
    unknowns: (Option<DefId>, u32),
    /// Macros being expanded, outermost first.
    expanding: Vec<MacroId>,
    /// Nodes of expressions that macros made so far.
    expanded: usize,
    /// Levels of expressions and statements around the one at hand.
    level: u32,
    /// Elements of the state so far.
    elements: u64,
    /// An initial value is being read: variables declared before have known values.
    initialising: bool,
    /// The model contains `||`.
    has_parallel: bool,
    /// Sends: the channel, how many fields are known, and how many values may be arrays or not.
    sent: Vec<(ChannelId, usize, usize)>,
    /// What the programs of a channel's senders write.
    sender_writes: FxHashMap<ChannelId, Vec<VarId>>,
    /// The guards of inputs: the channel, the condition, and where it stands.
    input_guards: Vec<(ChannelId, Expr, Span)>,
    /// The length of the longest array that is passed to a process.
    longest_passed: usize,
    /// Variables to which the text adds truth values: collections of such.
    truthful: FxHashSet<String>,
}

/// Items that declare something, each name once.
struct Declared {
    defines: Vec<Define>,
    definitions: Vec<(DefId, SyntaxNode, Origin)>,
}

impl Resolver {
    fn into_model(self, assertions: Vec<Assertion>, constants: Vec<(String, i32)>) -> Model {
        Model {
            variables: self.variables,
            channels: self.channels,
            definitions: self.definitions,
            terms: self.terms,
            assertions,
            annotations: self.annotations,
            collections: self.collections,
            constants,
        }
    }

    /// Declares all names.
    fn declare_all(&mut self, items: &[Item]) -> Declared {
        let mut declared = Declared {
            defines: Vec::new(),
            definitions: Vec::new(),
        };
        for Item { node, origin } in items {
            self.origin = *origin;
            match node.kind() {
                K::EnumDecl => {
                    let names = tree::own_tokens(node).filter(|t| t.kind() == K::Ident);
                    for (value, name) in names.enumerate() {
                        let value = Value::Int(value as i32);
                        self.declare(name.text(), Meaning::Constant(Some(value)), origin.token(&name));
                    }
                }
                K::Define => {
                    let Some(name) = tree::ident(node) else { continue };
                    let span = origin.token(&name);
                    if self.declare(name.text(), Meaning::Constant(None), span) {
                        let (name, node) = (name.text().to_owned(), node.clone());
                        declared.defines.push(Define {
                            name,
                            span,
                            node,
                            origin: *origin,
                        });
                    }
                }
                K::VarDecl => {
                    for declarator in tree::children_of(node, K::Declarator) {
                        if let Some(name) = tree::ident(&declarator) {
                            self.declare(
                                name.text(),
                                Meaning::Variable(Some(UNREACHED)),
                                origin.token(&name),
                            );
                        }
                    }
                }
                K::ChannelDecl => {
                    if let Some(name) = tree::ident(node) {
                        self.declare(name.text(), Meaning::Channel(None), origin.token(&name));
                    }
                }
                K::Definition => {
                    let Some(name) = tree::ident(node) else { continue };
                    let span = origin.token(&name);
                    let id = DefId(self.definitions.len() as u32);
                    if self.declare(name.text(), Meaning::Process(id), span) {
                        self.definitions.push(Definition {
                            name: name.text().to_owned(),
                            params: Vec::new(),
                            body: TermId::STOP,
                            alphabet: None,
                            span,
                        });
                        declared.definitions.push((id, node.clone(), *origin));
                    }
                }
                _ => {}
            }
        }
        declared
    }

    /// Variables and channels, in the order of the text.
    fn shape_all(&mut self, items: &[Item]) {
        self.truthful = collection::truthful(items);
        for Item { node, origin } in items {
            self.origin = *origin;
            match node.kind() {
                K::VarDecl => {
                    let hidden = tree::token(node, K::HvarKw).is_some();
                    for declarator in tree::children_of(node, K::Declarator) {
                        if self.is_first(&declarator) {
                            self.variable_decl(&declarator, hidden);
                        }
                    }
                }
                K::ChannelDecl if self.is_first(node) => self.channel_decl(node),
                K::Import => self.import(node),
                _ => {}
            }
        }
    }

    /// Whether a node's name was declared by this very node.
    fn is_first(&self, node: &SyntaxNode) -> bool {
        tree::ident(node).is_some_and(|name| {
            let symbol = self.names.symbols.get(name.text());
            symbol.is_some_and(|s| s.span == self.origin.token(&name))
        })
    }

    /// Parameters of all definitions, then their bodies.
    fn resolve_bodies(&mut self, definitions: &[(DefId, SyntaxNode, Origin)]) {
        for (id, node, origin) in definitions {
            self.origin = *origin;
            self.definitions[id.0 as usize].params = self.params(node);
        }
        for (id, node, origin) in definitions {
            self.origin = *origin;
            self.definition = Some(*id);
            let mark = self.scope.mark();
            self.bind_params(*id);
            self.definitions[id.0 as usize].body = self.inner_process(node);
            self.scope.leave(mark);
        }
        self.make_room_for_arrays();
    }

    fn params(&mut self, node: &SyntaxNode) -> Vec<Param> {
        let Some(list) = tree::child(node, K::ParamList) else {
            return Vec::new();
        };
        let mut params: Vec<Param> = Vec::new();
        for param in tree::children_of(&list, K::Param) {
            let Some(name) = tree::ident(&param) else { continue };
            if params.iter().any(|p| p.name == name.text()) {
                let message = format!("there are two parameters `{}`", name.text());
                self.report.push(Diagnostic::error(
                    "duplicate-name",
                    self.origin.token(&name),
                    message,
                ));
            }
            let (lower, upper) = self.range(&param).unwrap_or((None, None));
            params.push(Param {
                name: name.text().to_owned(),
                lower,
                upper,
            });
        }
        params
    }

    fn bind_params(&mut self, id: DefId) {
        for param in &self.definitions[id.0 as usize].params {
            self.scope.bind(&param.name);
        }
    }

    /// `#alphabet P {...};`
    fn resolve_alphabets(&mut self, items: &[Item]) {
        for Item { node, origin } in items.iter().filter(|i| i.node.kind() == K::Alphabet) {
            self.origin = *origin;
            let (Some(id), Some(name)) = (self.callee_process(node), tree::ident(node)) else {
                continue;
            };
            let mark = self.scope.mark();
            self.bind_params(id);
            let events = tree::child(node, K::EventSet).map_or_else(Vec::new, |e| self.event_set(&e));
            self.scope.leave(mark);
            let definition = &mut self.definitions[id.0 as usize];
            if definition.alphabet.is_some() {
                let message = format!("the alphabet of `{}` is given twice", definition.name);
                let help = "write all events in one `#alphabet`";
                let span = origin.token(&name);
                self.report
                    .push(Diagnostic::error("duplicate-name", span, message).help(help));
            } else {
                definition.alphabet = Some(events);
            }
        }
    }
}
