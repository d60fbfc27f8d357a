use houserules_kernel::{BoardView, CellView};

use super::Draw;
use super::cell::Drawn;

/// Two rows as on a mancala board: the first half below from left to right, the second above from right to
/// left, so that play runs round. Numbers stand outside.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let mut cells: Vec<&CellView> = board.cells.iter().collect();
    cells.sort_by_key(|cell| cell.at);
    let (below, above) = cells.split_at(cells.len().div_ceil(2));
    let above: Vec<&CellView> = above.iter().rev().copied().collect();
    let width = cells.iter().map(|cell| draw.cell(cell).width.max(cell.name.chars().count())).max().unwrap_or(1);
    let names = |cells: &[&CellView]| {
        row(cells, width, " ", |cell| Drawn { text: draw.paint.faint(&cell.name), width: cell.name.chars().count() })
    };
    let holes = |cells: &[&CellView]| row(cells, width, "|", |cell| draw.cell(cell));
    let mut lines = Vec::new();
    if !above.is_empty() {
        lines.push(names(&above));
        lines.push(holes(&above));
    }
    lines.push(holes(below));
    lines.push(names(below));
    lines
}

fn row(cells: &[&CellView], width: usize, edge: &str, drawn: impl Fn(&CellView) -> Drawn) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!(" {} ", drawn(cell).centred(width))).collect();
    format!("{edge}{}{edge}", cells.join(edge)).trim_end().to_owned()
}
