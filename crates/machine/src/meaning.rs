//! What a position of the machine means.

use crate::glance::MachineGlance;
use crate::position::MachinePosition;
use houserules_kernel::Position;
use houserules_walker::meaning::told;

impl MachinePosition {
    /// Everything the position consists of, a fact on each line; what a stopped behavior still knows is left out.
    pub fn meaning(&mut self) -> String {
        let (over, turn) = (self.is_over(), self.turn());
        let program = self.program().clone();
        told(&MachineGlance { program: &program, machine: &mut self.machine }, over, turn)
    }
}
