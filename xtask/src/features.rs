//! `cargo xtask features`: which features a passing test proves.

mod listed;
mod passing;
mod quoted;

use std::collections::{BTreeMap, BTreeSet};

use crate::cargo;
use listed::Feature;
use quoted::Quote;

/// What is printed besides the counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The features nobody proves.
    Missing,
    /// Every proven feature with its tests.
    Proofs,
}

pub fn run(detail: Detail) -> Result<(), String> {
    let root = cargo::root();
    let features = listed::read(&root.join("docs/features.md"))?;
    let quotes = quoted::scan(&root)?;
    let passing = passing::run()?;
    print!("{}", report(&features, &quotes, &passing, detail));
    Ok(())
}

fn report(features: &[Feature], quotes: &[Quote], passing: &BTreeSet<String>, detail: Detail) -> String {
    let mut proofs: BTreeMap<&str, Vec<&Quote>> = BTreeMap::new();
    let mut failing: Vec<&Quote> = Vec::new();
    let (quotes, said): (Vec<&Quote>, Vec<&Quote>) = quotes.iter().partition(|quote| quote.plays());
    for &quote in &quotes {
        if passing::has(passing, quote) {
            proofs.entry(&quote.feature).or_default().push(quote);
        } else {
            failing.push(quote);
        }
    }
    let mut report = String::new();
    let mut line = |text: String| {
        report.push_str(&text);
        report.push('\n');
    };
    let mut prefixes: Vec<&str> = features.iter().map(|feature| feature.prefix()).collect();
    prefixes.dedup();
    for &prefix in &prefixes {
        let of_prefix: Vec<&Feature> = features.iter().filter(|feature| feature.prefix() == prefix).collect();
        let (proven, missing): (Vec<&&Feature>, Vec<&&Feature>) =
            of_prefix.iter().partition(|feature| proofs.contains_key(feature.number.as_str()));
        line(format!("{prefix}  {} of {}", proven.len(), of_prefix.len()));
        match detail {
            Detail::Missing if !missing.is_empty() => {
                let numbers: Vec<u32> = missing.iter().map(|feature| feature.index()).collect();
                line(format!("    not yet: {}", ranges(&numbers)));
            }
            Detail::Missing => {}
            Detail::Proofs => {
                for feature in proven {
                    line(format!("  {}  {}", feature.number, feature.text));
                    for quote in &proofs[feature.number.as_str()] {
                        line(format!("      {} {}", quote.file, quote.test));
                    }
                }
            }
        }
    }
    let known: BTreeSet<&str> = features.iter().map(|feature| feature.number.as_str()).collect();
    for quote in quotes.iter().filter(|quote| !known.contains(quote.feature.as_str())) {
        line(format!("{} {} quotes {}, and there is no such feature.", quote.file, quote.test, quote.feature));
    }
    for quote in said {
        line(format!(
            "{} {} quotes {} where nothing is played: that proves nothing.",
            quote.file, quote.test, quote.feature
        ));
    }
    for quote in failing {
        line(format!("{} {} quotes {} and does not pass.", quote.file, quote.test, quote.feature));
    }
    let total = features.iter().filter(|feature| proofs.contains_key(feature.number.as_str())).count();
    line(format!("{total} of {} features are proven by a passing test.", features.len()));
    report
}

/// `1–3, 7`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = ranges.iter().map(|&(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_whole() {
        let features = listed::read(&cargo::root().join("docs/features.md")).unwrap();
        let count = |prefix: &str| features.iter().filter(|feature| feature.prefix() == prefix).count();
        assert_eq!(["FR", "GM", "CF", "BG", "SP"].map(count), [191, 266, 34, 74, 59]);
    }

    #[test]
    fn a_quote_counts_when_its_test_passes() {
        let feature = |number: &str| Feature { number: number.into(), text: "can do it".into() };
        let quote = |test: &str, number: &str| Quote { file: "a.rs".into(), test: test.into(), feature: number.into() };
        let features = [feature("AB-1"), feature("AB-2"), feature("AB-3"), feature("AB-4")];
        let said = Quote { file: "crates/gdl/tests/b.rs".into(), ..quote("works", "AB-4") };
        let quotes = [quote("works", "AB-2"), quote("fails", "AB-3"), quote("works", "AB-9"), said];
        let passing = BTreeSet::from(["tests::works".to_owned()]);
        let expected = "\
AB  1 of 4
    not yet: 1, 3, 4
a.rs works quotes AB-9, and there is no such feature.
crates/gdl/tests/b.rs works quotes AB-4 where nothing is played: that proves nothing.
a.rs fails quotes AB-3 and does not pass.
1 of 4 features are proven by a passing test.
";
        assert_eq!(report(&features, &quotes, &passing, Detail::Missing), expected);
        assert!(report(&features, &quotes, &passing, Detail::Proofs).contains("  AB-2  can do it\n      a.rs works\n"));
    }

    #[test]
    fn neighbours_are_shown_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1–3, 7, 9, 10");
    }
}
