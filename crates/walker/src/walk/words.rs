//! Choices in words, and definitions in a digest.

use super::run::Runner;
use super::state::Life;
use super::value::{Message, Value};
use crate::phrase::{Phrase, alone};
use crate::world::{EntityId, GAME, World};
use houserules_model::{Definition, Name};

impl Runner<'_> {
    pub fn words(&self, message: &Message, player: EntityId) -> String {
        let action = self.book.action(&message.label).map(|(_, action)| action);
        let attributes = action.map_or(&[][..], |action| &action.with).iter().map(|(name, _)| {
            let value = message.attributes.get(name).filter(|value| value.truth());
            (name.to_string(), value.map_or_else(String::new, |value| self.attribute_words(value, message, name)))
        });
        let phrase = Phrase {
            label: &message.label,
            template: action.and_then(|action| action.words.as_deref()),
            player: self.state.thing(player).name.to_string(),
            receiver: message.to.filter(|&to| to != GAME).map(|to| self.thing_words(to)),
            place: message.to.and_then(|to| alone(&self.book.world, to)),
            attributes: attributes.collect(),
        };
        phrase.words()
    }

    fn attribute_words(&self, value: &Value, message: &Message, name: &Name) -> String {
        match value {
            Value::Entity(entity) => self.thing_words(*entity),
            Value::List(_) | Value::Dictionary(_) | Value::Message(_) => {
                let at = self.book.action(&message.label).and_then(|(_, action)| {
                    let at = action.with.iter().position(|(known, _)| known == name)?;
                    message.numbers.get(2 + at).map(|number| number & 0xffff_ffff)
                });
                format!("number {}", at.unwrap_or(0) + 1)
            }
            other => self.told(other),
        }
    }

    /// A member of a list on offer.
    pub fn member_words(&self, value: &Value) -> String {
        match value {
            Value::Entity(entity) => self.thing_words(*entity),
            other => self.told(other),
        }
    }

    /// A piece that lies alone on a place of a board is called by the place.
    fn thing_words(&self, entity: EntityId) -> String {
        let thing = self.state.thing(entity);
        let place = thing.place.filter(|&place| {
            thing.life == Life::Here && self.book.board(place).is_some() && self.state.thing(place).contents.len() == 1
        });
        self.state.thing(place.unwrap_or(entity)).name.to_string()
    }
}

/// Equal for definitions that say the same, wherever in a file they say it.
pub fn digest(definition: &Definition, world: &World) -> String {
    let text = format!("{:?} {:?} {}", definition.items(), world.settings, world.n_seats);
    let mut hasher = blake3::Hasher::new();
    let mut rest = text.as_str();
    // Where something was written is no part of what it says.
    while let Some(at) = rest.find("Origin {") {
        hasher.update(&rest.as_bytes()[..at]);
        rest = rest[at..].split_once('}').map_or("", |(_, after)| after);
    }
    hasher.update(rest.as_bytes());
    hasher.finalize().to_hex()[..32].to_string()
}
