//! A board as it is laid out: what stays as it is in play, and where its places are.

use super::cross::Cross;
use super::places::Style;
use super::{Drawing, graph, grid, hexes, map, pits, places, track};
use crate::{Graphic, Place};
use houserules_kernel::{BoardView, CellView, Shape};

pub(super) struct Laid {
    pub kind: Kind,
    pub size: Place,
    /// The board itself, and what is written upon it.
    pub ground: Vec<Graphic>,
    /// The middle of each place.
    pub places: Vec<Place>,
    pub style: Style,
    /// Where it goes around a cross.
    pub cross: Option<Cross>,
}

/// How the places of a board are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Grid(grid::Ground),
    Hexes,
    Graph(graph::Ground),
    Snake,
    Oval,
    Pits { flipped: bool },
}

impl Kind {
    /// None for a board whose places depend on each other: it is drawn whole each time.
    pub fn of(drawing: &Drawing, board: &BoardView) -> Option<Kind> {
        match board.shape {
            _ if board.cells.is_empty() => None,
            Shape::Grid { .. } => Some(Kind::Grid(grid::ground(board))),
            Shape::Hexes { .. } => Some(Kind::Hexes),
            Shape::Ring { .. } if pits::are_pits(board) => {
                Some(Kind::Pits { flipped: pits::is_flipped(drawing, board) })
            }
            Shape::Ring { .. } if super::points::are_points(drawing, board) => None,
            Shape::Ring { .. } => Some(Kind::Oval),
            Shape::Track { .. } if super::heaps::are_heaps(board) => None,
            Shape::Track { .. } => Some(Kind::Snake),
            Shape::Graph => Some(Kind::Graph(graph::ground(board))),
        }
    }
}

impl Laid {
    pub fn out(drawing: &Drawing, nth: usize, board: &BoardView, kind: Kind) -> Laid {
        match kind {
            Kind::Grid(ground) => grid::lay(drawing, nth, board, ground),
            Kind::Hexes => hexes::lay(drawing, nth, board),
            Kind::Graph(ground) => graph::lay(drawing, nth, board, ground),
            Kind::Snake => track::snake(nth, board),
            Kind::Oval => track::oval(nth, board),
            Kind::Pits { flipped } => pits::lay(drawing, nth, board, flipped),
        }
    }

    /// A place with everything upon it; nothing of it depends on any other place.
    pub fn cell(&self, drawing: &Drawing, cell: &CellView, at: Place) -> Vec<Graphic> {
        let mut graphics = Vec::new();
        match self.kind {
            Kind::Grid(ground) => {
                graphics.push(grid::tile(ground, cell, at));
                match ground {
                    grid::Ground::Sea => places::fill(drawing, &mut graphics, &grid::shot(cell), at, self.style),
                    _ => places::fill(drawing, &mut graphics, cell, at, self.style),
                }
            }
            Kind::Hexes => {
                graphics.push(hexes::tile(cell, at));
                places::fill(drawing, &mut graphics, cell, at, self.style);
            }
            Kind::Graph(ground) => {
                graphics.push(graph::spot(ground, cell, at));
                match ground {
                    graph::Ground::Map => map::town(drawing, &mut graphics, cell, at),
                    _ => places::fill(drawing, &mut graphics, cell, at, self.style),
                }
            }
            Kind::Snake | Kind::Oval => {
                graphics.push(track::field(cell, at, self.kind == Kind::Oval));
                places::fill(drawing, &mut graphics, cell, at.by(0, -8), self.style);
            }
            Kind::Pits { .. } => pits::pit(drawing, &mut graphics, cell, at, 2 * at.y > self.size.y),
        }
        graphics
    }
}
