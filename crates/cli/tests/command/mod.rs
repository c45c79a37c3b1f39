//! Running the binary in a folder of its own.

#![allow(dead_code, reason = "every test target uses a part of this")]

use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Three assertions: `holds`, `fails`, `unknown`; the fourth goes wrong.
pub(crate) const EVERY_VERDICT: &str = "\
var x = 0;
var board[2];
P = [x < 2] up{x = x + 1; board[1] = x} -> P;
Q = bad{board[x + 5] = 1} -> Q;
R = a -> R;
#assert R deadlockfree;
#assert P deadlockfree;
#assert R refines R;
#assert Q deadlockfree;
";

/// Never ends: `x` grows until it wraps around.
pub(crate) const INFINITE: &str = "\
var x = 0;
P = up{x = x + 1} -> P;
#assert P deadlockfree;
";

/// A folder that is removed with this value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fairhold-cli-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, text: &str) -> Folder {
        let folder = Folder::new();
        folder.write(name, text.as_bytes());
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairhold"));
        command
            .args(args)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.spawn_with(args, Stdio::piped());
        let mut stdin = child.stdin.take().unwrap();
        // The program may refuse to read on; that is its right.
        let _ = stdin.write_all(input);
        drop(stdin);
        Ran::new(child.wait_with_output().unwrap())
    }

    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.spawn_with(args, Stdio::null())
    }

    fn spawn_with(&self, args: &[&str], stdin: Stdio) -> Child {
        let mut command = self.command(args);
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            status: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The status, after a look at standard error: no panic is ever an answer.
    pub(crate) fn status(&self) -> i32 {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.status
            .unwrap_or_else(|| panic!("ended by a signal: {self:?}"))
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The codes of the diagnostics.
    pub(crate) fn codes(&self) -> Vec<String> {
        let json = self.json();
        let diagnostics = json["diagnostics"].as_array().unwrap();
        let code = |d: &Json| d["code"].as_str().unwrap().to_owned();
        diagnostics.iter().map(code).collect()
    }
}
