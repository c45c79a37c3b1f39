//! Crates depend downwards only.
//!
//! The crates stand in layers. A crate may depend on crates of lower layers, never on its own or a higher one: so
//! `search` knows no language, and `trace`, which judges what `search` found, shares no code with it. Tests keep to
//! the same order, and may use `testkit` besides.

use super::Complaint;
use toml::{Table, Value};

/// The layers, highest first, by folder under `crates/`.
pub const LAYERS: &[&[&str]] = &[
    &["cli"],
    &["workbench"],
    &["fairhold"],
    &["csp", "protocol", "structure"],
    &["search", "trace"],
    &["logic", "store"],
    &["system"],
    &["source"],
];

fn layer(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&folder))
}

/// The folder of one of our packages.
fn folder(package: &str) -> Option<&str> {
    if package == "fairhold" {
        Some(package)
    } else {
        package.strip_prefix("fairhold-")
    }
}

/// Judges the `Cargo.toml` at `path`, `crates/<folder>/Cargo.toml`.
pub fn arrows(path: &str, text: &str) -> Vec<Complaint> {
    let name = path.trim_start_matches("crates/").trim_end_matches("/Cargo.toml");
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(e) => return vec![Complaint::of(path, format!("cannot be read: {e}"))],
    };
    let own = layer(name);
    if own.is_none() && name != "testkit" {
        return vec![Complaint::of(path, format!("`{name}` has no layer: give it one"))];
    }
    let mut complaints = Vec::new();
    for (section, for_tests) in [
        ("dependencies", false),
        ("build-dependencies", false),
        ("dev-dependencies", true),
    ] {
        for target in manifest
            .get(section)
            .and_then(Value::as_table)
            .into_iter()
            .flat_map(Table::keys)
        {
            let Some(target) = folder(target) else { continue };
            let message = match (own, target, layer(target)) {
                // `testkit` itself may use anything.
                (None, _, _) => continue,
                (Some(_), "testkit", _) if for_tests => continue,
                (Some(_), "testkit", _) => "`testkit` is for tests: make it a dev-dependency".to_owned(),
                (Some(_), _, None) => format!("`{target}` has no layer"),
                (Some(from), _, Some(to)) if from < to => continue,
                (Some(_), _, Some(_)) => {
                    format!("`{name}` must not depend on `{target}`: arrows point down only")
                }
            };
            complaints.push(Complaint::of(path, message));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(name: &str, dependencies: &str) -> usize {
        arrows(&format!("crates/{name}/Cargo.toml"), dependencies).len()
    }

    #[test]
    fn arrows_can_fail() {
        assert_eq!(
            judge("cli", "[dependencies]\nfairhold.workspace = true\nclap = \"4\""),
            0
        );
        assert_eq!(
            judge("search", "[dependencies]\nfairhold-csp.workspace = true"),
            1
        );
        assert_eq!(
            judge("search", "[dependencies]\nfairhold-trace.workspace = true"),
            1
        );
        assert_eq!(
            judge("trace", "[dependencies]\nfairhold-search.workspace = true"),
            1
        );
        assert_eq!(
            judge("system", "[dev-dependencies]\nfairhold.workspace = true"),
            1
        );
        assert_eq!(
            judge("system", "[dependencies]\nfairhold-nothing.workspace = true"),
            1
        );
        assert_eq!(judge("newcomer", ""), 1);
        assert_eq!(judge("system", "not toml"), 1);
    }

    #[test]
    fn testkit_is_for_tests() {
        assert_eq!(
            judge("system", "[dev-dependencies]\nfairhold-testkit.workspace = true"),
            0
        );
        assert_eq!(
            judge("system", "[dependencies]\nfairhold-testkit.workspace = true"),
            1
        );
        assert_eq!(judge("testkit", "[dependencies]\nfairhold.workspace = true"), 0);
    }
}
