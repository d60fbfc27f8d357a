//! The `houserules` program: play, check, count and change games in the terminal.
//!
//! It knows a game only as a `Rulebook` and its `Position`s. Where games come from is known to one
//! module, [`games`]; everything else would work for a game written by hand tomorrow.

pub mod args;
pub mod clock;
pub mod commands;
pub mod draw;
pub mod failure;
pub mod games;
pub mod interrupt;
pub mod paint;
pub mod picture;
pub mod play;
pub mod playout;
pub mod seating;
pub mod sitter;
pub mod terminal;
pub mod thinking;
pub mod traced;
pub mod typed;
