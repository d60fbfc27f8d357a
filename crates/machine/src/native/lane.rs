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

/// How each candidate is played, and how it is found out whether it can be.
#[derive(Debug)]
pub(crate) struct Lane {
    runners: Box<[Runner]>,
    /// None where a law needs code.
    watched: Option<Watched>,
}

/// What the keeper knows, laid out for reading without looking at lengths.
#[derive(Debug)]
struct Watched {
    /// For each slot where its candidates begin in `readers`; one more at the end.
    starts: Box<[u32]>,
    readers: Box<[u16]>,
    watches: Box<[Watch]>,
}

/// How the laws about one candidate are asked: see [`Law::Table`].
#[derive(Clone, Copy, Debug)]
struct Watch {
    words: [u64; 3],
    slots: [u32; 3],
    state: u32,
    passes: u32,
}

impl Watched {
    fn of(program: &Program, keeper: &Keeper) -> Option<Watched> {
        let watch = |asked: &crate::keeper::Asked| match asked.law {
            Law::None => {
                Some(Watch { words: [0; 3], slots: [layout::NOTHING; 3], state: layout::NOTHING, passes: 255 })
            }
            Law::Table { slots, words, passes } => {
                Some(Watch { words, slots, state: asked.state, passes: u32::from(passes) })
            }
            Law::Code(_) => None,
        };
        let mut watched = Watched {
            starts: Box::default(),
            readers: Box::default(),
            watches: keeper.asked.iter().map(watch).collect::<Option<_>>()?,
        };
        let (mut starts, mut readers) = (vec![0], Vec::new());
        for slot in 0..program.layout.made_base as usize {
            readers.extend_from_slice(keeper.readers(slot));
            starts.push(readers.len() as u32);
        }
        (watched.starts, watched.readers) = (starts.into(), readers.into());
        Some(watched)
    }
}

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
    if !suits {
        return None;
    }
    let runners = program.plain.iter().map(runner).collect::<Option<_>>()?;
    Some(Lane { runners, watched: program.keeper.as_ref().and_then(|keeper| Watched::of(program, keeper)) })
}

impl MachinePosition {
    /// Plays at random for at most so many actions; says how many, and whether nobody could act after that and the game
    /// was told. The candidates kept are up to date, and the journal is empty.
    pub(crate) fn lane_moves(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
    ) -> Run<(u64, bool)> {
        let mut moves = 0;
        let (passing, remembers) = (program.world.turns == Turns::Passing, program.history.is_some());
        self.machine.guard_stack(native);
        let slots = Slots(self.machine.mem.slots.ptr);
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
                let Runner { address, receiver, state, .. } = lane.runners[candidate];
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
            if remembers {
                machine.remember(program, Value(player))?;
            }
            for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
                slots.put(slot, 0);
            }
            machine.clear_checkpoints();
            if slots.get(layout::OVER) == 0 {
                machine.catch_up(program, lane);
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
    /// Brings the candidates kept up to date.
    #[inline(always)]
    pub(crate) fn catch_up(&mut self, program: &Program, lane: &Lane) {
        match &lane.watched {
            Some(watched) if self.kept.is_ready() && !self.kept.is_stale() => {
                self.learn(watched, Slots(self.mem.slots.ptr));
            }
            // A law needs code, or what was asked in the middle of an action is no longer so.
            _ => drop(self.sync_kept(program)),
        }
    }

    /// Tells the candidates kept of what the journal holds beyond what they know.
    #[inline(always)]
    fn learn(&mut self, watched: &Watched, slots: Slots) {
        let (bits, counts) = (self.kept.bits.as_mut_ptr(), self.kept.counts.as_mut_ptr());
        let mut count = self.kept.count;
        for change in self.mem.journal[self.kept.synced as usize..].iter() {
            // SAFETY: the journal names slots of the layout only, as nothing is made; the lists of readers name
            // candidates only, and each has a watch and a bit.
            unsafe {
                let slot = change.slot as usize;
                let from = *watched.starts.get_unchecked(slot) as usize;
                let to = *watched.starts.get_unchecked(slot + 1) as usize;
                for &candidate in watched.readers.get_unchecked(from..to) {
                    let candidate = usize::from(candidate);
                    let watch = watched.watches.get_unchecked(candidate);
                    let other = |at: usize| u32::from(slots.get(watch.slots[at]) != watch.words[at]) << at;
                    let passes = watch.passes >> (other(0) | other(1) | other(2)) & 1;
                    let kept = passes | u32::from(slots.get(watch.state) != 0);
                    let (word, at) = (bits.add(candidate / 64), candidate % 64);
                    let was = *word >> at & 1;
                    *word ^= (was ^ u64::from(kept)) << at;
                    let change = kept.wrapping_sub(was as u32);
                    count = count.wrapping_add(change);
                    *counts.add(candidate / 64) = (*counts.add(candidate / 64)).wrapping_add(change);
                }
            }
        }
        self.kept.count = count;
        self.kept.synced = self.mem.journal.len() as u32;
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
                let Runner { test, label, receiver, state, .. } = lane.runners[candidate];
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
