use std::hash::{Hash, Hasher};

/// A source file, by its number in the loader's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u16);

/// Where something was written: a range of bytes of a file.
///
/// All origins are equal: two definitions that differ only in layout are the same definition.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Origin {
    /// Something that stands in no file: predefined, imported or edited.
    pub const NONE: Origin = Origin { file: FileId(u16::MAX), start: 0, end: 0 };

    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Origin { file, start, end }
    }

    pub fn is_none(self) -> bool {
        self.file == Self::NONE.file
    }

    /// From the beginning of this to the end of `other`.
    pub fn to(self, other: Origin) -> Origin {
        Origin { end: other.end.max(self.end), ..self }
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
