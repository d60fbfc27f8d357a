//! `cargo xtask protocol`: the protocol's types for the browser, and its list of codes, from the types that define it.

use crate::cargo;

/// The test that compares them writes them.
pub fn run() -> Result<(), String> {
    let args = ["test", "-p", "houserules-protocol", "--lib", "typescript"];
    let done = cargo::cargo(&args).env("HOUSERULES_WRITE", "1").status();
    match done {
        Ok(status) if status.success() => Ok(()),
        _ => Err("The types of the protocol could not be written.".into()),
    }
}
