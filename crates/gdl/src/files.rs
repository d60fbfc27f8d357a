//! Where texts come from: a disk, or memory. Paths are written with `/`.

use std::collections::BTreeMap;
use std::io::ErrorKind;

pub trait Files {
    /// The text of a file, or why it cannot be read.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// Files of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_string(),
            ErrorKind::IsADirectory => "this is a folder".to_string(),
            _ => error.to_string(),
        })?;
        String::from_utf8(bytes).map_err(|error| {
            format!("it is not text in UTF-8: byte {} fits no letter", error.utf8_error().valid_up_to() + 1)
        })
    }
}

/// Files that exist only here: in tests, in the browser, in the program itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, String>,
}

impl Memory {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.files.insert(normal(path), text.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        self.files.get(&normal(path)).cloned().ok_or_else(|| "there is no such file".into())
    }
}

/// The path `name` has when it is written in the file `from`.
pub(crate) fn beside(from: &str, name: &str) -> String {
    if name.starts_with('/') {
        return normal(name);
    }
    match from.rsplit_once('/') {
        Some((folder, _)) => normal(&format!("{folder}/{name}")),
        None => normal(name),
    }
}

/// Without `.` and without `..` where it can be resolved, so that one file has one name.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
