//! Giving up in good order: time, states, memory, Ctrl-C, a reader that goes away.

mod command;

use command::{Folder, INFINITE, Ran};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

fn reason(ran: &Ran) -> String {
    let json = ran.json();
    let result = &json["results"][0];
    assert_eq!(result["verdict"], "unknown", "{json:#}");
    assert!(result["states"].as_u64().unwrap() > 0, "{json:#}");
    result["reason"].as_str().unwrap().to_owned()
}

#[test]
fn states_run_out() {
    let folder = Folder::with("m.csp", INFINITE);
    let ran = folder.run(&["check", "m.csp", "--max-states", "1000", "--format", "json"]);
    assert_eq!(ran.status(), 3, "{ran:?}");
    let reason = reason(&ran);
    assert!(
        reason.contains("bound on states") && reason.contains("x keeps growing"),
        "{reason}"
    );
    assert!(ran.json()["results"][0]["states"].as_u64().unwrap() <= 1000);
    let explored = folder.run(&["explore", "m.csp", "--max-states", "1000"]);
    assert_eq!(explored.status(), 3, "{explored:?}");
}

#[test]
fn time_runs_out() {
    let folder = Folder::with("m.csp", INFINITE);
    let start = Instant::now();
    let ran = folder.run(&["check", "m.csp", "--timeout", "0.5", "--format", "json"]);
    assert_eq!(ran.status(), 3, "{ran:?}");
    assert!(reason(&ran).contains("out of time"));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn memory_runs_out() {
    let folder = Folder::with("m.csp", INFINITE);
    let ran = folder.run(&[
        "check",
        "m.csp",
        "--max-memory",
        "32M",
        "--timeout",
        "60",
        "--format",
        "json",
    ]);
    assert_eq!(ran.status(), 3, "{ran:?}");
    assert!(reason(&ran).contains("out of memory"), "{ran:?}");
    assert!(ran.json()["results"][0]["peak_mb"].as_f64().unwrap() < 200.0);
}

#[test]
fn later_assertions_get_their_own_time() {
    let text = format!("{INFINITE}Q = a -> Q;\n#assert Q deadlockfree;\n");
    let folder = Folder::with("m.csp", &text);
    let ran = folder.run(&["check", "m.csp", "--timeout", "0.3", "--format", "json"]);
    assert_eq!(ran.status(), 3);
    assert_eq!(ran.json()["results"][1]["verdict"], "holds");
}

fn interrupt(child: &Child) {
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(status.is_ok_and(|s| s.success()), "kill works");
}

#[test]
fn the_first_interrupt_reports_what_there_is() {
    let text = format!("Q = a -> Q;\n#assert Q deadlockfree;\n{INFINITE}#assert Q deadlockfree;\n");
    let folder = Folder::with("m.csp", &text);
    let mut child = folder.spawn(&["check", "m.csp", "--timeout", "60"]);
    // The first result is printed at once; then the endless one runs.
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("holds   Q deadlockfree"), "{first}");
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.starts_with("unknown P deadlockfree"), "{rest}");
    assert!(
        rest.contains("interrupted\n") && rest.contains("2 results: 1 holds, 1 unknown"),
        "{rest}"
    );
}

#[test]
fn an_interrupted_report_is_still_whole() {
    let folder = Folder::with("m.csp", INFINITE);
    let child = folder.spawn(&["check", "m.csp", "--timeout", "60", "--format", "json"]);
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert_eq!(ran.status(), 3, "{ran:?}");
    assert_eq!(reason(&ran), "interrupted");
}

#[test]
fn a_reader_may_go_away() {
    let folder = Folder::with(
        "m.csp",
        "P = a -> Stop;\n#assert P deadlockfree;\n#assert P nonterminating;\n",
    );
    let mut child = folder.spawn(&["check", "m.csp"]);
    drop(child.stdout.take());
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert!(ran.status() == 141 || ran.status() == 1, "{ran:?}");
    assert!(ran.err.is_empty(), "{}", ran.err);
}
