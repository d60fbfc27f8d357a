//! What was played last, and what can be chosen.

use super::block::Block;
use crate::{Graphic, Layer, Motion, Place, Shape, Sight};
use houserules_kernel::ThingId;

/// Under a place that the last move named.
pub(super) fn trace(block: &mut Block, sight: &Sight, place: ThingId, shape: Shape, at: Place, size: Place) {
    if sight.last.contains(&place) {
        let id = format!("l{}", place.0);
        let trace = Graphic::new(id, Layer::Traces, shape, at, size).stroke("b-last", 6).dashed();
        block.put(trace.class("last").motion(Motion::Fade));
    }
}

/// Upon a place where a choice begins.
pub(super) fn target(block: &mut Block, sight: &Sight, place: ThingId, at: Place, across: i32, paint: &'static str) {
    let begins = |thing: ThingId| sight.ways.iter().any(|way| way.points.first() == Some(&thing));
    if begins(place) {
        let id = format!("o{}", place.0);
        let size = Place::new(across, across);
        let target = Graphic::new(id, Layer::Targets, Shape::Circle, at, size).fill(paint).stroke("rim-light", 2);
        block.put(target.class("target").of(place, None).opacity(70));
    }
}
