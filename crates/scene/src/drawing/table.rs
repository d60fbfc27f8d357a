//! Where the parts of the table stand: the others above, the viewer below, boards and what is common between them.

use super::Drawing;
use super::block::Block;
use super::laid::Kind;
use super::{cross, dice, edges, facts, graph, grid, heaps, holders, map, marks, pits, plane, players, points, ships};
use crate::{Graphic, Layer, Place, Shape as Form};
use houserules_kernel::{BoardView, SeatId, Shape, Shown, ThingView};

const APART: i32 = 26;
/// A row of parts is no wider than this, unless one part alone is.
const WIDEST: i32 = 1500;

pub(super) fn block(drawing: &Drawing) -> Block {
    let view = drawing.view;
    let used = used(drawing);
    let game = view.facts.iter().find(|fact| fact.kind == "game");
    let thrown = game.and_then(dice::thrown);
    let things: Vec<&ThingView> = view
        .things
        .iter()
        .filter(|thing| {
            !used.things.contains(&thing.id) && edges::ends(thing).is_none() && holders::is_shown(drawing, thing)
        })
        .collect();
    // What knows where it lies, lies there.
    let (on_plane, things): (Vec<&ThingView>, Vec<&ThingView>) =
        things.into_iter().partition(|thing| view.boards.is_empty() && plane::spot(thing).is_some());
    let mut plane = plane::block(drawing, &on_plane);
    let things = if plane.size == Place::default() { [things, on_plane].concat() } else { things };
    let is_cards = view.boards.is_empty() && !things.is_empty() && plane.size == Place::default();

    let mut middle = boards(drawing);
    middle.below(std::mem::take(&mut plane), APART);
    // Names and dice beside a large board are as large in proportion as beside a small one.
    let percent = if is_cards { 140 } else { (middle.size.x / 9).clamp(100, 260) };
    let larger = |mut block: Block| {
        block.grow(percent);
        block
    };
    let mut without = thrown.as_ref().map(|(name, _)| *name);
    if let Some((name, numbers)) = &thrown {
        middle.below(larger(dice::block(name, numbers)), APART);
    }
    if view.boards.is_empty()
        && things.is_empty()
        && let Some((name, told)) = game.and_then(counted)
    {
        middle.below(heaps::beside(&told), APART);
        without = Some(name);
    } else if view.boards.is_empty()
        && things.is_empty()
        && let Some((name, n)) = game.and_then(only_number)
    {
        middle.below(heaps::sticks(facts::told(name, "").trim_end(), n), APART);
        without = Some(name);
    }
    let common = || -> Vec<Block> {
        let common: Vec<&ThingView> = things.iter().copied().filter(|thing| thing.owner.is_none()).collect();
        holders::blocks(drawing, &common, false)
    };
    let of = |seat: SeatId| -> Vec<&ThingView> {
        things.iter().copied().filter(|thing| thing.owner == Some(seat)).collect()
    };
    // What the seats have lies beside a board that is about as high as wide: above and below, it would make the board small.
    let aside = !view.boards.is_empty() && 2 * middle.size.x < 3 * middle.size.y;
    let n_seats = drawing.seats.len() as u8;
    let seats = (1..=n_seats).map(|step| SeatId((drawing.near().0 + step) % n_seats));
    let held = |seat: SeatId| -> Option<Block> {
        let blocks = holders::blocks(drawing, &of(seat), true);
        (aside && !blocks.is_empty()).then(|| players::signed(drawing, seat, rows(blocks)))
    };
    let mut held: Vec<Block> = seats.filter_map(held).collect();
    if !held.is_empty() {
        let mut parts = common();
        parts.append(&mut held);
        middle.beside(columns(parts, middle.size.y), APART);
    }
    let beneath = if middle.size.x > 0 && aside && (0..n_seats).any(|seat| !of(SeatId(seat)).is_empty()) {
        Block::default()
    } else {
        rows(common())
    };
    // Much of it beside a board that is high: below it everything would be small.
    if middle.size.y > 0 && beneath.size.y * 5 > middle.size.y && middle.size.y + beneath.size.y > middle.size.x {
        middle.beside(columns(common(), middle.size.y), APART);
    } else {
        middle.below(beneath, APART);
    }
    if let Some(game) = game {
        middle.below(larger(facts::block(view, game, without)), APART);
    }

    let place = |seat: SeatId, narrow: bool| {
        let mut own = larger(players::plate(drawing, seat, used.counter.as_deref(), narrow));
        own.beside(larger(players::shown(drawing, seat)), APART);
        let theirs = if aside { Block::default() } else { rows(holders::blocks(drawing, &of(seat), narrow)) };
        if Some(seat) == Some(drawing.near()) {
            let mut both = theirs;
            both.below(own, 10);
            return both;
        }
        own.below(theirs, 10);
        own
    };
    let near = drawing.near();
    let others: Vec<SeatId> = (1..n_seats).map(|step| SeatId((near.0 + step) % n_seats)).collect();
    let mut table = Block::default();
    match others.as_slice() {
        [left, opposite, right] if is_cards => {
            let mut centre = place(*left, true);
            centre.beside(middle, APART);
            centre.beside(place(*right, true), APART);
            table.below(place(*opposite, false), APART);
            table.below(centre, APART);
        }
        _ => {
            table.below(rows(others.iter().map(|seat| place(*seat, others.len() > 1)).collect()), APART);
            table.below(middle, APART);
        }
    }
    if n_seats > 0 {
        table.below(place(near, false), APART);
    }
    if is_cards {
        cloth(&mut table);
    }
    table
}

/// A cloth under a table of cards.
fn cloth(table: &mut Block) {
    const HEM: i32 = 24;
    table.shift(HEM, HEM);
    table.size = table.size.by(2 * HEM, 2 * HEM);
    let middle = Place::new(table.size.x / 2, table.size.y / 2);
    let cloth = Graphic::new("cloth", Layer::Ground, Form::Rectangle { round: 40 }, middle, table.size);
    table.put(cloth.fill("felt-field").stroke("felt-edge", 6).z(-1));
}

/// Parts beside each other, in as many rows as it takes.
fn rows(parts: Vec<Block>) -> Block {
    let (mut all, mut row) = (Block::default(), Block::default());
    for part in parts {
        if row.size.x > 0 && row.size.x + APART + part.size.x > WIDEST {
            all.below(std::mem::take(&mut row), 14);
        }
        row.beside(part, APART);
    }
    all.below(row, 14);
    all
}

/// Parts under each other, in as many columns as it takes.
fn columns(parts: Vec<Block>, high: i32) -> Block {
    let (mut all, mut column) = (Block::default(), Block::default());
    for part in parts {
        if column.size.y > 0 && column.size.y + 14 + part.size.y > high {
            all.beside(std::mem::take(&mut column), APART);
        }
        column.below(part, 14);
    }
    all.beside(column, APART);
    all
}

/// All boards side by side; the viewer's own last, nearest to where the viewer looks.
fn boards(drawing: &Drawing) -> Block {
    let mut parts: Vec<(bool, Block)> = Vec::new();
    for (nth, board) in drawing.view.boards.iter().enumerate() {
        let mut part = self::board(drawing, nth, board);
        if let Some(name) = board.owner.and_then(|owner| drawing.seats.get(usize::from(owner.0))) {
            let mut titled = facts::slip(&format!("b{nth}.n"), &format!("{}, {name}", board.name));
            titled.grow(240);
            titled.below(part, 10);
            part = titled;
        }
        parts.push((board.owner.is_some() && board.owner == drawing.own, part));
    }
    parts.sort_by_key(|(own, _)| *own);
    let mut all = Block::default();
    let wide: i32 = parts.iter().map(|(_, part)| part.size.x).sum();
    for (_, part) in parts {
        if wide > 2 * WIDEST { all.below(part, APART) } else { all.beside(part, APART) }
    }
    all
}

fn board(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    if let Some(laid) = drawing.laid[nth] {
        let mut block = Block::sized(laid.size.x, laid.size.y);
        block.boards.push((nth, Place::default()));
        match laid.kind {
            Kind::Grid(grid::Ground::Sea) => ships::put(&mut block.graphics, nth, board, laid),
            Kind::Grid(_) => edges::put(drawing, &mut block.graphics, board, laid),
            Kind::Pits { .. } => pits::stores(drawing, &mut block.graphics, laid),
            Kind::Graph(graph::Ground::Map) => map::put(drawing, &mut block.graphics, board, &laid.places),
            _ => {}
        }
        cross::put(drawing, &mut block.graphics, nth, laid);
        marks::put(drawing, &mut block.graphics, nth, board, laid);
        return block;
    }
    match board.shape {
        _ if board.cells.is_empty() => Block::default(),
        Shape::Track { .. } => heaps::block(drawing, nth, board),
        _ => points::block(drawing, nth, board),
    }
}

/// What boards have drawn already.
#[derive(Default)]
struct Used {
    things: Vec<houserules_kernel::ThingId>,
    /// The property of players that stands at the ends of the rows of pits.
    counter: Option<String>,
}

fn used(drawing: &Drawing) -> Used {
    let view = drawing.view;
    let mut used = Used::default();
    for (laid, board) in drawing.laid.iter().zip(&view.boards) {
        if let Some(laid) = laid.filter(|laid| laid.kind == Kind::Graph(graph::Ground::Map)) {
            let lands = map::lands(drawing, board, &laid.places);
            used.things.extend(lands.iter().map(|(land, _)| land.id));
        }
    }
    for cross in drawing.laid.iter().flatten().filter_map(|laid| laid.cross) {
        used.things.extend(cross::beside(drawing, cross).iter().map(|(thing, _)| thing.id));
    }
    for board in view.boards.iter().filter(|board| matches!(board.shape, Shape::Ring { .. }) && !board.cells.is_empty())
    {
        if pits::are_pits(board) && drawing.seats.len() == 2 {
            used.counter = pits::taken(drawing, SeatId(0)).map(|(name, _)| name);
        } else if points::are_points(drawing, board) {
            used.things
                .extend(view.things.iter().filter(|thing| points::column(thing).is_some()).map(|thing| thing.id));
        }
    }
    used
}

/// What numbers of things that are taken away are called; others, such as the number of the night, are only told.
const HEAPS: [&str; 9] = ["left", "heap", "pile", "sticks", "matches", "counters", "coins", "stones", "tokens"];

/// How much is left, where a game knows nothing else worth drawing.
fn only_number(game: &ThingView) -> Option<(&str, i64)> {
    game.properties.iter().find_map(|(name, shown)| match shown {
        Shown::Value(value) if HEAPS.contains(&&**name) => Some((&**name, value.parse().ok().filter(|n| *n >= 0)?)),
        _ => None,
    })
}

/// Heaps among the facts of a game.
fn counted(game: &ThingView) -> Option<(&str, Vec<(&str, i64)>)> {
    game.properties.iter().find_map(|(name, shown)| match shown {
        Shown::Value(value) => Some((&**name, heaps::counted(value)?)),
        Shown::Hidden => None,
    })
}
