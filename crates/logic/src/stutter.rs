//! Whether a formula can see a step that touches none of its atoms.
//!
//! A reduction that reorders or drops steps adds and removes letters: after a letter, any number of copies of it without its
//! events (the step changes no state atom and is none of the formula's events). It is sound for a formula that cannot tell. "No
//! `X`" is not enough when atoms are events: `[](a -> (a U b))` sees whether something comes between `a` and `b`.
//!
//! [`is_insensitive`] decides it: no word satisfies the formula while some stretched word does not, nor the other way round. Both
//! are emptiness questions about a product that reads the word in one automaton and the stretched word in the other
//! [Michaud-SPIN'15]. Letters may be added infinitely often, but finitely many at a time, so moving both must recur: one
//! more mark. (Adding a single letter would be too weak a test: no single one matters to `[]<>(p && X p)`.)
//!
//! Differs from the paper: the letter that is added is the last one without its events, not the last one.
//!
//! Cost: the product of the two automata and of the valuations of the state atoms; all letters are enumerated.

use crate::components::components;
use crate::{AtomId, Automaton, Ltl, MarkSet, TooLarge, Translation, translate};
use std::collections::HashMap;

/// Formulas with more atoms are not examined.
const MAX_EXAMINED: usize = 10;

/// Products with more states are not examined.
const MAX_PRODUCT: usize = 200_000;

/// Whether no word and its stretched forms differ in the formula; `is_event` tells event atoms from state atoms. A formula that
/// is too large to examine counts as sensitive.
pub fn is_insensitive(formula: &Ltl, is_event: &dyn Fn(AtomId) -> bool) -> Result<bool, TooLarge> {
    let name = |atom: AtomId| atom.0.to_string();
    let yes = translate(formula, &name)?;
    let no = translate(&Ltl::Not(Box::new(formula.clone())), &name)?;
    let mut atoms: Vec<AtomId> = yes.atoms.iter().chain(&no.atoms).copied().collect();
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.len() > MAX_EXAMINED {
        return Ok(false);
    }
    let events = atoms.iter().enumerate().filter(|(_, a)| is_event(**a));
    let events = events.fold(0, |all, (i, _)| all | 1u64 << i);
    let letters = Letters { atoms, events };
    Ok(!letters.tells_apart(&yes, &no) && !letters.tells_apart(&no, &yes))
}

/// The alphabet that two automata have in common.
struct Letters {
    atoms: Vec<AtomId>,
    events: u64,
}

/// A state of the product: the states of both automata, and the last letter without its events.
type Node = (u32, u32, Option<u64>);

/// The mark of a step that both automata take.
const BOTH: u128 = 1;

impl Letters {
    fn count(&self) -> u64 {
        1 << self.atoms.len()
    }

    /// A letter as an automaton of the given atoms reads it.
    fn read(&self, letter: u64, atoms: &[AtomId]) -> u64 {
        let bit = |atom: &AtomId| {
            let place = self
                .atoms
                .binary_search(atom)
                .expect("the alphabet has the atoms of both automata");
            letter >> place & 1
        };
        atoms
            .iter()
            .enumerate()
            .fold(0, |all, (i, atom)| all | bit(atom) << i)
    }

    /// Whether some word is accepted by `first` and a stretched form of it by `second`. A product that is too large counts
    /// as yes.
    fn tells_apart(&self, first: &Translation, second: &Translation) -> bool {
        let (p, q) = (&first.automaton, &second.automaton);
        if 1 + p.marks + q.marks > u128::BITS {
            return true;
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers: HashMap<Node, usize> = HashMap::new();
        let mut number = |node: Node, nodes: &mut Vec<Node>| {
            *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        for s in &p.initial {
            for t in &q.initial {
                number((s.0, t.0, None), &mut nodes);
            }
        }
        let mut arcs: Vec<(usize, usize, u128)> = Vec::new();
        let mut at = 0;
        while let Some(&(s, t, last)) = nodes.get(at) {
            if nodes.len() > MAX_PRODUCT {
                return true;
            }
            // The stretched word alone goes on.
            if let Some(last) = last {
                let letter = self.read(last, &second.atoms);
                for f in q.states[t as usize]
                    .edges
                    .iter()
                    .filter(|f| f.guard.holds(letter))
                {
                    let target = number((s, f.target.0, Some(last)), &mut nodes);
                    arcs.push((at, target, second_marks(p, f.marks.0)));
                }
            }
            for letter in 0..self.count() {
                let rest = letter & !self.events;
                let (left, right) = (self.read(letter, &first.atoms), self.read(letter, &second.atoms));
                for e in p.states[s as usize].edges.iter().filter(|e| e.guard.holds(left)) {
                    for f in q.states[t as usize].edges.iter().filter(|f| f.guard.holds(right)) {
                        let target = number((e.target.0, f.target.0, Some(rest)), &mut nodes);
                        let marks = BOTH | u128::from(e.marks.0) << 1 | second_marks(p, f.marks.0);
                        arcs.push((at, target, marks));
                    }
                }
            }
            at += 1;
        }
        let all = BOTH | u128::from(MarkSet::all(p.marks).0) << 1 | second_marks(p, MarkSet::all(q.marks).0);
        has_component_with(nodes.len(), &arcs, all)
    }
}

/// The marks of the second automaton, behind those of the first.
fn second_marks(first: &Automaton, marks: u64) -> u128 {
    u128::from(marks) << (1 + first.marks)
}

/// Whether some strongly connected component has all of these marks on its arcs.
fn has_component_with(nodes: usize, arcs: &[(usize, usize, u128)], all: u128) -> bool {
    let mut successors = vec![Vec::new(); nodes];
    arcs.iter().for_each(|&(from, to, _)| successors[from].push(to));
    let component = components(&successors);
    let mut seen = vec![0u128; nodes];
    for &(from, to, marks) in arcs {
        if component[from] == component[to] {
            seen[component[from]] |= marks;
        }
    }
    seen.into_iter().any(|marks| marks == all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::{random_formula, random_word};
    use crate::{Word, parse};
    use fairhold_source::FileId;
    use fairhold_testkit::{Rng, cases};

    /// Atoms that start with `e` are events.
    fn insensitive(text: &str) -> bool {
        let parsed = parse(FileId(0), text);
        let formula = parsed.formula.expect("a formula");
        let is_event = |a: AtomId| parsed.atoms[a.0 as usize].starts_with('e');
        is_insensitive(&formula, &is_event).expect("small")
    }

    #[test]
    fn known_formulas() {
        for good in [
            "[]<>e",
            "<>e",
            "[]!e",
            "[](e -> <>ef)",
            "!e U ef",
            "p U q",
            "[](p -> <>q)",
            "true",
            "[](e -> p)",
            "<>(p && <>e)",
        ] {
            assert!(insensitive(good), "{good}");
        }
        for bad in [
            "[](ea -> (ea U eb))",
            "X p",
            "X e",
            "[]<>(p && X p)",
            "[]e",
            "<>[]e",
            "<>(e && X p)",
            "p U e && e U p",
        ] {
            assert!(!insensitive(bad), "{bad}");
        }
    }

    /// The word with up to two more letters after each; atoms from `events` on are events.
    fn stretched(word: &Word, rng: &mut Rng, events: u32) -> Word {
        let state = (1u64 << events) - 1;
        let mut stretch = |letters: &[u64]| -> Vec<u64> {
            let each = |&l: &u64| std::iter::once(l).chain(std::iter::repeat_n(l & state, rng.below(3)));
            letters.iter().flat_map(each).collect()
        };
        Word {
            prefix: stretch(&word.prefix),
            cycle: stretch(&word.cycle),
        }
    }

    #[test]
    fn what_is_insensitive_does_not_tell_stretched_words_apart() {
        let mut rng = Rng::new(5);
        let cases = cases(300);
        let (mut good, mut caught, mut bad) = (0, 0, 0);
        for _ in 0..cases {
            let depth = 1 + rng.below(4);
            let formula = random_formula(&mut rng, 3, depth);
            // Atoms 0 and 1 are of the state, 2 is an event.
            let Ok(answer) = is_insensitive(&formula, &|a| a.0 >= 2) else {
                continue;
            };
            let differs = (0..60).any(|_| {
                let word = random_word(&mut rng, 3);
                let other = stretched(&word, &mut rng, 2);
                word.satisfies(&formula) != other.satisfies(&formula)
            });
            assert!(!(answer && differs), "{formula:?}");
            good += usize::from(answer);
            bad += usize::from(!answer);
            caught += usize::from(differs);
        }
        println!("{good} insensitive, {bad} sensitive, {caught} of these told apart by 60 random words");
        assert!(
            caught * 10 >= bad * 6,
            "most sensitive formulas are told apart by random words"
        );
    }
}
