//! What is done so far, a line for each match, so that whatever is interrupted goes on later.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file with a line of JSON for each match. Its first line says what the matches belong to.
///
/// Each line is written whole before the next match counts, so that a crash costs at most the matches under way; half a
/// line at the end is dropped when the file is opened again.
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// Why a journal could not be opened.
#[derive(Debug)]
pub enum JournalError {
    /// The file belongs to something else; the words say what to do.
    Other(String),
    Io(PathBuf, io::Error),
}

impl std::fmt::Display for JournalError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            JournalError::Other(told) => f.write_str(told),
            JournalError::Io(path, error) => write!(f, "{} cannot be used: {error}.", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// Opens a journal, and reads what is in it already. It must have been begun with the same head.
    pub fn open<T: DeserializeOwned>(path: &Path, head: &str) -> Result<(Journal, Vec<T>), JournalError> {
        let told = |error: io::Error| JournalError::Io(path.to_owned(), error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(told)?;
        let mut done = Vec::new();
        let mut whole = 0;
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        let mut number = 0;
        while reader.read_until(b'\n', &mut line).map_err(told)? > 0 {
            if line.last() != Some(&b'\n') {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            if number == 0 && text.trim_end() != head {
                return Err(JournalError::Other(format!(
                    "{} holds the results of something else. Move it away, delete it, or name another place.",
                    path.display()
                )));
            }
            if number > 0 {
                let read = serde_json::from_str(&text);
                let read = read.map_err(|error| {
                    JournalError::Other(format!("{}:{}: cannot be read: {error}.", path.display(), number + 1))
                })?;
                done.push(read);
            }
            number += 1;
            whole += line.len() as u64;
            line.clear();
        }
        file.set_len(whole).map_err(told)?;
        file.seek(io::SeekFrom::End(0)).map_err(told)?;
        let mut journal = Journal { file, path: path.to_owned() };
        if number == 0 {
            journal.line(head)?;
        }
        Ok((journal, done))
    }

    /// One match more.
    pub fn add(&mut self, done: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(done).map_err(|error| JournalError::Other(error.to_string()))?;
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<(), JournalError> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|error| JournalError::Io(self.path.clone(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_there_again_and_half_a_line_is_dropped() {
        let path = std::env::temp_dir().join(format!("houserules-journal-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut journal, done) = Journal::open::<u32>(&path, "{\"of\":1}").unwrap();
        assert!(done.is_empty());
        journal.add(&7).unwrap();
        journal.add(&8).unwrap();
        drop(journal);
        let mut torn = OpenOptions::new().append(true).open(&path).unwrap();
        torn.write_all(b"12").unwrap();
        let (mut journal, done) = Journal::open::<u32>(&path, "{\"of\":1}").unwrap();
        assert_eq!(done, [7, 8]);
        journal.add(&9).unwrap();
        assert_eq!(Journal::open::<u32>(&path, "{\"of\":1}").unwrap().1, [7, 8, 9]);
        let other = Journal::open::<u32>(&path, "{\"of\":2}").map(|_| ());
        assert!(other.unwrap_err().to_string().contains("something else"));
        std::fs::remove_file(&path).unwrap();
    }
    /// A study that goes on must end as one that never stopped, to the last digit.
    #[test]
    fn fractions_come_back_to_the_last_digit() {
        let path = std::env::temp_dir().join(format!("houserules-fractions-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let fractions: Vec<f64> = (1..5_000).map(|nth| 37.7 / f64::from(nth)).collect();
        let (mut journal, _) = Journal::open::<f64>(&path, "{}").unwrap();
        fractions.iter().for_each(|fraction| journal.add(fraction).unwrap());
        assert_eq!(Journal::open::<f64>(&path, "{}").unwrap().1, fractions);
        std::fs::remove_file(&path).unwrap();
    }
}
