//! Tables with people at them.
//!
//! Start reading at [`Server`], then at [`table`], one task that owns a match: everything else sends it messages. `hall` finds
//! tables and wakes them, `rest` answers plain HTTP, `socket` serves a viewer, `thinking` lets the machine think on threads of
//! its own, `cluster` shares the tables with other servers, `studies` plays many matches to see what a rule does. What is said is in `houserules-protocol`, what is kept in `houserules-store`.

mod clock;
mod cluster;
mod config;
mod door;
mod editing;
mod elsewhere;
mod figures;
mod from_wire;
mod games;
mod hall;
mod packed;
mod pages;
mod pictures;
mod rate;
mod records;
mod rest;
mod serve;
mod socket;
mod studies;
mod table;
mod thinking;
pub mod to_wire;

pub use config::{Config, Limits};
pub use elsewhere::{THINK, answer};
pub use hall::Hall;
pub use serve::Server;
pub use table::{picture, seen};

use houserules_protocol::{Code, Refusal};

/// What the database says, where something could not be kept or found.
pub(crate) fn unkept(error: houserules_store::StoreError) -> Refusal {
    use houserules_store::Why;
    let code = match error.why {
        Why::Away => Code::ServerNoDatabase,
        Why::Taken => Code::TableMoved,
        Why::Other => return fault(error),
    };
    tracing::warn!(%error, "not kept");
    Refusal::new(code, code.meaning())
}

/// A mistake of ours: told to nobody but the operator.
pub(crate) fn fault(error: impl std::fmt::Display) -> Refusal {
    tracing::error!(%error, "a fault");
    Refusal::new(Code::ServerFault, Code::ServerFault.meaning())
}
