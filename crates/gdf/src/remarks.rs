//! Comments: no part of a definition, but of its text. They go with what they stand before.

use std::collections::{BTreeMap, BTreeSet};

use houserules_gdl::Sources;
use houserules_model::{Definition, Editor, FileId, Item, ItemKind, Origin};

use crate::embedded;

/// Comments of the files of a definition by where they stand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remarks {
    files: BTreeMap<FileId, BTreeMap<u32, Vec<String>>>,
    /// Where items stand. What is before one of them goes with nothing behind it.
    items: BTreeMap<FileId, BTreeSet<u32>>,
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
        self.files.entry(file).or_default().entry(at).or_default().push(text);
    }

    /// Ready to be taken by the items of a definition, in whatever order.
    pub(crate) fn of_items(&self, definition: &Definition) -> Self {
        let mut remarks = Remarks { files: self.files.clone(), items: BTreeMap::new() };
        // What an editor knows of something else is written inside of that.
        let within = |item: &&Item| {
            let within =
                |editor: &Editor| matches!(editor, Editor::Slot { .. } | Editor::Put { .. } | Editor::Keep { .. });
            matches!(&item.kind, ItemKind::Editor(editor) if within(editor))
        };
        let items = definition.items().iter().filter(|item| !within(item));
        for origin in items.map(|item| item.origin).filter(|origin| !origin.is_none()) {
            remarks.items.entry(origin.file).or_default().insert(origin.start);
        }
        remarks
    }

    /// Takes what stands between a place and the item before it, and was not taken yet.
    pub(crate) fn take_before(&mut self, origin: Origin) -> Vec<String> {
        let first = self.after_the_item_before(origin);
        let Some(known) = self.files.get_mut(&origin.file) else { return Vec::new() };
        let places: Vec<u32> = known.range(first..origin.start).map(|(at, _)| *at).collect();
        places.into_iter().flat_map(|at| known.remove(&at).unwrap_or_default()).collect()
    }

    /// Whether there is something to take.
    pub(crate) fn has_before(&self, origin: Origin) -> bool {
        let first = self.after_the_item_before(origin);
        self.files.get(&origin.file).is_some_and(|known| known.range(first..origin.start).next().is_some())
    }

    fn after_the_item_before(&self, origin: Origin) -> u32 {
        let items = self.items.get(&origin.file);
        let before = items.and_then(|items| items.range(..origin.start).next_back());
        before.map_or(0, |at| *at).min(origin.start)
    }

    /// Takes what is left.
    pub(crate) fn take_all(&mut self) -> Vec<String> {
        std::mem::take(&mut self.files).into_values().flatten().flat_map(|(_, texts)| texts).collect()
    }

    /// Parts them by whether something holds of the first of these places that is behind each. The places are in order.
    pub(crate) fn parted(&self, file: FileId, places: &[(u32, bool)]) -> (Self, Self) {
        let (mut these, mut others) = (Remarks::new(), Remarks::new());
        for (at, texts) in self.files.get(&file).into_iter().flatten() {
            let next = places.partition_point(|(place, _)| place <= at);
            let part = if places.get(next).is_some_and(|(_, holds)| *holds) { &mut these } else { &mut others };
            texts.iter().for_each(|text| part.put(file, *at, text.clone()));
        }
        (these, others)
    }

    /// Both, where this is of other files.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self
    }

    /// As if they stood in another file.
    pub(crate) fn moved(self, from: FileId, to: FileId) -> Self {
        let files = self.files.into_iter().map(|(file, known)| (if file == from { to } else { file }, known)).collect();
        Remarks { files, items: BTreeMap::new() }
    }
}
