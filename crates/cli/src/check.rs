//! `fairhold check`.

use crate::args::{CheckArgs, Format, Reduce};
use crate::input::{Messages, load};
use crate::output::{Colors, complain, print};
use crate::progress::{Watcher, interrupted};
use crate::save::Saver;
use crate::sizes;
use crate::text;
use fairhold::{
    Bounds, CheckOptions, CheckResult, Detail, Diagnostic, Language, LoadOptions, Model, RandomWalks,
    Reduction, Report, Selector, Severity, Status, Sweep, load_automaton, report_to_json, report_to_junit,
    report_to_sarif,
};

/// Loads everything, then checks everything; says how it went.
pub(crate) fn check(args: &CheckArgs) -> Status {
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let (work, sweep) = prepare(args, &mut messages);
    let mut report = Report::default();
    if !messages.has_errors() {
        report.results = run(args, &work, sweep.as_ref(), &mut messages, colors);
        report.sweep = sweep;
    }
    report.messages = messages.list;
    let status = if interrupted() && report.status() != Status::BadInput {
        Status::Unknown
    } else {
        report.status()
    };
    finish(&report, args.format, args.trace.into(), colors);
    status
}

/// The models, and the sizes if they are one protocol at several. Errors end up in `messages`.
fn prepare(args: &CheckArgs, messages: &mut Messages) -> (Vec<Model>, Option<Sweep>) {
    if args.reduce == Reduce::Por {
        let message = "partial-order reduction is not available yet, so it cannot be asked for by name";
        messages.add_bare(&Diagnostic::bare("unsound-reduction", message).help("--reduce auto or none"));
    }
    if args.reduce == Reduce::Symmetry && args.random.is_some() {
        let message = "random walks take no reduction";
        messages.add_bare(&Diagnostic::bare("usage", message).help("leave out --reduce, or --random"));
    }
    let options = LoadOptions {
        defines: args.common.define.clone(),
        properties: args.property.clone(),
        automata: automata(args, messages),
        process: None,
        fairness: args.fairness.iter().flat_map(|list| list.0.clone()).collect(),
    };
    let (mut work, mut sweep) = (Vec::new(), None);
    if let Some(range) = args.sizes {
        if let Some((sizes, models)) = sizes::prepare(&args.files, range, &args.common, &options, messages) {
            (work, sweep) = (models, Some(sizes));
        }
    } else {
        for file in &args.files {
            let loaded = load(file, &args.common, &options);
            messages.add(&loaded.map, Some(file), &loaded.diagnostics);
            work.extend(loaded.model);
        }
    }
    if !messages.has_errors() {
        for selector in &args.assert {
            let selected = work.iter().any(|model| selects(selector, model));
            if !selected {
                messages.add_bare(&no_match(selector, &work));
            }
        }
        if args.reduce == Reduce::Symmetry {
            for model in &work {
                unproven(model, args, messages);
            }
        }
        if args.assert.is_empty() {
            // All models of a sweep ask the same.
            let said = if sweep.is_some() { 1 } else { work.len() };
            for model in work.iter().take(said).filter(|model| model.tasks(&[]).is_empty()) {
                if model.language == Language::Aut {
                    messages.add_bare(&nothing_asked(model));
                    continue;
                }
                let message = format!("{} has no assertions: nothing to check", model.file);
                let help = match model.language {
                    Language::Kts => "add one (#assert deadlockfree;) or give one: -p deadlockfree",
                    Language::Pp => "add one (assert deadlockfree) or give one: -p deadlockfree",
                    _ => "add one (#assert P deadlockfree;) or give one: -p 'P deadlockfree'",
                };
                let warning = Diagnostic::bare("no-assertions", message).help(help);
                messages.add_bare(&Diagnostic {
                    severity: Severity::Warning,
                    ..warning
                });
            }
        }
    }
    (work, sweep)
}

/// A reduction that is asked for by name must be proven for everything that is checked.
fn unproven(model: &Model, args: &CheckArgs, messages: &mut Messages) {
    for task in model.tasks(&args.assert).into_iter().flatten() {
        if let Some(why) = model.why_not_counted(task, &options(args)) {
            let under = task.fairness.as_ref().map(|f| format!(" under {}", f.text()));
            let message = format!(
                "symmetry reduction is not proven sound for `{}`{}: {why}",
                model.assertion_text(task),
                under.unwrap_or_default()
            );
            messages.add_bare(&Diagnostic::bare("unsound-reduction", message).help("--reduce auto or none"));
            return;
        }
    }
}

/// The automata's texts, by the names of their files.
fn automata(args: &CheckArgs, messages: &mut Messages) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for file in &args.automaton {
        match load_automaton(file) {
            Ok(text) => texts.push((file.clone(), text)),
            Err(diagnostic) => messages.add_bare(&diagnostic),
        }
    }
    texts
}

/// A graph cannot ask anything itself, so this is a mistake on the command line.
fn nothing_asked(model: &Model) -> Diagnostic {
    let message = format!("{} is a graph, which has no assertions of its own", model.file);
    Diagnostic::bare("no-assertions", message)
        .help("say what to check: -p deadlockfree, -p 'reaches state == 3', -p '|= []<> a'")
}

fn selects(selector: &Selector, model: &Model) -> bool {
    model
        .assertions()
        .enumerate()
        .any(|(i, text)| selector.selects(i, text))
}

fn no_match(selector: &Selector, work: &[Model]) -> Diagnostic {
    let what = match selector {
        Selector::Index(i) => format!("there is no assertion {i}"),
        Selector::Range(a, b) => format!("there are no assertions {a}..{b}"),
        Selector::Text(text) => format!("no assertion contains `{text}`"),
    };
    let texts = work.iter().flat_map(|model| model.assertions().enumerate());
    let listed: Vec<String> = texts.take(10).map(|(i, text)| format!("{i}: {text}")).collect();
    let help = match listed.is_empty() {
        true => "there are no assertions at all".to_owned(),
        false => format!("the assertions are\n{}", listed.join("\n")),
    };
    Diagnostic::bare("no-such-assertion", what).help(help)
}

fn options(args: &CheckArgs) -> CheckOptions {
    CheckOptions {
        bounds: Bounds {
            reproducible: args.reproducible,
            shortest: args.shortest,
            ..args.common.bounds()
        },
        vacuity: args.vacuity,
        states: args.states,
        ends: args.ends.map(Into::into),
        reduction: match args.reduce {
            Reduce::None => Reduction::None,
            _ => Reduction::Auto,
        },
        hidden: args.hidden.into(),
        random: args.random.map(|walks| RandomWalks {
            walks,
            seed: args.seed,
        }),
    }
}

/// Checks one assertion after the other until all are done or the user has had enough.
fn run(
    args: &CheckArgs,
    work: &[Model],
    sweep: Option<&Sweep>,
    messages: &mut Messages,
    colors: Colors,
) -> Vec<CheckResult> {
    let options = options(args);
    let directory = args.save_trace.as_deref();
    let several = work.len() > 1 && sweep.is_none();
    let mut saver = directory.map(|directory| Saver::new(directory, several, sweep));
    let mut results = Vec::new();
    for model in work {
        for (number, tasks) in model.tasks(&args.assert).into_iter().enumerate() {
            if interrupted() {
                return results;
            }
            let watcher = Watcher::new(model.assertion_text(&tasks[0]));
            let found = model.check(tasks, &options, &watcher);
            drop(watcher);
            if let (Format::Text, 0, Some(sweep)) = (args.format, number, sweep) {
                print(&sizes::heading(sweep, &found));
            }
            for result in &found {
                if args.format == Format::Text {
                    print(&text::result(
                        result,
                        model,
                        args.trace.into(),
                        several,
                        colors.stdout,
                    ));
                }
                messages.add_once(&model.map, &model.file, &result.notes);
                if let Some(bug) = &result.bug {
                    messages.add_bare(&bug_note(bug));
                }
                if let Some(warning) = saver.as_mut().and_then(|saver| saver.save(model, result)) {
                    messages.add_bare(&warning);
                }
            }
            if args.format == Format::Text {
                if found.len() > 1 {
                    print(&text::table(&found));
                }
                print(&text::convergence(&found));
            }
            results.extend(found);
        }
    }
    results
}

/// A fault of our own is no error of the input: the verdict is `unknown` and a warning says whose fault it is.
pub(crate) fn bug_note(bug: &str) -> Diagnostic {
    let help = "this is a bug in Fairhold, not in the model; please report it with the model";
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::bare("internal", bug).help(help)
    }
}

/// Prints what was not printed on the way.
pub(crate) fn finish(report: &Report, format: Format, detail: Detail, colors: Colors) {
    match format {
        Format::Json => print(&(report_to_json(report, detail).to_string() + "\n")),
        Format::Junit => print(&report_to_junit(report, detail)),
        Format::Sarif => print(&(report_to_sarif(report).to_string() + "\n")),
        Format::Text if report.results.is_empty() => {}
        Format::Text => {
            if let Some(sweep) = &report.sweep {
                print(&sizes::summary(sweep, &report.results));
            }
            print(&text::summary(&report.results, colors.stdout));
        }
    }
    if interrupted() {
        complain("interrupted\n");
    }
}
