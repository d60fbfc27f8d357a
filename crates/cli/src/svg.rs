//! What a viewer may know, as a picture that stands alone: SVG.

use std::f64::consts::TAU;
use std::fmt::Write;

use houserules_kernel::{BoardView, CellView, SeatId, Shape, Shown, ThingView, View};

/// Between the middles of two cells.
const STEP: f64 = 48.0;
const MARGIN: f64 = 40.0;
const LINE: f64 = 20.0;
const COLOURS: [&str; 6] = ["#1f4e9c", "#b3261e", "#2e7d32", "#7b1fa2", "#00838f", "#9a6700"];

/// The boards one under the other, then the facts in words.
pub fn view(view: &View, seats: &[String]) -> String {
    let mut picture = Picture { body: String::new(), width: 0.0, height: MARGIN / 2.0 };
    for board in &view.boards {
        if view.boards.len() > 1 || board.owner.is_some() {
            let owner = board.owner.and_then(|owner| seats.get(usize::from(owner.0)));
            let owner = owner.map(|owner| format!(" of {owner}")).unwrap_or_default();
            picture.text_line(&format!("{}{owner}", board.name));
        }
        picture.board(board);
    }
    for thing in view.facts.iter().chain(&view.things) {
        if let Some(line) = fact(thing) {
            picture.text_line(&line);
        }
    }
    let (width, height) = (picture.width.max(240.0), picture.height + MARGIN / 2.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fffdf7\"/>\n{}</svg>\n",
        picture.body
    )
}

struct Picture {
    body: String,
    width: f64,
    /// Everything so far is above this.
    height: f64,
}

impl Picture {
    fn text_line(&mut self, text: &str) {
        self.height += LINE;
        let (x, y) = (MARGIN / 2.0, self.height);
        self.add(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"#333\">{}</text>", escaped(text)));
        self.width = self.width.max(MARGIN + 8.0 * text.chars().count() as f64);
    }

    fn add(&mut self, element: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }

    fn board(&mut self, board: &BoardView) {
        let places = places(board);
        let least = |pick: fn(&(f64, f64)) -> f64| places.iter().map(pick).fold(f64::INFINITY, f64::min);
        let most = |pick: fn(&(f64, f64)) -> f64| places.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
        if places.is_empty() {
            return;
        }
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        let (wide, high) = (most(|at| at.0) - left, most(|at| at.1) - top);
        let above = self.height + MARGIN;
        let at: Vec<(f64, f64)> = places.iter().map(|(x, y)| (x - left + MARGIN, y - top + above)).collect();
        for (cell, &(x, y)) in board.cells.iter().zip(&at) {
            for &to in &cell.linked {
                if let Some(&(x2, y2)) = at.get(to as usize) {
                    self.add(&format!(
                        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#999\"/>"
                    ));
                }
            }
        }
        for (cell, &(x, y)) in board.cells.iter().zip(&at) {
            self.cell(board.shape, cell, x, y);
        }
        self.width = self.width.max(wide + 2.0 * MARGIN);
        self.height = above + high + MARGIN;
    }

    fn cell(&mut self, shape: Shape, cell: &CellView, x: f64, y: f64) {
        let half = STEP / 2.0;
        let title = format!("<title>{}</title>", escaped(&cell.name));
        let ground = match shape {
            Shape::Grid { .. } | Shape::Track { .. } => {
                let fill = if (cell.at.0 + cell.at.1) % 2 == 0 { "#e8dcc3" } else { "#f6efe0" };
                format!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"{fill}\" stroke=\"#b9a886\">{title}</rect>",
                    x - half,
                    y - half
                )
            }
            Shape::Hexes { .. } => {
                let corner = |n: u32| {
                    let angle = TAU * (f64::from(n) + 0.5) / 6.0;
                    format!("{:.1},{:.1}", x + 0.577 * STEP * angle.cos(), y + 0.577 * STEP * angle.sin())
                };
                let corners: Vec<String> = (0..6).map(corner).collect();
                format!(
                    "<polygon points=\"{}\" fill=\"#f6efe0\" stroke=\"#b9a886\">{title}</polygon>",
                    corners.join(" ")
                )
            }
            Shape::Ring { .. } | Shape::Graph => {
                format!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#f6efe0\" stroke=\"#b9a886\">{title}</circle>",
                    half * 0.9
                )
            }
        };
        self.add(&ground);
        if cell.mark.sign.is_empty() {
            return;
        }
        let colour = colour(cell.mark.seat);
        if cell.mark.seat.is_some() && cell.mark.sign.chars().count() <= 2 {
            let radius = half * 0.72;
            self.add(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"0.18\"/>"
            ));
        }
        let size = if cell.mark.sign.chars().count() > 3 { 11 } else { 20 };
        self.add(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\" font-size=\"{size}\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{}</text>",
            escaped(&cell.mark.sign)
        ));
        if let Some(count) = cell.count.filter(|&count| count > 1) {
            let (x, y) = (x + half * 0.6, y - half * 0.55);
            self.add(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" text-anchor=\"middle\">{count}</text>"
            ));
        }
    }
}

/// The middle of each cell, somewhere on an endless sheet; rows count upwards.
fn places(board: &BoardView) -> Vec<(f64, f64)> {
    let n = board.cells.len();
    let ring = |n: usize, at: usize| {
        // The first place is at the lower left, and they go round against the clock, as seeds are sown.
        let angle = TAU * (at as f64 + 0.5) / n as f64 + TAU / 2.0;
        let radius = (STEP * n as f64 / TAU).max(STEP);
        (radius * angle.cos(), -radius * angle.sin())
    };
    let place = |at: usize, cell: &CellView| {
        let (column, row) = (f64::from(cell.at.0), f64::from(cell.at.1));
        match board.shape {
            Shape::Grid { .. } => (STEP * column, -STEP * row),
            Shape::Hexes { .. } => (STEP * (column + row / 2.0), -STEP * row * 0.866),
            Shape::Track { .. } => (STEP * at as f64, 0.0),
            Shape::Ring { .. } => ring(n, at),
            Shape::Graph => match lettered(&cell.name) {
                Some((column, row)) if board.cells.iter().all(|cell| lettered(&cell.name).is_some()) => {
                    (STEP * column, -STEP * row)
                }
                _ => ring(n, at),
            },
        }
    };
    board.cells.iter().enumerate().map(|(at, cell)| place(at, cell)).collect()
}

/// Column and row of a name such as `d7`.
fn lettered(name: &str) -> Option<(f64, f64)> {
    let letter = name.chars().next().filter(char::is_ascii_lowercase)?;
    let row: u32 = name.get(1..)?.parse().ok()?;
    Some((f64::from(letter as u32 - 'a' as u32), f64::from(row)))
}

fn colour(seat: Option<SeatId>) -> &'static str {
    seat.map_or("#333", |seat| COLOURS[usize::from(seat.0) % COLOURS.len()])
}

/// A thing in a line of words; nothing where there is nothing to say.
fn fact(thing: &ThingView) -> Option<String> {
    let shown = |value: &Shown| match value {
        Shown::Value(value) => value.clone(),
        Shown::Hidden => "hidden".into(),
    };
    let mut parts: Vec<String> =
        thing.properties.iter().map(|(name, value)| format!("{name} {}", shown(value))).collect();
    match (&thing.contents, thing.count) {
        (Some(contents), _) if !contents.is_empty() => parts.push(contents.join(", ")),
        (None, Some(count)) => parts.push(format!("{count} things")),
        _ => {}
    }
    (!parts.is_empty()).then(|| format!("{}: {}", thing.name, parts.join(", ")))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_kernel::Mark;

    #[test]
    fn names_and_signs_cannot_break_the_picture() {
        let cell = CellView {
            name: "<a&b>".into(),
            at: (1, 1),
            mark: Mark { sign: "<script>".into(), seat: Some(SeatId(0)) },
            count: None,
            properties: Vec::new(),
            linked: vec![9],
        };
        for shape in [Shape::Grid { width: 1, height: 1 }, Shape::Ring { n: 1 }, Shape::Graph, Shape::Track { n: 1 }] {
            let board = BoardView { name: "b".into(), shape, owner: None, cells: vec![cell.clone()] };
            let text = view(&View { boards: vec![board], ..View::default() }, &[]);
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
            assert!(text.contains("&lt;script&gt;") && !text.contains("<script"), "{text}");
            assert!(text.contains("&lt;a&amp;b&gt;") && !text.contains("NaN"), "{text}");
        }
    }
}
