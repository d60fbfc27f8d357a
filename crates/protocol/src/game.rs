//! Games of the library, and definitions that people bring.

use crate::rules::{Diagnostic, RuleInfo, SettingInfo, VariantInfo};
use serde::{Deserialize, Serialize};

/// What is on the shelf.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Library {
    pub games: Vec<GameCard>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameCard {
    /// What names it in addresses: the name of a game of the library, or `d-` and a digest for one that was brought.
    pub id: String,
    pub title: String,
    pub summary: String,
    /// Fewest and most who can play.
    pub least_seats: u8,
    pub most_seats: u8,
    /// The seats' names, with the fewest.
    pub seats: Vec<String>,
    /// `hidden`, `chance`, `simultaneous`, and what the definition calls itself.
    pub tags: Vec<String>,
    /// Minutes of a match, where the definition says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub minutes: Option<u32>,
    /// The language it is written in: `gdl`.
    pub language: String,
    pub n_variants: u32,
    /// The names of all rules, for searching.
    pub rules: Vec<String>,
    /// The address of a picture (SVG).
    pub picture: String,
}

/// A game and all there is to know before playing it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GamePage {
    pub card: GameCard,
    /// `#info` by its key, in the order of the definition.
    pub info: Vec<InfoLine>,
    /// The rules in plain words (Markdown), where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub words: Option<String>,
    pub rules: Vec<RuleInfo>,
    pub settings: Vec<SettingInfo>,
    pub variants: Vec<VariantInfo>,
    /// The definition, its own file first.
    pub files: Vec<SourceFile>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InfoLine {
    pub key: String,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

/// A definition that somebody brings, to be checked or kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The definition first, then what it includes.
    #[schema(min_items = 1, max_items = 16)]
    pub files: Vec<SourceFile>,
}

/// What the reader and the checker say of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Checked {
    /// Whether it can be played; warnings do not stand against it.
    pub playable: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// A definition was kept; whoever knows the id can play it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kept {
    /// `d-` and a digest of the text.
    pub id: String,
    pub diagnostics: Vec<Diagnostic>,
}
