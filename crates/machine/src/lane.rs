//! The shortest way of random play: games whose candidates are all kept, and whose every action is native code.
//!
//! What is drawn and what is played is what the other ways draw and play; only the ceremony is left out.

use crate::keeper::Keeper;
use crate::layout;
use crate::native::{Native, Outcome};
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::Value;
use crate::vm::Run;
use houserules_kernel::Generator;
use houserules_model::Turns;

/// The code of each candidate, and the receiver it is called with.
pub(crate) type Lane = Vec<(usize, u64)>;

/// None where a game needs more than this way has.
pub(crate) fn of(program: &Program, plain: &[usize]) -> Option<Lane> {
    let suits = program.swift
        && program.sampler.is_none()
        && program.keeper.is_some()
        && program.history.is_none()
        && program.world.turns == Turns::Passing
        && program.layout.made_stride <= 1;
    let receivers = program.plain.iter().map(|&(_, receiver)| Value::entity(receiver).0);
    (suits && plain.iter().all(|&address| address != 0)).then(|| plain.iter().copied().zip(receivers).collect())
}

impl MachinePosition {
    /// Plays at random for at most so many actions; says how many, and whether nobody could act after that and the game
    /// was told. The candidates kept are up to date, and the journal is empty.
    pub(crate) fn lane_moves(
        &mut self,
        program: &Program,
        (native, lane, keeper): (&Native, &Lane, &Keeper),
        generator: &mut Generator,
        most: u64,
    ) -> Run<(u64, bool)> {
        let mut moves = 0;
        while moves < most && !self.machine.is_over() {
            let n = self.machine.kept.count();
            if n == 0 {
                break;
            }
            let machine = &mut self.machine;
            machine.steps = program.budget.steps;
            machine.said.clear();
            let (mark, heap) = (machine.mem.mark(), machine.mem.heap.len());
            let player = machine.first_player();
            machine.mem.slots[layout::ACTOR as usize] = player.0;
            machine.in_action = true;
            machine.answered = false;
            let mut left = 8 + n / 2;
            let played = loop {
                let (address, receiver) = lane[machine.kept.select(generator.below(u64::from(n)) as u32)];
                if machine.run_native(native, address, receiver) == Outcome::Done {
                    break true;
                }
                machine.take_back(mark, heap);
                left -= 1;
                if left == 0 {
                    break false;
                }
            };
            machine.in_action = false;
            if !played {
                machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
                let player = player.as_entity().expect("somebody is to move");
                if !self.draw_listed(program, player, generator)? {
                    self.stuck(program)?;
                    return Ok((moves, true));
                }
                self.machine.sync_kept(program);
                self.machine.drop_changes();
                self.machine.mem.sweep(heap, &mut []);
                moves += 1;
                continue;
            }
            moves += 1;
            let slots = &mut machine.mem.slots;
            if slots[layout::AGAIN as usize] == 0 && slots[layout::ENDED as usize] == 0 {
                machine.pass_turn();
            }
            for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
                machine.mem.slots[slot as usize] = Value::NIL.0;
            }
            machine.clear_checkpoints();
            if !machine.is_over() {
                machine.learn(program, keeper);
            }
            machine.mem.sweep(heap, &mut []);
        }
        Ok((moves, false))
    }
}
