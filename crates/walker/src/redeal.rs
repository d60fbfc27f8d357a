//! What lies face down for a seat, dealt anew.

use crate::view::{Glance, face_down};
use crate::world::EntityId;
use houserules_kernel::{Generator, SeatId};

/// Where everything that lies face down for a seat comes to lie, in the order in which it is put there.
///
/// The things are sorted before they are shuffled, so that nothing of how they lie now shows in the outcome.
pub fn moves(glance: &mut dyn Glance, seat: SeatId, generator: &mut Generator) -> Option<Vec<(EntityId, EntityId)>> {
    let places = face_down(glance, seat)?;
    let mut things: Vec<_> = places.iter().flat_map(|(_, things)| things.clone()).collect();
    if things.len() < 2 {
        return None;
    }
    things.sort_unstable();
    generator.shuffle(&mut things);
    let room = places.iter().flat_map(|(place, before)| before.iter().map(|_| *place));
    Some(things.into_iter().zip(room).collect())
}
