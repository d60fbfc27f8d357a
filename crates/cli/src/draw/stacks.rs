use houserules_kernel::{BoardView, CellView, SeatId};

use super::Draw;
use super::cell::Drawn;
use super::ring::{number, rows};

/// Something beside the columns of the board that holds pieces of its owner: a bar, a tray.
pub struct Post {
    pub name: String,
    /// After so many columns.
    pub column: usize,
    pub owner: Option<SeatId>,
    pub count: u32,
}

/// Higher stacks end in their number.
pub const HEIGHT: u32 = 5;

pub struct Stack {
    pub sign: String,
    pub seat: Option<SeatId>,
    pub count: u32,
}

pub struct Column {
    pub name_above: String,
    pub name_below: String,
    /// Written in the middle, where it is no place of the board.
    pub label: Option<String>,
    pub above: Stack,
    pub below: Stack,
    width: usize,
}

/// Whether pieces lie on each other here, so that each should be seen.
pub fn fits(board: &BoardView) -> bool {
    let is_piece = |cell: &&CellView| cell.mark.seat.is_some() && cell.count.is_some();
    board.cells.iter().filter(is_piece).any(|cell| cell.count > Some(1) && cell.mark.sign.parse::<u32>().is_err())
}

/// The columns from left to right, posts such as the bar between them. Numbers run from the lower right corner to the
/// upper right one.
pub fn columns(draw: &Draw, board: &BoardView, posts: &[Post]) -> Vec<Column> {
    let (mut above, mut below) = rows(board);
    above.reverse();
    below.reverse();
    let n_columns = below.len();
    let mut columns: Vec<Column> = Vec::new();
    for idx in 0..=n_columns {
        let mut names: Vec<&str> = posts.iter().filter(|post| post.column == idx).map(|post| &*post.name).collect();
        names.dedup();
        for name in names {
            let of = |seat: SeatId| posts.iter().find(|post| post.name == name && post.owner == Some(seat));
            columns.push(post(draw, name, of(SeatId(1)), of(SeatId(0))));
        }
        if let Some(&lower) = below.get(idx) {
            columns.push(point(above.get(idx).copied(), lower));
        }
    }
    columns
}

/// Points as on a backgammon board: pieces stand on each other.
pub fn draw(draw: &Draw, columns: &[Column]) -> Vec<String> {
    let line = |part: &dyn Fn(&Column) -> Drawn, outside: bool| {
        let mut text = String::new();
        for (idx, column) in columns.iter().enumerate() {
            let wall = !outside && (idx == 0 || column.label.is_some() || columns[idx - 1].label.is_some());
            text.push_str(if wall { "│" } else { " " });
            text.push_str(&part(column).centred(column.width));
        }
        text.push_str(if outside { "" } else { "│" });
        text.trim_end().to_owned()
    };
    let edge = |left: &str, cross: &str, right: &str| {
        let mut text = String::from(left);
        for (idx, column) in columns.iter().enumerate() {
            if idx > 0 {
                text.push_str(if column.label.is_some() || columns[idx - 1].label.is_some() { cross } else { "─" });
            }
            text.push_str(&"─".repeat(column.width));
        }
        text + right
    };
    let plain = |text: &str| Drawn { text: draw.paint.faint(text), width: text.chars().count() };
    let mut lines = vec![line(&|column| plain(&column.name_above), true), edge("┌", "┬", "┐")];
    for level in 0..HEIGHT {
        lines.push(line(&|column| draw.level(&column.above, level, column.label.is_some()), false));
    }
    lines.push(line(&|column| plain(column.label.as_deref().unwrap_or_default()), false));
    for level in (0..HEIGHT).rev() {
        lines.push(line(&|column| draw.level(&column.below, level, column.label.is_some()), false));
    }
    lines.push(edge("└", "┴", "┘"));
    lines.push(line(&|column| plain(&column.name_below), true));
    lines
}

fn point(above: Option<&CellView>, below: &CellView) -> Column {
    let stack =
        |cell: &CellView| Stack { sign: cell.mark.sign.clone(), seat: cell.mark.seat, count: cell.count.unwrap_or(0) };
    Column {
        name_above: above.map(|cell| number(cell).to_owned()).unwrap_or_default(),
        name_below: number(below).to_owned(),
        label: None,
        above: above.map_or(Stack { sign: String::new(), seat: None, count: 0 }, stack),
        below: stack(below),
        width: 3,
    }
}

fn post(draw: &Draw, name: &str, above: Option<&Post>, below: Option<&Post>) -> Column {
    let stack = |post: Option<&Post>| {
        let seat = post.and_then(|post| post.owner);
        let letter = seat.and_then(|seat| draw.seat_name(seat).chars().next());
        Stack { sign: letter.map(String::from).unwrap_or_default(), seat, count: post.map_or(0, |post| post.count) }
    };
    Column {
        name_above: String::new(),
        name_below: String::new(),
        label: Some(name.to_owned()),
        above: stack(above),
        below: stack(below),
        width: name.chars().count().max(3),
    }
}

impl Draw<'_> {
    /// What is seen of a stack so far from the edge.
    fn level(&self, stack: &Stack, level: u32, bare: bool) -> Drawn {
        if stack.count <= level {
            let empty = level == 0 && !bare;
            return Drawn { text: if empty { self.paint.faint("·") } else { " ".into() }, width: 1 };
        }
        let text = match level + 1 == HEIGHT && stack.count > HEIGHT {
            true => stack.count.to_string(),
            false => stack.sign.clone(),
        };
        Drawn { width: text.chars().count(), text: self.paint.seat(stack.seat, &text) }
    }
}
