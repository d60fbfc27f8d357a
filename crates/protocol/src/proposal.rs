//! What needs the others' consent.

use crate::Seat;
use crate::rules::Change;
use serde::{Deserialize, Serialize};

/// What somebody wants and not everybody has agreed to yet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Proposal {
    /// The number under which it was made.
    pub id: u32,
    pub by: String,
    /// The proposer's seat, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seat: Option<Seat>,
    pub what: Wish,
    /// In words: `South proposes: Chain Reaction off`.
    pub words: String,
    /// The seats whose consent is still missing.
    pub waiting: Vec<Seat>,
    pub agreed: Vec<Seat>,
}

/// What can be proposed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// Back to before the last decision of the seat that asks, or so many steps.
    Undo {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        steps: Option<u32>,
    },
    Redo {
        steps: u32,
    },
    Change {
        change: Change,
    },
    /// Something done by hand between two actions.
    Hand {
        entity: String,
        statements: String,
    },
    /// A choice that an advised rule is against.
    Ruling {
        seat: Seat,
        choice: u32,
    },
    Draw,
    Pause,
    Resume,
    /// Another match, seats rotated, house rules and links kept.
    Rematch,
    /// Hints and evaluation for everybody, or for nobody.
    Hints {
        on: bool,
    },
}
