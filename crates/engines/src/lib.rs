//! PostgreSQL and NATS for tests and chores: each started on this computer, on a port and in a folder of its own.
//!
//! Start reading at [`Postgres`] and [`Nats`]. Both end with whoever started them, however that ends: a small shell stands
//! beside each, and stops it when the pipe to it is closed. [`Cut`] stands between a server and its engine, as a network that
//! can fail.

mod cut;
mod kept;
mod nats;
mod postgres;

pub use cut::Cut;
pub use nats::Nats;
pub use postgres::Postgres;
