//! Places joined by lines: from coordinates where a look or the names give them, else laid out by springs.

use super::block::Block;
use super::cross::Cross;
use super::laid::{Kind, Laid};
use super::places::Style;
use super::{Drawing, links, map, names, springs};
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
    let (places, ..) = places(board);
    let apart = |one: &Place, other: &Place| (one.x - other.x).pow(2) + (one.y - other.y).pow(2) >= FIELD * FIELD;
    places.iter().enumerate().all(|(at, one)| places[at + 1..].iter().all(|other| apart(one, other)))
}

pub(super) fn lay(drawing: &Drawing, nth: usize, board: &BoardView, kind: Ground) -> Laid {
    let (land, edge, road, ink, width) = match kind {
        Ground::Wood => ("wood-field", "wood-edge", "wood-line", "wood-ink", 5),
        Ground::Map => ("map-land", "map-land-2", "map-earth", "map-ink", 9),
        Ground::Fields => ("paper-field", "line", "paper-line", "paper-ink", 6),
    };
    let (mut places, lettered, cross) = places(board);
    let left = places.iter().map(|at| at.x).min().unwrap_or(0);
    let top = places.iter().map(|at| at.y).min().unwrap_or(0);
    places.iter_mut().for_each(|at| *at = at.by(MARGIN - left, MARGIN - top));
    let cross = cross.map(|cross| cross.moved(Place::new(MARGIN - left, MARGIN - top)));
    let right = places.iter().map(|at| at.x).max().unwrap_or(0);
    let bottom = places.iter().map(|at| at.y).max().unwrap_or(0);
    let kinds = links::kinds(board);
    let foot = if kind == Ground::Map && !kinds.is_empty() { map::LEGEND } else { 0 };
    let mut block = Block::sized(right + MARGIN, bottom + MARGIN + foot);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 16 }, middle, block.size);
    block.put(ground.fill(land).stroke(edge, 4).label(board.name.clone()));
    if kind == Ground::Map {
        map::lay(drawing, &mut block, nth, board, &places);
        map::legend(&mut block, nth, &kinds);
    }
    for (from, cell) in board.cells.iter().enumerate() {
        for link in &cell.linked {
            let to = link.to as usize;
            let back =
                || board.cells.get(to).is_some_and(|cell| cell.linked.iter().any(|link| link.to as usize == from));
            // A link that leads both ways is drawn once.
            if to >= places.len() || to < from && back() {
                continue;
            }
            let id = format!("b{nth}.{from}-{to}");
            let line = links::Line::of(kinds.iter().position(|kind| *kind == link.kind), kind, width, road);
            block.put(line.drawn(id, places[from], places[to], block.size));
        }
    }
    if lettered {
        edges(&mut block, board, &places);
    } else {
        for (cell, at) in board.cells.iter().zip(&places) {
            let (name, at, font) = match kind {
                // A field has its number upon it.
                Ground::Fields => {
                    (cell.name.trim_start_matches(|letter: char| !letter.is_ascii_digit()), *at, Font::Plain)
                }
                Ground::Map => (&*cell.name, at.by(0, 54), Font::Bold),
                Ground::Wood => (&*cell.name, at.by(0, 60), Font::Plain),
            };
            write(&mut block, format!("x{}", cell.id.0), (name, font), at, STEP, ink);
        }
    }
    let style = Style { piece: 78, place: 92, round: true, stones: true };
    Laid { kind: Kind::Graph(kind), size: block.size, ground: block.graphics, places, style, cross }
}

pub(super) fn spot(kind: Ground, cell: &CellView, at: Place) -> Graphic {
    let spot = |across: i32| {
        Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Circle, at, Place::new(across, across))
    };
    let spot = match kind {
        Ground::Wood => spot(26).fill("wood-line").target("wood-target", 84),
        Ground::Map => spot(map::TOWN).fill("map-town").stroke("map-ink", 4).ringed("paper-target", map::TOWN + 18),
        Ground::Fields => spot(FIELD - 4).fill("paper-b").stroke("paper-line", 3).target("paper-target", 92),
    };
    spot.of(cell.id, None).label(cell.name.clone())
}

/// Letters below the columns and numbers beside the rows.
fn edges(block: &mut Block, board: &BoardView, places: &[Place]) {
    let bottom = block.size.y - 26;
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (cell, at) in board.cells.iter().zip(places) {
        let Some((letters, number)) = names::lettered(names::short(cell)) else { continue };
        if !columns.contains(&at.x) {
            columns.push(at.x);
            write(block, format!("x{}", cell.id.0), (letters, Font::Plain), Place::new(at.x, bottom), 40, "wood-ink");
        }
        if !rows.contains(&at.y) {
            rows.push(at.y);
            write(block, format!("y{}", cell.id.0), (number, Font::Plain), Place::new(26, at.y), 40, "wood-ink");
        }
    }
}

fn write(block: &mut Block, id: String, (text, font): (&str, Font), at: Place, wide: i32, ink: &'static str) {
    let shape = Shape::Text { text: text.into(), align: Align::Middle, font };
    block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(wide, 24)).fill(ink));
}

/// Where each place lies, whether its name says so, and the cross that it goes around.
fn places(board: &BoardView) -> (Vec<Place>, bool, Option<Cross>) {
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
    // Places that no `#place` has put somewhere are numbered in a row.
    let is_put = board.cells.iter().enumerate().any(|(idx, cell)| cell.at != (idx as i32 + 1, 1));
    let put = |cell: &CellView| is_put.then(|| Place::new(cell.at.0, -cell.at.1));
    let all =
        |place: &dyn Fn(&CellView) -> Option<Place>| -> Option<Vec<Place>> { board.cells.iter().map(place).collect() };
    match (all(&looked), all(&put), all(&named)) {
        (Some(places), ..) => (places, false, None),
        (None, Some(places), None) => (apart(board, &places), false, None),
        (None, _, Some(places)) => (places, true, None),
        (None, None, None) => match springs::circuit(board) {
            Some((places, cross)) => (places, false, cross),
            None => (springs::layout(board), false, None),
        },
    }
}

/// As far apart as neighbours want to be, whatever numbers their author has counted with.
fn apart(board: &BoardView, places: &[Place]) -> Vec<Place> {
    const APART: f64 = 196.0;
    let long = |one: Place, other: Place| libm::hypot(f64::from(one.x - other.x), f64::from(one.y - other.y));
    let joined = board.cells.iter().zip(places).flat_map(|(cell, from)| {
        cell.linked.iter().filter_map(move |link| Some(long(*from, *places.get(link.to as usize)?)))
    });
    let least = joined.filter(|long| *long > 0.0).fold(f64::INFINITY, f64::min);
    let by = if least.is_finite() { APART / least } else { APART };
    let most = 20_000.0;
    let scaled = |number: i32| libm::round((f64::from(number) * by).clamp(-most, most)) as i32;
    places.iter().map(|at| Place::new(scaled(at.x), scaled(at.y))).collect()
}
