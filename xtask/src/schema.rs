//! `cargo xtask schema`: the server asked everything its OpenAPI document allows, and much that it does not.

use crate::cargo;
use crate::tables::{Folder, Served, build};
use std::path::Path;
use std::process::Command;

/// Newer ones may judge otherwise.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// Besides what is never right: an answer of a kind that is not documented.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method";

/// Runs schemathesis, which is installed under `target/` where it is missing.
pub fn run() -> Result<(), String> {
    let program = cargo::root().join("target/schemathesis/bin/st");
    if !program.exists() {
        install(&cargo::root().join("target/schemathesis"))?;
    }
    let server = build(false)?;
    let folder = Folder::new("schema")?;
    let served = Served::start(&server, &folder, 0)?;
    let told = Command::new(&program)
        .arg("run")
        .arg(format!("http://{}/api/openapi.json", served.address))
        .args(["--checks", CHECKS, "--max-examples", "15", "--seed", "1", "--phases", "examples,coverage,fuzzing"])
        .args(["--generation-database", "none", "--no-color"])
        .current_dir(&folder.0)
        .status();
    match told {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("The server did not answer as its OpenAPI document says; see above.".into()),
        Err(error) => Err(format!("{} cannot be started: {error}.", program.display())),
    }
}

fn install(folder: &Path) -> Result<(), String> {
    println!("{SCHEMATHESIS} is missing and gets installed.");
    let run = |program: &Path, args: &[&str]| match Command::new(program).args(args).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{SCHEMATHESIS} could not be installed: it needs Python 3 with venv, and PyPI.")),
    };
    run(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()])?;
    run(&folder.join("bin/pip"), &["install", "--quiet", SCHEMATHESIS])
}
