//! A match is its record.
//!
//! Start reading at [`Record`], the text: a head that says which game with which rules, then a line for each choice, each
//! outcome of chance, each change of rules. [`Match`] is a position, its record and the rules in force: it plays, undoes
//! and redoes, changes rules and lets a referee rule. [`Replay`] goes through a record forwards and backwards.
//!
//! There is no clock and no file in here; times are words that the caller hands in.

mod account;
mod change;
mod defined;
mod event;
mod fingerprint;
mod fixed;
mod found;
mod matches;
mod replay;
mod rules;
mod running;
mod scribe;
mod text;
mod tracer;
mod trail;

pub use account::{Account, Told};
pub use change::Change;
pub use defined::Defined;
pub use event::Event;
pub use fixed::Fixed;
pub use found::{Opened, Source, Start, Which, begin, files, open, open_in};
pub use matches::{Match, Refused, Warning};
pub use replay::{Happened, Replay, resolve};
pub use running::{Property, RuleState, Running};
pub use scribe::line_of;
pub use text::{Fault, Fork, Head, Line, LineKind, Parsed, Record, Seat, mode_word};
pub use tracer::{Answering, Followed, MessageLog, Traced, TracedWhat, Tracer};
pub use trail::{Changed, History, changes, history, seen};
