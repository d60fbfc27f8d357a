//! What lies face down for a seat, dealt anew.

use crate::glance::MachineGlance;
use crate::position::MachinePosition;
use crate::view::face_down;
use houserules_kernel::{Generator, SeatId};

/// A position with the things that lie where the seat cannot see them in other places of that sort, as many in each as
/// before. None if nothing lies face down, or it is not even known how much.
///
/// The things are sorted before they are shuffled, so that nothing of how they lie now shows in the outcome.
pub(crate) fn redeal(position: &MachinePosition, seat: SeatId, generator: &mut Generator) -> Option<MachinePosition> {
    let mut dealt = position.clone();
    let program = dealt.program.clone();
    dealt.machine.reset_budget(&program);
    let mut glance = MachineGlance { program: &program, machine: &mut dealt.machine };
    let places = face_down(&mut glance, seat)?;
    let mut things: Vec<_> = places.iter().flat_map(|(_, things)| things.clone()).collect();
    if things.len() < 2 {
        return None;
    }
    things.sort_unstable();
    generator.shuffle(&mut things);
    let mut things = things.into_iter();
    for (place, before) in places {
        for thing in things.by_ref().take(before.len()) {
            dealt.machine.put(&program, thing, place).ok()?;
        }
    }
    Some(dealt)
}
