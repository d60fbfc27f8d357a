//! Places joined by lines: from coordinates where a look or the names give them, else laid out by springs.

use super::block::Block;
use super::laid::{Kind, Laid};
use super::places::Style;
use super::{names, springs};
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView};

const STEP: i32 = 110;
const MARGIN: i32 = 80;

pub(super) fn lay(nth: usize, board: &BoardView) -> Laid {
    let (mut places, lettered) = places(board);
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
    if lettered {
        edges(&mut block, board, &places);
    } else {
        for (cell, at) in board.cells.iter().zip(&places) {
            write(&mut block, format!("x{}", cell.id.0), &cell.name, at.by(0, 60), STEP);
        }
    }
    let style = Style { piece: 78, place: 92, round: true, stones: true };
    Laid { kind: Kind::Graph, size: block.size, ground: block.graphics, places, style }
}

pub(super) fn spot(cell: &CellView, at: Place) -> Graphic {
    let spot = Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Circle, at, Place::new(26, 26));
    spot.fill("wood-line").of(cell.id, None).label(cell.name.clone()).target("wood-target", 84)
}

/// Letters below the columns and numbers beside the rows.
fn edges(block: &mut Block, board: &BoardView, places: &[Place]) {
    let bottom = block.size.y - 26;
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (cell, at) in board.cells.iter().zip(places) {
        let Some((letters, number)) = names::lettered(names::short(cell)) else { continue };
        if !columns.contains(&at.x) {
            columns.push(at.x);
            write(block, format!("x{}", cell.id.0), letters, Place::new(at.x, bottom), 40);
        }
        if !rows.contains(&at.y) {
            rows.push(at.y);
            write(block, format!("y{}", cell.id.0), number, Place::new(26, at.y), 40);
        }
    }
}

fn write(block: &mut Block, id: String, text: &str, at: Place, wide: i32) {
    let shape = Shape::Text { text: text.into(), align: Align::Middle, font: Font::Plain };
    block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(wide, 24)).fill("wood-ink"));
}

/// Where each place lies, and whether its name says so.
fn places(board: &BoardView) -> (Vec<Place>, bool) {
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
    match (all(&looked), all(&named)) {
        (Some(places), _) => (places, false),
        (None, Some(places)) => (places, true),
        (None, None) => (springs::layout(board), false),
    }
}
