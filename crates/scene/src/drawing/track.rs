//! Tracks, as a snake from the lower left; and rings that are neither pits nor points, once around.

use super::Drawing;
use super::block::Block;
use super::names;
use super::places::{self, Style};
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::BoardView;

const CELL: i32 = 100;
const GAP: i32 = 12;
const MARGIN: i32 = 26;
/// Fields in a row of the snake.
const LONGEST: i32 = 12;

pub(super) fn snake(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    let n = board.cells.len() as i32;
    let n_rows = (n + LONGEST - 1) / LONGEST.max(1);
    let long = if n_rows <= 1 { n } else { (n + n_rows - 1) / n_rows };
    let places = (0..n).map(|idx| {
        let row = idx / long.max(1);
        let column = if row % 2 == 0 { idx % long } else { long - 1 - idx % long };
        Place::new(MARGIN + column * (CELL + GAP) + CELL / 2, MARGIN + (n_rows - 1 - row) * (CELL + GAP) + CELL / 2)
    });
    let size = Place::new(2 * MARGIN + long * (CELL + GAP) - GAP, 2 * MARGIN + n_rows * (CELL + GAP) - GAP);
    fields(drawing, nth, board, places.collect(), size)
}

pub(super) fn oval(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    let n = board.cells.len();
    // As far out that neighbours do not touch.
    let radius = f64::from(CELL + GAP) * (n as f64 / std::f64::consts::TAU).max(1.2);
    let middle = radius + f64::from(CELL) / 2.0 + f64::from(MARGIN);
    let places = (0..n).map(|idx| {
        let angle = std::f64::consts::TAU * (idx as f64 / n as f64 + 0.375);
        let (x, y) = (middle - radius * libm::sin(-angle), middle + radius * libm::cos(angle));
        Place::new(libm::round(x) as i32, libm::round(y) as i32)
    });
    let across = libm::ceil(2.0 * middle) as i32;
    fields(drawing, nth, board, places.collect(), Place::new(across, across))
}

fn fields(drawing: &Drawing, nth: usize, board: &BoardView, places: Vec<Place>, size: Place) -> Block {
    let mut block = Block::sized(size.x, size.y);
    let middle = Place::new(size.x / 2, size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 24 }, middle, size);
    block.put(ground.fill("paper-field").stroke("line", 3).label(board.name.clone()));
    if let Some(first) = places.first() {
        let mut way: Vec<Place> = places.iter().map(|at| Place::new(at.x - first.x, at.y - first.y)).collect();
        if matches!(board.shape, houserules_kernel::Shape::Ring { .. }) {
            way.push(Place::default());
        }
        let path = Graphic::new(format!("b{nth}.g"), Layer::Ground, Shape::Line(way), *first, size);
        block.put(path.stroke("paper-line", 8).opacity(50).z(1));
    }
    let style = Style {
        piece: 70,
        place: CELL,
        round: false,
        target: ("paper-target", "paper-field"),
        stones: true,
        many: places::are_many(drawing, &board.cells),
    };
    for (cell, at) in board.cells.iter().zip(places) {
        let shape = Shape::Rectangle { round: 18 };
        let field = Graphic::new(format!("c{}", cell.id.0), Layer::Places, shape, at, Place::new(CELL, CELL));
        block.put(field.fill("paper-b").stroke("paper-line", 3).of(cell.id, None).label(cell.name.clone()));
        let text = Shape::Text { text: names::short(cell).into(), align: Align::Middle, font: Font::Plain };
        let name = Graphic::new(format!("x{}", cell.id.0), Layer::Writing, text, at.by(0, 38), Place::new(80, 18));
        block.put(name.fill("paper-ink"));
        places::fill(drawing, &mut block, cell, at.by(0, -8), style);
    }
    block
}
