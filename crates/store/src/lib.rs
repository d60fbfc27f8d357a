//! Tables kept in a database: SQLite in one file, or PostgreSQL, where several servers may share them.
//!
//! Start reading at [`Store`]. A table is a row that never changes and a log that only grows: what a table is follows from
//! both. [`Entry`]s of a log have numbers without gaps under a unique key, so that two who write at once cannot both succeed.
//!
//! [`lease`] says which of several servers a table belongs to. Nothing here knows what the entries say.

mod error;
mod lease;
mod log;
mod store;
mod token;

pub use error::{StoreError, Why};
pub use lease::{Fence, Other, Owner};
pub use log::Entry;
pub use store::{Kept, Store, is_address, shown};
pub use token::{Token, TokenHash};
