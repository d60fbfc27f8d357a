//! A place of a board, whatever the shape of the board: what stands on it, what is new there, whether it can be chosen.

use super::Drawing;
use super::block::Block;
use super::pieces;
use crate::{Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{CellView, ThingId};

/// How the marks of a board look.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// What stands on a place is so wide.
    pub piece: i32,
    /// The place itself is so wide.
    pub place: i32,
    /// Places are round, and so are the marks around them.
    pub round: bool,
    /// Two colours of a target, of which one shows on every ground.
    pub target: (&'static str, &'static str),
    /// Marks of a seat are stones, and not counters.
    pub stones: bool,
    /// So many places are open to the viewer that showing them all would only hide the board.
    pub many: bool,
}

/// Whether targets are left to whoever points: more than a third of the places is open, and they are many.
pub(super) fn are_many(drawing: &Drawing, cells: &[CellView]) -> bool {
    let open = cells.iter().filter(|cell| drawing.begins.contains(&cell.id)).count();
    open > 12 && open * 3 > cells.len()
}

/// Everything upon a place; the place itself is drawn by its board.
pub(super) fn fill(drawing: &Drawing, block: &mut Block, cell: &CellView, at: Place, style: Style) {
    news(drawing, block, cell.id, at, style);
    let held = cell.pieces.as_deref().unwrap_or_default();
    match held {
        [] if cell.pieces.is_none() && cell.count.is_some_and(|count| count > 0) => {
            block.put(pieces::hidden(cell.id, at, style.piece));
        }
        [] if !cell.mark.sign.is_empty() => block.graphics.extend(pieces::mark(drawing, cell, at, style)),
        [] => {}
        [piece] => block.graphics.extend(pieces::piece(drawing, piece, cell.id, &cell.name, at, style.piece)),
        many => heap(drawing, block, cell, many, at, style),
    }
    target(drawing, block, cell, at, style);
}

/// Several pieces on one place: up to four beside each other, then the top one and a number.
fn heap(
    drawing: &Drawing,
    block: &mut Block,
    cell: &CellView,
    many: &[houserules_kernel::ThingView],
    at: Place,
    style: Style,
) {
    if many.len() <= 4 {
        let (across, away) = (style.piece * 56 / 100, style.piece * 26 / 100);
        let spots = [(-away, -away), (away, -away), (-away, away), (away, away)];
        for (piece, (x, y)) in many.iter().zip(spots) {
            block.graphics.extend(pieces::piece(drawing, piece, cell.id, &cell.name, at.by(x, y), across));
        }
        return;
    }
    for (level, piece) in many.iter().enumerate().skip(many.len().saturating_sub(3)) {
        let up = (many.len() - 1 - level) as i32 * 4;
        let mut drawn = pieces::piece(drawing, piece, cell.id, &cell.name, at.by(0, up), style.piece);
        drawn.iter_mut().for_each(|graphic| graphic.z += 2 * level as i32);
        block.graphics.extend(drawn);
    }
    let corner = at.by(style.piece / 2 - 8, style.piece / 2 - 8);
    block.graphics.extend(pieces::number(&format!("n{}", cell.id.0), many.len() as i64, corner, 24));
}

fn outline(style: Style) -> Shape {
    if style.round { Shape::Circle } else { Shape::Rectangle { round: 4 } }
}

/// Dashes where something came from, a line around where it went, brackets where something was taken.
fn news(drawing: &Drawing, block: &mut Block, place: ThingId, at: Place, style: Style) {
    let size = Place::new(style.place - 6, style.place - 6);
    let mark = |name: &str| {
        let graphic = Graphic::new(format!("{name}{}", place.0), Layer::Traces, outline(style), at, size);
        graphic.class("last").motion(Motion::Fade)
    };
    if drawing.news.taken.contains(&place) && style.piece + 4 > style.place - 6 {
        // A stone fills its place: the mark goes upon it.
        let across = style.piece * 4 / 10;
        let dot = Graphic::new(format!("l{}", place.0), Layer::Targets, Shape::Circle, at, Place::new(across, across));
        block.put(dot.stroke("piece-red", 7).class("last").motion(Motion::Fade));
    } else if drawing.news.taken.contains(&place) {
        block.put(mark("l").stroke("b-last", 6));
    } else if drawing.news.left.contains(&place) {
        block.put(mark("l").stroke("b-last", 5).dashed());
    } else if drawing.news.lost.contains(&place) {
        let half = style.place / 2 - 6;
        let arm = half / 3;
        let corners = format!(
            "M-{half} -{i}V-{half}H-{i}M{i} -{half}H{half}V-{i}M{half} {i}V{half}H{i}M-{i} {half}H-{half}V{i}",
            i = half - arm
        );
        let brackets = Graphic::new(format!("l{}", place.0), Layer::Traces, Shape::Path(corners), at, size);
        block.put(brackets.stroke("b-last", 5).class("taken").motion(Motion::Fade));
    }
}

/// A dot where a choice begins, a ring around what stands there.
fn target(drawing: &Drawing, block: &mut Block, cell: &CellView, at: Place, style: Style) {
    if style.many || !drawing.begins.contains(&cell.id) {
        return;
    }
    let stands = cell.pieces.as_ref().is_some_and(|pieces| !pieces.is_empty()) || !cell.mark.sign.is_empty();
    let across = if stands { style.place - 8 } else { style.place * 26 / 100 };
    let dot = Graphic::new(format!("o{}", cell.id.0), Layer::Targets, Shape::Circle, at, Place::new(across, across));
    let dot = if stands { dot.stroke(style.target.0, 5) } else { dot.fill(style.target.0).stroke(style.target.1, 3) };
    block.put(dot.class("target").of(cell.id, None));
}

/// A ring around a piece at which a choice begins.
pub(super) fn ring(drawing: &Drawing, block: &mut Block, thing: ThingId, on: Option<ThingId>, at: Place, across: i32) {
    if drawing.begins.contains(&thing) {
        let size = Place::new(across, across);
        let ring = Graphic::new(format!("o{}", thing.0), Layer::Targets, Shape::Circle, at, size);
        block.put(ring.stroke("b-select", 5).class("target").of(thing, on));
    }
}
