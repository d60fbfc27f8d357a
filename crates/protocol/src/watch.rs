//! A match watched from within: what the rules did in each step, and what things keep.

use serde::{Deserialize, Serialize};

/// What was done after a step, and what things kept then, if it was asked from the beginning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Watched {
    /// The number of the match at its table: another one has steps of its own.
    pub number: u32,
    /// All that things keep before the first step; only with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub first: Vec<Held>,
    pub steps: Vec<WatchedStep>,
    /// Later steps are not followed: there are too many.
    pub cut: bool,
}

/// One thing and one of its properties.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Held {
    pub thing: String,
    pub property: String,
    /// None: it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WatchedStep {
    /// From 1, as in the log of a replay.
    pub step: u32,
    /// What the rules did, what is inside something else after it and deeper.
    pub lines: Vec<WatchedLine>,
    /// Why that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub lost: Option<String>,
    /// What is not what it was.
    pub changed: Vec<Held>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WatchedLine {
    pub depth: u32,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub what: WatchedWhat,
}

/// One thing the rules did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum WatchedWhat {
    /// A message reached a thing.
    Message {
        label: String,
        to: String,
        /// Each with its value in words.
        attributes: Vec<(String, String)>,
        /// The model whose behavior answers, and its state.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        model: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        state: Option<String>,
    },
    /// Nothing answered it.
    Unanswered,
    Rule {
        rule: RuleSort,
        name: String,
        /// Why a law refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        refused: Option<String>,
    },
    Wrote {
        thing: String,
        property: String,
        before: String,
        after: String,
    },
    /// What was written since the checkpoint is as it was then.
    RolledBack {
        reason: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RuleSort {
    Law,
    AfterLaw,
    SideEffect,
}
