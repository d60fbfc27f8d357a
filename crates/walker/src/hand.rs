//! What is done by hand: statements carried out between two actions.

use houserules_model::{Behavior, Definition, Edit, Item, ItemKind, Origin};

/// The message that carries out what a referee says. A rule on it is part of the definition only for that moment.
pub const BY_HAND: &str = "by-hand";

/// The definition with an empty behavior that answers [`BY_HAND`]: rules on a message nobody answers do not run.
pub fn listening(with: &Definition, model: &str) -> Result<Definition, String> {
    let mut with = with.clone();
    let behavior = Behavior {
        of: model.into(),
        state: "*".into(),
        label: BY_HAND.into(),
        attributes: Vec::new(),
        body: Vec::new(),
    };
    with.apply(Edit::Put(Item::new(ItemKind::Behavior(behavior), Origin::NONE))).map_err(|error| error.to_string())?;
    Ok(with)
}
