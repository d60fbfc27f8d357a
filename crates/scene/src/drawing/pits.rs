//! Rings of pits: two rows, one's own nearest, with the stores at their ends.

use super::Drawing;
use super::block::Block;
use super::laid::{Kind, Laid};
use super::news;
use super::places::Style;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{BoardView, CellView, SeatId, Shown};

/// From pit to pit.
const STEP: i32 = 136;
const PIT: i32 = 116;
const STORE: i32 = 130;
/// From the edge of the board to the row.
const EDGE: i32 = 62;
/// More seeds than this are told by their number alone.
const DRAWN: i64 = 28;

/// A ring whose places hold numbers.
pub(super) fn are_pits(board: &BoardView) -> bool {
    board.cells.len() >= 4
        && board.cells.len().is_multiple_of(2)
        && board.cells.iter().all(|cell| news::number(cell).is_some_and(|number| number >= 0))
}

/// What a player has taken: the first of the properties that is a number.
pub(super) fn taken(drawing: &Drawing, seat: SeatId) -> Option<(String, i64)> {
    let name = drawing.seats.get(usize::from(seat.0))?;
    let fact = drawing.view.facts.iter().find(|fact| fact.kind == "player" && fact.name == *name)?;
    fact.properties.iter().find_map(|(name, shown)| match shown {
        Shown::Value(value) => Some((name.clone(), value.parse().ok().filter(|n| *n >= 0)?)),
        Shown::Hidden => None,
    })
}

/// Whether the second half of the ring is the near row. Own pits are counted: one of them may have become another's.
pub(super) fn is_flipped(drawing: &Drawing, board: &BoardView) -> bool {
    let (first, second) = board.cells.split_at(board.cells.len() / 2);
    let near = Some(drawing.near());
    let own = |cells: &[CellView]| cells.iter().filter(|cell| cell.mark.seat == near).count();
    own(second) > own(first)
}

/// From the edge of the board to the pits.
fn side(drawing: &Drawing) -> Option<i32> {
    let stores = drawing.seats.len() == 2 && taken(drawing, SeatId(0)).is_some();
    stores.then_some(STORE + 20)
}

pub(super) fn lay(drawing: &Drawing, nth: usize, board: &BoardView, flipped: bool) -> Laid {
    let n = board.cells.len() / 2;
    let side = side(drawing).unwrap_or(20);
    let wide = STEP * n as i32 + 2 * side + 40;
    let high = 2 * PIT + 2 * EDGE + 30;
    let mut block = Block::sized(wide, high);
    let middle = Place::new(wide / 2, high / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 90 }, middle, block.size);
    block.put(ground.fill("wood-field").stroke("wood-edge", 6).label(board.name.clone()));
    let inner = block.size.by(-28, -28);
    let groove = Graphic::new(format!("b{nth}.g"), Layer::Ground, Shape::Rectangle { round: 76 }, middle, inner);
    block.put(groove.stroke("wood-edge", 2).opacity(60).z(1));
    let mut places = Vec::new();
    for (idx, cell) in board.cells.iter().enumerate() {
        // Own row below; the ring runs counter-clockwise from the lower left.
        let lower = (idx < n) != flipped;
        let column = if idx < n { idx } else { idx - n };
        let column = if lower { column } else { n - 1 - column } as i32;
        let x = side + 20 + STEP * column + STEP / 2;
        let y = if lower { high - EDGE - PIT / 2 } else { EDGE + PIT / 2 };
        let at = Place::new(x, y);
        let name = cell.name.rsplit(' ').next().unwrap_or_default().to_owned();
        write(&mut block.graphics, &format!("x{}", cell.id.0), &name, at.by(40, outside(lower) + 2), 18, Font::Plain);
        places.push(at);
    }
    let style = Style { piece: PIT, place: PIT, round: true, stones: true };
    Laid { kind: Kind::Pits { flipped }, size: block.size, ground: block.graphics, places, style, cross: None }
}

/// What the players have taken, at the ends of the board.
pub(super) fn stores(drawing: &Drawing, graphics: &mut Vec<Graphic>, laid: &Laid) {
    let Some(side) = side(drawing) else { return };
    for seat in [SeatId(0), SeatId(1)] {
        let x = if seat == drawing.near() { laid.size.x - side / 2 - 20 } else { side / 2 + 20 };
        store(drawing, graphics, seat, Place::new(x, laid.size.y / 2), laid.size.y - 150);
    }
}

fn outside(lower: bool) -> i32 {
    if lower { PIT / 2 + 26 } else { -PIT / 2 - 26 }
}

pub(super) fn pit(drawing: &Drawing, graphics: &mut Vec<Graphic>, cell: &CellView, at: Place, lower: bool) {
    let n = news::number(cell).unwrap_or(0);
    let pit = Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Circle, at, Place::new(PIT, PIT));
    let pit = pit.fill("wood-well").stroke("wood-well-2", 5).of(cell.id, None).label(format!("{}, {n}", cell.name));
    graphics.push(pit.ringed("wood-target", PIT + 4));
    seeds(graphics, &format!("c{}", cell.id.0), n, at, PIT - 26, PIT - 26);
    write(graphics, &format!("n{}", cell.id.0), &n.to_string(), at.by(-8, outside(lower)), 30, Font::Bold);
    whose(drawing, graphics, cell, at);
}

/// A pit that belongs to somebody by a property of its own, such as a tuzdik, carries the sign of the seat.
fn whose(drawing: &Drawing, graphics: &mut Vec<Graphic>, cell: &CellView, at: Place) {
    let seat = cell.properties.iter().filter(|(name, _)| name != "owner").find_map(|(_, shown)| match shown {
        Shown::Value(value) => drawing.seats.iter().position(|seat| seat == value),
        Shown::Hidden => None,
    });
    if let Some(seat) = seat {
        let side = drawing.sides.seat(Some(SeatId(seat as u8)));
        let size = Place::new(40, 40);
        let sign = Graphic::new(format!("w{}", cell.id.0), Layer::Places, Shape::Image(side.badge), at, size);
        graphics.push(sign.fill(side.fill).stroke(side.edge, 4).z(1));
    }
}

fn store(drawing: &Drawing, graphics: &mut Vec<Graphic>, seat: SeatId, at: Place, high: i32) {
    let Some((name, n)) = taken(drawing, seat) else { return };
    let id = format!("p{}", seat.0);
    let whose = &drawing.seats[usize::from(seat.0)];
    let size = Place::new(STORE - 20, high);
    let store = Graphic::new(&*id, Layer::Places, Shape::Rectangle { round: 54 }, at, size);
    graphics.push(store.fill("wood-well").stroke("wood-well-2", 5).label(format!("{whose}: {name} {n}")));
    seeds(graphics, &id, n, at, STORE - 56, high - 56);
    write(graphics, &format!("{id}.n"), &n.to_string(), at.by(0, high / 2 + 28), 34, Font::Bold);
    let side = drawing.sides.seat(Some(seat));
    let up = at.by(0, -high / 2 - 26);
    let badge = Graphic::new(format!("{id}.s"), Layer::Writing, Shape::Image(side.badge), up, Place::new(28, 28));
    graphics.push(badge.fill(side.fill).stroke(side.edge, 4));
}

/// Seeds in a hollow that is so wide and high, each at its own spot, so that one more leaves the others where they are.
fn seeds(graphics: &mut Vec<Graphic>, id: &str, n: i64, at: Place, wide: i32, high: i32) {
    if n > DRAWN {
        return;
    }
    let room = f64::from(wide.min(high));
    let stretch = f64::from(high) / f64::from(wide);
    for idx in 0..n {
        // A sunflower: each a golden angle further, and so much further out.
        let angle = 2.399_963 * idx as f64;
        let away = room * 0.47 * libm::sqrt((idx as f64 + 0.35) / DRAWN.min(n.max(13)) as f64);
        let x = libm::round(libm::cos(angle) * away) as i32;
        let y = libm::round(libm::sin(angle) * away * stretch.clamp(1.0, 2.2)) as i32;
        let turn = (idx * 67 % 180) as i32;
        let seed =
            Graphic::new(format!("{id}.{idx}"), Layer::Things, Shape::Image("seed"), at.by(x, y), Place::new(23, 19));
        graphics.push(seed.fill("seed").stroke("seed-edge", 4).turned(turn).motion(Motion::Drop));
    }
}

fn write(graphics: &mut Vec<Graphic>, id: &str, text: &str, at: Place, high: i32, font: Font) {
    let shape = Shape::Text { text: text.into(), align: Align::Middle, font };
    graphics.push(Graphic::new(id, Layer::Writing, shape, at, Place::new(high * 3, high)).fill("wood-ink"));
}
