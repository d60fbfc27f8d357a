//! A game as two files: what it is, and how it looks.

use std::collections::{HashMap, HashSet};

use houserules_model::{Definition, FileId, Item, ItemKind, Name, Role};

use crate::embedded::item_origins;
use crate::remarks::Remarks;

/// Whose the second file's origins are, beside those of the first.
const LOOK: FileId = FileId(1);

/// A definition with its comments.
type Part = (Definition, Remarks);

/// What a game is, without appearances and without what an editor draws; and how it looks, which is only that. The second
/// names every model and entity that has a look.
pub fn split(definition: &Definition, remarks: &Remarks) -> (Part, Part) {
    let looks = appearances(definition);
    let (mut logic, mut look) = (Vec::new(), Vec::new());
    for item in definition.items() {
        match &item.kind {
            ItemKind::Editor(_) => look.push(item.clone()),
            ItemKind::Property(property) if property.role == Role::Appearance => look.push(item.clone()),
            ItemKind::Game { .. } | ItemKind::OpenProperties | ItemKind::Model { .. } => {
                logic.push(item.clone());
                look.push(item.clone());
            }
            ItemKind::Entity(entity) if entity.name.is_some() => {
                let (mut own, mut rest) = (item.clone(), item.clone());
                if let (ItemKind::Entity(own), ItemKind::Entity(rest)) = (&mut own.kind, &mut rest.kind) {
                    own.with.retain(|(name, _)| looks.contains(name));
                    rest.with.retain(|(name, _)| !looks.contains(name));
                }
                logic.push(rest);
                look.push(own);
            }
            _ => logic.push(item.clone()),
        }
    }
    let mut places: Vec<(u32, bool)> = Vec::new();
    for item in definition.items().iter().filter(|item| !item.origin.is_none()) {
        let own = match &item.kind {
            ItemKind::Editor(_) => true,
            ItemKind::Property(property) => property.role == Role::Appearance,
            _ => false,
        };
        item_origins(&mut item.clone(), &mut |origin| places.push((origin.start, own)));
    }
    places.sort();
    let (of_look, of_logic) = remarks.parted(FileId(0), &places);
    ((definition_of(logic), of_logic), (definition_of(look), of_look))
}

/// The game whose two parts these are. What only the second has is left out: it would be the look of nothing.
pub fn join((logic, of_logic): Part, (look, of_look): Part) -> Part {
    let items = look.items().iter().cloned().map(|mut item| {
        item_origins(&mut item, &mut |origin| {
            if origin.file == FileId(0) {
                origin.file = LOOK;
            }
        });
        item
    });
    let look = Definition::with_items(items).0;
    let remarks = of_logic.and(of_look.moved(FileId(0), LOOK));
    let mut parts: HashMap<Name, Vec<Item>> = HashMap::new();
    let mut drawn: Vec<Item> = Vec::new();
    for item in look.items() {
        match &item.kind {
            ItemKind::Property(property) if property.role == Role::Appearance => {
                parts.entry(property.of.clone()).or_default().push(item.clone());
            }
            ItemKind::Editor(_) => drawn.push(item.clone()),
            _ => {}
        }
    }
    let mut joined: Vec<Item> = Vec::new();
    // The appearances of the model that is open, until something comes that stands after them.
    let mut waiting: Vec<Item> = Vec::new();
    for item in logic.items() {
        let stays = matches!(&item.kind, ItemKind::Property(_)) && !waiting.is_empty();
        if !stays {
            joined.append(&mut waiting);
        }
        let mut item = item.clone();
        match &mut item.kind {
            ItemKind::Model { name, .. } => waiting = parts.remove(name).unwrap_or_default(),
            ItemKind::Entity(entity) => {
                let own = Item::new(ItemKind::Entity(entity.clone()), item.origin).key();
                if let Some(Item { kind: ItemKind::Entity(look), .. }) = own.and_then(|key| look.get(&key)) {
                    entity.with.extend(look.with.iter().cloned());
                }
            }
            _ => {}
        }
        joined.push(item);
    }
    joined.append(&mut waiting);
    // What an editor draws finds its place by itself when it is written.
    let at =
        joined.iter().take_while(|item| matches!(item.kind, ItemKind::Game { .. } | ItemKind::OpenProperties)).count();
    joined.splice(at..at, drawn);
    (definition_of(joined), remarks)
}

fn appearances(definition: &Definition) -> HashSet<Name> {
    let of_role = |wanted: Role| {
        definition.items().iter().filter_map(move |item| match &item.kind {
            ItemKind::Property(property) if property.role == wanted => Some(property.name.clone()),
            _ => None,
        })
    };
    let others: HashSet<Name> = of_role(Role::Property).chain(of_role(Role::Relation)).collect();
    of_role(Role::Appearance).filter(|name| !others.contains(name)).collect()
}

fn definition_of(items: Vec<Item>) -> Definition {
    // A rule that goes before another one is put when the other is there.
    let (rules, others): (Vec<Item>, Vec<Item>) =
        items.into_iter().partition(|item| matches!(&item.kind, ItemKind::Rule(rule) if rule.before.is_some()));
    Definition::with_items(others.into_iter().chain(rules)).0
}
