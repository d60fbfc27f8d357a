//! The default drawing: every game, from what a viewer may know, without a line written for it.
//!
//! Each part of the table is a [`Block`](block::Block) that draws itself by itself; then they are put together. There is no memory: equal
//! sights give equal scenes.

mod block;
mod grid;
mod marks;
mod pieces;
mod players;
mod sides;

use crate::{Scene, Sight};
use block::Block;
use houserules_kernel::{BoardView, Shape};
use sides::Sides;

/// Draws what a viewer sees.
pub fn draw(sight: &Sight) -> Scene {
    let sides = Sides::of(&sight.seats);
    let mut table = Block::default();
    for (at, board) in sight.view.boards.iter().enumerate() {
        table.beside(self::board(sight, &sides, at, board), MARGIN);
    }
    table.below(players::block(sight, &sides), MARGIN);
    let mut scene = Scene { question: sight.question.clone(), ways: sight.ways.clone(), ..Scene::default() };
    table.shift(MARGIN, MARGIN);
    scene.size = table.size.by(2 * MARGIN, 2 * MARGIN);
    for graphic in table.graphics {
        scene.put(graphic);
    }
    scene
}

/// Around everything, and between the parts of the table.
const MARGIN: i32 = 30;

fn board(sight: &Sight, sides: &Sides, at: usize, board: &BoardView) -> Block {
    match board.shape {
        Shape::Grid { .. } => grid::block(sight, sides, at, board),
        _ => Block::default(),
    }
}
