//! The default drawing: every game, from what a viewer may know, without a line written for it.
//!
//! Each part of the table is a [`Block`](block::Block) that draws itself by itself; then they are put together. There is
//! no memory: equal sights give equal scenes.

mod block;
mod cards;
mod dice;
mod edges;
mod facts;
mod graph;
mod grid;
mod heaps;
mod hexes;
mod holders;
mod names;
mod news;
mod pieces;
mod pits;
mod places;
mod players;
mod points;
mod sides;
mod springs;
mod table;
mod track;

use crate::{Scene, Sight};
use houserules_kernel::{SeatId, ThingId};
use news::News;
use sides::Sides;
use std::collections::BTreeSet;

/// Draws what a viewer sees.
pub fn draw(sight: &Sight) -> Scene {
    let drawing = Drawing {
        sight,
        sides: Sides::of(&sight.seats),
        news: News::of(sight.before.as_ref(), &sight.view),
        begins: sight.ways.iter().filter_map(|way| way.points.first().copied()).collect(),
    };
    let mut block = table::block(&drawing);
    block.shift(MARGIN, MARGIN);
    let mut scene = Scene {
        question: sight.question.clone(),
        ranks: sight.ranks.clone(),
        ways: sight.ways.clone(),
        ..Scene::default()
    };
    scene.size = block.size.by(2 * MARGIN, 2 * MARGIN);
    for graphic in block.graphics {
        scene.put(graphic);
    }
    scene
}

/// Around everything, and between the parts of the table.
const MARGIN: i32 = 30;

/// What every part of the table is drawn from.
struct Drawing<'a> {
    sight: &'a Sight,
    sides: Sides,
    news: News,
    /// The things at which a choice begins.
    begins: BTreeSet<ThingId>,
}

impl Drawing<'_> {
    /// The seat at the near side of the table: the viewer's, or the first.
    fn near(&self) -> SeatId {
        self.sight.near.unwrap_or(SeatId(0))
    }
}
