//! The folders of `games/`.

use std::fs;
use std::path::PathBuf;

use houserules_library as library;

use crate::cargo;

/// The name of a game and where it lies.
pub struct Folder {
    pub name: String,
    pub path: PathBuf,
}

/// Every folder of `games/` in alphabetical order, with or without a definition; not those of games in other languages alone.
pub fn folders() -> Result<Vec<Folder>, String> {
    let games = cargo::root().join("games");
    let told = |error: std::io::Error| format!("{} cannot be read: {error}.", games.display());
    let mut folders = Vec::new();
    for entry in fs::read_dir(&games).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let foreign = ["game.cep", "game.bgd", "game.gdf.xml"].iter().any(|file| path.join(file).exists());
        if path.is_dir() && (path.join("game.gdl").exists() || !foreign) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folders.push(Folder { name, path });
        }
    }
    folders.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(folders)
}

/// A game of the library under these options.
pub fn compile(name: &str, options: &library::Options) -> Result<library::Game, String> {
    library::find(name)?.compile(options).map_err(|messages| format!("{name}:\n{messages}"))
}
