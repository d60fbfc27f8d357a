//! What only an editor wants to know.

use std::collections::HashMap;

use houserules_model::{Drawn, Editor, ItemKind, Lane, Name, Origin};

use super::Reader;
use crate::xml::{Element, Node, Tag};

impl<'t> Reader<'t> {
    pub(super) fn game_visual(&mut self, element: &Element<'t>) {
        let mut known: HashMap<Name, Origin> = HashMap::new();
        let layers = self.drawn(element, &["layer"]);
        for layer in layers {
            self.attributes(layer, &["name"], &[]);
            let mut name = self.name(layer, "name");
            let origin = self.head(layer);
            if let Some(first) = known.get(&name).copied() {
                let other = super::survey::numbered(&name, |name| known.contains_key(name));
                self.twice("layer", &name, &other, origin, first);
                name = other;
            }
            known.insert(name.clone(), origin);
            let visible = self.flag(layer, "visible", true);
            let protected = self.flag(layer, "protected", false);
            self.children(layer, &["visible", "protected"]);
            self.put(ItemKind::Editor(Editor::Layer { name, visible, protected }), origin);
        }
        for child in element.elements() {
            match child.name {
                Tag::Ours("workspace") => self.workspace(child),
                Tag::Ours("group") => self.group(child),
                _ => {}
            }
        }
        self.kept(element, Drawn::Game, &["layer"]);
    }

    fn workspace(&mut self, element: &Element<'t>) {
        self.attributes(element, &["width", "height"], &[]);
        self.children(element, &[]);
        let [width, height] = ["width", "height"].map(|attribute| {
            let said = element.attribute(attribute).and_then(|found| found.value.trim().parse().ok());
            said.filter(|size| (1..=Editor::LARGEST).contains(size))
        });
        if let (Some(width), Some(height)) = (width, height) {
            return self.put(ItemKind::Editor(Editor::Workspace { width, height }), self.head(element));
        }
        let label = format!("A side of it is a whole number from 1 to {}.", Editor::LARGEST);
        let hint = "It is read as large as what lies on it; write `<hr:workspace width=\"960\" height=\"540\"/>`.";
        self.warning("gdf/visual", "No such size", self.head(element), label, hint);
    }

    fn group(&mut self, element: &Element<'t>) {
        self.attributes(element, &["name"], &[]);
        let name = self.name(element, "name");
        let mut entities = Vec::new();
        for child in &element.children {
            match child {
                Node::Element(child) if child.is_ours("member") => {
                    self.only_text(child);
                    entities.push(child.text().trim().into());
                }
                Node::Element(child) => self.unknown(child, &["hr:member"]),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
            }
        }
        self.put(ItemKind::Editor(Editor::Group { name, entities }), self.head(element));
    }

    pub(super) fn model_visual(&mut self, element: &Element<'t>, model: &Name) {
        self.drawn(element, &[]);
        self.kept(element, Drawn::Model(model.clone()), &[]);
    }

    pub(super) fn slot_visual(&mut self, element: &Element<'t>, model: &Name, relation: &Name) {
        let drawn = Drawn::Slot(relation.clone(), model.clone());
        let origin = self.head(element);
        let (mut lane, mut layer) = (None, None);
        for child in self.drawn(element, &["lane", "layer"]) {
            if child.is("layer") {
                layer = self.layer(child);
                continue;
            }
            let text = child.text();
            lane = Lane::named(text.trim());
            if lane.is_none() {
                let label = format!("“{}” is no edge.", text.trim());
                let hint = "It is drawn at the top; write `top`, `left`, `right` or `bottom`.";
                self.warning("gdf/visual", "No such edge", self.head(child), label, hint);
                lane = Some(Lane::Top);
            }
        }
        if lane.is_some() || layer.is_some() {
            let slot = Editor::Slot { relation: relation.clone(), of: model.clone(), lane, layer };
            self.put(ItemKind::Editor(slot), origin);
        }
        self.kept(element, drawn, &["lane", "layer"]);
    }

    pub(super) fn entity_visual(&mut self, element: &Element<'t>, entity: &Name) {
        let origin = self.head(element);
        let drawn = Drawn::Entity(entity.clone());
        for child in self.drawn(element, &["layer"]) {
            if let Some(layer) = self.layer(child) {
                self.put(ItemKind::Editor(Editor::Put { entity: entity.clone(), layer }), origin);
            }
        }
        self.kept(element, drawn, &["layer"]);
    }

    /// The known children of a `visual`.
    fn drawn<'e>(&mut self, element: &'e Element<'t>, known: &[&str]) -> Vec<&'e Element<'t>> {
        self.attributes(element, &[], &[]);
        let mut found = Vec::new();
        for child in &element.children {
            match child {
                Node::Element(child) if matches!(child.name, Tag::Plain(name) if known.contains(&name)) => {
                    found.push(child)
                }
                Node::Comment { text, start } => self.remark(*start, text),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Element(_) => {}
            }
        }
        found
    }

    /// Everything else is another program's, and kept letter by letter.
    fn kept(&mut self, element: &Element<'t>, of: Drawn, known: &[&str]) {
        let ours = |child: &&Element| of == Drawn::Game && (child.is_ours("workspace") || child.is_ours("group"));
        let others = element
            .elements()
            .filter(|child| !matches!(child.name, Tag::Plain(name) if known.contains(&name)) && !ours(child));
        let text: String = others.map(|child| self.markup(child)).collect();
        // Cut off in the middle, it would break the file that it is written to.
        if !text.is_empty() && crate::write::is_whole(&text) {
            self.put(ItemKind::Editor(Editor::Keep { of, text: text.into() }), self.head(element));
        }
    }

    /// A tag as it stands in the file, with the namespaces that were declared around it.
    fn markup(&self, element: &Element<'t>) -> String {
        let raw = &self.text[element.start..element.end];
        let mut prefixes = Vec::new();
        element.other_prefixes(&mut prefixes);
        let missing = prefixes.into_iter().filter(|prefix| !raw.contains(&format!("xmlns:{prefix}=")));
        let declared: String = missing
            .filter_map(|prefix| {
                Some(format!(" xmlns:{prefix}=\"{}\"", quick_xml::escape::escape(self.prefixes.get(prefix)?.as_str())))
            })
            .collect();
        // The name of the tag ends where a blank or the tag does.
        let name = raw[1..]
            .find(|sign: char| sign.is_whitespace() || sign == '>' || sign == '/')
            .map_or(raw.len(), |at| at + 1);
        format!("{}{declared}{}", &raw[..name], &raw[name..])
    }

    fn layer(&mut self, element: &Element<'t>) -> Option<Name> {
        self.attributes(element, &[], &[]);
        self.only_text(element);
        let name: Name = element.text().trim().into();
        if self.survey.layers.contains(&name) {
            return Some(name);
        }
        let label = format!("There is no layer `{name}`.");
        let hint = format!("It lies on no layer; add `<layer name=\"{name}\">` to the `visual` of the game.");
        self.warning("gdf/visual", "No such layer", self.head(element), label, &hint);
        None
    }

    fn flag(&mut self, element: &Element<'t>, tag: &str, usual: bool) -> bool {
        let Some(child) = element.child(tag) else { return usual };
        match child.text().trim() {
            "1" => true,
            "0" => false,
            other => {
                let label = format!("“{other}” is neither 1 nor 0.");
                let hint = format!("It is read as {}.", u8::from(usual));
                self.warning("gdf/visual", "Neither yes nor no", self.head(child), label, &hint);
                usual
            }
        }
    }
}
