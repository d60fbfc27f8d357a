//! `cargo xtask protocol`: what the browser has from Rust: the protocol's types, its list of codes, our pictures.

use crate::cargo;

/// The tests that compare them write them.
pub fn run() -> Result<(), String> {
    for args in
        [&["-p", "houserules-protocol", "--lib", "typescript"][..], &["-p", "houserules-scene", "--test", "browser"]]
    {
        let done = cargo::cargo(&[&["test"], args].concat()).env("HOUSERULES_WRITE", "1").status();
        if !done.is_ok_and(|status| status.success()) {
            return Err("What the browser has from Rust could not be written.".into());
        }
    }
    Ok(())
}
