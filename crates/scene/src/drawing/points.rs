//! Rings on whose points men stand in rows: backgammon, with a bar between the halves and room for men borne off.

use super::Drawing;
use super::block::Block;
use super::pieces;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, SeatId, ThingId, ThingView};

const WIDE: i32 = 68;
const MAN: i32 = 60;
/// Men side by side on a point before they are told by a number.
const MOST: usize = 5;
const FRAME: i32 = 34;
const POINT: i32 = 320;
/// From edge to edge of the felt.
const HIGH: i32 = 720;

/// A ring whose places hold no numbers, with things that stand beside it at a column of their own.
pub(super) fn are_points(drawing: &Drawing, board: &BoardView) -> bool {
    board.cells.len().is_multiple_of(2)
        && board.cells.len() >= 8
        && board.cells.iter().all(|cell| cell.properties.is_empty())
        && drawing.view.things.iter().any(|thing| column(thing).is_some())
}

/// The column before which a thing stands.
pub(super) fn column(thing: &ThingView) -> Option<i32> {
    thing.look.iter().find(|(attribute, _)| attribute == "x").and_then(|(_, value)| value.parse().ok())
}

pub(super) fn block(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    let n = board.cells.len() as i32 / 2;
    let beside: Vec<(&ThingView, i32)> =
        drawing.view.things.iter().filter_map(|thing| Some((thing, column(thing)?.clamp(0, n)))).collect();
    let mut stops: Vec<i32> = beside.iter().map(|(_, column)| *column).collect();
    stops.sort_unstable();
    stops.dedup();
    let before = |column: i32| stops.iter().filter(|stop| **stop <= column).count() as i32;
    let x = |column: i32| FRAME + WIDE * (column + before(column)) + WIDE / 2;
    let wide = 2 * FRAME + WIDE * (n + stops.len() as i32);
    let mut block = Block::sized(wide, HIGH + 2 * FRAME);
    let middle = Place::new(wide / 2, block.size.y / 2);
    let frame = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 16 }, middle, block.size);
    block.put(frame.fill("wood-edge").stroke("wood-line", 4).label(board.name.clone()));
    let felt = Graphic::new(
        format!("b{nth}.f"),
        Layer::Ground,
        Shape::Rectangle { round: 4 },
        middle,
        Place::new(wide - 2 * FRAME, HIGH),
    );
    block.put(felt.fill("felt-field").z(1));
    // The first points lie at the lower right, so that the home of the first seat does.
    let flipped = drawing.near() == SeatId(1) && drawing.seats.len() == 2;
    for (idx, cell) in board.cells.iter().enumerate() {
        let first = (idx as i32) < n;
        let lower = first != flipped;
        let column = if first { n - 1 - idx as i32 } else { idx as i32 - n };
        let (x, edge, down) = (x(column), if lower { FRAME + HIGH } else { FRAME }, if lower { -1 } else { 1 });
        let tip = vec![Place::new(-WIDE / 2 + 3, 0), Place::new(WIDE / 2 - 3, 0), Place::new(0, down * POINT)];
        let at = Place::new(x, edge);
        let triangle =
            Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Polygon(tip), at, Place::new(WIDE, POINT));
        let tone = if idx % 2 == 0 { "wood-well" } else { "wood-field" };
        let triangle = triangle.fill(tone).stroke("felt-edge", 2).of(cell.id, None).label(cell.name.clone());
        block.put(triangle.ringed("felt-target", WIDE));
        let name = cell.name.rsplit(' ').next().unwrap_or_default();
        write(&mut block, format!("x{}", cell.id.0), name, at.by(0, -down * FRAME / 2), 20, "seed");
        pile(drawing, &mut block, cell.id, cell.pieces.as_deref().unwrap_or_default(), at, down);
    }
    for (thing, stop) in &beside {
        let x = x(*stop) - WIDE;
        let near = thing.owner == Some(drawing.near());
        // What is borne off goes to its owner's home; who is hit waits in the middle.
        let (at, down) = if near { (Place::new(x, FRAME + HIGH), -1) } else { (Place::new(x, FRAME), 1) };
        let tray = Place::new(WIDE - 6, HIGH / 2 - 6);
        let id = format!("c{}", thing.id.0);
        let hollow = Graphic::new(id, Layer::Places, Shape::Rectangle { round: 4 }, at.by(0, down * HIGH / 4), tray);
        let hollow = hollow.fill("wood-well-2").of(thing.id, None).label(thing.name.clone());
        block.put(hollow.ringed("felt-target", WIDE));
        let text = Place::new(x, at.y - down * FRAME / 2);
        write(&mut block, format!("x{}", thing.id.0), &thing.kind, text, 18, "seed");
        pile(drawing, &mut block, thing.id, thing.contents.as_deref().unwrap_or_default(), at, down);
    }
    block
}

/// Men from the edge towards the middle; a higher pile ends in its number.
fn pile(drawing: &Drawing, block: &mut Block, on: ThingId, men: &[ThingView], edge: Place, down: i32) {
    for (level, man) in men.iter().enumerate() {
        let at = edge.by(0, down * (MAN * level.min(MOST - 1) as i32 + MAN / 2 + 2));
        let mut drawn = pieces::piece(drawing, man, on, at, MAN);
        drawn.iter_mut().for_each(|graphic| graphic.z += level as i32);
        block.graphics.extend(drawn);
    }
    let top = edge.by(0, down * (MAN * men.len().min(MOST) as i32 - MAN / 2 + 2));
    if men.len() > MOST {
        block.graphics.extend(pieces::number(&format!("n{}", on.0), men.len() as i64, top, 26));
    }
    if drawing.news.taken.contains(&on) && !men.is_empty() {
        let size = Place::new(MAN - 22, MAN - 22);
        let ring = Graphic::new(format!("l{}", on.0), Layer::Targets, Shape::Circle, top, size);
        block.put(ring.stroke("b-last", 5).class("last"));
    }
}

fn write(block: &mut Block, id: String, text: &str, at: Place, high: i32, ink: &'static str) {
    let shape = Shape::Text { text: text.into(), align: Align::Middle, font: Font::Plain };
    block.put(Graphic::new(id, Layer::Writing, shape, at, Place::new(WIDE, high)).fill(ink));
}
