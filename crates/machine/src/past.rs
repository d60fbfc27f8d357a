//! The positions a match has been through, for rules that ask about them after a change.

use crate::adopt::Adoption;
use crate::layout;
use crate::memory::Memory;
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Machine, Run};
use houserules_kernel::Position;
use std::sync::Arc;

/// What stood at the end of each action, the start first, as far as somebody had it [kept](Past::keep).
///
/// A position has only names of them, and a change of rules may call them otherwise, or be the first to ask.
#[derive(Clone, Default)]
pub struct Past {
    positions: Arc<Vec<Memory>>,
    /// So much of the journal was looked through.
    looked: usize,
}

impl Past {
    /// A position forgets how to go back, and what it has been through is kept here.
    pub fn keep(&mut self, position: &mut MachinePosition) {
        self.look_through(position);
        position.forget();
        self.looked = position.machine.mem.journal.len();
    }

    /// Keeps what the journal of the position knows and was not kept yet.
    pub(crate) fn look_through(&mut self, position: &MachinePosition) {
        let memory = &position.machine.mem;
        let mut slots = memory.slots.clone();
        let mut found = Vec::new();
        for change in memory.journal[self.looked.min(memory.journal.len())..].iter().rev() {
            slots[change.slot as usize] = change.old;
            if change.slot == u64::from(layout::SEEN) {
                found.push(Memory::of(slots.clone(), memory.heap.clone()));
            }
        }
        if !found.is_empty() {
            Arc::make_mut(&mut self.positions).extend(found.into_iter().rev());
        }
    }

    /// As the changed program has them.
    pub(crate) fn follow(&mut self, adoption: &Adoption) {
        let (moves, renews) = (adoption.moves(), adoption.renews());
        if !moves && !renews {
            return;
        }
        for memory in Arc::make_mut(&mut self.positions) {
            if moves {
                *memory = adoption.carried(memory);
            }
            adoption.renew(memory);
        }
    }

    /// What the program calls them in the history.
    pub(crate) fn keys(&self, program: &Program) -> Run<Vec<u64>> {
        let key = |memory: &Memory| {
            let mut machine = Machine::default();
            machine.mem = memory.clone();
            machine.reset_budget(program);
            let before_the_first = machine.mem.get(layout::ACTOR).is_nil();
            let mover: Value = match before_the_first {
                true => machine.next_player(machine.first_player(), -1),
                false => machine.player(),
            };
            machine.history_key(program, mover)
        };
        self.positions.iter().map(key).collect()
    }
}
