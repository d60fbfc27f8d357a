//! Things that know where they lie on a plane: two numbers called X and Y, as game files have them.

use super::Drawing;
use super::block::Block;
use super::tile::Tile;
use crate::{Graphic, Layer, Place, Shape, is_picture};
use houserules_kernel::{Shown, ThingView};

const APART: i32 = 22;
/// A plane that would have to be larger is none: its things lie almost on each other.
const LARGEST: i32 = 6_000;

/// What only says how something is drawn: where, by which file, over what.
pub(super) fn is_coordinate(name: &str) -> bool {
    let name = name.to_lowercase();
    ["bild ", "image ", "picture "].iter().any(|prefix| name.starts_with(prefix))
}

/// The picture that a thing says it is drawn by, where a file of that name can lie beside the game.
pub(super) fn file(thing: &ThingView) -> Option<&str> {
    thing.properties.iter().find_map(|(name, shown)| match shown {
        Shown::Value(value) if is_coordinate(name) && is_picture(value) => Some(&**value),
        _ => None,
    })
}

/// Where a thing says that it lies.
pub(super) fn spot(thing: &ThingView) -> Option<Place> {
    let number = |axis: &str| {
        thing.properties.iter().find_map(|(name, shown)| match shown {
            Shown::Value(value) if is_coordinate(name) && name.to_lowercase().ends_with(axis) => value.parse().ok(),
            _ => None,
        })
    };
    let in_range = |number: &i32| number.abs() < 100_000;
    Some(Place::new(number(" x").filter(in_range)?, number(" y").filter(in_range)?))
}

/// All of them on one ground, as far apart as it takes for none to cover another.
pub(super) fn block(drawing: &Drawing, things: &[&ThingView]) -> Block {
    let spots: Vec<Place> = things.iter().filter_map(|thing| spot(thing)).collect();
    let tiles: Vec<Tile> = things.iter().map(|thing| Tile::of(drawing, thing)).collect();
    if tiles.is_empty() || spots.len() != tiles.len() {
        return Block::default();
    }
    let size = tiles
        .iter()
        .map(Tile::size)
        .fold(Place::default(), |most, size| Place::new(most.x.max(size.x), most.y.max(size.y)));
    let Some((wider, higher)) = stretch(&spots, size) else { return Block::default() };
    let least = |along: fn(&Place) -> i32| spots.iter().map(along).min().unwrap_or(0);
    let corner = Place::new(least(|at| at.x), least(|at| at.y));
    let at = |spot: &Place| {
        let along = |from: i32, to: i32, percent: i64| APART + (i64::from(to - from) * percent / 100) as i32;
        Place::new(along(corner.x, spot.x, wider), along(corner.y, spot.y, higher))
    };
    let mut block = Block::default();
    for (tile, spot) in tiles.iter().zip(&spots) {
        let at = at(spot);
        let mut drawn = tile.block(drawing, size);
        drawn.shift(at.x, at.y);
        block.graphics.append(&mut drawn.graphics);
        block.size = Place::new(block.size.x.max(at.x + size.x + APART), block.size.y.max(at.y + size.y + APART));
    }
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new("plane", Layer::Ground, Shape::Rectangle { round: 20 }, middle, block.size);
    block.put(ground.fill("map-land").stroke("map-land-2", 4));
    block
}

/// By how much in percent distances grow, across and down, so that sheets of one size lie beside or under each other.
fn stretch(spots: &[Place], size: Place) -> Option<(i64, i64)> {
    let (mut wider, mut higher) = (1, 1);
    for (idx, one) in spots.iter().enumerate() {
        for other in &spots[idx + 1..] {
            let (x, y) = (i64::from((one.x - other.x).abs()), i64::from((one.y - other.y).abs()));
            // Each pair is parted along the way that it is further apart already, for its sheets.
            let is_beside = x * i64::from(size.y) >= y * i64::from(size.x);
            let (apart, along, percent) = if is_beside { (x, size.x, &mut wider) } else { (y, size.y, &mut higher) };
            if apart == 0 {
                return None;
            }
            *percent = (*percent).max((i64::from(along + APART) * 100 + apart - 1) / apart);
        }
    }
    let most = |along: fn(&Place) -> i32, percent: i64| {
        let (low, high) = (spots.iter().map(along).min().unwrap_or(0), spots.iter().map(along).max().unwrap_or(0));
        i64::from(high - low) * percent / 100
    };
    let fits = most(|at| at.x, wider) <= i64::from(LARGEST) && most(|at| at.y, higher) <= i64::from(LARGEST);
    fits.then_some((wider, higher))
}
