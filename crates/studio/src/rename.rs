//! Another name for what is meant somewhere, in every file of the game and nowhere else.

use crate::change::{Edits, stale, unquoted};
use crate::document::{Reading, Refused};
use crate::layout::Layout;
use crate::names::{Meaning, Names, Sort};
use crate::text::{Span, TextEdit};
use houserules_gdl::{Sources, read_items};
use houserules_model::print::{is_plain_word, name as spelled, quoted};
use houserules_model::{ItemKind, forms};

/// The edits of the text that is looked at, and what was called otherwise.
pub(crate) fn here(reading: &Reading, at: usize, to: &str) -> Edits {
    let to = to.trim();
    if to.is_empty() || to.chars().any(char::is_control) {
        return Err(Refused::new("edit/name", "It needs a name."));
    }
    // The name of the game is nobody else's.
    if let Some(old) = title(reading, at) {
        let layout = Layout::new(&reading.text);
        let token = layout.tokens(old).nth(1).ok_or_else(stale)?;
        return Ok((vec![TextEdit::new(token.span, quoted(to))], unquoted(layout.word(token))));
    }
    let names = Names::of(reading);
    let Some(meaning) = names.at(at).cloned() else {
        return Err(Refused::new("edit/no-name", "Nothing that could be renamed stands here."));
    };
    if names.known(&meaning.sort).any(|known| **known == *to) && *meaning.name != *to {
        return Err(Refused::new("edit/taken", format!("“{to}” is there already.")));
    }
    Ok((edits(&names, &meaning, to)?, meaning.name.to_string()))
}

/// The edits of the other files that the game consists of.
pub(crate) fn elsewhere(
    reading: &Reading,
    files: &[(String, String)],
    at: usize,
    byte: usize,
    to: &str,
) -> Result<Vec<(String, Vec<TextEdit>)>, Refused> {
    if title(reading, byte).is_some() {
        return Ok(Vec::new());
    }
    let names = Names::of(reading);
    let Some(meaning) = names.at(byte) else { return Ok(Vec::new()) };
    let others = others(reading, files, at, meaning).into_iter();
    others.map(|(nth, names)| Ok((files[nth].0.clone(), edits(&names, meaning, to.trim())?))).collect()
}

/// The names of the other files in which the same can be meant.
pub(crate) fn others(
    reading: &Reading,
    files: &[(String, String)],
    at: usize,
    meaning: &Meaning,
) -> Vec<(usize, Names)> {
    // What the game does not include is another game.
    let included = |path: &str| reading.sources.find(path).is_some();
    // A variable is known in its behavior alone.
    if matches!(meaning.sort, Sort::Variable(..)) || !included(&files[at].0) {
        return Vec::new();
    }
    let others = files.iter().enumerate().filter(|(nth, (path, _))| *nth != at && included(path));
    let names = others.map(|(nth, (path, text))| {
        let own = read_items(&mut Sources::new(), path, text).0;
        (nth, Names::within(text, &own, &reading.definition))
    });
    names.collect()
}

/// The directive that names the game, if a byte lies in it.
fn title(reading: &Reading, at: usize) -> Option<Span> {
    let called = reading.own.iter().find(|item| matches!(item.kind, ItemKind::Game { .. }))?;
    Some(Span::from(called.origin)).filter(|span| span.holds(Span::new(at, at)))
}

fn edits(names: &Names, meaning: &Meaning, to: &str) -> Result<Vec<TextEdit>, Refused> {
    let word = is_plain_word(to) && forms::with_head(to).next().is_none();
    let edit = |found: &crate::names::Use| {
        let text = match found.bare && !word {
            // A word in the middle of a form has no quotes: an entity can be meant by a form, nothing else can.
            true if meaning.sort == Sort::Entity => format!("(entity {})", quoted(to)),
            true => {
                let words = format!("“{to}” is used as a plain word, which has no blanks and is no form.");
                return Err(Refused::new("edit/plain", words));
            }
            false if found.quoted => quoted(to),
            false => spelled(to),
        };
        Ok(TextEdit::new(found.at, text))
    };
    names.uses(meaning).map(edit).collect()
}
