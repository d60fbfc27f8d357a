//! Running cargo, and where the project lies.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_owned()
}

/// The cargo that runs this chore, in the folder of the project.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs cargo with its output on the screen.
pub fn run(args: &[&str]) -> Result<(), String> {
    let shown = format!("cargo {}", args.join(" "));
    match cargo(args).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status}).")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}.")),
    }
}
