//! `cargo xtask test`: what must pass before anything is merged.

use houserules_engines::{Nats, Postgres};
use std::time::Instant;

use crate::{cargo, schema, web};

/// Runs every step in turn and stops at the first that fails.
///
/// Besides Rust itself, two components of it are needed, a validator of XML, PostgreSQL, NATS and a program in Python; they
/// are installed where they are missing.
pub fn run() -> Result<(), String> {
    let began = Instant::now();
    heading("Tools");
    for component in ["rustfmt", "clippy"] {
        install(component)?;
    }
    let is_validator = || answers("xmllint", "--version");
    install_package("xmllint", "libxml2-utils", "others with libxml2", is_validator)?;
    install_package("PostgreSQL", "postgresql", "others likewise", Postgres::is_installed)?;
    install_package("NATS", "nats-server", "others likewise", Nats::is_installed)?;
    for (title, args) in [
        ("Format", &["fmt", "--all", "--check"][..]),
        ("Lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        ("Tests", &["test", "--workspace"]),
    ] {
        heading(title);
        cargo::run(args)?;
    }
    heading("Server: its OpenAPI document");
    schema::run(&[])?;
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

fn answers(program: &str, arg: &str) -> bool {
    std::process::Command::new(program).arg(arg).output().is_ok_and(|found| found.status.success())
}

/// What tests need from elsewhere: a validator that knows nothing of this program, a database, a bus.
fn install_package(name: &str, package: &str, others: &str, is_there: impl Fn() -> bool) -> Result<(), String> {
    if is_there() {
        println!("{name} is there.");
        return Ok(());
    }
    println!("{name} is missing and gets installed.");
    for args in [&["update"][..], &["install", "-y", package]] {
        let done = std::process::Command::new("apt-get").args(args).status();
        if !done.is_ok_and(|status| status.success()) {
            break;
        }
    }
    match is_there() {
        true => Ok(()),
        false => Err(format!("{name} could not be installed; Debian has it in {package}, {others}.")),
    }
}
