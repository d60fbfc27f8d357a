//! Where texts come from: a disk, or memory. Paths are written with `/`.

use houserules_model::Budget;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::path::Path;

pub trait Files {
    /// The text of a file, or why it cannot be read. A file that a definition names lies below a folder; links do not
    /// lead out of it. None: a person named the file.
    fn read(&self, path: &str, below: Option<&str>) -> Result<String, String>;
}

/// Files of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str, below: Option<&str>) -> Result<String, String> {
        if let Some(below) = below {
            let folder = if below.is_empty() { "." } else { below };
            let real = std::fs::canonicalize(path).map_err(|error| told(&error))?;
            let folder = std::fs::canonicalize(folder).map_err(|error| told(&error))?;
            if !real.starts_with(folder) {
                return Err(OUTSIDE.into());
            }
        }
        read_file(Path::new(path), Budget::TEXT)
    }
}

/// Why a definition may not read a file.
pub(crate) const OUTSIDE: &str = "it lies outside the folder of the game";

/// The text of a plain file of at most so many bytes, or why it is not to be had. Whatever the program reads that
/// somebody else may have written comes through here: a device or a pipe would be read without end.
pub fn read_file(path: &Path, most: usize) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| told(&error))?;
    if about.is_dir() {
        return Err("this is a folder".into());
    }
    if !about.is_file() {
        return Err("it is no plain file".into());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| told(&error))?;
    // The length that was told may be another by now.
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if bytes.len() > most {
        return Err(format!("it is longer than {} KB", most >> 10));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("it is not text in UTF-8: byte {} fits no letter", error.utf8_error().valid_up_to() + 1)
    })
}

fn told(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::IsADirectory => "this is a folder".into(),
        _ => error.to_string(),
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
    fn read(&self, path: &str, _below: Option<&str>) -> Result<String, String> {
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

/// The folder a file lies in; nothing where the program was started.
pub(crate) fn folder(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => "",
    }
}

/// The folder beside which a folder lies.
pub(crate) fn around(folder: &str) -> String {
    normal(&if folder.is_empty() { "..".into() } else { format!("{folder}/..") })
}

/// Whether a path leads below a folder, as far as its letters say.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let inside = match folder {
        "" => (!path.starts_with('/')).then_some(path),
        "/" => path.strip_prefix('/'),
        _ => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    inside.is_some_and(|rest| rest != ".." && !rest.starts_with("../"))
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
