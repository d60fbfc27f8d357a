//! A record as text.
//!
//! A record is a superset of the lines `S`, `A` and `R` of the Board Game Description language:
//!
//! ```text
//! houserules record 1
//! game awele
//! digest 5b0e…
//! set goal=20
//! seed 7
//! S South human
//! S North random
//! A South hole3
//! R 2 - 3
//! rule off Chain Reaction
//! change 2
//! | #law "Never hole 1" on startSeeding
//! |   (require (> number 1))
//! undo 1
//! note 2026-01-31T12:00:00Z South: That was wrong.
//! result South 1, North 2
//! fingerprint 0123456789abcdef
//! ```

mod parse;
mod print;
mod words;

pub use print::mode_word;
pub(crate) use words::{bare, one_line};

use houserules_model::Mode;

/// What must be kept to play a match again. Any beginning of a record is a record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    pub head: Head,
    pub lines: Vec<Line>,
}

/// Which game, by which rules, and who sat where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Head {
    /// Tells records apart; forks name it.
    pub id: String,
    /// What is typed to name the game. Empty in a record that does not say.
    pub game: String,
    pub title: String,
    /// Of the rulebook as the match began.
    pub digest: String,
    pub variants: Vec<String>,
    pub off: Vec<String>,
    pub advised: Vec<String>,
    pub settings: Vec<(String, String)>,
    /// Where the match began, in the notation of the field.
    pub position: Option<String>,
    pub players: Option<u32>,
    pub seed: Option<u64>,
    /// Who decides about what is only advised: a name, or `consent`.
    pub referee: Option<String>,
    /// The records this one was forked from, oldest first.
    pub forks: Vec<Fork>,
    /// The files of the definition with their paths, the definition first; none: only the digest refers to them.
    pub rules: Vec<(String, String)>,
    pub seats: Vec<Seat>,
}

/// A record that shares its beginning with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    pub of: String,
    /// So many lines after the seats are common to both.
    pub after: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    pub seat: String,
    /// A person or a player.
    pub sitter: String,
    /// The line it stands on; 0 where it was not read.
    pub at: usize,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The line of the text it stands on, from 1; 0 where it was not read.
    pub at: usize,
    pub kind: LineKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LineKind {
    /// `A SEAT WORDS`
    Choice {
        seat: String,
        words: String,
    },
    /// `R INDEX - WORDS`
    Chance {
        index: u64,
        words: String,
    },
    /// `rule off NAME`
    Rule {
        mode: Mode,
        rule: String,
    },
    /// `set NAME=VALUE`
    Set {
        name: String,
        value: String,
    },
    /// `change N` and N lines of the definition language.
    Change {
        text: String,
    },
    /// `hand THING STATEMENTS`: the referee changed something.
    Hand {
        entity: String,
        statements: String,
    },
    Undo(u32),
    Redo(u32),
    /// `note TIME BY: TEXT`; a time of `-` is unknown.
    Note {
        time: String,
        by: String,
        text: String,
    },
    /// `ruling allowed by WHO: SEAT WORDS -- RULE`
    Ruling {
        allowed: bool,
        by: String,
        seat: String,
        words: String,
        rule: String,
    },
    /// `result SEAT RANK, SEAT RANK`
    Result(Vec<(String, u8)>),
    Fingerprint(u64),
}

/// Why a line cannot be read or played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// From 1; 0 for the record as a whole.
    pub line: usize,
    pub reason: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.reason),
            line => write!(f, "line {line}: {}", self.reason),
        }
    }
}

impl std::error::Error for Fault {}

/// What could be read, up to the first fault.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    pub record: Record,
    pub fault: Option<Fault>,
}

impl Record {
    /// The first line of every record written here.
    pub const BEGINNING: &str = "houserules record";

    pub fn parse(text: &str) -> Parsed {
        parse::parse(text)
    }
}

/// As it stands in a record, without the end of its line.
impl std::fmt::Display for LineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&print::one(self))
    }
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&print::record(self))
    }
}
