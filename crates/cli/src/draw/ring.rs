use houserules_kernel::{BoardView, CellView, SeatId};

use super::cell::Drawn;
use super::{Draw, LINE};

/// What a player has taken, drawn at an end of the board.
pub struct End {
    pub seat: SeatId,
    pub text: String,
    /// Whether it is this player's turn.
    pub turn: bool,
}

/// The places from left to right: the first half below, the second above from right to left, so that play runs round.
pub fn rows(board: &BoardView) -> (Vec<&CellView>, Vec<&CellView>) {
    let mut cells: Vec<&CellView> = board.cells.iter().collect();
    cells.sort_by_key(|cell| cell.at);
    let above = cells.split_off(cells.len().div_ceil(2));
    (above.into_iter().rev().collect(), cells)
}

/// Whose row is above and whose below, where the rows belong to two players.
pub fn owners(board: &BoardView) -> Option<(SeatId, SeatId)> {
    let (above, below) = rows(board);
    // One hole may show somebody else's mark; most of them decide.
    let owner = |cells: &[&CellView]| {
        let seats = cells.iter().filter_map(|cell| cell.mark.seat);
        seats.clone().find(|&seat| 2 * seats.clone().filter(|&other| other == seat).count() > cells.len())
    };
    Some((owner(&above)?, owner(&below)?)).filter(|(above, below)| above != below)
}

/// Two rows as on a mancala board, names outside, what each player has taken at the end of the own row:
///
/// ```text
///          4     3
/// ┌─────┬─────┬─────┬─────┐
/// │     │  2  │  0  │     │
/// │  5  ├─────┼─────┤  7  │
/// │     │  1  │  3  │     │
/// └─────┴─────┴─────┴─────┘
///   Bo     1     2    ▸Ann
/// ```
pub fn draw(draw: &Draw, board: &BoardView, ends: Option<&(End, End)>) -> Vec<String> {
    let (above, below) = rows(board);
    let end_width =
        ends.map_or(0, |(left, right)| [left, right].map(|end| draw.end_width(end)).into_iter().max().unwrap_or(0));
    let ends_width = if ends.is_some() { 2 * (end_width + 3) } else { 0 };
    let cells = || above.iter().chain(&below);
    let widest = |name: fn(&CellView) -> &str| {
        cells().map(|cell| draw.cell(cell).width.max(name(cell).chars().count())).max().unwrap_or(1)
    };
    // Where the names would not fit side by side, their numbers do.
    let name = if below.len() * (widest(full_name) + 3) + 1 + ends_width <= LINE { full_name } else { number };
    let width = widest(name);
    let edge = |left: &str, line: &str, cross: &str, right: &str| {
        let pits = vec![line.repeat(width + 2); below.len()].join(cross);
        (left.to_owned(), pits, right.to_owned())
    };
    let holes = |cells: &[&CellView]| {
        let mut row: Vec<String> = cells.iter().map(|cell| format!(" {} ", draw.cell(cell).centred(width))).collect();
        row.resize(below.len(), " ".repeat(width + 2));
        row.join("│")
    };
    let names = |cells: &[&CellView]| {
        let named = |cell: &&CellView| {
            let name = name(cell);
            Drawn { text: draw.paint.faint(name), width: name.chars().count() }.centred(width)
        };
        cells.iter().map(named).collect::<Vec<_>>().join("   ")
    };
    let mut lines = Vec::new();
    let Some((left, right)) = ends else {
        let line = |(left, pits, right): (String, String, String)| format!("{left}{pits}{right}");
        if !above.is_empty() {
            lines.push(format!("  {}", names(&above)));
        }
        lines.push(line(edge("┌", "─", "┬", "┐")));
        if !above.is_empty() {
            lines.push(format!("│{}│", holes(&above)));
            lines.push(line(edge("├", "─", "┼", "┤")));
        }
        lines.push(format!("│{}│", holes(&below)));
        lines.push(line(edge("└", "─", "┴", "┘")));
        lines.push(format!("  {}", names(&below)));
        return trimmed(lines);
    };
    let blank = " ".repeat(end_width + 2);
    let rule = "─".repeat(end_width + 2);
    let taken = |end: &End| {
        let drawn = Drawn { text: draw.paint.seat(Some(end.seat), &end.text), width: end.text.chars().count() };
        format!(" {} ", drawn.centred(end_width))
    };
    let owner = |end: &End| {
        let name = draw.end_name(end);
        Drawn { width: name.chars().count(), text: draw.paint.seat(Some(end.seat), &name) }.centred(end_width)
    };
    let outside = " ".repeat(end_width + 3);
    lines.push(format!("{outside}  {}", names(&above)));
    let (start, pits, end) = edge("┬", "─", "┬", "┬");
    lines.push(format!("┌{rule}{start}{pits}{end}{rule}┐"));
    lines.push(format!("│{blank}│{}│{blank}│", holes(&above)));
    let (start, pits, end) = edge("├", "─", "┼", "┤");
    lines.push(format!("│{}{start}{pits}{end}{}│", taken(left), taken(right)));
    lines.push(format!("│{blank}│{}│{blank}│", holes(&below)));
    let (start, pits, end) = edge("┴", "─", "┴", "┴");
    lines.push(format!("└{rule}{start}{pits}{end}{rule}┘"));
    lines.push(format!("  {}   {}   {}", owner(left), names(&below), owner(right)));
    trimmed(lines)
}

fn trimmed(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

impl Draw<'_> {
    fn end_width(&self, end: &End) -> usize {
        end.text.chars().count().max(self.seat_name(end.seat).chars().count() + 1).max(3)
    }

    fn end_name(&self, end: &End) -> String {
        format!("{}{}", if end.turn { "▸" } else { "" }, self.seat_name(end.seat))
    }
}

pub fn full_name(cell: &CellView) -> &str {
    &cell.name
}

pub fn number(cell: &CellView) -> &str {
    cell.name.rsplit(' ').next().unwrap_or_default()
}
