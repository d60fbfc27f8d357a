//! What a viewer may know, drawn with characters.

mod cell;
mod graph;
mod grid;
mod hexes;
mod ring;
mod things;
mod track;

use houserules_kernel::{BoardView, SeatId, Shape, View};

use crate::paint::Paint;

/// Draws a view, line by line.
pub fn view(view: &View, seats: &[String], paint: Paint) -> String {
    let draw = Draw { seats, paint };
    let mut parts: Vec<Vec<String>> = Vec::new();
    for board in &view.boards {
        let mut lines = Vec::new();
        // One board needs no name; of several, or of one's own board, people ask which it is.
        if view.boards.len() > 1 || board.owner.is_some() {
            lines.push(draw.title(board));
        }
        lines.extend(draw.board(board));
        parts.push(lines);
    }
    parts.push(things::facts(&draw, &view.facts));
    parts.push(things::things(&draw, &view.things));
    parts.retain(|lines| !lines.is_empty());
    let lines: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    lines.join("\n\n")
}

struct Draw<'a> {
    seats: &'a [String],
    paint: Paint,
}

impl Draw<'_> {
    fn board(&self, board: &BoardView) -> Vec<String> {
        match board.shape {
            Shape::Grid { .. } => grid::draw(self, board),
            Shape::Hexes { .. } => hexes::draw(self, board),
            Shape::Ring { .. } => ring::draw(self, board),
            Shape::Track { .. } => track::draw(self, board),
            Shape::Graph => graph::draw(self, board),
        }
    }

    fn title(&self, board: &BoardView) -> String {
        match board.owner {
            Some(owner) => format!("{} of {}", self.paint.strong(&board.name), self.seat(owner)),
            None => self.paint.strong(&board.name),
        }
    }

    fn seat(&self, seat: SeatId) -> String {
        let name = self.seats.get(usize::from(seat.0)).map_or("?", |name| name.as_str());
        self.paint.seat(Some(seat), name)
    }
}
