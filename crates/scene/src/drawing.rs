//! The default drawing: every game, from what a viewer may know, without a line written for it.
//!
//! Each part of the table is a [`Block`](block::Block) that draws itself by itself; then they are put together. Equal
//! sights give equal scenes: what an [`Easel`] keeps saves time and changes nothing.

mod block;
mod cards;
mod cross;
mod dice;
mod easel;
mod edges;
mod facts;
mod graph;
mod grid;
mod heaps;
mod hexes;
mod holders;
mod laid;
mod links;
mod map;
mod marks;
mod names;
mod news;
mod pieces;
mod pits;
mod places;
mod plane;
mod players;
mod points;
mod ships;
mod sides;
mod springs;
mod table;
mod tile;
mod track;

use crate::bits::Bits;
use crate::told::Before;
use crate::{Question, Scene, Sight, Way};
use houserules_kernel::{SeatId, Touched, View};
use laid::Laid;
use sides::Sides;

pub(crate) use easel::Easel;
pub(crate) use news::{News, Since};

/// Draws what a viewer sees.
pub fn draw(sight: &Sight) -> Scene {
    let mut easel = Easel::new(&sight.seats, sight.near);
    let since = sight.before.as_ref().map(|before| Since::between(before, &sight.view)).unwrap_or_default();
    let news = News::of(&since, &sight.view);
    let asking = Asking { ranks: sight.ranks.as_deref(), question: sight.question.as_ref(), ways: &sight.ways };
    easel.draw(&sight.view, &news, asking, &Touched::All, &mut Before::default(), false);
    easel.into_scene()
}

/// What is asked, and of whom.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub ranks: Option<&'a [u8]>,
    pub question: Option<&'a Question>,
    pub ways: &'a [Way],
}

/// Around everything, and between the parts of the table.
const MARGIN: i32 = 30;

/// What every part of the table is drawn from.
struct Drawing<'a> {
    view: &'a View,
    seats: &'a [String],
    /// The viewer's own seat.
    own: Option<SeatId>,
    ranks: Option<&'a [u8]>,
    question: Option<&'a Question>,
    sides: &'a Sides,
    news: &'a News,
    /// The things at which a choice begins.
    begins: Bits,
    /// Boards that are laid out already, by their index.
    laid: &'a [Option<&'a Laid>],
}

impl Drawing<'_> {
    /// The seat at the near side of the table: the viewer's, or the first.
    fn near(&self) -> SeatId {
        self.own.unwrap_or(SeatId(0))
    }
}
