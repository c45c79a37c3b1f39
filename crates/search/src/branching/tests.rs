//! Labels and evidence on graphs drawn by hand and on random ones.

use super::*;
use crate::drawn::Drawn;
use crate::fairness::{Obligations, Strength, When, Whose};
use fairhold_logic::Quantifier::{self, All, Exists};
use fairhold_system::Silent;

fn atom(number: u32) -> Ctl {
    Ctl::Atom(AtomId(number))
}

fn not(p: Ctl) -> Ctl {
    Ctl::Not(Box::new(p))
}

fn globally(quantifier: Quantifier, p: Ctl) -> Ctl {
    Ctl::Globally(quantifier, Box::new(p))
}

fn finally(quantifier: Quantifier, p: Ctl) -> Ctl {
    Ctl::Finally(quantifier, Box::new(p))
}

fn every(strength: Strength, whose: Whose) -> Fairness {
    let obligations = vec![Obligations {
        strength,
        when: When::Enabled,
        whose,
    }];
    Fairness {
        obligations,
        ..Fairness::none()
    }
}

fn global() -> Fairness {
    Fairness {
        global: true,
        ..Fairness::none()
    }
}

fn ask(graph: &Drawn, formula: &Ctl, constraint: Fairness, ends: Ends) -> BranchingAnswer {
    let question = BranchingQuestion {
        formula,
        proposition: &|AtomId(a)| Proposition::State(PredicateId(a)),
        event: &|AtomId(e)| EventId(e),
        constraints: &[constraint],
    };
    check_branching(graph, &question, ends, &Limits::default(), &Silent).remove(0)
}

/// The state numbers on a path.
fn way(path: &Path) -> Vec<u32> {
    path.states.iter().map(|s| s[0]).collect()
}

/// Two processes and a critical section [EmersonLei-TR'84]: bit 0 is `T1`, bit 1 is `C1`. Events are numbered by their processes.
fn mutex() -> Drawn {
    let states = ["NN", "TN", "NT", "CN", "TT", "NC", "CT", "TC"];
    let arcs = [
        [(0, 1), (1, 3), (3, 0), (2, 4), (4, 6), (6, 2), (5, 7)],
        [(0, 2), (2, 5), (5, 0), (1, 4), (4, 7), (7, 1), (3, 6)],
    ];
    let state = |number: u32, name: &str| {
        let bits = u32::from(name.starts_with('T')) | u32::from(name.starts_with('C')) << 1;
        let of = |process: u32| {
            let from = arcs[process as usize]
                .iter()
                .filter(move |(from, _)| *from == number);
            from.map(move |&(_, to)| (process + 2, process, to))
        };
        (bits, of(0).chain(of(1)).collect())
    };
    Drawn {
        initial: vec![0],
        states: (0..)
            .zip(states)
            .map(|(number, name)| state(number, name))
            .collect(),
    }
}

#[test]
fn a_process_that_tries_gets_in_under_strong_fairness() {
    let response = globally(
        All,
        Ctl::Implies(Box::new(atom(0)), Box::new(finally(All, atom(1)))),
    );
    let graph = mutex();
    let verdict = |constraint: Fairness| ask(&graph, &response, constraint, Ends::Idle).verdict;
    assert_eq!(verdict(Fairness::none()), Verdict::Fails);
    assert_eq!(
        verdict(every(Strength::Weak, Whose::AllProcesses)),
        Verdict::Fails
    );
    assert_eq!(
        verdict(every(Strength::Strong, Whose::AllProcesses)),
        Verdict::Holds
    );
    assert_eq!(verdict(global()), Verdict::Holds);
    // Process 1 tries, process 2 goes round and round: in s7 alone is process 1 not enabled, which is enough for weak fairness.
    let answer = ask(
        &graph,
        &response,
        every(Strength::Weak, Whose::AllProcesses),
        Ends::Idle,
    );
    let evidence = answer.evidence.expect("a failing branch");
    assert_eq!((&evidence.formula, evidence.holds), (&response, false));
    let [(at, branch)] = &evidence.branches[..] else {
        panic!("one branch: {evidence:?}");
    };
    assert_eq!(branch.formula, finally(All, atom(1)));
    assert_eq!(way(&evidence.path)[*at], way(&branch.path)[0]);
    let mut states = way(&branch.path);
    states.sort_unstable();
    states.dedup();
    assert_eq!(states, [1, 4, 7]);
}

#[test]
fn ends_idle_or_have_no_path() {
    // Running for as long as it likes, then done: bit 0.
    let graph = Drawn {
        initial: vec![0],
        states: vec![(0, vec![(2, 0, 0), (3, 1, 1)]), (1, vec![])],
    };
    let no_next = Ctl::Next(All, None, Box::new(Ctl::False));
    let comes_to_an_end = finally(All, no_next);
    let done = finally(Exists, atom(0));
    let impartial = every(Strength::Strong, Whose::AllProcesses);
    let asked = |formula: &Ctl, constraint: &Fairness, ends| {
        let answer = ask(&graph, formula, constraint.clone(), ends);
        (answer.verdict, answer.feasible)
    };
    let none = Fairness::none();
    assert_eq!(
        asked(&comes_to_an_end, &none, Ends::None),
        (Verdict::Fails, Some(true))
    );
    // No fair path: process 1 is enabled forever and can be taken only once.
    assert_eq!(
        asked(&comes_to_an_end, &impartial, Ends::None),
        (Verdict::Holds, Some(false))
    );
    assert_eq!(
        asked(&comes_to_an_end, &impartial, Ends::Idle),
        (Verdict::Fails, Some(true))
    );
    assert_eq!(asked(&done, &none, Ends::None), (Verdict::Fails, Some(true)));
    assert_eq!(asked(&done, &none, Ends::Idle), (Verdict::Holds, Some(true)));
}

#[test]
fn what_leads_out_of_a_restriction_still_counts() {
    // State 0 loops on event 2 and may leave by event 3; bit 0 holds in state 1.
    let graph = Drawn {
        initial: vec![0],
        states: vec![(0, vec![(2, 0, 0), (3, 0, 1)]), (1, vec![(2, 0, 1)])],
    };
    let stays = globally(Exists, not(atom(0)));
    let verdict = |constraint| ask(&graph, &stays, constraint, Ends::Idle).verdict;
    assert_eq!(verdict(Fairness::none()), Verdict::Holds);
    assert_eq!(
        verdict(every(Strength::Weak, Whose::AllProcesses)),
        Verdict::Holds
    );
    assert_eq!(verdict(every(Strength::Weak, Whose::AllEvents)), Verdict::Fails);
    assert_eq!(verdict(global()), Verdict::Fails);
}

#[test]
fn an_example_leads_to_where_the_way_back_is_longest() {
    // A ring of five; bit 0 holds in state 0.
    let states = (0..5).map(|s| (u32::from(s == 0), vec![(2, 0, (s + 1) % 5)]));
    let graph = Drawn {
        initial: vec![0],
        states: states.collect(),
    };
    let resettable = globally(All, finally(Exists, atom(0)));
    let answer = ask(&graph, &resettable, Fairness::none(), Ends::Idle);
    assert_eq!(answer.verdict, Verdict::Holds);
    let evidence = answer.evidence.expect("an example");
    assert_eq!(way(&evidence.path), [0, 1]);
    assert_eq!(way(&evidence.branches[0].1.path), [1, 2, 3, 4, 0]);
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as u32 % bound
    }

    fn graph(&mut self) -> Drawn {
        let states = 1 + self.below(7);
        let steps = |random: &mut Random| {
            let mut steps: Vec<_> = (0..random.below(4))
                .map(|_| (2 + random.below(3), random.below(2), random.below(states)))
                .collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        Drawn {
            initial: (0..=self.below(2)).map(|_| self.below(states)).collect(),
            states: (0..states).map(|_| (self.below(4), steps(self))).collect(),
        }
    }

    fn formula(&mut self, depth: u32) -> Ctl {
        if depth == 0 {
            return atom(self.below(2));
        }
        let p = Box::new(self.formula(depth - 1));
        let quantifier = if self.below(2) == 0 { All } else { Exists };
        let kind = self.below(12);
        if kind < 6 {
            let q = Box::new(self.formula(depth - 1));
            return match kind {
                0 => Ctl::And(p, q),
                1 => Ctl::Implies(p, q),
                2 => Ctl::Iff(p, q),
                3 => Ctl::Until(quantifier, p, q),
                4 => Ctl::WeakUntil(quantifier, p, q),
                _ => Ctl::Release(quantifier, p, q),
            };
        }
        match kind {
            6 => Ctl::Not(p),
            7 => Ctl::Next(quantifier, None, p),
            8 => Ctl::Next(quantifier, Some(vec![AtomId(2), AtomId(3)]), p),
            9 | 10 => Ctl::Globally(quantifier, p),
            _ => Ctl::Finally(quantifier, p),
        }
    }
}

/// Whether a tree of evidence shows what it says, and how many runs it has.
fn judge(graph: &Drawn, labels: &Labels, strong: Option<bool>, evidence: &Evidence) -> usize {
    let Evidence {
        formula,
        holds,
        path,
        branches,
        ..
    } = evidence;
    let states = way(path);
    let number = labels
        .formulas()
        .iter()
        .position(|f| f == formula)
        .expect("a part");
    // States were met in some order; their words tell which is which.
    let is = |number: usize, state: u32| labels.holds(number, StateId(state));
    assert_eq!(is(number, states[0]), *holds, "the claim is true");
    for (i, label) in path.labels.iter().enumerate() {
        let arc = (label.event.0, label.processes.0.wrapping_sub(1), states[i + 1]);
        let steps = &graph.states[states[i] as usize].1;
        let idles = label.event == EventId::IDLE && steps.is_empty() && states[i] == states[i + 1];
        assert!(steps.contains(&arc) || idles, "{arc:?} from {}", states[i]);
    }
    if let Some(start) = path.loop_from {
        assert_eq!(states[start], states[states.len() - 1], "a loop closes");
        assert!(path.labels.len() > start, "a loop has a step");
        let looped = &states[start..];
        for event in 2..5 {
            let there = |s: &&u32| graph.states[**s as usize].1.iter().any(|a| a.0 == event);
            let engaged = path.labels[start..].iter().any(|l| l.event.0 == event);
            let owed = match strong {
                None => false,
                Some(true) => looped.iter().any(|s| there(&s)),
                Some(false) => looped.iter().all(|s| there(&s)),
            };
            assert!(engaged || !owed, "a loop is fair");
        }
    }
    assert!(shows(labels, evidence), "{evidence:?}");
    let mut runs = usize::from(!path.labels.is_empty());
    for (at, branch) in branches {
        assert_eq!(way(&branch.path)[0], states[*at], "a branch starts on the run");
        runs += judge(graph, labels, strong, branch);
    }
    runs
}

/// Whether the path satisfies the path formula of an existential claim, by the labels of its states. Other claims have no path to look at.
fn shows(labels: &Labels, evidence: &Evidence) -> bool {
    let Evidence {
        formula, holds, path, ..
    } = evidence;
    let exists = if *holds { Exists } else { All };
    let states = way(path);
    let at = |p: &Ctl, i: usize| {
        let number = labels.formulas().iter().position(|f| f == p).expect("a part");
        labels.holds(number, StateId(states[i])) == *holds
    };
    let some = |good: &dyn Fn(usize) -> bool, before: &dyn Fn(usize) -> bool| {
        (0..states.len()).any(|i| good(i) && (0..i).all(before))
    };
    let always = |good: &dyn Fn(usize) -> bool| path.loop_from.is_some() && (0..states.len()).all(good);
    match formula {
        Ctl::Next(q, events, p) if *q == exists => {
            let event = AtomId(path.labels[0].event.0);
            at(p, 1) && events.as_ref().is_none_or(|e| e.contains(&event))
        }
        Ctl::Finally(q, p) if *q == exists && *holds => some(&|i| at(p, i), &|_| true),
        Ctl::Globally(q, p) if *q == exists && !*holds => some(&|i| at(p, i), &|_| true),
        Ctl::Finally(q, p) | Ctl::Globally(q, p) if *q == exists => always(&|i| at(p, i)),
        Ctl::Until(q, p, r) | Ctl::WeakUntil(q, p, r) | Ctl::Release(q, p, r) if *q == exists => {
            let until = some(&|i| at(r, i), &|i| at(p, i));
            let both = some(&|i| at(p, i) && at(r, i), &|i| at(r, i));
            match (formula, holds) {
                (Ctl::Until(..), true) | (Ctl::Release(..), false) => until,
                (Ctl::Until(..), false) | (Ctl::Release(..), true) => both || always(&|i| at(r, i)),
                (_, true) => until || always(&|i| at(p, i)),
                (_, false) => both,
            }
        }
        _ => true,
    }
}

#[test]
fn evidence_shows_what_it_says() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut trees, mut runs, mut fails) = (0, 0, 0);
    for case in 0..2_000 {
        let mut graph = random.graph();
        // The search numbers states as it meets them: renumber, so that words and ids agree.
        graph = renumbered(&graph);
        let formula = random.formula(1 + case % 3);
        let ends = if random.below(3) == 0 {
            Ends::None
        } else {
            Ends::Idle
        };
        let constraints = [
            (Fairness::none(), None),
            (every(Strength::Weak, Whose::AllEvents), Some(false)),
            (every(Strength::Strong, Whose::AllEvents), Some(true)),
            (global(), Some(true)),
        ];
        for (constraint, strong) in constraints {
            let answer = ask(&graph, &formula, constraint, ends);
            fails += usize::from(answer.verdict == Verdict::Fails);
            let labels = answer.labels.expect("nothing stops the search");
            if let Some(evidence) = &answer.evidence {
                trees += 1;
                runs += judge(&graph, &labels, strong, evidence);
            }
        }
    }
    println!("8,000 answers, {fails} fail, {trees} with evidence of {runs} runs");
    assert!(fails > 2_000 && fails < 6_000 && trees > 3_000 && runs > 3_000);
}

/// The reachable part with states numbered in the order in which they are met.
fn renumbered(graph: &Drawn) -> Drawn {
    let mut order: Vec<u32> = Vec::new();
    let meet = |order: &mut Vec<u32>, s: u32| {
        if !order.contains(&s) {
            order.push(s);
        }
    };
    graph.initial.iter().for_each(|&s| meet(&mut order, s));
    let mut next = 0;
    while next < order.len() {
        let steps = &graph.states[order[next] as usize].1;
        steps.iter().for_each(|a| meet(&mut order, a.2));
        next += 1;
    }
    let place = |s: u32| order.iter().position(|&o| o == s).expect("met") as u32;
    let state = |&s: &u32| {
        let (bits, steps) = &graph.states[s as usize];
        (*bits, steps.iter().map(|&(e, p, to)| (e, p, place(to))).collect())
    };
    Drawn {
        initial: graph.initial.iter().map(|&s| place(s)).collect(),
        states: order.iter().map(state).collect(),
    }
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let graph = mutex();
    let formula = globally(All, finally(Exists, atom(1)));
    let question = BranchingQuestion {
        formula: &formula,
        proposition: &|AtomId(a)| Proposition::State(PredicateId(a)),
        event: &|AtomId(e)| EventId(e),
        constraints: &[Fairness::none(), global()],
    };
    let limits = Limits {
        states: Some(4),
        bytes: None,
        compact: false,
        ..Limits::default()
    };
    for answer in check_branching(&graph, &question, Ends::Idle, &limits, &Silent) {
        assert_eq!(
            (answer.verdict, answer.stop),
            (Verdict::Unknown, Some(StopReason::States))
        );
        assert_eq!(answer.statistics.states, 4);
    }
    let mut refused = 0;
    for bytes in (0..8_000).step_by(50) {
        let limits = Limits {
            states: None,
            bytes: Some(bytes),
            compact: false,
            ..Limits::default()
        };
        for answer in check_branching(&graph, &question, Ends::Idle, &limits, &Silent) {
            refused += usize::from(answer.stop == Some(StopReason::Memory));
            let decided = answer.verdict == Verdict::Holds;
            assert!(decided || answer.verdict == Verdict::Unknown);
        }
    }
    assert!(refused > 10 && refused < 320, "{refused} refused");
}
