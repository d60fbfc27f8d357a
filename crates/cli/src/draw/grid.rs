use std::collections::BTreeMap;

use houserules_kernel::BoardView;

use super::Draw;
use super::cell::{Drawn, letters};

/// Row numbers on the left from the bottom upward, column letters below. Cells that are not there stay blank.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let cells: BTreeMap<(i32, i32), Drawn> = board.cells.iter().map(|cell| (cell.at, draw.cell(cell))).collect();
    let Some((left, right)) = bounds(cells.keys().map(|&(column, _)| column)) else { return Vec::new() };
    let Some((bottom, top)) = bounds(cells.keys().map(|&(_, row)| row)) else { return Vec::new() };
    let cell_width = cells.values().map(|cell| cell.width).max().unwrap_or(1).max(letters(right).len());
    let label_width = top.to_string().len();
    let mut lines: Vec<String> = (bottom..=top)
        .rev()
        .map(|row| {
            let label = draw.paint.faint(&format!("{row:>label_width$}"));
            let row: Vec<String> = (left..=right)
                .map(|column| cells.get(&(column, row)).map_or(" ".repeat(cell_width), |cell| cell.centred(cell_width)))
                .collect();
            format!("{label}  {}", row.join(" ")).trim_end().to_owned()
        })
        .collect();
    let below: Vec<String> = (left..=right)
        .map(|column| {
            let text = letters(column);
            Drawn { width: text.len(), text: draw.paint.faint(&text) }.centred(cell_width)
        })
        .collect();
    lines.push(format!("{}  {}", " ".repeat(label_width), below.join(" ")).trim_end().to_owned());
    lines
}

pub fn bounds(numbers: impl Iterator<Item = i32>) -> Option<(i32, i32)> {
    numbers.fold(None, |bounds, number| match bounds {
        None => Some((number, number)),
        Some((least, greatest)) => Some((number.min(least), number.max(greatest))),
    })
}
