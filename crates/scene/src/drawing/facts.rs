//! What the game itself knows, as words on slips: trumps, how many passes, what is led.

use super::block::Block;
use crate::svg::text_width;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{Shown, ThingView, View};

const LETTER: i32 = 24;
/// A longer list is for the rules.
const MEMBERS: usize = 6;
/// A longer value is cut: nobody reads a list of fifty on a slip.
const LONGEST: usize = 40;

/// A name with its value, as people read them: `capturedStones` is `captured stones`.
pub(super) fn told(name: &str, value: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(if letter == '-' || letter == '_' { ' ' } else { letter }.to_lowercase());
    }
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    let mut shown: String = inner.chars().take(LONGEST).collect();
    if inner.chars().count() > LONGEST {
        shown.push('…');
    }
    if value == "true" || value == "yes" { words } else { format!("{words} {shown}") }
}

/// Whether a value says something to somebody who looks.
pub(super) fn is_telling(shown: &Shown) -> bool {
    match shown {
        // A dictionary is for the rules; its entries for players stand beside these.
        Shown::Value(value) => {
            let is_long = value.starts_with('(') && value.split_whitespace().count() > MEMBERS;
            !matches!(&**value, "nil" | "()" | "{}" | "") && !value.starts_with('{') && !is_long
        }
        Shown::Hidden => false,
    }
}

/// Whether a value is a list of places or of things on them: what belongs to whom is seen on the board.
pub(super) fn names_places(view: &View, value: &str) -> bool {
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    let mut words = inner.split_whitespace().peekable();
    let is_name = |word: &str| {
        let cells = || view.boards.iter().flat_map(|board| &board.cells);
        cells().any(|cell| cell.name == word)
            || cells().flat_map(|cell| cell.pieces.iter().flatten()).any(|piece| piece.name == word)
            || view.things.iter().any(|thing| thing.name == word)
            || view.things.iter().flat_map(|thing| thing.contents.iter().flatten()).any(|held| held.name == word)
    };
    words.peek().is_some() && words.all(|word| word.starts_with(|letter: char| letter.is_alphabetic()) && is_name(word))
}

/// Whether a fact of the game repeats what the plates of the players show: who plays, and whose turn it is, by name or by
/// the place in an order of turns.
pub(super) fn is_on_plates(view: &View, name: &str, shown: &Shown) -> bool {
    let Shown::Value(value) = shown else { return false };
    let is_player = |word: &str| view.facts.iter().any(|fact| fact.kind == "player" && fact.name == word);
    let are_players = |value: &str| {
        let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
        inner.map(|inner| inner.split_whitespace().next().is_some() && inner.split_whitespace().all(is_player))
    };
    let is_of_turns = |name: &str| name.to_lowercase().contains("turn");
    let is_order = |(name, shown): &(String, Shown)| {
        is_of_turns(name) && matches!(shown, Shown::Value(value) if are_players(value) == Some(true))
    };
    let has_order = || view.facts.iter().any(|fact| fact.properties.iter().any(is_order));
    are_players(value)
        .unwrap_or_else(|| is_of_turns(name) && (is_player(value) || value.parse::<usize>().is_ok() && has_order()))
}

pub(super) fn block(view: &View, game: &ThingView, without: Option<&str>) -> Block {
    let mut block = Block::default();
    let known =
        game.properties.iter().filter(|(name, shown)| Some(&**name) != without && !is_on_plates(view, name, shown));
    let is_dictionary = |shown: &Shown| matches!(shown, Shown::Value(value) if value.starts_with('{'));
    if known.clone().any(|(_, shown)| !is_dictionary(shown)) {
        // The row is there even if there is nothing to say yet, so that nothing jumps.
        block = Block::sized(1, LETTER + 18);
    }
    // Nought is what most counters begin with, and says nothing.
    let is_zero = |shown: &Shown| matches!(shown, Shown::Value(value) if value == "0");
    let telling = known.filter(|(_, shown)| is_telling(shown) && !is_zero(shown));
    for (idx, (name, shown)) in telling.enumerate() {
        let Shown::Value(value) = shown else { continue };
        block.beside(slip(&format!("g{idx}"), &told(name, value)), 12);
    }
    block
}

/// Words on a slip of paper.
pub(super) fn slip(id: &str, words: &str) -> Block {
    let wide = text_width(words, LETTER, Font::Plain) + 28;
    let mut block = Block::sized(wide, LETTER + 18);
    let at = Place::new(wide / 2, LETTER / 2 + 9);
    let paper = Graphic::new(id, Layer::Writing, Shape::Rectangle { round: 8 }, at, block.size);
    block.put(paper.fill("surface").stroke("line", 2));
    let text = Shape::Text { text: words.into(), align: Align::Middle, font: Font::Plain };
    let letters = Graphic::new(format!("{id}.n"), Layer::Writing, text, at, Place::new(wide - 16, LETTER));
    block.put(letters.fill("ink-2").z(1));
    block
}
