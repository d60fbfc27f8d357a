//! Tables kept in a database: SQLite in one file, unless told otherwise.
//!
//! Start reading at [`Store`]. A table is a row that never changes and a log that only grows: what a table is follows from
//! both. [`Entry`]s of a log have numbers without gaps under a unique key, so that two who write at once cannot both succeed.
//!
//! Nothing here knows what the entries say.

mod log;
mod store;
mod token;

pub use log::Entry;
pub use store::{Kept, Store, StoreError};
pub use token::{Token, TokenHash};
