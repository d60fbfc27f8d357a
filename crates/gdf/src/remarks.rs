//! Comments: no part of a definition, but of its text. They go with what they stand before.

use std::collections::{BTreeMap, VecDeque};

use houserules_gdl::Sources;
use houserules_model::{FileId, Origin};

use crate::embedded;

/// Comments of the files of a definition by where they stand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remarks {
    files: BTreeMap<FileId, VecDeque<(u32, String)>>,
}

impl Remarks {
    pub fn new() -> Self {
        Self::default()
    }

    /// Those of texts in the definition language.
    pub fn of_gdl(sources: &Sources) -> Self {
        let mut remarks = Remarks::new();
        for (file, source) in sources.iter() {
            embedded::comments(&source.text).into_iter().for_each(|(at, text)| remarks.put(file, at, text));
        }
        remarks
    }

    pub(crate) fn put(&mut self, file: FileId, at: u32, text: String) {
        let known = self.files.entry(file).or_default();
        let place = known.partition_point(|(other, _)| *other <= at);
        known.insert(place, (at, text));
    }

    /// Takes what stands before a place and was not taken yet.
    pub(crate) fn take_before(&mut self, origin: Origin) -> Vec<String> {
        let Some(known) = self.files.get_mut(&origin.file) else { return Vec::new() };
        let n = known.partition_point(|(at, _)| *at < origin.start);
        known.drain(..n).map(|(_, text)| text).collect()
    }

    /// Whether something stands before a place that was not taken yet.
    pub(crate) fn has_before(&self, origin: Origin) -> bool {
        self.files.get(&origin.file).and_then(|known| known.front()).is_some_and(|(at, _)| *at < origin.start)
    }

    /// Takes what is left.
    pub(crate) fn take_all(&mut self) -> Vec<String> {
        std::mem::take(&mut self.files).into_values().flatten().map(|(_, text)| text).collect()
    }
}
