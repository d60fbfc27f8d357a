//! A whole server, and people at its tables.

mod care;
mod common;
mod http;
mod lossy;
mod secrets;
mod sitters;
mod studies;
mod table;
