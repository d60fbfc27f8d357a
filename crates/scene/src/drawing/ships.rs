//! Ships on a sea: one hull for all the cells of a ship, under what shots have left there.

use super::laid::Laid;
use crate::{Graphic, Layer, Place, Shape};
use houserules_kernel::{BoardView, Shown};
use std::collections::BTreeMap;

/// How wide a hull is.
const BEAM: i32 = 74;

pub(super) fn put(graphics: &mut Vec<Graphic>, nth: usize, board: &BoardView, laid: &Laid) {
    let mut ships: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    for (cell, at) in board.cells.iter().zip(&laid.places) {
        let ship = cell.properties.iter().find_map(|(name, shown)| match shown {
            Shown::Value(value) if (name == "ship" || name == "deck") && value != "nil" => Some(&**value),
            _ => None,
        });
        if let Some(ship) = ship {
            ships.entry(ship).or_default().push(*at);
        }
    }
    for (idx, cells) in ships.values().enumerate() {
        let least = |along: fn(&Place) -> i32| cells.iter().map(along).min().unwrap_or(0);
        let most = |along: fn(&Place) -> i32| cells.iter().map(along).max().unwrap_or(0);
        let (from, to) = (Place::new(least(|at| at.x), least(|at| at.y)), Place::new(most(|at| at.x), most(|at| at.y)));
        let long = (to.x - from.x).max(to.y - from.y);
        // What is no straight ship is shown cell by cell.
        let is_straight = (from.x == to.x || from.y == to.y) && long == (cells.len() as i32 - 1) * super::grid::CELL;
        if is_straight {
            hull(graphics, &format!("b{nth}.s{idx}"), from, to);
        } else {
            for (part, at) in cells.iter().enumerate() {
                hull(graphics, &format!("b{nth}.s{idx}.{part}"), *at, *at);
            }
        }
    }
}

/// A hull from one place to another, with a deck and its turrets.
fn hull(graphics: &mut Vec<Graphic>, id: &str, from: Place, to: Place) {
    let middle = Place::new((from.x + to.x) / 2, (from.y + to.y) / 2);
    let size = |beam: i32| Place::new(to.x - from.x + beam, to.y - from.y + beam);
    let part = |id: String, shape: Shape, at: Place, size: Place| Graphic::new(id, Layer::Places, shape, at, size);
    let side = part(id.into(), Shape::Rectangle { round: BEAM / 2 }, middle, size(BEAM));
    graphics.push(side.fill("seat-6").stroke("sea-ink", 5).z(1).class("ship"));
    let deck = part(format!("{id}.d"), Shape::Rectangle { round: BEAM / 3 }, middle, size(BEAM - 24));
    graphics.push(deck.stroke("sea-b", 4).opacity(70).z(1).class("ship"));
}
