//! The shortest way of random play: games whose candidates are all kept, and whose every action is native code.
//!
//! What is drawn and what is played is what the other ways draw and play; only the ceremony is left out.

#![allow(unsafe_code, reason = "slots that stay where they are are read without looking at their number again")]

mod can;

use super::watching::{Slots, Watched};
use super::{Native, Outcome};
use crate::code::LabelId;
use crate::derived::InStep;
use crate::guard::Guard;
use crate::keeper::seat_at;
use crate::layout;
use crate::outlook::Narrowed;
use crate::position::MachinePosition;
use crate::program::{Handler, Program};
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::EntityId;
use can::Few;
use houserules_kernel::Generator;
use houserules_model::Turns;

/// How each candidate is played, and how it is found out whether it can be.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(super) runners: Box<[Runner]>,
    /// Whether candidates are always answered by the same code, and no law about who plays comes first.
    uniform: bool,
    /// None where a law needs code.
    watched: Option<Watched>,
    /// Where whoever has a legal choice is found among a few.
    few: Option<Few>,
}

/// Why play went no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// So many actions are made, the match is over, or nobody is kept.
    Over,
    /// Those drawn were refused for so long that they had better be listed.
    Refused,
    /// All that could be drawn were refused.
    Stuck,
}

/// The code that answers for a receiver in its first state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    pub(super) address: usize,
    /// As far as something could still refuse.
    test: usize,
    label: LabelId,
    pub(super) receiver: u64,
    /// The slot of its state; one that holds nothing where the state does not matter.
    state: u32,
    guard: Guard,
}

/// None where a game needs more than this way has.
pub(crate) fn of(program: &Program, native: &Native) -> Option<Lane> {
    let suits = program.may(Shortcut::Lane)
        && program.swift
        && !program.tells_turns()
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
        let guard = Guard::of(program, &program.functions[woven.full as usize], receiver);
        Some(Runner { address, test, label, receiver: Value::entity(receiver).0, state, guard })
    };
    if !suits {
        return None;
    }
    let runners: Box<[Runner]> = program.plain.iter().map(runner).collect::<Option<_>>()?;
    let uniform = runners.iter().all(|runner| runner.state == layout::NOTHING && runner.guard == Guard::NONE);
    let watched = program
        .keeper
        .as_ref()
        .filter(|_| program.may(Shortcut::Watching))
        .and_then(|keeper| Watched::of(program, keeper));
    let few = watched.as_ref().and_then(|watched| Few::of(program, &runners, watched));
    Some(Lane { runners, uniform, watched, few })
}

impl Lane {
    pub(super) fn watched(&self) -> Option<&Watched> {
        self.watched.as_ref()
    }
}

impl MachinePosition {
    /// Plays at random for at most so many actions, none of which can be undone; says how many, and whether nobody could
    /// act after that and the game was told. None where a game needs another way.
    pub(crate) fn lane_moves(&mut self, generator: &mut Generator, most: u64) -> Run<Option<(u64, bool)>> {
        let mut moves = 0;
        loop {
            // The rulebook is shared by all threads: to count one more who uses it takes as long as half a move.
            let MachinePosition { program, machine, undo, .. } = self;
            let Some(native) = program.native() else { return Ok(None) };
            let Some(lane) = native.lane() else { return Ok(None) };
            undo.clear();
            machine.allot(program);
            machine.settle_kept(program);
            machine.guard_stack(native);
            machine.know_open(program, true);
            machine.derived.chains.busy = true;
            let ran = machine.run_lane(program, (native, lane), generator, most - moves);
            machine.derived.chains.busy = false;
            machine.know_open(program, false);
            let (played, ending) = ran?;
            moves += played;
            if played > 0 {
                program.permits.take(Shortcut::Lane);
            }
            if ending == Ending::Over {
                return Ok(Some((moves, false)));
            }
            let program = program.clone();
            let heap = self.machine.mem.heap.len();
            let before = self.machine.begun.take().unwrap_or_else(|| generator.clone());
            let begun = self.begun_at_rest(before);
            let drawn = match self.machine.ran_out {
                false => self.draw_what_is_left(&program, ending, generator),
                true => Ok(false),
            };
            if !self.unless_run_out(drawn, begun, generator, Self::draw)? {
                return Ok(Some((moves, true)));
            }
            moves += 1;
            self.machine.settle_kept(&program);
            self.machine.mem.sweep(heap, &mut []);
        }
    }
}

impl MachinePosition {
    /// Draws from the list of all where those drawn were refused for long; false where nobody could act.
    fn draw_what_is_left(&mut self, program: &Program, ending: Ending, generator: &mut Generator) -> Run<bool> {
        let player = self.machine.first_player().as_entity().expect("somebody is to move");
        let played = ending == Ending::Refused && self.draw_listed(program, player, generator)?;
        if !played {
            self.stuck(program)?;
        }
        Ok(played)
    }
}

impl Machine {
    /// Nothing is to be undone, and the candidates kept know of every change.
    fn settle_kept(&mut self, program: &Program) {
        if !self.mem.journal.is_empty()
            || self.derived.kept.step != InStep::BEGINNING
            || self.derived.kept.is_stale()
            || !self.derived.kept.is_ready()
        {
            self.sync_kept(program);
            self.forget_changes();
        }
    }

    /// Plays at random; says how many actions were made, and why not more.
    fn run_lane(
        &mut self,
        program: &Program,
        lane: (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
    ) -> Run<(u64, Ending)> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has these instructions.
            return unsafe { self.run_lane_by_deposit(program, lane, generator, most) };
        }
        self.run_lane_as_suits(program, lane, generator, most, crate::bits::select_slowly)
    }

    /// The same for processors that find a set bit by its rank in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,popcnt")]
    fn run_lane_by_deposit(
        &mut self,
        program: &Program,
        lane: (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
    ) -> Run<(u64, Ending)> {
        self.run_lane_as_suits(program, lane, generator, most, |word, rank| {
            std::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros()
        })
    }

    #[inline(always)]
    fn run_lane_as_suits(
        &mut self,
        program: &Program,
        lane: (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Run<(u64, Ending)> {
        // What is asked of every action takes longer than drawing it: most games need none of it.
        let plainly = program.may(Shortcut::Plainly) && lane.1.uniform;
        match plainly && program.history.is_none() && self.derived.kept.open.is_none() {
            _ if program.outlook.is_some() => self.run_lane_with::<true>(program, lane, generator, most, select),
            true => {
                program.permits.take(Shortcut::Plainly);
                self.run_plainly(program, lane.1, generator, most, select)
            }
            false => self.run_lane_with::<false>(program, lane, generator, most, select),
        }
    }

    /// `NARROWED`: walks may tell who need not be drawn.
    #[inline(always)]
    fn run_lane_with<const NARROWED: bool>(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Run<(u64, Ending)> {
        let passing = program.world.turns == Turns::Passing;
        let remembers = program.history.is_some();
        let slots = Slots::of(&mut self.mem.slots);
        // Between two actions the journal is empty and nothing runs: there is one way back for all of them.
        let (mark, rest) = (self.mem.mark(), self.rest());
        let one_word = self.derived.kept.bits.len() == 1;
        assert!(lane.runners.len() <= 64 * self.derived.kept.bits.len(), "a bit for each candidate");
        let guarded = self.derived.kept.open.is_some();
        let mut moves = 0;
        self.in_action = true;
        self.answered = false;
        self.begin_checkpoints();
        while moves < most && slots.get(layout::OVER) == 0 {
            let player = slots.get(layout::ORDER + slots.get(layout::HEAD) as u32);
            let open = match &self.derived.kept.open {
                Some(open) if guarded => seat_at(player).map_or(0, |seat| open[seat]) | self.derived.kept.elsewhere,
                _ => u64::MAX,
            };
            let mut n = if guarded { (self.derived.kept.few() & open).count_ones() } else { self.derived.kept.count };
            let mut narrowed = None;
            if NARROWED && let Some(outlook) = &program.outlook {
                narrowed = self.narrowed(outlook, player, Some(open));
                n = narrowed.map_or(n, Narrowed::count);
            }
            if n == 0 {
                break;
            }
            self.steps = self.allotted;
            // The generator itself stays at the beginning of the question until it is answered.
            let mut lots = generator.clone();
            self.said.clear();
            let heap = self.mem.heap.len();
            slots.put(layout::ACTOR, player);
            let mut left = 8 + n / 2;
            loop {
                let rank = lots.below(u64::from(n)) as u32;
                let candidate = match one_word {
                    _ if NARROWED && let Some(narrowed) = narrowed => narrowed.select_with(rank, select),
                    // SAFETY: there is one word.
                    true => select(unsafe { *self.derived.kept.bits.get_unchecked(0) } & open, rank) as usize,
                    false => self.derived.kept.select_with(rank, select),
                };
                debug_assert!(candidate < lane.runners.len());
                // SAFETY: only bits of candidates are ever set, and a rank is below their number.
                let runner = unsafe { lane.runners.get_unchecked(candidate) };
                let address = match slots.get(runner.state) {
                    _ if lane.uniform => runner.address,
                    0 if !guarded && runner.guard.refuses(slots.get(runner.guard.slot), player, player) => 0,
                    0 => runner.address,
                    _ => native.plain_address(program, self, candidate).unwrap_or(0),
                };
                let mut faulty = false;
                if address != 0 {
                    let outcome = self.run_bare(address, runner.receiver);
                    if outcome == Outcome::Done && !self.ran_out {
                        break;
                    }
                    faulty = outcome != Outcome::Refused;
                    self.put_at_rest(rest);
                    self.take_back(mark, heap);
                    // What was asked in the middle of the action is no longer so.
                    if self.derived.kept.is_stale() {
                        self.sync_kept(program);
                    }
                }
                left -= 1;
                if NARROWED && let Some(narrowed) = &mut narrowed {
                    narrowed.remove(candidate);
                    n = narrowed.count();
                    left = if faulty { 0 } else { n };
                }
                if left == 0 || self.ran_out {
                    self.begun = Some(std::mem::replace(generator, lots));
                    slots.put(layout::ACTOR, 0);
                    self.in_action = false;
                    let stuck = narrowed.is_some() && !faulty;
                    return Ok((moves, if stuck { Ending::Stuck } else { Ending::Refused }));
                }
            }
            moves += 1;
            let (head, turn) = (slots.get(layout::HEAD), slots.get(layout::TURN));
            if passing && slots.get(layout::AGAIN) | slots.get(layout::ENDED) == 0 {
                let next = slots.get(layout::HEAD) + 1;
                slots.put(layout::HEAD, if next == slots.get(layout::IN_PLAY) { 0 } else { next });
                slots.put(layout::TURN, slots.get(layout::TURN) + 1);
            }
            if remembers {
                self.in_action = false;
                let remembered = self.remember(program, Value(player));
                if self.ran_out {
                    self.begun = Some(generator.clone());
                    self.take_back(mark, heap);
                    for (slot, before) in [(layout::HEAD, head), (layout::TURN, turn), (layout::ACTOR, 0)] {
                        slots.put(slot, before);
                    }
                    return Ok((moves - 1, Ending::Refused));
                }
                if let Err(stop) = remembered {
                    *generator = lots;
                    return Err(stop);
                }
                self.in_action = true;
            }
            *generator = lots;
            for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
                slots.put(slot, 0);
            }
            self.clear_checkpoints();
            match slots.get(layout::OVER) == 0 {
                true => drop(self.learn_slowly(program, lane, heap)),
                false => self.mem.sweep(heap, &mut []),
            }
        }
        self.in_action = false;
        Ok((moves, Ending::Over))
    }
}
