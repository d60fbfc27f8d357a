//! `cargo xtask schema`: the server asked everything its OpenAPI document allows, and much that it does not.

use crate::cargo;
use crate::tables::{Build, Folder, GAME, Served, build};
use houserules_client::{get, open};
use houserules_protocol::table::{OpenTable, SitterWish, TableOpened};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Newer ones may judge otherwise.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// Besides what is never right: an answer of a kind that is not documented.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method";

/// Runs schemathesis, which is installed under `target/` where it is missing; so many examples of each request.
pub fn run(options: &[&str]) -> Result<(), String> {
    let examples = match options {
        [] => "15",
        ["--examples", number] if number.parse::<u32>().is_ok() => number,
        _ => return Err("`schema` takes `--examples N`.".into()),
    };
    let program = cargo::root().join("target/schemathesis/bin/st");
    if !program.exists() {
        install(&cargo::root().join("target/schemathesis"))?;
    }
    let server = build(Build::Debug)?;
    let folder = Folder::new("schema")?;
    let served = Served::start(&server, &folder, 0)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let (table, doomed, document) = runtime.block_on(async {
        let document: Value = get(&served.address, "/api/openapi.json", None).await?.read()?;
        Ok::<_, String>((table(&served.address).await?, table(&served.address).await?, document))
    })?;
    let file = folder.0.join("openapi.json");
    let document = aimed(document, &table.table, &doomed.table).to_string();
    std::fs::write(&file, document).map_err(|error| format!("{} cannot be written: {error}.", file.display()))?;
    let tokens = [&table.host, &table.seats[0].token, &doomed.host].map(String::as_str).join(",");
    let told = Command::new(&program)
        .arg("run")
        .arg(&file)
        .args(["--url", &format!("http://{}", served.address)])
        .args(["--header", &format!("Authorization: Bearer {tokens}")])
        .args(["--checks", CHECKS, "--max-examples", examples, "--seed", "1", "--phases", "examples,coverage,fuzzing"])
        .args(["--generation-database", "none", "--no-color"])
        .current_dir(&folder.0)
        .status();
    match told {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("The server did not answer as its OpenAPI document says; see above.".into()),
        Err(error) => Err(format!("{} cannot be started: {error}.", program.display())),
    }
}

/// A table with a person and the machine at it.
async fn table(address: &str) -> Result<TableOpened, String> {
    let sitters = vec![SitterWish::Me { name: "Ada".into() }, SitterWish::Bot { level: 1 }];
    let wanted = OpenTable { game: GAME.into(), sitters, at_once: true, ..OpenTable::default() };
    open(address, &wanted).await
}

/// The document with a table in it that there is: what asks for any other learns only that there is none. What deletes a
/// table gets one of its own.
fn aimed(mut document: Value, table: &str, doomed: &str) -> Value {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.iter_mut());
    for (path, operations) in paths {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            let name = if method == "delete" && path.ends_with("{table}") { doomed } else { table };
            // Asked for by `[]`, what is missing would be made, and null is no list of parameters.
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                if parameter["name"] == "table" {
                    parameter["schema"] = json!({ "type": "string", "enum": [name] });
                }
            }
        }
    }
    document
}

fn install(folder: &Path) -> Result<(), String> {
    println!("{SCHEMATHESIS} is missing and gets installed.");
    let run = |program: &Path, args: &[&str]| match Command::new(program).args(args).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{SCHEMATHESIS} could not be installed: it needs Python 3 with venv, and PyPI.")),
    };
    let environment = || run(Path::new("python3"), &["-m", "venv", &folder.to_string_lossy()]);
    if environment().is_err() {
        // Debian keeps it in a package of its own.
        let _ = Command::new("apt-get").args(["install", "-y", "-qq", "python3-venv"]).status();
        environment()?;
    }
    run(&folder.join("bin/pip"), &["install", "--quiet", SCHEMATHESIS])
}
