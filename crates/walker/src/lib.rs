//! The meaning: a definition becomes a [`world`], in which everything that exists is numbered, and [`walk`] runs the
//! rules in it as they are written. The slow simple way; whatever is faster gives equal results.
//!
//! Beside it stands what every way to run a definition goes by: what a viewer may know ([`view`]), what a position means
//! in words ([`meaning`]), which things can be told apart ([`twins`]), what could still refuse ([`refusing`]).

pub mod constant;
pub mod hand;
pub mod limits;
pub mod lots;
pub mod meaning;
pub mod needs;
pub mod numbers;
pub mod phrase;
pub mod redeal;
pub mod refusing;
pub mod renewed;
pub mod sorting;
pub mod twins;
pub mod view;
pub mod walk;
pub mod world;
