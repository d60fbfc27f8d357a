//! What a viewer knows of each thing, whatever it lies in.

use super::Value;
use houserules_kernel::{CellView, Shown, ThingId, ThingView, View};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Known {
    pub name: String,
    pub kind: String,
    properties: Vec<(String, Value)>,
}

impl Known {
    /// None where there is no such property, or it may not be seen.
    pub fn property(&self, name: &str) -> Option<Value> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

/// Everything that may be seen.
pub(super) fn things(view: &View) -> BTreeMap<ThingId, Known> {
    let mut all = BTreeMap::new();
    for board in &view.boards {
        for cell in &board.cells {
            all.insert(cell.id, of_cell(cell, &board.kind));
            cell.pieces.iter().flatten().for_each(|piece| add(&mut all, piece, Some(&cell.name)));
        }
    }
    view.facts.iter().chain(&view.things).for_each(|thing| add(&mut all, thing, None));
    all
}

fn add(all: &mut BTreeMap<ThingId, Known>, thing: &ThingView, place: Option<&str>) {
    let mut properties = told(&thing.properties);
    properties.push(("name".into(), Value::Text(thing.name.clone())));
    properties.push(("sign".into(), Value::Text(thing.mark.sign.clone())));
    properties.extend(place.map(|place| ("place".into(), Value::Text(place.into()))));
    properties.extend(thing.count.map(|count| ("size".into(), Value::Number(count.into()))));
    properties.extend(thing.owner.map(|owner| ("seat".into(), Value::Number(owner.0.into()))));
    all.insert(thing.id, Known { name: thing.name.clone(), kind: thing.kind.clone(), properties });
    thing.contents.iter().flatten().for_each(|inner| add(all, inner, Some(&thing.name)));
}

fn of_cell(cell: &CellView, kind: &str) -> Known {
    let mut properties = told(&cell.properties);
    properties.push(("name".into(), Value::Text(cell.name.clone())));
    properties.push(("column".into(), Value::Number(cell.at.0.into())));
    properties.push(("row".into(), Value::Number(cell.at.1.into())));
    properties.push(("sign".into(), Value::Text(cell.mark.sign.clone())));
    properties.extend(cell.count.map(|count| ("size".into(), Value::Number(count.into()))));
    Known { name: cell.name.clone(), kind: kind.into(), properties }
}

fn told(properties: &[(String, Shown)]) -> Vec<(String, Value)> {
    let seen = properties.iter().filter_map(|(name, shown)| match shown {
        Shown::Value(value) => Some((name.clone(), Value::shown(value))),
        Shown::Hidden => None,
    });
    seen.collect()
}
