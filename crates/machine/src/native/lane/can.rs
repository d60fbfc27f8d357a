//! `(can ACTION for P)` where every candidate is kept: one is tried after another, until one is legal.
#![warn(unsafe_code)]

use super::{Lane, Runner, Slots, Watched};
use crate::code::LabelId;
use crate::keeper::seat_at;
use crate::layout;
use crate::memory::Mark;
use crate::native::even::Even;
use crate::native::{Native, Outcome};
use crate::program::{ActionCode, Program};
use crate::value::Value;
use crate::vm::Machine;
use crate::world::EntityId;

/// What is known of few candidates of one action, side by side, each of which belongs to one player for ever.
#[derive(Debug)]
pub(super) struct Few {
    label: LabelId,
    n_seats: usize,
    by_turn: bool,
    even: Even,
}

impl Few {
    pub fn of(program: &Program, runners: &[Runner], watched: &Watched) -> Option<Few> {
        let label = runners.first()?.label;
        let guards = program.keeper.as_ref()?.guards.as_ref()?;
        // What is only offered when asked for is not among the candidates.
        let alone = |action: &ActionCode| action.label != label || !action.when_asked;
        let suits = runners.iter().all(|runner| runner.label == label) && program.actions.iter().all(alone);
        let (n_seats, by_turn) = (program.world.n_seats as usize, guards.by_turn);
        watched.even.filter(|_| suits).map(|even| Few { label, n_seats, by_turn, even })
    }
}

impl Watched {
    /// The one to be tried first among those of a few candidates that pass the laws about them as things are, or are in
    /// another state: where laws look at a number the smallest, because little is mostly done sooner than much.
    #[inline]
    fn easiest(&self, mut among: u64, slots: Slots) -> Option<usize> {
        let mut best = (u64::MAX, usize::MAX);
        while among != 0 {
            let candidate = among.trailing_zeros() as usize;
            let watch = self.watches.get(candidate)?;
            let number = slots.get(watch.slots[0]);
            let kept = watch.passes::<3>(slots) || slots.get(watch.state) != 0;
            if kept && (number < best.0 || best.1 == usize::MAX) {
                best = (number, candidate);
            }
            among &= among - 1;
        }
        (best.1 != usize::MAX).then_some(best.1)
    }
}

impl Machine {
    /// Whether a player can make an action, asked by native code in random play. None where that has to be found out in
    /// another way.
    #[inline]
    pub(crate) fn can_among_few(&mut self, program: &Program, label: LabelId, player: Value) -> Option<bool> {
        let native = program.native()?;
        let lane = native.lane()?;
        let (few, open) = (lane.few.as_ref()?, self.derived.kept.open.as_ref()?);
        let slots = Slots::of(&mut self.mem.slots);
        let first = slots.get(layout::ORDER + slots.get(layout::HEAD) as u32);
        let seat = seat_at(if few.by_turn { first } else { player.0 })?;
        if label != few.label || seat_at(player.0)? >= few.n_seats || seat >= few.n_seats || !self.has_stack(native) {
            return None;
        }
        let mut left = open[seat] | self.derived.kept.elsewhere;
        let (mark, heap, actor) = (self.mem.mark(), self.mem.heap.len(), slots.get(layout::ACTOR));
        slots.put(layout::ACTOR, player.0);
        let trial = self.begin_trial();
        self.nested += 1;
        let found = loop {
            let Some(candidate) = few.even.easiest(left, slots) else {
                break lane.all_in_first_state(slots).then_some(false);
            };
            left &= !(1 << candidate);
            let Runner { test, receiver, state, .. } = lane.runners[candidate];
            if slots.get(state) != 0 {
                break None;
            }
            match self.try_in_lane((test, receiver), mark, heap) {
                Outcome::Done => break Some(true),
                Outcome::Refused => {}
                Outcome::Stopped => break None,
            }
        };
        self.nested -= 1;
        self.end_trial(trial);
        slots.put(layout::ACTOR, actor);
        found
    }

    /// Whether a player has a legal choice among the candidates kept. None where that has to be found out slowly.
    pub(crate) fn can_in_lane(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<bool> {
        let limit = self.stack_limit;
        let found = self.in_trial(player, &[], |machine| machine.find_in_lane(program, (native, lane), player, labels));
        self.stack_limit = limit;
        found
    }

    fn find_in_lane(
        &mut self,
        program: &Program,
        (native, lane): (&Native, &Lane),
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<bool> {
        let (mark, heap) = (self.mem.mark(), self.mem.heap.len());
        let slots = Slots::of(&mut self.mem.slots);
        let (actor, first) = (Value::entity(player).0, slots.get(layout::ORDER + slots.get(layout::HEAD) as u32));
        let open = program.keeper.as_ref().and_then(|keeper| self.open_to(keeper, actor, first));
        // Where few are open, those in question are looked at as they are: mostly the first one tried will do, and what has
        // changed need not be learned twice.
        let watched = lane.watched.as_ref().filter(|_| open.is_some());
        let mut left = open.unwrap_or(0);
        if watched.is_none() {
            self.catch_up(program, lane);
        }
        self.nested_natively(native, |machine| {
            let mut at = 0;
            while let Some(candidate) = match watched {
                Some(watched) => watched.easiest(left, slots),
                None => machine.derived.kept.next_open(at, open),
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
                match machine.try_in_lane((test, receiver), mark, heap) {
                    Outcome::Done => return Some(true),
                    Outcome::Refused => {}
                    Outcome::Stopped => return None,
                }
                // A rule that asked the same in the middle of the action knew the candidates of another position.
                if watched.is_none() && machine.derived.kept.is_stale() {
                    machine.catch_up(program, lane);
                }
            }
            (watched.is_none() || lane.all_in_first_state(slots)).then_some(false)
        })
    }

    /// Tries an action as far as something could still refuse, and takes it back.
    #[inline]
    fn try_in_lane(&mut self, (test, receiver): (usize, u64), mark: Mark, heap: usize) -> Outcome {
        let (floor, skipped) = (self.frames.len(), self.skipped.len());
        let ran = self.run_guarded(test, receiver);
        if ran != Outcome::Done {
            self.drop_frames(floor);
            self.skipped.truncate(skipped);
        }
        if self.mem.changed_since(mark) {
            self.rollback(mark);
        }
        self.mem.heap.truncate(heap);
        ran
    }
}

impl Lane {
    /// Whose a candidate is matters in its first state only.
    fn all_in_first_state(&self, slots: Slots) -> bool {
        self.runners.iter().all(|runner| slots.get(runner.state) == 0)
    }
}
