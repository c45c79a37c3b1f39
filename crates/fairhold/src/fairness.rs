//! Which fairness an assertion is checked under, and what is expected there.
//!
//! Fairness applies to properties of infinite runs: LTL and CTL. Everything else is checked once, plainly. For the
//! former, what the caller chose wins; else a list of expected verdicts says which notions to run; else the
//! assertion's own `//@ fairness:`; else none.

use crate::front::{Asks, Assertion};
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
}

impl Fairness {
    /// The word or formula as written.
    pub fn text(&self) -> &str {
        match self {
            Fairness::Notion(word) => word,
            Fairness::Formula(text) => text,
        }
    }

    /// The formula, if it is one.
    pub(crate) fn formula(&self) -> Option<&str> {
        match self {
            Fairness::Notion(_) => None,
            Fairness::Formula(text) => Some(text),
        }
    }
}

/// Reads `esf`, `none,esf`, `all`, or a formula. The error is a sentence.
pub fn parse_fairness(text: &str) -> Result<Vec<Fairness>, String> {
    let text = text.trim();
    let notion = |word: &str| match word {
        IMPARTIAL => Some(Fairness::Formula(word.to_owned())),
        _ => NOTIONS.into_iter().find(|n| *n == word).map(Fairness::Notion),
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
            None if word == "all" => {
                let more = NOTIONS.map(Fairness::Notion).into_iter();
                list.extend(more.filter(|f| !list.contains(f)).collect::<Vec<_>>());
            }
            Some(fairness) if !list.contains(&fairness) => list.push(fairness),
            Some(_) => {}
            None if word.is_empty() => return Err("a fairness notion is missing".into()),
            None => return Err(format!("`{word}` is not a fairness notion")),
        }
    }
    Ok(list)
}

/// What to add to an error of [`parse_fairness`].
pub(crate) const FAIRNESS_HELP: &str = "the notions are none, pwf, ewf, psf, esf, sgf, several of them between commas, or all; impartial (every process is engaged infinitely often) may stand among them; anything else is one formula, such as `GF enabled(a) -> GF engaged(a)` for strong and `FG enabled(a) -> GF engaged(a)` for weak fairness of the event a";

/// Whether fairness makes a difference to the question.
pub(crate) fn applies(asks: Asks) -> bool {
    matches!(asks, Asks::Ltl | Asks::Ctl)
}

/// A constraint, where fairness applies, and the verdict expected under it.
pub(crate) type Planned = (Option<Fairness>, Option<Verdict>);

/// The constraints an assertion is checked under, each with its expected verdict. `chosen` is the caller's choice, if not empty;
/// expectations count only if `own`: the file's own fairness and constants are in force. The error is a sentence
/// about the assertion's own `//@ fairness:`.
pub(crate) fn plan(assertion: &Assertion, chosen: &[Fairness], own: bool) -> Result<Vec<Planned>, String> {
    let own = own && chosen.is_empty();
    let plain = assertion
        .expect
        .iter()
        .find(|(notion, _)| notion.is_none())
        .map(|(_, verdict)| *verdict)
        .filter(|_| own);
    if !applies(assertion.asks) {
        return Ok(vec![(None, plain)]);
    }
    if !chosen.is_empty() {
        return Ok(chosen.iter().map(|f| (Some(f.clone()), None)).collect());
    }
    let mut listed = Vec::new();
    for (notion, verdict) in &assertion.expect {
        let Some(notion) = notion else { continue };
        let expected = Some(*verdict).filter(|_| own);
        let fairness = parse_fairness(notion)?;
        listed.extend(fairness.into_iter().map(|f| (Some(f), expected)));
    }
    if !listed.is_empty() {
        return Ok(listed);
    }
    let fairness = match &assertion.fairness {
        Some((text, _)) => parse_fairness(text)?,
        None => vec![Fairness::Notion("none")],
    };
    Ok(fairness.into_iter().map(|f| (Some(f), plain)).collect())
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
        let plan = plan(assertion, &chosen, own).unwrap();
        plan.into_iter()
            .map(|(f, e)| (f.map_or("-".into(), |f| f.text().to_owned()), e))
            .collect()
    }

    #[test]
    fn notions_lists_and_formulas() {
        let one = |text| parse_fairness(text).map(|f| f.len());
        assert_eq!(one("esf"), Ok(1));
        assert_eq!(one("none, esf,esf"), Ok(2));
        assert_eq!(one("all"), Ok(6));
        assert_eq!(one("esf, all"), Ok(6));
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
    fn a_wrong_notion_in_the_file_is_an_error() {
        let mut a = ltl();
        a.fairness = Some(("strong".into(), Span::default()));
        assert!(plan(&a, &[], true).is_err());
    }
}
