use houserules_kernel::{CellView, Shown, ThingId, ThingView, View};
use std::collections::{BTreeMap, BTreeSet};

/// What a viewer could see change since the last action.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct News {
    /// Places on which something stands that did not stand there before.
    pub taken: BTreeSet<ThingId>,
    /// Places that something has left that is now elsewhere.
    pub left: BTreeSet<ThingId>,
    /// Places from which something has gone for good.
    pub lost: BTreeSet<ThingId>,
    /// Places whose number is another one: by how much.
    pub by: BTreeMap<ThingId, i64>,
}

/// What was otherwise before the last action: the parts of the view as they were then.
#[derive(Clone, Default)]
pub(crate) struct Since {
    cells: BTreeMap<(usize, usize), CellView>,
    things: Option<Vec<ThingView>>,
}

impl Since {
    pub fn between(before: &View, now: &View) -> Since {
        let mut since = Since::default();
        for (nth, (old, new)) in before.boards.iter().zip(&now.boards).enumerate() {
            let differing = old.cells.iter().zip(&new.cells).enumerate().filter(|(_, (old, new))| old != new);
            since.cells.extend(differing.map(|(cell, (old, _))| ((nth, cell), old.clone())));
        }
        since.things = (before.things != now.things).then(|| before.things.clone());
        since
    }

    /// Takes in what has changed since; what was there before the last action stays.
    pub fn add(&mut self, cells: &[(usize, usize, CellView)], things: Option<&Vec<ThingView>>) {
        for (board, cell, old) in cells {
            self.cells.entry((*board, *cell)).or_insert_with(|| old.clone());
        }
        if self.things.is_none() {
            self.things = things.cloned();
        }
    }
}

impl News {
    pub fn of(since: &Since, now: &View) -> News {
        let mut news = News::default();
        let pairs = since
            .cells
            .iter()
            .filter_map(|((board, cell), old)| Some((old, now.boards.get(*board)?.cells.get(*cell)?)));
        let pairs: Vec<(&CellView, &CellView)> = pairs.filter(|(old, new)| old != new).collect();
        let (mut were, mut are) = (BTreeMap::new(), BTreeMap::new());
        for (old, new) in &pairs {
            were.extend(old.pieces.iter().flatten().map(|piece| (piece.id, old.id)));
            are.extend(new.pieces.iter().flatten().map(|piece| (piece.id, new.id)));
        }
        if let Some(before) = &since.things {
            were.extend(before.iter().flat_map(lying));
            are.extend(now.things.iter().flat_map(lying));
        }
        for (thing, place) in &are {
            if were.get(thing) != Some(place) {
                news.taken.insert(*place);
                news.left.extend(were.get(thing));
            }
        }
        news.lost.extend(were.iter().filter(|(thing, _)| !are.contains_key(thing)).map(|(_, place)| *place));
        for (old, new) in pairs {
            news.compare(old, new);
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
