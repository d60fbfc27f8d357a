//! How processes hear each other: within one process, or over NATS.
//!
//! Start reading at [`Bus`], which sends messages and promises nothing; then at [`Station`], one of those that hear each other
//! over it. A [`Link`] between two stations carries messages in order, and is gone as soon as one of them may be missing: who
//! had it begins anew.
//!
//! [`handing`] hands jobs out to workers that come and go. Nothing here knows what is said.

mod frame;
pub mod handing;
mod hearing;
mod link;
mod local;
mod nats;
mod station;

pub use hearing::{Away, Bus, Heard, Later};
pub use link::{How, Link, Voice};
pub use local::Local;
pub use nats::Nats;
pub use station::{Call, Station, random_id};
