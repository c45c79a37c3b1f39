//! `fairhold convert`.

use crate::args::ConvertArgs;
use crate::input::{Messages, load};
use crate::output::{Colors, write_text};
use crate::progress::Watcher;
use fairhold::Status;

/// Loads a model and writes it in another language; says how it went.
pub(crate) fn convert(args: &ConvertArgs) -> Status {
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let options = args.common.load_options(args.process.as_deref());
    let loaded = load(&args.file, &args.common, &options);
    messages.add(&loaded.map, Some(&args.file), &loaded.diagnostics);
    let Some(model) = loaded.model else {
        return Status::BadInput;
    };
    let watcher = Watcher::new(&args.file);
    let converted = model.convert(args.to.into(), &args.common.bounds(), &watcher);
    drop(watcher);
    let drawing = match converted {
        Ok(drawing) => drawing,
        Err(diagnostic) => {
            messages.add(&model.map, Some(&args.file), &[diagnostic]);
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
