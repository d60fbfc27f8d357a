//! A whole server, and people at its tables.

mod by_hand;
mod care;
mod clicks;
mod common;
mod http;
mod letters;
mod lossy;
mod page;
mod secrets;
mod sitters;
mod studies;
mod table;
mod traces;
mod watching;
