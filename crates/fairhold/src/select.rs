//! Which assertions to check: by index, by range, or by a part of their text.

/// One `-a`: an index from 0, an inclusive range `2..4`, or a substring of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selector {
    /// The assertion with this index.
    Index(usize),
    /// All from the first to the last, both included.
    Range(usize, usize),
    /// All whose text contains this.
    Text(String),
}

impl Selector {
    /// Reads a selector. Every text is one.
    pub fn parse(text: &str) -> Selector {
        if let Ok(index) = text.parse() {
            return Selector::Index(index);
        }
        let range = text
            .split_once("..")
            .and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        match range {
            Some((first, last)) => Selector::Range(first, last),
            None => Selector::Text(text.to_owned()),
        }
    }

    /// Whether the assertion with this index and text is meant.
    pub fn selects(&self, index: usize, text: &str) -> bool {
        match self {
            Selector::Index(i) => *i == index,
            Selector::Range(first, last) => (*first..=*last).contains(&index),
            Selector::Text(part) => text.contains(part.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(selector: &str) -> Vec<usize> {
        let texts = [
            "P deadlockfree",
            "P |= []<> a",
            "Q deadlockfree",
            "Q reaches x == 2",
        ];
        let selector = Selector::parse(selector);
        (0..texts.len())
            .filter(|&i| selector.selects(i, texts[i]))
            .collect()
    }

    #[test]
    fn indices_ranges_and_texts() {
        assert_eq!(selected("2"), [2]);
        assert_eq!(selected("1..2"), [1, 2]);
        assert_eq!(selected("2..9"), [2, 3]);
        assert!(selected("2..1").is_empty());
        assert_eq!(selected("deadlock"), [0, 2]);
        assert_eq!(selected("x == 2"), [3]);
        assert!(selected("9").is_empty());
        assert!(selected("-1").is_empty());
    }
}
