//! How random cases are spread, for tests that print it.

/// A share in percent.
pub fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all as f64
}

/// Prints the quartiles of some numbers, of which there is one at least; the median.
pub fn describe(what: &str, numbers: &mut [usize]) -> usize {
    numbers.sort_unstable();
    let at = |quarter: usize| numbers[(numbers.len() - 1) * quarter / 4];
    println!(
        "{what}: {} / {} / {} / {} / {}",
        at(0),
        at(1),
        at(2),
        at(3),
        at(4)
    );
    at(2)
}
