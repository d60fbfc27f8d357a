//! Things that stand on places: pieces, stones, marks.

use super::sides::{Side, Sides};
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{CellView, ThingView};

/// A piece that lies on a place.
pub(super) fn piece(piece: &ThingView, on: &CellView, sides: &Sides, at: Place, across: i32) -> Vec<Graphic> {
    let side = sides.seat(piece.mark.seat.or(piece.owner));
    let id = format!("t{}", piece.id.0);
    let label = format!("{} on {}", piece.kind, on.name);
    let mut graphics = counter(&id, &piece.mark.sign, side, at, across);
    for graphic in &mut graphics {
        graphic.thing = Some(piece.id);
        graphic.on = Some(on.id);
        graphic.motion = Motion::Glide;
    }
    graphics[0].label = label;
    graphics
}

/// What a place shows by itself: the mark of a seat, or a sign.
pub(super) fn mark(on: &CellView, sides: &Sides, at: Place, across: i32) -> Vec<Graphic> {
    let id = format!("m{}", on.id.0);
    let mut graphics = counter(&id, &on.mark.sign, sides.seat(on.mark.seat), at, across);
    for graphic in &mut graphics {
        graphic.on = Some(on.id);
        graphic.motion = Motion::Drop;
    }
    graphics[0].label = format!("{} on {}", on.mark.sign, on.name);
    graphics
}

/// A disc in the colours of a side, with a sign.
fn counter(id: &str, sign: &str, side: Side, at: Place, across: i32) -> Vec<Graphic> {
    let size = Place::new(across, across);
    let disc = Graphic::new(id, Layer::Things, Shape::Circle, at, size).fill(side.fill).stroke(side.edge, 3);
    if sign.is_empty() {
        return vec![disc];
    }
    let text = Shape::Text { text: sign.into(), align: Align::Middle, font: Font::Bold };
    let letter = Graphic::new(format!("{id}.s"), Layer::Things, text, at, Place::new(across, across / 2));
    vec![disc, letter.fill(side.ink).z(1)]
}
