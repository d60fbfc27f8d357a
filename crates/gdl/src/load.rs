//! A game by its path, by its text, or a few items of one.

use crate::read::Reader;
use crate::{Files, Memory, Sources};
use houserules_model::{Definition, Diagnostic, Item, ItemKind, Key, Origin, VariantError};
use std::collections::{HashMap, HashSet};

/// What was read, and what is wrong with it. There is always a definition, if only of the parts that could be read.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub definition: Definition,
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// A game in a file, or in a folder that holds a `game.gdl`.
pub fn load(files: &dyn Files, path: &str) -> Loaded {
    let mut paths = vec![path.to_string(), format!("{}/game.gdl", path.trim_end_matches('/'))];
    if !path.ends_with(".gdl") {
        paths.push(format!("{path}.gdl"));
    }
    let mut sources = Sources::new();
    let mut reader = Reader::new(files, &mut sources);
    let items = reader.game(&paths);
    let diagnostics = reader.diagnostics;
    loaded(items, sources, diagnostics)
}

/// A game that is one text and refers to no other file.
pub fn read_text(name: &str, text: &str) -> Loaded {
    let mut sources = Sources::new();
    let (items, diagnostics) = read_items(&mut sources, name, text);
    loaded(items, sources, diagnostics)
}

/// Items to put into a definition that is already there, such as a rule typed during play.
pub fn read_items(sources: &mut Sources, name: &str, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let files = Memory::new();
    let mut reader = Reader::new(&files, sources);
    let items = reader.text(name, text);
    let diagnostics = Diagnostic::bounded(distinct(reader.diagnostics));
    (items, diagnostics)
}

fn loaded(items: Vec<Item>, sources: Sources, mut diagnostics: Vec<Diagnostic>) -> Loaded {
    diagnostics.extend(said_twice(&items));
    let (definition, faults) = Definition::with_items(items);
    diagnostics.extend(faults);
    for item in definition.items() {
        let ItemKind::Variant(variant) = &item.kind else {
            continue;
        };
        match definition.with_variant(&variant.name) {
            Ok(_) => {}
            Err(VariantError::Broken(fault)) => diagnostics.push(*fault),
            Err(error) => {
                let title = "This variant cannot be played";
                diagnostics.push(Diagnostic::error("change/variant", title, item.origin, error.to_string()));
            }
        }
    }
    Loaded { definition, sources, diagnostics: Diagnostic::bounded(distinct(diagnostics)) }
}

/// The later one counts. In a game made from another that is meant; in one file it is usually a slip.
fn said_twice(items: &[Item]) -> Vec<Diagnostic> {
    // A file that is read twice says everything twice, in the same places.
    let clash = |first: &Origin, second: Origin| first.file == second.file && first.start != second.start;
    let mut known: HashMap<Key, Origin> = HashMap::new();
    let mut diagnostics = Vec::new();
    for item in items {
        let Some(key) = item.key().filter(|key| !matches!(key, Key::Model(_))) else {
            continue;
        };
        if let Some(first) = known.insert(key, item.origin).filter(|first| clash(first, item.origin)) {
            let title = "Said twice in one file";
            let diagnostic =
                Diagnostic::warning("name/twice", title, item.origin, "This takes the place of the first.");
            diagnostics.push(diagnostic.and(first, "First said here."));
        }
    }
    diagnostics
}

/// A file bound to several rules, or a variant that others build on, would tell its faults again and again.
fn distinct(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let places = |own: &Diagnostic| -> Vec<(u16, u32, u32)> {
        own.labels.iter().map(|label| (label.origin.file.0, label.origin.start, label.origin.end)).collect()
    };
    let mut seen = HashSet::new();
    diagnostics.into_iter().filter(|own| seen.insert((own.code, own.title.clone(), places(own)))).collect()
}
