//! Names of variables: what the format allows, and what the definition language does.

use houserules_model::words::{self, Asked};
use houserules_model::{Name, forms, print};

/// The name itself where it can be one of the definition language, otherwise the nearest that can.
pub(crate) fn variable(name: &str) -> Name {
    let letters: String = name.chars().map(|c| if print::is_word_sign(c) { c } else { '-' }).collect();
    match letters.as_str() {
        "" => "my-variable".into(),
        word if is_taken(word) || !print::is_plain_word(word) => format!("my-{word}").into(),
        word => word.into(),
    }
}

/// Words that would mean something else in the lines that follow.
fn is_taken(word: &str) -> bool {
    let everywhere = |asked| matches!(asked, Asked::Nobody | Asked::Direction | Asked::Directions | Asked::Game);
    forms::with_head(word).next().is_some() || words::all().iter().any(|def| def.word == word && everywhere(def.asked))
}
