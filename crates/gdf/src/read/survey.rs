//! The first look at a file: which models, definitions, states and entities there are, and what they have to be called.

use std::collections::{HashMap, HashSet};

use houserules_model::{Diagnostic, Name, Origin, Role, nearest};

use super::Reader;
use super::values::Type;
use crate::xml::{Element, Tag};

/// A model has at most so many ancestors.
const ANCESTORS: usize = 100;

/// The model of entities without one.
pub(crate) const THING: &str = "thing";

#[derive(Default)]
pub(crate) struct Survey {
    pub models: HashMap<Name, Known>,
    /// What models and entities are called, by where they stand in the file.
    pub names: HashMap<usize, Name>,
    pub entities: HashSet<Name>,
    /// What a definition of a role has to be called instead: there is one name space for all three roles.
    pub renamed: HashMap<(Tagged, Name), Name>,
    pub layers: HashSet<Name>,
    /// Directives that may make things are in the file, so not every name can be judged.
    pub more_things: bool,
}

/// What is known of a model.
#[derive(Default)]
pub(crate) struct Known {
    pub parent: Option<Name>,
    pub definitions: HashMap<(Tagged, Name), Option<Type>>,
    /// The state in which its entities begin, if it says so.
    pub initial: Option<i64>,
    pub states: Vec<i64>,
    origin: Option<Origin>,
}

/// A role, as a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Tagged {
    Property,
    Relationship,
    Appearance,
}

impl Tagged {
    pub const ALL: [Tagged; 3] = [Tagged::Property, Tagged::Relationship, Tagged::Appearance];

    pub fn of(tag: &str) -> Option<Tagged> {
        Tagged::ALL.into_iter().find(|role| role.tag() == tag)
    }

    pub fn tag(self) -> &'static str {
        match self {
            Tagged::Property => "property",
            Tagged::Relationship => "relationship",
            Tagged::Appearance => "appearance",
        }
    }

    pub fn role(self) -> Role {
        match self {
            Tagged::Property => Role::Property,
            Tagged::Relationship => Role::Relation,
            Tagged::Appearance => Role::Appearance,
        }
    }

    pub fn of_role(role: Role) -> Tagged {
        match role {
            Role::Property => Tagged::Property,
            Role::Relation => Tagged::Relationship,
            Role::Appearance => Tagged::Appearance,
        }
    }
}

impl Survey {
    /// The name of a definition or an override in the model.
    pub fn called(&self, role: Tagged, name: &Name) -> Name {
        self.renamed.get(&(role, name.clone())).unwrap_or(name).clone()
    }

    /// A model and its ancestors, the nearest first.
    pub fn line<'s>(&'s self, model: &'s Name) -> impl Iterator<Item = (&'s Name, &'s Known)> {
        let mut next = self.models.get_key_value(model);
        std::iter::from_fn(move || {
            let (name, known) = next?;
            next = known.parent.as_ref().and_then(|parent| self.models.get_key_value(parent));
            Some((name, known))
        })
        .take(ANCESTORS + 1)
    }

    /// What a model or an ancestor of it defines.
    pub fn definition(&self, model: &Name, role: Tagged, name: &Name) -> Option<Option<Type>> {
        let key = (role, name.clone());
        self.line(model).find_map(|(_, known)| known.definitions.get(&key).copied())
    }

    /// The state in which entities of a model begin.
    pub fn initial(&self, model: &Name) -> i64 {
        let said = self.line(model).find_map(|(_, known)| known.initial);
        let lowest = || self.line(model).last().and_then(|(_, known)| known.states.iter().min().copied());
        said.or_else(lowest).unwrap_or(0)
    }
}

impl<'t> Reader<'t> {
    pub(super) fn survey(&mut self, root: &Element<'t>) {
        for element in root.elements() {
            match element.name {
                Tag::Plain("model") => self.survey_model(element),
                Tag::Plain("entity") => self.survey_entity(element),
                Tag::Plain("visual") => self.survey_layers(element),
                Tag::Ours("item") => self.survey.more_things = true,
                _ => {}
            }
        }
        self.survey_parents();
        self.survey_roles();
    }

    fn survey_model(&mut self, element: &Element<'t>) {
        let wanted = self.name(element, "name");
        // These are there from the start, and mean the game and its seats.
        let name = match &*wanted {
            "game" | "player" => {
                let label = format!("`{wanted}` is a word of the language.");
                let hint = format!("It is read as `{wanted} (model)`; give it another name.");
                self.warning("gdf/word", "This name is taken", self.head(element), label, &hint);
                format!("{wanted} (model)").into()
            }
            _ => wanted,
        };
        let origin = self.head(element);
        let first = self.survey.models.get(&name).and_then(|known| known.origin);
        let name = match first {
            Some(first) => {
                let other = numbered(&name, |name| self.survey.models.contains_key(name));
                self.twice("model", &name, &other, origin, first);
                other
            }
            None => name,
        };
        let mut known = Known { origin: Some(origin), ..Known::default() };
        let text = |tag: &str| element.child(tag).map(|child| child.text().trim().to_owned());
        known.parent = text("parentModel").filter(|parent| !parent.is_empty()).map(Name::from);
        known.initial = text("initialStateNumber").and_then(|text| text.parse().ok());
        for child in element.elements() {
            let Tag::Plain(tag) = child.name else { continue };
            if tag == "state" {
                known
                    .states
                    .extend(child.attribute("number").and_then(|number| number.value.trim().parse::<i64>().ok()));
            }
            if let (Some(role), Some(name)) = (Tagged::of(tag), child.attribute("name")) {
                let held = self.held(child);
                let computed = held.is_some_and(|held| held.ours("expr").is_some());
                let held = held.filter(|_| !computed).and_then(|held| match held.name {
                    Tag::Plain(tag) => Type::of(tag),
                    _ => None,
                });
                known.definitions.entry((role, (*name.value).into())).or_insert(held);
            }
        }
        self.survey.names.insert(element.start, name.clone());
        self.survey.models.insert(name, known);
    }

    fn survey_entity(&mut self, element: &Element<'t>) {
        let name = self.name(element, "name");
        let other = match self.survey.entities.contains(&name) {
            true => {
                let other = numbered(&name, |name| self.survey.entities.contains(name));
                let label = format!("There already is an entity `{name}`; this one is read as `{other}`.");
                self.error("gdf/twice", "Said twice", self.head(element), label, "Give it another name.");
                other
            }
            false => name,
        };
        self.survey.names.insert(element.start, other.clone());
        self.survey.entities.insert(other);
    }

    fn survey_layers(&mut self, visual: &Element<'t>) {
        let layers = visual.elements().filter(|child| child.is("layer"));
        self.survey.layers.extend(layers.filter_map(|layer| Some(Name::from(&*layer.attribute("name")?.value))));
    }

    pub(super) fn twice(&mut self, what: &str, name: &str, other: &str, origin: Origin, first: Origin) {
        let label = format!("There already is a {what} `{name}`; this one is read as `{other}`.");
        let fault = Diagnostic::error("gdf/twice", "Said twice", origin, label).and(first, "The first one.");
        self.tell(fault.hint("Give it another name."));
    }

    /// Takes parents away that are not there, and those that close a circle.
    fn survey_parents(&mut self) {
        let mut names: Vec<(Name, u32)> = self
            .survey
            .models
            .iter()
            .map(|(name, known)| (name.clone(), known.origin.map_or(0, |origin| origin.start)))
            .collect();
        names.sort_by_key(|(_, at)| *at);
        // How many ancestors a model has, once that is known.
        let mut depth: HashMap<Name, usize> = HashMap::new();
        for (name, _) in &names {
            let mut line: Vec<Name> = Vec::new();
            let mut on_line: HashSet<Name> = HashSet::new();
            let mut next = Some(name.clone());
            while let Some(here) = next.take().filter(|here| !depth.contains_key(here)) {
                line.push(here.clone());
                on_line.insert(here.clone());
                let Some(parent) = self.survey.models[&here].parent.clone() else { break };
                let fault = if !self.survey.models.contains_key(&parent) {
                    let near = nearest(&parent, names.iter().map(|(name, _)| &**name));
                    let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
                    Some(format!("There is no model `{parent}`.{near}"))
                } else if on_line.contains(&parent) {
                    Some(format!("`{parent}` comes from `{here}`, so it cannot be its parent."))
                } else if depth.get(&parent).copied().unwrap_or(0) + line.len() > ANCESTORS {
                    Some(format!("A model has at most {ANCESTORS} ancestors."))
                } else {
                    None
                };
                match fault {
                    Some(label) => {
                        let origin = self.survey.models[&here].origin.unwrap_or(Origin::NONE);
                        self.error(
                            "gdf/parent",
                            "No such parent",
                            origin,
                            label,
                            "It is read as a model without a parent.",
                        );
                        self.survey.models.get_mut(&here).expect("just looked at").parent = None;
                    }
                    None => next = Some(parent),
                }
            }
            let above = line
                .last()
                .and_then(|last| self.survey.models[last].parent.as_ref())
                .and_then(|parent| depth.get(parent))
                .map_or(0, |depth| depth + 1);
            depth.extend(line.into_iter().rev().zip(above..));
        }
    }

    /// A name that has several roles in one line of models gets others for the later ones, in the whole file.
    fn survey_roles(&mut self) {
        let mut clashes: HashSet<(Tagged, Name)> = HashSet::new();
        let mut first: Vec<(Origin, Tagged, Name)> = Vec::new();
        for (model, known) in &self.survey.models {
            for (role, name) in known.definitions.keys() {
                let taken = &**name == "state";
                let earlier = Tagged::ALL.into_iter().filter(|other| other < role);
                let clash = earlier.into_iter().any(|other| self.survey.definition(model, other, name).is_some());
                // An ancestor may have the later role, and this model the earlier one.
                let later = Tagged::ALL.into_iter().filter(|other| other > role);
                for other in later {
                    if self.survey.definition(model, other, name).is_some() && clashes.insert((other, name.clone())) {
                        first.push((known.origin.unwrap_or(Origin::NONE), other, name.clone()));
                    }
                }
                if (clash || taken) && clashes.insert((*role, name.clone())) {
                    first.push((known.origin.unwrap_or(Origin::NONE), *role, name.clone()));
                }
            }
        }
        first.sort_by_key(|(origin, role, name)| (origin.start, *role, name.clone()));
        for (origin, role, name) in first {
            let other: Name = format!("{name} ({})", role.tag()).into();
            let label = format!(
                "Properties, relationships and appearances of a model share their names, and `{name}` is taken."
            );
            let hint = format!("The {} is read as `{other}`, wherever it is meant.", role.tag());
            self.warning("gdf/one-name", "One name for two things", origin, label, &hint);
            self.survey.renamed.insert((role, name), other);
        }
    }
}

/// `NAME (2)`, or the next number that is free.
pub(crate) fn numbered(name: &str, taken: impl Fn(&Name) -> bool) -> Name {
    (2..).map(|n| Name::from(format!("{name} ({n})"))).find(|name| !taken(name)).expect("there are always more numbers")
}
