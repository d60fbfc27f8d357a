//! Many quick matches, to see what a change of rules does.

use crate::rules::Change;
use serde::{Deserialize, Serialize};

/// What would this change do to the game? Compared with the rules of the table as they stand; without a change, what is
/// the game like as it stands?
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyWanted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub change: Option<Change>,
    /// Of the game as it is, and as many with the change, if there is one; 200, if nothing is said.
    #[serde(default = "usual_matches")]
    #[schema(minimum = 1, maximum = 1000)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub matches: u32,
    /// How well it is played, from 1 to 3; at random, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 3)]
    #[cfg_attr(test, ts(optional))]
    pub level: Option<u8>,
}

fn usual_matches() -> u32 {
    200
}

/// How far a study is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyState {
    pub study: String,
    /// The change, in words: `Chain Reaction → off`.
    pub words: String,
    pub phase: StudyPhase,
    /// Matches played, and to be played in all.
    pub done: u32,
    pub total: u32,
    /// Why it ended before it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub why: Option<String>,
    /// When it has ended: what the matches say that were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub report: Option<StudyReport>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StudyPhase {
    /// For other studies to end.
    Waiting,
    Playing,
    Done,
    /// Somebody stopped it, or its time was up.
    Stopped,
    /// A rule has a fault.
    Failed,
}

/// What two kinds of matches say, one beside the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyReport {
    /// How many were played as the rules are, and with the change; none with it where there is none.
    pub matches_now: u32,
    pub matches_changed: u32,
    /// Who played: `random`, `level2`.
    pub players: String,
    /// What the change does, in a sentence or two without numbers.
    pub verdict: String,
    /// What differs by more than noise, a sentence each.
    pub findings: Vec<String>,
    pub figures: Vec<FigureRow>,
    /// How long matches were, from the shortest on, in steps of equal width.
    pub lengths: Vec<LengthRow>,
    /// In what part of some matches each rule in force mattered: without it they would have gone otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub rules: Vec<RuleRow>,
    /// Matches of each kind in which rules were left out one by one.
    #[serde(default)]
    pub rule_matches: u32,
}

/// How many matches had so many choices.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LengthRow {
    /// The fewest choices counted here, and the most.
    pub from: u32,
    pub to: u32,
    pub now: u32,
    pub changed: u32,
}

/// What a rule did in matches under the rules as they are and under the others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleRow {
    pub rule: String,
    /// From 0 to 1; missing where the rule is not in force, or where the game cannot do without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub now: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub changed: Option<f64>,
}

/// One figure under the rules as they are and under the others; without others it is twice the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FigureRow {
    /// A name that stays, such as `length`.
    pub key: String,
    pub title: String,
    pub now: FigureValue,
    pub changed: FigureValue,
    /// Whether the difference is more than noise.
    pub differs: bool,
}

/// A number with its error: with 95 in 100 the true one lies within so much.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FigureValue {
    pub mean: f64,
    pub error: f64,
    /// As people read it: `52.3 % ±1.2`.
    pub words: String,
}
