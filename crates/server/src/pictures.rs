//! Pictures that a game brings: those beside a game of the library, and those that were sent along with a definition.
//!
//! A definition keeps them as files whose text is a `data:` address, so that they are a part of its digest.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use houserules_protocol::game::SourceFile;
use houserules_protocol::{Code, Refusal};
use houserules_scene::is_picture;

/// All pictures of a definition together.
pub const BYTES: usize = 3 << 20;
const MOST: usize = 100;

/// A picture and what it is.
pub struct Picture {
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Picture {
    /// With all of it inside, for a drawing that stands alone.
    pub fn address(&self) -> String {
        format!("data:{};base64,{}", self.kind, STANDARD.encode(&self.bytes))
    }
}

/// What a picture is, by the ending of its name.
fn kind(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    match lower.rsplit_once('.')?.1 {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "webp" => Some("image/webp"),
        "gif" => Some("image/gif"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

fn is_kept(file: &SourceFile) -> bool {
    file.text.starts_with("data:")
}

/// The texts of a definition, without its pictures.
pub fn texts(files: &[SourceFile]) -> Vec<SourceFile> {
    files.iter().filter(|file| !is_kept(file)).cloned().collect()
}

/// Whether the pictures of a definition can be kept; else why not.
pub fn check(files: &[SourceFile]) -> Result<(), Refusal> {
    let pictures: Vec<&SourceFile> = files.iter().filter(|file| is_kept(file)).collect();
    let refused = |words: String| Err(Refusal::new(Code::RequestMalformed, words));
    if pictures.len() > MOST {
        return refused(format!("A game brings at most {MOST} pictures."));
    }
    if pictures.iter().map(|picture| picture.text.len()).sum::<usize>() > BYTES / 3 * 4 + 100 * MOST {
        return Err(Refusal::new(Code::RequestTooLarge, "The pictures of a game have at most 3 MB together."));
    }
    for picture in pictures {
        if !is_picture(&picture.path) {
            return refused(format!("“{}” is not the name of a picture beside a game.", picture.path));
        }
        if read(picture).is_none() {
            return refused(format!("The picture “{}” cannot be read.", picture.path));
        }
    }
    Ok(())
}

fn read(file: &SourceFile) -> Option<Picture> {
    let (_, told) = file.text.split_once(";base64,")?;
    Some(Picture { kind: kind(&file.path)?, bytes: STANDARD.decode(told).ok()? })
}

/// A picture of a game of the library.
pub fn shipped(game: &str, name: &str) -> Option<Picture> {
    let bytes = Some(name).filter(|name| is_picture(name)).and_then(|name| houserules_library::picture(game, name))?;
    Some(Picture { kind: kind(name)?, bytes })
}

/// A picture among the files of a definition that was kept.
pub fn kept(files: &[SourceFile], name: &str) -> Option<Picture> {
    files.iter().find(|file| file.path == name && is_kept(file)).and_then(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), text: text.into() }
    }

    #[test]
    fn pictures_are_told_from_texts_and_read_back() {
        let files = vec![file("game.gdl", "#game \"Toy\""), file("dot.png", "data:image/png;base64,AQID")];
        check(&files).unwrap();
        assert_eq!(texts(&files).iter().map(|file| &*file.path).collect::<Vec<_>>(), ["game.gdl"]);
        let picture = kept(&files, "dot.png").unwrap();
        assert_eq!((picture.kind, &*picture.bytes), ("image/png", &[1, 2, 3][..]));
        assert_eq!(picture.address(), "data:image/png;base64,AQID");
        assert!(kept(&files, "game.gdl").is_none());
    }

    #[test]
    fn what_is_no_picture_is_refused_by_its_name() {
        let told = |path: &str, text: &str| check(&[file(path, text)]).unwrap_err().words;
        assert!(told("../dot.png", "data:image/png;base64,AQID").contains("“../dot.png”"));
        assert!(told("dot.exe", "data:image/png;base64,AQID").contains("“dot.exe”"));
        assert!(told("dot.png", "data:image/png;base64,???").contains("cannot be read"));
    }

    #[test]
    fn the_library_gives_pictures_and_nothing_else() {
        assert_eq!(shipped("awele-tutorial.gdf.xml", "loch.png").map(|picture| picture.kind), Some("image/png"));
        assert!(shipped("awele-tutorial", "game.gdl").is_none());
        assert!(shipped("awele-tutorial", "../awele-tutorial/loch.png").is_none());
    }
}
