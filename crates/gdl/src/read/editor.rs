//! What only a visual editor wants to know.

use super::cursor::Cursor;
use crate::datum::DatumKind;
use houserules_model::{Drawn, Editor, ItemKind, Lane, Name, Number};

/// Several entities on one layer become an item each.
pub(crate) fn editor(cursor: &mut Cursor) -> Vec<ItemKind> {
    let items = if cursor.eat("layer") {
        vec![layer(cursor)]
    } else if cursor.eat("slot") {
        vec![slot(cursor)]
    } else if cursor.eat("put") {
        put(cursor)
    } else if cursor.eat("workspace") {
        let (width, height) = (size(cursor, "the width"), size(cursor, "the height"));
        vec![Editor::Workspace { width, height }]
    } else if cursor.eat("group") {
        let name = cursor.name("the group's name");
        vec![Editor::Group { name, entities: cursor.names_until(&[]).into_iter().map(|(entity, _)| entity).collect() }]
    } else if cursor.eat("keep") {
        let of = drawn(cursor);
        vec![Editor::Keep { of, text: cursor.text("markup") }]
    } else {
        cursor.fail("Here `layer`, `slot`, `put`, `workspace`, `group` or `keep` is expected.");
        Vec::new()
    };
    cursor.end();
    items.into_iter().map(ItemKind::Editor).collect()
}

fn layer(cursor: &mut Cursor) -> Editor {
    let name = cursor.name("the layer's name");
    let visible = !cursor.eat("hidden");
    Editor::Layer { name, visible, protected: cursor.eat("protected") }
}

fn slot(cursor: &mut Cursor) -> Editor {
    let (relation, of) = relation(cursor);
    let lane = Lane::ALL.into_iter().find(|lane| cursor.eat(lane.word()));
    let layer = cursor.eat("on").then(|| cursor.name("the layer's name"));
    Editor::Slot { relation, of, lane, layer }
}

fn put(cursor: &mut Cursor) -> Vec<Editor> {
    let entities = cursor.names_until(&["on"]);
    if entities.is_empty() {
        cursor.fail("Here the name of an entity is missing.");
    }
    cursor.want("on");
    let layer = cursor.name("the layer's name");
    entities.into_iter().map(|(entity, _)| Editor::Put { entity, layer: layer.clone() }).collect()
}

/// A length on the plane.
fn size(cursor: &mut Cursor, what: &str) -> u32 {
    if let Some(DatumKind::Number(Number::Whole(n))) = cursor.peek().map(|item| &item.kind)
        && let Some(size) = u32::try_from(*n).ok().filter(|size| (1..=Editor::LARGEST).contains(size))
    {
        cursor.next();
        return size;
    }
    cursor.fail(&format!("Here {what} is expected: a whole number from 1 to {}.", Editor::LARGEST));
    1
}

fn drawn(cursor: &mut Cursor) -> Drawn {
    if cursor.eat("model") {
        Drawn::Model(cursor.name("a model"))
    } else if cursor.eat("slot") {
        let (relation, of) = relation(cursor);
        Drawn::Slot(relation, of)
    } else if cursor.eat("entity") {
        Drawn::Entity(cursor.name("an entity"))
    } else {
        cursor.want("game");
        Drawn::Game
    }
}

fn relation(cursor: &mut Cursor) -> (Name, Name) {
    let relation = cursor.name("a relation");
    cursor.want("of");
    (relation, cursor.name("a model"))
}
