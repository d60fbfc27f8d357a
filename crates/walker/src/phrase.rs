//! Actions in words.

use crate::world::{EntityId, NOBODY, World};

/// What the words of an action are made of, each already in words.
pub struct Phrase<'a> {
    pub label: &'a str,
    /// `as "{player} jumps over {over}"`.
    pub template: Option<&'a str>,
    pub player: String,
    /// None: the game.
    pub receiver: Option<String>,
    /// The receiver without the name of whose it is, where it is a place of somebody's board: `{place}`.
    pub place: Option<String>,
    /// Empty where the value is nil.
    pub attributes: Vec<(String, String)>,
}

impl Phrase<'_> {
    /// Two choices of one decision never read the same: a template that leaves something out gets it in parentheses.
    pub fn words(&self) -> String {
        let given = self.attributes.iter().filter(|(_, value)| !value.is_empty());
        let Some(template) = self.template else {
            let mut words = vec![self.label.to_string()];
            words.extend(self.receiver.clone());
            words.extend(given.map(|(_, value)| value.clone()));
            return words.join(" ");
        };
        let mut words = template.replace("{player}", &self.player);
        let mut missing = Vec::new();
        let is_attribute = |wanted: &str| self.attributes.iter().any(|(name, _)| name == wanted);
        let placed = words.contains("{place}") && !is_attribute("place");
        if placed {
            let place = self.place.as_deref().or(self.receiver.as_deref());
            words = words.replace("{place}", place.unwrap_or_default());
        }
        for (name, value) in [("self", self.receiver.as_deref())]
            .into_iter()
            .chain(self.attributes.iter().map(|(name, value)| (name.as_str(), Some(value.as_str()))))
        {
            let hole = format!("{{{name}}}");
            if words.contains(&hole) {
                words = words.replace(&hole, value.unwrap_or_default());
            } else if !(placed && name == "self") {
                missing.extend(value.filter(|value| !value.is_empty()));
            }
        }
        if missing.is_empty() { words } else { format!("{words} ({})", missing.join(" ")) }
    }
}

/// The name of a place without its owner's, which the places of a board for each player begin with.
pub fn alone(world: &World, place: EntityId) -> Option<String> {
    let thing = world.entities.get(place as usize).filter(|thing| thing.board.is_some())?;
    let owner = world.entities.get(thing.owner as usize).filter(|_| thing.owner != NOBODY)?;
    thing.name.strip_prefix(&*owner.name)?.strip_prefix(' ').map(str::to_owned)
}
