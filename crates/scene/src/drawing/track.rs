//! Tracks, as a snake from the lower left; and rings that are neither pits nor points, once around.

use super::block::Block;
use super::cross::{self, Cross};
use super::laid::{Kind, Laid};
use super::names;
use super::places::Style;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView};

const CELL: i32 = 100;
const GAP: i32 = 12;
const MARGIN: i32 = 26;
/// Fields in a row of the snake, at the most.
const LONGEST: i32 = 10;

pub(super) fn snake(nth: usize, board: &BoardView) -> Laid {
    let n = board.cells.len() as i32;
    // About four times as wide as high: a longer strip would be thin on every screen.
    let n_rows = (libm::round(libm::sqrt(f64::from(n) / 4.0)) as i32).max((n + LONGEST - 1) / LONGEST).max(1);
    let long = if n_rows <= 1 { n } else { (n + n_rows - 1) / n_rows };
    let places = (0..n).map(|idx| {
        let row = idx / long.max(1);
        let column = if row % 2 == 0 { idx % long } else { long - 1 - idx % long };
        Place::new(MARGIN + column * (CELL + GAP) + CELL / 2, MARGIN + (n_rows - 1 - row) * (CELL + GAP) + CELL / 2)
    });
    let size = Place::new(2 * MARGIN + long * (CELL + GAP) - GAP, 2 * MARGIN + n_rows * (CELL + GAP) - GAP);
    fields(nth, board, Kind::Snake, places.collect(), size)
}

pub(super) fn oval(nth: usize, board: &BoardView) -> Laid {
    let n = board.cells.len();
    if let Some(cross) = Cross::around(n) {
        let edge = MARGIN + cross::STEP / 2;
        let cross = cross.moved(Place::new(edge, edge));
        let across = cross.across() + cross::STEP + 2 * MARGIN;
        let places = (0..n).map(|nth| cross.field(nth)).collect();
        return Laid { cross: Some(cross), ..fields(nth, board, Kind::Oval, places, Place::new(across, across)) };
    }
    // As far out that neighbours do not touch.
    let radius = f64::from(CELL + GAP) * (n as f64 / std::f64::consts::TAU).max(1.2);
    let middle = radius + f64::from(CELL) / 2.0 + f64::from(MARGIN);
    let places = (0..n).map(|idx| {
        let angle = std::f64::consts::TAU * (idx as f64 / n as f64 + 0.375);
        let (x, y) = (middle - radius * libm::sin(-angle), middle + radius * libm::cos(angle));
        Place::new(libm::round(x) as i32, libm::round(y) as i32)
    });
    let across = libm::ceil(2.0 * middle) as i32;
    fields(nth, board, Kind::Oval, places.collect(), Place::new(across, across))
}

fn fields(nth: usize, board: &BoardView, kind: Kind, places: Vec<Place>, size: Place) -> Laid {
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
    for (cell, at) in board.cells.iter().zip(&places) {
        let text = Shape::Text { text: names::short(cell).into(), align: Align::Middle, font: Font::Plain };
        let name = Graphic::new(format!("x{}", cell.id.0), Layer::Writing, text, at.by(0, 38), Place::new(80, 18));
        block.put(name.fill("paper-ink"));
    }
    let style = Style { piece: 70, place: CELL, round: kind == Kind::Oval, stones: true };
    Laid { kind, size, ground: block.graphics, places, style, cross: None }
}

pub(super) fn field(cell: &CellView, at: Place, is_round: bool) -> Graphic {
    // Squares beside each other on a slant would lie over each other.
    let shape = if is_round { Shape::Circle } else { Shape::Rectangle { round: 18 } };
    let field = Graphic::new(format!("c{}", cell.id.0), Layer::Places, shape, at, Place::new(CELL, CELL));
    let field = field.fill("paper-b").stroke("paper-line", 3).of(cell.id, None).label(cell.name.clone());
    field.target("paper-target", CELL - 8)
}
