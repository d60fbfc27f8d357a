//! Square boards.

use super::block::Block;
use super::sides::Sides;
use super::{marks, pieces};
use crate::{Graphic, Layer, Place, Shape, Sight};
use houserules_kernel::BoardView;

/// The side of a cell.
pub(super) const CELL: i32 = 100;

pub(super) fn block(sight: &Sight, sides: &Sides, at: usize, board: &BoardView) -> Block {
    let columns = board.cells.iter().map(|cell| cell.at.0).max().unwrap_or(0);
    let rows = board.cells.iter().map(|cell| cell.at.1).max().unwrap_or(0);
    let mut block = Block::sized(columns * CELL, rows * CELL);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{at}"), Layer::Ground, Shape::Rectangle { round: 6 }, middle, block.size);
    block.put(ground.fill("sq-field").label(board.name.clone()));
    for cell in &board.cells {
        let at = Place::new(cell.at.0 * CELL - CELL / 2, (rows - cell.at.1) * CELL + CELL / 2);
        let size = Place::new(CELL, CELL);
        let paint = if (cell.at.0 + cell.at.1) % 2 == 0 { "sq-b" } else { "sq-a" };
        let square = Graphic::new(format!("c{}", cell.id.0), Layer::Places, Shape::Rectangle { round: 0 }, at, size);
        block.put(square.fill(paint).of(cell.id, None).label(cell.name.clone()));
        marks::trace(&mut block, sight, cell.id, Shape::Rectangle { round: 0 }, at, Place::new(CELL - 6, CELL - 6));
        match &cell.pieces {
            Some(held) => held.iter().for_each(|piece| {
                block.graphics.extend(pieces::piece(piece, cell, sides, at, 84));
            }),
            None if !cell.mark.sign.is_empty() => block.graphics.extend(pieces::mark(cell, sides, at, 84)),
            None => {}
        }
        marks::target(&mut block, sight, cell.id, at, 30, "sq-target");
    }
    block
}
