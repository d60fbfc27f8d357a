//! `cargo xtask test`: what must pass before anything is merged.

use std::time::Instant;

use crate::{cargo, web};

/// Runs every step in turn and stops at the first that fails.
///
/// Besides Rust itself, two components of it are needed and a program in Python; they are installed where they are missing.
pub fn run() -> Result<(), String> {
    let began = Instant::now();
    heading("Tools");
    for component in ["rustfmt", "clippy"] {
        install(component)?;
    }
    for (title, args) in [
        ("Format", &["fmt", "--all", "--check"][..]),
        ("Lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        ("Tests", &["test", "--workspace"]),
    ] {
        heading(title);
        cargo::run(args)?;
    }
    heading("Browser: types, unit tests, bundle");
    web::check()?;
    heading("Browser: play");
    web::browser()?;
    heading(&format!("All good, in {:.0} seconds", began.elapsed().as_secs_f64()));
    Ok(())
}

fn heading(title: &str) {
    println!("\n== {title} ==");
}

fn install(component: &str) -> Result<(), String> {
    let subcommand = if component == "rustfmt" { "fmt" } else { component };
    let there = cargo::cargo(&[subcommand, "--version"]).output().is_ok_and(|output| output.status.success());
    if there {
        println!("{component} is there.");
        return Ok(());
    }
    println!("{component} is missing and gets installed.");
    let installed = std::process::Command::new("rustup").args(["component", "add", component]).status();
    match installed {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{component} could not be installed; `rustup component add {component}` would do it.")),
    }
}
