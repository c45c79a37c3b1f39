//! `fairhold replay`.

use crate::args::{ReplayArgs, WalkFormat};
use crate::input::{Messages, read_trace};
use crate::output::{Colors, Style, paint, print, write_text};
use fairhold::{
    Detail, Diagnostic, Language, Model, Origin, Replayed, SavedTrace, Severity, Status, load_file,
    replay_to_json, run_to_text,
};
use std::path::Path;

/// Reads a trace, loads its model, judges the run; says how it went.
pub(crate) fn replay(args: &ReplayArgs) -> Status {
    let colors = Colors::choose(args.color);
    let mut messages = Messages::new(colors.stderr);
    let judged = prepare(args, &mut messages).map(|(trace, model)| {
        let replayed = model.replay(&trace);
        if replayed.same_source == Some(false) {
            messages.add_bare(&changed(&model));
        }
        if let Some(path) = &args.svg
            && let Err(wrong) = draw(&model, &trace, path)
        {
            messages.add_bare(&wrong);
        }
        (model, trace, replayed)
    });
    let detail = Detail::from(args.trace);
    match (args.format, &judged) {
        (WalkFormat::Json, judged) => {
            let result = judged.as_ref().map(|(_, trace, replayed)| (trace, replayed));
            print(&(replay_to_json(&messages.list, result, detail).to_string() + "\n"));
        }
        (WalkFormat::Text, Some((model, trace, replayed))) => {
            print(&text(model, trace, replayed, detail, colors.stdout));
        }
        (WalkFormat::Text, None) => {}
    }
    match judged {
        _ if messages.has_errors() => Status::BadInput,
        Some((.., replayed)) if replayed.valid() => Status::Passed,
        Some(_) => Status::Failed,
        None => Status::BadInput,
    }
}

/// The trace and the model it belongs to. Errors end up in `messages`.
fn prepare(args: &ReplayArgs, messages: &mut Messages) -> Option<(SavedTrace, Model)> {
    let trace = match read_trace(&args.trace_file) {
        Ok(trace) => trace,
        Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            return None;
        }
    };
    if trace.file == "-" && args.model.is_none() {
        let message = "the model was read from standard input, so it has to be given again";
        messages.add_bare(&Diagnostic::bare("no-model", message).help("name it: --model FILE"));
        return None;
    }
    let file = args.model.as_ref().unwrap_or(&trace.file);
    let language = args.lang.map(crate::args::Lang::language);
    let loaded = load_file(file, language, &trace.load_options());
    // Warnings about the model were shown when the run was found.
    let errors: Vec<Diagnostic> = loaded
        .diagnostics
        .into_iter()
        .filter(Diagnostic::is_error)
        .collect();
    messages.add(&loaded.map, Some(file), &errors);
    if args.model.is_none() && errors.iter().any(|d| d.code == "cannot-read") {
        let message = "the trace names its model as it was called when the run was saved";
        messages.add_bare(&warning("model-moved", message).help("--model FILE says where it is now"));
    }
    loaded.model.map(|model| (trace, model))
}

fn changed(model: &Model) -> Diagnostic {
    let message = format!("{} has changed since the run was saved", model.file);
    warning("source-changed", &message)
}

fn warning(code: &'static str, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::bare(code, message)
    }
}

/// Writes the run as a space-time diagram.
fn draw(model: &Model, trace: &SavedTrace, path: &Path) -> Result<(), Diagnostic> {
    let Some(diagram) = model.diagram(&trace.run) else {
        let message = match model.language {
            Language::Pp => "the run has no steps of nodes to draw",
            _ => "only runs of protocols (.pp) are drawn as diagrams",
        };
        let help = "fairhold graph --to svg --highlight TRACE draws a run in the graph of any model";
        return Err(Diagnostic::bare("no-diagram", message).help(help));
    };
    let under = |fairness: &String| format!(" under {fairness}");
    let title = match &trace.origin {
        Origin::Assertion { text, fairness, .. } => {
            format!(
                "{}: {text}{}",
                trace.title,
                fairness.as_ref().map_or(String::new(), under)
            )
        }
        Origin::Walk(_) => format!("walk through {}", trace.file),
    };
    write_text(Some(path), &diagram.to_svg(&title))
}

fn text(model: &Model, trace: &SavedTrace, replayed: &Replayed, detail: Detail, color: bool) -> String {
    let run =
        run_to_text(&trace.run, trace.title, detail) + &crate::text::diagram(model, &trace.run, detail, 0);
    let last = match &replayed.refused {
        None => format!("{}: {}\n", paint("valid", Style::Good, color), replayed.shows),
        Some(invalid) => format!("{}: {invalid}\n", paint("not valid", Style::Bad, color)),
    };
    run + &last
}
