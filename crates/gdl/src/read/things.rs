//! Directives that describe things: models and what belongs to them, entities, boards.

use super::cursor::Cursor;
use houserules_model::{
    Board, Define, DirectionPaths, Edges, Entity, Expr, ExprKind, ForEach, ItemKind, Link, Name, Origin, Property,
    Role, Shape, Sight, Signs, Spot,
};

pub(crate) fn model(cursor: &mut Cursor) -> (Name, Option<Name>) {
    let name = cursor.name("the model's name");
    let parent = cursor.eat("is").then(|| cursor.name("the parent's name"));
    cursor.end();
    (name, parent)
}

pub(crate) fn property(cursor: &mut Cursor, of: Name, role: Role) -> Property {
    let name = cursor.name("its name");
    let mut property = Property { of, name, role, value: None, seen: None, untracked: false };
    let at_end_of_value = |cursor: &Cursor| {
        cursor.at_end()
            || cursor.at_words(&["seen", "by"])
            || (cursor.at_word("untracked") && cursor.peek_at(1).is_none_or(|next| next.is_word("seen")))
    };
    if !at_end_of_value(cursor) {
        property.value = Some(cursor.expr("its first value"));
    }
    while !cursor.at_end() {
        if cursor.eat_all(&["seen", "by"]) {
            property.seen = Some(sight(cursor));
        } else if cursor.eat("untracked") {
            property.untracked = true;
        } else {
            cursor.end();
        }
    }
    property
}

fn sight(cursor: &mut Cursor) -> Sight {
    let words =
        [("everyone", Sight::Everyone), ("nobody", Sight::Nobody), ("self", Sight::Myself), ("owner", Sight::Owner)];
    for (word, sight) in words {
        if cursor.eat(word) {
            return sight;
        }
    }
    Sight::Those(cursor.expr("`everyone`, `nobody`, `self`, `owner` or a form giving players"))
}

/// Parameters are the words before the body. The body begins with the first form; without any form it is the last item.
pub(crate) fn define(cursor: &mut Cursor, of: Option<Name>) -> ItemKind {
    let name = cursor.name("its name");
    let items = cursor.rest();
    let body_at = items.iter().position(|item| item.list().is_some()).unwrap_or(items.len().saturating_sub(1));
    let (params, body) = items.split_at(body_at);
    let mut names = Vec::new();
    for item in params {
        match item.word() {
            Some(word) => names.push(word.clone()),
            None => cursor.fail("Before the body only plain words can stand: the parameters."),
        }
    }
    if body.is_empty() {
        cursor.fail("Here the answer is missing.");
    }
    let body = body.iter().map(|item| cursor.expr_of(item)).collect();
    ItemKind::Define(Define { of, name, params: names, body })
}

pub(crate) fn state(cursor: &mut Cursor) -> Vec<Name> {
    let names: Vec<Name> = cursor.names_until(&[]).into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        cursor.fail("Here the name of a state is missing.");
    }
    cursor.end();
    names
}

/// The label, and the attributes: plain words up to the body.
pub(crate) fn message_head(cursor: &mut Cursor) -> (Name, Vec<Name>) {
    let label = cursor.name("the label of a message");
    let mut attributes = Vec::new();
    while let Some(word) = cursor.peek().and_then(|item| item.word()) {
        attributes.push(word.clone());
        cursor.next();
    }
    (label, attributes)
}

pub(crate) fn contents(cursor: &mut Cursor, of: Name) -> ItemKind {
    let (mut seen, mut counted) = (None, None);
    while !cursor.at_end() {
        if cursor.eat_all(&["seen", "by"]) {
            seen = Some(sight(cursor));
        } else if cursor.eat_all(&["counted", "by"]) {
            counted = Some(sight(cursor));
        } else {
            cursor.end();
        }
    }
    ItemKind::Contents { of, seen, counted }
}

pub(crate) fn capacity(cursor: &mut Cursor, of: Name) -> ItemKind {
    let most = cursor.expr("a number");
    cursor.end();
    ItemKind::Capacity { of, most }
}

pub(crate) fn supply(cursor: &mut Cursor, of: Name) -> ItemKind {
    let model = cursor.name("a model");
    let most = (!cursor.at_end()).then(|| cursor.expr("a number"));
    cursor.end();
    ItemKind::Supply { of, model, most }
}

pub(crate) fn symbol(cursor: &mut Cursor, of: Name) -> ItemKind {
    let names = |cursor: &mut Cursor| cursor.names_until(&["in"]).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let mut signs = Vec::new();
    let usual = names(cursor);
    if !usual.is_empty() {
        signs.push(Signs { state: None, signs: usual });
    }
    while cursor.eat("in") {
        let state = Some(cursor.name("a state"));
        let own = names(cursor);
        if own.is_empty() {
            cursor.fail("Here a sign is missing.");
        }
        signs.push(Signs { state, signs: own });
    }
    cursor.end();
    if signs.is_empty() {
        cursor.fail("Here a sign is missing.");
    }
    ItemKind::Symbol { of, signs }
}

pub(crate) fn look(cursor: &mut Cursor, of: Name) -> Vec<ItemKind> {
    let mut looks = Vec::new();
    if cursor.at_end() {
        cursor.fail("Here an attribute is missing, such as `fill`.");
    }
    while !cursor.at_end() && !cursor.has_failed() {
        let attribute = cursor.name("an attribute such as `fill`");
        let value = cursor.expr("its value");
        looks.push(ItemKind::Look { of: of.clone(), attribute, value });
    }
    looks
}

pub(crate) fn entity(cursor: &mut Cursor) -> Entity {
    let named = cursor.peek_at(1).is_some_and(|item| item.is_word("is"));
    let name = named.then(|| cursor.name("a name"));
    cursor.eat("is");
    let model = cursor.name("a model");
    let mut entity = Entity { name, model, number: 0, times: None, each: Vec::new(), at: None, with: Vec::new() };
    while !cursor.at_end() && !cursor.has_failed() {
        if cursor.peek_at(1).is_some_and(|item| item.is_word("times")) {
            entity.times = Some(cursor.expr("a number"));
            cursor.eat("times");
        } else if let Some(each) = for_each(cursor) {
            entity.each.push(each);
        } else if cursor.eat("at") {
            entity.at = Some(cursor.expr("a place"));
        } else if cursor.eat("with") {
            while !cursor.at_end()
                && !cursor.at_words(&["for", "each"])
                && !cursor.at_word("at")
                && !cursor.has_failed()
            {
                let property = cursor.name("a property");
                entity.with.push((property, cursor.expr("its value")));
            }
        } else {
            cursor.fail("Here `for each`, `at`, `with` or a number and `times` can stand.");
        }
    }
    entity
}

fn for_each(cursor: &mut Cursor) -> Option<ForEach> {
    if !cursor.eat_all(&["for", "each"]) {
        return None;
    }
    if cursor.at_word("player") && !cursor.peek_at(1).is_some_and(|item| item.is_word("in")) {
        cursor.next();
        return Some(ForEach::Player);
    }
    let name = cursor.name("`player`, or a property");
    cursor.want("in");
    Some(ForEach::In(name, cursor.expr("a list")))
}

pub(crate) fn board(cursor: &mut Cursor) -> ItemKind {
    let model = cursor.name("the model of the places");
    let shape = shape(cursor);
    let mut board = Board { model, shape, name: None, each_player: false, naming: None, cut: None };
    while !cursor.at_end() && !cursor.has_failed() {
        if cursor.eat("where") {
            board.cut = Some(cursor.expr("a condition"));
        } else if cursor.eat("named") {
            board.name = Some(cursor.name("a name"));
        } else if cursor.eat("naming") {
            board.naming = Some(cursor.name("a way of naming places"));
        } else if cursor.eat_all(&["for", "each", "player"]) {
            board.each_player = true;
        } else {
            cursor.fail("Here `where`, `named`, `naming` or `for each player` can stand.");
        }
    }
    ItemKind::Board(board)
}

fn shape(cursor: &mut Cursor) -> Shape {
    let size = |cursor: &mut Cursor, what: &str| -> Expr { cursor.expr(what) };
    if cursor.eat("grid") {
        let (width, height) = (size(cursor, "the width"), size(cursor, "the height"));
        Shape::Grid { width, height, wrapping: cursor.eat("wrapping") }
    } else if cursor.eat("rhombus") {
        Shape::Rhombus { width: size(cursor, "the width"), height: size(cursor, "the height") }
    } else if cursor.eat("hex") {
        Shape::Hex { side: size(cursor, "the length of a side") }
    } else if cursor.eat("triangle") {
        Shape::Triangle { side: size(cursor, "the length of a side") }
    } else if cursor.eat("ring") {
        Shape::Ring { n: size(cursor, "the number of places") }
    } else if cursor.eat("track") {
        Shape::Track { n: size(cursor, "the number of places") }
    } else {
        if !cursor.eat("graph") {
            cursor.fail("Here a shape is expected: `grid`, `rhombus`, `hex`, `triangle`, `ring`, `track` or `graph`.");
        }
        Shape::Graph
    }
}

pub(crate) fn directions(cursor: &mut Cursor) -> ItemKind {
    let name = cursor.name("a name");
    if cursor.eat("leap") {
        let (left, right) = (cursor.expr("a number"), cursor.expr("a number"));
        cursor.end();
        return ItemKind::Directions { name, paths: DirectionPaths::Leap(left, right) };
    }
    let mut paths: Vec<Vec<Name>> = Vec::new();
    while let Some(item) = cursor.peek() {
        let path: Option<Vec<Name>> = match item.list() {
            Some(steps) => steps.iter().map(|step| step.name()).collect(),
            None => item.name().map(|name| vec![name]),
        };
        match path {
            Some(path) if !path.is_empty() => paths.push(path),
            _ => {
                cursor.fail("Here a path is expected: directions between parentheses.");
                break;
            }
        }
        cursor.next();
    }
    if paths.is_empty() {
        cursor.fail("Here directions are missing.");
    }
    ItemKind::Directions { name, paths: DirectionPaths::Paths(paths) }
}

pub(crate) fn link(cursor: &mut Cursor, board: Name, number: u32) -> ItemKind {
    let mut link = Link { board, number, places: Vec::new(), relation: None, one_way: false, each: Vec::new() };
    while !cursor.at_end() && !cursor.has_failed() {
        if let Some(each) = each_in(cursor) {
            link.each.push(each);
        } else if cursor.eat("as") {
            link.relation = Some(cursor.name("a relation"));
        } else if cursor.eat_all(&["one", "way"]) {
            link.one_way = true;
        } else {
            link.places.push(place_name(cursor));
        }
    }
    if link.places.len() < 2 {
        cursor.fail("Here another place is missing: a link joins two or more.");
    }
    ItemKind::Link(link)
}

pub(crate) fn spot(cursor: &mut Cursor, board: Name, number: u32) -> ItemKind {
    let (name, _) = place_name(cursor);
    let mut spot = Spot { board, number, name, at: None, each: Vec::new() };
    while !cursor.at_end() && !cursor.has_failed() {
        if let Some(each) = each_in(cursor) {
            spot.each.push(each);
        } else if cursor.eat("at") {
            spot.at = Some((cursor.expr("the column"), cursor.expr("the row")));
        } else {
            cursor.fail("Here `at` or `for each` can stand.");
        }
    }
    ItemKind::Spot(spot)
}

pub(crate) fn edges(cursor: &mut Cursor) -> ItemKind {
    let model = cursor.name("the model of the edges");
    cursor.want("between");
    let between = cursor.name("the model of the places");
    let along = cursor.eat("along").then(|| cursor.name("a direction or several"));
    cursor.end();
    ItemKind::Edges(Edges { model, between, along })
}

/// The name of a place: a text with braces has values.
fn place_name(cursor: &mut Cursor) -> (Expr, Origin) {
    if let Some(item) = cursor.peek().filter(|item| item.text().is_some_and(|text| text.contains('{'))) {
        cursor.next();
        return (cursor.expr_of(item), item.origin);
    }
    let (name, origin) = cursor.name_here("a place");
    (Expr::new(ExprKind::Text(name), origin), origin)
}

/// `for each NAME in LIST`.
fn each_in(cursor: &mut Cursor) -> Option<(Name, Expr)> {
    cursor.eat_all(&["for", "each"]).then(|| {
        let name = cursor.name("a name");
        cursor.want("in");
        (name, cursor.expr("a list"))
    })
}
