//! Runs a model: world, code, positions.
//!
//! A definition becomes a [`world`] (everything numbered), the world and the rules become a [`Program`] (laws,
//! behavior and side-effects of one message woven into one function), and a program is played as positions
//! whose whole state is flat memory. Start reading at [`compile`].

#![warn(clippy::undocumented_unsafe_blocks)]

mod able;
mod adopt;
mod allotment;
mod bits;
mod buffer;
mod choices;
mod code;
mod cursor;
mod derived;
mod facts;
mod follow;
mod game;
mod glance;
mod guard;
mod hand;
mod history;
mod keeper;
mod layout;
mod listing;
pub mod lockstep;
mod lower;
mod marks;
mod meaning;
mod memory;
mod native;
mod opening;
mod outlook;
mod own;
mod past;
mod picks;
mod plan;
mod position;
mod program;
mod redeal;
mod roster;
mod running;
mod sampler;
mod shortcut;
mod strides;
mod swift;
mod tickets;
mod value;
mod vm;
mod witness;
mod words;

pub use game::{Game, Options, RuleState, arrange, compile};
pub use hand::{BY_HAND, PropertyState};
pub use houserules_walker::renewed::Renewed;
pub use houserules_walker::{constant, walk, world};
pub use past::Past;
pub use position::MachinePosition;
pub use program::{Locate, Program, RuleInfo, SettingInfo};
pub use shortcut::{Shortcut, Shortcuts};

use houserules_walker::{limits, lots, needs, numbers, phrase, refusing, sorting, twins, view};
