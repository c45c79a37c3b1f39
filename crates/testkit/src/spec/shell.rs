//! Runs one command of a transcript: the part of a shell that documentation needs, and no more.
//!
//! Words are split at blanks; `'...'` is literal, `"..."` takes `\"` and `\\`, a backslash takes the next character.
//! `< file` and `> file` redirect standard input and output; `NAME=value` words in front set variables. Anything
//! else that a shell would treat as special is refused, so that a transcript never means one thing here and another
//! in the reader's terminal.
//!
//! A command that runs for a minute is killed and reported: a test that hangs tells nobody anything.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a command may take. Debug builds on a busy machine need a margin.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command line taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    variables: Vec<(String, String)>,
    words: Vec<String>,
    input: Option<String>,
    output: Option<String>,
}

/// Runs a command in a folder and returns the lines of its transcript.
pub(super) fn run(command: &str, folder: &Path, binary: &Path) -> Result<Vec<String>, String> {
    let line = parse(command)?;
    let Some((program, arguments)) = line.words.split_first() else {
        return Err("there is no command here".to_owned());
    };
    if program != "fairhold" {
        return Err(format!(
            "`{program}` is not known here: transcripts run `fairhold` only"
        ));
    }
    let file = |name: &str| folder.join(name);
    let captured = |name: &str| File::create(file(name)).map_err(|e| format!("{name}: {e}"));
    // Captured in files rather than pipes: a full pipe would block a child nobody reads from.
    let (out, err) = (".stdout", ".stderr");
    let stdin = match &line.input {
        Some(name) => Stdio::from(File::open(file(name)).map_err(|e| format!("{name}: {e}"))?),
        None => Stdio::null(),
    };
    let child = Command::new(binary)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(line.variables.iter().map(|(k, v)| (k, v)))
        .stdin(stdin)
        .stdout(captured(line.output.as_deref().unwrap_or(out))?)
        .stderr(captured(err)?)
        .spawn()
        .map_err(|e| format!("{}: {e}", binary.display()))?;
    let status = wait(child)?;
    let read = |name: &str| std::fs::read(file(name)).map_err(|e| format!("{name}: {e}"));
    let mut lines = Vec::new();
    if line.output.is_none() {
        lines.extend(String::from_utf8_lossy(&read(out)?).lines().map(str::to_owned));
    }
    lines.extend(String::from_utf8_lossy(&read(err)?).lines().map(str::to_owned));
    match status.code() {
        Some(0) => {}
        Some(code) => lines.push(format!("[exit {code}]")),
        None => lines.push("[killed by a signal]".to_owned()),
    }
    Ok(lines)
}

fn wait(mut child: Child) -> Result<ExitStatus, String> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(status);
        }
        if start.elapsed() > PATIENCE {
            // If it ended by itself in between there is nothing to kill, and that is fine too.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("still running after {} s, killed", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn parse(command: &str) -> Result<Line, String> {
    let mut line = Line::default();
    let mut redirect: Option<char> = None;
    for token in tokens(command)? {
        match (token, redirect.take()) {
            (Token::Redirect(_), Some(_)) => return Err("a redirection needs a file name".to_owned()),
            (Token::Redirect(which), None) => redirect = Some(which),
            (Token::Word(word, _), Some('<')) => line.input = Some(word),
            (Token::Word(word, _), Some(_)) => line.output = Some(word),
            (Token::Word(word, quoted), None) => match word.split_once('=') {
                Some((name, value)) if line.words.is_empty() && !quoted => {
                    line.variables.push((name.to_owned(), value.to_owned()));
                }
                _ => line.words.push(word),
            },
        }
    }
    if redirect.is_some() {
        return Err("a redirection needs a file name".to_owned());
    }
    Ok(line)
}

enum Token {
    /// A word, and whether any of it was quoted.
    Word(String, bool),
    /// `<` or `>`
    Redirect(char),
}

fn tokens(command: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut word: Option<(String, bool)> = None;
    let mut chars = command.chars();
    let mut flush = |word: &mut Option<(String, bool)>, then: Option<Token>| {
        tokens.extend(word.take().map(|(text, quoted)| Token::Word(text, quoted)));
        tokens.extend(then);
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => flush(&mut word, None),
            '<' | '>' => flush(&mut word, Some(Token::Redirect(c))),
            '\'' | '"' => {
                let (text, quoted) = word.get_or_insert_default();
                *quoted = true;
                loop {
                    match chars.next() {
                        None => return Err(format!("a {c} is never closed")),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => match chars.next() {
                            Some(escaped @ ('"' | '\\')) => text.push(escaped),
                            Some(other) => text.extend(['\\', other]),
                            None => return Err(format!("a {c} is never closed")),
                        },
                        Some(other) => text.push(other),
                    }
                }
            }
            '\\' => {
                let escaped = chars.next().ok_or("a backslash at the end escapes nothing")?;
                word.get_or_insert_default().0.push(escaped);
            }
            '|' | '&' | ';' | '$' | '`' | '*' | '(' | ')' => {
                return Err(format!("`{c}` is a shell's: quote it to mean the character"));
            }
            other => word.get_or_insert_default().0.push(other),
        }
    }
    flush(&mut word, None);
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        parse(command).unwrap().words
    }

    #[test]
    fn words_and_quotes() {
        assert_eq!(words("fairhold  check dp.csp"), ["fairhold", "check", "dp.csp"]);
        assert_eq!(
            words(r#"f -p 'P |= []<> a' "x \"y\" z" a\ b ''"#),
            ["f", "-p", "P |= []<> a", r#"x "y" z"#, "a b", ""]
        );
        assert_eq!(words("f -D N=3"), ["f", "-D", "N=3"]);
    }

    #[test]
    fn redirections_and_variables() {
        let line = parse("NO_COLOR=1 fairhold check - < in.csp >out.txt").unwrap();
        assert_eq!(line.variables, [("NO_COLOR".to_owned(), "1".to_owned())]);
        assert_eq!(line.words, ["fairhold", "check", "-"]);
        assert_eq!(line.input.as_deref(), Some("in.csp"));
        assert_eq!(line.output.as_deref(), Some("out.txt"));
    }

    #[test]
    fn what_only_a_shell_knows_is_refused() {
        for command in ["f | g", "f; g", "f $HOME", "f 'x", "f <", "f > > x"] {
            assert!(parse(command).is_err(), "{command}");
        }
    }
}
