use houserules_model::{FileId, Origin};

/// The texts a definition was read from, numbered in the order they were met.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
}

/// A place as people count: from line 1, column 1, in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    pub line: usize,
    pub column: usize,
}

impl Sources {
    pub fn new() -> Self {
        Self::default()
    }

    /// None when there are more files than numbers for them.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> Option<FileId> {
        let id = u16::try_from(self.files.len()).ok().filter(|id| *id < u16::MAX)?;
        self.files.push(Source { name: name.into(), text: text.into() });
        Some(FileId(id))
    }

    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(usize::from(file.0))
    }

    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|file| file.name == name).map(|at| FileId(at as u16))
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u16), file))
    }

    /// The text an origin covers; none when it stands in no file.
    pub fn text(&self, origin: Origin) -> Option<&str> {
        self.get(origin.file)?.text.get(origin.start as usize..origin.end as usize)
    }

    /// Where an origin begins.
    pub fn place(&self, origin: Origin) -> Option<LineColumn> {
        let before = self.get(origin.file)?.text.get(..origin.start as usize)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some(LineColumn {
            line: before.bytes().filter(|b| *b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        })
    }
}
