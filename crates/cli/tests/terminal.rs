//! `fairhold simulate` on a terminal: a conversation with the binary on a pseudo-terminal.
#![cfg(unix)]

mod command;

use command::{Folder, INFINITE};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PHILOSOPHERS: &str = "\
#define N 3;
Phil(i) = get.i.(i+1)%N -> get.i.i -> eat.i -> put.i.(i+1)%N -> put.i.i -> Phil(i);
Fork(x) = get.x.x -> put.x.x -> Fork(x) [] get.(x-1)%N.x -> put.(x-1)%N.x -> Fork(x);
College = || x:{0..N-1} @ (Phil(x) || Fork(x));
#assert College deadlockfree;
";

/// How long the binary may take to answer: debug builds on a busy machine need a margin.
const PATIENCE: Duration = Duration::from_secs(60);

/// A walk on a pseudo-terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Arc<Mutex<String>>,
    /// How much of the screen was looked at.
    seen: usize,
}

impl Terminal {
    fn start(folder: &Folder, model: &str) -> Terminal {
        let size = Winsize {
            ws_row: 50,
            ws_col: 120,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = openpty(&size, None).expect("the system has pseudo-terminals");
        let end = || Stdio::from(pty.slave.try_clone().expect("a descriptor can be copied"));
        let mut command = folder.command(&["simulate", model]);
        command
            .env("TERM", "xterm")
            .stdin(end())
            .stdout(end())
            .stderr(end());
        let child = command.spawn().expect("the binary runs");
        // Only the child holds the other end now, so its end is the end of the screen.
        drop(command);
        drop(pty.slave);
        let keyboard = File::from(pty.master);
        let mut output = keyboard.try_clone().expect("a descriptor can be copied");
        let screen = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n) = output.read(&mut bytes) {
                if n == 0 {
                    break;
                }
                let text = String::from_utf8_lossy(&bytes[..n]);
                shared.lock().expect("no test panics here").push_str(&text);
            }
        });
        Terminal {
            child,
            keyboard,
            screen,
            seen: 0,
        }
    }

    fn keys(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
    }

    /// Waits until the text appears after what was seen before.
    fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let screen = self.screen.lock().expect("the reader does not panic").clone();
            if let Some(at) = screen[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "`{text}` does not appear after\n{}",
                &screen[self.seen..]
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types a line, and waits for the answer and the next prompt.
    fn line(&mut self, line: &str, answer: &str, prompt: &str) {
        self.keys(line);
        self.keys("\r");
        self.expect(answer);
        self.expect(prompt);
    }

    /// The exit status.
    fn status(mut self) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                return status.code();
            }
            assert!(start.elapsed() < PATIENCE, "still running");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed expectation nobody else ends it; otherwise it has ended, and this does nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(folder: &Folder, name: &str) -> Json {
    let text = std::fs::read_to_string(folder.path().join(name)).expect("the walk was saved");
    serde_json::from_str(&text).expect("a trace is JSON")
}

#[test]
fn a_conversation_and_a_script_take_the_same_walk() {
    let folder = Folder::with("dp.csp", PHILOSOPHERS);
    let mut terminal = Terminal::start(&folder, "dp.csp");
    terminal.expect("help explains the commands");
    terminal.expect("step 0, the start");
    terminal.expect("0> ");
    terminal.line("1", "step 1, after get.0.1", "1> ");
    terminal.line("get.1", "step 2, after get.1.2", "2> ");
    terminal.line("undo", "step 1, after get.0.1, 1 ahead", "1> ");
    terminal.line("find eat.2", "found after", "> ");
    terminal.line("random 4 7", "after ", "> ");
    terminal.line("save one.json", "saved to one.json", "> ");
    terminal.line("jump 0", "step 0, the start", "0> ");
    terminal.line("load one.json", "after ", "> ");
    terminal.line(
        "dance",
        "`dance` is neither a command nor an event possible here",
        "> ",
    );
    terminal.line("help", "A walk goes through the model", "> ");
    terminal.line("save two.json", "saved to two.json", "> ");
    terminal.keys("quit\r");
    assert_eq!(terminal.status(), Some(0));

    let script = "1\nget.1\nundo\nfind eat.2\nrandom 4 7\nsave three.json\n";
    folder.write("walk.txt", script.as_bytes());
    let ran = folder.run(&["simulate", "dp.csp", "--script", "walk.txt", "--format", "json"]);
    assert_eq!(ran.status(), 0, "{ran:?}");
    let one = read(&folder, "one.json");
    assert!(one["walk"]["prefix"].as_array().expect("a list of steps").len() > 5);
    assert_eq!(one, read(&folder, "two.json"));
    assert_eq!(one, read(&folder, "three.json"));
    assert_eq!(one, ran.json());
    let ran = folder.run(&["replay", "one.json"]);
    assert_eq!(ran.status(), 0, "{ran:?}");
}

#[test]
fn lines_have_history_and_completion() {
    let folder = Folder::with("dp.csp", PHILOSOPHERS);
    let mut terminal = Terminal::start(&folder, "dp.csp");
    terminal.expect("0> ");
    terminal.line("get.2.0", "step 1, after get.2.0", "1> ");
    terminal.line("undo", "step 0, the start, 1 ahead", "0> ");
    // Up, up: the line before the last.
    terminal.line("\x1b[A\x1b[A", "step 1, after get.2.0", "1> ");
    terminal.line("und\t", "step 0, the start, 1 ahead", "0> ");
    terminal.line("get.1\t", "step 1, after get.1.2", "1> ");
    terminal.keys("\x04");
    assert_eq!(terminal.status(), Some(0));
}

#[test]
fn ctrl_c_clears_the_line_and_ctrl_d_stops() {
    let folder = Folder::with("dp.csp", PHILOSOPHERS);
    let mut terminal = Terminal::start(&folder, "dp.csp");
    terminal.expect("0> ");
    terminal.keys("rubbish");
    terminal.expect("rubbish");
    terminal.keys("\x03");
    terminal.expect("0> ");
    terminal.line("1", "step 1, after get.0.1", "1> ");
    for _ in 0..3 {
        // One at a time: outside of a line, Ctrl-C throws away what was typed ahead.
        terminal.keys("\x03");
        terminal.expect("1> ");
    }
    terminal.line("undo", "step 0, the start, 1 ahead", "0> ");
    terminal.keys("\x04");
    assert_eq!(terminal.status(), Some(0));
}

#[test]
fn ctrl_c_stops_a_search_and_not_the_walk() {
    let folder = Folder::with("m.csp", INFINITE);
    let mut terminal = Terminal::start(&folder, "m.csp");
    terminal.expect("0> ");
    for _ in 0..2 {
        terminal.keys("find x == -1\r");
        // The line of progress: the search is under way.
        terminal.expect(" states, ");
        let id = i32::try_from(terminal.child.id()).expect("process numbers are small");
        kill(Pid::from_raw(id), Signal::SIGINT).expect("the child can be signalled");
        terminal.expect("`x == -1` was not found: interrupted");
        terminal.expect("0> ");
    }
    terminal.line("1", "step 1, after up", "1> ");
    terminal.keys("\x04");
    assert_eq!(terminal.status(), Some(0));
}

#[test]
fn without_a_terminal_there_is_no_conversation() {
    let folder = Folder::with("dp.csp", PHILOSOPHERS);
    let ran = folder.run(&["simulate", "dp.csp"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.err.contains("there is no terminal to walk by hand on"),
        "{ran:?}"
    );
    let ran = folder.run_with_input(
        &["simulate", "dp.csp", "--script", "-"],
        b"1\n\n// a remark\nfind eat.9\n",
    );
    assert_eq!(ran.status(), 2);
    assert!(
        ran.err
            .contains("standard input, line 4: `eat.9` cannot be reached"),
        "{ran:?}"
    );
    let ran = folder.run(&["simulate", "dp.csp", "--random", "5", "--seed", "3"]);
    assert_eq!(ran.status(), 0);
    assert_eq!(
        ran.out,
        folder
            .run(&["simulate", "dp.csp", "--random", "5", "--seed", "3"])
            .out
    );
}
