//! Ceptre: games as facts, and rules that use facts up and make others, in stages.
//!
//! Start reading at [`check`], which turns a text into a [`Program`] and a list of messages; [`Running`] runs it as Ceptre
//! does, and [`Game`] makes a rulebook of it. [`net`] is how it is played fast, [`prove`] how backward rules are followed.

pub mod agenda;
pub mod board;
mod check;
mod course;
mod dash;
mod diagram;
pub mod facts;
pub mod fault;
mod game;
mod lex;
pub mod matching;
pub mod net;
mod parse;
mod position;
pub mod print;
pub mod program;
pub mod prove;
mod race;
pub mod run;
mod sanity;
pub mod seats;
mod sprint;
mod state;
pub mod store;
mod syntax;
mod words;
mod world;

pub use check::check;
pub use diagram::Diagram;
pub use fault::{Budget, Fault};
pub use game::Game;
pub use position::LinearPosition;
pub use program::Program;
pub use run::Running;
pub use sanity::sanity;
