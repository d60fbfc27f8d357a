//! Which words can stand at a place.

use houserules_gdl::words;
use houserules_model::{Definition, ItemKind, directives, forms};

/// A word that is offered.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Offer {
    pub word: String,
    pub kind: Kind,
    /// One line about it.
    pub about: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A name that the definition makes.
    Name,
    Form,
    Directive,
    /// A word that is there from the start.
    Known,
}

/// What begins like the word before the cursor. After `(` forms come first, at the beginning of a line directives.
pub fn complete(definition: &Definition, before: &str) -> Vec<Offer> {
    let start = before.rfind(|letter: char| letter.is_whitespace() || "()\"{};".contains(letter));
    let begun = &before[start.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
    if in_text(before) {
        return Vec::new();
    }
    let heads = before[..before.len() - begun.len()].ends_with('(');
    let fits = |offer: &Offer| match offer.kind {
        Kind::Directive => begun.starts_with('#'),
        Kind::Form => heads,
        Kind::Name | Kind::Known => !begun.starts_with('#'),
    };
    let mut offers: Vec<Offer> =
        all(definition).into_iter().filter(|offer| fits(offer) && offer.word.starts_with(begun)).collect();
    offers.sort_by_key(|offer| (heads && offer.kind != Kind::Form, offer.kind, offer.word.clone()));
    offers.dedup_by(|one, other| one.word == other.word);
    offers
}

/// Whether the cursor stands in quotes or in a comment, where no word is meant.
fn in_text(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let quotes = line.matches('"').count();
    quotes % 2 == 1 || line.contains(';')
}

fn all(definition: &Definition) -> Vec<Offer> {
    let mut all = names(definition);
    let offer = |word: &str, kind, about: &str| Offer { word: word.into(), kind, about: about.into() };
    all.extend(directives::all().iter().map(|def| offer(&format!("#{}", def.name), Kind::Directive, def.summary)));
    all.extend(forms::all().iter().map(|def| offer(def.head, Kind::Form, &def.usage())));
    let known = words().into_iter().filter(|word| !word.starts_with('#') && forms::with_head(word).next().is_none());
    all.extend(known.map(|word| offer(&word, Kind::Known, "")));
    all
}

/// What a definition has given a name.
fn names(definition: &Definition) -> Vec<Offer> {
    let mut names = Vec::new();
    let mut put = |name: &str, about: String| names.push(Offer { word: name.into(), kind: Kind::Name, about });
    for item in definition.items() {
        match &item.kind {
            ItemKind::Model { name, .. } => put(name, "model".into()),
            ItemKind::Property(property) => put(&property.name, format!("property of {}", property.of)),
            ItemKind::Define(define) => put(&define.name, "define".into()),
            ItemKind::Behavior(behavior) => put(&behavior.label, format!("message to {}", behavior.of)),
            ItemKind::Setting(setting) => put(&setting.name, "setting".into()),
            ItemKind::Action(action) => put(&action.label, "action".into()),
            ItemKind::Entity(entity) => {
                if let Some(name) = &entity.name {
                    put(name, entity.model.to_string());
                }
            }
            _ => {}
        }
    }
    names
}
