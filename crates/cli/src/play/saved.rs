//! Matches at rest: records in files.

use std::path::{Path, PathBuf};

use houserules_library::read_file;
use houserules_model::Budget;
use houserules_record::{Fault, Parsed, Record, Which, open_in};

use crate::failure::Failure;
use crate::games;

/// The record at a path, and what is wrong with it; none where something else lies, such as a definition.
pub fn read(path: &Path) -> Option<Parsed> {
    let text = read_file(path, Budget::RECORD).ok()?;
    text.trim_start_matches('\u{feff}').starts_with(Record::BEGINNING).then(|| Record::parse(&text))
}

/// A record of whatever program at a path.
pub fn read_any(path: &Path) -> Result<Parsed, Failure> {
    let text = games::text(path, Budget::RECORD).map_err(Failure::Input)?;
    Ok(Record::parse(&text))
}

/// A record made ready to go through. What is wrong with it is a fault of one line; what comes before can be played.
pub struct Ready {
    pub replay: houserules_record::Replay,
    /// What the reader could not read.
    pub fault: Option<Fault>,
    /// What to tell about the rules it is played by.
    pub notes: Vec<String>,
}

pub fn ready(path: &Path, game: Option<&str>, which: Which) -> Result<Ready, Failure> {
    let Parsed { record, fault } = read_any(path)?;
    let place = path.display();
    if let Some(fault) = &fault
        && record.lines.is_empty()
    {
        return Err(Failure::Input(format!("{place}: {fault}")));
    }
    let opened = open_in(record, path.parent(), game, which).map_err(|message| format!("{place}: {message}"))?;
    Ok(Ready { replay: opened.replay, fault, notes: opened.notes })
}

/// Writes over an older record, but not over anything else.
pub fn save(record: &Record, path: &Path) -> Result<(), String> {
    may_write(path)?;
    std::fs::write(path, record.to_string()).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

/// An error where anything lies: what was recorded before is not lost to a name typed twice.
pub fn is_free(path: &Path) -> Result<(), String> {
    if path.exists() {
        let free = another(path);
        return Err(format!(
            "{} exists already, and nothing is written over it. `--record {}` is free.",
            path.display(),
            free.display()
        ));
    }
    Ok(())
}

/// A name beside this one that nothing has yet: `match-2.txt` after `match.txt`.
pub fn another(file: &Path) -> PathBuf {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, n) = match stem.rsplit_once('-').and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?))) {
        Some((stem, n)) => (stem.to_owned(), n.saturating_add(1)),
        None => (stem, 2),
    };
    let kind = file.extension().map(|kind| format!(".{}", kind.to_string_lossy())).unwrap_or_default();
    let named = |n: u32| file.with_file_name(format!("{stem}-{n}{kind}"));
    (n..=u32::MAX).map(named).find(|file| !file.exists()).unwrap_or_else(|| file.to_owned())
}

/// An error where something lies that is no record.
pub fn may_write(path: &Path) -> Result<(), String> {
    if path.exists() && !read_file(path, Budget::RECORD).is_ok_and(|text| text.starts_with(Record::BEGINNING)) {
        return Err(format!("{} exists and is no saved match; choose another name.", path.display()));
    }
    Ok(())
}
