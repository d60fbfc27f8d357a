//! A place of a board, whatever the shape of the board: what stands on it.

use super::Drawing;
use super::pieces;
use crate::{Graphic, Place};
use houserules_kernel::{CellView, ThingView};

/// How the marks of a board look.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// What stands on a place is so wide.
    pub piece: i32,
    /// The place itself is so wide.
    pub place: i32,
    /// Places are round, and so are the marks around them.
    pub round: bool,
    /// Marks of a seat are stones, and not counters.
    pub stones: bool,
}

/// Everything upon a place; the place itself is drawn by its board.
pub(super) fn fill(drawing: &Drawing, graphics: &mut Vec<Graphic>, cell: &CellView, at: Place, style: Style) {
    let held = cell.pieces.as_deref().unwrap_or_default();
    match held {
        [] if cell.pieces.is_none() && cell.count.is_some_and(|count| count > 0) => {
            graphics.push(pieces::hidden(cell.id, at, style.piece));
        }
        [] if !cell.mark.sign.is_empty() => graphics.extend(pieces::mark(drawing, cell, at, style)),
        [] => {}
        [piece] => graphics.extend(pieces::piece(drawing, piece, cell.id, at, style.piece)),
        many => heap(drawing, graphics, cell, many, at, style),
    }
}

/// Several pieces on one place: up to four beside each other, then the top one and a number.
fn heap(drawing: &Drawing, graphics: &mut Vec<Graphic>, cell: &CellView, many: &[ThingView], at: Place, style: Style) {
    if many.len() <= 4 {
        let (across, away) = (style.piece * 56 / 100, style.piece * 26 / 100);
        let spots = [(-away, -away), (away, -away), (-away, away), (away, away)];
        for (piece, (x, y)) in many.iter().zip(spots) {
            graphics.extend(pieces::piece(drawing, piece, cell.id, at.by(x, y), across));
        }
        return;
    }
    for (level, piece) in many.iter().enumerate().skip(many.len().saturating_sub(3)) {
        let up = (many.len() - 1 - level) as i32 * 4;
        let mut drawn = pieces::piece(drawing, piece, cell.id, at.by(0, up), style.piece);
        drawn.iter_mut().for_each(|graphic| graphic.z += 2 * level as i32);
        graphics.extend(drawn);
    }
    let corner = at.by(style.piece / 2 - 8, style.piece / 2 - 8);
    graphics.extend(pieces::number(&format!("n{}", cell.id.0), many.len() as i64, corner, 24));
}
