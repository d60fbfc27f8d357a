use houserules_kernel::{BoardView, CellView};

use super::Draw;
use super::cell::Drawn;
use super::ring::{full_name, number};

/// Long tracks are cut here: a line of a book has about as many characters.
const LINE: usize = 72;

/// Places from left to right with their names below, in several lines where one does not suffice.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let mut cells: Vec<&CellView> = board.cells.iter().collect();
    cells.sort_by_key(|cell| cell.at);
    let widest = |name: fn(&CellView) -> &str| {
        cells.iter().map(|cell| draw.cell(cell).width.max(name(cell).chars().count())).max().unwrap_or(1)
    };
    // Where the names would not fit on one line, their numbers may.
    let name = if cells.len() * (widest(full_name) + 1) <= LINE { full_name } else { number };
    let width = widest(name);
    let mut lines = Vec::new();
    for cells in cells.chunks((LINE / (width + 1)).max(1)) {
        let row = |drawn: &dyn Fn(&CellView) -> Drawn| {
            let cells: Vec<String> = cells.iter().map(|cell| drawn(cell).centred(width)).collect();
            cells.join(" ").trim_end().to_owned()
        };
        lines.push(row(&|cell| draw.cell(cell)));
        lines.push(row(&|cell| Drawn { text: draw.paint.faint(name(cell)), width: name(cell).chars().count() }));
    }
    lines
}
