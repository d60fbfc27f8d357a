use crate::Change;
use houserules_kernel::{Choice, Who};

/// One thing that happened in a match. A line of a record says the same in words.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Overruled: against an advised rule, by a ruling.
    Play {
        who: Who,
        choice: Choice,
        overruled: bool,
    },
    Change(Change),
    /// Statements a referee had a thing carry out.
    Hand {
        entity: String,
        statements: String,
    },
    Undo(u32),
    Redo(u32),
    Note(Box<Note>),
    Ruling(Box<Ruling>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// In the words of the caller, such as `2026-01-31T12:00:00Z`; empty: unknown.
    pub time: String,
    pub by: String,
    pub text: String,
}

/// What was decided about a choice that an advised rule is against.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    pub who: Who,
    pub choice: Choice,
    pub allowed: bool,
    /// A referee's name, or `consent`.
    pub by: String,
    pub rule: String,
}

impl Event {
    /// Whether it is a step that undo takes back.
    pub fn is_step(&self) -> bool {
        matches!(self, Event::Play { .. } | Event::Change(_) | Event::Hand { .. })
    }
}
