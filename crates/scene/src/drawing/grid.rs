//! Square boards: chequered where pieces move, crossings where stones are put, paper for marks, sea for secret fleets.

use super::Drawing;
use super::block::Block;
use super::laid::{Kind, Laid};
use super::names;
use super::places::Style;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView, Mark, Shown};

/// The side of a cell.
pub(super) const CELL: i32 = 100;
/// For letters and numbers along the edges: larger around a large board, or nobody could read them on a small screen.
fn rim(columns: i32, rows: i32) -> i32 {
    (3 * columns.max(rows)).clamp(36, 72)
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ground {
    Chequered,
    /// Stones on crossings of lines.
    Wood,
    Paper,
    Felt,
    /// Upright, with holes that discs fall behind.
    Rack,
    Sea,
}

pub(super) fn lay(drawing: &Drawing, nth: usize, board: &BoardView, ground: Ground) -> Laid {
    let columns = board.cells.iter().map(|cell| cell.at.0).max().unwrap_or(0);
    let rows = board.cells.iter().map(|cell| cell.at.1).max().unwrap_or(0);
    let rim = rim(columns, rows);
    let turned = ground == Ground::Chequered && is_turned(drawing, board);
    let place = |column: i32, row: i32| {
        let (column, row) = if turned { (columns + 1 - column, rows + 1 - row) } else { (column, row) };
        Place::new(rim + column * CELL - CELL / 2, rim + (rows - row) * CELL + CELL / 2)
    };
    let mut block = Block::sized(columns * CELL + 2 * rim, rows * CELL + 2 * rim);
    plate(&mut block, nth, board, ground);
    if ground == Ground::Wood {
        lines(&mut block, nth, columns, rows, rim);
    }
    coordinates(&mut block, board, ground, rim, place);
    let places = board.cells.iter().map(|cell| place(cell.at.0, cell.at.1)).collect();
    Laid {
        kind: Kind::Grid(ground),
        size: block.size,
        ground: block.graphics,
        places,
        style: style(ground),
        cross: None,
    }
}

pub(super) fn tile(ground: Ground, cell: &CellView, at: Place) -> Graphic {
    let is_dark = (cell.at.0 + cell.at.1) % 2 == 0;
    let square =
        |shape, across| Graphic::new(format!("c{}", cell.id.0), Layer::Places, shape, at, Place::new(across, across));
    let tile = square(Shape::Rectangle { round: 0 }, CELL);
    let tile = match (ground, is_dark) {
        (Ground::Chequered, true) => tile.fill("sq-b"),
        (Ground::Chequered, false) => tile.fill("sq-a"),
        (Ground::Wood, _) => tile,
        (Ground::Paper, _) => tile.fill("paper-a").stroke("paper-line", 2),
        (Ground::Felt, _) => tile.fill("felt-field").stroke("felt-edge", 3),
        (Ground::Rack, _) => square(Shape::Circle, 84).fill("table").stroke("piece-blue-edge", 3),
        (Ground::Sea, true) => tile.fill("sea-a").stroke("sea-line", 1),
        (Ground::Sea, false) => tile.fill("sea-b").stroke("sea-line", 1),
    };
    let paint = match ground {
        Ground::Chequered => "sq-target",
        Ground::Wood => "wood-target",
        Ground::Paper => "paper-target",
        Ground::Felt | Ground::Rack => "felt-target",
        Ground::Sea => "sea-target",
    };
    tile.of(cell.id, None).label(cell.name.clone()).target(paint, style(ground).place - 8)
}

/// A cell of the sea as a shot has left it: the ship itself is its ground.
pub(super) fn shot(cell: &CellView) -> CellView {
    let sign = cell.properties.iter().find_map(|(name, shown)| match (&**name, shown) {
        ("shot", Shown::Value(value)) if value != "nil" => Some(value.clone()),
        // Where a shot is a fact of its own.
        ("hit" | "struck" | "sunk", Shown::Value(_)) => Some("X".to_owned()),
        ("miss" | "missed", Shown::Value(_)) => Some("o".to_owned()),
        _ => None,
    });
    let sign = sign.unwrap_or_default();
    CellView { mark: Mark { sign, seat: None }, ..cell.clone() }
}

/// What a board is made of: what its look says, or what its places know.
pub(super) fn ground(board: &BoardView) -> Ground {
    let look = board.look.iter().find(|(attribute, _)| attribute == "ground").map(|(_, value)| &**value);
    let knows = |name: &str| board.cells.first().is_some_and(|cell| cell.properties.iter().any(|(own, _)| own == name));
    match look {
        Some("chequered") => Ground::Chequered,
        Some("wood") => Ground::Wood,
        Some("paper") => Ground::Paper,
        Some("felt") => Ground::Felt,
        Some("rack") => Ground::Rack,
        Some("sea") => Ground::Sea,
        _ if knows("ship") => Ground::Sea,
        _ if knows("stone") => Ground::Wood,
        _ if knows("disc") => Ground::Felt,
        _ if board.cells.first().is_some_and(|cell| cell.properties.is_empty()) => Ground::Chequered,
        _ => Ground::Paper,
    }
}

/// Whether the viewer sits at the far side.
fn is_turned(drawing: &Drawing, board: &BoardView) -> bool {
    let seat = drawing.own.map(|seat| usize::from(seat.0));
    seat.and_then(|seat| board.facing.get(seat)).is_some_and(|facing| facing == "south")
}

fn style(ground: Ground) -> Style {
    let piece = match ground {
        Ground::Chequered => 86,
        Ground::Wood => 94,
        Ground::Paper => 76,
        Ground::Felt => 82,
        Ground::Rack => 84,
        Ground::Sea => 74,
    };
    let round = matches!(ground, Ground::Wood | Ground::Rack);
    let place = if ground == Ground::Rack { 94 } else { CELL };
    Style { piece, place, round, stones: ground != Ground::Rack }
}

/// The board under its places.
fn plate(block: &mut Block, nth: usize, board: &BoardView, ground: Ground) {
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let plate = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 14 }, middle, block.size);
    let plate = match ground {
        Ground::Chequered => plate.fill("sq-field"),
        Ground::Wood => plate.fill("wood-field").stroke("wood-edge", 4),
        Ground::Paper => plate.fill("paper-field").stroke("line", 2),
        Ground::Felt => plate.fill("felt-edge"),
        Ground::Rack => plate.fill("piece-blue").stroke("piece-blue-edge", 4),
        Ground::Sea => plate.fill("sea-field").stroke("sea-line", 3),
    };
    block.put(plate.label(board.name.clone()));
}

/// Lines through the middles of the cells, and the points that help to count them.
fn lines(block: &mut Block, nth: usize, columns: i32, rows: i32, rim: i32) {
    let first = rim + CELL / 2;
    let last = |n: i32| first + (n - 1) * CELL;
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let mut path = String::new();
    for column in 0..columns {
        path += &format!("M{} {}V{}", first + column * CELL - middle.x, first - middle.y, last(rows) - middle.y);
    }
    for row in 0..rows {
        path += &format!("M{} {}H{}", first - middle.x, first + row * CELL - middle.y, last(columns) - middle.x);
    }
    let lines = Graphic::new(format!("b{nth}.g"), Layer::Ground, Shape::Path(path), middle, block.size);
    block.put(lines.stroke("wood-line", 3).z(1));
    for (column, row) in hoshi(columns, rows) {
        let at = Place::new(first + column * CELL, first + row * CELL);
        let id = format!("b{nth}.h{column}-{row}");
        block.put(Graphic::new(id, Layer::Ground, Shape::Circle, at, Place::new(18, 18)).fill("wood-line").z(2));
    }
}

/// The points that are marked on a board of stones, by the custom of its size.
fn hoshi(columns: i32, rows: i32) -> Vec<(i32, i32)> {
    let along = |n: i32| -> Vec<i32> {
        match n {
            ..7 => Vec::new(),
            7..13 => vec![2, n - 3],
            _ => vec![3, n - 4],
        }
    };
    let (x, y) = (along(columns), along(rows));
    let mut points: Vec<(i32, i32)> = x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y))).collect();
    if columns % 2 == 1 && rows % 2 == 1 && !points.is_empty() {
        let middle = (columns / 2, rows / 2);
        points.push(middle);
        if columns >= 15 {
            points.extend(y.iter().map(|&y| (middle.0, y)));
        }
        if rows >= 15 {
            points.extend(x.iter().map(|&x| (x, middle.1)));
        }
    }
    points
}

/// Letters below the columns and numbers beside the rows, or each cell's own number.
fn coordinates(block: &mut Block, board: &BoardView, ground: Ground, rim: i32, place: impl Fn(i32, i32) -> Place) {
    let ink = match ground {
        Ground::Chequered => "sq-a",
        Ground::Wood => "wood-ink",
        Ground::Paper => "paper-ink",
        Ground::Felt => "felt-ink",
        Ground::Rack => "piece-white",
        Ground::Sea => "sea-ink",
    };
    let size = block.size;
    let mut write = |id: String, text: &str, at: Place, high: i32| {
        let shape = Shape::Text { text: text.into(), align: Align::Middle, font: Font::Plain };
        block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(rim + 8, high)).fill(ink));
    };
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    // Where dark squares have numbers of their own, letters along the edges would say something else.
    let plain = board.cells.iter().all(|cell| names::lettered(names::short(cell)).is_some());
    for cell in &board.cells {
        let at = place(cell.at.0, cell.at.1);
        match names::lettered(names::short(cell)).filter(|_| plain) {
            Some((letters, number)) => {
                if !columns.contains(&cell.at.0) {
                    columns.push(cell.at.0);
                    write(format!("x{}", cell.id.0), letters, Place::new(at.x, size.y - rim / 2), rim * 2 / 3);
                }
                if !rows.contains(&cell.at.1) {
                    rows.push(cell.at.1);
                    write(format!("y{}", cell.id.0), number, Place::new(rim / 2, at.y), rim * 2 / 3);
                }
            }
            None if names::short(cell).bytes().all(|digit| digit.is_ascii_digit()) => {
                let corner = at.by(16 - CELL / 2, 16 - CELL / 2);
                write(format!("x{}", cell.id.0), names::short(cell), corner, 18);
            }
            None => {}
        }
    }
}
