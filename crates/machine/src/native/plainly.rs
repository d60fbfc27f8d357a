//! Random play where nothing but the candidates kept has to be asked: whoever receives an action, the same code answers,
//! whose candidates they are does not matter, and earlier positions are not remembered.

#![allow(unsafe_code, reason = "what is drawn is surely there")]

use super::lane::{Ending, Lane};
use super::watching::{Sets, Slots, Watched, Way};
use super::{Outcome, Rest};
use crate::derived::{Follows, InStep};
use crate::keeper::{Kept, LANES};
use crate::layout;
use crate::memory::Mark;
use crate::program::Program;
use crate::vm::{Machine, Run};
use houserules_kernel::Generator;
use houserules_model::Turns;

/// How candidates are drawn, and how they learn of what was played.
trait Pool: Copy {
    fn draw(self, kept: &mut Kept, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize;
    /// False where it has to be learned in the general way.
    fn learn(self, machine: &mut Machine, slots: Slots, played: usize) -> bool;
}

/// Told by the places that hold no mark.
#[derive(Clone, Copy)]
struct BySets<'a>(&'a Sets);

/// Each asks about a slot of its own, and there are several words of bits.
#[derive(Clone, Copy)]
struct Own<'a>(&'a Watched);

#[derive(Clone, Copy)]
struct Any;

/// Written so that it becomes one instruction.
#[inline(always)]
fn without([a, b, c, d, e, f, g, h]: [u16; LANES], less: [u16; LANES]) -> [u16; LANES] {
    let minus = |count: u16, at: usize| count.wrapping_sub(less[at]);
    [minus(a, 0), minus(b, 1), minus(c, 2), minus(d, 3), minus(e, 4), minus(f, 5), minus(g, 6), minus(h, 7)]
}

/// How many candidates fewer there are up to the end of each word, once one word has lost one.
static FEWER: [[u16; LANES]; LANES] = {
    let mut fewer = [[0; LANES]; LANES];
    let mut at = 0;
    while at < LANES * LANES {
        fewer[at / LANES][at % LANES] = (at % LANES >= at / LANES) as u16;
        at += 1;
    }
    fewer
};

impl Pool for BySets<'_> {
    #[inline(always)]
    fn draw(self, kept: &mut Kept, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        // SAFETY: something is kept, so there is a word of bits.
        select(unsafe { *kept.bits.get_unchecked(0) }, rank) as usize
    }

    #[inline(always)]
    fn learn(self, machine: &mut Machine, _: Slots, _: usize) -> bool {
        let known = machine.derived.marks.knows(&machine.mem);
        if known {
            let passing = self.0.passing(machine.derived.marks.sets[0]);
            machine.derived.kept.count = passing.count_ones();
            // SAFETY: it was drawn from this word.
            unsafe { *machine.derived.kept.bits.get_unchecked_mut(0) = passing };
            // Nothing else is ever known here, and each instruction counts.
            machine.derived.marks.step = InStep::BEGINNING;
            machine.derived.chains.settle(&machine.mem);
        }
        known
    }
}

impl Pool for Own<'_> {
    #[inline(always)]
    fn draw(self, kept: &mut Kept, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        let Some((bits, upto, _)) = kept.several() else { return 0 };
        // Without a way out of the loop: in which word it lies cannot be foreseen.
        let past = upto.iter().map(|&upto| u16::from(upto <= rank as u16)).sum::<u16>();
        let at = usize::from(past) % LANES;
        debug_assert!(at < bits.len());
        // SAFETY: a rank is below the number up to the last word.
        let word = unsafe { *bits.get_unchecked(at) };
        64 * at + select(word, rank + word.count_ones() - u32::from(upto[at])) as usize
    }

    #[inline(always)]
    fn learn(self, machine: &mut Machine, slots: Slots, played: usize) -> bool {
        let Some(lost) = machine.loses(self.0, slots, played) else { return false };
        machine.derived.chains.settle(&machine.mem);
        machine.derived.marks.settle(&machine.mem);
        let Some((bits, upto, count)) = machine.derived.kept.several().filter(|_| lost) else { return !lost };
        let word = played / 64 % LANES;
        debug_assert!(word < bits.len());
        // SAFETY: it was drawn from this word.
        unsafe { *bits.get_unchecked_mut(word) ^= 1 << (played % 64) };
        *count -= 1;
        *upto = without(*upto, FEWER[word]);
        true
    }
}

impl Pool for Any {
    #[inline(always)]
    fn draw(self, kept: &mut Kept, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        match kept.bits.len() {
            1 => select(kept.few(), rank) as usize,
            _ => kept.select_with(rank, select),
        }
    }

    #[inline(always)]
    fn learn(self, _: &mut Machine, _: Slots, _: usize) -> bool {
        false
    }
}

impl Machine {
    /// See [`Machine::run_lane`].
    #[inline(always)]
    pub(super) fn run_plainly(
        &mut self,
        program: &Program,
        lane: &Lane,
        generator: &mut Generator,
        most: u64,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Run<(u64, Ending)> {
        assert!(lane.runners.len() <= 64 * self.derived.kept.bits.len(), "a bit for each candidate");
        match lane.watched() {
            Some(Watched { way: Way::Sets(sets), .. }) => {
                self.run_from(BySets(sets), program, lane, generator, most, select)
            }
            Some(watched @ Watched { way: Way::OwnSlotOfMany, .. }) if self.derived.kept.several().is_some() => {
                self.run_from(Own(watched), program, lane, generator, most, select)
            }
            _ => self.run_from(Any, program, lane, generator, most, select),
        }
    }

    #[inline(always)]
    fn run_from(
        &mut self,
        pool: impl Pool,
        program: &Program,
        lane: &Lane,
        generator: &mut Generator,
        most: u64,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Run<(u64, Ending)> {
        let staying = u64::from(program.world.turns != Turns::Passing);
        let slots = Slots::of(&mut self.mem.slots);
        // Between two actions the journal is empty and nothing runs: there is one way back for all of them.
        let (mark, rest) = (self.mem.mark(), self.rest());
        let mut heap = self.mem.heap.len();
        let (mut moves, mut ending) = (0, Ending::Over);
        self.in_action = true;
        self.answered = false;
        self.begin_checkpoints();
        'moves: while moves < most && slots.get(layout::OVER) == 0 {
            let n = self.derived.kept.count;
            if n == 0 {
                break;
            }
            slots.put(layout::ACTOR, slots.get(layout::ORDER + slots.get(layout::HEAD) as u32));
            self.said.clear();
            self.steps = self.allotted;
            // The generator itself stays at the beginning of the question until it is answered.
            let mut lots = generator.clone();
            let mut refused = 0;
            let played = loop {
                let rank = lots.below(u64::from(n)) as u32;
                let candidate = pool.draw(&mut self.derived.kept, rank, select);
                debug_assert!(candidate < lane.runners.len());
                // SAFETY: only bits of candidates are ever set, and a rank is below their number.
                let runner = unsafe { lane.runners.get_unchecked(candidate) };
                if self.run_bare(runner.address, runner.receiver) == Outcome::Done {
                    break candidate;
                }
                refused += 1;
                if !self.goes_on_after(refused, program, (mark, rest), heap) {
                    self.begun = Some(std::mem::replace(generator, lots));
                    ending = Ending::Refused;
                    break 'moves;
                }
            };
            if self.ran_out {
                self.goes_on_after(refused, program, (mark, rest), heap);
                self.begun = Some(generator.clone());
                ending = Ending::Refused;
                break;
            }
            *generator = lots;
            moves += 1;
            if slots.get(layout::AGAIN) | slots.get(layout::ENDED) | staying == 0 {
                let next = slots.get(layout::HEAD) + 1;
                slots.put(layout::HEAD, if next == slots.get(layout::IN_PLAY) { 0 } else { next });
                slots.put(layout::TURN, slots.get(layout::TURN) + 1);
            } else {
                [layout::AGAIN, layout::ENDED].into_iter().for_each(|slot| slots.put(slot, 0));
            }
            self.clear_checkpoints();
            if slots.get(layout::OVER) != 0 {
                self.mem.sweep(heap, &mut []);
                break;
            }
            if self.has_more_to_learn() || !pool.learn(self, slots, played) {
                heap = self.learn_slowly(program, lane, heap);
            }
            self.mem.forget();
            self.mem.heap.truncate(heap);
            self.check_derived(program);
        }
        slots.put(layout::ACTOR, 0);
        self.in_action = false;
        Ok((moves, ending))
    }

    /// Whether an action has kept lists or memos, or has asked for candidates in its middle.
    #[inline(always)]
    fn has_more_to_learn(&self) -> bool {
        let asked = self.derived.kept.step.0 as usize | usize::from(self.derived.kept.is_stale());
        usize::from(self.mem.stored) | self.derived.memos.list.len() | asked != 0
    }

    /// What was tried is taken back. False where so many were refused that the others had better be listed.
    #[inline(never)]
    fn goes_on_after(&mut self, refused: u32, program: &Program, (mark, rest): (Mark, Rest), heap: usize) -> bool {
        self.put_at_rest(rest);
        self.take_back(mark, heap);
        // What was asked in the middle of the action is no longer so.
        if self.derived.kept.is_stale() {
            self.sync_kept(program);
        }
        refused < 8 + self.derived.kept.count / 2 && !self.ran_out
    }

    /// After an action that did more than is learned at a glance; says how long the heap is.
    #[inline(never)]
    pub(super) fn learn_slowly(&mut self, program: &Program, lane: &Lane, heap: usize) -> usize {
        self.catch_up(program, lane);
        self.check_derived(program);
        self.forget_changes();
        self.mem.sweep(heap, &mut []);
        self.mem.heap.len()
    }
}
