//! Walks through small models, command by command.

use fairhold::{
    Bounds, Command, Effect, Language, LoadOptions, Model, SavedTrace, Silent, Simulation, StopReason,
    load_text,
};

/// Two processes that share a counter; at 3 they are stuck, unless one of them has stopped at 2.
const COUNTER: &str = "\
#define Top 3;
var x = 0;
var board[2];
P(i) = [x < Top] up.i{x = x + 1; board[i] = x} -> P(i);
Q = [x == 2] stop -> Skip;
System = P(0) ||| P(1) ||| Q;
";

/// Goes wrong after two steps.
const FAULTY: &str = "\
var x = 0;
var board[2];
P = [x < 2] up{x = x + 1} -> P [] [x == 2] bad{board[x] = 1} -> P [] [x == 1] side{x = 7} -> P;
#assert P deadlockfree;
";

fn model(text: &str, process: Option<&str>) -> Model {
    let options = LoadOptions {
        process: process.map(str::to_owned),
        ..LoadOptions::default()
    };
    let loaded = load_text("m.csp", text, Language::Csp, &options);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// Obeys the commands; the answer to the last.
fn said(walk: &mut dyn Simulation, commands: &[&str]) -> Result<String, String> {
    let mut last = String::new();
    for command in commands {
        match walk.execute(&Command::parse(command)?, &Silent)? {
            Effect::Say(text) => last = text,
            other => panic!("{command}: {other:?}"),
        }
    }
    Ok(last)
}

fn on<R>(text: &str, process: &str, hold: impl FnOnce(&mut dyn Simulation) -> R) -> R {
    let model = model(text, Some(process));
    let walked = model.simulate(Bounds::default(), 0, hold);
    walked.expect("the walk can start")
}

fn ok(commands: &[&str]) -> String {
    on(COUNTER, "System", |walk| said(walk, commands)).expect("every command can be obeyed")
}

fn wrong(commands: &[&str]) -> String {
    on(COUNTER, "System", |walk| said(walk, commands)).expect_err("the last command cannot be obeyed")
}

#[test]
fn the_start_shows_state_and_steps() {
    let here = on(COUNTER, "System", |walk| walk.here());
    let expected = "\
step 0, the start
  x = 0, board = [0, 0]
  process 0  P(0)
  process 1  P(1)
  process 2  Q
     1  up.0  0  x = 1, board[0] = 1
     2  up.1  1  x = 1, board[1] = 1
";
    assert_eq!(here, expected);
}

#[test]
fn steps_are_chosen_by_number_and_by_name() {
    let here = ok(&["2", "up.0"]);
    assert!(
        here.starts_with("step 2, after up.0\n  x = 2, board = [2, 1]\n"),
        "{here}"
    );
    assert!(ok(&["1", "1", "st"]).starts_with("step 3, after stop\n"));
    assert_eq!(wrong(&["3"]), "there is no step 3: they are 1 to 2");
    assert_eq!(wrong(&["0"]), "there is no step 0: they are 1 to 2");
    assert_eq!(
        wrong(&["up"]),
        "`up` may be any of 1 up.0, 2 up.1; choose by number"
    );
    assert_eq!(
        wrong(&["dance"]),
        "`dance` is neither a command nor an event possible here; help lists the commands"
    );
    assert_eq!(wrong(&["do quit"]), "no event quit is possible here");
}

#[test]
fn going_back_keeps_what_is_ahead() {
    let walk = ["1", "2", "1"];
    let after = |more: &[&str]| ok(&[&walk[..], more].concat());
    assert!(after(&["undo"]).starts_with("step 2, after up.1, 1 ahead\n"));
    assert!(after(&["back 3"]).starts_with("step 0, the start, 3 ahead\n"));
    assert!(after(&["back 3", "next 2"]).starts_with("step 2, after up.1, 1 ahead\n"));
    assert!(after(&["jump 1", "jump 3"]).starts_with("step 3, after up.0\n"));
    // The same step keeps the rest, another one cuts it off.
    assert!(after(&["jump 0", "1"]).starts_with("step 1, after up.0, 2 ahead\n"));
    assert!(after(&["jump 0", "2"]).starts_with("step 1, after up.1\n"));
    assert_eq!(wrong(&["undo"]), "this is the start: there is nothing to undo");
    assert_eq!(wrong(&["1", "back 2"]), "only 1 step can be undone");
    assert_eq!(wrong(&["jump 1"]), "there is no step 1: the walk has 0 steps");
    assert!(wrong(&["next"]).starts_with("nothing is ahead"));
}

#[test]
fn a_dead_end_says_what_it_is() {
    let here = ok(&["1", "1", "1"]);
    assert!(here.ends_with("  deadlock: no step is possible\n"), "{here}");
    assert_eq!(
        wrong(&["1", "1", "1", "1"]),
        "no step is possible here; undo goes back"
    );
    let here = on("P = a -> Skip;", "P", |walk| {
        said(walk, &["a", "terminate"]).unwrap()
    });
    assert!(here.ends_with("  the end: the model has terminated\n"), "{here}");
}

#[test]
fn find_goes_the_shortest_way() {
    assert!(ok(&["find x == 2"]).starts_with("found after 2 steps\nstep 2, "));
    assert!(ok(&["find stop"]).starts_with("found after 3 steps\nstep 3, after stop\n"));
    assert!(ok(&["find up.1 && board[0] == 1"]).starts_with("found after 2 steps\nstep 2, after up.1\n"));
    assert!(
        ok(&["find up"]).starts_with("found after 1 step\n"),
        "an event stands for its indices"
    );
    assert!(ok(&["find up.1", "find up.1"]).starts_with("found after 1 step\nstep 2, "));
    assert_eq!(ok(&["1", "find x == 1"]), "`x == 1` is so here already\n");
    assert_eq!(
        ok(&["find x == Top", "path"]).lines().count(),
        6,
        "constants are known"
    );
    assert!(wrong(&["find x == 9"]).starts_with("`x == 9` cannot be reached from here ("));
    assert!(wrong(&["find []<> x == 1"]).contains("without temporal operators"));
    assert!(
        wrong(&["find stopp"]).starts_with("`stopp` is neither an event nor a condition: there is no event")
    );
    assert!(wrong(&["find board[x+1] == 5"]).starts_with("`board[x+1] == 5` cannot be evaluated: index"));
}

#[test]
fn find_keeps_its_bounds() {
    let model = model("var x = 0; P = up{x = x + 1} -> P;", None);
    let bounds = Bounds {
        states: Some(100),
        ..Bounds::default()
    };
    let found = model.simulate(bounds, 0, |walk| said(walk, &["find x == 1000"]));
    let why = found.expect("the walk can start").unwrap_err();
    assert_eq!(
        why,
        "`x == 1000` was not found: at the bound on states, 100 states explored"
    );
}

#[test]
fn random_steps_are_the_same_for_the_same_seed() {
    const ENDLESS: &str = "P = a -> P [] b -> P [] c -> P;";
    let path = |commands: &[&str]| on(ENDLESS, "P", |walk| said(walk, commands).unwrap());
    assert_eq!(path(&["random 30 7", "path"]), path(&["random 30 7", "path"]));
    assert_ne!(path(&["random 30 7", "path"]), path(&["random 30 8", "path"]));
    // One generator for the whole walk: two halves are one whole.
    assert_eq!(
        path(&["random 10 7", "random 20", "path"]),
        path(&["random 30 7", "path"])
    );
    assert!(ok(&["random 99"]).ends_with("steps taken, nothing more is possible\n"));
}

#[test]
fn a_fault_is_shown_and_can_be_left() {
    let here = on(FAULTY, "P", |walk| said(walk, &["up", "up"]).unwrap());
    assert!(
        here.ends_with("  the model goes wrong here: index 2 is outside 0..1 of `board` (m.csp:3:48)\n"),
        "{here}"
    );
    on(FAULTY, "P", |walk| {
        said(walk, &["up", "up"]).unwrap();
        assert_eq!(
            said(walk, &["1"]).unwrap_err(),
            "the model goes wrong here; undo goes back"
        );
        assert!(
            said(walk, &["undo"])
                .unwrap()
                .starts_with("step 1, after up, 1 ahead\n")
        );
        // A search goes around what is wrong.
        assert!(
            said(walk, &["find x == 7"])
                .unwrap()
                .starts_with("found after 1 step\n")
        );
    });
}

#[test]
fn what_is_saved_can_be_loaded_started_and_replayed() {
    let model = model(COUNTER, Some("System"));
    let json = model.simulate(Bounds::default(), 0, |walk| {
        said(walk, &["1", "2", "stop"]).unwrap();
        walk.trace().to_string()
    });
    let trace = SavedTrace::parse("w.json", &json.unwrap()).unwrap();
    assert_eq!(trace.run.prefix.len(), 3);
    let loaded = load_text("m.csp", COUNTER, Language::Csp, &trace.load_options());
    let replayed = loaded.model.unwrap().replay(&trace);
    assert!(replayed.valid(), "{replayed:?}");
    assert_eq!(replayed.shows, "it is a run of System");

    on(COUNTER, "System", |walk| {
        assert!(
            walk.open(&trace, true)
                .unwrap()
                .starts_with("step 3, after stop\n")
        );
        assert!(
            walk.open(&trace, false)
                .unwrap()
                .starts_with("step 0, the start, 3 ahead\n")
        );
        assert!(
            said(walk, &["next 2"])
                .unwrap()
                .starts_with("step 2, after up.1, 1 ahead\n")
        );
    });
    let why = on(COUNTER, "P(0)", |walk| walk.open(&trace, true).unwrap_err());
    assert_eq!(
        why,
        "it is a walk through System, and this is P(0); walk with -P 'System'"
    );
    let mut other = trace.clone();
    other.defines = vec![("Top".into(), 5)];
    let why = on(COUNTER, "System", |walk| walk.open(&other, true).unwrap_err());
    assert_eq!(why, "it was made with Top = 5; walk with -D Top=5");
    let mut broken = trace.clone();
    broken.run.prefix[1].event = "down".into();
    on(COUNTER, "System", |walk| {
        said(walk, &["2"]).unwrap();
        let why = walk.open(&broken, true).unwrap_err();
        assert!(
            why.starts_with("it is no run of this model: step 2: down is not possible here"),
            "{why}"
        );
        assert_eq!(walk.position(), 1, "nothing has changed");
    });
}

#[test]
fn an_observer_ends_what_takes_long() {
    struct Impatient;
    impl fairhold::Observer for Impatient {
        fn progress(&self, _: &fairhold::Progress) -> fairhold::Control {
            fairhold::Control::Stop(StopReason::Interrupted)
        }
    }
    let model = model("var x = 0; P = up{x = x + 1} -> P;", None);
    let model = &model;
    let run = |command: &str| {
        let command = Command::parse(command).unwrap();
        let walked = model.simulate(Bounds::default(), 0, |walk| walk.execute(&command, &Impatient));
        walked.expect("the walk can start")
    };
    assert_eq!(
        run("find x == 100000000").unwrap_err(),
        "`x == 100000000` was not found: interrupted"
    );
    match run("random 100000").unwrap() {
        Effect::Say(text) => assert!(text.ends_with("0 steps taken, interrupted\n"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn commands_that_need_files_ask_for_them() {
    on(COUNTER, "System", |walk| {
        let mut effect = |line: &str| walk.execute(&Command::parse(line).unwrap(), &Silent).unwrap();
        assert_eq!(effect("save a.json"), Effect::Save("a.json".into()));
        for (line, to_end) in [("load a.json", true), ("start a.json", false)] {
            let path = "a.json".to_owned();
            assert_eq!(effect(line), Effect::Open { path, to_end });
        }
        assert_eq!(effect("quit"), Effect::Quit);
    });
}

#[test]
fn help_teaches() {
    let help = ok(&["help"]);
    for row in fairhold::COMMANDS {
        assert!(help.contains(row.sentence), "{}", row.name);
    }
    assert_eq!(ok(&["help jump"]).lines().next(), Some("jump N"));
    assert_eq!(wrong(&["help dance"]), "`dance` is no command; help lists all");
}

#[test]
fn a_graph_can_be_walked() {
    const GRAPH: &str = "des (0, 3, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(2, \"a\", 0)\n";
    let loaded = load_text("g.aut", GRAPH, Language::Aut, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let json = model.simulate(Bounds::default(), 0, |walk| {
        assert!(
            said(walk, &["find state == 2"])
                .unwrap()
                .starts_with("found after 2 steps\n")
        );
        assert!(
            said(walk, &["find b"])
                .unwrap()
                .starts_with("found after 3 steps\n")
        );
        walk.trace().to_string()
    });
    let trace = SavedTrace::parse("w.json", &json.unwrap()).unwrap();
    let again = load_text("g.aut", GRAPH, Language::Aut, &trace.load_options());
    assert!(again.model.unwrap().replay(&trace).valid());
}
