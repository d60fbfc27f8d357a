//! Models with their definitions, states and behaviors; entities.

use std::collections::{HashMap, HashSet};

use houserules_model::{Behavior, Diagnostic, Entity, Expr, ExprKind, Item, ItemKind, Name, Origin, Property};

use super::Reader;
use super::survey::{THING, Tagged, numbered};
use super::values::{Allowed, Type};
use crate::embedded::{self, Place};
use crate::xml::{Attribute, Element, Node, Tag};

/// The state that a number means. Where nothing else is said, things begin in `default`, which is 0.
pub(crate) fn state_name(number: i64) -> Name {
    if number == 0 { "default".into() } else { number.to_string().into() }
}

/// Parts of a model with the places that the file gives them.
#[derive(Default)]
struct Parts {
    items: Vec<(Option<i64>, Vec<Item>)>,
}

impl<'t> Reader<'t> {
    pub(super) fn model(&mut self, element: &Element<'t>) -> (Option<Name>, Option<Name>) {
        let Some(name) = self.survey.names.get(&element.start).cloned() else { return (None, None) };
        self.attributes(element, &["name"], &[]);
        let parent = self.survey.models.get(&name).and_then(|known| known.parent.clone());
        let origin = self.head(element);
        self.put(ItemKind::Model { name: name.clone(), parent: parent.clone() }, origin);
        let mut parts = Parts::default();
        self.initial_state(element, &name, &mut parts);
        let mut seen: HashMap<(Tagged, Name), Origin> = HashMap::new();
        let mut states: HashSet<Name> = HashSet::new();
        for child in &element.children {
            let child = match child {
                Node::Element(child) => child,
                Node::Text(text) => {
                    self.stray_text(&text.text, text.start);
                    continue;
                }
                Node::Comment { text, start } => {
                    self.remark(*start, text);
                    continue;
                }
            };
            match child.name {
                Tag::Plain("parentModel" | "initialStateNumber") => {
                    self.attributes(child, &[], if child.is("initialStateNumber") { &["at", "name"] } else { &[] });
                    self.only_text(child);
                }
                Tag::Plain("visual") => self.model_visual(child, &name),
                Tag::Plain("state") => self.state(child, &name, &mut states, &mut parts),
                Tag::Plain(tag) if Tagged::of(tag).is_some() => {
                    let role = Tagged::of(tag).expect("just asked");
                    let before = self.items.len();
                    self.definition(child, role, &name, &mut seen);
                    parts.items.push((self.at(child), self.items.split_off(before)));
                }
                Tag::Ours("item") => {
                    let before = self.items.len();
                    self.directives(child, &format!("#model {}\n", houserules_model::print::name(&name)));
                    parts.items.push((self.at(child), self.items.split_off(before)));
                }
                _ => {
                    const INSIDE: &[&str] = &[
                        "parentModel",
                        "initialStateNumber",
                        "property",
                        "relationship",
                        "appearance",
                        "state",
                        "visual",
                    ];
                    self.unknown(child, INSIDE);
                }
            }
        }
        // What has a place of its own goes there; everything else stays where it is.
        if parts.items.iter().any(|(at, _)| at.is_some()) {
            parts.items.sort_by_key(|(at, _)| at.unwrap_or(0));
        }
        self.items.extend(parts.items.into_iter().flat_map(|(_, items)| items));
        (Some(name), parent)
    }

    fn at(&self, element: &Element<'t>) -> Option<i64> {
        element.ours("at").and_then(|at| at.value.trim().parse().ok())
    }

    /// The property `state`, where entities begin in another state than those of the parent.
    fn initial_state(&mut self, element: &Element<'t>, model: &Name, parts: &mut Parts) {
        if let Some(said) = element.child("initialStateNumber")
            && said.text().trim().parse::<i64>().is_err()
        {
            let label = format!("“{}” is no whole number.", said.text().trim());
            self.error(
                "gdf/type",
                "No number of a state",
                self.head(said),
                label,
                "Write the number of a state, such as 1.",
            );
        }
        let initial = self.survey.initial(model);
        let parent = self.survey.models.get(model).and_then(|known| known.parent.as_ref());
        let (has_parent, inherited) = (parent.is_some(), parent.map_or(0, |parent| self.survey.initial(parent)));
        let at = element.child("initialStateNumber").and_then(|said| self.at(said));
        // The state that has this number here may have a name of its own.
        let named = element.elements().find(|child| child.is("state") && self.number_of(child) == Some(initial));
        let said = element.child("initialStateNumber").and_then(|said| said.ours("name"));
        let state = match said.or(named.and_then(|state| state.ours("name"))) {
            Some(name) => (*name.value).into(),
            None => state_name(initial),
        };
        // The same number is the parent's state, whatever that is called.
        let same = initial == inherited && (has_parent || state == state_name(inherited));
        if same && at.is_none() && said.is_none() {
            return;
        }
        let origin = element.child("initialStateNumber").map_or(self.head(element), |said| self.head(said));
        let value = Some(Expr::new(ExprKind::Text(state), origin));
        let role = houserules_model::Role::Property;
        let property = Property { of: model.clone(), name: "state".into(), role, value, seen: None, untracked: false };
        parts.items.push((at, vec![Item::new(ItemKind::Property(property), origin)]));
    }

    fn number_of(&self, state: &Element<'t>) -> Option<i64> {
        state.attribute("number").and_then(|number| number.value.trim().parse().ok())
    }

    fn definition(
        &mut self,
        element: &Element<'t>,
        role: Tagged,
        model: &Name,
        seen: &mut HashMap<(Tagged, Name), Origin>,
    ) {
        self.attributes(element, &["name"], &["at", "more"]);
        let said = self.name(element, "name");
        let origin = self.head(element);
        let mut name = self.survey.called(role, &said);
        if let Some(first) = seen.get(&(role, name.clone())).copied() {
            let other = numbered(&name, |name| seen.contains_key(&(role, name.clone())));
            self.twice(role.tag(), &name, &other, origin, first);
            name = other;
        }
        seen.insert((role, name.clone()), origin);
        let links = role == Tagged::Relationship;
        let allowed = if links { Allowed::Links } else { Allowed::Anything };
        self.around_value(element, if links { &["visual"] } else { &[] });
        let held = self.held(element);
        if held.is_none() {
            self.missing(
                element,
                "A value is missing.",
                "Write one, such as `<number>0</number>`, or `<id/>` for none.",
            );
        }
        let inherited = {
            let parent = self.survey.models.get(model).and_then(|known| known.parent.clone());
            parent.and_then(|parent| self.survey.definition(&parent, role, &said))
        };
        if let Some(held) = held {
            self.same_type(held, inherited.flatten(), &said);
        }
        let value = held.and_then(|held| self.value(held, allowed));
        let mut property =
            Property { of: model.clone(), name: name.clone(), role: role.role(), value, seen: None, untracked: false };
        if let Some(more) = element.ours("more") {
            self.more(&mut property, more);
        }
        self.put(ItemKind::Property(property), origin);
        if links && let Some(visual) = element.child("visual") {
            self.slot_visual(visual, model, &name);
        }
    }

    /// Who may see a property, and whether it is tracked.
    fn more(&mut self, property: &mut Property, attribute: &Attribute) {
        let place = Place { whole: self.place_of(attribute), exact: None };
        let piece = embedded::items("#property x ", &attribute.value, place);
        self.diagnostics.extend(piece.diagnostics);
        if let Some(Item { kind: ItemKind::Property(said), .. }) = piece.items.into_iter().next() {
            property.seen = said.seen;
            property.untracked = said.untracked;
        }
    }

    fn same_type(&mut self, held: &Element<'t>, wanted: Option<Type>, name: &str) {
        let (Tag::Plain(tag), None) = (held.name, held.ours("expr")) else { return };
        if let (Some(wanted), Some(found)) = (wanted, Type::of(tag))
            && wanted != found
        {
            let label = format!("`{name}` is defined as `{}`; this is `{tag}`.", wanted.tag());
            let hint = format!("Write `<{}>`, or change the definition.", wanted.tag());
            self.error("gdf/type", "Another type than defined", self.head(held), label, &hint);
        }
    }

    fn state(&mut self, element: &Element<'t>, model: &Name, states: &mut HashSet<Name>, parts: &mut Parts) {
        self.attributes(element, &["number"], &["name", "at"]);
        let name = self.state_said(element);
        let origin = self.head(element);
        if !states.insert(name.clone()) {
            let label = format!("The model already has a state {name}; its behaviors go together.");
            self.error("gdf/twice", "Said twice", origin, label, "Give it another number.");
        }
        let mut empty = true;
        let mut labels: HashMap<Name, Origin> = HashMap::new();
        for child in self.children(element, &["behavior"]) {
            empty = false;
            let before = self.items.len();
            self.behavior(child, model, &name, &mut labels);
            parts.items.push((self.at(child), self.items.split_off(before)));
        }
        if empty {
            let item = Item::new(ItemKind::State { of: model.clone(), name }, origin);
            parts.items.push((self.at(element), vec![item]));
        }
    }

    /// The state that a tag means by its number, or by a name of its own.
    pub(super) fn state_said(&mut self, element: &Element<'t>) -> Name {
        if let Some(name) = element.ours("name") {
            return (*name.value).into();
        }
        let Some(attribute) = element.attribute("number") else {
            return self.name(element, "number");
        };
        match attribute.value.trim().parse() {
            Ok(number) => state_name(number),
            Err(_) => {
                let label = format!("“{}” is no whole number.", attribute.value);
                let origin = self.place_of(attribute);
                self.error(
                    "gdf/type",
                    "No number of a state",
                    origin,
                    label,
                    "Write the number of a state, such as 1.",
                );
                (*attribute.value).into()
            }
        }
    }

    fn behavior(&mut self, element: &Element<'t>, of: &Name, state: &Name, labels: &mut HashMap<Name, Origin>) {
        self.attributes(element, &["name"], &["attributes", "at"]);
        let mut label = self.name(element, "name");
        let origin = self.head(element);
        if let Some(first) = labels.get(&label).copied() {
            let other = numbered(&label, |label| labels.contains_key(label));
            self.twice("behavior", &label, &other, origin, first);
            label = other;
        }
        labels.insert(label.clone(), origin);
        let attributes: Vec<Name> = match element.ours("attributes") {
            Some(words) => words.value.split_whitespace().map(Name::from).collect(),
            None => Vec::new(),
        };
        let body = self.statements_of(element);
        let behavior = Behavior { of: of.clone(), state: state.clone(), label, attributes, body };
        self.put(ItemKind::Behavior(behavior), origin);
    }

    /// The model it belongs to.
    pub(super) fn entity(&mut self, element: &Element<'t>) -> Option<Name> {
        let name = self.survey.names.get(&element.start).cloned()?;
        self.attributes(element, &["name", "parent"], &["state"]);
        let origin = self.head(element);
        let said = self.name(element, "parent");
        let said: Name = match &*said {
            "game" | "player" => format!("{said} (model)").into(),
            _ => said,
        };
        let model: Name = if said.is_empty() { THING.into() } else { said.clone() };
        if !said.is_empty() && !self.survey.models.contains_key(&said) && !self.survey.more_things {
            let names: Vec<&str> = self.survey.models.keys().map(|name| &**name).collect();
            let near = houserules_model::nearest(&said, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
            let label = format!("There is no model `{said}`.{near}");
            let hint = format!("Add `<model name=\"{said}\">`, or leave `parent` empty.");
            self.error("gdf/parent", "No such model", origin, label, &hint);
        }
        // Entities without a model are of one that has nothing; it is there as soon as it is needed.
        if said.is_empty() && !self.survey.models.contains_key(&model) {
            self.put(ItemKind::Model { name: model.clone(), parent: None }, Origin::NONE);
            self.survey.models.insert(model.clone(), Default::default());
        }
        let mut with: Vec<(Name, Expr)> = Vec::new();
        if let Some(state) = element.ours("state") {
            let place = self.place_of(state);
            with.push(("state".into(), Expr::new(ExprKind::Text((*state.value).into()), place)));
        }
        let mut visual = None;
        let mut seen: HashMap<(Tagged, Name), Origin> = HashMap::new();
        for child in self.children(element, &["property", "relationship", "appearance", "visual"]) {
            let Tag::Plain(tag) = child.name else { continue };
            match Tagged::of(tag) {
                Some(role) => with.extend(self.overridden(child, role, &model, &mut seen)),
                None => visual = Some(child),
            }
        }
        let entity = Entity {
            name: Some(name.clone()),
            model: model.clone(),
            number: 0,
            times: None,
            each: Vec::new(),
            at: None,
            with,
        };
        self.put(ItemKind::Entity(entity), origin);
        if let Some(visual) = visual {
            self.entity_visual(visual, &name);
        }
        Some(model)
    }

    fn overridden(
        &mut self,
        element: &Element<'t>,
        role: Tagged,
        model: &Name,
        seen: &mut HashMap<(Tagged, Name), Origin>,
    ) -> Option<(Name, Expr)> {
        self.attributes(element, &["name"], &[]);
        let name = self.name(element, "name");
        let origin = self.head(element);
        if let Some(first) = seen.insert((role, name.clone()), origin) {
            let label = format!("`{name}` has a value here already.");
            let fault = Diagnostic::error("gdf/twice", "Said twice", origin, label).and(first, "The first one.");
            self.tell(fault.hint("It is dropped; take one of them away."));
            return None;
        }
        self.around_value(element, &[]);
        let wanted = self.survey.definition(model, role, &name);
        if wanted.is_none() && !self.survey.more_things {
            let label = format!("`{model}` has no {} `{name}`.", role.tag());
            let hint = format!("Define it in the model: `<{} name=\"{name}\">`.", role.tag());
            self.error("gdf/undefined", "Nothing to change", origin, label, &hint);
        }
        let Some(held) = self.held(element) else {
            self.missing(
                element,
                "A value is missing.",
                "Write one, such as `<number>0</number>`, or take the tag away.",
            );
            return None;
        };
        self.same_type(held, wanted.flatten(), &name);
        let allowed = if role == Tagged::Relationship { Allowed::Links } else { Allowed::Anything };
        let value = self.value_or_nil(held, allowed);
        Some((self.survey.called(role, &name), value))
    }
}
