//! The ledger as text: under a fair loop, how it meets every obligation.
//!
//! ```text
//!   the loop is fair:
//!     obligation  kind  met by
//!     get.0.1     esf   engaged at step 3
//!     process 1   pwf   not enabled after step 2
//!     put         wl    never ready in the loop
//! ```
//!
//! Steps are counted as in the run above it, from its start.

use crate::fair::FORMULA;
use crate::run::{Discharged, LedgerEntry, Run};
use crate::text::Detail;

/// A ledger of more entries than this is cut in a short run.
const CUT_OVER: usize = 40;
/// A column grows no wider than this.
const WIDTH: usize = 40;

/// The ledger of a run; empty if it has none.
pub(crate) fn ledger_to_text(run: &Run, detail: Detail) -> String {
    if run.ledger.is_empty() || detail == Detail::None {
        return String::new();
    }
    let shown = match detail {
        Detail::Full => run.ledger.len(),
        _ if run.ledger.len() > CUT_OVER => CUT_OVER / 2,
        _ => run.ledger.len(),
    };
    let entries = &run.ledger[..shown];
    let width = |heading: &str, column: fn(&LedgerEntry) -> &str| {
        let widths = entries.iter().map(|e| column(e).chars().count());
        widths.fold(heading.len(), usize::max).min(WIDTH)
    };
    let obligation_width = width("obligation", |e| &e.obligation);
    let kind_width = width("kind", |e| &e.kind);
    let mut out = "  the loop is fair:\n".to_owned();
    let mut line = |obligation: &str, kind: &str, how: &str| {
        out.push_str(&format!(
            "    {obligation:<obligation_width$}  {kind:<kind_width$}  {how}\n"
        ));
    };
    line("obligation", "kind", "met by");
    for entry in entries {
        line(&entry.obligation, &entry.kind, &how(entry, run.prefix.len()));
    }
    if shown < run.ledger.len() {
        let hidden = run.ledger.len() - shown;
        out.push_str(&format!(
            "    ... {hidden} obligations left out (--trace full shows them)\n"
        ));
    }
    out
}

/// How an entry is met, in words; the loop starts after `before` steps.
fn how(entry: &LedgerEntry, before: usize) -> String {
    let what = if matches!(entry.kind.as_str(), "wl" | "sl") {
        "ready"
    } else {
        "enabled"
    };
    let is_formula = entry.kind == FORMULA;
    match (entry.discharged, entry.at) {
        (Discharged::NeverEnabled, _) if is_formula => "true throughout the loop".to_owned(),
        (_, Some(at)) if is_formula => format!("true at step {}", before + at + 1),
        (Discharged::Engaged, Some(at)) => format!("engaged at step {}", before + at + 1),
        (Discharged::Engaged, None) => "engaged".to_owned(),
        (Discharged::Disabled, Some(at)) if before + at == 0 => format!("not {what} in the initial state"),
        (Discharged::Disabled, Some(at)) => format!("not {what} after step {}", before + at),
        (Discharged::Disabled, None) => format!("not {what} in some state of the loop"),
        (Discharged::NeverEnabled, _) => format!("never {what} in the loop"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::lasso;

    fn entry(obligation: &str, kind: &str, discharged: Discharged, at: Option<usize>) -> LedgerEntry {
        LedgerEntry {
            obligation: obligation.into(),
            kind: kind.into(),
            discharged,
            at,
        }
    }

    #[test]
    fn a_ledger_in_columns() {
        let mut run = lasso();
        assert_eq!(ledger_to_text(&run, Detail::Short), "");
        run.ledger = vec![
            entry("inc", "esf", Discharged::Engaged, Some(0)),
            entry("process 1", "pwf", Discharged::Disabled, Some(1)),
            entry("put", "wl", Discharged::NeverEnabled, None),
            entry("GF x == 1", "formula", Discharged::Engaged, Some(1)),
            entry("FG x > 0", "formula", Discharged::NeverEnabled, None),
        ];
        let expected = "  \
  the loop is fair:
    obligation  kind     met by
    inc         esf      engaged at step 2
    process 1   pwf      not enabled after step 2
    put         wl       never ready in the loop
    GF x == 1   formula  true at step 3
    FG x > 0    formula  true throughout the loop
";
        assert_eq!(ledger_to_text(&run, Detail::Short), expected);
    }

    #[test]
    fn long_ledgers_are_cut_unless_full() {
        let mut run = lasso();
        run.ledger = vec![entry("inc", "sgf", Discharged::Engaged, Some(0)); 41];
        let short = ledger_to_text(&run, Detail::Short);
        assert_eq!(short.lines().count(), 2 + 20 + 1);
        assert!(short.contains("... 21 obligations left out"));
        assert_eq!(ledger_to_text(&run, Detail::Full).lines().count(), 2 + 41);
    }
}
