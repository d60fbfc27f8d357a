//! Tables: how they are opened, who sits there, how people deal with each other.

use crate::Seat;
use serde::{Deserialize, Serialize};

/// What somebody wants to play, and with whom.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OpenTable {
    /// The id of a game.
    pub game: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub variants: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub settings: Vec<SettingValue>,
    /// Rules that are off from the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub off: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub advised: Vec<String>,
    /// Where the match begins, in the notation of the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub position: Option<String>,
    /// How many play; the fewest, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub n_seats: Option<u8>,
    /// Who sits where, in the order of the seats; what is missing is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub sitters: Vec<SitterWish>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub manners: Manners,
    /// Begin as soon as no seat is open.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub at_once: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SettingValue {
    pub name: String,
    pub value: String,
}

/// Who is to sit somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SitterWish {
    /// Whoever opens the link.
    #[default]
    Open,
    /// The one who opens the table: the answer has the token of the seat.
    Me { name: String },
    /// The machine, from level 1 to 10.
    Bot {
        #[schema(minimum = 1, maximum = 10)]
        level: u8,
    },
}

/// How people deal with each other at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct Manners {
    /// Who decides about changes of rules.
    pub rules: Consent,
    /// Who decides about choices that advised rules are against.
    pub advised: Consent,
    /// Who decides about taking back.
    pub undo: Consent,
    pub hints: bool,
    pub spectators: bool,
    /// Whether spectators see talk and may talk.
    pub spectators_talk: bool,
    /// So many moves later spectators see what happens; for games with secrets.
    pub spectator_delay: u32,
    pub clock: ClockKind,
}

impl Default for Manners {
    fn default() -> Self {
        Manners {
            rules: Consent::All,
            advised: Consent::All,
            undo: Consent::All,
            hints: false,
            spectators: true,
            spectators_talk: true,
            spectator_delay: 0,
            clock: ClockKind::None,
        }
    }
}

/// Who has to agree. The machine always does; so do people who are away for a minute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Consent {
    /// Every seat.
    #[default]
    All,
    Majority,
    /// The host alone.
    Host,
    /// It is not done.
    Nobody,
}

/// How time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClockKind {
    #[default]
    None,
    /// So many seconds for the match, and so many more after each move.
    Match {
        #[schema(minimum = 1, maximum = 86400)]
        seconds: u32,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        increment: u32,
    },
    /// So many seconds for each move; days for matches by correspondence.
    Move {
        #[schema(minimum = 1, maximum = 2592000)]
        seconds: u32,
    },
}

/// A table was opened. The tokens are shown once and kept nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableOpened {
    pub table: String,
    pub host: String,
    pub watch: String,
    /// Of every seat: the token of its invitation.
    pub invitations: Vec<SeatToken>,
    /// Of the seats that the opener took: the sitter's own token.
    pub seats: Vec<SeatToken>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatToken {
    pub seat: Seat,
    pub token: String,
}

/// Sitting down by an invitation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Sit {
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
}

/// A fork of a table, after so many entries of its log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ForkAt {
    /// As many steps of the record; none: up to now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub step: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub sitters: Vec<SitterWish>,
}

/// What everybody at a table may know of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableInfo {
    pub table: String,
    pub game: String,
    pub title: String,
    /// Of the rules the match began with.
    pub digest: String,
    pub variants: Vec<String>,
    pub settings: Vec<SettingValue>,
    pub off: Vec<String>,
    pub advised: Vec<String>,
    pub manners: Manners,
    pub phase: Phase,
    pub seats: Vec<SeatInfo>,
    /// From 1; a rematch is the next.
    #[serde(rename = "match")]
    pub number: u32,
    /// How many changes of rules are in effect.
    pub n_changes: u32,
    /// Whether anything of the game may be hidden from somebody.
    pub secrets: bool,
    /// The table and step it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub forked_from: Option<String>,
}

/// What has changed of it; the rest stays as it is as long as there is a table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableChange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub manners: Option<Manners>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub phase: Option<Phase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seats: Option<Vec<SeatInfo>>,
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub number: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub n_changes: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub secrets: Option<bool>,
}

impl TableInfo {
    /// What became of it, for somebody who knows it as it was; nothing of that: all that can change.
    pub fn changes_from(&self, old: Option<&TableInfo>) -> TableChange {
        fn new<T: Clone + PartialEq>(old: Option<&T>, now: &T) -> Option<T> {
            (old != Some(now)).then(|| now.clone())
        }
        // Who is connected is told by `presence`.
        let sits = |seats: &[SeatInfo]| -> Vec<SeatInfo> {
            seats.iter().map(|seat| SeatInfo { here: false, ..seat.clone() }).collect()
        };
        let reseated = old.is_none_or(|old| sits(&old.seats) != sits(&self.seats));
        TableChange {
            manners: new(old.map(|old| &old.manners), &self.manners),
            phase: new(old.map(|old| &old.phase), &self.phase),
            seats: reseated.then(|| self.seats.clone()),
            number: new(old.map(|old| &old.number), &self.number),
            n_changes: new(old.map(|old| &old.n_changes), &self.n_changes),
            secrets: new(old.map(|old| &old.secrets), &self.secrets),
        }
    }

    pub fn apply(&mut self, change: &TableChange) {
        fn set<T: Clone>(field: &mut T, new: &Option<T>) {
            if let Some(new) = new {
                field.clone_from(new);
            }
        }
        set(&mut self.manners, &change.manners);
        set(&mut self.phase, &change.phase);
        set(&mut self.seats, &change.seats);
        set(&mut self.number, &change.number);
        set(&mut self.n_changes, &change.n_changes);
        set(&mut self.secrets, &change.secrets);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// People are still sitting down.
    Lobby,
    Playing,
    Paused,
    Over,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatInfo {
    pub seat: Seat,
    /// As the definition calls it.
    pub title: String,
    /// Whose place it is now: links go with the chair. Missing: the chair of the seat's own number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub chair: Option<u8>,
    pub sitter: SitterKind,
    /// Of the person; empty where there is none.
    pub name: String,
    /// Whether a person is connected.
    pub here: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SitterKind {
    Open,
    Person,
    Bot {
        level: u8,
        /// It stands in for a person, who gets the seat back on returning.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        stands_in: bool,
    },
}

/// The clocks of all seats, at the moment of sending.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Clocks {
    /// Milliseconds left of each seat.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub left: Vec<u64>,
    /// Whose clocks run.
    pub running: Vec<Seat>,
}

/// Who is there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Presence {
    /// Of each seat: whether somebody is connected.
    pub here: Vec<bool>,
    pub spectators: u32,
}
