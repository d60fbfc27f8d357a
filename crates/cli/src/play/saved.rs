//! Matches at rest: records in files.

use std::path::Path;

use houserules_record::{Fault, Parsed, Record, Which, open};

use crate::failure::Failure;

/// The record at a path, and what is wrong with it; none where something else lies, such as a definition.
pub fn read(path: &Path) -> Option<Parsed> {
    let text = std::fs::read_to_string(path).ok()?;
    text.trim_start_matches('\u{feff}').starts_with(Record::BEGINNING).then(|| Record::parse(&text))
}

/// A record of whatever program at a path.
pub fn read_any(path: &Path) -> Result<Parsed, Failure> {
    let told = |reason: String| Failure::Input(format!("{} {reason}.", path.display()));
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::Input(format!("There is no file {}.", path.display())),
        _ => told(format!("cannot be read: {error}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| told("is not text".into()))?;
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
    let opened = open(record, game, which).map_err(|message| format!("{place}: {message}"))?;
    Ok(Ready { replay: opened.replay, fault, notes: opened.notes })
}

/// Writes over an older record, but not over anything else.
pub fn save(record: &Record, path: &Path) -> Result<(), String> {
    may_write(path)?;
    std::fs::write(path, record.to_string()).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

/// An error where something lies that is no record.
pub fn may_write(path: &Path) -> Result<(), String> {
    if path.exists() && !std::fs::read_to_string(path).is_ok_and(|text| text.starts_with(Record::BEGINNING)) {
        return Err(format!("{} exists and is no saved match; choose another name.", path.display()));
    }
    Ok(())
}
