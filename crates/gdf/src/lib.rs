//! The XML game file of Game-Master: text to model and back.
//!
//! Start reading at [`read()`], then at [`write()`]; [`tags`] has the tables that both go by. What the format cannot say
//! stands in tags of a namespace of its own, which other readers skip, as text of the definition language.

mod convert;
mod embedded;
mod read;
mod reference;
mod remarks;
mod split;
pub mod tags;
mod words;
mod write;
mod xml;

pub use convert::to_gdl;
pub use read::{Reading, read};
pub use reference::reference;
pub use remarks::Remarks;
pub use split::{join, split};
pub use write::write;
pub use xml::{LONGEST, NAMESPACE, NODES};

/// How the name of a game file ends.
pub const ENDING: &str = ".gdf.xml";
