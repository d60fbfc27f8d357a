use houserules_kernel::{CellView, Shown, ThingId, ThingView, View};
use std::collections::{BTreeMap, BTreeSet};

/// What a viewer could see change since the last action.
#[derive(Default)]
pub(super) struct News {
    /// Places on which something stands that did not stand there before.
    pub taken: BTreeSet<ThingId>,
    /// Places that something has left that is now elsewhere.
    pub left: BTreeSet<ThingId>,
    /// Places from which something has gone for good.
    pub lost: BTreeSet<ThingId>,
    /// Places whose number is another one: by how much.
    pub by: BTreeMap<ThingId, i64>,
    /// Things that lie elsewhere than before.
    pub moved: BTreeSet<ThingId>,
}

impl News {
    pub fn of(before: Option<&View>, now: &View) -> News {
        let mut news = News::default();
        let Some(before) = before else { return news };
        let places = |view: &View| -> BTreeMap<ThingId, ThingId> {
            let on_boards = view
                .boards
                .iter()
                .flat_map(|board| &board.cells)
                .flat_map(|cell| cell.pieces.iter().flatten().map(|piece| (piece.id, cell.id)));
            let in_things = view.things.iter().flat_map(lying);
            on_boards.chain(in_things).collect()
        };
        let (were, are) = (places(before), places(now));
        for (thing, place) in &are {
            if were.get(thing) != Some(place) {
                news.taken.insert(*place);
                news.moved.insert(*thing);
                news.left.extend(were.get(thing));
            }
        }
        news.lost.extend(were.iter().filter(|(thing, _)| !are.contains_key(thing)).map(|(_, place)| *place));
        for (old, new) in before.boards.iter().zip(&now.boards) {
            for (old, new) in old.cells.iter().zip(&new.cells) {
                news.compare(old, new);
            }
        }
        news
    }

    fn compare(&mut self, old: &CellView, new: &CellView) {
        if old.properties == new.properties {
            return;
        }
        if let (Some(old), Some(number)) = (number(old), number(new)) {
            if old != number {
                self.by.insert(new.id, number - old);
            }
            return;
        }
        if old.mark != new.mark && new.pieces.is_none() && old.pieces.is_none() {
            // What only changed sides was not played: it would hide where the last piece was put.
            match (old.mark.sign.is_empty(), new.mark.sign.is_empty()) {
                (_, true) => self.lost.insert(new.id),
                (true, false) => self.taken.insert(new.id),
                (false, false) => false,
            };
        }
    }
}

fn lying(holder: &ThingView) -> impl Iterator<Item = (ThingId, ThingId)> {
    holder.contents.iter().flatten().map(|thing| (thing.id, holder.id))
}

/// The number that a place holds: the first of its properties that is one.
pub(super) fn number(cell: &CellView) -> Option<i64> {
    cell.properties.iter().find_map(|(_, shown)| match shown {
        Shown::Value(value) => value.parse().ok(),
        Shown::Hidden => None,
    })
}
