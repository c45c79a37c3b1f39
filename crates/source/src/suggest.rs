//! "Did you mean": the nearest known name.

/// The candidate nearest to `name`, if it is near enough to be meant. Of equally near ones, the first in order of
/// spelling, so that the answer does not depend on the order of candidates.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() + 1) / 3;
    candidates
        .into_iter()
        .filter(|c| *c != name)
        .map(|c| (distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, c)| c)
}

/// The help for an unknown name.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |n| format!("did you mean `{n}`?"))
}

/// Edits (insert, delete, replace, swap neighbours) between two names. Case does not count.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for (j, edits) in table.iter_mut().enumerate().take(width) {
        *edits = j;
    }
    for i in 1..=a.len() {
        table[i * width] = i;
        for j in 1..=b.len() {
            let replace = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (table[(i - 1) * width + j - 1] + replace)
                .min(table[(i - 1) * width + j] + 1)
                .min(table[i * width + j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[(i - 2) * width + j - 2] + 1);
            }
            table[i * width + j] = best;
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("Phill", ["Fork", "Phil", "College"]), Some("Phil"));
        assert_eq!(nearest("n", ["N", "M"]), Some("N"));
        assert_eq!(nearest("ab", ["ba", "zz"]), Some("ba"));
        assert_eq!(nearest("n", ["M"]), None);
        assert_eq!(nearest("counter", ["x", "y"]), None);
    }
}
