//! Spira: games on boards, built in Rust and written down in Ceptre.
//!
//! Start reading at [`Spira`], then at [`games`], where each game is a page. A stage is entered with a token of a player and
//! left with another one when a rule has fired; so links need only say what follows success and what follows failure.

mod board;
mod build;
mod emit;
pub mod games;
mod list;
mod term;

pub use board::{Board, Form};
pub use build::{Interactive, Noninteractive, Players, Spira, Stage, StageKind};
pub use list::List;
pub use term::{Constructor, Implication, Predicate, Term, Type, becomes};
