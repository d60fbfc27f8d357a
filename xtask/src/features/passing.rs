use std::collections::BTreeSet;
use std::process::Stdio;

use super::quoted::Quote;
use crate::cargo;

/// Runs all tests and gives the names of those that pass, with their modules: `twin::tests::a_line_wins`.
pub fn run() -> Result<BTreeSet<String>, String> {
    eprintln!("Running the tests …");
    let output = cargo::cargo(&[
        "test",
        "--workspace",
        "--quiet",
        "--no-fail-fast",
        "--lib",
        "--bins",
        "--tests",
        "--",
        "--format=pretty",
    ])
    .stderr(Stdio::inherit())
    .output()
    .map_err(|error| format!("The tests could not be run: {error}."))?;
    let passing = read(&String::from_utf8_lossy(&output.stdout));
    if passing.is_empty() {
        return Err("No test passed; do they compile?".into());
    }
    Ok(passing)
}

/// `test twin::tests::a_line_wins ... ok`
fn read(output: &str) -> BTreeSet<String> {
    let names = output.lines().filter_map(|line| {
        let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        // A test that should panic has a remark behind its name.
        (result == "ok").then(|| name.split(" - ").next().unwrap_or(name).to_owned())
    });
    names.collect()
}

/// A test is known here by the last part of its name; test names are claims, and rarely made twice.
pub fn has(passing: &BTreeSet<String>, quote: &Quote) -> bool {
    passing.iter().any(|name| name.rsplit("::").next() == Some(&quote.test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passed_is_read() {
        let output = "running 3 tests\ntest a::works ... ok\ntest a::fails ... FAILED\ntest a::rests ... ignored\ntest a::panics - should panic ... ok\n";
        assert_eq!(read(output), BTreeSet::from(["a::works".into(), "a::panics".into()]));
    }
}
