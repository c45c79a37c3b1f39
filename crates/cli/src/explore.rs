//! `fairhold explore`.

use crate::args::{ExploreArgs, ExploreFormat};
use crate::check::bug_note;
use crate::input::{Messages, load};
use crate::output::{Colors, print};
use crate::progress::Watcher;
use crate::text;
use fairhold::{Detail, Status, exploration_to_json};

/// Loads and explores one model; says how it went.
pub(crate) fn explore(args: &ExploreArgs) -> Status {
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let options = args.common.load_options(args.process.as_deref());
    let loaded = load(&args.file, &args.common, &options);
    messages.add(&loaded.map, Some(&args.file), &loaded.diagnostics);
    let mut result = None;
    if let Some(model) = &loaded.model {
        let watcher = Watcher::new(&args.file);
        match model.explore(args.sccs, args.hidden.into(), &args.common.bounds(), &watcher) {
            Ok(explored) => result = Some(explored),
            Err(diagnostic) => messages.add_bare(&diagnostic),
        }
    }
    if let Some(result) = &result {
        messages.add_once(&loaded.map, &args.file, &result.notes);
    }
    if let Some(bug) = result.as_ref().and_then(|r| r.bug.as_ref()) {
        messages.add_bare(&bug_note(bug));
    }
    match (args.format, &result) {
        (ExploreFormat::Json, result) => {
            let json = exploration_to_json(&messages.list, result.as_ref(), Detail::Short);
            print(&(json.to_string() + "\n"));
        }
        (ExploreFormat::Text, Some(result)) => print(&text::exploration(result, colors.stdout)),
        (ExploreFormat::Text, None) => {}
    }
    result.map_or(Status::BadInput, |r| r.status())
}
