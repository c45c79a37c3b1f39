//! Fairhold's own verdict on an example, through the library.

use fairhold::{CheckOptions, LoadOptions, Silent, Verdict, load_file, parse_fairness};
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The verdict on `property`, written as after `#assert`, of a file in `examples` with its constant `N` set to `size`,
/// under one notion of fairness.
pub(crate) fn verdict(example: &str, size: Option<i32>, property: &str, notion: &str) -> Verdict {
    let path = root().join("examples").join(example);
    let options = LoadOptions {
        defines: size.map(|n| ("N".to_owned(), n)).into_iter().collect(),
        properties: vec![property.to_owned()],
        fairness: parse_fairness(notion).expect("a notion of fairness"),
        ..LoadOptions::default()
    };
    let loaded = load_file(&path.to_string_lossy(), None, &options);
    let model = loaded
        .model
        .unwrap_or_else(|| panic!("{example}: {:?}", loaded.diagnostics));
    let tasks = model.tasks(&[]);
    let results = model.check(tasks[0], &CheckOptions::default(), &Silent);
    let [result] = &results[..] else {
        panic!("{example}: one property under one notion has one result");
    };
    assert_eq!(result.bug, None, "{example}");
    result.verdict
}

/// Runs on a stack as large as the command line's: large models nest deeply.
pub(crate) fn on_a_large_stack<T: Send + 'static>(task: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(task);
    match thread.expect("a thread can be started").join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
