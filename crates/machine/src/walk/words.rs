//! Choices in words, and definitions in a digest.

use super::run::Runner;
use super::value::{Message, Value};
use crate::world::{EntityId, GAME, World};
use houserules_model::Definition;

impl Runner<'_> {
    /// The words of each message, no two the same: where they would be, what tells them apart is added.
    pub fn all_words(&self, messages: &[Message], player: EntityId) -> Vec<String> {
        let mut words: Vec<String> = messages.iter().map(|message| self.words(message, player)).collect();
        for longer in [true, false] {
            let repeated: Vec<bool> =
                words.iter().map(|one| words.iter().filter(|other| *other == one).count() > 1).collect();
            let mut counted = 0;
            for (at, message) in messages.iter().enumerate().filter(|(at, _)| repeated[*at]) {
                counted += 1;
                let more = if longer { self.plain_words(message) } else { counted.to_string() };
                if words[at] != more {
                    words[at] = format!("{} ({more})", words[at]);
                }
            }
        }
        words
    }

    fn words(&self, message: &Message, player: EntityId) -> String {
        let template = self.book.action(&message.label).and_then(|(_, action)| action.words.clone());
        match template {
            Some(template) => self.filled(&template, message, player),
            None => self.plain_words(message),
        }
    }

    /// Label, receiver, attributes; the game and what is nil left out.
    fn plain_words(&self, message: &Message) -> String {
        let mut words = vec![message.label.to_string()];
        if let Some(to) = message.to.filter(|&to| to != GAME) {
            words.push(self.state.thing(to).name.to_string());
        }
        if let Some((_, action)) = self.book.action(&message.label) {
            let values = action.with.iter().filter_map(|(name, _)| message.attributes.get(name));
            words.extend(values.filter(|value| value.truth()).map(|value| self.told(value)));
        }
        words.join(" ")
    }

    /// `as "{player} jumps over {over}"`.
    fn filled(&self, template: &str, message: &Message, player: EntityId) -> String {
        let mut words = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}').map(|close| open + close) else {
                break;
            };
            words.push_str(&rest[..open]);
            let value = match &rest[open + 1..close] {
                "player" => Value::Entity(player),
                "self" => Value::maybe(message.to),
                name => message.attributes.get(name).cloned().unwrap_or(Value::Nil),
            };
            if value.truth() {
                words.push_str(&self.told(&value));
            }
            rest = &rest[close + 1..];
        }
        words.push_str(rest);
        words
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
