//! Who plays, whose turn it is, and what each of them has.

use super::block::Block;
use super::sides::Sides;
use crate::{Align, Font, Graphic, Layer, Place, Shape, Sight};
use houserules_kernel::SeatId;

const HIGH: i32 = 44;
const WIDE: i32 = 320;

pub(super) fn block(sight: &Sight, sides: &Sides) -> Block {
    let mut block = Block::default();
    for (at, name) in sight.seats.iter().enumerate() {
        let seat = SeatId(at as u8);
        let side = sides.seat(Some(seat));
        let mut row = Block::sized(WIDE, HIGH);
        let badge = Graphic::new(
            format!("s{at}"),
            Layer::Writing,
            Shape::Image(side.badge),
            Place::new(HIGH / 2, HIGH / 2),
            Place::new(28, 28),
        );
        row.put(badge.fill(side.fill).stroke(side.edge, 2));
        let font = if sight.view.turn == Some(seat) { Font::Bold } else { Font::Plain };
        let text = Shape::Text { text: name.clone(), align: Align::Left, font };
        let name = Graphic::new(
            format!("s{at}.n"),
            Layer::Writing,
            text,
            Place::new(HIGH, HIGH / 2),
            Place::new(WIDE - HIGH, 26),
        );
        row.put(name.fill("ink"));
        block.below(row, 0);
    }
    block
}
