//! Catches where the ways to run a game differ.
//!
//! An [`Author`] writes definitions at random by a [`grammar`], a [`Trial`] plays one of them in walker, interpreter and
//! native code at once, and [`shrink`] makes what differs as small as it can.

pub mod author;
pub mod grammar;
pub mod shrink;
pub mod targets;
pub mod trial;

pub use author::{Author, Written};
pub use grammar::Grammar;
pub use shrink::shrink;
pub use trial::{Ended, Played, Trial};
