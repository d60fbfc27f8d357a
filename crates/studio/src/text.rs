//! Edits of a text, and their inverses.

use houserules_model::Origin;
use serde::{Deserialize, Serialize};

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

/// Puts a text in the place of a stretch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TextEdit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    pub fn holds(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<Origin> for Span {
    fn from(origin: Origin) -> Self {
        Span::new(origin.start as usize, origin.end as usize)
    }
}

impl TextEdit {
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        TextEdit { start: span.start, end: span.end, text: text.into() }
    }

    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        TextEdit { start: at, end: at, text: text.into() }
    }
}

/// The text with all edits made, each of which means the text as it was before. None where they overlap or lie outside.
pub fn apply(text: &str, edits: &[TextEdit]) -> Option<String> {
    let edits = sorted(edits);
    let mut made = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in &edits {
        if edit.start < at || edit.end < edit.start {
            return None;
        }
        made.push_str(text.get(at..edit.start)?);
        text.get(edit.start..edit.end)?;
        made.push_str(&edit.text);
        at = edit.end;
    }
    made.push_str(text.get(at..)?);
    Some(made)
}

/// What takes the edits back.
pub fn inverse(text: &str, edits: &[TextEdit]) -> Vec<TextEdit> {
    let mut moved = 0isize;
    let back = |edit: &TextEdit| {
        let start = edit.start.saturating_add_signed(moved);
        moved += edit.text.len() as isize - (edit.end - edit.start) as isize;
        TextEdit { start, end: start + edit.text.len(), text: text[edit.start..edit.end].to_owned() }
    };
    sorted(edits).iter().map(back).collect()
}

/// The smallest single edit that leads from one text to another; none where they are equal.
pub fn difference(before: &str, after: &str) -> Option<TextEdit> {
    if before == after {
        return None;
    }
    let mut start = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
    while !before.is_char_boundary(start) || !after.is_char_boundary(start) {
        start -= 1;
    }
    let most = before.len().min(after.len()) - start;
    let same = before.bytes().rev().zip(after.bytes().rev()).take(most).take_while(|(one, other)| one == other).count();
    let mut tail = same;
    while !before.is_char_boundary(before.len() - tail) || !after.is_char_boundary(after.len() - tail) {
        tail -= 1;
    }
    Some(TextEdit { start, end: before.len() - tail, text: after[start..after.len() - tail].to_owned() })
}

/// Insertions at one place keep their order.
fn sorted(edits: &[TextEdit]) -> Vec<TextEdit> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_gives_the_text_back_whatever_the_letters() {
        let text = "aé♠ (b) 😀\n";
        let edits = [TextEdit::insert(0, "x"), TextEdit::new(Span::new(1, 3), ""), TextEdit::insert(text.len(), "♠")];
        let made = apply(text, &edits).unwrap();
        assert_eq!(made, "xa♠ (b) 😀\n♠");
        assert_eq!(apply(&made, &inverse(text, &edits)).unwrap(), text);
        assert_eq!(apply(text, &[TextEdit::insert(2, "no")]), None, "in the middle of a letter");
        let edit = difference("(é a)", "(è a)").unwrap();
        assert_eq!(edit, TextEdit { start: 1, end: 3, text: "è".into() });
        assert_eq!(difference("aa", "aaa").unwrap(), TextEdit::insert(2, "a"));
    }
}
