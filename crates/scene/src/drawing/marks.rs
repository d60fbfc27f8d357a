//! What was played last, marked upon a board: dashes where something came from, a line around where it went, brackets
//! where something was taken, by how much a pit has changed.
//!
//! Marks are named by their order and not by where they are: the next move takes the same ones elsewhere.

use super::Drawing;
use super::laid::{Kind, Laid};
use super::places::Style;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{BoardView, ThingId};

pub(super) fn put(drawing: &Drawing, graphics: &mut Vec<Graphic>, nth: usize, board: &BoardView, laid: &Laid) {
    let news = drawing.news;
    let place = |id: &ThingId| board.cells.iter().position(|cell| cell.id == *id).map(|cell| laid.places[cell]);
    let mut n = 0;
    let mut id = || {
        n += 1;
        format!("l{nth}.{}", n - 1)
    };
    if let Kind::Pits { .. } = laid.kind {
        for (cell, by) in &news.by {
            if let Some(at) = place(cell) {
                changed(graphics, id(), *by, at, 2 * at.y > laid.size.y, laid.style);
            }
        }
        return;
    }
    for at in news.taken.iter().filter_map(place) {
        graphics.push(taken(id(), at, laid.style));
    }
    for at in news.left.iter().filter(|left| !news.taken.contains(left)).filter_map(place) {
        graphics.push(around(id(), at, laid.style).stroke("b-last", 5).dashed());
    }
    let elsewhere = |lost: &&ThingId| !news.taken.contains(lost) && !news.left.contains(lost);
    for at in news.lost.iter().filter(elsewhere).filter_map(place) {
        graphics.push(brackets(id(), at, laid.style));
    }
}

fn around(id: String, at: Place, style: Style) -> Graphic {
    let outline = if style.round { Shape::Circle } else { Shape::Rectangle { round: 4 } };
    let size = Place::new(style.place - 6, style.place - 6);
    Graphic::new(id, Layer::Traces, outline, at, size).class("last").motion(Motion::Fade)
}

fn taken(id: String, at: Place, style: Style) -> Graphic {
    if style.piece + 4 > style.place - 6 {
        // A stone fills its place: the mark goes upon it.
        let across = style.piece * 4 / 10;
        let dot = Graphic::new(id, Layer::Targets, Shape::Circle, at, Place::new(across, across));
        return dot.stroke("piece-red", 7).class("last").motion(Motion::Fade);
    }
    around(id, at, style).stroke("b-last", 6)
}

fn brackets(id: String, at: Place, style: Style) -> Graphic {
    let half = style.place / 2 - 6;
    let arm = half / 3;
    let corners = format!(
        "M-{half} -{i}V-{half}H-{i}M{i} -{half}H{half}V-{i}M{half} {i}V{half}H{i}M-{i} {half}H-{half}V{i}",
        i = half - arm
    );
    let size = Place::new(style.place - 6, style.place - 6);
    let brackets = Graphic::new(id, Layer::Traces, Shape::Path(corners), at, size);
    brackets.stroke("b-last", 5).class("taken").motion(Motion::Fade)
}

/// A pit that was emptied has a ring, one that got seeds says how many.
fn changed(graphics: &mut Vec<Graphic>, id: String, by: i64, at: Place, lower: bool, style: Style) {
    let pit = style.place;
    if by < 0 {
        let ring = Graphic::new(id, Layer::Traces, Shape::Circle, at, Place::new(pit + 6, pit + 6));
        graphics.push(ring.stroke("b-last", 7).dashed().class("last").motion(Motion::Fade));
        return;
    }
    // Beside the ring that shows what can be chosen, not under it.
    let corner = at.by(pit / 2 - 3, if lower { -pit / 2 + 3 } else { pit / 2 - 3 });
    let pill = Graphic::new(id.clone(), Layer::Traces, Shape::Circle, corner, Place::new(32, 32));
    graphics.push(pill.fill("b-last").class("last").motion(Motion::Fade));
    let text = Shape::Text { text: format!("+{by}"), align: Align::Middle, font: Font::Bold };
    let more = Graphic::new(format!("{id}.n"), Layer::Traces, text, corner, Place::new(30, 18));
    graphics.push(more.fill("wood-ink").z(1).class("last"));
}
