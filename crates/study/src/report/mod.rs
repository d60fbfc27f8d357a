//! What a study found, written down: for people in HTML, for programs in JSON.

mod html;
mod plot;

pub use html::html;

use serde::Serialize;

use crate::compare::{Comparison, compare};
use crate::plan::Plan;
use crate::summary::Summary;

/// Everything that is reported.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub game: String,
    pub players: Vec<String>,
    /// Matches that were wanted of each subject; those that were played stand in the summaries.
    pub matches: u64,
    pub seed: u64,
    pub longest: u64,
    pub subjects: Vec<Summary>,
    /// Each further subject with the first.
    pub comparisons: Vec<Comparison>,
}

impl Report {
    pub fn new(plan: &Plan, subjects: Vec<Summary>) -> Report {
        let comparisons = match subjects.split_first() {
            Some((base, others)) => others.iter().map(|other| compare(base, other)).collect(),
            None => Vec::new(),
        };
        Report {
            game: plan.title.clone(),
            players: plan.players.iter().map(ToString::to_string).collect(),
            matches: plan.matches,
            seed: plan.seed,
            longest: plan.longest,
            subjects,
            comparisons,
        }
    }

    /// The differences that are more than noise, a sentence each.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for comparison in &self.comparisons {
            let of = |label: &str, key: &str| {
                let subject = self.subjects.iter().find(|subject| subject.label == label)?;
                subject.figures.iter().find(|figure| figure.key == key).map(|figure| figure.words())
            };
            for difference in comparison.differences.iter().filter(|difference| difference.more_than_noise) {
                let (base, other) = (of(&comparison.base, &difference.key), of(&comparison.other, &difference.key));
                if let (Some(base), Some(other)) = (base, other) {
                    findings.push(format!("{}, {}: {other} instead of {base}.", comparison.other, difference.title));
                }
            }
        }
        findings
    }
}
