//! Random play without ceremony, for games whose actions have no attributes and run as native code.
//!
//! It does what `draw` and `run_on` do, in one go: the slots that only matter inside an action are written without the
//! journal, because they hold nothing before and after. Whatever is out of the ordinary is left to the long way.

use crate::layout;
use crate::native::{Native, Outcome as Ran};
use crate::position::MachinePosition;
use crate::program::{Handler, Program};
use crate::value::Value;
use crate::vm::Run;
use crate::world::{EntityId, GAME_KIND};
use houserules_kernel::Generator;
use houserules_model::Turns;

/// How a try went.
enum Tried {
    Played,
    Refused,
    /// Something stopped it that the long way has to look at.
    Unclear,
}

/// Whether a program can be played this way at all, native code apart.
pub fn suits(program: &Program) -> bool {
    program.world.turns == Turns::Passing
        && !program.plain.is_empty()
        && matches!(program.handlers[program.turn as usize][GAME_KIND as usize], Handler::None)
        && program.plain.iter().all(|&(_, receiver)| {
            let thing = &program.world.entities[receiver as usize];
            thing.board.is_some() || thing.kind <= 1
        })
}

impl MachinePosition {
    /// Plays at random for at most so many actions and says how many; stops where the long way is needed.
    pub(crate) fn swift_moves(&mut self, program: &Program, generator: &mut Generator, most: u64) -> Run<u64> {
        let Some(native) = program.native().filter(|_| program.swift) else { return Ok(0) };
        let mut moves = 0;
        while moves < most && !self.machine.is_over() && self.machine.question.is_none() {
            if self.machine.mem.slots[layout::MADE as usize] != 0 {
                break;
            }
            self.machine.steps = program.budget.steps;
            let heap = self.machine.mem.heap.len();
            if !self.swift_move(program, native, generator)? {
                break;
            }
            moves += 1;
            if !self.machine.is_over() {
                self.machine.sync_kept(program);
            }
            self.undo.clear();
            self.machine.forget_changes();
            self.machine.mem.sweep(heap, &mut []);
        }
        Ok(moves)
    }

    /// Draws until something is legal, or too often to go on blindly.
    fn swift_move(&mut self, program: &Program, native: &Native, generator: &mut Generator) -> Run<bool> {
        let player = self.machine.first_player();
        let (n, kept) = match self.machine.sync_kept(program) {
            true => (self.machine.kept.count(), true),
            false => (program.plain.len() as u32, false),
        };
        if n == 0 {
            return Ok(false);
        }
        for _ in 0..8 + n / 2 {
            let rank = generator.below(u64::from(n)) as u32;
            let at = if kept { self.machine.kept.select(rank) } else { rank as usize };
            match self.swift_try(program, native, player, at)? {
                Tried::Played => return Ok(true),
                Tried::Refused => {}
                Tried::Unclear => return Ok(false),
            }
        }
        Ok(false)
    }

    fn swift_try(&mut self, program: &Program, native: &Native, player: Value, at: usize) -> Run<Tried> {
        let (_, receiver): (u16, EntityId) = program.plain[at];
        let Some(address) = native.plain_address(program, &self.machine, at) else { return Ok(Tried::Unclear) };
        let mark = self.machine.mem.mark();
        let heap = self.machine.mem.heap.len();
        self.machine.mem.slots[layout::ACTOR as usize] = player.0;
        self.machine.in_action = true;
        self.machine.answered = false;
        let ran = self.machine.run_native(native, address, Value::entity(receiver).0);
        self.machine.in_action = false;
        if ran != Ran::Done {
            self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
            if self.machine.mem.changed_since(mark) {
                self.machine.rollback(mark);
            }
            self.machine.mem.heap.truncate(heap);
            self.machine.skipped.clear();
            self.machine.leaving.clear();
            self.machine.clear_checkpoints();
            return Ok(if ran == Ran::Refused { Tried::Refused } else { Tried::Unclear });
        }
        let slots = &self.machine.mem.slots;
        if slots[layout::AGAIN as usize] == 0 && slots[layout::ENDED as usize] == 0 {
            self.machine.end_turn(program, None)?;
        }
        if program.history.is_some() {
            self.machine.remember(program, player)?;
        }
        for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
            self.machine.mem.slots[slot as usize] = Value::NIL.0;
        }
        if !self.machine.leaving.is_empty() {
            self.machine.let_go(program);
        }
        self.machine.clear_checkpoints();
        Ok(Tried::Played)
    }
}
