//! What everything is called in the definition.

use crate::names::{Holder, Names};
use indexmap::{IndexMap, IndexSet};

/// Words that mean something in a definition; a parameter called so gets another name.
const TAKEN: [&str; 74] = [
    "a",
    "abs",
    "adjacent",
    "after",
    "again",
    "all",
    "among",
    "and",
    "any",
    "as",
    "at",
    "attribute",
    "border",
    "break",
    "by",
    "can",
    "column",
    "contents",
    "continue",
    "count",
    "diagonal",
    "do",
    "draw",
    "each",
    "else",
    "empty",
    "end",
    "every",
    "exactly",
    "finished",
    "first",
    "for",
    "forward",
    "from",
    "game",
    "if",
    "in",
    "is",
    "it",
    "kind",
    "label",
    "last",
    "left",
    "linked",
    "list",
    "message",
    "name",
    "new",
    "next",
    "nil",
    "not",
    "number",
    "of",
    "opponent",
    "or",
    "owner",
    "place",
    "player",
    "players",
    "previous",
    "right",
    "row",
    "score",
    "seats",
    "self",
    "state",
    "team",
    "then",
    "to",
    "top",
    "true",
    "where",
    "while",
    "with",
];

/// Capital names are free in a definition, so most stay as they are; where things of different kinds share one, all
/// but the first get an ending.
pub(super) struct Words {
    types: IndexMap<String, String>,
    called: IndexMap<String, String>,
    attrs: IndexMap<String, String>,
}

impl Words {
    pub fn new(names: &Names) -> Self {
        let mut taken: IndexSet<String> = names.globals.keys().map(|name| (*name).to_owned()).collect();
        let mut claim = |name: &str, ending: &str| {
            let mut word = name.to_owned();
            while !taken.insert(word.clone()) {
                word = format!("{word}-{ending}");
            }
            (name.to_owned(), word)
        };
        let types = names.types.keys().map(|name| claim(name, "type")).collect();
        let mut known: IndexSet<&str> = IndexSet::new();
        known.extend(names.attrs.keys().map(|(_, attr)| attr.as_str()));
        let attrs = known.iter().filter(|name| **name != "Value").map(|name| claim(name, "of")).collect();
        // Whoever plays reads what attributes are called, and of actions what is told of them.
        let called = names.rounds.keys().chain(names.actions.keys()).map(|name| claim(name, "round")).collect();
        Words { types, called, attrs }
    }

    pub fn kind(&self, name: &str) -> String {
        self.types.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    pub fn called(&self, name: &str) -> String {
        self.called.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    pub fn attr(&self, name: &str) -> String {
        self.attrs.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    pub fn low(name: &str) -> String {
        if TAKEN.contains(&name) { format!("{name}-1") } else { name.to_owned() }
    }

    /// All attributes of a kind of holder, in the order in which they were met.
    pub fn attrs_of(names: &Names, holder: &Holder) -> Vec<String> {
        let own = names.attrs.keys().filter(|(known, _)| known == holder);
        own.map(|(_, attr)| attr.clone()).collect()
    }
}
