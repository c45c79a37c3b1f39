//! Runs the documents of `spec/` against the binary. See `fairhold_testkit::spec` for their format.

use fairhold_testkit::spec::{self, Kind};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    spec::main(
        &folder,
        Kind::Specification,
        Path::new(env!("CARGO_BIN_EXE_fairhold")),
    )
}
