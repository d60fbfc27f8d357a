use std::collections::BTreeMap;

use houserules_kernel::BoardView;

use super::Draw;
use super::cell::{Drawn, letters};
use super::grid::bounds;

/// Each row stands half a cell further right than the one below it, so that neighbours touch:
///
/// ```text
/// 2   · ·
/// 1  · ·
///   a b
/// ```
///
/// A column runs up and to the right from its letter; one that does not reach the bottom row has its
/// letter above, and one that reaches neither end, as in a star, right below its lowest cell. What the definition puts beyond the edges (`#look above below left right`) frames the board.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let cells: BTreeMap<(i32, i32), Drawn> = board.cells.iter().map(|cell| (cell.at, draw.cell(cell))).collect();
    let Some((bottom, top)) = bounds(cells.keys().map(|&(_, row)| row)) else { return Vec::new() };
    let Some((left, right)) = bounds(cells.keys().map(|&(column, _)| column)) else { return Vec::new() };
    let widest = cells.values().map(|cell| cell.width).max().unwrap_or(1).max(letters(right).len());
    // A step to the right is two half steps; a half step must be a whole number of characters.
    let half = widest.div_ceil(2).max(1) as i32;
    let x = |column: i32, row: i32| half * (2 * column + row);
    let beyond = |side: &str| {
        let text = board.look.iter().find(|(attribute, _)| attribute == side);
        text.map(|(_, text)| draw.beyond(text))
    };
    let (frame_above, frame_below) = (beyond("above"), beyond("below"));
    // Letters and frames are cells of the rows just outside the board.
    let letters_at = bottom - 1 - i32::from(frame_below.is_some());
    let (frame_left, frame_right) = (beyond("left"), beyond("right"));
    let first = left - i32::from(frame_left.is_some());
    let leftmost = cells.keys().map(|&(column, row)| x(column, row)).min().unwrap_or(0);
    let leftmost = leftmost.min(x(first, bottom)).min(x(left, letters_at));
    let label_width = top.to_string().len();
    let line = |label: &str, row: i32, drawn: &[(i32, &Drawn)]| {
        let mut text = format!("{label:>label_width$}  ");
        if !label.is_empty() {
            text = format!("{}  ", draw.paint.faint(&format!("{label:>label_width$}")));
        }
        let mut at = leftmost;
        for &(column, cell) in drawn {
            let want = x(column, row);
            text.push_str(&" ".repeat((want - at).max(0) as usize));
            text.push_str(&cell.text);
            at = want.max(at) + cell.width as i32;
        }
        text.trim_end().to_owned()
    };
    let label = |column: i32| draw.faint(&letters(column));
    let labels = |row: i32, columns: Vec<i32>| {
        let drawn: Vec<(i32, Drawn)> = columns.into_iter().map(|column| (column, label(column))).collect();
        line("", row, &drawn.iter().map(|(column, drawn)| (*column, drawn)).collect::<Vec<_>>())
    };
    let at_bottom = |column: &i32| cells.contains_key(&(*column, bottom));
    let between: Vec<((i32, i32), Drawn)> = (left..=right)
        .filter(|column| !at_bottom(column) && !cells.contains_key(&(*column, top)))
        .filter_map(|column| {
            let lowest = cells.keys().filter(|(at, _)| *at == column).map(|&(_, row)| row).min()?;
            Some(((column, lowest - 1), label(column)))
        })
        .collect();
    let mut lines = Vec::new();
    let above: Vec<i32> =
        (left..=right).filter(|column| !at_bottom(column) && cells.contains_key(&(*column, top))).collect();
    if !above.is_empty() {
        lines.push(labels(top + 1 + i32::from(frame_above.is_some()), above));
    }
    let frame = |frame: &Option<Drawn>, edge: i32, row: i32| {
        let frame = frame.as_ref()?;
        let columns = (left..=right).filter(|column| cells.contains_key(&(*column, edge)));
        Some(line("", row, &columns.map(|column| (column, frame)).collect::<Vec<_>>()))
    };
    lines.extend(frame(&frame_above, top, top + 1));
    for row in (bottom..=top).rev() {
        let mut drawn: Vec<(i32, &Drawn)> =
            cells.iter().filter(|((_, at), _)| *at == row).map(|(&(column, _), cell)| (column, cell)).collect();
        let ends = (drawn.first().map(|(column, _)| column - 1), drawn.last().map(|(column, _)| column + 1));
        if let (Some(frame), Some(column)) = (&frame_left, ends.0) {
            drawn.insert(0, (column, frame));
        }
        if let (Some(frame), Some(column)) = (&frame_right, ends.1) {
            drawn.push((column, frame));
        }
        drawn.extend(between.iter().filter(|((_, at), _)| *at == row).map(|((column, _), letters)| (*column, letters)));
        drawn.sort_by_key(|(column, _)| *column);
        lines.push(line(&row.to_string(), row, &drawn));
    }
    lines.extend(frame(&frame_below, bottom, bottom - 1));
    lines.push(labels(letters_at, (left..=right).filter(at_bottom).collect()));
    lines
}
