//! Rules about what is written for people: citations resolve, commands and links exist, changes are logged.

use super::Complaint;

/// Every `[Author-Venue'YY]` is a key of `docs/refs.bib`.
pub fn citations(path: &str, text: &str, bibliography: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for key in cited(line) {
            if !defines(bibliography, &key) {
                complaints.push(Complaint::at(
                    path,
                    i + 1,
                    format!("`{key}` is not in docs/refs.bib"),
                ));
            }
        }
    }
    complaints
}

/// The keys cited in a line.
fn cited(line: &str) -> Vec<String> {
    line.split('[')
        .skip(1)
        .filter_map(|rest| citation(rest.split_once(']')?.0))
        .collect()
}

/// The key of `Author-Venue'YY`, if it is one.
fn citation(text: &str) -> Option<String> {
    let (author, rest) = text.split_once('-')?;
    let (venue, year) = rest.split_once('\'')?;
    let name =
        |s: &str| s.starts_with(|c: char| c.is_ascii_uppercase()) && s.chars().all(char::is_alphanumeric);
    let digits = year.len() == 2 && year.bytes().all(|b| b.is_ascii_digit());
    (name(author) && name(venue) && digits).then(|| text.to_owned())
}

fn defines(bibliography: &str, key: &str) -> bool {
    bibliography.lines().any(|line| {
        line.trim_start()
            .strip_prefix('@')
            .and_then(|entry| entry.split_once('{'))
            .is_some_and(|(_, rest)| rest.trim_end().trim_end_matches(',') == key)
    })
}

/// The command lines in the `sh` blocks of a Markdown text, with their lines from 1.
pub fn commands(text: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut commands = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            inside = info.trim() == "sh";
        } else if inside && !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            commands.push((i + 1, line.trim()));
        }
    }
    commands
}

/// The subcommands declared by `enum Command` in the source of the command line.
pub fn subcommands(source: &str) -> Vec<String> {
    source
        .lines()
        .skip_while(|line| !line.ends_with("enum Command {"))
        .skip(1)
        .take_while(|line| *line != "}")
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| {
            line.split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or(line)
                .to_lowercase()
        })
        .collect()
}

/// Every command in an `sh` block exists: `cargo xtask NAME` has a file of that name, `fairhold NAME` (also by way of
/// `cargo run`) is among `subcommands`, and every model named is there.
pub fn commands_exist(
    path: &str,
    text: &str,
    subcommands: &[String],
    exists: impl Fn(&str) -> bool,
) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (line, command) in commands(text) {
        // Variables set in front of a command are not part of it.
        let words: Vec<&str> = command
            .split_whitespace()
            .skip_while(|w| w.contains('='))
            .collect();
        let mut complain = |message| complaints.push(Complaint::at(path, line, message));
        let called = match words.as_slice() {
            ["cargo", "xtask", name, ..] => {
                if !exists(&format!("xtask/src/{name}.rs")) {
                    complain(format!("`cargo xtask {name}` does not exist"));
                }
                None
            }
            ["cargo", "run", ..] => words.iter().skip_while(|w| **w != "--").nth(1),
            ["fairhold", name, ..] => Some(name),
            ["cargo" | "git", ..] => None,
            _ => {
                complain(format!("`{command}` is no command this rule knows how to judge"));
                None
            }
        };
        if let Some(name) =
            called.filter(|name| !name.starts_with('-') && !subcommands.iter().any(|s| s == *name))
        {
            complain(format!("`fairhold {name}` does not exist"));
        }
        for file in words
            .iter()
            .filter(|w| w.starts_with("examples/") || w.starts_with("crates/"))
        {
            if !exists(file) {
                complain(format!("`{file}` does not exist"));
            }
        }
    }
    complaints
}

/// Every relative link of a Markdown text leads somewhere.
pub fn links(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Complaint> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for rest in line.split("](").skip(1) {
            let Some((target, _)) = rest.split_once(')') else {
                continue;
            };
            let target = target.split('#').next().unwrap_or(target);
            let looks_like_a_path = !target.contains(' ') && (target.contains('.') || target.contains('/'));
            if target.contains("://") || !looks_like_a_path {
                continue;
            }
            let full = if folder.is_empty() {
                target.to_owned()
            } else {
                format!("{folder}/{target}")
            };
            if !exists(&full) {
                complaints.push(Complaint::at(
                    path,
                    i + 1,
                    format!("the link to `{target}` leads nowhere"),
                ));
            }
        }
    }
    complaints
}

/// The change log has a place for what is not released yet.
pub fn change_log(path: &str, text: &str) -> Vec<Complaint> {
    if text.lines().any(|line| line.trim_end() == "## Unreleased") {
        Vec::new()
    } else {
        vec![Complaint::of(path, "there is no section `## Unreleased`")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_can_fail() {
        let bibliography = "@article{Tarjan-SICOMP'72,\n  title = {x}\n}\n";
        assert!(citations("a.rs", "//! As in [Tarjan-SICOMP'72].", bibliography).is_empty());
        assert_eq!(
            citations("a.rs", "//! As in [Tarjan-SICOMP'73].", bibliography).len(),
            1
        );
        assert_eq!(
            citations(
                "a.rs",
                "//! [Tarjan-SICOMP'72], [Nobody-NOWHERE'01]",
                bibliography
            )
            .len(),
            1
        );
        assert!(citations("a.rs", "let x = a[i - 1]; // [a-b] [x'12]", bibliography).is_empty());
    }

    #[test]
    fn commands_can_fail() {
        let exists = |path: &str| path == "xtask/src/test.rs" || path == "examples/a.csp";
        let judge = |command: &str| {
            commands_exist(
                "README.md",
                &format!("```sh\n{command}\n```\n"),
                &["check".to_owned()],
                exists,
            )
            .len()
        };
        assert_eq!(judge("cargo xtask test --all"), 0);
        assert_eq!(judge("cargo xtask dance"), 1);
        assert_eq!(judge("cargo run --release -- check examples/a.csp"), 0);
        assert_eq!(judge("cargo run --release -- dance examples/a.csp"), 1);
        assert_eq!(judge("fairhold check examples/b.csp"), 1);
        assert_eq!(judge("make"), 1);
        assert!(commands_exist("README.md", "```text\nmake\n```\n", &[], exists).is_empty());
    }

    #[test]
    fn subcommands_are_found() {
        let source =
            "enum Other {\n    No,\n}\nenum Command {\n    /// Yes\n    Check(Args),\n    Explore,\n}\n";
        assert_eq!(subcommands(source), ["check", "explore"]);
        assert!(subcommands("struct Command {}").is_empty());
    }

    #[test]
    fn links_can_fail() {
        let exists = |path: &str| path == "docs/a.md";
        assert!(
            links(
                "README.md",
                "[a](docs/a.md) [b](docs/a.md#part) [c](https://x.y)",
                exists
            )
            .is_empty()
        );
        assert!(links("docs/b.md", "[a](a.md)", exists).is_empty());
        assert_eq!(links("README.md", "[a](docs/b.md)", exists).len(), 1);
    }

    #[test]
    fn change_log_can_fail() {
        assert!(change_log("CHANGELOG.md", "# Changes\n\n## Unreleased\n").is_empty());
        assert_eq!(change_log("CHANGELOG.md", "# Changes\n\n## 0.1.0\n").len(), 1);
    }
}
