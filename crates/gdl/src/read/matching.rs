//! Which items of a form stand in which slots of a pattern. Only words are looked at, nothing is built:
//! building while trying would do the inner forms once for every try, twice as often on each level.

use crate::datum::{Datum, DatumKind};
use houserules_model::{Element, Pattern, SlotKind};
use std::ops::Range;

/// Where a slot's contents stand among the items after the head.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Place {
    Absent,
    Flag,
    At(SlotKind, Range<usize>),
}

/// How far a pattern fitted, and what it wanted there.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mismatch {
    pub at: usize,
    pub wanted: String,
}

pub(crate) fn matching(pattern: &Pattern, items: &[Datum]) -> Result<Vec<Place>, Mismatch> {
    let mut matcher = Matcher { items, at: 0, places: Vec::new() };
    matcher.elements(&pattern.elements, &[])?;
    if matcher.at < items.len() {
        return Err(matcher.mismatch("Nothing more belongs here."));
    }
    Ok(matcher.places)
}

struct Matcher<'a> {
    items: &'a [Datum],
    at: usize,
    places: Vec<Place>,
}

impl Matcher<'_> {
    /// `after` are the words that may follow the whole.
    fn elements(&mut self, elements: &[Element], after: &[&'static str]) -> Result<(), Mismatch> {
        for (at, element) in elements.iter().enumerate() {
            match element {
                Element::Word(word) if self.sees(word) => self.at += 1,
                Element::Word(word) => return Err(self.mismatch(&format!("Here the word `{word}` is expected."))),
                Element::Slot(name, kind) => {
                    let mut stops = next_words(&elements[at + 1..]);
                    stops.extend(after);
                    self.slot(name, *kind, &stops)?;
                }
                Element::Optional(inner) => {
                    let mut stops = next_words(&elements[at + 1..]);
                    stops.extend(after);
                    self.optional(inner, &stops)?;
                }
            }
        }
        Ok(())
    }

    fn optional(&mut self, inner: &[Element], after: &[&'static str]) -> Result<(), Mismatch> {
        let given = match inner.first() {
            Some(Element::Word(word)) => self.sees(word),
            _ => self.at < self.items.len(),
        };
        match (given, inner) {
            (true, [Element::Word(_)]) => {
                self.at += 1;
                self.places.push(Place::Flag);
            }
            (true, inner) => self.elements(inner, after)?,
            (false, [Element::Word(_)]) => self.places.push(Place::Absent),
            (false, inner) => self.places.extend((0..n_slots(inner)).map(|_| Place::Absent)),
        }
        Ok(())
    }

    fn slot(&mut self, name: &str, kind: SlotKind, stops: &[&'static str]) -> Result<(), Mismatch> {
        let start = self.at;
        match kind {
            SlotKind::Expr | SlotKind::Direction | SlotKind::Target | SlotKind::Name => {
                if self.at >= self.items.len() {
                    return Err(self.mismatch(&format!("Here `{name}` is missing.")));
                }
                self.at += 1;
            }
            SlotKind::Var => {
                if self.items.get(self.at).is_none_or(|item| item.word().is_none()) {
                    return Err(self.mismatch("Here the name of a variable is expected, a plain word."));
                }
                self.at += 1;
            }
            SlotKind::Domain => {
                let named = self.items.get(self.at).is_some_and(|item| item.word().is_some())
                    && self.items.get(self.at + 1).is_some_and(|item| item.is_word("in"));
                self.at += if named { 3 } else { 1 };
                if self.at > self.items.len() {
                    self.at = self.items.len();
                    return Err(self.mismatch("Here a model or a list is missing."));
                }
                if self.sees("for") {
                    self.at += 2;
                    if self.at > self.items.len() {
                        self.at = self.items.len();
                        return Err(self.mismatch("After `for` the player is missing whose things are looked at."));
                    }
                }
            }
            SlotKind::Cases => {
                self.at = self.items.len();
                if let Some(at) = (start..self.at).find(|at| !is_case(&self.items[*at])) {
                    let wanted = "Here `(case VALUE …)` or `(else …)` is expected.".into();
                    return Err(Mismatch { at, wanted });
                }
            }
            SlotKind::Exprs | SlotKind::Body | SlotKind::Names | SlotKind::Pairs | SlotKind::Entries => {
                while self.items.get(self.at).is_some_and(|item| !stops.iter().any(|stop| item.is_word(stop))) {
                    self.at += 1;
                }
                let twos = matches!(kind, SlotKind::Pairs | SlotKind::Entries);
                if twos && !(self.at - start).is_multiple_of(2) {
                    return Err(self.mismatch("Names and values stand in turn; here a value is missing."));
                }
            }
        }
        self.places.push(Place::At(kind, start..self.at));
        Ok(())
    }

    fn sees(&self, word: &str) -> bool {
        self.items.get(self.at).is_some_and(|item| item.is_word(word))
    }

    fn mismatch(&self, wanted: &str) -> Mismatch {
        Mismatch { at: self.at, wanted: wanted.into() }
    }
}

/// The words that may come next: of all optional parts up to the first word that must come.
fn next_words(elements: &[Element]) -> Vec<&'static str> {
    let mut words = Vec::new();
    for element in elements {
        match element {
            Element::Word(word) => {
                words.push(*word);
                return words;
            }
            Element::Optional(inner) => {
                if let Some(Element::Word(word)) = inner.first() {
                    words.push(word);
                }
            }
            Element::Slot(..) => return words,
        }
    }
    words
}

fn n_slots(elements: &[Element]) -> usize {
    elements
        .iter()
        .map(|element| match element {
            Element::Word(_) => 0,
            Element::Slot(..) => 1,
            Element::Optional(inner) if matches!(inner.as_slice(), [Element::Word(_)]) => 1,
            Element::Optional(inner) => n_slots(inner),
        })
        .sum()
}

fn is_case(item: &Datum) -> bool {
    match &item.kind {
        DatumKind::List(items) => items.first().is_some_and(|head| head.is_word("case") || head.is_word("else")),
        _ => false,
    }
}
