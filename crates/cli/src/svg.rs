//! What a viewer may know, as a picture that stands alone: SVG.

mod cells;
mod points;

use std::fmt::Write;

use houserules_kernel::{BoardView, SeatId, View};

use crate::draw;
use crate::paint::Paint;
use crate::terminal::wrapped;

/// Between the middles of two cells.
const STEP: f64 = 48.0;
const MARGIN: f64 = 28.0;
const LINE: f64 = 19.0;
/// Of a letter in the lines of words, all of which are equally wide.
const LETTER: f64 = 7.9;
/// So many letters fit on a line.
const LETTERS: usize = 76;
const COLOURS: [&str; 6] = ["#1f4e9c", "#b3261e", "#2e7d32", "#7b1fa2", "#00838f", "#9a6700"];
const GROUND: &str = "#f6efe0";
const SHADE: &str = "#e8dcc3";
const EDGE: &str = "#b9a886";
const FAINT: &str = "#8a7f68";

/// The boards one under the other, then what else is known, in the words of the terminal.
pub fn view(view: &View, seats: &[String]) -> String {
    let mut sheet = Sheet { body: String::new(), width: 0.0, height: 0.0 };
    for board in &view.boards {
        if view.boards.len() > 1 || board.owner.is_some() {
            let owner = board.owner.and_then(|owner| seats.get(usize::from(owner.0)));
            let owner = owner.map(|owner| format!(" of {owner}")).unwrap_or_default();
            sheet.words(&format!("{}{owner}", board.name));
        }
        sheet.board(view, board, seats);
    }
    for line in draw::facts(view, seats, Paint::Plain) {
        sheet.words(&line);
    }
    let (width, height) = (sheet.width + MARGIN, sheet.height + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fffdf7\"/>\n{}</svg>\n",
        sheet.body
    )
}

/// A sheet that grows downwards.
struct Sheet {
    body: String,
    width: f64,
    /// Everything so far is above this.
    height: f64,
}

impl Sheet {
    fn board(&mut self, view: &View, board: &BoardView, seats: &[String]) {
        match draw::columns(view, board, seats) {
            Some(columns) => points::draw(self, &columns),
            None => cells::draw(self, board),
        }
    }

    /// A line of words, broken where it is too long.
    fn words(&mut self, text: &str) {
        let lines = if text.chars().count() <= LETTERS { vec![text.to_owned()] } else { wrapped(text, LETTERS) };
        for line in lines {
            self.height += if self.height == 0.0 { MARGIN } else { LINE };
            let y = self.height;
            self.add(&format!(
                "<text x=\"{MARGIN:.1}\" y=\"{y:.1}\" fill=\"#333\" font-family=\"monospace\" font-size=\"13\" \
                 xml:space=\"preserve\">{}</text>",
                escaped(&line)
            ));
            self.width = self.width.max(MARGIN + LETTER * line.chars().count() as f64);
        }
    }

    /// Room for a board of this size; gives its upper left corner.
    fn room(&mut self, width: f64, height: f64) -> (f64, f64) {
        let top = self.height + MARGIN;
        self.width = self.width.max(MARGIN + width);
        self.height = top + height + MARGIN / 2.0;
        (MARGIN, top)
    }

    /// A piece: a sign on a disc in the colour of a seat, or by itself.
    fn piece(&mut self, sign: &str, seat: Option<SeatId>, (x, y): (f64, f64), radius: f64) {
        let long = sign.chars().count() > 2;
        let (colour, size) = match seat {
            Some(seat) if !long => {
                let colour = COLOURS[usize::from(seat.0) % COLOURS.len()];
                self.add(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"/>"));
                ("#fff", radius * 1.15)
            }
            Some(seat) => (COLOURS[usize::from(seat.0) % COLOURS.len()], 11.0),
            None => ("#333", if long { 11.0 } else { radius * 1.15 }),
        };
        self.text(sign, (x, y), size, colour);
    }

    /// Words around a point.
    fn text(&mut self, words: &str, (x, y): (f64, f64), size: f64, colour: &str) {
        self.add(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\" font-size=\"{size:.0}\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{}</text>",
            escaped(words)
        ));
    }

    fn add(&mut self, element: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_kernel::{CellView, Mark, Shape};

    #[test]
    fn names_and_signs_cannot_break_the_picture() {
        let cell = CellView {
            name: "<a&b>".into(),
            at: (1, 1),
            mark: Mark { sign: "<script>".into(), seat: Some(SeatId(0)) },
            linked: vec![9],
            ..CellView::default()
        };
        for shape in [Shape::Grid { width: 1, height: 1 }, Shape::Ring { n: 1 }, Shape::Graph, Shape::Track { n: 1 }] {
            let board = BoardView { name: "b".into(), shape, cells: vec![cell.clone()], ..BoardView::default() };
            let text = view(&View { boards: vec![board], ..View::default() }, &[]);
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
            assert!(text.contains("&lt;script&gt;") && !text.contains("<script"), "{text}");
            assert!(text.contains("&lt;a&amp;b&gt;") && !text.contains("NaN"), "{text}");
        }
    }
}
