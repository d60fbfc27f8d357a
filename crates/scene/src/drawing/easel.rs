//! A drawing that is kept, so that only what changed has to be drawn again.

use super::laid::{Kind, Laid};
use super::{Asking, Drawing, MARGIN, News, Sides, table};
use crate::bits::Bits;
use crate::change::compare;
use crate::told::Before;
use crate::{Change, Graphic, GraphicId, Place, Scene};
use houserules_kernel::{BoardView, SeatId, Touched, View};
use std::collections::{BTreeMap, BTreeSet};

/// What one viewer sees, with the names of the parts it was put together from.
///
/// The scene is always the one that [`draw`](crate::draw) gives for the same sight.
pub(crate) struct Easel {
    seats: Vec<String>,
    own: Option<SeatId>,
    sides: Sides,
    boards: Vec<Option<Painted>>,
    /// All graphics that belong to no place of a board that is laid out.
    rest: Vec<GraphicId>,
    scene: Scene,
}

struct Painted {
    laid: Laid,
    ground: Vec<GraphicId>,
    /// What was drawn of each place.
    cells: Vec<Vec<GraphicId>>,
    /// Where the board begins; none: it is not yet in the scene.
    at: Option<Place>,
    /// Drawn since the scene was put together, as if the board began at 0, 0.
    fresh: Vec<Graphic>,
}

/// The names of graphics that may be gone or others, and those that are instead.
#[derive(Default)]
struct Difference {
    old: BTreeSet<GraphicId>,
    new: BTreeMap<GraphicId, Graphic>,
}

impl Difference {
    fn was<'a>(&mut self, names: impl IntoIterator<Item = &'a GraphicId>) {
        self.old.extend(names.into_iter().cloned());
    }

    fn is(&mut self, graphic: Graphic) {
        self.new.insert(graphic.id.clone(), graphic);
    }

    fn moved(&mut self, mut graphic: Graphic, by: Place) {
        graphic.at = graphic.at.by(by.x, by.y);
        self.is(graphic);
    }
}

fn names(graphics: &[Graphic]) -> Vec<GraphicId> {
    graphics.iter().map(|graphic| graphic.id.clone()).collect()
}

impl Painted {
    fn new(drawing: &Drawing, nth: usize, board: &BoardView, kind: Kind) -> Painted {
        let mut laid = Laid::out(drawing, nth, board, kind);
        let mut fresh = std::mem::take(&mut laid.ground);
        let ground = names(&fresh);
        let mut cells = Vec::with_capacity(board.cells.len());
        for (cell, at) in board.cells.iter().zip(&laid.places) {
            let drawn = laid.cell(drawing, cell, *at);
            cells.push(names(&drawn));
            fresh.extend(drawn);
        }
        Painted { laid, ground, cells, at: None, fresh }
    }

    fn names(&self) -> impl Iterator<Item = &GraphicId> {
        self.ground.iter().chain(self.cells.iter().flatten())
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
        Easel { rest: scene.graphics.keys().cloned().collect(), scene, ..Easel::new(seats, own) }
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub fn into_scene(self) -> Scene {
        self.scene
    }

    /// Draws what has been touched, and gives what became of the scene, if that is wanted; what was there stays in `before`.
    pub fn draw(
        &mut self,
        view: &View,
        news: &News,
        asking: Asking,
        touched: &Touched,
        before: &mut Before,
        is_wanted: bool,
    ) -> Vec<Change> {
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
        let shown = &self.scene.graphics;
        for (nth, at) in block.boards {
            if let Some(painted) = &mut self.boards[nth] {
                if let Some(old) = painted.at.filter(|old| *old != at) {
                    for graphic in painted.names().filter_map(|name| shown.get(name)) {
                        difference.moved(graphic.clone(), at.by(-old.x, -old.y));
                    }
                }
                painted.at = Some(at);
                for graphic in painted.fresh.drain(..) {
                    difference.moved(graphic, at);
                }
            }
        }
        let n_rest = block.graphics.len();
        for (at, graphic) in block.graphics.into_iter().enumerate() {
            match self.rest.get_mut(at) {
                Some(known) if *known == graphic.id && shown.get(known) == Some(&graphic) => continue,
                Some(known) => drop(difference.old.insert(std::mem::replace(known, graphic.id.clone()))),
                None => self.rest.push(graphic.id.clone()),
            }
            difference.is(graphic);
        }
        difference.old.extend(self.rest.drain(n_rest..));
        let size = block.size.by(2 * MARGIN, 2 * MARGIN);
        // Of what is drawn twice under one name, one is left.
        let Difference { old, new } = difference;
        let changes = if is_wanted { compare(&self.scene, &old, &new, size, asking) } else { Vec::new() };
        before.take(&mut self.scene, old, new, size, asking);
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
                    difference.was(&painted.cells[cell]);
                    painted.cells[cell] = names(&drawn);
                    painted.fresh.extend(drawn);
                }
            }
            _ => {
                painted.iter().for_each(|painted| gone(painted, difference));
                *painted = kind.map(|kind| Painted::new(drawing, nth, board, kind));
            }
        }
    }
}

fn gone(painted: &Painted, difference: &mut Difference) {
    if painted.at.is_some() {
        difference.was(painted.names());
    }
}
