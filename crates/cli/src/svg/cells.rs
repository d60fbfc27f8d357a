//! Boards whose places each show one sign.

use houserules_kernel::{BoardView, CellView, Shape};
use std::f64::consts::TAU;

use super::{EDGE, FAINT, GROUND, SHADE, STEP, Sheet, escaped};
use crate::draw::{number, rows};

const HALF: f64 = STEP / 2.0;
/// For letters and numbers along the edges.
const RIM: f64 = 18.0;

pub fn draw(sheet: &mut Sheet, board: &BoardView) {
    let places = places(board);
    let least = |pick: fn(&(f64, f64)) -> f64| places.iter().map(pick).fold(f64::INFINITY, f64::min);
    let most = |pick: fn(&(f64, f64)) -> f64| places.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
    if places.is_empty() {
        return;
    }
    let (left, top) = (least(|at| at.0), least(|at| at.1));
    let (wide, high) = (most(|at| at.0) - left + STEP, most(|at| at.1) - top + STEP);
    let rim = if is_lettered(board) { RIM } else { 0.0 };
    let (x, y) = sheet.room(rim + wide, high + rim);
    let at: Vec<(f64, f64)> =
        places.iter().map(|place| (place.0 - left + x + rim + HALF, place.1 - top + y + HALF)).collect();
    for (cell, &(x, y)) in board.cells.iter().zip(&at) {
        for &to in &cell.linked {
            if let Some(&(x2, y2)) = at.get(to as usize) {
                sheet.add(&format!(
                    "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{EDGE}\" stroke-width=\"2\"/>"
                ));
            }
        }
    }
    for (cell, &at) in board.cells.iter().zip(&at) {
        draw_cell(sheet, board, cell, at);
    }
    if rim > 0.0 {
        edges(sheet, board, &at, (x, y + high));
    }
}

fn draw_cell(sheet: &mut Sheet, board: &BoardView, cell: &CellView, (x, y): (f64, f64)) {
    let title = format!("<title>{}</title>", escaped(&cell.name));
    let ground = match board.shape {
        Shape::Grid { .. } | Shape::Track { .. } => {
            let fill = if (cell.at.0 + cell.at.1) % 2 == 0 { SHADE } else { GROUND };
            format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"{fill}\" stroke=\"{EDGE}\">{title}</rect>",
                x - HALF,
                y - HALF
            )
        }
        Shape::Hexes { .. } => {
            let corner = |n: u32| {
                let angle = TAU * (f64::from(n) + 0.5) / 6.0;
                format!("{:.1},{:.1}", x + 0.577 * STEP * angle.cos(), y + 0.577 * STEP * angle.sin())
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            format!("<polygon points=\"{}\" fill=\"{GROUND}\" stroke=\"{EDGE}\">{title}</polygon>", corners.join(" "))
        }
        Shape::Ring { .. } | Shape::Graph => {
            let radius = if cell.linked.is_empty() { HALF * 0.94 } else { HALF * 0.5 };
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{GROUND}\" stroke=\"{EDGE}\">{title}</circle>"
            )
        }
    };
    sheet.add(&ground);
    let name = number(cell);
    match (cell.mark.sign.is_empty(), board.shape) {
        // Numbers run along the rows of a ring; elsewhere an empty place has room for its own name.
        (_, Shape::Ring { .. }) => sheet.text(name, (x + HALF * 0.68, y + HALF * 0.78), 9.0, FAINT),
        // Of squares that have numbers, only those do.
        (true, Shape::Grid { .. }) if lettered(cell).is_some() => {}
        (true, _) => sheet.text(name, (x, y), 10.0, FAINT),
        _ => {}
    }
    if cell.mark.sign.is_empty() {
        return;
    }
    sheet.piece(&cell.mark.sign, cell.mark.seat, (x, y), HALF * 0.68);
    let counted = cell.count.filter(|count| *count > 1 && cell.mark.sign != count.to_string());
    if let Some(count) = counted {
        sheet.text(&format!("×{count}"), (x + HALF * 0.62, y - HALF * 0.74), 11.0, "#333");
    }
}

/// Letters below the columns, numbers beside the rows.
fn edges(sheet: &mut Sheet, board: &BoardView, at: &[(f64, f64)], (left, bottom): (f64, f64)) {
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (cell, &(x, y)) in board.cells.iter().zip(at) {
        let name = number(cell);
        let letter: String = name.chars().take_while(char::is_ascii_lowercase).collect();
        let number = name[letter.len()..].to_owned();
        if !columns.contains(&letter) {
            sheet.text(&letter, (x, bottom + 10.0), 12.0, FAINT);
            columns.push(letter);
        }
        if !rows.contains(&number) {
            sheet.text(&number, (left + 6.0, y), 12.0, FAINT);
            rows.push(number);
        }
    }
}

/// Squares with names such as `d7`.
fn is_lettered(board: &BoardView) -> bool {
    matches!(board.shape, Shape::Grid { .. }) && board.cells.iter().all(|cell| lettered(cell).is_some())
}

/// The middle of each cell, somewhere on an endless sheet; rows count upwards.
fn places(board: &BoardView) -> Vec<(f64, f64)> {
    let n = board.cells.len();
    let around = |at: usize| {
        let angle = TAU * (at as f64 + 0.5) / n as f64 + TAU / 2.0;
        let radius = (STEP * n as f64 / TAU).max(STEP);
        (radius * angle.cos(), -radius * angle.sin())
    };
    let (above, below) = rows(board);
    let in_row = |row: &[&CellView], cell: &CellView| row.iter().position(|known| known.at == cell.at);
    let place = |at: usize, cell: &CellView| {
        let (column, row) = (f64::from(cell.at.0), f64::from(cell.at.1));
        match board.shape {
            Shape::Grid { .. } => (STEP * column, -STEP * row),
            Shape::Hexes { .. } => (STEP * (column + row / 2.0), -STEP * row * 0.866),
            Shape::Track { .. } => (STEP * at as f64, 0.0),
            // As on a mancala board.
            Shape::Ring { .. } => match (in_row(&above, cell), in_row(&below, cell)) {
                (Some(column), _) => (STEP * column as f64, -STEP),
                (None, column) => (STEP * column.unwrap_or(0) as f64, 0.0),
            },
            Shape::Graph => match lettered(cell) {
                Some((column, row)) if board.cells.iter().all(|cell| lettered(cell).is_some()) => {
                    (STEP * column, -STEP * row)
                }
                _ => around(at),
            },
        }
    };
    board.cells.iter().enumerate().map(|(at, cell)| place(at, cell)).collect()
}

/// Column and row of a name such as `d7`, or `North d7` on a board of one's own.
fn lettered(cell: &CellView) -> Option<(f64, f64)> {
    let name = number(cell);
    let letter = name.chars().next().filter(char::is_ascii_lowercase)?;
    let row: u32 = name.get(1..)?.parse().ok()?;
    Some((f64::from(letter as u32 - 'a' as u32), f64::from(row)))
}
