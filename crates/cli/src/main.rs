use std::process::ExitCode;

use clap::Parser;
use houserules::args::Args;
use houserules::commands;

fn main() -> ExitCode {
    commands::run(Args::parse())
}
