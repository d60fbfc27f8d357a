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

/// Builds a program of the project with the features that the whole of it turns on, so that it shares what tests and
/// chores have compiled already.
pub fn build(profile: &str, program: &str) -> Result<(), String> {
    run(&["build", "--profile", profile, "--workspace", "--bin", program])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every package with its features, as these arguments build them.
    fn compiled(args: &[&str]) -> Vec<String> {
        let shared = ["tree", "--offline", "--prefix", "none", "--format", "{p} {f}"];
        let listed = cargo(&[&shared[..], args].concat()).output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let mut lines: Vec<String> =
            String::from_utf8(listed.stdout).unwrap().lines().map(|line| line.replace(" (*)", "")).collect();
        lines.sort();
        lines.dedup();
        lines
    }

    #[test]
    fn chores_tests_and_the_program_share_what_is_compiled() {
        let tested = compiled(&["--workspace", "--edges", "normal,build,dev"]);
        for args in [&["--package", "xtask"][..], &["--workspace"]] {
            let built = compiled(&[args, &["--edges", "normal,build"]].concat());
            let twice: Vec<_> = built.iter().filter(|line| !tested.contains(line)).collect();
            assert!(twice.is_empty(), "xtask/Cargo.toml has to name what turns these on: {twice:#?}");
        }
    }
}
