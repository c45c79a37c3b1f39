//! `fairhold replay`.

use crate::args::{ReplayArgs, WalkFormat};
use crate::input::{Messages, read_trace};
use crate::output::{Colors, Style, paint, print};
use fairhold::{
    Detail, Diagnostic, Model, Replayed, SavedTrace, Severity, Status, load_file, replay_to_json, run_to_text,
};

/// Reads a trace, loads its model, judges the run; says how it went.
pub(crate) fn replay(args: &ReplayArgs) -> Status {
    let colors = Colors::choose(args.color);
    let mut messages = Messages::new(colors.stderr);
    let judged = prepare(args, &mut messages).map(|(trace, model)| {
        let replayed = model.replay(&trace);
        if replayed.same_source == Some(false) {
            messages.add_bare(&changed(&model));
        }
        (trace, replayed)
    });
    let detail = Detail::from(args.trace);
    match (args.format, &judged) {
        (WalkFormat::Json, judged) => {
            let result = judged.as_ref().map(|(trace, replayed)| (trace, replayed));
            print(&(replay_to_json(&messages.list, result, detail).to_string() + "\n"));
        }
        (WalkFormat::Text, Some((trace, replayed))) => print(&text(trace, replayed, detail, colors.stdout)),
        (WalkFormat::Text, None) => {}
    }
    match judged {
        Some((_, replayed)) if replayed.valid() => Status::Passed,
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

fn text(trace: &SavedTrace, replayed: &Replayed, detail: Detail, color: bool) -> String {
    let run = run_to_text(&trace.run, trace.title, detail);
    let last = match &replayed.refused {
        None => format!("{}: {}\n", paint("valid", Style::Good, color), replayed.shows),
        Some(invalid) => format!("{}: {invalid}\n", paint("not valid", Style::Bad, color)),
    };
    run + &last
}
