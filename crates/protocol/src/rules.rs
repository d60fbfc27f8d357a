//! Rules, what can be changed about them, and what is wrong with a text.

use serde::{Deserialize, Serialize};

/// A rule of a game, or of a match as it stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleInfo {
    pub name: String,
    pub kind: RuleKind,
    pub mode: Mode,
    /// What the definition says, before anybody changed anything; none for a rule that was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub printed: Option<Mode>,
    /// The messages it stands on; `*` for any.
    pub on: Vec<String>,
    /// As it is written in the definition language.
    pub text: String,
    /// Whether the text is another one than at the start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub rewritten: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RuleKind {
    Law,
    AfterLaw,
    SideEffect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    Enforced,
    Advised,
    Off,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettingInfo {
    pub name: String,
    pub value: String,
    /// What the definition says.
    pub printed: String,
    /// Within which it may be a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub range: Option<Range>,
    /// The words it may be; empty: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub among: Vec<String>,
    pub about: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Range {
    #[cfg_attr(test, ts(type = "number"))]
    pub least: i64,
    #[cfg_attr(test, ts(type = "number"))]
    pub most: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VariantInfo {
    /// Those with equal words before a colon exclude each other.
    pub name: String,
    pub text: String,
}

/// A change of the rules of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    Mode {
        rule: String,
        mode: Mode,
    },
    Setting {
        name: String,
        value: String,
    },
    /// Text of the definition language: a rule added or replaced, a property, an entity, a view. One with `#game` is the
    /// whole definition, and what it does not say is gone.
    Text {
        text: String,
    },
}

/// What would come of a change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Diagnosis {
    /// Whether the match could go on with it.
    pub fits: bool,
    /// Why not, in words, where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub why: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// How many moves so far were looked at again with it, and which would have been refused or gone otherwise.
    pub looked_at: u32,
    pub would_differ: Vec<u32>,
}

/// A message about a text: what is wrong, where, and what to type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: String,
    pub title: String,
    /// The file; none where the fault has no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub place: Option<Place>,
    /// What the place says.
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<String>,
    /// The whole message, drawn as text.
    pub drawn: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Error,
    Warning,
    /// Nothing is wrong, but something is missing before it can be played.
    ToDo,
}

/// A stretch of a text. Lines and columns count from 1, start and end in bytes from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub start: u32,
    pub end: u32,
}
