//! Files that a model includes: where they are, and what they are called in messages.
//!
//! Models come from Windows, too, where `Shared\\Rules.csp` is a path and `rules.csp` the same file. So a backslash
//! separates, and where there is no file of exactly the name that is written, one that differs in case is taken.

use crate::load::{Language, read_text};
use std::path::{Component, Path, PathBuf};

/// Reads what `including` includes: the name for messages, and the text.
pub(crate) fn read(including: &str, written: &str) -> Result<(String, String), String> {
    let path = path(including, written);
    let text = read_text(&path, Language::Csp).map_err(|d| {
        let before = format!("cannot read {}: ", path.display());
        d.message.strip_prefix(&before).unwrap_or(&d.message).to_owned()
    })?;
    Ok((shown(&path), text))
}

/// The name in messages of what `including` includes.
pub(crate) fn name(including: &str, written: &str) -> String {
    shown(&path(including, written))
}

fn shown(path: &Path) -> String {
    plain(path).display().to_string()
}

/// Where what `including` includes is, relative to it.
fn path(including: &str, written: &str) -> PathBuf {
    let folder = Path::new(including).parent().unwrap_or(Path::new(""));
    let exact = folder.join(written);
    if exact.exists() {
        return exact;
    }
    let mut found = folder.to_path_buf();
    for part in Path::new(&written.replace('\\', "/")).components() {
        let next = found.join(part);
        found = match part {
            Component::Normal(name) if !next.exists() => {
                in_other_case(&found, &name.to_string_lossy()).unwrap_or(next)
            }
            _ => next,
        };
    }
    // What is not found under any name is reported under the one that was written.
    if found.exists() { found } else { exact }
}

/// The entry of a folder with this name but for case: the first by name, so that it is always the same.
fn in_other_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() {
        here
    } else {
        folder
    };
    let entries = folder.read_dir().ok()?.flatten().map(|entry| entry.file_name());
    let alike = entries.filter(|entry| entry.to_string_lossy().to_lowercase() == name.to_lowercase());
    let found = alike.min()?;
    Some(if folder == here {
        PathBuf::from(found)
    } else {
        folder.join(found)
    })
}

/// The path without `.` and without `name/..`, so that a file that includes itself is seen to.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_detours() {
        for (written, name) in [
            ("a/./b.csp", "a/b.csp"),
            ("a/../b.csp", "b.csp"),
            ("../b.csp", "../b.csp"),
        ] {
            assert_eq!(plain(Path::new(written)), Path::new(name));
        }
        assert_eq!(plain(Path::new("../../b")), Path::new("../../b"));
    }
}
