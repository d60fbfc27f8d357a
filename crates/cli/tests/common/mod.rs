//! The real program, run as a person runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of the program left.
pub struct Ran {
    pub out: String,
    pub err: String,
    pub status: i32,
}

/// Runs the program in a folder, with lines typed.
pub fn run_in(folder: &Path, args: &[&str], typed: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_houserules"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough closes its input; that is its right.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { out: text(output.stdout), err: text(output.stderr), status: output.status.code().unwrap() }
}

/// Runs the program where the tests are.
#[allow(dead_code, reason = "some test files have a folder of their own")]
pub fn run(args: &[&str], typed: &str) -> Ran {
    run_in(Path::new("."), args, typed)
}
