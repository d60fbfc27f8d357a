//! A drawing that is kept, so that only what changed has to be drawn again.

use super::laid::{Kind, Laid};
use super::{Asking, Drawing, MARGIN, News, Sides, table};
use crate::bits::Bits;
use crate::change::compare;
use crate::{Change, Graphic, GraphicId, Place, Scene};
use houserules_kernel::{SeatId, Touched, View};
use std::collections::BTreeMap;

/// What one viewer sees, with the parts it was put together from.
///
/// The scene is always the one that [`draw`](crate::draw) gives for the same sight.
pub(crate) struct Easel {
    seats: Vec<String>,
    own: Option<SeatId>,
    sides: Sides,
    boards: Vec<Option<Painted>>,
    /// All graphics that belong to no place of a board that is laid out.
    rest: Vec<Graphic>,
    scene: Scene,
}

struct Painted {
    laid: Laid,
    /// What was drawn of each place, as if the board began at 0, 0.
    cells: Vec<Vec<Graphic>>,
    /// Where the board begins; none: it is not yet in the scene.
    at: Option<Place>,
    /// Places drawn again.
    fresh: Vec<usize>,
}

/// Graphics as they were and as they are, where they may differ.
#[derive(Default)]
struct Difference {
    old: BTreeMap<GraphicId, Graphic>,
    new: BTreeMap<GraphicId, Graphic>,
}

impl Difference {
    fn was<'a>(&mut self, graphics: impl IntoIterator<Item = &'a Graphic>, at: Place) {
        self.old.extend(graphics.into_iter().map(|graphic| (graphic.id.clone(), shifted(graphic, at))));
    }

    fn is<'a>(&mut self, graphics: impl IntoIterator<Item = &'a Graphic>, at: Place) {
        self.new.extend(graphics.into_iter().map(|graphic| (graphic.id.clone(), shifted(graphic, at))));
    }
}

fn shifted(graphic: &Graphic, by: Place) -> Graphic {
    Graphic { at: graphic.at.by(by.x, by.y), ..graphic.clone() }
}

impl Painted {
    fn all(&self) -> impl Iterator<Item = &Graphic> {
        self.laid.ground.iter().chain(self.cells.iter().flatten())
    }
}

impl Easel {
    pub fn new(seats: &[String], own: Option<SeatId>) -> Easel {
        Easel {
            sides: Sides::of(seats),
            seats: seats.to_vec(),
            own,
            boards: Vec::new(),
            rest: Vec::new(),
            scene: Scene::default(),
        }
    }

    /// Goes on from a scene that was drawn elsewhere.
    pub fn showing(seats: &[String], own: Option<SeatId>, scene: Scene) -> Easel {
        Easel { rest: scene.graphics.values().cloned().collect(), scene, ..Easel::new(seats, own) }
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn into_scene(self) -> Scene {
        self.scene
    }

    /// Draws what has been touched, and gives what became of the scene.
    pub fn draw(&mut self, view: &View, news: &News, asking: Asking, touched: &Touched) -> Vec<Change> {
        let mut difference = Difference::default();
        let begins = asking.ways.iter().filter_map(|way| way.points.first().copied()).collect::<Bits>();
        let mut drawing = Drawing {
            view,
            seats: &self.seats,
            own: self.own,
            ranks: asking.ranks,
            question: asking.question,
            sides: &self.sides,
            news,
            begins,
            laid: &[],
        };
        paint(&mut self.boards, &drawing, touched, &mut difference);
        let laid: Vec<Option<&Laid>> =
            self.boards.iter().map(|board| board.as_ref().map(|painted| &painted.laid)).collect();
        drawing.laid = &laid;
        let mut block = table::block(&drawing);
        block.shift(MARGIN, MARGIN);
        for (nth, at) in block.boards {
            if let Some(painted) = &mut self.boards[nth] {
                match painted.at {
                    Some(old) if old == at => {
                        difference.is(painted.fresh.iter().flat_map(|&cell| &painted.cells[cell]), at);
                    }
                    old => {
                        if let Some(old) = old {
                            let is_fresh = |cell: &usize| painted.fresh.contains(cell);
                            let stale = (0..painted.cells.len()).filter(|cell| !is_fresh(cell));
                            let stale = stale.flat_map(|cell| &painted.cells[cell]);
                            difference.was(painted.laid.ground.iter().chain(stale), old);
                        }
                        difference.is(painted.all(), at);
                    }
                }
                painted.at = Some(at);
                painted.fresh.clear();
            }
        }
        let both = self.rest.len().max(block.graphics.len());
        for at in 0..both {
            let (old, new) = (self.rest.get(at), block.graphics.get(at));
            if old != new {
                difference.was(old, Place::default());
                difference.is(new, Place::default());
            }
        }
        self.rest = block.graphics;
        let mut changes =
            compare(&self.scene, &difference.old, &difference.new, block.size.by(2 * MARGIN, 2 * MARGIN), asking);
        // Of what is drawn twice under one name, one is left.
        if self.scene.apply(&changes).is_err() {
            debug_assert!(false, "{changes:?}");
            changes = Vec::new();
        }
        changes
    }
}

/// Lays out boards that are new, and draws places again that have been touched.
fn paint(boards: &mut Vec<Option<Painted>>, drawing: &Drawing, touched: &Touched, difference: &mut Difference) {
    let cells: &[(usize, usize, _)] = match touched {
        Touched::All => &[],
        Touched::Parts { cells, .. } => cells,
    };
    if boards.len() != drawing.view.boards.len() {
        boards.drain(..).flatten().for_each(|painted| gone(&painted, difference));
        boards.resize_with(drawing.view.boards.len(), || None);
    }
    for (nth, (painted, board)) in boards.iter_mut().zip(&drawing.view.boards).enumerate() {
        let own = || cells.iter().filter(move |(board, ..)| *board == nth).map(|(_, cell, _)| *cell);
        let untouched = *touched != Touched::All && own().next().is_none();
        if painted.is_some() && untouched {
            continue;
        }
        let kind = Kind::of(drawing, board);
        match painted {
            Some(painted) if *touched != Touched::All && Some(painted.laid.kind) == kind => {
                for cell in own() {
                    let drawn = painted.laid.cell(drawing, &board.cells[cell], painted.laid.places[cell]);
                    let old = std::mem::replace(&mut painted.cells[cell], drawn);
                    if let Some(at) = painted.at {
                        difference.was(&old, at);
                    }
                    painted.fresh.push(cell);
                }
            }
            _ => {
                painted.iter().for_each(|painted| gone(painted, difference));
                *painted = kind.map(|kind| {
                    let laid = Laid::out(drawing, nth, board, kind);
                    let places = board.cells.iter().zip(&laid.places);
                    let cells = places.map(|(cell, at)| laid.cell(drawing, cell, *at)).collect();
                    Painted { laid, cells, at: None, fresh: Vec::new() }
                });
            }
        }
    }
}

fn gone(painted: &Painted, difference: &mut Difference) {
    if let Some(at) = painted.at {
        difference.was(painted.all(), at);
    }
}
