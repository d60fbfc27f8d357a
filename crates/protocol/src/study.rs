//! Many quick matches, to see what a change of rules does.

use crate::table::SettingValue;
use serde::{Deserialize, Serialize};

/// Which rules to compare with those of the print.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StudyWanted {
    pub game: String,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub variants: Vec<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub settings: Vec<SettingValue>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub off: Vec<String>,
    /// Of each subject.
    #[schema(minimum = 1, maximum = 1000)]
    pub matches: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StudyReport {
    pub matches: u32,
    pub figures: Vec<FigureRow>,
}

/// One figure under the printed rules and under the others, with errors.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FigureRow {
    pub name: String,
    pub printed: f64,
    pub printed_error: f64,
    pub changed: f64,
    pub changed_error: f64,
    /// Whether the difference is more than noise.
    pub differs: bool,
}
