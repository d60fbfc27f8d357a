//! Places joined by lines: from coordinates where a look or the names give them, else laid out by springs.

use super::Drawing;
use super::block::Block;
use super::places::{self, Style};
use super::{names, springs};
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView};

const STEP: i32 = 110;
const MARGIN: i32 = 80;

pub(super) fn block(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    let mut places = places(board);
    let left = places.iter().map(|at| at.x).min().unwrap_or(0);
    let top = places.iter().map(|at| at.y).min().unwrap_or(0);
    places.iter_mut().for_each(|at| *at = at.by(MARGIN - left, MARGIN - top));
    let right = places.iter().map(|at| at.x).max().unwrap_or(0);
    let bottom = places.iter().map(|at| at.y).max().unwrap_or(0);
    let mut block = Block::sized(right + MARGIN, bottom + MARGIN);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 16 }, middle, block.size);
    block.put(ground.fill("wood-field").stroke("wood-edge", 4).label(board.name.clone()));
    for (from, cell) in board.cells.iter().enumerate() {
        for &to in cell.linked.iter().filter(|&&to| to as usize > from) {
            let Some(end) = places.get(to as usize) else { continue };
            let way = vec![Place::default(), Place::new(end.x - places[from].x, end.y - places[from].y)];
            let id = format!("b{nth}.{from}-{to}");
            block.put(
                Graphic::new(id, Layer::Ground, Shape::Line(way), places[from], block.size).stroke("wood-line", 5).z(1),
            );
        }
    }
    let style =
        Style { piece: 78, place: 92, round: true, target: ("wood-target", "rim-light"), stones: true, many: false };
    for (cell, &at) in board.cells.iter().zip(&places) {
        let id = format!("c{}", cell.id.0);
        let spot = Graphic::new(id, Layer::Places, Shape::Circle, at, Place::new(26, 26));
        block.put(spot.fill("wood-line").of(cell.id, None).label(cell.name.clone()));
        places::fill(drawing, &mut block, cell, at, style);
        let text = Shape::Text { text: cell.name.clone(), align: Align::Middle, font: Font::Plain };
        let beside = at.by(if at.x > MARGIN { 0 } else { -10 }, 60);
        let name = Graphic::new(format!("x{}", cell.id.0), Layer::Writing, text, beside, Place::new(STEP, 20));
        block.put(name.fill("wood-ink"));
    }
    block
}

fn places(board: &BoardView) -> Vec<Place> {
    let looked = |cell: &CellView| {
        let find = |wanted: &str| {
            let (_, value) = cell.look.iter().find(|(attribute, _)| attribute == wanted)?;
            value.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1000.0)
        };
        let scaled = |number: f64| libm::round(number * f64::from(STEP)) as i32;
        Some(Place::new(scaled(find("x")?), scaled(find("y")?)))
    };
    let named = |cell: &CellView| {
        let (column, row) = names::column_and_row(names::short(cell))?;
        (row < 100).then(|| Place::new(column * STEP, -row * STEP))
    };
    let all =
        |place: &dyn Fn(&CellView) -> Option<Place>| -> Option<Vec<Place>> { board.cells.iter().map(place).collect() };
    all(&looked).or_else(|| all(&named)).unwrap_or_else(|| springs::layout(board))
}
