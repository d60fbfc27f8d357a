use crate::{Graphic, Place, Shape};

/// Graphics that belong together, in a rectangle of their own that begins at 0, 0.
#[derive(Default)]
pub(super) struct Block {
    pub graphics: Vec<Graphic>,
    /// Boards that are drawn by themselves, by their index: where each of them begins.
    pub boards: Vec<(usize, Place)>,
    pub size: Place,
}

impl Block {
    pub fn sized(x: i32, y: i32) -> Block {
        Block { size: Place::new(x, y), ..Block::default() }
    }

    pub fn put(&mut self, graphic: Graphic) {
        self.graphics.push(graphic);
    }

    pub fn shift(&mut self, x: i32, y: i32) {
        for graphic in &mut self.graphics {
            graphic.at = graphic.at.by(x, y);
        }
        for (_, at) in &mut self.boards {
            *at = at.by(x, y);
        }
    }

    /// Makes everything larger, writing included.
    pub fn grow(&mut self, percent: i32) {
        debug_assert!(self.boards.is_empty(), "boards are as large as they are");
        let scaled = |number: i32| number * percent / 100;
        let grown = |place: Place| Place::new(scaled(place.x), scaled(place.y));
        for graphic in &mut self.graphics {
            (graphic.at, graphic.size) = (grown(graphic.at), grown(graphic.size));
            graphic.stroke.width = scaled(graphic.stroke.width);
            match &mut graphic.shape {
                Shape::Rectangle { round } => *round = scaled(*round),
                Shape::Polygon(points) | Shape::Line(points) => points.iter_mut().for_each(|at| *at = grown(*at)),
                _ => {}
            }
        }
        self.size = grown(self.size);
    }

    /// Takes another block in under what is there, both in the middle.
    pub fn below(&mut self, mut other: Block, apart: i32) {
        if other.size == Place::default() {
            return;
        }
        let top = if self.size.y > 0 { self.size.y + apart } else { 0 };
        let wide = self.size.x.max(other.size.x);
        self.shift((wide - self.size.x) / 2, 0);
        other.shift((wide - other.size.x) / 2, top);
        self.graphics.append(&mut other.graphics);
        self.boards.append(&mut other.boards);
        self.size = Place::new(wide, top + other.size.y);
    }

    /// Takes another block in to the right, both in the middle.
    pub fn beside(&mut self, mut other: Block, apart: i32) {
        if other.size == Place::default() {
            return;
        }
        let left = if self.size.x > 0 { self.size.x + apart } else { 0 };
        let high = self.size.y.max(other.size.y);
        self.shift(0, (high - self.size.y) / 2);
        other.shift(left, (high - other.size.y) / 2);
        self.graphics.append(&mut other.graphics);
        self.boards.append(&mut other.boards);
        self.size = Place::new(left + other.size.x, high);
    }
}
