use std::collections::BTreeMap;

use houserules_kernel::BoardView;

use super::Draw;
use super::cell::{Drawn, letters};
use super::grid::bounds;

/// Places that are all named like the cells of a grid are drawn where their names put them; others in a list.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let at: Option<Vec<(i32, i32)>> = board.cells.iter().map(|cell| coordinates(&cell.name)).collect();
    match at {
        Some(at) if !at.is_empty() => map(draw, board, &at),
        _ => list(draw, board),
    }
}

/// A line for each place: its name, what lies there, where one can go from it.
fn list(draw: &Draw, board: &BoardView) -> Vec<String> {
    let name_width = board.cells.iter().map(|cell| cell.name.chars().count()).max().unwrap_or(0);
    let width = board.cells.iter().map(|cell| draw.cell(cell).width).max().unwrap_or(1);
    board
        .cells
        .iter()
        .map(|cell| {
            let drawn = draw.cell(cell);
            let linked: Vec<&str> = cell
                .linked
                .iter()
                .filter_map(|link| board.cells.get(link.to as usize))
                .map(|cell| cell.name.as_str())
                .collect();
            let links =
                if linked.is_empty() { String::new() } else { draw.paint.faint(&format!("– {}", linked.join(" "))) };
            format!("{:name_width$}  {}{}  {links}", cell.name, drawn.text, " ".repeat(width - drawn.width))
                .trim_end()
                .to_owned()
        })
        .collect()
}

/// Places on a grid, and the lines between neighbours in one row or column:
///
/// ```text
/// 3  ·───────·
///    │       │
/// 2  │       ·
///    │
/// 1  ·
///    a   b   c
/// ```
///
/// Slanting links are not drawn.
fn map(draw: &Draw, board: &BoardView, at: &[(i32, i32)]) -> Vec<String> {
    let Some((left, right)) = bounds(at.iter().map(|&(column, _)| column)) else { return Vec::new() };
    let Some((bottom, top)) = bounds(at.iter().map(|&(_, row)| row)) else { return Vec::new() };
    // Character cells by line and column; between two rows stands one line, between two columns three characters.
    let spot = |(column, row): (i32, i32)| (2 * (top - row), 4 * (column - left));
    let mut signs: BTreeMap<(i32, i32), Drawn> = BTreeMap::new();
    for (from, cell) in board.cells.iter().enumerate() {
        let (y, x) = spot(at[from]);
        for link in &cell.linked {
            let Some(&to) = at.get(link.to as usize) else { continue };
            let (to_y, to_x) = spot(to);
            if to_y == y {
                let line = (x + 1..to_x).map(|x| ((y, x), "─"));
                signs.extend(line.map(|(spot, sign)| (spot, Drawn { text: draw.paint.faint(sign), width: 1 })));
            } else if to_x == x {
                let line = (y + 1..to_y).map(|y| ((y, x), "│"));
                signs.extend(line.map(|(spot, sign)| (spot, Drawn { text: draw.paint.faint(sign), width: 1 })));
            }
        }
    }
    signs.extend(board.cells.iter().zip(at).map(|(cell, &at)| (spot(at), draw.cell(cell))));
    for column in left..=right {
        let text = letters(column);
        signs.insert(
            (spot((column, bottom)).0 + 1, 4 * (column - left)),
            Drawn { width: text.len(), text: draw.paint.faint(&text) },
        );
    }
    let label_width = top.to_string().len();
    (0..=2 * (top - bottom) + 1)
        .map(|y| {
            let label = if y % 2 == 0 { (top - y / 2).to_string() } else { String::new() };
            let mut text = match label.is_empty() {
                true => format!("{label:label_width$}  "),
                false => format!("{}  ", draw.paint.faint(&format!("{label:>label_width$}"))),
            };
            let mut x = 0;
            for (&(_, at), sign) in signs.range((y, 0)..(y + 1, 0)) {
                // A sign wider than a character covers the line beside it.
                if at < x {
                    continue;
                }
                text.push_str(&" ".repeat((at - x) as usize));
                text.push_str(&sign.text);
                x = at + sign.width as i32;
            }
            text.trim_end().to_owned()
        })
        .collect()
}

/// `c5`: column 3, row 5.
fn coordinates(name: &str) -> Option<(i32, i32)> {
    let mut signs = name.chars();
    let column = signs.next().filter(char::is_ascii_lowercase)?;
    let row = signs.as_str();
    let plain = !row.is_empty() && row.len() < 3 && row.bytes().all(|digit| digit.is_ascii_digit());
    Some((1 + column as i32 - 'a' as i32, plain.then(|| row.parse().ok())??))
}
