use crate::{Graphic, GraphicId, Place};
use houserules_kernel::{SeatId, ThingId};
use std::collections::BTreeMap;

/// All that one viewer sees.
///
/// # Invariants
/// - Every graphic is kept under its own id.
/// - Two scenes are equal exactly when a viewer could not tell them apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// From the upper left corner, which is at 0, 0. Everything lies within.
    pub size: Size,
    pub graphics: BTreeMap<GraphicId, Graphic>,
    /// What is asked now; none when the match is over, or chance decides.
    pub question: Option<Question>,
    /// The rank of each seat, once the match is over.
    pub ranks: Option<Vec<u8>>,
    /// What the viewer may choose, in the order of the choices; empty for whoever is not asked.
    pub ways: Vec<Way>,
}

pub type Size = Place;

/// The open question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub prompt: String,
    pub asked: Vec<SeatId>,
}

/// How a choice is made on the screen.
///
/// The choice is known by its place among the ways. One thing to point at is a click; two or more are clicks one after
/// the other, the first two also a drag. Where the same things stand for several choices, or none at all, words tell
/// them apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Way {
    pub points: Vec<ThingId>,
    pub words: Option<String>,
}

/// What is to be heard, or felt: a name, never a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sound {
    Placed,
    Moved,
    Captured,
    Dice,
    Won,
}

impl Sound {
    pub fn name(self) -> &'static str {
        match self {
            Sound::Placed => "placed",
            Sound::Moved => "moved",
            Sound::Captured => "captured",
            Sound::Dice => "dice",
            Sound::Won => "won",
        }
    }
}

impl Scene {
    /// Puts a graphic into the scene, in the place of one with the same id.
    pub fn put(&mut self, graphic: Graphic) {
        self.graphics.insert(graphic.id.clone(), graphic);
    }

    /// In the order in which they are drawn.
    pub fn in_order(&self) -> Vec<&Graphic> {
        let mut graphics: Vec<&Graphic> = self.graphics.values().collect();
        // By id, as they are kept, where nothing else is said: every screen draws the same.
        graphics.sort_by_key(|graphic| (graphic.layer, graphic.z));
        graphics
    }

    /// What is pointed at by pointing at a graphic: the thing it shows, then where that lies.
    pub fn pointed(&self, id: &str) -> Vec<ThingId> {
        let graphic = self.graphics.get(id);
        graphic.into_iter().flat_map(|graphic| graphic.thing.into_iter().chain(graphic.on)).collect()
    }
}
