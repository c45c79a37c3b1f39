//! Runs the documents of `spec/` against the binary. See `fairhold_testkit::spec` for their format.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    fairhold_testkit::spec::main(&folder, Path::new(env!("CARGO_BIN_EXE_fairhold")))
}
