//! What a table keeps of what happened.

use houserules_protocol::play::How;
use houserules_protocol::proposal::Wish;
use houserules_protocol::table::{Manners, OpenTable};
use serde::{Deserialize, Serialize};

/// What never changes about a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// As it was named when the table was opened.
    pub game: String,
    /// The text it is played by, as it was then.
    pub definition: String,
    pub wanted: OpenTable,
    pub forked_from: Option<String>,
}

impl About {
    pub fn manners(&self) -> &Manners {
        &self.wanted.manners
    }

    /// Whether somebody brought the definition.
    pub fn is_brought(&self) -> bool {
        self.game.starts_with("d-")
    }
}

/// One thing that happened. A chair is a person's place; matches give it a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Entry {
    /// A match begins: which chair sits on each seat.
    Begin {
        seats: Vec<u8>,
    },
    /// A line of the record.
    Line {
        line: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        agreed: Vec<String>,
    },
    /// Two chairs have changed seats before the match.
    Swapped {
        one: u8,
        other: u8,
    },
    Sat {
        chair: u8,
        name: String,
    },
    Left {
        chair: u8,
    },
    /// The machine sits there; `away`: for a person who gets it back on returning.
    Bot {
        chair: u8,
        level: u8,
        away: bool,
    },
    /// The person sits there again.
    Back {
        chair: u8,
    },
    Proposed {
        chair: Option<u8>,
        wish: Wish,
    },
    Agreed {
        proposal: u32,
        chair: u8,
    },
    Settled {
        proposal: u32,
        agreed: bool,
        by: String,
    },
    Talk {
        chair: Option<u8>,
        by: String,
        text: String,
        key: String,
    },
    Paused {
        by: String,
    },
    Resumed {
        by: String,
    },
    Hints {
        on: bool,
    },
    Ended {
        ranks: Vec<u8>,
        how: How,
    },
}

impl Entry {
    pub fn line(line: String) -> Self {
        Entry::Line { line, by: String::new(), agreed: Vec::new() }
    }

    /// Whether somebody typed what the machine is to run.
    pub fn is_typed(&self) -> bool {
        matches!(self, Entry::Line { line, .. } if line.starts_with("change ") || line.starts_with("hand "))
    }

    /// The word in the column of the database.
    pub fn kind(&self) -> &'static str {
        match self {
            Entry::Begin { .. } => "begin",
            Entry::Line { .. } => "line",
            Entry::Swapped { .. } => "swapped",
            Entry::Sat { .. } => "sat",
            Entry::Left { .. } => "left",
            Entry::Bot { .. } => "bot",
            Entry::Back { .. } => "back",
            Entry::Proposed { .. } => "proposed",
            Entry::Agreed { .. } => "agreed",
            Entry::Settled { .. } => "settled",
            Entry::Talk { .. } => "talk",
            Entry::Paused { .. } => "paused",
            Entry::Resumed { .. } => "resumed",
            Entry::Hints { .. } => "hints",
            Entry::Ended { .. } => "ended",
        }
    }
}
