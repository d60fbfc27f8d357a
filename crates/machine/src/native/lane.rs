//! The shortest way of random play: games whose candidates are all kept, and whose every action is native code.
//!
//! What is drawn and what is played is what the other ways draw and play; only the ceremony is left out.

#![allow(unsafe_code, reason = "slots that stay where they are are read without looking at their number again")]

use super::{Native, Outcome};
use crate::code::LabelId;
use crate::keeper::{Keeper, Law};
use crate::layout;
use crate::position::MachinePosition;
use crate::program::{Handler, Program};
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::EntityId;
use houserules_kernel::Generator;
use houserules_model::Turns;

/// How each candidate is played.
pub(crate) type Lane = Vec<Runner>;

/// The code that answers for a receiver in its first state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    address: usize,
    /// As far as something could still refuse.
    test: usize,
    label: LabelId,
    receiver: u64,
    /// The slot of its state; one that holds nothing where the state does not matter.
    state: u32,
}

/// None where a game needs more than this way has.
pub(crate) fn of(program: &Program, native: &Native) -> Option<Lane> {
    let suits = program.swift
        && program.sampler.is_none()
        && program.keeper.is_some()
        && program.world.turns != Turns::Free
        && program.layout.made_stride <= 1;
    let runner = |&(action, receiver): &(u16, EntityId)| {
        let kind = program.world.entities[receiver as usize].kind;
        let label = program.actions[action as usize].label;
        let (woven, state) = match &program.handlers[label as usize][kind as usize] {
            Handler::None => return None,
            Handler::Single(woven) => (*woven, layout::NOTHING),
            Handler::ByState(states) => (states[0]?, program.layout.slot(layout::STATE, receiver)?),
        };
        let (address, test) = (native.single(woven.full)?, native.single(woven.test)?);
        Some(Runner { address, test, label, receiver: Value::entity(receiver).0, state })
    };
    suits.then(|| program.plain.iter().map(runner).collect()).flatten()
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
        let passing = program.world.turns == Turns::Passing;
        self.machine.guard_stack(native);
        let slots = Slots(self.machine.mem.slots.as_mut_ptr());
        while moves < most && slots.get(layout::OVER) == 0 {
            let machine = &mut self.machine;
            let n = machine.kept.count();
            if n == 0 {
                break;
            }
            machine.steps = program.budget.steps;
            machine.said.clear();
            let (mark, heap) = (machine.mem.mark(), machine.mem.heap.len());
            let player = slots.get(layout::ORDER + slots.get(layout::HEAD) as u32);
            slots.put(layout::ACTOR, player);
            machine.in_action = true;
            machine.answered = false;
            let mut left = 8 + n / 2;
            let played = loop {
                let candidate = machine.kept.select(generator.below(u64::from(n)) as u32);
                let Runner { address, receiver, state, .. } = lane[candidate];
                let address = match slots.get(state) {
                    0 => address,
                    _ => native.plain_address(program, machine, candidate).unwrap_or(0),
                };
                if address != 0 && machine.run_guarded(address, receiver) == Outcome::Done {
                    break true;
                }
                machine.take_back(mark, heap);
                // What was asked in the middle of the action is no longer so.
                if machine.kept.is_stale() {
                    machine.sync_kept(program);
                }
                left -= 1;
                if left == 0 {
                    break false;
                }
            };
            machine.in_action = false;
            moves += 1;
            if !played {
                slots.put(layout::ACTOR, 0);
                let player = Value(player).as_entity().expect("somebody is to move");
                if !self.draw_listed(program, player, generator)? {
                    self.stuck(program)?;
                    return Ok((moves - 1, true));
                }
                self.machine.sync_kept(program);
                self.machine.drop_changes();
                self.machine.mem.sweep(heap, &mut []);
                continue;
            }
            if passing && slots.get(layout::AGAIN) | slots.get(layout::ENDED) == 0 {
                let next = slots.get(layout::HEAD) + 1;
                slots.put(layout::HEAD, if next == slots.get(layout::IN_PLAY) { 0 } else { next });
                slots.put(layout::TURN, slots.get(layout::TURN) + 1);
            }
            if program.history.is_some() {
                machine.remember(program, Value(player))?;
            }
            for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
                slots.put(slot, 0);
            }
            machine.clear_checkpoints();
            if slots.get(layout::OVER) == 0 {
                match machine.kept.is_behind() {
                    true => machine.learn(program, keeper, slots),
                    // Somebody asked in the middle of the action.
                    false => drop(machine.sync_kept(program)),
                }
                machine.learned();
            }
            machine.mem.sweep(heap, &mut []);
        }
        Ok((moves, false))
    }
}

/// The slots of a position in which nothing is made: they stay where they are.
#[derive(Clone, Copy)]
struct Slots(*mut u64);

impl Slots {
    #[inline]
    fn get(self, slot: u32) -> u64 {
        // SAFETY: asked for slots of the layout only, and nobody holds them borrowed meanwhile.
        unsafe { *self.0.add(slot as usize) }
    }

    #[inline]
    fn put(self, slot: u32, word: u64) {
        // SAFETY: as above.
        unsafe { *self.0.add(slot as usize) = word };
    }
}

impl Machine {
    /// Tells the candidates kept of all that the journal holds.
    #[inline]
    fn learn(&mut self, program: &Program, keeper: &Keeper, slots: Slots) {
        for at in 0..self.mem.journal.len() {
            let slot = self.mem.journal[at].slot as usize;
            if slot < keeper.first {
                continue;
            }
            for &candidate in keeper.readers(slot) {
                let candidate = usize::from(candidate);
                let asked = &keeper.asked[candidate];
                if let Law::Table { slots: read, words, passes } = &asked.law {
                    let other = |at: usize| u16::from(slots.get(read[at]) != words[at]) << at;
                    let passes = passes >> (other(0) | other(1) | other(2)) & 1 == 1;
                    self.kept.put(candidate, passes | (slots.get(asked.state) != 0));
                } else {
                    self.ask_kept(program, keeper, candidate);
                }
            }
        }
    }

    /// Whether a player has a legal choice among the candidates kept. None where that has to be found out slowly.
    pub(crate) fn can_in_lane(
        &mut self,
        (native, lane): (&Native, &Lane),
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<bool> {
        let (mark, heap) = (self.mem.mark(), self.mem.heap.len());
        let (floor, skipped) = (self.frames.len(), self.skipped.len());
        let (in_action, testing, limit) = (self.in_action, self.testing, self.stack_limit);
        let actor = std::mem::replace(&mut self.mem.slots[layout::ACTOR as usize], Value::entity(player).0);
        (self.in_action, self.testing) = (true, true);
        let found = self.nested(|machine| {
            machine.guard_stack(native);
            let mut at = 0;
            while let Some(candidate) = machine.kept.next(at) {
                at = candidate + 1;
                let Runner { test, label, receiver, state, .. } = lane[candidate];
                if labels.is_some_and(|labels| !labels.contains(&label)) {
                    continue;
                }
                if machine.mem.slots[state as usize] != 0 {
                    return Ok(None);
                }
                let ran = machine.run_guarded(test, receiver);
                machine.drop_frames(floor);
                machine.skipped.truncate(skipped);
                if machine.mem.changed_since(mark) {
                    machine.rollback(mark);
                }
                machine.mem.heap.truncate(heap);
                match ran {
                    Outcome::Done => return Ok(Some(true)),
                    Outcome::Refused => {}
                    Outcome::Stopped => return Ok(None),
                }
            }
            Ok(Some(false))
        });
        (self.in_action, self.testing, self.stack_limit) = (in_action, testing, limit);
        self.mem.slots[layout::ACTOR as usize] = actor;
        found.ok().flatten()
    }
}
