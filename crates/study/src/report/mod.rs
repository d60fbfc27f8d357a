//! What a study found, written down: for people in HTML, for programs in JSON.

mod html;
mod plot;
mod words;

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

/// How many matches of each subject had so many choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lengths {
    pub from: u64,
    pub to: u64,
    pub matches: Vec<u64>,
}

impl Report {
    /// How long matches were, from the shortest to the longest, in so many steps of equal width at most.
    pub fn lengths(&self, at_most: u64) -> Vec<Lengths> {
        let all = self.subjects.iter().flat_map(|subject| subject.lengths.keys().copied());
        let (least, most) = all.fold((u64::MAX, 0), |(least, most), length| (least.min(length), most.max(length)));
        if least > most {
            return Vec::new();
        }
        let wide = (most - least) / at_most.max(1) + 1;
        let step = |nth: u64| {
            let (from, to) = (least + nth * wide, least + (nth + 1) * wide - 1);
            let of = |subject: &Summary| subject.lengths.range(from..=to).map(|(_, n)| n).sum();
            Lengths { from, to, matches: self.subjects.iter().map(of).collect() }
        };
        (0..=(most - least) / wide).map(step).collect()
    }

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

    /// What each further subject does to the game, in a sentence or two without numbers.
    pub fn verdicts(&self) -> Vec<String> {
        let pairs = self.subjects.iter().skip(1).zip(&self.comparisons);
        pairs.map(|(other, comparison)| words::verdict(other, comparison)).collect()
    }

    /// What is different in each further subject, by more than noise: its label and a sentence for each difference.
    pub fn findings(&self) -> Vec<(&str, Vec<String>)> {
        let Some(base) = self.subjects.first() else { return Vec::new() };
        let pairs = self.subjects.iter().skip(1).zip(&self.comparisons);
        pairs.map(|(other, comparison)| (&*other.label, words::differences(base, other, comparison))).collect()
    }
}
