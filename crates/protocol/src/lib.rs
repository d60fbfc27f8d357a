//! What a table and whoever sits at it say to each other.
//!
//! Start reading at [`FromClient`] and [`ToClient`], the two directions of a socket; [`table`] and [`game`] hold what is asked
//! for and answered over plain HTTP. `docs/protocol.md` says how they are used, in numbered rules.
//!
//! Nothing plays here: these are words on a wire, with names that stay. TypeScript types are made from them by a test.

pub mod game;
pub mod play;
pub mod proposal;
pub mod refusal;
pub mod replay;
pub mod rules;
pub mod scene;
pub mod socket;
pub mod study;
pub mod table;
pub mod watch;

pub use refusal::{Code, Refusal};
pub use socket::{Command, FromClient, Hello, ToClient, Update, Welcome};

/// Raised when an old client would misunderstand a new server.
pub const PROTOCOL: u32 = 4;

/// The number of a seat, from 0, in the order of the definition.
pub type Seat = u8;

#[cfg(test)]
mod typescript;
