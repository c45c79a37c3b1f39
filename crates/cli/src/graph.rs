//! `fairhold graph`.

use crate::args::GraphArgs;
use crate::input::{Messages, load, read_trace};
use crate::output::{Colors, write_text};
use crate::progress::Watcher;
use fairhold::{LoadOptions, SavedTrace, Status};

/// Loads a model and writes its graph; says how it went.
pub(crate) fn graph(args: &GraphArgs) -> Status {
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let trace = match args.highlight.as_deref().map(read_trace).transpose() {
        Ok(trace) => trace,
        Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            return Status::BadInput;
        }
    };
    let mut options = options(args, trace.as_ref());
    let mut loaded = load(&args.file, &args.common, &options);
    if let (Some(formula), Some(model)) = (&args.label, &loaded.model) {
        match model.labelling(formula) {
            Ok(property) => options.properties = vec![property],
            Err(diagnostic) => {
                messages.add_bare(&diagnostic);
                return Status::BadInput;
            }
        }
        loaded = load(&args.file, &args.common, &options);
    }
    messages.add(&loaded.map, Some(&args.file), &loaded.diagnostics);
    let Some(model) = loaded.model else {
        return Status::BadInput;
    };
    let watcher = Watcher::new(&args.file);
    let label = args.label.as_deref();
    let drawn = model.graph(
        args.to.into(),
        trace.as_ref(),
        label,
        &args.common.bounds(),
        &watcher,
    );
    drop(watcher);
    let drawing = match drawn {
        Ok(drawing) => drawing,
        Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            return Status::BadInput;
        }
    };
    for warning in &drawing.warnings {
        messages.add_bare(warning);
    }
    match write_text(args.output.as_deref(), &drawing.text) {
        Ok(()) => drawing.status,
        Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            Status::BadInput
        }
    }
}

/// The process and the constants are those of the run to highlight, unless others are asked for.
fn options(args: &GraphArgs, trace: Option<&SavedTrace>) -> LoadOptions {
    let mut options = trace.map(SavedTrace::load_options).unwrap_or_default();
    let asked = &args.common.define;
    options
        .defines
        .retain(|(name, _)| asked.iter().all(|(other, _)| name != other));
    options.defines.extend(asked.iter().cloned());
    if args.process.is_some() {
        options.process.clone_from(&args.process);
    }
    if args.label.is_some() {
        options.fairness = args.fairness.iter().cloned().collect();
    }
    options
}
