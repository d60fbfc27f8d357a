//! Boards of hexagons, with a point on top.

use super::Drawing;
use super::block::Block;
use super::laid::{Kind, Laid};
use super::names;
use super::places::Style;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView, SeatId};
use std::collections::BTreeSet;

/// From side to side of a hexagon.
const WIDE: i32 = 100;
/// From row to row.
const STEP: i32 = 87;
/// From the middle to the points above and below.
const POINT: i32 = 58;
const MARGIN: i32 = 46;

pub(super) fn lay(drawing: &Drawing, nth: usize, board: &BoardView) -> Laid {
    let raw = |cell: &CellView| Place::new(WIDE * cell.at.0 + WIDE / 2 * cell.at.1, -STEP * cell.at.1);
    let left = board.cells.iter().map(|cell| raw(cell).x).min().unwrap_or(0);
    let right = board.cells.iter().map(|cell| raw(cell).x).max().unwrap_or(0);
    let top = board.cells.iter().map(|cell| raw(cell).y).min().unwrap_or(0);
    let bottom = board.cells.iter().map(|cell| raw(cell).y).max().unwrap_or(0);
    let place = |cell: &CellView| raw(cell).by(MARGIN + WIDE / 2 - left, MARGIN + POINT - top);
    let mut block = Block::sized(right - left + WIDE + 2 * MARGIN, bottom - top + 2 * POINT + 2 * MARGIN);
    let there: BTreeSet<(i32, i32)> = board.cells.iter().map(|cell| cell.at).collect();
    for cell in &board.cells {
        let at = place(cell);
        edges(drawing, &mut block, board, cell, at, &there);
        coordinates(&mut block, cell, at, &there);
    }
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 14 }, middle, block.size);
    block.put(ground.fill("surface").label(board.name.clone()));
    let style = Style { piece: 76, place: 88, round: true, stones: true };
    let places = board.cells.iter().map(place).collect();
    Laid { kind: Kind::Hexes, size: block.size, ground: block.graphics, places, style, cross: None }
}

pub(super) fn tile(cell: &CellView, at: Place) -> Graphic {
    // Three tones, so that no two that touch are alike.
    let tone = ["paper-a", "paper-b", "paper-field"][(cell.at.0 - cell.at.1).rem_euclid(3) as usize];
    let id = format!("c{}", cell.id.0);
    let hexagon = Graphic::new(id, Layer::Places, Shape::Polygon(CORNERS.to_vec()), at, Place::new(WIDE, 2 * POINT));
    let hexagon = hexagon.fill(tone).stroke("paper-line", 2).of(cell.id, None).label(cell.name.clone());
    hexagon.target("paper-target", 80)
}

/// From the upper right one, clockwise.
const CORNERS: [Place; 6] = [
    Place::new(0, -POINT),
    Place::new(WIDE / 2, -POINT / 2),
    Place::new(WIDE / 2, POINT / 2),
    Place::new(0, POINT),
    Place::new(-WIDE / 2, POINT / 2),
    Place::new(-WIDE / 2, -POINT / 2),
];

/// Sides of a hexagon as two corners, and the neighbour beyond: by columns and rows.
const SIDES: [(usize, usize, (i32, i32)); 6] =
    [(0, 1, (0, 1)), (1, 2, (1, 0)), (2, 3, (1, -1)), (3, 4, (0, -1)), (4, 5, (-1, 0)), (5, 0, (-1, 1))];

/// Whose edge of the board it is, in the colour of the seat and with a line of its own.
fn edges(
    drawing: &Drawing,
    block: &mut Block,
    board: &BoardView,
    cell: &CellView,
    at: Place,
    there: &BTreeSet<(i32, i32)>,
) {
    for (attribute, sides) in [("above", [5, 0]), ("below", [2, 3]), ("left", [4, 5]), ("right", [1, 2])] {
        let Some((_, name)) = board.look.iter().find(|(known, _)| known == attribute) else { continue };
        let seat = drawing.seats.iter().position(|seat| seat == name);
        let side = drawing.sides.seat(seat.map(|seat| SeatId(seat as u8)));
        for side_idx in sides {
            let (from, to, (x, y)) = SIDES[side_idx];
            let beyond = |x: i32, y: i32| !there.contains(&(cell.at.0 + x, cell.at.1 + y));
            // The acute corners belong to both edges: each side of a hexagon goes to the edge it lies along.
            let along = match attribute {
                "above" | "below" => beyond(0, y.signum()) && beyond(x, y),
                _ => beyond(x.signum(), 0) && beyond(x, y) && (y == 0 || !beyond(0, y)),
            };
            if y == 0 && attribute != "left" && attribute != "right" || !along {
                continue;
            }
            let points = vec![out(CORNERS[from]), out(CORNERS[to])];
            let id = format!("e{}.{attribute}{side_idx}", cell.id.0);
            let edge = Graphic::new(id, Layer::Ground, Shape::Line(points), at, Place::new(WIDE, 2 * POINT));
            let edge = edge.stroke(side.fill, 12).z(1).class("edge");
            block.put(if seat.is_some_and(|seat| seat % 2 == 1) { edge.dashed() } else { edge });
        }
    }
}

/// A little outside of the hexagon.
fn out(corner: Place) -> Place {
    Place::new(corner.x * 108 / 100, corner.y * 108 / 100)
}

/// The name of a cell at the end of its row or column.
fn coordinates(block: &mut Block, cell: &CellView, at: Place, there: &BTreeSet<(i32, i32)>) {
    let Some((letters, number)) = names::lettered(names::short(cell)) else { return };
    let mut write = |id: String, text: &str, at: Place| {
        let shape = Shape::Text { text: text.into(), align: Align::Middle, font: Font::Plain };
        block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(44, 30)).fill("ink-3"));
    };
    let beyond = |x: i32, y: i32| !there.contains(&(cell.at.0 + x, cell.at.1 + y));
    // At the right ends of the rows: on the left they would meet the letters of a hexagonal board.
    if beyond(1, 0) {
        write(format!("y{}", cell.id.0), number, at.by(WIDE / 2 + 26, 0));
    }
    if beyond(0, -1) {
        write(format!("x{}", cell.id.0), letters, at.by(-WIDE / 4 + 8, POINT + 20));
    }
}
