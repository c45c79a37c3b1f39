//! Constraints that no execution meets, and which of their parts are to blame.
//!
//! A constraint that cannot be met is cut down: parts are left out, half of them at a time, then fewer, for as long as what is left cannot be met either. What remains
//! can be met as soon as any one part of it is left out. Linear in the number of parts at worst, logarithmic where one part is to blame alone.

/// The parts that remain, by their numbers below `parts`, which together cannot be met. `infeasible` says whether these parts alone cannot be met; none if that was not
/// found out, which ends the search for fewer.
pub(crate) fn culprits(parts: usize, infeasible: &mut dyn FnMut(&[usize]) -> Option<bool>) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..parts).collect();
    let mut chunk = parts.div_ceil(2).max(1);
    loop {
        let mut start = 0;
        while start < kept.len() {
            let end = (start + chunk).min(kept.len());
            let fewer: Vec<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
            match infeasible(&fewer) {
                None => return kept,
                Some(true) => kept = fewer,
                Some(false) => start = end,
            }
        }
        if chunk == 1 {
            return kept;
        }
        chunk = chunk.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_culprits_remain() {
        for guilty in [vec![0], vec![7], vec![2, 9], vec![0, 1, 2], vec![3, 5, 199]] {
            let mut asked = 0;
            let found = culprits(200, &mut |parts| {
                asked += 1;
                Some(guilty.iter().all(|g| parts.contains(g)))
            });
            assert_eq!(found, guilty);
            assert!(asked < 60, "{asked} questions for {guilty:?}");
        }
        assert_eq!(culprits(1, &mut |parts| Some(!parts.is_empty())), [0]);
    }

    #[test]
    fn an_open_question_ends_it() {
        let found = culprits(4, &mut |parts| (parts.len() > 2).then_some(true));
        assert_eq!(found.len(), 4);
    }
}
