use crate::{CellView, ThingView, View, Viewer};
use std::any::Any;

/// A view that is kept up to date from one position of a match to another, by whatever way it got there.
///
/// What `trace` holds is the implementer's, secrets included: it stays with whoever keeps the match, and nobody is shown
/// more than `view`.
#[derive(Default)]
pub struct Followed {
    pub view: View,
    pub trace: Option<Box<dyn Any + Send>>,
}

/// Where a followed view looks different from what it was. Everything else is as it was.
#[derive(Clone, PartialEq, Debug)]
pub enum Touched {
    All,
    Parts {
        /// Board and cell, each by its index, and what the cell was; in order, each once.
        cells: Vec<(usize, usize, CellView)>,
        /// Any of the facts, or whose turn it is.
        facts: bool,
        /// The things that lie on no board as they were, if any of them is different.
        things: Option<Vec<ThingView>>,
    },
}

impl Followed {
    /// Looks for the first time.
    pub fn at(position: &mut dyn crate::Position, viewer: Viewer) -> Followed {
        let mut followed = Followed::default();
        position.follow(viewer, &mut followed);
        followed
    }
}
