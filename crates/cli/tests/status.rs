//! Exit status and the text that goes with it.

mod command;

use command::{EVERY_VERDICT, Folder};

#[test]
fn every_status() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    for (selector, status) in [("0", 0), ("1", 1), ("2", 3), ("3", 1), ("0..2", 1), ("0..9", 1)] {
        let ran = folder.run(&["check", "m.csp", "-a", selector]);
        assert_eq!(ran.status(), status, "{selector}: {ran:?}");
    }
    let both = folder.run(&["check", "m.csp", "-a", "0", "-a", "2"]);
    assert_eq!(both.status(), 3);
}

#[test]
fn expectations_decide() {
    let text = "P = a -> Stop;\n#assert P deadlockfree; //@ expect: fails\n#assert P nonterminating; //@ expect: holds\n";
    let folder = Folder::with("m.csp", text);
    let expected = folder.run(&["check", "m.csp", "-a", "0"]);
    assert_eq!(expected.status(), 0, "{expected:?}");
    assert!(expected.out.contains("fails was expected"), "{}", expected.out);
    let unexpected = folder.run(&["check", "m.csp", "-a", "1"]);
    assert_eq!(unexpected.status(), 1);
    assert!(
        unexpected.out.contains("UNEXPECTED: holds was expected"),
        "{}",
        unexpected.out
    );
    // Under -f the expectation is not applied.
    let chosen = folder.run(&["check", "m.csp", "-a", "0", "-f", "all", "--format", "json"]);
    assert_eq!(chosen.status(), 1);
    let results = chosen.json()["results"].clone();
    assert_eq!(results.as_array().unwrap().len(), 1);
    assert!(results[0]["expected"].is_null() && results[0]["fairness"].is_null());
}

#[test]
fn fairness_gives_one_result_each() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let notions = |args: &[&str]| {
        let property = ["check", "m.csp", "-p", "R |= AG (x < 9)", "--format", "json"];
        let ran = folder.run(&[&property, args].concat());
        assert_eq!(ran.status(), 0, "{ran:?}");
        let json = ran.json();
        let results = json["results"].as_array().unwrap();
        let fairness = results.iter().map(|r| r["fairness"].as_str().unwrap().to_owned());
        fairness.collect::<Vec<_>>()
    };
    assert_eq!(notions(&[]), ["none"]);
    assert_eq!(notions(&["-f", "esf,sgf"]), ["esf", "sgf"]);
    assert_eq!(
        notions(&["-f", "all"]),
        ["none", "pwf", "ewf", "psf", "esf", "sgf"]
    );
    assert_eq!(notions(&["-f", "impartial,psf"]), ["impartial", "psf"]);
    assert_eq!(notions(&["-f", "GF engaged(a)"]), ["GF engaged(a)"]);
}

#[test]
fn usage_errors_are_2() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    for args in [
        &["check"][..],
        &["check", "m.csp", "-a", "nothing like this"],
        &["check", "m.csp", "-a", "17"],
        &["check", "m.csp", "-f", "strong"],
        &["check", "m.csp", "-D", "NOSUCH=1"],
        &["check", "m.csp", "-D", "x"],
        &["check", "m.csp", "--reduce", "por"],
        &["check", "m.csp", "--reduce", "symmetry"],
        &["check", "m.csp", "--reduce", "magic"],
        &["check", "m.csp", "--ends", "stay"],
        &["check", "m.csp", "--timeout", "-1"],
        &["check", "m.csp", "--max-memory", "lots"],
        &["check", "m.csp", "-j", "0"],
        &["check", "m.csp", "-p", "Nobody deadlockfree"],
        &["check", "m.csp", "-p", "P deadlockfre"],
        &["check", "m.csp", "--no-such-flag"],
        &["check", "missing.csp"],
        &["check", "m.csp", "missing.csp"],
        &["explore", "m.csp", "-P", "Nobody"],
        &["explore", "missing.csp"],
        &["nonsense"],
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.status(), 2, "{args:?}: {ran:?}");
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{args:?}: {ran:?}");
        let json = folder.run(&[args, &["--format", "json"]].concat());
        assert_eq!(json.status(), 2, "{args:?}: {json:?}");
        let report = json.json();
        assert!(report["results"].as_array().unwrap().is_empty(), "{args:?}");
        assert!(!report["diagnostics"].as_array().unwrap().is_empty(), "{args:?}");
    }
}

#[test]
fn accepted_and_harmless() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let args = [
        "check",
        "m.csp",
        "-a",
        "0",
        "--reproducible",
        "-j",
        "4",
        "--reduce",
        "none",
        "--format",
        "json",
    ];
    let ran = folder.run(&args);
    assert_eq!(ran.status(), 0, "{ran:?}");
    assert_eq!(ran.json()["results"][0]["threads"], 1);
}

#[test]
fn properties_and_constants_replace_the_files_own() {
    let text = "#define N 3;\nvar x = 0;\nP = [x < N] up{x = x + 1} -> P;\n#assert P deadlockfree; //@ expect: fails\n";
    let folder = Folder::with("m.csp", text);
    let ran = folder.run(&["check", "m.csp", "-p", "P reaches x == 5", "--format", "json"]);
    assert_eq!(ran.status(), 1, "{ran:?}");
    let args = [
        "check",
        "m.csp",
        "-p",
        "P reaches x == 5",
        "-D",
        "N=7",
        "--format",
        "json",
    ];
    let ran = folder.run(&args);
    assert_eq!(ran.status(), 0, "{ran:?}");
    let result = ran.json()["results"][0].clone();
    assert_eq!(result["assertion"], "P reaches x == 5");
    assert_eq!(result["defines"]["N"], 7);
    assert_eq!(result["witness"]["prefix"].as_array().unwrap().len(), 5);
    let overridden = folder.run(&["check", "m.csp", "-D", "N=4"]);
    assert_eq!(overridden.status(), 1, "under -D the expectation does not count");
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    let version = folder.run(&["--version"]);
    assert_eq!(
        (version.status(), version.out.starts_with("fairhold ")),
        (0, true)
    );
    for args in [&["--help"][..], &["check", "--help"], &["explore", "-h"]] {
        let help = folder.run(args);
        assert_eq!(help.status(), 0);
        assert!(help.out.contains("fairhold check dp.csp"), "{}", help.out);
    }
}

#[test]
fn text_says_verdict_reason_run_and_sum() {
    let folder = Folder::with("m.csp", EVERY_VERDICT);
    let ran = folder.run(&["check", "m.csp"]);
    assert_eq!(ran.status(), 1);
    for part in [
        "holds   R deadlockfree   (",
        "fails   P deadlockfree   (3 states, 2 steps, ",
        "        deadlock after 2 steps\n",
        "counterexample: 2 steps\n",
        "x = 2, board[1] = 2\n",
        "unknown R refines R   (",
        "not supported yet: refinement\n",
        "error   Q deadlockfree   (",
        "(m.csp:4:",
        "\n4 results: 1 holds, 1 fails, 1 unknown, 1 error\n",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in\n{}", ran.out);
    }
    assert!(!ran.out.contains('\x1b'));
    let bare = folder.run(&["check", "m.csp", "--trace", "none"]);
    assert!(!bare.out.contains("counterexample"));
    let colored = folder.run(&["check", "m.csp", "--color", "always"]);
    assert!(colored.out.contains("\x1b[1;31mfails"));
}
