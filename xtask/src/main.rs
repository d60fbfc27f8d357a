//! Every chore is a command: `cargo xtask` lists them.

mod bench;
mod cargo;
mod features;
mod pages;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test                  formats, lints, all tests
cargo xtask features [--list]     which features of docs/features.md a passing test proves
cargo xtask bench [--seconds S]   random matches a second";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => test::run(),
        ["features"] => features::run(features::Detail::Missing),
        ["features", "--list"] => features::run(features::Detail::Proofs),
        ["bench"] => bench::run(1.0),
        ["bench", "--seconds", seconds] => match seconds.parse() {
            Ok(seconds) if seconds > 0.0 => bench::run(seconds),
            _ => Err(format!("“{seconds}” is no number of seconds.")),
        },
        [] | ["help" | "--help"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("There is no chore `{}`.\n{USAGE}", args.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
