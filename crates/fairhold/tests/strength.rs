//! What holds under a notion of fairness holds under every stronger one: on every formula of every example.

use fairhold::{CheckOptions, EXAMPLES, LoadOptions, Notion, Silent, Verdict, load_text, parse_fairness};

#[test]
fn stronger_notions_keep_what_weaker_ones_hold() {
    let options = LoadOptions {
        fairness: parse_fairness("all").expect("all is a list of notions"),
        ..LoadOptions::default()
    };
    let (mut formulas, mut told_apart) = (0, 0);
    for example in EXAMPLES {
        let loaded = load_text(example.name, example.text, example.language, &options);
        let model = loaded.model.expect("examples have no errors");
        for tasks in model.tasks(&[]).into_iter().filter(|tasks| tasks.len() > 1) {
            let results = model.check(tasks, &CheckOptions::default(), &Silent);
            let about = format!("{}: {}", example.name, results[0].assertion);
            let notion = |i: usize| Notion::from_word(results[i].fairness.as_deref().unwrap_or_default());
            for (i, weaker) in results.iter().enumerate() {
                assert!(
                    matches!(weaker.verdict, Verdict::Holds | Verdict::Fails),
                    "{about}: {:?}",
                    weaker.reason
                );
                for (j, stronger) in results.iter().enumerate() {
                    let is_weaker = match (notion(i), notion(j)) {
                        (Some(a), Some(b)) => a.is_weaker_than(b),
                        (None, Some(_)) => true,
                        (_, None) => false,
                    };
                    if is_weaker && weaker.verdict == Verdict::Holds {
                        assert_eq!(
                            stronger.verdict,
                            Verdict::Holds,
                            "{about} {:?}",
                            stronger.fairness
                        );
                    }
                }
            }
            formulas += 1;
            told_apart += usize::from(results.iter().any(|r| r.verdict != results[0].verdict));
        }
    }
    println!("{formulas} formulas, of which {told_apart} tell notions apart");
    assert!(formulas >= 20 && told_apart >= 8);
}
