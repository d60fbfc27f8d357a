//! Reads a definition without playing it and says what would go wrong.
//!
//! [`check`] takes any definition, however broken, and gives messages for its author: an error where play
//! would stop or mean nothing, a warning where something is probably not meant.
//!
//! An [`outline::Outline`] says who has what; [`site`] lists the bodies; [`walk`] reads each body once, looks
//! every word up and lets the families of checks say their part.

mod check;

mod kinds;
mod known;
mod meaning;
mod outline;
mod places;
mod site;
mod tree;
mod walk;

mod chance;
mod game;
mod laws;
mod messages;
mod models;
mod names;
mod privacy;
mod purity;
mod states;
mod targets;
mod types;
mod usage;
mod variables;

pub use check::check;
