//! Rules about one source file at a time.
//!
//! They look at lines, not at syntax trees. Where a rule must not see its own words, they are put together with
//! `concat!`.

use super::Complaint;

/// The most lines a file may have.
pub const LONGEST: usize = 800;

/// A Rust file opens with `//!`: what it is about.
pub fn header(path: &str, text: &str) -> Vec<Complaint> {
    match text.lines().find(|line| !line.trim().is_empty()) {
        Some(line)
            if line
                .strip_prefix("//!")
                .is_some_and(|words| !words.trim().is_empty()) =>
        {
            Vec::new()
        }
        _ => vec![Complaint::at(
            path,
            1,
            "the file must open with `//!` and what it is about",
        )],
    }
}

/// No file is longer than [`LONGEST`] lines, but those in `allowed`, a list of paths and reasons. A path there that
/// needs no exception any more is a complaint too.
pub fn length<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    allowed: &[(&str, &str)],
) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut used = vec![false; allowed.len()];
    for (path, text) in files {
        let lines = text.lines().count();
        if lines <= LONGEST {
            continue;
        }
        match allowed.iter().position(|&(other, _)| other == path) {
            Some(i) => used[i] = true,
            None => complaints.push(Complaint::of(
                path,
                format!("{lines} lines, more than {LONGEST}: one idea a file"),
            )),
        }
    }
    for (&(path, reason), used) in allowed.iter().zip(used) {
        if reason.trim().is_empty() {
            complaints.push(Complaint::of(path, "may be long, but without a reason"));
        }
        if !used {
            complaints.push(Complaint::of(
                path,
                "is allowed to be long and is not: drop the exception",
            ));
        }
    }
    complaints
}

/// Nothing is left unfinished or switched off.
pub fn unfinished(path: &str, text: &str) -> Vec<Complaint> {
    const BANNED: &[&str] = &[
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("#[ig", "nore"),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
    ];
    lines_with(path, text, BANNED, |word| {
        format!("`{word}`: finish it or leave it out")
    })
}

/// `unsafe` stands in crate `store` only.
pub fn safety(path: &str, text: &str) -> Vec<Complaint> {
    const WORD: &str = concat!("un", "safe");
    if path.starts_with("crates/store/") {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or(line);
        let found = code.match_indices(WORD).any(|(at, _)| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            !code[..at].ends_with(word) && !code[at + WORD.len()..].starts_with(word)
        });
        if found {
            complaints.push(Complaint::at(
                path,
                i + 1,
                format!("`{WORD}` is for crate `store` only"),
            ));
        }
    }
    complaints
}

/// No path of somebody's machine, no host of a package registry.
pub fn places(path: &str, text: &str) -> Vec<Complaint> {
    const FOLDERS: &[&str] = &[
        concat!("/wo", "rk/"),
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/t", "mp/"),
        concat!("/Us", "ers/"),
    ];
    const HOSTS: &[&str] = &[
        concat!("crates", ".io"),
        concat!("npm", "js."),
        concat!("py", "pi."),
        concat!("arti", "factory"),
    ];
    let mut complaints = lines_with(path, text, HOSTS, |word| format!("`{word}` names a registry"));
    for (i, line) in text.lines().enumerate() {
        for folder in FOLDERS {
            // Within a relative path it is an ordinary folder.
            let absolute = line
                .match_indices(folder)
                .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/}".contains(c)));
            if absolute {
                complaints.push(Complaint::at(
                    path,
                    i + 1,
                    format!("`{folder}` is a path of one machine"),
                ));
            }
        }
    }
    complaints
}

fn lines_with(path: &str, text: &str, banned: &[&str], message: impl Fn(&str) -> String) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for word in banned.iter().filter(|word| line.contains(**word)) {
            complaints.push(Complaint::at(path, i + 1, message(word)));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_can_fail() {
        assert!(header("a.rs", "//! What it is.\nfn f() {}\n").is_empty());
        assert_eq!(header("a.rs", "fn f() {}\n").len(), 1);
        assert_eq!(header("a.rs", "//!\nfn f() {}\n").len(), 1);
        assert_eq!(header("a.rs", "").len(), 1);
    }

    #[test]
    fn length_can_fail() {
        let (short, long) = ("x\n".repeat(LONGEST), "x\n".repeat(LONGEST + 1));
        assert!(length([("a.rs", short.as_str())], &[]).is_empty());
        assert_eq!(length([("a.rs", long.as_str())], &[]).len(), 1);
        assert!(length([("a.rs", long.as_str())], &[("a.rs", "a table")]).is_empty());
        assert_eq!(length([("a.rs", long.as_str())], &[("a.rs", " ")]).len(), 1);
        assert_eq!(
            length([("a.rs", short.as_str())], &[("a.rs", "a table")]).len(),
            1
        );
    }

    #[test]
    fn unfinished_can_fail() {
        assert!(unfinished("a.rs", "let method = 1;").is_empty());
        assert_eq!(unfinished("a.rs", concat!("to", "do!()")).len(), 1);
        assert_eq!(unfinished("a.rs", concat!("#[ig", "nore = \"slow\"]")).len(), 1);
    }

    #[test]
    fn safety_can_fail() {
        let code = concat!("let x = un", "safe { y };");
        assert_eq!(safety("crates/csp/src/a.rs", code).len(), 1);
        assert!(safety("crates/store/src/a.rs", code).is_empty());
        assert!(
            safety(
                "crates/csp/src/a.rs",
                concat!("#![deny(un", "safe_code)] // un", "safe")
            )
            .is_empty()
        );
    }

    #[test]
    fn places_can_fail() {
        assert_eq!(places("a.md", concat!("see /ho", "me/me/x")).len(), 1);
        assert_eq!(places("a.md", concat!("`/wo", "rk/main`")).len(), 1);
        assert!(places("a.md", concat!("docs/wo", "rk/main")).is_empty());
        assert_eq!(places("a.md", concat!("from crates", ".io")).len(), 1);
    }
}
