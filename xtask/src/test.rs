//! `cargo xtask test`: what must pass before anything is merged.

use std::time::Instant;

use crate::{cargo, schema, web};

/// Runs every step in turn and stops at the first that fails.
///
/// Besides Rust itself, two components of it are needed, a validator of XML and a program in Python; they are installed
/// where they are missing.
pub fn run() -> Result<(), String> {
    let began = Instant::now();
    heading("Tools");
    for component in ["rustfmt", "clippy"] {
        install(component)?;
    }
    install_validator()?;
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

/// What says whether a game file fits its schema, and knows nothing of this program.
fn install_validator() -> Result<(), String> {
    let there =
        || std::process::Command::new("xmllint").arg("--version").output().is_ok_and(|found| found.status.success());
    if there() {
        println!("xmllint is there.");
        return Ok(());
    }
    println!("xmllint is missing and gets installed.");
    for args in [&["update"][..], &["install", "-y", "libxml2-utils"]] {
        let done = std::process::Command::new("apt-get").args(args).status();
        if !done.is_ok_and(|status| status.success()) {
            break;
        }
    }
    match there() {
        true => Ok(()),
        false => Err("xmllint could not be installed; Debian has it in libxml2-utils, others with libxml2.".into()),
    }
}
