use std::collections::BTreeMap;

use houserules_kernel::{BoardView, CellView, Mark};

use super::Draw;
use super::cell::{Drawn, letters};

/// Row numbers on the left, column letters below; above, where rows are counted from the top. Cells that are not there
/// stay blank.
///
/// Cells with names of their own, such as the numbers of draughts, show these instead. What lies between two cells, such
/// as a wall, is drawn between them.
pub fn draw(draw: &Draw, board: &BoardView, edges: &[([(i32, i32); 2], &Mark)]) -> Vec<String> {
    let Some(labels) = Labels::of(board) else { return named(draw, board) };
    let Some((left, right)) = bounds(board.cells.iter().map(|cell| cell.at.0)) else { return Vec::new() };
    let Some((bottom, top)) = bounds(board.cells.iter().map(|cell| cell.at.1)) else { return Vec::new() };
    let cells: BTreeMap<(i32, i32), Drawn> = board
        .cells
        .iter()
        .map(|cell| match draw.is_bare(cell) && labels.is_star(cell.at, right, top) {
            true => (cell.at, draw.faint("+")),
            false => (cell.at, draw.cell(cell)),
        })
        .collect();
    let cell_width = cells.values().map(|cell| cell.width).max().unwrap_or(1);
    let cell_width = labels.columns.values().map(String::len).max().unwrap_or(1).max(cell_width);
    let label_width = labels.rows.values().map(String::len).max().unwrap_or(1);
    let between = |one: (i32, i32), other: (i32, i32)| {
        let found = edges.iter().find(|(ends, _)| *ends == [one, other] || *ends == [other, one]);
        // One sign has room between two cells.
        found.map(|(_, mark)| draw.paint.seat(mark.seat, &mark.sign.chars().take(1).collect::<String>()))
    };
    let mut lines: Vec<String> = Vec::new();
    for row in (bottom..=top).rev() {
        let label = labels.rows.get(&row).map_or("", String::as_str);
        let mut line = draw.paint.faint(&format!("{label:>label_width$}")) + " ";
        for column in left..=right {
            line += &between((column - 1, row), (column, row)).unwrap_or_else(|| " ".into());
            line += &cells.get(&(column, row)).map_or(" ".repeat(cell_width), |cell| cell.centred(cell_width));
        }
        lines.push(line.trim_end().to_owned());
        let below: Vec<Option<String>> =
            (left..=right).map(|column| between((column, row - 1), (column, row))).collect();
        if below.iter().any(Option::is_some) {
            let (before, after) = ((cell_width - 1) / 2, cell_width - 1 - (cell_width - 1) / 2);
            let sign = |sign: Option<String>| sign.unwrap_or_else(|| " ".into());
            let cells =
                below.into_iter().map(|edge| format!(" {}{}{}", " ".repeat(before), sign(edge), " ".repeat(after)));
            lines.push(format!("{} {}", " ".repeat(label_width), cells.collect::<String>()).trim_end().to_owned());
        }
    }
    let letters: Vec<String> = (left..=right)
        .map(|column| draw.faint(labels.columns.get(&column).map_or("", String::as_str)).centred(cell_width))
        .collect();
    let letters = format!("{}  {}", " ".repeat(label_width), letters.join(" ")).trim_end().to_owned();
    lines.insert(if labels.counts_down() { 0 } else { lines.len() }, letters);
    lines
}

/// What the columns and rows are called, where each cell is called by both.
struct Labels {
    columns: BTreeMap<i32, String>,
    rows: BTreeMap<i32, String>,
}

impl Labels {
    fn of(board: &BoardView) -> Option<Labels> {
        let mut labels = Labels { columns: BTreeMap::new(), rows: BTreeMap::new() };
        for cell in &board.cells {
            let name = own_part(cell);
            // `3/4` is a column and a row, too.
            let (letters, number) = match name.split_once('/') {
                Some(pair) => pair,
                None => name.split_at(name.find(|sign: char| !sign.is_alphabetic())?),
            };
            let is_column = letters.chars().all(char::is_alphabetic) || letters.parse::<u32>().is_ok();
            let is_pair = !letters.is_empty() && is_column && number.parse::<u32>().is_ok();
            let column = labels.columns.entry(cell.at.0).or_insert_with(|| letters.to_owned());
            let row = labels.rows.entry(cell.at.1).or_insert_with(|| number.to_owned());
            if !is_pair || column != letters || row != number {
                return None;
            }
        }
        Some(labels)
    }

    fn counts_down(&self) -> bool {
        let number = |label: Option<(&i32, &String)>| label.and_then(|(_, label)| label.parse::<u32>().ok());
        number(self.rows.first_key_value()) > number(self.rows.last_key_value())
    }

    /// Go players find their way by the star points. Whoever leaves out the column i draws a board of Go.
    fn is_star(&self, (column, row): (i32, i32), width: i32, height: i32) -> bool {
        if self.columns.get(&9).is_none_or(|letters| letters != "j") || width != height || width % 2 == 0 {
            return false;
        }
        let low = if width < 13 { 3 } else { 4 };
        let corner = |at: i32| at == low || at == width + 1 - low;
        let middle = |at: i32| at == (width + 1) / 2;
        let on_a_side = width > 13 && ((corner(column) && middle(row)) || (middle(column) && corner(row)));
        (corner(column) && corner(row)) || (middle(column) && middle(row)) || on_a_side
    }
}

/// Whether a cell is called otherwise than by its column and row.
fn has_own_name(cell: &CellView) -> bool {
    own_part(cell) != format!("{}{}", letters(cell.at.0), cell.at.1)
}

/// On a board of one player the name of the player comes first.
fn own_part(cell: &CellView) -> &str {
    cell.name.rsplit(' ').next().unwrap_or_default()
}

/// The own name of a cell stands in it, after what lies there; cells without one are not played on and stay blank.
fn named(draw: &Draw, board: &BoardView) -> Vec<String> {
    let cells: BTreeMap<(i32, i32), &CellView> = board.cells.iter().map(|cell| (cell.at, cell)).collect();
    let Some((left, right)) = bounds(cells.keys().map(|&(column, _)| column)) else { return Vec::new() };
    let Some((bottom, top)) = bounds(cells.keys().map(|&(_, row)| row)) else { return Vec::new() };
    let name_width = board.cells.iter().filter(|cell| has_own_name(cell)).map(|cell| cell.name.chars().count()).max();
    let name_width = name_width.unwrap_or(1);
    let sign_width = board.cells.iter().map(|cell| draw.cell(cell).width).max().unwrap_or(1);
    let text = |cell: &CellView| {
        let drawn = draw.cell(cell);
        let sign = format!("{}{}", " ".repeat(sign_width - drawn.width), drawn.text);
        match has_own_name(cell) {
            true => format!("{sign} {}", draw.paint.faint(&format!("{:name_width$}", cell.name))),
            false if cell.mark.sign.is_empty() => " ".repeat(sign_width + 1 + name_width),
            false => format!("{sign}{}", " ".repeat(1 + name_width)),
        }
    };
    let row = |row: i32| {
        let cells = (left..=right).map(|column| match cells.get(&(column, row)) {
            Some(cell) => text(cell),
            None => " ".repeat(sign_width + 1 + name_width),
        });
        cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    (bottom..=top).rev().map(row).collect()
}

pub fn bounds(numbers: impl Iterator<Item = i32>) -> Option<(i32, i32)> {
    numbers.fold(None, |bounds, number| match bounds {
        None => Some((number, number)),
        Some((least, greatest)) => Some((number.min(least), number.max(greatest))),
    })
}
