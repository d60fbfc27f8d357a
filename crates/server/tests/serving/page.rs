//! The page of the protocol and the tests that show its rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The numbers `[TB7]` of a text, in their order.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split("[TB").skip(1).filter_map(|rest| rest.split_once(']')?.0.parse().ok())
}

/// All that stands in tests: files of tests, and what comes after `#[cfg(test)]` elsewhere.
fn tests(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, all);
            continue;
        }
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        all.push_str(if is_test { &text } else { text.split_once("#[cfg(test)]").map_or("", |(_, test)| test) });
    }
}

#[test]
fn every_rule_of_the_page_has_one_number_and_a_test_that_quotes_it() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let page = std::fs::read_to_string(root.join("docs/protocol.md")).unwrap();
    let mut rules: BTreeMap<u32, u32> = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("- **[TB")) {
        *rules.entry(numbers(line).next().unwrap()).or_default() += 1;
    }
    let twice: Vec<_> = rules.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "Two rules of docs/protocol.md have one number: {twice:?}.");
    let mut all = String::new();
    for name in ["protocol", "server", "store", "client"] {
        let folder = root.join("crates").join(name);
        for part in ["src", "tests"].map(|part| folder.join(part)).iter().filter(|part| part.is_dir()) {
            tests(part, &mut all);
        }
    }
    let quoted: BTreeSet<u32> = numbers(&all).collect();
    let rules: BTreeSet<u32> = rules.into_keys().collect();
    let missing: Vec<_> = rules.difference(&quoted).collect();
    assert!(missing.is_empty(), "No test quotes these rules of docs/protocol.md: {missing:?}.");
    let unknown: Vec<_> = quoted.difference(&rules).collect();
    assert!(unknown.is_empty(), "Tests quote rules that docs/protocol.md does not have: {unknown:?}.");
}
