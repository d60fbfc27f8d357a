//! The shortest way of random play: games whose candidates are all kept, and whose every action is native code.
//!
//! What is drawn and what is played is what the other ways draw and play; only the ceremony is left out.

#![allow(unsafe_code, reason = "slots that stay where they are are read without looking at their number again")]

use super::{Native, Outcome};
use crate::code::LabelId;
use crate::guard::Guard;
use crate::keeper::{Keeper, Law, seat_at};
use crate::layout;
use crate::outlook::Narrowed;
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
    /// Whether candidates are always answered by the same code, and no law about who plays comes first.
    uniform: bool,
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
    way: Way,
}

/// How much has to be looked at to learn what changed.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// All places that hold no mark, in their order: the machine knows them as a set.
    Unmarked,
    /// One slot a candidate, or two, and all candidates in one word of bits.
    OneSlot,
    OneSlotAndState,
    TwoSlots,
    /// One slot a candidate.
    OneSlotOfMany,
    All,
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
        let watches: Box<[Watch]> = keeper.asked.iter().map(watch).collect::<Option<_>>()?;
        let (mut starts, mut readers) = (vec![0], Vec::new());
        for slot in 0..program.layout.made_base as usize {
            readers.extend_from_slice(keeper.readers(slot));
            starts.push(readers.len() as u32);
        }
        let width =
            |watch: &Watch| watch.slots.iter().rposition(|&slot| slot != layout::NOTHING).map_or(0, |at| at + 1);
        let widest = watches.iter().map(width).max().unwrap_or(0);
        let by_state = watches.iter().any(|watch| watch.state != layout::NOTHING);
        let all_unmarked = program.marked.is_some_and(|marked| {
            let unmarked = |(asked, slot): (&crate::keeper::Asked, u32)| asked.law.passes_if_nil(slot);
            keeper.asked.len() == marked.n as usize && keeper.asked.iter().zip(marked.base..).all(unmarked)
        });
        let way = match (widest, by_state, watches.len() <= 64) {
            (1, false, true) if all_unmarked => Way::Unmarked,
            (0 | 1, false, true) => Way::OneSlot,
            (0 | 1, true, true) => Way::OneSlotAndState,
            (2, false, true) => Way::TwoSlots,
            (0 | 1, false, false) => Way::OneSlotOfMany,
            _ => Way::All,
        };
        Some(Watched { starts: starts.into(), readers: readers.into(), watches, way })
    }

    /// The one to be tried first among those of a few candidates that pass the laws about them as things are, or are in
    /// another state: where laws look at a number the smallest, because little is mostly done sooner than much.
    #[inline]
    fn easiest(&self, among: u64, slots: Slots) -> Option<usize> {
        match self.way {
            Way::Unmarked | Way::OneSlot | Way::OneSlotAndState => self.easiest_by::<1>(among, slots),
            _ => self.easiest_by::<3>(among, slots),
        }
    }

    #[inline(always)]
    fn easiest_by<const WIDEST: usize>(&self, mut among: u64, slots: Slots) -> Option<usize> {
        let mut best = (u64::MAX, usize::MAX);
        while among != 0 {
            let candidate = among.trailing_zeros() as usize;
            let watch = self.watches.get(candidate)?;
            let number = slots.get(watch.slots[0]);
            let kept = watch.passes::<WIDEST>(slots) || slots.get(watch.state) != 0;
            if kept && (number < best.0 || best.1 == usize::MAX) {
                best = (number, candidate);
            }
            among &= among - 1;
        }
        (best.1 != usize::MAX).then_some(best.1)
    }
}

impl Watch {
    /// Whether a candidate in its first state passes the laws about it.
    #[inline(always)]
    fn passes<const WIDEST: usize>(&self, slots: Slots) -> bool {
        let other = |at: usize| u32::from(slots.get(self.slots[at]) != self.words[at]) << at;
        self.passes >> (0..WIDEST).fold(0, |others, at| others | other(at)) & 1 != 0
    }
}

/// Why play went no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
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
    address: usize,
    /// As far as something could still refuse.
    test: usize,
    label: LabelId,
    receiver: u64,
    /// The slot of its state; one that holds nothing where the state does not matter.
    state: u32,
    guard: Guard,
}

/// None where a game needs more than this way has.
pub(crate) fn of(program: &Program, native: &Native) -> Option<Lane> {
    let suits = program.swift
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
    let watched = program.keeper.as_ref().and_then(|keeper| Watched::of(program, keeper));
    Some(Lane { runners, uniform, watched })
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
            machine.settle_kept(program);
            machine.guard_stack(native);
            machine.know_open(program, true);
            let ran = machine.run_lane(program, (native, lane), generator, most - moves);
            machine.know_open(program, false);
            let (played, ending) = ran?;
            moves += played;
            if ending == Ending::Over {
                return Ok(Some((moves, false)));
            }
            let program = program.clone();
            let heap = self.machine.mem.heap.len();
            let player = self.machine.first_player().as_entity().expect("somebody is to move");
            if ending == Ending::Stuck || !self.draw_listed(&program, player, generator)? {
                self.stuck(&program)?;
                return Ok(Some((moves, true)));
            }
            moves += 1;
            self.machine.settle_kept(&program);
            self.machine.mem.sweep(heap, &mut []);
        }
    }
}

impl Machine {
    /// Nothing is to be undone, and the candidates kept know of every change.
    fn settle_kept(&mut self, program: &Program) {
        if !self.mem.journal.is_empty() || self.kept.synced != 0 || self.kept.is_stale() || !self.kept.is_ready() {
            self.sync_kept(program);
            self.drop_changes();
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
        self.run_lane_as_suits(program, lane, generator, most, crate::keeper::select_slowly)
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
        select: impl Fn(u64, u32) -> u32,
    ) -> Run<(u64, Ending)> {
        // What is asked of every action takes longer than drawing it: most games need none of it.
        match lane.1.uniform && program.history.is_none() && self.kept.open.is_none() {
            _ if program.outlook.is_some() => self.run_lane_with::<false, true>(program, lane, generator, most, select),
            true => self.run_lane_with::<true, false>(program, lane, generator, most, select),
            false => self.run_lane_with::<false, false>(program, lane, generator, most, select),
        }
    }

    /// `PLAIN`: whoever receives an action, the same code answers, whose candidates they are does not matter, and earlier
    /// positions are not remembered. `NARROWED`: walks may tell who need not be drawn.
    #[inline(always)]
    fn run_lane_with<const PLAIN: bool, const NARROWED: bool>(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        generator: &mut Generator,
        most: u64,
        select: impl Fn(u64, u32) -> u32,
    ) -> Run<(u64, Ending)> {
        let passing = program.world.turns == Turns::Passing;
        let remembers = !PLAIN && program.history.is_some();
        let slots = Slots(self.mem.slots.ptr);
        // Between two actions the journal is empty and nothing runs: there is one way back for all of them.
        let (mark, rest) = (self.mem.mark(), self.rest());
        let one_word = self.kept.bits.len() == 1;
        assert!(lane.runners.len() <= 64 * self.kept.bits.len(), "a bit for each candidate");
        let guarded = !PLAIN && self.kept.open.is_some();
        let mut moves = 0;
        self.in_action = true;
        self.answered = false;
        while moves < most && slots.get(layout::OVER) == 0 {
            let player = slots.get(layout::ORDER + slots.get(layout::HEAD) as u32);
            let open = match &self.kept.open {
                Some(open) if guarded => seat_at(player).map_or(0, |seat| open[seat]) | self.kept.elsewhere,
                _ => u64::MAX,
            };
            let mut n = if guarded { (self.kept.few() & open).count_ones() } else { self.kept.count };
            let mut narrowed = None;
            if NARROWED && let Some(outlook) = &program.outlook {
                narrowed = self.narrowed(outlook, player, Some(open));
                n = narrowed.map_or(n, Narrowed::count);
            }
            if n == 0 {
                break;
            }
            self.steps = program.budget.steps;
            self.said.clear();
            let heap = self.mem.heap.len();
            slots.put(layout::ACTOR, player);
            let mut left = 8 + n / 2;
            loop {
                let rank = generator.below(u64::from(n)) as u32;
                let candidate = match one_word {
                    _ if NARROWED && let Some(narrowed) = narrowed => narrowed.select_with(rank, &select),
                    // SAFETY: there is one word.
                    true => select(unsafe { *self.kept.bits.get_unchecked(0) } & open, rank) as usize,
                    false => self.kept.select_with(rank, &select),
                };
                debug_assert!(candidate < lane.runners.len());
                // SAFETY: only bits of candidates are ever set, and a rank is below their number.
                let runner = unsafe { lane.runners.get_unchecked(candidate) };
                let address = match PLAIN {
                    true => runner.address,
                    false => match slots.get(runner.state) {
                        _ if lane.uniform => runner.address,
                        0 if !guarded && runner.guard.refuses(slots.get(runner.guard.slot), player, player) => 0,
                        0 => runner.address,
                        _ => native.plain_address(program, self, candidate).unwrap_or(0),
                    },
                };
                let mut faulty = false;
                if PLAIN || address != 0 {
                    match self.run_bare(address, runner.receiver) {
                        Outcome::Done => break,
                        outcome => faulty = outcome == Outcome::Stopped,
                    }
                    self.put_at_rest(rest);
                    self.take_back(mark, heap);
                    // What was asked in the middle of the action is no longer so.
                    if self.kept.is_stale() {
                        self.sync_kept(program);
                    }
                }
                left -= 1;
                if NARROWED && let Some(narrowed) = &mut narrowed {
                    narrowed.remove(candidate);
                    n = narrowed.count();
                    left = if faulty { 0 } else { n };
                }
                if left == 0 {
                    slots.put(layout::ACTOR, 0);
                    self.in_action = false;
                    let stuck = narrowed.is_some() && !faulty;
                    return Ok((moves, if stuck { Ending::Stuck } else { Ending::Refused }));
                }
            }
            moves += 1;
            if passing && slots.get(layout::AGAIN) | slots.get(layout::ENDED) == 0 {
                let next = slots.get(layout::HEAD) + 1;
                slots.put(layout::HEAD, if next == slots.get(layout::IN_PLAY) { 0 } else { next });
                slots.put(layout::TURN, slots.get(layout::TURN) + 1);
            }
            if remembers {
                self.in_action = false;
                self.remember(program, Value(player))?;
                self.in_action = true;
                self.tally.forget(self.mem.journal.len());
            }
            for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
                slots.put(slot, 0);
            }
            self.clear_checkpoints();
            if slots.get(layout::OVER) == 0 {
                self.catch_up(program, lane);
                self.kept.synced = 0;
                self.forget_memos();
                self.marks.settle(&self.mem);
                self.mem.forget();
            }
            self.mem.sweep(heap, &mut []);
        }
        self.in_action = false;
        Ok((moves, Ending::Over))
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
                let slots = Slots(self.mem.slots.ptr);
                match watched.way {
                    Way::Unmarked if self.marks.knows(&self.mem) => {
                        let unmarked = self.marks.sets[0];
                        self.kept.count = unmarked.count_ones();
                        (self.kept.bits[0], self.kept.counts[0]) = (unmarked, self.kept.count);
                        self.kept.synced = self.mem.journal.len() as u32;
                    }
                    Way::Unmarked | Way::OneSlot => self.learn::<1, false, true>(watched, slots),
                    Way::OneSlotAndState => self.learn::<1, true, true>(watched, slots),
                    Way::TwoSlots => self.learn::<2, false, true>(watched, slots),
                    Way::OneSlotOfMany => self.learn::<1, false, false>(watched, slots),
                    Way::All => self.learn::<3, true, false>(watched, slots),
                }
            }
            // A law needs code, or what was asked in the middle of an action is no longer so.
            _ => drop(self.sync_kept(program)),
        }
    }

    /// Tells the candidates kept of what the journal holds beyond what they know. Watches look at so many slots at most;
    /// where all candidates are in one word of bits, it stays in a register.
    #[inline(always)]
    fn learn<const WIDEST: usize, const BY_STATE: bool, const ONE_WORD: bool>(
        &mut self,
        watched: &Watched,
        slots: Slots,
    ) {
        if ONE_WORD && self.mem.journal.len() - self.kept.synced as usize > watched.watches.len() / 2 {
            return self.learn_anew::<WIDEST, BY_STATE>(watched, slots);
        }
        let (bits, counts) = (self.kept.bits.as_mut_ptr(), self.kept.counts.as_mut_ptr());
        let (mut count, mut only) = (self.kept.count, if ONE_WORD { self.kept.bits[0] } else { 0 });
        let mut elsewhere = self.kept.elsewhere;
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
                    let mut kept = u32::from(watch.passes::<WIDEST>(slots));
                    if BY_STATE {
                        let away = u32::from(slots.get(watch.state) != 0);
                        kept |= away;
                        if candidate < 64 {
                            elsewhere = elsewhere & !(1 << candidate) | u64::from(away) << candidate;
                        }
                    }
                    if ONE_WORD {
                        only = only & !(1 << candidate) | u64::from(kept) << candidate;
                        continue;
                    }
                    let (word, at) = (bits.add(candidate / 64), candidate % 64);
                    let was = *word >> at & 1;
                    *word ^= (was ^ u64::from(kept)) << at;
                    let change = kept.wrapping_sub(was as u32);
                    count = count.wrapping_add(change);
                    *counts.add(candidate / 64) = (*counts.add(candidate / 64)).wrapping_add(change);
                }
            }
        }
        if ONE_WORD {
            count = only.count_ones();
            (self.kept.bits[0], self.kept.counts[0]) = (only, count);
        }
        if BY_STATE {
            self.kept.elsewhere = elsewhere;
        }
        self.kept.count = count;
        self.kept.synced = self.mem.journal.len() as u32;
    }

    /// Looks at all of a few candidates: there are hardly more of them than changes.
    #[inline(always)]
    fn learn_anew<const WIDEST: usize, const BY_STATE: bool>(&mut self, watched: &Watched, slots: Slots) {
        let (mut kept, mut elsewhere) = (0u64, 0u64);
        for (at, watch) in watched.watches.iter().enumerate().rev() {
            kept = kept << 1 | u64::from(watch.passes::<WIDEST>(slots));
            if BY_STATE && slots.get(watch.state) != 0 {
                elsewhere |= 1 << at;
            }
        }
        kept |= elsewhere;
        let count = kept.count_ones();
        (self.kept.bits[0], self.kept.counts[0], self.kept.count) = (kept, count, count);
        if BY_STATE {
            self.kept.elsewhere = elsewhere;
        }
        self.kept.synced = self.mem.journal.len() as u32;
    }

    /// Whether a player has a legal choice among the candidates kept. None where that has to be found out slowly.
    pub(crate) fn can_in_lane(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<bool> {
        let (mark, heap) = (self.mem.mark(), self.mem.heap.len());
        let (floor, skipped) = (self.frames.len(), self.skipped.len());
        let (in_action, testing, limit) = (self.in_action, self.testing, self.stack_limit);
        let before = std::mem::replace(&mut self.mem.slots[layout::ACTOR as usize], Value::entity(player).0);
        (self.in_action, self.testing) = (true, true);
        let slots = Slots(self.mem.slots.ptr);
        let (actor, first) = (Value::entity(player).0, slots.get(layout::ORDER + slots.get(layout::HEAD) as u32));
        let open = program.keeper.as_ref().and_then(|keeper| self.open_to(keeper, actor, first));
        // Where few are open, those in question are looked at as they are: mostly the first one tried will do, and what has
        // changed need not be learned twice.
        let watched = lane.watched.as_ref().filter(|_| open.is_some());
        let mut left = open.unwrap_or(0);
        if watched.is_none() {
            self.catch_up(program, lane);
        }
        let found = self.nested_natively(native, |machine| {
            let mut at = 0;
            while let Some(candidate) = match watched {
                Some(watched) => watched.easiest(left, slots),
                None => machine.kept.next_open(at, open),
            } {
                at = candidate + 1;
                left &= !(1u64.checked_shl(candidate as u32).unwrap_or(0));
                let Runner { test, label, receiver, state, guard, .. } = lane.runners[candidate];
                let changed = slots.get(state) != 0;
                if !changed && open.is_none() && guard.refuses(slots.get(guard.slot), actor, first)
                    || labels.is_some_and(|labels| !labels.contains(&label))
                {
                    continue;
                }
                if changed {
                    return None;
                }
                let ran = machine.run_guarded(test, receiver);
                machine.drop_frames(floor);
                machine.skipped.truncate(skipped);
                if machine.mem.changed_since(mark) {
                    machine.rollback(mark);
                }
                machine.mem.heap.truncate(heap);
                match ran {
                    Outcome::Done => return Some(true),
                    Outcome::Refused => {}
                    Outcome::Stopped => return None,
                }
            }
            // Whose a candidate is matters in its first state only.
            let away = |runner: &Runner| slots.get(runner.state) != 0;
            (watched.is_none() || !lane.runners.iter().any(away)).then_some(false)
        });
        (self.in_action, self.testing, self.stack_limit) = (in_action, testing, limit);
        self.mem.slots[layout::ACTOR as usize] = before;
        found
    }
}
