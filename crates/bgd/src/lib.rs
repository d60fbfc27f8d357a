//! BGD, a language for board games: players, locations, objects, rounds and actions.
//!
//! Reading goes in steps, each a module: `lex` makes tokens, [`parse()`] a program, `names` finds out what its names
//! stand for, [`check()`] says what is wrong, [`lower()`] writes the definition that plays it. Who sits at the table
//! is said by a [`Cast`]. [`fmt()`] lays a text out.

mod cast;
mod check;
mod fmt;
mod lex;
mod lower;
mod names;
mod parse;
mod place;
pub mod syntax;
mod types;

pub use cast::Cast;
pub use check::check;
pub use fmt::fmt;
pub use lower::{Lowered, SEATED, lower};
pub use parse::{Precedence, parse};
pub use place::placed;
