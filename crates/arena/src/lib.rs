//! Matches and tournaments put together by a file.
//!
//! Start reading at [`MatchFile`]: it names the game, its house rules and the players, in TOML or in the XML of Cohen's
//! framework. [`Referee`] plays one match, [`Tournament`] many, and [`elo`] says how strong each player is. [`crew`] puts
//! all cores to work, and [`journal`] keeps what is done, so that whatever is interrupted goes on later.
//!
//! A mistake in a file is told with the file, the line and the names that are known.

mod build;
pub mod crew;
pub mod elo;
mod fault;
pub mod journal;
mod match_file;
mod referee;
mod toml_file;
mod tournament;
mod xml_file;

pub use build::{Arena, Chair};
pub use fault::Fault;
pub use match_file::{At, MatchFile, Pairing, PlayerEntry, Rounds};
pub use referee::{Played, Referee, Step, Watcher};
pub use tournament::{Meeting, Stopped, Tournament, play};
