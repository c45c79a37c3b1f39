//! One protocol at several sizes: `--sizes 3..9`.
//!
//! Every size is a model of its own, loaded from the same text with the constant of `size` overridden, and checked as any other. A
//! size at which the text makes no sense (a ring of one node, a grid that does not come out even) is left out, with the reason. What comes of
//! it is a table of verdicts, and of each notion of fairness the smallest size at which it does not suffice.

use crate::front::Kind;
use crate::load::{Language, LoadOptions, Loaded, Model, load_text};
use crate::report::CheckResult;
use fairhold_protocol::{Expr, size_name};
use fairhold_source::{Diagnostic, FileId};
use fairhold_system::Verdict;

/// At most so many sizes are asked for at once: more is a slip of the hand.
const MOST: i32 = 1000;

/// Sizes one after the other, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeRange {
    /// The smallest.
    pub first: i32,
    /// The greatest.
    pub last: i32,
}

impl SizeRange {
    /// Reads `3..9`. The error is a sentence.
    pub fn parse(text: &str) -> Result<SizeRange, String> {
        let ends = text.split_once("..");
        let ends = ends.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let Some((first, last)) = ends else {
            return Err("write the smallest and the greatest size, such as 3..9".to_owned());
        };
        if first < 1 || last < first {
            return Err(format!("there is no size from {first} to {last}"));
        }
        if last - first >= MOST {
            return Err(format!("these are more than {MOST} sizes"));
        }
        Ok(SizeRange { first, last })
    }
}

/// What sizes are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// The constant that is the size.
    pub name: String,
    /// The sizes asked for.
    pub range: SizeRange,
    /// Sizes that the protocol does not have, each with the reason.
    pub left_out: Vec<(i32, String)>,
}

/// The verdicts on an assertion under one constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweptFairness {
    /// The constraint, where fairness applies.
    pub fairness: Option<String>,
    /// Sizes and verdicts, ascending.
    pub verdicts: Vec<(i32, Verdict)>,
}

/// The verdicts on an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweptAssertion {
    /// The assertion's number, from 0.
    pub index: usize,
    /// The assertion as written.
    pub assertion: String,
    /// One for every constraint that it was checked under.
    pub fairness: Vec<SweptFairness>,
}

impl Sweep {
    /// What results of this sweep come to: every assertion on its own.
    pub fn assertions(&self, results: &[CheckResult]) -> Vec<SweptAssertion> {
        let mut swept: Vec<SweptAssertion> = Vec::new();
        for result in results {
            let size = result.defines.iter().find(|(name, _)| *name == self.name);
            let Some(&(_, size)) = size else { continue };
            let place = swept.iter().position(|s| s.index == result.index);
            let place = place.unwrap_or_else(|| {
                swept.push(SweptAssertion {
                    index: result.index,
                    assertion: result.assertion.clone(),
                    fairness: Vec::new(),
                });
                swept.len() - 1
            });
            let columns = &mut swept[place].fairness;
            match columns.iter_mut().find(|c| c.fairness == result.fairness) {
                Some(column) => column.verdicts.push((size, result.verdict)),
                None => columns.push(SweptFairness {
                    fairness: result.fairness.clone(),
                    verdicts: vec![(size, result.verdict)],
                }),
            }
        }
        swept
    }
}

impl SweptFairness {
    /// The smallest size at which the assertion fails.
    pub fn smallest_failing(&self) -> Option<i32> {
        let failing = self.verdicts.iter().find(|(_, v)| *v == Verdict::Fails);
        failing.map(|(size, _)| *size)
    }

    /// One sentence, without a final full stop: `holds for 3, fails from 4 on`.
    pub fn sentence(&self) -> String {
        // Neighbours of one verdict stand together; sizes that were left out do not separate them.
        let mut parts: Vec<(Verdict, Vec<i32>)> = Vec::new();
        for &(size, verdict) in &self.verdicts {
            match parts.last_mut() {
                Some((last, sizes)) if *last == verdict => sizes.push(size),
                _ => parts.push((verdict, vec![size])),
            }
        }
        let one = parts.len() == 1;
        let last = parts.len().saturating_sub(1);
        let word = |(place, (verdict, sizes)): (usize, &(Verdict, Vec<i32>))| {
            let (first, end) = (sizes[0], sizes[sizes.len() - 1]);
            let sizes = match sizes.len() {
                1 => format!("for {first}"),
                _ if place == last && !one => format!("from {first} on"),
                2 => format!("for {first} and {end}"),
                _ => format!("for {first} to {end}"),
            };
            match verdict {
                Verdict::Unknown => format!("is not known {sizes}"),
                Verdict::Error => format!("goes wrong {sizes}"),
                Verdict::Holds | Verdict::Fails => format!("{} {sizes}", verdict.word()),
            }
        };
        let parts: Vec<String> = parts.iter().enumerate().map(word).collect();
        parts.join(", ")
    }
}

/// The models of a sweep: `base` at every size. `base` is what became of the file at its own size, loaded with `options`; whether it makes sense there is
/// no matter. The error is what is wrong at every size.
pub fn load_sizes(
    base: Loaded,
    range: SizeRange,
    options: &LoadOptions,
) -> Result<(Sweep, Vec<Model>), Box<Loaded>> {
    let Some(file) = base.map.files().first() else {
        return Err(Box::new(base));
    };
    let Some(name) = size_name(&base.map, FileId(0)) else {
        return Err(Box::new(base));
    };
    if options.defines.iter().any(|(defined, _)| *defined == name) {
        let message = format!("{name} is the size, which --sizes gives");
        let wrong = Diagnostic::bare("usage", message).help(format!("leave out -D {name} or --sizes"));
        return Err(Box::new(Loaded {
            diagnostics: vec![wrong],
            model: None,
            ..base
        }));
    }
    let mut sweep = Sweep {
        name,
        range,
        left_out: Vec::new(),
    };
    let (mut models, mut refused) = (Vec::new(), None);
    for size in range.first..=range.last {
        let mut options = options.clone();
        options.defines.push((sweep.name.clone(), size));
        let loaded = load_text(&base.file, file.text(), Language::Pp, &options);
        match loaded.model {
            Some(model) if !starts_nowhere(&model) => models.push(model),
            Some(_) => {
                let reason = "no configuration is initial".to_owned();
                sweep.left_out.push((size, reason));
            }
            None => {
                let wrong = loaded.diagnostics.iter().find(|d| d.is_error());
                let reason = wrong.map_or_else(String::new, |d| d.message.clone());
                sweep.left_out.push((size, reason));
                refused.get_or_insert(loaded);
            }
        }
    }
    match (models.is_empty(), refused) {
        // The file's own size speaks for all, or else the first.
        (true, Some(_)) if base.model.is_none() => Err(Box::new(base)),
        (true, Some(refused)) => Err(Box::new(refused)),
        _ => Ok((sweep, models)),
    }
}

/// Whether the condition on where a protocol starts is false whatever the configuration.
fn starts_nowhere(model: &Model) -> bool {
    match &model.kind {
        Kind::Protocol(front) => front.protocol().initial.condition == Some(Expr::Const(0)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(SizeRange::parse("3..9"), Ok(SizeRange { first: 3, last: 9 }));
        assert_eq!(SizeRange::parse("4 .. 4"), Ok(SizeRange { first: 4, last: 4 }));
        for wrong in ["", "3", "3..", "..9", "a..b", "9..3", "0..3", "1..5000", "-3..4"] {
            assert!(SizeRange::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_sentence_names_the_smallest_size_that_fails() {
        use Verdict::{Error, Fails, Holds, Unknown};
        let swept = |verdicts: &[(i32, Verdict)]| SweptFairness {
            fairness: None,
            verdicts: verdicts.to_vec(),
        };
        for (verdicts, sentence, smallest) in [
            (
                &[(3, Holds), (4, Fails), (5, Fails)][..],
                "holds for 3, fails from 4 on",
                Some(4),
            ),
            (&[(3, Holds), (5, Holds), (7, Holds)], "holds for 3 to 7", None),
            (&[(3, Holds), (4, Holds)], "holds for 3 and 4", None),
            (&[(3, Fails)], "fails for 3", Some(3)),
            (
                &[(3, Holds), (4, Fails), (5, Holds), (6, Unknown)],
                "holds for 3, fails for 4, holds for 5, is not known for 6",
                Some(4),
            ),
            (
                &[(3, Error), (4, Fails)],
                "goes wrong for 3, fails for 4",
                Some(4),
            ),
        ] {
            assert_eq!(swept(verdicts).sentence(), sentence);
            assert_eq!(swept(verdicts).smallest_failing(), smallest);
        }
    }

    #[test]
    fn sizes_that_make_no_sense_are_left_out() {
        let text = "size N = 4 topology grid 2 field a: bool down: (a), * -> (a=0), * assert deadlockfree";
        let options = LoadOptions::default();
        let range = SizeRange { first: 3, last: 6 };
        let base = load_text("g.pp", text, Language::Pp, &options);
        let (sweep, models) = load_sizes(base, range, &options).unwrap();
        let left_out: Vec<i32> = sweep.left_out.iter().map(|(size, _)| *size).collect();
        assert_eq!((left_out, models.len()), (vec![3, 5], 2));
        let base = load_text("g.pp", "size N = 4 topology rung", Language::Pp, &options);
        assert!(load_sizes(base, range, &options).is_err());
    }
}
