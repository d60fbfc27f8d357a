//! What changed: entity, property, old, new.

use crate::{Fault, Property, Replay};
use houserules_kernel::{Shown, ThingView, View};
use std::collections::BTreeMap;

/// One property that is not what it was. Nothing on one side: it was not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    pub entity: String,
    pub property: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

impl std::fmt::Display for Changed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
        write!(f, "{} {}: {} → {}", self.entity, self.property, shown(&self.old), shown(&self.new))
    }
}

/// The difference between two looks at everything, in the order of the later one.
pub fn changes(before: &[Property], after: &[Property]) -> Vec<Changed> {
    // Things made alike may share a name; they are told apart by their order.
    let numbered = |properties: &[Property]| {
        let mut times: BTreeMap<(String, String), u32> = BTreeMap::new();
        let mut keyed = Vec::with_capacity(properties.len());
        for found in properties {
            let key = (found.entity.clone(), found.property.clone());
            let n = times.entry(key.clone()).or_default();
            keyed.push(((key.0, key.1, *n), found.value.clone()));
            *n += 1;
        }
        keyed
    };
    let mut old: BTreeMap<_, _> = numbered(before).into_iter().collect();
    let mut changed = Vec::new();
    for (key, value) in numbered(after) {
        let was = old.remove(&key);
        if was.as_ref() != Some(&value) {
            changed.push(Changed { entity: key.0, property: key.1, old: was, new: Some(value) });
        }
    }
    let gone = old.into_iter().map(|(key, was)| Changed { entity: key.0, property: key.1, old: Some(was), new: None });
    changed.extend(gone);
    changed
}

/// What a view shows, as properties; what is hidden says so.
pub fn seen(view: &View) -> Vec<Property> {
    let mut found = Vec::new();
    let mut add = |entity: &str, property: &str, value: String| {
        found.push(Property { entity: entity.to_owned(), property: property.to_owned(), value });
    };
    let shown = |value: &Shown| match value {
        Shown::Value(value) => value.clone(),
        Shown::Hidden => "hidden".into(),
    };
    for cell in view.boards.iter().flat_map(|board| &board.cells) {
        for (property, value) in &cell.properties {
            add(&cell.name, property, shown(value));
        }
        if !cell.mark.sign.is_empty() {
            add(&cell.name, "sign", cell.mark.sign.clone());
        }
        if let Some(count) = cell.count {
            add(&cell.name, "count", count.to_string());
        }
    }
    let things = view.facts.iter().chain(&view.things);
    for ThingView { name, properties, contents, count, .. } in things {
        for (property, value) in properties {
            add(name, property, shown(value));
        }
        match (contents, count) {
            (Some(contents), _) => {
                let names: Vec<&str> = contents.iter().map(|thing| &*thing.name).collect();
                add(name, "contents", names.join(" "));
            }
            (None, Some(count)) => add(name, "count", count.to_string()),
            (None, None) => {}
        }
    }
    found
}

/// What one viewer could see change.
pub(crate) fn seen_changes(before: &View, after: &View) -> Vec<Changed> {
    changes(&seen(before), &seen(after))
}

/// The values one property has had: the line after which it was so, and the value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    pub entity: String,
    pub property: String,
    pub values: Vec<(usize, Option<String>)>,
}

/// Every property of a record up to where it can be played, with all it has been; and the fault that stopped it.
pub fn history(replay: &mut Replay) -> (Vec<History>, Option<Fault>) {
    replay.jump(0);
    let mut known: Vec<History> = Vec::new();
    let first = replay.now().running().properties();
    for found in &first {
        let values = vec![(0, Some(found.value.clone()))];
        known.push(History { entity: found.entity.clone(), property: found.property.clone(), values });
    }
    loop {
        match replay.step() {
            Ok(None) => return (known, None),
            Err(fault) => return (known, Some(fault)),
            Ok(Some(happened)) => {
                for changed in happened.changed {
                    let at = replay.at();
                    let same = |history: &&mut History| {
                        history.entity == changed.entity && history.property == changed.property
                    };
                    match known.iter_mut().find(same) {
                        Some(history) => history.values.push((at, changed.new)),
                        None => known.push(History {
                            entity: changed.entity,
                            property: changed.property,
                            values: vec![(at, changed.new)],
                        }),
                    }
                }
            }
        }
    }
}
