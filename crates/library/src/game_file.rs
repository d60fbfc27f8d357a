//! Games in XML files, found and read like the others.

use houserules_gdf::{Reading, Remarks, bench, read};
use houserules_gdl::Loaded;
use houserules_model::Definition;

pub use houserules_gdf::ENDING;

/// A game file as it was read. What is played may be more: see [`Found::definition`](crate::Found::definition).
#[derive(Clone, Debug)]
pub struct GameFile {
    /// What the file says.
    pub definition: Definition,
    pub remarks: Remarks,
}

/// What can be played, and what the file says. Where it says nothing of what may be done, a referee may tell every
/// thing to do what it can.
pub(crate) fn game_file(path: &str, text: &str) -> (Loaded, GameFile) {
    let Reading { mut loaded, remarks } = read(path, text);
    let file = GameFile { definition: loaded.definition.clone(), remarks };
    if let Some(bench) = bench(&loaded.definition) {
        loaded.definition = bench;
    }
    (loaded, file)
}
