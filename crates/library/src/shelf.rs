//! The folder `games/`, as part of the program.

use houserules_gdl::{Disk, Files};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../games/"]
#[allow_missing = true]
#[include = "*.bgd"]
#[include = "*.cep"]
#[include = "*.gdl"]
#[include = "*.gdf.xml"]
#[include = "*.md"]
#[include = "*.txt"]
#[include = "*.play"]
#[include = "*.png"]
#[include = "*.jpg"]
#[include = "*.svg"]
#[include = "*.webp"]
struct Shelf;

/// How paths of the library begin in messages, as they do in the project.
const ROOT: &str = "games/";

/// What a game in XML is called in its folder.
pub(crate) const GAME_FILE: &str = "game.gdf.xml";

/// The names of the games in the library that are XML files: the game and `.gdf.xml`.
pub fn list_files() -> Vec<String> {
    let named = |path: &str| Some(format!("{}{}", path.strip_suffix("/game.gdf.xml")?, houserules_gdf::ENDING));
    let mut names: Vec<String> = Shelf::iter().filter_map(|path| named(&path)).collect();
    names.sort();
    names
}

/// The names of the games in alphabetical order.
pub fn list() -> Vec<String> {
    let mut names: Vec<String> =
        Shelf::iter().filter_map(|path| Some(path.strip_suffix("/game.gdl")?.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

/// The names of the games in the library that are written in Ceptre, too: the game and `.cep`.
pub fn list_ceptre() -> Vec<String> {
    let mut names: Vec<String> =
        Shelf::iter().filter_map(|path| Some(format!("{}.cep", path.strip_suffix("/game.cep")?))).collect();
    names.sort();
    names
}

/// The names of the games in the library that are written in BGD, too: the game and `.bgd`.
pub fn list_bgd() -> Vec<String> {
    let mut names: Vec<String> =
        Shelf::iter().filter_map(|path| Some(format!("{}.bgd", path.strip_suffix("/game.bgd")?))).collect();
    names.sort();
    names
}

/// A file of a game in the library, such as its `counts.txt`.
pub fn file(game: &str, name: &str) -> Option<String> {
    text(&format!("{game}/{name}"))
}

/// A picture that lies beside a game of the library, whichever of its languages the game is named in.
pub fn picture(game: &str, name: &str) -> Option<Vec<u8>> {
    let folder = game.split('.').next().unwrap_or(game);
    Shelf::get(&format!("{folder}/{name}")).map(|file| file.data.into_owned())
}

/// Minutes that people need for a match of a game whose definition says nothing about it; `cargo xtask minutes` has
/// reckoned them.
pub fn minutes(game: &str) -> Option<u32> {
    let table = text("minutes.txt")?;
    let mut rows = table.lines().filter_map(|line| line.split_once(' '));
    rows.find(|(name, _)| *name == game).and_then(|(_, minutes)| minutes.trim().parse().ok())
}

/// Where the definition of a game in the library is read from.
pub(crate) fn path(game: &str) -> String {
    format!("{ROOT}{game}/game.gdl")
}

fn text(path: &str) -> Option<String> {
    let file = Shelf::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The files of the library.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Files for Embedded {
    fn read(&self, path: &str, _below: Option<&str>) -> Result<String, String> {
        let inside = path.strip_prefix(ROOT).ok_or("it lies outside the library")?;
        text(inside).ok_or_else(|| "there is no such file".into())
    }
}

/// Files of this computer; a game that is not beside the one that is made from it is looked for in the library.
pub(crate) struct DiskThenLibrary;

impl Files for DiskThenLibrary {
    fn read(&self, path: &str, below: Option<&str>) -> Result<String, String> {
        Disk.read(path, below).or_else(|reason| {
            let mut parts = path.rsplitn(3, '/');
            let (file, game) = (parts.next(), parts.next());
            match (game, file) {
                (Some(game), Some(file)) => self::file(game, file).ok_or(reason),
                _ => Err(reason),
            }
        })
    }
}
