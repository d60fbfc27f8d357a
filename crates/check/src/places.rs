//! Places by name, and how large boards are.

use crate::outline::Outline;
use houserules_model::*;

/// Which values of the settings a size is worked out for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    Default,
    Smallest,
}

/// The value of an expression of numbers and settings, if it is one.
pub fn number(outline: &Outline, expr: &Expr, pick: Pick) -> Option<f64> {
    evaluate(outline, expr, pick, 0)
}

fn evaluate(outline: &Outline, expr: &Expr, pick: Pick, depth: usize) -> Option<f64> {
    // A setting may use earlier ones. Deeper than this they go in a circle.
    if depth > 40 {
        return None;
    }
    let part = |expr: &Expr| evaluate(outline, expr, pick, depth + 1);
    match &expr.kind {
        ExprKind::Number(Number::Whole(number)) => Some(*number as f64),
        ExprKind::Number(Number::Decimal(number)) => Some(*number),
        ExprKind::Word(name) => {
            let setting = outline.settings.get(name)?;
            match (&setting.range, pick) {
                (Some((least, _)), Pick::Smallest) => part(least),
                _ if !setting.among.is_empty() && pick == Pick::Smallest => {
                    setting.among.iter().map(part).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
                }
                _ => part(&setting.value),
            }
        }
        ExprKind::Form(form, slots) => {
            let values: Option<Vec<f64>> =
                slots.iter().flat_map(|slot| slot.exprs().iter().chain(slot.expr())).map(part).collect();
            let values = values?;
            let all = || values.iter().copied();
            match (form, values.as_slice()) {
                (Form::Add, _) => Some(all().sum()),
                (Form::Multiply, _) => Some(all().product()),
                (Form::Subtract, [one]) => Some(-one),
                (Form::Subtract, _) => all().reduce(|left, right| left - right),
                (Form::Divide, [left, right]) if *right != 0.0 => Some(left / right),
                (Form::Modulo, [left, right]) if *right != 0.0 => Some(left.rem_euclid(*right)),
                (Form::Max, _) => all().reduce(f64::max),
                (Form::Min, _) => all().reduce(f64::min),
                (Form::Floor, [one]) => Some(one.floor()),
                (Form::Abs, [one]) => Some(one.abs()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Columns and rows of a board drawn in rows, where they can be worked out.
pub fn size(outline: &Outline, board: &Board, pick: Pick) -> Option<(f64, f64)> {
    match &board.shape {
        Shape::Grid { width, height, .. } | Shape::Rhombus { width, height } => {
            Some((number(outline, width, pick)?, number(outline, height, pick)?))
        }
        Shape::Hex { side } => number(outline, side, pick).map(|side| (2.0 * side - 1.0, 2.0 * side - 1.0)),
        Shape::Triangle { side } => number(outline, side, pick).map(|side| (side, side)),
        Shape::Ring { .. } | Shape::Track { .. } | Shape::Graph => None,
    }
}

/// The board that has a place of this name.
pub fn board_of<'a>(outline: &Outline<'a>, name: &str) -> Option<&'a Board> {
    let linked = |board: &Board| {
        let links = outline.links.iter().filter(|link| link.board == board.model);
        let mut names = links.flat_map(|link| link.places.iter().map(|(place, _)| place));
        let mut spots = outline.spots.iter().filter(|spot| spot.board == board.model).map(|spot| &spot.name);
        // Which names a text with values stands for is known when the game is built.
        let called = |place: &Expr| match &place.kind {
            ExprKind::Text(text) => &**text == name,
            _ => true,
        };
        names.any(called) || spots.any(called)
    };
    let boards = outline.boards.iter().copied();
    let mut boards = boards.filter(|board| linked(board) || holds(outline, board, name, Pick::Default));
    boards.next()
}

/// Whether the name is one of the board's with these settings. A size that cannot be worked out fits any name.
pub fn holds(outline: &Outline, board: &Board, name: &str, pick: Pick) -> bool {
    let Some((column, row)) = column_and_row(name) else {
        return false;
    };
    if matches!(board.shape, Shape::Ring { .. } | Shape::Track { .. } | Shape::Graph) {
        return false;
    }
    if board.naming.is_some() {
        return true;
    }
    size(outline, board, pick).is_none_or(|(width, height)| f64::from(column) <= width && f64::from(row) <= height)
}

/// `c12` is column 3, row 12; after `z` comes `aa`.
pub fn column_and_row(name: &str) -> Option<(u32, u32)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    if letters.is_empty() || letters.len() > 2 || !letters.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    let row: u32 = row.parse().ok().filter(|row| *row > 0)?;
    let column = letters.bytes().fold(0, |column, letter| column * 26 + u32::from(letter - b'a') + 1);
    Some((column, row))
}
