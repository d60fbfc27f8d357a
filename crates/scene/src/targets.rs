//! Marks where a choice can begin.
//!
//! They follow from what is drawn and what can be chosen, so they are no part of a scene: whoever draws it makes them, and
//! nothing is sent when the turn passes.

use crate::bits::Bits;
use crate::{Graphic, Layer, Place, Scene, Shape};
use houserules_kernel::ThingId;

/// The marks of a scene, to be drawn with its graphics.
///
/// A dot where nothing stands, a ring around what does. Where more than a third of the places is open, and they are many,
/// marks would only hide the board: those of places are left out.
pub fn targets(scene: &Scene) -> Vec<Graphic> {
    let begins: Bits = scene.ways.iter().filter_map(|way| way.points.first().copied()).collect();
    let held: Bits = scene
        .graphics
        .values()
        .filter(|graphic| graphic.layer == Layer::Things)
        .filter_map(|graphic| graphic.on)
        .collect();
    let marked = || scene.graphics.values().filter_map(|graphic| Some((graphic, graphic.target?, graphic.thing?)));
    let places = || marked().filter(|(graphic, ..)| graphic.layer == Layer::Places);
    let n_open = places().filter(|(.., thing)| begins.contains(thing)).count();
    let many = n_open > 12 && 3 * n_open > places().count();
    let mut marks = Vec::new();
    for (graphic, target, thing) in marked().filter(|(.., thing)| begins.contains(thing)) {
        let is_place = graphic.layer == Layer::Places;
        if is_place && many {
            continue;
        }
        let mark = |shape: Shape, size: Place| {
            let layer = if is_place { Layer::Targets } else { Layer::Traces };
            Graphic::new(mark_id(thing), layer, shape, graphic.at, size).class("target").of(thing, graphic.on).z(1)
        };
        let ring = Place::new(target.across, target.across);
        marks.push(match &graphic.shape {
            Shape::Polygon(corners) if target.ring => {
                mark(Shape::Polygon(corners.clone()), graphic.size).stroke(target.paint, 6)
            }
            // What is much longer than wide is outlined.
            Shape::Rectangle { round } if target.ring && is_place && graphic.size.x != graphic.size.y => {
                mark(Shape::Rectangle { round: *round }, graphic.size).stroke(target.paint, 6)
            }
            _ if target.ring || held.contains(&thing) => mark(Shape::Circle, ring).stroke(target.paint, 6),
            _ => {
                let across = target.across * 28 / 100;
                mark(Shape::Circle, Place::new(across, across)).fill(target.paint).stroke("rim-light", 3)
            }
        });
    }
    marks
}

fn mark_id(thing: ThingId) -> String {
    format!("o{}", thing.0)
}
