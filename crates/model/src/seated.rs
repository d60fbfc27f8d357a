//! Seats that are things of a model.

use std::borrow::Cow;

use crate::{Definition, Edit, Entity, Item, ItemKind, Name, PlayerName, Players};

impl Definition {
    /// With the seats named that `#players are MODEL` leaves to the things of a model, of which a player then is one.
    pub fn seated(&self) -> Cow<'_, Definition> {
        let seats = self.items.iter().enumerate().find_map(|(at, item)| match &item.kind {
            ItemKind::Players(Players { are: Some(model), .. }) => Some((at, model.clone())),
            _ => None,
        });
        let Some((at, model)) = seats else { return Cow::Borrowed(self) };
        let seat = |item: &Item| match &item.kind {
            ItemKind::Entity(entity) => entity.seat_of(&model).map(|name| (name.clone(), item.origin)),
            _ => None,
        };
        let named = |(name, origin)| PlayerName { name, facing: None, origin };
        let names: Vec<PlayerName> = self.items.iter().filter_map(seat).map(named).collect();
        let n = names.len() as u32;
        let mut seated = self.clone();
        let origin = self.items[at].origin;
        seated.items[at].kind = ItemKind::Players(Players { names, least: n, most: n, are: Some(model.clone()) });
        let player = Item::new(ItemKind::Model { name: "player".into(), parent: Some(model) }, origin);
        // What cannot be put is told where the definition is checked.
        let _ = seated.apply(Edit::Put(player));
        Cow::Owned(seated)
    }
}

impl Entity {
    /// Its name, where it is a seat because the players are the things of this model: there is one of it, with a name.
    pub fn seat_of(&self, model: &str) -> Option<&Name> {
        let one = *self.model == *model && self.times.is_none() && self.each.is_empty();
        self.name.as_ref().filter(|_| one)
    }
}
