//! Loops that are fair and loops that are not, on the figures of [Si-FCS'14] and smaller graphs; and every notion against its formula.

use super::*;
use crate::constraint::{Formula, Predicate};
use crate::figures::Graph;
use fairhold_system::FaultKind;

fn in_state(number: usize, state: &u32) -> Result<bool, Fault> {
    Ok(*state == number as u32)
}

fn judged(graph: &Graph, walk: &[usize], constraint: Constraint) -> Result<Vec<LedgerEntry>, Unfair> {
    let (states, steps) = graph.walk(walk);
    judge_fairness(graph, &states, &steps, &[constraint], &in_state)
}

fn fair(graph: &Graph, walk: &[usize], constraint: Constraint) -> bool {
    judged(graph, walk, constraint).is_ok()
}

fn complaint(graph: &Graph, walk: &[usize], constraint: Constraint) -> String {
    judged(graph, walk, constraint).unwrap_err().to_string()
}

/// The notions under which the loop is fair.
fn allowed_by(graph: &Graph, walk: &[usize]) -> String {
    let fair = Notion::ALL
        .into_iter()
        .filter(|n| fair(graph, walk, Constraint::Notion(*n)));
    fair.map(Notion::word).collect::<Vec<_>>().join(" ")
}

/// The ledger as `obligation: discharged at`.
fn ledger(graph: &Graph, walk: &[usize], constraint: Constraint) -> Vec<String> {
    let entries = judged(graph, walk, constraint).unwrap();
    let shown = |e: LedgerEntry| {
        let at = e.at.map_or(String::new(), |at| format!(" {at}"));
        format!("{}: {}{at}", e.obligation, e.discharged.word())
    };
    entries.into_iter().map(shown).collect()
}

fn annotation(kind: AnnotationKind, event: &str) -> Constraint {
    Constraint::Annotation(kind, event.into())
}

fn idle(graph: &Graph, constraint: Constraint) -> Result<Vec<LedgerEntry>, Unfair> {
    let steps = [(crate::IDLE.to_owned(), Vec::new())];
    judge_fairness(graph, &[0], &steps, &[constraint], &in_state)
}

const ALL: &str = "pwf ewf psf esf sgf";

#[test]
fn figure_2_processes_against_events() {
    assert_eq!(allowed_by(&Graph::choice(), &[1]), "pwf psf");
    assert_eq!(allowed_by(&Graph::choice(), &[0, 1]), ALL);
    assert_eq!(allowed_by(&Graph::interleaving(), &[1]), "");
    assert_eq!(allowed_by(&Graph::interleaving(), &[0, 1, 1]), ALL);
}

#[test]
fn figure_3_weak_against_strong() {
    assert_eq!(allowed_by(&Graph::alternating(), &[0, 2]), "pwf ewf psf");
    assert_eq!(allowed_by(&Graph::alternating(), &[0, 1, 0, 2]), ALL);
    assert_eq!(allowed_by(&Graph::guarded(), &[0, 1]), "pwf ewf");
    assert_eq!(allowed_by(&Graph::guarded(), &[2]), "");
    assert_eq!(allowed_by(&Graph::guarded(), &[0, 2, 1]), ALL);
}

#[test]
fn figure_4_strong_against_global() {
    assert_eq!(allowed_by(&Graph::ladder(), &[0, 1]), "pwf ewf psf esf");
    assert_eq!(allowed_by(&Graph::ladder(), &[2, 3]), "pwf ewf psf esf");
    assert_eq!(allowed_by(&Graph::ladder(), &[0, 2, 3, 1]), ALL);
    assert_eq!(allowed_by(&Graph::fork(), &[0, 2]), "pwf ewf psf esf");
    assert_eq!(allowed_by(&Graph::fork(), &[0, 2, 1, 3]), ALL);
}

#[test]
fn a_state_met_twice_takes_each_step_once() {
    // Not every visit of state 1 takes every step; asking that of each position would reject the loop.
    assert_eq!(
        ledger(
            &Graph::alternating(),
            &[0, 1, 0, 2],
            Constraint::Notion(Notion::Sgf)
        ),
        ["a: engaged 0", "b: engaged 1", "c: engaged 3"]
    );
}

#[test]
fn a_target_in_the_loop_is_not_enough() {
    let sgf = Constraint::Notion(Notion::Sgf);
    assert_eq!(
        complaint(&Graph::choice(), &[1], sgf.clone()),
        "the loop is not fair (sgf): a of process 0 is possible before step 1 of the loop, \
         leads to the state before step 1 of the loop, and is never taken there"
    );
    // Nor is the event: the step of process 1 is another.
    let twins = Graph::new(&[(0, "a", &[0], 0), (0, "a", &[1], 0)]);
    assert_eq!(allowed_by(&twins, &[0]), "ewf esf");
    assert!(complaint(&twins, &[0], sgf).contains("a of process 1 is possible"));
}

#[test]
fn the_ledger_says_how() {
    let guarded = Graph::guarded();
    let of = |notion| ledger(&guarded, &[0, 1], Constraint::Notion(notion));
    assert_eq!(of(Notion::Ewf), ["a: engaged 0", "b: engaged 1", "c: disabled 0"]);
    assert_eq!(of(Notion::Pwf), ["process 0: engaged 0", "process 1: disabled 0"]);
    assert_eq!(
        complaint(&guarded, &[0, 1], Constraint::Notion(Notion::Psf)),
        "the loop is not fair (psf): process 1 is enabled in 1 of 2 states of the loop and never engaged"
    );
    assert_eq!(
        complaint(&guarded, &[2], Constraint::Notion(Notion::Ewf)),
        "the loop is not fair (ewf): b is enabled in every state of the loop and never engaged"
    );
}

#[test]
fn tau_counts_for_its_process_only() {
    let graph = Graph::new(&[(0, "tau", &[0], 0), (0, "a", &[1], 0)]);
    assert_eq!(allowed_by(&graph, &[1]), "ewf esf");
    assert_eq!(
        ledger(&graph, &[1], Constraint::Notion(Notion::Esf)),
        ["a: engaged 0"]
    );
    assert_eq!(allowed_by(&graph, &[0]), "");
    assert_eq!(allowed_by(&graph, &[0, 1]), ALL);
}

#[test]
fn terminate_is_an_ordinary_event() {
    let graph = Graph::new(&[(0, "a", &[0], 0), (0, "terminate", &[0, 1], 1)]);
    assert_eq!(allowed_by(&graph, &[0]), "");
    let why = complaint(&graph, &[0], Constraint::Notion(Notion::Ewf));
    assert!(why.contains("terminate is enabled in every state"), "{why}");
}

#[test]
fn a_deadlock_is_fair_unless_something_is_ready() {
    let graph = Graph::new(&[]).with_ready(0, "e");
    for notion in Notion::ALL {
        assert_eq!(idle(&graph, Constraint::Notion(notion)), Ok(Vec::new()));
    }
    for kind in [AnnotationKind::Wf, AnnotationKind::Sf] {
        let entries = idle(&graph, annotation(kind, "e")).unwrap();
        assert_eq!(entries[0].discharged, Discharged::NeverEnabled);
        assert_eq!((entries[0].kind.as_str(), entries[0].at), (kind.word(), None));
    }
    for kind in [AnnotationKind::Wl, AnnotationKind::Sl] {
        assert!(idle(&graph, annotation(kind, "f")).is_ok());
        assert_eq!(
            idle(&graph, annotation(kind, "e")).unwrap_err().to_string(),
            format!(
                "the loop is not fair ({}): e is ready in every state of the loop and never engaged",
                kind.word()
            )
        );
    }
}

#[test]
fn annotations_speak_of_one_event() {
    let graph = Graph::alternating().with_ready(0, "b");
    let of = |kind, event| ledger(&graph, &[0, 2], annotation(kind, event)).remove(0);
    assert_eq!(of(AnnotationKind::Wf, "b"), "b: disabled 0");
    assert_eq!(of(AnnotationKind::Sf, "c"), "c: engaged 1");
    assert_eq!(of(AnnotationKind::Sf, "z"), "z: never-enabled");
    assert_eq!(of(AnnotationKind::Wl, "a"), "a: engaged 0");
    // `b` is enabled in one state of the two, and ready in both.
    assert!(!fair(&graph, &[0, 2], annotation(AnnotationKind::Sf, "b")));
    assert!(!fair(&graph, &[0, 2], annotation(AnnotationKind::Wl, "b")));
    let graph = Graph::alternating();
    assert!(fair(&graph, &[0, 2], annotation(AnnotationKind::Wl, "b")));
    assert!(!fair(&graph, &[0, 2], annotation(AnnotationKind::Sl, "b")));
}

fn gf(a: Predicate) -> Formula {
    Formula::InfinitelyOften(a)
}

fn fg(a: Predicate) -> Formula {
    Formula::EventuallyAlways(a)
}

fn implies(p: Formula, q: Formula) -> Formula {
    Formula::Or(vec![Formula::Not(Box::new(p)), q])
}

fn enabled(event: &str) -> Predicate {
    Predicate::Enabled(event.into())
}

fn engaged(event: &str) -> Predicate {
    Predicate::Engaged(event.into())
}

fn not(a: Predicate) -> Predicate {
    Predicate::Not(Box::new(a))
}

#[test]
fn formulas_read_a_step_and_the_state_it_enters() {
    let graph = Graph::alternating();
    let state = |n: usize| Predicate::State(n, format!("state {n}"));
    let of = |formula: Formula| fair(&graph, &[0, 2], Constraint::Formula(formula));
    assert!(of(gf(Predicate::And(vec![engaged("a"), state(1)]))));
    assert!(!of(gf(Predicate::And(vec![engaged("a"), state(0)]))));
    assert!(of(gf(Predicate::And(vec![engaged("a"), enabled("c")]))));
    assert!(of(fg(Predicate::Or(vec![enabled("a"), state(1)]))));
    assert!(of(fg(Predicate::EngagedProcess(0))) && of(fg(Predicate::EnabledProcess(0))));
    assert!(of(fg(not(Predicate::EngagedProcess(1)))));
    assert!(of(gf(Predicate::Ready("b".into()))) && !of(fg(Predicate::Ready("b".into()))));
    assert!(of(Formula::And(Vec::new())) && !of(Formula::Or(Vec::new())));
    assert!(of(fg(Predicate::Const(true))) && !of(gf(Predicate::Const(false))));
}

#[test]
fn a_loop_may_avoid_a_step_of_its_state() {
    // One state with two self-loops: the loop of `b` never engages `a`.
    let never = Constraint::Formula(fg(not(engaged("a"))));
    assert_eq!(
        ledger(&Graph::choice(), &[1], never.clone()),
        ["FG !engaged(a): never-enabled"]
    );
    assert_eq!(
        complaint(&Graph::choice(), &[1, 0], never),
        "the loop is not fair (formula): !engaged(a) is not true at step 2 of the loop"
    );
}

#[test]
fn a_formula_is_met_by_its_parts() {
    let strong = Constraint::Formula(implies(gf(enabled("b")), gf(engaged("b"))));
    let weak = Constraint::Formula(implies(fg(enabled("b")), gf(engaged("b"))));
    let graph = Graph::alternating();
    assert_eq!(ledger(&graph, &[0, 2], weak), ["GF !enabled(b): disabled 1"]);
    assert_eq!(
        ledger(&graph, &[0, 1], strong.clone()),
        ["GF engaged(b): engaged 1"]
    );
    assert_eq!(
        judged(&graph, &[0, 2], strong).unwrap_err(),
        Unfair::Unmet {
            obligation: "!(GF enabled(b)) || GF engaged(b)".into(),
            kind: "formula",
            message: "!enabled(b) is not true at step 1 of the loop, \
                      and engaged(b) is true at no step of the loop"
                .into(),
        }
    );
}

#[test]
fn a_fault_is_passed_on() {
    let fault = Fault {
        kind: FaultKind::Error,
        message: "division by zero".into(),
        span: None,
    };
    let graph = Graph::choice();
    let (states, steps) = graph.walk(&[0]);
    let formula = Constraint::Formula(gf(Predicate::State(0, "1 / x > 0".into())));
    let found = judge_fairness(&graph, &states, &steps, &[formula], &|_, _| Err(fault.clone()));
    assert_eq!(found, Err(Unfair::Fault(fault)));
}

#[test]
fn the_loop_of_a_lasso_starts_after_its_prefix() {
    use crate::counter::{Counter, lasso};
    let trail = crate::trail(&Counter, &lasso()).unwrap();
    let (states, steps) = loop_of(&lasso(), &trail);
    assert_eq!(states, [(1, 0), (2, 0)]);
    assert_eq!(steps, [("inc".into(), vec![0]), ("dec".into(), vec![0])]);
}

/// All closed walks of at most `most` steps.
fn closed_walks(graph: &Graph, most: usize) -> Vec<Vec<usize>> {
    let arcs: Vec<(u32, u32)> = graph.arcs().collect();
    let mut open: Vec<Vec<usize>> = (0..arcs.len()).map(|k| vec![k]).collect();
    let mut closed = Vec::new();
    while let Some(walk) = open.pop() {
        let (first, last) = (walk[0], walk[walk.len() - 1]);
        if arcs[last].1 == arcs[first].0 {
            closed.push(walk.clone());
        }
        if walk.len() < most {
            let next = (0..arcs.len()).filter(|&k| arcs[k].0 == arcs[last].1);
            open.extend(next.map(|k| [&walk[..], &[k]].concat()));
        }
    }
    closed
}

#[test]
fn notions_agree_with_their_formulas_and_keep_their_order() {
    let graphs = [
        Graph::choice(),
        Graph::interleaving(),
        Graph::alternating(),
        Graph::guarded(),
        Graph::ladder(),
        Graph::fork(),
    ];
    let rows = |weak: bool, enabled: Predicate, engaged: Predicate| {
        let often = if weak { fg(enabled) } else { gf(enabled) };
        implies(often, gf(engaged))
    };
    for graph in &graphs {
        for walk in closed_walks(graph, 6) {
            let allows = |notion| fair(graph, &walk, Constraint::Notion(notion));
            for (notion, weak) in [(Notion::Ewf, true), (Notion::Esf, false)] {
                let parts = ["a", "b", "c"].map(|e| rows(weak, enabled(e), engaged(e)));
                let formula = Constraint::Formula(Formula::And(parts.into()));
                assert_eq!(allows(notion), fair(graph, &walk, formula), "{walk:?} {notion:?}");
            }
            for (notion, weak) in [(Notion::Pwf, true), (Notion::Psf, false)] {
                let process = |i| rows(weak, Predicate::EnabledProcess(i), Predicate::EngagedProcess(i));
                let formula = Constraint::Formula(Formula::And(vec![process(0), process(1)]));
                assert_eq!(allows(notion), fair(graph, &walk, formula), "{walk:?} {notion:?}");
            }
            for weaker in Notion::ALL {
                for stronger in Notion::ALL.into_iter().filter(|n| weaker.is_weaker_than(*n)) {
                    assert!(
                        allows(weaker) || !allows(stronger),
                        "{walk:?} {weaker:?} {stronger:?}"
                    );
                }
            }
        }
    }
}
