//! Games in XML files, found and read like the others.

use houserules_gdf::Remarks;

pub use houserules_gdf::ENDING;

/// What is known of a game file besides its definition.
#[derive(Clone, Debug)]
pub struct GameFile {
    pub remarks: Remarks,
}
