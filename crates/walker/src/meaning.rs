//! What a position means: every fact about it in words, the same however memory is laid out.
//!
//! Fingerprints in records are made of this, so a line that is told otherwise makes every old record look wrong.

use crate::view::{Glance, Told};
use crate::world::{EntityId, GAME, PLAYER_KIND};
use std::collections::BTreeMap;

pub fn told(glance: &dyn Glance, over: bool, turn: u64) -> String {
    let names = names(glance);
    let list = |things: &[EntityId]| -> String {
        things.iter().map(|&thing| format!(" {:?}", names[thing as usize])).collect()
    };
    let mut text = format!("turn {turn}{}\n", list(&glance.order()));
    let out = if over { Vec::new() } else { glance.out() };
    if !out.is_empty() {
        text += &format!("out{}\n", list(&out));
    }
    let recurrence = glance.recurrence();
    if !recurrence.is_empty() {
        text += &format!("seen {recurrence:?}\n");
    }
    let made = names.len() - glance.world().entities.len();
    if made > 0 {
        text += &format!("made {made}\n");
    }
    for thing in (0..glance.n_things()).filter(|&thing| !glance.is_gone(thing)) {
        let facts = facts(glance, thing, &names);
        let contents = glance.contents(thing);
        if !facts.is_empty() || !contents.is_empty() {
            let facts: String = facts.iter().map(|(property, value)| format!(" {property} {value}")).collect();
            text += &format!("{:?}{facts} holds{}\n", names[thing as usize], list(&contents));
        }
    }
    text
}

/// Things made alike may share a name; the second and later ones are told apart by their number.
fn names(glance: &dyn Glance) -> Vec<String> {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    let mut name = |thing: EntityId| {
        let name = if thing == GAME { "game".to_owned() } else { glance.name(thing) };
        let n = times.entry(name.clone()).or_default();
        *n += 1;
        if *n == 1 { name } else { format!("{name} #{n}") }
    };
    (0..glance.n_things()).map(&mut name).collect()
}

/// What a thing knows, by the names of the properties. What was never set says nothing, because whether there is room
/// for it is a matter of layout.
fn facts(glance: &dyn Glance, thing: EntityId, names: &[String]) -> BTreeMap<String, String> {
    let (world, kind) = (glance.world(), glance.kind_of(thing));
    let mut facts = BTreeMap::new();
    let declared = world.kinds[kind as usize].properties.iter().map(|property| &*property.name);
    let granted = world.granted.iter().filter(|(player, ..)| *player == thing).map(|(_, name, ..)| &**name);
    for property in declared.chain(granted).chain(["owner"]) {
        let value = glance.property(thing, property);
        if !matches!(value, Told::Nil) {
            facts.insert(property.to_owned(), words(&value, names));
        }
    }
    if kind == PLAYER_KIND {
        let score = words(&glance.property(thing, "score"), names);
        if score != "nil" && score != "0" {
            facts.insert("score".into(), score);
        }
    }
    let state = glance.state(thing);
    if state != "default" {
        facts.insert("state".into(), state);
    }
    facts
}

fn words(value: &Told, names: &[String]) -> String {
    match value {
        Told::Nil => "nil".into(),
        Told::True => "true".into(),
        Told::Text(text) => text.clone(),
        Told::Entity(thing) => format!("{:?}", names.get(*thing as usize).map_or("nobody", |name| name)),
        Told::List(members) => {
            let members: Vec<String> = members.iter().map(|member| words(member, names)).collect();
            format!("({})", members.join(" "))
        }
        Told::Pairs(pairs) => {
            let mut pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{}: {}", words(key, names), words(value, names))).collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// For each entry, where an equal one stood first.
pub fn recurrence<T: Ord>(entries: &[T]) -> Vec<usize> {
    let mut first = BTreeMap::new();
    entries.iter().enumerate().map(|(at, entry)| *first.entry(entry).or_insert(at)).collect()
}
