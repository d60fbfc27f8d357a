use std::collections::BTreeSet;
use std::process::Stdio;

use super::quoted::Quote;
use crate::{cargo, web};

/// Runs all tests and gives the names of those that pass, with their modules: `twin::tests::a_line_wins`.
///
/// Those of the browser have their file before their name: `web/tests/browser/play.spec.ts a move is made`.
pub fn run() -> Result<BTreeSet<String>, String> {
    let mut passing = in_rust()?;
    passing.extend(in_browser()?);
    Ok(passing)
}

/// What passes in a real browser, as its runner reports it.
fn in_browser() -> Result<BTreeSet<String>, String> {
    eprintln!("Running the tests of the browser …");
    let report = cargo::root().join("target/browser-tests.json");
    let _ = std::fs::remove_file(&report);
    // One that fails does not keep the others from being counted.
    let told = web::reported(&report);
    let text = std::fs::read_to_string(&report)
        .map_err(|error| told.err().unwrap_or_else(|| format!("{}: {error}", report.display())))?;
    seen(&text, &cargo::root().display().to_string())
}

/// The tests that passed, of a report in the format of Jest.
fn seen(report: &str, root: &str) -> Result<BTreeSet<String>, String> {
    let report: serde_json::Value =
        serde_json::from_str(report).map_err(|error| format!("The report of the browser cannot be read: {error}."))?;
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let mut passing = BTreeSet::new();
    for file in list(&report["testResults"]) {
        let name =
            file["name"].as_str().unwrap_or_default().trim_start_matches(root).trim_start_matches('/').to_owned();
        for test in list(&file["assertionResults"]) {
            if test["status"] == "passed" {
                passing.insert(format!("{name} {}", test["title"].as_str().unwrap_or_default()));
            }
        }
    }
    Ok(passing)
}

fn in_rust() -> Result<BTreeSet<String>, String> {
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
    if quote.is_in_browser() {
        return passing.contains(&format!("{} {}", quote.file, quote.test));
    }
    passing.iter().any(|name| name.rsplit("::").next() == Some(&quote.test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_browser_only_what_passed_is_read() {
        let report = r#"{"testResults":[{"name":"/p/web/tests/browser/a.spec.ts","assertionResults":[
            {"title":"is seen","status":"passed"},{"title":"is not","status":"failed"},{"title":"rests","status":"skipped"}]}]}"#;
        let passing = seen(report, "/p").unwrap();
        assert_eq!(passing, BTreeSet::from(["web/tests/browser/a.spec.ts is seen".into()]));
        let quote = |test: &str| Quote {
            file: "web/tests/browser/a.spec.ts".into(),
            test: test.into(),
            feature: "AB-1".into(),
        };
        assert!(has(&passing, &quote("is seen")) && !has(&passing, &quote("is not")));
    }

    #[test]
    fn only_what_passed_is_read() {
        let output = "running 3 tests\ntest a::works ... ok\ntest a::fails ... FAILED\ntest a::rests ... ignored\ntest a::panics - should panic ... ok\n";
        assert_eq!(read(output), BTreeSet::from(["a::works".into(), "a::panics".into()]));
    }
}
