//! The models that ship with Fairhold, as files.

use std::path::{Path, PathBuf};

/// The `.csp` files of `examples/`, sorted.
///
/// # Panics
/// If the folder cannot be listed, or has fewer models than ship.
pub fn examples() -> Vec<PathBuf> {
    let models = examples_in("csp");
    assert!(models.len() >= 20, "models are missing");
    models
}

/// The protocols of `examples/protocols/`, sorted.
///
/// # Panics
/// If the folder cannot be listed, or has fewer protocols than ship.
pub fn protocols() -> Vec<PathBuf> {
    let protocols = listed("../../examples/protocols", "pp");
    assert!(protocols.len() >= 14, "protocols are missing");
    protocols
}

/// The files of `examples/` with this ending, sorted.
///
/// # Panics
/// If the folder cannot be listed.
pub fn examples_in(extension: &str) -> Vec<PathBuf> {
    listed("../../examples", extension)
}

fn listed(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut models: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("examples/ can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    models.sort();
    models
}
