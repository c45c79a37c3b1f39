//! Texts broken at random, to see that a front end answers whatever it reads.

use crate::Rng;

/// A piece of a text: from a random place to the end of a word, a line or thereabouts, or to the next of `ends`.
fn piece(rng: &mut Rng, text: &str, ends: &[char]) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(rng.below(text.len() + 1));
    let rest = &text[start..];
    let length = match rng.below(4) {
        0 => rest.find('\n'),
        1 => rest.find(ends).map(|i| i + 1),
        2 => rest.find(|c: char| !c.is_alphanumeric()),
        _ => None,
    };
    let length = length.unwrap_or_else(|| rng.below(40).min(rest.len()));
    start..start + rest.floor_char_boundary(length)
}

/// A text with up to four pieces deleted, doubled, moved, exchanged with another text or replaced by one of `words`. Pieces end at one of `ends`, among other places.
pub fn broken(rng: &mut Rng, text: &str, other: &str, words: &[&str], ends: &[char]) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + rng.below(4) {
        let here = piece(rng, &text, ends);
        match rng.below(6) {
            0 => text.replace_range(here, ""),
            1 => {
                let twice = text[here.clone()].repeat(2);
                text.replace_range(here, &twice);
            }
            2 => {
                let moved = text[here.clone()].to_owned();
                text.replace_range(here, "");
                let place = text.floor_char_boundary(rng.below(text.len() + 1));
                text.insert_str(place, &moved);
            }
            3 => text.replace_range(here, &other[piece(rng, other, ends)]),
            4 => text.insert_str(here.end, &format!(" {} ", rng.pick(words))),
            _ => text.replace_range(here, rng.pick::<&str>(words)),
        }
    }
    text
}
