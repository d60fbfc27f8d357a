//! `cargo xtask fuzz`: definitions made at random, played in every way at once.

use crate::cargo;

/// Plays random definitions in lockstep and stops at the first difference.
pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut programs, mut seed) = ("10000", "0");
    let mut rest = options;
    while let [option, value, further @ ..] = rest {
        match *option {
            "--programs" => programs = value,
            "--seed" => seed = value,
            _ => return Err(unknown(option)),
        }
        rest = further;
    }
    if let [option, ..] = rest {
        return Err(unknown(option));
    }
    for number in [programs, seed] {
        number.parse::<u64>().map_err(|_| format!("“{number}” is no number."))?;
    }
    cargo::run(&[
        "run",
        "--profile",
        "fuzz",
        "--package",
        "houserules-net",
        "--bin",
        "net",
        "--",
        "--programs",
        programs,
        "--seed",
        seed,
    ])
}

fn unknown(option: &str) -> String {
    format!("`cargo xtask fuzz` does not know `{option}`, or it lacks a value; `cargo xtask` lists what it does.")
}
