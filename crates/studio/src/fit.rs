//! What a running match must be told, so that it goes on by the rules as they stand now.

use houserules_model::{Definition, Item, ItemKind};

/// The text of a change of rules that leads from one definition to another; none where nothing in play differs.
///
/// What only became another or was added is told alone, so that the record of the match says what was changed. Where
/// something is gone or stands in another order, the definition is told whole.
pub fn change(before: &Definition, after: &Definition) -> Option<String> {
    let (before, after) = (before.for_play(), after.for_play());
    if before == after {
        return None;
    }
    let kept: Vec<&Item> = before.items().iter().filter(|item| has(&after, item)).collect();
    let there: Vec<&Item> = after.items().iter().filter(|item| has(&before, item)).collect();
    let same_order =
        kept.len() == before.items().len() && kept.iter().zip(&there).all(|(one, other)| one.key() == other.key());
    let changed: Vec<&Item> = after.items().iter().filter(|item| differs(&before, item)).collect();
    let added_last = |item: &Item| match &item.kind {
        // Put into the rules of a match it would be the last one.
        ItemKind::Rule(_) => {
            let at = after.items().iter().position(|other| other == item).unwrap_or_default();
            !after.items()[at..].iter().any(|other| matches!(other.kind, ItemKind::Rule(_)) && has(&before, other))
        }
        _ => true,
    };
    let small = same_order
        && changed.iter().all(|item| {
            matches!(
                item.kind,
                ItemKind::Rule(_)
                    | ItemKind::Behavior(_)
                    | ItemKind::Define(_)
                    | ItemKind::Property(_)
                    | ItemKind::Action(_)
            ) && (has(&before, item) || added_last(item))
        });
    Some(match small {
        true => changed.iter().map(|item| format!("{item}\n")).collect(),
        false => whole(&after),
    })
}

/// A definition as one text that refers to no other.
pub fn whole(definition: &Definition) -> String {
    let name = definition.items().iter().any(|item| matches!(item.kind, ItemKind::Game { .. }));
    let head = if name { "" } else { "#game \"Untitled\"\n" };
    format!("{head}{definition}")
}

fn has(definition: &Definition, item: &Item) -> bool {
    item.key().is_some_and(|key| definition.get(&key).is_some())
}

fn differs(before: &Definition, item: &Item) -> bool {
    item.key().is_none_or(|key| before.get(&key).is_none_or(|old| old.kind != item.kind))
}
