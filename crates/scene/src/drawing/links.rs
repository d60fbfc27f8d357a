//! The lines that join the places of a graph.

use super::graph::Ground;
use crate::{Graphic, Layer, Place, Shape};
use houserules_kernel::BoardView;

/// What the links of a board are called, if they are told apart.
pub(super) fn kinds(board: &BoardView) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for link in board.cells.iter().flat_map(|cell| &cell.linked) {
        if !kinds.contains(&&*link.kind) {
            kinds.push(&link.kind);
        }
    }
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// How the links of one kind look: kinds differ in line as well as in colour.
#[derive(Clone, Copy)]
pub(super) struct Line {
    paint: &'static str,
    width: i32,
    dash: Dash,
    /// Roads on land bend a little; lines of a board do not.
    bent: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Dash {
    Solid,
    Dashed,
    Dotted,
}

impl Line {
    pub fn of(nth: Option<usize>, ground: Ground, width: i32, road: &'static str) -> Line {
        let nth = nth.unwrap_or(0);
        let dash = [Dash::Solid, Dash::Dashed, Dash::Dotted][nth % 3];
        let paint = match ground {
            Ground::Map => ["map-earth", "map-ice", "map-stone"][nth % 3],
            _ => road,
        };
        // The fourth kind is solid again, but thin.
        Line { paint, width: if nth < 3 { width } else { width / 2 }, dash, bent: ground == Ground::Map }
    }

    pub fn straight(self) -> Line {
        Line { bent: false, ..self }
    }

    pub fn drawn(self, id: String, from: Place, to: Place, size: Place) -> Graphic {
        let middle = Place::new(size.x / 2, size.y / 2);
        let along = |t: f64| {
            let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
            let aside = if self.bent { 0.36 * t * (1.0 - t) } else { 0.0 };
            let at = |from: i32, by: f64, across: f64| libm::round(f64::from(from) + by * t + across * aside) as i32;
            Place::new(at(from.x, dx, -dy) - middle.x, at(from.y, dy, dx) - middle.y)
        };
        let way = |shape: Shape| Graphic::new(id.clone(), Layer::Ground, shape, middle, size).z(1);
        if self.dash != Dash::Dotted {
            let steps = if self.bent { 8 } else { 1 };
            let points = (0..=steps).map(|step| along(f64::from(step) / f64::from(steps))).collect();
            let line = way(Shape::Line(points)).stroke(self.paint, self.width);
            return if self.dash == Dash::Dashed { line.dashed() } else { line };
        }
        let long = libm::hypot(f64::from(to.x - from.x), f64::from(to.y - from.y));
        let r = (self.width * 7 / 10).max(2);
        let n = ((long / f64::from(r * 4)) as i32).max(2);
        let dot = |step: i32| {
            let at = along((f64::from(step) + 0.5) / f64::from(n));
            format!("M{} {}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z", at.x - r, at.y, 2 * r, -2 * r)
        };
        way(Shape::Path((0..n).map(dot).collect())).fill(self.paint)
    }
}
