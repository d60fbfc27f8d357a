//! The order in which `sort` puts things: one for walker and machine.

use houserules_model::Name;
use std::cmp::Ordering;

/// What things are sorted by. Numbers come before texts, texts before lists, and nothing at all last.
#[derive(Clone, PartialEq, Debug)]
pub enum Key {
    Number(f64),
    Text(Name),
    List(Vec<Key>),
    Nil,
}

/// The places of the keys in their order. Equal ones keep theirs.
pub fn order(keys: &[Key]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&one, &other| compare(&keys[one], &keys[other]));
    order
}

fn compare(one: &Key, other: &Key) -> Ordering {
    match (one, other) {
        (Key::Number(one), Key::Number(other)) => one.total_cmp(other),
        (Key::Text(one), Key::Text(other)) => one.cmp(other),
        (Key::List(one), Key::List(other)) => one
            .iter()
            .zip(other)
            .map(|(one, other)| compare(one, other))
            .find(|order| order.is_ne())
            .unwrap_or(one.len().cmp(&other.len())),
        (one, other) => shelf(one).cmp(&shelf(other)),
    }
}

fn shelf(key: &Key) -> u8 {
    match key {
        Key::Number(_) => 0,
        Key::Text(_) => 1,
        Key::List(_) => 2,
        Key::Nil => 3,
    }
}
