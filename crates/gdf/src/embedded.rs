//! The definition language inside a tag: read as it is in a file of its own, and told where it stands in this one.

use houserules_gdl::{Sources, SyntaxKind, read_items};
use houserules_model::{
    Action, Body, Diagnostic, DirectionPaths, Expr, ExprKind, FileId, ForEach, Item, ItemKind, NameRef, Origin, Shape,
    Sight, Slot,
};

/// Where a text stands: the whole tag, and its first sign if it is written there letter by letter.
#[derive(Clone, Copy)]
pub struct Place {
    pub whole: Origin,
    pub exact: Option<u32>,
}

pub struct Piece {
    pub items: Vec<Item>,
    pub diagnostics: Vec<Diagnostic>,
    /// Comments, and where they stand in this file.
    pub comments: Vec<(u32, String)>,
}

/// Directives; `opening` is put before them without standing anywhere.
pub fn items(opening: &str, text: &str, place: Place) -> Piece {
    let all = format!("{opening}{text}");
    let (mut items, mut diagnostics) = read_items(&mut Sources::new(), "", &all);
    let mut moved = |origin: &mut Origin| *origin = place.of(*origin, opening.len());
    items.iter_mut().for_each(|item| item_origins(item, &mut moved));
    for diagnostic in &mut diagnostics {
        diagnostic.labels.iter_mut().for_each(|label| moved(&mut label.origin));
    }
    let comments = comments(&all)
        .into_iter()
        .map(|(at, text)| (place.of(Origin::new(FileId(0), at, at), opening.len()).start, text))
        .collect();
    Piece { items, diagnostics, comments }
}

/// One expression or statement; nothing where it cannot be read.
pub fn expr(text: &str, place: Place) -> (Option<Expr>, Vec<Diagnostic>) {
    let mut piece = items("#setup ", text, place);
    let read = match piece.items.as_mut_slice() {
        [Item { kind: ItemKind::Setup(body), .. }] if body.len() == 1 => body.pop(),
        _ => None,
    };
    if read.is_none() && piece.diagnostics.is_empty() {
        let label = "Here one statement of the definition language is expected, such as `(win player)`.";
        piece.diagnostics.push(Diagnostic::error("gdf/expr", "This is no statement", place.whole, label));
    }
    (read, piece.diagnostics)
}

/// The comments of a text in the definition language, without their signs.
pub fn comments(text: &str) -> Vec<(u32, String)> {
    let tree = houserules_gdl::parse(FileId(0), text).root();
    tree.descendants_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| token.kind() == SyntaxKind::Comment)
        .map(|token| {
            let said = token.text().trim_start_matches(';').trim().to_owned();
            (u32::from(token.text_range().start()), said)
        })
        .collect()
}

impl Place {
    fn of(self, origin: Origin, opening: usize) -> Origin {
        match self.exact {
            Some(exact) if !origin.is_none() => {
                let moved = |at: u32| exact + at.saturating_sub(opening as u32);
                Origin::new(self.whole.file, moved(origin.start), moved(origin.end))
            }
            _ => self.whole,
        }
    }
}

type Visit<'v> = &'v mut dyn FnMut(&mut Origin);

/// Every place that an item knows.
pub fn item_origins(item: &mut Item, visit: Visit) {
    visit(&mut item.origin);
    match &mut item.kind {
        ItemKind::Setting(setting) => {
            expr_origins(&mut setting.value, visit);
            if let Some((least, most)) = &mut setting.range {
                expr_origins(least, visit);
                expr_origins(most, visit);
            }
            body_origins(&mut setting.among, visit);
        }
        ItemKind::Set { value, .. }
        | ItemKind::Look { value, .. }
        | ItemKind::Evaluator { value, .. }
        | ItemKind::Capacity { most: value, .. } => expr_origins(value, visit),
        ItemKind::Players(players) => players.names.iter_mut().for_each(|name| visit(&mut name.origin)),
        ItemKind::Teams(body) | ItemKind::Setup(body) | ItemKind::RuleBody { body, .. } => body_origins(body, visit),
        ItemKind::History(history) => history.things.iter_mut().for_each(|(_, origin)| visit(origin)),
        ItemKind::Property(property) => {
            property.value.iter_mut().for_each(|value| expr_origins(value, visit));
            sight_origins(&mut property.seen, visit);
        }
        ItemKind::Define(define) => body_origins(&mut define.body, visit),
        ItemKind::Behavior(behavior) => body_origins(&mut behavior.body, visit),
        ItemKind::Contents { seen, counted, .. } => {
            sight_origins(seen, visit);
            sight_origins(counted, visit);
        }
        ItemKind::Supply { most, .. } => most.iter_mut().for_each(|most| expr_origins(most, visit)),
        ItemKind::Entity(entity) => {
            entity.times.iter_mut().chain(&mut entity.at).for_each(|value| expr_origins(value, visit));
            for each in &mut entity.each {
                if let ForEach::In(_, list) = each {
                    expr_origins(list, visit);
                }
            }
            entity.with.iter_mut().for_each(|(_, value)| expr_origins(value, visit));
        }
        ItemKind::Board(board) => {
            match &mut board.shape {
                Shape::Grid { width, height, .. } | Shape::Rhombus { width, height } => {
                    expr_origins(width, visit);
                    expr_origins(height, visit);
                }
                Shape::Hex { side: n } | Shape::Triangle { side: n } | Shape::Ring { n } | Shape::Track { n } => {
                    expr_origins(n, visit)
                }
                Shape::Graph => {}
            }
            board.cut.iter_mut().for_each(|cut| expr_origins(cut, visit));
        }
        ItemKind::Directions { paths: DirectionPaths::Leap(left, right), .. } => {
            expr_origins(left, visit);
            expr_origins(right, visit);
        }
        ItemKind::Link(link) => {
            for (place, origin) in &mut link.places {
                expr_origins(place, visit);
                visit(origin);
            }
            link.each.iter_mut().for_each(|(_, list)| expr_origins(list, visit));
        }
        ItemKind::Spot(spot) => {
            expr_origins(&mut spot.name, visit);
            if let Some((column, row)) = &mut spot.at {
                expr_origins(column, visit);
                expr_origins(row, visit);
            }
            spot.each.iter_mut().for_each(|(_, list)| expr_origins(list, visit));
        }
        ItemKind::Action(Action { to, with, body, .. }) => {
            to.iter_mut().for_each(|to| expr_origins(to, visit));
            with.iter_mut().for_each(|(_, domain)| expr_origins(domain, visit));
            body.iter_mut().for_each(|body| body_origins(body, visit));
        }
        ItemKind::Rule(rule) => {
            let names = rule.labels.iter_mut().chain(&mut rule.to).chain(&mut rule.states).chain(&mut rule.before);
            names.for_each(|(_, origin)| visit(origin));
            body_origins(&mut rule.body, visit);
        }
        ItemKind::View(view) => {
            view.properties.iter_mut().filter_map(|(_, value)| value.as_mut()).for_each(|v| expr_origins(v, visit));
            view.behaviors.iter_mut().for_each(|behavior| body_origins(&mut behavior.body, visit));
        }
        ItemKind::Variant(variant) => variant.changes.iter_mut().for_each(|item| item_origins(item, visit)),
        ItemKind::Game { .. }
        | ItemKind::Info { .. }
        | ItemKind::Turns(_)
        | ItemKind::OpenProperties
        | ItemKind::Picture { .. }
        | ItemKind::Model { .. }
        | ItemKind::State { .. }
        | ItemKind::Symbol { .. }
        | ItemKind::Directions { .. }
        | ItemKind::Edges(_)
        | ItemKind::Editor(_)
        | ItemKind::RuleMode { .. } => {}
    }
}

fn body_origins(body: &mut Body, visit: Visit) {
    body.iter_mut().for_each(|statement| expr_origins(statement, visit));
}

fn sight_origins(sight: &mut Option<Sight>, visit: Visit) {
    if let Some(Sight::Those(those)) = sight {
        expr_origins(those, visit);
    }
}

fn expr_origins(expr: &mut Expr, visit: Visit) {
    visit(&mut expr.origin);
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Word(_) | ExprKind::Missing => {}
        ExprKind::Told(pieces) => body_origins(pieces, visit),
        ExprKind::PlaceAt { at, .. } => body_origins(at, visit),
        ExprKind::Call { name_origin, args, of, .. } => {
            visit(name_origin);
            body_origins(args, visit);
            of.iter_mut().for_each(|of| expr_origins(of, visit));
        }
        ExprKind::Form(_, slots) => slots.iter_mut().for_each(|slot| slot_origins(slot, visit)),
    }
}

fn slot_origins(slot: &mut Slot, visit: Visit) {
    let name = |name: &mut NameRef, visit: Visit| match name {
        NameRef::Given(_, origin) => visit(origin),
        NameRef::Computed(expr) => expr_origins(expr, visit),
    };
    match slot {
        Slot::Absent | Slot::Flag => {}
        Slot::Expr(expr) => expr_origins(expr, visit),
        Slot::Exprs(exprs) | Slot::Body(exprs) => body_origins(exprs, visit),
        Slot::Name(own) => name(own, visit),
        Slot::Names(names) => names.iter_mut().for_each(|own| name(own, visit)),
        Slot::Pairs(pairs) => pairs.iter_mut().for_each(|(own, value)| {
            name(own, visit);
            expr_origins(value, visit);
        }),
        Slot::Entries(entries) => entries.iter_mut().for_each(|(key, value)| {
            expr_origins(key, visit);
            expr_origins(value, visit);
        }),
        Slot::Domain { list, owner, .. } => {
            expr_origins(list, visit);
            owner.iter_mut().for_each(|owner| expr_origins(owner, visit));
        }
        Slot::Cases { cases, otherwise } => {
            for case in cases {
                expr_origins(&mut case.value, visit);
                body_origins(&mut case.body, visit);
            }
            otherwise.iter_mut().for_each(|body| body_origins(body, visit));
        }
    }
}
