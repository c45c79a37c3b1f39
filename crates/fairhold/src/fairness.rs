//! Which fairness an assertion is checked under, and what is expected there.
//!
//! Fairness applies to properties of infinite runs: LTL and CTL. Everything else is checked once, plainly. For the
//! former, what the caller chose wins; else a list of expected verdicts says which notions to run; else the
//! assertion's own `//@ fairness:`; else none. Of a protocol that states no fairness, people want to know which it needs: all notions are
//! run, and it is enough if one makes the assertion hold.

use crate::front::{Asks, Assertion};
use crate::load::Language;
use fairhold_source::Diagnostic;
use fairhold_system::Verdict;

/// The six named notions, weakest first, `none` before all.
pub const NOTIONS: [&str; 6] = ["none", "pwf", "ewf", "psf", "esf", "sgf"];

/// The one formula that is a single word: every process is engaged infinitely often.
const IMPARTIAL: &str = "impartial";

/// A fairness constraint: a named notion, or a formula as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    /// One of [`NOTIONS`].
    Notion(&'static str),
    /// A combination of `GF` and `FG`.
    Formula(String),
    /// A word whose meaning depends on the language: `all`, and the words for protocols. Loading a model puts notions in its place.
    Word(&'static str),
}

/// The notions that make sense for protocols: nodes are no processes.
const WITHOUT_PROCESSES: [&str; 4] = ["none", "ewf", "esf", "sgf"];

/// All notions of the language at hand.
const ALL: &str = "all";

/// What the literature on protocols calls the notions.
const ALIASES: [(&str, &str); 3] = [("weak", "ewf"), ("local", "esf"), ("global", "sgf")];

impl Fairness {
    /// The word or formula as written.
    pub fn text(&self) -> &str {
        match self {
            Fairness::Notion(word) | Fairness::Word(word) => word,
            Fairness::Formula(text) => text,
        }
    }

    /// The formula, if it is one.
    pub(crate) fn formula(&self) -> Option<&str> {
        match self {
            Fairness::Notion(_) | Fairness::Word(_) => None,
            Fairness::Formula(text) => Some(text),
        }
    }
}

/// Reads `esf`, `none,esf`, `all`, or a formula. The error is a sentence.
pub fn parse_fairness(text: &str) -> Result<Vec<Fairness>, String> {
    let text = text.trim();
    let notion = |word: &str| match word {
        IMPARTIAL => Some(Fairness::Formula(word.to_owned())),
        ALL => Some(Fairness::Word(ALL)),
        _ => {
            let notion = NOTIONS.into_iter().find(|n| *n == word).map(Fairness::Notion);
            let alias = ALIASES.into_iter().find(|(alias, _)| *alias == word);
            notion.or(alias.map(|(alias, _)| Fairness::Word(alias)))
        }
    };
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    // One word, or several between commas, can only be meant as notions; a formula has other characters.
    let is_word = |w: &&str| w.bytes().all(|b| b.is_ascii_alphanumeric());
    if !words.iter().all(is_word) {
        return Ok(vec![Fairness::Formula(text.to_owned())]);
    }
    let mut list = Vec::new();
    for word in words {
        match notion(word) {
            Some(fairness) if !list.contains(&fairness) => list.push(fairness),
            Some(_) => {}
            None if word.is_empty() => return Err("a fairness notion is missing".into()),
            None => return Err(format!("`{word}` is not a fairness notion")),
        }
    }
    Ok(list)
}

/// What a choice means in a language: notions and formulas only. The error says that it means nothing.
pub(crate) fn meant(chosen: &[Fairness], language: Language) -> Result<Vec<Fairness>, Diagnostic> {
    let protocol = language == Language::Pp;
    let mut list: Vec<Fairness> = Vec::new();
    for fairness in chosen {
        let meant = match fairness {
            Fairness::Word(ALL) if protocol => WITHOUT_PROCESSES.map(Fairness::Notion).to_vec(),
            Fairness::Word(ALL) => NOTIONS.map(Fairness::Notion).to_vec(),
            Fairness::Word(word) => {
                let named = ALIASES.iter().find(|(alias, _)| protocol && alias == word);
                let Some((_, name)) = named else {
                    let message = format!("`{word}` is a fairness notion for protocols only");
                    return Err(Diagnostic::bare("unknown-fairness", message).help(FAIRNESS_HELP));
                };
                vec![Fairness::Notion(name)]
            }
            Fairness::Notion(name) if protocol && !WITHOUT_PROCESSES.contains(name) => {
                return Err(no_processes(name));
            }
            other => vec![other.clone()],
        };
        let new = meant.into_iter().filter(|f| !list.contains(f));
        list.extend(new.collect::<Vec<_>>());
    }
    Ok(list)
}

/// A notion about processes is asked for where there are none.
pub(crate) fn no_processes(name: &str) -> Diagnostic {
    let message = format!("a protocol has no processes, so `{name}` says nothing about it");
    Diagnostic::bare("no-processes", message).help(PROTOCOL_HELP)
}

/// The notions that there are for protocols.
const PROTOCOL_HELP: &str =
    "for protocols there are none, ewf (also: weak), esf (also: local), sgf (also: global)";

/// What to add to an error of [`parse_fairness`].
pub(crate) const FAIRNESS_HELP: &str = "the notions are none, pwf, ewf, psf, esf, sgf, several of them between commas, or all; impartial (every process is engaged infinitely often) may stand among them; anything else is one formula, such as `GF enabled(a) -> GF engaged(a)` for strong and `FG enabled(a) -> GF engaged(a)` for weak fairness of the event a";

/// Whether fairness makes a difference to the question.
pub(crate) fn applies(asks: Asks) -> bool {
    matches!(asks, Asks::Ltl | Asks::Ctl)
}

/// One thing to check about an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Planned {
    /// The constraint, where fairness applies.
    pub(crate) fairness: Option<Fairness>,
    /// The verdict expected under it.
    pub(crate) expected: Option<Verdict>,
    /// Whether it is enough if the assertion holds under one of those that are planned.
    pub(crate) one_suffices: bool,
}

impl Planned {
    fn new(fairness: Option<Fairness>, expected: Option<Verdict>) -> Planned {
        Planned {
            fairness,
            expected,
            one_suffices: false,
        }
    }
}

/// The constraints an assertion is checked under, each with its expected verdict. `chosen` is the caller's choice, if not empty;
/// expectations count only if `own`: the file's own fairness and constants are in force. The error is about the assertion's own `//@ fairness:`.
pub(crate) fn plan(
    assertion: &Assertion,
    chosen: &[Fairness],
    own: bool,
    language: Language,
) -> Result<Vec<Planned>, Diagnostic> {
    let own = own && chosen.is_empty();
    let plain = assertion
        .expect
        .iter()
        .find(|(notion, _)| notion.is_none())
        .map(|(_, verdict)| *verdict)
        .filter(|_| own);
    if !applies(assertion.asks) {
        return Ok(vec![Planned::new(None, plain)]);
    }
    if !chosen.is_empty() {
        let chosen = meant(chosen, language)?.into_iter();
        return Ok(chosen.map(|f| Planned::new(Some(f), None)).collect());
    }
    let mut listed = Vec::new();
    for (notion, verdict) in &assertion.expect {
        let Some(notion) = notion else { continue };
        let expected = Some(*verdict).filter(|_| own);
        let fairness = said(notion, assertion, language)?;
        listed.extend(fairness.into_iter().map(|f| Planned::new(Some(f), expected)));
    }
    let mut planned = match &assertion.fairness {
        _ if !listed.is_empty() => listed,
        Some((text, _)) => {
            let fairness = said(text, assertion, language)?.into_iter();
            return Ok(fairness.map(|f| Planned::new(Some(f), plain)).collect());
        }
        None => {
            let notions = match language {
                Language::Pp => &WITHOUT_PROCESSES[..],
                _ => &["none"],
            };
            let notions = notions.iter().map(|n| Some(Fairness::Notion(n)));
            notions.map(|f| Planned::new(f, plain)).collect()
        }
    };
    if language == Language::Pp && planned.iter().all(|p| p.expected.is_none()) {
        planned.iter_mut().for_each(|p| p.one_suffices = true);
    }
    Ok(planned)
}

/// What a text in the file, at an assertion, means.
fn said(text: &str, assertion: &Assertion, language: Language) -> Result<Vec<Fairness>, Diagnostic> {
    let span = assertion
        .fairness
        .as_ref()
        .map_or(assertion.span, |(_, span)| *span);
    let list = parse_fairness(text)
        .map_err(|message| Diagnostic::error("unknown-fairness", span, message).help(FAIRNESS_HELP))?;
    meant(&list, language).map_err(|wrong| Diagnostic {
        span: Some(span),
        ..wrong
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_source::Span;

    fn assertion(asks: Asks) -> Assertion {
        Assertion {
            text: "P |= F".into(),
            asks,
            fairness: None,
            expect: Vec::new(),
            span: Span::default(),
        }
    }

    fn ltl() -> Assertion {
        assertion(Asks::Ltl)
    }

    fn expect(notion: Option<&str>, verdict: Verdict) -> (Option<String>, Verdict) {
        (notion.map(str::to_owned), verdict)
    }

    fn words(assertion: &Assertion, chosen: Option<&str>, own: bool) -> Vec<(String, Option<Verdict>)> {
        let chosen = chosen.map_or(Vec::new(), |text| parse_fairness(text).unwrap());
        let plan = plan(assertion, &chosen, own, Language::Csp).unwrap();
        plan.into_iter()
            .map(|p| (p.fairness.map_or("-".into(), |f| f.text().to_owned()), p.expected))
            .collect()
    }

    #[test]
    fn notions_lists_and_formulas() {
        let one = |text| parse_fairness(text).map(|f| f.len());
        assert_eq!(one("esf"), Ok(1));
        assert_eq!(one("none, esf,esf"), Ok(2));
        let many = |text, language| meant(&parse_fairness(text).unwrap(), language).map(|f| f.len());
        for text in ["all", "esf, all"] {
            assert_eq!(many(text, Language::Csp), Ok(6));
            assert_eq!(many(text, Language::Pp), Ok(4));
        }
        assert_eq!(many("weak, ewf, local, global", Language::Pp), Ok(3));
        assert_eq!(many("weak", Language::Csp).unwrap_err().code, "unknown-fairness");
        assert_eq!(many("psf", Language::Pp).unwrap_err().code, "no-processes");
        assert_eq!(
            parse_fairness("GF enabled(a) -> GF engaged(a)").unwrap()[0].text(),
            "GF enabled(a) -> GF engaged(a)"
        );
        let words = parse_fairness("none, impartial").unwrap();
        assert_eq!(words[1], Fairness::Formula("impartial".into()));
        assert_eq!(
            parse_fairness("strong"),
            Err("`strong` is not a fairness notion".into())
        );
        assert!(parse_fairness("").is_err());
        assert!(parse_fairness("esf,").is_err());
    }

    #[test]
    fn plain_questions_run_once_whatever_is_chosen() {
        let mut dead = assertion(Asks::DeadlockFree);
        dead.expect = vec![expect(None, Verdict::Fails)];
        assert_eq!(words(&dead, None, true), [("-".into(), Some(Verdict::Fails))]);
        assert_eq!(words(&dead, Some("all"), true), [("-".into(), None)]);
        assert_eq!(words(&dead, None, false), [("-".into(), None)]);
    }

    #[test]
    fn the_choice_beats_the_list_beats_the_file_beats_none() {
        let mut a = ltl();
        assert_eq!(words(&a, None, true), [("none".into(), None)]);
        a.fairness = Some(("ewf".into(), Span::default()));
        a.expect = vec![expect(None, Verdict::Holds)];
        assert_eq!(words(&a, None, true), [("ewf".into(), Some(Verdict::Holds))]);
        a.expect = vec![
            expect(Some("none"), Verdict::Fails),
            expect(Some("esf"), Verdict::Holds),
        ];
        let listed = [
            ("none".into(), Some(Verdict::Fails)),
            ("esf".into(), Some(Verdict::Holds)),
        ];
        assert_eq!(words(&a, None, true), listed);
        assert_eq!(
            words(&a, None, false),
            [("none".into(), None), ("esf".into(), None)]
        );
        assert_eq!(words(&a, Some("sgf"), true), [("sgf".into(), None)]);
    }

    #[test]
    fn a_protocol_that_states_no_fairness_is_asked_which_it_needs() {
        let notions = |a: &Assertion, own| {
            let plan = plan(a, &[], own, Language::Pp).unwrap().into_iter();
            plan.map(|p| (p.fairness.unwrap().text().to_owned(), p.one_suffices))
                .collect::<Vec<_>>()
        };
        let all = |one: bool| WITHOUT_PROCESSES.map(|n| (n.to_owned(), one));
        let mut a = ltl();
        assert_eq!(notions(&a, true), all(true));
        a.expect = vec![expect(None, Verdict::Holds)];
        assert_eq!(notions(&a, true), all(false));
        a.expect = vec![expect(Some("esf"), Verdict::Holds)];
        assert_eq!(notions(&a, true), [("esf".to_owned(), false)]);
        assert_eq!(notions(&a, false), [("esf".to_owned(), true)]);
    }

    #[test]
    fn a_wrong_notion_in_the_file_is_an_error() {
        let mut a = ltl();
        a.fairness = Some(("strong".into(), Span::default()));
        assert!(plan(&a, &[], true, Language::Csp).is_err());
    }
}
