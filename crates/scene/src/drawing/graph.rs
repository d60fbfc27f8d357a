//! Places joined by lines: from coordinates where a look or the names give them, else laid out by springs.

use super::block::Block;
use super::laid::{Kind, Laid};
use super::places::Style;
use super::{names, springs};
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, CellView};

const STEP: i32 = 110;
const MARGIN: i32 = 80;
/// A field with the gap beside it.
const FIELD: i32 = 92;

/// What a graph is drawn as.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ground {
    /// Lines and points on wood.
    Wood,
    /// Towns and roads on land.
    Map,
    /// Fields around a way, large enough to stand on.
    Fields,
}

pub(super) fn ground(board: &BoardView) -> Ground {
    let look = board.look.iter().find(|(attribute, _)| attribute == "ground").map(|(_, value)| &**value);
    match look {
        Some("map") => Ground::Map,
        Some("fields") => Ground::Fields,
        Some(_) => Ground::Wood,
        None if springs::circuit(board).is_some() && is_roomy(board) => Ground::Fields,
        None => Ground::Wood,
    }
}

/// Whether fields have room beside each other where the definition puts them.
fn is_roomy(board: &BoardView) -> bool {
    let (places, _) = places(board);
    let apart = |one: &Place, other: &Place| (one.x - other.x).pow(2) + (one.y - other.y).pow(2) >= FIELD * FIELD;
    places.iter().enumerate().all(|(at, one)| places[at + 1..].iter().all(|other| apart(one, other)))
}

pub(super) fn lay(nth: usize, board: &BoardView, kind: Ground) -> Laid {
    let (land, edge, road, ink, width) = match kind {
        Ground::Wood => ("wood-field", "wood-edge", "wood-line", "wood-ink", 5),
        Ground::Map => ("map-land", "map-land-2", "map-earth", "map-ink", 9),
        Ground::Fields => ("paper-field", "line", "paper-line", "paper-ink", 6),
    };
    let (mut places, lettered) = places(board);
    let left = places.iter().map(|at| at.x).min().unwrap_or(0);
    let top = places.iter().map(|at| at.y).min().unwrap_or(0);
    places.iter_mut().for_each(|at| *at = at.by(MARGIN - left, MARGIN - top));
    let right = places.iter().map(|at| at.x).max().unwrap_or(0);
    let bottom = places.iter().map(|at| at.y).max().unwrap_or(0);
    let mut block = Block::sized(right + MARGIN, bottom + MARGIN);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 16 }, middle, block.size);
    block.put(ground.fill(land).stroke(edge, 4).label(board.name.clone()));
    if kind == Ground::Map {
        hills(&mut block, nth, &places);
    }
    for (from, cell) in board.cells.iter().enumerate() {
        for &to in cell.linked.iter().filter(|&&to| to as usize > from) {
            let Some(end) = places.get(to as usize) else { continue };
            let way = vec![Place::default(), Place::new(end.x - places[from].x, end.y - places[from].y)];
            let id = format!("b{nth}.{from}-{to}");
            let road = Graphic::new(id, Layer::Ground, Shape::Line(way), places[from], block.size).stroke(road, width);
            block.put(road.z(1));
        }
    }
    if lettered {
        edges(&mut block, board, &places);
    } else {
        for (cell, at) in board.cells.iter().zip(&places) {
            let (name, at) = match kind {
                // A field has its number upon it.
                Ground::Fields => (cell.name.trim_start_matches(|letter: char| !letter.is_ascii_digit()), *at),
                _ => (&*cell.name, at.by(0, 60)),
            };
            write(&mut block, format!("x{}", cell.id.0), name, at, STEP, ink);
        }
    }
    let style = Style { piece: 78, place: 92, round: true, stones: true };
    Laid { kind: Kind::Graph(kind), size: block.size, ground: block.graphics, places, style }
}

pub(super) fn spot(kind: Ground, cell: &CellView, at: Place) -> Graphic {
    let spot = |across: i32| {
        Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Circle, at, Place::new(across, across))
    };
    let spot = match kind {
        Ground::Wood => spot(26).fill("wood-line").target("wood-target", 84),
        Ground::Map => spot(60).fill("map-town").stroke("map-ink", 4).target("paper-target", 84),
        Ground::Fields => spot(FIELD - 4).fill("paper-b").stroke("paper-line", 3).target("paper-target", 92),
    };
    spot.of(cell.id, None).label(cell.name.clone())
}

/// Hills where no town lies.
fn hills(block: &mut Block, nth: usize, places: &[Place]) {
    let (wide, high) = (block.size.x, block.size.y);
    let is_free = |at: Place| {
        let near = |other: &Place| (other.x - at.x).pow(2) + (other.y - at.y).pow(2) < 130 * 130;
        !places.iter().any(near)
    };
    let spots = (0..high / 170).flat_map(|row| (0..wide / 190).map(move |column| (column, row)));
    let spots = spots.map(|(column, row)| Place::new(100 + 190 * column + 70 * (row % 2), 90 + 170 * row));
    let free = spots.filter(|at| is_free(*at) && at.x + 70 < wide && at.y + 40 < high);
    for (idx, at) in free.enumerate() {
        let part = |id: String, path: &str, paint: &'static str| {
            Graphic::new(id, Layer::Ground, Shape::Path(path.into()), at, Place::new(110, 60)).fill(paint)
        };
        block.put(part(format!("b{nth}.m{idx}"), "M-54 30L-14 -30L8 2L22 -14L54 30Z", "map-hill"));
        block.put(part(format!("b{nth}.n{idx}"), "M-14 -30L-24 -14L-14 -18L-6 -10L-3 -14Z", "map-snow").z(1));
    }
}

/// Letters below the columns and numbers beside the rows.
fn edges(block: &mut Block, board: &BoardView, places: &[Place]) {
    let bottom = block.size.y - 26;
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (cell, at) in board.cells.iter().zip(places) {
        let Some((letters, number)) = names::lettered(names::short(cell)) else { continue };
        if !columns.contains(&at.x) {
            columns.push(at.x);
            write(block, format!("x{}", cell.id.0), letters, Place::new(at.x, bottom), 40, "wood-ink");
        }
        if !rows.contains(&at.y) {
            rows.push(at.y);
            write(block, format!("y{}", cell.id.0), number, Place::new(26, at.y), 40, "wood-ink");
        }
    }
}

fn write(block: &mut Block, id: String, text: &str, at: Place, wide: i32, ink: &'static str) {
    let shape = Shape::Text { text: text.into(), align: Align::Middle, font: Font::Plain };
    block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(wide, 24)).fill(ink));
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
        (None, None) => (springs::circuit(board).unwrap_or_else(|| springs::layout(board)), false),
    }
}
