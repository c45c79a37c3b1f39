//! One slip, one message: every token of every example is deleted, replaced by nonsense, or misspelt, and the front
//! end says little about it, and something wherever the text is no model any more.
//!
//! The rule: at most three diagnostics; nonsense is always an error; without an error there is a model. Run with
//! `--nocapture` to see how many slips give one diagnostic, how many two, how many three.

use fairhold_csp::resolve::{self, Loaded, Options};
use fairhold_csp::syntax::{SyntaxKind, lexer};
use fairhold_source::{FileId, render_all};

/// More diagnostics than this are noise.
const MOST: usize = 3;

/// The examples by name.
fn examples() -> Vec<(String, String)> {
    fairhold_testkit::examples()
        .into_iter()
        .map(|path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (
                name,
                std::fs::read_to_string(&path).expect("an example can be read"),
            )
        })
        .collect()
}

fn load(text: &str) -> Loaded {
    let options = Options {
        defines: &[],
        read: &|_, _| Err("the examples include nothing".to_owned()),
    };
    resolve::load("m.csp", text, &options)
}

/// How many slips gave 0, 1, 2, 3 diagnostics, or more.
#[derive(Default)]
struct Spread([usize; MOST + 2]);

impl Spread {
    fn print(&self, what: &str) {
        let all: usize = self.0.iter().sum();
        let share = |n: usize| 100.0 * n as f64 / all.max(1) as f64;
        let parts: Vec<String> = self
            .0
            .iter()
            .enumerate()
            .map(|(i, &n)| format!("{i}: {:.1} %", share(n)))
            .collect();
        println!("{what}: {all} slips; diagnostics {}", parts.join(", "));
    }
}

/// Applies a slip to every token it is about, and judges each outcome.
fn every_token(what: &str, slip: impl Fn(SyntaxKind, &str) -> Option<String>, always_wrong: bool) {
    let mut spread = Spread::default();
    let mut broken = Vec::new();
    for (name, text) in examples() {
        let (tokens, _) = lexer::lex(FileId(0), &text);
        for token in tokens.iter().filter(|t| !t.kind.is_trivia()) {
            let range = token.start as usize..token.end as usize;
            let Some(instead) = slip(token.kind, &text[range.clone()]) else {
                continue;
            };
            let mut slipped = text.clone();
            slipped.replace_range(range.clone(), &instead);
            let loaded = load(&slipped);
            let count = loaded.diagnostics.len();
            spread.0[count.min(MOST + 1)] += 1;
            let errors = loaded
                .diagnostics
                .iter()
                .any(fairhold_source::Diagnostic::is_error);
            let sound = errors != loaded.model.is_some() && (errors || !always_wrong);
            if count > MOST || !sound {
                let messages = render_all(&loaded.map, &loaded.diagnostics, false);
                broken.push(format!(
                    "{name}: `{}` at byte {}\n{messages}",
                    &text[range], token.start
                ));
            }
        }
    }
    spread.print(what);
    let shown: Vec<&String> = broken.iter().take(5).collect();
    assert!(
        broken.is_empty(),
        "{what}: the rule is broken {} times, first here:\n{shown:#?}",
        broken.len()
    );
}

#[test]
fn a_token_is_missing() {
    every_token("deleted", |_, _| Some(String::new()), false);
}

#[test]
fn a_token_is_nonsense() {
    every_token("replaced by `$$`", |_, _| Some("$$".to_owned()), true);
}

#[test]
fn a_name_is_misspelt() {
    let misspell = |kind, text: &str| (kind == SyntaxKind::Ident).then(|| format!("{text}zz"));
    every_token("misspelt", misspell, false);
}
