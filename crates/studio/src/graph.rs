//! Models, things and their relations as a directed graph. Where things are drawn is no part of it.

use crate::document::Reading;
use crate::text::Span;
use houserules_model::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a picture of the models and things is drawn of, beside the picture of the document.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Graph {
    pub relations: Vec<Relation>,
    pub links: Vec<Link>,
}

/// A relation of a model, and the models of those it leads to, as far as values say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Relation {
    pub model: String,
    pub name: String,
    pub to: Vec<String>,
    pub many: bool,
    pub at: Option<Span>,
}

/// A relation of one thing, and the things it leads to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Link {
    pub from: String,
    pub name: String,
    pub to: Vec<String>,
    pub many: bool,
    /// The line of the thing.
    pub at: Option<Span>,
}

impl Graph {
    pub fn of(reading: &Reading) -> Graph {
        let items = reading.definition.items();
        let mut things: BTreeMap<Name, Name> = BTreeMap::new();
        let mut parents: BTreeMap<Name, Option<Name>> = BTreeMap::new();
        for item in items {
            match &item.kind {
                ItemKind::Entity(own) => {
                    own.name.iter().for_each(|name| drop(things.insert(name.clone(), own.model.clone())));
                }
                ItemKind::Players(own) => own.names.iter().for_each(|player| {
                    things.insert(player.name.clone(), "player".into());
                }),
                ItemKind::Model { name, parent } => drop(parents.insert(name.clone(), parent.clone())),
                _ => {}
            }
        }
        let at = |item: &Item| (item.origin.file == reading.file).then(|| Span::from(item.origin));
        let mut graph = Graph::default();
        for item in items {
            let ItemKind::Property(own) = &item.kind else { continue };
            let to = own.value.as_ref().map(|value| named(value, own.role)).unwrap_or_default();
            let leads = to.iter().any(|name| things.contains_key(name) || parents.contains_key(name));
            // A property that holds things leads to them as a relation does.
            if own.role != Role::Relation && !leads {
                continue;
            }
            let model = |name: &Name| match things.get(name) {
                Some(model) => Some(model.to_string()),
                None => parents.contains_key(name).then(|| name.to_string()),
            };
            graph.relations.push(Relation {
                model: own.of.to_string(),
                name: own.name.to_string(),
                to: to.iter().filter_map(model).collect::<BTreeSet<_>>().into_iter().collect(),
                many: own.value.as_ref().is_some_and(is_many),
                at: at(item),
            });
        }
        for item in items {
            let ItemKind::Entity(own) = &item.kind else { continue };
            let Some(from) = &own.name else { continue };
            for (name, value) in &own.with {
                let to: Vec<String> = named(value, Role::Relation)
                    .iter()
                    .filter(|name| things.contains_key(*name))
                    .map(ToString::to_string)
                    .collect();
                if to.is_empty() {
                    continue;
                }
                // What things of a model lead to, the relation of the model leads to.
                let relation = graph
                    .relations
                    .iter_mut()
                    .find(|relation| relation.name == **name && is_a(&parents, &own.model, &relation.model));
                if let Some(relation) = relation {
                    let models: BTreeSet<String> = to.iter().map(|to| things[to.as_str()].to_string()).collect();
                    for model in models {
                        if !relation.to.contains(&model) {
                            relation.to.push(model);
                        }
                    }
                }
                graph.links.push(Link {
                    from: from.to_string(),
                    name: name.to_string(),
                    to,
                    many: is_many(value),
                    at: at(item),
                });
            }
        }
        graph
    }
}

/// The names in a value, wherever they stand in it. Only of a relation a text in quotes is a name.
fn named(value: &Expr, role: Role) -> Vec<Name> {
    let mut names = Vec::new();
    collect(value, role, &mut names);
    names
}

fn collect(value: &Expr, role: Role, names: &mut Vec<Name>) {
    match &value.kind {
        ExprKind::Word(name) => names.push(name.clone()),
        ExprKind::Text(name) if role == Role::Relation => names.push(name.clone()),
        ExprKind::Form(Form::Entity, _) => value.children(&mut |inner| collect(inner, Role::Relation, names)),
        ExprKind::Form(Form::List | Form::Dictionary, _) => value.children(&mut |inner| collect(inner, role, names)),
        _ => {}
    }
}

fn is_many(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Form(Form::List | Form::Dictionary, _))
}

fn is_a(parents: &BTreeMap<Name, Option<Name>>, model: &str, other: &str) -> bool {
    let mut now: Option<Name> = Some(model.into());
    for _ in 0..=parents.len() {
        match now {
            Some(name) if *name == *other => return true,
            Some(name) => now = parents.get(&name).cloned().flatten(),
            None => return false,
        }
    }
    false
}
