//! What a word means.

use crate::complete::{Kind, complete};
use houserules_gdl::explain;
use houserules_model::Definition;

/// What the reference says of a word, else what the definition makes of it.
pub fn hover(definition: &Definition, word: &str) -> Option<String> {
    if word.is_empty() {
        return None;
    }
    let named = complete(definition, word).into_iter().find(|offer| offer.kind == Kind::Name && offer.word == word);
    let named = named.map(|offer| format!("{word}: {}", offer.about));
    let known = explain(word);
    match (named, known) {
        (None, None) => None,
        (named, known) => Some(named.into_iter().chain(known).collect::<Vec<_>>().join("\n\n")),
    }
}
