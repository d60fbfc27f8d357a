//! A match gone through again.

use crate::play::{LogLine, Result};
use crate::rules::RuleInfo;
use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// The whole match in words, as one viewer may know it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayOutline {
    /// Steps 0 to `n_steps` can be looked at.
    pub n_steps: u32,
    /// Each with its step as `n`.
    pub log: Vec<LogLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub result: Option<Result>,
}

/// A match after so many steps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayStep {
    pub step: u32,
    pub scene: Scene,
    pub rules: Vec<RuleInfo>,
    /// What the rules did in this step, where that may be told: never of a match with secrets that is not over.
    pub trace: Vec<Traced>,
    /// What each rule has done in the match until then, where that may be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub did: Vec<RuleDid>,
}

/// How often a rule was asked in a match, and how often it refused something within what was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleDid {
    pub name: String,
    pub asked: u32,
    pub refused: u32,
}

/// One thing the rules did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Traced {
    /// How deep in other messages.
    pub depth: u32,
    pub words: String,
}

/// What a player thinks of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hint {
    pub seat: crate::Seat,
    /// The index of the choice it would make, at the position it was asked about.
    pub choice: u32,
    pub words: String,
    /// From −1, lost, to 1, won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<f64>,
    /// How play is expected to go on.
    pub line: Vec<String>,
    pub considered: Vec<Considered>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Considered {
    pub words: String,
    #[cfg_attr(test, ts(type = "number"))]
    pub visits: u64,
    pub value: f64,
}
