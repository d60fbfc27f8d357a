//! What lies face down for a seat, dealt anew.

use crate::glance::MachineGlance;
use crate::position::MachinePosition;
use houserules_kernel::{Generator, SeatId};
use houserules_walker::redeal::moves;

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
