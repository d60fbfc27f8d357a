use std::collections::BTreeMap;

use houserules_kernel::{BoardView, CellView};

use super::Draw;
use super::cell::{Drawn, letters};

/// Row numbers on the left from the bottom upward, column letters below. Cells that are not there stay blank.
///
/// Cells with names of their own, such as the numbers of draughts, show these instead.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let Some(columns) = columns(board) else { return named(draw, board) };
    let cells: BTreeMap<(i32, i32), Drawn> = board.cells.iter().map(|cell| (cell.at, draw.cell(cell))).collect();
    let Some((left, right)) = bounds(cells.keys().map(|&(column, _)| column)) else { return Vec::new() };
    let Some((bottom, top)) = bounds(cells.keys().map(|&(_, row)| row)) else { return Vec::new() };
    let cell_width = cells.values().map(|cell| cell.width).max().unwrap_or(1);
    let cell_width = columns.values().map(String::len).max().unwrap_or(1).max(cell_width);
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
            let text = columns.get(&column).map_or("", String::as_str);
            Drawn { width: text.len(), text: draw.paint.faint(text) }.centred(cell_width)
        })
        .collect();
    lines.push(format!("{}  {}", " ".repeat(label_width), below.join(" ")).trim_end().to_owned());
    lines
}

/// The letters of each column, if all cells are called by them and their row. In Go there is no i.
fn columns(board: &BoardView) -> Option<BTreeMap<i32, String>> {
    let mut columns: BTreeMap<i32, String> = BTreeMap::new();
    for cell in &board.cells {
        let letters = own_part(cell).strip_suffix(&cell.at.1.to_string())?;
        let is_word = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
        if !is_word || columns.entry(cell.at.0).or_insert_with(|| letters.to_owned()) != letters {
            return None;
        }
    }
    Some(columns)
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
