//! What lies face down for a seat, dealt anew.

use crate::glance::MachineGlance;
use crate::position::MachinePosition;
use crate::view::{Glance, face_down};
use crate::world::EntityId;
use houserules_kernel::{Generator, SeatId};

/// A position with the things that lie where the seat cannot see them in other places of that sort, as many in each as
/// before. None if nothing lies face down, or it is not even known how much.
pub(crate) fn redeal(position: &MachinePosition, seat: SeatId, generator: &mut Generator) -> Option<MachinePosition> {
    let mut dealt = position.clone();
    let program = dealt.program.clone();
    dealt.machine.reset_budget(&program);
    let moves = moves(&mut MachineGlance { program: &program, machine: &mut dealt.machine }, seat, generator)?;
    for (thing, place) in moves {
        // While things change places one of them may hold more than it has room for.
        dealt.machine.lay(&program, thing, place).ok()?;
    }
    Some(dealt)
}

/// Where everything that lies face down for a seat comes to lie, in the order in which it is put there.
///
/// The things are sorted before they are shuffled, so that nothing of how they lie now shows in the outcome.
pub(crate) fn moves(
    glance: &mut dyn Glance,
    seat: SeatId,
    generator: &mut Generator,
) -> Option<Vec<(EntityId, EntityId)>> {
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
