//! A table from the other side, for whoever plays without a browser: tests, measurements.
//!
//! Start reading at [`Known`]: all that a client knows of a table, kept up to date by what it is sent. [`Line`] is a connection,
//! [`rest`] asks over plain HTTP.

mod known;
mod line;
mod rest;

pub use known::{Known, Lost};
pub use line::Line;
pub use rest::{Answered, ask, delete, get, open, sit};
