//! Strongly connected components of a graph that is already written down.
//!
//! For pictures and small explicit graphs; a search over a system finds its components on the way. Linear time.

use crate::budget::Budget;
use crate::tarjan::{Graph, Tarjan};
use crate::visited::Halt;
use fairhold_store::StateId;

/// A state's component, and whether there is a loop in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Component {
    /// Its number: components are numbered from 0, those that can be reached from others first.
    pub number: u32,
    /// Whether it has a loop: more than one state, or a step from the state to itself.
    pub looping: bool,
}

/// The component of every state. `successors[s]` are the states that `s` has a step to.
pub fn components(successors: &[Vec<StateId>]) -> Vec<Component> {
    let mut graph = Lists {
        successors,
        budget: Budget::new(None),
    };
    let mut found = vec![Component::default(); successors.len()];
    let mut number = 0;
    let mut tarjan = Tarjan::new();
    for root in 0..successors.len() as u32 {
        let searched = tarjan.search(&mut graph, StateId(root), |members: &[StateId], looping| {
            for state in members {
                found[state.index()] = Component { number, looping };
            }
            number += 1;
        });
        assert!(searched.is_ok(), "a search without a bound is not stopped");
    }
    found
}

struct Lists<'a> {
    successors: &'a [Vec<StateId>],
    budget: Budget,
}

impl Graph for Lists<'_> {
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        let successors = &self.successors[state.index()];
        self.budget.reserve(out, successors.len())?;
        out.extend(successors);
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_from_the_bottom() {
        let ids = |states: &[u32]| states.iter().map(|&s| StateId(s)).collect::<Vec<_>>();
        let found = components(&[ids(&[1]), ids(&[0, 2]), ids(&[]), ids(&[3])]);
        let listed: Vec<(u32, bool)> = found.iter().map(|c| (c.number, c.looping)).collect();
        assert_eq!(listed, [(1, true), (1, true), (0, false), (2, true)]);
        assert!(components(&[]).is_empty());
    }
}
