//! What lies between two places of a board: walls, rivers, doors.

use super::Drawing;
use super::grid::CELL;
use super::laid::Laid;
use crate::{Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, ThingView};

/// How thick a wall is, and how wide the gap that can be pointed at.
const THICK: i32 = 16;

/// The names of the two places, if a thing lies between two.
pub(super) fn ends(thing: &ThingView) -> Option<(&str, &str)> {
    let (_, between) = thing.look.iter().find(|(attribute, _)| attribute == "between")?;
    between.split_once(' ')
}

/// Every edge of a board: a bar where there is something to see, and otherwise a gap to be pointed at.
pub(super) fn put(drawing: &Drawing, graphics: &mut Vec<Graphic>, board: &BoardView, laid: &Laid) {
    let at = |name: &str| board.cells.iter().position(|cell| cell.name == name).map(|cell| laid.places[cell]);
    for thing in &drawing.view.things {
        let Some((one, other)) = ends(thing).and_then(|(one, other)| Some((at(one)?, at(other)?))) else { continue };
        let middle = Place::new((one.x + other.x) / 2, (one.y + other.y) / 2);
        let size = if one.x == other.x { Place::new(CELL, THICK) } else { Place::new(THICK, CELL) };
        let shape = Shape::Rectangle { round: THICK / 4 };
        let bar = Graphic::new(format!("e{}", thing.id.0), Layer::Places, shape, middle, size).z(1);
        let bar = if thing.mark.sign.is_empty() { bar } else { bar.fill("ink") };
        graphics.push(bar.of(thing.id, None).label(thing.name.clone()));
    }
}
