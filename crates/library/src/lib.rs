//! Finds a game by its name or path, says what is wrong with it, and compiles it.
//!
//! Start reading at [`find`]. The folder `games/` of the project is part of the program; a build for testing reads
//! it from the disk, so that an edit shows at once.

mod about;
mod bgd;
mod ceptre;
mod change;
mod diagram;
mod find;
mod game_file;
mod shelf;

pub use about::{About, Label, RuleAbout, SettingAbout, about};
pub use bgd::{Bgd, PRECEDENCE};
pub use ceptre::Ceptre;
pub use change::{by_hand, changed, leaks};
pub use diagram::diagram;
pub use find::{Found, enclosed, find, locate, named_in, open};
pub use game_file::{ENDING as GAME_FILE_ENDING, GameFile};
pub use houserules_bgd::{SEATED, fmt as format_bgd, syntax as bgd_syntax};
pub use houserules_gdf as gdf;
pub use houserules_gdl::read_file;
pub use houserules_linear as linear;
pub use houserules_machine::{Game, MachinePosition, Options};
pub use shelf::{Embedded, file, list, list_bgd, list_ceptre, list_files, minutes, picture};
