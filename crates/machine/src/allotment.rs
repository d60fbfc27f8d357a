//! One budget for one question, and who says when it is used up.
//!
//! Native code and the shortcuts do less than the rules say, and what they leave out nobody has counted. So they get
//! only a part of the budget. Where that is used up everything is taken back, and the interpreter without any shortcut
//! answers the question from its beginning, with the whole budget: where rules run too long it alone decides, and a
//! match that is replayed on another computer, or before there is native code, is refused nothing that was played.

use crate::position::MachinePosition;
use crate::program::Program;
use crate::vm::Machine;
use std::sync::{Arc, OnceLock};

/// So many times fewer steps there are where they are not counted exactly.
pub const FEWER: u64 = 16;
/// And so many times less depth: what calls itself inside conditions is several deep each time.
const LESS_DEEP: u64 = 8;

impl Program {
    /// The same program without native code or shortcuts, which counts exactly; none if it is that itself.
    fn exactly(&self) -> Option<&Arc<Program>> {
        let exact: &OnceLock<Arc<Program>> = self.exact.as_ref()?;
        Some(exact.get_or_init(|| Arc::new(self.bare())))
    }
}

impl Machine {
    /// Begins a question: as much as there is for it in this program.
    fn allot(&mut self, program: &Program) {
        self.reset_budget(program);
        self.ran_out = false;
        if program.exact.is_some() {
            self.allotted /= FEWER;
            self.steps = self.allotted;
            self.deepest = (self.deepest / LESS_DEEP).max(1);
            let used = self.mem.heap.len() + self.mem.slots.len();
            self.room = used + self.room.saturating_sub(used) / 2;
        }
    }
}

impl MachinePosition {
    /// Answers a question within its budget. What has been done by an answer that does not count is taken back.
    pub(crate) fn within<T>(&mut self, mut answer: impl FnMut(&mut Self) -> T, take_back: impl Fn(&mut Self, T)) -> T {
        self.machine.allot(&self.program);
        let answered = answer(self);
        if !self.machine.ran_out {
            return answered;
        }
        let Some(exact) = self.program.exactly().cloned() else { return answered };
        take_back(self, answered);
        let program = std::mem::replace(&mut self.program, exact);
        self.machine.allot(&self.program);
        let answered = answer(self);
        self.program = program;
        answered
    }
}
