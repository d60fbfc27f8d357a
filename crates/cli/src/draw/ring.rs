use houserules_kernel::{BoardView, CellView};

use super::Draw;
use super::cell::Drawn;

/// As wide as most terminals are.
const LINE: usize = 80;

/// Two rows as on a mancala board: the first half below from left to right, the second above from right to
/// left, so that play runs round. Numbers stand outside.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let mut cells: Vec<&CellView> = board.cells.iter().collect();
    cells.sort_by_key(|cell| cell.at);
    let (below, above) = cells.split_at(cells.len().div_ceil(2));
    let above: Vec<&CellView> = above.iter().rev().copied().collect();
    let widest = |name: fn(&CellView) -> &str| {
        cells.iter().map(|cell| draw.cell(cell).width.max(name(cell).chars().count())).max().unwrap_or(1)
    };
    // Where the names would not fit side by side, their numbers do.
    let name = if below.len() * (widest(full_name) + 3) < LINE { full_name } else { number };
    let width = widest(name);
    let names = |cells: &[&CellView]| {
        let named = |cell: &CellView| {
            let name = name(cell);
            Drawn { text: draw.paint.faint(name), width: name.chars().count() }
        };
        row(cells, width, " ", named)
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

fn full_name(cell: &CellView) -> &str {
    &cell.name
}

fn number(cell: &CellView) -> &str {
    cell.name.rsplit(' ').next().unwrap_or_default()
}

fn row(cells: &[&CellView], width: usize, edge: &str, drawn: impl Fn(&CellView) -> Drawn) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!(" {} ", drawn(cell).centred(width))).collect();
    format!("{edge}{}{edge}", cells.join(edge)).trim_end().to_owned()
}
