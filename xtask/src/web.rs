//! What the browser's part needs: its packages, a real browser, its checks, and the bundle that is committed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// `cargo xtask web`: builds the bundle anew that the program carries.
pub fn build() -> Result<(), String> {
    packages()?;
    npm(&["run", "--silent", "build"])
}

/// `cargo xtask vscode`: packs the extension, which has no packages of its own.
pub fn vscode() -> Result<(), String> {
    let script = cargo::root().join("editors/vscode/package.mjs");
    match Command::new("node").arg(script).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("The extension could not be packed.".into()),
        Err(error) => Err(format!("Node could not be started ({error}): version 20 or newer is needed.")),
    }
}

/// Types, unit tests, and whether the committed bundle is what the sources give.
pub fn check() -> Result<(), String> {
    packages()?;
    npm(&["run", "--silent", "check"])?;
    npm(&["test", "--silent"])?;
    let fresh = cargo::root().join("target/web-dist");
    let fresh_arg = fresh.display().to_string();
    npm(&["run", "--silent", "build", "--", "--outDir", &fresh_arg, "--logLevel", "warn"])?;
    same(&folder().join("dist"), &fresh)
}

/// Plays in a real browser against the real program.
pub fn browser() -> Result<(), String> {
    shown("browser")
}

/// The same, with a report of every test at a path.
pub fn reported(report: &Path) -> Result<(), String> {
    packages()?;
    chromium()?;
    cargo::build("dev", "houserules")?;
    let report = format!("--outputFile.json={}", report.display());
    npm(&["run", "--silent", "browser", "--", "--reporter=default", "--reporter=json", &report])
}

/// A script of `web/package.json` that drives a real browser and the real program: tests, pictures, figures.
pub fn shown(script: &str) -> Result<(), String> {
    packages()?;
    chromium()?;
    cargo::build("dev", "houserules")?;
    npm(&["run", "--silent", script])
}

fn folder() -> PathBuf {
    cargo::root().join("web")
}

/// Installs what the lock file names, once.
fn packages() -> Result<(), String> {
    let age = |path: PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
    let installed = age(folder().join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= age(folder().join("package-lock.json")) {
        return Ok(());
    }
    println!("The packages of web/ are missing or old and get installed.");
    npm(&["ci", "--no-audit", "--no-fund", "--silent"])
}

fn chromium() -> Result<(), String> {
    let there = || Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success());
    if there() {
        return Ok(());
    }
    println!("Chromium is missing and gets installed.");
    let install = "(apt-get update -qq && apt-get install -y -qq chromium fonts-dejavu-core) >/dev/null 2>&1";
    let _ = Command::new("sh").args(["-c", install]).status();
    if there() {
        Ok(())
    } else {
        Err("Chromium could not be installed; `apt-get install chromium` would do it.".into())
    }
}

fn npm(args: &[&str]) -> Result<(), String> {
    let ran = Command::new("npm").args(args).current_dir(folder()).status();
    match ran {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`npm {}` failed in web/.", args.join(" "))),
        Err(error) => Err(format!("npm could not be started ({error}): Node 20 or newer is needed.")),
    }
}

/// Compares two folders, file by file.
fn same(committed: &Path, fresh: &Path) -> Result<(), String> {
    let (old, new) = (files(committed), files(fresh));
    let differing = old.iter().chain(&new).find(|path| {
        let read = |folder: &Path| std::fs::read(folder.join(path)).ok();
        read(committed) != read(fresh)
    });
    match differing {
        None if !old.is_empty() => Ok(()),
        None => Err("web/dist is empty; `cargo xtask web` builds it.".into()),
        Some(path) => {
            Err(format!("web/dist/{} is not what the sources give; `cargo xtask web` builds it anew.", path.display()))
        }
    }
}

/// All files below a folder, as paths relative to it, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.to_path_buf());
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_is_old_is_told_with_its_file() {
        let at = std::env::temp_dir().join(format!("houserules-web-{}", std::process::id()));
        let [old, new] = ["old", "new"].map(|name| at.join(name));
        for (folder, text) in [(&old, "1"), (&new, "2")] {
            std::fs::create_dir_all(folder.join("assets")).unwrap();
            std::fs::write(folder.join("index.html"), "").unwrap();
            std::fs::write(folder.join("assets/main.js"), text).unwrap();
        }
        assert!(same(&old, &new).unwrap_err().starts_with("web/dist/assets/main.js is not"));
        std::fs::write(new.join("assets/main.js"), "1").unwrap();
        assert_eq!(same(&old, &new), Ok(()));
        std::fs::remove_dir_all(at).unwrap();
    }
}
