//! Tags to items. A first look finds out what there is, so that names can be meant before they are defined; then every
//! tag becomes items in the order of the file.

mod additions;
mod statements;
pub(crate) mod survey;
pub(crate) mod things;
pub(crate) mod values;
mod visuals;

use std::collections::HashMap;

use houserules_gdl::{Loaded, Sources};
use houserules_model::{Budget, Definition, Diagnostic, FileId, Item, ItemKind, Name, Origin, Severity, nearest};

use crate::embedded::Place;
use crate::remarks::Remarks;
use crate::xml::{self, Attribute, Element, Node, Tag};
use survey::Survey;

/// What was read of a file. There is always a definition, if only of the parts that could be read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub loaded: Loaded,
    /// The comments, which are no part of a definition.
    pub remarks: Remarks,
}

/// Reads the text of a game file; the name is that of the file in messages.
pub fn read(name: &str, text: &str) -> Reading {
    let mut sources = Sources::new();
    let file = sources.add(name, text).unwrap_or(FileId(0));
    let tree = xml::parse(text, file);
    let mut reader = Reader {
        text,
        file,
        diagnostics: tree.diagnostics,
        remarks: Remarks::new(),
        survey: Survey::default(),
        items: Vec::new(),
        chunks: Vec::new(),
        n_unnamed: 0,
        named: Default::default(),
        prefixes: tree.prefixes,
    };
    tree.comments.iter().for_each(|(at, text)| reader.remark(*at, text));
    match &tree.root {
        Some(root) if root.is("game") => reader.game(root),
        Some(root) => {
            let label = format!("This is a file of `{}`, not of a game.", root.name.shown());
            reader.error("gdf/root", "No game", reader.head(root), label, "A game file begins with `<game>`.");
        }
        None if reader.diagnostics.is_empty() => {
            let origin = Origin::new(file, 0, 0);
            reader.error(
                "gdf/root",
                "No game",
                origin,
                "Nothing is in this file.",
                "A game file begins with `<game>`.",
            );
        }
        None => {}
    }
    let items = reader.ordered();
    let (definition, faults) = Definition::with_items(items);
    let mut diagnostics = reader.diagnostics;
    diagnostics.extend(faults);
    let loaded = Loaded { definition, sources, diagnostics: Diagnostic::bounded(diagnostics) };
    Reading { loaded, remarks: reader.remarks }
}

pub(crate) struct Reader<'t> {
    text: &'t str,
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    remarks: Remarks,
    survey: Survey,
    /// The items of the tag that is being read.
    items: Vec<Item>,
    chunks: Vec<Chunk>,
    n_unnamed: u32,
    /// Nameless entities by model, and links: they are told apart by their number.
    named: Counted,
    /// Prefixes that the file declares, with their namespaces.
    prefixes: HashMap<&'t str, String>,
}

#[derive(Default)]
struct Counted {
    entities: HashMap<Name, u32>,
    n_links: u32,
}

/// What came of one tag of the game.
struct Chunk {
    /// The model that it defines.
    defines: Option<Name>,
    /// The model that has to be there before.
    needs: Option<Name>,
    origin: Origin,
    items: Vec<Item>,
}

impl<'t> Reader<'t> {
    fn game(&mut self, root: &Element<'t>) {
        let n_parts = root.elements().count();
        if n_parts > Budget::DIRECTIVES {
            let label =
                format!("It has {n_parts} models, entities and rules; a game has at most {}.", Budget::DIRECTIVES);
            let fault = Diagnostic::error("gdf/large", "This file is too large", self.head(root), label);
            return self.diagnostics.push(fault.hint("Use fewer entities."));
        }
        self.survey(root);
        self.attributes(root, &[], &["properties"]);
        let name = root.child("name");
        let called: Name = match name {
            Some(name) => name.text().trim().into(),
            None => {
                self.missing(root, "The name of the game is missing.", "Write `<name>…</name>` inside `game`.");
                self.unnamed()
            }
        };
        let origin = name.map_or(self.head(root), |name| self.head(name));
        self.put(ItemKind::Game { name: called }, origin);
        if root.ours("properties").is_none() {
            self.put(ItemKind::OpenProperties, Origin::NONE);
        }
        self.chunk(None, None, self.head(root));
        let mut seen: Vec<&str> = Vec::new();
        for child in &root.children {
            match child {
                Node::Comment { text, start } => self.remark(*start, text),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Element(element) => self.part(element, &mut seen),
            }
        }
    }

    fn part(&mut self, element: &Element<'t>, seen: &mut Vec<&'t str>) {
        let (mut defines, mut needs) = (None, None);
        match element.name {
            Tag::Plain("name") => {
                self.attributes(element, &[], &[]);
                self.only_text(element);
                self.once("name", element, seen);
            }
            Tag::Plain("visual") => {
                self.game_visual(element);
                self.once("visual", element, seen);
            }
            Tag::Plain("model") => (defines, needs) = self.model(element),
            Tag::Plain("entity") => needs = self.entity(element),
            Tag::Ours(_) if self.addition(element) => {}
            _ => self.unknown(element, &["name", "visual", "model", "entity"]),
        }
        self.chunk(defines, needs, self.head(element));
    }

    fn once(&mut self, tag: &'t str, element: &Element<'t>, seen: &mut Vec<&'t str>) {
        if seen.contains(&tag) {
            let label = format!("A game has one `{tag}`.");
            self.warning("gdf/twice", "Said twice", self.head(element), label, "Take one of them away.");
        }
        seen.push(tag);
    }

    fn chunk(&mut self, defines: Option<Name>, needs: Option<Name>, origin: Origin) {
        let items = std::mem::take(&mut self.items);
        self.chunks.push(Chunk { defines, needs, origin, items });
    }

    /// The items of all tags, each after the model it needs.
    fn ordered(&mut self) -> Vec<Item> {
        let mut chunks: Vec<Option<Chunk>> = std::mem::take(&mut self.chunks).into_iter().map(Some).collect();
        let by_model: HashMap<Name, usize> =
            chunks.iter().enumerate().filter_map(|(at, chunk)| Some((chunk.as_ref()?.defines.clone()?, at))).collect();
        let mut ordered = Vec::new();
        for at in 0..chunks.len() {
            // The model it needs, the model that needs, and so on: the last of them comes first.
            let mut line = vec![at];
            while let Some(needed) = chunks[line[line.len() - 1]].as_ref().and_then(|chunk| chunk.needs.as_ref()) {
                match by_model.get(needed) {
                    Some(other) if chunks[*other].is_some() && !line.contains(other) => line.push(*other),
                    _ => break,
                }
            }
            if line.len() > 1
                && let Some(chunk) = &chunks[at]
            {
                let what = if chunk.defines.is_some() { "parent" } else { "model" };
                let label =
                    format!("Its {what} `{}` comes later in the file.", chunk.needs.as_deref().unwrap_or_default());
                let (origin, hint) =
                    (chunk.origin, "Parents stand before their children, and models before their entities.");
                self.warning("gdf/order", "Out of order", origin, label, hint);
            }
            for at in line.into_iter().rev() {
                ordered.extend(chunks[at].take().into_iter().flat_map(|chunk| chunk.items));
            }
        }
        if ordered.len() > Budget::DIRECTIVES {
            let label = format!("It says {} things; a game has at most {}.", ordered.len(), Budget::DIRECTIVES);
            let origin = ordered[Budget::DIRECTIVES].origin;
            let fault = Diagnostic::error("gdf/large", "This file is too large", origin, label);
            self.diagnostics.push(fault.note("What follows is not read."));
            ordered.truncate(Budget::DIRECTIVES);
        }
        ordered
    }

    fn put(&mut self, kind: ItemKind, origin: Origin) {
        self.items.push(Item::new(kind, origin));
    }

    /// Where a tag begins.
    fn head(&self, element: &Element) -> Origin {
        Origin::new(self.file, element.start as u32, element.inside as u32)
    }

    fn place_of(&self, attribute: &Attribute) -> Origin {
        Origin::new(self.file, attribute.start as u32, attribute.end as u32)
    }

    fn place(&self, element: &Element) -> Place {
        Place { whole: self.head(element), exact: element.plain_text().map(|(at, _)| at as u32) }
    }

    fn remark(&mut self, at: usize, text: &str) {
        for line in text.trim().lines() {
            self.remarks.put(self.file, at as u32, line.trim().to_owned());
        }
    }

    fn unnamed(&mut self) -> Name {
        self.n_unnamed += 1;
        format!("unnamed {}", self.n_unnamed).into()
    }

    /// A name in an attribute; one is made up where it is missing.
    fn name(&mut self, element: &Element<'t>, attribute: &str) -> Name {
        match element.attribute(attribute) {
            Some(found) => (*found.value).into(),
            None => {
                let label = format!("The attribute `{attribute}` is missing.");
                self.missing(element, &label, &format!("Write `<{} {attribute}=\"…\">`.", element.name.shown()));
                self.unnamed()
            }
        }
    }

    /// Tells of attributes that mean nothing here.
    fn attributes(&mut self, element: &Element<'t>, known: &[&str], ours: &[&str]) {
        for attribute in &element.attributes {
            let (name, ok) = match attribute.name {
                Tag::Plain(name) => (name, known.contains(&name)),
                Tag::Ours(name) => (name, ours.contains(&name)),
                // Of other programs, or of XML itself.
                Tag::Other(_) => continue,
            };
            if ok {
                continue;
            }
            let shown = element.name.shown();
            let label = match nearest(name, known.iter().copied()) {
                Some(near) => format!("`{shown}` has no attribute `{name}`. Did you mean `{near}`?"),
                None => format!("`{shown}` has no attribute `{}`.", attribute.name.shown()),
            };
            let origin = self.place_of(attribute);
            self.warning("gdf/attribute", "Unknown attribute", origin, label, "It is skipped.");
        }
    }

    fn unknown(&mut self, element: &Element<'t>, known: &[&str]) {
        let name = element.name.shown();
        let label = match nearest(&name, known.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("`{name}` means nothing here."),
        };
        let note = match known {
            [] => "Here only text stands.".to_owned(),
            known => format!("Here can stand: {}.", known.join(", ")),
        };
        let fault = Diagnostic::warning("gdf/unknown", "Unknown tag", self.head(element), label);
        self.tell(fault.note(note).hint("It is skipped with all that is in it."));
    }

    /// Children of these names, each with where it is; the others are told.
    fn children<'e>(&mut self, element: &'e Element<'t>, known: &[&str]) -> Vec<&'e Element<'t>> {
        let mut found = Vec::new();
        for child in &element.children {
            match child {
                Node::Element(child) if matches!(child.name, Tag::Plain(name) if known.contains(&name)) => {
                    found.push(child)
                }
                Node::Element(child) => self.unknown(child, known),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
            }
        }
        found
    }

    /// Comments, and text that belongs to no tag.
    fn between_tags(&mut self, element: &Element<'t>) {
        for child in &element.children {
            match child {
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
                Node::Element(_) => {}
            }
        }
    }

    fn only_text(&mut self, element: &Element<'t>) {
        for child in &element.children {
            match child {
                Node::Element(child) => self.unknown(child, &[]),
                Node::Comment { text, start } => self.remark(*start, text),
                Node::Text(_) => {}
            }
        }
    }

    fn stray_text(&mut self, text: &str, start: usize) {
        let said = text.trim();
        if said.is_empty() {
            return;
        }
        let origin = Origin::new(self.file, start as u32, (start + 1) as u32);
        let shown: String = said.chars().take(30).collect();
        let label = format!("“{shown}” belongs to no tag.");
        self.warning("gdf/unknown", "Text between tags", self.whole_signs(origin), label, "It is skipped.");
    }

    fn whole_signs(&self, origin: Origin) -> Origin {
        let mut end = origin.end as usize;
        while end < self.text.len() && !self.text.is_char_boundary(end) {
            end += 1;
        }
        Origin::new(origin.file, origin.start, end.min(self.text.len()) as u32)
    }

    fn missing(&mut self, element: &Element, label: &str, hint: &str) {
        self.error("gdf/missing", "Something is missing", self.head(element), label, hint);
    }

    fn error(&mut self, code: &'static str, title: &str, origin: Origin, label: impl Into<String>, hint: &str) {
        self.tell(Diagnostic::error(code, title, origin, label).hint(hint));
    }

    fn warning(&mut self, code: &'static str, title: &str, origin: Origin, label: impl Into<String>, hint: &str) {
        self.tell(Diagnostic::warning(code, title, origin, label).hint(hint));
    }

    /// Only so many are kept: a message costs more than the tag it is about.
    fn tell(&mut self, diagnostic: Diagnostic) {
        let limit = match diagnostic.severity {
            Severity::Error | Severity::ToDo => 2 * Budget::MESSAGES,
            Severity::Warning => Budget::MESSAGES + 1,
        };
        if self.diagnostics.len() < limit {
            self.diagnostics.push(diagnostic);
        }
    }
}
